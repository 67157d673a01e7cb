//! Corners that are alike in everything become one vertex.

use std::collections::HashMap;

use super::Vertex;

/// The vertices so far, and a chain of those of each position, to find them again: neighbours in the file are neighbours in memory,
/// as a table over all of them would not have it.
pub(super) struct Vertices {
    list: Vec<Vertex>,
    /// The vertex of each position that was added last; [`NONE`] where there is none.
    last: Vec<u32>,
    /// The one of the same position that was added before each vertex, or [`NONE`].
    before: Vec<u32>,
    /// The vertices of positions with long chains.
    crowded: HashMap<(u32, [u32; 5]), u32>,
}

const NONE: u32 = u32::MAX;

/// Vertices of a position that are looked through one by one; the tip of a cone can have any number of them.
const FEW: usize = 16;

impl Vertices {
    /// For positions with indices below `positions`.
    pub fn new(positions: usize) -> Vertices {
        Vertices {
            list: Vec::with_capacity(positions),
            last: vec![NONE; positions],
            before: Vec::with_capacity(positions),
            crowded: HashMap::new(),
        }
    }

    /// The number of the vertex of a position with these attributes, new or known. Vertices of one position index must agree
    /// in position and colour.
    pub fn number(&mut self, position: u32, vertex: Vertex) -> u32 {
        let wanted = attributes(&vertex);
        let mut known = self.last[position as usize];
        for _ in 0..FEW {
            if known == NONE {
                return self.add(position, vertex);
            }
            if attributes(&self.list[known as usize]) == wanted {
                return known;
            }
            known = self.before[known as usize];
        }
        if let Some(&known) = self.crowded.get(&(position, wanted)) {
            return known;
        }
        let number = self.add(position, vertex);
        // The first of the chain are looked up here from now on, too, when they have moved behind the others.
        let mut known = number;
        while known != NONE && self.crowded.insert((position, attributes(&self.list[known as usize])), known).is_none()
        {
            known = self.before[known as usize];
        }
        number
    }

    pub fn into_list(self) -> Vec<Vertex> {
        self.list
    }

    fn add(&mut self, position: u32, vertex: Vertex) -> u32 {
        let number = self.list.len() as u32;
        self.list.push(vertex);
        self.before.push(self.last[position as usize]);
        self.last[position as usize] = number;
        number
    }
}

/// What tells vertices of one position apart, bit by bit.
fn attributes(vertex: &Vertex) -> [u32; 5] {
    let ([x, y, z], [u, v]) = (vertex.normal.to_array(), vertex.tex_coord.to_array());
    [x, y, z, u, v].map(f32::to_bits)
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
        let mut vertices = Vertices::new(50);
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
