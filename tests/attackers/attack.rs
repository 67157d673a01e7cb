//! One walker in one level, from its seed to the first fault.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::str::FromStr;

use glam::{DVec3, Vec3};
use nodetree::walk::{Input, STEP, Settings, Walker, settle_spawn};

use crate::kinds::{Driver, KINDS, Kind, VISITOR};
use crate::places::Place;
use crate::rules::{self, Rules, State};
use crate::support::Random;

/// Steps of an attack, ...
const STEPS: usize = 1800;
/// ... and of a visit: a minute.
const VISIT: usize = 7200;

/// A seed: level, kind of walker, number.
#[derive(Clone, Debug, PartialEq)]
pub struct Attack {
    pub level: String,
    pub kind: Kind,
    pub number: u64,
}

impl fmt::Display for Attack {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        let (_, kind) = named().find(|(kind, _)| *kind == self.kind).expect("a name for each");
        write!(formatter, "{}/{kind}/{}", self.level, self.number)
    }
}

impl FromStr for Attack {
    type Err = String;

    fn from_str(text: &str) -> Result<Attack, String> {
        let wrong = || format!("{text:?} is not like wedges/hugger/17");
        let [level, kind, number] = text.split('/').collect::<Vec<_>>()[..] else { return Err(wrong()) };
        let (kind, _) = named().find(|(_, name)| *name == kind).ok_or_else(wrong)?;
        Ok(Attack { level: level.to_owned(), kind, number: number.parse().map_err(|_| wrong())? })
    }
}

/// All kinds with their names.
fn named() -> impl Iterator<Item = (Kind, &'static str)> {
    KINDS.into_iter().chain([VISITOR])
}

/// What went wrong, and when.
#[derive(Debug)]
pub struct Fault {
    pub step: usize,
    pub what: String,
}

/// What an attack was worth.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    pub attacks: u64,
    pub steps: u64,
    pub grounded: u64,
    pub rescues: u64,
    /// Metres.
    pub way: f64,
}

impl std::ops::AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.attacks += other.attacks;
        self.steps += other.steps;
        self.grounded += other.grounded;
        self.rescues += other.rescues;
        self.way += other.way;
    }
}

impl Attack {
    /// Walks until something is wrong, then once more without looking: the way must be the same, step by step.
    /// `traced` prints each step.
    pub fn run(&self, place: &Place, traced: bool) -> Result<Tally, Fault> {
        match catch_unwind(AssertUnwindSafe(|| self.walk(place, traced))) {
            Ok(result) => result,
            Err(_) => Err(Fault { step: 0, what: "it panics, see above".to_owned() }),
        }
    }

    fn walk(&self, place: &Place, traced: bool) -> Result<Tally, Fault> {
        // Any text makes a seed (FNV-1a).
        let hash = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        let mut random = Random::new(self.to_string().bytes().fold(0xcbf2_9ce4_8422_2325, hash));
        let settings = Settings::default();
        let tree = &place.trees[(self.number % 2) as usize];
        let start = Walker::new(self.start(place, &settings, &mut random), 0.0);
        let mut walker = start.clone();
        let mut driver = Driver::new(self.kind, random);
        let mut rules = Rules::new(&place.world, settings);
        let mut tally = Tally { attacks: 1, ..Tally::default() };
        let steps = if self.kind == Kind::Visitor { VISIT } else { STEPS };
        let bits = |walker: &Walker| walker.feet_exact().to_array().map(f64::to_bits);
        let mut taken: Vec<(Input, [u64; 3])> = Vec::with_capacity(steps);
        for step in 0..steps {
            let before = State::of(&walker, &settings);
            let input = driver.input(&walker, &before.body, &place.world);
            let report = walker.step(tree, &settings, &input);
            taken.push((input, bits(&walker)));
            let after = State::of(&walker, &settings);
            tally.steps += 1;
            tally.grounded += u64::from(report.grounded);
            tally.rescues += u64::from(report.rescued);
            if traced {
                let (feet, velocity) = (walker.feet_exact(), after.velocity);
                println!("{step}: {feet:.6} {velocity:.4} {report:?} {input:?}");
                for contact in place.world.contacts(&after.body, rules::FELT) {
                    println!("    {contact:.6?}");
                }
            }
            if !report.rescued {
                tally.way += after.body.center.distance(before.body.center);
            }
            rules
                .check(&before, &input, &after, report.rescued)
                .map_err(|what| Fault { step, what: format!("{what}; feet {}", walker.feet_exact()) })?;
        }
        let mut again = start;
        for (step, (input, feet)) in taken.iter().enumerate() {
            again.step(tree, &settings, input);
            if bits(&again) != *feet {
                let before = DVec3::from_array(feet.map(f64::from_bits));
                return Err(Fault {
                    step,
                    what: format!("the same inputs lead to {before} and {}", again.feet_exact()),
                });
            }
        }
        Ok(tally)
    }

    /// Somewhere on or near a triangle, or where the level says; a tenth of all start wherever that is, maybe in a wall.
    /// Visitors start where the level says.
    fn start(&self, place: &Place, settings: &Settings, random: &mut Random) -> Vec3 {
        let tree = &place.trees[0];
        let is_lucky = random.below(3) == 0;
        if let Some(spawn) = place.spawn.filter(|_| is_lucky || self.kind == Kind::Visitor) {
            return settle_spawn(tree, settings, spawn);
        }
        let [a, b, c] = *random.pick(&place.world.triangles);
        let (mut u, mut v) = (random.unit(), random.unit());
        if u + v > 1.0 {
            (u, v) = (1.0 - u, 1.0 - v);
        }
        let feet = a + (b - a) * u + (c - a) * v + Vec3::Y * random.range(0.0, 1.0);
        if random.below(10) == 0 { feet } else { settle_spawn(tree, settings, feet) }
    }
}

/// Seconds of so many steps.
pub fn seconds(steps: u64) -> f64 {
    steps as f64 * STEP
}

/// A level vector of the wish of an input, at most of length 1.
pub fn wish(input: &Input) -> DVec3 {
    let (sin, cos) = f64::from(input.yaw).sin_cos();
    let forward = DVec3::new(-sin, 0.0, -cos) * f64::from(input.forward);
    let right = DVec3::new(cos, 0.0, -sin) * f64::from(input.right);
    (forward + right).clamp_length_max(1.0)
}
