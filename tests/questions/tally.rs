//! What was asked, counted.

use std::ops::AddAssign;

/// One question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Asked {
    /// At an edge or a corner.
    pub aimed: bool,
    /// Something is there.
    pub hit: bool,
}

/// Many questions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    pub questions: u64,
    /// On levels of at least 10 000 triangles.
    pub large: u64,
    pub aimed: u64,
    pub hits: u64,
}

impl Tally {
    pub fn count(&mut self, asked: Asked, is_large: bool) {
        self.questions += 1;
        self.large += u64::from(is_large);
        self.aimed += u64::from(asked.aimed);
        self.hits += u64::from(asked.hit);
    }

    /// A part of the questions, in percent.
    pub fn share(&self, of: u64) -> f64 {
        100.0 * of as f64 / self.questions.max(1) as f64
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.questions += other.questions;
        self.large += other.large;
        self.aimed += other.aimed;
        self.hits += other.hits;
    }
}
