//! Triangles grouped by material: the order of the index buffer, and where each part of the tree lies in it.
//!
//! The index buffer is sorted by material first and depth-first order second, so the triangles of one material in any
//! subtree are one contiguous range. The tree is cut for drawing into *chunks*, subtrees of some hundred triangles that are
//! drawn as a whole; a table holds, for each chunk and material, where the chunk begins in the index buffer.

use super::Node;
use crate::geometry::Aabb;

/// A cell as culling sees it: those above the chunks, and the chunks. In depth-first order like the nodes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DrawCell {
    /// The node's tight box.
    pub bounds: Aabb,
    /// Index of the first draw cell after the subtree; one past its own for a chunk.
    pub end: u32,
    /// The first chunk of the subtree.
    pub first_chunk: u32,
}

/// The triangles grouped by material. See the module's text.
#[derive(Clone, Debug, Default)]
pub struct Groups {
    /// Depth-first, and one more at the end that closes the chunks.
    cells: Vec<DrawCell>,
    /// The node behind each draw cell.
    nodes: Vec<u32>,
    /// Triangle numbers in the order of the index buffer.
    triangles: Vec<u32>,
    /// The materials that are drawn, ascending.
    materials: Vec<u32>,
    /// Where each chunk begins in `triangles`, a row of all materials a chunk, and one row more for the ends.
    starts: Vec<u32>,
}

/// A level is cut into about this many chunks at most, ...
const CHUNKS: u32 = 4096;
/// ... which hold at least this many triangles where the tree allows, for fewer draw calls, ...
const LEAST_CHUNK: u32 = 32;
/// ... and at most this many: larger ones draw too much beside the frustum.
const GREATEST_CHUNK: u32 = 512;

impl Groups {
    pub(super) fn new(nodes: &[Node], numbers: &[u32], materials: &[u32], is_drawn: impl Fn(u32) -> bool) -> Groups {
        let mut triangles_of = vec![0_u32; materials.iter().max().map_or(0, |&most| most as usize + 1)];
        for &number in numbers {
            triangles_of[materials[number as usize] as usize] += 1;
        }
        let drawn: Vec<u32> =
            (0..triangles_of.len() as u32).filter(|&m| triangles_of[m as usize] > 0 && is_drawn(m)).collect();
        // At least as many triangles as materials a chunk, so that the table stays smaller than the index buffer.
        let granularity =
            (numbers.len() as u32 / CHUNKS).clamp(LEAST_CHUNK, GREATEST_CHUNK).max(drawn.len() as u32 / 2);
        let mut groups = Groups { materials: drawn, ..Groups::default() };
        groups.cut(nodes, granularity);
        groups.order(nodes, numbers, materials, &triangles_of);
        groups
    }

    /// Copies the nodes down to the chunks.
    fn cut(&mut self, nodes: &[Node], granularity: u32) {
        let mut chunks = 0;
        let mut open: Vec<(u32, usize)> = Vec::new();
        let mut index = 0;
        while let Some(node) = nodes.get(index as usize) {
            while let Some((_, cell)) = open.pop_if(|(end, _)| *end <= index) {
                self.cells[cell].end = self.cells.len() as u32;
            }
            let is_chunk = node.count <= granularity || node.end == index + 1;
            self.cells.push(DrawCell { bounds: node.bounds, end: self.cells.len() as u32 + 1, first_chunk: chunks });
            self.nodes.push(index);
            if is_chunk {
                chunks += 1;
                index = node.end;
            } else {
                open.push((node.end, self.cells.len() - 1));
                index += 1;
            }
        }
        for (_, cell) in open {
            self.cells[cell].end = self.cells.len() as u32;
        }
        self.cells.push(DrawCell { bounds: Aabb::EMPTY, end: 0, first_chunk: chunks });
    }

    /// Sorts the triangles by material, stable, and notes where chunks begin.
    fn order(&mut self, nodes: &[Node], numbers: &[u32], materials: &[u32], triangles_of: &[u32]) {
        const NOT_DRAWN: u32 = u32::MAX;
        let mut slot_of = vec![NOT_DRAWN; triangles_of.len()];
        let mut next = Vec::with_capacity(self.materials.len());
        let mut total = 0;
        for (slot, &material) in self.materials.iter().enumerate() {
            slot_of[material as usize] = slot as u32;
            next.push(total);
            total += triangles_of[material as usize];
        }
        self.triangles = vec![0; total as usize];
        for (cell, &node) in self.nodes.iter().enumerate() {
            if self.cells[cell].end as usize != cell + 1 {
                continue;
            }
            self.starts.extend_from_slice(&next);
            let node = &nodes[node as usize];
            for &number in &numbers[node.first as usize..(node.first + node.count) as usize] {
                let slot = slot_of[materials[number as usize] as usize];
                if slot != NOT_DRAWN {
                    self.triangles[next[slot as usize] as usize] = number;
                    next[slot as usize] += 1;
                }
            }
        }
        self.starts.extend_from_slice(&next);
    }

    /// The draw cells in depth-first order.
    pub fn cells(&self) -> &[DrawCell] {
        &self.cells[..self.cells.len().saturating_sub(1)]
    }

    /// Whether the draw cell at `index` is a chunk: drawn as a whole.
    pub fn is_chunk(&self, index: u32) -> bool {
        self.cells[index as usize].end == index + 1
    }

    /// The chunks of the draw cell at `index`.
    pub fn chunks_of(&self, index: u32) -> std::ops::Range<u32> {
        let cell = &self.cells[index as usize];
        cell.first_chunk..self.cells[cell.end as usize].first_chunk
    }

    /// How many chunks there are.
    pub fn chunk_count(&self) -> u32 {
        self.cells.last().map_or(0, |last| last.first_chunk)
    }

    /// The index in [`Tree::nodes`](super::Tree::nodes) of the draw cell at `index`.
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

    /// Where the triangles of the material at `slot` of [`Groups::materials`] in `chunks` lie in [`Groups::triangles`].
    pub fn range(&self, slot: usize, chunks: std::ops::Range<u32>) -> std::ops::Range<u32> {
        let row = |chunk: u32| self.starts[chunk as usize * self.materials.len() + slot];
        row(chunks.start)..row(chunks.end)
    }

    pub(super) fn bytes(&self) -> usize {
        size_of_val(&self.cells[..])
            + size_of_val(&self.nodes[..])
            + size_of_val(&self.triangles[..])
            + size_of_val(&self.materials[..])
            + size_of_val(&self.starts[..])
    }
}
