//! Widening: the cells of a tree become a tree with two children a node, and that one with eight.
//!
//! Cells side by side, and the triangles of a leaf, are split where the boxes of both sides have the least surface; which of
//! those branches become nodes of eight a dynamic program decides, again by surface.
//!
//! Source: Ylitie, Karras and Laine, "Efficient Incoherent Ray Traversal on GPUs Through Compressed Wide BVHs", 2017.

use std::ops::Range;

use arrayvec::ArrayVec;
use glam::Vec3;

use super::Node;
use super::pages::Pages;
use super::wide::{Child, Packet, Wide, WideNode};
use crate::geometry::Aabb;
use crate::simd::LANES;

/// Testing eight triangles is taken to cost as much as testing eight boxes.
const PACKET_COST: f32 = 1.0;
const NODE_COST: f32 = 1.0;
/// Longer runs are halved; shorter ones are split where it is best.
const SHORT_RUN: usize = 64;

/// Builds the wide nodes and packets over the cells, whose triangles stand in depth-first order.
pub(super) fn widen(cells: &[Node], triangles: &[[Vec3; 3]], numbers: &[u32]) -> Wide {
    if cells.is_empty() {
        return Wide::default();
    }
    let mut widener = Widener { cells, triangles, numbers, branches: Vec::with_capacity(triangles.len() / 2) };
    let root = widener.cell(0);
    let packets = widener.branches.iter().filter(|branch| branch.second == 0).count();
    // A node has two children at least, but for a root with a single packet.
    let (nodes, packets) = (Pages::zeroed(packets), Pages::zeroed(packets));
    let mut emitter = Emitter { widener, wide: Wide { nodes, packets }, next_node: 0, next_packet: 0 };
    emitter.emit(root);
    let Emitter { mut wide, next_node, next_packet, .. } = emitter;
    debug_assert_eq!(next_packet, wide.packets.len());
    wide.nodes.truncate(next_node);
    wide
}

/// A node with two children, the first of which follows it, or a packet.
struct Branch {
    bounds: Aabb,
    first: u32,
    count: u32,
    /// Index of the second child; 0 for a packet.
    second: u32,
    /// What it costs to put up to 1, 2, ... 7 children that hold all of this into a wide node.
    costs: [f32; LANES - 1],
}

struct Widener<'a> {
    cells: &'a [Node],
    triangles: &'a [[Vec3; 3]],
    numbers: &'a [u32],
    branches: Vec<Branch>,
}

/// Writes wide nodes and packets.
struct Emitter<'a> {
    widener: Widener<'a>,
    wide: Wide,
    next_node: usize,
    next_packet: usize,
}

impl Widener<'_> {
    /// Appends the branches of a cell and gives the first's index.
    fn cell(&mut self, index: u32) -> u32 {
        let cell = &self.cells[index as usize];
        let run = cell.first as usize..(cell.first + cell.count) as usize;
        if run.len() <= LANES {
            return self.packet(run, cell.bounds);
        }
        if cell.end == index + 1 {
            return self.run(run);
        }
        let mut children: ArrayVec<u32, LANES> = ArrayVec::new();
        let mut child = index + 1;
        while child < cell.end {
            children.push(child);
            child = self.cells[child as usize].end;
        }
        self.siblings(&children)
    }

    /// The same for cells side by side.
    fn siblings(&mut self, cells: &[u32]) -> u32 {
        if let [cell] = cells {
            return self.cell(*cell);
        }
        let first = self.cells[cells[0] as usize].first as usize;
        let last = &self.cells[cells[cells.len() - 1] as usize];
        let run = first..(last.first + last.count) as usize;
        let part = |cell: &u32| {
            let cell = &self.cells[*cell as usize];
            (cell.bounds, cell.count as usize)
        };
        if run.len() <= LANES {
            let bounds = cells.iter().map(|cell| part(cell).0).fold(Aabb::EMPTY, Aabb::union);
            return self.packet(run, bounds);
        }
        let split = best_split::<LANES>(cells.iter().map(part));
        self.branch(|all| all.siblings(&cells[..split]), |all| all.siblings(&cells[split..]))
    }

    /// The same for a run of triangles of one leaf.
    fn run(&mut self, run: Range<usize>) -> u32 {
        let triangles = &self.triangles[run.clone()];
        if run.len() <= LANES {
            return self.packet(run, Aabb::around(triangles.iter().flatten().copied()));
        }
        let split = if run.len() > SHORT_RUN {
            (run.len() / 2).next_multiple_of(LANES)
        } else {
            best_split::<SHORT_RUN>(triangles.iter().map(|triangle| (Aabb::of_triangle(triangle), 1)))
        };
        let middle = run.start + split;
        self.branch(|all| all.run(run.start..middle), |all| all.run(middle..run.end))
    }

    fn packet(&mut self, run: Range<usize>, bounds: Aabb) -> u32 {
        let costs = [half_area(&bounds) * PACKET_COST; LANES - 1];
        self.branches.push(Branch { bounds, first: run.start as u32, count: run.len() as u32, second: 0, costs });
        self.branches.len() as u32 - 1
    }

    fn branch(
        &mut self,
        first_child: impl FnOnce(&mut Self) -> u32,
        second_child: impl FnOnce(&mut Self) -> u32,
    ) -> u32 {
        let index = self.branches.len();
        self.branches.push(Branch { bounds: Aabb::EMPTY, first: 0, count: 0, second: 0, costs: [0.0; LANES - 1] });
        let first = first_child(self);
        debug_assert_eq!(first as usize, index + 1);
        let second = second_child(self);
        let (one, other) = (&self.branches[first as usize], &self.branches[second as usize]);
        let bounds = one.bounds.union(other.bounds);
        // With as many children as a whole node has, this is that node.
        let mut costs = [half_area(&bounds) * NODE_COST + cheapest(one, other, LANES).1; LANES - 1];
        for children in 2..LANES {
            costs[children - 1] = cheapest(one, other, children).1.min(costs[children - 2]);
        }
        let count = one.count + other.count;
        self.branches[index] = Branch { bounds, first: one.first, count, second, costs };
        index as u32
    }

    /// Finds the at most `room` children that stand for a branch at the least cost.
    fn share_out(&self, branch: u32, room: usize, is_opened: bool, children: &mut ArrayVec<u32, LANES>) {
        let Branch { second, costs, .. } = &self.branches[branch as usize];
        let mut room = room;
        if !is_opened {
            while room > 1 && costs[room - 2] <= costs[room - 1] {
                room -= 1;
            }
        }
        if *second == 0 || room == 1 {
            children.push(branch);
            return;
        }
        let (one, other) = (&self.branches[branch as usize + 1], &self.branches[*second as usize]);
        let (share, _) = cheapest(one, other, room);
        self.share_out(branch + 1, share, false, children);
        self.share_out(*second, room - share, false, children);
    }
}

impl Emitter<'_> {
    /// Appends the wide node of a branch with everything below it, and gives its index.
    fn emit(&mut self, branch: u32) -> usize {
        let index = self.next_node;
        self.next_node += 1;
        let mut children: ArrayVec<u32, LANES> = ArrayVec::new();
        self.widener.share_out(branch, LANES, true, &mut children);
        let mut node = WideNode::EMPTY;
        for (lane, &child) in children.iter().enumerate() {
            let Branch { bounds, first, count, second, .. } = self.widener.branches[child as usize];
            let below = if second == 0 {
                let run = first as usize..(first + count) as usize;
                let packet = Packet::new(&self.widener.numbers[run.clone()], &self.widener.triangles[run]);
                self.wide.packets[self.next_packet] = packet;
                self.next_packet += 1;
                Child::packet(self.next_packet - 1, count as usize)
            } else {
                Child::node(self.emit(child))
            };
            node.set(lane, &bounds, below);
        }
        self.wide.nodes[index] = node;
        index
    }
}

/// How many of at most `room` children the first of two branches gets so that both cost the least, and what they cost then.
fn cheapest(one: &Branch, other: &Branch, room: usize) -> (usize, f32) {
    let cost = |share: usize| one.costs[share - 1] + other.costs[room - share - 1];
    (2..room).fold((1, cost(1)), |(best, least), share| {
        let cost = cost(share);
        if cost < least { (share, cost) } else { (best, least) }
    })
}

/// Where to split a row of at most `N` boxes with their counts of triangles, at least 1 from either end: where the surface of
/// both sides, weighed by the packets that they need, is least.
fn best_split<const N: usize>(
    row: impl ExactSizeIterator<Item = (Aabb, usize)> + DoubleEndedIterator + Clone,
) -> usize {
    let cost = |bounds: &Aabb, count: usize| half_area(bounds) * count.div_ceil(LANES) as f32;
    let mut behind = [0.0; N];
    let mut side = (Aabb::EMPTY, 0);
    for (place, (bounds, count)) in row.clone().enumerate().rev() {
        side = (side.0.union(bounds), side.1 + count);
        behind[place] = cost(&side.0, side.1);
    }
    let middle = row.len() / 2;
    let mut best = (f32::INFINITY, middle);
    side = (Aabb::EMPTY, 0);
    for (place, (bounds, count)) in row.clone().enumerate().take(row.len() - 1) {
        side = (side.0.union(bounds), side.1 + count);
        let cost = cost(&side.0, side.1) + behind[place + 1];
        // Of equal places the one nearest to the middle.
        if cost < best.0 || cost == best.0 && (place + 1).abs_diff(middle) < best.1.abs_diff(middle) {
            best = (cost, place + 1);
        }
    }
    best.1
}

/// Half the surface of a box.
fn half_area(bounds: &Aabb) -> f32 {
    let size = bounds.size();
    size.x * size.y + size.y * size.z + size.z * size.x
}
