//! The shape of a tree in numbers.

use super::Tree;

/// How large a tree is and how it branches.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TreeStatistics {
    /// Stored cells.
    pub nodes: u32,
    /// Cells without children.
    pub leaves: u32,
    /// Cells on the longest way below the root: 0 for a lone root, and for a tree without cells.
    pub depth: u32,
    /// Triangles, each counted once.
    pub triangles: u32,
    /// Triangles of the leaves.
    pub leaf_triangles: LeafTriangles,
    /// Bytes of memory that the tree owns.
    pub bytes: usize,
}

/// How many triangles the leaves hold; all 0 for a tree without leaves.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LeafTriangles {
    /// In the emptiest leaf.
    pub min: u32,
    /// On average.
    pub mean: f64,
    /// In the fullest leaf.
    pub max: u32,
}

impl Tree {
    /// Counts the cells and leaves.
    pub fn statistics(&self) -> TreeStatistics {
        let nodes = self.nodes();
        let mut statistics = TreeStatistics {
            nodes: nodes.len() as u32,
            triangles: self.triangle_count() as u32,
            bytes: self.bytes(),
            ..TreeStatistics::default()
        };
        let mut fewest = u32::MAX;
        // Where the subtrees of the ancestors end.
        let mut open: Vec<u32> = Vec::new();
        for (index, node) in nodes.iter().enumerate() {
            while open.pop_if(|end| *end as usize <= index).is_some() {}
            statistics.depth = statistics.depth.max(open.len() as u32);
            open.push(node.end);
            if self.is_leaf(index as u32) {
                statistics.leaves += 1;
                fewest = fewest.min(node.count);
                statistics.leaf_triangles.max = statistics.leaf_triangles.max.max(node.count);
            }
        }
        if statistics.leaves > 0 {
            statistics.leaf_triangles.min = fewest;
            statistics.leaf_triangles.mean = f64::from(statistics.triangles) / f64::from(statistics.leaves);
        }
        statistics
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use crate::tree::{Mode, Settings};

    fn statistics(xs: &[f32]) -> TreeStatistics {
        let triangles: Vec<[Vec3; 3]> =
            xs.iter().map(|&x| [[0.0, 0.0], [0.1, 0.0], [0.0, 0.1]].map(|[u, v]| Vec3::new(x + u, 0.0, v))).collect();
        let settings = Settings { mode: Mode::Quadtree, leaf_triangles: 1, leaf_size: 1.0 };
        Tree::from_triangles(&triangles, &vec![0; xs.len()], &settings).statistics()
    }

    #[test]
    fn a_tree_without_triangles_is_all_zero() {
        assert_eq!(statistics(&[]), TreeStatistics { bytes: statistics(&[]).bytes, ..TreeStatistics::default() });
    }

    #[test]
    fn a_lone_root_has_depth_zero() {
        let statistics = statistics(&[0.0]);
        assert_eq!((statistics.nodes, statistics.leaves, statistics.depth), (1, 1, 0));
        assert_eq!(statistics.leaf_triangles, LeafTriangles { min: 1, mean: 1.0, max: 1 });
    }

    #[test]
    fn depth_counts_cells_below_the_root() {
        // The root splits into a leaf on the right and, on the left, a cell that splits once more.
        let statistics = statistics(&[0.0, 0.01, 1.3, 7.0]);
        assert_eq!((statistics.nodes, statistics.leaves, statistics.depth), (5, 3, 2));
        assert_eq!(statistics.leaf_triangles, LeafTriangles { min: 1, mean: 4.0 / 3.0, max: 2 });
    }
}
