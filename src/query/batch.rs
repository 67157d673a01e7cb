//! Many questions at once: sorted, so that neighbours in space follow each other and find the tree in the caches, and shared
//! out over all cores.

use arrayvec::ArrayVec;
use glam::{DVec3, Vec3};
use rayon::prelude::*;

use super::{Faces, RayHit, Sweep, SweepHit, Which};
use crate::geometry::{Aabb, Ray};
use crate::tree::{Tree, sort_by_upper_half, spread_by_2, spread_by_3};

/// The answers to many questions, and the memory to find them in, which the next questions reuse.
#[derive(Clone, Debug)]
pub struct Batch<T> {
    answers: Vec<Option<T>>,
    /// The answers in the order in which they were found.
    found: Vec<Option<T>>,
    order: Vec<u64>,
    scratch: Vec<u64>,
}

impl<T> Default for Batch<T> {
    fn default() -> Batch<T> {
        Batch { answers: Vec::new(), found: Vec::new(), order: Vec::new(), scratch: Vec::new() }
    }
}

/// Questions that are fetched at once: the memory that they lie in, far apart, answers them all together.
const FETCHED: usize = 64;

impl<T: Copy + Send + Sync> Batch<T> {
    /// The answers, in the order of the questions; none before the first.
    pub fn answers(&self) -> &[Option<T>] {
        &self.answers
    }

    /// Answers questions in the order of their keys.
    fn answer<Q: Copy + Sync>(
        &mut self,
        questions: &[Q],
        key: impl Fn(&Q) -> u32 + Sync,
        answer: impl Fn(&Q) -> Option<T> + Sync,
    ) {
        assert!(questions.len() <= u32::MAX as usize, "more than 2^32 questions at once");
        let Batch { answers, found, order, scratch } = self;
        questions
            .par_iter()
            .enumerate()
            .map(|(index, question)| u64::from(key(question)) << 32 | index as u64)
            .collect_into_vec(order);
        sort_by_upper_half(order, scratch);
        let index = |entry: u64| entry as u32 as usize;
        found.clear();
        found.resize(questions.len(), None);
        found.par_chunks_mut(FETCHED).zip(order.par_chunks(FETCHED)).for_each(|(found, order)| {
            let fetched: ArrayVec<Q, FETCHED> = order.iter().map(|&entry| questions[index(entry)]).collect();
            for (found, question) in found.iter_mut().zip(&fetched) {
                *found = answer(question);
            }
        });
        answers.clear();
        answers.resize(questions.len(), None);
        for (&entry, found) in order.iter().zip(&*found) {
            answers[index(entry)] = *found;
        }
    }
}

impl Tree {
    /// [`Tree::ray`] for many rays, on all threads of the current `rayon` pool.
    ///
    /// Cost: that of the rays one by one in an order that keeps neighbours together, and sorting them. It pays from some
    /// thousands up, and where the tree is larger than the caches.
    pub fn ray_batch(&self, rays: &[Ray], max_distance: f32, faces: Faces, batch: &mut Batch<RayHit>) {
        let place = Place::within(&self.bounds());
        batch.answer(rays, |ray| place.key(ray.origin()), |ray| self.ray(ray, max_distance, faces));
    }

    /// [`Tree::height`] for many points, like [`Tree::ray_batch`].
    pub fn height_batch(&self, points: &[Vec3], which: Which, snap: f32, batch: &mut Batch<f32>) {
        let place = Place::within(&self.bounds());
        batch.answer(points, |point| place.column_key(point.as_dvec3()), |&point| self.height(point, which, snap));
    }

    /// [`Tree::sweep`] for many bodies, like [`Tree::ray_batch`].
    pub fn sweep_batch(&self, sweeps: &[Sweep], batch: &mut Batch<SweepHit>) {
        let place = Place::within(&self.bounds());
        batch.answer(sweeps, |sweep| place.key(sweep.center.as_dvec3()), |sweep| self.sweep(sweep));
    }
}

/// Where something is along a curve through a box that keeps neighbours together.
struct Place {
    min: DVec3,
    scale: DVec3,
}

impl Place {
    fn within(bounds: &Aabb) -> Place {
        let (min, max) = (bounds.min.as_dvec3(), bounds.max.as_dvec3());
        Place { min, scale: 1.0 / (max - min).max(DVec3::splat(f64::MIN_POSITIVE)) }
    }

    /// 30 bits in Morton order; what lies outside, or nowhere, counts to the nearest cell, or the first.
    fn key(&self, point: DVec3) -> u32 {
        let [x, y, z] = self.steps(point, 10);
        spread_by_3(x) | spread_by_3(y) << 1 | spread_by_3(z) << 2
    }

    /// The same for X and Z alone.
    fn column_key(&self, point: DVec3) -> u32 {
        let [x, _, z] = self.steps(point, 15);
        spread_by_2(x) | spread_by_2(z) << 1
    }

    fn steps(&self, point: DVec3, bits: u32) -> [u32; 3] {
        let last = (1 << bits) - 1;
        // `as` clamps, and takes NaN as 0.
        let step = |place: f64| ((place * f64::from(last)) as u32).min(last);
        let place = (point - self.min) * self.scale;
        [step(place.x), step(place.y), step(place.z)]
    }
}
