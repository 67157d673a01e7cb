//! Spheres at rest: what they touch, the nearest point, and the way out of an overlap.

use glam::{DVec3, Vec3};

use super::Solids;
use crate::geometry::{HalfSpaces, TOUCH, UnitSpace, direction_from, nearest_on_triangle, round_into_range};
use crate::tree::Tree;

/// The point of a level that is nearest to somewhere.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClosestPoint {
    /// In local space.
    pub point: Vec3,
    /// How far away it is, in metres; infinite beyond what f32 can tell (3.4e38 m).
    pub distance: f32,
    /// Number of the triangle in the level that it lies on; of several any.
    pub triangle: u32,
}

impl Tree {
    /// Whether the closed ball around `center` (local space) of `radius` metres shares a point with the level: the distance
    /// of the nearest point, rounded to f32, is at most the radius. False for a centre or radius that is not a number.
    ///
    /// Cost: the nodes that the ball reaches, up to the first triangle found.
    pub fn sphere_touches(&self, center: Vec3, radius: f32) -> bool {
        let mut touches = false;
        self.visit_triangles_in_sphere(center, radius, |_| {
            touches = true;
            NOTHING_MORE
        });
        touches
    }

    /// The point of the level nearest to `center`, all in local space. `None` for an empty level, and for a centre that is
    /// not finite.
    ///
    /// Cost: the nodes that are no farther away than the answer, the nearest first; far from everything these are many.
    pub fn closest_point(&self, center: Vec3) -> Option<ClosestPoint> {
        if !center.is_finite() {
            return None;
        }
        let from = center.as_dvec3();
        let mut best: Option<(f64, DVec3, usize)> = None;
        Solids::from(self).visit_near(
            &UnitSpace { center: from, radii: DVec3::ONE },
            f64::INFINITY,
            |place, triangle| {
                let corners = triangle.map(|corner| corner.as_dvec3() - from);
                // Rounding puts it nowhere but into the triangle's box: no tree then finds nearer what another one's boxes rule out.
                let [a, b, c] = corners;
                let point = nearest_on_triangle(&corners).point.clamp(a.min(b).min(c), a.max(b).max(c));
                let distance = point.length();
                if best.is_none_or(|(least, ..)| distance < least) {
                    best = Some((distance, point, place));
                }
                best.map_or(distance, |(least, ..)| least)
            },
        );
        best.map(|(distance, point, place)| ClosestPoint {
            point: (from + point).as_vec3(),
            distance: distance as f32,
            triangle: self.number(place),
        })
    }

    /// Fills `triangles` with the numbers of all triangles that share a point with the closed ball around `center` (local
    /// space) of `radius` metres, ascending; with nothing when there are none. The list's memory is reused.
    ///
    /// Cost: all nodes that the ball reaches, and sorting the numbers.
    pub fn triangles_in_sphere(&self, center: Vec3, radius: f32, triangles: &mut Vec<u32>) {
        triangles.clear();
        self.visit_triangles_in_sphere(center, radius, |place| {
            triangles.push(self.number(place));
            f64::INFINITY
        });
        triangles.sort_unstable();
    }

    /// The shortest way, in metres, that takes a ball out of everything that it overlaps; zero when it overlaps nothing by
    /// more than 1e-5 m. It leads away from the nearest points of what is overlapped, to the side on which the centre is.
    /// Where there is no room (a ball larger than its niche) it is the best found in a few rounds, perhaps none, and still
    /// overlaps. Of ways of one length it is any.
    ///
    /// Cost: all nodes that the ball reaches, once where it overlaps nothing, at most 16 times.
    pub fn way_out(&self, center: Vec3, radius: f32) -> Vec3 {
        if !center.is_finite() || !radius.is_finite() {
            return Vec3::ZERO;
        }
        round_into_range(Solids::from(self).way_out_of(&UnitSpace::new(center.as_dvec3(), Vec3::splat(radius))))
    }

    /// Hands the place of each triangle within `radius` of `center` to `found`, which gives the radius to go on with.
    fn visit_triangles_in_sphere(&self, center: Vec3, radius: f32, mut found: impl FnMut(usize) -> f64) {
        if !center.is_finite() {
            return;
        }
        let from = center.as_dvec3();
        // Distances are rounded before they are compared.
        let reach = f64::from(radius.next_up());
        Solids::from(self).visit_near(&UnitSpace { center: from, radii: DVec3::ONE }, reach, |place, triangle| {
            let corners = triangle.map(|corner| corner.as_dvec3() - from);
            if nearest_on_triangle(&corners).point.length() as f32 <= radius {
                return found(place).min(reach);
            }
            reach
        });
    }
}

impl Solids<'_> {
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
        self.visit_within(body, 1.0, |_, triangle| {
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
        });
        deepest
    }
}

/// A reach that nothing is within.
const NOTHING_MORE: f64 = -1.0;

/// Rounds of pushing out. A corner takes three; more come from surfaces met on the way.
const ROUNDS: usize = 16;
