//! The tree as questions see it: nodes of eight boxes, and packets of eight triangles.
//!
//! Packets hold the triangles of the cells in depth-first order, each once: those of a cell, of some cells side by side, or of a part of
//! a leaf. The nodes over them go by the surface of boxes. Boxes and corners stand as structures of arrays, so that eight are
//! tested at once.
//!
//! Source: Wald, Benthin and Boulos, "Getting Rid of Packets", 2008, for wide nodes in the traversal of single rays.

use arrayvec::ArrayVec;
use bytemuck::{Pod, Zeroable};
use glam::Vec3;

use super::loose::Loose;
use super::pages::Pages;
use crate::geometry::Aabb;
use crate::simd::{LANES, Lanes, Task, lanes_in, take_lowest};

/// The least X, Y, Z and the greatest X, Y, Z of eight boxes. An empty lane has its least at infinity and its greatest at
/// minus infinity; a test without a limit may let even that through, and the traversal does not mind.
pub(crate) type Boxes = [[f32; LANES]; 6];

/// The least and greatest of each of eight boxes along X, Y and Z.
#[inline(always)]
pub(crate) fn extents<L: Lanes>(boxes: &Boxes) -> [(L, L); 3] {
    let [min_x, min_y, min_z, max_x, max_y, max_z] = boxes;
    [(L::load(min_x), L::load(max_x)), (L::load(min_y), L::load(max_y)), (L::load(min_z), L::load(max_z))]
}

/// A node with up to eight children.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C, align(32))]
pub(super) struct WideNode {
    pub boxes: Boxes,
    pub children: [Child; LANES],
}

/// A wide node or a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(transparent)]
pub(super) struct Child(u32);

impl Child {
    /// What stands in empty lanes, and is never looked at.
    pub const NONE: Child = Child(0);
    const PACKET: u32 = 1 << 31;

    pub fn node(index: usize) -> Child {
        debug_assert!(index < Child::PACKET as usize);
        Child(index as u32)
    }

    /// The packet at `index`, of which the first `count` lanes are triangles.
    pub fn packet(index: usize, count: usize) -> Child {
        debug_assert!((1..=LANES).contains(&count) && index < (Child::PACKET as usize) / LANES);
        Child(Child::PACKET | (index * LANES + count - 1) as u32)
    }
}

/// Up to eight triangles.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C, align(64))]
pub(crate) struct Packet {
    /// Corner, axis, lane. Empty lanes repeat the last triangle.
    pub corners: [[[f32; LANES]; 3]; 3],
    /// Numbers in the level; [`Packet::EMPTY`] in empty lanes.
    pub numbers: [u32; LANES],
}

impl Packet {
    pub const EMPTY: u32 = u32::MAX;

    /// Packs one to eight of the level's triangles.
    #[inline]
    pub(super) fn fill(&mut self, numbers: &[u32], corners: &[[Vec3; 3]]) {
        for (lane, &number) in numbers.iter().enumerate().take(LANES) {
            self.put(lane, number, &corners[number as usize]);
        }
        let last = &corners[numbers[numbers.len() - 1] as usize];
        (numbers.len()..LANES).for_each(|lane| self.put(lane, Packet::EMPTY, last));
    }

    /// The triangle in a lane.
    #[inline]
    pub fn triangle(&self, lane: usize) -> [Vec3; 3] {
        let [a, b, c] = &self.corners;
        let corner = |[x, y, z]: &[[f32; LANES]; 3]| Vec3::new(x[lane], y[lane], z[lane]);
        [corner(a), corner(b), corner(c)]
    }

    /// Puts a triangle into a lane.
    pub(super) fn put(&mut self, lane: usize, number: u32, triangle: &[Vec3; 3]) {
        self.numbers[lane] = number;
        for (corner, position) in triangle.iter().enumerate() {
            for axis in 0..3 {
                self.corners[corner][axis][lane] = position[axis];
            }
        }
    }

    /// A corner of each triangle: X, Y, Z.
    #[inline(always)]
    pub fn corner<L: Lanes>(&self, corner: usize) -> [L; 3] {
        let [x, y, z] = &self.corners[corner];
        [L::load(x), L::load(y), L::load(z)]
    }

    /// Least and greatest coordinate of each triangle along an axis.
    #[inline(always)]
    pub fn extent<L: Lanes>(&self, axis: usize) -> (L, L) {
        let [a, b, c] = &self.corners;
        let (a, b, c) = (L::load(&a[axis]), L::load(&b[axis]), L::load(&c[axis]));
        (a.min(b).min(c), a.max(b).max(c))
    }

    /// The same along X, Y and Z.
    #[inline(always)]
    pub fn extents<L: Lanes>(&self) -> [(L, L); 3] {
        [self.extent(0), self.extent(1), self.extent(2)]
    }
}

/// A child that waits, ordered by its key: positive numbers stand in the order of their bits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Pending(u64);

impl Pending {
    #[inline(always)]
    fn new(key: f32, child: Child) -> Pending {
        Pending(u64::from(key.to_bits()) << 32 | u64::from(child.0))
    }

    #[inline(always)]
    fn key(self) -> f32 {
        f32::from_bits((self.0 >> 32) as u32)
    }

    #[inline(always)]
    fn child(self) -> Child {
        Child(self.0 as u32)
    }
}

/// Wide nodes, the root first, and packets in depth-first order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Wide {
    pub(super) nodes: Pages<WideNode>,
    pub(super) packets: Pages<Packet>,
}

/// What a traversal asks of boxes and triangles. All of it is to be inlined.
pub(crate) trait Question {
    /// The greatest key that counts at first.
    fn limit(&self) -> f32;

    /// For each box the least key that anything in it can have (an entry distance, say), at least 0, and which boxes can
    /// hold something of a key up to `limit`. What it says of empty lanes does not matter.
    fn boxes<L: Lanes>(&mut self, boxes: &Boxes, limit: f32) -> (L, u32);

    /// Looks at the triangles in the lanes of `filled`; the first has the place `first`. Gives the new limit, never a greater
    /// one; one below every key ends the traversal.
    fn packet<L: Lanes>(&mut self, packet: &Packet, first: usize, filled: u32, limit: f32) -> f32;
}

/// Pending children that a traversal has room for. Few trees can need more; below what there is no room for, a traversal of
/// its own begins.
const STACK: usize = 64;

/// How a question is made, and what is made of it, on lanes of any kind.
pub(super) struct Visit<'a, M, F> {
    pub wide: &'a Wide,
    pub question: M,
    pub answer: F,
}

impl<Q: Question, A, M: FnOnce() -> Q, F: FnOnce(&Q) -> A> Task for Visit<'_, M, F> {
    type Answer = A;

    #[inline(always)]
    fn run<L: Lanes>(self) -> A {
        let mut question = (self.question)();
        let limit = question.limit();
        if !self.wide.nodes.is_empty() {
            self.wide.visit::<L>(Child::node(0), &mut question, limit);
        }
        (self.answer)(&question)
    }
}

/// The same, and triangles beside the tree after it; their places follow its own.
pub(super) struct VisitBeside<'a, M, F> {
    pub wide: &'a Wide,
    pub loose: &'a Loose,
    pub question: M,
    pub answer: F,
}

impl<Q: Question, A, M: FnOnce() -> Q, F: FnOnce(&Q) -> A> Task for VisitBeside<'_, M, F> {
    type Answer = A;

    #[inline(always)]
    fn run<L: Lanes>(self) -> A {
        let mut question = (self.question)();
        let mut limit = question.limit();
        if !self.wide.nodes.is_empty() {
            limit = self.wide.visit::<L>(Child::node(0), &mut question, limit);
        }
        let mut first = self.wide.places();
        for (packet, filled) in self.loose.packets() {
            limit = question.packet::<L>(packet, first, filled, limit);
            first += LANES;
        }
        (self.answer)(&question)
    }
}

/// A traversal below a child.
struct Below<'a, Q> {
    wide: &'a Wide,
    child: Child,
    question: &'a mut Q,
    limit: f32,
}

impl<Q: Question> Task for Below<'_, Q> {
    type Answer = f32;

    #[inline(always)]
    fn run<L: Lanes>(self) -> f32 {
        self.wide.visit::<L>(self.child, self.question, self.limit)
    }
}

impl Wide {
    /// Visits what is below a child and can hold something up to the limit, the least key first among siblings, and gives the
    /// new limit. Boxes whose key is above the limit are left out; a key at the limit is still visited, so that closed intervals
    /// hold.
    #[inline(always)]
    fn visit<L: Lanes>(&self, child: Child, question: &mut impl Question, limit: f32) -> f32 {
        let (nodes, packets) = (&self.nodes[..], &self.packets[..]);
        let (mut child, mut limit) = (child, limit);
        // Not an array, which would be filled with zeros for every question.
        let mut stack: ArrayVec<Pending, STACK> = ArrayVec::new();
        loop {
            // Down to a packet or to a node of which nothing is hit.
            while child.0 & Child::PACKET == 0 {
                let node = &nodes[child.0 as usize];
                let (keys, hits) = question.boxes::<L>(&node.boxes, limit);
                let mut hits = hits & node.occupied::<L>();
                if hits == 0 {
                    break;
                }
                let lane = take_lowest(&mut hits);
                child = node.children[lane];
                if hits == 0 {
                    continue;
                }
                if stack.len() > STACK - LANES {
                    limit = self.visit_each::<L>(node, hits, question, limit);
                    continue;
                }
                let keys = keys.store();
                let base = stack.len();
                let mut nearest = Pending::new(keys[lane], child);
                while hits != 0 {
                    let lane = take_lowest(&mut hits);
                    let other = Pending::new(keys[lane], node.children[lane]);
                    let farther = nearest.max(other);
                    nearest = nearest.min(other);
                    // The nearest on top.
                    let mut place = stack.len();
                    stack.push(farther);
                    while place > base && stack[place - 1] < farther {
                        stack[place] = stack[place - 1];
                        place -= 1;
                    }
                    stack[place] = farther;
                }
                child = nearest.child();
            }
            if child.0 & Child::PACKET != 0 {
                let last = (child.0 & !Child::PACKET) as usize;
                let (index, filled) = (last / LANES, (2 << (last % LANES)) - 1);
                limit = question.packet::<L>(&packets[index], index * LANES, filled, limit);
            }
            child = loop {
                let Some(pending) = stack.pop() else { return limit };
                // Written so that a NaN key is visited rather than lost.
                if pending.key() > limit {
                    continue;
                }
                break pending.child();
            };
        }
    }

    /// Visits the children in some lanes, each in a traversal of its own.
    #[cold]
    fn visit_each<L: Lanes>(&self, node: &WideNode, hits: u32, question: &mut impl Question, limit: f32) -> f32 {
        let visit = |limit, lane: usize| L::run(Below { wide: self, child: node.children[lane], question, limit });
        lanes_in(hits).fold(limit, visit)
    }

    /// The places of all triangles are below this.
    #[inline]
    pub fn places(&self) -> usize {
        LANES * self.packets.len()
    }

    /// The triangle at a place.
    #[inline]
    pub fn triangle(&self, place: usize) -> [Vec3; 3] {
        self.packets[place / LANES].triangle(place % LANES)
    }

    /// The number in the level of the triangle at a place.
    #[inline]
    pub fn number(&self, place: usize) -> u32 {
        self.packets[place / LANES].numbers[place % LANES]
    }

    /// Numbers and corners of all triangles in depth-first order.
    pub fn triangles(&self) -> impl Iterator<Item = (u32, [Vec3; 3])> + '_ {
        self.packets.iter().flat_map(|packet| {
            (0..LANES)
                .filter(|&lane| packet.numbers[lane] != Packet::EMPTY)
                .map(|lane| (packet.numbers[lane], packet.triangle(lane)))
        })
    }

    /// The first promise that the nodes break, if any: that each box is the tight box of what lies below it, that they lead to
    /// each packet once.
    pub(super) fn fault(&self) -> Option<&'static str> {
        if self.nodes.is_empty() {
            return (!self.packets.is_empty()).then_some("packets without nodes");
        }
        let mut is_met = vec![false; self.packets.len()];
        let fault = self.fault_below(Child::node(0), &mut is_met).err();
        fault.or_else(|| is_met.contains(&false).then_some("a packet hangs on no wide node"))
    }

    /// The box of what lies below a child.
    fn fault_below(&self, child: Child, is_met: &mut [bool]) -> Result<Aabb, &'static str> {
        if child.0 & Child::PACKET != 0 {
            let last = (child.0 & !Child::PACKET) as usize;
            let packet = self.packets.get(last / LANES).ok_or("a wide node names a packet that is not there")?;
            let count = packet.numbers.iter().take_while(|&&number| number != Packet::EMPTY).count();
            if std::mem::replace(&mut is_met[last / LANES], true) || count != last % LANES + 1 {
                return Err("a packet hangs on two wide nodes, or holds more or less than its wide node says");
            }
            return Ok((0..count).map(|lane| Aabb::of_triangle(&packet.triangle(lane))).fold(Aabb::EMPTY, Aabb::union));
        }
        let node = self.nodes.get(child.0 as usize).ok_or("a wide node names a node that is not there")?;
        if node.children.iter().all(|&child| child == Child::NONE) {
            return Err("a wide node is empty");
        }
        let mut bounds = Aabb::EMPTY;
        for lane in 0..LANES {
            let [min, max] = [0, 3].map(|end| Vec3::from_array([0, 1, 2].map(|axis| node.boxes[end + axis][lane])));
            if node.children[lane] != Child::NONE {
                let below = self.fault_below(node.children[lane], is_met)?;
                if below != (Aabb { min, max }) {
                    return Err("a box of a wide node is not tight");
                }
                bounds = bounds.union(below);
            } else if (Aabb { min, max }) != Aabb::EMPTY {
                return Err("an empty lane of a wide node has a box");
            }
        }
        Ok(bounds)
    }

    pub(super) fn bytes(&self) -> usize {
        size_of_val(&self.nodes[..]) + size_of_val(&self.packets[..])
    }
}

impl WideNode {
    pub const EMPTY: WideNode = {
        let (least, greatest) = ([f32::INFINITY; LANES], [f32::NEG_INFINITY; LANES]);
        WideNode { boxes: [least, least, least, greatest, greatest, greatest], children: [Child::NONE; LANES] }
    };

    /// The lanes that have a box.
    #[inline(always)]
    fn occupied<L: Lanes>(&self) -> u32 {
        L::bits(L::load(&self.boxes[0]).at_most(L::load(&self.boxes[3])))
    }

    pub fn set(&mut self, lane: usize, bounds: &Aabb, child: Child) {
        for axis in 0..3 {
            self.boxes[axis][lane] = bounds.min[axis];
            self.boxes[3 + axis][lane] = bounds.max[axis];
        }
        self.children[lane] = child;
    }
}
