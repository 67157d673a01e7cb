//! Branches: the packets of the cells become the leaves of a tree with two children a node.
//!
//! The cells say which triangles share a packet, and in which order packets lie. Which packets share a node the surface of their boxes
//! says: midplanes of cells cut through what a ray meets as one, and a ray that begins among packets of one cell looks into
//! their neighbours all the same.
//!
//! Source: Wald, "On fast Construction of SAH-based Bounding Volume Hierarchies", 2007, for the splits.

use glam::Vec3A;

use super::bounds::Bounds;
use super::build::LEAST_SHARE;
use super::pack::Pack;
use super::row::best_split;
use crate::geometry::Aabb;
use crate::simd::LANES;

/// Testing eight triangles is taken to cost as much as testing eight boxes.
const PACKET_COST: f32 = 1.0;
const NODE_COST: f32 = 1.0;

/// A node with two children, the first of which follows it, or a packet.
pub(super) struct Branch {
    pub bounds: Aabb,
    pub below: Below,
    /// What it costs to put up to 1, 2, ... 7 children that hold all of this into a wide node.
    pub costs: [f32; LANES - 1],
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Below {
    /// The packet at an index.
    Packet(u32),
    /// How far behind this the second child stands.
    Second(u32),
}

/// Up to so many packets are put in a row along the longest side of the box of their centres and split where that is best.
const FEW: usize = LANES;
/// More are split between two of so many slices of that box, along the axis where that is best.
const SLICES: usize = 8;
/// Below so many nodes, more than trees of real levels have, packets are only halved: that ends.
const DEPTH: u32 = 64;

/// The branches over all packets, the root first.
pub(super) fn grow(packs: &[Pack]) -> Vec<Branch> {
    let item = |(index, pack): (usize, &Pack)| Item { bounds: pack.bounds, packet: index as u32 };
    let mut items: Vec<Item> = packs.iter().enumerate().map(item).collect();
    let mut branches = Vec::with_capacity(2 * packs.len());
    append(&mut items, 0, &mut branches);
    branches
}

/// A packet whose place is sought.
#[derive(Clone, Copy)]
struct Item {
    bounds: Bounds,
    packet: u32,
}

/// Appends the branch over some packets with everything below it. Both sides of a large one are made side by side.
fn append(items: &mut [Item], depth: u32, branches: &mut Vec<Branch>) {
    if let [item] = items {
        let costs = [item.bounds.half_area() * PACKET_COST; LANES - 1];
        branches.push(Branch { bounds: item.bounds.into(), below: Below::Packet(item.packet), costs });
        return;
    }
    let split = if depth > DEPTH {
        items.len() / 2
    } else if items.len() <= FEW {
        line_up(items)
    } else {
        slice(items)
    };
    let is_large = LANES * items.len() >= 2 * LEAST_SHARE;
    let (low, high) = items.split_at_mut(split);
    let index = branches.len();
    branches.push(Branch { bounds: Aabb::EMPTY, below: Below::Second(0), costs: [0.0; LANES - 1] });
    let second = if is_large {
        let mut others = Vec::with_capacity(2 * high.len());
        rayon::join(|| append(low, depth + 1, branches), || append(high, depth + 1, &mut others));
        let second = branches.len();
        branches.append(&mut others);
        second
    } else {
        append(low, depth + 1, branches);
        let second = branches.len();
        append(high, depth + 1, branches);
        second
    };
    let (one, other) = (&branches[index + 1], &branches[second]);
    let bounds = Bounds::from(one.bounds).union(other.bounds.into());
    let costs = costs(bounds, &one.costs, &other.costs);
    branches[index] = Branch { bounds: bounds.into(), below: Below::Second((second - index) as u32), costs };
}

/// The costs of a branch with two children.
fn costs(bounds: Bounds, one: &[f32; LANES - 1], other: &[f32; LANES - 1]) -> [f32; LANES - 1] {
    let mut costs = [f32::INFINITY; LANES - 1];
    for given in 0..LANES - 1 {
        for rest in 0..LANES - 1 - given {
            costs[given + rest] = lesser(costs[given + rest], one[given] + other[rest]);
        }
    }
    // With as many children as a whole node has, this is that node.
    let node = bounds.half_area() * NODE_COST + costs[LANES - 2];
    costs.rotate_right(1);
    costs[0] = node;
    for children in 1..LANES - 1 {
        costs[children] = lesser(costs[children], costs[children - 1]);
    }
    costs
}

/// `f32::min` without its care for NaN, which would cost several instructions.
fn lesser(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}

/// The box of the centres of some packets, twice as far out.
fn around_centers(items: &[Item]) -> Bounds {
    items.iter().fold(Bounds::EMPTY, |around, item| around.with_point(item.bounds.doubled_center()))
}

/// Puts a few packets in a row, and gives where to split it.
fn line_up(items: &mut [Item]) -> usize {
    if items.len() > 2 {
        let axis = around_centers(items).longest_axis();
        let center = |item: &Item| item.bounds.doubled_center()[axis];
        items.sort_unstable_by(|a, b| center(a).total_cmp(&center(b)).then(a.packet.cmp(&b.packet)));
    }
    best_split::<FEW>(items.iter().map(|item| (item.bounds, LANES)))
}

/// Parts many packets by the slices that their centres lie in, and gives how many are on the first side, at least 1 from either
/// end.
fn slice(items: &mut [Item]) -> usize {
    let around = around_centers(items);
    let (start, scale) =
        (around.least(), Vec3A::splat(SLICES as f32) / around.size().max(Vec3A::splat(f32::MIN_POSITIVE)));
    // `as` takes what is beyond f32 to the first slice.
    let slices = |item: &Item| {
        ((item.bounds.doubled_center() - start) * scale).to_array().map(|slice| (slice as usize).min(SLICES - 1))
    };
    let mut sides = [[(Bounds::EMPTY, 0_u32); SLICES]; 3];
    for item in &*items {
        for (sides, slice) in sides.iter_mut().zip(slices(item)) {
            let (bounds, count) = &mut sides[slice];
            *bounds = bounds.union(item.bounds);
            *count += 1;
        }
    }
    let mut best = (f32::INFINITY, 0, 0);
    for (axis, sides) in sides.iter().enumerate() {
        for (cost, slice) in cuts(sides) {
            if cost < best.0 {
                best = (cost, axis, slice);
            }
        }
    }
    let (_, axis, slice) = best;
    let mut split = 0;
    for index in 0..items.len() {
        if slices(&items[index])[axis] < slice {
            items.swap(index, split);
            split += 1;
        }
    }
    // Where all centres are one, or beyond f32, there is nothing to choose.
    if split == 0 { items.len() / 2 } else { split }
}

/// What a cut before each slice but the first costs: the surface of both sides, weighed by their packets. Infinity where one side
/// is empty.
fn cuts(slices: &[(Bounds, u32); SLICES]) -> impl Iterator<Item = (f32, usize)> {
    let cost =
        |(bounds, count): (Bounds, u32)| if count == 0 { f32::INFINITY } else { bounds.half_area() * count as f32 };
    let join = |one: (Bounds, u32), other: (Bounds, u32)| (one.0.union(other.0), one.1 + other.1);
    let mut behind = [0.0; SLICES];
    let mut side = (Bounds::EMPTY, 0);
    for (behind, &slice) in behind.iter_mut().zip(slices).rev() {
        side = join(side, slice);
        *behind = cost(side);
    }
    let mut side = (Bounds::EMPTY, 0);
    (1..SLICES).map(move |slice| {
        side = join(side, slices[slice - 1]);
        (cost(side) + behind[slice], slice)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many branches lie one below the other.
    fn depth(branches: &[Branch], index: usize) -> usize {
        match branches[index].below {
            Below::Packet(_) => 1,
            Below::Second(second) => 1 + depth(branches, index + 1).max(depth(branches, index + second as usize)),
        }
    }

    fn pack_at(index: usize, place: Vec3A) -> Pack {
        Pack::new(index..index + 1, Bounds::EMPTY.with_point(place))
    }

    #[test]
    fn packets_ever_closer_to_a_corner_make_no_chain() {
        let powers = (-149..120).map(|exponent| libm::scalbnf(1.0, exponent));
        let places = powers.flat_map(|power| [Vec3A::X, Vec3A::Y, Vec3A::Z].map(|axis| axis * power));
        let packs: Vec<Pack> = places.enumerate().map(|(index, place)| pack_at(index, place)).collect();
        let halvings = packs.len().ilog2() + 2;
        let depth = depth(&grow(&packs), 0);
        assert!(depth <= (DEPTH + halvings) as usize, "{depth}");
    }

    #[test]
    fn each_packet_hangs_on_one_branch_wherever_it_is() {
        for far in [0.0, 1.0, f32::MAX] {
            let place = |index: usize| Vec3A::new(far, -far, if index.is_multiple_of(2) { far } else { -far });
            let packs: Vec<Pack> = (0..1000).map(|index| pack_at(index, place(index))).collect();
            let mut met: Vec<u32> = grow(&packs)
                .iter()
                .filter_map(|branch| match branch.below {
                    Below::Packet(index) => Some(index),
                    Below::Second(_) => None,
                })
                .collect();
            met.sort_unstable();
            assert!(met.into_iter().eq(0..1000), "{far}");
        }
    }
}
