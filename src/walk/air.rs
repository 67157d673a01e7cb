//! Through the air: gravity, some steering, and landing.

use glam::DVec3;

use super::ground::as_wall;
use super::walker::{approach, record};
use super::{Input, STEP, Settings, Walker};
use crate::query::{Solids, Touching};

/// Surfaces that a fall or a jump can meet in one step and that are remembered to turn the velocity.
const MET: usize = 16;

/// Steps in a row after which a body that steep surfaces keep from falling counts as standing.
const WEDGED: u32 = 6;

/// Normals met in a step.
#[derive(Default)]
struct Met {
    normals: [DVec3; MET],
    count: usize,
}

impl Met {
    fn add(&mut self, normal: DVec3) {
        if self.count < MET {
            self.normals[self.count] = normal;
            self.count += 1;
        }
    }

    /// Takes the parts of a velocity that go into what was met; twice, as leaving one may go into another.
    fn clip(&self, mut velocity: DVec3) -> DVec3 {
        for normal in self.normals[..self.count].iter().chain(&self.normals[..self.count]) {
            velocity -= *normal * velocity.dot(*normal).min(0.0);
        }
        velocity
    }
}

impl Walker {
    /// One step in the air. The way is taken in two parts: the level part meets steep surfaces as walls, so that no speed
    /// carries the body up them; the upright part slides down them.
    pub(super) fn move_through_air(&mut self, solids: Solids<'_>, settings: &Settings, input: &Input) {
        let (wish, start) = (self.wish(settings, input), self.feet);
        let mut level = DVec3::new(self.velocity.x, 0.0, self.velocity.z);
        if wish != DVec3::ZERO {
            level = approach(level, wish, f64::from(settings.air_acceleration) * STEP);
        }
        let speed_before = self.velocity.y;
        let speed = (speed_before - f64::from(settings.gravity) * STEP).max(-f64::from(settings.fall_speed));
        let rise = 0.5 * (speed_before + speed) * STEP;
        let limit = settings.walkable_rise();

        let mut slider = self.slider(solids, settings);
        let skin = slider.skin;
        let contacts = &mut self.contacts;
        let mut walls = Met::default();
        // As walls alone they would let a wall that hangs over press the body down into them.
        let planes = |touch: &Touching| [(touch.normal, touch.gap), as_wall(touch, limit, skin)];
        slider.slide(level * STEP, planes, &mut |touch| {
            walls.add(as_wall(touch, limit, skin).0);
            record(contacts, solids, touch);
        });
        let from = slider.body.center;
        let mut met = Met::default();
        slider.slide(DVec3::Y * rise, |touch| [(touch.normal, touch.gap)], &mut |touch| {
            met.add(touch.normal);
            record(contacts, solids, touch);
        });
        let risen = slider.body.center.y - from.y;
        let ground = slider.ground(limit);
        if ground && rise < 0.0 {
            slider.find_footing(f64::from(settings.step_height), limit);
        }
        self.follow(&slider);

        let level = walls.clip(level);
        self.velocity = met.clip(DVec3::new(level.x, speed, level.z));
        if rise >= 0.0 {
            // Nothing that is met on the way up throws it higher.
            self.velocity.y = self.velocity.y.min(speed);
            self.blocked_falls = 0;
            return;
        }
        // What is held back does not gather speed.
        let least = risen / STEP - f64::from(settings.gravity) * STEP;
        self.velocity.y = self.velocity.y.max(least).min(0.0);
        if ground {
            self.land();
            self.stand_well();
            return;
        }
        let is_blocked = self.feet.y - start.y > 0.1 * rise && met.count > 0;
        self.blocked_falls = if is_blocked { self.blocked_falls + 1 } else { 0 };
        if self.blocked_falls > WEDGED {
            self.land();
            self.wedged = true;
        }
    }

    fn land(&mut self) {
        self.grounded = true;
        self.blocked_falls = 0;
        self.velocity.y = 0.0;
    }
}
