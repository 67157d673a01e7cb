//! On the ground: along slopes, up steps, and down after them.

use std::cell::Cell;

use glam::DVec3;

use super::footing::{FEEL, MISFIT};
use super::walker::{approach, record};
use super::{Input, STEP, Settings, Walker};
use crate::geometry::UnitSpace;
use crate::query::{Faces, Slider, Solids, Touching};

/// A step may be this much higher than allowed, in metres: rounding, and the skin under the feet.
const LENIENT: f64 = 0.005;
/// Parts of a way that a walk along the ground may lose before steps are tried.
const LOST: f64 = 1e-3;
/// Of a level motion under a wish, the part that must follow it: at walls up to 89.4 degrees off the wish.
const GAIN: f64 = 0.01;
/// Contacts this near each other, in metres, are one.
const SAME: f64 = 1e-4;
/// Of the skin, what may be missing before a walker gives way for it.
const NEAR_SKIN: f64 = 0.25;
/// Cosine of the angle between the way and the direction onto an edge up to which the way leads onto it: 60 degrees.
const AHEAD: f64 = 0.5;
/// Of the radius, the room on a step that it takes to get onto it, unless there is ground to stand on before.
const ROOM: f64 = 0.5;
/// Motions shorter than this, in metres, are none.
const STILL: f64 = 1e-10;

/// The plane that a contact is for level motion: a steep slope is a wall, so that it is not climbed. Where the body keeps
/// `skin` to that wall it keeps it to the slope, along its normal; else going down along it would lift what went too near.
pub(super) fn as_wall(touch: &Touching, walkable_rise: f64, skin: f64) -> (DVec3, f64) {
    let level = DVec3::new(touch.normal.x, 0.0, touch.normal.z);
    let length = level.length();
    if touch.normal.y > 0.0 && touch.normal.y < walkable_rise && length > 0.0 {
        (level / length, skin + (touch.gap - skin) / length)
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
    /// The contact, in local space.
    point: DVec3,
}

/// Why a step is not climbed.
enum NoStep {
    /// It leads nowhere, or nowhere to stand.
    NoGain,
    /// It comes down on nothing that can be walked.
    NoGround,
}

impl Slider<'_> {
    /// Goes straight down by at most `distance` onto ground that can be walked, or onto its edge if that is no more than
    /// `step` above the feet, and keeps the skin. `None`, and no motion, when there is none.
    pub(super) fn drop(&mut self, distance: f64, step: f64, walkable_rise: f64) -> Option<Support> {
        let down = DVec3::NEG_Y * (distance + self.skin / LEAST_RISE);
        let (index, contact) = self.solids.first_obstacle(&self.body, down, Faces::Both)?;
        let moved = UnitSpace { center: self.body.center + down * contact.fraction, ..self.body };
        let point = self.body.to_world(contact.point);
        let direction = match contact.on_face {
            true => contact.direction,
            false => self.solids.surface_at(&moved, point).unwrap_or(contact.direction),
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
        Some(Support { is_firm, index, point })
    }

    /// Up, along and down again. Only if that gains more of the level way than `gained` and ends on ground that can be walked
    /// and is not higher than a step; otherwise the slider's place means nothing.
    fn climb(
        &mut self,
        way: DVec3,
        step: f64,
        walkable_rise: f64,
        gained: f64,
        report: &mut impl FnMut(&Touching),
    ) -> Result<Support, NoStep> {
        let start = self.body.center;
        self.advance(DVec3::Y * (step + LENIENT));
        self.slide_on_ground(way, walkable_rise, (1.0 - MISFIT) * self.skin, report);
        let gains = |center: DVec3| (center - start).dot(way) / way.length() > gained + LOST * way.length();
        if !gains(self.body.center) {
            return Err(NoStep::NoGain);
        }
        // What is higher above the ground at the start than a step is no step, however little of it is climbed at once.
        let highest = start.y - self.body.radii.y - self.skin + step + LENIENT;
        let drop = (self.body.center.y - start.y).max(0.0);
        let support = self.drop(drop, step, walkable_rise).ok_or(NoStep::NoGround)?;
        let support = match self.rise_to_edge(way, step, highest, walkable_rise) {
            Some(edge) => edge,
            None => self.part_from_walls(support, step, walkable_rise, STILL),
        };
        let is_step = gains(self.body.center) && support.point.y <= highest;
        let can_stand = || support.is_firm || self.has_room_on_step(support.point, step, walkable_rise);
        if is_step && can_stand() { Ok(support) } else { Err(NoStep::NoGain) }
    }

    /// The part of a level way that leads into no slope that is touched and cannot be walked. A body that steps up straight
    /// ahead there comes down on the slope, which leans away above.
    fn along_slopes(&self, way: DVec3, step: f64, walkable_rise: f64) -> DVec3 {
        let (mut along, highest) = (way, self.body.center.y - self.body.radii.y + step);
        self.touching(self.skin + FEEL, |touch| {
            let is_slope = touch.normal.y > 0.0 && touch.normal.y < walkable_rise;
            let level = touch.normal.with_y(0.0);
            let into = along.dot(level);
            let is_edge =
                || touch.point.y <= highest && self.is_edge_of_ground(touch.index, touch.point, walkable_rise);
            if is_slope && into < 0.0 && !is_edge() {
                along -= level * (into / level.length_squared());
            }
        });
        along
    }

    /// Whether a body that hangs on the edge of a step at `point` has room to get on, whatever way it came, and is carried there:
    /// what it cannot end it does not begin, else it would climb to where its head is stopped, slide off, and climb again.
    fn has_room_on_step(&self, point: DVec3, step: f64, walkable_rise: f64) -> bool {
        let mut ahead = *self;
        ahead.advance(DVec3::Y * (step + LENIENT));
        let from = ahead.body.center;
        let onto = (point - from).with_y(0.0).normalize_or_zero() * ahead.body.radii.x;
        ahead.slide_on_ground(onto, walkable_rise, (1.0 - MISFIT) * self.skin, &mut |_| {});
        let gained = (ahead.body.center - from).dot(onto) / onto.length_squared();
        ahead.drop(step, step, walkable_rise).is_some_and(|support| support.is_firm || gained > ROOM)
    }

    /// Goes down onto ground within a step, and out of the skin of walls if that led far into it.
    pub(super) fn drop_and_part(&mut self, step: f64, walkable_rise: f64) -> Option<Support> {
        let height = self.body.center.y;
        let support = self.drop(step, step, walkable_rise)?;
        if self.body.center.y >= height {
            return Some(support);
        }
        Some(self.part_from_walls(support, step, walkable_rise, NEAR_SKIN * self.skin))
    }

    /// After [`Slider::drop`], out of the skin of walls, into which that may have led: farther down the body is wider. Not
    /// for less than `least` metres, and not off the ground.
    fn part_from_walls(&mut self, support: Support, step: f64, walkable_rise: f64, least: f64) -> Support {
        let mut parted = *self;
        parted.leave_walls(walkable_rise, (!support.is_firm).then_some(support.point));
        if parted.body.center.distance(self.body.center) > least
            && let Some(support) = parted.drop(step, step, walkable_rise)
        {
            *self = parted;
            return support;
        }
        support
    }

    /// Rises out of the skin of the edge of ground no higher than `highest` that the way leads onto, if it is in one: a slow
    /// step up begins so. An edge beside the way lifts nothing.
    fn rise_to_edge(&mut self, way: DVec3, step: f64, highest: f64, walkable_rise: f64) -> Option<Support> {
        let (mut rise, mut support) = (STILL, None);
        self.touching(self.skin, |touch| {
            let missing = (self.skin - touch.gap) / touch.normal.y.max(LEAST_RISE);
            let is_low = touch.normal.y > 0.0 && touch.normal.y < walkable_rise && touch.point.y <= highest;
            let level = touch.normal.with_y(0.0);
            let is_ahead = level.dot(way) <= -AHEAD * level.length() * way.length();
            if is_low && is_ahead && missing > rise && self.is_edge_of_ground(touch.index, touch.point, walkable_rise) {
                rise = missing;
                support = Some(Support { is_firm: false, index: touch.index, point: touch.point });
            }
        });
        let edge = support?;
        let mut risen = *self;
        risen.advance(DVec3::Y * rise);
        risen.leave_walls(walkable_rise, Some(edge.point));
        // That may have led away from the edge.
        let support = risen.drop(STILL, step, walkable_rise)?;
        *self = risen;
        Some(support)
    }

    /// Slides with steep slopes as walls as well, so that they are gone down along and not up. What is missing of the skin of
    /// walls with at least `least_gap` is got back on the way; whether there were others is told.
    fn slide_on_ground(
        &mut self,
        way: DVec3,
        walkable_rise: f64,
        least_gap: f64,
        report: &mut impl FnMut(&Touching),
    ) -> bool {
        let (skin, is_in_skin) = (self.skin, Cell::new(false));
        let planes = |touch: &Touching| {
            let is_ground = touch.normal.y >= walkable_rise;
            is_in_skin.set(is_in_skin.get() || !is_ground && touch.gap < least_gap);
            let is_lost = is_ground || touch.gap < least_gap;
            let gap = if is_lost { touch.gap.max(skin) } else { touch.gap };
            [(touch.normal, gap), as_wall(&Touching { gap, ..*touch }, walkable_rise, skin)]
        };
        self.slide(way, planes, report);
        is_in_skin.get()
    }

    /// Moves level out of the skin of walls, if there is room; `edge`, that of ground, is none.
    pub(super) fn leave_walls(&mut self, walkable_rise: f64, edge: Option<DVec3>) {
        let skin = self.skin;
        let plane = |touch: &Touching| match edge {
            Some(point) if touch.point.distance_squared(point) < SAME * SAME => [(touch.normal, touch.gap)],
            _ if touch.normal.y >= walkable_rise => [(touch.normal, touch.gap.max(skin))],
            _ => [as_wall(touch, walkable_rise, skin)],
        };
        self.slide(DVec3::ZERO, plane, &mut |_| {});
    }

    /// Whether a triangle that can be walked holds the point of a contact.
    pub(super) fn is_edge_of_ground(&self, index: usize, point: DVec3, walkable_rise: f64) -> bool {
        let is_walkable = |index: usize| {
            let [a, b, c] = self.solids.triangle(index).map(|corner| corner.as_dvec3());
            let normal = (b - a).cross(c - a);
            normal.y.abs() >= walkable_rise * normal.length()
        };
        let mut found = is_walkable(index);
        if !found {
            self.solids.visit_triangles_at(point, |index| found |= is_walkable(index));
        }
        found
    }
}

/// On a flank the skin is kept along the normal as well, unless it is so steep that this would lift the body far.
pub(super) const LEAST_RISE: f64 = 0.2;

impl Walker {
    /// One step on the ground.
    pub(super) fn walk_on_ground(&mut self, solids: Solids<'_>, settings: &Settings, input: &Input) {
        let limit = settings.walkable_rise();
        let step = f64::from(settings.step_height);
        let wish = self.wish(settings, input);
        // The speed is kept along the ground, whatever its slope.
        let level = DVec3::new(self.velocity.x, 0.0, self.velocity.z).normalize_or_zero() * self.velocity.length();
        let level = approach(level, wish, f64::from(settings.ground_acceleration) * STEP);
        let way = level * STEP;
        let begin = self.slider(solids, settings);
        if way.length() < STILL {
            self.stand(begin, limit, step);
            return;
        }

        let contacts = &mut self.contacts;
        let mut report = |touch: &Touching| record(contacts, solids, touch);
        let along = begin.along_ground(way, limit, &mut report).way;
        let mut slider = begin;
        let is_in_skin = slider.slide_on_ground(along, limit, (1.0 - MISFIT) * begin.skin, &mut report);
        let gained = (slider.body.center - begin.body.center).dot(along) / along.length();
        let is_blocked = gained < (1.0 - LOST) * way.length();
        let mut support = None;
        if is_blocked {
            let level_gain = (slider.body.center - begin.body.center).dot(way) / way.length();
            let mut stepper = begin;
            let mut climbed = stepper.climb(way, step, limit, level_gain, &mut report);
            if let Err(NoStep::NoGround) = climbed {
                let along = begin.along_slopes(way, step, limit);
                if along != way && along.length() > STILL {
                    let level_gain = (slider.body.center - begin.body.center).dot(along) / along.length();
                    stepper = begin;
                    climbed = stepper.climb(along, step, limit, level_gain, &mut report);
                }
            }
            support = climbed.ok();
            if support.is_some() {
                slider = stepper;
            }
        }
        let mut moved = slider.body.center - begin.body.center;
        if support.is_some() {
            // A step is no slope.
            moved.y = 0.0;
        } else {
            support = slider.drop_and_part(step, limit);
        }
        let leads_on = |slider: &Slider<'_>, is_carried: bool| {
            let gain = (slider.body.center - begin.body.center).with_y(0.0);
            // Nor does it lift itself off the ground by pressing into a pocket.
            let is_lifted = !is_carried && (slider.body.center.y > begin.body.center.y + STILL || begin.ground(limit));
            let least = if is_lifted { 0.5 * way.length() } else { GAIN * gain.length() };
            gain.dot(wish) > least * wish.length()
        };
        // What turns at speed gains nothing for a moment.
        let must_lead_on = level.dot(wish) > 2.0 * GAIN * level.length() * wish.length();
        if is_blocked || is_in_skin || support.is_none() {
            let mut footed = slider;
            footed.find_footing(step, limit);
            if !must_lead_on || leads_on(&footed, footed.is_carried(step, limit)) {
                slider = footed;
            }
        }
        if must_lead_on && !leads_on(&slider, support.is_some() || slider.is_carried(step, limit)) {
            // What is got back of the skin may lead back as far as a slow way leads on.
            slider = begin;
            slider.slide_on_ground(along, limit, begin.skin, &mut report);
            (support, moved) = (None, slider.body.center - begin.body.center);
            slider.go_down_beside_walls(step, limit);
        }
        // With one wish it gets on, or rests just where it is: it does not swing to and fro where walls and slopes close in.
        if must_lead_on && !leads_on(&slider, support.is_some() || slider.is_carried(step, limit)) {
            slider = begin;
            (support, moved) = (None, DVec3::ZERO);
            if !slider.is_carried(step, limit) {
                support = slider.drop_and_part(step, limit);
            }
        }
        let is_carried = support.is_some() || slider.is_carried(step, limit);
        if !is_carried {
            moved.y = 0.0;
        }
        self.velocity = (moved / STEP).clamp_length_max(level.length());
        self.follow(&slider);
        if moved.length() > STILL {
            self.wedged = false;
        }
        self.grounded = is_carried || self.wedged;
        if support.is_some_and(|support| support.is_firm) {
            self.stand_well();
        }
    }

    /// Stands still, unless only a flank hangs on an edge, or the ground is gone.
    fn stand(&mut self, mut slider: Slider<'_>, limit: f64, step: f64) {
        self.velocity = DVec3::ZERO;
        let support = slider.drop(Slider::SKIN, step, limit);
        self.follow(&slider);
        self.grounded = self.wedged || support.is_some_and(|support| support.is_firm) || slider.ground(limit);
        if support.is_some() {
            let (solids, contacts) = (slider.solids, &mut self.contacts);
            slider.touching(slider.skin + FEEL, |touch| {
                if touch.normal.y > 0.0 {
                    record(contacts, solids, touch);
                }
            });
        }
    }

    /// Goes down onto ground within a step, if there is some straight below, and stands on it: it has walked there, at `most`
    /// m/s, and what it slid down on the way gives it no speed.
    pub(super) fn follow_down(&mut self, solids: Solids<'_>, settings: &Settings, most: f64) {
        let mut slider = self.slider(solids, settings);
        let step = f64::from(settings.step_height);
        if slider.drop(step, step, settings.walkable_rise()).is_some_and(|support| support.is_firm) {
            self.follow(&slider);
            self.grounded = true;
            self.velocity = self.velocity.with_y(0.0).clamp_length_max(most);
        }
    }

    /// Goes down onto the ground, at most `distance` metres, or until something else is in the way.
    pub(super) fn settle(&mut self, solids: Solids<'_>, settings: &Settings, distance: f64) {
        let mut slider = self.slider(solids, settings);
        let (step, limit) = (f64::from(settings.step_height), settings.walkable_rise());
        if slider.drop(distance, step, limit).is_none() {
            slider.slide(DVec3::NEG_Y * distance, |touch| [(touch.normal, touch.gap)], &mut |_| {});
            self.grounded = slider.drop(step, step, limit).is_some() || slider.ground(limit);
        }
        self.follow(&slider);
    }
}
