//! All balls, and their step.

use arrayvec::ArrayVec;
use glam::DVec3;

use super::ball::{BadThrow, Ball, BallId, Throw};
use super::contact::{Body, Contact, Touch};
use super::flight::{Flights, Surroundings};
use super::obstacle::{Ellipsoid, time_to_meet, touch_ball, touch_mesh};
use super::pairs::Pairs;
use super::rest::{Other, Row, SKIN, Span, settle};
use super::sleep::{Groups, TOUCHING};
use super::transform::Place;
use super::{Props, Settings};
use crate::tree::Tree;
use crate::walk::{BadSetting, STEP};

/// More balls than this are never kept, whatever the settings say.
pub(super) const MOST_BALLS: u32 = 1 << 16;
/// Bodies within this gap in metres are looked at when impulses are found: further than a ball that is too slow to bounce gets.
const REACH: f64 = 0.01;
/// Surfaces of the level, or of a prop, that a ball rests on at once.
const MOST_TOUCHES: usize = 12;
/// Surfaces whose normals differ by less than the angle of this cosine are one to a ball.
const SAME_SURFACE: f64 = 0.9999;

/// Balls that fly, bounce, roll, come to rest and sleep.
#[derive(Clone, Debug)]
pub struct Balls {
    settings: Settings,
    /// The oldest first.
    balls: Vec<Ball>,
    thrown: u64,
    rows: Vec<Row>,
    rows_before: Vec<Row>,
    /// The rows from the ground up.
    order: Vec<u32>,
    pairs: Pairs,
    flights: Flights,
    groups: Groups,
    contacts: Vec<Contact>,
    /// The changes of the props that have been seen.
    seen: u64,
}

impl Balls {
    /// None yet.
    ///
    /// # Errors
    /// When a setting makes no sense.
    pub fn new(settings: Settings) -> Result<Balls, BadSetting> {
        settings.check()?;
        Ok(Balls {
            settings,
            balls: Vec::new(),
            thrown: 0,
            rows: Vec::new(),
            rows_before: Vec::new(),
            order: Vec::new(),
            pairs: Pairs::default(),
            flights: Flights::default(),
            groups: Groups::default(),
            contacts: Vec::new(),
            seen: 0,
        })
    }

    /// What holds for all balls.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Adds a ball. When there are as many as the settings allow, the oldest goes.
    ///
    /// # Errors
    /// When a number makes no sense.
    pub fn throw(&mut self, throw: &Throw) -> Result<BallId, BadThrow> {
        throw.check()?;
        if self.balls.len() >= self.settings.limit as usize {
            self.groups.disturb(&self.balls[0]);
            self.balls.remove(0);
            self.groups.wake(&mut self.balls);
        }
        let id = BallId(self.thrown);
        self.thrown += 1;
        self.balls.push(Ball::new(id, throw));
        Ok(id)
    }

    /// A ball; `None` for one that is gone.
    pub fn get(&self, id: BallId) -> Option<&Ball> {
        self.balls.get(self.place(id)?)
    }

    /// All balls, the oldest first.
    pub fn iter(&self) -> impl Iterator<Item = &Ball> + Clone {
        self.balls.iter()
    }

    /// The ball at a place of [`Balls::iter`].
    pub fn at(&self, place: u32) -> Option<&Ball> {
        self.balls.get(place as usize)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.balls.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.balls.is_empty()
    }

    /// Removes all.
    pub fn clear(&mut self) {
        self.balls.clear();
        self.contacts.clear();
    }

    /// Removes a ball and wakes what lay on it; `false` when it was gone already.
    pub fn remove(&mut self, id: BallId) -> bool {
        let Some(place) = self.place(id) else { return false };
        self.groups.disturb(&self.balls[place]);
        self.balls.remove(place);
        self.groups.wake(&mut self.balls);
        true
    }

    /// Gives a ball an impulse through its centre, in N s, and wakes it. Nothing happens to one that is gone, or when a number
    /// is not finite.
    pub fn push(&mut self, id: BallId, impulse: DVec3) {
        if let Some(place) = self.place(id).filter(|_| impulse.is_finite()) {
            self.groups.disturb(&self.balls[place]);
            self.groups.wake(&mut self.balls);
            let ball = &mut self.balls[place];
            ball.velocity += impulse * ball.inverse_mass;
        }
    }

    /// Wakes all, as after a change of the level.
    pub fn wake_all(&mut self) {
        self.balls.iter_mut().for_each(Ball::wake);
    }

    /// What met what in the last step, what lies on something included; of two that met twice each meeting. Balls that sleep
    /// tell nothing.
    pub fn contacts(&self) -> &[Contact] {
        &self.contacts
    }

    fn place(&self, id: BallId) -> Option<usize> {
        self.balls.binary_search_by_key(&id, |ball| ball.id).ok()
    }

    /// Moves all balls by one step of [`STEP`] seconds. `walker` is where it is at the beginning of the step.
    ///
    /// Cost: a look around and a sweep for each ball that is awake, and about a dozen rounds over all contacts between them;
    /// next to nothing for one that sleeps.
    pub fn step(&mut self, tree: &Tree, props: &Props, walker: Option<&Ellipsoid>) {
        self.contacts.clear();
        let most = f64::from(self.settings.speed_limit);
        for ball in self.balls.iter_mut().filter(|ball| ball.is_awake()) {
            ball.begin_step();
            ball.velocity = ball.velocity.clamp_length_max(most);
        }
        self.disturb(props, walker);
        self.groups.wake(&mut self.balls);
        self.pairs.find(&self.balls, props, STEP);
        if self.wake_touched() {
            self.pairs.find(&self.balls, props, STEP);
        }
        let around = Surroundings { tree, props, walker };
        self.find_rows(around);
        let gravity = DVec3::NEG_Y * (f64::from(self.settings.gravity) * STEP);
        self.settle(gravity);
        self.flights.follow(&mut self.balls, &self.pairs, around, &self.settings, &mut self.contacts);
        self.groups.fall_asleep(&mut self.balls, &self.rows, &self.settings);
        self.remove_fallen(tree);
    }

    /// Wakes what lies where a prop has changed or the walker moves.
    fn disturb(&mut self, props: &Props, walker: Option<&Ellipsoid>) {
        if props.changes() != self.seen {
            for ball in self.balls.iter().filter(|ball| !ball.is_awake()) {
                let bounds = ball.bounds(TOUCHING);
                if props.disturbed_since(self.seen).any(|changed| changed.touches(&bounds)) {
                    self.groups.disturb(ball);
                }
            }
            self.seen = props.changes();
        }
        if let Some(walker) = walker.filter(|walker| walker.velocity != DVec3::ZERO) {
            let reach = walker.velocity.length() * STEP + TOUCHING;
            let near = |ball: &&Ball| !ball.is_awake() && walker.touch(ball.position, ball.radius).gap < reach;
            self.balls.iter().filter(near).for_each(|ball| self.groups.disturb(ball));
        }
    }

    /// Wakes what a ball that is awake touches or reaches in this step; tells whether that was anything.
    fn wake_touched(&mut self) -> bool {
        for pair in &self.pairs.balls {
            let [a, b] = pair.map(|ball| &self.balls[ball as usize]);
            if a.is_awake() != b.is_awake() {
                let (between, reach) = (a.position - b.position, a.radius + b.radius + TOUCHING);
                let touches = between.length_squared() < reach * reach;
                if touches || time_to_meet(between, a.velocity - b.velocity, reach, STEP).is_some() {
                    self.groups.disturb(if a.is_awake() { b } else { a });
                }
            }
        }
        self.groups.wake(&mut self.balls)
    }

    /// Finds what is close to what, without what is so fast that it will collide on its way.
    fn find_rows(&mut self, around: Surroundings<'_>) {
        std::mem::swap(&mut self.rows, &mut self.rows_before);
        self.rows.clear();
        let Balls { balls, rows, pairs, settings, .. } = self;
        let rest_speed = f64::from(settings.rest_speed);
        let gained = f64::from(settings.gravity) * STEP;
        let rests = |balls: &[Ball], row: &Row| {
            let is_jammed = balls[row.ball as usize].jammed
                || matches!(row.other, Other::Ball(other) if balls[other as usize].jammed);
            let is_slow = row.approach <= rest_speed;
            // What a walker ran into before it could bounce is pushed along.
            let is_pushed = row.body == Body::Walker && row.touch.gap < 0.0;
            is_slow || is_jammed || is_pushed || row.touch.gap - SKIN > (row.approach + gained) * STEP
        };
        let mut next_pair = pairs.balls.iter().peekable();
        for place in 0..balls.len() {
            let (first, ball) = (rows.len() as u32, place as u32);
            let Ball { position, radius, .. } = balls[place];
            if balls[place].is_awake() {
                let mut add = |other, body, touch| {
                    rows.extend(Some(Row::new(balls, ball, other, body, touch)).filter(|row| rests(balls, row)));
                };
                let mut near = Near::default();
                touch_mesh(around.tree, &Place::LEVEL, position, radius, REACH, |touch| near.add(touch));
                near.touches.drain(..).for_each(|touch| add(Other::Fixed(DVec3::ZERO), Body::Level, touch));
                for slot in pairs.props_of(ball) {
                    let Some(prop) = around.props.in_slot(slot) else { continue };
                    let tree = &around.props.model(prop.model()).tree;
                    prop.touch(tree, position, radius, REACH, |touch| near.add(touch));
                    let body = Body::Prop(prop.id());
                    near.touches.drain(..).for_each(|touch| add(Other::Fixed(DVec3::ZERO), body, touch));
                }
                if let Some(walker) = around.walker {
                    let touch = walker.touch(position, radius);
                    // One that is deep inside was thrown from there, and is on its way out.
                    if touch.gap <= REACH && touch.gap > -radius {
                        add(Other::Fixed(walker.velocity), Body::Walker, touch);
                    }
                }
            }
            while let Some(&&[_, other]) = next_pair.peek().filter(|pair| pair[0] == ball) {
                next_pair.next();
                let b = &balls[other as usize];
                let touch = touch_ball(position, radius, b.position, b.radius);
                if touch.gap <= REACH && balls[place].is_awake() && b.is_awake() {
                    let row = Row::new(balls, ball, Other::Ball(other), Body::Ball(b.id), touch);
                    rows.extend(Some(row).filter(|row| rests(balls, row)));
                }
            }
            let contacts = Span { first, end: rows.len() as u32 };
            balls[place].contacts_before = std::mem::replace(&mut balls[place].contacts, contacts);
        }
    }

    /// Adds gravity and finds the impulses between what is close and slow.
    fn settle(&mut self, gravity: DVec3) {
        let Balls { balls, rows, rows_before, order, settings, .. } = self;
        balls.iter_mut().filter(|ball| ball.is_awake()).for_each(|ball| ball.velocity += gravity);
        for row in rows.iter_mut() {
            let span = balls[row.ball as usize].contacts_before;
            let before = rows_before[span.first as usize..span.end as usize].iter();
            if let Some(before) = before.clone().find(|before| row.continues(before)) {
                row.warm(balls, before);
            }
        }
        order.clear();
        order.extend(0..rows.len() as u32);
        let height = |row: &u32| rows[*row as usize].touch.point.y;
        order.sort_unstable_by(|a, b| height(a).total_cmp(&height(b)).then(a.cmp(b)));
        settle(balls, rows, order, settings);
        for ball in balls.iter_mut().filter(|ball| ball.is_awake() && !ball.carried) {
            // Flight adds it as time goes by.
            ball.velocity -= gravity;
        }
        let told = rows.iter().filter(|row| row.impulse > 0.0);
        self.contacts.extend(told.map(|row| row.contact(balls)));
    }

    fn remove_fallen(&mut self, tree: &Tree) {
        let bounds = tree.bounds();
        let bottom = f64::from(bounds.min.y) - f64::from(self.settings.fall_limit);
        let is_out = |ball: &Ball| !ball.position.is_finite() || !bounds.is_empty() && ball.position.y < bottom;
        if self.balls.iter().any(is_out) {
            self.balls.retain(|ball| !is_out(ball));
        }
    }
}

/// Surfaces that a ball is close to, each once.
#[derive(Default)]
struct Near {
    touches: ArrayVec<Touch, MOST_TOUCHES>,
}

impl Near {
    fn add(&mut self, touch: &Touch) {
        match self.touches.iter_mut().find(|known| known.normal.dot(touch.normal) > SAME_SURFACE) {
            Some(known) if touch.gap < known.gap => *known = *touch,
            Some(_) => {}
            None => {
                let _full = self.touches.try_push(*touch);
            }
        }
    }
}
