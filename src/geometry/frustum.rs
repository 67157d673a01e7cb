//! The view frustum as planes, and what lies outside, across or inside it.

use glam::{Mat4, Vec3};

use super::{Aabb, Plane};

/// Where something lies against a frustum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Containment {
    /// No point of it is inside.
    Outside,
    /// It may have points on both sides. Near a corner of the frustum this can be said of a thing outside.
    Crossing,
    /// Every point of it is inside.
    Inside,
}

/// Up to six inward planes of a view. Tests are conservative: what touches the frustum is never called outside, rounding
/// included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frustum {
    planes: [Plane; 6],
    count: usize,
}

impl Frustum {
    /// The planes of a clip volume with depth from 0 to 1 (wgpu, Direct3D, Metal and Vulkan), reversed or not.
    /// An infinite far plane is no plane and is left out.
    ///
    /// Source: Gribb and Hartmann, "Fast Extraction of Viewing Frustum Planes from the World-View-Projection Matrix", 2001.
    pub fn from_clip_from_world(clip_from_world: Mat4) -> Frustum {
        let [x, y, z, w] = [0, 1, 2, 3].map(|row| clip_from_world.row(row));
        Frustum::from_planes([w + x, w - x, w + y, w - y, z, w - z].into_iter().filter_map(Plane::from_coefficients))
    }

    /// The frustum between `planes`, which point inwards; from the seventh on they are ignored.
    pub fn from_planes(planes: impl IntoIterator<Item = Plane>) -> Frustum {
        let mut frustum = Frustum { planes: [Plane { normal: Vec3::ZERO, distance: 0.0 }; 6], count: 0 };
        for (slot, plane) in frustum.planes.iter_mut().zip(planes) {
            *slot = plane;
            frustum.count += 1;
        }
        frustum
    }

    /// The planes, inward, at most six.
    pub fn planes(&self) -> &[Plane] {
        &self.planes[..self.count]
    }

    /// Where a point lies. Within rounding of a plane it is crossing.
    pub fn test_point(&self, point: Vec3) -> Containment {
        self.test_box(&Aabb { min: point, max: point })
    }

    /// Where a closed box lies. An empty box is outside.
    pub fn test_box(&self, bounds: &Aabb) -> Containment {
        if bounds.is_empty() {
            return Containment::Outside;
        }
        let (center, half) = (bounds.center(), 0.5 * bounds.max - 0.5 * bounds.min);
        self.test(center, |plane| plane.normal.abs().dot(half))
    }

    /// Where an axis-aligned cube lies, given by its centre and half its edge length in metres.
    pub fn test_cube(&self, center: Vec3, half_edge: f32) -> Containment {
        self.test(center, |plane| plane.normal.abs().element_sum() * half_edge)
    }

    /// Where a closed ball lies.
    pub fn test_sphere(&self, center: Vec3, radius: f32) -> Containment {
        self.test(center, |_| radius)
    }

    fn test(&self, center: Vec3, reach: impl Fn(&Plane) -> f32) -> Containment {
        let mut containment = Containment::Inside;
        for plane in self.planes() {
            let (distance, reach) = (plane.rough_distance(center), reach(plane));
            let slack = rounding_slack(plane, center.abs()) + f32::EPSILON * 4.0 * reach;
            if distance + reach < -slack {
                return Containment::Outside;
            }
            if distance - reach <= slack {
                containment = Containment::Crossing;
            }
        }
        containment
    }
}

/// How far rounding can move the signed distance of a point whose coordinates are at most `magnitude`: of the products, of
/// the sum, and of the plane itself, which was rounded to f32.
pub(crate) fn rounding_slack(plane: &Plane, magnitude: Vec3) -> f32 {
    f32::EPSILON * 8.0 * (plane.normal.abs().dot(magnitude) + plane.distance.abs())
}
