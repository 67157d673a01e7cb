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
    ///
    /// Cost: the nodes in the column between the point and the surface, the nearest first; less than a ray's.
    pub fn height(&self, point: Vec3, which: Which, snap: f32) -> Option<f32> {
        if !point.is_finite() || snap.is_nan() || snap < 0.0 {
            return None;
        }
        let question = || {
            let nearest = Nearest::new(point.y, which, snap);
            let part = [nearest.lowest as f32, nearest.highest as f32];
            let column = Column::new(point.x, point.z, part, nearest.from as f32, snap == 0.0);
            Heights { column, taker: nearest }
        };
        self.ask(question, |heights| heights.taker.found)
    }

    /// Puts the heights (Y, in metres) of all surfaces in the column through (`x`, `z`) into `heights`, from top to bottom,
    /// instead of what was there. Those within 1e-5 m of the one above (or within the last place of f32) are left out as
    /// the same surface; vertical triangles have no height. Nothing for a column that is not finite.
    ///
    /// Cost: all nodes in the column, and sorting the heights.
    pub fn heights(&self, x: f32, z: f32, heights: &mut Vec<f32>) {
        heights.clear();
        let point = Vec3::new(x, 0.0, z);
        if !point.is_finite() {
            return;
        }
        let column = Column::new(x, z, [f32::NEG_INFINITY, f32::INFINITY], 0.0, true);
        let taker = |height, limit| {
            heights.push(height);
            limit
        };
        self.ask(|| Heights { column, taker }, |_| ());
        heights.sort_unstable_by(|a, b| b.total_cmp(a));
        heights.dedup_by(|lower, kept| *kept - *lower <= SAME_HEIGHT.max(f32::EPSILON * kept.abs()));
    }
}

/// What becomes of the heights that are found.
trait Take {
    /// Takes a height in; gives the new limit of the gap to where gaps are measured from, never a greater one.
    fn take(&mut self, height: f32, limit: f32) -> f32;
}

impl<F: FnMut(f32, f32) -> f32> Take for F {
    #[inline(always)]
    fn take(&mut self, height: f32, limit: f32) -> f32 {
        self(height, limit)
    }
}

/// The height that is nearest of those that count, which lie between two others.
struct Nearest {
    which: Which,
    lowest: f64,
    highest: f64,
    from: f64,
    found: Option<f32>,
}

impl Nearest {
    /// Heights of a kind are measured from a point, or from where it may have sunk to.
    #[inline(always)]
    fn new(y: f32, which: Which, snap: f32) -> Nearest {
        let (y, snap) = (f64::from(y), f64::from(snap));
        let (lowest, highest, from) = match which {
            Which::Below => (f64::NEG_INFINITY, y + snap, y + snap),
            Which::Above => (y - snap, f64::INFINITY, y - snap),
            Which::Closest => (f64::NEG_INFINITY, f64::INFINITY, y),
        };
        Nearest { which, lowest, highest, from, found: None }
    }

    /// Told from the heights themselves: far away their gaps may be the same.
    #[inline(always)]
    fn is_nearer(&self, height: f32, old: f32) -> bool {
        let gap = |height: f32| (f64::from(height) - self.from).abs();
        match self.which {
            Which::Below => height > old,
            Which::Above => height < old,
            Which::Closest => (gap(height), height) < (gap(old), old),
        }
    }
}

impl Take for Nearest {
    #[inline(always)]
    fn take(&mut self, height: f32, limit: f32) -> f32 {
        let counts = self.lowest <= f64::from(height) && f64::from(height) <= self.highest;
        if !counts || self.found.is_some_and(|old| !self.is_nearer(height, old)) {
            return limit;
        }
        self.found = Some(height);
        limit.min((f64::from(height) - self.from).abs() as f32)
    }
}

/// Hands each height of a column up to the limit, which is one of the gap, to the taker.
struct Heights<T> {
    column: Column,
    taker: T,
}

impl<T: Take> Question for Heights<T> {
    #[inline(always)]
    fn limit(&self) -> f32 {
        f32::INFINITY
    }

    #[inline(always)]
    fn boxes<L: Lanes>(&mut self, boxes: &Boxes, limit: f32) -> (L, u32) {
        self.column.gaps(boxes, limit)
    }

    #[inline(always)]
    fn packet<L: Lanes>(&mut self, packet: &Packet, _: usize, filled: u32, limit: f32) -> f32 {
        let mut limit = limit;
        for lane in lanes_in(self.column.crossed::<L>(packet, limit) & filled) {
            if let Some(height) = triangle::height_at(&packet.triangle(lane), self.column.x, self.column.z) {
                limit = self.taker.take(height as f32, limit);
            }
        }
        limit
    }
}
