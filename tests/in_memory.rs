//! Levels from files in memory: they become what they become on a disk.

use std::fs;
use std::path::Path;

use nodetree::level::{InMemory, Level, LoadError, LoadOptions, Progress, load, load_from};

const OBJ: &str =
    "mtllib ../Materials/./ROOM.mtl\nv 0 0 0\nv 1 0 0\nv 0 0 1\nvt 0 0\nvt 1 0\nvt 0 1\nusemtl floor\nf 1/1 3/3 2/2\n";
const MTL: &str = "newmtl floor\nmap_Kd C:\\art\\Red.PNG\n";

fn red() -> Vec<u8> {
    let mut png = std::io::Cursor::new(Vec::new());
    let picture = image::RgbImage::from_pixel(2, 2, image::Rgb([220, 20, 20]));
    picture.write_to(&mut png, image::ImageFormat::Png).expect("it is a picture");
    png.into_inner()
}

/// What a level of these files becomes, in memory and on a disk.
fn both(files: &[(&str, Vec<u8>)], path: &str) -> [Result<Level, LoadError>; 2] {
    let mut memory = InMemory::default();
    let folder = tempfile::tempdir().expect("a folder");
    for (name, content) in files {
        memory.insert(name, content.clone());
        let file = folder.path().join(name);
        fs::create_dir_all(file.parent().expect("a folder")).expect("it is made");
        fs::write(file, content).expect("it is written");
    }
    let options = LoadOptions::default();
    [load_from(&memory, Path::new(path), &options), load(&folder.path().join(path), &options)]
}

#[test]
fn materials_and_pictures_are_found_as_on_a_disk() {
    let files = [
        ("levels/room.obj", OBJ.as_bytes().to_vec()),
        ("materials/room.mtl", MTL.as_bytes().to_vec()),
        ("materials/red.png", red()),
    ];
    let [memory, disk] = both(&files, "levels/room.obj").map(|level| level.expect("it opens"));
    assert_eq!(memory.warnings.iter().count(), 0, "{:?}", memory.warnings);
    assert_eq!(memory.textures[0].rgba[..4], [220, 20, 20, 255]);
    assert_eq!((memory.vertices, memory.triangles), (disk.vertices, disk.triangles));
    assert_eq!((memory.materials, memory.textures.len()), (disk.materials, disk.textures.len()));
}

#[test]
fn what_is_missing_is_told_and_noted() {
    let mut memory = InMemory::default();
    memory.insert("./room.obj", OBJ.replace("../Materials/./", "").into_bytes());
    let progress = Progress::default();
    let options = LoadOptions { progress: Some(progress.clone()), ..LoadOptions::default() };
    let level = load_from(&memory, Path::new("room.obj"), &options).expect("it opens without materials");
    assert_eq!(level.warnings.iter().count(), 1);
    assert!(progress.files().contains(&"ROOM.mtl".into()), "{:?}", progress.files());
    let error = load_from(&memory, Path::new("none.obj"), &options).expect_err("there is none");
    assert!(matches!(error, LoadError::Missing { .. }), "{error}");
}

#[test]
fn faults_are_those_of_a_disk() {
    let files = [("broken.obj", b"v 0 0 0\nf 1 2 9\n".to_vec()), ("level.blend", b"BLENDER".to_vec())];
    for path in ["broken.obj", "level.blend"] {
        let [memory, disk] = both(&files, path).map(|level| level.expect_err("it is broken").to_string());
        let disk = disk.split(path).last().expect("it names the file").to_owned();
        assert_eq!(memory, format!("{path}{disk}"));
    }
}
