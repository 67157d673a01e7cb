//! Many questions at once: each answer is right, is the one to the question alone, and stands in its place.

use glam::Vec3;
use nodetree::geometry::Ray;
use nodetree::query::{Batch, Faces, Sweep};

use crate::scene::{Scene, for_each_tree};
use crate::support::Random;
use crate::tally::Asked;
use crate::{heights, rays, sweeps};

/// Asks until there are so many questions.
fn many<Q>(count: usize, question: impl FnMut() -> Option<Q>) -> Vec<Q> {
    std::iter::repeat_with(question).flatten().take(count).collect()
}

pub fn ask_rays(scene: &Scene, count: usize, random: &mut Random) -> Vec<Asked> {
    let faces = *random.pick(&[Faces::Both, Faces::Front, Faces::Back]);
    let questions = many(count, || rays::Question::unlimited(scene, random, faces));
    let rays: Vec<Ray> = questions.iter().map(|question| question.ray).collect();
    let mut batch = Batch::default();
    for_each_tree(&scene.trees, |tree| {
        tree.ray_batch(&rays, f32::INFINITY, faces, &mut batch);
        assert_eq!(batch.answers().len(), count);
        for (question, answer) in questions.iter().zip(batch.answers()) {
            question.check_nearest(scene, answer.as_ref());
            assert_eq!(*answer, tree.ray(&question.ray, f32::INFINITY, faces), "alone: {question:?}");
        }
    });
    questions.iter().map(rays::Question::asked).collect()
}

pub fn ask_heights(scene: &Scene, count: usize, random: &mut Random) -> Vec<Asked> {
    let snap = *random.pick(&[0.0, 1e-3, 0.05 * scene.scale]);
    let questions = many(count, || Some(heights::Question::new(scene, random, snap)));
    let points: Vec<Vec3> = questions.iter().map(|question| question.point).collect();
    let mut batch = Batch::default();
    for_each_tree(&scene.trees, |tree| {
        for which in heights::EACH {
            tree.height_batch(&points, which, snap, &mut batch);
            assert_eq!(batch.answers().len(), count);
            for (question, answer) in questions.iter().zip(batch.answers()) {
                question.check(which, *answer);
                assert_eq!(*answer, tree.height(question.point, which, snap), "alone: {which:?} {question:?}");
            }
        }
    });
    questions.iter().map(heights::Question::asked).collect()
}

pub fn ask_sweeps(scene: &Scene, count: usize, random: &mut Random) -> Vec<Asked> {
    let questions = many(count, || {
        let is_sphere = random.below(2) == 0;
        sweeps::Question::new(scene, is_sphere, random)
    });
    let sweeps: Vec<Sweep> = questions.iter().map(|question| question.sweep).collect();
    let mut batch = Batch::default();
    for_each_tree(&scene.trees, |tree| {
        tree.sweep_batch(&sweeps, &mut batch);
        assert_eq!(batch.answers().len(), count);
        for (question, answer) in questions.iter().zip(batch.answers()) {
            question.check(scene, answer.as_ref());
            assert_eq!(*answer, tree.sweep(&question.sweep), "alone: {question:?}");
        }
    });
    questions.iter().map(sweeps::Question::asked).collect()
}
