//! Walking and flying: inputs go in, a path comes out, the same bit for bit in every build.
//!
//! A [`Walker`] is moved by [`Walker::step`] in fixed steps of [`STEP`] seconds; [`Walker::feet_between`] and
//! [`Walker::eye_between`] interpolate for drawing. A step is: look; stand up or crouch; leave what the body overlaps; then
//! walk on the ground, fall through the air, or fly.
//!
//! ```
//! use glam::Vec3;
//! use nodetree::tree::{Mode, Settings, Tree};
//! use nodetree::walk::{self, Input, Walker};
//!
//! let floor = [[[-9.0, 0.0, -9.0], [-9.0, 0.0, 9.0], [9.0, 0.0, 9.0]], [[-9.0, 0.0, -9.0], [9.0, 0.0, 9.0], [9.0, 0.0, -9.0]]];
//! let tree = Tree::from_triangles(&floor.map(|t| t.map(Vec3::from)), &[0, 0], &Settings::new(Mode::Octree));
//! let settings = walk::Settings::default();
//! let mut walker = Walker::new(Vec3::Y, 0.0);
//! for _ in 0..120 {
//!     walker.step(&tree, &settings, &Input { forward: 1.0, ..walker.input() });
//! }
//! assert!(walker.grounded() && walker.feet().z < -2.0);
//! ```

#[cfg(any(feature = "cli", feature = "window"))]
pub mod path;

mod air;
mod fly;
mod follow;
mod footing;
mod ground;
mod moment;
mod settings;
mod spawn;
mod stance;
mod walker;

pub use follow::{Follow, FollowSettings};
pub use moment::Moment;
pub use settings::{BadSetting, Settings};
pub use spawn::{find_spawn, settle_spawn};
pub use walker::{Input, Mode, STEP, StepReport, Walker};
