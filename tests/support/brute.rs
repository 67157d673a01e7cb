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
}

/// Every triangle that the half-line from `origin` along `direction` crosses: closed triangles, a ray in the plane of one
/// does not cross it. In order of distance.
pub fn crossings(triangles: &[[Vec3; 3]], origin: DVec3, direction: DVec3) -> Vec<Crossing> {
    let mut found: Vec<Crossing> = (0..triangles.len() as u32)
        .filter(|&triangle| !is_certainly_missed(&triangles[triangle as usize], origin, direction))
        .filter_map(|triangle| exact_crossing(triangle, &triangles[triangle as usize], origin, direction))
        .collect();
    found.sort_by(|a, b| a.distance.total_cmp(&b.distance));
    found
}

/// Whether two of the three volumes have opposite signs far beyond any rounding.
fn is_certainly_missed(triangle: &[Vec3; 3], origin: DVec3, direction: DVec3) -> bool {
    let corners = triangle.map(|corner| corner.as_dvec3() - origin);
    let (mut above, mut below) = (false, false);
    for (i, j) in [(0, 1), (1, 2), (2, 0)] {
        let volume = direction.dot(corners[i].cross(corners[j]));
        let doubt = 1e-12 * direction.length() * corners[i].length() * corners[j].length();
        above |= volume > doubt;
        below |= volume < -doubt;
    }
    above && below
}

fn exact_crossing(number: u32, triangle: &[Vec3; 3], origin: DVec3, direction: DVec3) -> Option<Crossing> {
    let exact_direction = ExactVec::new(direction);
    let [a, b, c] = triangle.map(|corner| ExactVec::between(origin, corner));
    let signs = [(&a, &b), (&b, &c), (&c, &a)].map(|(i, j)| exact_direction.dot(&i.cross(j)).sign());
    if signs.contains(&1) && signs.contains(&-1) || signs == [0; 3] {
        return None;
    }
    let first = triangle[0].as_dvec3();
    let normal = ExactVec::between(first, triangle[1]).cross(&ExactVec::between(first, triangle[2]));
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
    })
}

/// The heights of all triangles over (`x`, `z`), from top to bottom; vertical ones have none.
pub fn heights(triangles: &[[Vec3; 3]], x: f32, z: f32) -> Vec<f64> {
    let point = DVec3::new(f64::from(x), 0.0, f64::from(z));
    let mut heights: Vec<f64> = triangles
        .iter()
        .filter(|triangle| {
            let (min, max) =
                (triangle[0].min(triangle[1]).min(triangle[2]), triangle[0].max(triangle[1]).max(triangle[2]));
            min.x <= x && x <= max.x && min.z <= z && z <= max.z
        })
        .filter_map(|triangle| {
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
        })
        .collect();
    heights.sort_by(|a, b| b.total_cmp(a));
    heights
}
