//! The walker's settings as options and in the configuration file.

use std::path::Path;

use assert_cmd::cargo::cargo_bin;

/// A floor of 20 by 20 m around the origin, a step of 0.5 m on it to the east, and a slope of 55 degrees to the west.
const LEVEL: &str = "\
v -10 0 -10\nv -10 0 10\nv 10 0 10\nv 10 0 -10\nf 1 2 3 4
v 3 0 -10\nv 3 0 10\nv 3 0.5 10\nv 3 0.5 -10\nf 5 6 7 8
v 10 0.5 10\nv 10 0.5 -10\nf 8 7 9 10
v -3 0 -10\nv -3 0 10\nv -5 2.856 10\nv -5 2.856 -10\nf 11 13 12\nf 11 14 13
";

/// Walks in all ways: up the step, onto the slope, jumping, crouching, in flight, and off the edge at last.
const INPUTS: &str = r#"{"spawn":[0,0,0],"yaw":-90}
{"forward":1,"repeat":100}
{"jump":true,"repeat":1}
{"forward":1,"right":1,"repeat":60}
{"yaw":90,"forward":1,"crouch":true,"fast":true,"repeat":30}
{"forward":1,"repeat":300}
{"yaw":0,"forward":1,"fast":true,"repeat":900}
"#;
const FLIGHT: &str = r#"{"spawn":[0,1,0],"mode":"fly"}
{"forward":1,"repeat":10}
{"forward":1,"fast":true,"repeat":10}
"#;

/// Each setting with a value that is not the usual one.
const SETTINGS: [(&str, &str); 17] = [
    ("radius", "0.3"),
    ("height", "1.7"),
    ("crouched-height", "1.1"),
    ("eye", "1.6"),
    ("walk-speed", "3.5"),
    ("fast-walk-speed", "9"),
    ("fly-speed", "7"),
    ("fast-fly-speed", "30"),
    ("acceleration", "50"),
    ("air-acceleration", "7"),
    ("gravity", "9"),
    ("fall-speed", "5"),
    ("jump", "1.2"),
    ("step", "0.55"),
    ("slope", "60"),
    ("fall-limit", "8"),
    ("mass", "60"),
];

/// What a walk and a flight print, or the errors. `config` is what lies in the user's folder for configuration.
fn walk(options: &[&str], config: &str) -> Result<String, String> {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        path
    };
    let level = write("level.obj", LEVEL);
    write("nodetree/config.toml", config);
    run(&level, folder.path(), options, INPUTS)
        .and_then(|walk| Ok(walk + &run(&level, folder.path(), options, FLIGHT)?))
}

fn run(level: &Path, home: &Path, options: &[&str], inputs: &str) -> Result<String, String> {
    let output = assert_cmd::Command::new(cargo_bin!("nodetree"))
        .arg("walk")
        .arg(level)
        .args(["--inputs", "-", "--every", "10"])
        .args(options)
        .env("XDG_CONFIG_HOME", home)
        .write_stdin(inputs)
        .output()
        .unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    if output.status.success() { Ok(String::from_utf8(output.stdout).unwrap()) } else { Err(errors) }
}

#[test]
#[cfg(target_os = "linux")]
fn each_setting_is_an_option_and_a_key_and_changes_the_walk() {
    let usual = walk(&[], "").unwrap();
    for (name, value) in SETTINGS {
        let by_option = walk(&[&format!("--{name}"), value], "").unwrap();
        let key = format!("[walker]\n{name} = {value}\n");
        // The mass is in what contacts tell, and moves nothing.
        assert_eq!(by_option == usual, name == "mass", "{name}");
        assert_eq!(walk(&[], &key).unwrap(), by_option, "{name}");
        assert_eq!(
            walk(&[&format!("--{name}"), value], &format!("[walker]\n{name} = 1\n")).unwrap(),
            by_option,
            "{name}"
        );
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_bad_configuration_is_one_line_that_names_file_and_place() {
    for (config, what) in [
        ("[walker]\nradius = 0.3\nradius = 0.4\n", "line 3"),
        ("[walker]\n\nraduis = 0.3\n", "line 3: unknown field `raduis`"),
        ("[walker]\nradius = \"wide\"\n", "line 2"),
        ("[walker\n", "line 1"),
        ("[hiker]\n", "line 1: unknown field `hiker`"),
        ("[walker]\nslope = 95\n", "slope must be from 0 to below 90 degrees, not 95"),
        ("[walker]\nradius = -1\n", "radius must be at least 0.01 m, not -1"),
    ] {
        let error = walk(&[], config).unwrap_err();
        assert!(error.contains("config.toml") && error.contains(what), "{config}: {error}");
        assert_eq!(error.lines().count(), 1, "{config}: {error}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn another_file_can_be_named_and_must_exist() {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(&file, "[walker]\nradius = 0.3\n").unwrap();
    let path = file.path().to_str().unwrap();
    assert_eq!(walk(&["--config", path], "[walker]\nradius = 0.2\n").unwrap(), walk(&["--radius", "0.3"], "").unwrap());
    assert!(walk(&["--config", "no/such.toml"], "").unwrap_err().contains("no/such.toml"));
}

#[test]
fn the_readme_lists_each_key() {
    let readme = include_str!("../README.md");
    let listed = readme.split("```toml\n[walker]\n").nth(1).unwrap().split("```").next().unwrap();
    let keys = listed.lines().map(|line| line.split(" =").next().unwrap());
    assert!(keys.eq(SETTINGS.iter().map(|(name, _)| *name)), "{listed}");
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(&file, format!("[walker]\n{listed}")).unwrap();
    walk(&["--config", file.path().to_str().unwrap()], "").unwrap();
}
