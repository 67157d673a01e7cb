//! Balls at rest near surfaces: touching, the nearest point, all triangles within, and the way out:
//! `cargo bench --bench spheres`.

mod setup;

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use setup::{QUESTIONS, Scene};

fn spheres(criterion: &mut Criterion) {
    /// In metres, of the ball and of how far its centre is from a surface at most.
    const RADIUS: f32 = 0.5;
    const DISTANCE: f32 = 1.0;

    let mut group = setup::group(criterion, "spheres", QUESTIONS);
    for mut scene in Scene::large() {
        let centers = setup::near_surfaces(&scene.tree, DISTANCE, QUESTIONS);
        setup::ask_with_each_simd(&mut group, &mut scene, "touches", &centers, |tree, &center| {
            tree.sphere_touches(center, RADIUS)
        });
        setup::ask_with_each_simd(&mut group, &mut scene, "closest point", &centers, |tree, &center| {
            tree.closest_point(center)
        });
        setup::ask_with_each_simd(&mut group, &mut scene, "way out", &centers, |tree, &center| {
            tree.way_out(center, RADIUS)
        });
        let mut found = Vec::new();
        group.bench_function(format!("{}, triangles within", scene.name), |bencher| {
            bencher.iter(|| {
                for &center in &centers {
                    scene.tree.triangles_in_sphere(black_box(center), RADIUS, &mut found);
                    black_box(&found);
                }
            });
        });
    }
    group.finish();
}

criterion_group!(benches, spheres);
criterion_main!(benches);
