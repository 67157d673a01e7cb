//! Something that moves straight against eight boxes at once.
//!
//! Source: Kay and Kajiya, "Ray Tracing Complex Scenes", 1986; the padding is that of Ize, "Robust BVH Ray Traversal", JCGT
//! 2013.

use glam::Vec3;

use crate::simd::Lanes;
use crate::tree::{Boxes, extents};

/// A box that moves along a line, as intervals for its centre: the boxes that it meets are those that a point meets once they
/// are grown by the moving box.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slab {
    /// What is taken from the box's least and greatest coordinate of each axis: the centre, with the half size.
    above: Vec3,
    below: Vec3,
    /// 1 over the speed along each axis, infinite where there is none. NaN cannot rule out a box.
    inverse: Vec3,
}

/// Three roundings lie between a box and its entry: of the corner's offset, of the inverse, of their product. Two units in
/// the last place make up for them where near and far are compared; the entry given out is lowered by as much and for its own
/// rounding once more.
const FAR_PADDING: f32 = 1.0 + 2.0 * f32::EPSILON;
const NEAR_PADDING: f32 = 1.0 - 3.0 * f32::EPSILON;

impl Slab {
    /// A box whose centre and half size lie within `below` (centre less half size, rounded down) and `above`.
    pub fn new(below: Vec3, above: Vec3, inverse: Vec3) -> Slab {
        // -0 is no motion either.
        Slab {
            above,
            below,
            inverse: inverse.map(|inverse| if inverse.is_infinite() { f32::INFINITY } else { inverse }),
        }
    }

    /// When it enters each of eight boxes, rounded down, and which of them it enters up to `limit`. A box touched is entered.
    #[inline(always)]
    pub fn enter<L: Lanes>(&self, boxes: &Boxes, limit: f32) -> (L, u32) {
        self.enter_extents(extents(boxes), limit)
    }

    /// The same for boxes given by the least and greatest of each axis.
    #[inline(always)]
    pub fn enter_extents<L: Lanes>(&self, [x, y, z]: [(L, L); 3], limit: f32) -> (L, u32) {
        let between = (L::splat(0.0), L::splat(limit));
        let (near, far) = self.narrow(2, z, self.narrow(1, y, self.narrow(0, x, between)));
        (near * L::splat(NEAR_PADDING), L::bits(near.at_most(far * L::splat(FAR_PADDING))))
    }

    /// Narrows a span of time to that between the two planes of an axis.
    ///
    /// Where there is no motion an offset of 0 gives NaN, which changes nothing: the point is between the planes. Any other
    /// gives an infinity that rules out the box or nothing.
    #[inline(always)]
    fn narrow<L: Lanes>(&self, axis: usize, (least, greatest): (L, L), (near, far): (L, L)) -> (L, L) {
        let inverse = L::splat(self.inverse[axis]);
        let one = (least - L::splat(self.above[axis])) * inverse;
        let other = (greatest - L::splat(self.below[axis])) * inverse;
        let (first, last) = if self.inverse[axis] < 0.0 { (other, one) } else { (one, other) };
        (first.max(near), last.min(far))
    }
}
