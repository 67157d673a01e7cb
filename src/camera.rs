//! The camera: where the eye is and how it projects.

use glam::camera::rh::proj::directx;
use glam::{Mat4, Vec3};

/// A perspective camera. Angles are radians, lengths metres, positions in the level's local space.
///
/// Yaw 0 looks along -Z and grows to the left (counter-clockwise seen from above); pitch grows upwards.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// Position of the eye.
    pub eye: Vec3,
    /// Heading, 0 along -Z, growing to the left.
    pub yaw: f32,
    /// Elevation of the view, 0 level, growing upwards, within a right angle.
    pub pitch: f32,
    /// Vertical field of view.
    pub fov_y: f32,
    /// Width of the picture over its height.
    pub aspect: f32,
    /// Distance of the near plane.
    pub near: f32,
    /// Distance beyond which nothing is drawn; `None` draws to infinity.
    pub view_distance: Option<f32>,
}

impl Default for Camera {
    fn default() -> Camera {
        Camera {
            eye: Vec3::ZERO,
            yaw: 0.0,
            pitch: 0.0,
            fov_y: 60_f32.to_radians(),
            aspect: 16.0 / 9.0,
            near: 0.05,
            view_distance: None,
        }
    }
}

impl Camera {
    /// This camera at `eye`, turned to `target`; where both are the same point it looks as before.
    #[must_use]
    pub fn looking_from(self, eye: Vec3, target: Vec3) -> Camera {
        let way = (target - eye).as_dvec3();
        if way.length() < f64::from(self.near) {
            return Camera { eye, ..self };
        }
        let yaw = libm::atan2(-way.x, -way.z) as f32;
        let pitch = libm::atan2(way.y, libm::hypot(way.x, way.z)) as f32;
        Camera { eye, yaw, pitch, ..self }
    }

    /// Unit direction of view.
    pub fn forward(&self) -> Vec3 {
        let (sin_pitch, cos_pitch) = sin_cos(self.pitch);
        let (sin_yaw, cos_yaw) = sin_cos(self.yaw);
        Vec3::new(-sin_yaw * cos_pitch, sin_pitch, -cos_yaw * cos_pitch)
    }

    /// Unit direction to the right of the view, always level.
    pub fn right(&self) -> Vec3 {
        let (sin_yaw, cos_yaw) = sin_cos(self.yaw);
        Vec3::new(cos_yaw, 0.0, -sin_yaw)
    }

    /// Unit direction to the top of the picture.
    pub fn up(&self) -> Vec3 {
        self.right().cross(self.forward())
    }

    /// Radius in metres of the sphere around the eye that holds all of the near plane that is in the picture.
    pub fn near_radius(&self) -> f32 {
        let half_height = libm::tan(0.5 * f64::from(self.fov_y));
        let half_width = half_height * f64::from(self.aspect);
        (f64::from(self.near) * (1.0 + half_height * half_height + half_width * half_width).sqrt()) as f32
    }

    /// World (level-local) space to eye space: the eye at the origin, looking along -Z, Y up.
    pub fn eye_from_world(&self) -> Mat4 {
        let (right, up, back) = (self.right(), self.up(), -self.forward());
        let rotation = Mat4::from_cols(right.extend(0.0), up.extend(0.0), back.extend(0.0), glam::Vec4::W).transpose();
        rotation * Mat4::from_translation(-self.eye)
    }

    /// Eye space to clip space with reversed depth: 1 at the near plane, 0 at the view distance or at infinity.
    pub fn clip_from_eye(&self) -> Mat4 {
        match self.view_distance {
            // Near and far change places to reverse the depth.
            Some(far) => directx::perspective(self.fov_y, self.aspect, far, self.near),
            None => directx::perspective_infinite_reverse(self.fov_y, self.aspect, self.near),
        }
    }

    /// World (level-local) space to clip space.
    pub fn clip_from_world(&self) -> Mat4 {
        self.clip_from_eye() * self.eye_from_world()
    }
}

/// Sine and cosine that are the same in every build, which std's are not.
fn sin_cos(angle: f32) -> (f32, f32) {
    let (sin, cos) = libm::sincos(f64::from(angle));
    (sin as f32, cos as f32)
}
