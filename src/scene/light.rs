//! The lights of a scene.

use glam::{DAffine3, DVec3, Vec3};

use super::fault::Wrong;
use super::file::LightEntry;
use crate::level::{LampKind, Level, Light, srgb};

/// A light as a scene holds it: where it stands and shines is its node's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lamp {
    /// What kind. Suns and spots shine along their -Z.
    pub kind: LampKind,
    /// Linear, times the intensity; at least 0. At 1 m from a point or spot light, a surface that faces it reflects its own
    /// colour times this.
    pub color: Vec3,
}

/// How far a light reaches that does not say, in metres.
const RANGE: f64 = 10.0;
/// The cone of a spot that does not say, in degrees.
const ANGLE: f64 = 60.0;
/// How much of a cone is its soft rim, by the cosine.
const RIM: f64 = 0.2;

impl Lamp {
    /// What an entry says.
    pub(super) fn of(entry: &LightEntry) -> Result<Lamp, Wrong> {
        let range = entry.range.unwrap_or(RANGE);
        if !(range > 0.0 && range <= 1e6) {
            return Err(Wrong::at("range", "range must be above 0 m and at most 1000000 m"));
        }
        let angle = entry.angle.unwrap_or(ANGLE);
        if !(angle > 0.0 && angle <= 180.0) {
            return Err(Wrong::at("angle", "angle must be above 0 and at most 180 degrees"));
        }
        let range = range as f32;
        let kind = match &*entry.kind {
            "ambient" => LampKind::Ambient,
            "sun" => LampKind::Sun,
            "point" => LampKind::Point { range },
            "spot" => {
                let half_angle = (0.5 * angle).to_radians();
                let cosine = libm::cos(half_angle);
                let inner_angle = libm::acos(cosine + RIM * (1.0 - cosine));
                LampKind::Spot { range, half_angle: half_angle as f32, inner_angle: inner_angle as f32 }
            }
            other => {
                let what = format!("there is no kind of light {other:?}; there are ambient, sun, point and spot");
                return Err(Wrong::at("kind", what));
            }
        };
        let has_range = matches!(kind, LampKind::Point { .. } | LampKind::Spot { .. });
        if entry.range.is_some() && !has_range {
            return Err(Wrong::at("range", "range is for points and spots"));
        }
        if entry.angle.is_some() && !matches!(kind, LampKind::Spot { .. }) {
            return Err(Wrong::at("angle", "angle is for spots"));
        }
        let color = entry.color.as_ref().map_or(Ok(DVec3::ONE), |numbers| numbers.three("color"))?;
        let intensity = entry.intensity.unwrap_or(1.0);
        if !(color.min_element() >= 0.0 && color.max_element() <= 1.0) {
            return Err(Wrong::at("color", "color must be three numbers from 0 to 1"));
        }
        if !(0.0..=1e6).contains(&intensity) {
            return Err(Wrong::at("intensity", "intensity must be from 0 to 1000000"));
        }
        let linear = DVec3::from_array(color.to_array().map(srgb::decoded));
        Ok(Lamp { kind, color: (linear * intensity).as_vec3() })
    }

    /// The light at a place of level coordinates.
    pub(super) fn at(&self, level_from_own: &DAffine3, origin: DVec3) -> Light {
        let direction = level_from_own.transform_vector3(DVec3::NEG_Z).normalize_or(DVec3::NEG_Z).as_vec3();
        let position = (level_from_own.translation - origin).as_vec3();
        Light { kind: self.kind, color: self.color, position, direction }
    }
}

/// The lights of a mesh where it stands. One that is scaled shines as far as the mesh is larger.
pub(super) fn moved(mesh: &Level, local_from_own: DAffine3) -> impl Iterator<Item = Light> {
    let scale = libm::cbrt(local_from_own.matrix3.determinant().abs()) as f32;
    mesh.lights.iter().map(move |light| Light {
        position: local_from_own.transform_point3(mesh.to_level(light.position)).as_vec3(),
        direction: local_from_own.transform_vector3(light.direction.as_dvec3()).normalize_or(DVec3::NEG_Z).as_vec3(),
        ..light.scaled(scale)
    })
}
