//! Many questions in random order: one by one, and as batches, which are sorted and shared out over all cores:
//! `cargo bench --bench batches`.

mod setup;

use std::hint::black_box;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, criterion_group, criterion_main};
use glam::Vec3;
use nodetree::geometry::Ray;
use nodetree::query::{Batch, Faces, Sweep, Which};
use setup::{Random, Scene};

/// Questions of a batch: far more than the caches hold the answers of.
const MANY: usize = 100_000;

fn batches(criterion: &mut Criterion) {
    let mut group = setup::group(criterion, "batches", MANY);
    for Scene { name, tree, .. } in &Scene::large() {
        let (mut random, bounds) = (Random::new(1), tree.bounds());
        let points: Vec<Vec3> = (0..MANY).map(|_| setup::inside(&mut random, &bounds)).collect();
        let rays: Vec<Ray> =
            points.iter().map(|&point| Ray::new(point, random.direction()).expect("a unit direction")).collect();
        let sweeps: Vec<Sweep> =
            points.iter().map(|&point| Sweep::sphere(point, 0.35, random.direction() * 5.0)).collect();

        each(&mut group, name, "rays", &rays, |ray| tree.ray(ray, f32::INFINITY, Faces::Both));
        let mut batch = Batch::default();
        group.bench_function(format!("{name}, rays, batch"), |bencher| {
            bencher.iter(|| tree.ray_batch(black_box(&rays), f32::INFINITY, Faces::Both, &mut batch));
        });
        each(&mut group, name, "heights", &points, |&point| tree.height(point, Which::Below, 0.0));
        let mut batch = Batch::default();
        group.bench_function(format!("{name}, heights, batch"), |bencher| {
            bencher.iter(|| tree.height_batch(black_box(&points), Which::Below, 0.0, &mut batch));
        });
        each(&mut group, name, "sweeps", &sweeps, |sweep| tree.sweep(sweep));
        let mut batch = Batch::default();
        group.bench_function(format!("{name}, sweeps, batch"), |bencher| {
            bencher.iter(|| tree.sweep_batch(black_box(&sweeps), &mut batch));
        });
    }
    group.finish();
}

/// The same questions one by one on one thread.
fn each<Q, A>(
    group: &mut BenchmarkGroup<'_, WallTime>,
    name: &str,
    kind: &str,
    questions: &[Q],
    ask: impl Fn(&Q) -> A,
) {
    group.bench_function(format!("{name}, {kind}, one by one"), |bencher| {
        bencher.iter(|| {
            for question in questions {
                black_box(ask(black_box(question)));
            }
        });
    });
}

criterion_group!(benches, batches);
criterion_main!(benches);
