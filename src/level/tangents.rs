//! Tangents, along which normal maps bend the light.

use std::collections::HashMap;

use bevy_mikktspace::{Geometry, Ops, TangentSpace, generate_tangents};
use glam::{Vec2, Vec4};

use super::{Handedness, Level, Placement, Vertex};
use crate::geometry::has_area;

/// Triangles around one corner at most for which tangents are found: the algorithm walks around it by recursion.
const MOST_AROUND: u32 = 1024;

/// The tangents that a file gives, in local space, by vertex. `given` has them by position, in file coordinates, and may end early;
/// `corners` are the vertices and positions of all corners.
pub(super) fn placed(
    given: &[Vec4],
    placement: &Placement,
    corners: impl Iterator<Item = (u32, u32)>,
    vertices: usize,
) -> Vec<Vec4> {
    if given.is_empty() {
        return Vec::new();
    }
    let mut tangents = vec![Vec4::ZERO; vertices];
    // A bitangent goes with the picture, which its cross product does not when it is mirrored.
    let sign = if placement.handedness == Handedness::Left { -1.0 } else { 1.0 };
    for (vertex, position) in corners {
        let given = given.get(position as usize).copied().unwrap_or_default();
        let unit = placement.turn(given.truncate().as_dvec3()).try_normalize();
        tangents[vertex as usize] =
            unit.map_or(Vec4::ZERO, |unit| unit.as_vec3().extend(sign * 1.0_f32.copysign(given.w)));
    }
    tangents
}

/// Gives the level tangents where a material with a normal map needs them. `given` are those of the file for each vertex, zero where it
/// has none, or nothing at all.
///
/// Source: Morten S. Mikkelsen, "Simulation of Wrinkled Surfaces Revisited", 2008 (MikkTSpace), with U and V as in the picture seen
/// upright, as glTF has it. Vertices whose triangles disagree become several.
pub(super) fn complete(level: &mut Level, given: Vec<Vec4>) {
    let is_bent: Vec<bool> = level.materials.iter().map(|material| material.normal_map.is_some()).collect();
    if !level.triangles.iter().any(|triangle| is_bent[triangle.material as usize]) {
        return;
    }
    level.tangents = given;
    level.tangents.resize(level.vertices.len(), Vec4::ZERO);
    let mut triangles: Vec<u32> = (0..level.triangles.len() as u32)
        .filter(|&number| {
            let triangle = &level.triangles[number as usize];
            let is_given = triangle.vertices.iter().all(|&vertex| level.tangents[vertex as usize] != Vec4::ZERO);
            is_bent[triangle.material as usize] && !is_given && has_direction(level, number)
        })
        .collect();
    let mut around: HashMap<[u32; 8], u32> = HashMap::new();
    for &vertex in triangles.iter().flat_map(|&triangle| &level.triangles[triangle as usize].vertices) {
        *around.entry(bits(&level.vertices[vertex as usize])).or_default() += 1;
    }
    triangles.retain(|&triangle| {
        let vertices = level.triangles[triangle as usize].vertices;
        vertices.iter().all(|&vertex| around[&bits(&level.vertices[vertex as usize])] <= MOST_AROUND)
    });
    let mut corners = Corners { level, triangles: &triangles, tangents: vec![[Vec4::ZERO; 3]; triangles.len()] };
    // No error is known to it.
    let _done = generate_tangents(&mut corners);
    let tangents = corners.tangents;

    let mut split: HashMap<(u32, [u32; 4]), u32> = HashMap::new();
    for (&triangle, tangents) in triangles.iter().zip(tangents) {
        for (corner, tangent) in tangents.into_iter().enumerate() {
            let vertex = level.triangles[triangle as usize].vertices[corner];
            let known = &mut level.tangents[vertex as usize];
            if *known == Vec4::ZERO {
                *known = tangent;
            }
            if *known == tangent {
                continue;
            }
            let other = *split.entry((vertex, tangent.to_array().map(f32::to_bits))).or_insert_with(|| {
                level.vertices.push(level.vertices[vertex as usize]);
                level.tangents.push(tangent);
                level.vertices.len() as u32 - 1
            });
            level.triangles[triangle as usize].vertices[corner] = other;
        }
    }
}

/// Whether a triangle and its part of the picture have an area, so that there is a direction to find.
fn has_direction(level: &Level, triangle: u32) -> bool {
    let vertices = level.triangles[triangle as usize].vertices.map(|vertex| &level.vertices[vertex as usize]);
    let [a, b, c] = vertices.map(|vertex| vertex.tex_coord);
    let area = (b - a).perp_dot(c - a);
    let is_finite = vertices.iter().all(|vertex| vertex.normal.is_finite() && vertex.tex_coord.is_finite());
    is_finite && area.is_finite() && area.abs() > f32::MIN_POSITIVE && has_area(&level.corners(triangle))
}

/// What makes corners one.
fn bits(vertex: &Vertex) -> [u32; 8] {
    let ([x, y, z], [a, b, c]) = (vertex.position.to_array(), vertex.normal.to_array());
    let Vec2 { x: u, y: v } = vertex.tex_coord;
    [x, y, z, a, b, c, u, v].map(f32::to_bits)
}

/// Triangles of a level, and the tangents of their corners.
struct Corners<'a> {
    level: &'a Level,
    triangles: &'a [u32],
    tangents: Vec<[Vec4; 3]>,
}

impl Corners<'_> {
    fn vertex(&self, face: usize, corner: usize) -> &Vertex {
        let vertices = self.level.triangles[self.triangles[face] as usize].vertices;
        &self.level.vertices[vertices[corner] as usize]
    }
}

impl Geometry<Portable> for Corners<'_> {
    fn num_faces(&self) -> usize {
        self.triangles.len()
    }

    fn num_vertices_of_face(&self, _face: usize) -> usize {
        3
    }

    fn position(&self, face: usize, corner: usize) -> [f32; 3] {
        self.vertex(face, corner).position.to_array()
    }

    fn normal(&self, face: usize, corner: usize) -> [f32; 3] {
        self.vertex(face, corner).normal.to_array()
    }

    fn tex_coord(&self, face: usize, corner: usize) -> [f32; 2] {
        // The bitangent points upwards in the picture; V grows downwards.
        let Vec2 { x: u, y: v } = self.vertex(face, corner).tex_coord;
        [u, -v]
    }

    fn set_tangent(&mut self, tangent: Option<TangentSpace>, face: usize, corner: usize) {
        self.tangents[face][corner] = tangent.map_or(Vec4::ZERO, |tangent| Vec4::from_array(tangent.tangent_encoded()));
    }
}

/// The same bits in every build.
struct Portable;

impl Ops for Portable {
    fn sqrt(x: f32) -> f32 {
        x.sqrt()
    }

    fn acos(x: f32) -> f32 {
        libm::acos(f64::from(x)) as f32
    }
}

#[cfg(test)]
mod tests {
    use glam::{DVec3, Vec3};

    use super::*;
    use crate::level::{Corner, LevelBuilder, Map, Material, NormalMap, Wrap};

    fn bent(builder: &mut LevelBuilder) -> u32 {
        let map = Map { texture: 0, wrap: [Wrap::Repeat; 2] };
        builder.material(Material { normal_map: Some(NormalMap { map, scale: 1.0 }), ..Material::default() })
    }

    /// Triangles around the origin, in the plane of X and Z, seen from above; the picture lies on it as `place` says.
    fn fan(triangles: u32, place: impl Fn(DVec3) -> Vec2) -> Level {
        let mut builder = LevelBuilder::new(Placement::default());
        let material = bent(&mut builder);
        let rim = |number: u32| {
            let (sin, cos) = libm::sincos(std::f64::consts::TAU * f64::from(number) / f64::from(triangles));
            DVec3::new(cos, 0.0, -sin)
        };
        for number in 0..triangles {
            let corners = [DVec3::ZERO, rim(number), rim(number + 1)].map(|at| Corner {
                position: builder.position(at),
                tex_coord: Some(builder.tex_coord(place(at))),
                normal: Some(builder.normal(Vec3::Y)),
            });
            builder.polygon(&corners, material, 0);
        }
        builder.finish("fan", None)
    }

    #[test]
    fn tangents_follow_the_picture() {
        let level = fan(7, |at| Vec2::new(2.0 * at.x as f32, 3.0 * at.z as f32));
        for tangent in &level.tangents {
            assert!(tangent.distance(Vec4::new(1.0, 0.0, 0.0, 1.0)) < 1e-5, "{tangent}");
        }
        assert_eq!(level.tangents.len(), level.vertices.len());
        // Turned by a quarter: U grows along -Z.
        let level = fan(7, |at| Vec2::new(-at.z as f32, at.x as f32));
        assert!(level.tangents.iter().all(|tangent| tangent.distance(Vec4::new(0.0, 0.0, -1.0, 1.0)) < 1e-5));
    }

    #[test]
    fn where_the_picture_is_mirrored_vertices_become_two() {
        let level = fan(4, |at| Vec2::new(at.x.abs() as f32, at.z as f32));
        for triangle in &level.triangles {
            let middle = triangle.vertices.map(|vertex| level.vertices[vertex as usize].position.x).iter().sum::<f32>();
            for vertex in triangle.vertices {
                let wanted = Vec4::new(middle.signum(), 0.0, 0.0, middle.signum());
                assert!(level.tangents[vertex as usize].distance(wanted) < 1e-5, "{}", level.tangents[vertex as usize]);
            }
        }
    }

    #[test]
    fn crowded_corners_and_stretched_pictures_stay_flat() {
        let crowded = fan(100_000, |at| Vec2::new(at.x as f32, at.z as f32));
        assert!(crowded.tangents.iter().all(|tangent| *tangent == Vec4::ZERO));
        let stretched = fan(5, |at| Vec2::new(at.x as f32, 0.0));
        assert!(stretched.tangents.iter().all(|tangent| *tangent == Vec4::ZERO));
    }

    #[test]
    fn without_a_normal_map_there_are_none() {
        let mut level = fan(3, |at| Vec2::new(at.x as f32, at.z as f32));
        level.tangents.clear();
        level.materials[0].normal_map = None;
        complete(&mut level, vec![Vec4::X; 9]);
        assert!(level.tangents.is_empty());
    }
}
