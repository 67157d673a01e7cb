//! The questions: seeded, the same on every machine.

use std::ops::Range;

use glam::Vec3;
use nodetree::bench;
use nodetree::camera::Camera;
use nodetree::geometry::Aabb;
use nodetree::tree::Tree;

use crate::answer::{Answer, Below, Cast, Move, RADIUS};
use crate::scene::Scene;
use crate::support::Random;

/// A picture of `side` by `side` rays, row by row, from a place with a long view.
pub fn camera(scene: &Scene, tree: &Tree, side: usize) -> Vec<Cast> {
    /// Places that are compared, and frames that the default path stays at each.
    const PLACES: usize = 24;
    const STAY: usize = 40;
    let path = bench::default_path(&scene.level, tree, 3, PLACES * STAY);
    let camera = path
        .iter()
        .step_by(STAY)
        .max_by(|a, b| mean_view(tree, a).total_cmp(&mean_view(tree, b)))
        .expect("a path with frames");
    picture(camera, side).collect()
}

fn picture(camera: &Camera, side: usize) -> impl Iterator<Item = Cast> {
    let Camera { eye, fov_y, .. } = *camera;
    let (forward, right, up) = (camera.forward(), camera.right(), camera.up());
    let reach = (0.5 * fov_y).tan();
    let offset = move |pixel: usize| reach * (2.0 * (pixel as f32 + 0.5) / side as f32 - 1.0);
    (0..side * side).map(move |pixel| {
        let direction = forward + offset(pixel % side) * right - offset(pixel / side) * up;
        Cast { origin: eye, direction: direction.normalize() }
    })
}

/// How far one sees on average; the sky counts as nothing.
fn mean_view(tree: &Tree, camera: &Camera) -> f32 {
    const SIDE: usize = 24;
    picture(camera, SIDE).filter_map(|cast| tree.one(&cast)).sum::<f32>() / (SIDE * SIDE) as f32
}

/// From anywhere in the box to anywhere.
pub fn random_casts(bounds: &Aabb, count: usize) -> Vec<Cast> {
    let mut random = Random::new(11);
    (0..count).map(|_| Cast { origin: inside(&mut random, bounds), direction: random.direction() }).collect()
}

/// From anywhere in the box straight down.
pub fn casts_down(bounds: &Aabb, count: usize) -> Vec<Cast> {
    let mut random = Random::new(12);
    (0..count).map(|_| Cast { origin: inside(&mut random, bounds), direction: Vec3::NEG_Y }).collect()
}

/// Below anywhere in the box.
pub fn points(bounds: &Aabb, count: usize) -> Vec<Below> {
    let mut random = Random::new(13);
    (0..count).map(|_| Below(inside(&mut random, bounds))).collect()
}

fn inside(random: &mut Random, bounds: &Aabb) -> Vec3 {
    Vec3::from_array([0, 1, 2].map(|axis| random.range(bounds.min[axis], bounds.max[axis])))
}

/// Moves of so many metres in any direction that start clear of everything near a surface, a quarter of which hit something
/// (more or less where a level does not give as many).
pub fn moves(scene: &Scene, tree: &Tree, lengths: Range<f32>, count: usize) -> Vec<Move> {
    /// Free space between the ball and what it starts near, in metres.
    const GAP: Range<f32> = 0.01..1.0;
    /// Tries a move before the wanted share is given up.
    const TRIES: usize = 40;
    let mut random = Random::new(14);
    let mut moves = Vec::with_capacity(count);
    let (mut hits, mut tries) = (0, 0);
    while moves.len() < count {
        let [a, b, c] = random.pick(&scene.indices).map(|vertex| scene.positions[vertex as usize]);
        let (u, v) = (random.unit(), random.unit());
        let (u, v) = if u + v > 1.0 { (1.0 - u, 1.0 - v) } else { (u, v) };
        let away = random.direction() * (RADIUS + random.range(GAP.start, GAP.end));
        let center = a + u * (b - a) + v * (c - a) + away;
        let displacement = random.direction() * random.range(lengths.start, lengths.end);
        if tree.sphere_touches(center, RADIUS + GAP.start) {
            continue;
        }
        let question = Move { center, displacement };
        let is_hit = tree.one(&question).is_some();
        tries += 1;
        if is_hit == (4 * hits <= moves.len()) || tries > TRIES * count {
            hits += usize::from(is_hit);
            moves.push(question);
        }
    }
    moves
}
