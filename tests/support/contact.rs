//! Distances and contact times in f64 by the regions of the triangle's plane (Ericson, "Real-Time Collision Detection",
//! 5.1.5) and by halving: the distance of a moving centre to a triangle is convex in time.

use glam::{DVec3, Vec3};

/// The point of a triangle nearest to `point`.
pub fn closest(point: DVec3, [a, b, c]: [DVec3; 3]) -> DVec3 {
    let edges = [on_segment(point, a, b), on_segment(point, b, c), on_segment(point, c, a)];
    let by_distance = |p: &DVec3, q: &DVec3| p.distance_squared(point).total_cmp(&q.distance_squared(point));
    let on_edge = edges.into_iter().min_by(by_distance).unwrap();
    let (ab, ac, ap) = (b - a, c - a, point - a);
    let (d00, d01, d11, d20, d21) = (ab.dot(ab), ab.dot(ac), ac.dot(ac), ap.dot(ab), ap.dot(ac));
    let area = d00 * d11 - d01 * d01;
    let (v, w) = ((d11 * d20 - d01 * d21) / area, (d00 * d21 - d01 * d20) / area);
    // A needle's plane is noise; its edges are as near.
    if area > 1e-14 * d00 * d11 && v >= 0.0 && w >= 0.0 && v + w <= 1.0 {
        let on_face = a + ab * v + ac * w;
        return [on_face, on_edge].into_iter().min_by(by_distance).unwrap();
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
    let at = |time: f64| distance(way * time, triangle);
    if at(0.0) <= radius {
        return Some(0.0);
    }
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..120 {
        let (one, other) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
        if at(one) <= at(other) { high = other } else { low = one }
    }
    let nearest = if at(1.0) <= at(high) { 1.0 } else { high };
    if at(nearest) > radius {
        return None;
    }
    let (mut clear, mut met) = (0.0, nearest);
    for _ in 0..80 {
        let middle = 0.5 * (clear + met);
        if at(middle) <= radius { met = middle } else { clear = middle }
    }
    Some(met)
}
