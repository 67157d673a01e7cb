//! Every kind of bad input through the real program: how it is made, the exit code, and the one line that is told, with file, line
//! or element, reason and cure.

#![cfg(feature = "cli")]

use std::fs;
use std::path::Path;
use std::time::Duration;

use assert_cmd::Command;
use tempfile::TempDir;

/// How a file comes to be what it is.
enum Made {
    Text(&'static str),
    Bytes(Vec<u8>),
    Folder,
    /// A pipe that nobody writes to: who opens it waits for ever.
    Pipe,
}

use Made::{Bytes, Folder, Pipe, Text};

/// A kind of bad input.
struct Case {
    /// The file in a folder of its own, beside those of [`beside`].
    file: &'static str,
    made: Made,
    /// The program's arguments.
    arguments: &'static str,
    code: i32,
    /// The line that tells it: the whole of it, on standard error. A fault that can be mended is a warning of `info`.
    line: &'static str,
}

fn case(file: &'static str, made: Made, arguments: &'static str, code: i32, line: &'static str) -> Case {
    Case { file, made, arguments, code, line }
}

/// A file that is as it should be but for what the case is about.
fn obj(made: &'static str, line: &'static str) -> Case {
    let code = i32::from(!line.starts_with("warning: "));
    case("a.obj", Text(made), "info a.obj", code, line)
}

fn mtl(made: &'static str, line: &'static str) -> Case {
    case("a.mtl", Text(made), "info uses-a.obj", 0, line)
}

fn gltf(made: &'static str, line: &'static str) -> Case {
    case("a.gltf", Text(made), "info a.gltf", 1, line)
}

fn scene(made: &'static str, line: &'static str) -> Case {
    let code = i32::from(!line.starts_with("warning: "));
    case("a.toml", Text(made), "info a.toml", code, line)
}

fn path(made: &'static str, line: &'static str) -> Case {
    case("a.jsonl", Text(made), "bench floor.obj --frames 1 --path a.jsonl", 1, line)
}

fn inputs(made: &'static str, line: &'static str) -> Case {
    case("a.jsonl", Text(made), "walk floor.obj --inputs a.jsonl", 1, line)
}

fn value(arguments: &'static str, line: &'static str) -> Case {
    case("a", Folder, arguments, 2, line)
}

/// What lies beside the file of each case.
fn beside(folder: &Path) {
    let floor = "v -10 0 -10\nv -10 0 10\nv 10 0 10\nv 10 0 -10\n";
    let uses = format!("mtllib a.mtl\n{floor}usemtl a\nf 1 2 3 4\n");
    let write = |name: &str, content: &[u8]| fs::write(folder.join(name), content).expect("a file");
    write("floor.obj", format!("{floor}f 1 2 3 4\n").as_bytes());
    write("uses-a.obj", uses.as_bytes());
    write("text.png", b"no picture");
    write("pipe.obj", format!("mtllib pipe.mtl\n{floor}usemtl a\nf 1 2 3 4\n").as_bytes());
    write("pipe.mtl", b"newmtl a\nmap_Kd pipe.png\n");
}

/// A black picture.
fn png(width: u32, height: u32) -> Vec<u8> {
    let mut png = std::io::Cursor::new(Vec::new());
    image::GrayImage::new(width, height).write_to(&mut png, image::ImageFormat::Png).expect("a picture");
    png.into_inner()
}

/// A GLB file whose head says that it is larger than it is.
fn cut_glb() -> Vec<u8> {
    [b"glTF\x02\0\0\0\xff\0\0\0".as_slice(), b"\x04\0\0\0JSON{}  "].concat()
}

fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    // Whatever the format is.
    cases.extend([
        case("b.obj", Folder, "info a.obj", 1, "@"),
        case("a.obj", Folder, "info a.obj", 1, "@"),
        case("a.obj", Pipe, "info a.obj", 1, "@"),
        case("a.glb", Pipe, "info a.glb", 1, "@"),
        case("a.png", Pipe, "info a.png", 1, "@"),
        case("a.toml", Pipe, "info a.toml", 1, "@"),
        case("a.obj", Text(""), "info a.obj/b.obj", 1, "@"),
        case("a.fbx", Text("Kaydara"), "info a.fbx", 1, "@"),
        case("a", Text("v 0 0 0"), "info a", 1, "@"),
        case("a", Folder, "info builtin:palace", 1, "@"),
    ]);
    // OBJ.
    cases.extend([
        obj("", "@"),
        obj("v 0 0 0\nv 1 0 0\nl 1 2\n", "@"),
        obj("v nan 0 0\nv 1 0 0\nv 0 0 inf\nf 1 2 3\n", "@"),
        case("a.obj", Bytes(b"\x89PNG\r\n\x1a\n\0\0".to_vec()), "info a.obj", 1, "@"),
        case("a.obj", Bytes(b"\xff\xfev\0 \0".to_vec()), "info a.obj", 1, "@"),
        case("a.obj", Bytes(b"glTF\x02\0\0\0".to_vec()), "info a.obj", 1, "@"),
        case("a.obj", Bytes(b"v 0 0\0 0\n".to_vec()), "info a.obj", 1, "@"),
        obj("v 0 0 0\nv 1 0 0\nv 0 0 1\n\nf 1 2 4\n", "@"),
        obj("v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 2 0\n", "@"),
        obj("v 0 0 0\nv 1 0 0\nv 0 0 1\nf -4 -3 -2\n", "@"),
        obj("v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1/9 2/9 3/9\n", "@"),
        obj("v 0 0 0\nv 1 0 0\nv 0 0 1\nvn 0 1 0\nf 1//2 2//1 3//1\n", "@"),
        obj("v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 2 three\n", "@"),
        obj("v 0 0 0\nv 1 0 0\nv 0 0 1\nvt 0 0\nvn 0 1 0\nf 1/1/1/1 2 3\n", "@"),
        obj("v 0 0 zero\nv 1 0 0\nv 0 0 1\nv 0 0 0\nf 2 3 4\n", "@"),
        obj("v 0 0\nv 1 0 0\nv 0 0 1\nv 0 0 0\nf 2 3 4\n", "@"),
        obj("v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 2 3\nf 1 2\n", "@"),
        obj("v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 2 3\nf 1 2 2\n", "@"),
        obj("v 0 0 0\nv 1 0 0\nv nan 0 1\nv 0 0 1\nf 1 2 4\nf 1 2 3\n", "@"),
        obj("v 0 0 0\nv 1 0 0\nv 0 0 1\nfoo 1\nf 1 2 3\n", "@"),
        obj("v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 2 3\nl 1 2\n", "@"),
        obj("v 0 0 0\nv 2 2 0\nv 2 0 0\nv 0 1 0\nf 1 2 3 4\n", "@"),
        obj("v 0 0 0\nv 1 0 0\nv 0 0 1\nusemtl rust\nf 1 2 3\n", "@"),
        obj("v 0 0 0\nv 0.1 0 0\nv 0 0.1 0.1\nf 1 2 3\n", "@"),
        obj("mtllib gone.mtl\nv 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 2 3\n", "@"),
    ]);
    // MTL and textures.
    cases.extend([
        case("a.mtl", Folder, "info uses-a.obj", 0, "@"),
        case("a.mtl", Pipe, "info uses-a.obj", 0, "@"),
        mtl("newmtl b\n", "@"),
        mtl("Kd 1 0 0\nnewmtl a\n", "@"),
        mtl("newmtl a\nKd red\n", "@"),
        mtl("newmtl a\nglitter 1\n", "@"),
        mtl("newmtl a\nnewmtl a\n", "@"),
        mtl("newmtl a\nd 0\n", "@"),
        mtl("newmtl a\nmap_Kd gone.png\n", "@"),
        mtl("newmtl a\nmap_Kd text.png\n", "@"),
        mtl("newmtl a\nmap_Ke .\n", "@"),
        case("pipe.png", Pipe, "info pipe.obj", 0, "@"),
    ]);
    // glTF.
    cases.extend([
        gltf("", "@"),
        gltf("{\"asset\":{\"version\":\"2.0\"}", "@"),
        gltf("{\"asset\":{\"version\":\"1.0\"}}", "@"),
        gltf("{\"asset\":{\"version\":\"2.0\"}}", "@"),
        gltf("{\"asset\":{\"version\":\"2.0\"},\"extensionsRequired\":[\"KHR_draco_mesh_compression\"]}", "@"),
        gltf("{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"byteLength\":9,\"uri\":\"gone.bin\"}]}", "@"),
        gltf("{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"byteLength\":99,\"uri\":\"floor.obj\"}]}", "@"),
        gltf("{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"byteLength\":9,\"uri\":\"data:;base64,?\"}]}", "@"),
        gltf("{\"asset\":{\"version\":\"2.0\"},\"scenes\":[{\"nodes\":[3]}]}", "@"),
        gltf("{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"children\":[0]}],\"scenes\":[{\"nodes\":[0]}]}", "@"),
        case("a.glb", Bytes(cut_glb()), "info a.glb", 1, "@"),
        case("a.glb", Bytes(b"glTF\x01\0\0\0\x0c\0\0\0".to_vec()), "info a.glb", 1, "@"),
        case("a.glb", Bytes(b"PK\x03\x04".to_vec()), "info a.glb", 1, "@"),
    ]);
    // Heightmaps.
    cases.extend([
        case("a.png", Text("no picture"), "info a.png", 1, "@"),
        case("a.png", Bytes(png(9, 9)[..60].to_vec()), "info a.png", 1, "@"),
        case("a.png", Bytes(png(9, 1)), "info a.png", 1, "@"),
        case("a.bmp", Bytes(b"BM".to_vec()), "info a.bmp", 1, "@"),
        case("a.tif", Bytes(b"II*\0\x08\0\0\0\0\0".to_vec()), "info a.tif", 1, "@"),
        case("a.png", Bytes(png(3, 3)), "info a.png --up z", 1, "@"),
        case("a.png", Bytes(png(3, 3)), "info a.png --texture gone.png", 1, "@"),
        case("a.png", Bytes(png(3, 3)), "info a.png --texture text.png", 1, "@"),
        case("a.png", Bytes(png(3, 3)), "info floor.obj --cell-size 2", 1, "@"),
        case("a.png", Bytes(png(3, 3)), "info a.png --cell-size 1e300", 1, "@"),
    ]);
    // Scene files.
    cases.extend([
        case("a.toml", Folder, "info a.toml", 1, "@"),
        case("b.toml", Folder, "info a.toml", 1, "@"),
        case("a.toml", Bytes(b"[[piece]]\n# \xff\n".to_vec()), "info a.toml", 1, "@"),
        case("a.toml", Text("[[piece]]\nfile = \"floor.obj\"\n"), "info a.toml --scale 2", 1, "@"),
        scene("", "@"),
        scene("[[piece]\n", "@"),
        scene("[piece]\nfile = \"floor.obj\"\n", "@"),
        scene("piece = 3\n", "@"),
        scene("[[peice]]\nfile = \"floor.obj\"\n", "@"),
        scene("[[piece]]\nname = \"hall\"\n", "@"),
        scene("[[piece]]\nfile = \"floor.obj\"\ncolour = 1\n", "@"),
        scene("[[piece]]\nfile = 3\n", "@"),
        scene("[[piece]]\nfile = \"floor.obj\"\n\nopacity = \"half\"\n", "@"),
        scene("[[piece]]\nfile = \"floor.obj\"\n\nopacity = 2\n", "@"),
        scene("[[piece]]\nfile = \"floor.obj\"\nvisible = 1\n", "@"),
        scene("[[piece]]\nfile = \"floor.obj\"\nmotion = 3\n", "@"),
        scene("[[piece]]\nfile = \"floor.obj\"\nheight-range = [1]\n", "@"),
        scene("[[piece]]\nfile = \"floor.obj\"\ntranslation = \"here\"\n", "@"),
        scene("[[piece]]\nfile = \"floor.obj\"\n[piece.motion]\nspin = 9\nspeed = 2\n", "@"),
        scene("[[piece]]\nname = \"hall\"\nfile = \"gone.obj\"\n", "@"),
        scene("[[piece]]\nfile = \"a.toml\"\n", "@"),
        scene("[[piece]]\nfile = \"floor.obj\"\nname = \"a\"\n\n[[group]]\nname = \"a\"\n", "@"),
        scene("[[piece]]\nfile = \"floor.obj\"\nparent = \"gone\"\n", "@"),
        scene("[[group]]\nname = \"a\"\nparent = \"a\"\n", "@"),
        scene("[[prop]]\nfile = \"floor.obj\"\ngrid = { counts = [0, 1, 1], spacing = [1, 1, 1] }\n", "@"),
        scene("[[prop]]\nfile = \"floor.obj\"\ngrid = { counts = [-1, 1, 1], spacing = [1, 1, 1] }\n", "@"),
        scene("[[light]]\nkind = \"laser\"\n", "@"),
        scene("[[trigger]]\nname = \"gate\"\n", "@"),
        scene("[spawn]\ntranslation = [1, 2]\n", "@"),
        scene("spawn = 3\n", "@"),
        scene("[[piece]]\nfile = \"floor.obj\"\n[sky]\nturn = 3\npictures = \"no/night\"\n", "@"),
        scene("[[piece]]\nname = \"hall\"\nfile = \"uses-a.obj\"\n", "@"),
    ]);
    // Camera paths and recorded walks.
    cases.extend([
        case("b", Folder, "bench floor.obj --path a.jsonl", 1, "@"),
        case("a.jsonl", Folder, "bench floor.obj --path a.jsonl", 1, "@"),
        path("", "@"),
        path("{}\n", "@"),
        path("{\"camera\":[0,2,0,0,0]}\n\n{\"camera\":[1,2]}\n", "@"),
        path("{\"camera\":[0,2,0,0,0]}\n{\"forward\":1}\n", "@"),
        path("{\"camera\":[0,2,0,0,0]}\nhello\n", "@"),
        inputs("", "@"),
        inputs("{}\n{\"forward\":2}\n", "@"),
        inputs("{}\n\n{\"forward\":1,\"repeat\":0}\n", "@"),
        inputs("{}\n{\"sideways\":1}\n", "@"),
        inputs("{\"spawn\":[1e300,0,0]}\n", "@"),
    ]);
    // Values of options.
    cases.extend([
        value("info --scale 0", "@"),
        value("info --scale nan", "@"),
        value("info --up x", "@"),
        value("info --handedness both", "@"),
        value("info --tree binary", "@"),
        value("info --leaf-triangles -3", "@"),
        value("info --leaf-size 1e-9", "@"),
        value("info --spawn 1,2", "@"),
        value("info --height-range 1,nan", "@"),
        value("info builtin:terrain --triangles -3", "@"),
        value("info builtin:terrain --seed -3", "@"),
        value("info --leaf-triangles many", "@"),
        value("bench --frames -3", "@"),
        value("walk floor.obj --inputs a --every -3", "@"),
        #[cfg(feature = "viewer")]
        value("render -o a.png --time -3", "@"),
        #[cfg(feature = "viewer")]
        value("render -o a.png --props -3", "@"),
        #[cfg(feature = "viewer")]
        value("render -o a.png --samples -3", "@"),
        #[cfg(feature = "viewer")]
        value("render -o a.png --size 0x9", "@"),
        #[cfg(feature = "viewer")]
        value("render -o a.png --fov 0", "@"),
    ]);
    cases
}

fn make(folder: &Path, case: &Case) {
    let path = folder.join(case.file);
    match &case.made {
        Text(text) => fs::write(path, text).expect("a file"),
        Bytes(bytes) => fs::write(path, bytes).expect("a file"),
        Folder => fs::create_dir(path).expect("a folder"),
        Pipe => {
            let made = std::process::Command::new("mkfifo").arg(path).status().expect("mkfifo runs");
            assert!(made.success());
        }
    }
}

/// A cache is there to be quick, and for nothing else: whatever is wrong with it, the level is read anew, and nothing is told.
#[test]
fn a_cache_that_cannot_be_used_is_none() {
    let folder = TempDir::new().expect("a folder");
    let mut obj = String::from("v 0 0 0\nv 9 0 0\nv 0 9 0\n");
    (0..20_000).for_each(|face| obj += &format!("f 1 2 3 # number {face}\n"));
    fs::write(folder.path().join("level.obj"), obj).expect("a file");
    let cache = folder.path().join("cache");
    let info = || {
        let mut command = Command::cargo_bin("nodetree").expect("the program");
        command.current_dir(folder.path()).env("XDG_CACHE_HOME", &cache).args(["info", "level.obj"]);
        let output = command.timeout(Duration::from_secs(60)).output().expect("the program runs");
        assert!(output.status.success() && output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
        // Times differ from run to run.
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        text.lines().filter(|line| !line.contains(" ms")).map(str::to_owned).collect::<Vec<_>>()
    };
    let first = info();
    let files = || fs::read_dir(cache.join("nodetree")).into_iter().flatten().flatten().map(|entry| entry.path());
    let kept: Vec<_> = files().collect();
    // Elsewhere the folder is another one, which is left alone.
    if cfg!(target_os = "linux") {
        assert_eq!(kept.len(), 1);
        let whole = fs::read(&kept[0]).expect("the file");
        let mut flipped = whole.clone();
        flipped[whole.len() / 2] ^= 1;
        for damaged in [&b""[..], b"no cache", &whole[..whole.len() / 2], &flipped] {
            fs::write(&kept[0], damaged).expect("a file");
            assert_eq!(info(), first);
            assert!(fs::read(&kept[0]).expect("the file") == whole, "it is made anew");
        }
    }
    let _ = fs::remove_dir_all(&cache);
    fs::write(&cache, "a file where the folder should be").expect("a file");
    assert_eq!(info(), first);
}

#[test]
fn every_kind_of_bad_input_is_told_in_one_line() {
    let mut wrong = Vec::new();
    for case in cases() {
        if cfg!(not(unix)) && matches!(case.made, Pipe) {
            continue;
        }
        let folder = TempDir::new().expect("a folder");
        beside(folder.path());
        make(folder.path(), &case);
        let mut command = Command::cargo_bin("nodetree").expect("the program");
        command.args(case.arguments.split(' ')).current_dir(folder.path()).env("XDG_CONFIG_HOME", folder.path());
        let output = command.timeout(Duration::from_secs(60)).output().expect("the program runs");
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("UTF-8");
        let (printed, errors) = (text(&output.stdout), text(&output.stderr));
        let told: Vec<&str> = match case.code {
            0 => printed.lines().filter(|line| line.starts_with("warning: ")).collect(),
            _ => errors.lines().collect(),
        };
        if output.status.code() != Some(case.code) || told != [case.line] {
            wrong.push(format!("{} in {}: {:?}, {told:#?}", case.arguments, case.file, output.status.code()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
