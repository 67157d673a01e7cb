//! Blended triangles, sorted from back to front for each frame.

use super::level::LevelOnGpu;
use crate::camera::Camera;
use crate::cull::DrawList;
use crate::level::AlphaMode;

/// Triangles of one material that follow each other in the sorted order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BlendedRun {
    pub material: u32,
    /// First triangle in the sorted order.
    pub first: u32,
    pub count: u32,
}

/// The order of the blended triangles in sight. Reused from frame to frame: it allocates only to grow.
#[derive(Debug, Default)]
pub(super) struct BlendedOrder {
    entries: Vec<Entry>,
    indices: Vec<[u32; 3]>,
    runs: Vec<BlendedRun>,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    /// How far the centroid is along the view, metres.
    depth: f32,
    number: u32,
    material: u32,
    vertices: [u32; 3],
}

impl BlendedOrder {
    /// Sorts the blended triangles of the list: the farthest along the view first, then by number, so that neither the
    /// tree nor what was culled changes the order of any two.
    pub fn sort(&mut self, level: &LevelOnGpu, draw_list: &DrawList, camera: &Camera) {
        self.entries.clear();
        self.indices.clear();
        self.runs.clear();
        let (eye, forward) = (camera.eye, camera.forward());
        for range in draw_list.ranges() {
            if level.materials[range.material as usize].alpha_mode != AlphaMode::Blend {
                continue;
            }
            let triangles = level.blended(range.material, range.first, range.count);
            self.entries.extend(triangles.iter().map(|triangle| Entry {
                depth: (triangle.centroid - eye).dot(forward),
                number: triangle.number,
                material: range.material,
                vertices: triangle.vertices,
            }));
        }
        self.entries.sort_unstable_by(|a, b| b.depth.total_cmp(&a.depth).then(a.number.cmp(&b.number)));
        for (place, entry) in self.entries.iter().enumerate() {
            self.indices.push(entry.vertices);
            match self.runs.last_mut() {
                Some(run) if run.material == entry.material => run.count += 1,
                _ => self.runs.push(BlendedRun { material: entry.material, first: place as u32, count: 1 }),
            }
        }
    }

    /// Three indices a triangle, sorted.
    pub fn indices(&self) -> &[[u32; 3]] {
        &self.indices
    }

    /// What to draw in one call each, in order.
    pub fn runs(&self) -> &[BlendedRun] {
        &self.runs
    }
}
