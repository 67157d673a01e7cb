//! The first line of a path: where a walker begins.

use glam::{DVec3, Vec3};
use serde::{Deserialize, Serialize};

use super::step::PathMode;
use super::{degrees, radians};
use crate::level::Level;
use crate::tree::Tree;
use crate::walk::{self, Mode, Moment, Settings, Walker};

/// Where a walker begins, as the first line of a path says it: in level coordinates and degrees.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct PathStart {
    /// The feet; without them the level's spawn point.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spawn: Option<[f64; 3]>,
    /// Heading; without it that of the spawn point.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub yaw: Option<f64>,
    /// Elevation of the view.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pitch: Option<f64>,
    /// Walking or flying.
    pub mode: PathMode,
    /// Flight slides along the level.
    pub collide: bool,
    /// In m/s. With it the walker goes on from just where it was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub velocity: Option<[f64; 3]>,
    /// It crouches; only with a velocity.
    #[serde(skip_serializing_if = "is_false")]
    pub crouched: bool,
    /// It stands on something; only with a velocity.
    #[serde(skip_serializing_if = "is_false")]
    pub grounded: bool,
    /// Where it last stood well; only with a velocity.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub safe: Option<[f64; 3]>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for it")]
fn is_false(value: &bool) -> bool {
    !value
}

/// Positions in local space that are farther away than this, in metres, are no place in a level.
const FARTHEST: f64 = 1e30;

impl PathStart {
    /// Where a walker in `level` is at the moment. Level coordinates round far from their origin: to record what a replay
    /// takes again, go on with the walker that [`PathStart::walker`] makes of this.
    pub fn of(walker: &Walker, level: &Level) -> PathStart {
        let moment = walker.moment();
        let place = |place: DVec3| (place + level.origin).to_array();
        PathStart {
            spawn: Some(place(moment.feet)),
            yaw: Some(degrees(moment.yaw)),
            pitch: Some(degrees(moment.pitch)),
            mode: PathMode::of(moment.mode),
            collide: moment.mode == Mode::Fly { collide: true },
            velocity: Some(moment.velocity.to_array()),
            crouched: moment.crouched,
            grounded: moment.grounded,
            safe: moment.safe.map(place),
        }
    }

    /// The walker that begins here.
    ///
    /// # Errors
    /// What is wrong, when a place is too far away or a key needs another.
    pub fn walker(&self, level: &Level, tree: &Tree, settings: &Settings) -> Result<Walker, String> {
        let yaw = self.yaw.map_or(level.spawn.map_or(0.0, |spawn| spawn.yaw), radians);
        let pitch = self.pitch.map_or(0.0, radians);
        let mode = self.mode.with(self.collide);
        let local = |name: &str, place: [f64; 3]| {
            let place = DVec3::from_array(place) - level.origin;
            if place.abs().max_element() < FARTHEST { Ok(place) } else { Err(format!("the {name} is too far away")) }
        };
        if let Some(velocity) = self.velocity {
            let spawn = self.spawn.ok_or("velocity needs a spawn: the feet that it moves")?;
            let walker = Moment {
                feet: local("spawn", spawn)?,
                velocity: DVec3::from_array(velocity),
                yaw,
                pitch,
                mode,
                crouched: self.crouched,
                grounded: self.grounded,
                safe: self.safe.map(|safe| local("safe place", safe)).transpose()?,
            };
            return Ok(walker.walker());
        }
        if self.crouched || self.grounded || self.safe.is_some() {
            return Err("crouched, grounded and safe need a velocity: without one a walk begins at rest".to_owned());
        }
        let wanted = match self.spawn {
            Some(spawn) => Some(local("spawn", spawn)?.as_vec3()),
            None => level.spawn.map(|spawn| level.to_local(spawn.feet)),
        };
        let feet = match wanted {
            // A flight starts just where it is asked to.
            Some(feet) if self.mode == PathMode::Fly => feet,
            Some(feet) => walk::settle_spawn(tree, settings, feet),
            None => walk::find_spawn(tree, settings).unwrap_or(tree.bounds().center()),
        };
        let mut walker = Walker::new(if feet.is_finite() { feet } else { Vec3::ZERO }, yaw);
        walker.look(yaw, pitch);
        walker.set_mode(mode);
        Ok(walker)
    }
}
