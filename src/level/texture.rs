//! Decoding pictures, and what their opacity means.

use std::io::Cursor;
use std::path::Path;

use image::{DynamicImage, ImageFormat, ImageReader, Limits, imageops};

use super::{AlphaMode, Texture};

/// Longest side of a picture that is decoded, in pixels.
const MAX_SIDE: u32 = 16384;

/// Most memory that decoding one picture may take, in bytes.
const MAX_DECODED: u64 = 512 << 20;

/// Decodes a picture by what it contains; its name decides only for TGA, which has no mark. The error says why not.
pub(crate) fn decode(bytes: &[u8], path: &Path) -> Result<DynamicImage, String> {
    let mut limits = Limits::default();
    limits.max_image_width = Some(MAX_SIDE);
    limits.max_image_height = Some(MAX_SIDE);
    limits.max_alloc = Some(MAX_DECODED);
    let mut reader = ImageReader::new(Cursor::new(bytes)).with_guessed_format().map_err(|error| error.to_string())?;
    let is_tga = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("tga"));
    if reader.format().is_none() && is_tga {
        reader.set_format(ImageFormat::Tga);
    }
    reader.limits(limits);
    let picture = reader.decode().map_err(|error| error.to_string())?;
    if picture.width() == 0 || picture.height() == 0 { Err("it has no pixels".to_owned()) } else { Ok(picture) }
}

/// A colour map and an opacity map as one texture. The opacity is the opacity map's alpha where it has any, else its
/// brightness; without an opacity map it is the colour map's own.
pub(super) fn combine(path: &Path, color: Option<&DynamicImage>, opacity: Option<&DynamicImage>) -> Texture {
    let size = color.or(opacity).map_or((1, 1), |picture| (picture.width(), picture.height()));
    let mut rgba = match color {
        Some(color) => color.to_rgba8(),
        None => image::RgbaImage::from_pixel(size.0, size.1, image::Rgba([255; 4])),
    };
    if let Some(opacity) = opacity {
        let map = opacity.to_rgba8();
        let has_alpha = map.pixels().any(|pixel| pixel.0[3] < 255);
        let mut map = if has_alpha {
            image::GrayImage::from_fn(map.width(), map.height(), |x, y| image::Luma([map.get_pixel(x, y).0[3]]))
        } else {
            opacity.to_luma8()
        };
        if map.dimensions() != size {
            map = imageops::resize(&map, size.0, size.1, imageops::FilterType::Triangle);
        }
        for (pixel, opacity) in rgba.pixels_mut().zip(map.pixels()) {
            pixel.0[3] = opacity.0[0];
        }
    }
    Texture { path: path.to_owned(), width: size.0, height: size.1, rgba: rgba.into_raw() }
}

/// What the opacity of a picture is for: nothing where it is opaque all over, a cut-out where it is (almost) only full and
/// none (the edges of leaves are smoothed), a mixture otherwise.
pub(super) fn alpha_mode(texture: &Texture) -> AlphaMode {
    let (mut none, mut between) = (0, 0);
    for pixel in texture.rgba.chunks_exact(4) {
        none += u64::from(pixel[3] <= 16);
        between += u64::from((17..=238).contains(&pixel[3]));
    }
    let pixels = u64::from(texture.width) * u64::from(texture.height);
    if none + between == 0 {
        AlphaMode::Opaque
    } else if none > 0 && between * 4 <= pixels {
        AlphaMode::Mask(0.5)
    } else {
        AlphaMode::Blend
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with_alpha(alpha: &[u8]) -> Texture {
        let rgba = alpha.iter().flat_map(|&alpha| [9, 9, 9, alpha]).collect();
        Texture { path: "a.png".into(), width: alpha.len() as u32, height: 1, rgba }
    }

    #[test]
    fn opacity_decides_the_mode() {
        assert_eq!(alpha_mode(&with_alpha(&[255, 255, 250])), AlphaMode::Opaque);
        assert_eq!(alpha_mode(&with_alpha(&[255, 0, 255, 0, 128])), AlphaMode::Mask(0.5));
        assert_eq!(alpha_mode(&with_alpha(&[255, 0, 100, 128, 128])), AlphaMode::Blend);
        assert_eq!(alpha_mode(&with_alpha(&[128, 128])), AlphaMode::Blend);
    }

    #[test]
    fn an_opacity_map_of_another_size_is_fitted() {
        let color = DynamicImage::ImageRgb8(image::RgbImage::from_pixel(4, 2, image::Rgb([10, 20, 30])));
        let opacity = DynamicImage::ImageLuma8(image::GrayImage::from_pixel(1, 1, image::Luma([77])));
        let texture = combine(Path::new("a.png"), Some(&color), Some(&opacity));
        assert_eq!((texture.width, texture.height), (4, 2));
        assert!(texture.rgba.chunks_exact(4).all(|pixel| pixel == [10, 20, 30, 77]));
        let white = combine(Path::new("a.png"), None, Some(&opacity));
        assert_eq!(white.rgba, [255, 255, 255, 77]);
    }

    #[test]
    fn a_picture_beyond_the_limits_is_refused() {
        let mut png = Vec::new();
        DynamicImage::new_luma8(1, 1).write_to(&mut Cursor::new(&mut png), ImageFormat::Png).expect("a PNG");
        assert!(decode(&png, Path::new("a.png")).is_ok());
        // The width in the header, and the checksum that goes with it.
        png[16..20].copy_from_slice(&1_000_000_u32.to_be_bytes());
        let checksum = crc32(&png[12..29]);
        png[29..33].copy_from_slice(&checksum.to_be_bytes());
        let error = decode(&png, Path::new("a.png")).expect_err("too wide");
        assert!(error.contains("limit"), "{error}");
    }

    fn crc32(bytes: &[u8]) -> u32 {
        !bytes.iter().fold(!0_u32, |crc, &byte| {
            (0..8).fold(crc ^ u32::from(byte), |crc, _| if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 })
        })
    }
}
