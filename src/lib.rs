//! nodetree loads a level mesh, splits it into a quadtree or an octree, draws only what the camera can see, and answers
//! rays, heights, sphere overlaps and swept spheres from the same tree.
//!
//! The modules stand in the order in which the data flows:
//!
//! | module | what goes in | what comes out |
//! |---|---|---|
//! | [`geometry`] | numbers | small pure functions on boxes, planes, rays, triangles |
//! | [`level`] | a file or slices | a [`Level`](level::Level): vertices, triangles, materials, textures |
//! | [`generate`] | a seed | the built-in levels |
//! | [`tree`] | a level | a [`Tree`](tree::Tree): cells, and triangles grouped by material |
//! | [`camera`], [`cull`] | a tree and a view | a [`DrawList`](cull::DrawList): ranges to draw |
//! | [`query`] | a tree and a question | a hit, a height, a contact, or nothing |
//! | [`walk`] | a tree and inputs | a path |
//!
//! With the feature `viewer` the wgpu renderer and the window stand behind them; the program is `cli`.

#![deny(unsafe_code)]

#[cfg(feature = "viewer")]
pub mod app;
pub mod bench;
pub mod camera;
pub mod cull;
pub mod generate;
pub mod geometry;
pub mod level;
pub mod query;
#[cfg(feature = "viewer")]
pub mod render;
pub mod tree;
pub mod walk;
