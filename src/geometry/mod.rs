//! Small pure functions on boxes, planes, rays and triangles. Right-handed, Y up, metres.

mod aabb;
mod exact;
mod frustum;
mod ray;
pub mod triangle;

pub use aabb::Aabb;
pub use frustum::{Containment, Frustum, Plane};
pub use ray::{BadRay, Ray};
pub use triangle::Crossing;

pub(crate) use frustum::rounding_slack;
