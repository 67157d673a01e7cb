//! Props that stand about on the floors of a level, to try things with.

use glam::{DVec3, Quat, Vec3};

use super::{Met, ModelId, Props, Transform};
use crate::generate::random::Random;
use crate::geometry::{Ray, UnitSpace};
use crate::query::{Faces, Slider};
use crate::tree::Tree;

/// Places that are tried for each prop.
const TRIES: usize = 40;
/// Around where they stand, in metres: not in the way of who starts there, and not out of sight.
const AROUND: [f64; 2] = [3.0, 45.0];
/// Floors slope by at most the angle of this cosine.
const LEVEL: f32 = 0.97;

impl Props {
    /// Adds up to `count` copies of a model, named `model 1` and so on, which stand upright on level floors around `near` (local
    /// space), clear of the level and of each other. The same places for the same level and seed; fewer where there is no room.
    /// Gives how many there are.
    pub fn scatter(&mut self, tree: &Tree, model: ModelId, near: Vec3, count: usize, seed: u64) -> usize {
        let random = &mut Random::new(seed, 0x0b_a11);
        let bounds = self.model(model).bounds();
        if tree.bounds().is_empty() || bounds.is_empty() {
            return 0;
        }
        let (half, foot) = (0.5 * bounds.size(), bounds.center() - 0.5 * bounds.size() * Vec3::Y);
        let width = half.x.max(half.z);
        let mut stand: Vec<Vec3> = Vec::new();
        let mut heights = Vec::new();
        for _ in 0..count * TRIES {
            if stand.len() == count {
                break;
            }
            // Evenly over a ring.
            let (sin, cos) = libm::sincos(random.range(0.0, core::f64::consts::TAU));
            let [least, most] = AROUND;
            let away = random.range(least * least, most * most).sqrt();
            let place = near + DVec3::new(away * cos, 0.0, away * sin).as_vec3();
            let turn = random.range(0.0, core::f64::consts::TAU) as f32;
            tree.heights(place.x, place.z, &mut heights);
            if heights.is_empty() {
                continue;
            }
            let floor = Vec3::new(place.x, heights[random.below(heights.len())], place.z);
            let apart = |other: &Vec3| other.distance(floor) > 2.0 * width + 0.1;
            if !stand.iter().all(apart) || !is_free(tree, floor, half) {
                continue;
            }
            let rotation = Quat::from_rotation_y(turn);
            let transform = Transform { rotation, ..Transform::at(floor - rotation * foot) };
            let name = format!("model {}", self.len() + 1);
            if self.add(&name, model, transform, Met::Mesh).is_ok() {
                stand.push(floor);
            }
        }
        stand.len()
    }
}

/// Whether something of half these sizes stands on a level floor here and touches nothing else.
fn is_free(tree: &Tree, floor: Vec3, half: Vec3) -> bool {
    let Ok(down) = Ray::new(floor + 0.05 * Vec3::Y, Vec3::NEG_Y) else { return false };
    let is_floor = tree.ray(&down, 0.1, Faces::Front).is_some_and(|hit| hit.normal.y > LEVEL);
    // Above the floor by what it may slope.
    let rise = 0.3 * half.x.max(half.z);
    let body = UnitSpace::new((floor + (half.y + rise) * Vec3::Y).as_dvec3(), half * Vec3::new(1.2, 1.0, 1.2));
    is_floor && Slider::new(tree, body, 0.0).overlap() == 0.0
}
