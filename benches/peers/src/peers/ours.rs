//! nodetree.

use std::cell::RefCell;
use std::hint::black_box;

use glam::{DVec3, Vec3};
use nodetree::geometry::Ray;
use nodetree::query::{Batch, Faces, RayHit, Sweep, Which};
use nodetree::tree::{Mode, Settings, Tree};
use nodetree::walk::{self, Walker};

use crate::answer::{Answer, Below, Cast, Move, RADIUS};
use crate::building::BuildTime;
use crate::scene::Scene;
use crate::walking::course::Course;
use crate::walking::walker::{HEIGHT, State, Walk};

pub fn build(scene: &Scene, mode: Mode, time: &mut BuildTime) -> Tree {
    time.of(|| Tree::build(&scene.level, &Settings::new(mode)))
}

fn ray(cast: &Cast) -> Ray {
    Ray::new(cast.origin, cast.direction).expect("a finite origin and a direction")
}

impl Answer<Cast> for Tree {
    fn one(&self, cast: &Cast) -> Option<f32> {
        black_box(self.ray(&ray(cast), f32::INFINITY, Faces::Both)).map(|hit| hit.distance)
    }
}

impl Answer<Below> for Tree {
    fn one(&self, &Below(point): &Below) -> Option<f32> {
        self.height(point, Which::Below, 0.0)
    }
}

impl Answer<Move> for Tree {
    fn one(&self, question: &Move) -> Option<f32> {
        let hit = black_box(self.sweep(&Sweep::sphere(question.center, RADIUS, question.displacement)))?;
        Some(hit.fraction * question.displacement.length())
    }
}

/// nodetree asked many questions in one call.
pub struct InBatches<'a, Q, A> {
    tree: &'a Tree,
    memory: RefCell<(Vec<Q>, Batch<A>)>,
}

impl<'a, Q, A> InBatches<'a, Q, A> {
    pub fn new(tree: &'a Tree) -> InBatches<'a, Q, A> {
        InBatches { tree, memory: RefCell::default() }
    }
}

impl Answer<Cast> for InBatches<'_, Ray, RayHit> {
    fn one(&self, cast: &Cast) -> Option<f32> {
        self.tree.one(cast)
    }

    fn all(&self, casts: &[Cast], answers: &mut [Option<f32>]) {
        let (rays, batch) = &mut *self.memory.borrow_mut();
        rays.clear();
        rays.extend(casts.iter().map(ray));
        self.tree.ray_batch(rays, f32::INFINITY, Faces::Both, batch);
        for (answer, hit) in answers.iter_mut().zip(batch.answers()) {
            *answer = hit.map(|hit| hit.distance);
        }
    }
}

impl Answer<Below> for InBatches<'_, Vec3, f32> {
    fn one(&self, below: &Below) -> Option<f32> {
        self.tree.one(below)
    }

    fn all(&self, questions: &[Below], answers: &mut [Option<f32>]) {
        let (points, batch) = &mut *self.memory.borrow_mut();
        points.clear();
        points.extend(questions.iter().map(|&Below(point)| point));
        self.tree.height_batch(points, Which::Below, 0.0, batch);
        answers.copy_from_slice(batch.answers());
    }
}

impl Walk for Tree {
    fn walk(&self, course: &Course, see: &mut dyn FnMut(State)) {
        let settings = walk::Settings::default();
        let mut walker = Walker::new(course.feet, 0.0);
        for input in &course.inputs {
            let report = walker.step(self, &settings, input);
            see(State {
                center: walker.feet_exact() + DVec3::Y * (0.5 * HEIGHT),
                is_grounded: report.grounded,
                is_rescued: report.rescued,
            });
        }
    }
}
