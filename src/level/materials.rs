//! From the material libraries and textures beside an OBJ file to the materials of the level.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};

use image::DynamicImage;
use rayon::prelude::*;

use super::files::{Files, with_spaces};
use super::mtl::{self, MapReference, MtlMaterial, TexTransform};
use super::obj::Surface;
use super::obj_clean::Found;
use super::{
    AlphaMode, Level, LevelBuilder, LoadOptions, Map, Material, NormalMap, WarningKind, Warnings, Wrap, srgb, texture,
};

/// Largest material library, in bytes.
const MAX_LIBRARY_BYTES: u64 = 256 << 20;

/// Largest picture file, in bytes.
const MAX_PICTURE_BYTES: u64 = 1 << 30;

/// Which surface each material of the OBJ file got.
pub(super) struct Surfaces {
    named: Vec<Surface>,
    /// `None` where no polygon needs it.
    default: Option<Surface>,
}

impl Surfaces {
    /// The surface of a material by its number in the OBJ file; `None` is the default.
    pub fn of(&self, material: Option<u32>) -> Surface {
        match material {
            Some(material) => self.named[material as usize],
            None => self.default.expect("a surface for polygons without a material"),
        }
    }
}

/// Reads the libraries of an OBJ file and the textures of the materials that it uses, and gives them to the builder: those
/// of the libraries in their order, then those that are only used, then the default if it is needed.
pub(super) fn add(
    path: &Path,
    obj: &Found,
    options: &LoadOptions,
    files: &Files,
    builder: &mut LevelBuilder,
) -> Surfaces {
    let folder = path.parent().unwrap_or(Path::new(""));
    let libraries = Libraries::read(folder, &obj.libraries, files, builder.warnings());
    let definitions: Vec<Option<usize>> = obj.material_names.iter().map(|name| libraries.look_up(name)).collect();
    let used: HashSet<usize> = definitions.iter().flatten().copied().collect();
    let pictures = Pictures::read(folder, &libraries.materials, &used, files, builder);

    let defined: Vec<Surface> = (libraries.materials.iter().enumerate())
        .map(|(number, defined)| {
            let mut material = defined.to_material(&pictures.of_material[number]);
            material.two_sided = !options.one_sided;
            Surface { material: builder.material(material), transform: defined.transform() }
        })
        .collect();
    let mut plain = |name: &str| {
        let material = Material { name: name.to_owned(), two_sided: !options.one_sided, ..Material::default() };
        Surface { material: builder.material(material), transform: None }
    };
    let named = (obj.material_names.iter().zip(&definitions))
        .map(|(name, definition)| definition.map_or_else(|| plain(name), |number| defined[number]))
        .collect();
    let default = obj.uses_default_material.then(|| plain("default"));
    // Where a library is missing, it goes without saying that its materials are.
    if libraries.is_complete {
        for (name, _) in obj.material_names.iter().zip(&definitions).filter(|(_, definition)| definition.is_none()) {
            let what = format!("no material library defines {name:?}; drawn white");
            builder.warnings().add(WarningKind::UnknownMaterial, what);
        }
    }
    Surfaces { named, default }
}

/// Draws everything opaque where all of the level claims to be invisible: some exporters write `Tr 1` for opaque.
pub(super) fn reveal(level: &mut Level) {
    let is_hidden = |number: u32| level.materials[number as usize].is_invisible();
    if level.triangles.is_empty() || !level.triangles.iter().all(|triangle| is_hidden(triangle.material)) {
        return;
    }
    for material in level.materials.iter_mut().filter(|material| material.is_invisible()) {
        material.base_color[3] = 1.0;
        material.alpha_mode = AlphaMode::Opaque;
    }
    let what = "all materials are fully transparent (`d 0` or `Tr 1`); drawn opaque";
    level.warnings.add(WarningKind::EverythingInvisible, what);
}

/// A material and the folder that its textures are relative to.
struct Defined {
    material: MtlMaterial,
    folder: PathBuf,
}

impl Defined {
    /// How the textures are moved. All maps share the texture coordinates, so that of the first counts for all.
    fn transform(&self) -> Option<TexTransform> {
        let MtlMaterial { color_map, opacity_map, emission_map, normal_map, bump_map, .. } = &self.material;
        let maps = [color_map, opacity_map, emission_map, normal_map, bump_map];
        maps.into_iter().flatten().next().and_then(|map| map.transform)
    }

    fn to_material(&self, pictures: &MaterialPictures) -> Material {
        let MtlMaterial { name, color, opacity, color_map, opacity_map, emission, emission_map, normal_map, bump_map } =
            &self.material;
        let picture = pictures.color;
        let opacity = opacity.unwrap_or(1.0);
        let [red, green, blue] = color.unwrap_or([1.0; 3]);
        let texture_mode = picture.map_or(AlphaMode::Opaque, |(_, mode)| mode);
        Material {
            name: name.clone(),
            base_color: [red, green, blue, opacity],
            texture: picture.map(|(texture, _)| texture),
            wrap: wrap(color_map.as_ref().or(opacity_map.as_ref())),
            texture_path: color_map.as_ref().or(opacity_map.as_ref()).map(|map| PathBuf::from(&map.file)),
            // A map that is multiplied by black would be for nothing.
            emissive: match emission.filter(|emission| *emission != [0.0; 3]) {
                Some(emission) => linear_emission(emission),
                None => [f32::from(u8::from(pictures.emission.is_some())); 3],
            },
            emissive_map: pictures.emission.map(|texture| Map { texture, wrap: wrap(emission_map.as_ref()) }),
            normal_map: pictures.normals.map(|texture| {
                let reference = normal_map.as_ref().or(bump_map.as_ref());
                let scale = reference.and_then(|map| map.strength).unwrap_or(1.0);
                NormalMap { map: Map { texture, wrap: wrap(reference) }, scale }
            }),
            alpha_mode: if opacity < 1.0 { AlphaMode::Blend } else { texture_mode },
            ..Material::default()
        }
    }
}

fn wrap(map: Option<&MapReference>) -> [Wrap; 2] {
    [if map.is_some_and(|map| map.clamps) { Wrap::Clamp } else { Wrap::Repeat }; 2]
}

/// `Ke` is encoded as `Kd` is. Where it is brighter than white, its hue is, and the rest is how many times as bright.
fn linear_emission(emission: [f32; 3]) -> [f32; 3] {
    let brightness = emission.into_iter().fold(1.0, f32::max);
    emission.map(|part| brightness * srgb::decoded(f64::from(part / brightness)) as f32)
}

/// All materials of all libraries.
struct Libraries {
    /// In file order.
    materials: Vec<Defined>,
    /// The first definition of each name: of several libraries the first that has it counts.
    by_name: HashMap<String, usize>,
    /// Whether every library was found.
    is_complete: bool,
}

impl Libraries {
    fn read(folder: &Path, lines: &[String], files: &Files, warnings: &mut Warnings) -> Libraries {
        let mut libraries = Libraries { materials: Vec::new(), by_name: HashMap::new(), is_complete: true };
        let mut seen = BTreeSet::new();
        for (name, path) in lines.iter().flat_map(|line| named_files(files, folder, line)) {
            if !seen.insert(path.clone().unwrap_or_else(|| PathBuf::from(&name))) {
                continue;
            }
            let found = path.ok_or_else(|| "there is no such file".to_owned());
            let read = |path: PathBuf| match files.read(&path, MAX_LIBRARY_BYTES) {
                Ok(bytes) => Ok((bytes, path)),
                Err(error) => Err(error.to_string()),
            };
            let read = found.and_then(read);
            match read {
                Ok((bytes, path)) => {
                    let folder = path.parent().unwrap_or(folder);
                    for material in mtl::parse(&bytes, &name, warnings) {
                        libraries.define(&name, Defined { material, folder: folder.to_owned() }, warnings);
                    }
                }
                Err(why) => {
                    libraries.is_complete = false;
                    let what = format!("cannot read the material library {name:?} ({why}); its materials are white");
                    warnings.add(WarningKind::MissingMaterialLibrary, what);
                }
            }
        }
        libraries
    }

    fn define(&mut self, library: &str, defined: Defined, warnings: &mut Warnings) {
        let name = defined.material.name.clone();
        if self.by_name.contains_key(&name) {
            let what = format!("{library}: the material {name:?} is defined again; the first definition counts");
            warnings.add(WarningKind::MalformedLine, what);
            return;
        }
        self.by_name.insert(name, self.materials.len());
        self.materials.push(defined);
    }

    /// A name as it stands, or else without what looks like a trailing comment: 3ds Max has names like `Material #25`.
    fn look_up(&self, name: &str) -> Option<usize> {
        let shorter = name.split_once(" #").map(|(name, _)| name.trim_end());
        [Some(name), shorter].into_iter().flatten().find_map(|name| self.by_name.get(name)).copied()
    }
}

/// Words of an `mtllib` line that are looked at, and so file names on it.
const MAX_LIBRARY_WORDS: usize = 64;

/// The files that an `mtllib` line names, which may be several and may have spaces in their names: the longest run of words
/// that is a file, then on behind it. What is no file at all is named as a whole, or word by word where words look like
/// library names.
fn named_files(files: &Files, folder: &Path, line: &str) -> Vec<(String, Option<PathBuf>)> {
    let line = line.trim_matches('"');
    let whole = with_spaces(line);
    if let Some(path) = files.find(&[folder], &whole) {
        return vec![(whole, Some(path))];
    }
    // A space after a backslash parts no words.
    let mut is_escaped = false;
    let parts = move |letter: char| {
        let parts = letter.is_ascii_whitespace() && !is_escaped;
        is_escaped = letter == '\\';
        parts
    };
    let words = line.split(parts).filter(|word| !word.is_empty()).map(with_spaces);
    let words: Vec<String> = words.take(MAX_LIBRARY_WORDS).collect();
    let mut names = Vec::new();
    let mut first = 0;
    while first < words.len() {
        let found = (first + 1..=words.len()).rev().find_map(|end| {
            let name = words[first..end].join(" ");
            files.find(&[folder], &name).map(|path| (end, name, path))
        });
        if let Some((end, name, path)) = found {
            names.push((name, Some(path)));
            first = end;
            continue;
        }
        let is_library = |word: &String| word.to_ascii_lowercase().ends_with(".mtl");
        let end = words[first..].iter().position(is_library).map_or(words.len(), |place| first + place + 1);
        names.push((words[first..end].join(" "), None));
        first = end;
    }
    names
}

/// The files of the maps of a material.
#[derive(Default)]
struct Maps {
    color: Option<PathBuf>,
    opacity: Option<PathBuf>,
    emission: Option<PathBuf>,
    normals: Option<PathBuf>,
    /// A normal map only if it looks like one.
    bumps: Option<PathBuf>,
}

impl Maps {
    fn files(&self) -> impl Iterator<Item = &PathBuf> {
        [&self.color, &self.opacity, &self.emission, &self.normals, &self.bumps].into_iter().flatten()
    }
}

/// The textures of a material, as far as they could be read.
#[derive(Clone, Copy, Default)]
struct MaterialPictures {
    /// What its opacity means as well.
    color: Option<(u32, AlphaMode)>,
    emission: Option<u32>,
    normals: Option<u32>,
}

/// The textures of the level and who uses them.
struct Pictures {
    of_material: Vec<MaterialPictures>,
}

impl Pictures {
    /// Decodes the pictures of the materials in `used`, each once, on all cores.
    fn read(
        obj_folder: &Path,
        materials: &[Defined],
        used: &HashSet<usize>,
        files: &Files,
        builder: &mut LevelBuilder,
    ) -> Pictures {
        let mut find = |defined: &Defined, map: &Option<MapReference>| {
            let map = map.as_ref()?;
            let folders: [&Path; 2] = [&defined.folder, obj_folder];
            let shorter = map.file.split_once(" #").map(|(file, _)| file.trim_end());
            let found = [Some(&*map.file), shorter].into_iter().flatten().find_map(|file| files.find(&folders, file));
            if found.is_none() {
                warn_missing(builder.warnings(), &map.file, "there is no such file");
            }
            found
        };
        let maps: Vec<Maps> = (materials.iter().enumerate())
            .map(|(number, defined)| {
                let MtlMaterial { color_map, opacity_map, emission_map, normal_map, bump_map, .. } = &defined.material;
                if !used.contains(&number) {
                    return Maps::default();
                }
                Maps {
                    color: find(defined, color_map),
                    opacity: find(defined, opacity_map),
                    emission: find(defined, emission_map),
                    normals: find(defined, normal_map),
                    bumps: if normal_map.is_none() { find(defined, bump_map) } else { None },
                }
            })
            .collect();
        let paths: BTreeSet<&PathBuf> = maps.iter().flat_map(Maps::files).collect();
        let decoded: Vec<(&PathBuf, Result<DynamicImage, String>)> =
            paths.into_par_iter().map(|path| (path, read_picture(files, path))).collect();
        let mut pictures: HashMap<&PathBuf, DynamicImage> = HashMap::new();
        for (path, picture) in decoded {
            match picture {
                Ok(picture) => {
                    pictures.insert(path, picture);
                }
                Err(why) => warn_missing(builder.warnings(), &path.to_string_lossy(), &why),
            }
        }
        // A colour map and an opacity map, as files, become one texture.
        type Pair<'a> = (Option<&'a PathBuf>, Option<&'a PathBuf>);
        let mut made: HashMap<Pair<'_>, Option<(u32, AlphaMode)>> = HashMap::new();
        let mut texture = |pair: Pair<'_>| {
            let (color, opacity) =
                (pair.0.and_then(|path| pictures.get(path)), pair.1.and_then(|path| pictures.get(path)));
            let path = pair.0.filter(|_| color.is_some()).or(pair.1.filter(|_| opacity.is_some()))?;
            let (texture, mode) = texture::combine(path, color, opacity);
            Some((builder.texture(texture), mode))
        };
        let of_material = (maps.iter())
            .map(|maps| {
                let mut texture = |pair| *made.entry(pair).or_insert_with(|| texture(pair));
                let single = |(texture, _)| texture;
                let is_normal_map = |path: &PathBuf| pictures.get(path).is_some_and(texture::is_normal_map);
                let bumps = maps.bumps.as_ref().filter(|path| is_normal_map(path));
                MaterialPictures {
                    color: texture((maps.color.as_ref(), maps.opacity.as_ref())),
                    emission: texture((maps.emission.as_ref(), None)).map(single),
                    normals: texture((maps.normals.as_ref().or(bumps), None)).map(single),
                }
            })
            .collect();
        Pictures { of_material }
    }
}

fn read_picture(files: &Files, path: &Path) -> Result<DynamicImage, String> {
    let bytes = files.read(path, MAX_PICTURE_BYTES).map_err(|error| error.to_string())?;
    texture::decode(&bytes, path)
}

fn warn_missing(warnings: &mut Warnings, file: &str, why: &str) {
    warnings.add(WarningKind::MissingTexture, format!("cannot read the texture {file:?} ({why}); drawn without it"));
}
