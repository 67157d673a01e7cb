//! Slides of a body near surfaces, and whole steps of a walker, in the built-in levels as one meets them first:
//! `cargo bench --bench walking`.

mod setup;

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use glam::Vec3;
use nodetree::generate::NAMES;
use nodetree::query::Slide;
use nodetree::walk::{Input, Settings, Walker, find_spawn};
use setup::{QUESTIONS, Random, Scene};

/// Steps of a walk: ten seconds.
const STEPS: usize = 1200;

fn walking(criterion: &mut Criterion) {
    let settings = Settings::default();
    for name in NAMES {
        let scene = Scene::new(name, None);
        let mut random = Random::new(1);
        let body = Vec3::new(settings.radius, 0.5 * settings.height, settings.radius);
        let slides: Vec<Slide> = setup::near_surfaces(&scene.tree, 2.0, QUESTIONS)
            .into_iter()
            .map(|center| Slide::new(center, body, random.direction() * 0.5 * random.unit()))
            .collect();
        let mut contacts = Vec::new();
        let mut group = setup::group(criterion, "slides", slides.len());
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                for slide in &slides {
                    black_box(scene.tree.slide(black_box(slide), &mut contacts));
                }
            });
        });
        group.finish();

        let feet = find_spawn(&scene.tree, &settings).expect("a floor to stand on");
        let mut group = setup::group(criterion, "walk steps", STEPS);
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                // In wide turns, so that walls are met, and jumping now and then.
                let mut walker = Walker::new(feet, 0.0);
                for step in 0..STEPS {
                    let yaw = 0.004 * step as f32;
                    let input = Input { forward: 1.0, yaw, jump: step % 240 == 0, ..Input::default() };
                    black_box(walker.step(&scene.tree, &settings, black_box(&input)));
                }
                walker.feet()
            });
        });
        group.finish();
    }
}

criterion_group!(benches, walking);
criterion_main!(benches);
