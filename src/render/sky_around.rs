//! Skies from one picture: one that goes all around, or the same on every side.

use std::f32::consts::{FRAC_1_PI, PI};

use image::{DynamicImage, Rgba32FImage};
use rayon::prelude::*;

use super::sky::Side;

/// The longest edge of a side that is made from a picture that goes all around.
const LARGEST_SIDE: u32 = 2048;

/// The six sides of a picture that goes all around (equirectangular: its middle is ahead, its right half to the right, its
/// upper edge straight up), of about its resolution. Twice as wide as high, or nearly.
pub(super) fn sides_of_panorama(picture: &DynamicImage) -> [DynamicImage; 6] {
    let size = (picture.width() / 4).clamp(1, LARGEST_SIDE);
    let colors = picture.to_rgba32f();
    let is_float = is_float(picture);
    Side::ALL.map(|side| {
        let place = |pixel: u32| (2 * pixel + 1) as f32 / size as f32 - 1.0;
        let row = |y: u32| (0..size).flat_map(move |x| [place(x), place(y)]);
        let pixels: Vec<f32> = (0..size)
            .into_par_iter()
            .flat_map_iter(|y| row(y).collect::<Vec<_>>().as_chunks::<2>().0.to_vec())
            .flat_map_iter(|[s, t]| {
                let direction = side.direction(s, t);
                let longitude = direction.x.atan2(-direction.z);
                let latitude = (direction.y / direction.length()).clamp(-1.0, 1.0).asin();
                between(&colors, 0.5 + 0.5 * FRAC_1_PI * longitude, 0.5 - latitude / PI)
            })
            .collect();
        let side =
            DynamicImage::ImageRgba32F(Rgba32FImage::from_raw(size, size, pixels).expect("four numbers a pixel"));
        if is_float { side } else { DynamicImage::ImageRgba8(side.into_rgba8()) }
    })
}

/// Whether a picture holds light, linear and as bright as it was, rather than colours to show.
pub(super) fn is_float(picture: &DynamicImage) -> bool {
    matches!(picture, DynamicImage::ImageRgb32F(_) | DynamicImage::ImageRgba32F(_))
}

/// The colour between the four pixels around a place, from 0 to 1 along both edges. Left and right edge meet.
fn between(colors: &Rgba32FImage, u: f32, v: f32) -> [f32; 4] {
    let (width, height) = colors.dimensions();
    let (x, y) = (u * width as f32 - 0.5, (v * height as f32 - 0.5).clamp(0.0, (height - 1) as f32));
    let (left, top) = (x.floor(), y.floor());
    let at = |x: f32, y: f32| {
        let x = (x as i64).rem_euclid(i64::from(width)) as u32;
        colors.get_pixel(x, (y as u32).min(height - 1)).0
    };
    let mix = |a: [f32; 4], b: [f32; 4], part: f32| [0, 1, 2, 3].map(|i| a[i] + part * (b[i] - a[i]));
    let (right_by, down_by) = (x - left, y - top);
    mix(
        mix(at(left, top), at(left + 1.0, top), right_by),
        mix(at(left, top + 1.0), at(left + 1.0, top + 1.0), right_by),
        down_by,
    )
}
