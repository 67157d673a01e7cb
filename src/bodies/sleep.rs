//! Which balls lie still together, and fall asleep and wake up together.

use super::Settings;
use super::ball::Ball;
use super::rest::{Other, Row};
use crate::walk::STEP;

/// Balls with a smaller gap than this, in metres, lie on each other.
pub(super) const TOUCHING: f64 = 1e-3;

/// Groups of balls that touch; keeps its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Groups {
    /// A ball of the same group, nearer to the one that stands for it. (Galler and Fischer, "An Improved Equivalence
    /// Algorithm", 1964.)
    parents: Vec<u32>,
    /// For the ball that stands for a group: whether all of it lies still.
    is_still: Vec<bool>,
    /// Names of groups, ascending, to wake.
    to_wake: Vec<u64>,
    next: u64,
}

impl Groups {
    /// Lets groups fall asleep of which all balls have been still for long enough.
    pub fn fall_asleep(&mut self, balls: &mut [Ball], rows: &[Row], settings: &Settings) {
        let limit = f64::from(settings.sleep_speed).powi(2);
        let enough = (f64::from(settings.sleep_time) / STEP) as u32;
        let mut any_still = false;
        for ball in balls.iter_mut().filter(|ball| ball.is_awake()) {
            let surface = ball.spin.length_squared() * ball.radius * ball.radius;
            let is_slow = ball.velocity.length_squared().max(surface) < limit;
            ball.still = if is_slow { ball.still.saturating_add(1) } else { 0 };
            any_still |= ball.still > enough;
        }
        if !any_still {
            return;
        }
        self.parents.clear();
        self.parents.extend(0..balls.len() as u32);
        for row in rows.iter().filter(|row| row.touch.gap < TOUCHING) {
            if let Other::Ball(other) = row.other {
                let (a, b) = (self.root(row.ball), self.root(other));
                self.parents[a.max(b) as usize] = a.min(b);
            }
        }
        self.is_still.clear();
        self.is_still.resize(balls.len(), true);
        for (place, ball) in balls.iter().enumerate() {
            if ball.still <= enough {
                let root = self.root(place as u32);
                self.is_still[root as usize] = false;
            }
        }
        let base = self.next;
        for (place, ball) in balls.iter_mut().enumerate().filter(|(_, ball)| ball.is_awake()) {
            let root = self.root(place as u32);
            if self.is_still[root as usize] {
                let name = base + u64::from(root);
                ball.fall_asleep(name);
                self.next = self.next.max(name + 1);
            }
        }
    }

    /// The ball that stands for the group of a ball.
    fn root(&mut self, mut ball: u32) -> u32 {
        while self.parents[ball as usize] != ball {
            self.parents[ball as usize] = self.parents[self.parents[ball as usize] as usize];
            ball = self.parents[ball as usize];
        }
        ball
    }

    /// Notes that the group of a ball is to wake up.
    pub fn disturb(&mut self, ball: &Ball) {
        if let Some(group) = ball.asleep_in
            && let Err(at) = self.to_wake.binary_search(&group)
        {
            self.to_wake.insert(at, group);
        }
    }

    /// Wakes what was disturbed; tells whether that was anything.
    pub fn wake(&mut self, balls: &mut [Ball]) -> bool {
        if self.to_wake.is_empty() {
            return false;
        }
        for ball in balls.iter_mut() {
            if ball.asleep_in.is_some_and(|group| self.to_wake.binary_search(&group).is_ok()) {
                ball.wake();
            }
        }
        self.to_wake.clear();
        true
    }
}
