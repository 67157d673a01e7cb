//! Building: Morton keys of the box centres, one sort, cells as runs of equal prefix, boxes bottom-up.

use glam::{DVec3, Vec3, Vec3A};
use rayon::prelude::*;

use super::bounds::Bounds;
use super::groups::{self, Groups};
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
        rayon::scope(|_| Tree::assemble(corners, materials, |_| true, settings))
    }

    pub(super) fn assemble(
        corners: &[[Vec3; 3]],
        materials: &[u32],
        is_drawn: impl Fn(u32) -> bool + Send,
        settings: &Settings,
    ) -> Tree {
        assert_eq!(corners.len(), materials.len(), "each triangle needs one material");
        assert!(corners.len() <= 1 << 31, "more than 2^31 triangles");
        let mut entries = vec![0; corners.len()];
        let bounds = entries
            .par_iter_mut()
            .with_min_len(LEAST_SHARE)
            .zip(corners)
            .enumerate()
            .map(|(number, (entry, corners))| {
                let is_usable = has_area(corners);
                *entry = entry_of(if is_usable { 0 } else { UNUSABLE }, number as u32);
                if is_usable { Bounds::of_triangle(corners) } else { Bounds::EMPTY }
            })
            .reduce(|| Bounds::EMPTY, Bounds::union);
        let bounds = Aabb::from(bounds);
        let root = if bounds.is_empty() {
            Cell { min: DVec3::ZERO, size: f64::from(settings.leaf_size) }
        } else {
            Cell::root(&bounds, settings.leaf_size)
        };
        set_keys(&mut entries, corners, settings.mode, &root);
        sort_by_upper_half(&mut entries, &mut Vec::new());
        entries.truncate(entries.partition_point(|&entry| key_of(entry) != UNUSABLE));
        let mut nodes = Vec::with_capacity(entries.len() / 4);
        if !entries.is_empty() {
            let mut cutter = Cutter { corners, settings, entries: &mut entries, nodes: &mut nodes };
            cutter.subtree(0..cutter.entries.len(), KeySpace { cell: root, level: 0 }, 0);
        }
        order_leaves(&mut nodes, &mut entries, corners, settings.mode);
        fit_inner_boxes(&mut nodes);
        let numbers: Vec<u32> = entries.into_iter().map(number_of).collect();
        nodes.shrink_to_fit();
        let (groups, wide) = rayon::join(
            || Groups::new(&nodes, corners, &numbers, materials, is_drawn),
            || widen(&nodes, corners, &numbers),
        );
        Tree { settings: *settings, cell_of_root: root, nodes, wide, groups, simd: Simd::available()[0] }
    }
}

/// No thread gets fewer triangles than this at once: handing them over would take longer.
pub(super) const LEAST_SHARE: usize = 1024;

/// The centre of a triangle's box, exact.
pub(super) fn box_center(corners: &[Vec3; 3]) -> DVec3 {
    let bounds = Aabb::from(Bounds::of_triangle(corners));
    0.5 * (bounds.min.as_dvec3() + bounds.max.as_dvec3())
}

/// A triangle on its way to its place: its key in the upper half, its number in the lower.
fn entry_of(key: u32, number: u32) -> u64 {
    u64::from(key) << 32 | u64::from(number)
}

fn number_of(entry: u64) -> u32 {
    entry as u32
}

fn key_of(entry: u64) -> u32 {
    (entry >> 32) as u32
}

/// The key of triangles that the tree leaves out: above all others.
const UNUSABLE: u32 = u32::MAX;

/// Gives each entry of a usable triangle its key below `cell`.
fn set_keys(entries: &mut [u64], corners: &[[Vec3; 3]], mode: Mode, cell: &Cell) {
    entries.par_iter_mut().with_min_len(LEAST_SHARE).filter(|entry| key_of(**entry) != UNUSABLE).for_each(|entry| {
        let number = number_of(*entry);
        *entry = entry_of(mode.key(cell, box_center(&corners[number as usize])), number);
    });
}

/// The cell that keys are relative to, and its level.
#[derive(Clone, Copy)]
struct KeySpace {
    cell: Cell,
    level: u32,
}

/// Cuts the sorted entries into cells.
struct Cutter<'a> {
    corners: &'a [[Vec3; 3]],
    settings: &'a Settings,
    entries: &'a mut [u64],
    nodes: &'a mut Vec<Node>,
}

impl Cutter<'_> {
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
        if !is_leaf {
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

/// Puts the triangles of each leaf into their order and fits the leaf's box.
fn order_leaves(nodes: &mut [Node], mut entries: &mut [u64], corners: &[[Vec3; 3]], mode: Mode) {
    let chunk_size = groups::chunk_size(entries.len());
    // The keys of a quadtree say nothing of the height.
    let keys_suffice = if mode == Mode::Quadtree { LANES.min(chunk_size) } else { chunk_size };
    let mut leaves = Vec::with_capacity(nodes.len());
    for (index, node) in nodes.iter_mut().enumerate() {
        if node.end as usize == index + 1 {
            leaves.extend(entries.split_off_mut(..node.count as usize).map(|run| (node, run)));
        }
    }
    leaves.into_par_iter().with_min_len(LEAST_SHARE / 16).for_each_init(Vec::new, |centers, (node, entries)| {
        centers.clear();
        let mut bounds = Bounds::EMPTY;
        for &mut entry in &mut *entries {
            let triangle = Bounds::of_triangle(&corners[number_of(entry) as usize]);
            bounds = bounds.union(triangle);
            centers.push(Center { place: triangle.doubled_center().to_array(), number: number_of(entry) });
        }
        node.bounds = bounds.into();
        if entries.len() > keys_suffice {
            halve(centers, keys_suffice);
            for (entry, center) in entries.iter_mut().zip(centers) {
                *entry = u64::from(center.number);
            }
        }
    });
}

/// A triangle whose place in its leaf is sought.
#[derive(Clone, Copy, Default)]
struct Center {
    /// Twice the centre of its box, rounded.
    place: [f32; 3],
    number: u32,
}

/// Up to so many are sorted by counting, for each, how many belong before it: more comparisons, but no jumps to guess wrong.
const FEW: usize = 64;

/// Puts triangles into an order whose halves, and their halves down to `chunk_size` triangles, lie apart: split at the median
/// along the longest side of the box of their centres.
fn halve(centers: &mut [Center], chunk_size: usize) {
    if centers.len() <= chunk_size {
        return;
    }
    let places = centers.iter().map(|center| Vec3A::from(center.place));
    let axis = places.fold(Bounds::EMPTY, Bounds::with_point).longest_axis();
    let middle = centers.len() / 2;
    if centers.len() <= FEW {
        // The last bits tell apart what lies at one place.
        let mut keys = [i32::MAX; FEW];
        for (index, (key, center)) in keys.iter_mut().zip(&*centers).enumerate() {
            *key = ordered(center.place[axis]) & !(FEW as i32 - 1) | index as i32;
        }
        let mut sorted = [Center::default(); FEW];
        let others = &keys[..centers.len().next_multiple_of(LANES)];
        for (key, center) in keys.iter().zip(&*centers) {
            sorted[others.iter().map(|other| u32::from(other < key)).sum::<u32>() as usize] = *center;
        }
        centers.copy_from_slice(&sorted[..centers.len()]);
    } else {
        centers.select_nth_unstable_by_key(middle, |center| (ordered(center.place[axis]), center.number));
    }
    let (low, high) = centers.split_at_mut(middle);
    halve(low, chunk_size);
    halve(high, chunk_size);
}

/// A key that orders numbers as they are ordered, -0.0 before 0.0.
fn ordered(number: f32) -> i32 {
    let bits = number.to_bits() as i32;
    bits ^ ((bits >> 31) as u32 >> 1) as i32
}

/// Tight boxes of the cells that are no leaves, children before parents: in depth-first order children stand behind.
pub(super) fn fit_inner_boxes(nodes: &mut [Node]) {
    for index in (0..nodes.len()).rev() {
        let end = nodes[index].end as usize;
        let mut child = index + 1;
        if child < end {
            let mut bounds = Bounds::EMPTY;
            while child < end {
                bounds = bounds.union(nodes[child].bounds.into());
                child = nodes[child].end as usize;
            }
            nodes[index].bounds = bounds.into();
        }
    }
}
