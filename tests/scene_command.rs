//! Scenes through the real program.

use std::fs;

use assert_cmd::cargo::cargo_bin;
use serde_json::Value;

/// A floor of 20 by 20 m, and a box of 2 m that stands on the origin.
const FLOOR: &str = "v -10 0 -10\nv -10 0 10\nv 10 0 10\nv 10 0 -10\nf 1 2 3 4\n";
const CRATE: &str = "v -1 0 -1\nv 1 0 -1\nv 1 0 1\nv -1 0 1\nv -1 2 -1\nv 1 2 -1\nv 1 2 1\nv -1 2 1\n\
    f 1 2 3 4\nf 8 7 6 5\nf 5 6 2 1\nf 6 7 3 2\nf 7 8 4 3\nf 8 5 1 4\n";
const SCENE: &str = r#"
[[piece]]
name = "floor"
file = "parts\\FLOOR.obj"
[[piece]]
name = "crate"
file = "parts/crate.obj"
translation = [4, 0, 0]
[[prop]]
name = "loose crate"
file = "parts/crate.obj"
translation = [-4, 1, 0]
[[camera]]
name = "eye"
translation = [0, 5, 9]
"#;

/// Runs the program on a scene in a folder of its own: its exit code, output and errors.
fn run(scene: &str, arguments: &[&str], input: &str) -> (i32, String, String) {
    let folder = tempfile::tempdir().expect("a folder");
    fs::create_dir(folder.path().join("parts")).expect("a folder");
    fs::write(folder.path().join("parts/floor.obj"), FLOOR).expect("a file");
    fs::write(folder.path().join("parts/crate.obj"), CRATE).expect("a file");
    fs::write(folder.path().join("made.toml"), scene).expect("a file");
    let output = assert_cmd::Command::new(cargo_bin!("nodetree"))
        .args(arguments)
        .current_dir(folder.path())
        .write_stdin(input)
        .output()
        .expect("it runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    (output.status.code().expect("a code"), text(output.stdout), text(output.stderr))
}

#[test]
fn info_tells_of_the_pieces() {
    let (code, output, errors) = run(SCENE, &["info", "made.toml", "--json"], "");
    assert_eq!(code, 0, "{errors}");
    let info: Value = serde_json::from_str(&output).expect("JSON");
    assert_eq!(info["level"]["triangles"], 14);
    assert_eq!(info["level"]["vertices"], 12);
    assert_eq!(info["level"]["bounds"]["max"], serde_json::json!([10.0, 2.0, 10.0]));
    assert_eq!(info["warnings"], serde_json::json!([]));
    let scene = &info["scene"];
    assert_eq!(
        (&scene["pieces"], &scene["props"], &scene["cameras"]),
        (&2.into(), &1.into(), &serde_json::json!(["eye"]))
    );
}

#[test]
fn questions_meet_props_and_name_them() {
    let ray = |x: f64| format!("{{\"ray\":{{\"origin\":[{x},9,0.3],\"direction\":[0,-1,0]}}}}\n");
    let (code, output, errors) = run(SCENE, &["query", "made.toml"], &(ray(4.2) + &ray(-4.2) + &ray(0.1)));
    assert_eq!(code, 0, "{errors}");
    let hits: Vec<Value> = output.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let told = |hit: &Value| (hit["hit"]["distance"].as_f64(), hit["hit"]["prop"].as_str().map(str::to_owned));
    assert_eq!(told(&hits[0]), (Some(7.0), None));
    assert_eq!(told(&hits[1]), (Some(6.0), Some("loose crate".to_owned())));
    assert_eq!(told(&hits[2]), (Some(9.0), None));
}

#[test]
fn faults_are_one_line() {
    for (scene, arguments, wanted) in [
        (
            "[[piece]]\nfile = \"parts/roof.obj\"",
            &["info", "made.toml"][..],
            "made.toml, line 2: piece: there is no file",
        ),
        ("[[piece]]\nfile = \"parts\"", &["info", "made.toml"], "is a directory"),
        ("[[piece]]\nfile = \"made.toml\"", &["info", "made.toml"], "a scene cannot hold another scene"),
        ("\u{feff}[[piece]]\nfile = \"parts/floor.obj\"\nx = 1", &["info", "made.toml"], "line 3"),
        (SCENE, &["info", "made.toml", "--up", "z"], "leave --up, --scale and --handedness away"),
        (SCENE, &["info", "made.toml", "--cell-size", "2"], "is no heightmap"),
        (SCENE, &["info", "gone.toml"], "there is no file gone.toml; check the path"),
        ("[piece]\nfile = \"parts/floor.obj\"", &["info", "made.toml"], "as in [[piece]]"),
        #[cfg(feature = "viewer")]
        (
            SCENE,
            &["render", "made.toml", "-o", "a.png", "--camera", "nobody"],
            "the scene has no camera of that name; it has eye",
        ),
        #[cfg(feature = "viewer")]
        (
            SCENE,
            &["render", "builtin:terrain", "-o", "a.png", "--camera", "eye"],
            "the level has no cameras with names",
        ),
    ] {
        let (code, _, errors) = run(scene, arguments, "");
        let ours: Vec<&str> = errors.lines().filter(|line| line.starts_with("nodetree: error")).collect();
        assert!(code != 0 && code != 101 && ours.len() == 1, "{arguments:?}: {code}, {errors}");
        assert!(ours[0].contains(wanted), "{arguments:?}: {} lacks {wanted}", ours[0]);
    }
}

#[test]
fn the_walker_starts_where_the_scene_says() {
    let scene = format!("{SCENE}\n[spawn]\ntranslation = [3, 0, 6]\nyaw = 90\n");
    let (code, output, errors) =
        run(&scene, &["walk", "made.toml", "--inputs", "-"], "{}\n{\"forward\":1,\"repeat\":120}\n");
    assert_eq!(code, 0, "{errors}");
    let last: Value = serde_json::from_str(output.lines().last().expect("steps")).expect("JSON");
    let feet: Vec<f64> =
        last["feet"].as_array().expect("three").iter().map(|part| part.as_f64().expect("a number")).collect();
    assert!(feet[0] < -0.5 && (feet[2] - 6.0).abs() < 1e-3 && last["grounded"] == true, "{last}");
}

/// What opens a pipe that nobody writes to waits for ever.
#[test]
#[cfg_attr(not(unix), ignore = "only Unix has pipes in folders")]
fn pipes_are_refused_and_not_waited_for() {
    let folder = tempfile::tempdir().expect("a folder");
    let made = std::process::Command::new("mkfifo").arg(folder.path().join("pipe.toml")).status().expect("mkfifo runs");
    assert!(made.success());
    fs::write(folder.path().join("floor.obj"), FLOOR).expect("a file");
    fs::write(folder.path().join("path.jsonl"), "{}\n").expect("a file");
    for arguments in
        [&["info", "pipe.toml"][..], &["walk", "floor.obj", "--inputs", "path.jsonl", "--config", "pipe.toml"]]
    {
        let output = assert_cmd::Command::new(cargo_bin!("nodetree"))
            .args(arguments)
            .current_dir(folder.path())
            .timeout(std::time::Duration::from_secs(20))
            .output()
            .expect("it ends by itself");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(
            output.status.code() == Some(1) && errors.contains("it is not a regular file"),
            "{arguments:?}: {errors}"
        );
    }
}

#[test]
fn what_is_wrong_with_a_prop_is_told_with_its_file() {
    let scene = "[[piece]]\nfile = \"parts/floor.obj\"\n[[prop]]\nfile = \"bare.obj\"\n";
    let folder = tempfile::tempdir().expect("a folder");
    fs::create_dir(folder.path().join("parts")).expect("a folder");
    fs::write(folder.path().join("parts/floor.obj"), FLOOR).expect("a file");
    fs::write(folder.path().join("bare.obj"), format!("mtllib gone.mtl\n{CRATE}")).expect("a file");
    fs::write(folder.path().join("made.toml"), scene).expect("a file");
    let mut command = assert_cmd::Command::new(cargo_bin!("nodetree"));
    let output = command.args(["info", "made.toml"]).current_dir(folder.path()).output().expect("it runs");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && text.contains("bare.obj: ") && text.contains("gone.mtl"), "{text}");
}
