//! Heightmaps: a picture whose brightness is height becomes a terrain.

use std::io;
use std::path::{Path, PathBuf};

use glam::{DVec3, Vec2};
use image::{DynamicImage, ImageBuffer, Luma};
use rayon::prelude::*;

use super::builder::warn_unusable;
use super::files::Files;
use super::load::{LoadError, LoadOptions};
use super::placement::{Handedness, Placement, UpAxis};
use super::{IndexedTriangle, Level, Material, Vertex, plausible, texture};

/// How a picture becomes a terrain, in units of the file, which `--scale` multiplies as those of any other.
#[derive(Clone, Debug, PartialEq)]
pub struct HeightmapOptions {
    /// From one pixel to the next.
    pub cell_size: f64,
    /// The height of black.
    pub lowest: f64,
    /// The height of white.
    pub highest: f64,
    /// A picture that is laid over the terrain.
    pub texture: Option<PathBuf>,
    /// The side of a square that the picture covers, over and over; `None` lays it over the whole terrain once.
    pub texture_size: Option<f64>,
}

impl Default for HeightmapOptions {
    /// A pixel a metre, 0 to 100 m.
    fn default() -> HeightmapOptions {
        HeightmapOptions { cell_size: 1.0, lowest: 0.0, highest: 100.0, texture: None, texture_size: None }
    }
}

/// Endings of the names of pictures that are read as heightmaps.
pub const HEIGHTMAP_EXTENSIONS: [&str; 4] = ["bmp", "png", "tif", "tiff"];

/// Most pixels of a heightmap: its vertices and triangles then take 5 GB.
const MAX_PIXELS: u64 = 1 << 26;

/// Largest picture file of a texture, in bytes.
const MAX_BYTES: u64 = 1 << 30;

/// Colour of a terrain without a texture: dry grass.
const GROUND: [f32; 4] = [0.55, 0.6, 0.45, 1.0];

type Heights = ImageBuffer<Luma<u16>, Vec<u16>>;

/// Reads a heightmap that is in memory already, of 8 or 16 bits a pixel; of a coloured one the brightness counts. The first row of
/// pixels lies at Z 0, X runs to the right, and each square between four pixels is a face, cut from its first corner to the one
/// across. `path` says where it came from: errors name it.
///
/// # Errors
/// When the picture cannot be read, is smaller than 2 by 2 pixels or too large, holds numbers with a point, or when the texture
/// that was asked for cannot be read.
pub fn read_heightmap(bytes: &[u8], path: &Path, options: &LoadOptions) -> Result<Level, LoadError> {
    read(bytes, path, options, &Files::default())
}

/// The same, with the texture as `files` has it.
pub(super) fn read(bytes: &[u8], path: &Path, options: &LoadOptions, files: &Files) -> Result<Level, LoadError> {
    let fault = |what: String| LoadError::Heightmap { path: path.to_owned(), what };
    if options.placement.up != UpAxis::Y {
        return Err(fault("its height is up already; leave --up away".to_owned()));
    }
    let picture = texture::decode(bytes, path).map_err(fault)?;
    if matches!(picture, DynamicImage::ImageRgb32F(_) | DynamicImage::ImageRgba32F(_)) {
        return Err(fault("its pixels are numbers with a point; save it with 16 bits a pixel".to_owned()));
    }
    let heights = picture.into_luma16();
    let (width, depth) = heights.dimensions();
    if width < 2 || depth < 2 {
        return Err(fault(format!("it has {width} by {depth} pixels, and a terrain needs at least 2 by 2")));
    }
    if u64::from(width) * u64::from(depth) > MAX_PIXELS {
        return Err(fault(format!("it has {width} by {depth} pixels; make it smaller than 8192 by 8192")));
    }
    let mut material = Material { name: "terrain".to_owned(), base_color: GROUND, ..Material::default() };
    material.two_sided = !options.one_sided;
    let mut textures = Vec::new();
    if let Some(path) = &options.heightmap.texture {
        let fault = |what: String| LoadError::Texture { path: path.clone(), what };
        let bytes = files.read(path, MAX_BYTES).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => fault("there is no such file; check the path".to_owned()),
            _ => fault(error.to_string()),
        })?;
        let (texture, alpha_mode) = texture::combine(path, Some(&texture::decode(&bytes, path).map_err(fault)?), None);
        let texture_path = Some(path.clone());
        material = Material { base_color: [1.0; 4], texture: Some(0), texture_path, alpha_mode, ..material };
        textures.push(texture);
    }
    let terrain = Terrain { heights: &heights, options: &options.heightmap, placement: options.placement };
    let origin = terrain.origin();
    let mut level = Level {
        name: path.to_string_lossy().into_owned(),
        vertices: terrain.vertices(origin),
        triangles: terrain.triangles(),
        materials: vec![material],
        textures,
        origin,
        source_positions: heights.len(),
        ..Level::default()
    };
    warn_unusable(&mut level);
    if level.bounds().is_empty() {
        return Err(fault("its cells or heights are too large or too small to tell apart".to_owned()));
    }
    plausible::check(&mut level, options.placement.scale);
    Ok(level)
}

/// A picture on its way to a level.
struct Terrain<'a> {
    heights: &'a Heights,
    options: &'a HeightmapOptions,
    placement: Placement,
}

impl Terrain<'_> {
    /// The place of a pixel in file coordinates.
    fn place(&self, x: u32, z: u32) -> DVec3 {
        let HeightmapOptions { cell_size, lowest, highest, .. } = self.options;
        let part = f64::from(self.heights.get_pixel(x, z).0[0]) / f64::from(u16::MAX);
        DVec3::new(f64::from(x) * cell_size, lowest + (highest - lowest) * part, f64::from(z) * cell_size)
    }

    /// The middle of the terrain in level coordinates, in multiples of 64 m as every level has it.
    fn origin(&self) -> DVec3 {
        let (width, depth) = self.heights.dimensions();
        let HeightmapOptions { cell_size, lowest, highest, .. } = self.options;
        let side = |pixels: u32| 0.5 * f64::from(pixels - 1) * cell_size;
        let middle = DVec3::new(side(width), 0.5 * (lowest + highest), side(depth));
        (self.placement.to_level(middle) / 64.0).round() * 64.0 + DVec3::ZERO
    }

    /// One for each pixel, row by row.
    fn vertices(&self, origin: DVec3) -> Vec<Vertex> {
        let (width, depth) = self.heights.dimensions();
        let whole = self.options.cell_size * DVec3::new(f64::from(width - 1), 0.0, f64::from(depth - 1));
        let tile = self.options.texture_size.map_or(whole, DVec3::splat);
        let vertex = |index: u32| {
            let (x, z) = (index % width, index / width);
            let place = self.place(x, z);
            Vertex {
                position: (self.placement.to_level(place) - origin).as_vec3(),
                normal: self.placement.turn(self.normal(x, z)).as_vec3(),
                tex_coord: Vec2::new((place.x / tile.x) as f32, (place.z / tile.z) as f32),
                color: [255; 4],
            }
        };
        (0..width * depth).into_par_iter().map(vertex).collect()
    }

    /// The unit mean of the normals of the up to six triangles at a pixel, by their areas; file coordinates.
    fn normal(&self, x: u32, z: u32) -> DVec3 {
        let (width, depth) = self.heights.dimensions();
        let mut sum = DVec3::ZERO;
        for (first_x, first_z) in
            [(x.wrapping_sub(1), z.wrapping_sub(1)), (x, z.wrapping_sub(1)), (x.wrapping_sub(1), z), (x, z)]
        {
            if first_x >= width - 1 || first_z >= depth - 1 {
                continue;
            }
            for [a, b, c] in
                cut([[0, 0], [0, 1], [1, 1], [1, 0]].map(|[right, down]| [first_x + right, first_z + down]))
            {
                if [a, b, c].contains(&[x, z]) {
                    let [a, b, c] = [a, b, c].map(|[x, z]| self.place(x, z));
                    sum += (b - a).cross(c - a);
                }
            }
        }
        sum.normalize()
    }

    /// Two for each square between four pixels, row by row.
    fn triangles(&self) -> Vec<IndexedTriangle> {
        let (width, depth) = self.heights.dimensions();
        let squares = (width - 1) * (depth - 1);
        let of_square = |face: u32| {
            let first = face / (width - 1) * width + face % (width - 1);
            let mut corners = [first, first + width, first + width + 1, first + 1];
            if self.placement.handedness == Handedness::Left {
                corners[1..].reverse();
            }
            cut(corners).map(|vertices| IndexedTriangle { vertices, material: 0, face })
        };
        (0..squares).into_par_iter().flat_map_iter(of_square).collect()
    }
}

/// A square in two, from its first corner to the one across.
fn cut<T: Copy>([a, b, c, d]: [T; 4]) -> [[T; 3]; 2] {
    [[a, b, c], [a, c, d]]
}
