//! Levels in memory: what every loader and generator makes, and what everything else reads.

mod blocks;
mod builder;
mod cache;
pub(crate) mod files;
mod gltf;
mod heightmap;
mod inspect;
mod light;
mod lines;
mod load;
mod material;
mod materials;
mod mtl;
mod normals;
mod obj;
mod obj_clean;
mod obj_face;
mod obj_numbers;
mod placement;
mod plausible;
mod progress;
pub(crate) mod srgb;
mod tangents;
mod texture;
mod triangulate;
mod vertices;
mod warning;
mod write_obj;

use glam::{DVec3, Vec3, Vec4};

use crate::geometry::Aabb;

pub use builder::{Corner, LevelBuilder};
pub(crate) use builder::{local_origin, warn_unusable};
pub use cache::Cache;
pub use files::InMemory;
pub use gltf::read_gltf;
pub use heightmap::{HEIGHTMAP_EXTENSIONS, HeightmapOptions, read_heightmap};
pub use inspect::Inspection;
pub use light::{LampKind, Light};
pub use load::{LoadError, LoadOptions, load, load_from, read_obj};
pub use material::{AlphaMode, Map, Material, NormalMap, Texture, Wrap};
pub use placement::{Handedness, Placement, UpAxis};
pub use progress::Progress;

#[cfg(feature = "window")]
pub(crate) use texture::decode as decode_picture;

pub use warning::{Warning, WarningKind, Warnings};
pub use write_obj::{WriteError, write_obj};

/// A static level: triangles with materials, in local space.
///
/// Two spaces matter. *Level coordinates* are those of the file after `--up`, `--scale` and `--handedness`; people read and
/// write them. *Local space* is the level's own, in f32: level coordinates minus [`Level::origin`], so that a survey far
/// from zero keeps its precision. Every library call takes and gives local space unless it says otherwise.
#[derive(Clone, Debug, Default)]
pub struct Level {
    /// The path of the file, or `builtin:castle` and the like.
    pub name: String,
    /// Corners of the triangles, ready for a vertex buffer. Non-finite where the file was.
    pub vertices: Vec<Vertex>,
    /// For normal maps: unit tangents of the vertices towards growing U, in local space, and as w the sign of the bitangent, which is `w` times
    /// normal cross tangent and points upwards in the picture. Empty where no material needs them, else one a vertex, zero where it
    /// has none.
    pub tangents: Vec<Vec4>,
    /// Every triangle of the file in file order after triangulation, degenerate and non-finite ones included: a triangle's
    /// index here is its number everywhere.
    pub triangles: Vec<IndexedTriangle>,
    /// At least one where there are triangles.
    pub materials: Vec<Material>,
    /// Pictures that materials refer to by index.
    pub textures: Vec<Texture>,
    /// Lights that the file has beside its triangles.
    pub lights: Vec<Light>,
    /// What to add to local space to get level coordinates, in metres.
    pub origin: DVec3,
    /// How many positions the file has (`v` lines of an OBJ), which is not the number of `vertices`.
    pub source_positions: usize,
    /// Where the file or the generator wants the walker to start: feet, in level coordinates.
    pub spawn: Option<Spawn>,
    /// What was wrong and could be mended.
    pub warnings: Warnings,
}

/// A place to start: feet in level coordinates, heading in radians.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spawn {
    /// Position of the feet, in level coordinates.
    pub feet: DVec3,
    /// Heading in radians, 0 along -Z, growing to the left.
    pub yaw: f32,
}

/// A corner as a vertex buffer holds it.
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub struct Vertex {
    /// Position in local space, metres.
    pub position: Vec3,
    /// Unit normal of the shading, towards the front.
    pub normal: Vec3,
    /// Texture coordinates, (0, 0) at the picture's top left, V growing downwards.
    pub tex_coord: glam::Vec2,
    /// sRGB-encoded colour and linear alpha that the material's colour is multiplied by; white where the file has none.
    pub color: [u8; 4],
}

/// A triangle as indices into [`Level::vertices`], counter-clockwise from the front.
#[derive(Clone, Copy, Debug, PartialEq, Eq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub struct IndexedTriangle {
    /// The three corners.
    pub vertices: [u32; 3],
    /// Index into [`Level::materials`].
    pub material: u32,
    /// Number of the polygon in the file that it came from, from 0.
    pub face: u32,
}

impl Level {
    /// The corners of a triangle in local space.
    ///
    /// # Panics
    /// When there is no such triangle.
    pub fn corners(&self, triangle: u32) -> [Vec3; 3] {
        let [a, b, c] = self.triangles[triangle as usize].vertices;
        let position = |vertex: u32| self.vertices[vertex as usize].position;
        [position(a), position(b), position(c)]
    }

    /// The material of a triangle.
    ///
    /// # Panics
    /// When there is no such triangle.
    pub fn material_of(&self, triangle: u32) -> &Material {
        &self.materials[self.triangles[triangle as usize].material as usize]
    }

    /// The smallest box around all finite triangles, in local space; empty when there are none.
    pub fn bounds(&self) -> Aabb {
        (0..self.triangles.len() as u32)
            .map(|triangle| self.corners(triangle))
            .filter(|corners| corners.iter().all(|corner| corner.is_finite()))
            .fold(Aabb::EMPTY, |bounds, corners| bounds.union(Aabb::around(corners)))
    }

    /// Local space to level coordinates.
    pub fn to_level(&self, local: Vec3) -> DVec3 {
        local.as_dvec3() + self.origin
    }

    /// Level coordinates to local space.
    pub fn to_local(&self, level: DVec3) -> Vec3 {
        (level - self.origin).as_vec3()
    }
}
