//! An ellipsoid at rest against eight boxes at once.

use glam::Vec3;

use super::Solids;
use crate::geometry::{UnitSpace, round_down, round_up};
use crate::simd::{Lanes, lanes_in};
use crate::tree::{Boxes, Packet, Question, extents};

/// The space in which distances are measured: from a centre, divided by the radii.
#[derive(Clone, Copy, Debug)]
struct Ball {
    below: Vec3,
    above: Vec3,
    inverse_radii: Vec3,
}

/// Distances are lowered by this part of their square for the roundings of their sum.
const PADDING: f32 = 1.0 - 1e-6;

impl Ball {
    pub fn new(body: &UnitSpace) -> Ball {
        let each = |round: fn(f64) -> f32| Vec3::from_array(body.center.to_array().map(round));
        Ball { below: each(round_down), above: each(round_up), inverse_radii: body.radii.recip().as_vec3() }
    }

    /// The square of the distance of each of eight boxes, given by their least and greatest of each axis; rounded down.
    #[inline(always)]
    fn squared_distances<L: Lanes>(&self, extents: [(L, L); 3]) -> L {
        let [x, y, z] = extents;
        let (x, y, z) = (self.offset(0, x), self.offset(1, y), self.offset(2, z));
        (x * x + y * y + z * z) * L::splat(PADDING)
    }

    #[inline(always)]
    fn offset<L: Lanes>(&self, axis: usize, (least, greatest): (L, L)) -> L {
        let before = least - L::splat(self.above[axis]);
        let behind = L::splat(self.below[axis]) - greatest;
        before.max(behind).max(L::splat(0.0)) * L::splat(self.inverse_radii[axis])
    }
}

impl Solids<'_> {
    /// Hands the place and the corners of each triangle whose box is within `reach`, a length in the unit space of `body`, to
    /// `found`, which gives the new reach, never a greater one; a negative one ends it.
    pub(crate) fn visit_near(&self, body: &UnitSpace, reach: f64, found: impl FnMut(usize, &[Vec3; 3]) -> f64) {
        if reach >= 0.0 {
            self.ask(|| Near { ball: Ball::new(body), reach, found }, |_| ());
        }
    }
}

/// The square of a length as [`Ball`] compares it, rounded up; where squares underflow, by more than they lose there.
fn squared(length: f64) -> f32 {
    if length < 0.0 { -1.0 } else { round_up(length * length) + f32::MIN_POSITIVE }
}

struct Near<F> {
    ball: Ball,
    reach: f64,
    found: F,
}

impl<F: FnMut(usize, &[Vec3; 3]) -> f64> Question for Near<F> {
    #[inline(always)]
    fn limit(&self) -> f32 {
        squared(self.reach)
    }

    #[inline(always)]
    fn boxes<L: Lanes>(&mut self, boxes: &Boxes, limit: f32) -> (L, u32) {
        let distances: L = self.ball.squared_distances(extents(boxes));
        (distances, L::bits(distances.at_most(L::splat(limit))))
    }

    #[inline(always)]
    fn packet<L: Lanes>(&mut self, packet: &Packet, first: usize, filled: u32, limit: f32) -> f32 {
        let distances: L = self.ball.squared_distances(packet.extents());
        let mut limit = limit;
        let near = L::bits(distances.at_most(L::splat(limit))) & filled;
        let distances = distances.store();
        for lane in lanes_in(near) {
            if distances[lane] <= limit {
                limit = squared((self.found)(first + lane, &packet.triangle(lane)));
            }
        }
        limit
    }
}
