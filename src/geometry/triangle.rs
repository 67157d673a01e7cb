//! One triangle: where a ray crosses it, how high it stands over a point.

use glam::{DVec2, DVec3, Vec3};

use super::exact::{self, Offset};
use super::{Ray, UNIT};

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
    #[inline(always)]
    pub fn point(&self, [a, b, c]: &[Vec3; 3]) -> Vec3 {
        let (a, b, c) = (a.as_dvec3(), b.as_dvec3(), c.as_dvec3());
        (a + self.u * (b - a) + self.v * (c - a)).as_vec3()
    }
}

/// The unit normal, towards the side from which the corners run counter-clockwise; zero for a triangle without area.
#[inline(always)]
pub fn normal([a, b, c]: &[Vec3; 3]) -> Vec3 {
    let (a, b, c) = (a.as_dvec3(), b.as_dvec3(), c.as_dvec3());
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
        let [x, y, z] = self.axes();
        self.cross_turned(corners.map(|corner| Vec3::new(corner[x], corner[y], corner[z]).as_dvec3()))
    }

    /// The same for corners along [`Ray::axes`]. Along Z, where it is fastest, the ray only moves one way; seen along it, the
    /// corners are points in the plane of X and Y.
    #[inline(always)]
    pub(crate) fn cross_turned(&self, corners: [DVec3; 3]) -> Option<Crossing> {
        /// The volume between the origin and the triangle errs by less than 32 epsilons of the product of their sizes. Where
        /// it is not more than this part of the product, f64 does not tell it as well as f32 tells the distance.
        const UNCERTAIN: f64 = 32.0 * f64::EPSILON / (0.25 * UNIT as f64);
        /// Sine of the angle to the triangle's plane from which on the ray grazes it.
        const GRAZING: f64 = 1e-6;

        let (way, origin) = (self.turned_way(), self.turned_origin());
        let [a, b, c] = [corners[0] - origin, corners[1] - origin, corners[2] - origin];
        let seen = [seen_along(way, a), seen_along(way, b), seen_along(way, c)];
        let mut weights = [across(seen[1], seen[2]), across(seen[2], seen[0]), across(seen[0], seen[1])];
        let reach = greatest(greatest_of(a.abs()), greatest_of(b.abs()), greatest_of(c.abs()));
        let error = EDGE_ERROR * (reach * way.z) * (reach * way.z);
        let [u, v, w] = weights;
        let (lowest, highest) = (least(u, v, w), greatest(u, v, w));
        if lowest < -error && highest > error {
            return None;
        }
        let mut owned = true;
        if lowest <= error && highest >= -error {
            (weights, owned) = self.decide(&corners, seen, weights)?;
        }
        let total = weights[0] + weights[1] + weights[2];

        let front = (total > 0.0) != (way.z > 0.0);
        // From the corners themselves: far from the origin their offsets are rounded, and differences of those are no edges.
        let (first, second) = (corners[1] - corners[0], corners[2] - corners[0]);
        let normal = first.cross(second);
        let (mut volume, mut along) = (normal.dot(a), normal.dot(way));
        // No edge is longer than twice the reach.
        if volume.abs() <= 4.0 * UNCERTAIN * reach * reach * reach {
            let size = greatest_of(first.abs()) * greatest_of(second.abs()) * greatest_of(a.abs());
            if volume.abs() <= UNCERTAIN * size {
                let [a, b, c] = corners.map(|corner| Offset::between(origin, corner));
                volume = exact::volume(&a, &b, &c);
                let [first, second] = [1, 2].map(|to| Offset::between(corners[0], corners[to]));
                along = exact::volume(&Offset::exactly(way), &first, &second);
            }
        }
        if volume != 0.0 && (volume < 0.0) != front {
            return None;
        }
        let (u, v) = (weights[1] / total, weights[2] / total);
        let grazing = GRAZING * self.way_length();
        let quotient = (volume / along).abs();
        let depth = quotient * way.z;
        let is_sharp = along * along > grazing * grazing * normal.length_squared();
        let is_between = least(a.z, b.z, c.z) <= depth && depth <= greatest(a.z, b.z, c.z);
        let steps = if volume == 0.0 {
            0.0
        } else if is_sharp && is_between {
            quotient
        } else {
            // The quotient is all rounding; the mean of the corners at least stays between them.
            ((weights[0] * a.z + weights[1] * b.z + weights[2] * c.z) / (total * way.z)).max(0.0)
        };
        Some(Crossing { distance: steps * self.way_length(), u, v, front, owned })
    }

    /// Decides what f64 cannot: the weights with exact signs, and whether a crossing is the triangle's own. `None` where the
    /// ray passes by or lies in the triangle's plane.
    #[cold]
    #[inline(never)]
    fn decide(&self, corners: &[DVec3; 3], seen: [DVec2; 3], weights: [f64; 3]) -> Option<([f64; 3], bool)> {
        /// Each edge function is the weight of the corner across.
        const EDGES: [(usize, usize); 3] = [(1, 2), (2, 0), (0, 1)];

        let mut weights = weights;
        let (way, origin) = (self.turned_way(), self.turned_origin());
        let reach = corners.map(|corner| (corner - origin).abs().max_element() * way.z.abs());
        for ((i, j), weight) in EDGES.into_iter().zip(&mut weights) {
            if weight.abs() <= EDGE_ERROR * reach[i] * reach[j] {
                let [i, j] = [i, j].map(|end| Offset::between(origin, corners[end]));
                *weight = way.z * exact::volume(&Offset::exactly(way), &i, &j);
            }
        }
        let total: f64 = weights.iter().sum();
        let is_outside = weights.iter().any(|&weight| weight > 0.0) && weights.iter().any(|&weight| weight < 0.0);
        if total == 0.0 || is_outside {
            return None;
        }
        let owned = EDGES.into_iter().zip(weights).all(|((i, j), weight)| {
            // On the edge the side is that of a point moved by a little along x and by far less along y.
            let side = if seen[i].y != seen[j].y { seen[i].y - seen[j].y } else { seen[j].x - seen[i].x };
            weight != 0.0 || side * total > 0.0
        });
        Some((weights, owned))
    }
}

/// An edge function errs by less than this times the reach of both ends: each coordinate of an end by 6 halves of an epsilon, the
/// two products of those by 28 each, their difference by 8.
const EDGE_ERROR: f64 = 64.0 * f64::EPSILON;

/// A point as seen along a way whose Z is the greatest.
#[inline]
fn seen_along(way: DVec3, point: DVec3) -> DVec2 {
    DVec2::new(point.x * way.z - point.z * way.x, point.y * way.z - point.z * way.y)
}

/// The least of three numbers. Unlike `f64::min` it minds no NaN, and is one instruction for two.
#[inline(always)]
fn least(a: f64, b: f64, c: f64) -> f64 {
    let lesser = if a < b { a } else { b };
    if lesser < c { lesser } else { c }
}

#[inline(always)]
fn greatest(a: f64, b: f64, c: f64) -> f64 {
    let greater = if a > b { a } else { b };
    if greater > c { greater } else { c }
}

#[inline(always)]
fn greatest_of(vector: DVec3) -> f64 {
    greatest(vector.x, vector.y, vector.z)
}

/// The edge function of two ends.
#[inline]
fn across(from: DVec2, to: DVec2) -> f64 {
    from.x * to.y - from.y * to.x
}

/// How high a triangle stands at (`x`, `z`), in metres; edges and corners belong to it. `None` beside it, and for a vertical
/// triangle, which has no height anywhere. What is beside it is decided exactly, so there are no gaps along shared edges;
/// the height is computed in f64 and is never beyond the corners'.
#[inline(always)]
pub fn height_at(corners: &[Vec3; 3], x: f32, z: f32) -> Option<f64> {
    /// An edge function errs by less than this times the sum of its products' sizes.
    const EDGE_ERROR: f64 = 4.0 * f64::EPSILON;

    let point = DVec3::new(f64::from(x), 0.0, f64::from(z));
    let side = |from: Vec3, to: Vec3| {
        let (a, b) = (from.as_dvec3() - point, to.as_dvec3() - point);
        let (left, right) = (a.z * b.x, a.x * b.z);
        let weight = left - right;
        if weight.abs() > EDGE_ERROR * (left.abs() + right.abs()) {
            return weight;
        }
        exact::area_xz(&Offset::between(point, from.as_dvec3()), &Offset::between(point, to.as_dvec3()))
    };
    let [a, b, c] = *corners;
    let (u, v, w) = (side(b, c), side(c, a), side(a, b));
    let total = u + v + w;
    if least(u, v, w) < 0.0 && greatest(u, v, w) > 0.0 || total == 0.0 {
        return None;
    }
    let (a, b, c) = (f64::from(a.y), f64::from(b.y), f64::from(c.y));
    let height = a + (v * (b - a) + w * (c - a)) / total;
    Some(height.clamp(least(a, b, c), greatest(a, b, c)))
}
