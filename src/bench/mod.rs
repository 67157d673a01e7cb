//! Measuring: a path of cameras, timing along it, and the methods that people use without such a tree.

mod classic;
mod every_triangle;
mod measure;
mod path;

pub use classic::{CopyIndices, LEAF_LIMITS};
pub use every_triangle::EveryTriangle;
pub use measure::{
    CullFigures, CullOutput, CullSeries, QueryFigures, frusta, measure_cull, measure_queries, triangles_needed,
};
pub use path::default_path;
