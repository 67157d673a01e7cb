//! The simplest method: the box of every triangle against every plane.

use glam::Vec3;

use crate::geometry::{Aabb, Frustum};

/// Boxes of triangles, one array an axis and end, so that the loop over them runs at the speed of memory.
#[derive(Clone, Debug, Default)]
pub struct EveryTriangle {
    min: [Vec<f32>; 3],
    max: [Vec<f32>; 3],
    visible: Vec<u32>,
}

impl EveryTriangle {
    /// Takes in the triangles; their numbers are their indices.
    pub fn new(triangles: impl IntoIterator<Item = [Vec3; 3]>) -> EveryTriangle {
        let mut all = EveryTriangle::default();
        for corners in triangles {
            let bounds = Aabb::of_triangle(&corners);
            for axis in 0..3 {
                all.min[axis].push(bounds.min[axis]);
                all.max[axis].push(bounds.max[axis]);
            }
        }
        all.visible.reserve(all.min[0].len());
        all
    }

    /// The numbers of the triangles whose box is not wholly outside one of the planes: those that are *needed*. Exact up to
    /// rounding of f32; nothing is allocated.
    pub fn cull(&mut self, frustum: &Frustum) -> &[u32] {
        let EveryTriangle { min, max, visible } = self;
        let count = min[0].len();
        visible.clear();
        let mut block = [0_u8; 1024];
        for start in (0..count).step_by(block.len()) {
            let end = count.min(start + block.len());
            let block = &mut block[..end - start];
            block.fill(1);
            for plane in frustum.planes() {
                // The corner of a box farthest along the normal lies on `min` or `max` of each axis.
                let ends = [0, 1, 2].map(|axis| if plane.normal[axis] < 0.0 { &min[axis] } else { &max[axis] });
                let [x, y, z] = ends.map(|ends| &ends[start..end]);
                for (i, visible) in block.iter_mut().enumerate() {
                    let farthest = plane.normal.x * x[i] + plane.normal.y * y[i] + plane.normal.z * z[i];
                    *visible &= u8::from(farthest + plane.distance >= 0.0);
                }
            }
            visible.extend((start..end).filter(|&i| block[i - start] != 0).map(|i| i as u32));
        }
        visible
    }
}
