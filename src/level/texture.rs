//! Decoding pictures, and what their opacity means.

use std::io::{self, Cursor};
use std::path::Path;

use image::error::UnsupportedErrorKind;
use image::{
    DynamicImage, GrayImage, ImageBuffer, ImageError, ImageFormat, ImageReader, Limits, Luma, Rgb, Rgba, RgbaImage,
    imageops,
};

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
    let picture = reader.decode().map_err(|error| reason(&error))?;
    if picture.width() == 0 || picture.height() == 0 { Err("it has no pixels".to_owned()) } else { Ok(picture) }
}

/// Why a picture cannot be decoded, and the cure.
fn reason(error: &ImageError) -> String {
    match error {
        ImageError::Unsupported(what) => match what.kind() {
            UnsupportedErrorKind::Format(_) => {
                "the image format could not be determined; save it as PNG, JPEG, TGA, TIFF or BMP".to_owned()
            }
            _ => format!("{error}; save it as PNG, JPEG, TGA, TIFF or BMP"),
        },
        ImageError::IoError(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
            "it is cut off; copy or save it again".to_owned()
        }
        ImageError::Limits(_) => {
            format!("{error}: at most {MAX_SIDE} pixels a side and {} MiB decoded; make it smaller", MAX_DECODED >> 20)
        }
        error => format!("it is damaged: {error}; save it again"),
    }
}

/// A colour map and an opacity map as one texture, and what its opacity is for. The opacity is the opacity map's alpha where
/// it has any, else its brightness; without an opacity map it is the colour map's own.
pub(super) fn combine(
    path: &Path,
    color: Option<&DynamicImage>,
    opacity: Option<&DynamicImage>,
) -> (Texture, AlphaMode) {
    let opacity = opacity.map(opacity_of);
    let white = || RgbaImage::from_pixel(1, 1, Rgba([255; 4]));
    let mut rgba = color.map_or_else(white, DynamicImage::to_rgba8);
    let mode = match &opacity {
        Some(opacity) => alpha_mode(opacity.as_raw().iter().copied()),
        None => alpha_mode(rgba.pixels().map(|pixel| pixel.0[3])),
    };
    if let Some(opacity) = opacity {
        let (width, height) = (rgba.width().max(opacity.width()), rgba.height().max(opacity.height()));
        rgba = fitted(rgba, width, height);
        for (pixel, opacity) in rgba.pixels_mut().zip(fitted(opacity, width, height).pixels()) {
            pixel.0[3] = opacity.0[0];
        }
    }
    let (width, height) = rgba.dimensions();
    (Texture { path: path.to_owned(), width, height, rgba: rgba.into_raw() }, mode)
}

/// Whether a picture is one of normals in tangent space: nearly all of its pixels are vectors of about unit length that point out of
/// the surface, and no greys, which maps of heights are made of.
pub(super) fn is_normal_map(picture: &DynamicImage) -> bool {
    let rgb = picture.to_rgb8();
    let is_normal = |pixel: &Rgb<u8>| {
        let [x, y, z] = pixel.0.map(|byte| f32::from(byte) / 127.5 - 1.0);
        // One grey would be a slope as well.
        let is_grey = x.max(y).max(z) - x.min(y).min(z) < 0.1;
        z > 0.0 && !is_grey && (0.8..1.25).contains(&(x * x + y * y + z * z).sqrt())
    };
    let of = rgb.pixels().len();
    rgb.pixels().filter(|pixel| is_normal(pixel)).count() * 20 >= of * 19
}

/// The picture that an opacity map shows.
fn opacity_of(map: &DynamicImage) -> GrayImage {
    let alpha = map.to_rgba8();
    if alpha.pixels().all(|pixel| pixel.0[3] == 255) {
        return map.to_luma8();
    }
    GrayImage::from_fn(alpha.width(), alpha.height(), |x, y| Luma([alpha.get_pixel(x, y).0[3]]))
}

fn fitted<P: image::Pixel<Subpixel = u8> + 'static>(
    picture: ImageBuffer<P, Vec<u8>>,
    width: u32,
    height: u32,
) -> ImageBuffer<P, Vec<u8>> {
    if picture.dimensions() == (width, height) {
        return picture;
    }
    imageops::resize(&picture, width, height, imageops::FilterType::Triangle)
}

/// What opacity is for: nothing where all is opaque, a cut-out where it is (almost) only full and none (the edges of leaves
/// are smoothed), a mixture otherwise.
fn alpha_mode(alpha: impl Iterator<Item = u8>) -> AlphaMode {
    let (mut all, mut none, mut between) = (0_u64, 0_u64, 0_u64);
    for alpha in alpha {
        all += 1;
        none += u64::from(alpha <= 16);
        between += u64::from((17..=238).contains(&alpha));
    }
    if none + between == 0 {
        AlphaMode::Opaque
    } else if none > 0 && between * 4 <= all {
        AlphaMode::Mask(0.5)
    } else {
        AlphaMode::Blend
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opacity_decides_the_mode() {
        let mode = |alpha: &[u8]| alpha_mode(alpha.iter().copied());
        assert_eq!(mode(&[255, 255, 250]), AlphaMode::Opaque);
        assert_eq!(mode(&[255, 0, 255, 0, 128]), AlphaMode::Mask(0.5));
        assert_eq!(mode(&[255, 0, 100, 128, 128]), AlphaMode::Blend);
        assert_eq!(mode(&[128, 128]), AlphaMode::Blend);
    }

    #[test]
    fn maps_of_different_sizes_are_fitted() {
        let color = DynamicImage::ImageRgb8(image::RgbImage::from_pixel(4, 1, image::Rgb([10, 20, 30])));
        let opacity = DynamicImage::ImageLuma8(GrayImage::from_pixel(1, 2, Luma([77])));
        let (texture, mode) = combine(Path::new("a.png"), Some(&color), Some(&opacity));
        assert_eq!((texture.width, texture.height, mode), (4, 2, AlphaMode::Blend));
        assert!(texture.rgba.chunks_exact(4).all(|pixel| pixel == [10, 20, 30, 77]));
        let (white, _) = combine(Path::new("a.png"), None, Some(&opacity));
        assert_eq!(white.rgba, [255, 255, 255, 77, 255, 255, 255, 77]);
    }

    #[test]
    fn an_opacity_map_with_alpha_counts_by_its_alpha() {
        let opacity = DynamicImage::ImageRgba8(RgbaImage::from_pixel(2, 1, Rgba([9, 9, 9, 100])));
        assert_eq!(combine(Path::new("a.png"), None, Some(&opacity)).0.rgba[3], 100);
    }

    #[test]
    fn only_pictures_of_normals_are_normal_maps() {
        let picture = |pixel: &dyn Fn(u32) -> [u8; 3]| {
            DynamicImage::ImageRgb8(image::RgbImage::from_fn(256, 1, |x, _| Rgb(pixel(x))))
        };
        // A wave of slopes, in steps of a byte.
        let slopes = picture(&|x| {
            let angle = (x as f32 - 128.0) / 128.0;
            [angle.sin(), 0.0, angle.cos()].map(|part| (127.5 * part + 128.0) as u8)
        });
        assert!(is_normal_map(&slopes));
        assert!(is_normal_map(&picture(&|_| [128, 128, 255])));
        for grey in [picture(&|x| [x as u8; 3]), picture(&|_| [201; 3]), picture(&|_| [128; 3])] {
            assert!(!is_normal_map(&grey));
        }
        assert!(!is_normal_map(&picture(&|x| [200, x as u8, 60])));
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
        assert!(error.contains("at most 16384 pixels a side and 512 MiB"), "{error}");
    }

    fn crc32(bytes: &[u8]) -> u32 {
        !bytes.iter().fold(!0_u32, |crc, &byte| {
            (0..8).fold(crc ^ u32::from(byte), |crc, _| if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 })
        })
    }
}
