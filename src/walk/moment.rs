//! A walker at one moment, to go on from later: the same steps from there give the same path, bit for bit.

use glam::DVec3;

use super::{Mode, Walker};

/// What decides how a walk goes on. Local space, metres and radians.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moment {
    /// The lowest point of the body.
    pub feet: DVec3,
    /// In m/s.
    pub velocity: DVec3,
    /// Heading, 0 along -Z, growing to the left.
    pub yaw: f32,
    /// Elevation of the view, growing upwards.
    pub pitch: f32,
    /// Walking or flying.
    pub mode: Mode,
    /// Whether it crouches.
    pub crouched: bool,
    /// Whether it stands on something.
    pub grounded: bool,
    /// The last safe place of the feet; `None` for one that has never stood on anything.
    pub safe: Option<DVec3>,
}

impl Walker {
    /// Where the walker is at the moment. What is left out is what only some steps remember: see [`Moment::walker`].
    pub fn moment(&self) -> Moment {
        Moment {
            feet: self.feet,
            velocity: self.velocity,
            yaw: self.yaw,
            pitch: self.pitch,
            mode: self.mode,
            crouched: self.crouched,
            grounded: self.grounded,
            safe: self.has_stood.then_some(self.safe),
        }
    }
}

impl Moment {
    /// A walker that goes on from here. Beside one that was here all along it has forgotten that it was wedged between steep
    /// surfaces or stuck in something, which some steps show again, and where it stood well since the last safe place.
    pub fn walker(&self) -> Walker {
        let mut walker = Walker::standing(self.feet, self.yaw);
        (walker.velocity, walker.pitch, walker.mode) = (self.velocity, self.pitch, self.mode);
        (walker.crouched, walker.grounded) = (self.crouched, self.grounded);
        if let Some(safe) = self.safe {
            (walker.has_stood, walker.safe, walker.next_safe) = (true, safe, safe);
        }
        walker
    }
}
