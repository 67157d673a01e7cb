//! Who looks: a [`Walker`] that the keys move in fixed steps, and a camera at its eye between the steps.

use std::f32::consts::{FRAC_PI_2, PI, TAU};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use glam::{DVec3, Vec2, Vec3};

use super::bindings::Action;
use super::input::Input;
use super::recording::Recording;
use super::trail::Trail;
use crate::bodies::{Ellipsoid, Nearby};
use crate::camera::Camera;
use crate::level::Level;
use crate::scene::Scene;
use crate::tree::Tree;
use crate::walk::path::Replay;
use crate::walk::{self, Mode, STEP, Settings, Walker};

/// Radians that the view turns for each pixel of the mouse.
const RADIANS_PER_PIXEL: f32 = 0.0025;
/// A notch of the wheel changes the speed of flight by this factor.
const NOTCH: f32 = 1.25;
/// The slowest and the fastest flight in metres a second.
const SPEEDS: (f32, f32) = (0.1, 2000.0);

/// A rise or a drop on foot of more than this in one step, in metres, is a stair; no slope that can be walked is as steep.
const STAIR: f64 = 0.1;
/// What is left after a step of how far the camera is behind: half of it after 60 ms.
const SOFTNESS: f64 = 0.908;

/// The person at the keyboard.
pub struct Player {
    walker: Walker,
    settings: Settings,
    /// How the next step is taken: on foot, ...
    walks: bool,
    /// ... and if not, along the level, ...
    collide: bool,
    /// ... at this speed in m/s.
    fly_speed: f32,
    /// Drives the walker in place of the keys.
    replay: Option<Replay>,
    /// How far one looks aside from where the replay looks: to the left and up, in radians.
    aside: Vec2,
    recording: Option<Recording>,
    trail: Trail,
    /// What of props it can reach.
    nearby: Nearby,
    /// Seconds that have passed since the last step, below [`STEP`].
    since_step: f64,
    /// How far the camera is above the eye, in metres: it follows stairs and crouching softly.
    lag: f64,
}

/// What happened while time passed.
#[derive(Debug, Default)]
pub struct Events {
    /// It had fallen out of the world and was brought back to the last safe place, or to any floor where there was none.
    pub rescued: bool,
    /// How the replay ended.
    pub replay: Option<ReplayEnd>,
    /// Why the recording ended.
    pub recording: Option<io::Error>,
}

/// How a replay ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReplayEnd {
    /// All its steps were taken.
    Over,
    /// A key took over.
    TakenOver,
}

impl Player {
    /// Someone with the eye at the camera's, who walks or flies. The lengths and speeds are those of `settings`.
    pub fn new(camera: &Camera, settings: Settings, walks: bool) -> Player {
        let feet = camera.eye - (settings.height - settings.eye_below_top) * Vec3::Y;
        let mut walker = Walker::new(feet, camera.yaw);
        walker.look(camera.yaw, camera.pitch);
        walker.set_mode(if walks { Mode::Walk } else { Mode::Fly { collide: false } });
        Player::of(walker, settings)
    }

    /// Someone whom `replay` drives, from `walker` on, which is its first.
    pub fn replaying(replay: Replay, walker: Walker, settings: Settings) -> Player {
        Player { replay: Some(replay), ..Player::of(walker, settings) }
    }

    fn of(walker: Walker, settings: Settings) -> Player {
        Player {
            walks: walker.mode() == Mode::Walk,
            collide: walker.mode() == Mode::Fly { collide: true },
            fly_speed: settings.fly_speed,
            walker,
            settings,
            replay: None,
            aside: Vec2::ZERO,
            recording: None,
            trail: Trail::default(),
            nearby: Nearby::new(),
            since_step: 0.0,
            lag: 0.0,
        }
    }

    /// The walker after the last step.
    pub fn walker(&self) -> &Walker {
        &self.walker
    }

    /// Where its body was swept of late.
    pub fn trail(&self) -> &Trail {
        &self.trail
    }

    /// How the walker is built.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Whether it walks rather than flies.
    pub fn walks(&self) -> bool {
        self.walks
    }

    /// Whether flight slides along the level.
    pub fn collides(&self) -> bool {
        self.collide
    }

    /// Whether it stands on something; never in flight.
    pub fn is_grounded(&self) -> bool {
        self.walker.grounded()
    }

    /// Whether it crouches.
    pub fn is_crouched(&self) -> bool {
        self.walks() && self.walker.crouched()
    }

    /// The speed of flight in m/s.
    pub fn fly_speed(&self) -> f32 {
        self.fly_speed
    }

    /// The feet as the camera shows them, in local space.
    pub fn feet(&self) -> DVec3 {
        self.walker.feet_between(self.between())
    }

    /// In m/s.
    pub fn velocity(&self) -> DVec3 {
        self.walker.velocity().as_dvec3()
    }

    /// The body after the last step, for balls to bounce off; `None` in flight through everything.
    pub fn body(&self) -> Option<Ellipsoid> {
        let is_solid = self.walks() || self.collide;
        is_solid.then(|| self.ellipsoid())
    }

    /// The body, whether it is met or not.
    pub fn ellipsoid(&self) -> Ellipsoid {
        let half = 0.5 * self.walker.height(&self.settings);
        let radius = f64::from(self.settings.radius);
        Ellipsoid {
            center: self.walker.feet_exact() + DVec3::Y * half,
            radii: DVec3::new(radius, half, radius),
            velocity: DVec3::ZERO,
        }
    }

    /// Flies on from a camera's eye.
    pub fn fly_from(&mut self, camera: &Camera) {
        *self = Player { fly_speed: self.fly_speed, ..Player::new(camera, self.settings, false) };
    }

    /// Puts it where a camera is, moving as before; on foot where there is room and ground for it, as near as can be.
    /// Ends a replay and a recording, whose next step would not begin there.
    pub fn put(&mut self, tree: &Tree, camera: &Camera) {
        let mut there = Player::new(camera, self.settings, self.walks);
        if self.walks {
            there.walker.place(walk::settle_spawn(tree, &self.settings, there.walker.feet()));
        }
        *self = Player { fly_speed: self.fly_speed, collide: self.collide, ..there };
    }

    /// Puts the camera to the eye.
    pub fn aim(&self, camera: &mut Camera) {
        camera.eye = self.walker.eye_between(&self.settings, self.between()) + self.lag as f32 * Vec3::Y;
        (camera.yaw, camera.pitch) = self.looks();
    }

    /// Heading and elevation of the view.
    fn looks(&self) -> (f32, f32) {
        let (yaw, pitch) = (self.walker.yaw(), self.walker.pitch());
        match self.replay {
            Some(_) => (within_a_turn(yaw + self.aside.x), (pitch + self.aside.y).clamp(-FRAC_PI_2, FRAC_PI_2)),
            None => (yaw, pitch),
        }
    }

    /// How far the time is between the last two steps, 0 to 1.
    fn between(&self) -> f64 {
        self.since_step / STEP
    }

    /// Walks instead of flying, or the other way round, from the next step on.
    pub fn switch_moving(&mut self) {
        self.walks = !self.walks;
    }

    /// Slides along the level in flight, or passes through it, from the next step on.
    pub fn switch_collide(&mut self) {
        self.collide = !self.collide;
    }

    /// How the next step is taken.
    fn mode(&self) -> Mode {
        if self.walks { Mode::Walk } else { Mode::Fly { collide: self.collide } }
    }

    /// Changes the speed of flight by notches of the wheel, upwards positive.
    pub fn change_speed(&mut self, notches: f32) {
        self.fly_speed = (self.fly_speed * NOTCH.powf(notches)).clamp(SPEEDS.0, SPEEDS.1);
    }

    /// Turns the view by the way of the mouse in pixels, right and down. A replay is only looked aside from.
    pub fn turn(&mut self, pixels: Vec2) {
        let turn = -RADIANS_PER_PIXEL * pixels;
        if self.replay.is_some() {
            self.aside += turn;
            return;
        }
        let pitch = self.walker.pitch() + turn.y;
        self.walker.look(within_a_turn(self.walker.yaw() + turn.x), pitch.clamp(-FRAC_PI_2, FRAC_PI_2));
    }

    /// The replay that drives the walker.
    pub fn replay(&self) -> Option<&Replay> {
        self.replay.as_ref()
    }

    /// Ends the replay, if there is one: the keys have the walker from where it is. Whether there was one.
    pub fn end_replay(&mut self) -> bool {
        let (yaw, pitch) = self.looks();
        let ended = self.replay.take().is_some();
        if ended {
            self.walker.look(yaw, pitch);
            self.aside = Vec2::ZERO;
        }
        ended
    }

    /// The path that is being recorded.
    pub fn recording(&self) -> Option<&Recording> {
        self.recording.as_ref()
    }

    /// Begins to record to a new file in `folder`, and gives its path.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn start_recording(&mut self, level: &Level, tree: &Tree, folder: &Path) -> io::Result<&Path> {
        let recording = Recording::start(folder, &mut self.walker, level, tree, &self.settings)?;
        Ok(self.recording.insert(recording).path())
    }

    /// Ends the recording and gives its path and its steps; `None` when there is none.
    pub fn stop_recording(&mut self) -> Option<io::Result<(PathBuf, u64)>> {
        let recording = self.recording.take()?;
        let steps = recording.steps();
        Some(recording.stop().map(|path| (path, steps)))
    }

    /// Moves for a time that has passed: all whole steps in it, the rest is kept. Keys that move end a replay.
    /// What moves by itself in `scene` moves on step by step with it.
    pub fn advance(&mut self, tree: &Tree, scene: &mut Scene, input: &Input, elapsed: Duration) -> Events {
        let mut events = Events::default();
        if input.is_moving() && self.end_replay() {
            events.replay = Some(ReplayEnd::TakenOver);
        }
        self.since_step += elapsed.as_secs_f64();
        while self.since_step >= STEP {
            self.since_step -= STEP;
            scene.advance(STEP);
            self.step(tree, scene, input, &mut events);
        }
        events
    }

    fn step(&mut self, tree: &Tree, scene: &Scene, input: &Input, events: &mut Events) {
        let wanted = self.next_input(input, events);
        if let Some(recording) = &mut self.recording
            && let Err(error) = recording.step(&self.walker, &wanted)
        {
            events.recording = Some(error);
            self.recording = None;
        }
        let (stood, crouched) = (self.walker.grounded(), self.walker.crouched());
        let (feet, eye) = self.heights();
        self.nearby.gather(tree, scene.props(), &mut self.walker, &self.settings, &wanted);
        let report = self.walker.step(self.nearby.beside(tree), &self.settings, &wanted);
        self.trail.add(&self.walker, &self.settings, &report);
        self.lag *= SOFTNESS;
        let (feet_after, eye_after) = self.heights();
        if self.walker.crouched() != crouched {
            self.lag -= eye_after - eye;
        } else if stood && report.grounded && (feet_after - feet).abs() > STAIR {
            self.lag -= feet_after - feet;
        }
        if report.rescued || self.lag.abs() < 1e-3 {
            self.lag = 0.0;
        }
        events.rescued |= report.rescued;
    }

    /// What the replay or else the keys want in the next step, after bringing the walker to the mode of that step.
    fn next_input(&mut self, input: &Input, events: &mut Events) -> walk::Input {
        if let Some(replay) = &mut self.replay {
            if let Some(wanted) = replay.next_input(&mut self.walker) {
                self.walks = self.walker.mode() == Mode::Walk;
                if !self.walks {
                    self.collide = self.walker.mode() == Mode::Fly { collide: true };
                }
                return wanted;
            }
            self.end_replay();
            events.replay = Some(ReplayEnd::Over);
        }
        self.walker.set_mode(self.mode());
        let speed = (!self.walks && self.fly_speed != self.settings.fly_speed).then_some(self.fly_speed);
        walk::Input {
            forward: input.axis(Action::Forward, Action::Back),
            right: input.axis(Action::Right, Action::Left),
            jump: input.is_held(Action::Rise),
            crouch: input.is_held(Action::Sink),
            fast: input.is_held(Action::Fast),
            speed,
            ..self.walker.input()
        }
    }

    /// Heights of the feet and of the eye after the last step, in local space.
    fn heights(&self) -> (f64, f64) {
        let feet = self.walker.feet_exact().y;
        (feet, feet + self.walker.eye_height(&self.settings))
    }

    /// Whether time passes with these keys held: there is a replay or a recording, the walker falls, slides, slows down,
    /// crouches or stands up, or the camera, which is a step behind, has not come to where the last step ended.
    pub fn is_moving(&self, input: &Input) -> bool {
        let changes_stance = self.walker.crouched() != input.is_held(Action::Sink);
        let [last, next] = [0.0, 1.0].map(|between| self.walker.eye_between(&self.settings, between));
        self.replay.is_some()
            || self.recording.is_some()
            || self.lag != 0.0
            || self.walker.mode() != self.mode()
            || last != next
            || self.walker.velocity() != Vec3::ZERO
            || self.walks() && (!self.walker.grounded() || changes_stance)
    }
}

/// An angle less whole turns, within half a turn.
fn within_a_turn(angle: f32) -> f32 {
    (angle + PI).rem_euclid(TAU) - PI
}

#[cfg(test)]
mod tests;
