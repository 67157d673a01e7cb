//! Numbers without rounding: sums of f64 that do not overlap. Slow, and right.

use std::ops::{Add, Mul, Neg, Sub};

use glam::{DVec3, Vec3};

/// The exact sum of its parts, the least first.
#[derive(Clone, Debug, Default)]
pub struct Exact(Vec<f64>);

impl From<f64> for Exact {
    fn from(number: f64) -> Exact {
        Exact(if number == 0.0 { Vec::new() } else { vec![number] })
    }
}

impl Exact {
    fn plus(mut self, number: f64) -> Exact {
        let mut carry = number;
        self.0.retain_mut(|part| {
            let sum = carry + *part;
            let rest = sum - carry;
            let error = (carry - (sum - rest)) + (*part - rest);
            carry = sum;
            *part = error;
            error != 0.0
        });
        if carry != 0.0 {
            self.0.push(carry);
        }
        self
    }

    /// -1, 0 or 1.
    pub fn sign(&self) -> i32 {
        self.0.last().map_or(0, |&greatest| if greatest > 0.0 { 1 } else { -1 })
    }

    /// Rounded.
    pub fn value(&self) -> f64 {
        self.0.iter().sum()
    }
}

impl Add for &Exact {
    type Output = Exact;

    fn add(self, other: &Exact) -> Exact {
        other.0.iter().fold(self.clone(), |sum, &part| sum.plus(part))
    }
}

impl Neg for &Exact {
    type Output = Exact;

    fn neg(self) -> Exact {
        Exact(self.0.iter().map(|part| -part).collect())
    }
}

impl Sub for &Exact {
    type Output = Exact;

    fn sub(self, other: &Exact) -> Exact {
        self + &-other
    }
}

impl Mul for &Exact {
    type Output = Exact;

    fn mul(self, other: &Exact) -> Exact {
        let mut sum = Exact::default();
        for &a in &self.0 {
            for &b in &other.0 {
                let product = a * b;
                sum = sum.plus(a.mul_add(b, -product)).plus(product);
            }
        }
        sum
    }
}

/// A vector without rounding.
#[derive(Clone, Debug)]
pub struct ExactVec(pub [Exact; 3]);

impl ExactVec {
    pub fn new(vector: DVec3) -> ExactVec {
        ExactVec(vector.to_array().map(Exact::from))
    }

    pub fn between(from: DVec3, to: Vec3) -> ExactVec {
        ExactVec([0, 1, 2].map(|axis| &Exact::from(f64::from(to[axis])) - &Exact::from(from[axis])))
    }

    pub fn cross(&self, other: &ExactVec) -> ExactVec {
        let (a, b) = (&self.0, &other.0);
        ExactVec([(1, 2), (2, 0), (0, 1)].map(|(i, j)| &(&a[i] * &b[j]) - &(&a[j] * &b[i])))
    }

    pub fn dot(&self, other: &ExactVec) -> Exact {
        let (a, b) = (&self.0, &other.0);
        &(&(&a[0] * &b[0]) + &(&a[1] * &b[1])) + &(&a[2] * &b[2])
    }
}
