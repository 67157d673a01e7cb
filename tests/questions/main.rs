//! Every question to every tree against looking at every triangle: all kinds of level, small and of at least 10 000
//! triangles; quadtree and octree; three leaf presets; every kind of lanes that the machine has.
//!
//! A fixed number of questions is asked here. Ten million take longer:
//!
//! ```text
//! NODETREE_QUESTIONS=10000000 cargo test --release --no-default-features --test questions -- --nocapture
//! ```
//!
//! A fault prints its seed. `NODETREE_SEED=SEED cargo test --no-default-features --test questions replayed` asks that one
//! question.

#[path = "../support/mod.rs"]
mod support;

mod batches;
mod heights;
mod oracles;
mod rays;
mod scene;
mod slides;
mod spheres;
mod sweeps;
mod tally;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::str::FromStr;
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

use scene::{Place, Scene};
use support::Random;
use support::levels::{KINDS, Kind};
use tally::{Asked, Tally};

/// How questions of a kind are asked.
enum Ask {
    /// One by one; `None` where chance made no question.
    One(fn(&Scene, &mut Random) -> Option<Asked>),
    /// So many together.
    Batch(fn(&Scene, usize, &mut Random) -> Vec<Asked>),
}

/// A kind of question.
struct Family {
    name: &'static str,
    ask: Ask,
    /// Of each hundred questions.
    share: u64,
    /// Whether bodies are moved, rather than points or lines.
    meets_bodies: bool,
}

const FAMILIES: [Family; 11] = [
    Family { name: "rays", ask: Ask::One(rays::ask), share: 26, meets_bodies: false },
    Family { name: "segments", ask: Ask::One(rays::ask_segment), share: 10, meets_bodies: false },
    Family { name: "heights", ask: Ask::One(heights::ask), share: 18, meets_bodies: false },
    Family { name: "spheres", ask: Ask::One(spheres::ask), share: 10, meets_bodies: false },
    Family { name: "ways-out", ask: Ask::One(spheres::ask_way_out), share: 4, meets_bodies: true },
    Family { name: "sphere-sweeps", ask: Ask::One(sweeps::ask_sphere), share: 10, meets_bodies: true },
    Family { name: "ellipsoid-sweeps", ask: Ask::One(sweeps::ask_ellipsoid), share: 6, meets_bodies: true },
    Family { name: "slides", ask: Ask::One(slides::ask), share: 4, meets_bodies: true },
    Family { name: "ray-batches", ask: Ask::Batch(batches::ask_rays), share: 5, meets_bodies: false },
    Family { name: "height-batches", ask: Ask::Batch(batches::ask_heights), share: 5, meets_bodies: false },
    Family { name: "sweep-batches", ask: Ask::Batch(batches::ask_sweeps), share: 2, meets_bodies: true },
];

/// Questions to a level.
const A_LEVEL: u64 = 2_000;
/// Questions without `NODETREE_QUESTIONS`.
const USUAL: u64 = 500_000;
/// After so many faults the rest is not asked.
const MOST_FAULTS: usize = 20;

/// One question, or one batch of them.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Seed {
    place: Place,
    family: usize,
    number: u64,
}

impl std::fmt::Display for Seed {
    fn fmt(&self, formatter: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(formatter, "{}/{}/{}", self.place, FAMILIES[self.family].name, self.number)
    }
}

impl FromStr for Seed {
    type Err = String;

    fn from_str(text: &str) -> Result<Seed, String> {
        let wrong = || format!("{text:?} is not like 0/Terrain/large/rays/17");
        let (rest, number) = text.rsplit_once('/').ok_or_else(wrong)?;
        let (place, name) = rest.rsplit_once('/').ok_or_else(wrong)?;
        let family = FAMILIES.iter().position(|family| family.name == name).ok_or_else(wrong)?;
        Ok(Seed { place: place.parse()?, family, number: number.parse().map_err(|_| wrong())? })
    }
}

impl Seed {
    /// How many questions of the family a level gets. A body meets all of a tiny level at once, which takes long: a slide looks at
    /// each pair of what it touches.
    fn of_a_level(&self) -> u64 {
        let Family { share, meets_bodies, name, .. } = FAMILIES[self.family];
        let all = A_LEVEL * share / 100;
        match (meets_bodies, self.place) {
            (true, Place { kind: Kind::Tiny, is_large: true, .. }) => u64::from(name != "slides"),
            (true, Place { kind: Kind::Tiny, .. }) => all / 10,
            _ => all,
        }
    }

    /// Asks, again where chance made no question; what was asked.
    fn ask(&self, scene: &Scene) -> Vec<Asked> {
        // Any text makes a seed (FNV-1a).
        let hash = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        let mut random = Random::new(self.to_string().bytes().fold(0xcbf2_9ce4_8422_2325, hash));
        match FAMILIES[self.family].ask {
            Ask::One(ask) => {
                vec![std::iter::repeat_with(|| ask(scene, &mut random)).flatten().next().expect("endless")]
            }
            Ask::Batch(ask) => ask(scene, self.of_a_level() as usize, &mut random),
        }
    }
}

/// Asks all questions about one level.
fn ask_all(place: Place, faults: &AtomicUsize) -> [Tally; FAMILIES.len()] {
    let scene = Scene::new(&place);
    let mut tallies = [Tally::default(); FAMILIES.len()];
    for (family, tally) in tallies.iter_mut().enumerate() {
        let mut seed = Seed { place, family, number: 0 };
        while tally.questions < seed.of_a_level() && faults.load(Ordering::Relaxed) < MOST_FAULTS {
            match catch_unwind(AssertUnwindSafe(|| seed.ask(&scene))) {
                Ok(asked) => asked.into_iter().for_each(|asked| tally.count(asked, place.is_large)),
                Err(_) => {
                    eprintln!("FAULT: NODETREE_SEED={seed}\n");
                    faults.fetch_add(1, Ordering::Relaxed);
                    tally.questions += 1;
                }
            }
            seed.number += 1;
        }
    }
    tallies
}

/// What a variable of the environment says; `None` where it is not set.
fn variable<T: FromStr<Err: std::fmt::Display>>(name: &str) -> Option<T> {
    let text = std::env::var(name).ok()?;
    Some(text.parse().unwrap_or_else(|error| panic!("{name}: {error}")))
}

#[test]
fn every_answer_agrees_with_looking_at_every_triangle() {
    let asked: u64 = variable("NODETREE_QUESTIONS").unwrap_or(USUAL);
    let places_of = |round: u64| {
        KINDS.into_iter().flat_map(move |kind| [false, true].map(|is_large| Place { round, kind, is_large }))
    };
    let questions_to =
        |place: Place| (0..FAMILIES.len()).map(|family| Seed { place, family, number: 0 }.of_a_level()).sum::<u64>();
    let of_a_round: u64 = places_of(0).map(questions_to).sum();
    let places: Vec<Place> = (0..asked.div_ceil(of_a_round)).flat_map(places_of).collect();
    let faults = AtomicUsize::new(0);
    let tallies = places.into_par_iter().map(|place| ask_all(place, &faults)).reduce(
        || [Tally::default(); FAMILIES.len()],
        |mut one, other| {
            one.iter_mut().zip(other).for_each(|(one, other)| *one += other);
            one
        },
    );
    let mut total = Tally::default();
    tallies.into_iter().for_each(|tally| total += tally);
    println!("                      questions   on large   at edges       hits");
    let names = FAMILIES.iter().map(|family| family.name).chain(["all"]);
    for (name, tally) in names.zip(tallies.iter().chain([&total])) {
        let [large, aimed, hits] = [tally.large, tally.aimed, tally.hits].map(|of| tally.share(of));
        println!("{name:18} {:12} {large:8.1} % {aimed:8.1} % {hits:8.1} %", tally.questions);
    }
    assert_eq!(faults.into_inner(), 0, "faults; their seeds stand above");
    assert!(total.questions >= asked, "{total:?}");
    for tally in tallies.iter().chain([&total]) {
        assert!(tally.share(tally.large) >= 25.0, "{tally:?}");
        assert!(tally.share(tally.aimed) >= 20.0, "{tally:?}");
        assert!(tally.share(tally.hits) >= 100.0 / 3.0, "{tally:?}");
    }
}

/// Seeds to ask again.
const REPLAYED: [&str; 2] = ["0/Terrain/large/rays/17", "0/Slivers/small/sphere-sweeps/3"];

#[test]
fn a_seed_is_replayed() {
    let chosen: Option<String> = variable("NODETREE_SEED");
    for text in chosen.iter().map(String::as_str).chain(REPLAYED) {
        let seed: Seed = text.parse().unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(seed.to_string(), text);
        let scene = Scene::new(&seed.place);
        assert_eq!(seed.ask(&scene), seed.ask(&Scene::new(&seed.place)), "{seed} asks something else each time");
    }
    assert!("0/Terrain/huge/rays/17".parse::<Seed>().is_err());
    assert!("0/Terrain/large/raise/17".parse::<Seed>().is_err());
}
