//! Any bytes as a path for `nodetree bench` and `nodetree walk`: cameras or steps come out, or a fault with its line.
#![no_main]

#[path = "../../src/cli/bench/camera_path.rs"]
mod camera_path;

use std::io::Cursor;
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use nodetree::generate;
use nodetree::level::Level;
use nodetree::tree::{Mode, Settings, Tree};
use nodetree::walk::path::{JsonLines, Replay};

/// Somewhere to walk.
static WORLD: LazyLock<(Level, Tree)> = LazyLock::new(|| {
    let level = generate::terrain(&generate::Options { triangles: 500, seed: 1 });
    let tree = Tree::build(&level, &Settings::new(Mode::Quadtree));
    (level, tree)
});

/// Steps of a walk at most; hours of it would find nothing more.
const MOST_STEPS: u64 = 500;

fuzz_target!(|bytes: &[u8]| {
    let lines = || JsonLines::new("fuzz".to_owned(), Cursor::new(bytes.to_vec()));
    match Replay::read(lines()) {
        Ok(replay) if replay.all() > MOST_STEPS => return,
        Ok(_) => {}
        Err(error) => assert!(!error.to_string().contains('\n')),
    }
    let (level, tree) = &*WORLD;
    match camera_path::read_path(lines(), level, tree) {
        Ok(path) => assert!(!path.is_empty()),
        Err(error) => assert!(!format!("{error:#}").contains('\n')),
    }
});
