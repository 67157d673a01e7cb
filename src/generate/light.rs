//! How much of the surroundings' light reaches each vertex: ambient occlusion, baked into the vertex colours.

use glam::{DVec3, Vec3, dvec3};
use rayon::prelude::*;

use super::mesh::{Mesh, Vertex};
use super::surface::Surface;

/// The darkest that a corner becomes.
const DARKEST: f32 = 0.34;

/// Which cubes of space hold a surface.
struct Voxels {
    min: DVec3,
    cell: f64,
    size: [usize; 3],
    bits: Vec<u64>,
}

/// Darkens each vertex by what stands within `reach` metres before it, on cubes of `cell` metres, looking in `rays` directions
/// all around.
pub fn bake(mesh: &mut Mesh, cell: f64, reach: f64, rays: usize) {
    let voxels = Voxels::of(mesh, cell);
    let directions = directions(rays);
    let is_leaf = leaf_vertices(mesh);
    mesh.vertices.par_iter_mut().zip(is_leaf).for_each(|(vertex, leaf)| {
        if !leaf {
            vertex.tint *= voxels.light(vertex, &directions, reach);
        }
    });
}

/// Which vertices belong to leaves, whose cards would only darken each other.
fn leaf_vertices(mesh: &Mesh) -> Vec<bool> {
    let mut leaf = vec![false; mesh.vertices.len()];
    for (vertices, surface) in &mesh.triangles {
        for &vertex in vertices {
            leaf[vertex as usize] |= *surface == Surface::Leaves;
        }
    }
    leaf
}

/// Directions spread evenly over the sphere (a Fibonacci lattice).
fn directions(count: usize) -> Vec<DVec3> {
    (0..count)
        .map(|i| {
            let y = 1.0 - (2.0 * i as f64 + 1.0) / count as f64;
            let (sin, cos) = libm::sincos(i as f64 * 2.399_963_229_728_653);
            let flat = (1.0 - y * y).sqrt();
            dvec3(flat * cos, y, flat * sin)
        })
        .collect()
}

impl Voxels {
    fn of(mesh: &Mesh, cell: f64) -> Voxels {
        let (mut min, mut max) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        for vertex in &mesh.vertices {
            (min, max) = (min.min(vertex.position), max.max(vertex.position));
        }
        let size = ((max - min) / cell).to_array().map(|length| length as usize + 1);
        let mut voxels = Voxels { min, cell, size, bits: vec![0; (size[0] * size[1] * size[2]).div_ceil(64)] };
        for &(vertices, surface) in &mesh.triangles {
            if matches!(surface, Surface::Leaves | Surface::Glass | Surface::Window | Surface::Water | Surface::Banner)
            {
                continue;
            }
            let [a, b, c] = vertices.map(|vertex| mesh.vertices[vertex as usize].position);
            let longest = (b - a).length().max((c - a).length()).max((c - b).length());
            let steps = (longest / (0.7 * cell)).ceil().max(1.0) as usize;
            for i in 0..=steps {
                for j in 0..=steps - i {
                    let (u, v) = (i as f64 / steps as f64, j as f64 / steps as f64);
                    voxels.mark(a + u * (b - a) + v * (c - a));
                }
            }
        }
        voxels
    }

    fn index(&self, point: DVec3) -> Option<usize> {
        let place = (point - self.min) / self.cell;
        if place.min_element() < 0.0 {
            return None;
        }
        let [x, y, z] = place.to_array().map(|value| value as usize);
        let [sx, sy, sz] = self.size;
        (x < sx && y < sy && z < sz).then_some((y * sz + z) * sx + x)
    }

    fn mark(&mut self, point: DVec3) {
        if let Some(index) = self.index(point) {
            self.bits[index / 64] |= 1 << (index % 64);
        }
    }

    fn light(&self, vertex: &Vertex, directions: &[DVec3], reach: f64) -> Vec3 {
        let normal = vertex.normal.as_dvec3();
        let start = vertex.position + 1.3 * self.cell * normal;
        let (mut sum, mut total) = (0.0, 0.0);
        for &direction in directions {
            let facing = direction.dot(normal);
            if facing <= 0.05 {
                continue;
            }
            // Light comes from above more than from below.
            let weight = facing * (0.65 + 0.35 * direction.y);
            let mut out = 0.0;
            let open = loop {
                if out >= reach {
                    break 1.0;
                }
                match self.index(start + out * direction) {
                    None => break 1.0,
                    Some(index) if self.bits[index / 64] >> (index % 64) & 1 == 1 => break 0.7 * out / reach,
                    Some(_) => out += 0.8 * self.cell,
                }
            };
            sum += weight * open;
            total += weight;
        }
        let open = if total > 0.0 { (sum / total) as f32 } else { 1.0 };
        Vec3::splat(DARKEST + (1.0 - DARKEST) * open)
    }
}
