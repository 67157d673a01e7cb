//! Spheres and ellipsoids at rest, swept and sliding against distances in f64.

use glam::{DVec3, Vec3};
use nodetree::query::{Faces, Slide, Sweep};

use super::bytes::Bytes;
use super::support::contact;
use super::{Scene, is_tame};

/// How far off a contact may be, in metres.
const TOLERANCE: f64 = 1e-5;

fn corners(scene: &Scene, number: u32) -> [DVec3; 3] {
    scene.triangles[number as usize].map(|corner| corner.as_dvec3())
}

/// The distance to a triangle, and how far f64 and the rounding of the answer to f32 may be off: f32 takes the farthest for
/// infinity.
fn distance(scene: &Scene, number: u32, center: DVec3) -> (f64, f64) {
    let corners = corners(scene, number);
    let distance = contact::distance(center, corners);
    let size = corners.iter().map(|corner| corner.distance(center)).fold(0.0, f64::max);
    let is_beyond_f32 = distance > f64::from(f32::MAX);
    (distance, if is_beyond_f32 { f64::INFINITY } else { 1e-6 * size + f64::from(f32::MIN_POSITIVE) })
}

/// Touches, closest point, all within and the way out.
pub fn at_rest(scene: &Scene, bytes: &mut Bytes) -> Option<()> {
    let (center, radius) = (bytes.place_at(&scene.triangles)?, bytes.length()?);
    let touches = scene.ask(|tree| tree.sphere_touches(center, radius));
    let nearest = scene.ask(|tree| tree.closest_point(center).map(|closest| closest.distance));
    let within = scene.ask(|tree| {
        let mut within = Vec::new();
        tree.triangles_in_sphere(center, radius, &mut within);
        within
    });
    let ways_out = scene.ask_each_mode(|tree| tree.way_out(center, radius));
    assert!(ways_out.iter().all(|way| way.is_finite()), "{ways_out:?}");
    assert_eq!(nearest.is_some(), center.is_finite() && !scene.usable.is_empty());
    // Only where f64 tells a distance from the radius: boxes show that to be far which rounding calls near.
    let apart = nearest.map_or(f64::INFINITY, |nearest| (f64::from(nearest) - f64::from(radius)).abs());
    let is_certain = scene.tame && is_tame(center) && apart > 1e-9;
    assert!(!is_certain || touches == nearest.is_some_and(|nearest| nearest <= radius), "{nearest:?} {touches}");
    assert_eq!(touches, !within.is_empty());
    let Some(nearest) = nearest.map(f64::from) else { return Some(()) };
    let from = center.as_dvec3();
    for &number in &scene.usable {
        let (distance, doubt) = distance(scene, number, from);
        assert!(nearest <= distance + doubt, "{nearest} is not the nearest: {number} at {distance}");
        let is_within = within.binary_search(&number).is_ok();
        let is_certain = (distance - f64::from(radius)).abs() > doubt;
        assert!(!is_certain || is_within == (distance < f64::from(radius)), "{number} at {distance}: {within:?}");
    }
    for closest in scene.ask_each_mode(|tree| tree.closest_point(center)).into_iter().flatten() {
        let (distance, doubt) = distance(scene, closest.triangle, from);
        assert!((distance - f64::from(closest.distance)).abs() <= doubt, "{closest:?} {distance}");
    }
    if scene.tame && is_tame(center) && is_tame(Vec3::splat(radius)) {
        let nearest_to = |center: DVec3| {
            let distances = scene.usable.iter().map(|&number| contact::distance(center, corners(scene, number)));
            distances.fold(f64::INFINITY, f64::min)
        };
        for way in ways_out {
            let overlap = |center: DVec3| (f64::from(radius) - nearest_to(center)).max(0.0);
            let (before, after) = (overlap(from), overlap(from + way.as_dvec3()));
            assert!(after <= before + 1e-3, "{way} leads from an overlap of {before} to one of {after}");
        }
    }
    Some(())
}

fn radii(bytes: &mut Bytes) -> Option<Vec3> {
    let radius = bytes.length()?;
    Some(if bytes.byte()? % 2 == 0 { Vec3::splat(radius) } else { Vec3::new(radius, bytes.length()?, bytes.length()?) })
}

/// Whether distances between a body and the level are known far better than the tolerance.
fn is_comparable(scene: &Scene, center: Vec3, radii: Vec3, displacement: Vec3) -> bool {
    scene.tame && is_tame(center) && is_tame(radii) && is_tame(displacement) && radii.min_element() >= 0.01
}

/// The first contact.
pub fn swept(scene: &Scene, bytes: &mut Bytes) -> Option<()> {
    let center = bytes.place_at(&scene.triangles)?;
    let (radii, displacement, faces) = (radii(bytes)?, bytes.vector()?, bytes.faces()?);
    let sweep = Sweep { center, radii, displacement, faces };
    let hits = scene.ask_each_mode(|tree| tree.sweep(&sweep));
    for hit in hits.iter().flatten() {
        assert!((0.0..=1.0).contains(&hit.fraction) && hit.depth >= 0.0, "{hit:?}");
        assert!(scene.usable.binary_search(&hit.triangle).is_ok(), "{hit:?}");
        assert!(hit.point.is_finite() && hit.way_out.is_finite() && !hit.normal.is_nan(), "{hit:?}");
    }
    if faces != Faces::Both || !is_comparable(scene, center, radii, displacement) {
        return Some(());
    }
    let (from, radii, way) = (center.as_dvec3(), radii.as_dvec3(), displacement.as_dvec3());
    let units: Vec<[DVec3; 3]> =
        scene.usable.iter().map(|&number| corners(scene, number).map(|corner| (corner - from) / radii)).collect();
    let nearest = units.iter().map(|&unit| contact::distance(DVec3::ZERO, unit)).fold(f64::INFINITY, f64::min);
    let least = radii.min_element();
    if nearest < 1.0 - 2.0 * TOLERANCE / least {
        for hit in &hits {
            let hit = hit.expect("an overlap is a hit");
            assert!(hit.fraction == 0.0 && hit.depth > 0.0, "{hit:?}");
        }
    }
    if nearest < 1.0 + 2.0 * TOLERANCE / least {
        return Some(());
    }
    // A body a little larger meets the level no later, one a little smaller no earlier.
    let first =
        |radius: f64| units.iter().filter_map(|&unit| contact::time(way / radii, unit, radius)).min_by(f64::total_cmp);
    let length = way.length();
    let tolerance = TOLERANCE + f64::from(f32::EPSILON) * length;
    let (earliest, latest) = (first(1.0 + 2e-6 / least), first(1.0 - 2e-6 / least));
    for hit in hits {
        match hit {
            None => assert_eq!(latest, None, "missed"),
            Some(hit) => {
                let fraction = f64::from(hit.fraction);
                // At the end of the way what is only touched may count.
                let earliest = earliest.or(first(1.0 + 1.2 * TOLERANCE / least).map(|_| 1.0)).expect("a false hit");
                assert!(fraction * length >= earliest * length - tolerance, "{hit:?} before {earliest}");
                let latest = latest.unwrap_or(1.0);
                assert!(fraction * length <= latest * length + tolerance, "{hit:?} after {latest}");
            }
        }
    }
    Some(())
}

/// Sliding and bouncing end outside of what they began outside of.
pub fn sliding(scene: &Scene, bytes: &mut Bytes) -> Option<()> {
    let center = bytes.place_at(&scene.triangles)?;
    let (radii, displacement) = (radii(bytes)?, bytes.vector()?);
    let restitution = if bytes.byte()? % 2 == 0 { None } else { bytes.length() };
    let slide = Slide { restitution, ..Slide::new(center, radii, displacement) };
    let ends = scene.ask_each_mode(|tree| {
        let mut contacts = Vec::new();
        let end = tree.slide(&slide, &mut contacts);
        assert!(contacts.iter().all(|contact| scene.usable.binary_search(&contact.triangle).is_ok()), "{contacts:?}");
        (!end.is_nan()).then_some(end)
    });
    if !is_comparable(scene, center, radii, displacement) {
        return Some(());
    }
    let radii = radii.as_dvec3();
    let nearest_to = |center: Vec3| {
        let units = scene.usable.iter().map(|&n| corners(scene, n).map(|corner| (corner - center.as_dvec3()) / radii));
        units.map(|unit| contact::distance(DVec3::ZERO, unit)).fold(f64::INFINITY, f64::min)
    };
    let slack = 1e-3 / radii.min_element();
    if nearest_to(center) > 1.0 {
        for end in ends {
            let nearest = nearest_to(end.expect("finite numbers stay finite"));
            assert!(nearest > 1.0 - slack, "overlaps at the end: {nearest}");
        }
    }
    Some(())
}
