//! Triangles that stand beside a tree for a moment.

use glam::Vec3;

use super::wide::Packet;
use crate::geometry::has_area;
use crate::simd::LANES;

/// A few triangles that are met together with those of a tree, but are in no tree: what of things that move is near a body.
/// Each is looked at by every question, so they should be few. Their memory is reused.
#[derive(Clone, Debug, Default)]
pub struct Loose {
    packets: Vec<Packet>,
    count: usize,
}

impl Loose {
    /// None.
    pub const fn new() -> Loose {
        Loose { packets: Vec::new(), count: 0 }
    }

    /// Forgets them all.
    pub fn clear(&mut self) {
        self.packets.clear();
        self.count = 0;
    }

    /// Adds a triangle (corners in local space) under a number of the caller's; one without an area is left out.
    pub fn push(&mut self, number: u32, triangle: &[Vec3; 3]) {
        if !has_area(triangle) {
            return;
        }
        let lane = self.count % LANES;
        if lane == 0 {
            self.packets.push(bytemuck::Zeroable::zeroed());
        }
        if let Some(packet) = self.packets.last_mut() {
            // Lanes that are still empty repeat it.
            (lane..LANES).for_each(|lane| packet.put(lane, number, triangle));
        }
        self.count += 1;
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The packets, each with the lanes of it that are triangles.
    pub(super) fn packets(&self) -> impl Iterator<Item = (&Packet, u32)> {
        let all = (1 << LANES) - 1;
        let last = if self.count.is_multiple_of(LANES) { all } else { (1 << (self.count % LANES)) - 1 };
        let end = self.packets.len();
        self.packets.iter().enumerate().map(move |(index, packet)| (packet, if index + 1 == end { last } else { all }))
    }

    pub(crate) fn triangle(&self, index: usize) -> [Vec3; 3] {
        self.packets[index / LANES].triangle(index % LANES)
    }

    pub(crate) fn number(&self, index: usize) -> u32 {
        self.packets[index / LANES].numbers[index % LANES]
    }
}
