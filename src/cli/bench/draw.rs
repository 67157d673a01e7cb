//! Drawing along the path, where there is an adapter.

use std::time::{Duration, Instant};

use nodetree::camera::Camera;
use nodetree::cull::DrawList;
use nodetree::geometry::Frustum;
use nodetree::level::Level;
use nodetree::render::{
    Frame, Gpu, GpuError, GpuOptions, LevelOnGpu, PICTURE_FORMAT, Renderer, Sky, SkySource, picture,
};
use nodetree::tree::Tree;

use super::report::{Draw, Report};

/// Pictures are small: the adapter's speed at filling pixels is not what is measured.
const SIZE: (u32, u32) = (320, 180);
/// Frames are taken evenly from the path, at least one and as many as fit into this time for each method.
const TIME: Duration = Duration::from_secs(5);
const FRAMES: usize = 60;

/// Draws frames of the path culled by both trees and not at all; without an adapter the report says so by nulls.
pub fn measure(level: &Level, trees: [&Tree; 2], path: &[Camera], report: &mut Report) {
    let Ok(gpu) = Gpu::headless(&GpuOptions::default()) else { return };
    report.machine.adapter = Some(gpu.description());
    let [quadtree, octree] = trees;
    // A level too large for the adapter is not drawn, and is measured all the same.
    report.modes.quadtree.draw = draw(&gpu, level, quadtree, path, true).ok();
    report.modes.octree.draw = draw(&gpu, level, octree, path, true).ok();
    report.baselines.draw_everything.draw = draw(&gpu, level, octree, path, false).ok();
}

/// Median time from culling to the finished picture in memory.
fn draw(gpu: &Gpu, level: &Level, tree: &Tree, path: &[Camera], is_culled: bool) -> Result<Draw, GpuError> {
    let mut renderer = Renderer::new(gpu, PICTURE_FORMAT, Some(1));
    let mut on_gpu = LevelOnGpu::new(gpu, renderer.bindings(), level, tree)?;
    let sky = Sky::new(gpu, renderer.bindings(), &SkySource::Gradient)?;
    let mut list = DrawList::new();
    let (mut times, mut calls) = (Vec::new(), Vec::new());
    let begin = Instant::now();
    // The first frame warms up and does not count, unless it takes all of the time.
    let step = (path.len() / FRAMES).max(1);
    for (index, camera) in path[..1].iter().chain(path.iter().step_by(step)).enumerate() {
        let start = Instant::now();
        if is_culled {
            list.cull(tree, &Frustum::from_clip_from_world(camera.clip_from_world()));
        } else {
            list.everything(tree);
        }
        let frame = Frame::new(camera, &list, &sky);
        let (_, statistics) = picture(gpu, &mut renderer, &mut on_gpu, SIZE, &frame)?;
        let is_over = begin.elapsed() > TIME;
        if index > 0 || is_over {
            times.push(start.elapsed().as_secs_f64() * 1e3);
            calls.push(f64::from(statistics.draw_calls));
        }
        if is_over {
            break;
        }
    }
    Ok(Draw { median_ms: median(times), draw_calls: median(calls) })
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
