//! A primitive of a mesh, at a place in the level.

use glam::{DMat3, DMat4, DVec3, DVec4};
use gltf::Semantic;
use gltf::mesh::Mode;

use super::accessor::{indices, vectors};
use super::buffers::Buffers;
use super::pose::{morph, of_vertices};
use super::surfaces::Surfaces;
use crate::level::srgb::encoded;
use crate::level::{Corner, LevelBuilder, Light, WarningKind};

/// Takes primitives in.
pub(super) struct Primitives<'a> {
    pub buffers: &'a Buffers,
    surfaces: &'a Surfaces,
    builder: &'a mut LevelBuilder,
    /// Vertices and corners that there is still room for.
    room: usize,
}

/// Where a mesh is, and how it is bent.
pub(super) struct Instance<'a> {
    /// That of the node.
    pub level_from_mesh: DMat4,
    /// What the joints of its skin stand for, if it has one: they count instead.
    pub joints: Option<&'a [DMat4]>,
    /// How far each morph target counts.
    pub weights: &'a [f32],
}

/// Vertices and corners of a whole level at most: a mesh may hang on many nodes.
const MOST: usize = 1 << 28;

impl<'a> Primitives<'a> {
    pub fn new(buffers: &'a Buffers, surfaces: &'a Surfaces, builder: &'a mut LevelBuilder) -> Primitives<'a> {
        Primitives { buffers, surfaces, builder, room: MOST }
    }

    /// Adds a light at a place of the file.
    pub fn add_light(&mut self, position: DVec3, light: Light) {
        self.builder.light(position, light);
    }

    /// Adds the triangles of a primitive. The error says what about its data is wrong.
    pub fn add(&mut self, primitive: &gltf::Primitive<'_>, instance: &Instance<'_>) -> Result<(), String> {
        let triangles = match primitive.mode() {
            Mode::Triangles => list,
            Mode::TriangleStrip => strip,
            Mode::TriangleFan => fan,
            _ => {
                let what = "points and lines are not drawn";
                self.builder.warnings().add(WarningKind::ElementNotDrawn, what);
                return Ok(());
            }
        };
        let Some(positions) = primitive.get(&Semantic::Positions) else { return Ok(()) };
        let mut positions = vectors::<3>(self.buffers, &positions)?;
        let attribute = |semantic: Semantic| primitive.get(&semantic);
        let mut normals =
            attribute(Semantic::Normals).map(|accessor| vectors::<3>(self.buffers, &accessor)).transpose()?;
        let surface = self.surfaces.of(&primitive.material());
        let tex_coords = attribute(Semantic::TexCoords(surface.tex_coord_set()))
            .map(|accessor| vectors::<2>(self.buffers, &accessor))
            .transpose()?;
        let colors =
            attribute(Semantic::Colors(0)).map(|accessor| vectors::<4>(self.buffers, &accessor)).transpose()?;
        // Without normals they mean nothing.
        let mut tangents = attribute(Semantic::Tangents)
            .filter(|_| surface.is_bent && normals.is_some())
            .map(|accessor| vectors::<4>(self.buffers, &accessor))
            .transpose()?;
        let lengths = [
            normals.as_ref().map(Vec::len),
            tangents.as_ref().map(Vec::len),
            tex_coords.as_ref().map(Vec::len),
            colors.as_ref().map(Vec::len),
        ];
        if lengths.into_iter().flatten().any(|length| length != positions.len()) {
            return Err("its attributes have different numbers of elements".to_owned());
        }
        let order = match primitive.indices() {
            Some(accessor) => indices(self.buffers, &accessor)?,
            None => (0..positions.len() as u32).collect(),
        };
        if let Some(index) = order.iter().find(|&&index| index as usize >= positions.len()) {
            return Err(format!("index {index} is out of range: there are {} vertices", positions.len()));
        }
        let left = self.room.checked_sub(positions.len() + 3 * order.len());
        self.room = left.ok_or_else(|| format!("with it there are more than {MOST} vertices and corners"))?;

        let (buffers, weights) = (self.buffers, instance.weights);
        morph(buffers, &mut positions, primitive.morph_targets().map(|target| target.positions()), weights)?;
        if let Some(normals) = &mut normals {
            morph(buffers, normals, primitive.morph_targets().map(|target| target.normals()), weights)?;
        }
        if let Some(tangents) = &mut tangents {
            morph(buffers, tangents, primitive.morph_targets().map(|target| target.tangents()), weights)?;
        }
        let of_vertices = match instance.joints {
            Some(joints) => of_vertices(buffers, primitive, joints, positions.len())?,
            None => None,
        };
        let rigid = Map::new(instance.level_from_mesh);
        let map = |index: usize| of_vertices.as_ref().map_or(rigid, |maps| Map::new(maps[index]));
        let mut corners = Vec::with_capacity(positions.len());
        for (index, position) in positions.iter().enumerate() {
            let Map { level_from_mesh, turn, turn_of_normals, is_mirrored } = map(index);
            let color = colors.as_ref().map_or([255; 4], |colors| bytes(colors[index]));
            let place = level_from_mesh.transform_point3(DVec3::from_array(*position));
            let normal = normals.as_ref().map(|normals| {
                let normal = turn_of_normals * DVec3::from_array(normals[index]);
                self.builder.normal((if is_mirrored { -normal } else { normal }).normalize_or_zero().as_vec3())
            });
            let tex_coord = tex_coords.as_ref().map(|coords| self.builder.tex_coord(surface.tex_coord(coords[index])));
            let position = self.builder.colored_position(place, color);
            if let Some(tangents) = &tangents {
                let tangent = DVec4::from_array(tangents[index]);
                let turned = (turn * tangent.truncate()).normalize_or_zero();
                // The bitangent goes with the surface, which its cross product does not when it is mirrored.
                let sign = if is_mirrored { -tangent.w } else { tangent.w };
                self.builder.tangent(position, turned.extend(sign).as_vec4());
            }
            corners.push(Corner { position, tex_coord, normal });
        }
        triangles(&order, &mut |[a, b, c]| {
            let is_mirrored = map(a as usize).is_mirrored;
            let [a, b, c] = [a, b, c].map(|index| corners[index as usize]);
            // A mirrored triangle turns round; its first corner stays first.
            self.builder.polygon(&if is_mirrored { [a, c, b] } else { [a, b, c] }, surface.material, 0);
        });
        Ok(())
    }
}

/// What a map does to positions and normals.
#[derive(Clone, Copy)]
struct Map {
    level_from_mesh: DMat4,
    turn: DMat3,
    turn_of_normals: DMat3,
    is_mirrored: bool,
}

impl Map {
    fn new(level_from_mesh: DMat4) -> Map {
        let turn = DMat3::from_mat4(level_from_mesh);
        // Normals go by the inverse transpose, of which only the direction counts: the matrix of cofactors.
        let turn_of_normals = DMat3::from_cols(
            turn.y_axis.cross(turn.z_axis),
            turn.z_axis.cross(turn.x_axis),
            turn.x_axis.cross(turn.y_axis),
        );
        Map { level_from_mesh, turn, turn_of_normals, is_mirrored: turn.determinant() < 0.0 }
    }
}

fn list(order: &[u32], add: &mut dyn FnMut([u32; 3])) {
    order.as_chunks().0.iter().for_each(|&triangle| add(triangle));
}

fn strip(order: &[u32], add: &mut dyn FnMut([u32; 3])) {
    for (index, corners) in order.windows(3).enumerate() {
        let [a, b, c] = [corners[0], corners[1], corners[2]];
        add(if index % 2 == 0 { [a, b, c] } else { [a, c, b] });
    }
}

fn fan(order: &[u32], add: &mut dyn FnMut([u32; 3])) {
    if let Some((&first, rest)) = order.split_first() {
        rest.windows(2).for_each(|corners| add([first, corners[0], corners[1]]));
    }
}

/// A linear colour as a vertex has it.
fn bytes([red, green, blue, opacity]: [f64; 4]) -> [u8; 4] {
    let byte = |part: f32| (255.0 * part.clamp(0.0, 1.0) + 0.5) as u8;
    let [red, green, blue] = [red, green, blue].map(|part| byte(encoded(part as f32)));
    [red, green, blue, byte(opacity as f32)]
}
