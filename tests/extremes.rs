//! Questions at the ends of what f32 holds, and from so far away that f64 rounds.

mod support;

use glam::{DVec3, Vec3};
use nodetree::geometry::Ray;
use nodetree::query::Sweep;

use support::levels::terrain;
use support::{Random, brute, trees};

/// A motion that f32 can only just hold.
#[test]
fn the_least_motion_ends() {
    let floor = terrain(3, Vec3::new(-1.5, 0.0, -1.5), 1.0, |_, _| 0.0);
    let least = Vec3::splat(f32::from_bits(1));
    for tree in trees(&floor) {
        let hit = |height| tree.sweep(&Sweep::sphere(Vec3::new(0.1, height, 0.2), 0.5, least)).map(|hit| hit.fraction);
        assert_eq!((hit(0.6), hit(0.3)), (None, Some(0.0)));
    }
}

/// Lengths whose squares f32 cannot hold.
#[test]
fn balls_as_large_as_the_world_and_far_beyond_it_have_answers() {
    let floor = terrain(3, Vec3::new(-1.5, 0.0, -1.5), 1.0, |_, _| 0.0);
    let mut found = Vec::new();
    for tree in trees(&floor) {
        for radius in [1e20, f32::MAX, f32::INFINITY] {
            tree.triangles_in_sphere(Vec3::ZERO, radius, &mut found);
            assert_eq!(found.len(), floor.len());
            assert!(tree.sphere_touches(Vec3::ZERO, radius));
        }
        let far = tree.closest_point(Vec3::new(0.5, 1e20, 0.5)).unwrap();
        assert_eq!((far.point.y, far.distance), (0.0, 1e20));
        tree.triangles_in_sphere(Vec3::new(0.5, 1e20, 0.5), 2e20, &mut found);
        assert_eq!(found.len(), floor.len());
    }
}

/// From far away, nearly in the plane of a triangle and through its edge: f64 rounds the corners' offsets from the origin, and
/// the differences of those are no edges any more.
#[test]
fn from_far_away_in_the_plane_of_a_triangle_its_edges_are_exact() {
    let mut random = Random::new(1);
    let mut crossed = 0;
    for number in 0..30_000 {
        let triangle = [(); 3].map(|()| random.vector(1.0));
        let [a, b, c] = triangle.map(|corner| corner.as_dvec3());
        let mut part = || f64::from(random.unit());
        let on_edge = a + part() * (b - a);
        let in_plane = ((part() - 0.5) * (b - a) + (part() - 0.5) * (c - a)).normalize();
        let origin = on_edge + *random.pick(&[100.0, 300.0, 1000.0]) * in_plane;
        let direction = on_edge - origin;
        let truth = brute::crossings(&[triangle], origin, direction);
        let crossing = Ray::new(origin, direction).unwrap().cross_triangle(&triangle);
        assert_eq!(crossing.is_some(), !truth.is_empty(), "{number}: {triangle:?} {origin:?} {direction:?}");
        crossed += truth.len();
    }
    assert!(crossed > 1000, "{crossed}");
}

/// A needle whose corners differ by more than the digits of f64: its plane is lost in rounding, where its corners lie is not.
#[test]
fn a_needle_is_met_between_its_corners() {
    let needle =
        [Vec3::splat(5.459277e-19), Vec3::new(0.0, 0.0, 1.148e-41), Vec3::new(3.042456e-39, 0.0, -8.185202e-34)];
    let origin = DVec3::new(-8.217300606262893e-34, 1.9288198681007156e31, -8.2172813208087e-34);
    let direction = DVec3::new(8.217301524617855e-34, -1.9288198681007156e31, 8.2172813208087e-34);
    assert_eq!(brute::crossings(&[needle], origin, direction).len(), 1);
    let crossing = Ray::new(origin, direction).unwrap().cross_triangle(&needle).unwrap();
    assert!((crossing.distance / origin.y - 1.0).abs() < 1e-12, "{crossing:?}");
}

/// The same where one corner is so far away that beside it the place of the others is lost.
#[test]
fn a_needle_is_met_beside_its_near_corner() {
    let needle = [Vec3::new(0.0, 0.0, -6.6201785e35), Vec3::new(0.0, 2.0000076, 0.0), Vec3::new(0.0, 0.0, 0.01727592)];
    let origin = DVec3::new(9.62964972193618e-35, 0.0, 2.0000152587890625);
    let direction = DVec3::new(-9.629061974760768e-35, 5.7856362579534463e-39, -2.0000152587890625);
    let truth = brute::crossings(&[needle], origin, direction)[0].distance;
    let crossing = Ray::new(origin, direction).unwrap().cross_triangle(&needle).unwrap();
    assert!((crossing.distance - truth).abs() < 1e-6, "{crossing:?} {truth}");
}
