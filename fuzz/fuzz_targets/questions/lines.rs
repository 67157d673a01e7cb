//! Rays, segments and heights against exact arithmetic.

use glam::{DVec3, Vec3};
use nodetree::geometry::Ray;
use nodetree::query::{Faces, Which};

use super::Scene;
use super::bytes::Bytes;
use super::support::brute::{self, Crossing};

/// Distances are f32, rounded from f64 that knows them well where the ray is not nearly in the triangle's plane.
const ROUNDING: f64 = 2.0 * f32::EPSILON as f64;
/// Metres that no program tells apart: products of such lengths are below f32.
const LEAST: f64 = 1e-30;

/// How far the distance of a crossing may be from the exact one; `reach` is that of the farthest corner.
fn slack(crossing: &Crossing, reach: f64) -> f64 {
    LEAST + ROUNDING * crossing.distance + 1e-12 * reach / crossing.sine.max(1e-300)
}

/// The exact crossings of the sides that count.
fn crossings(scene: &Scene, origin: DVec3, direction: DVec3, faces: Faces) -> Vec<Crossing> {
    let mut found = Vec::new();
    for &number in &scene.usable {
        let crossed = brute::crossings(&[scene.triangles[number as usize]], origin, direction);
        found.extend(crossed.into_iter().map(|crossing| Crossing { triangle: number, ..crossing }));
    }
    found.retain(|crossing| faces.admit(crossing.front));
    found.sort_by(|a, b| a.distance.total_cmp(&b.distance));
    found
}

fn reach(scene: &Scene, origin: DVec3) -> f64 {
    let corners = scene.usable.iter().flat_map(|&number| scene.triangles[number as usize]);
    corners.map(|corner| corner.as_dvec3().distance(origin)).fold(0.0, f64::max)
}

/// The nearest hit, any hit and all hits.
pub fn ray(scene: &Scene, bytes: &mut Bytes) -> Option<()> {
    let origin = bytes.place_at(&scene.triangles)?;
    let direction = match bytes.byte()? % 3 {
        0 => bytes.vector()?,
        1 => bytes.place_at(&scene.triangles)? - origin,
        _ => Vec3::AXES[usize::from(bytes.byte()? % 3)] * bytes.vector()?,
    };
    let (faces, limit) = (bytes.faces()?, bytes.limit()?);
    let Ok(ray) = Ray::new(origin, direction) else { return Some(()) };
    let hit = scene.ask(|tree| tree.ray(&ray, limit, faces));
    let any = scene.ask(|tree| tree.any_hit(&ray, limit, faces));
    let hits = scene.ask(|tree| {
        let mut hits = Vec::new();
        tree.all_hits(&ray, limit, faces, &mut hits);
        hits
    });
    assert_eq!((any, hits.is_empty()), (hit.is_some(), hit.is_none()));
    if limit.is_nan() || limit < 0.0 {
        assert_eq!(hit, None);
        return Some(());
    }
    let (origin, direction) = (origin.as_dvec3(), direction.as_dvec3());
    let truth = crossings(scene, origin, direction, faces);
    let reach = reach(scene, origin);
    let limit = f64::from(limit);
    let slack = |crossing: &Crossing| slack(crossing, reach);
    let first_certain =
        truth.iter().find(|crossing| limit == f64::INFINITY || crossing.distance + slack(crossing) < limit);
    assert!(hit.is_some() || first_certain.is_none(), "missed {first_certain:?}");
    for hit in hits.iter().chain(&hit) {
        let same = truth.iter().find(|crossing| crossing.triangle == hit.triangle).expect("hit what is not there");
        let distance = f64::from(hit.distance);
        assert!(distance <= limit && hit.front == same.front, "{hit:?} {same:?}");
        assert!((distance - same.distance).abs() <= slack(same) || distance == f64::INFINITY, "{hit:?} {same:?}");
        let weights = [1.0 - hit.u - hit.v, hit.u, hit.v];
        assert!(weights.into_iter().all(|weight| (-1e-6..=1.000_001).contains(&weight)), "{hit:?}");
    }
    if let Some(hit) = hit {
        let same = truth.iter().find(|crossing| crossing.triangle == hit.triangle)?;
        // Where f64 knows the distance to the last place of f32, the hit is there up to its own distance.
        if slack(same) <= LEAST + 1.5 * ROUNDING * same.distance && same.distance > 1e3 * LEAST {
            assert_eq!(scene.ask(|tree| tree.ray(&ray, hit.distance, faces)), Some(hit), "at its own limit");
        }
        let first = &truth[0];
        // Beyond f32 all are at one distance.
        let behind = if hit.distance == f32::INFINITY { 0.0 } else { same.distance - first.distance };
        assert!(behind <= slack(same) + slack(first) + 2.0 * ROUNDING * first.distance, "{hit:?} behind {first:?}");
        // A front up to four places behind the nearest comes before it; where that ends is rounded to a place itself.
        assert!(
            (hits[0].distance - hit.distance).abs() <= 5.0 * f32::EPSILON * hit.distance
                || hit.distance == f32::INFINITY,
            "{hit:?} {hits:?}"
        );
    }
    assert!(hits.is_sorted_by(|a, b| a.distance <= b.distance), "{hits:?}");
    // Each crossing is listed, or lies at the distance of one that is.
    for crossing in truth.iter().filter(|crossing| crossing.distance + slack(crossing) < limit) {
        let is_near = |listed: &Crossing| {
            let apart = (listed.distance - crossing.distance).abs();
            apart <= slack(listed) + slack(crossing) + 2.0 * ROUNDING * crossing.distance
        };
        let is_listed = |other: &Crossing| hits.iter().any(|hit| hit.triangle == other.triangle);
        assert!(truth.iter().any(|other| is_listed(other) && is_near(other)), "{crossing:?} is not among {hits:?}");
    }
    Some(())
}

/// What lies between two points.
pub fn segment(scene: &Scene, bytes: &mut Bytes) -> Option<()> {
    let (from, to) = (bytes.place_at(&scene.triangles)?, bytes.place_at(&scene.triangles)?);
    let answer = scene.ask(|tree| tree.segment(from, to));
    if !from.is_finite() || !to.is_finite() {
        assert_eq!(answer, None);
        return Some(());
    }
    let (from, to) = (from.as_dvec3(), to.as_dvec3());
    let length = from.distance(to);
    if length == 0.0 || length > f64::from(f32::MAX) {
        return Some(());
    }
    let truth = crossings(scene, from, to - from, Faces::Both);
    let reach = reach(scene, from);
    let certain = truth.iter().find(|crossing| crossing.distance + slack(crossing, reach) < length);
    match answer {
        None => assert_eq!(certain, None, "missed"),
        Some(distance) => {
            let distance = f64::from(distance);
            assert!(distance <= length * (1.0 + ROUNDING) + LEAST, "{distance} of {length}");
            let is_first = |c: &Crossing| (c.distance - distance).abs() <= slack(c, reach);
            assert!(truth.iter().any(is_first), "{distance} {truth:?}");
            let slack_before = |c: &Crossing| slack(c, reach) + 2.0 * ROUNDING * c.distance;
            assert!(certain.is_none_or(|c| distance <= c.distance + slack_before(c)), "{distance} {certain:?}");
        }
    }
    Some(())
}

/// A height, and how far f64 may be off: a triangle seen nearly from its edge has any height between its corners'.
struct Height {
    exact: f64,
    slack: f64,
}

fn heights(scene: &Scene, x: f32, z: f32) -> Vec<Height> {
    let mut found = Vec::new();
    for &number in &scene.usable {
        let corners = scene.triangles[number as usize];
        for exact in brute::heights(&[corners], x, z) {
            let [a, b, c] = corners.map(|corner| corner.as_dvec3() - DVec3::new(f64::from(x), 0.0, f64::from(z)));
            let products = |i: DVec3, j: DVec3| (i.z * j.x).abs() + (i.x * j.z).abs();
            let doubt = 64.0 * f64::EPSILON * (products(a, b) + products(b, c) + products(c, a));
            let area = (b - a).z * (c - a).x - (b - a).x * (c - a).z;
            let range = a.y.max(b.y).max(c.y) - a.y.min(b.y).min(c.y);
            let size = a.y.abs().max(b.y.abs()).max(c.y.abs());
            let slack = LEAST + ROUNDING * exact.abs() + 1e-14 * size + (doubt / area.abs() * range).min(range);
            found.push(Height { exact, slack });
        }
    }
    found
}

/// Below, above, closest and all.
pub fn height(scene: &Scene, bytes: &mut Bytes) -> Option<()> {
    let point = bytes.place_at(&scene.triangles)?;
    let snap = if bytes.byte()? % 2 == 0 { 0.0 } else { bytes.length()? };
    let ask = |which| scene.ask(|tree| tree.height(point, which, snap));
    let [below, above, closest] = [Which::Below, Which::Above, Which::Closest].map(ask);
    let all = scene.ask(|tree| {
        let mut heights = Vec::new();
        tree.heights(point.x, point.z, &mut heights);
        heights
    });
    if !point.is_finite() || snap.is_nan() || snap < 0.0 {
        assert_eq!([below, above, closest], [None; 3]);
        return Some(());
    }
    let (y, snap) = (f64::from(point.y), f64::from(snap));
    let mut truth = heights(scene, point.x, point.z);
    // Which of two is nearer to the point is for f64 to tell.
    truth.iter_mut().for_each(|height| height.slack += 2.0 * f64::EPSILON * (y.abs() + snap));
    for height in all.iter().chain(&below).chain(&above).chain(&closest) {
        let is_there = |t: &Height| (f64::from(*height) - t.exact).abs() <= t.slack;
        assert!(truth.iter().any(is_there), "{height} is not there");
    }
    for t in &truth {
        let (low, high) = (t.exact - t.slack, t.exact + t.slack);
        if high <= y + snap {
            let below = below.expect("a height below");
            assert!(f64::from(below) >= low, "{below} not {}", t.exact);
        }
        if low >= y - snap {
            let above = above.expect("a height above");
            assert!(f64::from(above) <= high, "{above} not {}", t.exact);
        }
        let closest = f64::from(closest.expect("a height"));
        assert!((closest - y).abs() <= (t.exact - y).abs() + t.slack, "{closest} not {}", t.exact);
        let same = t.slack + 1e-5_f64.max(ROUNDING * t.exact.abs());
        let is_near = |&listed: &f32| (f64::from(listed) - t.exact).abs() <= same;
        assert!(all.iter().any(is_near), "{} is not among {all:?}", t.exact);
    }
    assert!(below.is_none_or(|below| f64::from(below) <= y + snap));
    assert!(above.is_none_or(|above| f64::from(above) >= y - snap));
    assert!(all.is_sorted_by(|a, b| a > b), "{all:?}");
    Some(())
}
