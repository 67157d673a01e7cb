//! Culling in both modes beside the methods it is measured against, along one path: `cargo bench --bench culling`.
//!
//! The level is `builtin:city` with as many triangles as NODETREE_BENCH_TRIANGLES says (500 000).

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use nodetree::bench::{CopyIndices, EveryTriangle, default_path, frusta};
use nodetree::cull::DrawList;
use nodetree::generate::{self, Options};
use nodetree::tree::{Mode, Settings, Tree};

fn culling(criterion: &mut Criterion) {
    let triangles = std::env::var("NODETREE_BENCH_TRIANGLES").ok().and_then(|n| n.parse().ok()).unwrap_or(500_000);
    let level = generate::city(&Options { triangles, seed: 1 });
    let trees = [Mode::Quadtree, Mode::Octree].map(|mode| Tree::build(&level, &Settings::new(mode)));
    let frusta = frusta(&default_path(&level, &trees[1], 1, 120));
    let mut group = criterion.benchmark_group("culling");
    group.throughput(Throughput::Elements(frusta.len() as u64));
    group.sample_size(10);
    for tree in &trees {
        let mut list = DrawList::new();
        group.bench_function(tree.mode().name(), |bencher| {
            bencher.iter(|| {
                for frustum in &frusta {
                    list.cull(tree, black_box(frustum));
                    black_box(list.ranges());
                }
            });
        });
    }
    let mut every = EveryTriangle::new(trees[1].triangles().map(|(_, corners)| corners));
    group.bench_function("test every triangle", |bencher| {
        bencher.iter(|| frusta.iter().map(|frustum| every.cull(black_box(frustum)).len()).sum::<usize>());
    });
    let mut classic = CopyIndices::new(&level, Mode::Octree, 1024);
    group.bench_function("copy indices", |bencher| {
        bencher.iter(|| frusta.iter().map(|frustum| classic.cull(black_box(frustum)).len()).sum::<usize>());
    });
    let mut list = DrawList::new();
    group.bench_function("draw everything", |bencher| {
        bencher.iter(|| {
            list.everything(&trees[1]);
            black_box(list.ranges().len())
        });
    });
    group.finish();
}

fn building(criterion: &mut Criterion) {
    let level = generate::terrain(&Options { triangles: 130_000, seed: 1 });
    let mut group = criterion.benchmark_group("building");
    group.throughput(Throughput::Elements(level.triangles.len() as u64));
    group.sample_size(10);
    for mode in [Mode::Quadtree, Mode::Octree] {
        group.bench_function(mode.name(), |bencher| bencher.iter(|| Tree::build(&level, &Settings::new(mode))));
    }
    group.finish();
}

criterion_group!(benches, culling, building);
criterion_main!(benches);
