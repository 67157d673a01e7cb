//! Parts that buildings are made of. Each is built in the mesh's current frame.

mod blocks;
mod roof;
mod shapes;
mod stairs;
mod tree;
mod wall;

pub use blocks::{Blocks, blocks, voussoirs};
pub use roof::{GableRoof, cone_roof, gable_roof};
pub use shapes::{barrel, beam, block, block_without, cylinder, disc, slab_with_hole};
pub use stairs::{Stairs, stairs};
pub use tree::tree;
pub use wall::{Opening, Wall};

pub const TOP: u8 = 1;
pub const BOTTOM: u8 = 2;
pub const LEFT: u8 = 4;
pub const RIGHT: u8 = 8;
pub const FRONT: u8 = 16;
pub const BACK: u8 = 32;
