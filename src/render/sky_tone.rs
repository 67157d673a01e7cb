//! Bringing the light of a sky picture to what a screen can show.
//!
//! Source: the exposure is that of Reinhard, Stark, Shirley and Ferwerda, "Photographic Tone Reproduction for Digital Images",
//! SIGGRAPH 2002: the mean of the logarithms becomes a middle grey.

use glam::Vec3;
use image::{DynamicImage, Rgba, RgbaImage};

use super::mipmaps::srgb_byte;
use super::sky::Side;
use super::sky_around::is_float;

/// What the sky is on average, linear: brighter than the grey of a wall.
const MEAN: f32 = 0.3;
/// Up to here colours stay as they are; brighter ones approach white, as surfaces do.
const KNEE: f32 = 0.6;
/// Darker than this counts as this much, so that a black patch does not decide.
const DARKEST: f32 = 1e-4;

/// Pictures that hold light become colours, all by the same exposure; the others stay.
pub(super) fn expose(sides: [Option<DynamicImage>; 6]) -> [Option<RgbaImage>; 6] {
    let exposure = exposure(&sides);
    sides.map(|side| {
        let side = side?;
        if !is_float(&side) {
            return Some(side.into_rgba8());
        }
        let light = side.to_rgb32f();
        Some(RgbaImage::from_fn(light.width(), light.height(), |x, y| {
            let [r, g, b] = soften(exposure * radiance(light.get_pixel(x, y).0)).to_array().map(srgb_byte);
            Rgba([r, g, b, 255])
        }))
    })
}

/// Light of a pixel; what is no number, or less than none, is dark.
fn radiance(pixel: [f32; 3]) -> Vec3 {
    Vec3::from_array(pixel.map(|channel| if channel > 0.0 { channel.min(1e6) } else { 0.0 }))
}

/// What brings the mean of the pictures, without the lower one, to [`MEAN`].
fn exposure(sides: &[Option<DynamicImage>; 6]) -> f32 {
    let (mut sum, mut count) = (0.0_f64, 0_u32);
    for side in Side::ALL.into_iter().filter(|&side| side != Side::Down) {
        let Some(picture) = sides[side as usize].as_ref().filter(|picture| is_float(picture)) else { continue };
        let light = picture.to_rgb32f();
        let rows = if side == Side::Up { light.height() } else { light.height().div_ceil(2) };
        // A sparse grid is enough for a mean.
        let step = (light.width() / 64).max(1) as usize;
        for y in (0..rows).step_by(step) {
            for x in (0..light.width()).step_by(step) {
                let luminance = radiance(light.get_pixel(x, y).0).dot(Vec3::new(0.2126, 0.7152, 0.0722));
                sum += f64::from(luminance.max(DARKEST).ln());
                count += 1;
            }
        }
    }
    if count == 0 { 1.0 } else { MEAN / (sum / f64::from(count)).exp() as f32 }
}

/// As `soften` of `level.wgsl`.
fn soften(color: Vec3) -> Vec3 {
    let above = (color - KNEE).max(Vec3::ZERO);
    color.min(Vec3::splat(KNEE)) + (1.0 - KNEE) * (Vec3::ONE - (-above / (1.0 - KNEE)).exp())
}

#[cfg(test)]
mod tests {
    use image::Rgb32FImage;

    use super::*;

    fn all(light: f32) -> [Option<DynamicImage>; 6] {
        let picture = Rgb32FImage::from_pixel(8, 8, image::Rgb([light; 3]));
        Side::ALL.map(|_| Some(DynamicImage::ImageRgb32F(picture.clone())))
    }

    #[test]
    fn a_sky_of_any_brightness_shows_the_same() {
        for light in [1e-3, 1.0, 40.0, 5e4] {
            let shown = expose(all(light)).map(|side| side.expect("it was there").get_pixel(0, 0).0);
            assert!(shown.iter().all(|pixel| *pixel == [149, 149, 149, 255]), "{light}: {shown:?}");
        }
    }

    #[test]
    fn the_sun_is_white_and_darkness_is_black() {
        let mut sides = all(1.0);
        let mut front = Rgb32FImage::from_pixel(8, 8, image::Rgb([1.0; 3]));
        front.put_pixel(1, 5, image::Rgb([1e5, 9e4, 8e4]));
        front.put_pixel(2, 5, image::Rgb([f32::NAN, -1.0, 0.0]));
        sides[Side::Front as usize] = Some(DynamicImage::ImageRgb32F(front));
        let front = expose(sides)[Side::Front as usize].take().expect("it was there");
        assert_eq!(front.get_pixel(1, 5).0, [255; 4]);
        assert_eq!(front.get_pixel(2, 5).0, [0, 0, 0, 255]);
    }

    #[test]
    fn colours_stay() {
        let picture = image::RgbaImage::from_pixel(2, 2, Rgba([12, 200, 99, 77]));
        let mut sides = [const { None }; 6];
        sides[0] = Some(DynamicImage::ImageRgba8(picture.clone()));
        assert_eq!(expose(sides)[0], Some(picture));
    }
}
