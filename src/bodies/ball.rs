//! A ball.

use glam::{DQuat, DVec3};

use super::rest::Span;
use crate::geometry::Aabb;

/// A ball among [`Balls`](super::Balls). Numbers grow and are never used again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BallId(pub(super) u64);

/// A ball to be thrown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Throw {
    /// Its centre at the start, in local space.
    pub position: DVec3,
    /// In m/s.
    pub velocity: DVec3,
    /// In radians a second about each axis, right-handed.
    pub spin: DVec3,
    /// In metres, from 1e-3 to 1000.
    pub radius: f64,
    /// In kilograms, from 1e-6 to 1e6. It is spread evenly over the ball.
    pub mass: f64,
    /// What part of the speed into something comes back, 0 to 1; between two balls the geometric mean.
    pub restitution: f64,
    /// The part of the force on something that it can take along it, 0 or more; between two balls the geometric mean.
    pub friction: f64,
}

impl Default for Throw {
    fn default() -> Throw {
        Throw {
            position: DVec3::ZERO,
            velocity: DVec3::ZERO,
            spin: DVec3::ZERO,
            radius: 0.12,
            mass: 0.5,
            restitution: 0.7,
            friction: 0.5,
        }
    }
}

/// A ball that cannot be thrown: which number makes no sense, and what it must be.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("a ball's {name} must be {must}")]
pub struct BadThrow {
    /// The number's name.
    pub name: &'static str,
    /// What it must be.
    pub must: &'static str,
}

impl Throw {
    /// Checks that every number is finite and in its range.
    ///
    /// # Errors
    /// The first that is not.
    pub fn check(&self) -> Result<(), BadThrow> {
        let in_space = self.position.is_finite() && self.position.abs().max_element() < 1e9;
        for (name, holds, must) in [
            ("position", in_space, "finite and within 1e9 m"),
            ("velocity", self.velocity.is_finite(), "finite"),
            (
                "spin",
                self.spin.is_finite() && self.spin.abs().max_element() < 1e6,
                "finite and below 1e6 radians a second",
            ),
            ("radius", (1e-3..=1e3).contains(&self.radius), "from 0.001 to 1000 m"),
            ("mass", (1e-6..=1e6).contains(&self.mass), "from 1e-6 to 1e6 kg"),
            ("restitution", (0.0..=1.0).contains(&self.restitution), "from 0 to 1"),
            ("friction", (0.0..=1e3).contains(&self.friction), "from 0 to 1000"),
        ] {
            if !holds {
                return Err(BadThrow { name, must });
            }
        }
        Ok(())
    }
}

/// A ball as it is now.
#[derive(Clone, Debug)]
pub struct Ball {
    pub(super) id: BallId,
    pub(super) radius: f64,
    pub(super) inverse_mass: f64,
    pub(super) restitution: f64,
    pub(super) friction: f64,
    pub(super) position: DVec3,
    position_before: DVec3,
    pub(super) velocity: DVec3,
    pub(super) spin: DVec3,
    rotation: DQuat,
    /// Steps in a row in which it hardly moved.
    pub(super) still: u32,
    /// The group that it sleeps in.
    pub(super) asleep_in: Option<u64>,
    /// Its rows in this step, and in the one before.
    pub(super) contacts: Span,
    pub(super) contacts_before: Span,
    /// It met too much in the last step to fly on: what it meets in this one does not bounce.
    pub(super) jammed: bool,
    /// What takes it out of overlaps in this step, in metres.
    pub(super) push: DVec3,
    /// Something that it lies on has taken its weight in this step.
    pub(super) carried: bool,
}

impl Ball {
    pub(super) fn new(id: BallId, throw: &Throw) -> Ball {
        Ball {
            id,
            radius: throw.radius,
            inverse_mass: 1.0 / throw.mass,
            restitution: throw.restitution,
            friction: throw.friction,
            position: throw.position,
            position_before: throw.position,
            velocity: throw.velocity,
            spin: throw.spin,
            rotation: DQuat::IDENTITY,
            still: 0,
            asleep_in: None,
            contacts: Span::default(),
            contacts_before: Span::default(),
            jammed: false,
            push: DVec3::ZERO,
            carried: false,
        }
    }

    /// Its id.
    pub fn id(&self) -> BallId {
        self.id
    }

    /// The centre, in local space.
    pub fn position(&self) -> DVec3 {
        self.position
    }

    /// The centre between the last two steps: 0 is before the last step, 1 after it.
    pub fn position_between(&self, part: f64) -> DVec3 {
        self.position_before.lerp(self.position, part)
    }

    /// In m/s.
    pub fn velocity(&self) -> DVec3 {
        self.velocity
    }

    /// In radians a second about each axis.
    pub fn spin(&self) -> DVec3 {
        self.spin
    }

    /// How it has turned since it was thrown.
    pub fn rotation(&self) -> DQuat {
        self.rotation
    }

    /// In metres.
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// In kilograms.
    pub fn mass(&self) -> f64 {
        1.0 / self.inverse_mass
    }

    /// Whether it lies still and costs nothing until something meets it.
    pub fn is_asleep(&self) -> bool {
        self.asleep_in.is_some()
    }

    /// Energy of motion and of spin, in joules.
    pub fn kinetic_energy(&self) -> f64 {
        let of_spin = self.spin.length_squared() / self.inverse_inertia();
        0.5 * (self.velocity.length_squared() / self.inverse_mass + of_spin)
    }

    /// 1 / moment of inertia of a full ball.
    pub(super) fn inverse_inertia(&self) -> f64 {
        SPIN * self.inverse_mass / (self.radius * self.radius)
    }

    /// Whether it may move.
    pub(super) fn is_awake(&self) -> bool {
        self.asleep_in.is_none()
    }

    pub(super) fn wake(&mut self) {
        (self.asleep_in, self.still) = (None, 0);
    }

    pub(super) fn fall_asleep(&mut self, group: u64) {
        self.asleep_in = Some(group);
        (self.velocity, self.spin) = (DVec3::ZERO, DVec3::ZERO);
        self.jammed = false;
        self.begin_step();
    }

    /// A box around it and `margin` metres more.
    pub(super) fn bounds(&self, margin: f64) -> Aabb {
        let reach = DVec3::splat(self.radius + margin);
        Aabb { min: (self.position - reach).as_vec3(), max: (self.position + reach).as_vec3() }
    }

    pub(super) fn begin_step(&mut self) {
        self.position_before = self.position;
        (self.push, self.carried) = (DVec3::ZERO, false);
    }

    /// Turns it by its spin for `seconds`.
    pub(super) fn turn(&mut self, seconds: f64) {
        let half = self.spin * (0.5 * seconds);
        // Cayley's map of the half angles: no trigonometry, and of unit length whatever the spin.
        let turn = DQuat::from_xyzw(half.x, half.y, half.z, 1.0).normalize();
        self.rotation = (turn * self.rotation).normalize();
    }
}

/// Mass times the square of the radius over the moment of inertia of a full ball.
pub(super) const SPIN: f64 = 2.5;
