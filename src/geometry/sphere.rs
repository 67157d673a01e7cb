//! Balls at rest: which touch each other, and which touch a triangle.

use glam::{DVec3, Vec3};

use super::exact::{self, Offset};
use super::nearest_on_triangle;

/// Whether two closed balls share a point: their centres are at most the sum of the radii apart, all in metres; decided
/// exactly. A ball of radius 0 is a point, one of a radius below 0 holds nothing and touches nothing. False when a number
/// is not finite. A few products, save in the rare case that rounding leaves open.
pub fn spheres_touch(center: Vec3, radius: f32, other_center: Vec3, other_radius: f32) -> bool {
    if !(radius >= 0.0 && other_radius >= 0.0) {
        return false;
    }
    let between = Offset::between(center.as_dvec3(), other_center.as_dvec3());
    let reach = Offset::between(DVec3::X * f64::from(-radius), DVec3::X * f64::from(other_radius));
    exact::longer_by(&between, &reach) <= 0.0
}

/// Whether the closed ball around `center` shares a point with the triangle: its distance is at most `radius`, both in
/// metres and rounded to f32. A triangle without area counts as its edges, a ball of radius 0 is a point. False for a
/// radius below 0, and when a number is not finite. The cost is that of
/// [`closest_point_on_triangle`](super::closest_point_on_triangle).
pub fn sphere_touches_triangle(center: Vec3, radius: f32, corners: &[Vec3; 3]) -> bool {
    let center = center.as_dvec3();
    let corners = corners.map(|corner| corner.as_dvec3() - center);
    corners.iter().all(|corner| corner.is_finite())
        && radius.is_finite()
        && nearest_on_triangle(&corners).point.length() as f32 <= radius
}

#[cfg(test)]
mod tests {
    use super::*;

    const CORNERS: [Vec3; 3] = [Vec3::ZERO, Vec3::new(4.0, 0.0, 0.0), Vec3::new(0.0, 0.0, 4.0)];

    #[test]
    fn touching_counts() {
        assert!(sphere_touches_triangle(Vec3::new(1.0, 0.35, 1.0), 0.35, &CORNERS));
        assert!(!sphere_touches_triangle(Vec3::new(1.0, 0.35, 1.0), 0.349, &CORNERS));
        assert!(sphere_touches_triangle(Vec3::new(-3.0, -4.0, 2.0), 5.0, &CORNERS));
        assert!(sphere_touches_triangle(Vec3::new(1.0, 0.0, 1.0), 0.0, &CORNERS));
        assert!(spheres_touch(Vec3::ZERO, 1.0, Vec3::new(3.0, 0.0, 0.0), 2.0));
        assert!(!spheres_touch(Vec3::ZERO, 1.0, Vec3::new(3.0_f32.next_up(), 0.0, 0.0), 2.0));
        assert!(spheres_touch(Vec3::ONE, 0.0, Vec3::ONE, 0.0));
    }

    #[test]
    fn a_gap_that_f64_cannot_tell_is_told() {
        // The squares differ by 1e-60 beside 9.
        let aside = Vec3::new(3.0, 1e-30, 0.0);
        assert!(!spheres_touch(Vec3::ZERO, 1.0, aside, 2.0));
        assert!(spheres_touch(Vec3::ZERO, 1.0, aside, 2.0_f32.next_up()));
        // The sum of the radii differs from 1e20 by less than f64 can hold.
        let far = Vec3::new(1e20, 0.0, 0.0);
        assert!(spheres_touch(Vec3::ZERO, 1e20, far, 1e-20));
        assert!(spheres_touch(Vec3::new(-1e-20, 0.0, 0.0), 1e20, far, 1e-20));
        assert!(!spheres_touch(Vec3::new(-2e-20, 0.0, 0.0), 1e20, far, 1e-20));
    }

    #[test]
    fn what_is_no_ball_touches_nothing() {
        for radius in [-1.0, -9.0, f32::NAN, f32::INFINITY] {
            assert!(!spheres_touch(Vec3::ZERO, radius, Vec3::X, 3.0), "{radius}");
            assert!(!spheres_touch(Vec3::X, 3.0, Vec3::ZERO, radius), "{radius}");
            assert!(!sphere_touches_triangle(Vec3::Y, radius, &CORNERS), "{radius}");
        }
        for bad in [Vec3::NAN, Vec3::INFINITY, Vec3::new(0.0, 0.0, f32::NAN)] {
            assert!(!spheres_touch(bad, 1.0, Vec3::ZERO, 1.0), "{bad}");
            assert!(!sphere_touches_triangle(bad, 9.0, &CORNERS), "{bad}");
            for corner in 0..3 {
                let mut corners = CORNERS;
                corners[corner] = bad;
                assert!(!sphere_touches_triangle(Vec3::X, 9.0, &corners), "{bad} at {corner}");
            }
        }
    }
}
