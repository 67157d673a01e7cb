//! Axis-aligned boxes.

use glam::Vec3;

/// A closed axis-aligned box. An empty one has `min` above `max` on every axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aabb {
    /// The least corner.
    pub min: Vec3,
    /// The greatest corner.
    pub max: Vec3,
}

impl Aabb {
    /// The box that holds nothing: the neutral element of [`Aabb::union`].
    pub const EMPTY: Aabb = Aabb { min: Vec3::INFINITY, max: Vec3::NEG_INFINITY };

    /// The smallest box around `points`; [`Aabb::EMPTY`] for none.
    pub fn around(points: impl IntoIterator<Item = Vec3>) -> Aabb {
        points.into_iter().fold(Aabb::EMPTY, |bounds, point| bounds.with_point(point))
    }

    /// The smallest box around a triangle.
    pub fn of_triangle(corners: &[Vec3; 3]) -> Aabb {
        let [a, b, c] = *corners;
        Aabb { min: a.min(b).min(c), max: a.max(b).max(c) }
    }

    /// The smallest box around this one and `point`.
    #[must_use]
    pub fn with_point(self, point: Vec3) -> Aabb {
        Aabb { min: self.min.min(point), max: self.max.max(point) }
    }

    /// The smallest box around both.
    #[must_use]
    pub fn union(self, other: Aabb) -> Aabb {
        Aabb { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// The box with every face moved outwards by `margin` metres.
    #[must_use]
    pub fn expanded(self, margin: Vec3) -> Aabb {
        Aabb { min: self.min - margin, max: self.max + margin }
    }

    /// Whether the box holds no point.
    pub fn is_empty(&self) -> bool {
        self.min.cmpgt(self.max).any()
    }

    /// The middle of the box; meaningless for an empty one.
    pub fn center(&self) -> Vec3 {
        0.5 * self.min + 0.5 * self.max
    }

    /// Edge lengths; meaningless for an empty box.
    pub fn size(&self) -> Vec3 {
        self.max - self.min
    }

    /// Whether `point` lies in the closed box.
    pub fn contains_point(&self, point: Vec3) -> bool {
        point.cmpge(self.min).all() && point.cmple(self.max).all()
    }

    /// Whether every point of `other` lies in this box; true for an empty `other`.
    pub fn contains(&self, other: &Aabb) -> bool {
        other.is_empty() || (self.contains_point(other.min) && self.contains_point(other.max))
    }

    /// Whether the closed boxes share a point: touching counts.
    pub fn touches(&self, other: &Aabb) -> bool {
        self.min.cmple(other.max).all() && self.max.cmpge(other.min).all()
    }

    /// The point of the box nearest to `point`, which is `point` itself inside.
    pub fn closest_point(&self, point: Vec3) -> Vec3 {
        point.max(self.min).min(self.max)
    }
}
