//! The classic method, done well: every leaf lists the triangles that touch it, and each frame the indices of the visible
//! ones are copied into an index buffer a material.

use glam::Vec3;

use crate::geometry::{Aabb, Containment, Frustum};
use crate::level::Level;
use crate::tree::Mode;

/// Leaf limits worth trying; which is fastest depends on the level.
pub const LEAF_LIMITS: [u32; 3] = [64, 256, 1024];

/// Cells are halved at most this often, ...
const DEPTH: u32 = 14;
/// ... and not where the children would list this many times the triangles of the parent.
const GREATEST_GROWTH: f32 = 3.0;

/// A tree in the classic way, with the buffers it fills.
#[derive(Clone, Debug)]
pub struct CopyIndices {
    nodes: Vec<Node>,
    /// Triangle numbers of all leaves, one leaf after the other, sorted by material.
    listed: Vec<u32>,
    /// For each leaf, runs of one material in `listed`.
    runs: Vec<Run>,
    indices: Vec<[u32; 3]>,
    /// The frame in which each triangle was last copied.
    stamps: Vec<u32>,
    frame: u32,
    /// One index buffer a material.
    buffers: Vec<Vec<[u32; 3]>>,
    visited: u32,
}

#[derive(Clone, Debug)]
struct Node {
    bounds: Aabb,
    /// Index of the first node after the subtree; nodes stand in depth-first order.
    end: u32,
    /// Runs of the leaf; empty for others.
    runs: std::ops::Range<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Run {
    material: u32,
    first: u32,
    end: u32,
}

impl CopyIndices {
    /// Builds the tree with at most `leaf_limit` triangles a leaf where halving helps.
    pub fn new(level: &Level, mode: Mode, leaf_limit: u32) -> CopyIndices {
        let corners: Vec<[Vec3; 3]> = (0..level.triangles.len() as u32).map(|number| level.corners(number)).collect();
        let usable = (0..corners.len() as u32).filter(|&n| corners[n as usize].iter().all(|p| p.is_finite())).collect();
        let mut counts = vec![0; level.materials.len()];
        for triangle in &level.triangles {
            counts[triangle.material as usize] += 1;
        }
        let mut tree = CopyIndices {
            nodes: Vec::new(),
            listed: Vec::new(),
            runs: Vec::new(),
            indices: level.triangles.iter().map(|triangle| triangle.vertices).collect(),
            stamps: vec![0; corners.len()],
            frame: 0,
            buffers: counts.into_iter().map(Vec::with_capacity).collect(),
            visited: 0,
        };
        let material = |number: u32| level.triangles[number as usize].material;
        tree.subtree(&corners, &material, mode, leaf_limit as usize, usable, level.bounds(), 0);
        tree
    }

    /// Appends the subtree of `cell` with the triangles that touch it.
    #[allow(clippy::too_many_arguments)]
    fn subtree(
        &mut self,
        corners: &[[Vec3; 3]],
        material: &impl Fn(u32) -> u32,
        mode: Mode,
        leaf_limit: usize,
        mut touching: Vec<u32>,
        cell: Aabb,
        depth: u32,
    ) {
        if touching.is_empty() {
            return;
        }
        let content = touching.iter().fold(Aabb::EMPTY, |all, &n| all.union(Aabb::around(corners[n as usize])));
        let bounds = Aabb { min: content.min.max(cell.min), max: content.max.min(cell.max) };
        let node = self.nodes.len();
        self.nodes.push(Node { bounds, end: 0, runs: 0..0 });
        let children: Vec<(Aabb, Vec<u32>)> = if touching.len() > leaf_limit && depth < DEPTH {
            halves(&cell, mode)
                .map(|child| {
                    let inside = |&n: &u32| touches_box(&corners[n as usize], &child);
                    (child, touching.iter().copied().filter(inside).collect())
                })
                .collect()
        } else {
            Vec::new()
        };
        let growth = children.iter().map(|(_, list)| list.len()).sum::<usize>() as f32 / touching.len() as f32;
        if children.is_empty() || growth > GREATEST_GROWTH {
            touching.sort_by_key(|&number| (material(number), number));
            let first_run = self.runs.len() as u32;
            for list in touching.chunk_by(|&a, &b| material(a) == material(b)) {
                let first = self.listed.len() as u32;
                self.listed.extend_from_slice(list);
                self.runs.push(Run { material: material(list[0]), first, end: self.listed.len() as u32 });
            }
            self.nodes[node].runs = first_run..self.runs.len() as u32;
        } else {
            drop(touching);
            for (child, list) in children {
                self.subtree(corners, material, mode, leaf_limit, list, child, depth + 1);
            }
        }
        self.nodes[node].end = self.nodes.len() as u32;
    }

    /// Fills one index buffer a material with the triangles of all leaves that are not outside, each triangle once.
    /// Nothing is allocated.
    pub fn cull(&mut self, frustum: &Frustum) -> &[Vec<[u32; 3]>] {
        self.frame += 1;
        self.visited = 0;
        self.buffers.iter_mut().for_each(Vec::clear);
        let mut index = 0;
        // Up to here everything is inside.
        let mut inside_until = 0;
        while index < self.nodes.len() as u32 {
            let node = &self.nodes[index as usize];
            if index >= inside_until {
                self.visited += 1;
                match frustum.test_box(&node.bounds) {
                    Containment::Outside => {
                        index = node.end;
                        continue;
                    }
                    Containment::Inside => inside_until = node.end,
                    Containment::Crossing => {}
                }
            }
            for run in &self.runs[node.runs.start as usize..node.runs.end as usize] {
                let buffer = &mut self.buffers[run.material as usize];
                for &number in &self.listed[run.first as usize..run.end as usize] {
                    let stamp = &mut self.stamps[number as usize];
                    if *stamp != self.frame {
                        *stamp = self.frame;
                        buffer.push(self.indices[number as usize]);
                    }
                }
            }
            index += 1;
        }
        &self.buffers
    }

    /// Nodes whose box the last call tested.
    pub fn nodes_visited(&self) -> u32 {
        self.visited
    }

    /// Triangles listed in leaves over triangles of the level: how often the average one is stored.
    pub fn growth(&self) -> f32 {
        self.listed.len() as f32 / self.indices.len().max(1) as f32
    }
}

/// The four or eight children of a cell.
fn halves(cell: &Aabb, mode: Mode) -> impl Iterator<Item = Aabb> {
    let (cell, middle) = (*cell, cell.center());
    let children = if mode == Mode::Quadtree { 4 } else { 8 };
    (0..children).map(move |child: u32| {
        let mut half = cell;
        for (bit, axis) in [0, 2, 1].into_iter().enumerate().take(if mode == Mode::Quadtree { 2 } else { 3 }) {
            if child >> bit & 1 == 0 { half.max[axis] = middle[axis] } else { half.min[axis] = middle[axis] }
        }
        half
    })
}

/// Whether a triangle's box and plane both meet the box: what lists a triangle where it is, and seldom elsewhere.
fn touches_box(corners: &[Vec3; 3], bounds: &Aabb) -> bool {
    if !bounds.touches(&Aabb::around(*corners)) {
        return false;
    }
    let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
    let reach = normal.abs().dot(bounds.size() * 0.5);
    normal.dot(bounds.center() - corners[0]).abs() <= reach * (1.0 + 1e-4)
}
