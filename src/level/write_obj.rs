//! Writing a level as OBJ with MTL and PNG textures.

use std::collections::HashMap;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{ExtendedColorType, ImageEncoder};
use rayon::prelude::*;

use super::{AlphaMode, Level, Map, NormalMap, Texture, Wrap, files, srgb};

/// Why a level could not be written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// A file or folder that could not be made.
    #[error("cannot write {}", path.display())]
    Io {
        /// Which one.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// The path names no file.
    #[error("{} is no name for a file", .0.display())]
    NoFileName(PathBuf),
}

/// Writes a level to `path` in level coordinates, its materials to an MTL file beside it, and its textures to a folder beside
/// that. Loaded again, it has the same triangles in the same order with the same materials; positions of up to 16 million
/// metres are the same to the bit. A place to start stands in a comment, for OBJ has no word for it.
///
/// Each file is written under another name and then renamed, so that none is ever left half-written.
///
/// # Errors
/// When a file or the textures' folder can't be written.
pub fn write_obj(level: &Level, path: &Path) -> Result<(), WriteError> {
    let stem = path.file_stem().ok_or_else(|| WriteError::NoFileName(path.to_owned()))?;
    // Spaces and number signs in these names would need quoting that OBJ does not have.
    let stem: String = stem.to_string_lossy().chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect();
    let library = format!("{stem}.mtl");
    let folder = format!("{stem}_textures");
    if path.is_dir() {
        return Err(WriteError::Io { path: path.to_owned(), source: io::ErrorKind::IsADirectory.into() });
    }
    // The level first: where it can't be written, nothing else is left behind.
    let written = Partial::write(path, |file| write_geometry(level, &library, file))?;
    if !level.textures.is_empty() {
        let folder = path.with_file_name(&folder);
        fs::create_dir_all(&folder).map_err(|source| WriteError::Io { path: folder.clone(), source })?;
        level.textures.par_iter().enumerate().try_for_each(|(number, texture)| {
            let path = folder.join(texture_name(level, number));
            Partial::write(&path, |file| write_png(texture, file))?.finish()
        })?;
    }
    Partial::write(&path.with_file_name(&library), |file| write_materials(level, &folder, file))?.finish()?;
    written.finish()
}

/// A file that is written under another name until it is whole.
struct Partial {
    partial: PathBuf,
    path: PathBuf,
}

impl Partial {
    fn write(path: &Path, write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>) -> Result<Partial, WriteError> {
        let mut name = OsString::from(path.file_name().unwrap_or_default());
        name.push(".part");
        let partial = Partial { partial: path.with_file_name(name), path: path.to_owned() };
        let written = File::create(&partial.partial).and_then(|file| {
            let mut file = BufWriter::new(file);
            write(&mut file)?;
            file.flush()
        });
        match written {
            Ok(()) => Ok(partial),
            Err(source) => Err(WriteError::Io { path: path.to_owned(), source }),
        }
    }

    fn finish(self) -> Result<(), WriteError> {
        files::replace(&self.partial, &self.path).map_err(|source| WriteError::Io { path: self.path.clone(), source })
    }
}

impl Drop for Partial {
    /// Takes away what was never renamed; after a rename there is nothing left under that name.
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.partial);
    }
}

/// The file name of a texture; numbered where two have one name.
fn texture_name(level: &Level, number: usize) -> String {
    let name = |number: usize| {
        let stem = level.textures[number].path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        stem.chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect::<String>()
    };
    let stem = name(number);
    if (0..number).any(|earlier| name(earlier) == stem) {
        format!("{stem}_{number}.png")
    } else {
        format!("{stem}.png")
    }
}

fn write_geometry(level: &Level, library: &str, file: &mut impl Write) -> io::Result<()> {
    writeln!(file, "# {}: {} triangles", level.name, level.triangles.len())?;
    if let Some(spawn) = level.spawn {
        let feet = spawn.feet;
        writeln!(file, "# spawn {} {} {}, yaw {} degrees", feet.x, feet.y, feet.z, spawn.yaw.to_degrees())?;
    }
    writeln!(file, "mtllib {library}")?;
    let mut positions = Numbers::default();
    let mut tex_coords = Numbers::default();
    let mut normals = Numbers::default();
    let corners: Vec<[usize; 3]> = level
        .vertices
        .iter()
        .map(|vertex| {
            let [x, y, z] = vertex.position.to_array().map(f32::to_bits);
            let [nx, ny, nz] = vertex.normal.to_array().map(f32::to_bits);
            let [u, v] = vertex.tex_coord.to_array().map(f32::to_bits);
            [
                positions.number([x, y, z, u32::from_le_bytes(vertex.color)]),
                tex_coords.number([u, v, 0, 0]),
                normals.number([nx, ny, nz, 0]),
            ]
        })
        .collect();
    let origin = level.origin.to_array();
    for &[x, y, z, color] in &positions.list {
        let bits = [x, y, z];
        write!(file, "v")?;
        for axis in 0..3 {
            write!(file, " {}", coordinate(f32::from_bits(bits[axis]), origin[axis]))?;
        }
        let [r, g, b, _] = color.to_le_bytes();
        if [r, g, b] != [255; 3] {
            // Three decimals tell 256 shades apart.
            for value in [r, g, b] {
                write!(file, " {}", (f64::from(value) / 0.255).round() / 1000.0)?;
            }
        }
        writeln!(file)?;
    }
    for &[u, v, ..] in &tex_coords.list {
        // OBJ's V grows upwards.
        writeln!(file, "vt {} {}", f32::from_bits(u), turned(f32::from_bits(v)))?;
    }
    for &[x, y, z, _] in &normals.list {
        writeln!(file, "vn {} {} {}", f32::from_bits(x), f32::from_bits(y), f32::from_bits(z))?;
    }
    let mut material = None;
    for triangle in &level.triangles {
        if material != Some(triangle.material) {
            material = Some(triangle.material);
            writeln!(file, "usemtl {}", material_name(level, triangle.material as usize))?;
        }
        write!(file, "f")?;
        for vertex in triangle.vertices {
            let [position, tex_coord, normal] = corners[vertex as usize];
            write!(file, " {position}/{tex_coord}/{normal}")?;
        }
        writeln!(file)?;
    }
    Ok(())
}

/// The name of a material as one word; numbered where two have one name.
fn material_name(level: &Level, number: usize) -> String {
    let name = |number: usize| level.materials[number].name.split_whitespace().collect::<Vec<_>>().join("_");
    let own = name(number);
    if (0..number).any(|earlier| name(earlier) == own) { format!("{own}_{number}") } else { own }
}

/// A coordinate in the fewest digits that give the same local one when they are read in f64 and moved to the origin.
fn coordinate(local: f32, origin: f64) -> f64 {
    let exact = f64::from(local) + origin;
    let same = |value: f64| (value - origin) as f32 == local;
    (3..9).map(|digits| round(exact, digits)).find(|&value| same(value)).unwrap_or(exact)
}

/// 1 minus a value, in the fewest digits that give the value again.
fn turned(value: f32) -> f64 {
    let exact = 1.0 - f64::from(value);
    (3..9).map(|digits| round(exact, digits)).find(|&other| (1.0 - other) as f32 == value).unwrap_or(exact)
}

/// Rounded to so many decimals.
fn round(value: f64, digits: i32) -> f64 {
    let scale = 10_f64.powi(digits);
    let rounded = (value * scale).round() / scale;
    if rounded.is_finite() { rounded } else { value }
}

fn write_materials(level: &Level, folder: &str, file: &mut impl Write) -> io::Result<()> {
    for (number, material) in level.materials.iter().enumerate() {
        let [r, g, b, opacity] = material.base_color;
        writeln!(file, "newmtl {}\nKd {r} {g} {b}", material_name(level, number))?;
        if opacity < 1.0 {
            writeln!(file, "d {opacity}")?;
        }
        let mut map = |key: &str, texture: u32, wrap: [Wrap; 2]| {
            let clamp = if wrap == [Wrap::Clamp; 2] { "-clamp on " } else { "" };
            writeln!(file, "{key} {clamp}{folder}/{}", texture_name(level, texture as usize))
        };
        if let Some(texture) = material.texture {
            map("map_Kd", texture, material.wrap)?;
            if material.alpha_mode != AlphaMode::Opaque {
                map("map_d", texture, material.wrap)?;
            }
        }
        if let Some(Map { texture, wrap }) = material.emissive_map {
            map("map_Ke", texture, wrap)?;
        }
        if let Some(NormalMap { map: Map { texture, wrap }, scale }) = material.normal_map {
            map(&format!("norm -bm {scale}"), texture, wrap)?;
        }
        if material.emissive != [0.0; 3] {
            let brightness = material.emissive.into_iter().fold(1.0, f32::max);
            let [r, g, b] = material.emissive.map(|part| brightness * srgb::encoded(part / brightness));
            writeln!(file, "Ke {r} {g} {b}")?;
        }
        writeln!(file)?;
    }
    Ok(())
}

fn write_png(texture: &Texture, file: &mut impl Write) -> io::Result<()> {
    let opaque = texture.rgba.iter().skip(3).step_by(4).all(|&alpha| alpha == 255);
    let rgb: Vec<u8>;
    let (bytes, color) = if opaque {
        rgb = texture.rgba.chunks_exact(4).flat_map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect();
        (&rgb, ExtendedColorType::Rgb8)
    } else {
        (&texture.rgba, ExtendedColorType::Rgba8)
    };
    PngEncoder::new_with_quality(file, CompressionType::Default, FilterType::Adaptive)
        .write_image(bytes, texture.width, texture.height, color)
        .map_err(io::Error::other)
}

/// Gives equal things one number, from 1 as OBJ counts.
#[derive(Default)]
struct Numbers {
    list: Vec<[u32; 4]>,
    known: HashMap<[u32; 4], usize>,
}

impl Numbers {
    fn number(&mut self, bits: [u32; 4]) -> usize {
        *self.known.entry(bits).or_insert_with(|| {
            self.list.push(bits);
            self.list.len()
        })
    }
}
