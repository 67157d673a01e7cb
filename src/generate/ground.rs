//! What the lands of the built-in levels share.

use glam::{DVec2, DVec3, dvec3};

use super::random::{Noise, smoothstep};
use super::surface::Surface;

/// Moves a corner of a grid whose cells are `step` wide onto the edge of a road, if one is near, so that the edge is a smooth
/// line: the road's middle is at `middle`, its half width `half`.
pub fn snap_to_road(x: f64, middle: f64, half: f64, step: f64) -> f64 {
    let edge = if x < middle { middle - half } else { middle + half };
    if step < 1.9 * half && (x - edge).abs() < 0.49 * step { edge } else { x }
}

/// What tints the land at a place.
#[derive(Clone, Copy)]
pub struct GroundTint {
    shade: f64,
    soil: DVec3,
}

impl GroundTint {
    /// Lush here, dry there, and trodden beside a road whose edge is `beside` metres away.
    pub fn new(noise: &Noise, at: DVec2, beside: f64) -> GroundTint {
        let shade = 0.88 + 0.2 * noise.fractal(at / 11.0 + 170.0, 3);
        let lush = 0.5 + 0.55 * noise.fractal(at / 31.0 + 130.0, 4);
        let field = dvec3(1.0, 0.9, 0.68).lerp(dvec3(0.84, 0.95, 0.8), lush.clamp(0.0, 1.0));
        let trodden = smoothstep(3.5, 0.0, beside);
        GroundTint { shade, soil: field.lerp(dvec3(0.95, 0.8, 0.62), 0.8 * trodden) }
    }

    /// The tint of a surface there; only what grows or is trodden is coloured.
    pub fn on(&self, surface: Surface) -> DVec3 {
        let color = if matches!(surface, Surface::Grass | Surface::Dirt) { self.soil } else { DVec3::ONE };
        (self.shade * color).min(DVec3::ONE)
    }
}

/// Where the picture lies, in metres, at a point of a face of the land with a unit normal: upright on cliffs, along X and Z
/// elsewhere.
pub fn land_tex(position: DVec3, normal: DVec3) -> DVec2 {
    let side = DVec2::new(normal.x.abs(), normal.z.abs());
    if side.max_element() < normal.y {
        DVec2::new(position.x, position.z)
    } else if side.x > side.y {
        DVec2::new(position.z, -position.y)
    } else {
        DVec2::new(position.x, -position.y)
    }
}
