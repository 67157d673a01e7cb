//! Lanes of what every machine of the target has.

use std::ops::{Add, Div, Mul, Sub};

use wide::f32x8;

use super::{LANES, Lanes, Task};

/// Runs a task on lanes of this kind. A function of its own, so that its room on the stack is taken only where it runs.
#[inline(never)]
pub(super) fn run<T: Task>(task: T) -> T::Answer {
    task.run::<Portable>()
}

#[derive(Clone, Copy)]
pub(crate) struct Portable(f32x8);

impl Add for Portable {
    type Output = Portable;
    #[inline(always)]
    fn add(self, other: Portable) -> Portable {
        Portable(self.0 + other.0)
    }
}

impl Sub for Portable {
    type Output = Portable;
    #[inline(always)]
    fn sub(self, other: Portable) -> Portable {
        Portable(self.0 - other.0)
    }
}

impl Mul for Portable {
    type Output = Portable;
    #[inline(always)]
    fn mul(self, other: Portable) -> Portable {
        Portable(self.0 * other.0)
    }
}

impl Div for Portable {
    type Output = Portable;
    #[inline(always)]
    fn div(self, other: Portable) -> Portable {
        Portable(self.0 / other.0)
    }
}

impl Lanes for Portable {
    type Mask = f32x8;

    fn run<T: Task>(task: T) -> T::Answer {
        run(task)
    }

    #[inline(always)]
    fn splat(number: f32) -> Portable {
        Portable(f32x8::splat(number))
    }

    #[inline(always)]
    fn load(numbers: &[f32; LANES]) -> Portable {
        Portable(f32x8::new(*numbers))
    }

    #[inline(always)]
    fn store(self) -> [f32; LANES] {
        self.0.to_array()
    }

    // x86-64 has an instruction for just this; others differ on NaN.
    #[inline(always)]
    fn min(self, other: Portable) -> Portable {
        if cfg!(target_arch = "x86_64") {
            Portable(self.0.fast_min(other.0))
        } else {
            Portable(self.0.simd_lt(other.0).select(self.0, other.0))
        }
    }

    #[inline(always)]
    fn max(self, other: Portable) -> Portable {
        if cfg!(target_arch = "x86_64") {
            Portable(self.0.fast_max(other.0))
        } else {
            Portable(other.0.simd_lt(self.0).select(self.0, other.0))
        }
    }

    #[inline(always)]
    fn abs(self) -> Portable {
        Portable(self.0.abs())
    }

    #[inline(always)]
    fn sqrt(self) -> Portable {
        Portable(self.0.sqrt())
    }

    #[inline(always)]
    fn at_most(self, other: Portable) -> f32x8 {
        self.0.simd_le(other.0)
    }

    #[inline(always)]
    fn less(self, other: Portable) -> f32x8 {
        self.0.simd_lt(other.0)
    }

    #[inline(always)]
    fn select(mask: f32x8, one: Portable, other: Portable) -> Portable {
        Portable(mask.select(one.0, other.0))
    }

    #[inline(always)]
    fn and(one: f32x8, other: f32x8) -> f32x8 {
        one & other
    }

    #[inline(always)]
    fn or(one: f32x8, other: f32x8) -> f32x8 {
        one | other
    }

    #[inline(always)]
    fn bits(mask: f32x8) -> u32 {
        mask.to_bitmask()
    }
}
