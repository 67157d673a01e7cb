//! Materials and pictures of a glTF file.

use std::path::{Path, PathBuf};

use glam::{DMat2, DVec2, Vec2};
use gltf::image::Source;
use gltf::material::AlphaMode as GltfAlphaMode;
use gltf::texture::TextureTransform;
use gltf::{Document, Image};
use rayon::prelude::*;

use super::buffers::{self, Buffers};
use crate::level::files::Files;
use crate::level::{AlphaMode, LevelBuilder, Material, Texture, WarningKind, texture};

/// Largest picture file, in bytes.
const MAX_PICTURE_BYTES: u64 = 1 << 30;

/// A material of the level, and how its texture lies.
#[derive(Clone, Copy, Debug)]
pub(super) struct Surface {
    pub material: u32,
    /// Which set of texture coordinates it uses.
    pub tex_coord_set: u32,
    transform: Option<TexTransform>,
}

/// Moves texture coordinates: `KHR_texture_transform`.
#[derive(Clone, Copy, Debug)]
struct TexTransform {
    turn_and_scale: DMat2,
    offset: DVec2,
}

impl Surface {
    /// Texture coordinates of the file as the level has them.
    pub fn tex_coord(&self, [u, v]: [f64; 2]) -> Vec2 {
        let file = DVec2::new(u, v);
        self.transform.map_or(file, |transform| transform.turn_and_scale * file + transform.offset).as_vec2()
    }
}

/// Those of a document, in order.
pub(super) struct Surfaces {
    surfaces: Vec<Surface>,
    /// That of primitives without a material, where there are any.
    default: Option<Surface>,
}

impl Surfaces {
    pub fn read(
        document: &Document,
        buffers: &Buffers,
        folder: &Path,
        files: &Files,
        builder: &mut LevelBuilder,
    ) -> Surfaces {
        let pictures = read_pictures(document, buffers, folder, files, builder);
        let mut surface = |material: gltf::Material<'_>, name: String| {
            let color = material.pbr_metallic_roughness();
            let info = color.base_color_texture();
            let image = info.as_ref().and_then(|info| info.texture().source());
            let picture = image.map(|image| &pictures[image.index()]);
            let [red, green, blue, opacity] = color.base_color_factor();
            let made = Material {
                name,
                base_color: [encoded(red), encoded(green), encoded(blue), opacity.clamp(0.0, 1.0)],
                texture: picture.and_then(|picture| picture.texture),
                texture_path: picture.map(|picture| picture.path.clone()),
                alpha_mode: match material.alpha_mode() {
                    GltfAlphaMode::Opaque => AlphaMode::Opaque,
                    GltfAlphaMode::Mask => AlphaMode::Mask(material.alpha_cutoff().unwrap_or(0.5)),
                    GltfAlphaMode::Blend => AlphaMode::Blend,
                },
                two_sided: material.double_sided(),
                unlit: material.unlit(),
            };
            let transform = info.as_ref().and_then(|info| info.texture_transform());
            let set = info.as_ref().map_or(0, |info| info.tex_coord());
            Surface {
                material: builder.material(made),
                tex_coord_set: transform.as_ref().and_then(TextureTransform::tex_coord).unwrap_or(set),
                transform: transform.map(TexTransform::from),
            }
        };
        let name = |material: &gltf::Material<'_>| {
            let number = material.index().unwrap_or_default();
            material.name().map_or_else(|| format!("material {number}"), str::to_owned)
        };
        let surfaces = document.materials().map(|material| surface(material.clone(), name(&material))).collect();
        let mut primitives = document.meshes().flat_map(|mesh| mesh.primitives());
        let without = primitives.find(|primitive| primitive.material().index().is_none());
        let default = without.map(|primitive| surface(primitive.material(), "default".to_owned()));
        Surfaces { surfaces, default }
    }

    pub fn of(&self, material: &gltf::Material<'_>) -> Surface {
        match material.index() {
            Some(index) => self.surfaces[index],
            None => self.default.expect("a surface for primitives without a material"),
        }
    }
}

impl From<TextureTransform<'_>> for TexTransform {
    fn from(transform: TextureTransform<'_>) -> TexTransform {
        let [scale, offset] = [transform.scale(), transform.offset()].map(|[u, v]| DVec2::new(u.into(), v.into()));
        let (sin, cos) = libm::sincos(f64::from(transform.rotation()));
        let turn = DMat2::from_cols(DVec2::new(cos, -sin), DVec2::new(sin, cos));
        TexTransform { turn_and_scale: turn * DMat2::from_diagonal(scale), offset }
    }
}

/// A picture of the file.
struct Picture {
    /// `None` when it could not be read.
    texture: Option<u32>,
    path: PathBuf,
}

/// Reads the pictures that base colours use, and gives them to the builder.
fn read_pictures(
    document: &Document,
    buffers: &Buffers,
    folder: &Path,
    files: &Files,
    builder: &mut LevelBuilder,
) -> Vec<Picture> {
    let mut is_used = vec![false; document.images().len()];
    for material in document.materials() {
        let Some(info) = material.pbr_metallic_roughness().base_color_texture() else { continue };
        match info.texture().source() {
            Some(image) => is_used[image.index()] = true,
            None => {
                let what = format!("texture {} has no picture that is known", info.texture().index());
                builder.warnings().add(WarningKind::MissingTexture, what);
            }
        }
    }
    let images: Vec<Image<'_>> = document.images().collect();
    let read: Vec<_> = images
        .into_par_iter()
        .map(|image| {
            let path = path_of(&image, folder, files);
            let texture = is_used[image.index()].then(|| decode(&image, buffers, files, &path));
            (path, texture)
        })
        .collect();
    let add = |(path, texture): (PathBuf, Option<Result<Texture, String>>)| {
        let texture = match texture {
            Some(Ok(texture)) => Some(builder.texture(texture)),
            Some(Err(what)) => {
                let what = format!("the texture {} is missing: {what}", path.display());
                builder.warnings().add(WarningKind::MissingTexture, what);
                None
            }
            None => None,
        };
        Picture { texture, path }
    };
    read.into_iter().map(add).collect()
}

/// Where a picture is, or a name for one inside the file.
fn path_of(image: &Image<'_>, folder: &Path, files: &Files) -> PathBuf {
    match image.source() {
        Source::Uri { uri, .. } if !uri.starts_with("data:") => {
            buffers::beside(files, folder, uri).unwrap_or_else(|| folder.join(uri))
        }
        _ => PathBuf::from(image.name().map_or_else(|| format!("image {}", image.index()), str::to_owned)),
    }
}

fn decode(image: &Image<'_>, buffers: &Buffers, files: &Files, path: &Path) -> Result<Texture, String> {
    let picture = match image.source() {
        Source::View { view, .. } => texture::decode(buffers.view(&view)?, path)?,
        Source::Uri { uri, .. } => match buffers::embedded(uri) {
            Some(bytes) => texture::decode(&bytes?, path)?,
            None => {
                let bytes = files.read(path, MAX_PICTURE_BYTES).map_err(|error| error.to_string())?;
                texture::decode(&bytes, path)?
            }
        },
    };
    Ok(texture::combine(path, Some(&picture), None).0)
}

/// A linear part of a colour, sRGB-encoded.
pub(super) fn encoded(linear: f32) -> f32 {
    if linear >= 1.0 {
        1.0
    } else if linear > 0.003_130_8 {
        1.055 * libm::powf(linear, 1.0 / 2.4) - 0.055
    } else {
        12.92 * linear.max(0.0)
    }
}
