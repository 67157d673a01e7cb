//! Where a prop stands, and balls as its mesh sees them.

use glam::{DMat3, DVec3, Mat4, Quat, Vec3};

use crate::geometry::{Aabb, UnitSpace};

/// Model space to local space: scaled, then turned, then moved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transform {
    /// In metres.
    pub translation: Vec3,
    /// Of unit length.
    pub rotation: Quat,
    /// Along each axis of the model; negative mirrors, 0 is not allowed.
    pub scale: Vec3,
}

impl Default for Transform {
    fn default() -> Transform {
        Transform { translation: Vec3::ZERO, rotation: Quat::IDENTITY, scale: Vec3::ONE }
    }
}

impl Transform {
    /// Neither turned nor scaled.
    pub fn at(translation: Vec3) -> Transform {
        Transform { translation, ..Transform::default() }
    }

    /// The matrix that takes points of the model to local space.
    pub fn local_from_model(&self) -> Mat4 {
        Mat4::from_scale_rotation_translation(self.scale, self.rotation, self.translation)
    }

    /// The smallest box that is sure to hold the transformed box, rounding included; empty for an empty one.
    pub fn bounds(&self, of_model: &Aabb) -> Aabb {
        if of_model.is_empty() {
            return Aabb::EMPTY;
        }
        let place = Place::new(self);
        let (low, high) = (of_model.min.as_dvec3(), of_model.max.as_dvec3());
        let center = place.to_world(0.5 * (low + high));
        let half = place.scale.abs() * (0.5 * (high - low));
        let axes = place.rotation;
        let reach = axes.x_axis.abs() * half.x + axes.y_axis.abs() * half.y + axes.z_axis.abs() * half.z;
        // What the GPU makes of it in f32 is within this.
        let slack = 8.0 * f64::from(f32::EPSILON) * (center.abs() + reach).max_element();
        let reach = reach + slack;
        Aabb { min: (center - reach).as_vec3(), max: (center + reach).as_vec3() }.expanded(Vec3::splat(slack as f32))
    }

    /// Whether it is made of numbers that are finite, a rotation of unit length and scales other than 0.
    pub fn is_valid(&self) -> bool {
        self.translation.is_finite()
            && self.rotation.is_finite()
            && (self.rotation.length() - 1.0).abs() < 1e-3
            && self.scale.is_finite()
            && self.scale.abs().min_element() > 1e-6
    }
}

/// A transform in f64, as collisions use it. The level's own is the identity.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub rotation: DMat3,
    pub scale: DVec3,
    pub translation: DVec3,
}

impl Place {
    pub const LEVEL: Place = Place { rotation: DMat3::IDENTITY, scale: DVec3::ONE, translation: DVec3::ZERO };

    pub fn new(transform: &Transform) -> Place {
        Place {
            rotation: DMat3::from_quat(transform.rotation.as_dquat().normalize()),
            scale: transform.scale.as_dvec3(),
            translation: transform.translation.as_dvec3(),
        }
    }

    pub fn to_world(self, model: DVec3) -> DVec3 {
        self.rotation * (model * self.scale) + self.translation
    }

    /// A difference of two points of the world in model space.
    pub fn way_to_model(&self, way: DVec3) -> DVec3 {
        (self.rotation.transpose() * way) / self.scale
    }

    /// A ball of the world is an ellipsoid along the axes of the model.
    pub fn ball(&self, center: DVec3, radius: f64) -> UnitSpace {
        UnitSpace { center: self.way_to_model(center - self.translation), radii: radius / self.scale.abs() }
    }

    /// Unit direction of the world from one in the space in which the ball is the unit sphere.
    pub fn direction(&self, unit: DVec3) -> DVec3 {
        self.rotation * (unit * self.scale.signum())
    }
}
