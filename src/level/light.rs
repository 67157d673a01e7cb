//! Lights of a level.

use glam::{DVec3, Vec3};

use super::Placement;

/// A light, in local space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Light {
    /// What kind.
    pub kind: LampKind,
    /// Linear, at least 0. At 1 m from a point or spot light, a surface that faces it reflects its own colour times this; at any
    /// distance from a sun.
    pub color: Vec3,
    /// Where it is; means nothing for suns and ambient light.
    pub position: Vec3,
    /// Unit vector in which suns and spots shine.
    pub direction: Vec3,
}

/// The kinds of [`Light`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LampKind {
    /// From everywhere.
    Ambient,
    /// From infinitely far.
    Sun,
    /// To all sides.
    Point {
        /// How far it reaches, in metres.
        range: f32,
    },
    /// Into a cone.
    Spot {
        /// How far it reaches, in metres.
        range: f32,
        /// From the axis to the rim of the cone, in radians.
        half_angle: f32,
        /// From the axis to where the soft rim begins, in radians, at most `half_angle`.
        inner_angle: f32,
    },
}

impl Light {
    /// The light of something that became so many times as large and looks the same: it reaches as many times as far.
    pub(crate) fn scaled(mut self, scale: f32) -> Light {
        if let LampKind::Point { range } | LampKind::Spot { range, .. } = &mut self.kind {
            *range *= scale;
            self.color *= scale * scale;
        }
        self
    }
}

/// Lights that stand at places of the file and shine along its axes, in local space; without those that are nowhere.
pub(super) fn placed(lights: &[(DVec3, Light)], placement: &Placement, origin: DVec3) -> Vec<Light> {
    let placed = lights.iter().map(|(position, light)| Light {
        position: (placement.to_level(*position) - origin).as_vec3(),
        direction: placement.turn(light.direction.as_dvec3()).as_vec3(),
        ..light.scaled(placement.scale as f32)
    });
    placed
        .filter(|light| light.position.is_finite() && light.direction.is_finite() && light.color.is_finite())
        .collect()
}
