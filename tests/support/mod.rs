//! What the tests share: seeded levels that are hard on queries, and answers by brute force in exact arithmetic.
//! Only the library's public types are used; nothing of its geometry.
#![allow(dead_code, reason = "each test binary uses its part")]

pub mod brute;
pub mod contact;
pub mod course;
pub mod exact;
pub mod hard;
pub mod levels;
pub mod pyramid;

use glam::Vec3;
use nodetree::level::{Corner, Level, LevelBuilder, Placement};
use nodetree::simd::Simd;
use nodetree::tree::{Mode, Settings, Tree};

/// A small generator (Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators", 2014): the same numbers on
/// any machine.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// From 0 up to, and without, 1.
    pub fn unit(&mut self) -> f32 {
        (self.bits() >> 40) as f32 / (1 << 24) as f32
    }

    pub fn range(&mut self, least: f32, most: f32) -> f32 {
        least + self.unit() * (most - least)
    }

    pub fn below(&mut self, count: usize) -> usize {
        (self.bits() % count as u64) as usize
    }

    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }

    /// In the cube from -`half` to `half`.
    pub fn vector(&mut self, half: f32) -> Vec3 {
        Vec3::new(self.range(-half, half), self.range(-half, half), self.range(-half, half))
    }

    /// Of length 1.
    pub fn direction(&mut self) -> Vec3 {
        loop {
            let vector = self.vector(1.0);
            if (0.01..1.0).contains(&vector.length_squared()) {
                return vector.normalize();
            }
        }
    }
}

/// Both modes with small, middling and the default leaves.
pub fn presets() -> Vec<Settings> {
    let leaves = [(1, 0.01), (8, 0.5), (32, 2.0)];
    [Mode::Quadtree, Mode::Octree]
        .into_iter()
        .flat_map(|mode| leaves.map(|(leaf_triangles, leaf_size)| Settings { mode, leaf_triangles, leaf_size }))
        .collect()
}

/// A tree over triangles of one material.
pub fn tree(triangles: &[[Vec3; 3]], settings: &Settings) -> Tree {
    Tree::from_triangles(triangles, &vec![0; triangles.len()], settings)
}

/// A tree of each of the [`presets`] on each kind of lanes that the machine has.
pub fn trees(triangles: &[[Vec3; 3]]) -> Vec<Tree> {
    let on_each = |settings| {
        let tree = tree(triangles, settings);
        Simd::available().iter().map(move |&simd| {
            let mut tree = tree.clone();
            tree.set_simd(simd);
            tree
        })
    };
    presets().iter().flat_map(on_each).collect()
}

/// The triangles of a convex polygon, a fan from its first corner.
pub fn fan(corners: &[Vec3]) -> Vec<[Vec3; 3]> {
    corners[1..].windows(2).map(|pair| [corners[0], pair[0], pair[1]]).collect()
}

/// The twelve triangles of a box, counter-clockwise from outside.
pub fn cuboid(min: Vec3, max: Vec3) -> Vec<[Vec3; 3]> {
    let corner = |bits: u32| {
        let pick = |axis: usize| if bits & (1 << axis) == 0 { min[axis] } else { max[axis] };
        Vec3::new(pick(0), pick(1), pick(2))
    };
    [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]]
        .iter()
        .flat_map(|face| fan(&face.map(corner)))
        .collect()
}

/// A level of these triangles, each a face of its own.
pub fn level_of(triangles: &[[Vec3; 3]]) -> Level {
    let mut builder = LevelBuilder::new(Placement::default());
    for triangle in triangles {
        let corners = triangle.map(|corner| Corner {
            position: builder.position(corner.as_dvec3()),
            tex_coord: None,
            normal: None,
        });
        builder.polygon(&corners, 0, 0);
    }
    builder.finish("made", None)
}
