//! Building: Morton keys of the box centres, one sort, cells as runs of equal prefix, boxes bottom-up.

use glam::{DVec3, Vec3};
use rayon::prelude::*;

use super::groups::{self, Groups};
use super::pages::Pages;
use super::radix::sort_by_upper_half;
use super::split::{Cell, MAX_LEVEL};
use super::widen::widen;
use super::{Mode, Node, Settings, Tree};
use crate::geometry::{Aabb, has_area};
use crate::simd::{LANES, Simd};

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
        let mut entries: Vec<u64> =
            (0..corners.len() as u64).into_par_iter().filter(|&n| has_area(&corners[n as usize])).collect();
        let bounds = entries
            .par_iter()
            .map(|&entry| Aabb::of_triangle(&corners[number_of(entry) as usize]))
            .reduce(|| Aabb::EMPTY, Aabb::union);
        let root = if entries.is_empty() {
            Cell { min: DVec3::ZERO, size: f64::from(settings.leaf_size) }
        } else {
            Cell::root(&bounds, settings.leaf_size)
        };
        let chunk_size = groups::chunk_size(entries.len());
        set_keys(&mut entries, corners, settings.mode, &root);
        sort_by_upper_half(&mut entries, &mut Vec::new());
        let mut builder = Builder { corners, settings, chunk_size, entries, nodes: Vec::new() };
        if !builder.entries.is_empty() {
            builder.subtree(0..builder.entries.len(), KeySpace { cell: root, level: 0 }, 0);
        }
        let Builder { entries, mut nodes, .. } = builder;
        let mut triangles: Pages<[Vec3; 3]> = Pages::zeroed(entries.len());
        triangles
            .par_iter_mut()
            .zip(&entries)
            .for_each(|(triangle, &entry)| *triangle = corners[number_of(entry) as usize]);
        let numbers: Vec<u32> = entries.par_iter().map(|&entry| number_of(entry)).collect();
        fit_boxes(&mut nodes, &triangles);
        let groups = Groups::new(&nodes, &triangles, &numbers, materials, is_drawn);
        let wide = widen(&nodes, &triangles, &numbers);
        Tree { settings: *settings, cell_of_root: root, nodes, wide, groups, simd: Simd::available()[0] }
    }
}

/// The centre of a triangle's box, exact.
pub(super) fn box_center(corners: &[Vec3; 3]) -> DVec3 {
    let bounds = Aabb::of_triangle(corners);
    0.5 * (bounds.min.as_dvec3() + bounds.max.as_dvec3())
}

/// A triangle on its way to its place: its key in the upper half, its number in the lower.
fn number_of(entry: u64) -> u32 {
    entry as u32
}

fn key_of(entry: u64) -> u32 {
    (entry >> 32) as u32
}

/// Gives each entry its key below `cell`.
fn set_keys(entries: &mut [u64], corners: &[[Vec3; 3]], mode: Mode, cell: &Cell) {
    entries.par_iter_mut().with_min_len(4096).for_each(|entry| {
        let number = number_of(*entry);
        *entry = u64::from(mode.key(cell, box_center(&corners[number as usize]))) << 32 | u64::from(number);
    });
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
    entries: Vec<u64>,
    nodes: Vec<Node>,
}

impl Builder<'_> {
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
            if level == space.level + mode.key_levels() {
                // Many triangles in a small cell: go on with finer keys.
                let center = box_center(&self.corners[number_of(self.entries[run.start]) as usize]);
                space = KeySpace { cell: space.cell.below(center, mode.key_levels()), level };
                let entries = &mut self.entries[run.clone()];
                set_keys(entries, self.corners, mode, &space.cell);
                entries.sort_unstable();
            }
            let shift = mode.digit_bits() * (space.level + mode.key_levels() - 1 - level);
            if key_of(self.entries[run.start]) >> shift != key_of(self.entries[run.end - 1]) >> shift {
                break false;
            }
            // A single child would repeat this cell's box: it stands for both.
            level += 1;
        };
        let node = self.nodes.len();
        self.nodes.push(Node { bounds: Aabb::EMPTY, first: run.start as u32, count: run.len() as u32, end: 0, level });
        if is_leaf {
            // The keys of a quadtree say nothing of the height.
            let keys_suffice = if mode == Mode::Quadtree { LANES.min(self.chunk_size) } else { self.chunk_size };
            order_leaf(&mut self.entries[run], self.corners, keys_suffice);
        } else {
            let shift = mode.digit_bits() * (space.level + mode.key_levels() - 1 - level);
            let mut start = run.start;
            while start < run.end {
                let digit = key_of(self.entries[start]) >> shift;
                let length = self.entries[start..run.end].partition_point(|&entry| key_of(entry) >> shift == digit);
                self.subtree(start..start + length, space, level + 1);
                start += length;
            }
        }
        self.nodes[node].end = self.nodes.len() as u32;
    }
}

/// Puts the triangles of a leaf into an order whose halves, and their halves down to `chunk_size` triangles, lie apart: split at
/// the median along the longest side of the box of their centres.
fn order_leaf(entries: &mut [u64], corners: &[[Vec3; 3]], chunk_size: usize) {
    if entries.len() <= chunk_size {
        return;
    }
    let center = |&entry: &u64| box_center(&corners[number_of(entry) as usize]);
    let (min, max) = entries
        .iter()
        .map(center)
        .fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(min, max), center| (min.min(center), max.max(center)));
    let axis = (max - min).max_position();
    let middle = entries.len() / 2;
    entries.select_nth_unstable_by(middle, |a, b| {
        center(a)[axis].total_cmp(&center(b)[axis]).then(number_of(*a).cmp(&number_of(*b)))
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
