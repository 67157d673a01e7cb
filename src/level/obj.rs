//! Reading OBJ through tobj, made tolerant by a clean-up in front of it.

use std::collections::HashMap;

use glam::{DVec2, DVec3, Vec2};

use super::mtl::TexTransform;
use super::obj_clean::{Cleaner, FaceRun, Fault, Survey};
use super::{Corner, LevelBuilder, Warnings};

/// What an OBJ file holds.
pub(super) struct Obj {
    /// Positions, texture coordinates, normals and polygons as tobj read them.
    mesh: tobj::Mesh,
    /// Materials and smoothing groups of the polygons, in order.
    runs: Vec<FaceRun>,
    /// How many lines of each kind there are.
    pub survey: Survey,
    /// Material names in order of first use.
    pub material_names: Vec<String>,
    /// What follows `mtllib`, each once.
    pub libraries: Vec<String>,
    /// What was mended.
    pub warnings: Warnings,
}

impl Obj {
    /// Reads the bytes of a file.
    pub fn parse(bytes: &[u8]) -> Result<Obj, Fault> {
        let survey = Survey::new(bytes);
        let mut cleaner = Cleaner::new(bytes, survey);
        let options = tobj::LoadOptions { triangulate: false, single_index: false, ..tobj::LoadOptions::default() };
        let models = tobj::load_obj_buf(&mut cleaner, &options, |_| Ok(Default::default()));
        if let Some(fault) = cleaner.fault {
            return Err(fault);
        }
        let fault = |error: tobj::LoadError| Fault { line: 0, what: error.to_string() };
        // Without `o`, `g` and `usemtl` lines everything is one model.
        let mesh = models.map_err(fault)?.0.pop().map(|model| model.mesh).unwrap_or_default();
        let mut warnings = Warnings::default();
        cleaner.warn(&mut warnings);
        Ok(Obj {
            mesh,
            runs: cleaner.runs,
            survey,
            material_names: cleaner.material_names,
            libraries: cleaner.libraries,
            warnings,
        })
    }

    /// Whether any polygon stands before the first `usemtl`.
    pub fn uses_default_material(&self) -> bool {
        self.runs.iter().any(|run| run.material.is_none())
    }

    /// Gives everything to the builder. `surface` tells the builder's number of a material and how it moves its texture.
    pub fn add_to(self, builder: &mut LevelBuilder, surface: impl Fn(Option<u32>) -> Surface) {
        let Obj { mesh, runs, .. } = self;
        let mut colors = mesh.vertex_color.chunks_exact(3);
        for position in mesh.positions.chunks_exact(3) {
            let color = colors.next().map_or([255; 4], |color| [color[0], color[1], color[2], 1.0].map(byte));
            builder.colored_position(DVec3::from_slice(position), color);
        }
        let tex_coords: Vec<DVec2> = mesh.texcoords.chunks_exact(2).map(DVec2::from_slice).collect();
        let normals: Vec<Option<u32>> = mesh
            .normals
            .chunks_exact(3)
            .map(|normal| DVec3::from_slice(normal))
            .map(|normal| (!normal.is_nan()).then(|| builder.normal(normal.as_vec3())))
            .collect();
        // What each texture coordinate became under the surface's transform.
        let mut placed: HashMap<(u32, u32), u32> = HashMap::new();
        let mut plain: Vec<Option<u32>> = vec![None; tex_coords.len()];

        let mut arities = mesh.face_arities.iter();
        let mut first = 0;
        let mut corners: Vec<Corner> = Vec::new();
        for run in runs {
            let surface = surface(run.material);
            for _ in 0..run.count {
                // tobj leaves the arities out where all are triangles.
                let end = first + arities.next().map_or(3, |&arity| arity as usize);
                corners.clear();
                corners.extend((first..end).map(|at| {
                    let tex_coord = mesh.texcoord_indices.get(at).and_then(|&index| {
                        let tex_coord = tex_coords[index as usize];
                        if tex_coord.is_nan() {
                            return None;
                        }
                        Some(match surface.transform {
                            None => *plain[index as usize].get_or_insert_with(|| builder.tex_coord(flipped(tex_coord))),
                            Some(transform) => *placed
                                .entry((surface.material, index))
                                .or_insert_with(|| builder.tex_coord(flipped(transform.apply(tex_coord)))),
                        })
                    });
                    let normal = mesh.normal_indices.get(at).and_then(|&index| normals[index as usize]);
                    Corner { position: mesh.indices[at], tex_coord, normal }
                }));
                builder.polygon(&corners, surface.material, run.smoothing_group);
                first = end;
            }
        }
    }
}

/// How polygons of a material look to the builder.
#[derive(Clone, Copy, Debug)]
pub(super) struct Surface {
    /// From [`LevelBuilder::material`].
    pub material: u32,
    /// How it moves its texture, if it does.
    pub transform: Option<TexTransform>,
}

/// OBJ's V grows upwards, ours downwards. What f32 cannot hold is 0.
fn flipped(tex_coord: DVec2) -> Vec2 {
    let flipped = Vec2::new(tex_coord.x as f32, (1.0 - tex_coord.y) as f32);
    if flipped.is_finite() { flipped } else { Vec2::ZERO }
}

/// A part of a colour, 0 to 1, as a byte.
fn byte(value: f64) -> u8 {
    (value.clamp(0.0, 1.0) * 255.0).round() as u8
}
