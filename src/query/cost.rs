//! What a ray looks at.

use super::Faces;
use super::ray::{Crossings, Nearest};
use crate::geometry::Ray;
use crate::simd::Lanes;
use crate::tree::{Boxes, Packet, Question, Tree};

/// How much a question looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// Nodes, of up to eight boxes each.
    pub nodes: u32,
    /// Packets, of up to eight triangles each.
    pub packets: u32,
}

/// A question that counts what another one looks at.
struct Counted<Q> {
    question: Q,
    cost: Cost,
}

impl<Q: Question> Question for Counted<Q> {
    #[inline(always)]
    fn limit(&self) -> f32 {
        self.question.limit()
    }

    #[inline(always)]
    fn boxes<L: Lanes>(&mut self, boxes: &Boxes, limit: f32) -> (L, u32) {
        self.cost.nodes += 1;
        self.question.boxes(boxes, limit)
    }

    #[inline(always)]
    fn packet<L: Lanes>(&mut self, packet: &Packet, first: usize, filled: u32, limit: f32) -> f32 {
        self.cost.packets += 1;
        self.question.packet::<L>(packet, first, filled, limit)
    }
}

impl Tree {
    /// How much [`Tree::ray`] looks at for both faces: a measure of the tree that no machine changes. Nothing for a limit that is
    /// negative or NaN.
    pub fn ray_cost(&self, ray: &Ray, max_distance: f32) -> Cost {
        if max_distance.is_nan() || max_distance < 0.0 {
            return Cost::default();
        }
        let question = || Crossings::up_to(max_distance, ray, Faces::Both, Nearest::default());
        self.ask(|| Counted { question: question(), cost: Cost::default() }, |counted| counted.cost)
    }
}
