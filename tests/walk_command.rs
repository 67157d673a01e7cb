//! `nodetree walk` as a program: recorded inputs in, steps out.

use assert_cmd::cargo::cargo_bin;
use serde_json::Value;

/// A floor of 40 by 40 m at Y 12, far from zero, with a spawn in its middle.
const FLOOR: &str = "\
v 4500000 12 500000\nv 4500040 12 500000\nv 4500040 12 500040\nv 4500000 12 500040
f 1 4 3 2
";
const SPAWN: &str = r#"{"spawn":[4500020,12,500020],"yaw":90}"#;

struct Replay {
    steps: Vec<Value>,
    code: Option<i32>,
    errors: String,
}

fn replay(options: &[&str], inputs: &str) -> Replay {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("floor.obj");
    std::fs::write(&path, FLOOR).unwrap();
    let output = assert_cmd::Command::new(cargo_bin!("nodetree"))
        .arg("walk")
        .arg(&path)
        .args(["--inputs", "-"])
        .args(options)
        .write_stdin(inputs)
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    Replay {
        steps: text.lines().map(|line| serde_json::from_str(line).unwrap()).collect(),
        code: output.status.code(),
        errors: String::from_utf8(output.stderr).unwrap(),
    }
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|number| number.as_f64().unwrap()).collect()
}

#[test]
fn steps_come_out_in_level_coordinates() {
    let inputs = format!(
        "{SPAWN}\n\n{{\"forward\":1,\"repeat\":120}}\n{{\"yaw\":0,\"forward\":1,\"fast\":true,\"repeat\":3}}\n"
    );
    let replay = replay(&[], &inputs);
    assert_eq!((replay.code, &*replay.errors), (Some(0), ""));
    assert_eq!(replay.steps.len(), 123);
    for (number, step) in (1..).zip(&replay.steps) {
        assert_eq!(step["step"], number);
        assert_eq!((&step["grounded"], &step["rescued"]), (&Value::Bool(true), &Value::Bool(false)));
        assert_eq!(step["height"], 1.8);
        let (feet, eye) = (numbers(&step["feet"]), numbers(&step["eye"]));
        assert!((feet[1] - 12.01).abs() < 1e-6 && (eye[1] - feet[1] - 1.65).abs() < 1e-6, "{step}");
        assert!(step["contacts"].as_u64().unwrap() >= 1, "{step}");
    }
    // Yaw 90 is to the left: -X.
    let feet = numbers(&replay.steps[119]["feet"]);
    assert!((feet[0] - 4_500_016.1).abs() < 0.15 && (feet[2] - 500_020.0).abs() < 1e-3, "{feet:?}");
    let velocity = numbers(&replay.steps[119]["velocity"]);
    assert!((velocity[0] + 4.0).abs() < 1e-3, "{velocity:?}");
}

#[test]
fn every_nth_step_and_the_last_are_printed() {
    let inputs = "{}\n{\"repeat\":7}\n{\"jump\":true,\"repeat\":4}\n";
    let numbers = |options: &[&str]| -> Vec<u64> {
        replay(options, inputs).steps.iter().map(|step| step["step"].as_u64().unwrap()).collect()
    };
    assert_eq!(numbers(&["--every", "4"]), [4, 8, 11]);
    assert_eq!(numbers(&["--every", "11"]), [11]);
    assert_eq!(numbers(&["--every", "100"]), [11]);
    assert_eq!(replay(&[], "{}\n").steps.len(), 0);
    // As an editor of Windows keeps it.
    let inputs = format!("\u{feff}{}", inputs.replace('\n', "\r\n"));
    assert_eq!(replay(&[], &inputs).steps.len(), 11);
}

#[test]
fn the_body_is_as_the_options_say() {
    let options = ["--height", "2", "--eye", "1.7", "--radius", "0.5", "--jump", "0.5"];
    let inputs = format!("{SPAWN}\n{{\"repeat\":60}}\n{{\"jump\":true}}\n{{\"repeat\":120}}\n{{\"crouch\":true}}\n");
    let replay = replay(&options, &inputs);
    let y = |step: &Value, what: &str| numbers(&step[what])[1];
    let top = replay.steps.iter().map(|step| y(step, "feet")).fold(0.0, f64::max);
    assert!((top - 12.51).abs() < 2e-3, "{top}");
    let standing = &replay.steps[59];
    assert!((y(standing, "eye") - y(standing, "feet") - 1.7).abs() < 1e-6, "{standing}");
    assert_eq!(standing["height"], 2.0);
    let crouching = replay.steps.last().unwrap();
    assert!((crouching["height"].as_f64().unwrap() - 2.0 * 1.2 / 1.8).abs() < 1e-6, "{crouching}");
}

#[test]
fn flight_starts_where_it_is_told_and_needs_no_ground() {
    let start = r#"{"spawn":[4500020,15,500020],"mode":"fly","collide":true,"pitch":-90}"#;
    let replay = replay(&[], &format!("{start}\n{{\"repeat\":1}}\n{{\"forward\":1,\"speed\":60,\"repeat\":60}}\n"));
    assert_eq!(numbers(&replay.steps[0]["feet"]), [4_500_020.0, 15.0, 500_020.0]);
    let last = replay.steps.last().unwrap();
    assert!((numbers(&last["feet"])[1] - 12.01).abs() < 1e-3, "the floor stops it: {last}");
    assert_eq!(last["grounded"], false);
}

#[test]
fn the_mode_changes_on_the_way() {
    let start = r#"{"spawn":[4500020,12,500020]}"#;
    let lines = [
        start,
        r#"{"repeat":10}"#,
        r#"{"mode":"fly","collide":true,"up":1,"speed":6,"repeat":60}"#,
        r#"{"repeat":60}"#,
        // Through the floor without colliding, and from there up against it.
        r#"{"collide":false,"up":-1,"speed":12,"repeat":60}"#,
        r#"{"collide":true,"up":1,"speed":12,"repeat":120}"#,
        r#"{"collide":false,"up":1,"speed":12,"repeat":60}"#,
        r#"{"mode":"walk","repeat":240}"#,
    ];
    let replay = replay(&[], &lines.join("\n"));
    assert_eq!((replay.code, &*replay.errors), (Some(0), ""));
    let height = |step: usize| numbers(&replay.steps[step - 1]["feet"])[1] - 12.0;
    let grounded = |step: usize| replay.steps[step - 1]["grounded"] == true;
    assert!(grounded(10) && !grounded(11), "it takes off in the very step");
    assert!((height(70) - 3.01).abs() < 1e-3 && height(130) == height(70), "it hovers: {}", height(130));
    assert!((height(190) + 2.99).abs() < 1e-3, "{}", height(190));
    // The head is a skin's width below the floor.
    assert!((height(310) + 1.81).abs() < 1e-3, "{}", height(310));
    assert!((height(370) - 4.19).abs() < 1e-3, "{}", height(370));
    assert!(grounded(610) && (height(610) - 0.01).abs() < 1e-3, "{}", height(610));
}

#[test]
fn a_walker_on_its_way_goes_on_from_just_where_it_was() {
    let start =
        r#"{"spawn":[4500020.5,12.5,500020.25],"velocity":[3,0,-1],"crouched":true,"safe":[4500010,12,500010]}"#;
    let jump = replay(&[], &format!("{start}\n{{\"crouch\":true,\"repeat\":12}}\n"));
    let first = &jump.steps[0];
    let feet = numbers(&first["feet"]);
    for (axis, expected) in [(0, 4_500_020.525), (2, 500_020.25 - 1.0 / 120.0)] {
        assert!((feet[axis] - expected).abs() < 1e-8, "{feet:?}");
    }
    assert!(feet[1] < 12.5 && feet[1] > 12.499 && first["grounded"] == false, "{first}");
    assert!((first["height"].as_f64().unwrap() - 1.2).abs() < 1e-6, "{first}");
    // Off the floor's edge, and back to the safe place.
    let start = r#"{"spawn":[4500039,12.01,500020],"velocity":[8,0,0],"grounded":true,"safe":[4500010,12.01,500010]}"#;
    let fall = replay(
        &["--every", "1000"],
        &format!("{start}\n{{\"yaw\":-90,\"forward\":1,\"repeat\":60}}\n{{\"repeat\":240}}\n"),
    );
    let last = &fall.steps[0];
    assert_eq!((&last["rescued"], &last["grounded"]), (&Value::Bool(true), &Value::Bool(true)));
    assert_eq!(numbers(&last["feet"])[0], 4_500_010.0);
}

#[test]
fn who_never_stood_anywhere_is_brought_to_a_floor() {
    // Beside the floor.
    let replay = replay(&["--every", "1000"], "{\"spawn\":[4499980,30,500020]}\n{\"repeat\":600}\n");
    let last = &replay.steps[0];
    assert_eq!((&last["rescued"], &last["grounded"]), (&Value::Bool(true), &Value::Bool(true)));
    assert!((numbers(&last["feet"])[1] - 12.01).abs() < 1e-3, "{last}");
}

#[test]
fn a_fall_out_of_the_world_is_told_also_between_printed_steps() {
    let inputs = format!("{SPAWN}\n{{\"forward\":1,\"fast\":true,\"repeat\":480}}\n");
    let replay = replay(&["--every", "200"], &inputs);
    assert_eq!(replay.steps.len(), 3);
    assert!(replay.steps.iter().any(|step| step["rescued"] == true), "{:?}", replay.steps);
}

#[test]
fn a_bad_line_is_named() {
    for (inputs, line, what) in [
        ("", "", "is empty"),
        ("nonsense\n", "line 1", ""),
        ("{\"spawn\":[1,2]}\n", "line 1", ""),
        ("{\"spawn\":[1e300,0,0]}\n", "line 1", "too far"),
        ("{}\n{\"forward\":1,\"repeat\":2}\n\n{\"forward\":", "line 4", ""),
        ("{}\n{\"forward\":2}\n", "line 2", "forward must be from -1 to 1"),
        ("{}\n{\"repeat\":0}\n", "line 2", "repeat"),
        ("{}\n{\"repeat\":-1}\n", "line 2", ""),
        ("{}\n{\"repeat\":1000000000000}\n", "line 2", "repeat"),
        ("{}\n{\"speed\":-1}\n", "line 2", "speed"),
        ("{}\n[]\n", "line 2", ""),
        ("{}\n{\"mode\":\"swim\"}\n", "line 2", "swim"),
        ("{\"mode\":\"swim\"}\n", "line 1", "swim"),
        ("{\"velocity\":[0,0,0]}\n", "line 1", "velocity needs a spawn"),
        ("{\"spawn\":[0,0,0],\"grounded\":true}\n", "line 1", "need a velocity"),
        ("{\"spawn\":[0,0,0],\"velocity\":[0,0,0],\"safe\":[1e300,0,0]}\n", "line 1", "safe place is too far"),
    ] {
        let replay = replay(&[], inputs);
        assert_eq!(replay.code, Some(1), "{inputs}");
        assert!(replay.errors.contains(line) && replay.errors.contains(what), "{inputs}: {}", replay.errors);
        assert_eq!(replay.errors.lines().count(), 1, "{}", replay.errors);
    }
    // What came before the bad line was answered.
    assert_eq!(replay(&[], "{}\n{\"repeat\":2}\n{\n").steps.len(), 2);
    let long = format!("{{}}\n{{\"forward\":{}1}}\n", "0".repeat(1 << 20));
    assert!(replay(&[], &long).errors.contains("line 2: longer"), "{}", replay(&[], &long).errors);
}

#[test]
fn settings_that_make_no_sense_and_missing_files_are_one_line() {
    for options in [["--radius", "-1"], ["--slope", "95"], ["--height", "0"], ["--eye", "9"], ["--gravity", "NaN"]] {
        let replay = replay(&options, "{}\n");
        assert_ne!(replay.code, Some(0), "{options:?}");
        assert_eq!(replay.errors.lines().count(), 1, "{options:?}: {}", replay.errors);
    }
    let output = assert_cmd::Command::new(cargo_bin!("nodetree"))
        .args(["walk", "--inputs", "no/such/file.jsonl"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("no/such/file.jsonl"));
}

#[test]
fn any_angle_is_finite_and_a_misspelt_key_is_an_error() {
    let turned = replay(&[], &format!("{SPAWN}\n{{\"yaw\":1e300,\"pitch\":-1e300,\"forward\":1,\"repeat\":9}}\n"));
    assert_eq!(turned.code, Some(0));
    assert_eq!(numbers(&turned.steps[8]["velocity"]).len(), 3);
    let misspelt = replay(&[], &format!("{SPAWN}\n{{\"foward\":1}}\n"));
    assert_eq!(misspelt.code, Some(1));
    assert!(misspelt.errors.contains("line 2") && misspelt.errors.contains("foward"), "{}", misspelt.errors);
}
