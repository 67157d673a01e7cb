//! Boxes as the build computes with them: each corner in one register.

use glam::{Vec3, Vec3A, Vec3Swizzles, Vec4, Vec4Swizzles};

use crate::geometry::Aabb;

/// An [`Aabb`] for arithmetic; what the fourth lanes hold means nothing.
#[derive(Clone, Copy)]
pub(super) struct Bounds {
    min: Vec3A,
    max: Vec3A,
}

impl Bounds {
    pub const EMPTY: Bounds = Bounds { min: Vec3A::INFINITY, max: Vec3A::NEG_INFINITY };

    pub fn of_triangle(corners: &[Vec3; 3]) -> Bounds {
        // Whole registers are read, each with a number of a neighbour.
        let numbers: &[f32; 9] = bytemuck::cast_ref(corners);
        let [a, b, c] = [0, 3, 5].map(|first| Vec4::from_slice(&numbers[first..first + 4]));
        let [a, b, c] = [a, b, c.yzwx()].map(Vec3A::from_vec4);
        Bounds { min: a.min(b).min(c), max: a.max(b).max(c) }
    }

    pub fn union(self, other: Bounds) -> Bounds {
        Bounds { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    pub fn with_point(self, point: Vec3A) -> Bounds {
        Bounds { min: self.min.min(point), max: self.max.max(point) }
    }

    /// Twice the centre, rounded.
    pub fn doubled_center(self) -> Vec3A {
        self.min + self.max
    }

    /// Its corner with the least of each coordinate.
    pub fn least(self) -> Vec3A {
        self.min
    }

    pub fn size(self) -> Vec3A {
        self.max - self.min
    }

    pub fn longest_axis(self) -> usize {
        self.size().max_position()
    }

    /// Half the surface.
    pub fn half_area(self) -> f32 {
        let size = self.size();
        size.dot(size.yzx())
    }
}

impl From<Aabb> for Bounds {
    fn from(bounds: Aabb) -> Bounds {
        Bounds { min: bounds.min.into(), max: bounds.max.into() }
    }
}

impl From<Bounds> for Aabb {
    fn from(bounds: Bounds) -> Aabb {
        Aabb { min: bounds.min.into(), max: bounds.max.into() }
    }
}
