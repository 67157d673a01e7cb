//! `nodetree info` through the real program: its JSON is a contract, and every bad input gets one line and a code.

#![cfg(feature = "cli")]

use std::fs;
use std::path::PathBuf;

use assert_cmd::Command;
use serde_json::Value;
use tempfile::TempDir;

fn info(arguments: &[&str]) -> Command {
    let mut command = Command::cargo_bin("nodetree").expect("the program");
    command.arg("info").args(arguments);
    command
}

/// A level of a quad, a degenerate triangle and one whose corner is no number, with a texture that is missing.
fn level() -> (TempDir, PathBuf) {
    let folder = TempDir::new().expect("a temporary folder");
    let path = folder.path().join("yard.obj");
    let obj = "mtllib yard.mtl\nv 100 0 50\nv 108 0 50\nv 108 0 42\nv 100 0 42\nv nan 0 0\n\
               usemtl ground\nf 1 2 3 4\nf 1 2 1\nusemtl glass\nf 1 2 5\n";
    fs::write(&path, obj).expect("a file");
    let mtl = "newmtl ground\nmap_Kd textures\\gone.png\nnorm up.png\nnewmtl glass\nd 0.5\nKe 1 1 0\nnewmtl unused\n";
    fs::write(folder.path().join("yard.mtl"), mtl).expect("a file");
    let up = image::RgbImage::from_pixel(3, 2, image::Rgb([128, 128, 255]));
    up.save(folder.path().join("up.png")).expect("a picture");
    (folder, path)
}

fn json(arguments: &[&str]) -> Value {
    let output = info(arguments).assert().success();
    let text = String::from_utf8(output.get_output().stdout.clone()).expect("UTF-8");
    assert_eq!(text.lines().count(), 1);
    serde_json::from_str(&text).expect("JSON")
}

#[test]
fn json_keeps_its_contract() {
    let (_folder, path) = level();
    let path = path.to_str().expect("UTF-8");
    let report = json(&[path, "--json"]);
    let level = &report["level"];
    assert_eq!(level["path"], path);
    assert_eq!((&level["vertices"], &level["triangles"]), (&5.into(), &4.into()));
    assert_eq!(level["bounds"]["min"], serde_json::json!([100.0, 0.0, 42.0]));
    assert_eq!(level["bounds"]["max"], serde_json::json!([108.0, 0.0, 50.0]));
    assert_eq!(level["origin"].as_array().expect("three numbers").len(), 3);
    let materials = serde_json::json!([
        {"name": "ground", "triangles": 3, "texture": "textures/gone.png", "alpha": "opaque", "normal_map": true,
         "emissive": false},
        {"name": "glass", "triangles": 1, "texture": null, "alpha": "blend", "normal_map": false, "emissive": true},
        {"name": "unused", "triangles": 0, "texture": null, "alpha": "opaque", "normal_map": false, "emissive": false},
    ]);
    assert_eq!(level["materials"], materials);
    let texture = &level["textures"][0];
    assert_eq!(
        (&texture["width"], &texture["height"], &texture["bytes"]),
        (&3.into(), &2.into(), &24.into()),
        "{texture}"
    );
    assert_eq!((&level["lights"], &level["spawn"]["given"]), (&0.into(), &false.into()));
    // On the gap that walkers keep.
    let height = level["spawn"]["feet"][1].as_f64().expect("a number");
    assert!((0.0..0.02).contains(&height), "{height}");
    for mode in ["quadtree", "octree"] {
        let tree = &report["trees"][mode];
        for key in ["nodes", "leaves", "depth", "triangles", "bytes"] {
            assert!(tree[key].is_u64(), "{mode} {key}");
        }
        assert_eq!((&tree["nodes"], &tree["depth"], &tree["triangles"]), (&1.into(), &0.into(), &2.into()));
        assert_eq!(tree["leaf_triangles"], serde_json::json!({"min": 2, "mean": 2.0, "max": 2}));
        assert!(tree["build_ms"].as_f64().expect("a number") >= 0.0);
    }
    let warnings = report["warnings"].as_array().expect("a list");
    let count = |kind: &str| warnings.iter().find(|warning| warning["kind"] == kind).map(|found| &found["count"]);
    assert_eq!(count("missing_texture"), Some(&1.into()));
    assert_eq!(count("degenerate_triangle"), Some(&1.into()));
    assert_eq!(count("non_finite_triangle"), Some(&1.into()));
    assert!(warnings.iter().all(|warning| warning["message"].is_string()));
}

#[test]
fn scale_and_axes_turn_the_bounds() {
    let (_folder, path) = level();
    let path = path.to_str().expect("UTF-8");
    let report = json(&[path, "--json", "--scale", "0.5", "--up", "z"]);
    // (x, y, z) became (x, z, -y).
    assert_eq!(report["level"]["bounds"]["min"], serde_json::json!([50.0, 21.0, 0.0]));
    assert_eq!(report["level"]["bounds"]["max"], serde_json::json!([54.0, 25.0, 0.0]));
    let report = json(&[path, "--json", "--handedness=left"]);
    assert_eq!(report["level"]["bounds"]["min"], serde_json::json!([100.0, 0.0, -50.0]));
}

#[test]
fn people_get_one_screen_with_the_warnings() {
    let (_folder, path) = level();
    let output = info(&[path.to_str().expect("UTF-8")]).assert().success();
    let text = String::from_utf8(output.get_output().stdout.clone()).expect("UTF-8");
    assert!(text.lines().count() <= 40, "{text}");
    for part in [
        "4 triangles, 5 vertices, 3 materials (2 used)",
        "walkers start at (10",
        "(found)",
        "textures: up.png 3x2 (0.0 MiB)",
        "1 materials with normal maps, 1 that emit; 0 lights",
        "--tree auto takes the quadtree",
        "gone.png",
        "without an area",
    ] {
        assert!(text.contains(part), "{part:?} in {text}");
    }
}

#[test]
fn bad_input_gets_one_line_and_a_code() {
    let folder = TempDir::new().expect("a temporary folder");
    let write = |name: &str, content: &[u8]| {
        let path = folder.path().join(name);
        fs::write(&path, content).expect("a file");
        path.to_str().expect("UTF-8").to_owned()
    };
    let missing = folder.path().join("gone.obj").to_str().expect("UTF-8").to_owned();
    let directory = folder.path().to_str().expect("UTF-8").to_owned();
    for (level, shown) in [
        (missing, "there is no file"),
        (directory, "is a directory"),
        (write("empty.obj", b""), "no geometry"),
        (write("picture.obj", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"), "PNG picture"),
        (write("range.obj", b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n"), "line 4: a face uses `v` index 4"),
        (write("level.xyz", b"v"), ".xyz"),
        ("builtin:cottage".to_owned(), "cottage"),
    ] {
        let output = info(&[&level]).assert().code(1).stdout("");
        let message = String::from_utf8(output.get_output().stderr.clone()).expect("UTF-8");
        assert!(message.contains(shown) && message.lines().count() == 1, "{message}");
    }
    for arguments in [&["--scale", "0"][..], &["--scale", "-1"], &["--leaf-size", "1e-9"], &["--no-such-option"]] {
        let output = info(arguments).assert().code(2);
        assert_eq!(String::from_utf8_lossy(&output.get_output().stderr).lines().count(), 1, "{arguments:?}");
    }
}
