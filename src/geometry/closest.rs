//! Closest points on segments and triangles.
//!
//! Public functions take f32 positions and compute in f64, in which the differences of f32 positions are exact or nearly so.

use glam::{DVec3, Vec3};

/// The point of the closed segment from `ends[0]` to `ends[1]` that is nearest to `point`. The ends may coincide. NaN when a
/// number is not finite. Two dot products and a division.
pub fn closest_point_on_segment(point: Vec3, ends: [Vec3; 2]) -> Vec3 {
    if !point.is_finite() || !ends.iter().all(|end| end.is_finite()) {
        return Vec3::NAN;
    }
    let point = point.as_dvec3();
    let [from, to] = ends.map(|end| end.as_dvec3() - point);
    (point + nearest_on_segment(from, to)).as_vec3()
}

/// The point of a closed triangle that is nearest to `point`. A triangle without area counts as its edges. NaN when a number
/// is not finite. Four cross products, and three segments where the point is not over the face.
pub fn closest_point_on_triangle(point: Vec3, corners: &[Vec3; 3]) -> Vec3 {
    if !point.is_finite() || !corners.iter().all(|corner| corner.is_finite()) {
        return Vec3::NAN;
    }
    let point = point.as_dvec3();
    (point + nearest_on_triangle(&corners.map(|corner| corner.as_dvec3() - point)).point).as_vec3()
}

/// The point of a triangle nearest to the origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Nearest {
    pub point: DVec3,
    /// It lies inside the face, where the triangle's own plane decides, rather than on an edge or a corner.
    pub on_face: bool,
}

/// Below this square of the sine of its sharpest visible angle a triangle is as good as its longest edge: its width is
/// 1e-9 of its length, and its plane is rounding noise.
const NEEDLE: f64 = 1e-18;

/// The point of a triangle nearest to the origin, by the prism over the face and then the edges: no division by the area,
/// so needles are as right as others.
pub(crate) fn nearest_on_triangle(corners: &[DVec3; 3]) -> Nearest {
    let [a, b, c] = *corners;
    let edges = [b - a, c - b, a - c];
    let normal = edges[0].cross(edges[1]);
    let area = normal.length_squared();
    if area > NEEDLE * edges[0].length_squared() * edges[1].length_squared() && is_over_face(corners, &edges, normal) {
        return Nearest { point: normal * (normal.dot(a) / area), on_face: true };
    }
    let mut point = nearest_on_segment(a, b);
    for (from, to) in [(b, c), (c, a)] {
        let other = nearest_on_segment(from, to);
        if other.length_squared() < point.length_squared() {
            point = other;
        }
    }
    Nearest { point, on_face: false }
}

/// Whether the origin lies in the closed prism over the face.
fn is_over_face(corners: &[DVec3; 3], edges: &[DVec3; 3], normal: DVec3) -> bool {
    (0..3).all(|i| corners[i].cross(edges[i]).dot(normal) >= 0.0)
}

/// The point of a segment nearest to the origin.
fn nearest_on_segment(from: DVec3, to: DVec3) -> DVec3 {
    let along = to - from;
    let (place, length) = (-from.dot(along), along.length_squared());
    if place <= 0.0 {
        from
    } else if place >= length {
        to
    } else {
        from + along * (place / length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CORNERS: [Vec3; 3] = [Vec3::ZERO, Vec3::new(4.0, 0.0, 0.0), Vec3::new(0.0, 0.0, 4.0)];

    #[test]
    fn each_region_of_a_triangle_has_its_closest_point() {
        for (point, closest) in [
            ([1.0, 3.0, 1.0], [1.0, 0.0, 1.0]),
            ([1.0, -3.0, 1.0], [1.0, 0.0, 1.0]),
            ([2.0, 1.0, -5.0], [2.0, 0.0, 0.0]),
            ([-2.0, 1.0, 3.0], [0.0, 0.0, 3.0]),
            ([4.0, 2.0, 4.0], [2.0, 0.0, 2.0]),
            ([-1.0, 1.0, -1.0], [0.0, 0.0, 0.0]),
            ([9.0, 1.0, -1.0], [4.0, 0.0, 0.0]),
            ([-1.0, 1.0, 9.0], [0.0, 0.0, 4.0]),
        ] {
            assert_eq!(closest_point_on_triangle(Vec3::from(point), &CORNERS), Vec3::from(closest), "{point:?}");
        }
    }

    #[test]
    fn a_segment_ends_where_it_ends() {
        let ends = [Vec3::ZERO, Vec3::new(2.0, 0.0, 0.0)];
        assert_eq!(closest_point_on_segment(Vec3::new(1.0, 5.0, 0.0), ends), Vec3::new(1.0, 0.0, 0.0));
        assert_eq!(closest_point_on_segment(Vec3::new(-1.0, 5.0, 0.0), ends), ends[0]);
        assert_eq!(closest_point_on_segment(Vec3::new(3.0, 5.0, 0.0), ends), ends[1]);
        assert_eq!(closest_point_on_segment(Vec3::new(3.0, 5.0, 0.0), [ends[1]; 2]), ends[1]);
    }

    /// Row 21: two corners coincide.
    #[test]
    fn a_triangle_without_area_is_its_edges() {
        let far = Vec3::new(-0.57, -8.1, 16.607);
        let point = Vec3::new(1.1, -7.9, 16.588);
        let closest = closest_point_on_triangle(point, &[Vec3::new(2.277, -7.9, 16.318), far, far]);
        assert!((closest.distance(point) - 0.171_478).abs() < 1e-5, "{closest}");
        assert_eq!(closest_point_on_triangle(point, &[far; 3]), far);
    }

    #[test]
    fn what_is_no_number_has_no_closest_point() {
        for bad in [Vec3::NAN, Vec3::INFINITY, Vec3::new(0.0, f32::NAN, 0.0)] {
            assert!(closest_point_on_segment(bad, [Vec3::X, Vec3::Y]).is_nan());
            assert!(closest_point_on_segment(Vec3::Z, [Vec3::X, bad]).is_nan());
            assert!(closest_point_on_triangle(bad, &CORNERS).is_nan());
            for corner in 0..3 {
                let mut corners = CORNERS;
                corners[corner] = bad;
                assert!(closest_point_on_triangle(Vec3::ONE, &corners).is_nan());
            }
        }
    }
}
