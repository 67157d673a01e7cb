//! The courses: a place to start and an input a step, seeded, the same for every walker and on every machine.

use std::f32::consts::PI;

use glam::{DVec3, Vec3};
use nodetree::geometry::Ray;
use nodetree::query::{Faces, Which};
use nodetree::tree::Tree;
use nodetree::walk::Input;

use super::body::{Body, near};
use super::walker::{CAPSULE, ELLIPSOID};
use crate::scene::Scene;
use crate::support::Random;

/// What a course tries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The same way all the time.
    Straight,
    /// Always turning.
    Turn,
    /// Along a wall, a little into it.
    Wall,
    /// Into a wall, and on into the corner where it ends.
    Corner,
    /// Up stairs and down again; up the slope where a level has none.
    Stairs,
    /// At 8 m/s, each second or so another way.
    Sprint,
}

/// Every kind, in the order in which courses are made.
const KINDS: [Kind; 6] = [Kind::Straight, Kind::Turn, Kind::Wall, Kind::Corner, Kind::Stairs, Kind::Sprint];

/// Where the feet start, every body clear of everything, and the input of each step; the first want nothing.
#[derive(Clone, Debug)]
pub struct Course {
    pub kind: Kind,
    pub feet: Vec3,
    pub inputs: Vec<Input>,
}

/// Steps of a course: five seconds.
pub const STEPS: usize = 600;
/// Steps in which a body comes down on the floor.
const LANDING: usize = 40;

/// So many courses on a level, of all kinds in turn; fewer where there is hardly a place to stand.
pub fn courses(scene: &Scene, tree: &Tree, count: usize) -> Vec<Course> {
    /// Places that are looked at before any will do, and before there is none.
    const TRIES: usize = 3000;
    const MOST_TRIES: usize = 2 * TRIES;
    let triangles: Vec<[Vec3; 3]> = scene.triangles().collect();
    let mut random = Random::new(15);
    let course = |number: usize| {
        let kind = KINDS[number % KINDS.len()];
        (0..MOST_TRIES).find_map(|attempt| {
            let [a, b, c] = *random.pick(&triangles);
            let normal = (b - a).cross(c - a).normalize();
            if normal.y < std::f32::consts::FRAC_1_SQRT_2 {
                return None;
            }
            let (u, v) = (random.unit(), random.unit());
            let (u, v) = if u + v > 1.0 { (1.0 - u, 1.0 - v) } else { (u, v) };
            let floor = a + u * (b - a) + v * (c - a);
            let uphill = || yaw(Vec3::new(-normal.x, 0.0, -normal.z));
            let heading = heading(kind, tree, floor, &mut random).or_else(|| (attempt >= TRIES).then(uphill))?;
            let feet = free_above(&triangles, floor)?;
            Some(Course { kind, feet, inputs: inputs(kind, heading, &mut random) })
        })
    };
    (0..count).filter_map(course).collect()
}

/// The place for the feet as little above a floor as leaves each body free.
fn free_above(triangles: &[[Vec3; 3]], floor: Vec3) -> Option<Vec3> {
    /// Metres above the floor.
    const HEIGHTS: [f32; 5] = [0.02, 0.05, 0.1, 0.2, 0.3];
    /// Metres to everything.
    const CLEAR: f64 = 0.015;
    let around: Vec<[Vec3; 3]> = near(triangles, [floor.as_dvec3(); 2], DVec3::new(1.0, 3.0, 1.0)).copied().collect();
    let is_free = |body: &Body, feet: Vec3| {
        let center = feet.as_dvec3() + DVec3::Y * body.half_size().y;
        around.iter().all(|triangle| body.gap(center, triangle) > CLEAR)
    };
    let places = HEIGHTS.iter().map(|height| floor + Vec3::Y * *height);
    places.into_iter().find(|feet| [ELLIPSOID, CAPSULE].iter().all(|body| is_free(body, *feet)))
}

/// The yaw to start with, if the place is one for this kind of course.
fn heading(kind: Kind, tree: &Tree, floor: Vec3, random: &mut Random) -> Option<f32> {
    let any = random.range(-PI, PI);
    match kind {
        Kind::Straight | Kind::Turn | Kind::Sprint => Some(any),
        Kind::Wall => along_wall(tree, floor, any, random.range(0.15, 0.6), random.below(2) == 0),
        Kind::Corner => along_wall(tree, floor, any, random.range(0.8, 1.4), random.below(2) == 0),
        Kind::Stairs => climbs_stairs(tree, floor, any).then_some(any),
    }
}

/// Along the wall that is seen in a direction, `into` radians into it.
fn along_wall(tree: &Tree, floor: Vec3, seen: f32, into: f32, turned: bool) -> Option<f32> {
    const SIGHT: f32 = 4.0;
    let chest = Ray::new(floor + Vec3::Y, forward(seen)).ok()?;
    let hit = tree.ray(&chest, SIGHT, Faces::Both)?;
    if hit.normal.y.abs() > 0.3 {
        return None;
    }
    let into_wall = -Vec3::new(hit.normal.x, 0.0, hit.normal.z) * hit.normal.dot(-forward(seen)).signum();
    let side = 0.5 * PI - into;
    Some(yaw(into_wall) + if turned { side } else { -side })
}

/// Whether at least two steps up, and nothing higher than a step, lie ahead.
fn climbs_stairs(tree: &Tree, floor: Vec3, heading: f32) -> bool {
    const SIGHT: f32 = 3.0;
    const STRIDE: f32 = 0.05;
    const STEP: std::ops::Range<f32> = 0.08..0.42;
    let (mut height, mut steps) = (floor.y, 0);
    for stride in 1..(SIGHT / STRIDE) as u32 {
        let place = (floor + forward(heading) * (STRIDE * stride as f32)).with_y(height + 1.0);
        let Some(next) = tree.height(place, Which::Below, 0.0) else { return false };
        if next - height > STEP.end {
            return false;
        }
        steps += usize::from(STEP.contains(&(next - height)));
        height = next;
    }
    steps >= 2
}

/// The input of each step.
fn inputs(kind: Kind, heading: f32, random: &mut Random) -> Vec<Input> {
    let (mut yaw, mut turn) = (heading, 0.0);
    (0..STEPS)
        .map(|step| {
            let is_every = |steps: usize| step > LANDING && step.is_multiple_of(steps);
            match kind {
                Kind::Straight => {}
                Kind::Turn if step.is_multiple_of(120) => turn = random.range(-0.03, 0.03),
                Kind::Wall if is_every(120) => yaw += random.range(-0.2, 0.2),
                Kind::Corner if step > STEPS / 2 && is_every(75) => yaw += random.range(-0.6, 0.6),
                Kind::Stairs if step == STEPS * 2 / 3 => yaw += PI,
                Kind::Sprint if is_every(150) => yaw += random.range(-PI, PI),
                _ => {}
            }
            yaw += turn;
            let walks = f32::from(u8::from(step >= LANDING));
            Input { forward: walks, yaw, fast: kind == Kind::Sprint, ..Input::default() }
        })
        .collect()
}

/// The level direction of a heading.
pub fn forward(yaw: f32) -> Vec3 {
    let (sin, cos) = libm::sincosf(yaw);
    Vec3::new(-sin, 0.0, -cos)
}

/// The heading of a level direction.
fn yaw(direction: Vec3) -> f32 {
    libm::atan2f(-direction.x, -direction.z)
}
