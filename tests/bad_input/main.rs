//! Every kind of bad input through the real program: how it is made, the exit code, and the one line that is told, with file,
//! line or element, reason and cure.

#![cfg(feature = "cli")]

mod meshes;
mod others;
mod pictures_and_gltf;
mod scenes;

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
    /// The line that tells it: the whole of it, behind `nodetree: error: ` on standard error. A fault that can be mended is a
    /// warning of `info`.
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
    [meshes::cases(), pictures_and_gltf::cases(), scenes::cases(), others::cases()].into_iter().flatten().collect()
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
#[cfg_attr(not(target_os = "linux"), ignore = "only on Linux a variable says where the cache is")]
fn a_cache_that_cannot_be_used_is_none() {
    let folder = TempDir::new().expect("a folder");
    // A floor of strips, all of which have room for a walker.
    let mut obj = String::new();
    for strip in 0..8_000 {
        obj += &format!("v {strip} 0 0\nv {strip} 0 9\nv {0} 0 9\nv {0} 0 0\nf -4 -3 -2 -1\n", strip + 1);
    }
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
    assert_eq!(kept.len(), 1);
    let whole = fs::read(&kept[0]).expect("the file");
    let mut flipped = whole.clone();
    flipped[whole.len() / 2] ^= 1;
    for damaged in [&b""[..], b"no cache", &whole[..whole.len() / 2], &flipped] {
        fs::write(&kept[0], damaged).expect("a file");
        assert_eq!(info(), first);
        assert!(fs::read(&kept[0]).expect("the file") == whole, "it is made anew");
    }
    let _ = fs::remove_dir_all(&cache);
    fs::write(&cache, "a file where the folder should be").expect("a file");
    assert_eq!(info(), first);
}

#[test]
fn every_kind_of_bad_input_is_told_in_one_line() {
    expect_told(cases().into_iter().filter(|case| !matches!(case.made, Pipe)));
}

#[test]
#[cfg_attr(not(unix), ignore = "only Unix has pipes in folders")]
fn pipes_are_told_in_one_line() {
    expect_told(cases().into_iter().filter(|case| matches!(case.made, Pipe)));
}

fn expect_told(cases: impl Iterator<Item = Case>) {
    let mut wrong = Vec::new();
    for case in cases {
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
            _ => errors.lines().map(|line| line.strip_prefix("nodetree: error: ").unwrap_or(line)).collect(),
        };
        if output.status.code() != Some(case.code) || told != [case.line] {
            wrong.push(format!("{} in {}: {:?}, {told:#?}", case.arguments, case.file, output.status.code()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
