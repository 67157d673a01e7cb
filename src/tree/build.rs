//! Building: Morton keys of the box centres, one sort, cells as runs of equal prefix, boxes bottom-up.

use glam::{DVec3, Vec3};
use rayon::prelude::*;

use super::groups::{self, Groups};
use super::split::{Cell, KEY_LEVELS, MAX_LEVEL};
use super::widen::widen;
use super::{Node, Settings, Tree};
use crate::geometry::{Aabb, has_area};
use crate::simd::Simd;

impl Tree {
    /// Builds the tree over triangles given by their corners, each with the number of its material. Triangles that are not
    /// finite or have no area are left out. A triangle's number is its index.
    ///
    /// # Panics
    /// When the slices differ in length, or there are more than 2^31 triangles.
    pub fn from_triangles(corners: &[[Vec3; 3]], materials: &[u32], settings: &Settings) -> Tree {
        Tree::assemble(corners, materials, |_| true, settings)
    }

    pub(super) fn assemble(
        corners: &[[Vec3; 3]],
        materials: &[u32],
        is_drawn: impl Fn(u32) -> bool,
        settings: &Settings,
    ) -> Tree {
        assert_eq!(corners.len(), materials.len(), "each triangle needs one material");
        assert!(corners.len() <= 1 << 31, "more than 2^31 triangles");
        let kept: Vec<u32> =
            (0..corners.len() as u32).into_par_iter().filter(|&n| has_area(&corners[n as usize])).collect();
        let bounds =
            kept.par_iter().map(|&number| Aabb::around(corners[number as usize])).reduce(|| Aabb::EMPTY, Aabb::union);
        let root = if kept.is_empty() {
            Cell { min: DVec3::ZERO, size: f64::from(settings.leaf_size) }
        } else {
            Cell::root(&bounds, settings.leaf_size)
        };
        let chunk_size = groups::chunk_size(kept.len());
        let mut builder = Builder { corners, settings, chunk_size, entries: Vec::new(), nodes: Vec::new() };
        builder.entries = kept.into_par_iter().map(|number| Entry { key: 0, number }).collect();
        builder.sort(0..builder.entries.len(), &root);
        if !builder.entries.is_empty() {
            builder.subtree(0..builder.entries.len(), KeySpace { cell: root, level: 0 }, 0);
        }
        let Builder { entries, mut nodes, .. } = builder;
        let triangles: Vec<[Vec3; 3]> = entries.par_iter().map(|entry| corners[entry.number as usize]).collect();
        let numbers: Vec<u32> = entries.par_iter().map(|entry| entry.number).collect();
        fit_boxes(&mut nodes, &triangles);
        let groups = Groups::new(&nodes, &triangles, &numbers, materials, is_drawn);
        let wide = widen(&nodes, &triangles, &numbers);
        Tree { settings: *settings, cell_of_root: root, nodes, wide, groups, simd: Simd::available()[0] }
    }
}

/// The centre of a triangle's box, exact.
pub(super) fn box_center(corners: &[Vec3; 3]) -> DVec3 {
    let bounds = Aabb::around(*corners);
    0.5 * (bounds.min.as_dvec3() + bounds.max.as_dvec3())
}

/// A triangle on its way to its place.
#[derive(Clone, Copy)]
struct Entry {
    key: u64,
    number: u32,
}

/// The cell that keys are relative to, and its level.
#[derive(Clone, Copy)]
struct KeySpace {
    cell: Cell,
    level: u32,
}

struct Builder<'a> {
    corners: &'a [[Vec3; 3]],
    settings: &'a Settings,
    /// Runs of a leaf longer than this are put into an order that can be halved.
    chunk_size: usize,
    entries: Vec<Entry>,
    nodes: Vec<Node>,
}

impl Builder<'_> {
    /// Gives each entry of `run` its key below `cell` and sorts by key, then number, which is one order on any machine.
    fn sort(&mut self, run: std::ops::Range<usize>, cell: &Cell) {
        let (mode, corners) = (self.settings.mode, self.corners);
        let entries = &mut self.entries[run];
        entries.par_iter_mut().for_each(|entry| {
            entry.key = mode.key(cell, box_center(&corners[entry.number as usize]));
        });
        entries.par_sort_unstable_by_key(|entry| (entry.key, entry.number));
    }

    /// Appends the nodes of the cell at `level` that owns `run`.
    fn subtree(&mut self, run: std::ops::Range<usize>, mut space: KeySpace, mut level: u32) {
        let mode = self.settings.mode;
        let leaf_triangles = self.settings.leaf_triangles.max(1) as usize;
        let leaf_size = f64::from(self.settings.leaf_size);
        let is_leaf = loop {
            let size = space.cell.size / (1_u64 << (level - space.level)) as f64;
            if run.len() <= leaf_triangles || size <= leaf_size || level >= MAX_LEVEL {
                break true;
            }
            if level == space.level + KEY_LEVELS {
                // Many triangles in a tiny cell beside a far one: go on with finer keys.
                let center = box_center(&self.corners[self.entries[run.start].number as usize]);
                space = KeySpace { cell: space.cell.below(center, KEY_LEVELS), level };
                self.sort(run.clone(), &space.cell);
            }
            let digit = |entry: &Entry| entry.key >> (mode.digit_bits() * (space.level + KEY_LEVELS - 1 - level));
            if digit(&self.entries[run.start]) != digit(&self.entries[run.end - 1]) {
                break false;
            }
            // A single child would repeat this cell's box: it stands for both.
            level += 1;
        };
        let node = self.nodes.len();
        self.nodes.push(Node { bounds: Aabb::EMPTY, first: run.start as u32, count: run.len() as u32, end: 0, level });
        if is_leaf {
            order_leaf(&mut self.entries[run], self.corners, self.chunk_size);
        } else {
            let shift = mode.digit_bits() * (space.level + KEY_LEVELS - 1 - level);
            let mut start = run.start;
            while start < run.end {
                let digit = self.entries[start].key >> shift;
                let length = self.entries[start..run.end].partition_point(|entry| entry.key >> shift == digit);
                self.subtree(start..start + length, space, level + 1);
                start += length;
            }
        }
        self.nodes[node].end = self.nodes.len() as u32;
    }
}

/// Puts the triangles of a leaf into an order whose halves, and their halves down to `chunk_size`, lie apart: split at the
/// median along the longest side of the box of their centres.
fn order_leaf(entries: &mut [Entry], corners: &[[Vec3; 3]], chunk_size: usize) {
    if entries.len() <= chunk_size {
        return;
    }
    let center = |entry: &Entry| box_center(&corners[entry.number as usize]);
    let (min, max) = entries
        .iter()
        .map(center)
        .fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(min, max), center| (min.min(center), max.max(center)));
    let axis = (max - min).max_position();
    let middle = entries.len() / 2;
    entries.select_nth_unstable_by(middle, |a, b| {
        center(a)[axis].total_cmp(&center(b)[axis]).then(a.number.cmp(&b.number))
    });
    let (low, high) = entries.split_at_mut(middle);
    order_leaf(low, corners, chunk_size);
    order_leaf(high, corners, chunk_size);
}

/// Tight boxes, children before parents: in depth-first order children stand behind.
pub(super) fn fit_boxes(nodes: &mut [Node], triangles: &[[Vec3; 3]]) {
    for index in (0..nodes.len()).rev() {
        let node = nodes[index];
        let mut bounds = Aabb::EMPTY;
        let mut child = index + 1;
        if node.end as usize == child {
            let run = node.first as usize..(node.first + node.count) as usize;
            bounds = Aabb::around(triangles[run].iter().flatten().copied());
        }
        while child < node.end as usize {
            bounds = bounds.union(nodes[child].bounds);
            child = nodes[child].end as usize;
        }
        nodes[index].bounds = bounds;
    }
}
