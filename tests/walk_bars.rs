//! What walking must reach: rest on every slope, an even glide, stairs at full speed, one way on any number of threads.

mod data;
mod support;

use glam::Vec3;
use libtest_mimic::{Failed, Trial};
use nodetree::generate::{Options, castle};
use nodetree::level::Level;
use nodetree::query::{Sweep, Which};
use nodetree::tree::{Mode, Settings as TreeSettings, Tree};
use nodetree::walk::{Input, Settings, Walker};

use support::course::{Course, EAST, SECOND, floor, heading, slope};
use support::{Random, hard};

fn main() {
    let own = vec![
        Trial::test("on_every_walkable_slope_it_rests", on_every_walkable_slope_it_rests),
        Trial::test("over_a_flat_floor_it_glides_evenly", over_a_flat_floor_it_glides_evenly),
        Trial::test("one_and_two_threads_give_one_way", one_and_two_threads_give_one_way),
        Trial::test("stairs_of_the_castle_at_full_speed", || stairs(&castle(&Options::CASTLE))),
    ];
    let real = vec![Trial::test("stairs_of_institute_at_full_speed", || stairs(&data::level("institute").open()))];
    data::run_with(own, real).exit();
}

/// A minute on slopes of each degree up to the limit, and just under it.
fn on_every_walkable_slope_it_rests() -> Result<(), Failed> {
    for degrees in (0..=49_u8).map(f32::from).chain([49.9]) {
        let mut course = Course::new(&slope(-5.0, degrees, 20.0), [2.0, 7.0 * degrees.to_radians().tan() + 0.2, 0.0]);
        let before = course.walker.feet_exact();
        for _ in 0..60 * SECOND {
            let report = course.walker.step(&course.tree, &course.settings, &Input::default());
            assert!(report.grounded, "{degrees} degrees");
        }
        let moved = course.walker.feet_exact().distance(before);
        assert!(moved < 1e-3, "{moved} m in a minute on {degrees} degrees");
    }
    Ok(())
}

fn over_a_flat_floor_it_glides_evenly() -> Result<(), Failed> {
    let tiles = (0..160).flat_map(|i| {
        let (x, z) = ((i % 20) as f32 - 10.0 + 0.13 * (i / 20) as f32, (i / 20) as f32 - 4.0);
        support::cuboid(Vec3::new(x, -1.0, z), Vec3::new(x + 1.0, 0.0, z + 1.0))
    });
    for (name, level) in [("grid", floor(10)), ("separate tiles", tiles.collect())] {
        for (yaw, z) in [(EAST, 0.0), (EAST, 0.37), (EAST + 0.03, -0.2), (EAST - 0.1, 0.9)] {
            for fast in [false, true] {
                let mut course = Course::new(&level, [-9.5, 0.1, z]);
                let (speed, run_up) = if fast { (8.0, 20) } else { (4.0, 12) };
                let input = Input { fast, ..heading(yaw) };
                for _ in 0..run_up {
                    course.step(input);
                }
                let height = course.walker.feet_exact().y;
                for step in 0..SECOND * 2 {
                    let before = course.walker.feet_exact();
                    course.step(input);
                    let now = course.walker.feet_exact();
                    assert!((now.y - height).abs() < 1e-3, "{name}, step {step}: height {} after {height}", now.y);
                    let moved = now.distance(before) * SECOND as f64;
                    assert!((moved / speed - 1.0).abs() < 1e-3, "{name}, step {step}: {moved} m/s at {now}");
                }
            }
        }
    }
    Ok(())
}

/// The tree is built by as many threads as there are; the way over it is one.
fn one_and_two_threads_give_one_way() -> Result<(), Failed> {
    let way = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| {
            let (triangles, spawn) = hard::rubble();
            let tree = support::tree(&triangles, &TreeSettings::new(Mode::Octree));
            let mut walker = Walker::new(spawn.expect("a start"), 0.0);
            let (mut random, mut input) = (Random::new(5), Input::default());
            let step = |step: usize| {
                if step.is_multiple_of(50) {
                    input = Input { fast: random.below(2) == 0, ..heading(random.range(-3.0, 3.0)) };
                }
                input.jump = random.below(40) == 0;
                walker.step(&tree, &Settings::default(), &input);
                walker.feet_exact().to_array().map(f64::to_bits)
            };
            (0..20 * SECOND).map(step).collect::<Vec<_>>()
        })
    };
    assert!(way(1) == way(2), "another way on two threads");
    Ok(())
}

/// A straight flight of stairs.
#[derive(Clone, Copy, Debug)]
struct Flight {
    foot: Vec3,
    /// Level and of length 1.
    up: Vec3,
    /// Level length in metres.
    length: f32,
    rise: f32,
}

/// Distance of the places whose heights are compared, in metres.
const STRIDE: f32 = 0.08;
/// What differs less than this, in metres, is one height.
const LEVEL: f32 = 0.03;
/// The least rise of a flight, in metres.
const LEAST_RISE: f32 = 1.5;
/// Flights of a level that are walked at most, and at least.
const MOST: usize = 12;
const LEAST: usize = 2;

/// Flights that begin on a grid of places: at least five steps of one rise each, 0.1 to 0.45 m, level treads of 0.2 m or more,
/// wide enough and with headroom for a walker.
fn flights(tree: &Tree) -> Vec<Flight> {
    let bounds = tree.bounds();
    let mut found: Vec<Flight> = Vec::new();
    let mut column = Vec::new();
    let cells = |axis: usize| ((bounds.max[axis] - bounds.min[axis]) / 0.6) as usize;
    for i in 0..cells(0) * cells(2) {
        let (x, z) = (i % cells(0), i / cells(0));
        let place = bounds.min + Vec3::new(x as f32 + 0.5, 0.0, z as f32 + 0.5) * 0.6;
        tree.heights(place.x, place.z, &mut column);
        for &height in &column {
            for up in [Vec3::X, Vec3::NEG_X, Vec3::Z, Vec3::NEG_Z] {
                let foot = Vec3::new(place.x, height, place.z);
                let is_new = |flight: &Flight| flight.foot.distance(foot) > 4.0;
                if let Some(flight) = flight(tree, foot, up)
                    && found.iter().all(is_new)
                {
                    found.push(flight);
                    if found.len() == MOST {
                        return found;
                    }
                }
            }
        }
    }
    found
}

fn flight(tree: &Tree, foot: Vec3, up: Vec3) -> Option<Flight> {
    let across = Vec3::new(up.z, 0.0, -up.x) * 0.3;
    let below = |place: Vec3| tree.height(place + Vec3::Y * 0.5, Which::Below, 0.0);
    let (mut rises, mut height, mut flat, mut length) = (Vec::new(), foot.y, 1.0, 0.0);
    // Some level room to start from.
    if (1..6).any(|i| below(foot - up * (0.2 * i as f32)).is_none_or(|at| (at - height).abs() > LEVEL)) {
        return None;
    }
    while flat < 1.0 || rises.is_empty() {
        length += STRIDE;
        let place = (foot + up * length).with_y(height);
        let next = below(place)?;
        let is_wide =
            [across, -across].iter().all(|side| below(place + *side).is_some_and(|at| (at - next).abs() < LEVEL));
        if !is_wide
            || length > 30.0
            || tree.height(place + Vec3::Y * 0.5, Which::Above, 0.0).is_some_and(|top| top < next + 2.0)
        {
            return None;
        }
        let rise = next - height;
        if rise.abs() < LEVEL {
            flat += STRIDE;
        } else if (0.1..0.45).contains(&rise)
            && flat > 0.15
            && rises.first().is_none_or(|first: &f32| (first - rise).abs() < 2.0 * LEVEL)
        {
            rises.push(rise);
            flat = 0.0;
        } else {
            return None;
        }
        height = next;
        if rises.is_empty() && length > 1.0 {
            return None;
        }
    }
    let flight = Flight { foot: foot - up, up, length: length + 1.0, rise: height - foot.y };
    // Nothing stands on it, and the foot is no part of a wall.
    let way = up * flight.length + Vec3::Y * flight.rise;
    let is_clear = tree.sweep(&Sweep::sphere(flight.foot + Vec3::Y * 1.1, 0.36, way)).is_none();
    (rises.len() >= 5 && flight.rise >= LEAST_RISE && is_clear).then_some(flight)
}

/// Up and down each flight at both speeds.
fn stairs(level: &Level) -> Result<(), Failed> {
    let settings = Settings::default();
    let tree = Tree::build(level, &TreeSettings::new(Mode::Octree));
    let flights = flights(&tree);
    assert!(flights.len() >= LEAST, "only {flights:?}");
    for flight in &flights {
        for fast in [false, true] {
            let mut walker = Walker::new(flight.foot + Vec3::Y * 0.05, 0.0);
            let yaw = (-flight.up.x).atan2(-flight.up.z);
            let speed = if fast { settings.fast_speed } else { settings.speed };
            for _ in 0..30 {
                walker.step(&tree, &settings, &Input::default());
            }
            let steps = ((flight.length - 0.6) / speed * SECOND as f32) as usize;
            // From rest to full speed takes up to 0.14 s.
            let run_up = 20;
            for _ in 0..steps + run_up {
                walker.step(&tree, &settings, &Input { fast, ..heading(yaw) });
                if (walker.feet() - flight.foot).dot(flight.up) > flight.length - 0.6 {
                    break;
                }
            }
            let climbed = walker.feet().y - flight.foot.y;
            let done = (walker.feet() - flight.foot).dot(flight.up);
            assert!((climbed - flight.rise).abs() < 0.05, "{climbed} m up and {done} m along, fast {fast}: {flight:?}");
            for _ in 0..60 {
                walker.step(&tree, &settings, &Input::default());
            }
            let (mut grounded, mut all) = (0, 0);
            while (walker.feet() - flight.foot).dot(flight.up) > 0.6 && all < steps + run_up {
                let back = yaw + std::f32::consts::PI;
                grounded += usize::from(walker.step(&tree, &settings, &Input { fast, ..heading(back) }).grounded);
                all += 1;
            }
            let left = walker.feet().y - flight.foot.y;
            assert!(left.abs() < 0.05, "{left} m are left after {all} of {steps} steps, fast {fast}: {flight:?}");
            assert!(100 * grounded >= 95 * all, "on the ground in {grounded} of {all} steps, fast {fast}: {flight:?}");
        }
    }
    println!("{} flights", flights.len());
    Ok(())
}
