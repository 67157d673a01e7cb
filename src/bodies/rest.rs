//! What rests on what: impulses that keep bodies from sinking into each other, with friction.
//!
//! Each contact in turn takes the speed that its bodies have into each other; what one takes another gives back, so this is
//! repeated, and begins with the impulses of the step before. None ever pulls, and friction is at most its part of the impulse.
//! Overlaps are taken out by displacements beside the velocities, which so gain no energy from them.
//!
//! Source: Catto, "Iterative Dynamics with Temporal Coherence", 2005.

use glam::DVec3;

use super::Settings;
use super::ball::{Ball, SPIN};
use super::contact::{Body, Contact, Touch};
use crate::walk::STEP;

/// A run of rows.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Span {
    pub first: u32,
    pub end: u32,
}

/// The other side of a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Other {
    /// Something that no ball moves, and its velocity.
    Fixed(DVec3),
    /// The ball at a place.
    Ball(u32),
}

/// Two bodies close to each other.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    pub ball: u32,
    pub other: Other,
    pub body: Body,
    pub touch: Touch,
    /// Coefficient between the two.
    pub friction: f64,
    /// How fast they came together before the step, in m/s.
    pub approach: f64,
    /// In N s along the normal.
    pub impulse: f64,
    /// In N s along the surface, on the ball.
    pub drag: DVec3,
    /// In metres: what takes the overlap out.
    push: f64,
    /// Mass that an impulse along the normal moves, in kg.
    mass: f64,
}

/// Rounds over all contacts. More make deep piles softer to watch and slower to compute.
const ROUNDS: usize = 10;
/// The gap in metres that resting bodies keep, so that sweeps along what they lie on begin free.
pub(super) const SKIN: f64 = 5e-4;
/// What part of an overlap is taken out in a step: all of it at once would shake piles.
const PART: f64 = 0.2;
/// An overlap is taken out by at most this part of the radius in a step.
const MOST: f64 = 0.1;
/// How much more the upper one of two yields, 0 to 1.
const LIFT: f64 = 0.8;

impl Row {
    pub fn new(balls: &[Ball], ball: u32, other: Other, body: Body, touch: Touch) -> Row {
        let a = &balls[ball as usize];
        let (inverse, friction) = match other {
            // With friction it would pin balls to the ground under its flank.
            Other::Fixed(_) if body == Body::Walker => (a.inverse_mass, 0.0),
            Other::Fixed(_) => (a.inverse_mass, a.friction),
            Other::Ball(b) => {
                let b = &balls[b as usize];
                (a.inverse_mass + b.inverse_mass, (a.friction * b.friction).sqrt())
            }
        };
        let mut row = Row {
            ball,
            other,
            body,
            touch,
            friction,
            approach: 0.0,
            impulse: 0.0,
            drag: DVec3::ZERO,
            push: 0.0,
            mass: 1.0 / inverse,
        };
        row.approach = -row.velocity(balls).dot(touch.normal);
        row
    }

    /// Whether it is the same contact as one of the step before.
    pub fn continues(&self, before: &Row) -> bool {
        self.body == before.body && self.touch.triangle == before.touch.triangle
    }

    /// Begins with what the contact came to in the step before.
    pub fn warm(&mut self, balls: &mut [Ball], before: &Row) {
        self.impulse = before.impulse;
        self.drag = before.drag - self.touch.normal * before.drag.dot(self.touch.normal);
        self.give(balls, self.touch.normal * self.impulse + self.drag, self.drag);
    }

    /// Of the ball against the other.
    fn velocity(&self, balls: &[Ball]) -> DVec3 {
        balls[self.ball as usize].velocity
            - match self.other {
                Other::Fixed(velocity) => velocity,
                Other::Ball(b) => balls[b as usize].velocity,
            }
    }

    /// How the surfaces slip past each other, on the ball's side.
    fn slip(&self, balls: &[Ball]) -> DVec3 {
        let normal = self.touch.normal;
        let a = &balls[self.ball as usize];
        let mut turning = a.spin * a.radius;
        if let Other::Ball(b) = self.other {
            let b = &balls[b as usize];
            turning += b.spin * b.radius;
        }
        let velocity = self.velocity(balls) - turning.cross(normal);
        velocity - normal * velocity.dot(normal)
    }

    /// Gives an impulse to both, of which `drag` is along the surface and turns them.
    fn give(&self, balls: &mut [Ball], impulse: DVec3, drag: DVec3) {
        let turn = -self.touch.normal.cross(drag);
        let mut give = |ball: u32, impulse: DVec3| {
            let ball = &mut balls[ball as usize];
            ball.velocity += impulse * ball.inverse_mass;
            ball.spin += turn * (ball.radius * ball.inverse_inertia());
        };
        give(self.ball, impulse);
        if let Other::Ball(b) = self.other {
            give(b, -impulse);
        }
    }

    /// Takes the speed along the normal down to `target`, and slip as far as friction goes. The impulse so far may shrink.
    fn solve(&mut self, balls: &mut [Ball], target: f64) {
        let normal = self.touch.normal;
        let wanted = (target - self.velocity(balls).dot(normal)) * self.mass;
        let impulse = (self.impulse + wanted).max(0.0);
        let along = normal * (impulse - self.impulse);
        if along != DVec3::ZERO {
            self.impulse = impulse;
            self.give(balls, along, DVec3::ZERO);
        }
        // The surface of a full ball yields 1 + 5/2 times as easily as its centre.
        let mass = self.mass / (1.0 + SPIN);
        let drag = (self.drag - self.slip(balls) * mass).clamp_length_max(self.friction * self.impulse);
        let change = drag - self.drag;
        if change != DVec3::ZERO {
            self.drag = drag;
            self.give(balls, change, change);
        }
    }

    /// A collision at once: `restitution` of the speed comes back. Gives the impulse along the normal.
    pub fn collide(&mut self, balls: &mut [Ball], restitution: f64) -> f64 {
        let speed = -self.velocity(balls).dot(self.touch.normal);
        if speed <= 0.0 {
            return 0.0;
        }
        self.impulse = 0.0;
        self.drag = DVec3::ZERO;
        self.solve(balls, restitution * speed);
        self.impulse
    }

    /// What it came to, for the caller.
    pub fn contact(&self, balls: &[Ball]) -> Contact {
        let Touch { triangle, point, normal, .. } = self.touch;
        let bodies = [Body::Ball(balls[self.ball as usize].id), self.body];
        Contact { bodies, triangle, point, normal, speed: self.approach.max(0.0), impulse: self.impulse }
    }

    /// Brakes rolling by up to `resistance` times the impulse.
    fn brake(&self, balls: &mut [Ball], resistance: f64) {
        let a = &balls[self.ball as usize];
        let (mut spin, mut inverse) = (a.spin, a.inverse_inertia());
        if let Other::Ball(b) = self.other {
            let b = &balls[b as usize];
            spin -= b.spin;
            inverse += b.inverse_inertia();
        }
        let turn = (-spin / inverse).clamp_length_max(resistance * a.radius * self.impulse);
        let a = &mut balls[self.ball as usize];
        a.spin += turn * a.inverse_inertia();
        if let Other::Ball(b) = self.other {
            let b = &mut balls[b as usize];
            b.spin -= turn * b.inverse_inertia();
        }
    }

    /// Takes a part of the overlap out by moving both apart; with `lift` rather the upper one, so that a pile grows from the
    /// ground up.
    fn separate(&mut self, balls: &mut [Ball], lift: f64) {
        let normal = self.touch.normal;
        let a = &balls[self.ball as usize];
        let (mut apart, mut most, share) = (a.push.dot(normal), MOST * a.radius, 1.0 + lift * normal.y);
        let (mut yields, mut other_yields) = (a.inverse_mass, 0.0);
        if let Other::Ball(b) = self.other {
            let b = &balls[b as usize];
            apart -= b.push.dot(normal);
            most = most.min(MOST * b.radius);
            (yields, other_yields) = (yields * share, b.inverse_mass * (2.0 - share));
        }
        let gap = self.touch.gap - SKIN;
        let target = if gap < 0.0 { (-gap * PART).min(most) } else { -gap };
        let push = (self.push + (target - apart) / (yields + other_yields)).max(0.0);
        let change = normal * (push - self.push);
        self.push = push;
        balls[self.ball as usize].push += change * yields;
        if let Other::Ball(b) = self.other {
            balls[b as usize].push -= change * other_yields;
        }
    }
}

/// Settles all rows in a step, and marks the balls that something carries. `order` names the rows from the ground up.
pub(super) fn settle(balls: &mut [Ball], rows: &mut [Row], order: &[u32], settings: &Settings) {
    let solve = |balls: &mut [Ball], row: &mut Row| {
        let target = -((row.touch.gap - SKIN) / STEP).max(0.0);
        row.solve(balls, target);
    };
    for _ in 0..ROUNDS / 2 {
        // Up and down again: what the ground gives reaches the top of a pile at once, and so does weight the ground.
        order.iter().for_each(|&row| solve(balls, &mut rows[row as usize]));
        order.iter().rev().for_each(|&row| solve(balls, &mut rows[row as usize]));
    }
    let resistance = f64::from(settings.rolling_resistance);
    for row in rows.iter().filter(|row| row.impulse > 0.0) {
        row.brake(balls, resistance);
        balls[row.ball as usize].carried = true;
        if let Other::Ball(b) = row.other {
            balls[b as usize].carried = true;
        }
    }
    if rows.iter().any(|row| row.touch.gap < 0.5 * SKIN) {
        let lift = if settings.gravity > 0.0 { LIFT } else { 0.0 };
        for _ in 0..ROUNDS / 2 {
            order.iter().for_each(|&row| rows[row as usize].separate(balls, lift));
        }
    }
}
