//! Things in a level that are not the level: props, and balls that fly, bounce, roll and come to rest.
//!
//! [`Props`] are named copies of models that stand somewhere. [`Balls`] are moved by [`Balls::step`] in fixed steps of
//! [`STEP`](crate::walk::STEP) seconds, the same bit for bit in every build and with any number of threads; they bounce off the
//! level, props, each other and a walker, and every [`Contact`] is told. [`VisibleBodies`] says which of both a camera sees.
//!
//! A step of the balls is: gravity; pairs that may meet, by sorting along an axis; impulses between what rests on each other;
//! then everybody flies, and each meeting on the way is an event of its own, the earliest first; groups of balls that lie still
//! fall asleep. All motion is swept against the level, so no speed takes a ball through a wall.
//!
//! ```
//! use std::sync::Arc;
//! use glam::{DVec3, Vec3};
//! use nodetree::bodies::{Balls, Props, Settings, Throw};
//! use nodetree::tree::{self, Mode, Tree};
//!
//! let floor = [[[-9.0, 0.0, -9.0], [-9.0, 0.0, 9.0], [9.0, 0.0, 9.0]], [[-9.0, 0.0, -9.0], [9.0, 0.0, 9.0], [9.0, 0.0, -9.0]]];
//! let tree = Tree::from_triangles(&floor.map(|t| t.map(Vec3::from)), &[0, 0], &tree::Settings::new(Mode::Octree));
//! let (mut balls, props) = (Balls::new(Settings::default()).unwrap(), Props::new());
//! let ball = balls.throw(&Throw { position: DVec3::Y, ..Throw::default() }).unwrap();
//! for _ in 0..60 {
//!     balls.step(&tree, &props, None);
//! }
//! assert!(balls.get(ball).unwrap().velocity().y > 0.0, "it is on its way up again");
//! ```

mod ball;
mod balls;
mod contact;
mod flight;
mod nearby;
mod obstacle;
mod pairs;
mod props;
mod rest;
mod scatter;
mod settings;
mod sleep;
mod transform;
mod visible;

pub use ball::{BadThrow, Ball, BallId, Throw};
pub use balls::Balls;
pub use contact::{Body, Contact};
pub use nearby::Nearby;
pub use obstacle::Ellipsoid;
pub use props::{BadProp, Met, Model, ModelId, Prop, PropId, Props};
pub use settings::Settings;
pub use transform::Transform;
pub use visible::VisibleBodies;
