//! What is around the balls: contacts that are told, the walker, props, and numbers that make no sense.

use glam::{DVec3, Vec3};
use nodetree::bodies::{Balls, Body, Contact, Ellipsoid, Nearby, Settings, Throw};
use nodetree::walk::{self, Input, STEP, Walker};

use crate::court::{Court, SECOND, floor, weightless};
use crate::support::Random;

#[test]
fn a_contact_names_both_bodies_the_triangle_and_the_impulse() {
    let mut court = Court::new(&floor(9.0), Settings::default());
    let throw = Throw { position: DVec3::new(-2.0, 0.5, 1.0), velocity: DVec3::Y * -6.0, ..Throw::default() };
    let ball = court.throw(throw);
    let mut told: Vec<Contact> = Vec::new();
    while court.ball(ball).velocity().y < 0.0 {
        court.step();
        told.extend(court.balls.contacts());
    }
    assert_eq!(told.len(), 1);
    let contact = told[0];
    assert_eq!(contact.bodies, [Body::Ball(ball), Body::Level]);
    assert_eq!(contact.normal, DVec3::Y);
    assert!((contact.point - DVec3::new(-2.0, 0.0, 1.0)).length() < 1e-5, "{}", contact.point);
    let corners = court.triangles[contact.triangle.unwrap() as usize];
    let weights = nodetree::geometry::is_over_triangle(contact.point.as_vec3(), &corners);
    assert!(weights, "the point is on the triangle that is named");
    let speed = (36.0_f64 + 2.0 * 9.81 * 0.38).sqrt();
    assert!((contact.speed - speed).abs() < 1e-3, "{} rather than {speed}", contact.speed);
    assert!((contact.impulse - 1.7 * 0.5 * speed).abs() < 1e-3, "{}", contact.impulse);

    // What lies on something tells its weight.
    let mut court = Court::new(&floor(9.0), Settings { sleep_time: 1e3, ..Settings::default() });
    let lower = court.throw(Throw { position: DVec3::Y * 0.1205, mass: 3.0, ..Throw::default() });
    let upper = court.throw(Throw { position: DVec3::Y * 0.361, mass: 1.0, ..Throw::default() });
    court.steps(SECOND / 2);
    let weight = |bodies: [Body; 2]| {
        let of = |contact: &&Contact| contact.bodies == bodies;
        court.balls.contacts().iter().filter(of).map(|contact| contact.impulse).sum::<f64>()
    };
    assert!((weight([Body::Ball(lower), Body::Level]) - 4.0 * 9.81 * STEP).abs() < 1e-3);
    assert!((weight([Body::Ball(lower), Body::Ball(upper)]) - 9.81 * STEP).abs() < 1e-3);
}

#[test]
fn a_walkers_contacts_tell_its_fall_and_its_weight() {
    let court = Court::new(&floor(9.0), Settings::default());
    let settings = walk::Settings { mass: 70.0, ..walk::Settings::default() };
    let mut walker = Walker::new(Vec3::Y * 2.0, 0.0);
    while !walker.grounded() {
        walker.step(&court.tree, &settings, &walker.input());
    }
    let landing: Vec<Contact> = walker.impacts(&settings, &Nearby::new()).collect();
    assert_eq!(landing[0].bodies, [Body::Walker, Body::Level]);
    let speed = (2.0_f64 * 9.81 * 1.99).sqrt();
    assert!((landing[0].speed - speed).abs() < 0.1, "{} rather than {speed}", landing[0].speed);
    assert!((landing[0].impulse - 70.0 * landing[0].speed).abs() < 1e-6);
    assert!(landing[0].normal.y > 0.999 && landing[0].triangle.is_some());
    for _ in 0..SECOND {
        walker.step(&court.tree, &settings, &Input { forward: 1.0, ..walker.input() });
        let weight = walker.impacts(&settings, &Nearby::new()).map(|contact| contact.impulse).fold(0.0, f64::max);
        assert!((weight - 70.0 * 9.81 * STEP).abs() < 1e-2, "{weight}");
    }
}

#[test]
fn balls_bounce_off_a_walker_and_are_pushed_by_it() {
    let mut court = Court::new(&[], weightless());
    let radii = DVec3::new(0.35, 0.9, 0.35);
    let mut walker = Ellipsoid { center: DVec3::Y * 0.9, radii, velocity: DVec3::ZERO };
    let throw =
        Throw { position: DVec3::new(3.0, 0.9, 0.0), velocity: DVec3::X * -8.0, friction: 0.0, ..Throw::default() };
    let ball = court.throw(throw);
    for _ in 0..SECOND {
        court.balls.step(&court.tree, &court.props, Some(&walker));
        assert!(court.ball(ball).position().x > 0.35 + 0.12 - 1e-5);
    }
    assert!((court.ball(ball).velocity() - DVec3::X * 0.7 * 8.0).length() < 1e-9);

    // The walker runs into one that sleeps.
    let mut court = Court::new(&floor(20.0), Settings::default());
    let ball = court.throw(Throw { position: DVec3::new(2.0, 0.1205, 0.0), ..Throw::default() });
    court.steps(SECOND);
    assert!(court.ball(ball).is_asleep());
    walker = Ellipsoid { velocity: DVec3::X * 4.0, ..walker };
    let mut met = false;
    for _ in 0..SECOND {
        court.balls.step(&court.tree, &court.props, Some(&walker));
        walker.center += walker.velocity * STEP;
        met |= court.balls.contacts().iter().any(|contact| contact.bodies == [Body::Ball(ball), Body::Walker]);
    }
    assert!(met && court.ball(ball).position().x > walker.center.x, "{:?}", court.ball(ball));
    // One that is thrown from within the walker leaves it.
    let eye = walker.center + DVec3::Y * 0.75;
    let thrown = court.throw(Throw { position: eye, velocity: DVec3::NEG_Z * 10.0, ..Throw::default() });
    walker.velocity = DVec3::ZERO;
    for _ in 0..12 {
        court.balls.step(&court.tree, &court.props, Some(&walker));
    }
    assert!((court.ball(thrown).velocity().z + 10.0).abs() < 1e-6, "{:?}", court.ball(thrown).velocity());
}

#[test]
fn what_makes_no_sense_is_refused_and_says_what_to_do() {
    for (throw, text) in [
        (Throw { radius: 0.0, ..Throw::default() }, "a ball's radius must be from 0.001 to 1000 m"),
        (Throw { mass: f64::NAN, ..Throw::default() }, "a ball's mass must be from 1e-6 to 1e6 kg"),
        (Throw { restitution: 1.1, ..Throw::default() }, "a ball's restitution must be from 0 to 1"),
        (Throw { velocity: DVec3::INFINITY, ..Throw::default() }, "a ball's velocity must be finite"),
    ] {
        let mut balls = Balls::new(Settings::default()).unwrap();
        assert_eq!(balls.throw(&throw).unwrap_err().to_string(), text);
        assert!(balls.is_empty());
    }
    for (settings, text) in [
        (Settings { gravity: f32::NAN, ..Settings::default() }, "gravity must be at least 0, not NaN"),
        (Settings { rest_speed: 0.1, ..Settings::default() }, "rest speed must be at least gravity / 60, not 0.1"),
        (Settings { limit: 0, ..Settings::default() }, "limit of balls must be from 1 to 65536, not 0"),
    ] {
        assert_eq!(Balls::new(settings).unwrap_err().to_string(), text);
    }
}

#[test]
fn balls_that_begin_inside_each_other_or_the_level_come_apart() {
    let random = &mut Random::new(2);
    let mut court = Court::new(&floor(9.0), Settings::default());
    for _ in 0..30 {
        let position = random.vector(0.2).as_dvec3() + DVec3::Y * 0.25;
        court.throw(Throw { position, ..Throw::default() });
    }
    for _ in 0..5 {
        court.throw(Throw { position: DVec3::new(4.0, 0.05, 0.0), ..Throw::default() });
    }
    court.steps(30 * SECOND);
    let [level, balls] = court.deepest();
    assert!(level < 1e-5 && balls < 5e-4, "{level} {balls}");
    assert_eq!(court.balls.len(), 35);
    assert!(court.balls.iter().all(|ball| ball.position().is_finite()));
    let fastest = court.balls.iter().map(|ball| ball.velocity().length()).fold(0.0, f64::max);
    assert!(fastest < 3.0, "none is shot away: {fastest}");
}
