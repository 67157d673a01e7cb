//! An upright body against triangles, in f64 and without nodetree's code.

use glam::{DVec3, Vec3};
use nodetree::geometry::Aabb;

use crate::support::contact;

/// All points within a radius of an upright line, in a space in which each axis is measured in a unit of its own.
#[derive(Clone, Copy, Debug)]
pub struct Body {
    /// Metres of that unit along X, Y and Z.
    unit: DVec3,
    /// Half the length of the line, in that unit.
    spine: f64,
    /// In that unit.
    radius: f64,
}

impl Body {
    /// An ellipsoid: a ball around one point, in units of its radii.
    pub const fn ellipsoid(radius: f64, height: f64) -> Body {
        Body { unit: DVec3::new(radius, 0.5 * height, radius), spine: 0.0, radius: 1.0 }
    }

    /// A capsule, both caps part of its height. In metres.
    pub const fn capsule(radius: f64, height: f64) -> Body {
        Body { unit: DVec3::ONE, spine: 0.5 * height - radius, radius }
    }

    /// One that reaches farther by so many metres, on the axes at least.
    pub fn grown(self, metres: f64) -> Body {
        match self.spine {
            0.0 => Body { unit: self.unit + metres / self.radius, ..self },
            _ => Body { radius: self.radius + metres / self.unit.x, ..self },
        }
    }

    /// From the centre to the sides of its box, in metres.
    pub fn half_size(&self) -> DVec3 {
        self.unit * DVec3::new(self.radius, self.spine + self.radius, self.radius)
    }

    fn to_unit(self, triangle: &[Vec3; 3], center: DVec3) -> [DVec3; 3] {
        contact::to_unit(triangle, center, self.unit)
    }

    /// Metres between the body and a triangle, measured along the normal of the body at the place nearest to it; below 0 in
    /// an overlap, where it bounds how far the body would have to move.
    pub fn gap(&self, center: DVec3, triangle: &[Vec3; 3]) -> f64 {
        let (_, way) = from_spine(self.spine, self.to_unit(triangle, center));
        let distance = way.length();
        let reach =
            if distance > 0.0 { distance / (way / self.unit).length() } else { self.radius * self.unit.max_element() };
        (distance - self.radius) * reach
    }

    /// The height of a triangle's point that is nearest to the body.
    pub fn nearest_height(&self, center: DVec3, triangle: &[Vec3; 3]) -> f64 {
        let (height, way) = from_spine(self.spine, self.to_unit(triangle, center));
        center.y + self.unit.y * (height + way.y)
    }

    /// How much of a straight way is free of the triangles, 0 to 1. In steps that are safe (conservative advancement), and
    /// never through what the body only just clears.
    pub fn free<'a>(&self, center: DVec3, way: DVec3, triangles: impl Iterator<Item = &'a [Vec3; 3]>) -> f64 {
        /// The gap that ends a way, in units, and the steps after which a graze does.
        const CLOSE: f64 = 1e-4;
        const STEPS: usize = 200;
        let length = (way / self.unit).length();
        let mut end = 1.0;
        for triangle in triangles {
            let mut time = 0.0;
            for step in 0.. {
                let corners = self.to_unit(triangle, center + way * time);
                let gap = from_spine(self.spine, corners).1.length() - self.radius;
                if gap <= CLOSE || step == STEPS {
                    end = time;
                    break;
                }
                time += gap / length;
                if time >= end {
                    break;
                }
            }
        }
        end
    }
}

/// The shortest way from an upright line around the origin to a triangle, zero where they meet, and the height at which it
/// leaves the line.
fn from_spine(spine: f64, triangle: [DVec3; 3]) -> (f64, DVec3) {
    let from_point = |height: f64| {
        let point = DVec3::Y * height;
        (height, contact::closest(point, triangle) - point)
    };
    if spine == 0.0 {
        return from_point(0.0);
    }
    let [a, b, c] = triangle;
    // Where the line goes through the triangle's plane; if not through the triangle, an end or an edge is nearest.
    let normal = (b - a).cross(c - a);
    let height = a.dot(normal) / normal.y;
    let through = (height.abs() <= spine).then(|| from_point(height));
    let edges = [(a, b), (b, c), (c, a)].map(|(from, to)| to_segment(spine, from, to));
    let ways = [from_point(-spine), from_point(spine)].into_iter().chain(edges).chain(through);
    ways.min_by(|(_, a), (_, b)| a.length_squared().total_cmp(&b.length_squared())).unwrap_or_default()
}

/// The same to a segment.
fn to_segment(spine: f64, from: DVec3, to: DVec3) -> (f64, DVec3) {
    let along = to - from;
    let level = DVec3::new(along.x, 0.0, along.z);
    let nearest_to = |height: f64| (DVec3::Y * height - from).dot(along) / along.length_squared();
    // The segment's points nearest to the line without ends, and to each end of the line, and its own ends: one is nearest.
    let parts = [-from.dot(level) / level.length_squared(), nearest_to(-spine), nearest_to(spine), 0.0, 1.0];
    let ways = parts.into_iter().filter(|part| part.is_finite()).map(|part| {
        let point = from + along * part.clamp(0.0, 1.0);
        let height = point.y.clamp(-spine, spine);
        (height, point - DVec3::Y * height)
    });
    ways.min_by(|(_, a), (_, b)| a.length_squared().total_cmp(&b.length_squared())).unwrap_or_default()
}

/// The triangles whose box touches a box around `from` and `to`, grown by `margin` on each side. In metres.
pub fn near<'a>(
    triangles: impl IntoIterator<Item = &'a [Vec3; 3]>,
    [from, to]: [DVec3; 2],
    margin: DVec3,
) -> impl Iterator<Item = &'a [Vec3; 3]> {
    let around = Aabb::around([from.as_vec3(), to.as_vec3()]).expanded(margin.as_vec3() + 1e-3);
    triangles.into_iter().filter(move |triangle| Aabb::of_triangle(triangle).touches(&around))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::Random;

    const FLOOR: [Vec3; 3] = [Vec3::new(-9.0, 0.0, -9.0), Vec3::new(0.0, 0.0, 9.0), Vec3::new(9.0, 0.0, -9.0)];

    #[test]
    fn bodies_stand_on_a_floor_and_sink_into_it() {
        for body in [Body::ellipsoid(0.35, 1.8), Body::capsule(0.35, 1.8)] {
            for height in [-0.01, 0.0, 0.3] {
                let gap = body.gap(DVec3::Y * (0.9 + height), &FLOOR);
                assert!((gap - height).abs() < 1e-12, "{body:?} {gap}");
            }
            assert_eq!(body.nearest_height(DVec3::Y, &FLOOR), 0.0);
            let free = body.free(DVec3::Y * 1.9, DVec3::new(0.2, -2.0, 0.0), [&FLOOR].into_iter());
            assert!((free - 0.5).abs() < 1e-3 && free < 0.5, "{body:?} {free}");
            assert_eq!(body.free(DVec3::Y, DVec3::X, [&FLOOR].into_iter()), 1.0);
            assert!((body.grown(0.01).half_size() - body.half_size() - 0.01).abs().max_element() < 1e-12);
        }
    }

    #[test]
    fn the_way_from_a_line_is_the_shortest_from_any_of_its_points() {
        let mut random = Random::new(5);
        for _ in 0..2000 {
            let triangle = [(); 3].map(|()| random.vector(2.0).as_dvec3());
            let spine = 0.55;
            let found = from_spine(spine, triangle).1.length();
            let sampled = (0..=2000)
                .map(|i| contact::distance(DVec3::Y * (spine * (f64::from(i) / 1000.0 - 1.0)), triangle))
                .fold(f64::INFINITY, f64::min);
            assert!(found <= sampled + 1e-12 && found > sampled - 1e-3, "{triangle:?}: {found}, {sampled}");
        }
    }
}
