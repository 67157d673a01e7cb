//! Heights: surfaces straight below or above a point.

use glam::Vec3;

use crate::geometry::{Aabb, triangle};
use crate::tree::{Tree, Visit};

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
        self.visit_nearest(
            f32::INFINITY,
            |bounds, _| {
                let (min, max) = (f64::from(bounds.min.y), f64::from(bounds.max.y));
                // The rounding to f32 is the same for boxes and for the limit, so that no box is called too far.
                (is_in_column(bounds, point) && min <= highest && max >= lowest)
                    .then(|| (from - from.clamp(min, max)).abs() as f32)
            },
            |run, limit| {
                for place in run {
                    let Some(height) = triangle::height_at(&self.triangles()[place], point.x, point.z) else {
                        continue;
                    };
                    let height = height as f32;
                    if f64::from(height) < lowest || f64::from(height) > highest {
                        continue;
                    }
                    let is_nearer = nearest.is_none_or(|old| (gap(height), height) < (gap(old), old));
                    if is_nearer {
                        nearest = Some(height);
                    }
                }
                nearest.map_or(limit, |height| gap(height) as f32)
            },
        );
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
        self.visit_all(
            |bounds| if is_in_column(bounds, point) { Visit::Continue } else { Visit::Prune },
            |run| {
                let found = |corners| triangle::height_at(corners, x, z).map(|height| height as f32);
                heights.extend(self.triangles()[run].iter().filter_map(found));
                Visit::Continue
            },
        );
        heights.sort_unstable_by(|a, b| b.total_cmp(a));
        heights.dedup_by(|lower, kept| *kept - *lower <= SAME_HEIGHT.max(f32::EPSILON * kept.abs()));
    }
}

/// Whether the vertical line through a point meets a closed box.
fn is_in_column(bounds: &Aabb, point: Vec3) -> bool {
    (bounds.min.x <= point.x && point.x <= bounds.max.x) && (bounds.min.z <= point.z && point.z <= bounds.max.z)
}
