//! Lanes in one AVX2 register.
#![allow(unsafe_code, reason = "instructions that not every machine has; each block says why it may")]

use std::arch::x86_64::*;
use std::ops::{Add, Div, Mul, Sub};

use super::{LANES, Lanes, Task};

/// Whether the machine has what [`run`] needs.
pub(super) fn is_available() -> bool {
    is_x86_feature_detected!("avx2") && is_x86_feature_detected!("bmi1") && is_x86_feature_detected!("lzcnt")
}

/// Runs a task on AVX2. Only on machines where [`is_available`] says yes.
#[inline]
pub(super) fn run<T: Task>(task: T) -> T::Answer {
    #[target_feature(enable = "avx2,bmi1,lzcnt")]
    fn with_avx2<T: Task>(task: T) -> T::Answer {
        task.run::<Avx2>()
    }
    debug_assert!(is_available());
    // SAFETY: only `Simd::Avx2` and `Avx2` lead here; both come from `Simd::available`, which asked the machine.
    unsafe { with_avx2(task) }
}

/// Only made and used inside [`run`], so wherever a value of it exists the machine has AVX2: that is why the blocks below are
/// safe. They are inlined there by force.
#[derive(Clone, Copy)]
pub(crate) struct Avx2(__m256);

impl Add for Avx2 {
    type Output = Avx2;
    #[inline(always)]
    fn add(self, other: Avx2) -> Avx2 {
        // SAFETY: see `Avx2`.
        Avx2(unsafe { _mm256_add_ps(self.0, other.0) })
    }
}

impl Sub for Avx2 {
    type Output = Avx2;
    #[inline(always)]
    fn sub(self, other: Avx2) -> Avx2 {
        // SAFETY: see `Avx2`.
        Avx2(unsafe { _mm256_sub_ps(self.0, other.0) })
    }
}

impl Mul for Avx2 {
    type Output = Avx2;
    #[inline(always)]
    fn mul(self, other: Avx2) -> Avx2 {
        // SAFETY: see `Avx2`.
        Avx2(unsafe { _mm256_mul_ps(self.0, other.0) })
    }
}

impl Div for Avx2 {
    type Output = Avx2;
    #[inline(always)]
    fn div(self, other: Avx2) -> Avx2 {
        // SAFETY: see `Avx2`.
        Avx2(unsafe { _mm256_div_ps(self.0, other.0) })
    }
}

impl Lanes for Avx2 {
    type Mask = __m256;

    fn run<T: Task>(task: T) -> T::Answer {
        run(task)
    }

    #[inline(always)]
    fn splat(number: f32) -> Avx2 {
        // SAFETY: see `Avx2`.
        Avx2(unsafe { _mm256_set1_ps(number) })
    }

    #[inline(always)]
    fn load(numbers: &[f32; LANES]) -> Avx2 {
        // SAFETY: see `Avx2`; the array holds the eight numbers that are read, and needs no alignment.
        Avx2(unsafe { _mm256_loadu_ps(numbers.as_ptr()) })
    }

    #[inline(always)]
    fn store(self) -> [f32; LANES] {
        let mut numbers = [0.0; LANES];
        // SAFETY: see `Avx2`; the array has room for the eight numbers that are written, and needs no alignment.
        unsafe { _mm256_storeu_ps(numbers.as_mut_ptr(), self.0) };
        numbers
    }

    #[inline(always)]
    fn min(self, other: Avx2) -> Avx2 {
        // SAFETY: see `Avx2`.
        Avx2(unsafe { _mm256_min_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn max(self, other: Avx2) -> Avx2 {
        // SAFETY: see `Avx2`.
        Avx2(unsafe { _mm256_max_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn abs(self) -> Avx2 {
        // SAFETY: see `Avx2`.
        Avx2(unsafe { _mm256_andnot_ps(_mm256_set1_ps(-0.0), self.0) })
    }

    #[inline(always)]
    fn sqrt(self) -> Avx2 {
        // SAFETY: see `Avx2`.
        Avx2(unsafe { _mm256_sqrt_ps(self.0) })
    }

    #[inline(always)]
    fn at_most(self, other: Avx2) -> __m256 {
        // SAFETY: see `Avx2`.
        unsafe { _mm256_cmp_ps::<_CMP_LE_OQ>(self.0, other.0) }
    }

    #[inline(always)]
    fn less(self, other: Avx2) -> __m256 {
        // SAFETY: see `Avx2`.
        unsafe { _mm256_cmp_ps::<_CMP_LT_OQ>(self.0, other.0) }
    }

    #[inline(always)]
    fn select(mask: __m256, one: Avx2, other: Avx2) -> Avx2 {
        // SAFETY: see `Avx2`.
        Avx2(unsafe { _mm256_blendv_ps(other.0, one.0, mask) })
    }

    #[inline(always)]
    fn and(one: __m256, other: __m256) -> __m256 {
        // SAFETY: see `Avx2`.
        unsafe { _mm256_and_ps(one, other) }
    }

    #[inline(always)]
    fn or(one: __m256, other: __m256) -> __m256 {
        // SAFETY: see `Avx2`.
        unsafe { _mm256_or_ps(one, other) }
    }

    #[inline(always)]
    fn bits(mask: __m256) -> u32 {
        // SAFETY: see `Avx2`.
        unsafe { _mm256_movemask_ps(mask) as u32 }
    }
}
