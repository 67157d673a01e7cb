//! An ellipsoid at rest against eight boxes at once.

use glam::{DVec3, Vec3};

use super::Solids;
use super::sweep_filter::SweepFilter;
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

    /// The squared distances of eight boxes, and which are at most `limit`.
    #[inline(always)]
    fn boxes<L: Lanes>(&self, boxes: &Boxes, limit: f32) -> (L, u32) {
        let distances: L = self.squared_distances(extents(boxes));
        (distances, L::bits(distances.at_most(L::splat(limit))))
    }

    /// The same of the boxes of eight triangles.
    #[inline(always)]
    fn triangles<L: Lanes>(&self, packet: &Packet, limit: f32) -> (L, u32) {
        let distances: L = self.squared_distances(packet.extents());
        (distances, L::bits(distances.at_most(L::splat(limit))))
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

    /// Hands the place and the corners of each triangle within `reach` of `body`, and of few others, to `found`, in the order
    /// in which [`Solids::visit_near`] does.
    pub(crate) fn visit_within(&self, body: &UnitSpace, reach: f64, found: impl FnMut(usize, &[Vec3; 3])) {
        self.ask(|| Within { body, reach, ball: Ball::new(body), filter: None, found }, |_| ());
    }
}

/// The square of a length as [`Ball`] compares it, rounded up; where squares underflow, by more than they lose there.
fn squared(length: f64) -> f32 {
    if length < 0.0 { -1.0 } else { round_up(length * length) + f32::MIN_POSITIVE }
}

/// So many triangles of a packet take longer one by one than all at once.
const WORTHWHILE: u32 = 2;

/// What is near a body and as far as lanes can tell within reach of it.
struct Within<'a, F> {
    body: &'a UnitSpace,
    reach: f64,
    ball: Ball,
    /// Made where a packet is worth it.
    filter: Option<SweepFilter>,
    found: F,
}

impl<F: FnMut(usize, &[Vec3; 3])> Question for Within<'_, F> {
    #[inline(always)]
    fn limit(&self) -> f32 {
        squared(self.reach)
    }

    #[inline(always)]
    fn boxes<L: Lanes>(&mut self, boxes: &Boxes, limit: f32) -> (L, u32) {
        self.ball.boxes(boxes, limit)
    }

    #[inline(always)]
    fn packet<L: Lanes>(&mut self, packet: &Packet, first: usize, filled: u32, limit: f32) -> f32 {
        let (_, near) = self.ball.triangles::<L>(packet, limit);
        let mut near = near & filled;
        if near.count_ones() >= WORTHWHILE {
            let grown = || UnitSpace { radii: self.body.radii * self.reach, ..*self.body };
            let filter = self.filter.get_or_insert_with(|| SweepFilter::new(&grown(), DVec3::ZERO));
            near = filter.touched::<L>(packet, near);
        }
        for lane in lanes_in(near) {
            (self.found)(first + lane, &packet.triangle(lane));
        }
        limit
    }
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
        self.ball.boxes(boxes, limit)
    }

    #[inline(always)]
    fn packet<L: Lanes>(&mut self, packet: &Packet, first: usize, filled: u32, limit: f32) -> f32 {
        let (distances, near) = self.ball.triangles::<L>(packet, limit);
        let distances = distances.store();
        let mut limit = limit;
        for lane in lanes_in(near & filled) {
            if distances[lane] <= limit {
                limit = squared((self.found)(first + lane, &packet.triangle(lane)));
            }
        }
        limit
    }
}
