//! Signs of areas and volumes that rounding cannot turn: where f64 cannot tell, the sum is made exactly.
//!
//! Two triangles that share an edge see it with opposite signs, bit for bit, so nothing slips through between them, and a
//! ray in the plane of a triangle, or through an edge or a corner, is known to be just that.
//!
//! Source: Shewchuk, "Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric Predicates", 1997.

use glam::DVec3;

/// The exact difference of two points as the unevaluated sum `high + low`. `low` is zero unless the points differ much in
/// magnitude.
#[derive(Clone, Copy)]
pub(crate) struct Offset {
    /// The difference rounded to f64.
    pub high: DVec3,
    low: DVec3,
}

impl Offset {
    /// `to - from`.
    pub fn between(from: DVec3, to: DVec3) -> Offset {
        let high = to - from;
        // Knuth's two-sum, a component at a time.
        let part = high - to;
        Offset { high, low: (to - (high - part)) + (-from - part) }
    }

    /// A vector as it is.
    pub fn exactly(high: DVec3) -> Offset {
        Offset { high, low: DVec3::ZERO }
    }

    /// The component along `axis`, in two parts.
    fn parts(&self, axis: usize) -> [f64; 2] {
        [self.high[axis], self.low[axis]]
    }
}

/// The determinant of three vectors, `u · (v × w)`: six times the signed volume of the tetrahedron that they span. The sign
/// is exact, the value rounded.
#[cold]
pub(crate) fn volume(u: &Offset, v: &Offset, w: &Offset) -> f64 {
    const TERMS: usize = 6 * 8 * 4;
    const EVEN_AND_ODD: [([usize; 3], f64); 6] =
        [([0, 1, 2], 1.0), ([1, 2, 0], 1.0), ([2, 0, 1], 1.0), ([0, 2, 1], -1.0), ([2, 1, 0], -1.0), ([1, 0, 2], -1.0)];
    let mut sum = Sum::<TERMS>::new();
    for (axes, sign) in EVEN_AND_ODD {
        for x in u.parts(axes[0]) {
            for y in v.parts(axes[1]) {
                for z in w.parts(axes[2]) {
                    if x == 0.0 || y == 0.0 || z == 0.0 {
                        continue;
                    }
                    for yz in product(y, z) {
                        for xyz in product(x, yz) {
                            sum.add(sign * xyz);
                        }
                    }
                }
            }
        }
    }
    sum.value()
}

/// The determinant of two vectors in the XZ plane, `u.z v.x - u.x v.z`: twice the signed area of the triangle that they
/// span, positive where `v` lies counter-clockwise of `u` seen from above. The sign is exact, the value rounded.
#[cold]
pub(crate) fn area_xz(u: &Offset, v: &Offset) -> f64 {
    const TERMS: usize = 2 * 4 * 2;
    let mut sum = Sum::<TERMS>::new();
    for (axes, sign) in [([2, 0], 1.0), ([0, 2], -1.0)] {
        for x in u.parts(axes[0]) {
            for y in v.parts(axes[1]) {
                for xy in product(x, y) {
                    sum.add(sign * xy);
                }
            }
        }
    }
    sum.value()
}

/// The square of a vector's length less that of another. The sign is exact, the value rounded; NaN when a number is not
/// finite.
pub(crate) fn longer_by(vector: &Offset, other: &Offset) -> f64 {
    const TERMS: usize = 2 * 3 * 4 * 2;
    /// Each square errs by two halves of an epsilon for the rounded component and one for itself, the sums by three more.
    const ERROR: f64 = 4.0 * f64::EPSILON;
    let (square, other_square) = (vector.high.length_squared(), other.high.length_squared());
    let rounded = square - other_square;
    if rounded.abs() > ERROR * (square + other_square) {
        return rounded;
    }
    let mut sum = Sum::<TERMS>::new();
    for (vector, sign) in [(vector, 1.0), (other, -1.0)] {
        for axis in 0..3 {
            for x in vector.parts(axis) {
                for y in vector.parts(axis) {
                    for xy in product(x, y) {
                        sum.add(sign * xy);
                    }
                }
            }
        }
    }
    sum.value()
}

/// The sum of a few numbers. The sign is exact, the value right to a part in 1e9 however much cancels; NaN when a number is
/// not finite.
pub(crate) fn sum<const N: usize>(numbers: [f64; N]) -> f64 {
    /// What is left when less than this part of the numbers' size remains is summed exactly.
    const CANCELLED: f64 = 1e-6;

    let rounded: f64 = numbers.iter().sum();
    let magnitude: f64 = numbers.iter().map(|number| number.abs()).sum();
    if rounded.abs() > CANCELLED * magnitude {
        return rounded;
    }
    let mut sum = Sum::<N>::new();
    numbers.into_iter().for_each(|number| sum.add(number));
    sum.value()
}

/// `a * b` as its rounded value and the error of that.
fn product(a: f64, b: f64) -> [f64; 2] {
    let high = a * b;
    [a.mul_add(b, -high), high]
}

/// An exact sum of at most `N` numbers: an expansion whose parts do not overlap, the least first.
struct Sum<const N: usize> {
    parts: [f64; N],
    count: usize,
}

impl<const N: usize> Sum<N> {
    fn new() -> Self {
        Sum { parts: [0.0; N], count: 0 }
    }

    fn add(&mut self, number: f64) {
        let mut carry = number;
        let mut kept = 0;
        for index in 0..self.count {
            let part = self.parts[index];
            let high = carry + part;
            let virtual_part = high - carry;
            let low = (carry - (high - virtual_part)) + (part - virtual_part);
            if low != 0.0 {
                self.parts[kept] = low;
                kept += 1;
            }
            carry = high;
        }
        if carry != 0.0 {
            self.parts[kept] = carry;
            kept += 1;
        }
        self.count = kept;
    }

    /// The sum rounded; its sign is that of the greatest part and so of the exact sum.
    fn value(&self) -> f64 {
        self.parts[..self.count].iter().sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_volume_too_small_for_f64_keeps_its_sign() {
        // The third vector leaves the plane of the first two by 1e-30, beside 1e6.
        let u = Offset::between(DVec3::ZERO, DVec3::new(1e6, 1e6 + 0.0625, 3.0));
        let v = Offset::between(DVec3::ZERO, DVec3::new(-7e5, 1e6, 5.0));
        for lift in [1e-30_f64, -1e-30] {
            let plane = Offset { high: u.high + v.high, low: DVec3::new(0.0, 0.0, lift) };
            assert_eq!(volume(&u, &v, &plane).signum(), lift.signum());
            assert_eq!(volume(&v, &u, &plane).signum(), -lift.signum());
        }
        assert_eq!(volume(&u, &v, &Offset::exactly(u.high + v.high)), 0.0);
    }

    #[test]
    fn an_area_keeps_what_its_offsets_lost() {
        // 1e10 - 1e-10 is 1e10 in f64; the offset still knows.
        let from = DVec3::new(1e-10, 0.0, 0.0);
        let u = Offset::between(from, DVec3::new(1e10, 0.0, 1e10));
        let diagonal = Offset::between(DVec3::ZERO, DVec3::new(1e10, 0.0, 1e10));
        assert_eq!(u.high, diagonal.high);
        assert!(area_xz(&u, &diagonal) > 0.0);
        assert!(area_xz(&diagonal, &u) < 0.0);
        assert_eq!(area_xz(&diagonal, &diagonal), 0.0);
    }

    #[test]
    fn an_area_is_positive_counter_clockwise_from_above() {
        let [x, minus_z] = [DVec3::X, DVec3::NEG_Z].map(|point| Offset::between(DVec3::ZERO, point));
        assert_eq!(area_xz(&x, &minus_z), 1.0);
    }

    #[test]
    fn a_sum_forgets_nothing() {
        let mut sum = Sum::<6>::new();
        for number in [1e100, 1.0, 1e-100, -1e100, -1.0, -2e-100] {
            sum.add(number);
        }
        assert_eq!(sum.value(), 1e-100 - 2e-100);
    }
}
