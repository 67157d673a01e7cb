//! Paints the pictures of the built-in levels, their sky, and the heightmap of the scenes into `assets/` of this repository.
//!
//! `cargo run --release --no-default-features --example make_assets`

use std::error::Error;
use std::fs::{self, File};
use std::io::BufWriter;
use std::path::Path;

use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{DynamicImage, ImageEncoder, RgbaImage};
use nodetree::generate;
use nodetree::generate::textures::{Picture, Side, paint, paint_sky};
use nodetree::level::Texture;
use rayon::prelude::*;

fn main() -> Result<(), Box<dyn Error>> {
    let assets = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets");
    fs::create_dir_all(assets.join("textures"))?;
    fs::create_dir_all(assets.join("sky"))?;
    Picture::ALL.par_iter().for_each(|&picture| write(&assets.join("textures"), &paint(picture)));
    Side::ALL.par_iter().for_each(|&side| write(&assets.join("sky"), &paint_sky(side)));
    DynamicImage::ImageLuma16(generate::hills::hills()).save(assets.join("scenes/hills.png"))?;
    Ok(())
}

/// Writes a picture without its opacity where it has none to speak of.
fn write(folder: &Path, texture: &Texture) {
    let rgba = RgbaImage::from_raw(texture.width, texture.height, texture.rgba.clone()).expect("four bytes a pixel");
    let image = DynamicImage::ImageRgba8(rgba);
    let opaque = texture.rgba.iter().skip(3).step_by(4).all(|&alpha| alpha == 255);
    let image = if opaque { DynamicImage::ImageRgb8(image.into_rgb8()) } else { image };
    let path = folder.join(&texture.path);
    let write = || -> Result<(), Box<dyn Error>> {
        PngEncoder::new_with_quality(BufWriter::new(File::create(&path)?), CompressionType::Best, FilterType::Adaptive)
            .write_image(image.as_bytes(), texture.width, texture.height, image.color().into())?;
        Ok(())
    };
    write().unwrap_or_else(|error| panic!("cannot write {}: {error}", path.display()));
    println!("{} {} KiB", path.display(), fs::metadata(&path).map_or(0, |data| data.len() / 1024));
}
