//! Corners that are alike in everything become one vertex.

use super::Vertex;

/// The vertices so far, and a table to find them again: open addressing over vertex numbers, which needs no more than 8 bytes
/// a vertex.
pub(super) struct Vertices {
    pub list: Vec<Vertex>,
    /// Which position each vertex has, by its index in the file.
    positions: Vec<u32>,
    /// Vertex numbers; [`FREE`] where there is none. A power of two long.
    slots: Vec<u32>,
}

const FREE: u32 = u32::MAX;

impl Vertices {
    /// Room for `expected` vertices before the table must grow.
    pub fn new(expected: usize) -> Vertices {
        Vertices {
            list: Vec::with_capacity(expected),
            positions: Vec::with_capacity(expected),
            slots: vec![FREE; (2 * expected.max(8)).next_power_of_two()],
        }
    }

    /// The number of the vertex of a position with these attributes, new or known. Vertices of one position index must agree
    /// in position and colour.
    pub fn number(&mut self, position: u32, vertex: Vertex) -> u32 {
        if 2 * self.list.len() >= self.slots.len() {
            self.grow();
        }
        let mut slot = self.slot(hash(position, &vertex));
        while self.slots[slot] != FREE {
            let known = self.slots[slot];
            if self.positions[known as usize] == position
                && attributes(&self.list[known as usize]) == attributes(&vertex)
            {
                return known;
            }
            slot = (slot + 1) & (self.slots.len() - 1);
        }
        let number = self.list.len() as u32;
        self.slots[slot] = number;
        self.list.push(vertex);
        self.positions.push(position);
        number
    }

    fn grow(&mut self) {
        self.slots = vec![FREE; 2 * self.slots.len()];
        for number in 0..self.list.len() {
            let mut slot = self.slot(hash(self.positions[number], &self.list[number]));
            while self.slots[slot] != FREE {
                slot = (slot + 1) & (self.slots.len() - 1);
            }
            self.slots[slot] = number as u32;
        }
    }

    /// The upper bits of the hash, which depend on all of the key.
    fn slot(&self, hash: u64) -> usize {
        (hash >> 32) as usize & (self.slots.len() - 1)
    }
}

/// What tells vertices of one position apart, bit by bit.
fn attributes(vertex: &Vertex) -> [u32; 5] {
    let ([x, y, z], [u, v]) = (vertex.normal.to_array(), vertex.tex_coord.to_array());
    [x, y, z, u, v].map(f32::to_bits)
}

fn hash(position: u32, vertex: &Vertex) -> u64 {
    let mix = |hash: u64, word: u32| (hash.rotate_left(5) ^ u64::from(word)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let hash = attributes(vertex).into_iter().fold(mix(0, position), mix);
    // The last product leaves its lowest bits poor; fold the whole into the upper half.
    hash ^ hash << 32
}

#[cfg(test)]
mod tests {
    use glam::{Vec2, Vec3};

    use super::*;

    fn vertex(u: f32, normal: Vec3) -> Vertex {
        Vertex { position: Vec3::ZERO, normal, tex_coord: Vec2::new(u, 0.0), color: [255; 4] }
    }

    #[test]
    fn only_equal_corners_share_a_vertex() {
        let mut vertices = Vertices::new(0);
        let keys: Vec<(u32, Vertex)> = (0..5000)
            .map(|i| (i % 50, vertex((i / 50 % 10) as f32, if i / 500 % 2 == 0 { Vec3::X } else { Vec3::Y })))
            .collect();
        let numbers: Vec<u32> = keys.iter().map(|&(position, vertex)| vertices.number(position, vertex)).collect();
        assert_eq!(vertices.list.len(), 1000);
        for (i, &number) in numbers.iter().enumerate() {
            assert_eq!(number, i as u32 % 1000);
        }
    }
}
