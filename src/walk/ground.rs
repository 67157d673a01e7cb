//! On the ground: along slopes, up steps, and down after them.

use glam::DVec3;

use super::walker::{approach, record};
use super::{Input, STEP, Settings, Walker};
use crate::geometry::UnitSpace;
use crate::query::{Faces, Slider, Touching};
use crate::tree::Tree;

/// How far beyond the skin a body still feels the ground, in metres.
const FEEL: f64 = 0.005;
/// A step may be this much higher than allowed, in metres: rounding, and the skin under the feet.
const LENIENT: f64 = 0.005;
/// Parts of a way that a walk along the ground may lose before steps are tried.
const LOST: f64 = 1e-3;
/// Motions shorter than this, in metres, are none.
const STILL: f64 = 1e-10;

/// The plane that a contact is for level motion: a steep slope is a wall, so that it is not climbed.
pub(super) fn as_wall(touch: &Touching, walkable_rise: f64) -> (DVec3, f64) {
    let level = DVec3::new(touch.normal.x, 0.0, touch.normal.z);
    let length = level.length();
    if touch.normal.y > 0.0 && touch.normal.y < walkable_rise && length > 0.0 {
        (level / length, touch.gap / length)
    } else {
        (touch.normal, touch.gap)
    }
}

/// What carries a body after it went down.
#[derive(Clone, Copy, Debug)]
pub(super) struct Support {
    /// The contact's own normal can be walked; otherwise the body's flank hangs on the edge of ground that can.
    pub is_firm: bool,
    /// The triangle's place in the tree.
    pub index: usize,
    /// Height of the contact, in local space.
    height: f64,
}

impl Slider<'_> {
    /// Whether the body feels ground that can be walked.
    pub(super) fn ground(&self, walkable_rise: f64) -> bool {
        let mut found = false;
        self.touching(self.skin + FEEL, |touch| found |= touch.normal.y >= walkable_rise);
        found
    }

    /// The way along `level` on the ground that is felt, which goes to `report`: as long, and tilted so that it goes into no
    /// slope that can be walked.
    fn along_ground(&self, level: DVec3, walkable_rise: f64, mut report: impl FnMut(&Touching)) -> DVec3 {
        let mut rise = f64::NEG_INFINITY;
        self.touching(self.skin + FEEL, |touch| {
            if touch.normal.y >= walkable_rise {
                rise = rise.max(-level.dot(touch.normal) / touch.normal.y);
                report(touch);
            }
        });
        if rise == f64::NEG_INFINITY {
            return level;
        }
        let way = level + DVec3::Y * rise;
        way * (level.length() / way.length())
    }

    /// Goes straight down by at most `distance` onto ground that can be walked, or onto its edge if that is no more than
    /// `step` above the feet, and keeps the skin. `None`, and no motion, when there is none.
    pub(super) fn drop(&mut self, distance: f64, step: f64, walkable_rise: f64) -> Option<Support> {
        let down = DVec3::NEG_Y * (distance + self.skin / LEAST_RISE);
        let (index, contact) = self.tree.first_obstacle(&self.body, down, Faces::Both)?;
        let moved = UnitSpace { center: self.body.center + down * contact.fraction, ..self.body };
        let point = self.body.to_world(contact.point);
        let direction = match contact.on_face {
            true => contact.direction,
            false => self.tree.surface_at(&moved, point).unwrap_or(contact.direction),
        };
        let normal = self.body.plane(direction).0;
        let is_firm = normal.y >= walkable_rise;
        let height = point.y - (moved.center.y - moved.radii.y);
        let is_edge = || normal.y > 0.0 && height <= step && self.is_edge_of_ground(index, point, walkable_rise);
        if !is_firm && !is_edge() {
            return None;
        }
        let stop = (-down.y * contact.fraction - self.skin / normal.y.max(LEAST_RISE)).max(0.0);
        if stop > STILL {
            self.body.center.y -= stop;
            self.trail.add(self.body.center);
        }
        Some(Support { is_firm, index, height: point.y })
    }

    /// Up, along and down again. Only if that gains more of the level way than `gained` and ends on ground that can be walked
    /// and is not higher than a step; `None` otherwise, and the slider's place means nothing.
    fn climb(
        &mut self,
        way: DVec3,
        step: f64,
        walkable_rise: f64,
        gained: f64,
        report: &mut impl FnMut(&Touching),
    ) -> Option<Support> {
        let start = self.body.center;
        self.advance(DVec3::Y * (step + LENIENT));
        self.slide(way, |touch| as_wall(touch, walkable_rise), report);
        let gain = (self.body.center - start).dot(way) / way.length();
        if gain <= gained + LOST * way.length() {
            return None;
        }
        let drop = (self.body.center.y - start.y).max(0.0);
        let support = self.drop(drop, step, walkable_rise)?;
        // What is higher above the ground at the start than a step is no step, however little of it is climbed at once.
        let ground = start.y - self.body.radii.y - self.skin;
        (support.height - ground <= step + LENIENT).then_some(support)
    }

    /// Whether a triangle that can be walked holds the point of a contact.
    fn is_edge_of_ground(&self, index: usize, point: DVec3, walkable_rise: f64) -> bool {
        let is_walkable = |index: usize| {
            let [a, b, c] = self.tree.triangle(index).map(|corner| corner.as_dvec3());
            let normal = (b - a).cross(c - a);
            normal.y.abs() >= walkable_rise * normal.length()
        };
        let mut found = is_walkable(index);
        if !found {
            self.tree.visit_triangles_at(point, |index| found |= is_walkable(index));
        }
        found
    }
}

/// On a flank the skin is kept along the normal as well, unless it is so steep that this would lift the body far.
const LEAST_RISE: f64 = 0.2;

impl Walker {
    /// One step on the ground.
    pub(super) fn walk_on_ground(&mut self, tree: &Tree, settings: &Settings, input: &Input) {
        let limit = settings.walkable_rise();
        let step = f64::from(settings.step_height);
        let wish = self.wish(settings, input);
        // The speed is kept along the ground, whatever its slope.
        let level = DVec3::new(self.velocity.x, 0.0, self.velocity.z).normalize_or_zero() * self.velocity.length();
        let level = approach(level, wish, f64::from(settings.ground_acceleration) * STEP);
        let way = level * STEP;
        let start = self.slider(tree, settings);
        if way.length() < STILL {
            self.stand(start, limit, step);
            return;
        }

        let contacts = &mut self.contacts;
        let mut report = |touch: &Touching| record(contacts, tree, touch);
        let mut slider = start;
        let along = start.along_ground(way, limit, &mut report);
        slider.slide(along, |touch| as_wall(touch, limit), &mut report);
        let gained = (slider.body.center - start.body.center).dot(along) / along.length();
        let mut support = None;
        if gained < (1.0 - LOST) * way.length() {
            let level_gain = (slider.body.center - start.body.center).dot(way) / way.length();
            let mut stepper = start;
            support = stepper.climb(way, step, limit, level_gain, &mut report);
            if support.is_some() {
                slider = stepper;
            }
        }
        let mut moved = slider.body.center - start.body.center;
        if support.is_some() {
            // A step is no slope.
            moved.y = 0.0;
        } else {
            support = slider.drop(step, step, limit);
        }
        if support.is_none() {
            moved.y = 0.0;
        }
        self.follow(&slider);
        self.velocity = (moved / STEP).clamp_length_max(level.length());
        if moved.length() > STILL {
            self.wedged = false;
        }
        self.grounded = support.is_some() || self.wedged;
        if support.is_some_and(|support| support.is_firm) {
            self.stand_well();
        }
    }

    /// Stands still, unless only a flank hangs on an edge, or the ground is gone.
    fn stand(&mut self, mut slider: Slider<'_>, limit: f64, step: f64) {
        self.velocity = DVec3::ZERO;
        let support = slider.drop(Slider::SKIN, step, limit);
        self.follow(&slider);
        self.grounded = self.wedged || support.is_some_and(|support| support.is_firm);
        if support.is_some() {
            let (tree, contacts) = (slider.tree, &mut self.contacts);
            slider.touching(slider.skin + FEEL, |touch| {
                if touch.normal.y > 0.0 {
                    record(contacts, tree, touch);
                }
            });
        }
    }

    /// Goes down onto the ground, at most `distance` metres.
    pub(super) fn settle(&mut self, tree: &Tree, settings: &Settings, distance: f64) {
        let mut slider = self.slider(tree, settings);
        let step = f64::from(settings.step_height);
        self.grounded = slider.drop(distance, step, settings.walkable_rise()).is_some();
        self.follow(&slider);
    }
}
