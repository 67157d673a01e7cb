//! parry3d: a binary tree over a mesh.

use glam::Vec3;
use parry3d::math::{Pose, Vector};
use parry3d::query::{Ray, RayCast, ShapeCastOptions, cast_shapes};
use parry3d::shape::{Ball, TriMesh};

use crate::answer::{Answer, Cast, Move, RADIUS};
use crate::building::BuildTime;
use crate::scene::Scene;

pub struct Parry(TriMesh);

impl Parry {
    pub fn build(scene: &Scene, time: &mut BuildTime) -> Parry {
        let (vertices, indices) = buffers(scene);
        Parry(time.of(|| TriMesh::new(vertices, indices)).expect("a level with triangles"))
    }
}

/// The buffers that a mesh is made of, and keeps.
pub fn buffers(scene: &Scene) -> (Vec<Vector>, Vec<[u32; 3]>) {
    (scene.positions.iter().copied().map(vector).collect(), scene.indices.clone())
}

pub fn vector(from: Vec3) -> Vector {
    Vector::from_array(from.to_array())
}

impl Answer<Cast> for Parry {
    fn one(&self, cast: &Cast) -> Option<f32> {
        self.0.cast_local_ray(&Ray::new(vector(cast.origin), vector(cast.direction)), f32::MAX, false)
    }
}

impl Answer<Move> for Parry {
    fn one(&self, question: &Move) -> Option<f32> {
        let hit = cast_shapes(
            &Pose::IDENTITY,
            Vector::ZERO,
            &self.0,
            &Pose::from_translation(vector(question.center)),
            vector(question.displacement),
            &Ball::new(RADIUS),
            ShapeCastOptions::with_max_time_of_impact(1.0),
        );
        let hit = hit.expect("a ball against a mesh is known")?;
        Some(hit.time_of_impact * question.displacement.length())
    }
}
