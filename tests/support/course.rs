//! A walker on a level made for a test, checked against every triangle in each step.

use std::f32::consts::FRAC_PI_2;

use glam::{DVec3, Vec3};
use nodetree::tree::{Mode as TreeMode, Settings as TreeSettings, Tree};
use nodetree::walk::{Input, Settings, StepReport, Walker};

use super::{contact, cuboid, fan, levels, tree};

/// Steps of a second.
pub const SECOND: usize = 120;
pub const SKIN: f32 = 0.01;

pub struct Course {
    pub tree: Tree,
    pub settings: Settings,
    pub walker: Walker,
}

impl Course {
    /// A walker whose feet are at `feet`, after it came to rest.
    pub fn new(triangles: &[[Vec3; 3]], feet: [f32; 3]) -> Course {
        let mut course = Course {
            tree: tree(triangles, &TreeSettings::new(TreeMode::Octree)),
            settings: Settings::default(),
            walker: Walker::new(Vec3::from(feet), 0.0),
        };
        for _ in 0..SECOND / 2 {
            course.step(Input::default());
        }
        course
    }

    pub fn step(&mut self, input: Input) -> StepReport {
        let report = self.walker.step(&self.tree, &self.settings, &input);
        assert!(self.walker.feet().is_finite() && self.walker.velocity().is_finite());
        let (center, radii) = self.walker.ellipsoid(&self.settings);
        // In the space in which the body is a ball of the greatest radius nothing is deeper than it is in the world.
        let scale = radii.max_element() / radii;
        let overlap = self.tree.triangles().map(|(_, t)| {
            let unit = t.map(|corner| ((corner - center) * scale).as_dvec3());
            f64::from(radii.max_element()) - contact::distance(DVec3::ZERO, unit)
        });
        let deepest = overlap.fold(f64::NEG_INFINITY, f64::max);
        assert!(deepest < 1e-4, "overlaps by {deepest} at {}", self.walker.feet());
        report
    }

    /// Steps towards a heading.
    pub fn walk(&mut self, yaw: f32, steps: usize) {
        for _ in 0..steps {
            self.step(heading(yaw));
        }
    }

    pub fn feet(&self) -> Vec3 {
        self.walker.feet()
    }
}

/// Forward, to a heading.
pub fn heading(yaw: f32) -> Input {
    Input { forward: 1.0, yaw, ..Input::default() }
}

/// Heading of +X and of -X.
pub const EAST: f32 = -FRAC_PI_2;
pub const WEST: f32 = FRAC_PI_2;

/// A floor from -`half` to `half` at y = 0, one square a metre.
pub fn floor(half: usize) -> Vec<[Vec3; 3]> {
    levels::terrain(2 * half, Vec3::new(-1.0, 0.0, -1.0) * half as f32, 1.0, |_, _| 0.0)
}

/// A slope that rises towards +X from x = `from` at `degrees`, 20 m deep in Z.
pub fn slope(from: f32, degrees: f32, length: f32) -> Vec<[Vec3; 3]> {
    let (sin, cos) = degrees.to_radians().sin_cos();
    let (x, y) = (from + length * cos, length * sin);
    fan(&[Vec3::new(from, 0.0, -10.0), Vec3::new(from, 0.0, 10.0), Vec3::new(x, y, 10.0), Vec3::new(x, y, -10.0)])
}

/// A wall of one quad in the plane x = `x`, in 40 columns of triangles.
pub fn wall(x: f32) -> Vec<[Vec3; 3]> {
    (-20..20)
        .flat_map(|z| {
            let at = |y: f32, z: i32| Vec3::new(x, y, z as f32);
            fan(&[at(-1.0, z), at(-1.0, z + 1), at(4.0, z + 1), at(4.0, z)])
        })
        .collect()
}

/// Stairs towards +X from x = 0: treads of `depth`, risers of `rise`.
pub fn stairs(count: usize, depth: f32, rise: f32, half_width: f32) -> Vec<[Vec3; 3]> {
    (0..count)
        .flat_map(|i| {
            let (x, y) = (i as f32 * depth, i as f32 * rise);
            cuboid(Vec3::new(x, -1.0, -half_width), Vec3::new(count as f32 * depth + 4.0, y + rise, half_width))
        })
        .collect()
}
