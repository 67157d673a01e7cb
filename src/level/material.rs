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
    /// Where the file said the texture is, also when it could not be read.
    pub texture_path: Option<PathBuf>,
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
            texture_path: None,
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

/// A picture, decoded: rows from the top, four bytes a pixel (sRGB-encoded red, green, blue; linear opacity).
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
