//! What met what.

use glam::DVec3;

use super::{BallId, Nearby, PropId, Props};
use crate::level::{Level, Material};
use crate::tree::Tree;
use crate::walk::{self, Mode, STEP, Walker};

/// One side of a contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Body {
    /// The level itself.
    Level,
    /// A prop.
    Prop(PropId),
    /// A ball.
    Ball(BallId),
    /// The walker.
    Walker,
}

/// Two bodies that met, or lie on each other, in a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// The one that the normal points to, and the other.
    pub bodies: [Body; 2],
    /// The triangle that was met: its number in the level, or in the level of the prop's model. `None` for balls, walkers and
    /// props that are met by a radius.
    pub triangle: Option<u32>,
    /// Where, in local space.
    pub point: DVec3,
    /// Unit normal from the second body to the first.
    pub normal: DVec3,
    /// How fast they came together along the normal, in m/s; 0 for what lies still.
    pub speed: f64,
    /// What they gave each other along the normal in this step, in N s: weight too, for what lies on something.
    pub impulse: f64,
}

impl Contact {
    /// The material of the triangle that was met; `None` where there is no triangle, or the prop is gone.
    pub fn material<'a>(&self, level: &'a Level, props: &'a Props) -> Option<&'a Material> {
        let level = match self.bodies[1] {
            Body::Level => level,
            Body::Prop(id) => &props.model(props.get(id)?.model()).level,
            Body::Ball(_) | Body::Walker => return None,
        };
        self.triangle.map(|triangle| level.material_of(triangle))
    }
}

impl Walker {
    /// [`Walker::contacts`] with bodies, speed and impulse: each contact stops the whole speed that the body had into it, that of
    /// a fall or of its weight in this step included. `nearby` is what stood beside the level in that step.
    pub fn impacts<'a>(
        &'a self,
        settings: &'a walk::Settings,
        nearby: &'a Nearby,
    ) -> impl Iterator<Item = Contact> + 'a {
        let gravity = if self.mode() == Mode::Walk { f64::from(settings.gravity) } else { 0.0 };
        let velocity = self.velocity_before() - DVec3::Y * (gravity * STEP);
        self.contacts().iter().map(move |contact| {
            let normal = contact.normal.as_dvec3();
            let speed = (-velocity.dot(normal)).max(0.0);
            let (other, triangle) = if contact.is_loose {
                let (prop, triangle) = nearby.owner(contact.triangle);
                (Body::Prop(prop), triangle)
            } else {
                (Body::Level, Some(contact.triangle))
            };
            Contact {
                bodies: [Body::Walker, other],
                triangle,
                point: contact.point.as_dvec3(),
                normal,
                speed,
                impulse: speed * f64::from(settings.mass),
            }
        })
    }
}

/// What of a contact is known before its impulse.
#[derive(Clone, Copy, Debug)]
pub(super) struct Touch {
    pub normal: DVec3,
    pub point: DVec3,
    /// Metres between the surfaces; negative in an overlap.
    pub gap: f64,
    /// The triangle's number.
    pub triangle: Option<u32>,
}

impl Touch {
    pub fn on_triangle(tree: &Tree, place: usize, point: DVec3, normal: DVec3, gap: f64) -> Touch {
        Touch { normal, point, gap, triangle: Some(tree.number(place)) }
    }
}
