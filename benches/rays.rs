//! Nearest hits of rays, one at a time: from cameras, anywhere, and straight down: `cargo bench --bench rays`.

mod setup;

use criterion::{Criterion, criterion_group, criterion_main};
use glam::Vec3;
use nodetree::bench::default_path;
use nodetree::camera::Camera;
use nodetree::geometry::Ray;
use nodetree::query::Faces;
use setup::{QUESTIONS, Random, Scene};

fn rays(criterion: &mut Criterion) {
    let mut group = setup::group(criterion, "rays", QUESTIONS);
    for mut scene in Scene::large() {
        for (kind, rays) in [("camera", camera(&scene)), ("random", random(&scene)), ("down", down(&scene))] {
            setup::ask_with_each_simd(&mut group, &mut scene, kind, &rays, |tree, ray| {
                tree.ray(ray, f32::INFINITY, Faces::Both)
            });
        }
    }
    group.finish();
}

/// Of four views at walking height, the pixels of each a line after the other.
fn camera(scene: &Scene) -> Vec<Ray> {
    const VIEWS: usize = 4;
    const WIDTH: usize = 32;
    const HEIGHT: usize = QUESTIONS / VIEWS / WIDTH;

    let pixel = |camera: &Camera, i: usize| {
        let (x, y) = ((i % WIDTH) as f32 + 0.5, (i / WIDTH) as f32 + 0.5);
        let (right, up) = (2.0 * x / WIDTH as f32 - 1.0, 1.0 - 2.0 * y / HEIGHT as f32);
        let direction = camera.forward() + 0.58 * (right * camera.right() + up * camera.up());
        Ray::new(camera.eye, direction).expect("a view's direction")
    };
    // Far enough along the path that each is at another place.
    default_path(&scene.level, &scene.tree, 1, 40 * VIEWS)
        .iter()
        .step_by(40)
        .flat_map(|camera| (0..WIDTH * HEIGHT).map(|i| pixel(camera, i)).collect::<Vec<_>>())
        .collect()
}

fn random(scene: &Scene) -> Vec<Ray> {
    let (mut random, bounds) = (Random::new(2), scene.tree.bounds());
    let ray = |_| {
        let origin = setup::inside(&mut random, &bounds);
        Ray::new(origin, random.direction()).expect("a unit direction")
    };
    (0..QUESTIONS).map(ray).collect()
}

fn down(scene: &Scene) -> Vec<Ray> {
    let (mut random, bounds) = (Random::new(3), scene.tree.bounds());
    let ray = |_| {
        let origin = setup::inside(&mut random, &bounds).with_y(bounds.max.y + 1.0);
        Ray::new(origin, Vec3::NEG_Y).expect("a unit direction")
    };
    (0..QUESTIONS).map(ray).collect()
}

criterion_group!(benches, rays);
criterion_main!(benches);
