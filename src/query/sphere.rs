//! Spheres at rest: what they touch, the nearest point, and the way out of an overlap.

use glam::{DVec3, Vec3};

use crate::geometry::{Aabb, HalfSpaces, TOUCH, UnitSpace, direction_from, nearest_on_triangle};
use crate::tree::{Tree, Visit};

/// The point of a level that is nearest to somewhere.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClosestPoint {
    /// In local space.
    pub point: Vec3,
    /// How far away it is, in metres.
    pub distance: f32,
    /// Number of the triangle in the level that it lies on; of several any.
    pub triangle: u32,
}

impl Tree {
    /// Whether the closed ball around `center` (local space) of `radius` metres shares a point with the level: the distance
    /// of the nearest point, rounded to f32, is at most the radius. False for a centre or radius that is not a number.
    pub fn sphere_touches(&self, center: Vec3, radius: f32) -> bool {
        let mut touches = false;
        self.visit_triangles_in_sphere(center, radius, |_| {
            touches = true;
            Visit::Stop
        });
        touches
    }

    /// The point of the level nearest to `center`, all in local space. `None` for an empty level, and for a centre that is
    /// not finite.
    pub fn closest_point(&self, center: Vec3) -> Option<ClosestPoint> {
        if !center.is_finite() {
            return None;
        }
        let from = center.as_dvec3();
        let mut best: Option<(f64, DVec3, usize)> = None;
        self.visit_nearest(
            f32::INFINITY,
            |bounds, _| Some((distance_to_box(from, bounds) as f32).next_down()),
            |run, limit| {
                for index in run {
                    let triangle = &self.triangles()[index];
                    if best.is_some_and(|(least, ..)| distance_to_box(from, &Aabb::of_triangle(triangle)) >= least) {
                        continue;
                    }
                    let point = nearest_on_triangle(&triangle.map(|corner| corner.as_dvec3() - from)).point;
                    let distance = point.length();
                    if best.is_none_or(|(least, ..)| distance < least) {
                        best = Some((distance, point, index));
                    }
                }
                best.map_or(limit, |(least, ..)| (least as f32).next_up())
            },
        );
        best.map(|(distance, point, index)| ClosestPoint {
            point: (from + point).as_vec3(),
            distance: distance as f32,
            triangle: self.numbers()[index],
        })
    }

    /// Fills `triangles` with the numbers of all triangles that share a point with the closed ball around `center` (local
    /// space) of `radius` metres, ascending; with nothing when there are none. The list's memory is reused.
    pub fn triangles_in_sphere(&self, center: Vec3, radius: f32, triangles: &mut Vec<u32>) {
        triangles.clear();
        self.visit_triangles_in_sphere(center, radius, |index| {
            triangles.push(self.numbers()[index]);
            Visit::Continue
        });
        triangles.sort_unstable();
    }

    /// The shortest way, in metres, that takes a ball out of everything that it overlaps; zero when it overlaps nothing by
    /// more than 1e-5 m. It leads away from the nearest points of what is overlapped, to the side on which the centre is.
    /// Where there is no room (a ball larger than its niche) it is the best found in a few rounds, and still overlaps.
    pub fn way_out(&self, center: Vec3, radius: f32) -> Vec3 {
        if !center.is_finite() || !radius.is_finite() {
            return Vec3::ZERO;
        }
        self.way_out_of(&UnitSpace::new(center.as_dvec3(), Vec3::splat(radius))).as_vec3()
    }

    /// [`Tree::way_out`] for an ellipsoid. Each round finds the deepest overlap left and adds its plane to those that the
    /// way must clear.
    pub(crate) fn way_out_of(&self, body: &UnitSpace) -> DVec3 {
        let mut planes = HalfSpaces::default();
        let mut way = DVec3::ZERO;
        let mut best = (f64::INFINITY, DVec3::ZERO);
        for _ in 0..ROUNDS {
            let moved = UnitSpace { center: body.center + way, ..*body };
            let Some((depth, normal)) = self.deepest_overlap(&moved) else { return way };
            if depth < best.0 {
                best = (depth, way);
            }
            planes.add(normal, way.dot(normal) + depth);
            match planes.nearest_to(DVec3::ZERO) {
                Some(next) => way = next,
                None => break,
            }
        }
        best.1
    }

    /// Depth in metres along the unit normal of the deepest overlap beyond touching; `None` when there is none.
    pub(crate) fn deepest_overlap(&self, body: &UnitSpace) -> Option<(f64, DVec3)> {
        let mut deepest = None;
        let mut most = TOUCH;
        self.visit_all(
            |bounds| if is_within(body, bounds, 1.0) { Visit::Continue } else { Visit::Prune },
            |run| {
                for triangle in &self.triangles()[run] {
                    if !is_within(body, &Aabb::of_triangle(triangle), 1.0) {
                        continue;
                    }
                    let corners = triangle.map(|corner| body.to_unit(corner));
                    let nearest = nearest_on_triangle(&corners).point;
                    let distance = nearest.length();
                    if distance < 1.0 {
                        let (normal, reach) = body.plane(direction_from(nearest, distance, &corners));
                        let depth = (1.0 - distance) * reach;
                        if depth > most {
                            (most, deepest) = (depth, Some((depth, normal)));
                        }
                    }
                }
                Visit::Continue
            },
        );
        deepest
    }

    /// Hands the index in [`Tree::triangles`] of each triangle within `radius` of `center` to `found`.
    fn visit_triangles_in_sphere(&self, center: Vec3, radius: f32, mut found: impl FnMut(usize) -> Visit) {
        let from = center.as_dvec3();
        let is_near = |distance: f64| distance as f32 <= radius;
        self.visit_all(
            |bounds| if is_near(distance_to_box(from, bounds)) { Visit::Continue } else { Visit::Prune },
            |run| {
                for index in run {
                    let triangle = &self.triangles()[index];
                    if !is_near(distance_to_box(from, &Aabb::of_triangle(triangle))) {
                        continue;
                    }
                    let corners = triangle.map(|corner| corner.as_dvec3() - from);
                    if is_near(nearest_on_triangle(&corners).point.length()) && found(index) == Visit::Stop {
                        return Visit::Stop;
                    }
                }
                Visit::Continue
            },
        );
    }
}

/// Rounds of pushing out. A corner takes three; more come from surfaces met on the way.
const ROUNDS: usize = 16;

/// Distance in metres of a point to a box, less than that to anything in it but for rounding.
fn distance_to_box(from: DVec3, bounds: &Aabb) -> f64 {
    // Each term less by far more than the rounding of the distances it is compared with.
    from.distance(from.max(bounds.min.as_dvec3()).min(bounds.max.as_dvec3())) * (1.0 - 1e-12)
}

/// Whether a box may hold something within `reach`, a length in the unit space of `body`.
pub(crate) fn is_within(body: &UnitSpace, bounds: &Aabb, reach: f64) -> bool {
    let nearest = body.center.max(bounds.min.as_dvec3()).min(bounds.max.as_dvec3());
    ((nearest - body.center) / body.radii).length_squared() <= reach * reach * (1.0 + 1e-12)
}
