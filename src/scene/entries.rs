//! What the entries of a scene file say, each by itself.

use super::fault::Wrong;
use super::file::{CameraEntry, PropEntry, SpawnEntry};
use super::{Kind, Pose};
use crate::bodies::Met;
use crate::level::{Handedness, Placement, Spawn, UpAxis};

/// The view of a camera.
pub(super) fn camera(entry: &CameraEntry) -> Result<Kind, Wrong> {
    if entry.fov.is_some_and(|degrees| !(1.0..=170.0).contains(&degrees)) {
        return Err(Wrong::at("fov", "fov must be from 1 to 170 degrees"));
    }
    Ok(Kind::Camera { fov_y: entry.fov.map(|degrees| degrees.to_radians() as f32) })
}

/// Where the walker starts.
pub(super) fn spawn(entry: &SpawnEntry) -> Result<Spawn, Wrong> {
    let pose = Pose::at(entry.translation.three("translation")?);
    pose.check()?;
    let yaw = entry.yaw.unwrap_or(0.0);
    if !yaw.is_finite() {
        return Err(Wrong::at("yaw", "yaw must be a finite number of degrees"));
    }
    Ok(Spawn { feet: pose.translation, yaw: (yaw % 360.0).to_radians() as f32 })
}

/// How the file of a piece or a prop lies.
pub(super) fn placement(
    up: &Option<String>,
    unit: Option<f64>,
    handedness: &Option<String>,
) -> Result<Placement, Wrong> {
    let scale = unit.unwrap_or(1.0);
    if !(scale > 0.0 && scale.is_finite()) {
        return Err(Wrong::at("unit", "unit must be above 0 metres"));
    }
    Ok(Placement {
        up: match up.as_deref() {
            None | Some("y") => UpAxis::Y,
            Some("z") => UpAxis::Z,
            Some(_) => return Err(Wrong::at("up", "up must be \"y\" or \"z\"")),
        },
        scale,
        handedness: match handedness.as_deref() {
            None | Some("right") => Handedness::Right,
            Some("left") => Handedness::Left,
            Some(_) => return Err(Wrong::at("handedness", "handedness must be \"right\" or \"left\"")),
        },
    })
}

/// How much is seen.
pub(super) fn opacity(value: Option<f64>) -> Result<f32, Wrong> {
    match value.unwrap_or(1.0) {
        value if (0.0..=1.0).contains(&value) => Ok(value as f32),
        _ => Err(Wrong::at("opacity", "opacity must be from 0 to 1")),
    }
}

/// How a prop is met.
pub(super) fn met(entry: &PropEntry) -> Result<Met, Wrong> {
    match (entry.met.as_deref(), entry.radius) {
        (None | Some("mesh"), None) => Ok(Met::Mesh),
        (Some("nothing"), None) => Ok(Met::Nothing),
        (None, Some(radius)) if (0.0..=1e6).contains(&radius) => Ok(Met::Radius(radius as f32)),
        (None, Some(_)) => Err(Wrong::at("radius", "radius must be from 0 to 1000000 m")),
        (Some(_), Some(_)) => Err(Wrong::at("met", "met and radius exclude each other")),
        (Some(_), None) => Err(Wrong::at("met", "met must be \"mesh\" or \"nothing\"; a radius makes it a ball")),
    }
}
