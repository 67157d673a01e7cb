//! Packing: which of the triangles of the cells share a packet.
//!
//! Cells side by side, and the triangles of a leaf, are split where the boxes of both sides have the least surface, down to eight
//! triangles.

use std::ops::Range;

use arrayvec::ArrayVec;
use glam::Vec3;

use super::Node;
use super::bounds::Bounds;
use super::build::LEAST_SHARE;
use super::row::best_split;
use crate::simd::LANES;

/// Longer runs are halved; shorter ones are split where it is best.
const SHORT_RUN: usize = 64;

/// One to eight triangles, next to each other in depth-first order, and the box around them.
#[derive(Clone, Copy)]
pub(super) struct Pack {
    pub bounds: Bounds,
    first: u32,
    count: u32,
}

impl Pack {
    pub fn new(run: Range<usize>, bounds: Bounds) -> Pack {
        Pack { bounds, first: run.start as u32, count: run.len() as u32 }
    }

    /// Its triangles in depth-first order.
    pub fn run(&self) -> Range<usize> {
        self.first as usize..(self.first + self.count) as usize
    }
}

/// Packs the triangles of the cells in depth-first order; `numbers` are those of the triangles in that order, `corners` all of the
/// level's.
pub(super) fn pack(cells: &[Node], corners: &[[Vec3; 3]], numbers: &[u32]) -> Vec<Pack> {
    let mut packs = Vec::with_capacity(numbers.len() / 4);
    Packer { cells, corners, numbers }.cell(0, &mut packs);
    packs
}

struct Packer<'a> {
    cells: &'a [Node],
    corners: &'a [[Vec3; 3]],
    numbers: &'a [u32],
}

impl Packer<'_> {
    /// Appends the packs of a cell.
    fn cell(&self, index: u32, packs: &mut Vec<Pack>) {
        let cell = &self.cells[index as usize];
        let run = cell.first as usize..(cell.first + cell.count) as usize;
        if run.len() <= LANES {
            packs.push(Pack::new(run, cell.bounds.into()));
        } else if cell.end == index + 1 {
            self.leaf(run, packs);
        } else {
            let mut children: ArrayVec<u32, LANES> = ArrayVec::new();
            let mut child = index + 1;
            while child < cell.end {
                children.push(child);
                child = self.cells[child as usize].end;
            }
            self.siblings(&children, packs);
        }
    }

    /// The same for cells side by side.
    fn siblings(&self, cells: &[u32], packs: &mut Vec<Pack>) {
        if let [cell] = cells {
            return self.cell(*cell, packs);
        }
        let parts: ArrayVec<(Bounds, usize), LANES> = cells
            .iter()
            .map(|&cell| {
                let cell = &self.cells[cell as usize];
                (cell.bounds.into(), cell.count as usize)
            })
            .collect();
        let first = self.cells[cells[0] as usize].first as usize;
        let count = parts.iter().map(|part| part.1).sum();
        if count <= LANES {
            let bounds = parts.iter().fold(Bounds::EMPTY, |bounds, part| bounds.union(part.0));
            packs.push(Pack::new(first..first + count, bounds));
            return;
        }
        let (low, high) = cells.split_at(best_split::<LANES>(parts.iter().copied()));
        both(count, packs, |packs| self.siblings(low, packs), |packs| self.siblings(high, packs));
    }

    /// The same for a run of triangles of one leaf.
    fn leaf(&self, run: Range<usize>, packs: &mut Vec<Pack>) {
        if run.len() > SHORT_RUN {
            let middle = run.start + (run.len() / 2).next_multiple_of(LANES);
            let (low, high) = (run.start..middle, middle..run.end);
            both(run.len(), packs, |packs| self.leaf(low, packs), |packs| self.leaf(high, packs));
        } else {
            let numbers = self.numbers[run.clone()].iter();
            let bounds = numbers.map(|&number| Bounds::of_triangle(&self.corners[number as usize]));
            short_run(run.start, &bounds.collect::<ArrayVec<_, SHORT_RUN>>(), packs);
        }
    }
}

/// Appends the packs of a short run of triangles from their boxes.
fn short_run(first: usize, bounds: &[Bounds], packs: &mut Vec<Pack>) {
    if bounds.len() <= LANES {
        let around = bounds.iter().copied().fold(Bounds::EMPTY, Bounds::union);
        packs.push(Pack::new(first..first + bounds.len(), around));
        return;
    }
    let split = best_split::<SHORT_RUN>(bounds.iter().map(|&bounds| (bounds, 1)));
    let (low, high) = bounds.split_at(split);
    short_run(first, low, packs);
    short_run(first + split, high, packs);
}

/// Appends what two functions append, one after the other; of many triangles side by side.
fn both(
    count: usize,
    packs: &mut Vec<Pack>,
    first: impl FnOnce(&mut Vec<Pack>) + Send,
    second: impl FnOnce(&mut Vec<Pack>) + Send,
) {
    if count < 2 * LEAST_SHARE {
        first(packs);
        second(packs);
    } else {
        let mut others = Vec::new();
        rayon::join(|| first(packs), || second(&mut others));
        packs.append(&mut others);
    }
}
