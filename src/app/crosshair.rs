//! What lies under the crosshair, above and below, and whether a marked point is in sight.

use glam::Vec3;

use crate::camera::Camera;
use crate::geometry::Ray;
use crate::level::Level;
use crate::query::{Faces, RayHit, Which};
use crate::render::LineVertex;
use crate::tree::Tree;

use super::state::{Crosshair, MarkState};

/// A marked point lies so far off its surface, in metres, that the surface itself does not hide it, ...
const OFF_THE_SURFACE: f32 = 0.01;
/// ... and shows as a cross of this part of its distance.
const CROSS: f32 = 0.02;
const IN_SIGHT: [u8; 4] = [90, 230, 110, 255];
const HIDDEN: [u8; 4] = [240, 80, 80, 255];

/// What the view's middle meets; `None` when that is nothing.
pub fn hit(tree: &Tree, camera: &Camera) -> Option<RayHit> {
    let ray = Ray::new(camera.eye, camera.forward()).ok()?;
    tree.ray(&ray, f32::INFINITY, Faces::Both)
}

/// The same for people. `None` when nothing is met.
pub fn describe(level: &Level, tree: &Tree, camera: &Camera) -> Option<Crosshair> {
    hit(tree, camera).map(|hit| Crosshair {
        distance: hit.distance,
        point: level.to_level(hit.point).to_array(),
        material: level.material_of(hit.triangle).name.clone(),
        triangle: hit.triangle,
    })
}

/// Height in level coordinates of the surface below or above a point; `None` when there is none.
pub fn height(level: &Level, tree: &Tree, point: Vec3, which: Which) -> Option<f64> {
    tree.height(point, which, 0.0).map(|height| f64::from(height) + level.origin.y)
}

/// A point that was marked on a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mark {
    point: Vec3,
}

impl Mark {
    /// Marks what the view's middle meets; `None` when nothing is met.
    pub fn set(tree: &Tree, camera: &Camera) -> Option<Mark> {
        let hit = hit(tree, camera)?;
        let towards_the_eye = if hit.front { hit.normal } else { -hit.normal };
        Some(Mark { point: hit.point + OFF_THE_SURFACE * towards_the_eye })
    }

    /// Whether nothing stands between the eye and the mark. It need not be in the picture.
    pub fn is_in_sight(&self, tree: &Tree, eye: Vec3) -> bool {
        tree.segment(eye, self.point).is_none()
    }

    /// The same for people.
    pub fn describe(&self, level: &Level, tree: &Tree, eye: Vec3) -> MarkState {
        MarkState {
            point: level.to_level(self.point).to_array(),
            distance: self.point.distance(eye),
            in_sight: self.is_in_sight(tree, eye),
        }
    }

    /// Adds a cross at the mark, green in sight and red out of sight.
    pub fn draw(&self, lines: &mut Vec<LineVertex>, tree: &Tree, camera: &Camera) {
        let color = if self.is_in_sight(tree, camera.eye) { IN_SIGHT } else { HIDDEN };
        let arm = CROSS * self.point.distance(camera.eye);
        for axis in Vec3::AXES {
            lines.extend(LineVertex::line(self.point - arm * axis, self.point + arm * axis, color));
        }
    }
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::*;
    use crate::level::{Corner, LevelBuilder, Placement};
    use crate::tree::{Mode, Settings};

    /// A floor 100 m wide at height 0 and a wall 4 m high at z = -10.
    fn level() -> Level {
        let mut builder = LevelBuilder::new(Placement::default());
        for corners in [
            [[-50.0, 0.0, 50.0], [50.0, 0.0, 50.0], [50.0, 0.0, -50.0], [-50.0, 0.0, -50.0]],
            [[-5.0, 0.0, -10.0], [5.0, 0.0, -10.0], [5.0, 4.0, -10.0], [-5.0, 4.0, -10.0]],
        ] {
            let corners = corners.map(|corner| Corner {
                position: builder.position(DVec3::from_array(corner)),
                tex_coord: None,
                normal: None,
            });
            builder.polygon(&corners, 0, 0);
        }
        builder.finish("a wall", None)
    }

    #[test]
    fn the_wall_ahead_is_met_and_the_floor_is_below() {
        let level = level();
        let tree = Tree::build(&level, &Settings::new(Mode::Quadtree));
        let camera = Camera { eye: Vec3::new(0.5, 1.5, 0.0), ..Camera::default() };
        let met = describe(&level, &tree, &camera).expect("the wall");
        assert!((met.distance - 10.0).abs() < 1e-4, "{met:?}");
        assert_eq!(met.material, "default");
        assert!(met.triangle >= 2, "{met:?}");
        assert_eq!(height(&level, &tree, camera.eye, Which::Below), Some(0.0));
        assert_eq!(height(&level, &tree, camera.eye, Which::Above), None);
        let up = Camera { pitch: 1.5, ..camera };
        assert_eq!(describe(&level, &tree, &up), None);
    }

    #[test]
    fn a_mark_goes_out_of_sight_behind_the_wall() {
        let level = level();
        let tree = Tree::build(&level, &Settings::new(Mode::Octree));
        let camera = Camera { eye: Vec3::new(0.5, 1.5, 0.0), pitch: -0.5, ..Camera::default() };
        let mark = Mark::set(&tree, &camera).expect("the floor");
        assert!(mark.is_in_sight(&tree, camera.eye));
        assert!(mark.is_in_sight(&tree, Vec3::new(0.5, 1.5, -9.0)));
        assert!(!mark.is_in_sight(&tree, Vec3::new(0.5, 1.5, -11.0)));
        assert!(!mark.is_in_sight(&tree, Vec3::new(0.5, -1.5, 0.0)), "from under the floor");
        assert_eq!(Mark::set(&tree, &Camera { pitch: 1.5, ..camera }), None);
    }
}
