//! Walks through a level with neither window nor GPU, as a server or a test would.
//!
//! `cargo run --release --no-default-features --example walk_headless`

use std::error::Error;

use nodetree::tree::{Mode, Settings, Tree};
use nodetree::walk::{self, Input, STEP, Walker};

fn main() -> Result<(), Box<dyn Error>> {
    let level = nodetree::generate::by_name("castle", None, 1).ok_or("there is a castle")?;
    let tree = Tree::build(&level, &Settings::new(Mode::Octree));
    let spawn = level.spawn.ok_or("the castle has a spawn point")?;
    // Body and speeds; every setting has a usual value.
    let settings = walk::Settings { speed: 5.0, ..walk::Settings::default() };
    let mut walker = Walker::new(level.to_local(spawn.feet), spawn.yaw);
    // Ahead for eight seconds, a jump in the fourth, then to the left. The same inputs give the same path, bit for bit.
    for step in 0..(12.0 / STEP) as u32 {
        let time = f64::from(step) * STEP;
        let turn = if time > 8.0 { 0.01 } else { 0.0 };
        let input =
            Input { forward: 1.0, jump: (4.0..4.1).contains(&time), yaw: walker.yaw() + turn, ..walker.input() };
        let report = walker.step(&tree, &settings, &input);
        if step % 120 == 0 {
            let [x, y, z] = level.to_level(walker.feet()).to_array();
            let standing = if report.grounded { "on the ground" } else { "in the air" };
            println!("{time:4.1} s: {x:8.3} {y:7.3} {z:8.3}, {standing}, {} contacts", report.contacts);
        }
    }
    Ok(())
}
