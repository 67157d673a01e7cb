//! Widening: a tree with two children a node becomes one with eight; which of its branches become nodes a dynamic program decides
//! by the surface of their boxes.
//!
//! Source: Ylitie, Karras and Laine, "Efficient Incoherent Ray Traversal on GPUs Through Compressed Wide BVHs", 2017.

use arrayvec::ArrayVec;
use glam::Vec3;
use rayon::prelude::*;

use super::Node;
use super::branch::{Below, Branch, grow};
use super::build::LEAST_SHARE;
use super::pack::{Pack, pack};
use super::pages::Pages;
use super::wide::{Child, Packet, Wide, WideNode};
use crate::simd::LANES;

/// Builds the wide nodes and packets over the cells; `numbers` are those of the triangles in depth-first order, `corners` all of
/// the level's.
pub(super) fn widen(cells: &[Node], corners: &[[Vec3; 3]], numbers: &[u32]) -> Wide {
    if cells.is_empty() {
        return Wide::default();
    }
    let packs = pack(cells, corners, numbers);
    let mut packets: Pages<Packet> = Pages::zeroed(packs.len());
    let (nodes, ()) = rayon::join(
        || {
            let mut emitter = Emitter { branches: &grow(&packs), packs: &packs, nodes: Vec::new() };
            emitter.emit(0);
            Pages::from(&emitter.nodes[..])
        },
        || {
            packets.par_iter_mut().zip(&packs).with_min_len(LEAST_SHARE / LANES).for_each(|(packet, pack)| {
                packet.fill(&numbers[pack.run()], corners);
            });
        },
    );
    Wide { nodes, packets }
}

/// Writes wide nodes.
struct Emitter<'a> {
    branches: &'a [Branch],
    packs: &'a [Pack],
    nodes: Vec<WideNode>,
}

impl Emitter<'_> {
    /// Appends the wide node of a branch with everything below it, and gives its index.
    fn emit(&mut self, branch: usize) -> usize {
        let index = self.nodes.len();
        self.nodes.push(WideNode::EMPTY);
        let mut children: ArrayVec<usize, LANES> = ArrayVec::new();
        self.share_out(branch, LANES, true, &mut children);
        for (lane, &child) in children.iter().enumerate() {
            let Branch { bounds, below, .. } = &self.branches[child];
            let below = match *below {
                Below::Packet(index) => Child::packet(index as usize, self.packs[index as usize].run().len()),
                Below::Second(_) => Child::node(self.emit(child)),
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
        let second = match branch.below {
            Below::Second(second) if room > 1 => index + second as usize,
            _ => return children.push(index),
        };
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
