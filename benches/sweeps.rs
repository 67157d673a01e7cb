//! Swept balls and ellipsoids near surfaces, short and long ways, one at a time: `cargo bench --bench sweeps`.

mod setup;

use criterion::{Criterion, criterion_group, criterion_main};
use glam::Vec3;
use nodetree::query::{Faces, Sweep};
use setup::{QUESTIONS, Random, Scene};

fn sweeps(criterion: &mut Criterion) {
    /// Of a ball and of a walker, in metres.
    const BALL: Vec3 = Vec3::splat(0.35);
    const BODY: Vec3 = Vec3::new(0.35, 0.9, 0.35);

    let mut group = setup::group(criterion, "sweeps", QUESTIONS);
    for mut scene in Scene::large() {
        let centers = setup::near_surfaces(&scene.tree, 3.0, QUESTIONS);
        // A step of a walker and a throw of a ball, in metres.
        for (kind, radii, length) in
            [("ball, short", BALL, 0.5), ("ball, long", BALL, 50.0), ("ellipsoid, short", BODY, 0.5)]
        {
            let mut random = Random::new(2);
            let sweep = |&center| {
                let displacement = random.direction() * length * random.unit();
                Sweep { center, radii, displacement, faces: Faces::Both }
            };
            let sweeps: Vec<Sweep> = centers.iter().map(sweep).collect();
            setup::ask_with_each_simd(&mut group, &mut scene, kind, &sweeps, |tree, sweep| tree.sweep(sweep));
        }
    }
    group.finish();
}

criterion_group!(benches, sweeps);
criterion_main!(benches);
