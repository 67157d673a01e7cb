//! Which level the window shows: loaded again by key or when its file changes, and from where one looks at it.

use std::fs;
use std::time::Duration;

use serde_json::{Value, json};

use super::desktop::{Desktop, Viewer};
use super::drop::drop_file;
use super::{distance, hold, point, still};

/// A block that hangs in the middle of the air.
const BLOCK: &str = "usemtl block\nv 0 3 5\nv 1 3 5\nv 1 4 5\nf -3 -2 -1\n";

pub fn a_bookmark_is_set_and_visited(desktop: &Desktop) {
    let mut viewer = Viewer::open(desktop, &["--camera", "-3.5,2.25,15,30,-10"]);
    viewer.press("shift+k");
    viewer.wait_for_field("message", "no bookmark is set: K sets one");
    viewer.press("k");
    let set = viewer.wait_for("the bookmark", |state| !state["bookmark"].is_null());
    let place: Vec<f64> = (0..5).map(|index| set["bookmark"][index].as_f64().expect("a number")).collect();
    for (number, given) in place.iter().zip([-3.5, 2.25, 15.0, 30.0, -10.0]) {
        assert!((number - given).abs() < 1e-4, "{place:?}");
    }
    let told = "bookmark --camera -3.500,2.250,15.000,30.00,-10.00: Shift+K comes back";
    viewer.wait_for_field("message", told);
    hold(&viewer, &["w"], Duration::from_millis(400));
    let away = still(&mut viewer);
    assert!(distance(away, point(&set["position"])) > 0.5);
    viewer.press("shift+k");
    viewer.wait_for("the place", |state| distance(point(&state["position"]), point(&set["position"])) < 1e-4);
}

/// Triangles of the level that is shown.
fn triangles(state: &Value) -> u64 {
    state["triangles"]["all"].as_u64().expect("a number")
}

pub fn the_level_is_loaded_again(desktop: &Desktop) {
    let mut viewer = Viewer::open(desktop, &["--tree", "quadtree", "--walk"]);
    viewer.press("t");
    viewer.wait_for_field("mode", "octree");
    viewer.press("b");
    let at = still(&mut viewer);
    let before = viewer.wait_for_field("boxes", true);
    let shown = viewer.picture();
    let path = viewer.folder().join("level.obj");
    fs::write(&path, viewer.text("level.obj") + BLOCK).expect("it is written");
    viewer.press("r");
    let after = viewer.wait_for("one triangle more", |state| triangles(state) == triangles(&before) + 1);
    assert_eq!(after["message"], "level.obj is loaded");
    for field in ["mode", "moving", "boxes", "yaw", "pitch"] {
        assert_eq!(after[field], before[field], "{field}");
    }
    viewer.wait_for_field("loading", Value::Null);
    assert_eq!(still(&mut viewer), at);
    viewer.wait_for_change("the block in the air", &shown, 0.01);
}

pub fn a_broken_level_leaves_the_old_one(desktop: &Desktop) {
    let mut viewer = Viewer::open(desktop, &[]);
    let before = viewer.state();
    let path = viewer.folder().join("level.obj");
    let good = viewer.text("level.obj");
    fs::write(&path, "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n").expect("it is written");
    viewer.press("r");
    let told = |state: &Value| state["message"].as_str().unwrap_or_default().to_owned();
    let after = viewer.wait_for("the error", |state| told(state).starts_with("the old level stays: "));
    assert!(told(&after).contains("level.obj, line 4: ") && !told(&after).contains('\n'), "{after}");
    assert_eq!((triangles(&after), &after["position"]), (triangles(&before), &before["position"]));
    fs::remove_file(&path).expect("it is there");
    viewer.press("r");
    viewer.wait_for("the other error", |state| told(state).contains("there is no file level.obj"));
    // Mended.
    fs::write(&path, good + BLOCK).expect("it is written");
    viewer.press("r");
    viewer.wait_for("one triangle more", |state| triangles(state) == triangles(&before) + 1);
}

pub fn a_dropped_level_is_opened(desktop: &Desktop) {
    let mut viewer = Viewer::open(desktop, &["--camera", "0.5,3,15,20,0"]);
    let before = viewer.state();
    assert_eq!((&before["level"], viewer.title().as_str()), (&json!("level.obj"), "nodetree: level.obj"));
    let [notes, other] = ["notes.txt", "other.obj"].map(|name| viewer.folder().join(name));
    fs::write(&notes, "no level").expect("it is written");
    drop_file(viewer.display(), &viewer.id, &notes);
    let after = viewer.wait_for("the error", |state| {
        state["message"].as_str().is_some_and(|message| message.starts_with("the old level stays: "))
    });
    assert_eq!((&after["level"], triangles(&after)), (&before["level"], triangles(&before)));
    fs::write(&other, "v -9 0 9\nv 9 0 9\nv 0 0 -9\nf 1 2 3\n").expect("it is written");
    drop_file(viewer.display(), &viewer.id, &other);
    let other_name = other.to_str().expect("UTF-8");
    let after = viewer.wait_for_field("level", other_name);
    assert_eq!((triangles(&after), &after["message"]), (1, &json!("other.obj is loaded")));
    assert_eq!(viewer.title(), format!("nodetree: {other_name}"));
    assert_ne!(after["yaw"], before["yaw"], "it begins where the level says");
    // From now on it is the one that is loaded again.
    fs::write(&other, "v -9 0 9\nv 9 0 9\nv 0 0 -9\nf 1 2 3\nf 3 2 1\n").expect("it is written");
    viewer.press("r");
    viewer.wait_for("two triangles", |state| triangles(state) == 2);
}

pub fn a_watched_level_is_loaded_when_it_changes(desktop: &Desktop) {
    let mut viewer = Viewer::open(desktop, &["--watch"]);
    let before = viewer.state();
    let path = viewer.folder().join("level.obj");
    let good = viewer.text("level.obj");
    fs::write(&path, good.clone() + "f 1 2 -999999\n").expect("it is written");
    viewer.wait_for("the error", |state| {
        state["message"].as_str().is_some_and(|message| message.starts_with("the old level stays: "))
    });
    fs::write(&path, good + BLOCK).expect("it is written");
    viewer.wait_for("one triangle more", |state| triangles(state) == triangles(&before) + 1);
    // A material library that was missing.
    let grey = viewer.picture();
    fs::write(viewer.folder().join("none.mtl"), "newmtl floor\nKd 1 0 0\n").expect("it is written");
    viewer.wait_for_change("the red floor", &grey, 0.2);
}
