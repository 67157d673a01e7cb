//! Walkers that try to break the walker: seeded, of every kind, on every level, each step checked in f64 by [`rules`].
//!
//! A fixed set walks here. As long as asked for, with numbers from `NODETREE_ATTACK_FROM` (1000):
//!
//! ```text
//! NODETREE_ATTACK_MINUTES=60 cargo test --release --no-default-features --test attackers
//! ```
//!
//! Each fault is one line: its seed, step, and what is wrong. `NODETREE_ATTACK=SEED` repeats one and prints each step, and
//! `NODETREE_ATTACK=LEVEL` or `LEVEL/KIND` keep a long run to these. Real levels take part where `NODETREE_DATA` names their folder.

#[path = "../data/mod.rs"]
mod data;
#[path = "../support/mod.rs"]
mod support;

mod attack;
mod kinds;
mod places;
mod rules;
mod world;

use std::str::FromStr;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use libtest_mimic::{Failed, Trial};
use rayon::prelude::*;

use attack::{Attack, Tally, seconds};
use kinds::{KINDS, VISITOR};
use places::{OWN, Place};

/// Attacks of each kind on each level in the fixed set.
const FIXED: u64 = 12;
/// Attacks that once found something, by what that was.
const MENDED: [&str; 27] = [
    // Through a triangle on the way out of an overlap.
    "terrain/sprinter/7104",
    "ralph-world/corner/7038",
    "city-small/sprinter/8067",
    "city-small/sprinter/20032",
    // At rest although a way was free.
    "rubble/corner/8010",
    "dungeon/sprinter/8019",
    "pits/stairs/8026",
    "pits/corner/7022",
    "terrain/hugger/20009",
    "terrain/hugger/30017",
    "rubble/hugger/9009",
    // To and fro in pockets.
    "dungeon/stairs/8044",
    "pits/hugger/8045",
    "terrain/stairs/8048",
    "pits/hugger/5301",
    "rubble-500km/random/5102",
    "rubble-500km/stairs/20017",
    "rubble/hugger/20013",
    "castle/stairs/9015",
    // Carried by what it had left.
    "dungeon/hugger/8013",
    "dungeon/corner/8062",
    "dungeon/sprinter/20006",
    "dungeon/stairs/20006",
    "dungeon/sprinter/20017",
    // Speed from sliding off a kerb while it crouched.
    "dungeon/jumper/8027",
    // More than two skins given way in a step.
    "pits/jumper/30001",
    "ralph-world/sprinter/30010",
];
/// Visits of each of the levels that people walk in, in both modes of the tree.
const VISITS: u64 = 2;
/// After so many faults a long run ends.
const MOST_FAULTS: usize = 200;

fn main() {
    let minutes: Option<f64> = variable("NODETREE_ATTACK_MINUTES");
    let chosen: Option<String> = variable("NODETREE_ATTACK");
    if let Some(minutes) = minutes {
        let from = variable("NODETREE_ATTACK_FROM").unwrap_or(1000);
        let trial = Trial::test("as_long_as_asked_for", move || run_for(minutes, from, chosen.as_deref()));
        data::run_with(vec![trial], Vec::new()).exit();
    }
    if let Some(seed) = chosen {
        let trial = Trial::test("one_seed", move || {
            let attack: Attack = seed.parse()?;
            if data::LEVELS.contains(&attack.level.as_str()) && data::folder().is_none() {
                return Err(format!("{} is a real level: NODETREE_DATA must name their folder", attack.level).into());
            }
            let place = Place::new(&attack.level).ok_or_else(|| format!("there is no level {:?}", attack.level))?;
            report(&attack, &place, true).map(|_| ())
        });
        data::run_with(vec![trial], Vec::new()).exit();
    }
    let trial =
        |level: &'static str| Trial::test(format!("attacks_on_{}", level.replace('-', "_")), move || fixed(level));
    let mut own: Vec<Trial> = OWN.map(trial).into_iter().collect();
    own.push(Trial::test("seeds_are_read_as_they_are_written", seeds_are_read_as_they_are_written));
    data::run_with(own, data::LEVELS.map(trial).into_iter().collect()).exit();
}

/// What a variable of the environment says; `None` where it is not set.
fn variable<T: FromStr<Err: std::fmt::Display>>(name: &str) -> Option<T> {
    let text = std::env::var(name).ok()?;
    Some(text.parse().unwrap_or_else(|error| panic!("{name}: {error}")))
}

/// Runs an attack, and prints its fault as one line.
fn report(attack: &Attack, place: &Place, traced: bool) -> Result<Tally, Failed> {
    attack.run(place, traced).map_err(|fault| {
        let line = format!("FAULT {attack} step {}: {}", fault.step, fault.what);
        println!("{line}");
        line.into()
    })
}

/// The fixed set on one level.
fn fixed(level: &str) -> Result<(), Failed> {
    let place = Place::new(level).expect("a level");
    let attacks = (0..FIXED).flat_map(|number| KINDS.map(|(kind, _)| Attack { level: level.to_owned(), kind, number }));
    let mended =
        MENDED.iter().map(|seed| seed.parse::<Attack>().expect("a seed")).filter(|attack| attack.level == level);
    let mut tally = Tally::default();
    let mut first = Ok(());
    for attack in attacks.chain(mended) {
        match report(&attack, &place, false) {
            Ok(one) => tally += one,
            Err(fault) => first = first.and(Err(fault)),
        }
    }
    println!("{level}: {tally:?}");
    first?;
    if tally.way < 300.0 {
        return Err(format!("only {:.0} m of way", tally.way).into());
    }
    if level == "castle" || data::LEVELS.contains(&level) {
        visit(level, &place)?;
    }
    Ok(())
}

/// Minutes in a level from where it says that one starts, each of which leads somewhere.
fn visit(level: &str, place: &Place) -> Result<(), Failed> {
    for number in 0..VISITS {
        let visit = Attack { level: level.to_owned(), kind: VISITOR.0, number };
        let way = report(&visit, place, false)?.way;
        println!("{visit}: {way:.0} m");
        if way < 100.0 {
            return Err(format!("{visit} comes only {way:.0} m far in a minute").into());
        }
    }
    Ok(())
}

/// Attacks on all levels until the time is up: one number after the other, levels side by side.
fn run_for(minutes: f64, from: u64, chosen: Option<&str>) -> Result<(), Failed> {
    let end = Instant::now() + Duration::from_secs_f64(60.0 * minutes);
    let real = if data::folder().is_some() { &data::LEVELS[..] } else { &[] };
    let is_chosen = |name: &str| chosen.is_none_or(|chosen| name.starts_with(chosen) || chosen.starts_with(name));
    let levels: Vec<&str> = OWN.iter().chain(real).copied().filter(|level| is_chosen(level)).collect();
    let places: Vec<Place> = levels.par_iter().map(|level| Place::new(level).expect("a level")).collect();
    let faults = Mutex::new(Vec::new());
    let mut total = Tally::default();
    let mut number = from;
    while Instant::now() < end && faults.lock().expect("a lock").len() < MOST_FAULTS {
        let attacks: Vec<(Attack, &Place)> = levels
            .iter()
            .zip(&places)
            .flat_map(|(level, place)| {
                KINDS.map(|(kind, _)| (Attack { level: (*level).to_owned(), kind, number }, place))
            })
            .filter(|(attack, _)| chosen.is_none_or(|chosen| attack.to_string().starts_with(chosen)))
            .collect();
        let tallies: Vec<Tally> = attacks
            .par_iter()
            .filter_map(|(attack, place)| {
                report(attack, place, false).map_err(|_| faults.lock().expect("a lock").push(attack.to_string())).ok()
            })
            .collect();
        tallies.into_iter().for_each(|one| total += one);
        number += 1;
    }
    let faults = faults.into_inner().expect("a lock");
    println!(
        "numbers {from} to {} on {} levels: {} attacks, {} steps ({:.0} s), {:.0} % grounded, {:.0} km, {} brought back; {} faults",
        number - 1,
        levels.len(),
        total.attacks,
        total.steps,
        seconds(total.steps),
        100.0 * total.grounded as f64 / total.steps as f64,
        1e-3 * total.way,
        total.rescues,
        faults.len()
    );
    if faults.is_empty() { Ok(()) } else { Err(format!("{} faults", faults.len()).into()) }
}

fn seeds_are_read_as_they_are_written() -> Result<(), Failed> {
    for text in ["wedges/hugger/17", "spiral-stairs-500km/sprinter/0"] {
        assert_eq!(text.parse::<Attack>()?.to_string(), text);
    }
    for wrong in ["wedges/hugger", "wedges/flyer/1", "wedges/hugger/x", "a/b/c/d"] {
        assert!(wrong.parse::<Attack>().is_err(), "{wrong}");
    }
    Ok(())
}
