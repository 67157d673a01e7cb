//! How a scene is lit and looked at.

use glam::DVec3;

use super::{Kind, NodeId, Scene, light};
use crate::camera::Camera;
use crate::level::Light;

impl Scene {
    /// The lights that shine at the moment, beside those of the level ([`Level::lights`](crate::level::Level::lights)): those of the scene, and those that belong to
    /// the files of props and of pieces that move.
    pub fn lights(&self) -> impl Iterator<Item = Light> {
        let origin = self.origin();
        self.iter().filter(|(_, node)| !node.is_hidden).flat_map(move |(_, node)| {
            let (lamp, mesh) = match &node.new.kind {
                Kind::Light(lamp) => (Some(lamp), None),
                Kind::Prop(mesh, _) => (None, Some(mesh)),
                Kind::Piece(mesh) if node.moves => (None, Some(mesh)),
                _ => (None, None),
            };
            let local_from_own = self.local_from_own(node);
            let of_mesh = mesh.into_iter().flat_map(move |mesh| light::moved(mesh, local_from_own));
            lamp.map(|lamp| lamp.at(&node.level_from_own, origin)).into_iter().chain(of_mesh)
        })
    }

    /// The view through a camera of the scene at the moment: eye, heading, elevation, and the field of view if it has one of its
    /// own; the rest is that of `camera`. `None` when that is no camera.
    pub fn look_through(&self, id: NodeId, camera: &Camera) -> Option<Camera> {
        let node = self.get(id)?;
        let Kind::Camera { fov_y } = node.new.kind else { return None };
        let ahead = node.level_from_own.transform_vector3(DVec3::NEG_Z).normalize_or(DVec3::NEG_Z);
        Some(Camera {
            eye: (node.level_from_own.translation - self.origin()).as_vec3(),
            yaw: libm::atan2(-ahead.x, -ahead.z) as f32,
            pitch: libm::asin(ahead.y.clamp(-1.0, 1.0)) as f32,
            fov_y: fov_y.unwrap_or(camera.fov_y),
            ..*camera
        })
    }

    /// The names of all cameras, in order.
    pub fn cameras(&self) -> impl Iterator<Item = (NodeId, &str)> {
        self.iter().filter(|(_, node)| matches!(node.new.kind, Kind::Camera { .. })).map(|(id, node)| (id, node.name()))
    }
}
