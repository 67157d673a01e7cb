//! Any bytes as a heightmap: it opens or is refused, and what opens makes sound trees.
#![no_main]

use std::io::Cursor;
use std::path::Path;

use image::ImageReader;
use libfuzzer_sys::fuzz_target;
use nodetree::level::{LoadOptions, read_heightmap};
use nodetree::tree::{Mode, Settings, Tree};

/// Pixels at most: a picture that is compressed well makes gigabytes of terrain, as it should, which would find nothing more.
const MOST: u64 = 1 << 16;

fuzz_target!(|bytes: &[u8]| {
    let reader = ImageReader::new(Cursor::new(bytes)).with_guessed_format().expect("memory can be read");
    if reader.into_dimensions().is_ok_and(|(width, height)| u64::from(width) * u64::from(height) > MOST) {
        return;
    }
    let Ok(level) = read_heightmap(bytes, Path::new("fuzz.png"), &LoadOptions::default()) else { return };
    assert!(level.vertices.iter().all(|vertex| vertex.normal.is_normalized()));
    let corners: Vec<_> = (0..level.triangles.len() as u32).map(|number| level.corners(number)).collect();
    let materials = vec![0; corners.len()];
    for mode in [Mode::Quadtree, Mode::Octree] {
        Tree::build(&level, &Settings::new(mode)).validate(&corners, &materials).expect("a sound tree");
    }
});
