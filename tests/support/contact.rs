//! Distances and contact times in f64 by the regions of the triangle's plane (Ericson, "Real-Time Collision Detection",
//! 5.1.5) and by halving: the distance of a moving centre to a triangle is convex in time.

use glam::{DVec3, Vec3};

/// The point of a triangle nearest to `point`.
pub fn closest(point: DVec3, [a, b, c]: [DVec3; 3]) -> DVec3 {
    let edges = [on_segment(point, a, b), on_segment(point, b, c), on_segment(point, c, a)];
    let by_distance = |p: &DVec3, q: &DVec3| p.distance_squared(point).total_cmp(&q.distance_squared(point));
    let on_edge = edges.into_iter().min_by(by_distance).unwrap();
    let (ab, ac, ap) = (b - a, c - a, point - a);
    let normal = ab.cross(ac);
    let area = normal.length_squared();
    // The plane of what is nearly a line is noise; its edges are as near.
    if area > 1e-24 * ab.length_squared() * ac.length_squared() {
        let weights = |from: DVec3| (from.cross(ac).dot(normal) / area, ab.cross(from).dot(normal) / area);
        let (v, w) = weights(ap);
        if v >= 0.0 && w >= 0.0 && v + w <= 1.0 {
            // From there once more: what is left is short, and rounds less.
            let near = a + ab * v + ac * w;
            let (v, w) = weights(point - near);
            return [near + ab * v + ac * w, on_edge].into_iter().min_by(by_distance).unwrap();
        }
    }
    on_edge
}

fn on_segment(point: DVec3, from: DVec3, to: DVec3) -> DVec3 {
    let along = to - from;
    let length = along.length_squared();
    if length == 0.0 { from } else { from + along * ((point - from).dot(along) / length).clamp(0.0, 1.0) }
}

/// A triangle in the space in which the ellipsoid is the unit sphere around the origin.
pub fn to_unit(triangle: &[Vec3; 3], center: DVec3, radii: DVec3) -> [DVec3; 3] {
    triangle.map(|corner| (corner.as_dvec3() - center) / radii)
}

pub fn distance(point: DVec3, triangle: [DVec3; 3]) -> f64 {
    point.distance(closest(point, triangle))
}

/// The first time in [0, 1] at which the distance of a centre that moves from the origin along `way` is at most `radius`.
pub fn time(way: DVec3, triangle: [DVec3; 3], radius: f64) -> Option<f64> {
    time_until(1.0, way, triangle, radius)
}

/// [`time`], in [0, `end`].
pub fn time_until(end: f64, way: DVec3, triangle: [DVec3; 3], radius: f64) -> Option<f64> {
    // Distance, and how fast it grows. The tangent at any time lies below it.
    let at = |time: f64| {
        let center = way * time;
        let offset = center - closest(center, triangle);
        let distance = offset.length();
        (distance, if distance > 0.0 { offset.dot(way) / distance } else { 0.0 })
    };
    let (mut low, mut at_low) = (0.0, at(0.0));
    if at_low.0 <= radius {
        return Some(0.0);
    }
    if at_low.0 - way.length() * end > radius {
        return None;
    }
    let (mut high, mut at_high) = (end, at(end));
    // Towards the least distance by halving, until something is met or nothing can be.
    while at_high.0 > radius {
        let (before, after) = (at_low.0 + at_low.1 * (high - low), at_high.0 - at_high.1 * (high - low));
        let middle = 0.5 * (low + high);
        if at_high.1 <= 0.0 || before.max(after) > radius || middle <= low || middle >= high {
            return None;
        }
        let at_middle = at(middle);
        if at_middle.0 <= radius || at_middle.1 >= 0.0 {
            (high, at_high) = (middle, at_middle);
        } else {
            (low, at_low) = (middle, at_middle);
        }
    }
    let (mut clear, mut met) = (0.0, high);
    for _ in 0..80 {
        let middle = 0.5 * (clear + met);
        if at(middle).0 <= radius { met = middle } else { clear = middle }
    }
    Some(met)
}

/// The same by conservative advancement: on by what is certainly free, until the rest is less than `close`. As slow as it is
/// plain where a body grazes.
pub fn time_by_advancement(way: DVec3, triangle: [DVec3; 3], radius: f64, close: f64) -> Option<f64> {
    let mut time = 0.0;
    while time <= 1.0 {
        let gap = distance(way * time, triangle) - radius;
        if gap <= close {
            return Some(time);
        }
        time += gap / way.length();
    }
    None
}
