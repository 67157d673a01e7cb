//! The kinds of walkers, and what each wants from step to step.

use glam::{DVec3, Vec3};
use nodetree::walk::{Input, Walker};

use crate::support::Random;
use crate::world::{Body, World};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Any way, at any of the usual speeds.
    Random,
    /// Along walls, pressed against them.
    Hugger,
    /// Into corners.
    Corner,
    /// Up all that rises and down again.
    Stairs,
    /// Jumping, and crouching on the ground and in the air.
    Jumper,
    /// At up to 60 m/s.
    Sprinter,
    /// As people walk: any way, fast at times, with jumps; a whole minute from where the level says.
    Visitor,
}

pub const KINDS: [(Kind, &str); 6] = [
    (Kind::Random, "random"),
    (Kind::Hugger, "hugger"),
    (Kind::Corner, "corner"),
    (Kind::Stairs, "stairs"),
    (Kind::Jumper, "jumper"),
    (Kind::Sprinter, "sprinter"),
];

/// The kind that attacks nothing.
pub const VISITOR: (Kind, &str) = (Kind::Visitor, "visitor");

/// Steps of a rest.
const REST: usize = 300;

/// A seeded driver.
pub struct Driver {
    kind: Kind,
    random: Random,
    input: Input,
    /// Steps left of what it does now.
    left: usize,
    /// How hard and on which side a hugger presses, in radians.
    press: f32,
    /// A hugger turns with the wall all the time, or goes on as it began.
    turns: bool,
    goes_up: bool,
}

impl Driver {
    pub fn new(kind: Kind, random: Random) -> Driver {
        let input = Input::default();
        Driver { kind, random, input, left: 0, press: 0.0, turns: false, goes_up: true }
    }

    /// What it wants now.
    pub fn input(&mut self, walker: &Walker, body: &Body, world: &World) -> Input {
        let is_new = self.left == 0;
        if is_new {
            self.begin();
        }
        self.left -= 1;
        let rests = self.input.forward == 0.0 && self.input.right == 0.0;
        let wall = wall(walker);
        match self.kind {
            Kind::Hugger if !rests && (self.turns || is_new) => {
                if let Some(normal) = wall {
                    let along = Vec3::new(normal.z, 0.0, -normal.x) * self.press.signum();
                    let (sin, cos) = self.press.abs().sin_cos();
                    self.head(along * cos - normal * sin);
                }
            }
            // Into the first wall, then between it and the next, then it stays.
            Kind::Corner if !rests && self.left.is_multiple_of(40) => {
                if let Some(normal) = wall {
                    let across = Vec3::new(normal.z, 0.0, -normal.x) * self.press;
                    self.head(across - normal);
                }
            }
            Kind::Stairs if !rests && self.left.is_multiple_of(12) => self.seek(body, world),
            Kind::Jumper => {
                self.input.jump = self.random.below(if self.turns { 2 } else { 40 }) == 0;
                if self.random.below(25) == 0 {
                    self.input.crouch = !self.input.crouch;
                }
            }
            _ => {}
        }
        if !rests && matches!(self.kind, Kind::Random | Kind::Sprinter | Kind::Visitor) {
            self.input.jump = self.random.below(90) == 0;
        }
        self.input
    }

    fn begin(&mut self) {
        let random = &mut self.random;
        self.left = 20 + random.below(260);
        self.press = random.range(-1.4, 1.4);
        self.turns = random.below(2) == 0;
        self.goes_up = random.below(2) == 0;
        self.input = Input {
            forward: 1.0,
            right: *random.pick(&[0.0, 0.0, 0.5, -1.0]),
            yaw: random.range(-3.2, 3.2),
            fast: random.below(3) == 0,
            crouch: random.below(8) == 0,
            ..Input::default()
        };
        match self.kind {
            Kind::Sprinter => self.input.speed = Some(random.range(10.0, 60.0)),
            Kind::Random if random.below(6) == 0 => self.input.speed = Some(random.range(-9.0, 1.0).exp()),
            Kind::Hugger | Kind::Corner | Kind::Stairs => self.input.right = 0.0,
            _ => {}
        }
        if self.kind == Kind::Sprinter {
            self.input.fast = false;
        }
        if random.below(8) == 0 {
            self.input = Input { forward: 0.0, right: 0.0, ..self.input };
            self.left = REST;
        }
    }

    fn head(&mut self, direction: Vec3) {
        self.input.yaw = (-direction.x).atan2(-direction.z);
    }

    /// Turns to where the ground ahead rises, or falls, most within what can be stepped.
    fn seek(&mut self, body: &Body, world: &World) {
        let from = body.center + DVec3::Y * 0.2;
        let sign = if self.goes_up { 1.0 } else { -1.0 };
        let mut best = (0.05, None);
        for i in 0..16 {
            let angle = std::f32::consts::PI / 8.0 * i as f32;
            let direction = Vec3::new(angle.cos(), 0.0, angle.sin());
            let probe = Body { center: from + direction.as_dvec3() * 0.6, radii: DVec3::splat(0.05) };
            let Some((drop, _)) = world.below(&probe, 2.5) else { continue };
            let rise = sign * (probe.center.y - drop - 0.05 - body.feet());
            if rise > best.0 && rise < 0.8 {
                best = (rise, Some(direction));
            }
        }
        if let Some(direction) = best.1 {
            self.head(direction);
        }
    }
}

/// The level part of the most upright wall that the walker touches.
fn wall(walker: &Walker) -> Option<Vec3> {
    let steepest = walker.contacts().iter().min_by(|a, b| a.normal.y.abs().total_cmp(&b.normal.y.abs()))?;
    let level = Vec3::new(steepest.normal.x, 0.0, steepest.normal.z);
    (steepest.normal.y.abs() < 0.8).then(|| level.normalize())
}
