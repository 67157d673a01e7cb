//! Small pure functions on boxes, planes, rays and triangles. Right-handed, Y up, metres.

mod aabb;
mod frustum;

pub use aabb::Aabb;
pub use frustum::{Containment, Frustum, Plane};

pub(crate) use frustum::rounding_slack;
