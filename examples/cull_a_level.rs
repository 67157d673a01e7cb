//! Culls a level for a camera that turns once around, with both trees: what an engine does each frame.
//!
//! `cargo run --release --no-default-features --example cull_a_level -- path/to/level.obj`

use std::error::Error;
use std::f32::consts::TAU;
use std::time::Instant;

use nodetree::camera::Camera;
use nodetree::cull::DrawList;
use nodetree::geometry::Frustum;
use nodetree::level::{Level, LoadOptions, load};
use nodetree::tree::{Mode, Settings, Tree};

fn main() -> Result<(), Box<dyn Error>> {
    let level = level()?;
    for mode in [Mode::Quadtree, Mode::Octree] {
        let tree = Tree::build(&level, &Settings::new(mode));
        let eye = level.spawn.map_or(level.bounds().center(), |spawn| level.to_local(spawn.feet));
        // Reused from frame to frame: culling copies no index and allocates nothing.
        let mut list = DrawList::new();
        for step in 0..8 {
            let camera = Camera { eye: eye + 1.65 * glam::Vec3::Y, yaw: TAU * step as f32 / 8.0, ..Camera::default() };
            let begin = Instant::now();
            list.cull(&tree, &Frustum::from_clip_from_world(camera.clip_from_world()));
            let time = begin.elapsed();
            // Each range is a run of the index buffer with one material: a draw call.
            println!(
                "{} {:3.0} degrees: {} of {} triangles in {} draw calls, {} cells looked at, {time:.1?}",
                mode.name(),
                camera.yaw.to_degrees(),
                list.statistics().triangles,
                tree.triangle_count(),
                list.ranges().len(),
                list.statistics().visited,
            );
        }
    }
    Ok(())
}

/// The file that was named, or else the built-in castle.
fn level() -> Result<Level, Box<dyn Error>> {
    match std::env::args_os().nth(1) {
        Some(path) => Ok(load(path.as_ref(), &LoadOptions::default())?),
        None => Ok(nodetree::generate::by_name("castle", None, 1).ok_or("there is a castle")?),
    }
}
