//! The validator: everything that a tree promises, checked node by node.

use glam::Vec3;

use super::build::box_center;
use super::split::Cell;
use super::{Mode, Part, Tree};
use crate::geometry::Aabb;

/// A broken promise of a tree: a fault of ours.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("node {node}: {what}")]
pub struct Invalid {
    /// Index of the node, or 0 where the tree as a whole is wrong.
    pub node: u32,
    /// Which promise is broken.
    pub what: &'static str,
}

impl Tree {
    /// Checks that each triangle of `corners` that is finite and has an area is stored once; that runs, order and skip
    /// indices nest; that boxes are tight; that each triangle is owned by the cell of its box's centre; that no cell has
    /// a single child; that the boxes of wide nodes are tight and lead to each packet once; and that the groups hold each drawn
    /// triangle once, by material, and cover each chunk.
    ///
    /// # Errors
    /// The first promise found broken.
    pub fn validate(&self, corners: &[[Vec3; 3]], materials: &[u32]) -> Result<(), Invalid> {
        let broken = |node: u32, what: &'static str| Err(Invalid { node, what });
        let mut stored = vec![false; corners.len()];
        let (numbers, triangles): (Vec<u32>, Vec<[Vec3; 3]>) = self.wide.triangles().unzip();
        for (triangle, &number) in triangles.iter().zip(&numbers) {
            match stored.get_mut(number as usize) {
                Some(seen) if !*seen && corners[number as usize] == *triangle => *seen = true,
                _ => return broken(0, "a triangle is stored twice, or is none of the level's"),
            }
        }
        let usable = |[a, b, c]: &[Vec3; 3]| {
            let [u, v] = [b, c].map(|p| p.as_dvec3() - a.as_dvec3());
            u.cross(v).length_squared() > 0.0 && u.cross(v).is_finite()
        };
        if stored.iter().zip(corners).any(|(&stored, corners)| stored != usable(corners)) {
            return broken(0, "a usable triangle is missing, or an unusable one is stored");
        }
        if let Some(what) = self.wide.fault() {
            return broken(0, what);
        }
        if self.nodes.is_empty() {
            return if triangles.is_empty() {
                self.validate_groups(&numbers, corners, materials)
            } else {
                broken(0, "no nodes")
            };
        }
        let root = &self.nodes[0];
        if (root.first, root.count as usize, root.end as usize) != (0, triangles.len(), self.nodes.len()) {
            return broken(0, "the root does not span the tree");
        }
        for index in 0..self.nodes.len() as u32 {
            self.validate_node(index, &triangles)?;
        }
        self.validate_groups(&numbers, corners, materials)
    }

    fn validate_node(&self, index: u32, triangles: &[[Vec3; 3]]) -> Result<(), Invalid> {
        let broken = |what: &'static str| Err(Invalid { node: index, what });
        let node = &self.nodes[index as usize];
        if node.count == 0 || node.end <= index || node.end as usize > self.nodes.len() {
            return broken("it is empty, or its skip index leaves the tree");
        }
        let run = node.first as usize..(node.first + node.count) as usize;
        let triangles = &triangles[run];
        if node.bounds != Aabb::around(triangles.iter().flatten().copied()) {
            return broken("its box is not the tight box of its triangles");
        }
        let cell = self.cell(box_center(&triangles[0]), node.level);
        if triangles.iter().any(|triangle| self.cell(box_center(triangle), node.level) != cell) {
            return broken("it owns a triangle whose box's centre lies in another cell");
        }
        let (mut next, mut children) = (node.first, 0);
        let mut child = index + 1;
        while child < node.end {
            let inner = &self.nodes[child as usize];
            if inner.first != next || inner.level <= node.level || inner.end <= child || inner.end > node.end {
                return broken("its children do not nest in order");
            }
            next += inner.count;
            children += 1;
            child = inner.end;
        }
        match children {
            0 => Ok(()),
            1 => broken("it has a single child"),
            _ if next != node.first + node.count => broken("its children do not share out its run"),
            _ => Ok(()),
        }
    }

    /// The cell at `level` of a box centre; a quadtree's has the root's Y.
    fn cell(&self, center: glam::DVec3, level: u32) -> Cell {
        let mut cell = self.cell_of_root;
        let mut left = level;
        while left > 0 {
            let levels = left.min(self.settings.mode.key_levels());
            cell = cell.below(center, levels);
            left -= levels;
        }
        if self.settings.mode == Mode::Quadtree {
            cell.min.y = self.cell_of_root.min.y;
        }
        cell
    }

    fn validate_groups(&self, numbers: &[u32], corners: &[[Vec3; 3]], materials: &[u32]) -> Result<(), Invalid> {
        let groups = &self.groups;
        let mut place = vec![usize::MAX; materials.len()];
        for (at, &number) in groups.triangles().iter().enumerate() {
            if place[number as usize] != usize::MAX {
                return Err(Invalid { node: 0, what: "a triangle is drawn twice" });
            }
            place[number as usize] = at;
        }
        let mut at = 0;
        for index in 0..groups.cells().len() as u32 {
            let cell = &groups.cells()[index as usize];
            let broken = |what: &'static str| Err(Invalid { node: 0, what });
            let mut slots = groups.parts(index).iter().map(|part| part.slot);
            if !slots.clone().zip(slots.by_ref().skip(1)).all(|(slot, next)| slot < next) {
                return broken("the parts of a draw cell are out of order");
            }
            let mut bounds = Aabb::EMPTY;
            for part in groups.parts(index) {
                for &number in &groups.triangles()[part.first as usize..(part.first + part.count) as usize] {
                    if materials[number as usize] != groups.materials()[part.slot as usize] {
                        return broken("a part of a draw cell holds a triangle of another material");
                    }
                    bounds = bounds.union(Aabb::around(corners[number as usize]));
                }
            }
            if !cell.bounds.contains(&bounds) {
                return broken("a draw cell's box does not hold its triangles");
            }
            // Chunks hold the triangles in depth-first order, by material.
            let count: u32 = groups.parts(index).iter().map(|part| part.count).sum();
            if groups.is_chunk(index) {
                let mut drawn = 0;
                while drawn < count {
                    let Some(&number) = numbers.get(at) else { return broken("a chunk is too long") };
                    at += 1;
                    drawn += u32::from(groups.materials().contains(&materials[number as usize]));
                    let holds = |part: &Part| {
                        (part.first as usize..(part.first + part.count) as usize).contains(&place[number as usize])
                    };
                    if place[number as usize] != usize::MAX && !groups.parts(index).iter().any(holds) {
                        return broken("a chunk lacks a triangle of its run");
                    }
                }
            } else {
                let (mut below, mut child) = (0, index + 1);
                while child < cell.end {
                    below += groups.parts(child).iter().map(|part| part.count).sum::<u32>();
                    child = groups.cells()[child as usize].end;
                }
                if below != count {
                    return broken("the parts of a draw cell are not those of the cells below it");
                }
            }
        }
        let drawn = numbers.iter().filter(|&&n| groups.materials().contains(&materials[n as usize])).count();
        if drawn != groups.triangles().len() {
            return Err(Invalid { node: 0, what: "a drawn triangle is missing from the groups" });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use crate::tree::wide::WideNode;
    use crate::tree::{Node, Packet, Settings};

    /// A grid of 16 x 16 quads of two materials and a tower over one corner.
    fn sample(mode: Mode) -> (Vec<[Vec3; 3]>, Vec<u32>, Tree) {
        let mut corners = Vec::new();
        for i in 0..512 {
            let (x, z, half) = ((i / 2 % 16) as f32, (i / 32) as f32, i % 2);
            let quad = [(0.0, 0.0), (0.0, 1.0), (1.0, 1.0), (1.0, 0.0)].map(|(u, v)| Vec3::new(x + u, 0.0, z + v));
            corners.push(if half == 0 { [quad[0], quad[1], quad[2]] } else { [quad[0], quad[2], quad[3]] });
        }
        corners.extend((0..40).map(|i| [Vec3::ZERO, Vec3::X, Vec3::Z].map(|p| p + Vec3::Y * i as f32)));
        let materials: Vec<u32> = (0..corners.len() as u32).map(|number| number / 7 % 2).collect();
        let tree = Tree::from_triangles(&corners, &materials, &Settings { mode, leaf_triangles: 4, leaf_size: 1.0 });
        (corners, materials, tree)
    }

    /// Breaks a sound tree by `fault` and gives the validator's complaint.
    fn complaint(mode: Mode, fault: impl FnOnce(&mut Tree)) -> &'static str {
        let (corners, materials, mut tree) = sample(mode);
        assert_eq!(tree.validate(&corners, &materials), Ok(()), "the sample must be sound");
        fault(&mut tree);
        tree.validate(&corners, &materials).expect_err("the fault must be found").what
    }

    #[test]
    fn every_kind_of_broken_tree_is_found() {
        for mode in [Mode::Quadtree, Mode::Octree] {
            let tight = "its box is not the tight box of its triangles";
            fn inner(tree: &mut Tree) -> &mut Node {
                let index = (1..tree.nodes.len()).find(|&i| !tree.is_leaf(i as u32)).unwrap();
                &mut tree.nodes[index]
            }
            // A child's box that still lies inside its parent's, but is not its own.
            assert_eq!(complaint(mode, |tree| tree.nodes.last_mut().unwrap().bounds.max.x -= 0.5), tight);
            assert_eq!(complaint(mode, |tree| tree.nodes[0].bounds.max.y += 1.0), tight);
            assert_eq!(complaint(mode, |tree| inner(tree).bounds.min.z -= 1e-6), tight);
            assert!(complaint(mode, |tree| inner(tree).end += 1).contains("nest"));
            assert!(complaint(mode, |tree| tree.nodes[0].end -= 1).contains("span"));
            assert!(complaint(mode, |tree| tree.nodes.last_mut().unwrap().end += 1).contains("nest"));
            assert!(complaint(mode, |tree| inner(tree).level += 1).contains("another cell"));
            assert!(complaint(mode, |tree| tree.nodes[0].count = 0).contains("span"));
            assert!(complaint(mode, |tree| tree.nodes.last_mut().unwrap().count -= 1).contains("share out"));
            let double = |tree: &mut Tree| tree.wide.packets[0].numbers[1] = tree.wide.packets[0].numbers[0];
            assert!(complaint(mode, double).contains("stored twice"));
            let shift = |tree: &mut Tree| tree.wide.packets[0].corners[0][1][0] += 1.0;
            assert!(complaint(mode, shift).contains("none of the level's"));
            let lose = |tree: &mut Tree| tree.wide.packets[3].numbers[0] = Packet::EMPTY;
            assert!(complaint(mode, lose).contains("missing"));
        }
    }

    #[test]
    fn a_triangle_in_the_wrong_cell_is_found() {
        for mode in [Mode::Quadtree, Mode::Octree] {
            let what = complaint(mode, |tree| {
                let mut numbers: Vec<u32> = tree.triangles().map(|(number, _)| number).collect();
                let mut corners = vec![[Vec3::ZERO; 3]; numbers.len()];
                tree.triangles().for_each(|(number, triangle)| corners[number as usize] = triangle);
                let last = numbers.len() - 1;
                numbers.swap(0, last);
                for index in (0..tree.nodes.len()).filter(|&index| tree.is_leaf(index as u32)).collect::<Vec<_>>() {
                    let Node { first, count, .. } = tree.nodes[index];
                    let run = &numbers[first as usize..(first + count) as usize];
                    tree.nodes[index].bounds = Aabb::around(run.iter().flat_map(|&number| corners[number as usize]));
                }
                super::super::build::fit_inner_boxes(&mut tree.nodes);
                tree.wide = super::super::widen::widen(&tree.nodes, &corners, &numbers);
            });
            assert!(what.contains("another cell"), "{what}");
        }
    }

    #[test]
    fn broken_wide_nodes_are_found() {
        for mode in [Mode::Quadtree, Mode::Octree] {
            let tight = "a box of a wide node is not tight";
            assert_eq!(complaint(mode, |tree| tree.wide.nodes[0].boxes[1][0] -= 1.0), tight);
            fn last(tree: &mut Tree) -> &mut WideNode {
                tree.wide.nodes.last_mut().unwrap()
            }
            assert_eq!(complaint(mode, |tree| last(tree).boxes[5][0] -= 0.5), tight);
            let twice = |tree: &mut Tree| last(tree).children[1] = last(tree).children[0];
            assert!(complaint(mode, twice).contains("on two wide nodes"));
            assert_eq!(complaint(mode, |tree| last(tree).children.swap(0, 1)), tight);
            let lose = |tree: &mut Tree| *last(tree) = WideNode::EMPTY;
            assert!(complaint(mode, lose).contains("is empty"));
        }
    }

    #[test]
    fn broken_groups_are_found() {
        let (corners, materials, tree) = sample(Mode::Octree);
        let mut recoloured = materials.clone();
        recoloured[200] ^= 1;
        assert!(tree.validate(&corners, &recoloured).is_err(), "a material that changed must be found");
        let mut none_of_material_1 = materials.clone();
        none_of_material_1.iter_mut().for_each(|material| *material = 0);
        assert!(tree.validate(&corners, &none_of_material_1).is_err());
    }
}
