//! Where to look from when nobody says.

use glam::Vec3;

use crate::camera::Camera;
use crate::level::Level;

/// Height of a walker's eye over the feet, in metres.
pub const EYE_HEIGHT: f32 = 1.65;

/// The eye of a walker at the level's spawn; without one, [`overview`]. Keeps what `camera` says of the projection.
pub fn starting_view(level: &Level, camera: Camera) -> Camera {
    match level.spawn {
        Some(spawn) => {
            Camera { eye: level.to_local(spawn.feet) + EYE_HEIGHT * Vec3::Y, yaw: spawn.yaw, pitch: 0.0, ..camera }
        }
        None => overview(level, camera),
    }
}

/// All of the level from above and aside, as near as it fits into the picture. Keeps what `camera` says of the projection;
/// a level without triangles leaves the camera as it is.
pub fn overview(level: &Level, camera: Camera) -> Camera {
    let bounds = level.bounds();
    if bounds.is_empty() {
        return camera;
    }
    let camera = Camera { yaw: 30_f32.to_radians(), pitch: -32_f32.to_radians(), ..camera };
    let (forward, right, up) = (camera.forward(), camera.right(), camera.up());
    // A little air around it.
    let half_height = 0.95 * (0.5 * camera.fov_y).tan();
    let half_width = half_height * camera.aspect;
    // Seen across the view, a corner at (x, ahead) is in the picture when |x - eye.x| <= slope * (ahead - eye.ahead). Over all
    // corners that bounds eye.x - slope * eye.ahead and -eye.x - slope * eye.ahead from below; where both bounds meet the
    // eye is as near as it can be.
    let nearest = |across: Vec3, slope: f32| {
        let (mut right, mut left) = (f32::NEG_INFINITY, f32::NEG_INFINITY);
        for signs in 0..8 {
            let side = |bit: u32| if signs & bit == 0 { -1.0 } else { 1.0 };
            let corner = 0.5 * bounds.size() * Vec3::new(side(1), side(2), side(4));
            let (x, ahead) = (corner.dot(across), corner.dot(forward));
            right = right.max(x - slope * ahead);
            left = left.max(-x - slope * ahead);
        }
        (0.5 * (right - left), -0.5 * (right + left) / slope)
    };
    let ((x, ahead_x), (y, ahead_y)) = (nearest(right, half_width), nearest(up, half_height));
    let ahead = ahead_x.min(ahead_y) - 2.0 * camera.near;
    Camera { eye: bounds.center() + x * right + y * up + ahead * forward, ..camera }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::level::{Corner, LevelBuilder, Placement};
    use glam::DVec3;

    #[test]
    fn the_overview_shows_every_corner() {
        for [x, y, z] in [[1.0, 1.0, 1.0], [300.0, 5.0, 40.0], [2.0, 90.0, 3.0], [0.5, 0.0, 800.0]] {
            let mut builder = LevelBuilder::new(Placement::default());
            let corners = [[0.0, 0.0, 0.0], [x, y, 0.0], [0.0, y, z]].map(|position| Corner {
                position: builder.position(DVec3::from_array(position)),
                tex_coord: None,
                normal: None,
            });
            builder.polygon(&corners, 0, 0);
            let level = builder.finish("box", None);
            for aspect in [0.5, 1.0, 2.5] {
                let camera = overview(&level, Camera { aspect, ..Camera::default() });
                let bounds = level.bounds();
                for signs in 0..8 {
                    let pick = |bit: u32, low: f32, high: f32| if signs & bit == 0 { low } else { high };
                    let corner = Vec3::new(
                        pick(1, bounds.min.x, bounds.max.x),
                        pick(2, bounds.min.y, bounds.max.y),
                        pick(4, bounds.min.z, bounds.max.z),
                    );
                    let clip = camera.clip_from_world() * corner.extend(1.0);
                    assert!(clip.w > 0.0 && clip.x.abs() < clip.w && clip.y.abs() < clip.w, "{x} {y} {z}: {clip}");
                }
            }
        }
    }
}
