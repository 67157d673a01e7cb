//! Whether a body that does not move could: a way along the wall, up a step or a slope, or over an edge, by sweeps in f64.

use glam::{DVec3, Vec3};
use nodetree::walk::Settings;

use super::body::{Body, near};

/// Metres that must be free around the body: most of the 0.01 that both keep, so that nobody is asked to squeeze through.
const MARGIN: f64 = 0.008;
/// Metres of level way that must be free.
const WAY: f64 = 0.25;
/// Radians off the wanted way at which ways are looked for: what is left of the motion along each is a quarter and more.
const TURNS: [f64; 9] = [0.0, 0.35, -0.35, 0.7, -0.7, 1.0, -1.0, 1.3, -1.3];
/// Parts of it after each of which the body must be able to stand: the first is what it walks in a step.
const PARTS: [f64; 4] = [0.125, 0.25, 0.5, 1.0];
/// Metres within which a body touches what it came down on. Something else may be as near, not nearer.
const TOUCH: f64 = 3e-4;
/// What must be walked and climbed without doubt: slopes of 45 degrees, and steps of this part of the highest.
const SURE_RISE: f64 = std::f64::consts::FRAC_1_SQRT_2;
const SURE_STEP: f64 = 0.9;

/// Whether some way within 75 degrees of the level direction `wish` is free for the body and leads over where one can stand, or
/// down. `triangles` are all within a metre of the body.
pub fn has_free_way(body: &Body, triangles: &[[Vec3; 3]], center: DVec3, wish: DVec3) -> bool {
    let step = f64::from(Settings::default().step_height);
    let body = &body.grown(MARGIN);
    [0.0, step].iter().any(|&rise| {
        let up = DVec3::Y * rise;
        let raised = center + up * free(body, triangles, center, up);
        TURNS.iter().any(|&turn| {
            let (sin, cos) = libm::sincos(turn);
            let way = WAY * DVec3::new(cos * wish.x - sin * wish.z, 0.0, sin * wish.x + cos * wish.z);
            free(body, triangles, raised, way) == 1.0
                && PARTS.iter().all(|&part| can_stand(body, triangles, center.y, raised + way * part, step))
        })
    })
}

/// Whether the body comes down on something to walk on from `above`, no more than a step higher than when its centre was at
/// `height`, or anywhere lower.
fn can_stand(body: &Body, triangles: &[[Vec3; 3]], height: f64, above: DVec3, step: f64) -> bool {
    let drop = DVec3::NEG_Y * (above.y - height);
    let part = free(body, triangles, above, drop);
    if part == 1.0 {
        return true;
    }
    let place = above + drop * part;
    let feet = height - body.half_size().y;
    let touched = near(triangles, [place; 2], body.half_size() + TOUCH).filter(|t| body.gap(place, t) < TOUCH);
    let mut is_walkable = false;
    for triangle in touched {
        let [a, b, c] = triangle.map(|corner| corner.as_dvec3());
        let normal = (b - a).cross(c - a).normalize_or_zero();
        is_walkable |= normal.y.abs() > SURE_RISE && body.nearest_height(place, triangle) < feet + SURE_STEP * step;
    }
    is_walkable
}

fn free(body: &Body, triangles: &[[Vec3; 3]], center: DVec3, way: DVec3) -> f64 {
    let ends = [center.min(center + way), center.max(center + way)];
    body.free(center, way, near(triangles, ends, body.half_size()))
}
