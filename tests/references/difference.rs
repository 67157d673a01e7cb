//! How much two pictures differ to the eye.
//!
//! Colours are compared in CIELAB, where a distance of about 2 is just seen (CIE 1976), after both pictures are blurred as an
//! eye at some distance blurs them: a pixel that moved by a rounding is no difference, a missing wall is.

use image::RgbaImage;

use super::linear;

pub struct Difference {
    /// Of all pixels.
    pub mean: f64,
    /// The part of pixels whose difference is plain.
    pub share: f64,
    /// Black where there is none, white where it is plain.
    pub picture: RgbaImage,
}

/// Drivers filter and round differently: a mean difference below what one sees, and few places where one does.
pub const MEAN: f64 = 1.0;
pub const SHARE: f64 = 0.02;

/// A difference that nobody overlooks.
const PLAIN: f64 = 8.0;
/// Pixels on each side that are blurred into one.
const RADIUS: i64 = 1;

/// Complains about pictures of different sizes.
pub fn difference(one: &RgbaImage, other: &RgbaImage) -> Result<Difference, String> {
    if one.dimensions() != other.dimensions() {
        return Err(format!("{:?} pixels instead of {:?}", other.dimensions(), one.dimensions()));
    }
    let (one, other) = (blurred(one), blurred(other));
    let distances: Vec<f64> = one.iter().zip(other.iter()).map(|(a, b)| distance(lab(*a), lab(*b))).collect();
    let count = distances.len() as f64;
    let mean = distances.iter().sum::<f64>() / count;
    let share = distances.iter().filter(|&&distance| distance > PLAIN).count() as f64 / count;
    let width = one.width;
    let picture = RgbaImage::from_fn(width, one.height, |x, y| {
        let shade = (255.0 * (distances[(y * width + x) as usize] / PLAIN).min(1.0)) as u8;
        image::Rgba([shade, shade, shade, 255])
    });
    Ok(Difference { mean, share, picture })
}

/// Linear colours.
struct Light {
    width: u32,
    height: u32,
    colors: Vec<[f64; 3]>,
}

impl Light {
    fn iter(&self) -> impl Iterator<Item = &[f64; 3]> {
        self.colors.iter()
    }
}

fn blurred(picture: &RgbaImage) -> Light {
    let (width, height) = picture.dimensions();
    let at = |x: i64, y: i64| {
        let inside = |place: i64, edge: u32| place.clamp(0, i64::from(edge) - 1) as u32;
        let [r, g, b, _] = picture.get_pixel(inside(x, width), inside(y, height)).0;
        [linear(r), linear(g), linear(b)]
    };
    let around = |x: u32, y: u32| {
        let mut sum = [0.0; 3];
        for (dx, dy) in (-RADIUS..=RADIUS).flat_map(|dy| (-RADIUS..=RADIUS).map(move |dx| (dx, dy))) {
            let color = at(i64::from(x) + dx, i64::from(y) + dy);
            (0..3).for_each(|channel| sum[channel] += color[channel]);
        }
        sum.map(|channel| channel / ((2 * RADIUS + 1) * (2 * RADIUS + 1)) as f64)
    };
    let colors = (0..height).flat_map(|y| (0..width).map(move |x| (x, y))).map(|(x, y)| around(x, y)).collect();
    Light { width, height, colors }
}

/// CIELAB of a linear sRGB colour under D65.
fn lab([r, g, b]: [f64; 3]) -> [f64; 3] {
    let x = (0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505;
    let y = 0.2126 * r + 0.7152 * g + 0.0722 * b;
    let z = (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089;
    let root = |value: f64| if value > 0.008_856 { value.cbrt() } else { 7.787 * value + 16.0 / 116.0 };
    let (x, y, z) = (root(x), root(y), root(z));
    [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
}

fn distance(a: [f64; 3], b: [f64; 3]) -> f64 {
    (0..3).map(|channel| (a[channel] - b[channel]).powi(2)).sum::<f64>().sqrt()
}
