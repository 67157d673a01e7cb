//! Triangles grouped by material: the order of the index buffer, and where each part of the tree lies in it.
//!
//! The index buffer is sorted by material first and depth-first order second, so the triangles of one material in any
//! subtree are one contiguous range. For drawing the tree is cut into *chunks*, runs of triangles that are drawn as a
//! whole: in a large level subtrees of up to a thousand triangles, in a small one halves of leaves.

use std::ops::Range;

use glam::Vec3;

use super::Node;
use super::bounds::Bounds;
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
/// ... of at least so many triangles, below which a box costs more time and room than drawing them, ...
const LEAST_CHUNK: usize = 6;
/// ... and at most so many: larger ones draw too much beside the frustum.
const GREATEST_CHUNK: usize = 1024;

/// The most triangles a chunk of a level of `triangles` may have.
pub(super) fn chunk_size(triangles: usize) -> usize {
    let chunks = if triangles < LARGE { CHUNKS } else { CHUNKS_OF_LARGE };
    (triangles / chunks).clamp(LEAST_CHUNK, GREATEST_CHUNK)
}

/// Cuts the tree into draw cells and their runs of triangles in depth-first order.
struct Cutter<'a> {
    nodes: &'a [Node],
    corners: &'a [[Vec3; 3]],
    numbers: &'a [u32],
    chunk_size: u32,
    cells: Vec<DrawCell>,
    runs: Vec<Range<u32>>,
}

impl Groups {
    /// Groups the triangles of the nodes, whose `numbers` stand in depth-first order; `corners` and `materials` are the level's.
    pub(super) fn new(
        nodes: &[Node],
        corners: &[[Vec3; 3]],
        numbers: &[u32],
        materials: &[u32],
        is_drawn: impl Fn(u32) -> bool,
    ) -> Groups {
        let chunk_size = chunk_size(numbers.len()) as u32;
        let room = numbers.len() / chunk_size as usize * 3;
        let (cells, runs) = (Vec::with_capacity(room), Vec::with_capacity(room));
        let mut cutter = Cutter { nodes, corners, numbers, chunk_size, cells, runs };
        if !nodes.is_empty() {
            cutter.node(0);
        }
        let mut groups = Groups { cells: cutter.cells, ..Groups::default() };
        groups.group(&cutter.runs, numbers, materials, is_drawn);
        groups.cells.shrink_to_fit();
        groups.parts.shrink_to_fit();
        groups
    }

    /// Sorts the triangles by material, stable, and notes the parts of each cell. Runs backwards, so that the cells below
    /// a cell are known before it.
    fn group(&mut self, runs: &[Range<u32>], numbers: &[u32], materials: &[u32], is_drawn: impl Fn(u32) -> bool) {
        const NOT_DRAWN: u32 = u32::MAX;
        let mut counts = vec![0_u32; materials.iter().max().map_or(0, |&last| last as usize + 1)];
        let materials: Vec<u32> = numbers.iter().map(|&number| materials[number as usize]).collect();
        for &material in &materials {
            counts[material as usize] += 1;
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
        // One past the last part of each slot.
        let mut part_of = vec![0; self.materials.len()];
        for index in (0..runs.len()).rev() {
            let (end, first_part) = (self.cells[index].end as usize, self.parts.len());
            let mut count = |slot: u32, count: u32, parts: &mut Vec<Part>| {
                let part = &mut part_of[slot as usize];
                if *part <= first_part {
                    parts.push(Part { slot, first: 0, count: 0 });
                    *part = parts.len();
                }
                parts[*part - 1].count += count;
            };
            if end == index + 1 {
                let run = runs[index].start as usize..runs[index].end as usize;
                for (&number, &material) in numbers[run.clone()].iter().zip(&materials[run]).rev() {
                    let slot = slot_of[material as usize];
                    if slot != NOT_DRAWN {
                        cursor[slot as usize] -= 1;
                        self.triangles[cursor[slot as usize] as usize] = number;
                        count(slot, 1, &mut self.parts);
                    }
                }
            }
            let mut child = index + 1;
            while child < end {
                // Still backwards: a cell's parts end where those of the cell after it begin.
                let below = self.cells[child].first_part as usize;
                let last = self.cells.get(child + 1).map_or(0, |next| next.first_part as usize);
                for part in last..below {
                    let Part { slot, count: triangles, .. } = self.parts[part];
                    count(slot, triangles, &mut self.parts);
                }
                child = self.cells[child].end as usize;
            }
            let parts = &mut self.parts[first_part..];
            parts.sort_unstable_by_key(|part| std::cmp::Reverse(part.slot));
            for part in parts {
                part.first = cursor[part.slot as usize];
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
            + size_of_val(&self.parts[..])
            + size_of_val(&self.triangles[..])
            + size_of_val(&self.materials[..])
    }
}

impl Cutter<'_> {
    /// Appends the draw cells of the subtree at `index`.
    fn node(&mut self, index: u32) {
        let node = &self.nodes[index as usize];
        let run = node.first..node.first + node.count;
        if node.count <= self.chunk_size {
            self.push(run, node.bounds);
        } else if node.end == index + 1 {
            self.run(run);
        } else {
            let cell = self.push(run, node.bounds);
            let mut child = index + 1;
            while child < node.end {
                self.node(child);
                child = self.nodes[child as usize].end;
            }
            self.cells[cell].end = self.cells.len() as u32;
        }
    }

    /// Appends a run of one leaf, halved until it is a chunk; the build has put it into that order. Gives its box.
    fn run(&mut self, run: Range<u32>) -> Bounds {
        if run.len() as u32 <= self.chunk_size {
            let numbers = self.numbers[run.start as usize..run.end as usize].iter();
            let bounds = numbers.map(|&number| Bounds::of_triangle(&self.corners[number as usize]));
            let bounds = bounds.fold(Bounds::EMPTY, Bounds::union);
            self.push(run, bounds.into());
            return bounds;
        }
        let middle = run.start + run.len() as u32 / 2;
        let cell = self.push(run.clone(), Aabb::EMPTY);
        let bounds = self.run(run.start..middle).union(self.run(middle..run.end));
        self.cells[cell].bounds = bounds.into();
        self.cells[cell].end = self.cells.len() as u32;
        bounds
    }

    /// Appends a draw cell with nothing below it, and gives its index.
    fn push(&mut self, run: Range<u32>, bounds: Aabb) -> usize {
        let cell = self.cells.len();
        self.cells.push(DrawCell { bounds, end: cell as u32 + 1, first_part: 0 });
        self.runs.push(run);
        cell
    }
}
