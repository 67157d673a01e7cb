//! The tree: quadtree or octree cells with tight boxes, triangles in depth-first order, and runs per material.
//!
//! Each triangle has one owner, the cell that the centre of its box lies in (half-open cells), so nothing is stored or
//! drawn twice. Triangles are stored in the order in which a depth-first walk meets them: each subtree owns one run.

mod bounds;
mod branch;
mod build;
mod groups;
mod loose;
mod pack;
mod pages;
mod radix;
mod row;
mod split;
mod statistics;
mod validate;
mod wide;
mod widen;

use glam::Vec3;
use rayon::prelude::*;

use crate::geometry::Aabb;
use crate::level::Level;
use crate::simd::Simd;

pub use groups::{DrawCell, Groups, Part};
pub use loose::Loose;
pub use split::Mode;
pub use statistics::{LeafTriangles, TreeStatistics};
pub use validate::Invalid;

use pages::Pages;
pub(crate) use radix::sort_by_upper_half;
pub(crate) use split::{spread_by_2, spread_by_3};
pub(crate) use wide::{Boxes, Packet, Question, extents};
use wide::{Visit, VisitBeside, Wide};

/// How to build a tree.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Quadtree or octree.
    pub mode: Mode,
    /// A cell splits only while it holds more triangles than this, at least 1.
    pub leaf_triangles: u32,
    /// A cell splits only while its edge is longer than this, in metres, above 0.
    pub leaf_size: f32,
}

impl Settings {
    /// 32 triangles and 2 m a leaf.
    pub fn new(mode: Mode) -> Settings {
        Settings { mode, leaf_triangles: 32, leaf_size: 2.0 }
    }
}

/// A cell of the tree. Nodes stand in depth-first order: a node's first child follows it, its next sibling stands at `end`.
/// Empty cells are not stored, and a cell with a single child is stored as that child.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Node {
    /// The tight box around the triangles of the subtree, which may reach out of the cell.
    pub bounds: Aabb,
    /// First triangle of the subtree in depth-first order.
    pub first: u32,
    /// How many triangles the subtree has, at least 1.
    pub count: u32,
    /// Index of the first node after the subtree.
    pub end: u32,
    /// How many times the root's cell was halved to get this cell.
    pub level: u32,
}

/// A quadtree or octree over the triangles of a level. Immutable once built, and the same on any number of threads.
#[derive(Clone, Debug)]
pub struct Tree {
    settings: Settings,
    cell_of_root: split::Cell,
    nodes: Vec<Node>,
    wide: Wide,
    groups: Groups,
    simd: Simd,
}

impl Tree {
    /// Builds the tree over every finite triangle with area. No triangles make a tree without nodes.
    pub fn build(level: &Level, settings: &Settings) -> Tree {
        let materials: Vec<u32> = level.triangles.iter().map(|triangle| triangle.material).collect();
        let is_drawn = |material: u32| !level.materials[material as usize].is_invisible();
        // Inside the pool, so that no step has to enter it on its own.
        rayon::scope(|_| {
            let mut corners: Pages<[Vec3; 3]> = Pages::zeroed(materials.len());
            let places = corners.par_iter_mut().with_min_len(build::LEAST_SHARE).enumerate();
            places.for_each(|(number, corners)| *corners = level.corners(number as u32));
            Tree::assemble(&corners, &materials, is_drawn, settings)
        })
    }

    /// Quadtree or octree.
    pub fn mode(&self) -> Mode {
        self.settings.mode
    }

    /// What it was built with.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The box around all triangles; empty for a tree without any.
    pub fn bounds(&self) -> Aabb {
        self.nodes.first().map_or(Aabb::EMPTY, |root| root.bounds)
    }

    /// The cells in depth-first order; the root is the first.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// Whether the node at `index` has no children.
    pub fn is_leaf(&self, index: u32) -> bool {
        self.nodes[index as usize].end == index + 1
    }

    /// The children of the node at `index`, in cell order.
    pub fn children(&self, index: u32) -> impl Iterator<Item = u32> + '_ {
        let end = self.nodes[index as usize].end;
        let mut next = index + 1;
        std::iter::from_fn(move || {
            let child = next;
            (child < end).then(|| {
                next = self.nodes[child as usize].end;
                child
            })
        })
    }

    /// How many triangles it holds.
    pub fn triangle_count(&self) -> usize {
        self.nodes.first().map_or(0, |root| root.count as usize)
    }

    /// The triangles in depth-first order: the number in the level, and the corners in local space.
    pub fn triangles(&self) -> impl Iterator<Item = (u32, [Vec3; 3])> + '_ {
        self.wide.triangles()
    }

    /// What questions run on: the fastest that this machine has, unless told otherwise.
    pub fn simd(&self) -> Simd {
        self.simd
    }

    /// Lets questions run on something else, for comparison; nothing happens where this machine does not have it. Answers do
    /// not depend on it.
    pub fn set_simd(&mut self, simd: Simd) {
        if Simd::available().contains(&simd) {
            self.simd = simd;
        }
    }

    /// Makes a question, puts it, and makes an answer of it, all on the lanes of the tree.
    #[inline]
    pub(crate) fn ask<Q: Question, A>(&self, question: impl FnOnce() -> Q, answer: impl FnOnce(&Q) -> A) -> A {
        self.simd.run(Visit { wide: &self.wide, question, answer })
    }

    /// [`Tree::ask`] of triangles beside the tree as well.
    #[inline]
    pub(crate) fn ask_beside<Q: Question, A>(
        &self,
        loose: &Loose,
        question: impl FnOnce() -> Q,
        answer: impl FnOnce(&Q) -> A,
    ) -> A {
        self.simd.run(VisitBeside { wide: &self.wide, loose, question, answer })
    }

    /// The places of the tree's own triangles are below this.
    #[inline]
    pub(crate) fn places(&self) -> usize {
        self.wide.places()
    }

    /// The triangle at a place that a question was told.
    #[inline]
    pub(crate) fn triangle(&self, place: usize) -> [Vec3; 3] {
        self.wide.triangle(place)
    }

    /// The number in the level of the triangle at a place that a question was told.
    #[inline]
    pub(crate) fn number(&self, place: usize) -> u32 {
        self.wide.number(place)
    }

    /// The triangles grouped by material, for drawing.
    pub fn groups(&self) -> &Groups {
        &self.groups
    }

    /// Bytes of memory that the tree owns.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.nodes[..]) + self.wide.bytes() + self.groups.bytes()
    }
}
