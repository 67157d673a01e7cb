//! Whether a triangle has an area.

use glam::{DVec3, Vec3, Vec3A};

/// Whether a triangle is finite and has an area above 0; decided in f64, where the products of f32 edges are exact, so
/// that the thinnest sliver counts and three points on a line do not.
pub fn has_area(corners: &[Vec3; 3]) -> bool {
    let [a, b, c] = corners.map(Vec3A::from);
    let (u, v) = (b - a, c - a);
    let size = |vector: Vec3A| vector.abs().element_sum();
    let area = size(u.cross(v));
    // Far above what rounding makes of nothing, and finite, as it is nearly always.
    if area > 1e-5 * size(u) * size(v) && (1e-30..f32::INFINITY).contains(&area) {
        return true;
    }
    let [a, b, c] = corners.map(Vec3::as_dvec3);
    let normal = (b - a).cross(c - a);
    corners.iter().all(|corner| corner.is_finite()) && normal != DVec3::ZERO
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slivers_have_an_area_and_lines_do_not() {
        let sliver = [Vec3::ZERO, Vec3::X, Vec3::new(0.5, 1e-30, 0.0)];
        assert!(has_area(&sliver));
        let line = [Vec3::splat(0.1), Vec3::splat(0.2), Vec3::splat(0.4)];
        assert!(!has_area(&line));
        assert!(!has_area(&[Vec3::X, Vec3::X, Vec3::Y]));
        assert!(!has_area(&[Vec3::X, Vec3::NAN, Vec3::Y]));
        assert!(!has_area(&[Vec3::X, Vec3::INFINITY, Vec3::Y]));
        assert!(!has_area(&[Vec3::NEG_INFINITY * Vec3::X, Vec3::X, Vec3::Y]));
        for size in [1e-30, 1e-18, 1e18, 1e30] {
            assert!(has_area(&[Vec3::ZERO, Vec3::X * size, Vec3::Y * size]), "{size}");
        }
    }
}
