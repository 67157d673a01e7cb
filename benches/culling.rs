//! Culling in both modes beside the methods it is measured against, along one path: `cargo bench --bench culling`.

mod setup;

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use nodetree::bench::{CopyIndices, EveryTriangle, default_path, frusta};
use nodetree::cull::DrawList;
use nodetree::tree::{Mode, Settings, Tree};

fn culling(criterion: &mut Criterion) {
    let level = setup::level("city", Some(setup::triangles()));
    let trees = [Mode::Quadtree, Mode::Octree].map(|mode| Tree::build(&level, &Settings::new(mode)));
    let frusta = frusta(&default_path(&level, &trees[1], 1, 120));
    let mut group = setup::group(criterion, "culling", frusta.len());
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

criterion_group!(benches, culling);
criterion_main!(benches);
