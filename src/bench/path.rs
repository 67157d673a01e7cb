//! The default camera path: through the inside of a level at walking height.

use glam::Vec3;

use crate::camera::Camera;
use crate::cull::DrawList;
use crate::generate::random::Random;
use crate::geometry::Frustum;
use crate::level::Level;
use crate::query::Which;
use crate::tree::Tree;

/// Height of the eye above the floor, in metres, ...
const EYE: f32 = 1.65;
/// ... the room that a person needs, ...
const HEADROOM: f32 = 1.8;
/// ... and how far one frame goes.
const STEP: f32 = 0.2;
/// Frames from one place to the next.
const FRAMES_A_PLACE: usize = 40;
/// Places tried until one sees between 5 and 30 % of the level.
const TRIES: usize = 60;
const WANTED: std::ops::RangeInclusive<f32> = 0.05..=0.30;

/// A seeded path of `frames` cameras: from place to place, at each a walk of some metres with the head turning. Places are
/// preferred whose view needs between 5 and 30 % of the triangles. Where a level has no floor to stand on, the cameras
/// stand in the middle of its box.
pub fn default_path(level: &Level, tree: &Tree, seed: u64, frames: usize) -> Vec<Camera> {
    let random = &mut Random::new(seed, 0xbe9c);
    let mut list = DrawList::new();
    let mut path = Vec::with_capacity(frames);
    while path.len() < frames {
        let mut camera = start(level, tree, random, &mut list);
        let turn = random.range(-0.03, 0.03) as f32;
        for _ in 0..FRAMES_A_PLACE.min(frames - path.len()) {
            path.push(camera);
            camera.yaw += turn;
            let ahead = camera.eye + Vec3::new(camera.forward().x, 0.0, camera.forward().z) * STEP;
            match floor_below(tree, ahead) {
                // A step of half a metre at most, and not through a wall.
                Some(floor)
                    if (floor + EYE - camera.eye.y).abs() < 0.5 && tree.segment(camera.eye, ahead).is_none() =>
                {
                    camera.eye = Vec3::new(ahead.x, floor + EYE, ahead.z);
                }
                _ => camera.yaw += 0.1,
            }
        }
    }
    path
}

/// A place to stand and a heading, the best of some tries.
fn start(level: &Level, tree: &Tree, random: &mut Random, list: &mut DrawList) -> Camera {
    let bounds = tree.bounds();
    let all = level.triangles.len().max(1) as f32;
    let middle = if bounds.is_empty() { Vec3::ZERO } else { bounds.center() };
    let mut best = (f32::INFINITY, Camera { eye: middle, ..Camera::default() });
    for _ in 0..TRIES {
        let place = Vec3::from_array(
            [0, 1, 2].map(|axis| random.range(bounds.min[axis].into(), bounds.max[axis].into()) as f32),
        );
        let yaw = random.range(-std::f64::consts::PI, std::f64::consts::PI) as f32;
        let Some(floor) = floor_below(tree, place) else { continue };
        let eye = Vec3::new(place.x, floor + EYE, place.z);
        if tree
            .height(Vec3::new(place.x, floor + 0.01, place.z), Which::Above, 0.0)
            .is_some_and(|y| y < floor + HEADROOM)
        {
            continue;
        }
        let camera = Camera { eye, yaw, ..Camera::default() };
        list.cull(tree, &Frustum::from_clip_from_world(camera.clip_from_world()));
        let seen = list.statistics().triangles as f32 / all;
        let miss = (WANTED.start() - seen).max(seen - WANTED.end()).max(0.0);
        if miss < best.0 {
            best = (miss, camera);
        }
        if miss == 0.0 {
            break;
        }
    }
    best.1
}

fn floor_below(tree: &Tree, place: Vec3) -> Option<f32> {
    tree.height(place, Which::Below, 0.0)
}
