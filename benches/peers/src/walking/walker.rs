//! What everyone that walks a course looks like.

use glam::DVec3;

use super::body::Body;
use super::course::Course;
use crate::answer::Answer;

/// Half the width and the height of every body, in metres: those of nodetree's walker.
pub const RADIUS: f64 = 0.35;
pub const HEIGHT: f64 = 1.8;
/// nodetree's body, and the nearest to it that rapier3d has.
pub const ELLIPSOID: Body = Body::ellipsoid(RADIUS, HEIGHT);
pub const CAPSULE: Body = Body::capsule(RADIUS, HEIGHT);
/// What of a body must never meet the level on its way: half of it. It lies in either of them.
pub const CORE: Body = Body::ellipsoid(0.5 * RADIUS, 0.5 * HEIGHT);

/// A body after a step.
#[derive(Clone, Copy, Debug, Default)]
pub struct State {
    pub center: DVec3,
    /// What the walker itself says.
    pub is_grounded: bool,
    /// Brought back after a fall out of the world.
    pub is_rescued: bool,
}

/// Something that walks.
pub trait Walk {
    /// Walks a course from its start, and shows the state after each step.
    fn walk(&self, course: &Course, see: &mut dyn FnMut(State));
}

/// A walker as one that answers: how far a course took it, as the crow flies.
pub struct HowFar<'a>(pub &'a dyn Walk);

impl Answer<Course> for HowFar<'_> {
    fn one(&self, course: &Course) -> Option<f32> {
        let mut last = State::default();
        self.0.walk(course, &mut |state| last = state);
        Some(last.center.as_vec3().distance(course.feet))
    }
}
