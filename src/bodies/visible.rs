//! Which props and balls a camera sees.

use super::{Balls, Prop, PropId, Props};
use crate::geometry::{Containment, Frustum};

/// Props and balls that can be seen, and how many there are. Reused from frame to frame: nothing is allocated once its lists
/// have grown.
#[derive(Clone, Debug, Default)]
pub struct VisibleBodies {
    props: Vec<PropId>,
    balls: Vec<u32>,
    of: u32,
}

fn is_drawn(prop: &Prop) -> bool {
    !prop.is_hidden() && prop.opacity() > 0.0 && !prop.bounds().is_empty()
}

impl VisibleBodies {
    /// None.
    pub fn new() -> VisibleBodies {
        VisibleBodies::default()
    }

    /// Fills the lists with all that can be seen through `frustum`: props by bounding sphere, then box; balls by themselves.
    /// `None` takes all.
    pub fn cull(&mut self, props: &Props, balls: &Balls, frustum: Option<&Frustum>) {
        self.props.clear();
        self.balls.clear();
        self.of = balls.len() as u32;
        for prop in props.iter().filter(|prop| is_drawn(prop)) {
            self.of += 1;
            let is_seen = frustum.is_none_or(|frustum| {
                let (center, radius) = prop.bounding_sphere();
                match frustum.test_sphere(center, radius) {
                    Containment::Inside => true,
                    Containment::Outside => false,
                    Containment::Crossing => frustum.test_box(&prop.bounds()) != Containment::Outside,
                }
            });
            if is_seen {
                self.props.push(prop.id());
            }
        }
        for (index, ball) in balls.iter().enumerate() {
            let is_seen = |frustum: &Frustum| {
                frustum.test_sphere(ball.position().as_vec3(), ball.radius() as f32) != Containment::Outside
            };
            if frustum.is_none_or(is_seen) {
                self.balls.push(index as u32);
            }
        }
    }

    /// The props that are seen, those of one model together.
    pub fn props(&self) -> &[PropId] {
        &self.props
    }

    /// The balls that are seen, as places in [`Balls::iter`].
    pub fn balls(&self) -> &[u32] {
        &self.balls
    }

    /// How many props and balls are seen.
    pub fn count(&self) -> u32 {
        (self.props.len() + self.balls.len()) as u32
    }

    /// How many there are, those that are hidden left out.
    pub fn of(&self) -> u32 {
        self.of
    }
}
