//! Making one level of pieces, and of props.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use glam::{DAffine3, DMat3, DQuat, DVec3, Vec4};

use super::{Kind, Node, NodeId, Scene, light};
use crate::bodies::Met;
use crate::generate;
use crate::level::{
    AlphaMode, IndexedTriangle, Level, Material, Spawn, Vertex, WarningKind, Warnings, local_origin, warn_unusable,
};

/// Positions that the local origin is found from, at most, piece by piece.
const SAMPLES: usize = 4096;

impl Scene {
    /// The level that all pieces which stand still make, those that are hidden or faded included: what is hidden is met all the
    /// same. Pieces are in the order in which they were added, and triangles in that of their files.
    ///
    /// The first call puts the origin of local space, unless it was put before.
    pub fn level(&mut self) -> Level {
        self.put_origin();
        self.bake(self.pieces())
    }

    /// The level, and behind its triangles those of everything else that can be met, where it stands at the moment: all props of
    /// the scene. What is met as a ball is made of one.
    pub fn solid(&mut self) -> Solid {
        self.put_origin();
        let pieces: usize = self.pieces().map(|part| part.mesh.triangles.len()).sum();
        let ball = generate::props::ball();
        let props = self.iter().filter_map(|(id, node)| {
            let (mesh, level_from_own) = match &node.new.kind {
                Kind::Piece(mesh) if node.moves => (&**mesh, node.level_from_own),
                Kind::Prop(mesh, Met::Mesh) => (&**mesh, node.level_from_own),
                Kind::Prop(_, Met::Radius(radius)) => {
                    let scale = DVec3::splat(f64::from(*radius));
                    let place = node.level_from_own.translation;
                    (&ball, DAffine3::from_scale_rotation_translation(scale, DQuat::IDENTITY, place))
                }
                _ => return None,
            };
            Some((id, Part { node, mesh, level_from_own }))
        });
        let props: Vec<(NodeId, Part<'_>)> = props.collect();
        let mut first = pieces as u32;
        let owners = props.iter().map(|(id, part)| {
            let owner = (first, *id);
            first += part.mesh.triangles.len() as u32;
            owner
        });
        let owners = owners.collect();
        let level = self.bake(self.pieces().chain(props.into_iter().map(|(_, part)| part)));
        Solid { level, owners }
    }

    fn put_origin(&mut self) {
        if self.origin.is_none() {
            let mut positions = Vec::new();
            for Part { mesh, level_from_own, .. } in self.pieces() {
                let step = mesh.vertices.len().div_ceil(SAMPLES).max(1);
                let sample = mesh.vertices.iter().step_by(step);
                positions.extend(sample.map(|vertex| level_from_own.transform_point3(mesh.to_level(vertex.position))));
            }
            self.set_origin(local_origin(&positions));
        }
    }

    fn bake<'a>(&self, parts: impl Iterator<Item = Part<'a>>) -> Level {
        let origin = self.origin();
        let mut level = Level { name: self.name.clone(), origin, spawn: self.spawn, ..Level::default() };
        let mut known = Known::default();
        for Part { node, mesh, level_from_own } in parts {
            let first = [level.vertices.len() as u32, known.faces];
            let first_material = known.materials(&mut level, mesh, node);
            let mut local_from_own = level_from_own;
            local_from_own.translation -= origin;
            add(&mut level, mesh, &local_from_own, first, first_material);
            if !node.is_hidden {
                level.lights.extend(light::moved(mesh, local_from_own));
            }
            known.faces += mesh.triangles.iter().map(|triangle| triangle.face + 1).max().unwrap_or(0);
            level.source_positions += mesh.source_positions;
            if level.spawn.is_none() {
                level.spawn = mesh.spawn.map(|spawn| moved(&spawn, &level_from_own));
            }
        }
        if !level.tangents.is_empty() {
            level.tangents.resize(level.vertices.len(), Vec4::ZERO);
        }
        if level.materials.is_empty() {
            level.materials.push(Material::default());
        }
        level.warnings = self.warnings.clone();
        self.warn_of_meshes(&known, &mut level.warnings);
        warn_unusable(&mut level);
        level
    }

    /// Adds what is wrong with the meshes of all pieces and props, each with the name of its file and of the first that uses it.
    /// What of those in the level has no area is counted where it stands.
    fn warn_of_meshes(&self, in_level: &Known, warnings: &mut Warnings) {
        let counted = [WarningKind::DegenerateTriangle, WarningKind::NonFiniteTriangle];
        let mut told = HashSet::new();
        for (_, node) in self.iter() {
            let (mesh, kind) = match &node.new.kind {
                Kind::Piece(mesh) => (mesh, "piece"),
                Kind::Prop(mesh, _) => (mesh, "prop"),
                _ => continue,
            };
            if !told.insert(Arc::as_ptr(mesh)) {
                continue;
            }
            let user = if node.name().is_empty() { String::new() } else { format!(" ({kind} {:?})", node.name()) };
            let is_in_level = in_level.places.contains_key(&Arc::as_ptr(mesh));
            for warning in mesh.warnings.iter().filter(|warning| !(is_in_level && counted.contains(&warning.kind))) {
                warnings.add_many(warning.kind, format!("{}{user}: {}", mesh.name, warning.message), warning.count);
            }
        }
    }

    fn pieces(&self) -> impl Iterator<Item = Part<'_>> {
        self.iter().filter_map(|(_, node)| {
            let mesh = node.static_piece()?;
            Some(Part { node, mesh, level_from_own: node.level_from_own })
        })
    }
}

/// A mesh where it stands.
struct Part<'a> {
    node: &'a Node,
    mesh: &'a Level,
    level_from_own: DAffine3,
}

/// All that can be met in a scene, as [`Scene::solid`] makes it.
#[derive(Clone, Debug)]
pub struct Solid {
    /// The triangles of the level, and behind them those of the props.
    pub level: Level,
    /// The first triangle of each prop, in order.
    owners: Vec<(u32, NodeId)>,
}

impl Solid {
    /// What a triangle belongs to; `None` for those of the level.
    pub fn owner(&self, triangle: u32) -> Option<NodeId> {
        let behind = self.owners.partition_point(|(first, _)| *first <= triangle);
        Some(self.owners[behind.checked_sub(1)?].1)
    }
}

/// What of the meshes is in the level already.
#[derive(Default)]
struct Known {
    /// By their addresses.
    places: HashMap<*const Level, KnownMesh>,
    faces: u32,
}

struct KnownMesh {
    first_texture: u32,
    /// The first of the materials as they were faded, by the bits of the opacity; 0 is hidden.
    materials: HashMap<u32, u32>,
}

impl Known {
    /// The level's first material of a mesh that is seen as `node` is.
    fn materials(&mut self, level: &mut Level, mesh: &Level, node: &Node) -> u32 {
        let known = self.places.entry(mesh).or_insert_with(|| {
            let first_texture = level.textures.len() as u32;
            level.textures.extend(mesh.textures.iter().cloned());
            KnownMesh { first_texture, materials: HashMap::new() }
        });
        let opacity = if node.is_hidden { 0.0 } else { node.opacity };
        let first = level.materials.len() as u32;
        let first_known = *known.materials.entry(opacity.to_bits()).or_insert(first);
        if first_known != first {
            return first_known;
        }
        level.materials.extend(mesh.materials.iter().map(|material| {
            let mut material = material.clone();
            material.shift_textures(known.first_texture);
            if opacity < 1.0 {
                material.base_color[3] *= opacity;
                material.alpha_mode = AlphaMode::Blend;
            }
            material
        }));
        first
    }
}

/// Adds the triangles of a mesh where it stands.
fn add(
    level: &mut Level,
    mesh: &Level,
    local_from_own: &DAffine3,
    [first_vertex, first_face]: [u32; 2],
    first_material: u32,
) {
    let turn = local_from_own.matrix3;
    // Normals go by the inverse transpose, of which only the direction counts: the matrix of cofactors.
    let cofactors = DMat3::from_cols(
        turn.y_axis.cross(turn.z_axis),
        turn.z_axis.cross(turn.x_axis),
        turn.x_axis.cross(turn.y_axis),
    );
    let mirrors = turn.determinant() < 0.0;
    let normals = if mirrors { -cofactors } else { cofactors };
    level.vertices.extend(mesh.vertices.iter().map(|vertex| Vertex {
        position: local_from_own.transform_point3(mesh.to_level(vertex.position)).as_vec3(),
        normal: (normals * vertex.normal.as_dvec3()).normalize_or_zero().as_vec3(),
        ..*vertex
    }));
    if !mesh.tangents.is_empty() {
        level.tangents.resize(first_vertex as usize, Vec4::ZERO);
        level.tangents.extend(mesh.tangents.iter().map(|tangent| {
            let turned = (turn * tangent.truncate().as_dvec3()).normalize_or_zero().as_vec3();
            // The bitangent goes with the surface, which its cross product does not when it is mirrored.
            turned.extend(if mirrors { -tangent.w } else { tangent.w })
        }));
    }
    level.triangles.extend(mesh.triangles.iter().map(|triangle| {
        let [a, b, c] = triangle.vertices.map(|vertex| first_vertex + vertex);
        IndexedTriangle {
            vertices: if mirrors { [a, c, b] } else { [a, b, c] },
            material: first_material + triangle.material,
            face: first_face + triangle.face,
        }
    }));
}

fn moved(spawn: &Spawn, level_from_own: &DAffine3) -> Spawn {
    let (sin, cos) = libm::sincos(f64::from(spawn.yaw));
    let ahead = level_from_own.transform_vector3(DVec3::new(-sin, 0.0, -cos));
    Spawn { feet: level_from_own.transform_point3(spawn.feet), yaw: libm::atan2(-ahead.x, -ahead.z) as f32 }
}
