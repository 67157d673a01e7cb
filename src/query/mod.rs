//! Questions the tree answers: rays, segments, heights, spheres at rest, swept and sliding.
//!
//! Every question is a method of [`Tree`](crate::tree::Tree), in local space and metres. None allocates, save that a list
//! that takes many answers may grow. Intervals are closed: a hit at exactly 0 or at exactly the limit is a hit. Nothing
//! there is `None`.
//!
//! A triangle is told by its number in the level, as in [`Level::material_of`](crate::level::Level::material_of).
//!
//! # Cost
//! A question looks at the nodes, of eight boxes each, that can hold its answer, and at packets of eight triangles below them;
//! [`Tree::ray_cost`](crate::tree::Tree::ray_cost) counts them for rays. Their number grows with the depth of the tree, that is
//! with the logarithm of the number of triangles, and with how much of the level the question reaches: a limit saves time.
//! Each method says what it looks at.

mod ball;
mod batch;
mod column;
mod cost;
mod height;
mod ray;
mod ray_filter;
mod segment;
mod slab;
mod slide;
mod solids;
mod sphere;
mod sweep;
mod sweep_filter;

pub use batch::Batch;
pub use cost::Cost;
pub use height::Which;
pub use ray::RayHit;
pub use slide::{Slide, SlideContact};
pub use solids::Solids;
pub use sphere::ClosestPoint;
pub use sweep::{Sweep, SweepHit};

pub(crate) use slide::{Slider, Touching};

/// Which sides of the triangles count. The front is the side from which the corners run counter-clockwise.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Faces {
    /// Both sides.
    #[default]
    Both,
    /// Only fronts: what is met from behind is passed through.
    Front,
    /// Only backs.
    Back,
}

impl Faces {
    /// Whether the front (`true`) or the back (`false`) counts.
    pub fn admit(self, front: bool) -> bool {
        match self {
            Faces::Both => true,
            Faces::Front => front,
            Faces::Back => !front,
        }
    }
}
