//! obvhs: a binary tree, and an eight-wide compressed one.

use std::time::Duration;

use obvhs::BvhBuildParams;
use obvhs::bvh2::{self, builder::build_bvh2_from_tris};
use obvhs::cwbvh::{self, builder::build_cwbvh_from_tris};
use obvhs::ray::{Ray, RayHit};
use obvhs::triangle::Triangle;

use crate::answer::{Answer, Cast};
use crate::building::BuildTime;
use crate::scene::Scene;

/// A tree of either kind and the triangles in its order, which its documentation recommends.
pub struct Obvhs<T> {
    tree: T,
    triangles: Vec<Triangle>,
}

pub type Bvh2 = Obvhs<bvh2::Bvh2>;
pub type CwBvh = Obvhs<cwbvh::CwBvh>;

impl Bvh2 {
    pub fn build(scene: &Scene, preset: BvhBuildParams, time: &mut BuildTime) -> Bvh2 {
        let triangles = triangles(scene);
        let tree = time.of(|| build_bvh2_from_tris(&triangles, preset, &mut Duration::default()));
        let triangles = tree.primitive_indices.iter().map(|&number| triangles[number as usize]).collect();
        Obvhs { tree, triangles }
    }
}

impl CwBvh {
    pub fn build(scene: &Scene, preset: BvhBuildParams, time: &mut BuildTime) -> CwBvh {
        let triangles = triangles(scene);
        let tree = time.of(|| build_cwbvh_from_tris(&triangles, preset, &mut Duration::default()));
        let triangles = tree.primitive_indices.iter().map(|&number| triangles[number as usize]).collect();
        Obvhs { tree, triangles }
    }
}

fn triangles(scene: &Scene) -> Vec<Triangle> {
    scene.triangles().map(|[a, b, c]| Triangle { v0: a.into(), v1: b.into(), v2: c.into() }).collect()
}

impl Answer<Cast> for Bvh2 {
    fn one(&self, cast: &Cast) -> Option<f32> {
        let mut hit = RayHit::none();
        let ray = Ray::new_inf(cast.origin.into(), cast.direction.into());
        self.tree.ray_traverse(ray, &mut hit, |ray, place| self.triangles[place].intersect(ray)).then_some(hit.t)
    }
}

impl Answer<Cast> for CwBvh {
    fn one(&self, cast: &Cast) -> Option<f32> {
        let mut hit = RayHit::none();
        let ray = Ray::new_inf(cast.origin.into(), cast.direction.into());
        self.tree.ray_traverse(ray, &mut hit, |ray, place| self.triangles[place].intersect(ray)).then_some(hit.t)
    }
}
