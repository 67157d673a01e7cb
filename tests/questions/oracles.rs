//! What the answers are compared with is right itself: short cuts agree with the plain forms that they stand for.

use glam::{DVec3, Vec3};

use crate::scene::{Place, Scene};
use crate::support::levels::KINDS;
use crate::support::{Random, brute, contact};

fn scenes() -> impl Iterator<Item = Scene> {
    KINDS.into_iter().flat_map(|kind| [false, true].map(|is_large| Scene::new(&Place { round: 90, kind, is_large })))
}

#[test]
fn boxes_of_boxes_lose_no_triangle() {
    for scene in scenes() {
        let mut random = Random::new(1);
        let usable = |number: &u32| brute::has_area(&scene.triangles[*number as usize]);
        let all: Vec<u32> = (0..scene.triangles.len() as u32).filter(usable).collect();
        let mut kept = scene.pyramid.triangles().to_vec();
        kept.sort_unstable();
        assert_eq!(kept, all);
        for _ in 0..20 {
            let from = scene.anywhere(&mut random).as_dvec3();
            let way = random.pick(scene.targets())[0].as_dvec3() - from;
            let way = if random.below(3) == 0 { DVec3::NEG_Y } else { way };
            let truth = brute::crossings(&scene.triangles, from, way);
            let numbers = |crossings: &[brute::Crossing]| {
                let mut numbers: Vec<u32> = crossings.iter().map(|crossing| crossing.triangle).collect();
                numbers.sort_unstable();
                numbers
            };
            assert_eq!(numbers(&scene.crossings(from, way)), numbers(&truth), "{:?} {from} {way}", scene.kind);
            let (x, z) = (from.x as f32, from.z as f32);
            assert_eq!(scene.heights(x, z), brute::heights(&scene.triangles, x, z), "{:?} {from}", scene.kind);
            let radii = DVec3::new(1.0, 2.5, 0.3);
            let distances = || all.iter().map(|&number| (number, scene.distance(number, from, radii)));
            let least = distances().map(|(_, distance)| distance).fold(f64::INFINITY, f64::min);
            assert_eq!(scene.nearest(from, radii).1, least, "{:?} {from}", scene.kind);
            let mut near: Vec<_> = distances().filter(|&(_, distance)| distance <= 1.1 * least).collect();
            let mut found = scene.within(from, radii, 1.1 * least);
            near.sort_by_key(|&(number, _)| number);
            found.sort_by_key(|&(number, _)| number);
            assert_eq!(found, near, "{:?} {from}", scene.kind);
        }
    }
}

#[test]
fn boxes_of_boxes_lose_no_triangle_that_a_moving_body_meets() {
    for scene in scenes() {
        let mut random = Random::new(2);
        for _ in 0..10 {
            let from = scene.anywhere(&mut random).as_dvec3();
            let way = scene.anywhere(&mut random).as_dvec3() - from;
            let radii = DVec3::new(0.05, 0.1, 0.02) * f64::from(scene.scale);
            let meets =
                |number: u32| contact::time(way / radii, scene.in_unit_space(number, from, radii), 1.0).is_some();
            let mut near = Vec::new();
            scene.pyramid.along(from, way, 0.0, 1.0, radii, |number| near.push(number));
            near.sort_unstable();
            for &number in scene.pyramid.triangles() {
                assert!(near.binary_search(&number).is_ok() || !meets(number), "{:?} {from} {way}", scene.kind);
            }
        }
    }
}

#[test]
fn what_f64_is_certain_of_is_exact() {
    let mut certain = [0; 2];
    for scene in scenes() {
        let mut random = Random::new(3);
        for _ in 0..300 {
            let triangle = random.pick(&scene.triangles);
            let [a, b, c] = *triangle;
            let target = a + (b - a) * random.range(-0.1, 0.6) + (c - a) * random.range(-0.1, 0.6);
            let from = scene.anywhere(&mut random);
            let (origin, direction) = (from.as_dvec3(), (target - from).as_dvec3());
            if let Some(fast) = brute::certain_crossing(0, triangle, origin, direction) {
                certain[0] += 1;
                let exact = brute::exact_crossing(0, triangle, origin, direction);
                assert_eq!(fast.is_some(), exact.is_some(), "{triangle:?} {origin} {direction}");
                if let (Some(fast), Some(exact)) = (fast, exact) {
                    let error = (fast.distance - exact.distance).abs();
                    assert!(error <= 2e-15 * exact.reach / exact.sine + 1e-15 * exact.distance, "{fast:?} {exact:?}");
                    assert_eq!(fast.front, exact.front);
                }
            }
            if let Some(fast) = brute::certain_height(triangle, target.x, target.z) {
                certain[1] += 1;
                let exact = brute::exact_height(triangle, target.x, target.z);
                assert_eq!(fast.is_some(), exact.is_some(), "{triangle:?} {target}");
                if let (Some(fast), Some(exact)) = (fast, exact) {
                    let size = triangle.iter().fold(0.0, |size: f32, corner| size.max(corner.y.abs()));
                    assert!((fast - exact).abs() <= 1e-14 * f64::from(size), "{fast} {exact}");
                }
            }
        }
    }
    assert!(certain.iter().all(|&count| count > 3000), "{certain:?}");
}

#[test]
fn halving_finds_what_conservative_advancement_finds() {
    let mut random = Random::new(4);
    let (mut met, mut missed) = (0, 0);
    for number in 0..3000 {
        let flat = 10.0_f32.powf(random.range(-4.0, 0.0));
        let triangle = [(); 3].map(|()| (random.vector(2.0) * Vec3::new(1.0, flat, 1.0)).as_dvec3());
        let start = random.vector(4.0).as_dvec3();
        let triangle = triangle.map(|corner| corner - start);
        let way = f64::from(random.range(0.5, 1.5)) * (random.vector(2.0).as_dvec3() - start);
        // A larger body is met no later, a smaller one no earlier.
        let [large, equal, small] = [1.0 + 1e-4, 1.0, 1.0 - 1e-4].map(|radius| contact::time(way, triangle, radius));
        let plain = contact::time_by_advancement(way, triangle, 1.0, 1e-5);
        if let Some(plain) = plain {
            let large = large.unwrap_or_else(|| panic!("{number}: not found, {plain}"));
            assert!(large <= plain + 1e-9, "{number}: {large} {plain}");
        }
        match small {
            Some(small) => {
                let plain = plain.unwrap_or_else(|| panic!("{number}: false, {small}"));
                assert!(plain <= small + 1e-9, "{number}: {plain} {small}");
                met += 1;
            }
            None => missed += 1,
        }
        if let Some(equal) = equal {
            let distance = contact::distance(way * equal, triangle);
            assert!(distance <= 1.0 && (equal == 0.0 || distance > 1.0 - 1e-9), "{number}: {distance} at {equal}");
        }
    }
    assert!(met > 500 && missed > 500, "{met} {missed}");
}

/// The nearest point of a triangle is no farther than any of many of its points, and is one of them.
#[test]
fn nothing_on_a_triangle_is_nearer_than_its_nearest_point() {
    let mut random = Random::new(5);
    for number in 0..500 {
        let flat = 10.0_f32.powf(random.range(-9.0, 0.0));
        let [a, b, c] = [(); 3].map(|()| (random.vector(2.0) * Vec3::new(1.0, flat, flat)).as_dvec3());
        let point = (random.vector(3.0) * Vec3::new(1.0, flat.sqrt(), flat.sqrt())).as_dvec3();
        let closest = contact::closest(point, [a, b, c]);
        let distance = closest.distance(point);
        for i in 0..=40 {
            for j in 0..=40 - i {
                let on = a + (b - a) * (f64::from(i) / 40.0) + (c - a) * (f64::from(j) / 40.0);
                assert!(on.distance(point) >= distance - 1e-12, "{number}: {on} is nearer than {closest}");
            }
        }
        assert!(contact::closest(closest, [a, b, c]).distance(closest) < 1e-12, "{number}");
    }
}
