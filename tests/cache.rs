//! The load cache: what comes out of it is what was put in, and only while everything that had a part in it is the same.

mod level_files;

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use level_files::folder;
use nodetree::level::{self, Cache, HeightmapOptions, Level, LoadOptions, Placement, Progress};
use tempfile::TempDir;

/// A cache in a folder of its own that keeps the smallest level.
fn cache() -> (TempDir, Cache) {
    let folder = TempDir::new().expect("a temporary folder");
    let cache = Cache { smallest: 0, ..Cache::new(folder.path().join("in/here")) };
    (folder, cache)
}

fn with(cache: &Cache) -> LoadOptions {
    LoadOptions { cache: Some(cache.clone()), ..LoadOptions::default() }
}

/// Everything that a level is made of, to the bit.
fn all_of(level: &Level) -> impl PartialEq + std::fmt::Debug {
    let Level {
        name,
        vertices,
        tangents,
        triangles,
        materials,
        textures,
        lights,
        origin,
        source_positions,
        spawn,
        warnings,
    } = level;
    let bits = [bytemuck::cast_slice::<_, u32>(vertices).to_vec(), bytemuck::cast_slice(tangents).to_vec()];
    let bits = (bits, origin.to_array().map(f64::to_bits));
    let counts = (*source_positions, *spawn, name.clone());
    (counts, bits, triangles.clone(), materials.clone(), textures.clone(), lights.clone(), warnings.clone())
}

/// The files in the folder of a cache.
fn files(cache: &Cache) -> Vec<PathBuf> {
    let entries = fs::read_dir(&cache.folder).map(Iterator::collect::<Vec<_>>).unwrap_or_default();
    entries.into_iter().map(|entry| entry.expect("an entry").path()).collect()
}

fn picture(brightness: u8) -> Vec<u8> {
    let mut png = std::io::Cursor::new(Vec::new());
    let picture = image::GrayImage::from_fn(3, 2, |x, y| image::Luma([brightness + (x + 3 * y) as u8]));
    picture.write_to(&mut png, image::ImageFormat::Png).expect("a PNG");
    png.into_inner()
}

const OBJ: &[u8] = b"mtllib a.mtl b.mtl\nnonsense\nv 4500000 0 500000 0.5 0.2 0.1\nv 4500004 0 500000\nv 4500000 4 500000.001\nv nan 0 0\n\
    vt 0 0\nvt 1 0\nvt 0 1\nusemtl m\nf 1/1 2/2 3/3\nf 1 1 2\nf 1 2 4\nusemtl n\nf 3 2 1\n";
const MTL: &[u8] = b"newmtl m\nmap_Kd a.png\nKd 0.5 0.25 1\nnewmtl n\nmap_Kd b.png\nd 0.5\n";
const GLTF: &[u8] = br#"{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],
    "nodes":[{"mesh":0,"children":[1,2,3]},{"translation":[1,2,3],"extensions":{"KHR_lights_punctual":{"light":0}}},
    {"extensions":{"KHR_lights_punctual":{"light":1}}},{"extensions":{"KHR_lights_punctual":{"light":2}}}],
    "extensions":{"KHR_lights_punctual":{"lights":[{"type":"point","intensity":50,"range":5},{"type":"directional"},
    {"type":"spot","color":[1,0.5,0],"spot":{"innerConeAngle":0.25,"outerConeAngle":0.5}}]}},
    "meshes":[{"primitives":[{"attributes":{"POSITION":0,"TEXCOORD_0":1},"material":0}]}],
    "materials":[{"name":"m","alphaMode":"MASK","alphaCutoff":0.3,"pbrMetallicRoughness":{"baseColorTexture":{"index":0}},
    "emissiveFactor":[1,0.5,0.25],"emissiveTexture":{"index":1},"normalTexture":{"index":0,"scale":0.5}},
    {"extensions":{"KHR_materials_unlit":{}}}],"samplers":[{"wrapS":33071,"wrapT":33648}],
    "textures":[{"source":0},{"source":0,"sampler":0}],"images":[{"uri":"a.png"}],
    "accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[4,4,0]},
    {"bufferView":1,"componentType":5126,"count":3,"type":"VEC2"}],
    "bufferViews":[{"buffer":0,"byteLength":36},{"buffer":0,"byteLength":36,"byteStride":12}],"buffers":[{"uri":"a.bin","byteLength":36}]}"#;

fn triangle() -> Vec<u8> {
    [0.0_f32, 0.0, 0.0, 4.0, 0.0, 0.0, 0.0, 4.0, 0.0].iter().flat_map(|number| number.to_le_bytes()).collect()
}

/// Loads twice, and what the second load takes from the cache.
fn twice(path: &Path, options: &LoadOptions) -> (Level, Level) {
    let first = level::load(path, options).expect("a level");
    let cache = options.cache.as_ref().expect("a cache");
    (first, cache.look_up(path, options).expect("a level that was kept"))
}

#[test]
fn what_was_kept_comes_back_to_the_bit() {
    let heights = picture(7);
    let (a, bin) = (picture(100), triangle());
    let mut obj = OBJ.to_vec();
    obj.extend(b"f 1 2 3\n".repeat(10));
    for files in [
        vec![("level.obj", &*obj), ("a.mtl", MTL), ("a.png", &*a)],
        vec![("level.gltf", GLTF), ("a.bin", &*bin), ("a.png", &*a)],
        vec![("level.png", &*heights), ("cover.png", &*a)],
    ] {
        let (folder, (_kept, cache)) = (folder(&files), cache());
        let mut options = with(&cache);
        let path = folder.path().join(files[0].0);
        if files[0].0 == "level.png" {
            options.heightmap.texture = Some(folder.path().join("cover.png"));
        }
        let (first, second) = twice(&path, &options);
        assert_eq!(all_of(&first), all_of(&second));
        let anew = level::load(&path, &LoadOptions { cache: None, ..options }).expect("a level");
        assert_eq!(all_of(&anew), all_of(&second));
        let has_all = !second.lights.is_empty() && !second.tangents.is_empty();
        assert!(has_all || files[0].0 != "level.gltf");
        assert!(!second.textures.is_empty() && (files[0].0 != "level.obj" || !second.warnings.is_empty()));
    }
}

#[test]
fn the_files_are_told_whether_they_are_read_or_not() {
    let png = picture(100);
    let (folder, (_kept, cache)) = (folder(&[("level.obj", OBJ), ("a.mtl", MTL), ("a.png", &png)]), cache());
    let path = folder.path().join("level.obj");
    // Those that are missing as well: a library, perhaps with a space in its name, and a picture.
    let wanted = ["a.mtl", "a.mtl b.mtl", "a.png", "b.mtl", "b.png", "level.obj"].map(|name| folder.path().join(name));
    for _ in ["read", "taken from the cache"] {
        let progress = Progress::default();
        level::load(&path, &LoadOptions { progress: Some(progress.clone()), ..with(&cache) }).expect("a level");
        assert_eq!(progress.files(), wanted);
    }
    let (progress, missing) = (Progress::default(), folder.path().join("none.obj"));
    level::load(&missing, &LoadOptions { progress: Some(progress.clone()), ..LoadOptions::default() }).unwrap_err();
    assert_eq!(progress.files(), [missing]);
}

#[test]
fn a_file_that_has_changed_counts() {
    let (png, other) = (picture(100), picture(90));
    let (folder, (_kept, cache)) = (folder(&[("level.obj", OBJ), ("a.mtl", MTL), ("a.png", &png)]), cache());
    let path = folder.path().join("level.obj");
    let options = with(&cache);
    // The first b.png lies where a path of another machine is looked for at last.
    let changes: [(&str, &[u8]); 6] = [
        ("a.png", &other),
        ("a.mtl", b"newmtl m\nmap_Kd a.png\n"),
        ("b.mtl", b"newmtl n\nmap_Kd elsewhere/b.png\n"),
        ("b.png", &png),
        ("Elsewhere/B.png", &other),
        ("level.obj", b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"),
    ];
    for (name, content) in changes {
        twice(&path, &options);
        fs::create_dir_all(folder.path().join(name).parent().expect("a folder")).expect("a folder");
        fs::write(folder.path().join(name), content).expect("written");
        assert!(cache.look_up(&path, &options).is_none(), "{name} was changed");
        let (first, second) = twice(&path, &options);
        let anew = level::load(&path, &LoadOptions::default()).expect("a level");
        assert_eq!(all_of(&first), all_of(&anew), "{name}");
        assert_eq!(all_of(&second), all_of(&anew), "{name}");
    }
    fs::remove_file(&path).expect("removed");
    assert!(cache.look_up(&path, &options).is_none());
    assert!(level::load(&path, &options).unwrap_err().to_string().contains("no file"));
}

#[test]
fn a_file_of_the_same_length_and_time_counts_when_its_content_differs_and_only_then() {
    let (folder, (_kept, cache)) = (folder(&[("level.obj", b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")]), cache());
    let (path, options) = (folder.path().join("level.obj"), with(&cache));
    let touch =
        |time| File::options().append(true).open(&path).and_then(|file| file.set_modified(time)).expect("touched");
    let time = SystemTime::now() - Duration::from_secs(1000);
    touch(time);
    twice(&path, &options);
    touch(time + Duration::from_secs(500));
    assert!(cache.look_up(&path, &options).is_some());
    fs::write(&path, "v 0 0 0\nv 2 0 0\nv 0 1 0\nf 1 2 3\n").expect("written");
    touch(time);
    assert!(cache.look_up(&path, &options).is_none());
}

#[test]
fn each_way_of_reading_is_kept_apart() {
    let (folder, (_kept, cache)) = (folder(&[("level.obj", OBJ)]), cache());
    let path = folder.path().join("level.obj");
    let usual = with(&cache);
    let scaled = LoadOptions { placement: Placement { scale: 0.5, ..Placement::default() }, ..usual.clone() };
    let one_sided = LoadOptions { one_sided: true, ..usual.clone() };
    twice(&path, &usual);
    for options in [&scaled, &one_sided] {
        assert!(cache.look_up(&path, options).is_none());
        let (_, second) = twice(&path, options);
        let anew = level::load(&path, &LoadOptions { cache: None, ..options.clone() }).expect("a level");
        assert_eq!(all_of(&second), all_of(&anew));
    }
    let heightmap = HeightmapOptions { cell_size: 2.0, ..HeightmapOptions::default() };
    assert!(cache.look_up(&path, &LoadOptions { heightmap, ..usual }).is_none());
    assert_eq!(files(&cache).len(), 3);
}

#[test]
fn whatever_happens_to_a_file_of_the_cache_the_level_is_right() {
    let png = picture(100);
    let (folder, (_kept, cache)) = (folder(&[("level.obj", OBJ), ("a.mtl", MTL), ("a.png", &png)]), cache());
    let (path, options) = (folder.path().join("level.obj"), with(&cache));
    let (first, _) = twice(&path, &options);
    let file = files(&cache).remove(0);
    let whole = fs::read(&file).expect("the file");
    for length in 0..whole.len() {
        fs::write(&file, &whole[..length]).expect("written");
        assert!(cache.look_up(&path, &options).is_none(), "cut off after {length} bytes");
    }
    for place in 0..whole.len() {
        let mut damaged = whole.clone();
        damaged[place] ^= 1 << (place % 8);
        fs::write(&file, &damaged).expect("written");
        assert!(cache.look_up(&path, &options).is_none(), "damaged at {place}");
    }
    fs::write(&file, [&whole[..], b" "].concat()).expect("written");
    assert!(cache.look_up(&path, &options).is_none(), "longer");
    let again = level::load(&path, &options).expect("a level");
    assert_eq!(all_of(&again), all_of(&first));
    assert_eq!(fs::read(&file).expect("the file"), whole, "mended");
}

#[test]
fn what_cannot_be_kept_is_no_fault() {
    let folder = folder(&[("level.obj", OBJ), ("file", b"no folder")]);
    let path = folder.path().join("level.obj");
    let anew = level::load(&path, &LoadOptions::default()).expect("a level");
    let (_kept, usual) = cache();
    let nowhere = Cache { folder: folder.path().join("file"), ..usual.clone() };
    let too_small = Cache { limit: 10, ..usual.clone() };
    let for_large_ones = Cache { smallest: OBJ.len() as u64 + 1, ..usual };
    for cache in [nowhere, too_small, for_large_ones] {
        let options = with(&cache);
        assert_eq!(all_of(&level::load(&path, &options).expect("a level")), all_of(&anew));
        assert!(cache.look_up(&path, &options).is_none());
        assert!(files(&cache).is_empty());
    }
}

#[test]
fn what_was_not_used_for_longest_goes_first() {
    let (folder, (_kept, mut cache)) = (folder(&[("a.obj", OBJ), ("b.obj", OBJ), ("c.obj", OBJ)]), cache());
    let [a, b, c] = ["a", "b", "c"].map(|name| folder.path().join(format!("{name}.obj")));
    let is_kept = |cache: &Cache, path: &Path| cache.look_up(path, &with(cache)).is_some();
    level::load(&a, &with(&cache)).expect("a level");
    let length = fs::metadata(&files(&cache)[0]).expect("the file").len();
    cache.limit = 5 * length / 2;
    // A file of somebody else stays, and does not count.
    fs::write(cache.folder.join("notes.txt"), vec![0; 2 * length as usize]).expect("written");
    level::load(&b, &with(&cache)).expect("a level");
    let age = |age| {
        for file in files(&cache) {
            let file = File::options().append(true).open(file).expect("the file");
            file.set_modified(SystemTime::now() - Duration::from_secs(age)).expect("older");
        }
    };
    age(1000);
    assert!(is_kept(&cache, &a));
    level::load(&c, &with(&cache)).expect("a level");
    assert!(is_kept(&cache, &a) && is_kept(&cache, &c) && !is_kept(&cache, &b));
    // What a program left behind that was ended while it wrote goes as well.
    fs::write(cache.folder.join("left.1-1.part"), vec![0; length as usize]).expect("written");
    age(1000);
    level::load(&b, &with(&cache)).expect("a level");
    assert!(is_kept(&cache, &b) && cache.folder.join("notes.txt").exists());
    assert!(files(&cache).len() <= 3, "{:?}", files(&cache));
}

#[test]
fn progress_tells_how_much_of_the_file_was_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("floor.obj");
    std::fs::write(&path, "v 0 0 0\nv 0 0 1\nv 1 0 1\nf 1 2 3\n").expect("a file");
    let progress = nodetree::level::Progress::default();
    let options = LoadOptions { progress: Some(progress.clone()), ..LoadOptions::default() };
    assert_eq!(progress.bytes(), [0, 0]);
    nodetree::level::load(&path, &options).expect("a level");
    let length = std::fs::metadata(&path).expect("it is there").len();
    assert_eq!(progress.bytes(), [2 * length; 2]);
}
