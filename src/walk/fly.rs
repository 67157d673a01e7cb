//! Flying: six directions, no gravity, through the level or along it.

use glam::DVec3;

use super::walker::record;
use super::{Input, STEP, Settings, Walker};
use crate::query::Solids;

impl Walker {
    /// One step of flight.
    pub(super) fn fly(&mut self, solids: Solids<'_>, settings: &Settings, input: &Input, collide: bool) {
        (self.grounded, self.wedged) = (false, false);
        let (sin_yaw, cos_yaw) = libm::sincos(f64::from(self.yaw));
        let (sin_pitch, cos_pitch) = libm::sincos(f64::from(self.pitch));
        let forward = DVec3::new(-sin_yaw * cos_pitch, sin_pitch, -cos_yaw * cos_pitch);
        let right = DVec3::new(cos_yaw, 0.0, -sin_yaw);
        let rise = f64::from(input.up) + f64::from(u8::from(input.jump)) - f64::from(u8::from(input.crouch));
        let wish = forward * f64::from(input.forward) + right * f64::from(input.right) + DVec3::Y * rise;
        self.velocity = wish.clamp_length_max(1.0) * input.speed_from(settings.fly_speed, settings.fast_fly_speed);
        let way = self.velocity * STEP;
        if !collide {
            self.feet += way;
            return;
        }
        let mut slider = self.slider(solids, settings);
        slider.leave_overlap();
        if way != DVec3::ZERO {
            let from = slider.body.center;
            let contacts = &mut self.contacts;
            slider.slide(way, |touch| [(touch.normal, touch.gap)], &mut |touch| record(contacts, solids, touch));
            self.velocity = (slider.body.center - from) / STEP;
        }
        self.follow(&slider);
    }
}
