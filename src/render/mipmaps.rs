//! Mipmaps: each level of a picture is half as large as the one before, averaged in linear light.

use std::sync::LazyLock;

/// What a picture's opacity is used for, which decides how it shrinks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Opacity {
    /// For nothing.
    Unused,
    /// The surface is mixed by it.
    Blend,
    /// The surface has holes where it is below this. Every mipmap keeps the part that is covered.
    CutOut(f32),
}

/// One level: rows from the top, four bytes a pixel (sRGB-encoded colour, linear opacity).
pub(super) struct Mipmap {
    pub width: u32,
    pub height: u32,
    pub rgba: Vec<u8>,
}

/// How many levels a picture has down to one pixel.
pub(super) fn level_count(width: u32, height: u32) -> u32 {
    width.max(height).max(1).ilog2() + 1
}

/// All levels below the picture itself, the largest first; none for a single pixel.
pub(super) fn mipmaps(width: u32, height: u32, rgba: &[u8], opacity: Opacity) -> Vec<Mipmap> {
    let mut image = Linear::decode(width, height, rgba);
    let covered = match opacity {
        Opacity::CutOut(cutoff) => image.coverage(cutoff, 1.0),
        _ => 0.0,
    };
    let mut levels = Vec::new();
    while image.width > 1 || image.height > 1 {
        image = image.halved(opacity != Opacity::Unused);
        let alpha_scale = match opacity {
            Opacity::CutOut(cutoff) => image.scale_for_coverage(cutoff, covered),
            _ => 1.0,
        };
        levels.push(Mipmap { width: image.width, height: image.height, rgba: image.encode(alpha_scale) });
    }
    levels
}

/// The same for a picture of linear numbers: normals. What is shorter where they differ is made longer when it is drawn.
pub(super) fn normal_mipmaps(width: u32, height: u32, rgba: &[u8]) -> Vec<Mipmap> {
    let pixels = rgba.as_chunks().0.iter().map(|pixel: &[u8; 4]| pixel.map(|byte| f32::from(byte) / 255.0)).collect();
    let mut image = Linear { width, height, pixels };
    let mut levels = Vec::new();
    while image.width > 1 || image.height > 1 {
        image = image.halved(false);
        let rgba = image.pixels.iter().flat_map(|pixel| pixel.map(|part| (part * 255.0 + 0.5) as u8)).collect();
        levels.push(Mipmap { width: image.width, height: image.height, rgba });
    }
    levels
}

/// A picture in linear light.
struct Linear {
    width: u32,
    height: u32,
    pixels: Vec<[f32; 4]>,
}

impl Linear {
    fn decode(width: u32, height: u32, rgba: &[u8]) -> Linear {
        let decode = |&[r, g, b, a]: &[u8; 4]| {
            [LINEAR[r as usize], LINEAR[g as usize], LINEAR[b as usize], f32::from(a) / 255.0]
        };
        Linear { width, height, pixels: rgba.as_chunks().0.iter().map(decode).collect() }
    }

    /// Half the size, rounded down. Every pixel of the source counts by the area that it shares with the new one, so that
    /// odd sizes neither shift nor lose a row. Weighted by opacity, what can't be seen does not colour what can.
    fn halved(&self, weighted: bool) -> Linear {
        let (width, height) = ((self.width / 2).max(1), (self.height / 2).max(1));
        let columns: Vec<Taps> = (0..width).map(|x| Taps::new(x, width, self.width)).collect();
        let mut pixels = Vec::with_capacity((width * height) as usize);
        for y in 0..height {
            let rows = Taps::new(y, height, self.height);
            for column in &columns {
                let (mut plain, mut seen, mut opacity) = ([0.0_f32; 3], [0.0_f32; 3], 0.0);
                for (row, row_weight) in rows.iter() {
                    for (x, column_weight) in column.iter() {
                        let [r, g, b, a] = self.pixels[(row * self.width + x) as usize];
                        let weight = row_weight * column_weight;
                        for (channel, value) in [r, g, b].into_iter().enumerate() {
                            plain[channel] += weight * value;
                            seen[channel] += weight * a * value;
                        }
                        opacity += weight * a;
                    }
                }
                let [r, g, b] = if weighted && opacity > 1e-4 { seen.map(|sum| sum / opacity) } else { plain };
                pixels.push([r, g, b, opacity]);
            }
        }
        Linear { width, height, pixels }
    }

    /// The part of the pixels whose opacity, scaled, reaches the cutoff.
    fn coverage(&self, cutoff: f32, scale: f32) -> f32 {
        let covered = self.pixels.iter().filter(|pixel| (pixel[3] * scale).min(1.0) >= cutoff).count();
        covered as f32 / self.pixels.len() as f32
    }

    /// What to multiply opacity by so that about as much is covered as in the picture itself; else leaves and fences
    /// thin out with distance. Source: Ignacio Castaño, "Computing Alpha Mipmaps", 2010.
    fn scale_for_coverage(&self, cutoff: f32, covered: f32) -> f32 {
        if covered <= 0.0 || covered >= 1.0 {
            return 1.0;
        }
        let (mut low, mut high) = (0.0_f32, 8.0_f32);
        for _ in 0..16 {
            let scale = 0.5 * (low + high);
            if self.coverage(cutoff, scale) < covered {
                low = scale;
            } else {
                high = scale;
            }
        }
        // The least scale that covers at least as much.
        high
    }

    fn encode(&self, alpha_scale: f32) -> Vec<u8> {
        let encode = |&[r, g, b, a]: &[f32; 4]| {
            let alpha = (a * alpha_scale).clamp(0.0, 1.0);
            [srgb_byte(r), srgb_byte(g), srgb_byte(b), (alpha * 255.0 + 0.5) as u8]
        };
        self.pixels.iter().flat_map(encode).collect()
    }
}

/// Up to three neighbouring pixels of the source that a new one covers, and how much of it each fills.
struct Taps {
    first: u32,
    weights: [f32; 3],
    count: usize,
}

impl Taps {
    /// For pixel `index` of `size`, out of a row of `source` pixels.
    fn new(index: u32, size: u32, source: u32) -> Taps {
        let step = f64::from(source) / f64::from(size);
        let (from, to) = (f64::from(index) * step, f64::from(index + 1) * step);
        let first = from.floor() as u32;
        let mut taps = Taps { first, weights: [0.0; 3], count: 0 };
        while taps.count < 3 && f64::from(first + taps.count as u32) < to && first + (taps.count as u32) < source {
            let at = f64::from(first + taps.count as u32);
            taps.weights[taps.count] = (((at + 1.0).min(to) - at.max(from)) / step) as f32;
            taps.count += 1;
        }
        taps
    }

    fn iter(&self) -> impl Iterator<Item = (u32, f32)> + '_ {
        self.weights[..self.count].iter().enumerate().map(|(tap, &weight)| (self.first + tap as u32, weight))
    }
}

/// The linear value of each sRGB byte.
static LINEAR: LazyLock<[f32; 256]> =
    LazyLock::new(|| std::array::from_fn(|byte| linear_from_srgb(byte as f32 / 255.0)));

/// The linear value of an sRGB-encoded one, both 0 to 1. Source: IEC 61966-2-1.
pub(super) fn linear_from_srgb(encoded: f32) -> f32 {
    if encoded <= 0.040_45 { encoded / 12.92 } else { ((encoded + 0.055) / 1.055).powf(2.4) }
}

/// The sRGB byte nearest to a linear value.
pub(super) fn srgb_byte(linear: f32) -> u8 {
    let linear = linear.clamp(0.0, 1.0);
    let encoded = if linear <= 0.003_130_8 { 12.92 * linear } else { 1.055 * linear.powf(1.0 / 2.4) - 0.055 };
    (encoded * 255.0 + 0.5) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(width: u32, height: u32, pixel: impl Fn(u32, u32) -> [u8; 4]) -> Vec<u8> {
        (0..height).flat_map(|y| (0..width).flat_map(move |x| [(x, y)])).flat_map(|(x, y)| pixel(x, y)).collect()
    }

    #[test]
    fn levels_go_down_to_one_pixel() {
        let rgba = picture(5, 3, |_, _| [10, 20, 30, 255]);
        let levels = mipmaps(5, 3, &rgba, Opacity::Unused);
        let sizes: Vec<_> = levels.iter().map(|level| (level.width, level.height)).collect();
        assert_eq!(sizes, [(2, 1), (1, 1)]);
        assert_eq!(level_count(5, 3), 3);
        assert!(levels.iter().all(|level| level.rgba.as_chunks().0.iter().all(|pixel| *pixel == [10, 20, 30, 255])));
        assert!(mipmaps(1, 1, &[1, 2, 3, 4], Opacity::Blend).is_empty());
    }

    #[test]
    fn black_and_white_average_in_linear_light() {
        let rgba = picture(2, 2, |x, y| if (x + y) % 2 == 0 { [255; 4] } else { [0, 0, 0, 255] });
        assert_eq!(mipmaps(2, 2, &rgba, Opacity::Unused)[0].rgba, [188, 188, 188, 255]);
    }

    #[test]
    fn normals_average_as_numbers() {
        let rgba = picture(2, 2, |x, y| if (x + y) % 2 == 0 { [255, 128, 0, 255] } else { [0, 128, 255, 255] });
        assert_eq!(normal_mipmaps(2, 2, &rgba)[0].rgba, [128, 128, 128, 255]);
    }

    #[test]
    fn every_byte_survives_the_round_trip() {
        for byte in 0..=255_u8 {
            assert_eq!(srgb_byte(linear_from_srgb(f32::from(byte) / 255.0)), byte);
        }
    }

    #[test]
    fn odd_sizes_use_every_pixel_by_its_area() {
        // Three columns into one: each a third.
        let rgba = picture(3, 1, |x, _| if x == 2 { [255; 4] } else { [0, 0, 0, 255] });
        let expected = srgb_byte(1.0 / 3.0);
        assert_eq!(mipmaps(3, 1, &rgba, Opacity::Unused)[0].rgba[0], expected);
    }

    #[test]
    fn hidden_colour_does_not_bleed() {
        let rgba = picture(2, 1, |x, _| if x == 0 { [200, 100, 50, 255] } else { [0, 255, 0, 0] });
        assert_eq!(mipmaps(2, 1, &rgba, Opacity::Blend)[0].rgba, [200, 100, 50, 128]);
    }

    #[test]
    fn cut_outs_keep_what_they_cover() {
        // Thin blades: a quarter is covered, and plain averaging would cover nothing below half opacity.
        let rgba = picture(64, 64, |x, _| [255, 255, 255, if x % 4 == 0 { 255 } else { 0 }]);
        for level in mipmaps(64, 64, &rgba, Opacity::CutOut(0.5)) {
            let pixels = level.rgba.as_chunks::<4>().0;
            let covered = pixels.iter().filter(|pixel| pixel[3] >= 128).count() as f32 / pixels.len() as f32;
            assert!(covered >= 0.24, "{}x{} covers {covered}", level.width, level.height);
        }
    }
}
