//! What the benches share: two levels, the tree over each, seeded questions, and how long each is measured.
//!
//! The levels have as many triangles as NODETREE_BENCH_TRIANGLES says (500 000).
#![allow(dead_code, reason = "each bench uses its part")]

#[path = "../../tests/support/mod.rs"]
mod support;

use std::time::Duration;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, SamplingMode, Throughput};
use glam::Vec3;
use nodetree::geometry::Aabb;
use nodetree::level::Level;
use nodetree::simd::Simd;
use nodetree::tree::{Mode, Settings, Tree};

pub use support::Random;

/// Questions asked in one go.
pub const QUESTIONS: usize = 4096;

/// A level with its tree in the mode that suits it.
pub struct Scene {
    pub name: &'static str,
    pub level: Level,
    pub tree: Tree,
}

impl Scene {
    pub fn new(name: &'static str, triangles: Option<usize>) -> Scene {
        let level = level(name, triangles);
        let tree = Tree::build(&level, &Settings::new(Mode::for_bounds(&level.bounds())));
        Scene { name, level, tree }
    }

    /// A landscape under the open sky and a city of rooms, both large.
    pub fn large() -> [Scene; 2] {
        ["terrain", "city"].map(|name| Scene::new(name, Some(triangles())))
    }
}

pub fn level(name: &str, triangles: Option<usize>) -> Level {
    nodetree::generate::by_name(name, triangles, 1).expect("the name of a built-in level")
}

pub fn triangles() -> usize {
    std::env::var("NODETREE_BENCH_TRIANGLES").ok().and_then(|number| number.parse().ok()).unwrap_or(500_000)
}

/// A group in which an iteration answers so many questions, measured for about two seconds each.
pub fn group<'a>(criterion: &'a mut Criterion, name: &str, questions: usize) -> BenchmarkGroup<'a, WallTime> {
    let mut group = criterion.benchmark_group(name);
    group.throughput(Throughput::Elements(questions as u64));
    group
        .sampling_mode(SamplingMode::Flat)
        .sample_size(10)
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_millis(1500));
    group
}

/// Measures `ask` on every question, for each kind of SIMD that there is.
pub fn ask_with_each_simd<Q, A>(
    group: &mut BenchmarkGroup<'_, WallTime>,
    scene: &mut Scene,
    kind: &str,
    questions: &[Q],
    ask: impl Fn(&Tree, &Q) -> A,
) {
    for &simd in Simd::available() {
        scene.tree.set_simd(simd);
        group.bench_function(format!("{}, {kind}, {simd:?}", scene.name), |bencher| {
            bencher.iter(|| {
                for question in questions {
                    std::hint::black_box(ask(&scene.tree, std::hint::black_box(question)));
                }
            });
        });
    }
}

pub fn inside(random: &mut Random, bounds: &Aabb) -> Vec3 {
    bounds.min + bounds.size() * Vec3::new(random.unit(), random.unit(), random.unit())
}

/// So many points beside surfaces, up to `distance` metres from one.
pub fn near_surfaces(tree: &Tree, distance: f32, count: usize) -> Vec<Vec3> {
    let mut random = Random::new(1);
    let triangles: Vec<[Vec3; 3]> = tree.triangles().map(|(_, corners)| corners).collect();
    let near = |_| {
        let [a, b, c] = *random.pick(&triangles);
        (a + b + c) / 3.0 + random.direction() * distance * random.unit()
    };
    (0..count).map(near).collect()
}
