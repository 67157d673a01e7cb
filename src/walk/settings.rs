//! How the walker is built and moves: one struct, SI units.

/// Body, speeds and limits of a [`Walker`](super::Walker). The body is an upright ellipsoid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Half the body's width, in metres.
    pub radius: f32,
    /// Height of the body when it stands, in metres.
    pub height: f32,
    /// Height of the body when it crouches, in metres, at most `height`.
    pub crouched_height: f32,
    /// How far the eye is below the top of the body, in metres.
    pub eye_below_top: f32,
    /// Walking speed in m/s.
    pub speed: f32,
    /// Walking speed with `fast`, in m/s.
    pub fast_speed: f32,
    /// Flying speed in m/s.
    pub fly_speed: f32,
    /// Flying speed with `fast`, in m/s.
    pub fast_fly_speed: f32,
    /// How fast the walking speed changes on the ground, in m/s².
    pub ground_acceleration: f32,
    /// How fast the horizontal speed can be steered in the air, in m/s².
    pub air_acceleration: f32,
    /// Downward acceleration in m/s².
    pub gravity: f32,
    /// The greatest speed of a fall, in m/s.
    pub fall_speed: f32,
    /// How high a jump rises, in metres.
    pub jump_height: f32,
    /// The highest step that is climbed and followed downwards, in metres.
    pub step_height: f32,
    /// The steepest slope that is walked, in radians from level; steeper ones are slid down.
    pub slope_limit: f32,
    /// How far below the level, in metres, the feet may fall before the walker is brought back.
    pub fall_limit: f32,
    /// Of the body, in kg: what its contacts tell as impulses. It changes no path.
    pub mass: f32,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            radius: 0.35,
            height: 1.8,
            crouched_height: 1.2,
            eye_below_top: 0.15,
            speed: 4.0,
            fast_speed: 8.0,
            fly_speed: 8.0,
            fast_fly_speed: 32.0,
            ground_acceleration: 60.0,
            air_acceleration: 8.0,
            gravity: 9.81,
            fall_speed: 60.0,
            jump_height: 1.0,
            step_height: 0.45,
            slope_limit: 50.0 * (std::f32::consts::PI / 180.0),
            fall_limit: 5.0,
            mass: 80.0,
        }
    }
}

/// A setting that makes no sense.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{name} must be {must}, not {value}")]
pub struct BadSetting {
    /// The setting's name.
    pub name: &'static str,
    /// What it is.
    pub value: f32,
    /// What it must be.
    pub must: &'static str,
}

impl Settings {
    /// The least upward part of the normal of ground that can be walked.
    pub(super) fn walkable_rise(&self) -> f64 {
        libm::cos(f64::from(self.slope_limit)) - 1e-6
    }

    /// Checks that lengths of the body are above 0, everything else is at least 0, everything is finite, the slope limit is
    /// below a right angle, and the eye lies in the body.
    ///
    /// # Errors
    /// The first setting that makes no sense.
    pub fn check(&self) -> Result<(), BadSetting> {
        let require = |name, value: f32, holds: bool, must| {
            if holds && value.is_finite() { Ok(()) } else { Err(BadSetting { name, value, must }) }
        };
        for (name, value) in
            [("radius", self.radius), ("height", self.height), ("crouched height", self.crouched_height)]
        {
            require(name, value, value >= 0.01, "at least 0.01 m")?;
        }
        require("crouched height", self.crouched_height, self.crouched_height <= self.height, "at most the height")?;
        let eye = self.eye_below_top;
        require("eye below the top", eye, (0.0..=self.crouched_height).contains(&eye), "within the crouched body")?;
        let right_angle = std::f32::consts::FRAC_PI_2;
        let slope = self.slope_limit;
        require("slope limit", slope, (0.0..right_angle).contains(&slope), "from 0 to below a right angle")?;
        for (name, value) in [
            ("speed", self.speed),
            ("fast speed", self.fast_speed),
            ("flying speed", self.fly_speed),
            ("fast flying speed", self.fast_fly_speed),
            ("ground acceleration", self.ground_acceleration),
            ("air acceleration", self.air_acceleration),
            ("gravity", self.gravity),
            ("fall speed", self.fall_speed),
            ("jump height", self.jump_height),
            ("step height", self.step_height),
            ("fall limit", self.fall_limit),
            ("mass", self.mass),
        ] {
            require(name, value, value >= 0.0, "at least 0")?;
        }
        Ok(())
    }
}
