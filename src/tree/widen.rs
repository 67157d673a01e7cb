//! Widening: the cells of a tree become a tree with two children a node, and that one with eight.
//!
//! Cells side by side, and the triangles of a leaf, are split where the boxes of both sides have the least surface; which of
//! those branches become nodes of eight a dynamic program decides, again by surface.
//!
//! Source: Ylitie, Karras and Laine, "Efficient Incoherent Ray Traversal on GPUs Through Compressed Wide BVHs", 2017.

use std::ops::Range;

use arrayvec::ArrayVec;
use glam::Vec3;
use rayon::prelude::*;

use super::Node;
use super::bounds::Bounds;
use super::build::LEAST_SHARE;
use super::pages::Pages;
use super::wide::{Child, Packet, Wide, WideNode};
use crate::geometry::Aabb;
use crate::simd::LANES;

/// Testing eight triangles is taken to cost as much as testing eight boxes.
const PACKET_COST: f32 = 1.0;
const NODE_COST: f32 = 1.0;
/// Longer runs are halved; shorter ones are split where it is best.
const SHORT_RUN: usize = 64;

/// Builds the wide nodes and packets over the cells; `numbers` are those of the triangles in depth-first order, `corners` all of
/// the level's.
pub(super) fn widen(cells: &[Node], corners: &[[Vec3; 3]], numbers: &[u32]) -> Wide {
    if cells.is_empty() {
        return Wide::default();
    }
    let mut branches = Vec::with_capacity(numbers.len() / 2);
    Widener { cells, corners, numbers }.cell(0, &mut branches);
    let runs: Vec<Range<usize>> = branches.iter().filter(|branch| branch.second == 0).map(Branch::run).collect();
    let mut packets: Pages<Packet> = Pages::zeroed(runs.len());
    let mut emitter = Emitter { branches: &branches, nodes: Vec::new(), next_packet: 0 };
    rayon::join(
        || emitter.emit(0),
        || {
            packets.par_iter_mut().zip(runs).with_min_len(LEAST_SHARE / LANES).for_each(|(packet, run)| {
                packet.fill(&numbers[run], corners);
            });
        },
    );
    debug_assert_eq!(emitter.next_packet, packets.len());
    Wide { nodes: Pages::from(&emitter.nodes[..]), packets }
}

/// A node with two children, the first of which follows it, or a packet.
struct Branch {
    bounds: Aabb,
    first: u32,
    count: u32,
    /// How far behind this the second child stands; 0 for a packet.
    second: u32,
    /// What it costs to put up to 1, 2, ... 7 children that hold all of this into a wide node.
    costs: [f32; LANES - 1],
}

impl Branch {
    /// Its triangles in depth-first order.
    fn run(&self) -> Range<usize> {
        self.first as usize..(self.first + self.count) as usize
    }
}

/// Makes branches.
struct Widener<'a> {
    cells: &'a [Node],
    corners: &'a [[Vec3; 3]],
    numbers: &'a [u32],
}

/// Writes wide nodes.
struct Emitter<'a> {
    branches: &'a [Branch],
    nodes: Vec<WideNode>,
    next_packet: usize,
}

impl Widener<'_> {
    /// Appends the branches of a cell.
    fn cell(&self, index: u32, branches: &mut Vec<Branch>) {
        let cell = &self.cells[index as usize];
        let run = cell.first as usize..(cell.first + cell.count) as usize;
        if run.len() <= LANES {
            branches.push(packet(run, cell.bounds.into()));
        } else if cell.end == index + 1 {
            self.leaf(run, branches);
        } else {
            let mut children: ArrayVec<u32, LANES> = ArrayVec::new();
            let mut child = index + 1;
            while child < cell.end {
                children.push(child);
                child = self.cells[child as usize].end;
            }
            self.siblings(&children, branches);
        }
    }

    /// The same for cells side by side.
    fn siblings(&self, cells: &[u32], branches: &mut Vec<Branch>) {
        if let [cell] = cells {
            return self.cell(*cell, branches);
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
            branches.push(packet(first..first + count, bounds));
            return;
        }
        let (low, high) = cells.split_at(best_split::<LANES>(parts.iter().copied()));
        branch(count, branches, |branches| self.siblings(low, branches), |branches| self.siblings(high, branches));
    }

    /// The same for a run of triangles of one leaf.
    fn leaf(&self, run: Range<usize>, branches: &mut Vec<Branch>) {
        if run.len() > SHORT_RUN {
            let middle = run.start + (run.len() / 2).next_multiple_of(LANES);
            let (low, high) = (run.start..middle, middle..run.end);
            branch(run.len(), branches, |branches| self.leaf(low, branches), |branches| self.leaf(high, branches));
        } else {
            let numbers = self.numbers[run.clone()].iter();
            let bounds = numbers.map(|&number| Bounds::of_triangle(&self.corners[number as usize]));
            short_run(run.start, &bounds.collect::<ArrayVec<_, SHORT_RUN>>(), branches);
        }
    }
}

/// Appends the branches of a short run of triangles from their boxes.
fn short_run(first: usize, bounds: &[Bounds], branches: &mut Vec<Branch>) {
    if bounds.len() <= LANES {
        let around = bounds.iter().copied().fold(Bounds::EMPTY, Bounds::union);
        branches.push(packet(first..first + bounds.len(), around));
        return;
    }
    let split = best_split::<SHORT_RUN>(bounds.iter().map(|&bounds| (bounds, 1)));
    let (low, high) = bounds.split_at(split);
    let count = bounds.len();
    branch(
        count,
        branches,
        |branches| short_run(first, low, branches),
        |branches| short_run(first + split, high, branches),
    );
}

fn packet(run: Range<usize>, bounds: Bounds) -> Branch {
    let costs = [bounds.half_area() * PACKET_COST; LANES - 1];
    Branch { bounds: bounds.into(), first: run.start as u32, count: run.len() as u32, second: 0, costs }
}

/// Appends a branch with everything below it, `count` triangles. Both sides of a large one are made side by side.
fn branch(
    count: usize,
    branches: &mut Vec<Branch>,
    first_child: impl FnOnce(&mut Vec<Branch>) + Send,
    second_child: impl FnOnce(&mut Vec<Branch>) + Send,
) {
    let index = branches.len();
    branches.push(packet(0..0, Bounds::EMPTY));
    let second = if count < 2 * LEAST_SHARE {
        first_child(branches);
        let second = branches.len();
        second_child(branches);
        second
    } else {
        let mut others = Vec::with_capacity(count / 2);
        rayon::join(|| first_child(branches), || second_child(&mut others));
        let second = branches.len();
        branches.append(&mut others);
        second
    };
    let (one, other) = (&branches[index + 1], &branches[second]);
    let bounds = Bounds::from(one.bounds).union(other.bounds.into());
    let mut costs = [f32::INFINITY; LANES - 1];
    for given in 0..LANES - 1 {
        for rest in 0..LANES - 1 - given {
            costs[given + rest] = lesser(costs[given + rest], one.costs[given] + other.costs[rest]);
        }
    }
    // With as many children as a whole node has, this is that node.
    let node = bounds.half_area() * NODE_COST + costs[LANES - 2];
    costs.rotate_right(1);
    costs[0] = node;
    for children in 1..LANES - 1 {
        costs[children] = lesser(costs[children], costs[children - 1]);
    }
    let second = (second - index) as u32;
    branches[index] = Branch { bounds: bounds.into(), first: one.first, count: count as u32, second, costs };
}

/// `f32::min` without its care for NaN, which would cost several instructions.
fn lesser(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}

impl Emitter<'_> {
    /// Appends the wide node of a branch with everything below it, and gives its index.
    fn emit(&mut self, branch: usize) -> usize {
        let index = self.nodes.len();
        self.nodes.push(WideNode::EMPTY);
        let mut children: ArrayVec<usize, LANES> = ArrayVec::new();
        self.share_out(branch, LANES, true, &mut children);
        for (lane, &child) in children.iter().enumerate() {
            let Branch { bounds, count, second, .. } = &self.branches[child];
            let below = if *second == 0 {
                self.next_packet += 1;
                Child::packet(self.next_packet - 1, *count as usize)
            } else {
                Child::node(self.emit(child))
            };
            self.nodes[index].set(lane, bounds, below);
        }
        index
    }

    /// Finds the at most `room` children that stand for a branch at the least cost.
    fn share_out(&self, index: usize, room: usize, is_opened: bool, children: &mut ArrayVec<usize, LANES>) {
        let branch = &self.branches[index];
        let mut room = room;
        if !is_opened {
            while room > 1 && branch.costs[room - 2] <= branch.costs[room - 1] {
                room -= 1;
            }
        }
        if branch.second == 0 || room == 1 {
            children.push(index);
            return;
        }
        let second = index + branch.second as usize;
        let share = cheapest(&self.branches[index + 1], &self.branches[second], room);
        self.share_out(index + 1, share, false, children);
        self.share_out(second, room - share, false, children);
    }
}

/// How many of at most `room` children the first of two branches gets so that both cost the least.
fn cheapest(one: &Branch, other: &Branch, room: usize) -> usize {
    let cost = |share: usize| one.costs[share - 1] + other.costs[room - share - 1];
    (2..room).fold(1, |best, share| if cost(share) < cost(best) { share } else { best })
}

/// Where to split a row of at most `N` boxes with their counts of triangles, at least 1 from either end: where the surface of
/// both sides, weighed by the packets that they need, is least.
fn best_split<const N: usize>(
    row: impl ExactSizeIterator<Item = (Bounds, usize)> + DoubleEndedIterator + Clone,
) -> usize {
    let cost = |bounds: Bounds, count: usize| bounds.half_area() * count.div_ceil(LANES) as f32;
    let mut behind = [0.0; N];
    let mut side = (Bounds::EMPTY, 0);
    for (place, (bounds, count)) in row.clone().enumerate().rev() {
        side = (side.0.union(bounds), side.1 + count);
        behind[place] = cost(side.0, side.1);
    }
    let middle = row.len() / 2;
    let mut best = (f32::INFINITY, middle);
    side = (Bounds::EMPTY, 0);
    for (place, (bounds, count)) in row.clone().enumerate().take(row.len() - 1) {
        side = (side.0.union(bounds), side.1 + count);
        let cost = cost(side.0, side.1) + behind[place + 1];
        // Of equal places the one nearest to the middle.
        if cost < best.0 || cost == best.0 && (place + 1).abs_diff(middle) < best.1.abs_diff(middle) {
            best = (cost, place + 1);
        }
    }
    best.1
}
