//! The walker's state and its step.

use glam::{DVec3, Vec3};

use super::{Settings, spawn};
use crate::geometry::UnitSpace;
use crate::query::{SlideContact, Slider, Solids, Touching};

/// Seconds that one step takes.
pub const STEP: f64 = 1.0 / 120.0;

/// How the walker moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// On the ground and through the air, with gravity.
    Walk,
    /// In all directions without gravity.
    Fly {
        /// Sliding along the level rather than passing through it.
        collide: bool,
    },
}

/// What the person at the keyboard, or a script, wants in one step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Input {
    /// -1 (back) to 1 (forward).
    pub forward: f32,
    /// -1 (left) to 1 (right).
    pub right: f32,
    /// -1 (down) to 1 (up); when flying.
    pub up: f32,
    /// Heading in radians, 0 along -Z, growing to the left.
    pub yaw: f32,
    /// Elevation of the view in radians, growing upwards.
    pub pitch: f32,
    /// Jumps as soon as the ground allows; rises when flying.
    pub jump: bool,
    /// Crouches; sinks when flying.
    pub crouch: bool,
    /// Moves at the fast speed.
    pub fast: bool,
    /// Speed in m/s in place of the settings' own, from 0 to a million; `fast` multiplies it as it does theirs.
    pub speed: Option<f32>,
}

/// What a step came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StepReport {
    /// The walker stands on something; never when flying.
    pub grounded: bool,
    /// How many triangles held the body back or carry it; [`Walker::contacts`] has them.
    pub contacts: u32,
    /// The walker had fallen out of the world, or was stuck, and was brought back to the last safe place.
    pub rescued: bool,
}

/// Somebody who walks and flies. Positions are kept in f64, so that the slowest motion adds up.
#[derive(Clone, Debug)]
pub struct Walker {
    pub(super) feet: DVec3,
    /// The feet before the last step, for drawing between steps.
    pub(super) feet_before: DVec3,
    pub(super) velocity: DVec3,
    /// The velocity before the last step.
    velocity_before: DVec3,
    pub(super) yaw: f32,
    pub(super) pitch: f32,
    pub(super) mode: Mode,
    pub(super) crouched: bool,
    pub(super) grounded: bool,
    /// Held up by steep surfaces on several sides: as good as ground, until it gets away.
    pub(super) wedged: bool,
    /// Steps in a row in which a fall was blocked by steep surfaces.
    pub(super) blocked_falls: u32,
    /// It has stood on something, so that there is a safe place.
    pub(super) has_stood: bool,
    /// Where the feet stood well a while ago: not right at the edge that the walker then fell from.
    pub(super) safe: DVec3,
    /// Where they stood well after that, which becomes `safe` after some more steps.
    pub(super) next_safe: DVec3,
    steps_to_safe: u32,
    /// Steps in a row in which the body could not leave an overlap.
    stuck: u32,
    pub(super) contacts: Vec<SlideContact>,
    sweeps: Vec<[Vec3; 2]>,
}

/// Contacts that are kept for the caller at most.
const CONTACTS: usize = 64;
/// Sweeps that are kept for the caller at most.
const SWEEPS: usize = 64;
/// The greatest speed that can be asked for, in m/s: beyond, a step leaves what f32 levels can hold.
const MOST_SPEED: f32 = 1e6;
/// Steps of standing well from one safe place to the next.
const SAFE: u32 = 60;
/// Steps after which a body that cannot leave an overlap is rescued.
const STUCK: u32 = 60;

impl Walker {
    /// A standing walker in walk mode. `feet` is in local space; see [`settle_spawn`](super::settle_spawn) for a place that
    /// may be slightly wrong. `yaw` in radians.
    pub fn new(feet: Vec3, yaw: f32) -> Walker {
        Walker::standing(feet.as_dvec3(), yaw)
    }

    pub(super) fn standing(feet: DVec3, yaw: f32) -> Walker {
        Walker {
            feet,
            feet_before: feet,
            velocity: DVec3::ZERO,
            velocity_before: DVec3::ZERO,
            yaw,
            pitch: 0.0,
            mode: Mode::Walk,
            crouched: false,
            grounded: false,
            wedged: false,
            blocked_falls: 0,
            has_stood: false,
            safe: feet,
            next_safe: feet,
            steps_to_safe: SAFE,
            stuck: 0,
            contacts: Vec::with_capacity(CONTACTS),
            sweeps: Vec::with_capacity(SWEEPS),
        }
    }

    /// The lowest point of the body, in local space.
    pub fn feet(&self) -> Vec3 {
        self.feet.as_vec3()
    }

    /// [`Walker::feet`] with all digits.
    pub fn feet_exact(&self) -> DVec3 {
        self.feet
    }

    /// The feet between the last two steps: 0 is before the last step, 1 after it, and just there.
    pub fn feet_between(&self, part: f64) -> DVec3 {
        // So that one who stands still does so to the bit.
        self.feet - (self.feet - self.feet_before) * (1.0 - part)
    }

    /// The eye, in local space.
    pub fn eye(&self, settings: &Settings) -> Vec3 {
        self.eye_between(settings, 1.0)
    }

    /// The eye between the last two steps: 0 is before the last step, 1 after it.
    pub fn eye_between(&self, settings: &Settings, part: f64) -> Vec3 {
        (self.feet_between(part) + DVec3::Y * self.eye_height(settings)).as_vec3()
    }

    /// How far the eye is above the feet, in metres.
    pub fn eye_height(&self, settings: &Settings) -> f64 {
        self.height(settings) - f64::from(settings.eye_below_top)
    }

    /// The height of the body, in metres.
    pub fn height(&self, settings: &Settings) -> f64 {
        f64::from(if self.crouched { settings.crouched_height } else { settings.height })
    }

    /// Centre and radii of the body's ellipsoid, in local space.
    pub fn ellipsoid(&self, settings: &Settings) -> (Vec3, Vec3) {
        let body = self.body(settings);
        (body.center.as_vec3(), body.radii.as_vec3())
    }

    /// In m/s; while standing and walking as the feet go, steps aside.
    pub fn velocity(&self) -> Vec3 {
        self.velocity.as_vec3()
    }

    /// The same before the last step, with all digits.
    pub(crate) fn velocity_before(&self) -> DVec3 {
        self.velocity_before
    }

    /// Heading in radians.
    pub fn yaw(&self) -> f32 {
        self.yaw
    }

    /// Elevation of the view in radians.
    pub fn pitch(&self) -> f32 {
        self.pitch
    }

    /// Walking or flying.
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// Changes between walking and flying; the walker stays where it is.
    pub fn set_mode(&mut self, mode: Mode) {
        if mode != self.mode {
            self.mode = mode;
            (self.grounded, self.wedged, self.stuck) = (false, false, 0);
            self.velocity.y = 0.0;
        }
    }

    /// Puts the feet somewhere, at rest. `feet` is in local space.
    pub fn place(&mut self, feet: Vec3) {
        self.feet = feet.as_dvec3();
        self.feet_before = self.feet;
        self.velocity = DVec3::ZERO;
        (self.grounded, self.wedged, self.stuck) = (false, false, 0);
    }

    /// Turns the view without a step. Radians.
    pub fn look(&mut self, yaw: f32, pitch: f32) {
        (self.yaw, self.pitch) = (yaw, pitch);
    }

    /// Whether it stands on something and does not rise. That is, within 15 mm: a place where the body's surface is at most as
    /// steep as the slope limit; or the edge of ground that can be walked, no higher than a step above the feet; or steep
    /// surfaces on several sides that nearly keep it from falling. What stood stays on ground that is the first thing straight
    /// below, within the height of a step. Never when flying.
    pub fn grounded(&self) -> bool {
        self.grounded
    }

    /// Whether it crouches.
    pub fn crouched(&self) -> bool {
        self.crouched
    }

    /// What held the body back or carried it in the last step, at most 64.
    pub fn contacts(&self) -> &[SlideContact] {
        &self.contacts
    }

    /// How the centre of the body was swept in the last step, each way from its start to its end, in local space: at most 64, and
    /// none in a flight that does not collide.
    pub fn sweeps(&self) -> &[[Vec3; 2]] {
        &self.sweeps
    }

    /// An input that wants nothing and goes on looking where the walker looks.
    pub fn input(&self) -> Input {
        Input { yaw: self.yaw, pitch: self.pitch, ..Input::default() }
    }

    /// Moves the walker by one step of [`STEP`] seconds. Numbers of the input that are not finite count as absent.
    pub fn step<'a>(&mut self, solids: impl Into<Solids<'a>>, settings: &Settings, input: &Input) -> StepReport {
        let solids = solids.into();
        let input = input.sanitized(self);
        (self.yaw, self.pitch) = (input.yaw, input.pitch);
        (self.feet_before, self.velocity_before) = (self.feet, self.velocity);
        self.contacts.clear();
        self.sweeps.clear();
        match self.mode {
            Mode::Fly { collide } => self.fly(solids, settings, &input, collide),
            Mode::Walk => {
                let was_grounded = self.grounded;
                self.change_stance(solids, settings, input.crouch);
                let overlap = self.leave_overlap(solids, settings);
                if was_grounded && !self.grounded {
                    // The upward part of a way along a slope throws nothing into the air.
                    self.velocity.y = 0.0;
                }
                let start = self.feet;
                let jump = 2.0 * f64::from(settings.gravity) * f64::from(settings.jump_height);
                let jumps = was_grounded && input.jump && jump > 0.0;
                if jumps {
                    self.velocity.y = jump.sqrt();
                    (self.grounded, self.wedged) = (false, false);
                }
                if self.grounded {
                    self.walk_on_ground(solids, settings, &input);
                } else {
                    self.move_through_air(solids, settings, &input);
                }
                if was_grounded && !self.grounded && !jumps {
                    let most = self.velocity_before.length().max(self.wish(settings, &input).length());
                    self.follow_down(solids, settings, most);
                }
                if overlap > 0.0 && self.slider(solids, settings).overlap() > overlap {
                    // Whoever is in a wall does not go deeper into it.
                    (self.feet, self.velocity) = (start, DVec3::ZERO);
                }
            }
        }
        self.has_stood |= self.grounded;
        let rescued = self.rescue(solids, settings);
        StepReport { grounded: self.grounded, contacts: self.contacts.len() as u32, rescued }
    }

    /// The body as an ellipsoid.
    pub(super) fn body(&self, settings: &Settings) -> UnitSpace {
        let half = 0.5 * self.height(settings);
        let radii = Vec3::new(settings.radius, half as f32, settings.radius);
        UnitSpace::new(self.feet + DVec3::Y * half, radii)
    }

    pub(super) fn slider<'a>(&self, solids: Solids<'a>, settings: &Settings) -> Slider<'a> {
        Slider::new(solids, self.body(settings), Slider::SKIN)
    }

    /// Takes over where a slider has moved the body.
    pub(super) fn follow(&mut self, slider: &Slider<'_>) {
        self.feet = slider.body.center - DVec3::Y * slider.body.radii.y;
        let room = SWEEPS - self.sweeps.len();
        self.sweeps.extend(slider.trail.ways().take(room));
    }

    /// The level direction of the wish, at most of length 1, times the speed.
    pub(super) fn wish(&self, settings: &Settings, input: &Input) -> DVec3 {
        let (sin, cos) = libm::sincos(f64::from(self.yaw));
        let forward = DVec3::new(-sin, 0.0, -cos) * f64::from(input.forward);
        let right = DVec3::new(cos, 0.0, -sin) * f64::from(input.right);
        let speed = input.speed_from(settings.speed, settings.fast_speed);
        (forward + right).clamp_length_max(1.0) * speed
    }

    /// Takes the walker along by `way` metres, as something that it stands on does, as far as nothing is in the way.
    pub fn carry<'a>(&mut self, solids: impl Into<Solids<'a>>, settings: &Settings, way: DVec3) {
        if way.is_finite() {
            let mut slider = self.slider(solids.into(), settings);
            slider.slide(way, |touch| [(touch.normal, touch.gap)], &mut |_| {});
            self.feet = slider.body.center - DVec3::Y * slider.body.radii.y;
        }
    }

    /// Moves out of overlaps, which only happen when the walker was put there or the level changed. How deep in metres what is
    /// left of them is, 0 for none.
    fn leave_overlap(&mut self, solids: Solids<'_>, settings: &Settings) -> f64 {
        let mut slider = self.slider(solids, settings);
        if slider.overlap() == 0.0 {
            self.stuck = 0;
            return 0.0;
        }
        let from = slider.body.center;
        slider.leave_overlap();
        self.follow(&slider);
        if slider.body.center.distance(from) > slider.skin {
            self.grounded &= slider.ground(settings.walkable_rise());
        }
        let left = slider.overlap();
        self.stuck = if left > 0.0 { self.stuck + 1 } else { 0 };
        left
    }

    /// Notes that the feet stand well.
    pub(super) fn stand_well(&mut self) {
        self.steps_to_safe -= 1;
        if self.steps_to_safe == 0 {
            (self.safe, self.next_safe, self.steps_to_safe) = (self.next_safe, self.feet, SAFE);
        }
    }

    /// Brings the walker back when it fell out of the world or is stuck for good.
    fn rescue(&mut self, solids: Solids<'_>, settings: &Settings) -> bool {
        let bounds = solids.tree().bounds();
        let bottom = if bounds.is_empty() { self.safe.y } else { f64::from(bounds.min.y).min(self.safe.y) };
        let is_out = self.mode == Mode::Walk && self.feet.y < bottom - f64::from(settings.fall_limit);
        if !(is_out || self.stuck > STUCK || !self.feet.is_finite()) {
            return false;
        }
        let was_stuck = self.stuck > STUCK;
        self.place(self.safe.as_vec3());
        // It may have stood well only because it crouched.
        self.crouched = false;
        self.crouched = self.slider(solids, settings).overlap() > 0.0;
        if !self.has_stood || was_stuck && self.slider(solids, settings).overlap() > 0.0 {
            // The safe place is none, or no better: any place where one can stand.
            if let Some(feet) = spawn::find_spawn(solids.tree(), settings) {
                self.place(feet);
                (self.safe, self.crouched) = (self.feet, false);
            }
        }
        (self.next_safe, self.steps_to_safe) = (self.safe, SAFE);
        true
    }
}

impl Input {
    pub(super) fn sanitized(&self, walker: &Walker) -> Input {
        // Adding 0 leaves no negative zero.
        let part = |value: f32| if value.is_finite() { value.clamp(-1.0, 1.0) + 0.0 } else { 0.0 };
        let angle = |value: f32, now: f32| if value.is_finite() { value } else { now };
        Input {
            forward: part(self.forward),
            right: part(self.right),
            up: part(self.up),
            yaw: angle(self.yaw, walker.yaw),
            pitch: angle(self.pitch, walker.pitch),
            speed: self.speed.filter(|speed| speed.is_finite()).map(|speed| speed.clamp(0.0, MOST_SPEED)),
            ..*self
        }
    }

    /// The speed wanted, from the settings' normal and fast one, in m/s.
    pub(super) fn speed_from(&self, normal: f32, fast: f32) -> f64 {
        let (normal, fast) = (f64::from(normal), f64::from(fast));
        let chosen = self.speed.map_or(normal, f64::from);
        let factor = if normal > 0.0 { fast / normal } else { 1.0 };
        if self.fast { chosen * factor } else { chosen }
    }
}

/// Adds a contact to those of the step, each triangle once.
pub(super) fn record(contacts: &mut Vec<SlideContact>, solids: Solids<'_>, touch: &Touching) {
    if contacts.len() < CONTACTS {
        touch.add_to(contacts, solids);
    }
}

/// Moves `velocity` towards `wanted` by at most `change`, both level.
pub(super) fn approach(velocity: DVec3, wanted: DVec3, change: f64) -> DVec3 {
    let difference = wanted - velocity;
    let length = difference.length();
    if length <= change { wanted } else { velocity + difference * (change / length) }
}
