//! Momentum and energy against closed forms, and walls at any speed.

use glam::{DVec3, Vec3, Vec3Swizzles};
use nodetree::bodies::{Ball, BallId, Settings, Throw};

use crate::court::{Court, SECOND, floor, slippery, weightless};
use crate::support::{Random, fan};

#[test]
fn a_ball_rises_to_the_square_of_the_restitution() {
    for (restitution, height) in [(0.0, 1.0), (0.5, 1.0), (0.7, 3.0), (0.9, 0.4), (1.0, 2.0)] {
        let mut court = Court::new(&floor(9.0), Settings::default());
        let throw = Throw { restitution, position: DVec3::new(0.3, height + 0.12, 0.2), ..Throw::default() };
        let ball = court.throw(throw);
        let mut drop = height;
        for bounce in 0..4 {
            while court.ball(ball).velocity().y <= 0.0 && !court.ball(ball).is_asleep() {
                court.step();
            }
            let mut top = 0.0_f64;
            while court.ball(ball).velocity().y > 0.0 {
                court.step();
                top = top.max(court.ball(ball).position().y - 0.12);
            }
            drop *= restitution * restitution;
            assert!((top - drop).abs() < 1e-3 + 1e-3 * height, "{restitution} {bounce}: {top} rather than {drop}");
            if restitution == 0.0 {
                break;
            }
        }
    }
}

#[test]
fn two_balls_exchange_momentum_as_the_closed_form_says() {
    for (mass, other_mass, speed, other_speed, restitution) in [
        (1.0, 1.0, 3.0, 0.0, 1.0),
        (1.0, 3.0, 2.0, -1.0, 1.0),
        (0.2, 5.0, 20.0, 0.0, 0.6),
        (2.0, 1.0, 150.0, -60.0, 0.0),
    ] {
        let mut court = Court::space();
        let ball = Throw { restitution, mass, ..Throw::default() };
        let along = DVec3::new(0.6, 0.0, -0.8);
        let a = court.throw(Throw { position: -along, velocity: along * speed, ..ball });
        let b = court.throw(Throw { mass: other_mass, velocity: along * other_speed, ..ball });
        court.steps(SECOND);
        let total = mass + other_mass;
        let mean = (mass * speed + other_mass * other_speed) / total;
        let expected = mean - other_mass / total * restitution * (speed - other_speed);
        let other_expected = mean + mass / total * restitution * (speed - other_speed);
        assert!((court.ball(a).velocity() - along * expected).length() < 1e-9 * speed, "{:?}", court.ball(a));
        assert!((court.ball(b).velocity() - along * other_expected).length() < 1e-9 * speed, "{:?}", court.ball(b));
    }
}

#[test]
fn off_a_plane_the_way_along_it_is_kept_but_for_friction() {
    let normal = DVec3::new(0.36, 0.8, 0.48);
    let [side, other] = [normal.cross(DVec3::X).normalize(), normal.cross(normal.cross(DVec3::X)).normalize()];
    let corner = |u: f64, v: f64| (side * u + other * v).as_vec3();
    let wall = fan(&[corner(-99.0, -99.0), corner(99.0, -99.0), corner(99.0, 99.0), corner(-99.0, 99.0)]);
    for (friction, restitution) in [(0.0, 1.0), (0.0, 0.5), (0.1, 0.8), (0.3, 0.5), (5.0, 0.5), (5.0, 0.0)] {
        for (into, along) in [(5.0, 1.0), (2.0, 10.0), (40.0, 90.0)] {
            let mut court = Court::new(&wall, weightless());
            let velocity = side * along - normal * into;
            let throw = Throw { position: normal, velocity, friction, restitution, ..Throw::default() };
            let ball = court.throw(throw);
            while court.ball(ball).velocity() == velocity {
                court.step();
            }
            // Sliding all the time, or the surface comes to rest: 2/7 of the speed goes into spin.
            let drag = (friction * (1.0 + restitution) * into).min(2.0 / 7.0 * along);
            let expected = side * (along - drag) + normal * (restitution * into);
            let found = court.ball(ball).velocity();
            assert!(
                (found - expected).length() < 2e-6 * (into + along),
                "{friction} {restitution}: {found} {expected}"
            );
            let spin = -normal.cross(-side * drag) * 2.5 / 0.12;
            assert!(
                (court.ball(ball).spin() - spin).length() < 1e-4 * (1.0 + spin.length()),
                "{friction} {restitution}"
            );
        }
    }
}

#[test]
fn a_row_of_balls_that_touch_hands_a_blow_to_the_last() {
    let mut court = Court::space();
    let ball = Throw { restitution: 1.0, ..slippery() };
    let row: Vec<BallId> =
        (0..6).map(|i| court.throw(Throw { position: DVec3::X * 0.24 * f64::from(i), ..ball })).collect();
    court.steps(2 * SECOND);
    assert!(row.iter().all(|&ball| court.ball(ball).is_asleep()), "with no weight they lie still");
    let first = court.throw(Throw { position: DVec3::X * -1.0, velocity: DVec3::X * 3.0, ..ball });
    court.steps(SECOND);
    assert!(court.ball(first).velocity().length() < 1e-9);
    for &ball in &row[..5] {
        assert!(court.ball(ball).velocity().length() < 1e-9, "{:?}", court.ball(ball));
    }
    assert!((court.ball(row[5]).velocity() - DVec3::X * 3.0).length() < 1e-9);
}

#[test]
fn in_free_space_nothing_is_lost_but_energy() {
    for seed in 0..20 {
        let random = &mut Random::new(seed);
        let mut court = Court::space();
        for _ in 0..60 {
            let position = random.vector(1.5).as_dvec3();
            let throw = Throw {
                position,
                velocity: position * -4.0 + random.vector(2.0).as_dvec3(),
                spin: random.vector(20.0).as_dvec3(),
                radius: f64::from(random.range(0.05, 0.2)),
                mass: f64::from(random.range(0.1, 3.0)),
                restitution: f64::from(random.unit()),
                friction: f64::from(random.unit()),
            };
            // They begin apart: an overlap is not a state that anything leads to.
            let near = |ball: &Ball| ball.position().distance(throw.position) < ball.radius() + throw.radius;
            if !court.balls.iter().any(near) {
                court.throw(throw);
            }
        }
        let (momentum, angular) = (court.momentum(), court.angular_momentum());
        let mut energy = court.energy();
        let mut met = 0;
        for step in 0..SECOND {
            court.step();
            met += court.balls.contacts().len();
            assert!((court.momentum() - momentum).length() < 1e-9, "seed {seed}, step {step}");
            let (now, before) = (court.angular_momentum(), angular);
            assert!((now - before).length() < 1e-2 * before.length(), "seed {seed}, step {step}: {now} {before}");
            assert!(court.energy() <= energy * (1.0 + 1e-12), "seed {seed}, step {step}");
            energy = court.energy();
        }
        assert!(met > 20, "seed {seed}: they must meet");
    }
}

#[test]
fn no_speed_takes_a_ball_through_a_thin_wall() {
    // One triangle thick, and seen from one side only.
    let half = 50.0;
    let at = |y: f32, z: f32| Vec3::new(2.0, y, z);
    let wall = fan(&[at(-half, -half), at(-half, half), at(half, half), at(half, -half)]);
    let random = &mut Random::new(7);
    for settings in [Settings::default(), weightless()] {
        for case in 0..300 {
            let mut court = Court::new(&wall, settings);
            let side = *random.pick(&[-1.0, 1.0]);
            let speed = *random.pick(&[1.0, 20.0, 200.0, 900.0]);
            let direction = DVec3::new(-side, 0.0, 0.0) + random.vector(0.7).as_dvec3();
            let throw = Throw {
                position: DVec3::new(2.0 + side * f64::from(random.range(0.13, 4.0)), 0.0, 0.0),
                velocity: direction.normalize() * speed,
                radius: *random.pick(&[0.001, 0.01, 0.12]),
                restitution: f64::from(random.unit()),
                ..Throw::default()
            };
            let ball = court.throw(throw);
            for _ in 0..30 {
                court.step();
                let Some(ball) = court.balls.get(ball) else { break };
                let is_beside = ball.position().yz().abs().max_element() < f64::from(half);
                let out = (ball.position().x - 2.0) * side - ball.radius();
                assert!(!is_beside || out > -1e-5, "case {case}: {throw:?} {:?}", ball.position());
            }
        }
    }
}
