//! Any bytes as a material library beside an OBJ file that uses its materials: the level opens all the same.
#![no_main]

use std::fs;
use std::path::PathBuf;
use std::sync::LazyLock;

use image::{Rgba, RgbaImage};
use libfuzzer_sys::fuzz_target;
use nodetree::level::{LoadOptions, read_obj};

/// A folder with pictures of a few kinds, in which the library is written anew each time.
static FOLDER: LazyLock<PathBuf> = LazyLock::new(|| {
    let folder = std::env::temp_dir().join(format!("nodetree-fuzz-mtl-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder");
    for (name, pixel) in [("red.png", [255, 0, 0, 255]), ("half.png", [9, 9, 9, 128]), ("up.png", [128, 128, 255, 255])]
    {
        RgbaImage::from_pixel(2, 3, Rgba(pixel)).save(folder.join(name)).expect("a picture");
    }
    fs::write(folder.join("text.png"), "no picture").expect("a file");
    folder
});

/// Materials that are used, at most.
const MOST: usize = 8;

fuzz_target!(|bytes: &[u8]| {
    fs::write(FOLDER.join("fuzz.mtl"), bytes).expect("a file");
    let mut obj = b"mtllib fuzz.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 0 1\nf 1/1 2/2 3/3\n".to_vec();
    let lines = bytes.split(|&byte| byte == b'\n').filter_map(|line| line.strip_prefix(b"newmtl "));
    // An OBJ file that holds a zero is refused, as it is no text, and what follows a line end within a name is no name.
    let names: Vec<&[u8]> = lines.filter(|name| !name.iter().any(|byte| b"\0\r".contains(byte))).take(MOST).collect();
    for name in &names {
        obj.extend(b"usemtl ");
        obj.extend(*name);
        obj.extend(b"\nf 1/1 2/2 3/3\n");
    }
    let level = read_obj(&obj, &FOLDER.join("fuzz.obj"), &LoadOptions::default()).expect("a level");
    // A name that ends in a backslash takes the face below into itself.
    assert!((1..=1 + names.len()).contains(&level.triangles.len()));
    for material in &level.materials {
        let maps = [material.emissive_map.as_ref(), material.normal_map.as_ref().map(|normals| &normals.map)];
        let textures = maps.into_iter().flatten().map(|map| map.texture).chain(material.texture);
        assert!(textures.into_iter().all(|texture| (texture as usize) < level.textures.len()));
        assert!(material.base_color.iter().all(|part| (0.0..=1.0).contains(part)));
        assert!(material.emissive.iter().all(|part| part.is_finite() && *part >= 0.0));
    }
    let is_finite = |vertex: &nodetree::level::Vertex| vertex.position.is_finite() && vertex.normal.is_finite();
    assert!(level.vertices.iter().all(is_finite));
});
