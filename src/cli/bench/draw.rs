//! Drawing along the path, where there is an adapter.

use std::time::{Duration, Instant};

use nodetree::camera::Camera;
use nodetree::cull::DrawList;
use nodetree::geometry::Frustum;
use nodetree::level::Level;
use nodetree::render::{
    Frame, Gpu, GpuError, GpuOptions, LevelOnGpu, Lighting, Occlusion, PICTURE_FORMAT, Renderer, Sky, SkySource,
    SunShadows, picture,
};
use nodetree::tree::Tree;

use super::report::{Draw, Report};
use crate::cli::render::png;

/// Pictures are small: the adapter's speed at filling pixels is not what is measured.
const SIZE: (u32, u32) = (320, 180);
/// The picture of a report.
const PHOTOGRAPH: (u32, u32) = (960, 540);
/// Frames are taken evenly from the path, at least one and as many as fit into this time for each method.
const TIME: Duration = Duration::from_secs(5);
const FRAMES: usize = 60;

/// What is drawn of a level.
#[derive(Clone, Copy, PartialEq)]
enum What {
    Everything,
    InFrustum,
    /// Of that what is not behind nearer surfaces.
    NotHidden,
}

/// Draws frames of the path culled by both trees and not at all; without an adapter the report says so by nulls.
pub fn measure(level: &Level, trees: [&Tree; 2], path: &[Camera], report: &mut Report) {
    let Ok(gpu) = Gpu::headless(&GpuOptions::default()) else { return };
    report.machine.adapter = Some(gpu.description());
    let [quadtree, octree] = trees;
    // A level too large for the adapter is not drawn, and is measured all the same.
    let everything = &mut report.baselines.draw_everything;
    for (figures, tree, shown) in [
        (&mut report.modes.quadtree, quadtree, What::InFrustum),
        (&mut report.modes.octree, octree, What::InFrustum),
        (everything, octree, What::Everything),
    ] {
        if let Ok((draw, drawn)) = draw(&gpu, level, tree, path, shown) {
            (figures.draw, figures.drawn) = (Some(draw), drawn);
        }
    }
    for (figures, tree) in [(&mut report.modes.quadtree, quadtree), (&mut report.modes.octree, octree)] {
        figures.draw_occluded = draw(&gpu, level, tree, path, What::NotHidden).ok().map(|(draw, _)| draw);
    }
}

/// A picture of what the camera sees, as PNG; `None` without an adapter, and for a level that is too large for it.
pub fn photograph(level: &Level, tree: &Tree, camera: &Camera) -> Option<Vec<u8>> {
    let gpu = Gpu::headless(&GpuOptions::default()).ok()?;
    let mut renderer = Renderer::new(&gpu, PICTURE_FORMAT, Some(4));
    let mut on_gpu = LevelOnGpu::new(&gpu, renderer.bindings(), level, tree).ok()?;
    let sky = Sky::new(&gpu, renderer.bindings(), &SkySource::Gradient).ok()?;
    let mut list = DrawList::new();
    list.cull(tree, &Frustum::from_clip_from_world(camera.clip_from_world()));
    let mut shadows = SunShadows::new(2048);
    let frame = Frame::new(camera, &list, &sky);
    let lighting = frame.lighting.clone().with(level.lights.iter().copied(), camera.eye);
    shadows.cast(tree, camera, Lighting::direction_to_sun(&level.lights), None);
    let frame = Frame { lighting, shadows: Some(&shadows), ..frame };
    let (image, _) = picture(&gpu, &mut renderer, &mut on_gpu, PHOTOGRAPH, &frame).ok()?;
    png(&image).ok()
}

/// Time from culling to the finished picture in memory: the median, and that of each frame that was drawn.
fn draw(
    gpu: &Gpu,
    level: &Level,
    tree: &Tree,
    path: &[Camera],
    what: What,
) -> Result<(Draw, Vec<(usize, f64)>), GpuError> {
    let mut renderer = Renderer::new(gpu, PICTURE_FORMAT, Some(1));
    let mut on_gpu = LevelOnGpu::new(gpu, renderer.bindings(), level, tree)?;
    let sky = Sky::new(gpu, renderer.bindings(), &SkySource::Gradient)?;
    let mut list = DrawList::new();
    let mut occlusion = (what == What::NotHidden).then(|| Occlusion::new(gpu, renderer.samples())).flatten();
    let (mut drawn, mut calls, mut triangles) = (Vec::new(), Vec::new(), Vec::new());
    let begin = Instant::now();
    // The first frame warms up and does not count, unless it takes all of the time.
    let step = (path.len() / FRAMES).max(1);
    for (index, frame) in [0].into_iter().chain((0..path.len()).step_by(step)).enumerate() {
        let camera = &path[frame];
        let start = Instant::now();
        match &mut occlusion {
            Some(occlusion) => occlusion.cull(gpu, (&on_gpu, tree), camera, SIZE, &mut list)?,
            None if what == What::Everything => list.everything(tree),
            None => list.cull(tree, &Frustum::from_clip_from_world(camera.clip_from_world())),
        }
        let shown = Frame { occlusion: occlusion.as_ref(), ..Frame::new(camera, &list, &sky) };
        let (_, statistics) = picture(gpu, &mut renderer, &mut on_gpu, SIZE, &shown)?;
        let is_over = begin.elapsed() > TIME;
        if index > 0 || is_over {
            drawn.push((frame, start.elapsed().as_secs_f64() * 1e3));
            calls.push(f64::from(statistics.draw_calls));
            triangles.push(f64::from(list.statistics().triangles));
        }
        if is_over {
            break;
        }
    }
    let median_ms = median(drawn.iter().map(|&(_, ms)| ms).collect());
    Ok((Draw { median_ms, draw_calls: median(calls), triangles: median(triangles) }, drawn))
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
