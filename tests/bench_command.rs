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

#[test]
fn csv_has_a_line_for_each_frame() {
    let output = bench(&["--frames", "12", "--csv", "-"]).assert().success();
    let text = String::from_utf8(output.get_output().stdout.clone()).expect("text and nothing else");
    let mut lines = text.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let head = lines.next().expect("a head line");
    assert_eq!(&head[..7], ["frame", "x", "y", "z", "yaw", "pitch", "triangles_needed"]);
    assert_eq!(head.len(), 7 + 5 * 4);
    let column = |name: &str| head.iter().position(|&column| column == name).unwrap_or_else(|| panic!("no {name}"));
    let frames: Vec<Vec<f64>> =
        lines.map(|line| line.iter().map(|field| field.parse().expect("a number")).collect()).collect();
    assert_eq!(frames.len(), 12);
    for (number, frame) in frames.iter().enumerate() {
        assert_eq!(frame.len(), head.len());
        assert_eq!(frame[0], number as f64);
        let at = |name: &str| frame[column(name)];
        // Rounding in f32 may leave out what only just touches.
        assert!(at("triangles_needed") <= at("octree_triangles") + 2.0, "{frame:?}");
        assert!(at("octree_triangles") <= at("draw_everything_triangles"), "{frame:?}");
        assert!(at("copy_indices_us") > 0.0 && at("quadtree_nodes") >= 1.0, "{frame:?}");
    }
}

#[test]
fn the_page_needs_nothing_beside_it() {
    let folder = TempDir::new().expect("a temporary folder");
    let page = folder.path().join("page.html");
    bench(&["--frames", "12", "--report", page.to_str().expect("plain")]).assert().success();
    let html = fs::read_to_string(&page).expect("a page");
    assert!(html.starts_with("<!doctype html>") && html.ends_with("</html>\n"));
    assert_eq!(html.matches("<svg").count(), html.matches("</svg>").count());
    // A bar for each method, and their times and triangles along the path.
    assert_eq!(html.matches("<rect").count(), 5);
    assert_eq!(html.matches("<polyline").count(), 5 + 4);
    assert!(!html.contains("NaN") && !html.contains("inf,"), "a chart has bad numbers");
    for outside in ["http:", "https:", "src='/", "<script", "<link"] {
        assert!(!html.contains(outside), "{outside}");
    }
}

#[test]
fn two_things_on_standard_output_are_refused() {
    let refused = bench(&["--json", "-", "--csv", "-"]).assert().code(1);
    let line = String::from_utf8(refused.get_output().stderr.clone()).expect("text");
    assert!(line.contains("only one of --json, --csv and --report"), "{line}");
}
