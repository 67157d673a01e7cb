//! How a body stands: what it feels below it, and how it comes to stand better.

use glam::DVec3;

use super::ground::LEAST_RISE;
use crate::query::{Slider, Touching};

/// How far beyond the skin a body still feels the ground, in metres.
pub(super) const FEEL: f64 = 0.005;
/// Of the skin, what a walker may stand too near to walls or too high above the ground before it moves for that.
pub(super) const MISFIT: f64 = 0.1;

/// How a body stands, and where that leads.
#[derive(Clone, Copy)]
pub(super) struct Footing {
    pub way: DVec3,
    /// What the gap to the ground has more than the skin; 0 where there is none.
    spare: f64,
    /// That, or what is missing of the skin to walls.
    misfit: f64,
}

impl Slider<'_> {
    /// Whether the body feels ground that can be walked.
    pub(super) fn ground(&self, walkable_rise: f64) -> bool {
        let mut found = false;
        self.touching(self.skin + FEEL, |touch| found |= touch.normal.y >= walkable_rise);
        found
    }

    /// Whether the body feels ground that can be walked, or the edge of some no higher than `step` above the feet.
    pub(super) fn is_carried(&self, step: f64, walkable_rise: f64) -> bool {
        let (mut found, highest) = (false, self.body.center.y - self.body.radii.y + step);
        self.touching(self.skin + FEEL, |touch| {
            found = found
                || touch.normal.y >= walkable_rise
                || touch.normal.y > LEAST_RISE
                    && touch.point.y <= highest
                    && self.is_edge_of_ground(touch.index, touch.point, walkable_rise);
        });
        found
    }

    /// How the body stands, and the way along `level` on the ground that is felt, which goes to `report`: as long, and tilted
    /// so that it goes into no slope that can be walked.
    pub(super) fn along_ground(&self, level: DVec3, walkable_rise: f64, mut report: impl FnMut(&Touching)) -> Footing {
        let (mut rise, mut kept, mut above) = (f64::NEG_INFINITY, self.skin, f64::INFINITY);
        self.touching(self.skin + FEEL, |touch| {
            if touch.normal.y < walkable_rise {
                kept = kept.min(touch.gap);
            } else {
                let slope = -level.dot(touch.normal) / touch.normal.y;
                // What is left above the skin need not be climbed.
                let spare = (touch.gap - self.skin).max(0.0) / touch.normal.y;
                rise = rise.max(if slope > 0.0 { (slope - spare).max(0.0) } else { slope });
                above = above.min(touch.gap);
                report(touch);
            }
        });
        if rise == f64::NEG_INFINITY {
            return Footing { way: level, spare: 0.0, misfit: self.skin - kept };
        }
        let way = level + DVec3::Y * rise;
        let spare = (above - self.skin).max(0.0);
        Footing { way: way * (level.length() / way.length()), spare, misfit: spare.max(self.skin - kept) }
    }

    /// Moves out of the skin of walls and down to the ground, if it stands much better so: each time the misfit is halved, so
    /// this ends. Not off the ground.
    pub(super) fn find_footing(&mut self, step: f64, walkable_rise: f64) {
        let footing = self.along_ground(DVec3::ZERO, walkable_rise, |_| {});
        if footing.misfit <= MISFIT * self.skin {
            return;
        }
        let mut better = *self;
        better.leave_walls(walkable_rise, None);
        // Down to the ground along a slope that is beside it, and straight down.
        if footing.spare > MISFIT * self.skin {
            better.slide(DVec3::NEG_Y * footing.spare, |touch| [(touch.normal, touch.gap)], &mut |_| {});
        }
        better.drop_and_part(step, walkable_rise);
        let is_better = better.along_ground(DVec3::ZERO, walkable_rise, |_| {}).misfit <= 0.5 * footing.misfit;
        if is_better && better.is_carried(step, walkable_rise) {
            *self = better;
        }
    }

    /// Where ground falls away beside a wall, goes down to it along the wall, by at most a skin, and keeps its gaps.
    pub(super) fn go_down_beside_walls(&mut self, step: f64, walkable_rise: f64) {
        if self.is_carried(step, walkable_rise) {
            return;
        }
        let (mut lowered, skin) = (*self, self.skin);
        lowered.slide(DVec3::NEG_Y * skin, |touch| [(touch.normal, touch.gap.max(skin))], &mut |_| {});
        if lowered.is_carried(step, walkable_rise) {
            *self = lowered;
        }
    }
}
