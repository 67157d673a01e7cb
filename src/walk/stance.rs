//! Crouching and standing up.

use glam::DVec3;

use super::{Settings, Walker};
use crate::query::Solids;

impl Walker {
    /// Crouches, or stands up where there is room.
    pub(super) fn change_stance(&mut self, solids: Solids<'_>, settings: &Settings, crouch: bool) {
        if crouch == self.crouched {
            return;
        }
        let held = (self.grounded, self.wedged);
        if self.wedged {
            // What held the body before may not hold it after.
            (self.grounded, self.wedged) = (false, false);
        }
        // Around one centre the crouched body lies within the standing one, around the feet it does not.
        let rise = 0.5 * (f64::from(settings.height) - f64::from(settings.crouched_height));
        if crouch {
            let was_grounded = self.grounded;
            self.crouched = true;
            self.feet += DVec3::Y * rise;
            if was_grounded {
                self.settle(solids, settings, rise);
            }
            return;
        }
        let from = self.feet;
        if !self.grounded {
            // As it crouched, around the centre: growing upwards every time would climb the air.
            let mut slider = self.slider(solids, settings);
            slider.advance(DVec3::NEG_Y * rise);
            self.follow(&slider);
        }
        let mut slider = self.slider(solids, settings);
        let is_free_above = !slider.advance(DVec3::Y * rise);
        self.crouched = false;
        if is_free_above && self.slider(solids, settings).overlap() == 0.0 {
            return;
        }
        self.feet = from;
        self.crouched = true;
        (self.grounded, self.wedged) = held;
    }
}
