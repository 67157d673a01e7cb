//! Triangles grouped by material: the order of the index buffer, and where each part of the tree lies in it.
//!
//! The index buffer is sorted by material first and depth-first order second, so the triangles of one material in any
//! subtree are one contiguous range. For drawing the tree is cut into *chunks*, runs of triangles that are drawn as a
//! whole: in a large level subtrees of up to a thousand triangles, in a small one halves of leaves.

use std::ops::Range;

use super::Node;
use crate::geometry::Aabb;

/// A cell as culling sees it: those above the chunks, and the chunks. In depth-first order like the nodes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DrawCell {
    /// The tight box of its triangles.
    pub bounds: Aabb,
    /// Index of the first draw cell after the subtree; one past its own for a chunk.
    pub end: u32,
    first_part: u32,
}

/// The triangles of one material in a draw cell, as a range of [`Groups::triangles`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// Index into [`Groups::materials`].
    pub slot: u32,
    /// First triangle.
    pub first: u32,
    /// How many triangles, at least 1.
    pub count: u32,
}

/// The triangles grouped by material. See the module's text.
#[derive(Clone, Debug, Default)]
pub struct Groups {
    cells: Vec<DrawCell>,
    /// The node that each draw cell is, or is a piece of.
    nodes: Vec<u32>,
    /// The parts of all cells, in the order of the cells and by slot within a cell.
    parts: Vec<Part>,
    /// Triangle numbers in the order of the index buffer.
    triangles: Vec<u32>,
    /// The materials that are drawn, ascending.
    materials: Vec<u32>,
}

/// A level is cut into about this many chunks, ...
const CHUNKS: usize = 8192;
/// ... a large one into fewer, as there the walk over the cells costs more than the triangles beside the frustum ...
const CHUNKS_OF_LARGE: usize = 2048;
const LARGE: usize = 1 << 19;
/// ... of at least so many triangles, below which testing a box costs more than drawing them, ...
const LEAST_CHUNK: usize = 4;
/// ... and at most so many: larger ones draw too much beside the frustum.
const GREATEST_CHUNK: usize = 1024;

/// The most triangles a chunk of a level of `triangles` may have.
pub(super) fn chunk_size(triangles: usize) -> usize {
    let chunks = if triangles < LARGE { CHUNKS } else { CHUNKS_OF_LARGE };
    (triangles / chunks).clamp(LEAST_CHUNK, GREATEST_CHUNK)
}

/// A draw cell while it is made: its run of triangles in depth-first order.
struct Cut {
    run: Range<u32>,
    node: u32,
    end: u32,
}

impl Groups {
    pub(super) fn new(
        nodes: &[Node],
        corners: &[[glam::Vec3; 3]],
        numbers: &[u32],
        materials: &[u32],
        is_drawn: impl Fn(u32) -> bool,
    ) -> Groups {
        let mut cuts = Vec::new();
        if !nodes.is_empty() {
            cut_node(nodes, 0, chunk_size(numbers.len()) as u32, &mut cuts);
        }
        let cells = cuts
            .iter()
            .enumerate()
            .map(|(index, cut)| {
                let node = &nodes[cut.node as usize];
                let bounds = if cut.run.len() == node.count as usize {
                    node.bounds
                } else {
                    let run = cut.run.start as usize..cut.run.end as usize;
                    Aabb::around(corners[run].iter().flatten().copied())
                };
                debug_assert!(cut.end as usize > index);
                DrawCell { bounds, end: cut.end, first_part: 0 }
            })
            .collect();
        let nodes = cuts.iter().map(|cut| cut.node).collect();
        let mut groups = Groups { cells, nodes, ..Groups::default() };
        groups.group(&cuts, numbers, materials, is_drawn);
        groups
    }

    /// Sorts the triangles by material, stable, and notes the parts of each cell. Runs backwards, so that the cells below
    /// a cell are known before it.
    fn group(&mut self, cuts: &[Cut], numbers: &[u32], materials: &[u32], is_drawn: impl Fn(u32) -> bool) {
        const NOT_DRAWN: u32 = u32::MAX;
        let mut counts = vec![0_u32; numbers.iter().map(|&n| materials[n as usize] as usize + 1).max().unwrap_or(0)];
        for &number in numbers {
            counts[materials[number as usize] as usize] += 1;
        }
        let mut slot_of = vec![NOT_DRAWN; counts.len()];
        // Where the triangles placed so far begin, for each slot.
        let mut cursor = Vec::new();
        let mut total = 0;
        for (material, &count) in counts.iter().enumerate().filter(|&(_, &count)| count > 0) {
            if is_drawn(material as u32) {
                slot_of[material] = self.materials.len() as u32;
                self.materials.push(material as u32);
                total += count;
                cursor.push(total);
            }
        }
        self.triangles = vec![0; total as usize];
        let mut counted = vec![0_u32; self.materials.len()];
        let mut slots: Vec<u32> = Vec::new();
        for index in (0..cuts.len()).rev() {
            let Cut { run, end, .. } = &cuts[index];
            let mut count = |slot: u32, count: u32, slots: &mut Vec<u32>| {
                if counted[slot as usize] == 0 {
                    slots.push(slot);
                }
                counted[slot as usize] += count;
            };
            if *end as usize == index + 1 {
                for &number in numbers[run.start as usize..run.end as usize].iter().rev() {
                    let slot = slot_of[materials[number as usize] as usize];
                    if slot != NOT_DRAWN {
                        cursor[slot as usize] -= 1;
                        self.triangles[cursor[slot as usize] as usize] = number;
                        count(slot, 1, &mut slots);
                    }
                }
            }
            let mut child = index + 1;
            while child < *end as usize {
                // Still backwards: a cell's parts end where those of the cell after it begin.
                let below = self.cells[child].first_part as usize;
                let last = self.cells.get(child + 1).map_or(0, |next| next.first_part as usize);
                for part in &self.parts[last..below] {
                    count(part.slot, part.count, &mut slots);
                }
                child = cuts[child].end as usize;
            }
            slots.sort_unstable_by(|a, b| b.cmp(a));
            for slot in slots.drain(..) {
                let count = std::mem::take(&mut counted[slot as usize]);
                self.parts.push(Part { slot, first: cursor[slot as usize], count });
            }
            self.cells[index].first_part = self.parts.len() as u32;
        }
        self.parts.reverse();
        for cell in &mut self.cells {
            cell.first_part = self.parts.len() as u32 - cell.first_part;
        }
    }

    /// The draw cells in depth-first order.
    pub fn cells(&self) -> &[DrawCell] {
        &self.cells
    }

    /// Whether the draw cell at `index` is a chunk: drawn as a whole.
    pub fn is_chunk(&self, index: u32) -> bool {
        self.cells[index as usize].end == index + 1
    }

    /// The triangles of the draw cell at `index`, by material, ascending.
    pub fn parts(&self, index: u32) -> &[Part] {
        let first = self.cells[index as usize].first_part as usize;
        let end = self.cells.get(index as usize + 1).map_or(self.parts.len(), |next| next.first_part as usize);
        &self.parts[first..end]
    }

    /// The triangles of the whole tree, by material, ascending; none for a tree without triangles.
    pub fn whole(&self) -> &[Part] {
        if self.cells.is_empty() { &[] } else { self.parts(0) }
    }

    /// The index in [`Tree::nodes`](super::Tree::nodes) of the draw cell at `index`, or of the leaf that it is a piece of.
    pub fn node_of(&self, index: u32) -> u32 {
        self.nodes[index as usize]
    }

    /// Triangle numbers in the order of the index buffer: by material, then depth first. Without the triangles of
    /// materials that are never drawn.
    pub fn triangles(&self) -> &[u32] {
        &self.triangles
    }

    /// The materials that are drawn, ascending, as indices into the level's.
    pub fn materials(&self) -> &[u32] {
        &self.materials
    }

    pub(super) fn bytes(&self) -> usize {
        size_of_val(&self.cells[..])
            + size_of_val(&self.nodes[..])
            + size_of_val(&self.parts[..])
            + size_of_val(&self.triangles[..])
            + size_of_val(&self.materials[..])
    }
}

/// Appends the draw cells of the subtree at `index`.
fn cut_node(nodes: &[Node], index: u32, chunk_size: u32, cuts: &mut Vec<Cut>) {
    let node = &nodes[index as usize];
    if node.end == index + 1 || node.count <= chunk_size {
        cut_run(node.first..node.first + node.count, index, chunk_size, cuts);
        return;
    }
    let cell = cuts.len();
    cuts.push(Cut { run: node.first..node.first + node.count, node: index, end: 0 });
    let mut child = index + 1;
    while child < node.end {
        cut_node(nodes, child, chunk_size, cuts);
        child = nodes[child as usize].end;
    }
    cuts[cell].end = cuts.len() as u32;
}

/// Appends a run of one leaf, halved until it is a chunk; the build has put it into that order.
fn cut_run(run: Range<u32>, node: u32, chunk_size: u32, cuts: &mut Vec<Cut>) {
    let cell = cuts.len();
    cuts.push(Cut { run: run.clone(), node, end: 0 });
    if run.len() as u32 > chunk_size {
        let middle = run.start + run.len() as u32 / 2;
        cut_run(run.start..middle, node, chunk_size, cuts);
        cut_run(middle..run.end, node, chunk_size, cuts);
    }
    cuts[cell].end = cuts.len() as u32;
}
