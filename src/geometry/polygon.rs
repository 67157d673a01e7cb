//! Convex polygons, and points over triangles and polygons.
//!
//! A polygon is the fan of triangles from its first corner, which is what it is drawn as. Corners may repeat and may lie on a
//! line: two are a segment, one is a point, none are nothing. One that is not quite flat is what its fan is. All costs grow
//! with the number of corners.

use glam::{DVec3, Vec3};

use super::exact::{self, Offset};
use super::nearest_on_triangle;

/// The point of a convex polygon that is nearest to `point`. `None` for no corners, and when a number is not finite. Computed
/// in f64 and rounded once.
pub fn closest_point_on_polygon(point: Vec3, corners: &[Vec3]) -> Option<Vec3> {
    nearest(point, corners).map(|nearest| (point.as_dvec3() + nearest).as_vec3())
}

/// Whether the closed ball around `center` shares a point with a convex polygon: its distance is at most `radius`, both in
/// metres and rounded to f32. A ball of radius 0 is a point. False for no corners, for a radius below 0, and when a number
/// is not finite.
pub fn sphere_touches_polygon(center: Vec3, radius: f32, corners: &[Vec3]) -> bool {
    radius.is_finite() && nearest(center, corners).is_some_and(|nearest| nearest.length() as f32 <= radius)
}

/// Whether `point`, seen along the polygon's normal, lies on the convex polygon: the foot of its perpendicular is inside or on
/// an edge or a corner. How far above or below it is does not matter, for hardly any point of f32 coordinates lies in the
/// plane itself; [`Plane::signed_distance`](super::Plane::signed_distance) and [`closest_point_on_polygon`] tell.
///
/// The corners may run either way around. A point on an edge or a corner is always over it. The normal is rounded to f64; for
/// that normal the answer is exact. False for what has no normal, that is fewer than three corners or none off a line (by a
/// part in 1e9 of the size), and when a number is not finite. Two cross products a corner, save in the rare case that
/// rounding leaves open.
pub fn is_over_polygon(point: Vec3, corners: &[Vec3]) -> bool {
    /// A side errs by less than this times the reach of both ends and of the normal.
    const SIDE_ERROR: f64 = 32.0 * f64::EPSILON;

    let Some(normal) = normal(corners) else { return false };
    if !point.is_finite() {
        return false;
    }
    let from = point.as_dvec3();
    let normal_reach = normal.abs().max_element();
    edges(corners).all(|ends| {
        let [a, b] = ends.map(|end| end.as_dvec3() - from);
        let side = a.cross(b).dot(normal);
        if side.abs() > SIDE_ERROR * a.abs().max_element() * b.abs().max_element() * normal_reach {
            return side > 0.0;
        }
        let [a, b] = ends.map(|end| Offset::between(from, end.as_dvec3()));
        exact::volume(&Offset::exactly(normal), &a, &b) >= 0.0
    })
}

/// Whether `point`, seen along the triangle's normal, lies on the triangle; see [`is_over_polygon`].
pub fn is_over_triangle(point: Vec3, corners: &[Vec3; 3]) -> bool {
    is_over_polygon(point, corners)
}

/// From `point` to the nearest point of the fan.
fn nearest(point: Vec3, corners: &[Vec3]) -> Option<DVec3> {
    if !point.is_finite() || !corners.iter().all(|corner| corner.is_finite()) {
        return None;
    }
    let from = point.as_dvec3();
    let offset = |corner: Vec3| corner.as_dvec3() - from;
    let (&first, rest) = corners.split_first()?;
    // One corner is a triangle of three alike, two are one with two alike: no area, and its edges are right.
    let pairs: &mut dyn Iterator<Item = [Vec3; 2]> = match rest {
        [] => &mut std::iter::once([first; 2]),
        [second] => &mut std::iter::once([*second; 2]),
        _ => &mut rest.array_windows().copied(),
    };
    let fan = pairs.map(|[a, b]| nearest_on_triangle(&[offset(first), offset(a), offset(b)]).point);
    fan.min_by(|a, b| a.length_squared().total_cmp(&b.length_squared()))
}

/// The sum of the fan's normals, each of twice the length of its triangle's area. `None` for what is as good as a line.
fn normal(corners: &[Vec3]) -> Option<DVec3> {
    /// What is narrower than this part of its length is a line.
    const LINE: f64 = 1e-9;

    let (first, rest) = corners.split_first()?;
    let offset = |corner: &Vec3| corner.as_dvec3() - first.as_dvec3();
    let length = rest.iter().fold(0.0, |length: f64, corner| length.max(offset(corner).length_squared()));
    let normal: DVec3 = rest.array_windows().map(|[a, b]| offset(a).cross(offset(b))).sum();
    // A NaN is not greater.
    (normal.is_finite() && normal.length() > LINE * length).then_some(normal)
}

/// Each corner with the next, the last with the first.
fn edges(corners: &[Vec3]) -> impl Iterator<Item = [Vec3; 2]> {
    (0..corners.len()).map(|i| [corners[i], corners[(i + 1) % corners.len()]])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A house's gable in the plane Z = 1, counter-clockwise from +Z.
    const GABLE: [Vec3; 5] = [
        Vec3::new(0.0, 0.0, 1.0),
        Vec3::new(4.0, 0.0, 1.0),
        Vec3::new(4.0, 2.0, 1.0),
        Vec3::new(2.0, 4.0, 1.0),
        Vec3::new(0.0, 2.0, 1.0),
    ];

    #[test]
    fn each_region_of_a_polygon_has_its_closest_point() {
        for (point, closest) in [
            ([2.0, 2.0, 5.0], [2.0, 2.0, 1.0]),
            ([2.0, -3.0, -5.0], [2.0, 0.0, 1.0]),
            ([4.0, 4.0, 1.0], [3.0, 3.0, 1.0]),
            ([2.0, 9.0, 1.0], [2.0, 4.0, 1.0]),
            ([-1.0, 1.0, 3.0], [0.0, 1.0, 1.0]),
        ] {
            let closest = Some(Vec3::from(closest));
            assert_eq!(closest_point_on_polygon(Vec3::from(point), &GABLE), closest, "{point:?}");
        }
    }

    #[test]
    fn few_corners_are_a_segment_a_point_or_nothing() {
        let point = Vec3::new(1.0, 5.0, 1.0);
        assert_eq!(closest_point_on_polygon(point, &GABLE[..2]), Some(Vec3::new(1.0, 0.0, 1.0)));
        assert_eq!(closest_point_on_polygon(point, &GABLE[..1]), Some(GABLE[0]));
        assert_eq!(closest_point_on_polygon(point, &[]), None);
        assert!(sphere_touches_polygon(point, 5.0, &GABLE[..2]));
        assert!(!sphere_touches_polygon(point, 9.0, &[]));
        assert!((0..3).all(|count| !is_over_polygon(GABLE[0], &GABLE[..count])));
    }

    #[test]
    fn touching_counts() {
        let above = Vec3::new(2.0, 2.0, 1.5);
        assert!(sphere_touches_polygon(above, 0.5, &GABLE));
        assert!(!sphere_touches_polygon(above, 0.5_f32.next_down(), &GABLE));
        assert!(sphere_touches_polygon(GABLE[3], 0.0, &GABLE));
        assert!(!sphere_touches_polygon(GABLE[3], -1.0, &GABLE));
    }

    #[test]
    fn edges_and_corners_are_over_the_polygon_and_their_neighbours_are_not() {
        let reversed: Vec<Vec3> = GABLE.into_iter().rev().collect();
        for corners in [&GABLE[..], &reversed] {
            for height in [-9.0, 1.0, 1e6] {
                let is_over = |x: f32, y: f32| is_over_polygon(Vec3::new(x, y, height), corners);
                assert!(is_over(2.0, 2.0) && is_over(2.0, 4.0) && is_over(3.0, 3.0) && is_over(2.0, 0.0));
                assert!(is_over(0.0, 0.0) && is_over(4.0, 1.0));
                assert!(!is_over(3.0, 3.0_f32.next_up()) && !is_over(2.0, -1e-30) && !is_over(-1e-30, 0.0));
            }
        }
        let triangle = [GABLE[0], GABLE[1], GABLE[4]];
        assert!(is_over_triangle(Vec3::new(2.0, 1.0, 0.0), &triangle));
        assert!(!is_over_triangle(Vec3::new(2.0, 1.0_f32.next_up(), 0.0), &triangle));
    }

    #[test]
    fn repeated_and_collinear_corners_change_nothing() {
        let [a, b, c, d, e] = GABLE;
        let padded = [a, a, a.midpoint(b), b, c, c, d, e, e, e.midpoint(a), a];
        for point in [[2.0, 2.0, 5.0], [2.0, -3.0, -5.0], [4.0, 4.0, 1.0], [0.0, 0.5, 1.0], [5.0, 0.0, 1.0]] {
            let point = Vec3::from(point);
            assert_eq!(closest_point_on_polygon(point, &padded), closest_point_on_polygon(point, &GABLE), "{point}");
            assert_eq!(is_over_polygon(point, &padded), is_over_polygon(point, &GABLE), "{point}");
        }
    }

    #[test]
    fn what_has_no_area_has_its_edges_and_nothing_over_it() {
        let line = [0.1, 0.2, 0.4, 0.7].map(Vec3::splat);
        assert!(line.iter().all(|&corner| !is_over_polygon(corner, &line)));
        assert!(!is_over_polygon(Vec3::ONE, &[Vec3::ONE; 4]));
        assert_eq!(closest_point_on_polygon(Vec3::ONE, &line), Some(Vec3::splat(0.7)));
        assert_eq!(closest_point_on_polygon(Vec3::ZERO, &[Vec3::ONE; 4]), Some(Vec3::ONE));
    }

    #[test]
    fn what_is_no_number_is_nowhere() {
        for bad in [Vec3::NAN, Vec3::INFINITY, Vec3::new(0.0, f32::NAN, 0.0)] {
            assert_eq!(closest_point_on_polygon(bad, &GABLE), None);
            assert!(!sphere_touches_polygon(bad, 9.0, &GABLE) && !is_over_polygon(bad, &GABLE));
            for corner in 0..GABLE.len() {
                let mut corners = GABLE;
                corners[corner] = bad;
                assert_eq!(closest_point_on_polygon(Vec3::ONE, &corners), None);
                assert!(!sphere_touches_polygon(Vec3::ONE, 9.0, &corners) && !is_over_polygon(Vec3::ONE, &corners));
            }
        }
        assert!([f32::NAN, f32::INFINITY].iter().all(|&radius| !sphere_touches_polygon(Vec3::ONE, radius, &GABLE)));
    }
}
