//! Rounding to f32: in a known direction, and by how much at most.

use glam::{DVec3, Vec3};

/// The most by which rounding to f32 changes a number, as a part of it.
pub(crate) const UNIT: f32 = 0.5 * f32::EPSILON;

/// The greatest f32 that is not above `number`; NaN for NaN.
pub(crate) fn round_down(number: f64) -> f32 {
    let rounded = number as f32;
    if f64::from(rounded) > number { rounded.next_down() } else { rounded }
}

/// The least f32 that is not below `number`; NaN for NaN.
pub(crate) fn round_up(number: f64) -> f32 {
    let rounded = number as f32;
    if f64::from(rounded) < number { rounded.next_up() } else { rounded }
}

/// The nearest that f32 can hold: what is beyond its range is cut to it.
pub(crate) fn round_into_range(vector: DVec3) -> Vec3 {
    vector.as_vec3().clamp(Vec3::splat(-f32::MAX), Vec3::splat(f32::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_f32_holds_stays() {
        for number in [0.0, -0.0, 0.1_f32, -3e38, f32::INFINITY, f32::NEG_INFINITY, 1e-45] {
            assert_eq!(round_down(number.into()).to_bits(), number.to_bits());
            assert_eq!(round_up(number.into()).to_bits(), number.to_bits());
        }
    }

    #[test]
    fn the_rest_lies_between_neighbours() {
        for number in [0.1, -0.1, 1e-60, -1e-60, 1e300, -1e300, 16_777_217.0] {
            let (below, above) = (round_down(number), round_up(number));
            assert!(f64::from(below) < number && number < f64::from(above), "{number}");
            assert_eq!(below.next_up(), above, "{number}");
        }
    }
}
