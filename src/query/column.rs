//! A vertical line against eight boxes, and against eight triangles, at once: point location in X and Z.

use crate::geometry::UNIT;
use crate::simd::Lanes;
use crate::tree::{Boxes, Packet};

/// The part of a vertical line that counts, and where on it gaps are measured from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Column {
    pub x: f32,
    pub z: f32,
    lowest: f32,
    highest: f32,
    /// Where gaps are measured from, rounded down and up.
    below: f32,
    above: f32,
}

/// Gaps are lowered by this for their rounding.
const PADDING: f32 = 1.0 - 2.0 * f32::EPSILON;

impl Column {
    /// The part from `lowest` to `highest`, with gaps measured from `from`, all rounded to f32 by half a unit in the last place
    /// at most unless they are `exact`.
    #[inline(always)]
    pub fn new(x: f32, z: f32, [lowest, highest]: [f32; 2], from: f32, exact: bool) -> Column {
        if exact {
            Column { x, z, lowest, highest, below: from, above: from }
        } else {
            let (below, above) = (from.next_down(), from.next_up());
            Column { x, z, lowest: lowest.next_down(), highest: highest.next_up(), below, above }
        }
    }

    /// The gap to each of eight boxes, rounded down, and which of them may have a surface on the line with a gap of up to
    /// `limit`.
    #[inline(always)]
    pub fn gaps<L: Lanes>(&self, boxes: &Boxes, limit: f32) -> (L, u32) {
        let [min_x, min_y, min_z, max_x, max_y, max_z] = boxes;
        let (x, z) = (L::splat(self.x), L::splat(self.z));
        let in_x = L::and(L::load(min_x).at_most(x), x.at_most(L::load(max_x)));
        let in_z = L::and(L::load(min_z).at_most(z), z.at_most(L::load(max_z)));
        let (gaps, in_y) = self.vertical_gaps(L::load(min_y), L::load(max_y), limit);
        (gaps, L::bits(L::and(in_y, L::and(in_x, in_z))))
    }

    /// The lanes whose triangle may have a surface on the line with a gap of up to `limit`.
    ///
    /// Offsets are exact but for half a unit in the last place, and so are products and their difference: an edge function errs
    /// by less than four units of the sum of its products.
    #[inline(always)]
    pub fn crossed<L: Lanes>(&self, packet: &Packet, limit: f32) -> u32 {
        let (a, b, c) = (self.seen::<L>(packet, 0), self.seen::<L>(packet, 1), self.seen::<L>(packet, 2));
        let (u, v, w) = (side(b, c), side(c, a), side(a, b));
        let (below, above) = (L::or(u.0, L::or(v.0, w.0)), L::or(u.1, L::or(v.1, w.1)));
        let (least, greatest) = packet.extent::<L>(1);
        let (_, in_y) = self.vertical_gaps(least, greatest, limit);
        L::bits(in_y) & !L::bits(L::and(below, above))
    }

    #[inline(always)]
    fn vertical_gaps<L: Lanes>(&self, least: L, greatest: L, limit: f32) -> (L, L::Mask) {
        let over = least - L::splat(self.above);
        let under = L::splat(self.below) - greatest;
        let gaps = over.max(under).max(L::splat(0.0)) * L::splat(PADDING);
        let counts = L::and(least.at_most(L::splat(self.highest)), L::splat(self.lowest).at_most(greatest));
        (gaps, L::and(counts, gaps.at_most(L::splat(limit))))
    }

    /// A corner of each triangle, as X and Z from the line.
    #[inline(always)]
    fn seen<L: Lanes>(&self, packet: &Packet, corner: usize) -> (L, L) {
        let corner = &packet.corners[corner];
        (L::load(&corner[0]) - L::splat(self.x), L::load(&corner[2]) - L::splat(self.z))
    }
}

/// Where the line is for certain on the one side, and on the other, of the edge between two corners.
#[inline(always)]
fn side<L: Lanes>(from: (L, L), to: (L, L)) -> (L::Mask, L::Mask) {
    let (left, right) = (from.1 * to.0, from.0 * to.1);
    let error = (left.abs() + right.abs()) * L::splat(8.0 * UNIT) + L::splat(f32::MIN_POSITIVE);
    let across = left - right;
    (across.less(L::splat(0.0) - error), error.less(across))
}
