//! The two traversals that serve every question: all that a test lets through, and nearest first.

use std::ops::Range;

use super::{Tree, split};
use crate::geometry::Aabb;

/// What to do after looking at something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Visit {
    /// Go on, into the node's children.
    Continue,
    /// Go on, but not into this node.
    Prune,
    /// The answer is known.
    Stop,
}

/// How much a traversal looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// Nodes whose box was tested.
    pub nodes: u32,
    /// Triangles handed to the leaf test.
    pub triangles: u32,
}

/// More pending nodes than any tree can have: at most seven siblings wait on each level.
const STACK: usize = 7 * split::MAX_LEVEL as usize + 8;

impl Tree {
    /// Visits every node that `node` lets through, depth first, and hands the run of each leaf to `leaf`, which says
    /// whether to go on ([`Visit::Stop`] ends the traversal, the others go on). Runs index [`Tree::triangles`].
    pub fn visit_all(&self, mut node: impl FnMut(&Aabb) -> Visit, mut leaf: impl FnMut(Range<usize>) -> Visit) -> Cost {
        let mut cost = Cost::default();
        let mut index = 0;
        while let Some(current) = self.nodes.get(index as usize) {
            cost.nodes += 1;
            match node(&current.bounds) {
                Visit::Continue => {}
                Visit::Prune => {
                    index = current.end;
                    continue;
                }
                Visit::Stop => break,
            }
            index += 1;
            if current.end == index {
                cost.triangles += current.count;
                if leaf(current.first as usize..(current.first + current.count) as usize) == Visit::Stop {
                    break;
                }
            }
        }
        cost
    }

    /// Visits nodes in the order of a key, least first among siblings: `key` gives the least value that anything in a box
    /// can have (an entry distance, say), or `None` to leave the box out. Each leaf's run goes to `leaf` with the limit so
    /// far; it gives the new limit, never a greater one. Boxes whose key is above the limit are left out; a key at the
    /// limit is still visited, so that closed intervals hold.
    pub fn visit_nearest(
        &self,
        limit: f32,
        mut key: impl FnMut(&Aabb, f32) -> Option<f32>,
        mut leaf: impl FnMut(Range<usize>, f32) -> f32,
    ) -> Cost {
        let mut cost = Cost::default();
        let mut limit = limit;
        let mut stack = [(0.0_f32, 0_u32); STACK];
        let mut depth = 0;
        if let Some(root) = self.nodes.first() {
            cost.nodes += 1;
            if let Some(entry) = key(&root.bounds, limit) {
                stack[0] = (entry, 0);
                depth = 1;
            }
        }
        while depth > 0 {
            depth -= 1;
            let (entry, index) = stack[depth];
            // Written so that a NaN key is visited rather than lost.
            if entry > limit {
                continue;
            }
            let node = &self.nodes[index as usize];
            if node.end == index + 1 {
                cost.triangles += node.count;
                limit = leaf(node.first as usize..(node.first + node.count) as usize, limit);
                continue;
            }
            let first = depth;
            let mut child = index + 1;
            while child < node.end {
                cost.nodes += 1;
                if let Some(entry) = key(&self.nodes[child as usize].bounds, limit) {
                    // Kept sorted as they come, the nearest on top: there are at most eight.
                    let mut place = depth;
                    while place > first && stack[place - 1].0 < entry {
                        stack[place] = stack[place - 1];
                        place -= 1;
                    }
                    stack[place] = (entry, child);
                    depth += 1;
                }
                child = self.nodes[child as usize].end;
            }
        }
        cost
    }
}
