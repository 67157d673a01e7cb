//! The window, tried by hand: the real program on a desktop of our own, driven by key and mouse, watched through
//! `--state` and pictures of the screen.
//!
//! Needs Xvfb, openbox, xdotool, wmctrl and ImageMagick's import; without them, or without a graphics adapter, the tests
//! show as ignored, and as failed when `NODETREE_REQUIRE_GPU` is 1. `NODETREE_KEEP_PICTURES` names a folder that keeps what
//! was seen.

mod desktop;
#[path = "desktop/drop.rs"]
mod drop;
#[path = "desktop/levels.rs"]
mod levels;

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::Command;
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::Duration;

use desktop::{Desktop, SCREEN, SIZE, Viewer, difference, missing_tools};
use libtest_mimic::{Arguments, Failed, Trial};
use serde_json::{Value, json};

type Test = fn(&Desktop);

fn main() {
    let tests: &[(&'static str, Test)] = &[
        ("keys_that_move", keys_that_move),
        ("shift_is_faster_and_the_wheel_sets_the_speed", shift_is_faster_and_the_wheel_sets_the_speed),
        ("keys_that_switch", keys_that_switch),
        ("what_is_hidden_is_left_out_and_drawn", what_is_hidden_is_left_out_and_drawn),
        ("the_tree_is_switched_in_the_background", the_tree_is_switched_in_the_background),
        ("walking_jumping_and_crouching", walking_jumping_and_crouching),
        ("walking_begins_and_ends", walking_begins_and_ends),
        ("colliding_stops_flight_at_a_wall", colliding_stops_flight_at_a_wall),
        ("freezing_keeps_what_is_drawn", freezing_keeps_what_is_drawn),
        ("a_bookmark_is_set_and_visited", levels::a_bookmark_is_set_and_visited),
        ("the_level_is_loaded_again", levels::the_level_is_loaded_again),
        ("a_broken_level_leaves_the_old_one", levels::a_broken_level_leaves_the_old_one),
        ("a_dropped_level_is_opened", levels::a_dropped_level_is_opened),
        ("a_watched_level_is_loaded_when_it_changes", levels::a_watched_level_is_loaded_when_it_changes),
        ("a_walk_is_recorded_and_replayed_to_the_bit", a_walk_is_recorded_and_replayed_to_the_bit),
        ("a_key_or_escape_takes_over_from_a_replay", a_key_or_escape_takes_over_from_a_replay),
        ("closing_the_window_keeps_the_recording", closing_the_window_keeps_the_recording),
        ("third_person_follows_and_keeps_out_of_walls", third_person_follows_and_keeps_out_of_walls),
        ("the_debug_view_shows_the_walker", the_debug_view_shows_the_walker),
        ("the_camera_is_printed", the_camera_is_printed),
        ("pictures_are_saved", pictures_are_saved),
        ("the_mouse_looks_once_captured", the_mouse_looks_once_captured),
        ("dragging_looks", dragging_looks),
        ("the_mouse_looks_as_far_as_one_wants", the_mouse_looks_as_far_as_one_wants),
        ("balls_are_thrown_and_come_to_rest", balls_are_thrown_and_come_to_rest),
        ("props_are_counted_by_where_one_looks", props_are_counted_by_where_one_looks),
        ("a_scene_moves_and_tells", a_scene_moves_and_tells),
        ("a_marked_point_is_in_sight_until_something_hides_it", a_marked_point_is_in_sight_until_something_hides_it),
        ("full_screen_and_back", full_screen_and_back),
        ("every_size_is_survived", every_size_is_survived),
        ("minimising_is_survived", minimising_is_survived),
        ("losing_the_focus_releases_everything", losing_the_focus_releases_everything),
        ("escape_twice_quits", escape_twice_quits),
        ("the_window_manager_closes_it", the_window_manager_closes_it),
        ("an_idle_window_rests", an_idle_window_rests),
        ("a_state_that_cannot_be_written_is_an_error", a_state_that_cannot_be_written_is_an_error),
        ("a_path_that_makes_no_sense_is_an_error", a_path_that_makes_no_sense_is_an_error),
    ];
    let mut arguments = Arguments::from_args();
    // There is one keyboard.
    arguments.test_threads = Some(1);
    let desktop: Arc<OnceLock<Desktop>> = Arc::default();
    let missing = why_not();
    let required = std::env::var_os("NODETREE_REQUIRE_GPU").is_some_and(|value| value == "1");
    let mut trials: Vec<Trial> = tests
        .iter()
        .map(|&(name, test)| match &missing {
            Some(missing) => {
                let missing = missing.clone();
                Trial::test(name, move || Err(Failed::from(missing))).with_ignored_flag(!required)
            }
            None => {
                let desktop = Arc::clone(&desktop);
                Trial::test(name, move || caught(|| test(desktop.get_or_init(Desktop::start))))
            }
        })
        .collect();
    trials.push(Trial::test("the_help_lists_every_key", || caught(the_help_lists_every_key)));
    let no_adapter = nodetree::render::adapters().is_empty();
    trials.push(
        Trial::test("without_a_display_there_is_a_picture", || caught(without_a_display_there_is_a_picture))
            .with_ignored_flag(no_adapter && !required),
    );
    trials.push(
        Trial::test("without_display_and_driver_there_is_one_line", || {
            caught(without_display_and_driver_there_is_one_line)
        })
        .with_ignored_flag(!cfg!(target_os = "linux")),
    );
    let conclusion = libtest_mimic::run(&arguments, trials);
    // Exiting runs no destructors, and the server would live on.
    drop(desktop);
    conclusion.exit();
}

/// Why the window cannot be tried here; `None` when it can.
fn why_not() -> Option<String> {
    let tools = missing_tools();
    if !tools.is_empty() {
        return Some(format!("these are not installed: {}", tools.join(", ")));
    }
    nodetree::render::adapters().is_empty().then(|| "there is no graphics adapter".to_owned())
}

fn caught(test: impl FnOnce()) -> Result<(), Failed> {
    catch_unwind(AssertUnwindSafe(test)).map_err(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        text.or_else(|| panic.downcast_ref::<&str>().map(|&text| text.to_owned())).unwrap_or_default().into()
    })
}

/// A position of the state.
fn point(value: &Value) -> [f64; 3] {
    [0, 1, 2].map(|axis| value[axis].as_f64().expect("a number"))
}

fn distance(one: [f64; 3], other: [f64; 3]) -> f64 {
    [0, 1, 2].iter().map(|&axis| (one[axis] - other[axis]).powi(2)).sum::<f64>().sqrt()
}

fn keys_that_move(desktop: &Desktop) {
    let mut viewer = Viewer::open(desktop, &["--camera", "0.5,3,15,0,0"]);
    // Looking along -Z: the axis, the direction, and its keys.
    for (keys, axis, direction) in [
        (["w", "Up"], 2, -1.0),
        (["s", "Down"], 2, 1.0),
        (["a", "Left"], 0, -1.0),
        (["d", "Right"], 0, 1.0),
        (["space", "space"], 1, 1.0),
        (["Control_L", "Control_R"], 1, -1.0),
    ] {
        for key in keys {
            let before = point(&viewer.state()["position"]);
            viewer.hands(&["keydown", key]);
            viewer.wait_for(&format!("{key} to move along axis {axis}"), |state| {
                let way = point(&state["position"])[axis] - before[axis];
                way * direction > 0.3
            });
            viewer.hands(&["keyup", key]);
            let stopped = still(&mut viewer);
            for other in [0, 1, 2].into_iter().filter(|&other| other != axis) {
                assert!((stopped[other] - before[other]).abs() < 1e-3, "{key}: {before:?} to {stopped:?}");
            }
        }
    }
}

/// Waits until the position stays, and gives it.
fn still(viewer: &mut Viewer<'_>) -> [f64; 3] {
    loop {
        let frame = viewer.state()["time_ms"].as_f64().expect("a time");
        let before = point(&viewer.state()["position"]);
        let after = viewer.wait_for("two more lines", |state| state["time_ms"].as_f64() > Some(frame + 300.0));
        if point(&after["position"]) == before {
            return before;
        }
    }
}

fn shift_is_faster_and_the_wheel_sets_the_speed(desktop: &Desktop) {
    let mut viewer = Viewer::open(desktop, &["--camera", "0.5,3,30,0,0"]);
    let slow = speed_of(&mut viewer, &["w"]);
    let fast = speed_of(&mut viewer, &["Shift_L", "w"]);
    assert!(fast > 2.0 * slow, "{slow} m/s and {fast} m/s");
    let before = viewer.state()["speed"].as_f64().expect("a speed");
    viewer.hands(&["click", "4"]);
    let up = viewer.wait_for("a higher speed", |state| state["speed"].as_f64() > Some(before));
    viewer.hands(&["click", "5", "click", "5"]);
    viewer.wait_for("a lower speed", |state| state["speed"].as_f64() < Some(before));
    assert!(up["message"].as_str().expect("a message").contains("m/s"), "{up}");
}

/// Metres a second while the keys are held, as the states tell.
fn speed_of(viewer: &mut Viewer<'_>, keys: &[&str]) -> f64 {
    let start = still(viewer);
    for key in keys {
        viewer.hands(&["keydown", key]);
    }
    let first = viewer.wait_for("motion", |state| distance(point(&state["position"]), start) > 0.1);
    let from = first["time_ms"].as_f64().expect("a time");
    let last = viewer.wait_for("half a second", |state| state["time_ms"].as_f64() > Some(from + 500.0));
    for key in keys {
        viewer.hands(&["keyup", key]);
    }
    let seconds = (last["time_ms"].as_f64().expect("a time") - from) / 1000.0;
    distance(point(&last["position"]), point(&first["position"])) / seconds
}

fn keys_that_switch(desktop: &Desktop) {
    let mut viewer = Viewer::open(desktop, &[]);
    // With the part of the picture that changes at least.
    for (key, field, at_start, part) in [
        ("b", "boxes", false, 0.005),
        ("l", "wireframe", false, 0.2),
        ("h", "hud", true, 0.05),
        ("F1", "help", false, 0.1),
        ("f", "frozen", false, 0.005),
    ] {
        assert_eq!(viewer.state()[field], at_start, "{field}");
        let before = viewer.picture();
        viewer.press(key);
        viewer.wait_for_field(field, !at_start);
        let after = viewer.wait_for_change(key, &before, part);
        viewer.press(key);
        viewer.wait_for_field(field, at_start);
        viewer.wait_for_change(key, &after, part);
    }
}

/// The picture is the same with and without what is hidden; fewer triangles are drawn.
fn what_is_hidden_is_left_out_and_drawn(desktop: &Desktop) {
    let mut viewer = Viewer::open(desktop, &["--occlusion", "on"]);
    viewer.press("h");
    viewer.wait_for_field("hud", false);
    let with = viewer.wait_for("something hidden", |state| state["nodes"]["hidden"].as_u64() > Some(0));
    assert_eq!(with["occlusion"], true);
    let before = viewer.picture();
    viewer.press("u");
    viewer.wait_for_field("occlusion", false);
    let without = viewer.wait_for("all that is in view", |state| state["nodes"]["hidden"] == 0);
    assert!(without["triangles"]["drawn"].as_u64() > with["triangles"]["drawn"].as_u64());
    assert!(before == viewer.picture(), "the picture changed");
}

fn the_tree_is_switched_in_the_background(desktop: &Desktop) {
    // What is hidden depends on the frame before, and so do the nodes that are visited.
    let mut viewer = Viewer::open(desktop, &["--tree", "quadtree", "--occlusion", "off"]);
    let quadtree = viewer.wait_for_field("mode", "quadtree");
    viewer.press("t");
    let octree = viewer.wait_for_field("mode", "octree");
    assert_eq!(octree["triangles"]["all"], quadtree["triangles"]["all"]);
    let octree = viewer.wait_for("a frame with the octree", |state| state["frame"].as_u64() > octree["frame"].as_u64());
    assert_ne!(octree["nodes"], quadtree["nodes"]);
    assert_eq!(octree["rebuilding"], false);
    viewer.press("t");
    let again = viewer.wait_for_field("mode", "quadtree");
    viewer.wait_for("the same nodes as at first", |state| {
        state["frame"].as_u64() > again["frame"].as_u64() && state["nodes"] == quadtree["nodes"]
    });
}

fn walking_jumping_and_crouching(desktop: &Desktop) {
    let mut viewer = Viewer::open(desktop, &["--walk"]);
    let standing = viewer.wait_for_field("grounded", true);
    assert_eq!(standing["moving"], "walk");
    let [_, floor, z] = still(&mut viewer);
    assert!((0.0..0.05).contains(&floor), "{floor}");
    let eye = |state: &Value| point(&state["eye"])[1] - floor;
    assert!((eye(&viewer.state()) - 1.65).abs() < 0.01);

    viewer.hands(&["keydown", "w"]);
    viewer.wait_for("a walk", |state| point(&state["position"])[2] < z - 1.0 && state["grounded"] == true);
    viewer.hands(&["keyup", "w"]);
    still(&mut viewer);

    viewer.hands(&["keydown", "space"]);
    viewer.wait_for("a jump", |state| point(&state["position"])[1] > floor + 0.5 && state["grounded"] == false);
    viewer.hands(&["keyup", "space"]);
    viewer.wait_for_field("grounded", true);

    viewer.hands(&["keydown", "Control_L"]);
    viewer.wait_for("a crouch", |state| state["crouched"] == true && eye(state) < 1.2);
    viewer.hands(&["keyup", "Control_L"]);
    viewer.wait_for("standing up", |state| state["crouched"] == false && eye(state) > 1.6);
}

fn walking_begins_and_ends(desktop: &Desktop) {
    let mut viewer = Viewer::open(desktop, &["--camera", "0.5,6,15,0,0"]);
    viewer.wait_for_field("moving", "fly");
    viewer.press("g");
    viewer.wait_for("a fall to the floor", |state| {
        state["moving"] == "walk" && state["grounded"] == true && point(&state["position"])[1] < 0.05
    });
    viewer.press("g");
    viewer.wait_for_field("moving", "fly");
    let [_, height, _] = still(&mut viewer);
    assert!((height - 1.65).abs() < 0.1, "it hovers with the eye at {height}");
}

fn colliding_stops_flight_at_a_wall(desktop: &Desktop) {
    // Three metres before the wall, whose face is at -40.
    let mut viewer = Viewer::open(desktop, &["--camera", "0.5,3,-37,0,0"]);
    viewer.press("c");
    viewer.wait_for_field("collide", true);
    viewer.hands(&["keydown", "w"]);
    viewer.wait_for("the wall", |state| point(&state["position"])[2] < -39.5);
    thread::sleep(Duration::from_millis(700));
    let stopped = point(&viewer.state()["position"])[2];
    assert!(stopped > -39.7, "the body is 0.35 m thick, but the eye is at {stopped}");
    viewer.press("c");
    viewer.wait_for("the way through", |state| point(&state["position"])[2] < -42.0);
    viewer.hands(&["keyup", "w"]);
}

fn freezing_keeps_what_is_drawn(desktop: &Desktop) {
    let mut viewer = Viewer::open(desktop, &[]);
    viewer.press("f");
    let frozen = viewer.wait_for_field("frozen", true);
    let before = viewer.picture();
    viewer.hands(&["keydown", "s", "keydown", "space"]);
    viewer.wait_for("the eye to leave", |state| distance(point(&state["eye"]), point(&frozen["eye"])) > 6.0);
    viewer.hands(&["keyup", "s", "keyup", "space"]);
    still(&mut viewer);
    viewer.wait_for_change("the frustum from outside", &before, 0.2);
    let outside = viewer.state();
    assert_eq!(outside["nodes"], frozen["nodes"]);
    assert_eq!(outside["triangles"], frozen["triangles"]);
    viewer.press("f");
    viewer.wait_for("culling from here", |state| state["frozen"] == false && state["nodes"] != frozen["nodes"]);
}

/// Holds keys for a time.
fn hold(viewer: &Viewer<'_>, keys: &[&str], time: Duration) {
    for key in keys {
        viewer.hands(&["keydown", key]);
    }
    thread::sleep(time);
    for key in keys {
        viewer.hands(&["keyup", key]);
    }
}

fn a_walk_is_recorded_and_replayed_to_the_bit(desktop: &Desktop) {
    let mut viewer = Viewer::open(desktop, &["--walk"]);
    viewer.wait_for_field("grounded", true);
    let before = viewer.picture();
    viewer.press("o");
    let begun = viewer.wait_for_field("recording", true);
    assert!(begun["message"].as_str().expect("a message").contains("nodetree-path-001.jsonl"), "{begun}");
    let half_a_second = Duration::from_millis(500);
    hold(&viewer, &["w", "a"], half_a_second);
    viewer.hands(&["mousedown", "3", "mousemove_relative", "--", "-90", "15", "mouseup", "3"]);
    hold(&viewer, &["w", "space"], half_a_second);
    // Up and away, along the floor, and down again.
    viewer.press("g");
    viewer.wait_for_field("moving", "fly");
    viewer.press("c");
    hold(&viewer, &["space", "Shift_L"], half_a_second);
    viewer.hands(&["click", "4"]);
    hold(&viewer, &["d", "w"], half_a_second);
    viewer.wait_for_change("the mark of the recording", &before, 0.001);
    viewer.press("g");
    viewer.wait_for_field("grounded", true);
    let end = still(&mut viewer);
    let last = viewer.state();
    viewer.press("o");
    let told = viewer.wait_for_field("recording", false);
    assert!(told["message"].as_str().expect("a message").contains("nodetree-path-001.jsonl"), "{told}");
    let path = viewer.folder().join("nodetree-path-001.jsonl");
    let path = path.to_str().expect("UTF-8");

    let mut other = Viewer::open(desktop, &["--replay", path]);
    let replaying = other.wait_for_field("replaying", true);
    assert!(replaying["replayed_steps"][1].as_u64() >= last["recorded_steps"].as_u64(), "{replaying}");
    let over = other.wait_for_field("replaying", false);
    assert!(over["message"].as_str().expect("a message").contains("over"), "{over}");
    assert_eq!((still(&mut other), &other.state()["moving"]), (end, &json!("walk")));
    assert_eq!((&other.state()["yaw"], &other.state()["pitch"]), (&last["yaw"], &last["pitch"]));
    hold(&other, &["w"], half_a_second);
    other.wait_for("the keys to move it", |state| distance(point(&state["position"]), end) > 0.5);

    // The same on the command line.
    let output = Command::new(env!("CARGO_BIN_EXE_nodetree"))
        .current_dir(viewer.folder())
        .args(["walk", "level.obj", "--inputs", path, "--every", "1000000"])
        .output()
        .expect("nodetree starts");
    let line: Value = serde_json::from_slice(&output.stdout).expect("one line");
    assert_eq!(point(&line["feet"]), end, "{line}");
}

/// A path of a walk straight on for a minute.
fn long_path(folder: &std::path::Path) -> String {
    let path = folder.join("long.jsonl");
    fs::write(&path, "{\"spawn\":[0.5,0,35],\"yaw\":0}\n{\"forward\":0.1,\"repeat\":7200}\n").expect("it is written");
    path.to_str().expect("UTF-8").to_owned()
}

fn a_key_or_escape_takes_over_from_a_replay(desktop: &Desktop) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = long_path(folder.path());
    for key in ["a", "Escape", "g"] {
        let mut viewer = Viewer::open(desktop, &["--replay", &path]);
        let start = viewer.wait_for_field("replaying", true);
        viewer.wait_for("motion", |state| point(&state["position"])[2] < point(&start["position"])[2] - 0.1);
        // The mouse looks aside, and the walk goes straight on.
        viewer.hands(&["mousedown", "3", "mousemove_relative", "--", "-60", "0", "mouseup", "3"]);
        let aside = viewer.wait_for("a look aside", |state| state["yaw"].as_f64() > Some(5.0));
        assert_eq!((&aside["replaying"], point(&aside["position"])[0]), (&json!(true), 0.5), "{aside}");
        viewer.press(key);
        let taken = viewer.wait_for_field("replaying", false);
        assert!(taken["message"].as_str().expect("a message").contains("took over"), "{taken}");
        let rests = still(&mut viewer);
        assert!((viewer.state()["yaw"].as_f64().expect("an angle") - aside["yaw"].as_f64().expect("one")).abs() < 1e-3);
        hold(&viewer, &["w"], Duration::from_millis(300));
        viewer.wait_for("the keys to move it", |state| distance(point(&state["position"]), rests) > 0.3);
    }
}

fn closing_the_window_keeps_the_recording(desktop: &Desktop) {
    let mut viewer = Viewer::open(desktop, &["--walk"]);
    viewer.wait_for_field("grounded", true);
    viewer.press("o");
    viewer.wait_for("half a second", |state| state["recorded_steps"].as_u64() > Some(60));
    hold(&viewer, &["w"], Duration::from_millis(300));
    let steps = viewer.state()["recorded_steps"].as_u64().expect("a number");
    viewer.manage(&["-c"]);
    assert_eq!(viewer.ended().code(), Some(0), "{}", viewer.text("errors.txt"));
    let path = viewer.text("nodetree-path-001.jsonl");
    let repeats = path.lines().skip(1).map(|line| {
        let line: Value = serde_json::from_str(line).expect("whole lines");
        line["repeat"].as_u64().unwrap_or(1)
    });
    assert!(repeats.sum::<u64>() >= steps, "{path}");
}

fn third_person_follows_and_keeps_out_of_walls(desktop: &Desktop) {
    let mut viewer = Viewer::open(desktop, &["--walk"]);
    viewer.wait_for_field("grounded", true);
    let before = viewer.picture();
    viewer.press("v");
    viewer.wait_for_field("third_person", true);
    viewer.wait_for("a place behind", |state| {
        let (eye, camera) = (point(&state["eye"]), point(&state["camera"]));
        camera[2] > eye[2] + 3.9 && camera[1] > eye[1] + 0.3
    });
    viewer.wait_for_change("the body", &before, 0.1);
    viewer.press("v");
    viewer.wait_for("the eye again", |state| state["third_person"] == false && state["camera"] == state["eye"]);

    // With the back to the wall, whose face is at 40, and in flight as well.
    let mut viewer = Viewer::open(desktop, &["--camera", "0.5,3,39,0,0"]);
    viewer.press("v");
    let state = viewer.wait_for("the wall", |state| point(&state["camera"])[2] > 39.7);
    thread::sleep(Duration::from_millis(500));
    let stopped = point(&viewer.state()["camera"])[2];
    assert!(stopped < 39.93, "{stopped}, {state}");
}

fn the_debug_view_shows_the_walker(desktop: &Desktop) {
    // The colour of contacts.
    let contact = |picture: &image::RgbaImage| {
        let is_near =
            |pixel: &image::Rgba<u8>| [255, 235, 60].iter().zip(pixel.0).all(|(&one, other)| other.abs_diff(one) < 8);
        picture.pixels().filter(|pixel| is_near(pixel)).count()
    };
    let mut viewer = Viewer::open(desktop, &["--walk"]);
    viewer.wait_for_field("grounded", true);
    viewer.press("v");
    viewer.wait_for("a place behind", |state| point(&state["camera"])[2] > point(&state["eye"])[2] + 3.9);
    assert_eq!(viewer.state()["debug_view"], "off");
    let before = viewer.picture();
    viewer.press("n");
    viewer.wait_for_field("debug_view", "walker");
    // The message goes after a while, and uncovers the feet.
    viewer.wait_for_field("message", Value::Null);
    let shown = viewer.wait_for_change("the contact below the feet", &before, 0.0005);
    assert!(contact(&before) == 0 && contact(&shown) > 10, "{} and {}", contact(&before), contact(&shown));

    // Frozen, the walker stays to be seen from outside.
    viewer.press("v");
    viewer.press("f");
    viewer.wait_for_field("frozen", true);
    viewer.press("g");
    hold(&viewer, &["s"], Duration::from_millis(600));
    still(&mut viewer);
    let outside = viewer.picture();
    for next in ["cells", "overdraw", "depth", "normals", "off"] {
        viewer.press("n");
        viewer.wait_for_field("debug_view", next);
    }
    viewer.wait_for_field("message", Value::Null);
    let without = viewer.wait_for_change("the end of the debug view", &outside, 0.0005);
    assert!(contact(&without) == 0 && contact(&outside) > 5, "{} and {}", contact(&without), contact(&outside));
}

fn the_camera_is_printed(desktop: &Desktop) {
    let mut viewer = Viewer::open(desktop, &["--camera", "-3.5,2.25,15,30,-10"]);
    viewer.press("p");
    viewer.wait_for("the message", |state| {
        state["message"].as_str().is_some_and(|message| message.contains("--camera -3.500,2.250,15.000,30.00,-10.00"))
    });
    assert_eq!(viewer.text("out.txt"), "--camera -3.500,2.250,15.000,30.00,-10.00\n");
    viewer.press("F2");
    viewer.wait_for_field("message", "copied what a bug report needs");
    let report = viewer.text("out.txt");
    let state = viewer.state();
    let adapter = state["adapter"].as_str().expect("a name");
    for fact in [env!("CARGO_PKG_VERSION"), adapter, "level.obj", "view level.obj", "--camera -3.500,2.250,15.000"] {
        assert!(report.contains(fact), "{fact} in {report}");
    }
}

fn pictures_are_saved(desktop: &Desktop) {
    let mut viewer = Viewer::open(desktop, &[]);
    for (key, name) in [("F12", "nodetree-001.png"), ("shift+F12", "nodetree-002.png"), ("F12", "nodetree-003.png")] {
        viewer.press(key);
        viewer.wait_for(name, |state| state["message"].as_str().is_some_and(|message| message.contains(name)));
    }
    let [shown, plain, again] = ["001", "002", "003"].map(|number| {
        let path = viewer.folder().join(format!("nodetree-{number}.png"));
        image::open(path).expect("a picture").to_rgba8()
    });
    assert_eq!(shown.dimensions(), SIZE);
    assert!(difference(&shown, &plain) > 0.05, "the numbers are missing");
    assert!(difference(&shown, &again) < 0.1, "two of the same");
    // The sky above is blue, and the plain picture has nothing else there.
    let [red, _, blue, alpha] = plain.get_pixel(20, 5).0;
    assert!(blue > red && alpha == 255, "{:?}", plain.get_pixel(20, 5));
}

fn the_mouse_looks_once_captured(desktop: &Desktop) {
    let mut viewer = Viewer::open(desktop, &[]);
    let start = viewer.state();
    viewer.point_at(40, 0);
    thread::sleep(Duration::from_millis(500));
    assert_eq!(viewer.state()["yaw"], start["yaw"], "a free mouse does not look");
    viewer.hands(&["click", "1"]);
    viewer.wait_for_field("captured", true);
    viewer.hands(&["mousemove_relative", "50", "20"]);
    viewer.wait_for("a look to the right and down", |state| {
        state["yaw"].as_f64() < Some(-5.0) && state["pitch"].as_f64() < Some(-2.0)
    });
    // Farther than the window is wide: the pointer is brought back to the middle.
    for _ in 0..12 {
        viewer.hands(&["mousemove_relative", "--", "-100", "0"]);
        thread::sleep(Duration::from_millis(150));
    }
    viewer.wait_for("a look far to the left", |state| state["yaw"].as_f64() > Some(120.0));
    viewer.press("Escape");
    viewer.wait_for_field("captured", false);
}

fn balls_are_thrown_and_come_to_rest(desktop: &Desktop) {
    // Onto the courtyard's ground before the eye.
    let mut viewer = Viewer::open(desktop, &["--camera", "0.5,3,15,0,-40"]);
    assert_eq!(viewer.state()["props"], json!({"drawn": 0, "all": 0}));
    viewer.hands(&["click", "1"]);
    viewer.wait_for_field("captured", true);
    assert_eq!(viewer.state()["balls"], 0, "the first click only captures");
    let empty = viewer.picture();
    for count in 1..=3 {
        viewer.hands(&["click", "1"]);
        viewer.wait_for_field("balls", count);
    }
    viewer.wait_for_change("the balls", &empty, 0.001);
    // They lie still after a while, and no frame is drawn any more.
    let mut frame = viewer.state()["frame"].clone();
    loop {
        thread::sleep(Duration::from_secs(1));
        let now = viewer.state()["frame"].clone();
        if now == frame {
            break;
        }
        frame = now;
    }
    assert_eq!(viewer.state()["props"]["all"], 3);
}

fn props_are_counted_by_where_one_looks(desktop: &Desktop) {
    let mut viewer = Viewer::open(desktop, &["--props", "100"]);
    let counts = |state: &Value| (state["props"]["drawn"].as_u64().unwrap(), state["props"]["all"].as_u64().unwrap());
    let (drawn, all) = counts(&viewer.state());
    assert!(drawn > 0 && drawn < all && all == 100, "{drawn} of {all}");
    // Up into the sky, where none stands.
    viewer.hands(&["mousedown", "3"]);
    for _ in 0..8 {
        viewer.hands(&["mousemove_relative", "--", "0", "-60"]);
        viewer.hands(&["mouseup", "3"]);
        viewer.hands(&["mousemove_relative", "--", "0", "60"]);
        viewer.hands(&["mousedown", "3"]);
    }
    viewer.hands(&["mouseup", "3"]);
    viewer.wait_for("no prop in view", |state| counts(state) == (0, 100));
}

fn a_scene_moves_and_tells(desktop: &Desktop) {
    let scene = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/scenes/eight-rooms.toml");
    let mut viewer = Viewer::open_level(desktop, scene, &["--camera", "rider"]);
    // It rides along on the carousel.
    let from = viewer.state();
    assert_eq!((&from["scene_camera"], &from["triggers"]), (&json!("rider"), &json!([])));
    let start = point(&from["camera"]);
    viewer.wait_for("it moves", |state| distance(point(&state["camera"]), start) > 1.0);
    assert!((point(&viewer.state()["camera"])[1] - start[1]).abs() < 1e-3);
    // A key leaves it.
    hold(&viewer, &["w"], Duration::from_millis(300));
    viewer.wait_for_field("scene_camera", Value::Null);
    drop(viewer);
    let mut viewer = Viewer::open_level(desktop, scene, &["--camera", "13,1.6,-13,0,0"]);
    viewer.wait_for_field("triggers", json!(["the stage"]));
    viewer.wait_for("it is told", |state| state["message"] == "you entered the stage");
}

fn dragging_looks(desktop: &Desktop) {
    let mut viewer = Viewer::open(desktop, &[]);
    viewer.hands(&["mousedown", "3"]);
    viewer.hands(&["mousemove_relative", "--", "-60", "0"]);
    let turned = viewer.wait_for("a look to the left", |state| state["yaw"].as_f64() > Some(5.0));
    assert_eq!(turned["captured"], false);
    viewer.hands(&["mouseup", "3"]);
}

fn the_mouse_looks_as_far_as_one_wants(desktop: &Desktop) {
    let turned = |options: &[&str]| {
        let mut viewer = Viewer::open(desktop, options);
        viewer.hands(&["mousedown", "3", "mousemove_relative", "--", "-60", "40", "mouseup", "3"]);
        let state = viewer.wait_for("a look to the left", |state| state["yaw"].as_f64() > Some(3.0));
        [&state["yaw"], &state["pitch"]].map(|angle| angle.as_f64().expect("an angle"))
    };
    let usual = turned(&[]);
    assert!(usual[1] < -3.0, "down: {usual:?}");
    let other = turned(&["--invert-y", "--mouse-sensitivity", "0.5"]);
    for (one, wanted) in other.iter().zip([0.5 * usual[0], -0.5 * usual[1]]) {
        assert!((one - wanted).abs() < 1e-3, "{usual:?} and {other:?}");
    }
}

fn a_marked_point_is_in_sight_until_something_hides_it(desktop: &Desktop) {
    // Before the wall, looking at it from a metre away.
    let mut viewer = Viewer::open(desktop, &["--camera", "0.5,5,-39,0,0"]);
    let met = viewer.state();
    assert_eq!(met["crosshair"]["material"], "wall", "{met}");
    assert!((met["crosshair"]["distance"].as_f64().expect("a distance") - 1.0).abs() < 1e-3, "{met}");
    assert!(met["crosshair"]["triangle"].is_u64(), "{met}");
    assert!(met["height_below"].as_f64().expect("the floor").abs() < 1e-5, "{met}");
    assert_eq!(met["height_above"], Value::Null);
    assert_eq!(met["mark"], Value::Null);
    viewer.hands(&["click", "2"]);
    let marked = viewer.wait_for("the mark", |state| !state["mark"].is_null());
    assert_eq!(marked["mark"]["in_sight"], true, "{marked}");
    // Through the wall.
    viewer.hands(&["keydown", "w"]);
    viewer.wait_for("the mark to be hidden", |state| state["mark"]["in_sight"] == false);
    viewer.hands(&["keyup", "w"]);
    viewer.hands(&["click", "2"]);
    viewer.wait_for_field("mark", Value::Null);
}

fn full_screen_and_back(desktop: &Desktop) {
    let mut viewer = Viewer::open(desktop, &[]);
    viewer.press("F11");
    viewer.wait_for("the whole screen", |state| {
        state["full_screen"] == true && state["size"] == json!([SCREEN.0, SCREEN.1])
    });
    viewer.press("F11");
    viewer.wait_for("the old size", |state| state["full_screen"] == false && state["size"] == json!([SIZE.0, SIZE.1]));
}

fn every_size_is_survived(desktop: &Desktop) {
    let mut viewer = Viewer::open(desktop, &[]);
    for (width, height) in [(400, 500), (64, 48), (1, 1), (900, 600), (321, 123)] {
        let frame = viewer.state()["frame"].as_u64();
        viewer.hands(&["windowsize", &viewer.id.clone(), &width.to_string(), &height.to_string()]);
        // A window manager may refuse sizes that leave no title.
        viewer.wait_for("another frame", |state| state["frame"].as_u64() > frame);
    }
    viewer.wait_for_field("size", json!([321, 123]));
    assert_eq!(viewer.picture().dimensions(), (321, 123));
}

fn minimising_is_survived(desktop: &Desktop) {
    let mut viewer = Viewer::open(desktop, &[]);
    for _ in 0..2 {
        viewer.hands(&["windowminimize", &viewer.id.clone()]);
        viewer.wait_for_field("focused", false);
        thread::sleep(Duration::from_millis(500));
        viewer.manage(&["-a"]);
        viewer.wait_for_field("focused", true);
    }
    let frame = viewer.state()["frame"].as_u64();
    viewer.press("b");
    viewer.wait_for("a frame with boxes", |state| state["boxes"] == true && state["frame"].as_u64() > frame);
}

fn losing_the_focus_releases_everything(desktop: &Desktop) {
    let mut viewer = Viewer::open(desktop, &["--camera", "0.5,3,15,0,0"]);
    viewer.hands(&["click", "1"]);
    viewer.wait_for_field("captured", true);
    let start = point(&viewer.state()["position"]);
    viewer.hands(&["keydown", "w"]);
    viewer.wait_for("motion", |state| distance(point(&state["position"]), start) > 0.3);
    // A new window takes the focus.
    let other = Viewer::open(desktop, &[]);
    let unfocused = viewer.wait_for_field("focused", false);
    assert_eq!(unfocused["captured"], false);
    let stopped = still(&mut viewer);
    // Released where the first window does not hear of it.
    viewer.hands(&["keyup", "w"]);
    drop(other);
    viewer.manage(&["-a"]);
    viewer.wait_for_field("focused", true);
    assert_eq!(still(&mut viewer), stopped);
}

fn escape_twice_quits(desktop: &Desktop) {
    let mut viewer = Viewer::open(desktop, &[]);
    viewer.hands(&["click", "1"]);
    viewer.wait_for_field("captured", true);
    viewer.press("Escape");
    viewer.wait_for_field("captured", false);
    viewer.press("Escape");
    assert_eq!(viewer.ended().code(), Some(0), "{}", viewer.text("errors.txt"));
}

fn the_window_manager_closes_it(desktop: &Desktop) {
    let mut viewer = Viewer::open(desktop, &[]);
    viewer.manage(&["-c"]);
    assert_eq!(viewer.ended().code(), Some(0), "{}", viewer.text("errors.txt"));
}

fn an_idle_window_rests(desktop: &Desktop) {
    // Also while somebody looks after the files of the level.
    let mut viewer = Viewer::open(desktop, &["--watch"]);
    still(&mut viewer);
    let before = viewer.state();
    let used = processor_ticks(viewer.pid());
    thread::sleep(Duration::from_secs(2));
    let ticks = processor_ticks(viewer.pid()) - used;
    let after = viewer.state();
    assert_eq!(after["frame"], before["frame"], "nothing changed");
    assert!(after["time_ms"].as_f64() > before["time_ms"].as_f64(), "the state goes on");
    // Of 200 in two seconds; a state is written ten times.
    assert!(ticks <= 20, "{ticks} ticks of processor time");
}

/// Processor time that a process has used so far, in ticks of 10 ms.
fn processor_ticks(pid: u32) -> u64 {
    let text = fs::read_to_string(format!("/proc/{pid}/stat")).expect("a running process");
    // After the name, which stands in brackets: user and system time are the fields 14 and 15 of the line.
    let fields: Vec<&str> = text.rsplit(')').next().expect("a name").split_whitespace().collect();
    [11, 12].iter().map(|&field| fields[field].parse::<u64>().expect("a number")).sum()
}

fn a_state_that_cannot_be_written_is_an_error(desktop: &Desktop) {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("level.obj"), "v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 2 3\n").expect("a level");
    let output = desktop
        .command(env!("CARGO_BIN_EXE_nodetree"))
        .current_dir(folder.path())
        .args(["view", "level.obj", "--state", "there/is/no/such/folder"])
        .output()
        .expect("nodetree starts");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{errors}");
    assert!(errors.contains("there/is/no/such/folder"), "{errors}");
}

fn a_path_that_makes_no_sense_is_an_error(desktop: &Desktop) {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("path.jsonl"), "{}\n{\"forward\":1}\n{\"forward\":9}\n").expect("a path");
    for (path, said) in [("path.jsonl", "path.jsonl, line 3: forward"), ("none.jsonl", "none.jsonl")] {
        let mut command = desktop.command(env!("CARGO_BIN_EXE_nodetree"));
        let output = command.current_dir(folder.path()).args(["view", "--replay", path]).output().expect("it starts");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{errors}");
        assert!(errors.contains(said) && errors.lines().count() == 1, "{errors}");
    }
}

fn the_help_lists_every_key() {
    let output = Command::new(env!("CARGO_BIN_EXE_nodetree")).args(["view", "--help"]).output().expect("it starts");
    let help = String::from_utf8_lossy(&output.stdout);
    for binding in nodetree::app::bindings::BINDINGS {
        let is_row = |line: &str| line.trim().starts_with(binding.label) && line.ends_with(binding.text);
        assert!(help.lines().any(is_row), "{} is missing: {help}", binding.label);
    }
}

/// The program on a triangle, with no display.
fn without_display(folder: &std::path::Path) -> Command {
    fs::write(folder.join("level.obj"), "v -9 0 9\nv 9 0 9\nv 0 0 -9\nf 1 2 3\n").expect("a level");
    let mut command = Command::new(env!("CARGO_BIN_EXE_nodetree"));
    command.current_dir(folder).args(["level.obj", "--size", "320x200"]);
    for name in ["DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET"] {
        command.env_remove(name);
    }
    command
}

fn without_a_display_there_is_a_picture() {
    let folder = tempfile::tempdir().expect("a folder");
    for display in [None, Some(":987")] {
        let mut command = without_display(folder.path());
        command.envs(display.map(|display| ("DISPLAY", display)));
        let output = command.output().expect("nodetree starts");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{errors}");
        assert!(String::from_utf8_lossy(&output.stdout).contains("nodetree.png"), "{output:?}");
        let path = folder.path().join("nodetree.png");
        assert_eq!(image::open(&path).expect("a picture").to_rgba8().dimensions(), (320, 200));
        fs::remove_file(path).expect("it is there");
    }
}

fn without_display_and_driver_there_is_one_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let output = without_display(folder.path())
        // The loaders of Vulkan and EGL look for drivers where there are none.
        .envs(
            ["VK_DRIVER_FILES", "VK_ICD_FILENAMES", "__EGL_VENDOR_LIBRARY_FILENAMES"].map(|name| (name, "/none.json")),
        )
        .env("VK_LOADER_LAYERS_DISABLE", "~all~")
        .output()
        .expect("nodetree starts");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{errors}");
    let lines: Vec<&str> = errors.lines().filter(|line| line.starts_with("nodetree: ")).collect();
    assert_eq!(lines.len(), 1, "{errors}");
    assert!(lines[0].contains("mesa-vulkan-drivers"), "{errors}");
    assert!(!folder.path().join("nodetree.png").exists());
}
