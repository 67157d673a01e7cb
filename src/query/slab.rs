//! Something that moves straight against eight boxes at once.
//!
//! Source: Kay and Kajiya, "Ray Tracing Complex Scenes", 1986; the padding is that of Ize, "Robust BVH Ray Traversal", JCGT
//! 2013.

use glam::Vec3;

use crate::geometry::{FAR_PADDING, NEAR_PADDING};
use crate::simd::Lanes;
use crate::tree::{Boxes, extents};

/// A box that moves along a line: the boxes that it meets are those that a point meets once they are grown by the moving box.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slab<'a> {
    /// Centre less half size, and centre with half size, rounded down and up.
    pub below: &'a Vec3,
    pub above: &'a Vec3,
    /// 1 over the speed along each axis, infinity (not minus infinity) where there is none. NaN cannot rule out a box.
    pub inverse: &'a Vec3,
}

impl Slab<'_> {
    /// When it enters each of eight boxes, rounded down, and which of them it enters up to `limit`. A box touched is entered.
    #[inline(always)]
    pub fn enter<L: Lanes>(&self, boxes: &Boxes, limit: f32) -> (L, u32) {
        self.enter_extents(extents(boxes), limit)
    }

    /// The same for boxes given by the least and greatest of each axis.
    #[inline(always)]
    pub fn enter_extents<L: Lanes>(&self, [x, y, z]: [(L, L); 3], limit: f32) -> (L, u32) {
        let Slab { below, above, inverse } = self;
        let span = (L::splat(0.0), L::splat(limit));
        let span = narrow(x, (below.x, above.x), inverse.x, span);
        let span = narrow(y, (below.y, above.y), inverse.y, span);
        entered(narrow(z, (below.z, above.z), inverse.z, span))
    }
}

/// Narrows a span of time to that between two planes.
///
/// Where there is no motion an offset of 0 gives NaN, which the order of minimum and maximum here lets change nothing: the point
/// is between the planes. Any other gives an infinity that rules out the box or nothing.
#[inline(always)]
fn narrow<L: Lanes>(
    (least, greatest): (L, L),
    (below, above): (f32, f32),
    inverse: f32,
    (near, far): (L, L),
) -> (L, L) {
    let inverse = L::splat(inverse);
    let to_least = (least - L::splat(above)) * inverse;
    let to_greatest = (greatest - L::splat(below)) * inverse;
    (to_greatest.min(to_least).max(near), to_least.max(to_greatest).min(far))
}

#[inline(always)]
fn entered<L: Lanes>((near, far): (L, L)) -> (L, u32) {
    (near * L::splat(NEAR_PADDING), L::bits(near.at_most(far * L::splat(FAR_PADDING))))
}
