//! A camera that follows behind the walker and stays out of walls.

use glam::Vec3;

use crate::camera::Camera;
use crate::query::Sweep;
use crate::tree::Tree;

/// Where a camera follows, and how fast it comes back. The way from the eye turns with the view.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FollowSettings {
    /// How far behind the eye, against the direction of view, in metres.
    pub behind: f32,
    /// How far straight above that, in metres.
    pub above: f32,
    /// How far to the right of that, in metres; to the left when negative.
    pub beside: f32,
    /// Time in seconds in which the camera makes good two thirds of its way back out, after something was in the way.
    pub ease: f32,
}

impl Default for FollowSettings {
    fn default() -> FollowSettings {
        FollowSettings { behind: 4.0, above: 0.4, beside: 0.0, ease: 0.15 }
    }
}

/// A camera in third person. A sphere that holds the whole near plane is swept from the eye to where the camera wants to be, and
/// the camera goes no farther than it: what comes between is never drawn from behind, and walls are never cut open. Inwards it
/// goes at once, outwards softly.
#[derive(Clone, Copy, Debug)]
pub struct Follow {
    settings: FollowSettings,
    /// How far on its way the camera is, 0 at the eye to 1.
    part: f32,
    /// How far it could be.
    free: f32,
}

/// The swept sphere is larger than the near plane needs by this factor, so that rounding does not let anything in.
const WIDER: f32 = 1.1;
/// Parts of the way that are left are as good as none.
const SETTLED: f32 = 1e-3;

impl Follow {
    /// A camera that begins at the eye and moves out from there.
    pub fn new(settings: FollowSettings) -> Follow {
        Follow { settings, part: 0.0, free: 1.0 }
    }

    /// Puts `camera`, which is at the eye, to where it follows, `elapsed` seconds after the last call. It keeps its direction. It
    /// stays at the eye where the sphere there already overlaps the level, as in a flight through a wall.
    ///
    /// Cost: one sweep.
    pub fn place(&mut self, tree: &Tree, camera: &mut Camera, elapsed: f32) {
        let FollowSettings { behind, above, beside, ease } = self.settings;
        let way = beside * camera.right() + above * Vec3::Y - behind * camera.forward();
        let sweep = Sweep::sphere(camera.eye, WIDER * camera.near_radius(), way);
        self.free = tree.sweep(&sweep).map_or(1.0, |hit| hit.fraction);
        let eased = self.free - (self.free - self.part) * libm::expf(-elapsed / ease.max(f32::MIN_POSITIVE));
        self.part = if self.free - eased < SETTLED { self.free } else { eased };
        camera.eye += self.part * way;
    }

    /// Whether the camera is as far out as it can be: it moves on only when the eye or the level does.
    pub fn is_settled(&self) -> bool {
        self.part == self.free
    }
}
