//! What culling is measured against: a path of cameras, and the methods that people use without such a tree.

mod classic;
mod every_triangle;

pub use classic::{CopyIndices, LEAF_LIMITS};
pub use every_triangle::EveryTriangle;
