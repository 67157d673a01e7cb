//! What stands in the way of a ball and is not a ball: the level, props, the walker.

use glam::DVec3;

use super::contact::Touch;
use super::props::{Met, Prop};
use super::transform::Place;
use crate::geometry::UnitSpace;
use crate::query::{Faces, Slider, Solids};
use crate::tree::Tree;

/// An upright ellipsoid that balls bounce off, as of a walker, without friction; nothing moves it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ellipsoid {
    /// In local space.
    pub center: DVec3,
    /// Half axes along X, Y and Z in metres.
    pub radii: DVec3,
    /// In m/s.
    pub velocity: DVec3,
}

/// The first meeting on a way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Meeting {
    /// The part of the way that is free, 0 to 1.
    pub fraction: f64,
    pub touch: Touch,
}

/// Hands what a mesh that stands at `place` has within `reach` metres of a ball to `found`.
pub(super) fn touch_mesh(
    tree: &Tree,
    place: &Place,
    center: DVec3,
    radius: f64,
    reach: f64,
    mut found: impl FnMut(&Touch),
) {
    let body = place.ball(center, radius);
    // In the space of the model lengths are scaled.
    let model_reach = reach / radius * body.radii.max_element();
    Slider::new(tree, body, 0.0).touching(model_reach, |touch| {
        // The gradient of the ellipsoid is the direction in which the ball, which it is, is touched.
        let direction = (touch.normal * body.radii).normalize();
        let gap = touch.gap * (direction / body.radii).length() * radius;
        if gap <= reach {
            let (point, normal) = (place.to_world(touch.point), place.direction(direction));
            found(&Touch::on_triangle(tree, touch.index, point, normal, gap));
        }
    });
}

/// The first meeting of a ball on its way with a mesh that stands at `place`. What it overlaps stops it only where it goes deeper.
pub(super) fn meet_mesh(tree: &Tree, place: &Place, center: DVec3, radius: f64, way: DVec3) -> Option<Meeting> {
    let body = place.ball(center, radius);
    let model_way = place.way_to_model(way);
    let (index, contact) = Solids::from(tree).first_obstacle(&body, model_way, Faces::Both)?;
    let point = body.to_world(contact.point);
    let direction = if contact.on_face {
        contact.direction
    } else {
        // Inside a surface that is flat or hollow a face speaks for the edge.
        let moved = UnitSpace { center: body.center + model_way * contact.fraction, ..body };
        Solids::from(tree).surface_at(&moved, point).unwrap_or(contact.direction)
    };
    let touch = Touch::on_triangle(tree, index, place.to_world(point), place.direction(direction), 0.0);
    Some(Meeting { fraction: contact.fraction, touch })
}

/// A ball beside another one at `from`, both given by their centres.
pub(super) fn touch_ball(center: DVec3, radius: f64, from: DVec3, other_radius: f64) -> Touch {
    let between = center - from;
    let distance = between.length();
    // Of two in one place any direction leads out.
    let normal = if distance > 1e-12 { between / distance } else { DVec3::Y };
    Touch { normal, point: from + normal * other_radius, gap: distance - radius - other_radius, triangle: None }
}

/// When, up to `seconds`, a ball that is `between` away and comes at `velocity` is within `reach`: at once if it is already and
/// comes closer. `None` when it does not. (The lesser root of a quadratic, in the form that does not cancel.)
pub(super) fn time_to_meet(between: DVec3, velocity: DVec3, reach: f64, seconds: f64) -> Option<f64> {
    let towards = between.dot(velocity);
    if towards >= 0.0 {
        return None;
    }
    let apart = between.length_squared() - reach * reach;
    if apart <= 0.0 {
        return Some(0.0);
    }
    let speed = velocity.length_squared();
    let discriminant = towards * towards - speed * apart;
    if discriminant < 0.0 {
        return None;
    }
    let time = apart / (discriminant.sqrt() - towards);
    (time <= seconds).then_some(time)
}

impl Prop {
    /// Hands what is within `reach` metres of a ball to `found`.
    pub(super) fn touch(&self, tree: &Tree, center: DVec3, radius: f64, reach: f64, mut found: impl FnMut(&Touch)) {
        match self.met() {
            Met::Mesh => touch_mesh(tree, &self.place, center, radius, reach, found),
            Met::Radius(own) => {
                let touch = touch_ball(center, radius, self.place.translation, f64::from(own));
                if touch.gap <= reach {
                    found(&touch);
                }
            }
            Met::Nothing => {}
        }
    }

    /// The first meeting with a ball on its way.
    pub(super) fn meet(&self, tree: &Tree, center: DVec3, radius: f64, way: DVec3) -> Option<Meeting> {
        match self.met() {
            Met::Mesh => meet_mesh(tree, &self.place, center, radius, way),
            Met::Radius(own) => {
                let own = f64::from(own);
                let fraction = time_to_meet(center - self.place.translation, way, radius + own, 1.0)?;
                let touch = touch_ball(center + way * fraction, radius, self.place.translation, own);
                Some(Meeting { fraction, touch })
            }
            Met::Nothing => None,
        }
    }
}

impl Ellipsoid {
    /// Its half axes with a ball around it: within some millimetres the shape that the ball's centre keeps out of.
    fn with_ball(&self, radius: f64) -> DVec3 {
        self.radii + radius
    }

    /// A ball beside it.
    pub(super) fn touch(&self, center: DVec3, radius: f64) -> Touch {
        let radii = self.with_ball(radius);
        let unit = (center - self.center) / radii;
        let distance = unit.length();
        let direction = if distance > 1e-12 { unit / distance } else { DVec3::Y };
        let gradient = direction / radii;
        let length = gradient.length();
        let normal = gradient / length;
        Touch { normal, point: center - normal * radius, gap: (distance - 1.0) / length, triangle: None }
    }

    /// The first meeting with a ball on its way, which is given against it.
    pub(super) fn meet(&self, center: DVec3, radius: f64, way: DVec3) -> Option<Meeting> {
        let radii = self.with_ball(radius);
        let unit = (center - self.center) / radii;
        // A ball that is thrown from within leaves it.
        if unit.length_squared() < 1.0 {
            return None;
        }
        let fraction = time_to_meet(unit, way / radii, 1.0, 1.0)?;
        Some(Meeting { fraction, touch: self.touch(center + way * fraction, radius) })
    }
}
