//! Many questions at once: sorted, so that neighbours in space follow each other and find the tree in the caches, and shared
//! out over all cores.

use glam::{DVec3, Vec3};
use rayon::prelude::*;

use super::{Faces, RayHit, Sweep, SweepHit, Which};
use crate::geometry::{Aabb, Ray};
use crate::tree::{Tree, sort_by_upper_half, spread_by_3};

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

/// Questions that a core takes at once: enough that neighbours stay together, few enough to share out.
const PORTION: usize = 1024;

impl<T: Copy + Send + Sync> Batch<T> {
    /// The answers, in the order of the questions; none before the first.
    pub fn answers(&self) -> &[Option<T>] {
        &self.answers
    }

    /// Answers `count` questions in the order of their keys.
    fn answer(&mut self, count: usize, key: impl Fn(usize) -> u32 + Sync, answer: impl Fn(usize) -> Option<T> + Sync) {
        assert!(count <= u32::MAX as usize, "more than 2^32 questions at once");
        let Batch { answers, found, order, scratch } = self;
        (0..count).into_par_iter().map(|index| u64::from(key(index)) << 32 | index as u64).collect_into_vec(order);
        sort_by_upper_half(order, scratch);
        let question = |entry: u64| entry as u32 as usize;
        order.par_iter().with_min_len(PORTION).map(|&entry| answer(question(entry))).collect_into_vec(found);
        answers.clear();
        answers.resize(count, None);
        for (&entry, found) in order.iter().zip(&*found) {
            answers[question(entry)] = *found;
        }
    }
}

impl Tree {
    /// [`Tree::ray`] for many rays.
    pub fn ray_batch(&self, rays: &[Ray], max_distance: f32, faces: Faces, batch: &mut Batch<RayHit>) {
        let place = Place::within(&self.bounds());
        let key = |index: usize| {
            let ray: &Ray = &rays[index];
            let way = ray.way();
            let octant = u32::from(way.x < 0.0) | u32::from(way.y < 0.0) << 1 | u32::from(way.z < 0.0) << 2;
            octant << 27 | place.key(ray.origin()) >> 3
        };
        batch.answer(rays.len(), key, |index| self.ray(&rays[index], max_distance, faces));
    }

    /// [`Tree::height`] for many points.
    pub fn height_batch(&self, points: &[Vec3], which: Which, snap: f32, batch: &mut Batch<f32>) {
        let place = Place::within(&self.bounds());
        batch.answer(
            points.len(),
            |index| place.key(points[index].as_dvec3()),
            |index| self.height(points[index], which, snap),
        );
    }

    /// [`Tree::sweep`] for many bodies.
    pub fn sweep_batch(&self, sweeps: &[Sweep], batch: &mut Batch<SweepHit>) {
        let place = Place::within(&self.bounds());
        batch.answer(
            sweeps.len(),
            |index| place.key(sweeps[index].center.as_dvec3()),
            |index| self.sweep(&sweeps[index]),
        );
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
        Place { min, scale: 1023.0 / (max - min).max(DVec3::splat(f64::MIN_POSITIVE)) }
    }

    /// 30 bits in Morton order; what lies outside, or nowhere, counts to the nearest cell, or the first.
    fn key(&self, point: DVec3) -> u32 {
        // `as` clamps, and takes NaN as 0.
        let [x, y, z] = ((point - self.min) * self.scale).to_array().map(|place| spread_by_3((place as u32).min(1023)));
        x | y << 1 | z << 2
    }
}
