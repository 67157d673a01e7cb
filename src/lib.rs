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
//! | [`bodies`] | a tree, props and balls | where they are, what met, and which are seen |
//! | [`scene`] | a scene file | a level of named pieces, with props, triggers, lights and cameras |
//! | [`bench`](mod@bench) | a tree and a path | what culling and questions cost |
//!
//! All of it in one go, on a level in memory:
//!
//! ```
//! use glam::{DVec3, Vec3};
//! use nodetree::camera::Camera;
//! use nodetree::cull::DrawList;
//! use nodetree::geometry::{Frustum, Ray};
//! use nodetree::level::{Corner, LevelBuilder, Placement};
//! use nodetree::query::{Faces, Which};
//! use nodetree::tree::{Mode, Settings, Tree};
//!
//! // A floor of 20 x 20 m, counter-clockwise from above.
//! let mut builder = LevelBuilder::new(Placement::default());
//! let corners = [(-10.0, -10.0), (-10.0, 10.0), (10.0, 10.0), (10.0, -10.0)]
//!     .map(|(x, z)| builder.position(DVec3::new(x, 0.0, z)))
//!     .map(|position| Corner { position, tex_coord: None, normal: None });
//! builder.polygon(&corners, 0, 0);
//! let level = builder.finish("floor", None);
//!
//! // Split it: the tree serves drawing and questions.
//! let tree = Tree::build(&level, &Settings::new(Mode::Quadtree));
//!
//! // What does a camera see? Ranges of the index buffer, by material.
//! let camera = Camera { eye: Vec3::new(0.0, 1.7, 0.0), pitch: -0.5, ..Camera::default() };
//! let mut draw_list = DrawList::new();
//! draw_list.cull(&tree, &Frustum::from_clip_from_world(camera.clip_from_world()));
//! assert_eq!(draw_list.ranges()[0].count, 2);
//!
//! // What lies ahead, and how high is the floor here?
//! let ray = Ray::new(camera.eye, camera.forward()).unwrap();
//! let hit = tree.ray(&ray, f32::INFINITY, Faces::Both).unwrap();
//! assert!(hit.point.y.abs() < 1e-5 && hit.normal == Vec3::Y);
//! assert_eq!(tree.height(camera.eye, Which::Below, 0.0), Some(0.0));
//! ```
//!
//! With the feature `window` come the wgpu renderer (`render`) and the window (`app`), which is a canvas in a browser; `cli` is
//! the program without them, `viewer` (default) both.

#![deny(unsafe_code)]

pub mod simd;
pub mod geometry;
pub mod level;
pub mod generate;
pub mod tree;
pub mod camera;
pub mod cull;
pub mod query;
pub mod walk;
pub mod bodies;
pub mod scene;
#[cfg(feature = "window")]
pub mod render;
pub mod bench;
#[cfg(feature = "window")]
pub mod app;
