//! Any bytes as a file of the load cache: it is refused, or what comes out holds together.
#![no_main]

use std::fs;
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use nodetree::level::{Cache, LoadOptions, load};
use nodetree::tree::{Mode, Settings, Tree};

/// The first line of a file of the cache, which marks the build.
static MARK: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let folder = std::env::temp_dir().join(format!("nodetree-fuzz-{}", std::process::id()));
    let cache = Cache { smallest: 0, ..Cache::new(folder.join("cache")) };
    let level = folder.join("level.obj");
    fs::create_dir_all(&folder).expect("a folder");
    fs::write(&level, "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n").expect("a file");
    load(&level, &LoadOptions { cache: Some(cache.clone()), ..LoadOptions::default() }).expect("a level");
    let file = fs::read_dir(&cache.folder).expect("a folder").next().expect("a file").expect("an entry").path();
    let bytes = fs::read(file).expect("the file");
    fs::remove_dir_all(&folder).expect("removed");
    bytes.split_inclusive(|&byte| byte == b'\n').next().expect("a line").to_vec()
});

fuzz_target!(|bytes: &[u8]| {
    // As they are, and with mark and hash around them, which they would hardly ever have.
    assert!(Cache::read_file(bytes).is_none() || bytes.starts_with(&MARK));
    let mut file = [&MARK, bytes].concat();
    let hash = xxhash_rust::xxh3::xxh3_128(&file);
    file.extend(hash.to_ne_bytes());
    let Some(level) = Cache::read_file(&file) else { return };
    assert!(
        level
            .materials
            .iter()
            .filter_map(|material| material.texture)
            .all(|texture| (texture as usize) < level.textures.len())
    );
    let sides =
        level.textures.iter().map(|texture| (texture.width as usize * texture.height as usize, texture.rgba.len()));
    assert!(sides.into_iter().all(|(pixels, bytes)| pixels > 0 && 4 * pixels == bytes));
    let corners: Vec<_> = (0..level.triangles.len() as u32).map(|number| level.corners(number)).collect();
    let materials: Vec<u32> =
        (0..corners.len() as u32).map(|number| level.triangles[number as usize].material).collect();
    assert!(materials.iter().all(|&material| (material as usize) < level.materials.len()));
    Tree::build(&level, &Settings::new(Mode::Octree)).validate(&corners, &materials).expect("a sound tree");
});
