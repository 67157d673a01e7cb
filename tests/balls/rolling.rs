//! Balls on floors and slopes.

use glam::{DVec3, Vec3};
use nodetree::bodies::{Settings, Throw};

use crate::court::{Court, SECOND, floor};
use crate::support::{Random, cuboid, levels};

/// Without the brake that brings a ball to rest.
fn unbraked() -> Settings {
    Settings { rolling_resistance: 0.0, sleep_time: 1e3, ..Settings::default() }
}

#[test]
fn over_seams_of_any_kind_a_ball_rolls_as_over_one_plane() {
    // Squares that share no corner with their neighbours, in rows that are shifted; and a mesh of small triangles.
    let mut blocks = Vec::new();
    for row in -12..12 {
        for column in -12..12 {
            let min = Vec3::new(column as f32 + if row % 2 == 0 { 0.0 } else { 0.37 }, -1.0, row as f32);
            blocks.extend(cuboid(min, min + Vec3::ONE));
        }
    }
    let mesh = levels::terrain(150, Vec3::new(-12.0, 0.0, -12.0), 0.16, |_, _| 0.0);
    for (name, level) in [("blocks", blocks), ("mesh", mesh), ("plane", floor(12.0))] {
        for (x, z) in [(3.0, 1.1), (3.0, 0.0), (0.0, -2.0), (0.3, 0.01)] {
            let mut court = Court::new(&level, unbraked());
            let velocity = DVec3::new(x, 0.0, z);
            // Rolling, not sliding, from the start.
            let spin = DVec3::Y.cross(velocity) / 0.12;
            let position = DVec3::new(-7.0, 0.1205, -1.0);
            let ball = court.throw(Throw { position, velocity, spin, ..Throw::default() });
            court.steps(10);
            let from = court.ball(ball).position();
            for step in 0..3 * SECOND {
                court.step();
                let ball = court.ball(ball);
                let height = ball.position().y - 0.12;
                assert!((0.0..1e-3).contains(&height), "{name} {velocity}, step {step}: {height}");
                assert!((ball.velocity() - velocity).length() < 1e-6, "{name} {velocity}: {}", ball.velocity());
            }
            let way = court.ball(ball).position() - from;
            assert!((way - velocity * 3.0).length() < 1e-3, "{name} {velocity}: {way}");
        }
    }
}

#[test]
fn down_a_slope_it_rolls_at_five_sevenths_of_what_slides() {
    for (degrees, friction, share) in [(10.0_f64, 0.5, 5.0 / 7.0), (30.0, 0.8, 5.0 / 7.0), (20.0, 0.0, 1.0)] {
        let (sin, cos) = degrees.to_radians().sin_cos();
        let tilt = |x: f64, z: f64| DVec3::new(x * cos, -x * sin, z).as_vec3();
        let slope = crate::support::fan(&[tilt(-50.0, 9.0), tilt(50.0, 9.0), tilt(50.0, -9.0), tilt(-50.0, -9.0)]);
        let mut court = Court::new(&slope, unbraked());
        let position = DVec3::new(sin, cos, 0.0) * 0.1205;
        let ball = court.throw(Throw { position, friction, ..Throw::default() });
        let energy = court.energy();
        court.steps(2 * SECOND);
        let expected = share * 9.81 * sin * 2.0;
        let found = court.ball(ball).velocity().length();
        assert!((found - expected).abs() < 1e-2 * expected, "{degrees}: {found} rather than {expected}");
        let way = court.ball(ball).position().distance(position);
        assert!((way - expected).abs() < 1e-2 * expected, "{degrees}: {way} rather than {expected}");
        assert!(court.energy() <= energy + 1e-3, "{degrees}: {} from {energy}", court.energy());
    }
}

#[test]
fn sliding_turns_into_rolling_at_five_sevenths_of_the_speed_and_rolling_ends() {
    let mut court = Court::new(&floor(50.0), unbraked());
    let throw = Throw { position: DVec3::Y * 0.1205, velocity: DVec3::X * 7.0, ..Throw::default() };
    let ball = court.throw(throw);
    court.steps(2 * SECOND);
    let found = court.ball(ball);
    assert!((found.velocity() - DVec3::X * 5.0).length() < 1e-2, "{}", found.velocity());
    assert!((found.spin() - DVec3::NEG_Z * 5.0 / 0.12).length() < 0.1, "{}", found.spin());

    let mut court = Court::new(&floor(50.0), Settings::default());
    let ball = court.throw(throw);
    let mut steps = 0;
    while !court.ball(ball).is_asleep() {
        court.step();
        steps += 1;
        assert!(steps < 60 * SECOND, "it rolls for ever");
    }
    // 5 m/s less 5/7 of a twenty-fifth of gravity a second.
    let expected = 5.0 / (0.04 * 9.81 * 5.0 / 7.0);
    let seconds = steps as f64 / SECOND as f64;
    assert!((seconds - expected).abs() < 0.1 * expected, "{seconds} s rather than {expected}");
    assert_eq!(court.ball(ball).velocity(), DVec3::ZERO);
}

#[test]
fn energy_never_grows_on_rough_ground() {
    for seed in 0..6 {
        let random = &mut Random::new(seed);
        let ground = levels::terrain(20, Vec3::new(-10.0, -3.0, -10.0), 1.0, |_, _| random.range(-0.8, 0.8));
        let mut court = Court::new(&ground, Settings { fall_limit: 1e6, ..Settings::default() });
        for i in 0..40 {
            let position = random.vector(6.0).as_dvec3() * DVec3::new(1.0, 0.0, 1.0) + DVec3::Y * (0.3 * f64::from(i));
            let velocity = random.vector(12.0).as_dvec3();
            let (restitution, friction) = (f64::from(random.unit()), f64::from(random.unit()));
            court.throw(Throw { position, velocity, restitution, friction, ..Throw::default() });
        }
        let mut least = court.energy();
        for step in 0..6 * SECOND {
            court.step();
            let energy = court.energy();
            // What is taken out of overlaps may lift a ball by some millimetres in all.
            assert!(energy < least + 0.05, "seed {seed}, step {step}: {energy} after {least}");
            least = least.min(energy);
        }
    }
}
