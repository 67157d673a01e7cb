//! A place to come back to.

use glam::DVec3;

use crate::camera::Camera;
use crate::level::Level;

/// From where one looked: in level coordinates, so that it holds when the level is loaded again around another origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bookmark {
    eye: DVec3,
    /// Heading and elevation in radians.
    looks: [f32; 2],
}

impl Bookmark {
    /// Where a camera in the level is.
    pub fn of(level: &Level, camera: &Camera) -> Bookmark {
        Bookmark { eye: level.to_level(camera.eye), looks: [camera.yaw, camera.pitch] }
    }

    /// The same camera there, with the projection of `camera`.
    pub fn camera(&self, level: &Level, camera: &Camera) -> Camera {
        let [yaw, pitch] = self.looks;
        Camera { eye: level.to_local(self.eye), yaw, pitch, ..*camera }
    }

    /// The eye in level coordinates, heading and elevation in degrees: what `--camera` takes.
    pub fn pose(&self) -> [f64; 5] {
        let [yaw, pitch] = self.looks.map(|angle| f64::from(angle.to_degrees()));
        [self.eye.x, self.eye.y, self.eye.z, yaw, pitch]
    }

    /// The option that starts there: `--camera X,Y,Z,YAW,PITCH`.
    pub fn option(&self) -> String {
        let [x, y, z, yaw, pitch] = self.pose();
        format!("--camera {x:.3},{y:.3},{z:.3},{yaw:.2},{pitch:.2}")
    }
}
