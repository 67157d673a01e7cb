//! rapier3d: parry's mesh inside a physics world.

use rapier3d::parry::query::{DefaultQueryDispatcher, ShapeCastOptions};
use rapier3d::parry::shape::Ball;
use rapier3d::prelude::{
    BroadPhaseBvh, ColliderBuilder, ColliderSet, IntegrationParameters, Pose, QueryFilter, RigidBodySet,
};

use super::parry::{buffers, vector};
use crate::answer::{Answer, Move, RADIUS};
use crate::building::BuildTime;
use crate::scene::Scene;

pub struct Rapier {
    pub(super) bodies: RigidBodySet,
    pub(super) colliders: ColliderSet,
    pub(super) broad_phase: BroadPhaseBvh,
    /// Height of the lowest point, in metres.
    pub(super) bottom: f32,
}

impl Rapier {
    pub fn build(scene: &Scene, time: &mut BuildTime) -> Rapier {
        let (vertices, indices) = buffers(scene);
        let mut rapier = Rapier {
            bodies: RigidBodySet::new(),
            colliders: ColliderSet::new(),
            broad_phase: BroadPhaseBvh::new(),
            bottom: scene.level.bounds().min.y,
        };
        time.of(|| {
            let mesh = ColliderBuilder::trimesh(vertices, indices).expect("a level with triangles").build();
            let bounds = mesh.compute_aabb();
            let mesh = rapier.colliders.insert(mesh);
            rapier.broad_phase.set_aabb(&IntegrationParameters::default(), mesh, bounds);
        });
        rapier
    }
}

impl Answer<Move> for Rapier {
    fn one(&self, question: &Move) -> Option<f32> {
        let world = self.broad_phase.as_query_pipeline(
            &DefaultQueryDispatcher,
            &self.bodies,
            &self.colliders,
            QueryFilter::default(),
        );
        let (_, hit) = world.cast_shape(
            &Pose::from_translation(vector(question.center)),
            vector(question.displacement),
            &Ball::new(RADIUS),
            ShapeCastOptions::with_max_time_of_impact(1.0),
        )?;
        Some(hit.time_of_impact * question.displacement.length())
    }
}
