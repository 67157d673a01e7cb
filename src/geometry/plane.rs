//! Planes: which side of one a point, a ball or a segment is on.
//!
//! Sides are decided exactly for the numbers given. A point of f32 coordinates seldom lies exactly on a plane, so a side says
//! [`Side::Across`] for a point only where it does.

use glam::{DVec3, Vec3, Vec4};

use super::exact;

/// The half space `normal · p + distance >= 0`. The normal is of unit length and points inwards.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plane {
    /// Unit normal, towards the inside. One of another length scales every distance.
    pub normal: Vec3,
    /// Signed distance of the world origin from the plane, in metres.
    pub distance: f32,
}

/// On which side of a plane something is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// All of it is behind, on the side that the normal points away from.
    Back,
    /// It shares a point with the plane; touching counts.
    Across,
    /// All of it is in front, on the side that the normal points to.
    Front,
}

/// Where a segment meets a plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlaneCrossing {
    /// How far along the segment, 0 at its first end to 1 at its second.
    pub fraction: f32,
    /// The point that they share.
    pub point: Vec3,
}

impl Plane {
    /// The plane `coefficients.xyz · p + coefficients.w >= 0`, normalised. `None` when the normal vanishes or nothing is
    /// finite: there is no such plane.
    pub fn from_coefficients(coefficients: Vec4) -> Option<Plane> {
        let [x, y, z, w] = coefficients.to_array().map(f64::from);
        let length = (x * x + y * y + z * z).sqrt();
        // Against the size of the whole row, a normal of rounding noise is no normal.
        if !(length > 1e-12 * w.abs() && length > 0.0 && length.is_finite() && w.is_finite()) {
            return None;
        }
        let normal = Vec3::new((x / length) as f32, (y / length) as f32, (z / length) as f32);
        Some(Plane { normal, distance: (w / length) as f32 })
    }

    /// Signed distance of `point` in metres, positive in front; computed in f64 and rounded once. NaN when a number is not
    /// finite. A dot product.
    pub fn signed_distance(&self, point: Vec3) -> f32 {
        self.exactly(point, 0.0) as f32
    }

    /// [`Plane::signed_distance`] in f32, whose rounding culling allows for.
    #[inline]
    pub(crate) fn rough_distance(&self, point: Vec3) -> f32 {
        self.normal.dot(point) + self.distance
    }

    /// Which side a point is on, exactly. Across when a number is not finite, for then nothing rules that out. A dot
    /// product, save in the rare case that rounding leaves open.
    pub fn side_of_point(&self, point: Vec3) -> Side {
        self.side_of_sphere(point, 0.0)
    }

    /// Which side the closed ball around `center` of `radius` metres is on, exactly: one that only touches the plane is
    /// across. A radius below 0 counts as 0. Across when a number is not finite, for then nothing rules that out. Two dot
    /// products, save in the rare case that rounding leaves open.
    pub fn side_of_sphere(&self, center: Vec3, radius: f32) -> Side {
        let radius = at_least_0(radius);
        if self.exactly(center, -radius) > 0.0 {
            Side::Front
        } else if self.exactly(center, radius) < 0.0 {
            Side::Back
        } else {
            Side::Across
        }
    }

    /// Signed distance in metres from the plane to the nearest point of the closed ball around `center`: positive in front,
    /// negative behind, 0 where they share a point. A radius below 0 counts as 0. 0 too when a number is not finite; see
    /// [`Plane::side_of_sphere`], which this never contradicts.
    pub fn distance_to_sphere(&self, center: Vec3, radius: f32) -> f32 {
        let radius = at_least_0(radius);
        match self.side_of_sphere(center, radius) {
            Side::Front => self.exactly(center, -radius) as f32,
            Side::Back => self.exactly(center, radius) as f32,
            Side::Across => 0.0,
        }
    }

    /// Where the closed segment between `ends` first meets the plane; an end on the plane is met. A segment in the plane is
    /// met at its first end, and so is one of length 0 that lies on it. `None` when the ends are on one side, which is
    /// decided exactly, and when a number is not finite. The fraction and the point are computed in f64 and rounded once.
    pub fn meet_segment(&self, ends: [Vec3; 2]) -> Option<PlaneCrossing> {
        let [from, to] = ends.map(|end| self.exactly(end, 0.0));
        if from == 0.0 {
            return to.is_finite().then_some(PlaneCrossing { fraction: 0.0, point: ends[0] });
        }
        if to == 0.0 {
            return from.is_finite().then_some(PlaneCrossing { fraction: 1.0, point: ends[1] });
        }
        // False for what is not a number as well.
        let crosses = (from < 0.0 && to > 0.0) || (from > 0.0 && to < 0.0);
        crosses.then(|| {
            let fraction = from / (from - to);
            let point = ends[0].as_dvec3().lerp(ends[1].as_dvec3(), fraction);
            PlaneCrossing { fraction: fraction as f32, point: point.as_vec3() }
        })
    }

    /// Signed distance of `point` plus `shift`; its sign is exact. NaN when a number is not finite.
    fn exactly(&self, point: Vec3, shift: f32) -> f64 {
        // The products of two f32 are exact in f64.
        let DVec3 { x, y, z } = self.normal.as_dvec3() * point.as_dvec3();
        exact::sum([x, y, z, f64::from(self.distance), f64::from(shift)])
    }
}

/// `f32::max` would make a NaN 0, and so a point of what is no ball.
fn at_least_0(radius: f32) -> f32 {
    if radius < 0.0 { 0.0 } else { radius }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// X = 2, inside towards +X.
    const WALL: Plane = Plane { normal: Vec3::X, distance: -2.0 };

    #[test]
    fn a_ball_is_in_front_behind_or_across_and_touching_is_across() {
        for (x, radius, side, distance) in [
            (5.0, 1.0, Side::Front, 2.0),
            (3.0, 1.0, Side::Across, 0.0),
            (2.5, 1.0, Side::Across, 0.0),
            (1.0, 1.0, Side::Across, 0.0),
            (-2.0, 1.0, Side::Back, -3.0),
            (2.0, 0.0, Side::Across, 0.0),
            (3.0, -1.0, Side::Front, 1.0),
        ] {
            let center = Vec3::new(x, 7.0, -7.0);
            assert_eq!(WALL.side_of_sphere(center, radius), side, "{x} {radius}");
            assert_eq!(WALL.distance_to_sphere(center, radius), distance, "{x} {radius}");
        }
        assert_eq!(WALL.signed_distance(Vec3::new(-1.0, 3.0, 3.0)), -3.0);
    }

    #[test]
    fn a_side_that_f64_cannot_tell_is_told() {
        // 1e30 - 1e30 + 1e-30: summed in f64 in this order, the last is lost beside the first.
        let slanted = Plane { normal: Vec3::ONE, distance: 1e-30 };
        assert_eq!(slanted.side_of_point(Vec3::new(1e30, 0.0, -1e30)), Side::Front);
        let less = Plane { distance: -1e-30, ..slanted };
        assert_eq!(less.side_of_point(Vec3::new(1e30, 0.0, -1e30)), Side::Back);
        assert_eq!(slanted.side_of_sphere(Vec3::new(1e30, 0.0, -1e30), 1e-30), Side::Across);
    }

    #[test]
    fn a_segment_meets_a_plane_at_its_ends_and_between() {
        let at = |from: f32, to: f32| WALL.meet_segment([Vec3::new(from, 1.0, 0.0), Vec3::new(to, 3.0, 0.0)]);
        let crossing = |fraction, x, y| Some(PlaneCrossing { fraction, point: Vec3::new(x, y, 0.0) });
        assert_eq!(at(0.0, 8.0), crossing(0.25, 2.0, 1.5));
        assert_eq!(at(8.0, 0.0), crossing(0.75, 2.0, 2.5));
        assert_eq!(at(2.0, 8.0), crossing(0.0, 2.0, 1.0));
        assert_eq!(at(0.0, 2.0), crossing(1.0, 2.0, 3.0));
        assert_eq!(at(2.0, 2.0), crossing(0.0, 2.0, 1.0), "a segment in the plane");
        assert_eq!(at(2.0_f32.next_up(), 8.0), None);
        assert_eq!(at(-1.0, 2.0_f32.next_down()), None);
        assert_eq!(WALL.meet_segment([Vec3::X * 2.0; 2]).map(|crossing| crossing.fraction), Some(0.0));
        assert_eq!(WALL.meet_segment([Vec3::X; 2]), None);
    }

    #[test]
    fn what_is_no_number_meets_nothing_and_rules_nothing_out() {
        for bad in [Vec3::NAN, Vec3::new(f32::NAN, 0.0, 0.0), Vec3::new(0.0, f32::INFINITY, 0.0)] {
            assert_eq!(WALL.side_of_point(bad), Side::Across, "{bad}");
            assert_eq!(WALL.distance_to_sphere(bad, 1.0), 0.0, "{bad}");
            assert!(WALL.signed_distance(bad).is_nan(), "{bad}");
            for other in [Vec3::ZERO, Vec3::X * 2.0, Vec3::X * 5.0] {
                assert_eq!(WALL.meet_segment([bad, other]), None, "{bad}");
                assert_eq!(WALL.meet_segment([other, bad]), None, "{bad}");
            }
        }
        for radius in [f32::INFINITY, f32::NAN] {
            assert_eq!(WALL.side_of_sphere(Vec3::X * 9.0, radius), Side::Across, "{radius}");
            assert_eq!(WALL.distance_to_sphere(Vec3::X * 9.0, radius), 0.0, "{radius}");
        }
    }
}
