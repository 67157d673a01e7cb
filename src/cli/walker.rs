//! How the walker is built and moves: the same names as options and as keys of the configuration file.

use std::path::PathBuf;

use anyhow::ensure;
use nodetree::walk;
use serde::Deserialize;

use super::config::Config;

/// Options of the walker, and where to look for those that are not given.
#[derive(clap::Args, Clone, Debug)]
pub struct WalkerArgs {
    #[command(flatten)]
    settings: WalkerSettings,
    /// Read settings from this file, not from config.toml in the platform's place
    #[arg(long, value_name = "FILE", help_heading = "Walker")]
    config: Option<PathBuf>,
}

impl WalkerArgs {
    /// Those given as options, then those in the configuration file, then the usual ones; checked.
    pub fn settings(&self) -> anyhow::Result<walk::Settings> {
        let config = Config::read(self.config.as_deref())?;
        self.settings.or(&config.walker).settings()
    }
}

/// Makes the struct, and what is done with all of its fields.
macro_rules! walker_settings {
    ($($(#[$attribute:meta])* $name:ident $unit:literal,)*) => {
        /// The walker's settings as people write them; what is absent is as usual.
        #[derive(clap::Args, Clone, Debug, Default, Deserialize, PartialEq)]
        #[serde(default, deny_unknown_fields, rename_all = "kebab-case", expecting = "a table of settings")]
        pub struct WalkerSettings {
            $($(#[$attribute])*
            #[arg(long, value_name = $unit, allow_negative_numbers = true, help_heading = "Walker")]
            $name: Option<f32>,)*
        }

        impl WalkerSettings {
            /// These, and where one is absent that of `others`.
            fn or(&self, others: &WalkerSettings) -> WalkerSettings {
                WalkerSettings { $($name: self.$name.or(others.$name),)* }
            }
        }
    };
}

walker_settings! {
    /// Half the body's width in metres [default: 0.35]
    radius "M",
    /// Height of the body in metres [default: 1.8]
    height "M",
    /// Height of the crouching body in metres [default: two thirds of the height]
    crouched_height "M",
    /// Height of the eye above the feet in metres [default: 0.15 below the top]
    eye "M",
    /// Walking speed in m/s [default: 4]
    walk_speed "V",
    /// Walking speed with Shift, in m/s [default: 8]
    fast_walk_speed "V",
    /// Flying speed in m/s [default: 8]
    fly_speed "V",
    /// Flying speed with Shift, in m/s [default: 32]
    fast_fly_speed "V",
    /// How fast the walking speed changes, in m/s² [default: 60]
    acceleration "A",
    /// How fast the speed can be steered in the air, in m/s² [default: 8]
    air_acceleration "A",
    /// Downward acceleration in m/s² [default: 9.81]
    gravity "A",
    /// Greatest speed of a fall, in m/s [default: 60]
    fall_speed "V",
    /// How high a jump rises, in metres [default: 1]
    jump "M",
    /// Highest step that is climbed, in metres [default: 0.45]
    step "M",
    /// Steepest slope that is walked, in degrees [default: 50]
    slope "DEG",
    /// How far below the level a fall ends at the last safe place, in metres [default: 5]
    fall_limit "M",
    /// Of the body in kg, for the impulses of its contacts; it changes no path [default: 80]
    mass "KG",
}

impl WalkerSettings {
    /// As settings of the walker, checked.
    pub fn settings(&self) -> anyhow::Result<walk::Settings> {
        let usual = walk::Settings::default();
        let height = self.height.unwrap_or(usual.height);
        // Here and not by the settings' own check, which speaks of radians and of lengths from the top.
        if let Some(slope) = self.slope {
            ensure!((0.0..90.0).contains(&slope), "slope must be from 0 to below 90 degrees, not {slope}");
        }
        if let Some(eye) = self.eye {
            ensure!((0.0..=height).contains(&eye), "eye must be from 0 to the height, not {eye}");
        }
        let settings = walk::Settings {
            radius: self.radius.unwrap_or(usual.radius),
            height,
            crouched_height: self.crouched_height.unwrap_or(height * (usual.crouched_height / usual.height)),
            eye_below_top: self.eye.map_or(usual.eye_below_top, |eye| height - eye),
            speed: self.walk_speed.unwrap_or(usual.speed),
            fast_speed: self.fast_walk_speed.unwrap_or(usual.fast_speed),
            fly_speed: self.fly_speed.unwrap_or(usual.fly_speed),
            fast_fly_speed: self.fast_fly_speed.unwrap_or(usual.fast_fly_speed),
            ground_acceleration: self.acceleration.unwrap_or(usual.ground_acceleration),
            air_acceleration: self.air_acceleration.unwrap_or(usual.air_acceleration),
            gravity: self.gravity.unwrap_or(usual.gravity),
            fall_speed: self.fall_speed.unwrap_or(usual.fall_speed),
            jump_height: self.jump.unwrap_or(usual.jump_height),
            step_height: self.step.unwrap_or(usual.step_height),
            slope_limit: self.slope.map_or(usual.slope_limit, f32::to_radians),
            fall_limit: self.fall_limit.unwrap_or(usual.fall_limit),
            mass: self.mass.unwrap_or(usual.mass),
        };
        settings.check()?;
        Ok(settings)
    }
}
