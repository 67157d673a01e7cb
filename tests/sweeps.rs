//! Spheres at rest and swept spheres and ellipsoids against looking at every triangle in f64, over level kinds, modes and
//! leaf presets.

mod support;

use glam::{DVec3, Vec3};
use nodetree::query::{Faces, Sweep, SweepHit};

use support::levels::{self, Kind, level};
use support::{Random, contact, fan, trees};

/// How far the contact may lie from what is certain, in metres.
const TOLERANCE: f64 = 1e-5;

/// Checks one sweep of a body that is clear of the level at the start.
fn check_clear_sweep(triangles: &[[Vec3; 3]], sweep: &Sweep, hit: Option<SweepHit>, label: &str) {
    let (center, radii) = (sweep.center.as_dvec3(), sweep.radii.as_dvec3());
    let way = sweep.displacement.as_dvec3() / radii;
    // A body a little larger meets the level no later, one a little smaller no earlier.
    let doubt = 1e-6 / radii.min_element();
    let first = |radius: f64| {
        let times = triangles.iter().filter_map(|t| contact::time(way, contact::to_unit(t, center, radii), radius));
        times.min_by(f64::total_cmp)
    };
    let (earliest, latest) = (first(1.0 + doubt), first(1.0 - doubt));
    let Some(hit) = hit else {
        assert_eq!(latest, None, "missed: {label}");
        return;
    };
    let length = sweep.displacement.as_dvec3().length();
    let earliest = earliest.unwrap_or_else(|| panic!("false hit {hit:?}: {label}"));
    let fraction = f64::from(hit.fraction);
    assert!(fraction * length >= earliest * length - TOLERANCE, "{fraction} before {earliest}: {label}");
    if let Some(latest) = latest {
        assert!(fraction * length <= latest * length + TOLERANCE, "{fraction} after {latest}: {label}");
    }
    assert_eq!((hit.depth, hit.way_out), (0.0, Vec3::ZERO), "{label}");
    // The point is on the named triangle and on the body, and the normal is the body's there.
    let moved = center + sweep.displacement.as_dvec3() * fraction;
    let point = hit.point.as_dvec3();
    let on_triangle = contact::distance(point, triangles[hit.triangle as usize].map(|corner| corner.as_dvec3()));
    let size = 1.0 + moved.abs().max_element() + point.abs().max_element();
    assert!(on_triangle < 2e-6 * size, "{on_triangle} off its triangle: {label}");
    let on_body = (point - moved) / radii;
    assert!((on_body.length() - 1.0).abs() * radii.min_element() < 3e-6 * size, "off the body: {label}");
    let outward = (-on_body / radii).normalize();
    assert!(outward.dot(hit.normal.as_dvec3()) > 0.999, "normal {} not {outward}: {label}", hit.normal);
}

#[test]
fn sweeps_agree_with_a_loop_over_all_triangles() {
    for kind in [Kind::Soup, Kind::Grid, Kind::Terrain, Kind::Slivers, Kind::Coincident] {
        for seed in 0..3 {
            let triangles = level(kind, seed);
            let trees = trees(&triangles);
            let mut random = Random::new(seed + 100);
            let (mut clear, mut hits) = (0, 0);
            for number in 0..60 {
                let radius = *random.pick(&[0.01_f32, 0.1, 0.35, 1.0]);
                let radii = match random.below(3) {
                    0 => Vec3::new(0.35, 0.9, 0.35),
                    _ => Vec3::splat(radius),
                };
                let center = random.vector(11.0);
                let displacement = match random.below(4) {
                    0 => Vec3::NEG_Y * random.range(0.0, 20.0),
                    1 => Vec3::X * random.range(-20.0, 20.0),
                    2 => random.direction() * 1e-3,
                    _ => random.direction() * random.range(0.0, 25.0),
                };
                let sweep = Sweep { center, radii, displacement, faces: Faces::Both };
                let start = |t: &[Vec3; 3]| contact::to_unit(t, center.as_dvec3(), radii.as_dvec3());
                let nearest = triangles.iter().map(|t| contact::distance(DVec3::ZERO, start(t))).fold(9e9, f64::min);
                if nearest < 1.001 {
                    continue;
                }
                clear += 1;
                for tree in &trees {
                    let hit = tree.sweep(&sweep);
                    hits += u32::from(hit.is_some());
                    let label = format!("{kind:?}, seed {seed}, sweep {number}, {:?}", tree.settings());
                    check_clear_sweep(&triangles, &sweep, hit, &label);
                }
            }
            assert!(clear >= 5, "{kind:?} {seed}: only {clear} sweeps start clear of the level");
            assert!(hits >= 5, "{kind:?} {seed}: only {hits} hits");
        }
    }
}

#[test]
fn an_overlap_at_the_start_is_reported_with_its_depth() {
    for kind in [Kind::Soup, Kind::Grid, Kind::Terrain, Kind::Coincident] {
        let triangles = level(kind, 7);
        let trees = trees(&triangles);
        let mut random = Random::new(8);
        let mut overlaps = 0;
        for number in 0..200 {
            let near = random.pick(&triangles)[0];
            let (center, radius) = (near + random.vector(1.5), random.range(0.2, 1.5));
            let corners = |t: &[Vec3; 3]| t.map(|corner| corner.as_dvec3());
            let distances = triangles.iter().map(|t| contact::distance(center.as_dvec3(), corners(t)));
            let depth = f64::from(radius) - distances.fold(9e9, f64::min);
            if depth < 1e-4 {
                continue;
            }
            overlaps += 1;
            let displacement = if number % 3 == 0 { Vec3::ZERO } else { random.direction() * 3.0 };
            for tree in &trees {
                let hit = tree.sweep(&Sweep::sphere(center, radius, displacement)).expect("an overlap is a hit");
                assert_eq!(hit.fraction, 0.0, "{kind:?} {number}");
                let error = (f64::from(hit.depth) - depth).abs();
                assert!(error < TOLERANCE, "{} not {depth}: {kind:?} {number}", hit.depth);
                let outward = (center - hit.point).normalize();
                assert!(outward.dot(hit.normal) > 0.999, "{} not {outward}: {kind:?} {number}", hit.normal);
                assert!(hit.way_out.is_finite());
            }
        }
        assert!(overlaps > 20, "{kind:?}: {overlaps}");
    }
}

#[test]
fn spheres_at_rest_agree_with_a_loop_over_all_triangles() {
    for kind in levels::KINDS {
        let triangles = level(kind, 3);
        let corners: Vec<Vec3> = triangles.iter().flatten().copied().collect();
        let (min, max) = corners.iter().fold((Vec3::MAX, Vec3::MIN), |(min, max), &p| (min.min(p), max.max(p)));
        let usable = |t: &[Vec3; 3]| {
            let [a, b, c] = t.map(|corner| corner.as_dvec3());
            (b - a).cross(c - a) != DVec3::ZERO
        };
        let trees = trees(&triangles);
        let mut random = Random::new(4);
        for number in 0..150 {
            let center = if number % 5 == 0 {
                *random.pick(&corners)
            } else {
                min + (max - min) * Vec3::new(random.unit(), random.unit(), random.unit())
            };
            let distance_to = |t: &[Vec3; 3]| contact::distance(center.as_dvec3(), t.map(|corner| corner.as_dvec3()));
            let nearest = triangles.iter().filter(|t| usable(t)).map(distance_to).fold(f64::INFINITY, f64::min);
            let radius = nearest as f32 * *random.pick(&[0.5, 0.999, 1.001, 2.0]) + *random.pick(&[0.0, 0.3]);
            let mut found = Vec::new();
            for tree in &trees {
                let label = format!("{kind:?}, {number}, {:?}", tree.settings());
                let closest = tree.closest_point(center).unwrap();
                let doubt = 1e-6 * nearest + 1e-9 * f64::from((max - min).length());
                assert!((f64::from(closest.distance) - nearest).abs() <= doubt, "{closest:?} {nearest}: {label}");
                let named = distance_to(&triangles[closest.triangle as usize]);
                assert!((named - nearest).abs() <= doubt, "{label}");
                assert_eq!(tree.sphere_touches(center, radius), closest.distance <= radius, "{label}");
                tree.triangles_in_sphere(center, radius, &mut found);
                assert!(found.is_sorted_by(|a, b| a < b), "{label}");
                for (triangle, corners) in (0..).zip(&triangles).filter(|(_, corners)| usable(corners)) {
                    let distance = distance_to(corners);
                    let certain = (distance - f64::from(radius)).abs() > doubt;
                    let is_found = found.binary_search(&triangle).is_ok();
                    assert!(!certain || is_found == (distance < f64::from(radius)), "{triangle}: {label}");
                }
            }
        }
    }
}

#[test]
fn the_way_out_leaves_every_overlap() {
    let corner = [
        fan(&[Vec3::ZERO, Vec3::Z * 9.0, Vec3::new(9.0, 0.0, 9.0), Vec3::X * 9.0]),
        fan(&[Vec3::ZERO, Vec3::Y * 9.0, Vec3::new(0.0, 9.0, 9.0), Vec3::Z * 9.0]),
        fan(&[Vec3::ZERO, Vec3::X * 9.0, Vec3::new(9.0, 9.0, 0.0), Vec3::Y * 9.0]),
    ]
    .concat();
    for tree in trees(&corner) {
        let way = tree.way_out(Vec3::new(0.3, 0.4, 0.2), 0.5);
        assert!(way.distance(Vec3::new(0.2, 0.1, 0.3)) < 1e-4, "{way}");
        assert_eq!(tree.way_out(Vec3::ONE, 0.5), Vec3::ZERO);
    }
    let triangles = level(Kind::Terrain, 5);
    let mut random = Random::new(6);
    for number in 0..40 {
        let center = random.vector(7.0) * Vec3::new(1.0, 0.2, 1.0);
        for tree in trees(&triangles) {
            let out = center + tree.way_out(center, 0.4);
            let distance = tree.closest_point(out).unwrap().distance;
            assert!(distance > 0.4 - 2e-5, "{number}: {distance}");
        }
    }
}
