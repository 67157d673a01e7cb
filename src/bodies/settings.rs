//! How balls move: one struct, SI units.

use super::balls::MOST_BALLS;
use crate::walk::BadSetting;

/// What holds for all balls. What differs from ball to ball is in [`Throw`](super::Throw).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Downward acceleration in m/s².
    pub gravity: f32,
    /// Meetings slower than this, in m/s, do not bounce, so that a ball comes to rest. At least twice what gravity adds in a
    /// step, or nothing would.
    pub rest_speed: f32,
    /// How strongly rolling is braked: the part of the weight that acts against it. What lies still on a slope lies on one of
    /// up to about this tangent.
    pub rolling_resistance: f32,
    /// Balls that have been slower than this, in m/s, for [`Settings::sleep_time`] fall asleep, together with all that they
    /// touch.
    pub sleep_speed: f32,
    /// In seconds.
    pub sleep_time: f32,
    /// No ball is faster than this, in m/s.
    pub speed_limit: f32,
    /// How far below the level, in metres, a ball may fall before it is removed.
    pub fall_limit: f32,
    /// How many balls there are at most, up to 65 536: beyond, the oldest goes first.
    pub limit: u32,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            gravity: 9.81,
            rest_speed: 0.25,
            rolling_resistance: 0.04,
            sleep_speed: 0.05,
            sleep_time: 0.5,
            speed_limit: 1000.0,
            fall_limit: 5.0,
            limit: 4096,
        }
    }
}

impl Settings {
    /// Checks that everything is finite and at least 0, that the rest speed is at least twice what gravity adds in a step, and
    /// that the limits are at least 1.
    ///
    /// # Errors
    /// The first setting that makes no sense.
    pub fn check(&self) -> Result<(), BadSetting> {
        let require = |name, value: f32, holds: bool, must| {
            if holds && value.is_finite() { Ok(()) } else { Err(BadSetting { name, value, must }) }
        };
        for (name, value) in [
            ("gravity", self.gravity),
            ("rest speed", self.rest_speed),
            ("rolling resistance", self.rolling_resistance),
            ("sleep speed", self.sleep_speed),
            ("sleep time", self.sleep_time),
            ("fall limit", self.fall_limit),
        ] {
            require(name, value, value >= 0.0, "at least 0")?;
        }
        let least = 2.0 * self.gravity * crate::walk::STEP as f32;
        require("rest speed", self.rest_speed, self.rest_speed >= least, "at least gravity / 60")?;
        require("speed limit", self.speed_limit, (1.0..=1e5).contains(&self.speed_limit), "from 1 to 100000 m/s")?;
        let limit = self.limit as f32;
        require("limit of balls", limit, (1..=MOST_BALLS).contains(&self.limit), "from 1 to 65536")
    }
}
