//! Heights at points in random order, one at a time: `cargo bench --bench heights`.

mod setup;

use criterion::{Criterion, criterion_group, criterion_main};
use glam::Vec3;
use nodetree::query::Which;
use setup::{QUESTIONS, Random, Scene};

fn heights(criterion: &mut Criterion) {
    let mut group = setup::group(criterion, "heights", QUESTIONS);
    for mut scene in Scene::large() {
        let (mut random, bounds) = (Random::new(1), scene.tree.bounds());
        let points: Vec<Vec3> = (0..QUESTIONS).map(|_| setup::inside(&mut random, &bounds)).collect();
        for (kind, which) in [("below", Which::Below), ("above", Which::Above), ("closest", Which::Closest)] {
            setup::ask_with_each_simd(&mut group, &mut scene, kind, &points, |tree, &point| {
                tree.height(point, which, 0.0)
            });
        }
    }
    group.finish();
}

criterion_group!(benches, heights);
criterion_main!(benches);
