//! What must hold after each step of a walker, in f64.
//!
//! - Nothing is crossed: the middle half of the body is clear of everything on the straight line from step to step, or on
//!   the line up by a step, along, and down again. (The body itself may go around a corner within a step.)
//! - Nothing is overlapped by more than 0.1 mm; a body that starts in an overlap does not get deeper, and is out, or brought
//!   back, after 61 steps.
//! - Nothing speeds it up but wish, fall and jump; nothing throws it up.
//! - `grounded` is true exactly where something carries the walker, and it does not rise. That is, within 15 mm (the skin and
//!   5 mm of feel):
//!   1. *ground*: a place where the body's surface is at most as steep as the limit; or
//!   2. *an edge* of a triangle that can be walked, no higher than a step above the feet: straight below the flank, or beside
//!      it where the flank is not nearly upright; or
//!   3. *a wedge*: steep surfaces on several sides that leave less than 15 % of a fall.
//!
//!   What was grounded stays so where the first thing straight below, within the height of a step, is ground.
//! - It is not stuck: over 60 steps it gets 1 % of its wish where f64 finds a way to the side that is free.
//! - It does not tremble: with one wish it gets somewhere or comes to rest.

use std::collections::VecDeque;

use glam::DVec3;
use nodetree::walk::{Input, STEP, Settings, Walker};

use crate::attack::wish;
use crate::world::{Body, Contact, World, fall_left};

/// Metres that the body may overlap the level at most.
const MOST_OVERLAP: f64 = 1e-4;
const CORE: f64 = 0.5;
const SKIN: f64 = 0.01;
const FEEL: f64 = 0.005;
/// Metres within which something is felt.
pub const FELT: f64 = SKIN + FEEL;
/// Metres about which neither side of a limit is held against the walker.
const DOUBT: f64 = 1e-3;
/// The same for the upright part of a normal.
const RISE_DOUBT: f64 = 5e-3;
/// The same for upright speeds, which f32 shows.
const SPEED_DOUBT: f64 = 1e-3;
/// Steps over which motion is judged.
const WINDOW: usize = 60;
/// Steps over which it must not swing to and fro.
const LONG_WINDOW: usize = 180;
/// Steps after which what is constant has settled.
const SETTLED: usize = 180;

/// What is seen of a walker.
#[derive(Clone, Copy, Debug)]
pub struct State {
    pub body: Body,
    pub velocity: DVec3,
    pub grounded: bool,
}

impl State {
    pub fn of(walker: &Walker, settings: &Settings) -> State {
        let half = 0.5 * walker.height(settings);
        let radius = f64::from(settings.radius);
        State {
            body: Body { center: walker.feet_exact() + DVec3::Y * half, radii: DVec3::new(radius, half, radius) },
            velocity: walker.velocity().as_dvec3(),
            grounded: walker.grounded(),
        }
    }
}

pub struct Rules<'a> {
    world: &'a World,
    settings: Settings,
    /// Least upward part of the normal of ground that can be walked.
    limit: f64,
    /// Steps in a row of an overlap, and how deep it was before.
    overlapped: (usize, f64),
    /// The wish that has been the same for some steps.
    constant: (Input, usize),
    centers: VecDeque<DVec3>,
    /// Steps in a row on the ground.
    grounded: usize,
}

impl<'a> Rules<'a> {
    pub fn new(world: &'a World, settings: Settings) -> Rules<'a> {
        let limit = f64::from(settings.slope_limit).cos();
        let centers = VecDeque::with_capacity(LONG_WINDOW + 2);
        Rules { world, settings, limit, overlapped: (0, 0.0), constant: (Input::default(), 0), centers, grounded: 0 }
    }

    pub fn check(&mut self, before: &State, input: &Input, after: &State, rescued: bool) -> Result<(), String> {
        if !(after.body.center.is_finite() && after.velocity.is_finite()) {
            return Err("not finite".to_owned());
        }
        if rescued {
            self.centers.clear();
            self.constant.1 = 0;
            self.overlapped = (0, self.world.overlap(&after.body));
            return Ok(());
        }
        let was_free = self.overlap(before, after)?;
        self.crossing(before, after)?;
        if was_free {
            self.speed(before, input, after)?;
            self.grounded(before, input, after)?;
            self.motion(before, input, after)?;
        }
        Ok(())
    }

    /// Whether it overlapped nothing before.
    fn overlap(&mut self, before: &State, after: &State) -> Result<bool, String> {
        let depth = self.world.overlap(&after.body);
        let was = self.world.overlap(&before.body);
        if depth <= MOST_OVERLAP {
            self.overlapped = (0, 0.0);
            return Ok(was <= MOST_OVERLAP);
        }
        if was <= MOST_OVERLAP {
            return Err(format!("overlaps by {depth:.6} m"));
        }
        self.overlapped.0 += 1;
        // A body that crouches where it is goes nowhere, although its depth is then another.
        let was = was.max(self.world.overlap(&Body { radii: after.body.radii, ..before.body }));
        if depth > was + 1e-6 {
            return Err(format!("an overlap grows from {was:.6} to {depth:.6} m"));
        }
        if self.overlapped.0 > 61 {
            return Err(format!("stays in an overlap of {depth:.6} m"));
        }
        Ok(false)
    }

    fn crossing(&self, before: &State, after: &State) -> Result<(), String> {
        let core = Body { center: before.body.center, radii: before.body.radii.min(after.body.radii) * CORE };
        let way = after.body.center - before.body.center;
        let Some((_, triangle)) = self.world.hit(&core, way) else { return Ok(()) };
        // In an overlap the core may touch at the start.
        if self.world.overlap(&core) > 0.0 {
            return Ok(());
        }
        let up = DVec3::Y * (f64::from(self.settings.step_height) + 0.01).max(way.y);
        let along = DVec3::new(way.x, 0.0, way.z);
        let over = [(DVec3::ZERO, up), (up, along), (way, up - DVec3::Y * way.y)];
        if over.iter().all(|(from, way)| self.world.hit(&core.moved(*from), *way).is_none()) {
            return Ok(());
        }
        let corners = self.world.triangles[triangle as usize];
        Err(format!("goes through triangle {triangle} {corners:?} from {}", before.body.center))
    }

    /// The speed that is wanted, in m/s.
    fn wanted(&self, input: &Input) -> f64 {
        let (normal, fast) = (f64::from(self.settings.speed), f64::from(self.settings.fast_speed));
        let chosen = input.speed.map_or(normal, f64::from);
        wish(input).length() * if input.fast { chosen * fast / normal } else { chosen }
    }

    fn jumps(&self, before: &State, input: &Input) -> bool {
        before.grounded && input.jump
    }

    /// What gravity and a jump make of the upright speed in this step: before and after.
    fn fall(&self, before: &State, input: &Input) -> (f64, f64) {
        let gravity = f64::from(self.settings.gravity);
        let jump = (2.0 * gravity * f64::from(self.settings.jump_height)).sqrt();
        let from = if self.jumps(before, input) { jump } else { before.velocity.y };
        (from, (from - gravity * STEP).max(-f64::from(self.settings.fall_speed)))
    }

    fn speed(&self, before: &State, input: &Input, after: &State) -> Result<(), String> {
        let wanted = self.wanted(input);
        let walks = before.grounded && !self.jumps(before, input);
        let way = after.body.center - before.body.center;
        let (from, to) = self.fall(before, input);
        let level = before.velocity.with_y(0.0).length();
        let (most, upwards) = if walks {
            let most = before.velocity.length().max(wanted);
            // What loses the ground begins to fall at once.
            let fall = if after.grounded { 0.0 } else { f64::from(self.settings.gravity) * STEP };
            (most.hypot(fall), most)
        } else {
            let level = level.max(wanted);
            (level.hypot(from.abs().max(to.abs())), from.max(0.0))
        };
        // f32 shows the velocity.
        let speed = after.velocity.length();
        if speed > most * (1.0 + 1e-5) + 1e-3 {
            return Err(format!(
                "speed {speed:.4} m/s of at most {most:.4}, from {} to {}",
                before.velocity, after.velocity
            ));
        }
        let launch = if after.grounded { upwards } else { if walks { 0.0 } else { upwards } };
        if after.velocity.y > launch + 1e-3 {
            return Err(format!("rises with {} m/s of at most {launch:.4}", after.velocity.y));
        }
        // What leaves the skin of other surfaces, and what a step or a change of height moves, is no speed.
        let stance = (after.body.radii.y - before.body.radii.y).abs();
        let step = if walks { f64::from(self.settings.step_height) + 0.02 } else { 0.0 };
        let [along, up] = [way.with_y(0.0).length(), way.y.abs()];
        // Up to two skins more than is missing, on the way and once more on the ground.
        if along > most * STEP + stance + 0.025 {
            return Err(format!("moves {along:.4} m level in a step at {most:.3} m/s"));
        }
        if up > most * STEP + step + stance + 0.025 {
            return Err(format!("moves {:.4} m upright in a step at {most:.3} m/s", way.y));
        }
        Ok(())
    }

    fn grounded(&self, before: &State, input: &Input, after: &State) -> Result<(), String> {
        let jumps = self.jumps(before, input);
        let (from, to) = self.fall(before, input);
        let rises = jumps || !before.grounded && from + to > SPEED_DOUBT;
        let body = &after.body;
        let contacts = self.world.contacts(body, SKIN + FEEL + DOUBT);
        let step = f64::from(self.settings.step_height);
        if after.grounded {
            if rises {
                return Err("grounded while it rises".to_owned());
            }
            let ground = contacts.iter().any(|contact| contact.normal.y > self.limit - RISE_DOUBT);
            let edge =
                contacts.iter().any(|contact| contact.normal.y > 0.2 && self.is_edge(contact, body.feet(), step));
            if ground || edge || self.on_edge(body, step) || fall_left(&contacts) < 0.15 {
                return Ok(());
            }
            let left = fall_left(&contacts);
            return Err(format!("grounded on nothing; {} contacts leave {left:.3} of a fall", contacts.len()));
        }
        if rises || !before.grounded && from + to > -SPEED_DOUBT {
            return Ok(());
        }
        let is_sure = |contact: &Contact| contact.normal.y > self.limit + RISE_DOUBT && contact.on_face;
        if let Some(contact) = contacts.iter().find(|contact| is_sure(contact) && contact.gap < SKIN + FEEL - DOUBT) {
            return Err(format!(
                "not grounded {:.4} m above triangle {} with normal {}",
                contact.gap, contact.triangle, contact.normal
            ));
        }
        if before.grounded
            && let Some((drop, contact)) = self.world.below(body, step - 2.0 * DOUBT)
            && is_sure(&contact)
        {
            return Err(format!("not grounded {drop:.4} m above triangle {}, where it was before", contact.triangle));
        }
        Ok(())
    }

    /// Whether the first thing straight below is an edge of ground that can be walked.
    fn on_edge(&self, body: &Body, step: f64) -> bool {
        // The skin is kept along the normal, of which the upright part counts as at least a fifth.
        let reach = SKIN / 0.2 + FEEL + DOUBT;
        let below = self.world.below(body, reach);
        below.is_some_and(|(drop, contact)| contact.normal.y > 0.0 && self.is_edge(&contact, body.feet() - drop, step))
    }

    /// Whether a contact is that of a triangle that can be walked, no higher than a step above the feet.
    fn is_edge(&self, contact: &Contact, feet: f64, step: f64) -> bool {
        contact.point.y - feet <= step + 0.01 && self.world.is_of_walkable(contact.point, self.limit - RISE_DOUBT)
    }

    /// Judges what it did over some steps of one wish.
    fn motion(&mut self, before: &State, input: &Input, after: &State) -> Result<(), String> {
        let changed_height = before.body.radii != after.body.radii;
        let (constant, steps) = &mut self.constant;
        if input != constant || input.jump || changed_height {
            (*constant, *steps) = (*input, 0);
            self.centers.clear();
        }
        *steps += 1;
        let steps = *steps;
        self.grounded = if after.grounded { self.grounded + 1 } else { 0 };
        self.centers.push_back(after.body.center);
        if self.centers.len() > LONG_WINDOW + 1 {
            self.centers.pop_front();
        }
        for window in [WINDOW, LONG_WINDOW] {
            if steps >= SETTLED + WINDOW && self.centers.len() > window {
                self.trembles(window)?;
            }
        }
        if self.centers.len() <= WINDOW {
            return Ok(());
        }
        let net = after.body.center - self.centers[self.centers.len() - 1 - WINDOW];
        let length = length(self.centers.range(self.centers.len() - 1 - WINDOW..));
        let wanted = wish(input);
        if wanted == DVec3::ZERO {
            if steps > SETTLED && self.grounded > SETTLED && length > 0.0 {
                return Err(format!("does not rest: {length:e} m in 60 steps"));
            }
            return Ok(());
        }
        let goal = self.wanted(input) * STEP * WINDOW as f64;
        if steps % WINDOW == 0
            && self.grounded > WINDOW
            && net.with_y(0.0).length() < 0.01 * goal
            && let Some(direction) = self.free_way(&after.body, wanted.normalize())
        {
            return Err(format!("stuck: {:.5} m of {goal:.4} in 60 steps, free towards {direction}", net.length()));
        }
        Ok(())
    }

    /// Whether its way over the last steps led nowhere, and it is not at rest.
    fn trembles(&self, window: usize) -> Result<(), String> {
        let way = || self.centers.range(self.centers.len() - 1 - window..);
        let (first, last) = (self.centers[self.centers.len() - 1 - window], self.centers[self.centers.len() - 1]);
        let (length, net) = (length(way()), first.distance(last));
        let at_rest = way().rev().take(10).all(|center| *center == last);
        // What comes along at speed, or slides down, turns once: that is two ways.
        let turn = way().max_by(|a, b| a.distance_squared(first).total_cmp(&b.distance_squared(first)));
        let turns_once = turn.is_some_and(|turn| turn.distance(first) + turn.distance(last) > 0.9 * length);
        if !at_rest && !turns_once && length > 0.01 && net < 0.1 * length {
            return Err(format!("trembles: {length:.4} m of way lead {net:.4} m far in {window} steps"));
        }
        Ok(())
    }

    /// A level direction, at most 69 degrees from the wish, in which a body with its skin has 0.2 m of room at its height, and
    /// ground that can be walked all the way: where that falls away beside a wall, the body goes down with it and has to have
    /// its room there.
    fn free_way(&self, body: &Body, wish: DVec3) -> Option<DVec3> {
        const ROOM: f64 = 0.2;
        const LIFT: f64 = 0.015;
        let grown = body.grown(SKIN + 2e-3);
        let across = DVec3::new(wish.z, 0.0, -wish.x);
        // Off the ground by more than the body is grown.
        let lifted = grown.moved(DVec3::Y * LIFT);
        let can_stand = |way: DVec3| {
            let end = body.moved(DVec3::Y * LIFT + way);
            self.world.below(&end, LIFT + 0.1).is_some_and(|(drop, contact)| {
                let place = end.moved(DVec3::NEG_Y * (drop - SKIN / contact.normal.y.max(self.limit)));
                let is_wall = |contact: &Contact| contact.normal.y < self.limit;
                contact.normal.y > self.limit + 0.02 && !self.world.contacts(&place, 0.5 * SKIN).iter().any(is_wall)
            })
        };
        [0.0, 0.3, -0.3, 0.6, -0.6, 0.9, -0.9, 1.2, -1.2].into_iter().find_map(|part: f64| {
            let (sin, cos) = part.sin_cos();
            let direction = wish * cos + across * sin;
            let is_free = self.world.hit(&lifted, direction * ROOM).is_none()
                && [0.2, 0.6, 1.0].iter().all(|part| can_stand(direction * (part * ROOM)));
            is_free.then_some(direction)
        })
    }
}

/// The length of a way through these places.
fn length<'a>(places: impl Iterator<Item = &'a DVec3> + Clone) -> f64 {
    places.clone().zip(places.skip(1)).map(|(a, b)| a.distance(*b)).sum()
}
