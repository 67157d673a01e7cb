//! The lights of a scene.

use glam::{DAffine3, DVec3, Vec3};

use super::file::LightEntry;
use crate::level::srgb;

/// A light as a scene holds it: where it stands and shines is its node's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lamp {
    /// What kind.
    pub kind: LampKind,
    /// Linear, times the intensity; at least 0. At 1 m from a point or spot light, a surface that faces it reflects its own
    /// colour times this.
    pub color: Vec3,
}

/// The kinds of [`Lamp`]. Suns and spots shine along their -Z.
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
    },
}

/// A light as it shines at the moment, in local space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Light {
    /// What kind.
    pub kind: LampKind,
    /// See [`Lamp::color`].
    pub color: Vec3,
    /// Where it is; means nothing for suns and ambient light.
    pub position: Vec3,
    /// Unit vector in which suns and spots shine.
    pub direction: Vec3,
}

/// How far a light reaches that does not say, in metres.
const RANGE: f64 = 10.0;
/// The cone of a spot that does not say, in degrees.
const ANGLE: f64 = 60.0;

impl Lamp {
    /// What an entry says. The error says what is wrong with it.
    pub(super) fn of(entry: &LightEntry) -> Result<Lamp, String> {
        let range = entry.range.unwrap_or(RANGE);
        if !(range > 0.0 && range <= 1e6) {
            return Err("range must be above 0 m and at most 1000000 m".to_owned());
        }
        let angle = entry.angle.unwrap_or(ANGLE);
        if !(angle > 0.0 && angle <= 180.0) {
            return Err("angle must be above 0 and at most 180 degrees".to_owned());
        }
        let range = range as f32;
        let kind = match &*entry.kind {
            "ambient" => LampKind::Ambient,
            "sun" => LampKind::Sun,
            "point" => LampKind::Point { range },
            "spot" => LampKind::Spot { range, half_angle: (0.5 * angle).to_radians() as f32 },
            other => {
                return Err(format!("there is no kind of light {other:?}; there are ambient, sun, point and spot"));
            }
        };
        let has_range = matches!(kind, LampKind::Point { .. } | LampKind::Spot { .. });
        if entry.range.is_some() && !has_range || entry.angle.is_some() && !matches!(kind, LampKind::Spot { .. }) {
            return Err("range is for points and spots, angle for spots".to_owned());
        }
        let color = entry.color.as_ref().map_or(Ok(DVec3::ONE), |numbers| numbers.three("color"))?;
        let intensity = entry.intensity.unwrap_or(1.0);
        if !(color.min_element() >= 0.0 && color.max_element() <= 1.0 && (0.0..=1e6).contains(&intensity)) {
            return Err("color must be three numbers from 0 to 1, and intensity from 0 to 1000000".to_owned());
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
