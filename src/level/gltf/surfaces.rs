//! Materials and pictures of a glTF file.

use std::path::{Path, PathBuf};

use glam::{DMat2, DVec2, Vec2};
use gltf::material::{AlphaMode as GltfAlphaMode, NormalTexture};
use gltf::texture::{Info, TextureTransform, WrappingMode};
use gltf::{Document, json};
use rayon::prelude::*;

use super::buffers::{self, Buffers};
use crate::level::files::Files;
use crate::level::srgb::encoded;
use crate::level::{AlphaMode, LevelBuilder, Map, Material, NormalMap, Texture, WarningKind, Wrap, texture};

/// Largest picture file, in bytes.
const MAX_PICTURE_BYTES: u64 = 1 << 30;

/// A material of the level, and how its textures lie.
#[derive(Clone, Copy, Debug)]
pub(super) struct Surface {
    pub material: u32,
    /// Whether it has a normal map.
    pub is_bent: bool,
    lie: Lie,
}

/// How a texture lies on its surface.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Lie {
    /// Which set of texture coordinates it uses.
    set: u32,
    transform: Option<TexTransform>,
}

/// Moves texture coordinates: `KHR_texture_transform`.
#[derive(Clone, Copy, Debug, PartialEq)]
struct TexTransform {
    turn_and_scale: DMat2,
    offset: DVec2,
}

impl Surface {
    /// Which set of texture coordinates it uses.
    pub fn tex_coord_set(&self) -> u32 {
        self.lie.set
    }

    /// Texture coordinates of the file as the level has them.
    pub fn tex_coord(&self, [u, v]: [f64; 2]) -> Vec2 {
        let file = DVec2::new(u, v);
        self.lie.transform.map_or(file, |transform| transform.turn_and_scale * file + transform.offset).as_vec2()
    }
}

/// A texture as a material uses it.
struct Use<'a> {
    texture: gltf::Texture<'a>,
    lie: Lie,
}

impl<'a> Use<'a> {
    fn of_color(material: &gltf::Material<'a>) -> Option<Use<'a>> {
        material.pbr_metallic_roughness().base_color_texture().map(|info| Use::of(&info))
    }

    /// `None` as well where it is multiplied by black, or nothing but the colour counts.
    fn of_emission(material: &gltf::Material<'a>) -> Option<Use<'a>> {
        let shines = emissive(material).iter().any(|&part| part > 0.0);
        material.emissive_texture().filter(|_| shines).map(|info| Use::of(&info))
    }

    /// `None` as well where no light counts.
    fn of_normals(material: &gltf::Material<'a>) -> Option<Use<'a>> {
        let normals = material.normal_texture().filter(|_| !material.unlit())?;
        Some(Use { texture: normals.texture(), lie: Lie::of_normals(&normals) })
    }

    fn of(info: &Info<'a>) -> Use<'a> {
        let transform = info.texture_transform();
        let set = transform.as_ref().and_then(TextureTransform::tex_coord).unwrap_or(info.tex_coord());
        let transform = transform.map(|moved| TexTransform::new(moved.offset(), moved.rotation(), moved.scale()));
        Use { texture: info.texture(), lie: Lie { set, transform } }
    }

    fn wrap(&self) -> [Wrap; 2] {
        let sampler = self.texture.sampler();
        [sampler.wrap_s(), sampler.wrap_t()].map(|mode| match mode {
            WrappingMode::Repeat => Wrap::Repeat,
            WrappingMode::MirroredRepeat => Wrap::Mirror,
            WrappingMode::ClampToEdge => Wrap::Clamp,
        })
    }
}

impl Lie {
    /// The crate has no type for the transform of a normal map.
    fn of_normals(normals: &NormalTexture<'_>) -> Lie {
        let Some(moved) = normals.extension_value("KHR_texture_transform") else {
            return Lie { set: normals.tex_coord(), transform: None };
        };
        let number = |value: &json::Value| value.as_f64().map(|number| number as f32);
        let pair = |key: &str, usual: f32| {
            let list = moved.get(key).and_then(|value| value.as_array());
            [0, 1].map(|place| list.and_then(|list| number(list.get(place)?)).unwrap_or(usual))
        };
        let set = moved.get("texCoord").and_then(|set| set.as_u64()?.try_into().ok());
        let rotation = moved.get("rotation").and_then(number).unwrap_or(0.0);
        let transform = TexTransform::new(pair("offset", 0.0), rotation, pair("scale", 1.0));
        Lie { set: set.unwrap_or(normals.tex_coord()), transform: Some(transform) }
    }
}

/// What a material sends out, linear.
fn emissive(material: &gltf::Material<'_>) -> [f32; 3] {
    let strength = if material.unlit() { 0.0 } else { material.emissive_strength().unwrap_or(1.0) };
    material.emissive_factor().map(|part| (part * strength).clamp(0.0, BRIGHTEST))
}

/// The most that a material sends out.
const BRIGHTEST: f32 = 1e6;

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
            let color = Use::of_color(&material);
            let (emission, normals) = (Use::of_emission(&material), Use::of_normals(&material));
            // A vertex has one pair of texture coordinates.
            let lie =
                [&color, &emission, &normals].into_iter().flatten().next().map_or(Lie::default(), |first| first.lie);
            let mut map = |what: &str, used: Option<Use<'_>>| {
                let used = used?;
                if used.lie != lie {
                    let what =
                        format!("material {name:?}: its {what} map has other texture coordinates; drawn without it");
                    builder.warnings().add(WarningKind::MissingTexture, what);
                    return None;
                }
                let texture = pictures[used.texture.source()?.index()].texture?;
                Some(Map { texture, wrap: used.wrap() })
            };
            let (emissive_map, normal_map) = (map("emissive", emission), map("normal", normals));
            let scale = material.normal_texture().map_or(1.0, |normals| normals.scale());
            let picture = color.as_ref().and_then(|used| Some(&pictures[used.texture.source()?.index()]));
            let [red, green, blue, opacity] = material.pbr_metallic_roughness().base_color_factor();
            let made = Material {
                name,
                base_color: [encoded(red), encoded(green), encoded(blue), opacity.clamp(0.0, 1.0)],
                texture: picture.and_then(|picture| picture.texture),
                wrap: color.as_ref().map_or([Wrap::Repeat; 2], Use::wrap),
                texture_path: picture.map(|picture| picture.path.clone()),
                emissive: emissive(&material),
                emissive_map,
                normal_map: normal_map.map(|map| NormalMap { map, scale }),
                alpha_mode: match material.alpha_mode() {
                    GltfAlphaMode::Opaque => AlphaMode::Opaque,
                    GltfAlphaMode::Mask => AlphaMode::Mask(material.alpha_cutoff().unwrap_or(0.5)),
                    GltfAlphaMode::Blend => AlphaMode::Blend,
                },
                two_sided: material.double_sided(),
                unlit: material.unlit(),
            };
            Surface { is_bent: made.normal_map.is_some(), material: builder.material(made), lie }
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

impl TexTransform {
    fn new(offset: [f32; 2], rotation: f32, scale: [f32; 2]) -> TexTransform {
        let [scale, offset] = [scale, offset].map(|[u, v]| DVec2::new(u.into(), v.into()));
        let (sin, cos) = libm::sincos(f64::from(rotation));
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

/// Reads the pictures that materials use, and gives them to the builder.
fn read_pictures(
    document: &Document,
    buffers: &Buffers,
    folder: &Path,
    files: &Files,
    builder: &mut LevelBuilder,
) -> Vec<Picture> {
    let mut is_used = vec![false; document.images().len()];
    let uses = document
        .materials()
        .flat_map(|material| [Use::of_color(&material), Use::of_emission(&material), Use::of_normals(&material)]);
    for Use { texture, .. } in uses.flatten() {
        match texture.source() {
            Some(image) => is_used[image.index()] = true,
            None => {
                let what = format!("texture {} has no picture that is known", texture.index());
                builder.warnings().add(WarningKind::MissingTexture, what);
            }
        }
    }
    let images = document.as_json().images.par_iter().zip(is_used).enumerate();
    let read: Vec<_> = images
        .map(|(number, (image, is_used))| {
            let path = path_of(image, number, folder, files);
            let texture = is_used.then(|| decode(document, image, buffers, files, &path));
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
fn path_of(image: &json::Image, number: usize, folder: &Path, files: &Files) -> PathBuf {
    match &image.uri {
        Some(uri) if image.buffer_view.is_none() && !uri.starts_with("data:") => {
            buffers::beside(files, folder, uri).unwrap_or_else(|| folder.join(uri))
        }
        _ => PathBuf::from(image.name.clone().unwrap_or_else(|| format!("image {number}"))),
    }
}

/// The crate's own look at a picture takes for granted that it is somewhere, and says of what type it is.
fn decode(
    document: &Document,
    image: &json::Image,
    buffers: &Buffers,
    files: &Files,
    path: &Path,
) -> Result<Texture, String> {
    let view = image.buffer_view.and_then(|view| document.views().nth(view.value()));
    let picture = match (view, &image.uri) {
        (Some(view), _) => texture::decode(buffers.view(&view)?, path)?,
        (None, Some(uri)) => match buffers::embedded(uri) {
            Some(bytes) => texture::decode(&bytes?, path)?,
            None => {
                let bytes = files.read(path, MAX_PICTURE_BYTES).map_err(|error| error.to_string())?;
                texture::decode(&bytes, path)?
            }
        },
        (None, None) => return Err("it has neither a file nor a buffer view".to_owned()),
    };
    Ok(texture::combine(path, Some(&picture), None).0)
}
