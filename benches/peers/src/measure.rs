//! Everything that is measured on one level.

use std::cell::LazyCell;
use std::fmt::Debug;
use std::time::Duration;

use ::obvhs::BvhBuildParams;
use nodetree::simd::Simd;
use nodetree::tree::Tree;
use rayon::ThreadPool;

use crate::answer::{Answer, Below, Cast, Move, RayDown};
use crate::bars::names;
use crate::building::{BuildTime, measure_bytes};
use crate::options::{Group, Options};
use crate::peers::bvh::Bvh;
#[cfg(feature = "embree")]
use crate::peers::embree::Embree;
use crate::peers::obvhs::{Bvh2, CwBvh};
use crate::peers::ours::{self, InBatches};
use crate::peers::parry::Parry;
use crate::peers::rapier::Rapier;
use crate::questions;
use crate::report::{Cell, Report, Row, Structure};
use crate::scene::Scene;
use crate::truth::{Judge, Truth};
use crate::turns::take_turns;
use crate::walking::course::{self, Course};
use crate::walking::judge::Record;
use crate::walking::walker::{CAPSULE, ELLIPSOID, HowFar};

/// How much is asked.
struct Effort {
    /// Rows and columns of the picture.
    side: usize,
    rays: usize,
    moves: usize,
    courses: usize,
    rounds: usize,
    /// Answers of ours, and disagreements of each peer, that are looked at.
    judged: usize,
    builds: usize,
}

impl Effort {
    fn new(quick: bool) -> Effort {
        match quick {
            false => {
                Effort { side: 1024, rays: 1 << 17, moves: 1 << 14, courses: 48, rounds: 3, judged: 60, builds: 5 }
            }
            true => Effort { side: 256, rays: 1 << 13, moves: 1 << 10, courses: 6, rounds: 1, judged: 10, builds: 1 },
        }
    }
}

/// Questions a turn.
const BLOCK: usize = 1024;
/// The same for sweeps, each of which takes as long as many rays.
const SWEEP_BLOCK: usize = 256;
/// Questions of a batch, in a quick run as well: what they touch must not fit a cache.
const BATCH: usize = 1 << 20;

/// A contender and its name.
type Named<'a, Q> = (&'static str, &'a dyn Answer<Q>);

pub fn all(scene: &Scene, options: &Options, two_threads: &ThreadPool, report: &mut Report) {
    let effort = Effort::new(options.quick);
    if options.wants(Group::Build) {
        build(scene, options, &effort, two_threads, report);
    }
    let tree = ours::build(scene, options.mode.into(), &mut BuildTime::default());
    let mut portable = tree.clone();
    portable.set_simd(Simd::Portable);
    let contest = Contest { scene, truth: Truth::new(scene), effort, tree, portable };
    let parry = LazyCell::new(|| Parry::build(scene, &mut BuildTime::default()));
    if options.wants(Group::Rays) || options.wants(Group::Heights) {
        contest.rays_and_heights(&parry, options, report);
    }
    if options.wants(Group::Sweeps) {
        contest.sweeps(&parry, report);
    }
    if options.wants(Group::Batches) && scene.is_large() {
        contest.batches(report);
    }
    if options.wants(Group::Walking) {
        contest.walking(report);
    }
}

struct Contest<'a> {
    scene: &'a Scene,
    truth: Truth,
    effort: Effort,
    tree: Tree,
    portable: Tree,
}

impl Contest<'_> {
    fn rays_and_heights(&self, parry: &Parry, options: &Options, report: &mut Report) {
        let (scene, time) = (self.scene, &mut BuildTime::default());
        let bvh2 = Bvh2::build(scene, BvhBuildParams::slow_build(), time);
        let cwbvh = CwBvh::build(scene, BvhBuildParams::slow_build(), time);
        let bvh = Bvh::build(scene, time);
        #[cfg(feature = "embree")]
        let embree = Embree::build(scene, time);
        let (bounds, count) = (self.tree.bounds(), self.effort.rays);
        if options.wants(Group::Rays) {
            let contenders: &[Named<Cast>] = &[
                (names::OURS, &self.tree),
                (names::PORTABLE, &self.portable),
                (names::PARRY, parry),
                (names::BVH2, &bvh2),
                (names::CWBVH, &cwbvh),
                (names::BVH, &bvh),
                #[cfg(feature = "embree")]
                (names::EMBREE, &embree),
            ];
            let camera = questions::camera(scene, &self.tree, self.effort.side);
            self.ask(Group::Rays, "camera", &camera, BLOCK, contenders, report);
            let random = questions::random_casts(&bounds, count);
            self.ask(Group::Rays, "random", &random, BLOCK, contenders, report);
            let down = questions::casts_down(&bounds, count);
            self.ask(Group::Rays, "straight down", &down, BLOCK, contenders, report);
        }
        if options.wants(Group::Heights) {
            let contenders: &[Named<Below>] = &[
                (names::OURS, &self.tree),
                (names::PORTABLE, &self.portable),
                (names::PARRY, &RayDown(parry)),
                (names::BVH2, &RayDown(&bvh2)),
                (names::CWBVH, &RayDown(&cwbvh)),
                (names::BVH, &RayDown(&bvh)),
                #[cfg(feature = "embree")]
                (names::EMBREE, &RayDown(&embree)),
            ];
            self.ask(Group::Heights, "below", &questions::points(&bounds, count), BLOCK, contenders, report);
        }
    }

    fn sweeps(&self, parry: &Parry, report: &mut Report) {
        let rapier = Rapier::build(self.scene, &mut BuildTime::default());
        let contenders: &[Named<Move>] = &[
            (names::OURS, &self.tree),
            (names::PORTABLE, &self.portable),
            (names::PARRY, parry),
            (names::RAPIER, &rapier),
        ];
        for (kind, lengths) in [("short", 0.1..1.0), ("long", 1.0..20.0)] {
            let moves = questions::moves(self.scene, &self.tree, lengths, self.effort.moves);
            self.ask(Group::Sweeps, kind, &moves, SWEEP_BLOCK, contenders, report);
        }
    }

    /// On levels that do not fit a cache: sorting is for those.
    fn batches(&self, report: &mut Report) {
        let (tree, bounds) = (&self.tree, self.tree.bounds());
        let contenders: &[Named<Cast>] = &[(names::OURS, &InBatches::new(tree)), (names::SINGLE, tree)];
        self.ask(Group::Batches, "rays", &questions::random_casts(&bounds, BATCH), BATCH, contenders, report);
        let contenders: &[Named<Below>] = &[(names::OURS, &InBatches::new(tree)), (names::SINGLE, tree)];
        self.ask(Group::Batches, "heights", &questions::points(&bounds, BATCH), BATCH, contenders, report);
    }

    /// The same courses for both walkers: first each step is looked at, then they take turns, a course each.
    fn walking(&self, report: &mut Report) {
        let (scene, tree) = (self.scene, &self.tree);
        let rapier = Rapier::build(scene, &mut BuildTime::default());
        let courses = course::courses(scene, tree, self.effort.courses);
        let triangles: Vec<_> = scene.triangles().collect();
        let [mut ours, mut theirs] = [Record::default(), Record::default()];
        for (number, course) in courses.iter().enumerate() {
            ours.follow(tree, &ELLIPSOID, &triangles, number, course);
            theirs.follow(&rapier, &CAPSULE, &triangles, number, course);
        }
        for &(number, step, fault) in &ours.places {
            let Course { kind, feet, inputs } = &courses[number];
            let yaw = inputs[step].yaw;
            eprintln!("nodetree {fault}: course {number} ({kind:?}), from {feet:?}, step {step}, yaw {yaw:?}");
        }
        report.add_walk(&scene.name, [ours, theirs]);

        let contenders =
            [(names::OURS, HowFar(tree)), (names::PORTABLE, HowFar(&self.portable)), (names::RAPIER, HowFar(&rapier))];
        let walkers = contenders.each_ref().map(|(_, walker)| walker as &dyn Answer<Course>);
        // rapier3d takes its time.
        let rounds = self.effort.rounds.min(2);
        let times = take_turns(&courses, 1, rounds, &walkers);
        let cell = |((name, _), time): (&(&'static str, HowFar), Duration)| Cell {
            seconds: time.as_secs_f64() / rounds as f64,
            ..Cell::new(name)
        };
        report.add(Row {
            group: Group::Walking,
            level: scene.name.clone(),
            kind: "",
            is_large: scene.is_large(),
            questions: courses.iter().map(|course| course.inputs.len()).sum(),
            hits: 0,
            cells: contenders.iter().zip(times).map(cell).collect(),
        });
    }

    /// Compares the answers of all contenders, then lets them take turns. The first is nodetree.
    fn ask<Q: Debug>(
        &self,
        group: Group,
        kind: &'static str,
        questions: &[Q],
        block: usize,
        contenders: &[Named<Q>],
        report: &mut Report,
    ) where
        Truth: Judge<Q>,
    {
        let answer = |contender: &dyn Answer<Q>| {
            let mut answers = vec![None; questions.len()];
            contender.all(questions, &mut answers);
            answers
        };
        let ours = answer(contenders[0].1);
        let everything: Vec<usize> = (0..questions.len()).collect();
        let mut cells = Vec::new();
        for (name, contender) in contenders {
            let answers = answer(*contender);
            let apart: Vec<usize> = (0..questions.len()).filter(|&place| !agree(ours[place], answers[place])).collect();
            // Of ours a sample is judged, of the others what differs from it.
            let candidates = if *name == names::OURS { &everything } else { &apart };
            let judged = spread(candidates, self.effort.judged);
            let mut wrong = 0;
            for &place in &judged {
                let right = self.truth.judge(&questions[place]);
                wrong += usize::from(!right.admits(answers[place], THEIR_TOLERANCE));
                if !right.admits(ours[place], OUR_TOLERANCE) {
                    report.ours_is_wrong(format!(
                        "{} {kind}: {:?}: {:?}, right is {right:?}",
                        self.scene.name, questions[place], ours[place]
                    ));
                }
            }
            cells.push(Cell { apart: apart.len(), judged: judged.len(), wrong, ..Cell::new(name) });
        }
        let answerers: Vec<&dyn Answer<Q>> = contenders.iter().map(|(_, contender)| *contender).collect();
        let times = take_turns(questions, block, self.effort.rounds, &answerers);
        for (cell, time) in cells.iter_mut().zip(times) {
            cell.seconds = time.as_secs_f64() / self.effort.rounds as f64;
        }
        report.add(Row {
            group,
            level: self.scene.name.clone(),
            kind,
            is_large: self.scene.is_large(),
            questions: questions.len(),
            hits: ours.iter().flatten().count(),
            cells,
        });
    }
}

/// At most so many of them, evenly spread.
fn spread(places: &[usize], most: usize) -> Vec<usize> {
    places.iter().copied().step_by(places.len().div_ceil(most).max(1)).collect()
}

/// Within these parts of the answer (of a metre, if it is less) answers are the same, and right.
const THEIR_TOLERANCE: f64 = 1e-4;
const OUR_TOLERANCE: f64 = 1e-5;

fn agree(ours: Option<f32>, theirs: Option<f32>) -> bool {
    match (ours, theirs) {
        (Some(ours), Some(theirs)) => {
            f64::from((ours - theirs).abs()) <= THEIR_TOLERANCE * f64::from(ours.abs()).max(1.0)
        }
        (ours, theirs) => ours.is_none() && theirs.is_none(),
    }
}

/// Builds everything in turn, on one thread; nodetree on two as well.
fn build(scene: &Scene, options: &Options, effort: &Effort, two_threads: &ThreadPool, report: &mut Report) {
    type Builder<'a> = Box<dyn Fn(&mut BuildTime) -> usize + 'a>;
    let mode = options.mode.into();
    let (fastest, fast) = (BvhBuildParams::fastest_build(), BvhBuildParams::fast_build());
    // Each gives the bytes that it keeps.
    let builders: Vec<(&'static str, Builder)> = vec![
        (names::OURS, Box::new(|time| ours::build(scene, mode, time).bytes())),
        (names::PARRY, Box::new(|time| measure_bytes(|| Parry::build(scene, time)).1)),
        (names::BVH2, Box::new(|time| measure_bytes(|| Bvh2::build(scene, fastest, time)).1)),
        (names::BVH2_FAST, Box::new(|time| measure_bytes(|| Bvh2::build(scene, fast, time)).1)),
        (names::CWBVH, Box::new(|time| measure_bytes(|| CwBvh::build(scene, fastest, time)).1)),
        (names::BVH, Box::new(|time| measure_bytes(|| Bvh::build(scene, time)).1)),
        #[cfg(feature = "embree")]
        (
            names::EMBREE,
            Box::new(|time| {
                let (embree, bytes) = measure_bytes(|| Embree::build(scene, time));
                bytes + embree.own_bytes()
            }),
        ),
    ];
    // Small levels are built in no time: more often.
    let rounds = effort.builds * (1_000_000 / scene.indices.len()).clamp(1, 20);
    let mut times = vec![BuildTime::default(); builders.len()];
    let mut two = BuildTime::default();
    let mut bytes = Vec::new();
    for _ in 0..rounds {
        bytes = builders.iter().zip(&mut times).map(|((name, build), time)| (*name, build(time))).collect();
        two_threads.install(|| ours::build(scene, mode, &mut two));
    }
    let speedup = times[0].wall.as_secs_f64() / two.wall.as_secs_f64();
    report.add_structure(Structure { level: scene.name.clone(), triangles: scene.indices.len(), bytes, speedup });
    let cell = |((name, _), time): (&(&'static str, Builder), &BuildTime)| Cell {
        seconds: time.cpu.as_secs_f64() / rounds as f64,
        ..Cell::new(name)
    };
    report.add(Row {
        group: Group::Build,
        level: scene.name.clone(),
        kind: "",
        is_large: scene.is_large(),
        questions: 1,
        hits: 0,
        cells: builders.iter().zip(&times).map(cell).collect(),
    });
}
