//! Answers by looking at every triangle: f64 where it is certain, exact arithmetic where it is not.

use glam::{DVec3, Vec3};

use super::exact::{Exact, ExactVec};

/// A triangle that a ray crosses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crossing {
    pub triangle: u32,
    /// In lengths of the direction times its length: metres. Rounded once.
    pub distance: f64,
    pub front: bool,
    /// Sine of the angle between the ray and the triangle's plane: how sharp the distance is.
    pub sine: f64,
    /// How far the triangle's farthest corner is from the origin.
    pub reach: f64,
}

/// Every triangle that the half-line from `origin` along `direction` crosses: closed triangles, a ray in the plane of one
/// does not cross it. In order of distance.
pub fn crossings(triangles: &[[Vec3; 3]], origin: DVec3, direction: DVec3) -> Vec<Crossing> {
    let all = (0..).zip(triangles);
    let mut found: Vec<Crossing> =
        all.filter_map(|(number, triangle)| crossing(number, triangle, origin, direction)).collect();
    found.sort_by(|a, b| a.distance.total_cmp(&b.distance));
    found
}

/// Where the half-line crosses one triangle.
pub fn crossing(number: u32, triangle: &[Vec3; 3], origin: DVec3, direction: DVec3) -> Option<Crossing> {
    match certain_crossing(number, triangle, origin, direction) {
        Some(certain) => certain,
        None => exact_crossing(number, triangle, origin, direction),
    }
}

/// What f64 can say far beyond any rounding; `None` where it cannot.
pub fn certain_crossing(
    number: u32,
    triangle: &[Vec3; 3],
    origin: DVec3,
    direction: DVec3,
) -> Option<Option<Crossing>> {
    const DOUBT: f64 = 1e-12;
    let [a, b, c] = triangle.map(|corner| corner.as_dvec3() - origin);
    let length = direction.length();
    let sign = |number: f64, size: f64| {
        if number.abs() <= DOUBT * size { 0 } else { number.signum() as i32 }
    };
    let signs =
        [(a, b), (b, c), (c, a)].map(|(i, j)| sign(direction.dot(i.cross(j)), length * i.length() * j.length()));
    if signs.contains(&1) && signs.contains(&-1) {
        return Some(None);
    }
    if signs.contains(&0) {
        return None;
    }
    let (first, second) =
        (triangle[1].as_dvec3() - triangle[0].as_dvec3(), triangle[2].as_dvec3() - triangle[0].as_dvec3());
    let (normal, size) = (first.cross(second), first.length() * second.length());
    let (along, ahead) = (direction.dot(normal), a.dot(normal));
    let sine = along.abs() / (length * normal.length());
    // A needle or a grazing ray would round too much.
    if normal.length() < 0.05 * size || sine < 1e-5 || sign(ahead, a.length() * size) == 0 {
        return None;
    }
    let is_ahead = ahead.signum() == along.signum();
    let reach = a.length().max(b.length()).max(c.length());
    Some(is_ahead.then(|| Crossing {
        triangle: number,
        distance: ahead / along * length,
        front: along < 0.0,
        sine,
        reach,
    }))
}

/// The same without rounding.
pub fn exact_crossing(number: u32, triangle: &[Vec3; 3], origin: DVec3, direction: DVec3) -> Option<Crossing> {
    let exact_direction = ExactVec::new(direction);
    let [a, b, c] = triangle.map(|corner| ExactVec::between(origin, corner));
    let signs = [(&a, &b), (&b, &c), (&c, &a)].map(|(i, j)| exact_direction.dot(&i.cross(j)).sign());
    if signs.contains(&1) && signs.contains(&-1) || signs == [0; 3] {
        return None;
    }
    let normal = normal(triangle);
    let (along, ahead) = (exact_direction.dot(&normal), a.dot(&normal));
    if along.sign() == 0 || along.sign() * ahead.sign() < 0 {
        return None;
    }
    let length = direction.length();
    let normal = DVec3::from_array(normal.0.map(|part| part.value()));
    Some(Crossing {
        triangle: number,
        distance: ahead.value() / along.value() * length,
        front: along.sign() < 0,
        sine: along.value().abs() / (normal.length() * length),
        reach: triangle.map(|corner| corner.as_dvec3().distance(origin)).into_iter().fold(0.0, f64::max),
    })
}

fn normal(triangle: &[Vec3; 3]) -> ExactVec {
    let first = triangle[0].as_dvec3();
    ExactVec::between(first, triangle[1]).cross(&ExactVec::between(first, triangle[2]))
}

/// Whether the triangle is more than a line or a point.
pub fn has_area(triangle: &[Vec3; 3]) -> bool {
    normal(triangle).0.iter().any(|part| part.sign() != 0)
}

/// The heights of all triangles over (`x`, `z`), from top to bottom; vertical ones have none.
pub fn heights(triangles: &[[Vec3; 3]], x: f32, z: f32) -> Vec<f64> {
    let mut heights: Vec<f64> = triangles.iter().filter_map(|triangle| height(triangle, x, z)).collect();
    heights.sort_by(|a, b| b.total_cmp(a));
    heights
}

/// The height of one triangle over (`x`, `z`), exact but for one rounding, or for a few where f64 is certain that it is there.
pub fn height(triangle: &[Vec3; 3], x: f32, z: f32) -> Option<f64> {
    let (min, max) = (triangle[0].min(triangle[1]).min(triangle[2]), triangle[0].max(triangle[1]).max(triangle[2]));
    if !(min.x <= x && x <= max.x && min.z <= z && z <= max.z) {
        return None;
    }
    match certain_height(triangle, x, z) {
        Some(certain) => certain,
        None => exact_height(triangle, x, z),
    }
}

/// What f64 can say far beyond any rounding; `None` where it cannot.
pub fn certain_height(triangle: &[Vec3; 3], x: f32, z: f32) -> Option<Option<f64>> {
    const DOUBT: f64 = 1e-12;
    let point = DVec3::new(f64::from(x), 0.0, f64::from(z));
    let [a, b, c] = triangle.map(|corner| corner.as_dvec3() - point);
    let mut sure = [0.0; 3];
    for (weight, (i, j)) in sure.iter_mut().zip([(b, c), (c, a), (a, b)]) {
        let (left, right) = (i.z * j.x, i.x * j.z);
        if (left - right).abs() > DOUBT * (left.abs() + right.abs()) {
            *weight = left - right;
        }
    }
    let [u, v, w] = sure;
    if u.max(v).max(w) > 0.0 && u.min(v).min(w) < 0.0 {
        return Some(None);
    }
    (u != 0.0 && v != 0.0 && w != 0.0).then(|| Some((u * a.y + v * b.y + w * c.y) / (u + v + w)))
}

/// The same without rounding, but for the last step.
pub fn exact_height(triangle: &[Vec3; 3], x: f32, z: f32) -> Option<f64> {
    let point = DVec3::new(f64::from(x), 0.0, f64::from(z));
    let [a, b, c] = triangle.map(|corner| ExactVec::between(point, corner));
    let area = |i: &ExactVec, j: &ExactVec| &(&i.0[2] * &j.0[0]) - &(&i.0[0] * &j.0[2]);
    let weights = [area(&b, &c), area(&c, &a), area(&a, &b)];
    let signs = [0, 1, 2].map(|corner: usize| weights[corner].sign());
    if signs.contains(&1) && signs.contains(&-1) || signs == [0; 3] {
        return None;
    }
    let total = &(&weights[0] + &weights[1]) + &weights[2];
    let lifted = [0, 1, 2].map(|corner: usize| &weights[corner] * &Exact::from(f64::from(triangle[corner].y)));
    Some((&(&lifted[0] + &lifted[1]) + &lifted[2]).value() / total.value())
}
