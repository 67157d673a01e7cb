//! Coloured lines: boxes of cells and the frustum of a frozen camera.

use glam::Vec3;

use crate::camera::Camera;
use crate::cull::visit_cells;
use crate::geometry::{Aabb, Containment, Frustum};
use crate::tree::Tree;

/// An end of a line. Two make a line.
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub struct LineVertex {
    /// Position in local space, metres.
    pub position: Vec3,
    /// sRGB-encoded colour and linear opacity.
    pub color: [u8; 4],
}

/// The colour of a frozen camera's frustum.
pub const FRUSTUM_COLOR: [u8; 4] = [255, 210, 60, 255];

/// The colour of a cell's box by where the cell lies.
pub fn color_of(containment: Containment) -> [u8; 4] {
    match containment {
        Containment::Inside => [80, 220, 90, 255],
        Containment::Crossing => [255, 160, 40, 255],
        Containment::Outside => [200, 60, 60, 255],
    }
}

/// Appends the twelve edges of a box; an empty box has none.
pub fn push_box(lines: &mut Vec<LineVertex>, bounds: &Aabb, color: [u8; 4]) {
    if bounds.is_empty() {
        return;
    }
    let corner = |i: usize| {
        Vec3::new(
            if i & 1 == 0 { bounds.min.x } else { bounds.max.x },
            if i & 2 == 0 { bounds.min.y } else { bounds.max.y },
            if i & 4 == 0 { bounds.min.z } else { bounds.max.z },
        )
    };
    push_edges(lines, std::array::from_fn(corner), color);
}

/// Appends the edges of a camera's view, cut off at the view distance or at `reach` metres, whichever is nearer.
pub fn push_frustum(lines: &mut Vec<LineVertex>, camera: &Camera, reach: f32, color: [u8; 4]) {
    let far = camera.view_distance.unwrap_or(f32::INFINITY).min(reach).max(2.0 * camera.near);
    let half_height = (0.5 * camera.fov_y).tan();
    let (forward, up) = (camera.forward(), half_height * camera.up());
    let right = half_height * camera.aspect * camera.right();
    let corner = |i: usize| {
        let side = |bit: usize| if i & bit == 0 { -1.0 } else { 1.0 };
        let depth = if i & 4 == 0 { camera.near } else { far };
        camera.eye + depth * (forward + side(1) * right + side(2) * up)
    };
    push_edges(lines, std::array::from_fn(corner), color);
}

/// Appends the boxes of the cells that culling with `frustum` visits, coloured by where they lie. Cells inside are drawn
/// last, over the others.
pub fn push_visited_cells(lines: &mut Vec<LineVertex>, tree: &Tree, frustum: &Frustum) {
    let cells = tree.groups().cells();
    for wanted in [Containment::Outside, Containment::Crossing, Containment::Inside] {
        visit_cells(tree, frustum, |cell, containment| {
            if containment == wanted {
                push_box(lines, &cells[cell as usize].bounds, color_of(containment));
            }
        });
    }
}

/// Eight corners whose numbers differ in one bit along each edge.
fn push_edges(lines: &mut Vec<LineVertex>, corners: [Vec3; 8], color: [u8; 4]) {
    for from in 0..8 {
        for bit in [1, 2, 4] {
            if from & bit == 0 {
                lines.extend([from, from | bit].map(|i| LineVertex { position: corners[i], color }));
            }
        }
    }
}

/// How far to draw the frustum of `camera` so that it reaches through `bounds`: to the farthest corner along the view, and at
/// least a metre.
pub fn reach_through(camera: &Camera, bounds: &Aabb) -> f32 {
    if bounds.is_empty() {
        return 1.0;
    }
    let forward = camera.forward();
    let farthest = Vec3::select(forward.cmpgt(Vec3::ZERO), bounds.max, bounds.min);
    (farthest - camera.eye).dot(forward).max(1.0)
}

impl LineVertex {
    /// A line's two ends.
    pub fn line(from: Vec3, to: Vec3, color: [u8; 4]) -> [LineVertex; 2] {
        [from, to].map(|position| LineVertex { position, color })
    }
}
