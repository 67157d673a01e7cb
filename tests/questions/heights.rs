//! Heights below, above and closest, exact or with a snap, and all surfaces of a column.

use glam::Vec3;
use nodetree::query::Which;
use nodetree::tree::Tree;

use crate::scene::{OnPanic, Scene, for_each_tree};
use crate::support::Random;
use crate::tally::Asked;

/// A point, and what is right.
#[derive(Debug)]
pub struct Question {
    pub point: Vec3,
    snap: f32,
    aimed: bool,
    /// From top to bottom. Rounded, because answers are and are compared then.
    truth: Vec<f32>,
}

/// Whether two heights are one but for the last place.
fn is_same(one: f32, other: f32) -> bool {
    (one - other).abs() <= f32::EPSILON * one.abs().max(other.abs())
}

impl Question {
    pub fn new(scene: &Scene, random: &mut Random, snap: f32) -> Question {
        let [a, b, c] = *random.pick(scene.targets());
        let aside = scene.scale * 10.0_f32.powf(random.range(-7.0, -4.0)) * random.direction();
        let (mut point, aimed) = match random.below(6) {
            0 => (scene.inside(random), false),
            1 => (a, true),
            2 => (0.5 * a + 0.5 * b, true),
            3 => (a + random.unit() * (b - a) + aside, true),
            4 => (a + random.unit() * (b - a), true),
            _ => ((a + b + c) / 3.0, false),
        };
        if random.below(2) == 0 {
            point.y = scene.anywhere(random).y;
        }
        Question { aimed, ..Question::of(scene, point, snap) }
    }

    pub fn of(scene: &Scene, point: Vec3, snap: f32) -> Question {
        let truth = scene.heights(point.x, point.z).into_iter().map(|height| height as f32).collect();
        Question { point, snap, aimed: false, truth }
    }

    pub fn asked(&self) -> Asked {
        Asked { aimed: self.aimed, hit: !self.truth.is_empty() }
    }

    /// How far from the point.
    fn gap(&self, height: f32) -> f64 {
        (f64::from(height) - f64::from(self.point.y)).abs()
    }

    pub fn check(&self, which: Which, answer: Option<f32>) {
        let (y, snap) = (f64::from(self.point.y), f64::from(self.snap));
        // A height can be halfway between two f32: both roundings are right.
        let ulp = f64::from(f32::EPSILON) * (y.abs() + snap);
        let right = [-ulp, ulp].map(|slack| match which {
            Which::Below => self.truth.iter().copied().find(|&height| f64::from(height) <= y + snap + slack),
            Which::Above => self.truth.iter().copied().rfind(|&height| f64::from(height) >= y - snap - slack),
            Which::Closest => self.truth.iter().copied().min_by(|&a, &b| self.gap(a).total_cmp(&self.gap(b))),
        });
        let is_right = |right: Option<f32>| match (answer, right) {
            (Some(answer), Some(right)) if which == Which::Closest => {
                self.gap(answer) <= self.gap(right) + f64::from(f32::EPSILON * right.abs())
                    && self.truth.iter().any(|&height| is_same(height, answer))
            }
            (Some(answer), Some(right)) => is_same(answer, right),
            (answer, right) => answer == right,
        };
        assert!(right.into_iter().any(is_right), "{which:?}: {answer:?}, not {right:?}");
    }

    fn check_all(&self, tree: &Tree, heights: &mut Vec<f32>) {
        tree.heights(self.point.x, self.point.z, heights);
        assert!(heights.is_sorted_by(|a, b| a - b > 1e-5), "{heights:?}");
        let near = |a: f32, b: f32| (a - b).abs() <= 1e-5_f32.max(2.0 * f32::EPSILON * a.abs());
        assert!(self.truth.iter().all(|&t| heights.iter().any(|&h| near(h, t))), "lost: {heights:?}");
        assert!(heights.iter().all(|&h| self.truth.iter().any(|&t| is_same(h, t))), "false: {heights:?}");
    }

    /// Checks every tree.
    pub fn check_trees(&self, scene: &Scene) {
        let _what = OnPanic(|| format!("{self:?}"));
        let mut heights = Vec::new();
        for_each_tree(&scene.trees, |tree| {
            for which in EACH {
                self.check(which, tree.height(self.point, which, self.snap));
            }
            self.check_all(tree, &mut heights);
        });
    }
}

pub const EACH: [Which; 3] = [Which::Below, Which::Above, Which::Closest];

pub fn ask(scene: &Scene, random: &mut Random) -> Option<Asked> {
    let snap = *random.pick(&[0.0, 0.0, 1e-3, 0.1, 0.05 * scene.scale]);
    let question = Question::new(scene, random, snap);
    question.check_trees(scene);
    Some(question.asked())
}
