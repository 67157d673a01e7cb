//! Recorded paths: what a recorder writes takes a replay the same way, bit for bit.

#![cfg(feature = "cli")]

use std::io::Cursor;

use glam::{DVec3, Vec3};
use nodetree::generate::{self, Options};
use nodetree::level::{Corner, Level, LevelBuilder, Placement};
use nodetree::tree::{self, Tree};
use nodetree::walk::path::{JsonLines, PathStart, PathStep, Recorder, Replay};
use nodetree::walk::{Input, Mode, Moment, Settings, Walker, settle_spawn};

mod support;

use support::Random;

/// What a walker is after a step, to the bit.
type Bits = ([u64; 3], [u32; 2], [u32; 3], bool);

fn bits(walker: &Walker) -> Bits {
    let looks = [walker.yaw(), walker.pitch()].map(f32::to_bits);
    let velocity = walker.velocity().to_array().map(f32::to_bits);
    (walker.feet_exact().to_array().map(f64::to_bits), looks, velocity, walker.grounded())
}

/// Walks on at random: keys that are held for a while, a head that turns in every step or not at all, changes of mode.
struct Fickle {
    random: Random,
    input: Input,
    turn: f32,
    left: usize,
}

impl Fickle {
    fn new(seed: u64) -> Fickle {
        Fickle { random: Random::new(seed), input: Input::default(), turn: 0.0, left: 0 }
    }

    fn step(&mut self, walker: &mut Walker, tree: &Tree, recorder: Option<&mut Recorder<&mut Vec<u8>>>) {
        let random = &mut self.random;
        if self.left == 0 {
            self.left = 1 + random.below(90);
            self.turn = *random.pick(&[0.0, 0.0, 0.003, -0.017]);
            self.input = Input {
                forward: *random.pick(&[1.0, 1.0, 0.0, -1.0, 0.3]),
                right: *random.pick(&[0.0, 0.0, 1.0, -0.123_456_79]),
                up: *random.pick(&[0.0, 0.7]),
                yaw: random.range(-3.1, 3.1),
                pitch: random.range(-1.5, 1.5),
                jump: random.below(4) == 0,
                crouch: random.below(5) == 0,
                fast: random.below(3) == 0,
                speed: *random.pick(&[None, None, Some(2.3)]),
            };
        }
        // At other times than the keys.
        if random.below(50) == 0 {
            let flights = [false, true].map(|collide| Mode::Fly { collide });
            walker.set_mode(if random.below(2) == 0 { Mode::Walk } else { *random.pick(&flights) });
        }
        self.left -= 1;
        self.input.yaw = (self.input.yaw + self.turn).clamp(-3.2, 3.2);
        if let Some(recorder) = recorder {
            recorder.step(walker, &self.input).unwrap();
        }
        walker.step(tree, &Settings::default(), &self.input);
    }
}

fn replay(text: &[u8]) -> Replay {
    Replay::read(JsonLines::new("a path".to_owned(), Cursor::new(text.to_vec()))).unwrap()
}

/// Walks at random, records from some step on, and replays that.
fn record_and_replay(level: &Level, tree: &Tree, feet: Vec3, seed: u64) {
    let settings = Settings::default();
    let mut walker = Walker::new(settle_spawn(tree, &settings, feet), 0.4);
    let mut fickle = Fickle::new(seed);
    // In the middle of whatever it is doing.
    for _ in 0..200 + 37 * seed {
        fickle.step(&mut walker, tree, None);
    }
    let before = walker.moment();
    let mut text = Vec::new();
    let mut recorder = Recorder::start(&mut text, &mut walker, level, tree, &settings).unwrap();
    let after = walker.moment();
    let moved =
        [Some(after.feet.distance(before.feet)), after.safe.zip(before.safe).map(|(one, other)| one.distance(other))];
    assert!(moved.into_iter().flatten().all(|moved| moved < 1e-8), "seed {seed}: recording moves nothing: {moved:?}");
    assert_eq!(Moment { feet: before.feet, safe: before.safe, ..after }, before, "seed {seed}");
    assert_eq!(after.safe.is_some(), before.safe.is_some(), "seed {seed}");
    let start = bits(&walker);
    let way: Vec<Bits> = (0..1500)
        .map(|_| {
            fickle.step(&mut walker, tree, Some(&mut recorder));
            bits(&walker)
        })
        .collect();
    recorder.finish().unwrap();
    assert_eq!(recorder.steps(), 1500);

    let mut replay = replay(&text);
    assert_eq!(replay.all(), 1500);
    let mut again = replay.walker(level, tree, &settings).unwrap();
    assert_eq!(bits(&again), start, "seed {seed}: the start");
    let mut steps = 0;
    while let Some(input) = replay.next_input(&mut again) {
        again.step(tree, &settings, &input);
        assert_eq!(bits(&again), way[steps], "seed {seed}: step {steps}");
        steps += 1;
    }
    assert_eq!((steps, replay.taken()), (1500, 1500), "seed {seed}");
    assert_eq!(again.mode(), walker.mode());
}

#[test]
fn a_replay_takes_the_recorded_way_to_the_bit() {
    let castle = generate::castle(&Options::CASTLE);
    for mode in [tree::Mode::Quadtree, tree::Mode::Octree] {
        let tree = Tree::build(&castle, &tree::Settings::new(mode));
        let feet = castle.to_local(castle.spawn.unwrap().feet);
        (1..=6).for_each(|seed| record_and_replay(&castle, &tree, feet, seed));
    }
}

/// A floor of 12 by 12 m with walls on two sides, where f64 still has a nanometre or so, and from which one falls.
fn far_away() -> Level {
    let mut builder = LevelBuilder::new(Placement::default());
    let away = DVec3::new(4_500_000.1, -3.3, 500_000.7);
    let quads = [
        [[0.0, 0.0, 0.0], [0.0, 0.0, 12.0], [12.0, 0.0, 12.0], [12.0, 0.0, 0.0]],
        [[0.0, 0.0, 0.0], [12.0, 0.0, 0.0], [12.0, 4.0, 0.0], [0.0, 4.0, 0.0]],
        [[0.0, 0.0, 0.0], [0.0, 4.0, 0.0], [0.0, 4.0, 12.0], [0.0, 0.0, 12.0]],
    ];
    for quad in quads {
        let corners = quad.map(|corner| Corner {
            position: builder.position(away + DVec3::from_array(corner)),
            tex_coord: None,
            normal: None,
        });
        builder.polygon(&corners, 0, 0);
    }
    builder.finish("far away", None)
}

#[test]
fn far_from_the_origin_and_over_its_edge_as_well() {
    let level = far_away();
    assert!(level.origin.length() > 1e6);
    let tree = Tree::build(&level, &tree::Settings::new(tree::Mode::Octree));
    let feet = level.to_local(DVec3::new(4_500_006.0, -3.3, 500_006.0));
    (1..=12).for_each(|seed| record_and_replay(&level, &tree, feet, seed));
}

fn lines_of(text: &[u8]) -> Vec<&str> {
    std::str::from_utf8(text).unwrap().lines().collect()
}

#[test]
fn equal_steps_are_joined_up_to_a_second() {
    let level = far_away();
    let tree = Tree::build(&level, &tree::Settings::new(tree::Mode::Octree));
    let settings = Settings::default();
    let mut walker = Walker::new(level.to_local(DVec3::new(4_500_006.0, -3.3, 500_006.0)), 0.0);
    let mut text = Vec::new();
    let mut recorder = Recorder::start(&mut text, &mut walker, &level, &tree, &settings).unwrap();
    let ahead = Input { forward: 1.0, ..walker.input() };
    (0..130).for_each(|_| recorder.step(&walker, &ahead).unwrap());
    recorder.step(&walker, &Input { jump: true, ..ahead }).unwrap();
    walker.set_mode(Mode::Fly { collide: true });
    recorder.step(&walker, &Input { yaw: f32::NAN, forward: 7.0, ..ahead }).unwrap();
    walker.set_mode(Mode::Walk);
    recorder.step(&walker, &ahead).unwrap();
    walker.set_mode(Mode::Fly { collide: true });
    recorder.step(&walker, &ahead).unwrap();
    recorder.finish().unwrap();
    recorder.finish().unwrap();
    assert_eq!(
        lines_of(&text)[1..],
        [
            r#"{"forward":1.0,"repeat":120}"#,
            r#"{"forward":1.0,"repeat":10}"#,
            r#"{"forward":1.0,"jump":true}"#,
            r#"{"forward":1.0,"mode":"fly","collide":true}"#,
            r#"{"forward":1.0,"mode":"walk"}"#,
            r#"{"forward":1.0,"mode":"fly"}"#,
        ]
    );
}

#[test]
fn of_a_recording_that_is_cut_off_all_but_the_last_second_is_left() {
    let level = far_away();
    let tree = Tree::build(&level, &tree::Settings::new(tree::Mode::Octree));
    let mut walker = Walker::new(level.to_local(DVec3::new(4_500_006.0, -3.3, 500_006.0)), 0.0);
    let mut text = Vec::new();
    let mut recorder = Recorder::start(&mut text, &mut walker, &level, &tree, &Settings::default()).unwrap();
    (0..1000).for_each(|_| recorder.step(&walker, &walker.input()).unwrap());
    // As when the program is killed, nobody finishes it.
    assert!((880..1000).contains(&replay(&text).all()), "{}", replay(&text).all());
}

#[test]
fn what_cannot_be_written_is_an_error() {
    struct Full(usize);
    impl std::io::Write for Full {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0 = self.0.checked_sub(bytes.len()).ok_or(std::io::ErrorKind::StorageFull)?;
            Ok(bytes.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let level = far_away();
    let tree = Tree::build(&level, &tree::Settings::new(tree::Mode::Octree));
    let mut walker = Walker::new(Vec3::ZERO, 0.0);
    let start = |room, walker: &mut Walker| Recorder::start(Full(room), walker, &level, &tree, &Settings::default());
    assert!(start(10, &mut walker).is_err());
    let mut recorder = start(500, &mut walker).unwrap();
    let failed = (0..10_000).find_map(|_| recorder.step(&walker, &walker.input()).err());
    assert_eq!(failed.unwrap().kind(), std::io::ErrorKind::StorageFull);
}

#[test]
fn what_a_line_says_is_what_is_written() {
    let random = &mut Random::new(9);
    for _ in 0..2000 {
        let step = PathStep {
            forward: random.range(-1.0, 1.0),
            right: *random.pick(&[0.0, 1e-40, -0.1]),
            yaw: (random.below(2) == 0).then(|| f64::from(random.range(-360.0, 360.0)) / 3.0),
            speed: *random.pick(&[None, Some(0.1), Some(16_777_217.0)]),
            crouch: random.below(2) == 0,
            repeat: 1 + random.below(3) as u64,
            ..PathStep::default()
        };
        let text = serde_json::to_string(&step).unwrap();
        assert_eq!(serde_json::from_str::<PathStep>(&text).unwrap(), step, "{text}");
    }
    let start =
        PathStart { spawn: Some([0.1, 1e300, -0.0]), velocity: Some([1e-310, 0.3, 7.0]), ..PathStart::default() };
    let text = serde_json::to_string(&start).unwrap();
    assert_eq!(serde_json::from_str::<PathStart>(&text).unwrap(), start, "{text}");
}

#[test]
fn a_fault_is_one_line_whatever_the_line_holds() {
    for line in [r#"{"camer\n":true}"#, "{\"a\\u0000\\r\\nb\":1}", r#"{"mode":"x\ny"}"#] {
        let text = line.as_bytes().to_vec();
        let Err(error) = Replay::read(JsonLines::new("a path".to_owned(), Cursor::new(text))) else {
            panic!("{line} has no such key or mode");
        };
        let error = error.to_string();
        assert!(error.starts_with("a path, line 1: ") && !error.contains(char::is_control), "{error:?}");
    }
}
