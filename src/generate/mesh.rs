//! Triangles in the making.

use glam::{DVec2, DVec3, Vec2, Vec3};
use rayon::prelude::*;

use super::surface::Surface;
use super::weld::{Known, number};
use crate::level::{Corner, Level, LevelBuilder, Placement, Spawn};

/// Where something stands and which way it faces: its own X, Y up, Z are turned about the vertical and moved.
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    origin: DVec3,
    sin: f64,
    cos: f64,
}

impl Frame {
    /// Its Z axis points `degrees` counter-clockwise (seen from above) from +Z; quarter turns are exact.
    pub fn new(origin: DVec3, degrees: f64) -> Frame {
        let quarters = degrees / 90.0;
        let (sin, cos) = if quarters == quarters.round() {
            match (quarters as i64).rem_euclid(4) {
                0 => (0.0, 1.0),
                1 => (1.0, 0.0),
                2 => (0.0, -1.0),
                _ => (-1.0, 0.0),
            }
        } else {
            libm::sincos(degrees.to_radians())
        };
        Frame { origin, sin, cos }
    }

    /// A direction of the frame in the space around it.
    pub fn direction(&self, local: DVec3) -> DVec3 {
        DVec3::new(local.x * self.cos + local.z * self.sin, local.y, local.z * self.cos - local.x * self.sin)
    }

    /// A point of the frame in the space around it.
    pub fn point(&self, local: DVec3) -> DVec3 {
        self.direction(local) + self.origin
    }

    /// A frame given in this one, in the space around this one.
    fn holding(&self, inner: Frame) -> Frame {
        Frame {
            origin: self.point(inner.origin),
            sin: self.sin * inner.cos + self.cos * inner.sin,
            cos: self.cos * inner.cos - self.sin * inner.sin,
        }
    }
}

/// A corner of a surface in the current frame.
#[derive(Clone, Copy, Debug)]
pub struct Point {
    pub position: DVec3,
    /// Of unit length.
    pub normal: DVec3,
    /// In metres.
    pub tex: DVec2,
}

/// A vertex in level coordinates.
#[derive(Clone, Copy, Debug)]
pub struct Vertex {
    pub position: DVec3,
    pub normal: Vec3,
    pub tex: Vec2,
    /// Linear share of the light, 0 to 1.
    pub tint: Vec3,
}

/// Collects triangles; everything is given in the current frame.
pub struct Mesh {
    frame: Frame,
    /// The colour of what is added next, linear.
    pub tint: DVec3,
    /// Moves the pictures of what is added next by so many metres.
    pub shift: DVec2,
    /// Turns the pictures of flat surfaces a quarter: grain that runs up runs across.
    pub across: bool,
    pub vertices: Vec<Vertex>,
    pub triangles: Vec<([u32; 3], Surface)>,
    known: Known<[u32; 14]>,
}

impl Mesh {
    pub fn new() -> Mesh {
        Mesh {
            frame: Frame::new(DVec3::ZERO, 0.0),
            tint: DVec3::ONE,
            shift: DVec2::ZERO,
            across: false,
            vertices: Vec::new(),
            triangles: Vec::new(),
            known: Known::default(),
        }
    }

    /// Adds what `build` adds in a frame that stands in the current one.
    pub fn within(&mut self, origin: DVec3, degrees: f64, build: impl FnOnce(&mut Mesh)) {
        let outer = self.frame;
        self.frame = outer.holding(Frame::new(origin, degrees));
        build(self);
        self.frame = outer;
    }

    /// Adds what `build` adds with a tint on top of the current one.
    pub fn tinted(&mut self, tint: DVec3, build: impl FnOnce(&mut Mesh)) {
        let outer = self.tint;
        self.tint = outer * tint;
        build(self);
        self.tint = outer;
    }

    /// Adds a vertex, or finds the one that is the same.
    pub fn vertex(&mut self, surface: Surface, point: Point) -> u32 {
        // Millimetres are fine enough, and neighbours that were computed in different ways meet exactly. Adding 0 makes -0
        // the same as 0.
        let snap = |value: f64| (value * 1000.0).round() / 1000.0 + 0.0;
        let position = self.frame.point(point.position);
        let tex = (point.tex + self.shift) / surface.metres();
        let vertex = Vertex {
            position: DVec3::new(snap(position.x), snap(position.y), snap(position.z)),
            normal: self.frame.direction(point.normal).as_vec3(),
            tex: Vec2::new(snap(tex.x) as f32, snap(tex.y) as f32),
            tint: self.tint.as_vec3(),
        };
        let [x, y, z] = vertex.position.to_array().map(f64::to_bits);
        let [nx, ny, nz] = vertex.normal.to_array().map(f32::to_bits);
        let [u, v] = vertex.tex.to_array().map(f32::to_bits);
        let [r, g, b] = vertex.tint.to_array().map(f32::to_bits);
        let half = |bits: u64| [bits as u32, (bits >> 32) as u32];
        let ([x0, x1], [y0, y1], [z0, z1]) = (half(x), half(y), half(z));
        let key = [x0, x1, y0, y1, z0, z1, nx, ny, nz, u, v, r, g, b];
        number(&mut self.known, key, || {
            self.vertices.push(vertex);
            self.vertices.len() as u32 - 1
        })
    }

    /// Adds a triangle, counter-clockwise from the front, unless it has no area.
    pub fn triangle(&mut self, surface: Surface, vertices: [u32; 3]) {
        let [a, b, c] = vertices.map(|vertex| self.vertices[vertex as usize].position);
        // In millimetres: thinner slivers show nothing and only trouble collision.
        if (b - a).cross(c - a).length() > 1e-3 * (b - a).length().max((c - a).length()).max((c - b).length()) {
            self.triangles.push((vertices, surface));
        }
    }

    /// Adds a convex polygon of given points as a fan from the first.
    pub fn polygon(&mut self, surface: Surface, points: &[Point]) {
        let vertices: Vec<u32> = points.iter().map(|&point| self.vertex(surface, point)).collect();
        for i in 1..vertices.len().saturating_sub(1) {
            self.triangle(surface, [vertices[0], vertices[i], vertices[i + 1]]);
        }
    }

    /// Adds a flat convex polygon, counter-clockwise from the front. The picture stands upright on slopes and walls and lies
    /// along X and Z on floors and ceilings.
    pub fn flat(&mut self, surface: Surface, corners: &[DVec3]) {
        // Newell's normal, which no three corners in a row can spoil.
        let normal = (0..corners.len())
            .map(|i| corners[i].cross(corners[(i + 1) % corners.len()]))
            .sum::<DVec3>()
            .normalize_or_zero();
        if normal == DVec3::ZERO {
            return;
        }
        let points: Vec<Point> =
            corners.iter().map(|&position| Point { position, normal, tex: self.upright(position, normal) }).collect();
        self.polygon(surface, &points);
    }

    /// Where an upright picture lies at a point of a plane, in metres.
    fn upright(&self, position: DVec3, normal: DVec3) -> DVec2 {
        let tex = if normal.y.abs() > 0.95 {
            DVec2::new(position.x, position.z)
        } else {
            let right = DVec3::Y.cross(normal).normalize();
            DVec2::new(position.dot(right), -position.dot(normal.cross(right)))
        };
        if self.across { DVec2::new(tex.y, tex.x) } else { tex }
    }

    /// Adds a grid of `columns` by `rows` smooth cells; `point` gives the corner at a column and row, columns to the right
    /// and rows upwards seen from the front.
    pub fn grid(&mut self, surface: Surface, columns: usize, rows: usize, point: impl Fn(usize, usize) -> Point) {
        let mut lower: Vec<u32> = (0..=columns).map(|i| self.vertex(surface, point(i, 0))).collect();
        for j in 1..=rows {
            let upper: Vec<u32> = (0..=columns).map(|i| self.vertex(surface, point(i, j))).collect();
            for i in 0..columns {
                self.triangle(surface, [lower[i], lower[i + 1], upper[i + 1]]);
                self.triangle(surface, [lower[i], upper[i + 1], upper[i]]);
            }
            lower = upper;
        }
    }

    /// Makes the level.
    pub fn finish(self, name: &str, spawn: Spawn) -> Level {
        let mut builder = LevelBuilder::new(Placement::default());
        let mut materials = vec![None; Surface::ALL.len()];
        for &surface in Surface::ALL {
            if self.triangles.iter().any(|&(_, used)| used == surface) {
                materials[surface as usize] = Some(surface.add_to(&mut builder));
            }
        }
        let color = |vertex: &Vertex| {
            let [r, g, b] = vertex.tint.to_array().map(encoded);
            [r, g, b, 255]
        };
        let colors: Vec<[u8; 4]> = self.vertices.par_iter().map(color).collect();
        let mut positions: Known<([u64; 3], [u8; 4])> = Known::default();
        let mut tex_coords: Known<[u32; 2]> = Known::default();
        let mut normals: Known<[u32; 3]> = Known::default();
        let corners: Vec<Corner> = self
            .vertices
            .iter()
            .zip(colors)
            .map(|(vertex, color)| {
                let key = (vertex.position.to_array().map(f64::to_bits), color);
                let position = number(&mut positions, key, || builder.colored_position(vertex.position, color));
                let key = vertex.tex.to_array().map(f32::to_bits);
                let tex_coord = number(&mut tex_coords, key, || builder.tex_coord(vertex.tex));
                let key = vertex.normal.to_array().map(f32::to_bits);
                let normal = number(&mut normals, key, || builder.normal(vertex.normal));
                Corner { position, tex_coord: Some(tex_coord), normal: Some(normal) }
            })
            .collect();
        for (vertices, surface) in self.triangles {
            let material = materials[surface as usize].expect("every used surface was added");
            builder.polygon(&vertices.map(|vertex| corners[vertex as usize]), material, 0);
        }
        builder.finish(name, Some(spawn))
    }
}

/// A linear value as an sRGB-encoded byte.
fn encoded(linear: f32) -> u8 {
    let linear = f64::from(linear.clamp(0.0, 1.0));
    let value = if linear <= 0.003_130_8 { 12.92 * linear } else { 1.055 * libm::pow(linear, 1.0 / 2.4) - 0.055 };
    (255.0 * value).round() as u8
}
