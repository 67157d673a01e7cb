//! Heights: surfaces straight below or above a point.

use glam::Vec3;

use super::column::Column;
use crate::geometry::triangle;
use crate::simd::{Lanes, lanes_in};
use crate::tree::{Boxes, Packet, Question, Tree};

/// Which of the surfaces in the column of a point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Which {
    /// The highest at or below the point.
    #[default]
    Below,
    /// The lowest at or above the point.
    Above,
    /// The nearest of those two; the lower one when both are as near.
    Closest,
}

/// Surfaces of a column closer together than this, in metres, are one: f32 heights of two triangles at their common edge
/// may differ in the last place.
const SAME_HEIGHT: f32 = 1e-5;

impl Tree {
    /// The height (Y, in metres) of the nearest surface straight below `point`, above it, or whichever is closer. A surface
    /// through the point is both below and above. `None` when there is nothing, when `point` is not finite, and when
    /// `snap` is negative or NaN. Vertical triangles have no height.
    ///
    /// A surface that lies up to `snap` metres on the other side still counts: with 0.01, what is 5 mm above the point is
    /// still below it, for a foot that sank in a little. 0 is exact.
    pub fn height(&self, point: Vec3, which: Which, snap: f32) -> Option<f32> {
        if !point.is_finite() || snap.is_nan() || snap < 0.0 {
            return None;
        }
        let (point_y, snap) = (f64::from(point.y), f64::from(snap));
        // What counts lies between these, and is measured from the point, or from where it may have sunk to.
        let (lowest, highest, from) = match which {
            Which::Below => (f64::NEG_INFINITY, point_y + snap, point_y + snap),
            Which::Above => (point_y - snap, f64::INFINITY, point_y - snap),
            Which::Closest => (f64::NEG_INFINITY, f64::INFINITY, point_y),
        };
        let mut nearest: Option<f32> = None;
        let gap = |height: f32| (f64::from(height) - from).abs();
        let found = |height: f32, limit: f32| {
            if f64::from(height) < lowest || f64::from(height) > highest {
                return limit;
            }
            if nearest.is_none_or(|old| (gap(height), height) < (gap(old), old)) {
                nearest = Some(height);
                return gap(height) as f32;
            }
            limit
        };
        let column = Column::new(point.x, point.z, lowest, highest, from);
        self.ask(&mut Heights { column, found }, f32::INFINITY);
        nearest
    }

    /// Puts the heights (Y, in metres) of all surfaces in the column through (`x`, `z`) into `heights`, from top to bottom,
    /// instead of what was there. Those within 1e-5 m of the one above (or within the last place of f32) are left out as
    /// the same surface; vertical triangles have no height. Nothing for a column that is not finite.
    pub fn heights(&self, x: f32, z: f32, heights: &mut Vec<f32>) {
        heights.clear();
        let point = Vec3::new(x, 0.0, z);
        if !point.is_finite() {
            return;
        }
        let column = Column::new(x, z, f64::NEG_INFINITY, f64::INFINITY, 0.0);
        let found = |height, limit| {
            heights.push(height);
            limit
        };
        self.ask(&mut Heights { column, found }, f32::INFINITY);
        heights.sort_unstable_by(|a, b| b.total_cmp(a));
        heights.dedup_by(|lower, kept| *kept - *lower <= SAME_HEIGHT.max(f32::EPSILON * kept.abs()));
    }
}

/// Hands each height of a column up to the limit, which is one of the gap to where it is measured from, to `found`, which gives
/// the new limit.
struct Heights<F> {
    column: Column,
    found: F,
}

impl<F: FnMut(f32, f32) -> f32> Question for Heights<F> {
    #[inline(always)]
    fn boxes<L: Lanes>(&mut self, boxes: &Boxes, limit: f32) -> (L, u32) {
        self.column.gaps(boxes, limit)
    }

    #[inline(always)]
    fn packet<L: Lanes>(&mut self, packet: &Packet, _: usize, filled: u32, limit: f32) -> f32 {
        let mut limit = limit;
        for lane in lanes_in(self.column.crossed::<L>(packet, limit) & filled) {
            if let Some(height) = triangle::height_at(&packet.triangle(lane), self.column.x, self.column.z) {
                limit = (self.found)(height as f32, limit);
            }
        }
        limit
    }
}
