//! Reading OBJ: a look at the whole, then line by line into the builder of the level.

use std::io::{self, Read};
use std::path::Path;

use glam::{DVec2, Vec2};

use super::blocks::Blocks;
use super::lines::Lines;
use super::mtl::TexTransform;
use super::obj_clean::{Cleaner, Fault, Found, NO_MATERIAL, Survey};
use super::{LevelBuilder, LoadError, Placement};

/// Reads a file. `open` gives its bytes from the beginning each time, of which there are two; `path` is where they came from.
///
/// # Errors
/// When it cannot be read, is no OBJ file, or a face is wrong.
pub(super) fn read<R: Read>(
    open: impl Fn() -> io::Result<R>,
    path: &Path,
    placement: Placement,
) -> Result<(LevelBuilder, Found), LoadError> {
    let unreadable = |reason| LoadError::Read { path: path.to_owned(), reason };
    let mut survey = Survey::default();
    let mut blocks = Blocks::new(open().map_err(unreadable)?);
    let mut before = 0;
    while let Some(block) = blocks.next().map_err(unreadable)? {
        if let Some(what) = not_text(block).filter(|_| before == 0) {
            return Err(LoadError::NotText { path: path.to_owned(), what });
        }
        before = survey.add(Lines::after(before, block));
    }
    let mut cleaner = Cleaner::new(survey, LevelBuilder::new(placement));
    let mut blocks = Blocks::new(open().map_err(unreadable)?);
    let fault = |Fault { line, what }| LoadError::Line { path: path.to_owned(), line, what };
    let mut before = 0;
    while let Some(block) = blocks.next().map_err(unreadable)? {
        before = cleaner.add(Lines::after(before, block)).map_err(fault)?;
    }
    if !cleaner.has_seen_all() {
        return Err(unreadable(io::Error::other("it was changed meanwhile; try again")));
    }
    cleaner.finish().map_err(fault)
}

/// Gives polygons and texture coordinates to the builder as the materials have them. `surface` tells the builder's number of a
/// material and how it moves its texture.
pub(super) fn dress(builder: &mut LevelBuilder, tex_coords: &[DVec2], surface: impl Fn(Option<u32>) -> Surface) {
    let surface = |material: u32| surface(Some(material).filter(|&material| material != NO_MATERIAL));
    for &tex_coord in tex_coords {
        builder.tex_coord(flipped(tex_coord));
    }
    if builder.polygon_materials().any(|material| surface(material).transform.is_some()) {
        builder.place_tex_coords(|material, index| {
            surface(material).transform.map(|transform| flipped(transform.apply(tex_coords[index as usize])))
        });
    }
    builder.set_polygon_materials(|material| surface(material).material);
}

/// How polygons of a material look to the builder.
#[derive(Clone, Copy, Debug)]
pub(super) struct Surface {
    /// From [`LevelBuilder::material`].
    pub material: u32,
    /// How it moves its texture, if it does.
    pub transform: Option<TexTransform>,
}

/// OBJ's V grows upwards, ours downwards. What f32 cannot hold is 0.
fn flipped(tex_coord: DVec2) -> Vec2 {
    let flipped = Vec2::new(tex_coord.x as f32, (1.0 - tex_coord.y) as f32);
    if flipped.is_finite() { flipped } else { Vec2::ZERO }
}

/// What a file is that cannot be OBJ text.
fn not_text(bytes: &[u8]) -> Option<&'static str> {
    let start = &bytes[..bytes.len().min(4096)];
    if start.starts_with(b"\xff\xfe") || start.starts_with(b"\xfe\xff") {
        Some("is UTF-16 text; save it as UTF-8")
    } else if start.starts_with(b"\x89PNG") {
        Some("is a PNG picture; name a level")
    } else if start.starts_with(b"\xff\xd8\xff") {
        Some("is a JPEG picture; name a level")
    } else if start.starts_with(b"glTF") {
        Some("is binary glTF; name it .glb")
    } else if start.contains(&0) {
        Some("holds binary data; export the level as OBJ text")
    } else {
        None
    }
}
