//! `nodetree bench` through the real program: its JSON is a contract.

#![cfg(feature = "cli")]

use std::fs;

use assert_cmd::Command;
use serde_json::Value;
use tempfile::TempDir;

fn bench(arguments: &[&str]) -> Command {
    let mut command = Command::cargo_bin("nodetree").expect("the program");
    command.args(["bench", "builtin:terrain", "--triangles", "20000"]).args(arguments);
    // Drawing has no part in the contract that a machine without a GPU could keep.
    #[cfg(feature = "viewer")]
    command.arg("--no-draw");
    command
}

#[test]
fn json_keeps_its_contract() {
    let output = bench(&["--frames", "30", "--json", "-"]).assert().success();
    let report: Value = serde_json::from_slice(&output.get_output().stdout).expect("JSON and nothing else");
    assert_eq!(report["level"]["path"], "builtin:terrain");
    let triangles = report["level"]["triangles"].as_f64().expect("a number");
    assert_eq!(report["path"]["frames"], 30);
    assert!(report["machine"]["processor"].is_string());
    let number = |value: &Value, key: &str| value[key].as_f64().unwrap_or_else(|| panic!("{key} in {value}"));
    for figures in [&report["modes"]["quadtree"], &report["modes"]["octree"]] {
        for key in ["build_ms", "rays_per_s", "heights_per_s", "sweeps_per_s"] {
            assert!(number(figures, key) > 0.0, "{key}");
        }
        assert!(figures["draw"].is_null());
        assert!(number(&figures["cull"], "nodes_visited") >= 1.0);
    }
    let baselines = &report["baselines"];
    for name in ["test_every_triangle", "copy_indices", "draw_everything"] {
        assert!(baselines[name]["rays_per_s"].is_null() && baselines[name]["draw"].is_null(), "{name}");
    }
    assert!(number(&baselines["copy_indices"], "build_ms") > 0.0);
    assert_eq!(number(&baselines["draw_everything"]["cull"], "triangles_visible"), triangles);
    for figures in [&report["modes"]["quadtree"], &report["modes"]["octree"]]
        .into_iter()
        .chain(["test_every_triangle", "copy_indices", "draw_everything"].map(|name| &baselines[name]))
    {
        let cull = &figures["cull"];
        let (median, p99, max) = (number(cull, "median_us"), number(cull, "p99_us"), number(cull, "max_us"));
        assert!(0.0 < median && median <= p99 && p99 <= max, "{cull}");
        assert_eq!(cull["frames"], 30);
        assert!(number(cull, "ranges") >= 0.0);
        let (visible, needed) = (number(cull, "triangles_visible"), number(cull, "triangles_needed"));
        // Rounding in f32 may leave out what only just touches.
        assert!(0.0 < needed && needed <= visible + 2.0 && visible <= triangles, "{cull}");
    }
}

#[test]
fn a_path_from_a_file_is_taken_and_a_bad_line_is_named() {
    let folder = TempDir::new().expect("a temporary folder");
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).expect("a file");
        path.to_str().expect("UTF-8").to_owned()
    };
    // Cameras as recorded, and steps of a walk.
    let path = write("path.jsonl", "{\"camera\":[0,60,0,0,-10]}\n\n{\"step\":1,\"eye\":[0,60,0],\"feet\":[0,58,0]}\n");
    let output = bench(&["--path", &path]).assert().success();
    let table = String::from_utf8(output.get_output().stdout.clone()).expect("UTF-8");
    for part in ["2 frames", "quadtree", "octree", "copy indices", "times faster"] {
        assert!(table.contains(part), "{part} in {table}");
    }
    // A recorded walk is taken again: two steps a frame, and its lines may look like the start.
    let path = write("walk.jsonl", "{\"yaw\":10}\n{\"forward\":1,\"repeat\":7}\n{\"yaw\":20}\n");
    let output = bench(&["--path", &path]).assert().success();
    assert!(String::from_utf8_lossy(&output.get_output().stdout).contains("4 frames"), "{output:?}");
    for (text, said) in [
        ("{\"yaw\":10}\n{\"forward\":7}\n", "line 2: forward"),
        ("{\"yaw\":10}\n", "holds no cameras"),
        ("{\"camera\":[0,60,0,0,-10]}\n{\"forward\":1}\n", "line 2: neither"),
        ("{\"camera\":[0,60,0,0,-10]}\n{\"camera\":[1,2]}\n", "line 2"),
        ("{\"feet\":[1,2,3]}\n", "line 1: neither"),
        ("\n", "holds no cameras"),
    ] {
        let path = write("bad.jsonl", text);
        let output = bench(&["--path", &path]).assert().code(1).stdout("");
        let message = String::from_utf8(output.get_output().stderr.clone()).expect("UTF-8");
        assert!(message.contains(said) && message.lines().count() == 1, "{message}");
    }
}
