//! Something that moves straight against eight boxes at once.
//!
//! Source: Kay and Kajiya, "Ray Tracing Complex Scenes", 1986; the padding is that of Ize, "Robust BVH Ray Traversal", JCGT
//! 2013.

use glam::Vec3;

use crate::geometry::{FAR_PADDING, NEAR_PADDING};
use crate::simd::Lanes;
use crate::tree::Boxes;

/// A box that moves along a line, as intervals for its centre: the boxes that it meets are those that a point meets once they
/// are grown by the moving box.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slab {
    axes: [Axis; 3],
}

/// The part of a motion along an axis.
#[derive(Clone, Copy, Debug)]
struct Axis {
    /// Which of the six planes of a box is met first, and which last.
    first: usize,
    last: usize,
    /// What is taken from their places: the centre, with the half size.
    first_offset: f32,
    last_offset: f32,
    /// 1 over the speed, infinite where there is none. NaN cannot rule out a box.
    inverse: f32,
}

impl Slab {
    /// A box whose centre and half size lie within `below` (centre less half size, rounded down) and `above`; 1 over its speed
    /// along each axis, infinity (not minus infinity) where there is none.
    #[inline]
    pub fn new(below: Vec3, above: Vec3, inverse: Vec3) -> Slab {
        // Without branches: which way a ray goes is anyone's guess.
        let axis = |axis: usize, below: f32, above: f32, inverse: f32| {
            let (planes, offsets) = ([axis, 3 + axis], [above, below]);
            let (first, last) = if inverse < 0.0 { (1, 0) } else { (0, 1) };
            Axis {
                first: planes[first],
                last: planes[last],
                first_offset: offsets[first],
                last_offset: offsets[last],
                inverse,
            }
        };
        let (x, y, z) = (
            axis(0, below.x, above.x, inverse.x),
            axis(1, below.y, above.y, inverse.y),
            axis(2, below.z, above.z, inverse.z),
        );
        Slab { axes: [x, y, z] }
    }

    /// When it enters each of eight boxes, rounded down, and which of them it enters up to `limit`. A box touched is entered.
    #[inline(always)]
    pub fn enter<L: Lanes>(&self, boxes: &Boxes, limit: f32) -> (L, u32) {
        let [x, y, z] = &self.axes;
        let span = (L::splat(0.0), L::splat(limit));
        let span = x.narrow(L::load(&boxes[x.first]), L::load(&boxes[x.last]), span);
        let span = y.narrow(L::load(&boxes[y.first]), L::load(&boxes[y.last]), span);
        entered(z.narrow(L::load(&boxes[z.first]), L::load(&boxes[z.last]), span))
    }

    /// The same for boxes given by the least and greatest of each axis.
    #[inline(always)]
    pub fn enter_extents<L: Lanes>(&self, extents: [(L, L); 3], limit: f32) -> (L, u32) {
        let [x, y, z] = &self.axes;
        let span = x.narrow_extent(extents[0], (L::splat(0.0), L::splat(limit)));
        entered(z.narrow_extent(extents[2], y.narrow_extent(extents[1], span)))
    }
}

impl Axis {
    #[inline(always)]
    fn narrow_extent<L: Lanes>(&self, (least, greatest): (L, L), span: (L, L)) -> (L, L) {
        if self.first < self.last { self.narrow(least, greatest, span) } else { self.narrow(greatest, least, span) }
    }

    /// Narrows a span of time to that between two planes.
    ///
    /// Where there is no motion an offset of 0 gives NaN, which changes nothing: the point is between the planes. Any other
    /// gives an infinity that rules out the box or nothing.
    #[inline(always)]
    fn narrow<L: Lanes>(&self, first: L, last: L, (near, far): (L, L)) -> (L, L) {
        let inverse = L::splat(self.inverse);
        let first = (first - L::splat(self.first_offset)) * inverse;
        let last = (last - L::splat(self.last_offset)) * inverse;
        (first.max(near), last.min(far))
    }
}

#[inline(always)]
fn entered<L: Lanes>((near, far): (L, L)) -> (L, u32) {
    (near * L::splat(NEAR_PADDING), L::bits(near.at_most(far * L::splat(FAR_PADDING))))
}
