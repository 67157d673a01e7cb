//! Eight numbers at once: boxes and triangles of the tree are tested eight at a time.
//!
//! What a question does with them is written once, as a `Task` over any kind of `Lanes`, and runs on the best there is. No sum
//! is fused and no operation is approximate, so the lanes of every kind give the same bits.

#[cfg(target_arch = "x86_64")]
mod avx2;
mod portable;

use std::ops::{Add, Div, Mul, Sub};

/// How many numbers stand side by side.
pub(crate) const LANES: usize = 8;

/// What the tests against boxes and triangles are made of. Answers do not depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Simd {
    /// AVX2 of x86-64: eight lanes in a register.
    Avx2,
    /// What every machine of the target has: SSE2 of x86-64, NEON of AArch64, SIMD of WebAssembly, or scalars.
    Portable,
}

impl Simd {
    /// What this machine has, the fastest first.
    pub fn available() -> &'static [Simd] {
        #[cfg(target_arch = "x86_64")]
        if avx2::is_available() {
            return &[Simd::Avx2, Simd::Portable];
        }
        &[Simd::Portable]
    }

    /// Runs a task. Only ever called on what [`Simd::available`] gave.
    #[inline]
    pub(crate) fn run<T: Task>(self, task: T) -> T::Answer {
        match self {
            #[cfg(target_arch = "x86_64")]
            Simd::Avx2 => avx2::run(task),
            _ => portable::run(task),
        }
    }
}

/// Something to do on lanes of any kind.
pub(crate) trait Task {
    type Answer;

    /// Does it. To be inlined, with all that it calls on lanes: only inside the function that [`Simd::run`] makes for a
    /// kind do its instructions exist.
    fn run<L: Lanes>(self) -> Self::Answer;
}

/// [`LANES`] numbers of f32.
pub(crate) trait Lanes:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self>
{
    /// A yes or no for each lane.
    type Mask: Copy;

    /// Runs a task on lanes of this kind. Only where there are some already.
    fn run<T: Task>(task: T) -> T::Answer;

    /// The same number in every lane.
    fn splat(number: f32) -> Self;
    fn load(numbers: &[f32; LANES]) -> Self;
    fn store(self) -> [f32; LANES];
    /// The lesser of each two; `other` where either is NaN.
    fn min(self, other: Self) -> Self;
    /// The greater of each two; `other` where either is NaN.
    fn max(self, other: Self) -> Self;
    fn abs(self) -> Self;
    /// NaN for what is below 0.
    fn sqrt(self) -> Self;
    /// `self <= other`; no where either is NaN.
    fn at_most(self, other: Self) -> Self::Mask;
    /// `self < other`; no where either is NaN.
    fn less(self, other: Self) -> Self::Mask;
    /// `one` where the mask says yes, else `other`.
    fn select(mask: Self::Mask, one: Self, other: Self) -> Self;
    fn and(one: Self::Mask, other: Self::Mask) -> Self::Mask;
    fn or(one: Self::Mask, other: Self::Mask) -> Self::Mask;
    /// Lane i as bit i.
    fn bits(mask: Self::Mask) -> u32;
}

/// Takes the lowest lane out of `bits`, which are not 0, and gives its number.
#[inline(always)]
pub(crate) fn take_lowest(bits: &mut u32) -> usize {
    let lane = bits.trailing_zeros() as usize;
    *bits &= *bits - 1;
    lane & (LANES - 1)
}

/// The numbers of the lanes in `bits`, ascending.
#[inline(always)]
pub(crate) fn lanes_in(mut bits: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || (bits != 0).then(|| take_lowest(&mut bits)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All operations on two sets of numbers.
    struct Everything([f32; LANES], [f32; LANES]);

    impl Task for Everything {
        type Answer = (Vec<[u32; LANES]>, Vec<u32>);

        fn run<L: Lanes>(self) -> Self::Answer {
            let (a, b) = (L::load(&self.0), L::load(&self.1));
            let numbers = [
                a + b,
                a - b,
                a * b,
                a / b,
                a.min(b),
                a.max(b),
                a.abs(),
                a.sqrt(),
                L::splat(self.0[3]),
                L::select(a.less(b), a, b),
            ];
            let (less, at_most) = (a.less(b), a.at_most(b));
            let masks = [less, at_most, L::and(less, b.less(a)), L::or(less, b.less(a))];
            (numbers.map(|lanes| lanes.store().map(canonical)).into(), masks.map(L::bits).into())
        }
    }

    /// The bits of a number; one pattern for all NaNs, whose sign and payload are nobody's promise.
    fn canonical(number: f32) -> u32 {
        if number.is_nan() { f32::NAN.to_bits() } else { number.to_bits() }
    }

    fn scalar(a: &[f32; LANES], b: &[f32; LANES]) -> (Vec<[u32; LANES]>, Vec<u32>) {
        let each = |of: fn(f32, f32) -> f32| [0, 1, 2, 3, 4, 5, 6, 7].map(|i: usize| canonical(of(a[i], b[i])));
        let bits = |of: fn(f32, f32) -> bool| (0..LANES).map(|i| u32::from(of(a[i], b[i])) << i).sum();
        let numbers = vec![
            each(|a, b| a + b),
            each(|a, b| a - b),
            each(|a, b| a * b),
            each(|a, b| a / b),
            each(|a, b| if a < b { a } else { b }),
            each(|a, b| if a > b { a } else { b }),
            each(|a, _| a.abs()),
            each(|a, _| a.sqrt()),
            [canonical(a[3]); LANES],
            each(|a, b| if a < b { a } else { b }),
        ];
        (numbers, vec![bits(|a, b| a < b), bits(|a, b| a <= b), 0, bits(|a, b| a < b || b < a)])
    }

    #[test]
    fn every_kind_does_what_scalars_do() {
        let odd =
            [0.0, -0.0, 1.0, -1.5, f32::INFINITY, f32::NEG_INFINITY, f32::NAN, 1e-45, -3e38, 3e38, 0.1, 7.0, -0.3];
        for shift in 0..odd.len() {
            for other in 0..odd.len() {
                let pick = |from: usize| [0, 1, 2, 3, 4, 5, 6, 7].map(|i| odd[(from + i) % odd.len()]);
                let (a, b) = (pick(shift), pick(other));
                for simd in Simd::available() {
                    assert_eq!(simd.run(Everything(a, b)), scalar(&a, &b), "{simd:?} {a:?} {b:?}");
                }
            }
        }
    }

    #[test]
    fn the_portable_kind_is_always_there_and_last() {
        assert_eq!(Simd::available().last(), Some(&Simd::Portable));
    }

    #[test]
    fn lanes_come_in_order() {
        assert_eq!(lanes_in(0b1010_0001).collect::<Vec<_>>(), [0, 5, 7]);
        assert_eq!(lanes_in(0).count(), 0);
    }
}
