//! Small pure functions on boxes, planes, rays and triangles. Right-handed, Y up, metres.

mod aabb;
mod area;
mod closest;
mod exact;
mod frustum;
mod half_spaces;
mod plane;
mod polygon;
mod ray;
mod round;
mod sphere;
mod sweep;
pub mod triangle;

pub use aabb::Aabb;
pub use area::has_area;
pub use closest::{closest_point_on_segment, closest_point_on_triangle};
pub use frustum::{Containment, Frustum};
pub use plane::{Plane, PlaneCrossing, Side};
pub use polygon::{closest_point_on_polygon, is_over_polygon, is_over_triangle, sphere_touches_polygon};
pub use ray::{BadRay, Ray};
pub use sphere::{sphere_touches_triangle, spheres_touch};
pub use sweep::{TriangleContact, sweep_sphere_triangle};
pub use triangle::Crossing;

pub(crate) use closest::nearest_on_triangle;
pub(crate) use frustum::rounding_slack;
pub(crate) use half_spaces::HalfSpaces;
pub(crate) use ray::{FAR_PADDING, NEAR_PADDING, inverse_speed};
pub(crate) use round::{UNIT, round_down, round_into_range, round_up};
pub(crate) use sweep::{Motion, TOUCH, UnitContact, UnitSpace, direction_from};
