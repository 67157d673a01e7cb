//! Questions at the ends of what f32 holds, and from so far away that f64 rounds.

mod support;

use glam::{DVec3, Vec3};
use nodetree::geometry::Ray;
use nodetree::query::{Faces, Slide, Sweep, Which};

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

/// So close to the plane of a needle that f64 rounds away what lies between.
#[test]
fn distances_to_needles_are_as_sharp_as_f32() {
    let mut random = Random::new(3);
    let mut crossed = 0;
    for number in 0..30_000 {
        let a = random.vector(5.0);
        let along = random.vector(1.0) * *random.pick(&[1.0, 10.0]);
        let aside = random.vector(1.0) * *random.pick(&[1e-5, 1e-4, 1e-3]);
        let triangle = [a, a + along, a + 0.5 * along + aside];
        let [first, second, third] = triangle.map(|corner| corner.as_dvec3());
        let target = 0.4 * first + 0.3 * second + 0.3 * third;
        let direction = random.vector(1.0).as_dvec3();
        let origin = target - direction.normalize() * *random.pick(&[1e-8, 1e-7, 1e-5, 1e-3, 0.1]);
        let Some(truth) = brute::exact_crossing(0, &triangle, origin, direction) else { continue };
        let crossing = Ray::new(origin, direction).unwrap().cross_triangle(&triangle).expect("crossed");
        let apart = (crossing.distance - truth.distance).abs();
        let rounding = 1e-12 * truth.reach / truth.sine.min(1.0) * f64::EPSILON.sqrt();
        assert!(truth.sine < 1e-5 || apart <= 1e-7 * truth.distance + rounding, "{number}: {crossing:?} {truth:?}");
        crossed += 1;
    }
    assert!(crossed > 10_000, "{crossed}");
}

/// Out of a valley between slopes leads more than the radius of what lies in it.
#[test]
fn a_way_out_longer_than_f32_holds_is_cut() {
    const FAR: f32 = 3.3961514e38;
    let (ridge, foot) = (Vec3::new(FAR, 1.148122e-39, 0.0), Vec3::new(2.0072637, 3.3961256e38, 3.3958402e38));
    let bottom = Vec3::new(2.2e-44, 2.26e-41, 5.831554e-39);
    let slopes = [
        [ridge, foot, Vec3::new(FAR, FAR, 1.1708845e-38)],
        [foot, ridge, Vec3::new(0.0, -4.5196363e37, 0.0)],
        [ridge, foot, Vec3::new(0.0, 0.0, 6.06702e-36)],
        [foot, ridge, bottom],
        [bottom, ridge, Vec3::new(1.7666854e-38, 5.6497197e-37, 0.0)],
    ];
    for tree in trees(&slopes) {
        let hit = tree.sweep(&Sweep::sphere(bottom, FAR, Vec3::Y)).expect("an overlap is a hit");
        assert!(hit.way_out.is_finite() && hit.way_out.max_element() > 1e38 && hit.depth.is_finite(), "{hit:?}");
    }
}

/// Motions much longer than f64 tells places apart at their end.
#[test]
fn whoever_goes_as_far_as_possible_still_meets_the_first_wall() {
    let wall = [Vec3::new(10.0, 0.0, -5.0), Vec3::new(10.0, 0.0, 5.0), Vec3::new(10.0, 9.0, 0.0)];
    for tree in trees(&[wall]) {
        for length in [1e3, 1e9, 1e15, 1e30, f32::MAX] {
            let center = Vec3::new(0.0, 2.0, 0.0);
            let hit = tree.sweep(&Sweep::sphere(center, 0.5, length * Vec3::X)).expect("the wall is met");
            let way = hit.fraction * length;
            assert!((way - 9.5).abs() < 1e-4 && hit.point.distance(Vec3::new(10.0, 2.0, 0.0)) < 1e-4, "{hit:?}");
            assert_eq!(tree.sweep(&Sweep::sphere(center - 4.0 * Vec3::Y, 0.5, length * Vec3::X)), None, "{length}");
            let end = tree.slide(&Slide::sphere(center, 0.5, length * Vec3::X), &mut Vec::new());
            assert!((end.x - 9.49).abs() < 1e-3, "{length}: {end}");
        }
    }
}

#[test]
fn a_foot_that_may_have_sunk_in_for_ever_stands_on_the_top_floor() {
    let floors: Vec<[Vec3; 3]> = [0.0, 3.0, 7.0]
        .map(|height| [Vec3::ZERO, 9.0 * Vec3::Z, 9.0 * Vec3::X].map(|corner| corner + height * Vec3::Y))
        .into();
    for tree in trees(&floors) {
        for snap in [10.0, 1e10, 1e17, f32::MAX, f32::INFINITY] {
            let at = |height, which| tree.height(Vec3::new(1.0, height, 1.0), which, snap);
            assert_eq!((at(2.0, Which::Below), at(2.0, Which::Above)), (Some(7.0), Some(0.0)), "{snap}");
            assert_eq!((at(2.0, Which::Closest), at(-1.0, Which::Closest)), (Some(3.0), Some(0.0)), "{snap}");
        }
    }
}

/// Where f32 rounds a distance to the length of the segment, the ends still decide.
#[test]
fn a_segment_that_ends_just_before_a_wall_is_free() {
    let wall = [Vec3::new(100.0, -9.0, -9.0), Vec3::new(100.0, -9.0, 9.0), Vec3::new(100.0, 9.0, 0.0)];
    for tree in trees(&[wall]) {
        let from = Vec3::new(-30.0, 0.0, 0.0);
        let to = |x: f32| Vec3::new(x, 0.0, 0.0);
        assert_eq!(tree.segment(from, to(100f32.next_down())), None);
        assert_eq!(tree.segment(from, to(100.0)), Some(130.0));
        assert_eq!(tree.segment(from, to(100f32.next_up())), Some(130.0));
        assert_eq!(tree.segment(DVec3::ZERO, DVec3::new(99.999_999, 0.0, 0.0)), None);
        assert_eq!(tree.segment(to(100.0), to(101.0)), Some(0.0));
        assert_eq!(tree.segment(to(100f32.next_up()), to(101.0)), None);
    }
}

/// Each of many triangles at one place would look at all the others.
#[test]
fn a_slide_against_many_triangles_at_one_place_ends() {
    let many = vec![[Vec3::ZERO, Vec3::Z, Vec3::X]; 20_000];
    let mut contacts = Vec::new();
    for tree in trees(&many) {
        for center in [Vec3::new(-0.05, 1.0, 0.5), Vec3::new(0.2, 1.0, 0.2)] {
            let end = tree.slide(&Slide::sphere(center, 0.1, Vec3::NEG_Y), &mut contacts);
            let gap = tree.closest_point(end).expect("the level is not empty").distance - 0.1;
            assert!(end.y < 0.2 && gap > 0.0099 && !contacts.is_empty() && contacts.len() <= 256, "{end} {gap}");
        }
    }
}

/// Crowds in seven octants around each smaller crowd: on the way to the smallest more of the tree waits than a traversal has
/// room for.
#[test]
fn what_waits_in_a_very_deep_tree_is_not_lost() {
    let mut random = Random::new(5);
    let mut nested = Vec::new();
    for level in 0..20 {
        let size = 0.5_f32.powi(level);
        for octant in 1..8 {
            let corner = Vec3::new((octant & 1) as f32, (octant >> 1 & 1) as f32, (octant >> 2) as f32);
            for _ in 0..24 {
                let at = size * (0.55 * corner + 0.2 * (random.vector(1.0) + Vec3::ONE));
                nested.push([(); 3].map(|()| at + 0.02 * size * random.vector(1.0)));
            }
        }
    }
    let (mut found, mut hits) = (Vec::new(), Vec::new());
    for tree in trees(&nested) {
        tree.triangles_in_sphere(Vec3::splat(-1e-6), 10.0, &mut found);
        assert_eq!(found.len(), tree.triangle_count());
        for _ in 0..200 {
            let direction = (random.vector(0.5) + Vec3::ONE).as_dvec3();
            let truth = brute::crossings(&nested, DVec3::splat(-1e-6), direction);
            tree.all_hits(&Ray::new(DVec3::splat(-1e-6), direction).unwrap(), f32::INFINITY, Faces::Both, &mut hits);
            assert_eq!(hits.len(), truth.len());
        }
    }
}
