//! Every other line of a path: what a walker wants in one step, or in several alike.

use serde::{Deserialize, Serialize};

use super::radians;
use crate::walk::{Input, Mode, Walker};

/// Walking or flying, as a path names it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum PathMode {
    /// On the ground and through the air, with gravity.
    #[default]
    Walk,
    /// In all directions without gravity.
    Fly,
}

impl PathMode {
    /// What a walker's mode is called.
    pub fn of(mode: Mode) -> PathMode {
        match mode {
            Mode::Walk => PathMode::Walk,
            Mode::Fly { .. } => PathMode::Fly,
        }
    }

    /// As a walker's mode; `collide` is for flight.
    pub fn with(self, collide: bool) -> Mode {
        match self {
            PathMode::Walk => Mode::Walk,
            PathMode::Fly => Mode::Fly { collide },
        }
    }
}

/// One line: what is wanted in each of `repeat` steps. Angles in degrees.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct PathStep {
    /// -1 (back) to 1 (forward).
    #[serde(skip_serializing_if = "is_default")]
    pub forward: f32,
    /// -1 (left) to 1 (right).
    #[serde(skip_serializing_if = "is_default")]
    pub right: f32,
    /// -1 (down) to 1 (up); when flying.
    #[serde(skip_serializing_if = "is_default")]
    pub up: f32,
    /// Heading; it stays when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub yaw: Option<f64>,
    /// Elevation of the view; it stays when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pitch: Option<f64>,
    /// Jumps as soon as the ground allows; rises when flying.
    #[serde(skip_serializing_if = "is_default")]
    pub jump: bool,
    /// Crouches; sinks when flying.
    #[serde(skip_serializing_if = "is_default")]
    pub crouch: bool,
    /// Moves at the fast speed.
    #[serde(skip_serializing_if = "is_default")]
    pub fast: bool,
    /// Speed in m/s in place of the settings' own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub speed: Option<f32>,
    /// Walking or flying from here on; it stays when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mode: Option<PathMode>,
    /// Whether flight slides along the level from here on; it stays when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub collide: Option<bool>,
    /// The number of steps in all.
    #[serde(skip_serializing_if = "is_one")]
    pub repeat: u64,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for it")]
fn is_one(value: &u64) -> bool {
    *value == 1
}

impl Default for PathStep {
    fn default() -> PathStep {
        PathStep {
            forward: 0.0,
            right: 0.0,
            up: 0.0,
            yaw: None,
            pitch: None,
            jump: false,
            crouch: false,
            fast: false,
            speed: None,
            mode: None,
            collide: None,
            repeat: 1,
        }
    }
}

/// Steps of one line at most: more than a day, and an end.
pub const MOST_REPEATS: u64 = 12_000_000;

impl PathStep {
    /// Checks that every number is within its range.
    ///
    /// # Errors
    /// What is wrong with the first that is not.
    pub fn check(&self) -> Result<(), String> {
        for (name, value) in [("forward", self.forward), ("right", self.right), ("up", self.up)] {
            if !(-1.0..=1.0).contains(&value) {
                return Err(format!("{name} must be from -1 to 1, not {value}"));
            }
        }
        if let Some(speed) = self.speed.filter(|speed| !(*speed >= 0.0 && speed.is_finite())) {
            return Err(format!("speed must be at least 0, not {speed}"));
        }
        if !(1..=MOST_REPEATS).contains(&self.repeat) {
            return Err(format!("repeat must be from 1 to {MOST_REPEATS}, not {}", self.repeat));
        }
        Ok(())
    }

    /// As input of the walker, which looks on where it looks when the line does not say where.
    pub fn input(&self, walker: &Walker) -> Input {
        Input {
            forward: self.forward,
            right: self.right,
            up: self.up,
            yaw: self.yaw.map_or(walker.yaw(), radians),
            pitch: self.pitch.map_or(walker.pitch(), radians),
            jump: self.jump,
            crouch: self.crouch,
            fast: self.fast,
            speed: self.speed,
        }
    }
}
