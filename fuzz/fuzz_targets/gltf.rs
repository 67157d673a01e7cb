//! Any bytes as a glTF or GLB file: it opens or is refused, and what opens makes sound trees.
#![no_main]

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use nodetree::level::{LoadOptions, read_gltf};
use nodetree::tree::{Mode, Settings, Tree};

fuzz_target!(|bytes: &[u8]| {
    // The folder does not exist: buffers and pictures are missing, and nothing on the disk is read.
    let Ok(level) = read_gltf(bytes, Path::new("nowhere-at-all/fuzz.gltf"), &LoadOptions::default()) else { return };
    let corners: Vec<_> = (0..level.triangles.len() as u32).map(|number| level.corners(number)).collect();
    let materials: Vec<u32> = level.triangles.iter().map(|triangle| triangle.material).collect();
    assert!(materials.iter().all(|&material| (material as usize) < level.materials.len()));
    for mode in [Mode::Quadtree, Mode::Octree] {
        Tree::build(&level, &Settings::new(mode)).validate(&corners, &materials).expect("a sound tree");
    }
});
