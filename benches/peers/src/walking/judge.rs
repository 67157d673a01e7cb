//! What went wrong on a course: every step is looked at.

use std::fmt::{self, Display, Formatter};

use glam::{DVec3, Vec3};
use nodetree::walk::{Input, STEP, Settings};

use super::body::{Body, near};
use super::course::{Course, forward};
use super::free_way::has_free_way;
use super::walker::{CORE, State, Walk};

/// A kind of fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// In 60 steps nowhere farther than a hundredth of the wanted distance, although there is a free way.
    Stuck,
    /// The core, half as wide and half as high as the body, meets a triangle on the straight line between two steps.
    Crossed,
    /// Inside the level by more than a tenth of a millimetre.
    Overlapped,
    /// Rises by more than a step or the steepest slope explains, or goes on rising in the air, where slopes do not lift.
    Launched,
}

/// Every kind, in the order of the table.
pub const FAULTS: [Fault; 4] = [Fault::Stuck, Fault::Crossed, Fault::Overlapped, Fault::Launched];

/// What a walker came to on all courses of a level.
#[derive(Clone, Debug, Default)]
pub struct Record {
    /// How often, in the order of [`FAULTS`]: windows of steps of the first kind, steps of the others.
    pub counts: [usize; FAULTS.len()],
    /// The deepest overlap in metres; 0 or less when there was none.
    pub deepest: f64,
    /// Metres walked.
    pub way: f64,
    /// Where the first few happened: course, step, and what.
    pub places: Vec<(usize, usize, Fault)>,
}

/// Steps after which a body that wants to move must have moved, ...
const WINDOW: usize = 60;
/// ... by this part of the distance.
const LEAST_WAY: f64 = 0.01;
/// Metres.
const MOST_OVERLAP: f64 = 1e-4;
/// Metres by which a step may be higher than allowed, and by which a body in the air may be lifted when it is pushed out of
/// something.
const LENIENT: f64 = 0.02;
const NUDGE: f64 = 0.005;
/// Places that are kept.
const PLACES: usize = 12;

impl Record {
    /// Several in one, without the places.
    pub fn total<'a>(records: impl Iterator<Item = &'a Record>) -> Record {
        records.fold(Record::default(), |total, record| Record {
            counts: std::array::from_fn(|kind| total.counts[kind] + record.counts[kind]),
            deepest: total.deepest.max(record.deepest),
            way: total.way + record.way,
            places: Vec::new(),
        })
    }

    fn add(&mut self, fault: Fault, course: usize, step: usize) {
        self.counts[fault as usize] += 1;
        let is_new = self.places.last().is_none_or(|&(c, s, f)| (c, f) != (course, fault) || s + WINDOW < step);
        if is_new && self.places.len() < PLACES {
            self.places.push((course, step, fault));
        }
    }

    /// Follows a walker over a course with this number. `triangles` are all of the level.
    pub fn follow(&mut self, walker: &dyn Walk, body: &Body, triangles: &[[Vec3; 3]], number: usize, course: &Course) {
        let half = body.half_size();
        let start = State { center: course.feet.as_dvec3() + DVec3::Y * half.y, ..State::default() };
        let mut states = vec![start];
        walker.walk(course, &mut |state| states.push(state));
        let near: Vec<[Vec3; 3]> = near(triangles, extent(&states), half + MARGIN).copied().collect();
        for (window, inputs) in course.inputs.chunks(WINDOW).enumerate() {
            let begin = window * WINDOW;
            self.follow_window(body, &near, &states[begin..=begin + inputs.len()], inputs, (number, begin));
        }
    }

    fn follow_window(
        &mut self,
        body: &Body,
        triangles: &[[Vec3; 3]],
        states: &[State],
        inputs: &[Input],
        (course, begin): (usize, usize),
    ) {
        let settings = Settings::default();
        let near: Vec<[Vec3; 3]> = near(triangles, extent(states), body.half_size() + MARGIN).copied().collect();
        let mut rose_in_air = false;
        for (step, (pair, input)) in states.windows(2).zip(inputs).enumerate() {
            let [before, now] = [pair[0], pair[1]];
            let mut add = |fault| self.add(fault, course, begin + step);
            let overlap = deepest_overlap(body, &near, now.center);
            if overlap > MOST_OVERLAP {
                add(Fault::Overlapped);
            }
            if !now.is_rescued {
                if is_crossed(&near, before.center, now.center) {
                    add(Fault::Crossed);
                }
                let rise = now.center.y - before.center.y;
                let slope = speed(input, &settings) * STEP * libm::tan(f64::from(settings.slope_limit));
                let is_in_air = !before.is_grounded && !now.is_grounded;
                let most = if is_in_air { slope } else { f64::from(settings.step_height) + LENIENT + slope };
                let goes_on = is_in_air && rise > NUDGE && rose_in_air;
                if rise > most || goes_on {
                    add(Fault::Launched);
                }
                rose_in_air = is_in_air && rise > NUDGE;
                self.way += before.center.distance(now.center);
            }
            self.deepest = self.deepest.max(overlap);
        }
        let (first, last) = (states[0], states[states.len() - 1]);
        let wanted: f64 = inputs.iter().map(|input| speed(input, &settings) * STEP).sum();
        let is_whole = inputs.iter().all(|input| input.forward > 0.0) && !states[1..].iter().any(|s| s.is_rescued);
        let farthest = states.iter().map(|state| first.center.distance(state.center)).fold(0.0, f64::max);
        if is_whole && farthest < LEAST_WAY * wanted {
            let ends = [(first, inputs[0]), (last, inputs[inputs.len() - 1])];
            let is_free =
                |(state, input): (State, Input)| has_free_way(body, &near, state.center, forward(input.yaw).as_dvec3());
            if ends.into_iter().all(is_free) {
                self.add(Fault::Stuck, course, begin + inputs.len() - 1);
            }
        }
    }
}

/// Metres around a body in which triangles count as near: as far as a free way is looked for.
const MARGIN: DVec3 = DVec3::splat(1.0);

/// The wanted speed in m/s.
fn speed(input: &Input, settings: &Settings) -> f64 {
    f64::from(input.forward * if input.fast { settings.fast_speed } else { settings.speed })
}

/// The corners of the box of all centres.
fn extent(states: &[State]) -> [DVec3; 2] {
    let centers = || states.iter().map(|state| state.center);
    [centers().reduce(DVec3::min), centers().reduce(DVec3::max)].map(Option::unwrap_or_default)
}

/// Metres; below 0 when it is clear of everything.
fn deepest_overlap(body: &Body, triangles: &[[Vec3; 3]], center: DVec3) -> f64 {
    near(triangles, [center; 2], body.half_size())
        .map(|triangle| -body.gap(center, triangle))
        .fold(f64::NEG_INFINITY, f64::max)
}

fn is_crossed(triangles: &[[Vec3; 3]], before: DVec3, now: DVec3) -> bool {
    let near = near(triangles, [before.min(now), before.max(now)], CORE.half_size());
    CORE.free(before, now - before, near) < 1.0
}

impl Display for Fault {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        f.write_str(match self {
            Fault::Stuck => "stuck",
            Fault::Crossed => "through a triangle",
            Fault::Overlapped => "overlapping",
            Fault::Launched => "launched",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::cuboid;
    use crate::walking::course::Kind;
    use crate::walking::walker::{CAPSULE, ELLIPSOID, HEIGHT};

    /// Somebody who is at these places, whatever is wanted; on the ground or in the air.
    struct Puppet(Vec<DVec3>, bool);

    impl Walk for Puppet {
        fn walk(&self, _: &Course, see: &mut dyn FnMut(State)) {
            self.0.iter().for_each(|&center| see(State { center, is_grounded: self.1, is_rescued: false }));
        }
    }

    /// Feet and the centre of a body that keeps its gap to the floor.
    const FEET: Vec3 = Vec3::new(0.0, 0.01, 0.0);
    const CENTER: DVec3 = DVec3::new(0.0, 0.5 * HEIGHT + 0.01, 0.0);

    /// The counts for both bodies that want to go ahead, with so many metres of free floor before a wall so high.
    fn counts(free: f32, wall: f32, walker: &Puppet) -> [[usize; FAULTS.len()]; 2] {
        let mut level = cuboid(Vec3::new(-9.0, -1.0, -9.0), Vec3::new(9.0, 0.0, 9.0));
        level.extend(cuboid(Vec3::new(-9.0, -0.5, -8.0), Vec3::new(9.0, wall, -0.35 - free)));
        let inputs = vec![Input { forward: 1.0, ..Input::default() }; walker.0.len()];
        let course = Course { kind: Kind::Straight, feet: FEET, inputs };
        [ELLIPSOID, CAPSULE].map(|body| {
            let mut record = Record::default();
            record.follow(walker, &body, &level, 0, &course);
            record.counts
        })
    }

    #[test]
    fn who_stands_still_is_stuck_unless_the_wall_is_all_there_is() {
        let still = Puppet(vec![CENTER; 120], true);
        assert_eq!(counts(2.0, 3.0, &still), [[2, 0, 0, 0]; 2]);
        assert_eq!(counts(0.01, 3.0, &still), [[0; 4]; 2]);
        // A step must be climbed.
        assert_eq!(counts(0.01, 0.3, &still), [[2, 0, 0, 0]; 2]);
        assert_eq!(counts(0.01, 0.6, &still), [[0; 4]; 2]);
    }

    #[test]
    fn walls_and_floors_are_neither_crossed_nor_entered() {
        let beyond = CENTER - DVec3::Z * 9.0;
        assert_eq!(counts(1.0, 3.0, &Puppet(vec![CENTER, beyond, beyond], true)), [[0, 1, 0, 0]; 2]);
        let sunk = |depth: f64| Puppet(vec![CENTER - DVec3::Y * (0.01 + depth), CENTER], true);
        assert_eq!(counts(1.0, 3.0, &sunk(2e-4)), [[0, 0, 1, 0]; 2]);
        assert_eq!(counts(1.0, 3.0, &sunk(5e-5)), [[0; 4]; 2]);
    }

    #[test]
    fn steps_lift_and_the_air_does_not() {
        let rise = |metres: f64| (1..=10).map(|step| CENTER + DVec3::Y * (metres * f64::from(step))).collect();
        assert_eq!(counts(1.0, 3.0, &Puppet(rise(0.4), true)), [[0; 4]; 2]);
        assert_eq!(counts(1.0, 3.0, &Puppet(rise(0.6), true)), [[0, 0, 0, 10]; 2]);
        // The first may have been a slope.
        assert_eq!(counts(1.0, 3.0, &Puppet(rise(0.01), false)), [[0, 0, 0, 9]; 2]);
    }
}
