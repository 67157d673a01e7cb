//! The way of all balls through a step: straight from meeting to meeting, the earliest first.
//!
//! Nothing moves but along a way that was swept against the level and the props, whatever happens before: so nothing passes
//! through them. Meetings are predicted, and predicted anew for a ball whose velocity changed. (Lubachevsky, "How to Simulate
//! Billiards and Similar Systems", 1991.)

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use glam::DVec3;

use super::Settings;
use super::ball::Ball;
use super::contact::{Body, Contact, Touch};
use super::obstacle::{Ellipsoid, meet_mesh, time_to_meet, touch_ball};
use super::pairs::Pairs;
use super::props::Props;
use super::rest::{Other, Row};
use super::transform::Place;
use crate::tree::Tree;
use crate::walk::STEP;

/// What balls move in.
#[derive(Clone, Copy)]
pub(super) struct Surroundings<'a> {
    pub tree: &'a Tree,
    pub props: &'a Props,
    pub walker: Option<&'a Ellipsoid>,
}

/// A ball on its way.
#[derive(Clone, Copy, Debug, Default)]
struct Flight {
    /// The time in seconds up to which it has moved.
    done: f64,
    /// Acceleration; none for what is carried.
    pull: DVec3,
    /// Rises with each change of its way.
    version: u32,
    meetings: u32,
    /// It met too much, or something that did: it stays where it is for the rest of the step.
    halted: bool,
    /// What of those that do not move it meets next.
    next: Option<(Body, DVec3, Touch)>,
}

impl Flight {
    /// Nothing pulls it while it stays: it would gain speed without a way.
    fn halt(&mut self) {
        (self.halted, self.pull) = (true, DVec3::ZERO);
    }
}

/// A meeting that will be if neither way changes before: time as bits, which order as it does; balls; versions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Event {
    time: u64,
    ball: u32,
    /// [`NO_BALL`] for what does not move.
    other: u32,
    versions: [u32; 2],
}

const NO_BALL: u32 = u32::MAX;
/// How far before an obstacle a ball stops, in metres, so that rounding does not put it inside.
const BEFORE: f64 = 1e-6;
/// Meetings of a ball in a step at most.
const MOST_MEETINGS: u32 = 12;

/// Follows flights; keeps its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Flights {
    flights: Vec<Flight>,
    events: BinaryHeap<Reverse<Event>>,
}

/// A step under way.
struct Sky<'a> {
    balls: &'a mut [Ball],
    flights: &'a mut [Flight],
    events: &'a mut BinaryHeap<Reverse<Event>>,
    pairs: &'a Pairs,
    around: Surroundings<'a>,
    rest_speed: f64,
    contacts: &'a mut Vec<Contact>,
}

impl Flights {
    /// Moves all balls through a step. What they meet goes to `contacts`.
    pub fn follow(
        &mut self,
        balls: &mut [Ball],
        pairs: &Pairs,
        around: Surroundings<'_>,
        settings: &Settings,
        contacts: &mut Vec<Contact>,
    ) {
        let gravity = DVec3::NEG_Y * f64::from(settings.gravity);
        self.flights.clear();
        self.flights.extend(balls.iter().map(|ball| {
            let is_free = ball.is_awake() && !ball.carried;
            Flight { pull: if is_free { gravity } else { DVec3::ZERO }, ..Flight::default() }
        }));
        self.events.clear();
        let rest_speed = f64::from(settings.rest_speed);
        let mut sky =
            Sky { balls, flights: &mut self.flights, events: &mut self.events, pairs, around, rest_speed, contacts };
        for ball in 0..sky.balls.len() as u32 {
            if sky.balls[ball as usize].is_awake() {
                sky.look_ahead(ball);
            }
        }
        for &[a, b] in &pairs.balls {
            sky.look_at(a, b);
        }
        while let Some(Reverse(event)) = sky.events.pop() {
            sky.happen(&event);
        }
        for ball in 0..sky.balls.len() as u32 {
            if sky.balls[ball as usize].is_awake() {
                sky.advance(ball, STEP);
                sky.balls[ball as usize].turn(STEP);
                sky.balls[ball as usize].jammed = sky.flights[ball as usize].halted;
            }
        }
    }
}

impl Sky<'_> {
    /// The velocity that takes a ball to where it will be at the end of the step.
    fn drift(&self, ball: u32) -> DVec3 {
        let (ball, flight) = (&self.balls[ball as usize], &self.flights[ball as usize]);
        if flight.halted {
            return DVec3::ZERO;
        }
        ball.velocity + flight.pull * (0.5 * (STEP - flight.done)) + ball.push / STEP
    }

    fn advance(&mut self, ball: u32, time: f64) {
        let way = self.drift(ball) * (time - self.flights[ball as usize].done);
        let (ball, flight) = (&mut self.balls[ball as usize], &mut self.flights[ball as usize]);
        if !flight.halted {
            ball.position += way;
        }
        ball.velocity += flight.pull * (time - flight.done);
        flight.done = time;
    }

    /// Predicts the first meeting with what does not move.
    fn look_ahead(&mut self, ball: u32) {
        let (drift, Flight { done, version, .. }) = (self.drift(ball), self.flights[ball as usize]);
        let left = STEP - done;
        let way = drift * left;
        self.flights[ball as usize].next = None;
        if way.length_squared() < 1e-24 {
            return;
        }
        let Ball { position, radius, .. } = self.balls[ball as usize];
        let mut first = 1.0_f64.next_up();
        let mut next = None;
        if let Some(met) = meet_mesh(self.around.tree, &Place::LEVEL, position, radius, way) {
            (first, next) = (met.fraction, Some((Body::Level, DVec3::ZERO, met.touch)));
        }
        for slot in self.pairs.props_of(ball) {
            let Some(prop) = self.around.props.in_slot(slot) else { continue };
            let tree = &self.around.props.model(prop.model()).tree;
            if let Some(met) = prop.meet(tree, position, radius, way).filter(|met| met.fraction < first) {
                (first, next) = (met.fraction, Some((Body::Prop(prop.id()), DVec3::ZERO, met.touch)));
            }
        }
        if let Some(walker) = self.around.walker {
            let now = Ellipsoid { center: walker.center + walker.velocity * done, ..*walker };
            let against = way - walker.velocity * left;
            if let Some(met) = now.meet(position, radius, against).filter(|met| met.fraction < first) {
                (first, next) = (met.fraction, Some((Body::Walker, walker.velocity, met.touch)));
            }
        }
        if next.is_some() {
            let free = (first - BEFORE / way.length()).max(0.0);
            self.flights[ball as usize].next = next;
            self.expect(done + free * left, ball, NO_BALL, [version, 0]);
        }
    }

    /// Predicts whether two balls meet faster than what rests, or one runs into another that had to stay behind.
    fn look_at(&mut self, a: u32, b: u32) {
        let [flight_a, flight_b] = [a, b].map(|ball| self.flights[ball as usize]);
        let now = flight_a.done.max(flight_b.done);
        let [drift_a, drift_b] = [a, b].map(|ball| self.drift(ball));
        let (ball_a, ball_b) = (&self.balls[a as usize], &self.balls[b as usize]);
        let at = ball_a.position + drift_a * (now - flight_a.done);
        let from = ball_b.position + drift_b * (now - flight_b.done);
        let (between, drift, reach) = (at - from, drift_a - drift_b, ball_a.radius + ball_b.radius);
        let Some(time) = time_to_meet(between, drift, reach, STEP - now) else { return };
        let touch = touch_ball(between + drift * time, ball_a.radius, DVec3::ZERO, ball_b.radius);
        let is_fast = (ball_a.velocity - ball_b.velocity).dot(touch.normal) < -self.rest_speed;
        if is_fast || flight_a.halted || flight_b.halted {
            self.expect(now + time, a, b, [flight_a.version, flight_b.version]);
        }
    }

    fn expect(&mut self, time: f64, ball: u32, other: u32, versions: [u32; 2]) {
        // Adding 0 makes -0 the same as 0, whose bits are in order.
        let time = (time.clamp(0.0, STEP) + 0.0).to_bits();
        self.events.push(Reverse(Event { time, ball, other, versions }));
    }

    fn happen(&mut self, event: &Event) {
        let version_of = |ball: u32| self.flights.get(ball as usize).map_or(0, |flight| flight.version);
        if [event.ball, event.other].map(version_of) != event.versions {
            return;
        }
        let time = f64::from_bits(event.time);
        self.advance(event.ball, time);
        if event.other == NO_BALL {
            self.meet_fixed(event.ball);
            self.look_again(event.ball);
            return;
        }
        self.advance(event.other, time);
        self.meet_ball(event.ball, event.other);
        self.look_again(event.ball);
        self.look_again(event.other);
    }

    fn meet_fixed(&mut self, ball: u32) {
        let Some((body, velocity, mut touch)) = self.flights[ball as usize].next else { return };
        touch.gap = 0.0;
        let mut row = Row::new(self.balls, ball, Other::Fixed(velocity), body, touch);
        let is_fast = row.approach > self.rest_speed;
        let restitution = if is_fast { self.balls[ball as usize].restitution } else { 0.0 };
        row.collide(self.balls, restitution);
        self.tell(&row);
        let (ball, flight) = (&mut self.balls[ball as usize], &mut self.flights[ball as usize]);
        let off = |way: DVec3| way - touch.normal * way.dot(touch.normal).min(0.0);
        ball.push = off(ball.push);
        if !is_fast {
            // It lies on it from now on.
            flight.pull = off(flight.pull);
        }
    }

    fn meet_ball(&mut self, a: u32, b: u32) {
        let [ball_a, ball_b] = [a, b].map(|ball| &self.balls[ball as usize]);
        let touch = touch_ball(ball_a.position, ball_a.radius, ball_b.position, ball_b.radius);
        let restitution = (ball_a.restitution * ball_b.restitution).sqrt();
        let mut row = Row::new(self.balls, a, Other::Ball(b), Body::Ball(ball_b.id), touch);
        row.collide(self.balls, restitution);
        let jams = [a, b].iter().any(|&ball| self.flights[ball as usize].halted);
        for ball in [a, b] {
            self.balls[ball as usize].wake();
            if jams {
                self.flights[ball as usize].halt();
            }
        }
        self.tell(&row);
    }

    /// After a change of a ball's way: predicts all its meetings anew.
    fn look_again(&mut self, ball: u32) {
        let flight = &mut self.flights[ball as usize];
        flight.version += 1;
        flight.meetings += 1;
        if flight.meetings >= MOST_MEETINGS {
            flight.halt();
        }
        if !flight.halted {
            self.look_ahead(ball);
        }
        for &other in self.pairs.neighbours_of(ball) {
            self.look_at(ball.min(other), ball.max(other));
        }
    }

    fn tell(&mut self, row: &Row) {
        if row.impulse > 0.0 {
            self.contacts.push(row.contact(self.balls));
        }
    }
}
