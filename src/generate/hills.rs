//! A heightmap of hills around a level place, for the scene with a house on it.

use glam::DVec2;
use image::{ImageBuffer, Luma};

use super::random::{Noise, smoothstep};

/// Pixels of a side.
pub const SIZE: u32 = 129;
/// Of full scale: how high the level place is.
const LEVEL: f64 = 1.0 / 3.0;
/// How far from the middle it is level, and where the hills have their full height, in pixels.
const RADII: [f64; 2] = [23.0, 46.0];

/// The picture, 16 bits a pixel.
pub fn hills() -> ImageBuffer<Luma<u16>, Vec<u16>> {
    let noise = Noise::new(29);
    ImageBuffer::from_fn(SIZE, SIZE, |x, y| {
        let at = DVec2::new(f64::from(x), f64::from(y));
        let hill = 0.5 + 0.5 * noise.fractal(at / 34.0, 5);
        let away = smoothstep(RADII[0], RADII[1], at.distance(DVec2::splat(0.5 * f64::from(SIZE - 1))));
        let height = LEVEL + away * (hill - LEVEL);
        Luma([(65_535.0 * height.clamp(0.0, 1.0)).round() as u16])
    })
}
