//! One triangle: where a ray crosses it, how high it stands over a point.

use glam::{DVec3, Vec3};

use super::Ray;
use super::exact::{self, Offset};

/// Where a ray crosses a triangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crossing {
    /// Metres along the ray, at least 0.
    pub distance: f64,
    /// Weight of the second corner.
    pub u: f64,
    /// Weight of the third corner: the point is `(1 - u - v) p0 + u p1 + v p2`.
    pub v: f64,
    /// Whether the ray comes from the front, the side from which the corners run counter-clockwise.
    pub front: bool,
    /// Whether the crossing is this triangle's own. Through an edge or a corner a ray meets several triangles at once;
    /// the owners are those that a ray moved sideways by less than any number would cross. So a surface that goes on over
    /// the edge or around the corner has one owner there, one that is only touched along its outline has none or as
    /// many that lead in as lead out, and counting owners tells inside from outside.
    pub owned: bool,
}

impl Crossing {
    /// The point of the triangle that the ray crosses.
    pub fn point(&self, [a, b, c]: &[Vec3; 3]) -> Vec3 {
        let [a, b, c] = [a, b, c].map(|corner| corner.as_dvec3());
        (a + self.u * (b - a) + self.v * (c - a)).as_vec3()
    }
}

/// The unit normal, towards the side from which the corners run counter-clockwise; zero for a triangle without area.
pub fn normal([a, b, c]: &[Vec3; 3]) -> Vec3 {
    let [a, b, c] = [a, b, c].map(|corner| corner.as_dvec3());
    (b - a).cross(c - a).normalize_or_zero().as_vec3()
}

impl Ray {
    /// Where it crosses a triangle; edges and corners belong to it. `None` where it passes by, where the triangle lies
    /// behind, and where the ray lies in the triangle's plane, which is no crossing.
    ///
    /// Whether it crosses is decided exactly, so nothing slips through between triangles that share an edge or a corner,
    /// and whether the crossing lies ahead of the origin too; the numbers are computed in f64.
    ///
    /// Source: Woop, Benthin and Wald, "Watertight Ray/Triangle Intersection", JCGT 2013, with the shear made a
    /// multiplication so that it rounds less, and exact signs near zero (see Shewchuk, 1997).
    pub fn cross_triangle(&self, corners: &[Vec3; 3]) -> Option<Crossing> {
        /// The edge functions err by less than this times the reach of both ends: each coordinate of an end by 6 halves
        /// of an epsilon, the two products of those by 28 each, their difference by 8.
        const EDGE_ERROR: f64 = 64.0 * f64::EPSILON;
        /// The same for the volume between the origin and the triangle.
        const VOLUME_ERROR: f64 = 32.0 * f64::EPSILON;
        /// Sine of the angle to the triangle's plane from which on the ray grazes it.
        const GRAZING: f64 = 1e-6;

        // Along the axis on which the ray is fastest it only moves forwards; seen along the ray, the corners are points in
        // the plane of the other two.
        let direction = self.way();
        let fastest = direction.abs().max_position();
        let [x, y, z] = [(fastest + 1) % 3, (fastest + 2) % 3, fastest];
        let (dx, dy, dz) = (direction[x], direction[y], direction[z]);
        let corners = corners.map(|corner| corner.as_dvec3());
        let from_origin = corners.map(|corner| corner - self.origin());
        let seen = from_origin.map(|corner| (corner[x] * dz - corner[z] * dx, corner[y] * dz - corner[z] * dy));
        let reach = from_origin.map(|corner| corner.abs().max_element() * dz.abs());

        // Each edge function is the weight of the corner across.
        const EDGES: [(usize, usize); 3] = [(1, 2), (2, 0), (0, 1)];
        let mut weights = EDGES.map(|(i, j)| seen[i].0 * seen[j].1 - seen[i].1 * seen[j].0);
        let errors = EDGES.map(|(i, j)| EDGE_ERROR * reach[i] * reach[j]);
        let outside = |weights: &[f64; 3], errors: &[f64; 3]| {
            let (mut above, mut below) = (false, false);
            for (weight, error) in weights.iter().zip(errors) {
                above |= *weight > *error;
                below |= *weight < -*error;
            }
            above && below
        };
        if outside(&weights, &errors) {
            return None;
        }
        for ((i, j), (weight, error)) in EDGES.into_iter().zip(weights.iter_mut().zip(errors)) {
            if weight.abs() <= error {
                let [i, j] = [i, j].map(|end| Offset::between(self.origin(), corners[end]));
                *weight = dz * exact::volume(&Offset::exactly(direction), &i, &j);
            }
        }
        let total: f64 = weights.iter().sum();
        if total == 0.0 || outside(&weights, &[0.0; 3]) {
            return None;
        }

        // Positive where the ray comes from behind.
        let facing = total.signum() * dz.signum();
        let [a, b, c] = from_origin;
        let (first, second) = (corners[1] - corners[0], corners[2] - corners[0]);
        let normal = first.cross(second);
        let mut volume = normal.dot(a);
        let volume_error = first.abs().max_element() * second.abs().max_element() * a.abs().max_element();
        if volume.abs() <= VOLUME_ERROR * volume_error {
            let [a, b, c] = corners.map(|corner| Offset::between(self.origin(), corner));
            volume = exact::volume(&a, &b, &c);
        }
        if volume * facing < 0.0 {
            return None;
        }
        let (u, v) = (weights[1] / total, weights[2] / total);
        let along = normal.dot(direction);
        let way = if volume == 0.0 {
            0.0
        } else if along.abs() > GRAZING * normal.length() * self.way_length() {
            (volume / along).abs()
        } else {
            // The quotient would be all rounding; between the corners at least it stays between them.
            let [a, b, c] = [a, b, c].map(|corner| corner[z] / dz);
            (a + u * (b - a) + v * (c - a)).max(0.0)
        };
        let distance = way * self.way_length();
        let owned = EDGES.into_iter().zip(weights).all(|((i, j), weight)| {
            // On the edge the side is that of a point moved by a little along x and by far less along y.
            let side = if seen[i].1 != seen[j].1 { seen[i].1 - seen[j].1 } else { seen[j].0 - seen[i].0 };
            weight != 0.0 || side * total > 0.0
        });
        Some(Crossing { distance, u, v, front: facing < 0.0, owned })
    }
}

/// How high a triangle stands at (`x`, `z`), in metres; edges and corners belong to it. `None` beside it, and for a vertical
/// triangle, which has no height anywhere. What is beside it is decided exactly, so there are no gaps along shared edges;
/// the height is computed in f64 and is never beyond the corners'.
pub fn height_at(corners: &[Vec3; 3], x: f32, z: f32) -> Option<f64> {
    /// An edge function errs by less than this times the sum of its products' sizes.
    const EDGE_ERROR: f64 = 4.0 * f64::EPSILON;

    let point = DVec3::new(f64::from(x), 0.0, f64::from(z));
    let from_point = corners.map(|corner| corner.as_dvec3() - point);
    let mut weights = [0.0; 3];
    let (mut above, mut below) = (false, false);
    for ((i, j), weight) in [(1, 2), (2, 0), (0, 1)].into_iter().zip(&mut weights) {
        let (a, b) = (from_point[i], from_point[j]);
        let (left, right) = (a.z * b.x, a.x * b.z);
        *weight = left - right;
        if weight.abs() <= EDGE_ERROR * (left.abs() + right.abs()) {
            let [i, j] = [i, j].map(|end| Offset::between(point, corners[end].as_dvec3()));
            *weight = exact::area_xz(&i, &j);
        }
        above |= *weight > 0.0;
        below |= *weight < 0.0;
        if above && below {
            return None;
        }
    }
    let total: f64 = weights.iter().sum();
    if total == 0.0 {
        return None;
    }
    let [a, b, c] = corners.map(|corner| f64::from(corner.y));
    let height = a + (weights[1] * (b - a) + weights[2] * (c - a)) / total;
    Some(height.max(a.min(b).min(c)).min(a.max(b).max(c)))
}
