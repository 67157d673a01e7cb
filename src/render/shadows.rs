//! Sun shadows, as far as they need no GPU: which part of the level each shadow map covers, and what casts shadows there.
//!
//! The view is cut into slices, near ones thin, and each gets a map of its own. A map covers more than a ball around its slice,
//! so that its scale does not change as the camera turns, and moves by a large step of whole texels when it must: shadow edges
//! do not crawl as the camera walks, and most frames find their maps drawn already.
//!
//! Source: Dimitrov, "Cascaded Shadow Maps", NVIDIA 2007; the ball and the steps of a texel are those of Valient, "Stable
//! Rendering of Cascaded Shadow Maps", ShaderX6, 2008.

use glam::{Mat3, Mat4, Vec3, Vec4};

use super::bodies::Instances;
use crate::bodies::{Balls, Props, VisibleBodies};
use crate::camera::Camera;
use crate::cull::DrawList;
use crate::geometry::{Aabb, Frustum};
use crate::tree::Tree;

/// Shadow maps a frame.
pub(super) const CASCADES: usize = 4;
/// Shadows end so far from the eye, in metres.
const REACH: f32 = 240.0;
/// The first slice ends here at the latest, in metres.
const FIRST_END: f32 = 12.0;
/// A map is this much wider than what it must cover.
const MARGIN: f32 = 1.25;
/// How much the slices grow like powers, the rest evenly.
const POWERS: f32 = 0.75;

/// What casts shadows into the view. Reused from frame to frame.
#[derive(Clone, Debug)]
pub struct SunShadows {
    resolution: u32,
    cascades: [Cascade; CASCADES],
    visible: VisibleBodies,
    instances: Instances,
}

/// One shadow map.
#[derive(Clone, Debug, Default)]
pub(super) struct Cascade {
    /// To the map: X and Y from -1 to 1, depth from 0 at what is nearest to the sun to 1.
    pub map_from_world: Mat4,
    /// The edge of a texel, in metres.
    pub texel: f32,
    /// What of the level may cast shadows into it.
    pub casters: DrawList,
}

impl SunShadows {
    /// Maps of `resolution` by `resolution` texels, at least 2.
    pub fn new(resolution: u32) -> SunShadows {
        let (visible, instances) = (VisibleBodies::new(), Instances::default());
        SunShadows { resolution: resolution.max(2), cascades: Default::default(), visible, instances }
    }

    /// Texels along each side of a map.
    pub fn resolution(&self) -> u32 {
        self.resolution
    }

    /// Lays the maps over what `camera` sees, under a sun in the unit direction `to_sun`, and finds what casts shadows there:
    /// of the level by the planes of each map, of props and balls (between their last two steps, 1 being after the last) by
    /// those of the largest.
    pub fn cast(&mut self, tree: &Tree, camera: &Camera, to_sun: Vec3, bodies: Option<(&Props, &Balls, f64)>) {
        let frustum = self.fit(&tree.bounds(), camera, to_sun);
        for cascade in &mut self.cascades {
            cascade.casters.cull(tree, &Frustum::from_clip_from_world(cascade.map_from_world));
        }
        let Some((props, balls, part)) = bodies else { return };
        self.visible.cull(props, balls, Some(&frustum));
        self.instances.gather(&self.visible, props, balls, part);
    }

    /// The same with everything as a caster, which gives the same shadows.
    pub fn cast_everything(&mut self, tree: &Tree, camera: &Camera, to_sun: Vec3) {
        self.fit(&tree.bounds(), camera, to_sun);
        self.cascades.iter_mut().for_each(|cascade| cascade.casters.everything(tree));
    }

    /// Lays the maps, and gives the frustum of the largest.
    fn fit(&mut self, bounds: &Aabb, camera: &Camera, to_sun: Vec3) -> Frustum {
        let sun_from_world = sun_from_world(to_sun);
        let highest = if bounds.is_empty() { 0.0 } else { farthest(bounds, to_sun) };
        let mut begin = camera.near;
        for (end, cascade) in slice_ends(camera).into_iter().zip(&mut self.cascades) {
            let (center, needed) = ball_around(camera, begin, end);
            let radius = MARGIN * needed;
            let texel = 2.0 * radius / self.resolution as f32;
            let step = texel * (2.0 * (radius - needed) / texel).floor().max(1.0);
            let center = (sun_from_world * center / step).round() * step;
            // From what is nearest to the sun, be it far from the slice, to the far side of the map.
            let top = highest.max(center.z + radius);
            let depth = top - (center.z - radius);
            let squeeze = Mat4::from_cols(
                Vec4::new(1.0 / radius, 0.0, 0.0, 0.0),
                Vec4::new(0.0, 1.0 / radius, 0.0, 0.0),
                Vec4::new(0.0, 0.0, -1.0 / depth, 0.0),
                Vec4::new(-center.x / radius, -center.y / radius, top / depth, 1.0),
            );
            cascade.map_from_world = squeeze * Mat4::from_mat3(sun_from_world);
            cascade.texel = texel;
            begin = end;
        }
        Frustum::from_clip_from_world(self.cascades[CASCADES - 1].map_from_world)
    }

    pub(super) fn cascades(&self) -> &[Cascade; CASCADES] {
        &self.cascades
    }

    pub(super) fn instances(&self) -> &Instances {
        &self.instances
    }
}

/// Turns the world so that the sun is in the direction of Z.
fn sun_from_world(to_sun: Vec3) -> Mat3 {
    let aside = if to_sun.y.abs() < 0.99 { Vec3::Y } else { Vec3::X };
    let right = aside.cross(to_sun).normalize();
    Mat3::from_cols(right, to_sun.cross(right), to_sun).transpose()
}

/// How far the farthest corner of a box lies in a direction.
fn farthest(bounds: &Aabb, direction: Vec3) -> f32 {
    let corner = Vec3::select(direction.cmpgt(Vec3::ZERO), bounds.max, bounds.min);
    corner.dot(direction)
}

/// Where the slices of the view end, in metres before the eye.
fn slice_ends(camera: &Camera) -> [f32; CASCADES] {
    let reach = camera.view_distance.map_or(REACH, |distance| distance.min(REACH)).max(2.0 * camera.near);
    let first = FIRST_END.min(reach / CASCADES as f32);
    std::array::from_fn(|slice| {
        let part = slice as f32 / (CASCADES - 1) as f32;
        let by_powers = first * (reach / first).powf(part);
        let evenly = first + (reach - first) * part;
        POWERS * by_powers + (1.0 - POWERS) * evenly
    })
}

/// The smallest ball around the part of the view from `begin` to `end` metres ahead whose centre lies on its axis.
fn ball_around(camera: &Camera, begin: f32, end: f32) -> (Vec3, f32) {
    let half_height = (0.5 * camera.fov_y).tan();
    let half_width = half_height * camera.aspect;
    // How far the corners of the view move from its axis for each metre ahead, squared.
    let slope = half_height * half_height + half_width * half_width;
    let ahead = (0.5 * (begin + end) * (1.0 + slope)).min(end);
    let radius = ((end - ahead).powi(2) + slope * end * end).sqrt();
    (camera.eye + ahead * camera.forward(), radius)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn camera() -> Camera {
        Camera { eye: Vec3::new(3.0, 2.0, -7.0), yaw: 0.7, pitch: -0.2, ..Camera::default() }
    }

    fn fitted(camera: &Camera, to_sun: Vec3) -> SunShadows {
        let mut shadows = SunShadows::new(512);
        shadows.fit(&Aabb { min: Vec3::splat(-50.0), max: Vec3::splat(60.0) }, camera, to_sun);
        shadows
    }

    #[test]
    fn the_maps_cover_the_view_one_slice_each() {
        for to_sun in [Vec3::Y, Vec3::new(0.3, 0.9, -0.2).normalize(), Vec3::NEG_X] {
            let camera = camera();
            let shadows = fitted(&camera, to_sun);
            let mut begin = camera.near;
            for (cascade, end) in shadows.cascades.iter().zip(slice_ends(&camera)) {
                for ahead in [begin, end] {
                    for (x, y) in [(-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0)] {
                        let half = (0.5 * camera.fov_y).tan();
                        let aside = camera.right() * (x * half * camera.aspect) + camera.up() * (y * half);
                        let seen = camera.eye + ahead * (camera.forward() + aside);
                        let place = cascade.map_from_world.project_point3(seen);
                        // A texel more, for the map moves by whole ones.
                        let rim = 1.0 + 2.5 / 512.0;
                        assert!(place.x.abs() < rim && place.y.abs() < rim, "{to_sun} {place}");
                        assert!((-1e-4..=1.0001).contains(&place.z), "{to_sun} {place}");
                    }
                }
                begin = end;
            }
        }
    }

    #[test]
    fn what_is_nearer_to_the_sun_has_less_depth_and_the_same_place() {
        let to_sun = Vec3::new(0.4, 0.8, 0.1).normalize();
        let shadows = fitted(&camera(), to_sun);
        for cascade in &shadows.cascades {
            let below = cascade.map_from_world.project_point3(Vec3::new(1.0, 0.0, -4.0));
            let above = cascade.map_from_world.project_point3(Vec3::new(1.0, 0.0, -4.0) + 5.0 * to_sun);
            assert!(above.z < below.z, "{above} {below}");
            assert!(above.truncate().distance(below.truncate()) < 1e-5, "{above} {below}");
        }
    }

    #[test]
    fn a_moving_camera_moves_the_maps_by_whole_texels() {
        let to_sun = Vec3::new(0.4, 0.8, 0.1).normalize();
        let before = fitted(&camera(), to_sun);
        for step in 1..40 {
            let eye = camera().eye + Vec3::new(0.013, 0.002, -0.021) * step as f32;
            let after = fitted(&Camera { eye, yaw: 0.7 + 0.03 * step as f32, ..camera() }, to_sun);
            for (before, after) in before.cascades.iter().zip(&after.cascades) {
                assert!((before.texel - after.texel).abs() <= 1e-6 * before.texel);
                let origin = |cascade: &Cascade| 0.5 * 512.0 * cascade.map_from_world.project_point3(Vec3::ZERO);
                let moved = origin(before) - origin(after);
                for moved in [moved.x, moved.y] {
                    assert!((moved - moved.round()).abs() < 0.02, "{moved} texels");
                }
            }
        }
    }
}
