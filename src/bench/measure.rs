//! Timing a culling method along a path, and questions by the second.

use std::time::{Duration, Instant};

use glam::Vec3;

use super::EveryTriangle;
use crate::camera::Camera;
use crate::generate::random::Random;
use crate::geometry::{Aabb, Frustum, Ray};
use crate::query::{Faces, Sweep, Which};
use crate::tree::Tree;

/// What culling a path cost and gave: medians over the frames unless said otherwise.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "cli", derive(serde::Serialize))]
pub struct CullFigures {
    /// Frames of the path.
    pub frames: usize,
    /// Microseconds a frame.
    pub median_us: f64,
    /// 99 of 100 frames take no longer.
    pub p99_us: f64,
    /// The slowest frame.
    pub max_us: f64,
    /// Nodes whose box was tested.
    pub nodes_visited: f64,
    /// Ranges of the index buffer to draw: draw calls.
    pub ranges: f64,
    /// Triangles to draw.
    pub triangles_visible: f64,
    /// Triangles whose box touches the frustum.
    pub triangles_needed: f64,
}

/// The same frame by frame, in the order of the path.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CullSeries {
    /// Microseconds: the median of the passes.
    pub frame_us: Vec<f64>,
    /// What culling gave.
    pub outputs: Vec<CullOutput>,
    /// Triangles whose box touches the frustum.
    pub needed: Vec<u32>,
}

/// What one frame of a method gave.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CullOutput {
    /// Nodes whose box was tested.
    pub nodes_visited: u32,
    /// Ranges to draw.
    pub ranges: u32,
    /// Triangles to draw.
    pub triangles: u32,
}

/// Passes over the path that count, the first excepted; fewer where they take longer than this together.
const PASSES: usize = 5;
const PASSES_TIME: Duration = Duration::from_secs(3);

/// The frusta of a path.
pub fn frusta(path: &[Camera]) -> Vec<Frustum> {
    path.iter().map(|camera| Frustum::from_clip_from_world(camera.clip_from_world())).collect()
}

/// How many triangles each frame needs: those whose box touches the frustum.
pub fn triangles_needed(triangles: impl IntoIterator<Item = [Vec3; 3]>, frusta: &[Frustum]) -> Vec<u32> {
    let mut every = EveryTriangle::new(triangles);
    frusta.iter().map(|frustum| every.cull(frustum).len() as u32).collect()
}

/// Runs `cull` over the path, once to warm up and then some times, and takes each frame's median time.
///
/// # Panics
/// When the path is empty or `needed` is of another length.
pub fn measure_cull(frusta: &[Frustum], needed: &[u32], mut cull: impl FnMut(&Frustum) -> CullOutput) -> CullSeries {
    assert_eq!(frusta.len(), needed.len());
    let outputs: Vec<CullOutput> = frusta.iter().map(&mut cull).collect();
    let mut times: Vec<Vec<f64>> = vec![Vec::with_capacity(PASSES); frusta.len()];
    let begin = Instant::now();
    for pass in 0..PASSES {
        if pass > 0 && begin.elapsed() > PASSES_TIME {
            break;
        }
        for (frustum, times) in frusta.iter().zip(&mut times) {
            let start = Instant::now();
            std::hint::black_box(cull(std::hint::black_box(frustum)));
            times.push(start.elapsed().as_secs_f64() * 1e6);
        }
    }
    let frame_us = times.into_iter().map(|times| percentile(times, 0.5)).collect::<Vec<f64>>();
    CullSeries { frame_us, outputs, needed: needed.to_vec() }
}

impl CullSeries {
    /// Medians over the frames, of which there is at least one.
    pub fn figures(&self) -> CullFigures {
        let median = |figure: fn(&CullOutput) -> u32| {
            percentile(self.outputs.iter().map(|output| f64::from(figure(output))).collect(), 0.5)
        };
        CullFigures {
            frames: self.frame_us.len(),
            median_us: percentile(self.frame_us.clone(), 0.5),
            p99_us: percentile(self.frame_us.clone(), 0.99),
            max_us: percentile(self.frame_us.clone(), 1.0),
            nodes_visited: median(|output| output.nodes_visited),
            ranges: median(|output| output.ranges),
            triangles_visible: median(|output| output.triangles),
            triangles_needed: percentile(self.needed.iter().map(|&needed| f64::from(needed)).collect(), 0.5),
        }
    }
}

/// The value that a share of the values (0 to 1) does not exceed.
fn percentile(mut values: Vec<f64>, share: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    values[((values.len() - 1) as f64 * share).round() as usize]
}

/// Questions of each kind that one thread answers a second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct QueryFigures {
    /// Nearest hits of rays with random origin and direction in the level's box.
    pub rays_per_s: f64,
    /// Heights below random points of the box.
    pub heights_per_s: f64,
    /// Sweeps of a ball of 0.4 m by 0.1 to 1 m from random points of the box.
    pub sweeps_per_s: f64,
}

/// How long each kind of question is asked.
const QUERY_TIME: Duration = Duration::from_millis(300);

/// Asks a tree seeded random questions. `None` for a tree without triangles.
pub fn measure_queries(tree: &Tree, seed: u64) -> Option<QueryFigures> {
    let bounds = tree.bounds();
    if bounds.is_empty() {
        return None;
    }
    let random = &mut Random::new(seed, 0x9e57);
    let points: Vec<(Vec3, Vec3)> = (0..1 << 14).map(|_| (inside(random, &bounds), direction(random))).collect();
    Some(QueryFigures {
        rays_per_s: rate(&points, |origin, direction| {
            let ray = Ray::new(origin, direction).expect("a unit direction");
            std::hint::black_box(tree.ray(&ray, f32::INFINITY, Faces::Both));
        }),
        heights_per_s: rate(&points, |point, _| {
            std::hint::black_box(tree.height(point, Which::Below, 0.0));
        }),
        sweeps_per_s: rate(&points, |center, direction| {
            let displacement = direction * (0.1 + 0.9 * direction.x.abs());
            std::hint::black_box(tree.sweep(&Sweep::sphere(center, 0.4, displacement)));
        }),
    })
}

fn rate(points: &[(Vec3, Vec3)], mut ask: impl FnMut(Vec3, Vec3)) -> f64 {
    let begin = Instant::now();
    let mut asked = 0;
    for batch in points.chunks(256).cycle() {
        batch.iter().for_each(|&(point, direction)| ask(point, direction));
        asked += batch.len();
        if begin.elapsed() > QUERY_TIME {
            break;
        }
    }
    asked as f64 / begin.elapsed().as_secs_f64()
}

fn inside(random: &mut Random, bounds: &Aabb) -> Vec3 {
    Vec3::from_array([0, 1, 2].map(|axis| random.range(bounds.min[axis].into(), bounds.max[axis].into()) as f32))
}

/// A direction from a cube of them, shortened to the ball.
fn direction(random: &mut Random) -> Vec3 {
    loop {
        let direction = Vec3::from_array([0, 1, 2].map(|_| random.range(-1.0, 1.0) as f32));
        if (0.01..=1.0).contains(&direction.length_squared()) {
            return direction.normalize();
        }
    }
}
