//! Many balls at once: in a box, asleep, awake, and beyond the limit.

use glam::{DVec3, Vec3};
use nodetree::bodies::{BallId, Settings, Throw};

use crate::court::{Court, SECOND, floor};
use crate::support::{Random, cuboid};

/// A box without a lid, 2 m wide, of walls one triangle thick.
fn open_box(height: f32) -> Vec<[Vec3; 3]> {
    let mut triangles = cuboid(Vec3::new(-1.0, 0.0, -1.0), Vec3::new(1.0, height, 1.0));
    triangles.retain(|triangle| triangle.iter().any(|corner| corner.y == 0.0));
    triangles
}

/// Layers of 7 x 7 balls over an open box.
fn fill(court: &mut Court, count: usize, seed: u64) -> Vec<BallId> {
    let random = &mut Random::new(seed);
    let throw = |i: usize| {
        let (column, layer) = (i % 49, i / 49);
        let place = DVec3::new((column % 7) as f64 - 3.0, 0.0, (column / 7) as f64 - 3.0) * 0.26;
        let position = place + DVec3::Y * (0.3 + 0.26 * layer as f64) + random.vector(0.01).as_dvec3();
        court.throw(Throw { position, restitution: 0.4, ..Throw::default() })
    };
    (0..count).map(throw).collect()
}

#[test]
fn a_pile_of_two_thousand_stays_in_its_box_and_comes_to_rest() {
    let mut court = Court::new(&open_box(20.0), Settings::default());
    fill(&mut court, 2000, 3);
    let mut steps = 0;
    let mut energy = court.energy();
    while court.balls.iter().any(|ball| !ball.is_asleep()) {
        court.step();
        steps += 1;
        assert!(steps < 30 * SECOND, "it does not come to rest");
        // What takes overlaps apart lifts the upper one.
        assert!(court.energy() < energy * 1.002, "step {steps}: {} J after {energy}", court.energy());
        energy = energy.min(court.energy());
        if steps % 8 == 0 {
            let [level, balls] = court.deepest();
            // Into the level by no more than rounding, at any time; into each other while they crash down.
            assert!(level < 1e-5, "step {steps}: {level} deep in the box");
            assert!(balls < 0.06, "step {steps}: {balls} deep in each other");
        }
    }
    assert_eq!(court.balls.len(), 2000);
    let [_, balls] = court.deepest();
    assert!(balls < 1e-3, "at rest {balls} deep in each other");
    for ball in court.balls.iter() {
        let place = ball.position();
        assert!(place.x.abs() < 1.0 && place.z.abs() < 1.0 && place.y > 0.12 - 1e-5, "{place}");
    }
}

#[test]
fn what_lies_still_sleeps_and_wakes_by_what_hits_it() {
    let mut court = Court::new(&open_box(20.0), Settings::default());
    let row = fill(&mut court, 98, 5);
    let far = court.throw(Throw { position: DVec3::new(0.0, 0.12, 9.0), ..Throw::default() });
    court.tree = crate::support::tree(
        &[open_box(20.0), floor(20.0)].concat(),
        &nodetree::tree::Settings::new(nodetree::tree::Mode::Octree),
    );
    let sleepers = |court: &Court| court.balls.iter().filter(|ball| ball.is_asleep()).count();
    court.steps(10 * SECOND);
    assert_eq!(sleepers(&court), 99);
    let places: Vec<DVec3> = court.balls.iter().map(|ball| ball.position()).collect();
    court.steps(SECOND);
    assert!(court.balls.contacts().is_empty(), "what sleeps tells nothing");
    assert!(court.balls.iter().map(|ball| ball.position()).eq(places), "what sleeps stays");

    court.throw(Throw { position: DVec3::new(0.1, 4.0, 0.1), velocity: DVec3::Y * -9.0, ..Throw::default() });
    court.steps(SECOND / 2);
    assert!(row.iter().all(|&ball| !court.ball(ball).is_asleep()), "all that touch each other wake up");
    assert!(court.ball(far).is_asleep(), "and nothing else");
    court.steps(10 * SECOND);
    assert_eq!(sleepers(&court), 100);

    // One from the bottom is taken away: nothing hangs in the air.
    let lowest = row.iter().min_by(|a, b| court.ball(**a).position().y.total_cmp(&court.ball(**b).position().y));
    assert!(court.balls.remove(*lowest.unwrap()));
    court.steps(10 * SECOND);
    assert_eq!(sleepers(&court), 99);
    for ball in court.balls.iter() {
        let lies_on = |other: &nodetree::bodies::Ball| {
            other.position().y < ball.position().y && other.position().distance(ball.position()) < 0.2415
        };
        assert!(ball.position().y < 0.1215 || court.balls.iter().any(lies_on), "{}", ball.position());
    }
    court.balls.push(far, DVec3::X);
    assert!(!court.ball(far).is_asleep());
    court.step();
    assert!((court.ball(far).velocity().x - 2.0).abs() < 0.1, "1 N s on half a kilogram");
}

#[test]
fn beyond_the_limit_the_oldest_goes_and_so_does_what_falls_out_of_the_world() {
    let mut court = Court::new(&floor(9.0), Settings { limit: 3, ..Settings::default() });
    let balls: Vec<BallId> = (0..5)
        .map(|i| court.throw(Throw { position: DVec3::new(f64::from(i), 1.0, 0.0), ..Throw::default() }))
        .collect();
    assert_eq!(court.balls.iter().map(|ball| ball.id()).collect::<Vec<_>>(), &balls[2..]);
    assert!(court.balls.get(balls[1]).is_none() && !court.balls.remove(balls[0]));
    let out = court.throw(Throw { position: DVec3::new(20.0, 1.0, 0.0), ..Throw::default() });
    court.steps(SECOND / 2);
    assert!(court.balls.get(out).is_some());
    court.steps(SECOND);
    assert!(court.balls.get(out).is_none());
    assert_eq!(court.balls.len(), 2);
}

/// Of the bits of all positions and spins.
fn hash(court: &Court) -> u64 {
    let bits = court.balls.iter().flat_map(|ball| [ball.position().to_array(), ball.spin().to_array()]);
    bits.flatten().fold(0xcbf2_9ce4_8422_2325, |hash, number| (hash ^ number.to_bits()).wrapping_mul(0x0100_0000_01b3))
}

#[test]
fn the_same_throws_end_in_the_same_bits_in_every_build_and_on_any_number_of_threads() {
    let run = || {
        let mut court = Court::new(&open_box(3.0), Settings::default());
        fill(&mut court, 147, 11);
        court.steps(2 * SECOND);
        let throw =
            Throw { position: DVec3::new(0.0, 5.0, 0.2), velocity: DVec3::Y * -20.0, mass: 4.0, ..Throw::default() };
        court.throw(throw);
        court.steps(SECOND);
        hash(&court)
    };
    let with = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(run);
    assert_eq!(with(1), with(2));
    assert_eq!(run(), 12_864_774_824_177_656_170);
}
