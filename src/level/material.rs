//! What a surface looks like.

use std::path::PathBuf;

/// A surface, named in the file.
#[derive(Clone, Debug, PartialEq)]
pub struct Material {
    /// Its name in the file; `default` for triangles without a material.
    pub name: String,
    /// sRGB-encoded red, green and blue, and linear opacity, each 0 to 1. The texture is multiplied by it.
    pub base_color: [f32; 4],
    /// Index into [`Level::textures`](super::Level::textures).
    pub texture: Option<u32>,
    /// What is beyond the texture's edges, along U and V.
    pub wrap: [Wrap; 2],
    /// Where the file said the texture is, also when it could not be read.
    pub texture_path: Option<PathBuf>,
    /// Linear red, green and blue that it sends out, at least 0 and above 1 where it is brighter than white. No light changes it, and
    /// it lights nothing else.
    pub emissive: [f32; 3],
    /// A picture that `emissive` is multiplied by.
    pub emissive_map: Option<Map>,
    /// What its normals are bent by. Its tangents are [`Level::tangents`](super::Level::tangents).
    pub normal_map: Option<NormalMap>,
    /// How opacity is used.
    pub alpha_mode: AlphaMode,
    /// Drawn from behind as well.
    pub two_sided: bool,
    /// Shown in its own colour, whatever the light.
    pub unlit: bool,
}

impl Default for Material {
    /// White, opaque, lit, two-sided, named `default`.
    fn default() -> Material {
        Material {
            name: "default".to_owned(),
            base_color: [1.0; 4],
            texture: None,
            wrap: [Wrap::Repeat; 2],
            texture_path: None,
            emissive: [0.0; 3],
            emissive_map: None,
            normal_map: None,
            alpha_mode: AlphaMode::Opaque,
            two_sided: true,
            unlit: false,
        }
    }
}

impl Material {
    /// Whether nothing of it can ever be seen: then it is never drawn, but it collides and answers questions.
    pub fn is_invisible(&self) -> bool {
        self.alpha_mode == AlphaMode::Blend && self.base_color[3] <= 0.0
    }

    /// The textures that it uses, by index.
    pub fn textures(&self) -> impl Iterator<Item = u32> {
        let emissive = self.emissive_map.map(|map| map.texture);
        let normals = self.normal_map.map(|normal_map| normal_map.map.texture);
        [self.texture, emissive, normals].into_iter().flatten()
    }

    /// Makes it use other textures: as many farther on in the list.
    pub(crate) fn shift_textures(&mut self, by: u32) {
        let emissive = self.emissive_map.as_mut().map(|map| &mut map.texture);
        let normals = self.normal_map.as_mut().map(|normal_map| &mut normal_map.map.texture);
        for texture in [self.texture.as_mut(), emissive, normals].into_iter().flatten() {
            *texture += by;
        }
    }
}

/// A picture as a material uses it beside that of its colour, with the same texture coordinates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Map {
    /// Index into [`Level::textures`](super::Level::textures).
    pub texture: u32,
    /// What is beyond its edges, along U and V.
    pub wrap: [Wrap; 2],
}

/// A picture of normals in tangent space: red along the tangent (growing U), green along the bitangent (growing upwards in the picture),
/// blue along the normal of the surface, each 0 to 1 for -1 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NormalMap {
    /// Which picture. Its numbers are linear, not sRGB-encoded.
    pub map: Map,
    /// What red and green are multiplied by: 0 is flat.
    pub scale: f32,
}

/// What a texture shows beyond its edges.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Wrap {
    /// Itself again.
    #[default]
    Repeat,
    /// Itself again, every second time mirrored.
    Mirror,
    /// The pixels of its edge.
    Clamp,
}

/// What opacity does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum AlphaMode {
    /// Nothing: the surface covers what is behind it.
    Opaque,
    /// The surface is cut out where the opacity is below the cutoff (0 to 1).
    Mask(f32),
    /// The surface is mixed with what is behind it.
    Blend,
}

/// A picture, decoded: rows from the top, four bytes a pixel (sRGB-encoded red, green, blue; linear opacity). Where a material uses it
/// as a [`NormalMap`], its red, green and blue are linear.
#[derive(Clone, PartialEq)]
pub struct Texture {
    /// Where it was read from, or a name for one that was made.
    pub path: PathBuf,
    /// Width in pixels, at least 1.
    pub width: u32,
    /// Height in pixels, at least 1.
    pub height: u32,
    /// `4 * width * height` bytes.
    pub rgba: Vec<u8>,
}

impl std::fmt::Debug for Texture {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "Texture({}, {}x{})", self.path.display(), self.width, self.height)
    }
}
