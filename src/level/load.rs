//! Opening a level file: the format by its extension, the files beside it, and every error that can stop it.

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::files::{Files, InMemory};
use super::heightmap::{self, HEIGHTMAP_EXTENSIONS, HeightmapOptions};
use super::{Cache, Level, Placement, Progress, gltf, materials, obj, plausible};

/// How to read a level file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LoadOptions {
    /// How the file's coordinates become level coordinates.
    pub placement: Placement,
    /// Whether surfaces are drawn from their front only; an OBJ file does not say.
    pub one_sided: bool,
    /// How a picture becomes a terrain.
    pub heightmap: HeightmapOptions,
    /// Where [`load`] keeps levels, to be quicker the next time; `None` keeps nothing.
    pub cache: Option<Cache>,
    /// Told how far [`load`] is; it changes nothing of what is read.
    pub progress: Option<Progress>,
}

/// Why a level could not be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LoadError {
    /// There is no such file.
    #[error("there is no file {}; check the path", path.display())]
    Missing {
        /// The path asked for.
        path: PathBuf,
    },
    /// It is a folder.
    #[error("{} is a directory; name a level file inside it", path.display())]
    Directory {
        /// The path asked for.
        path: PathBuf,
    },
    /// It could not be read.
    #[error("cannot read {}: {reason}", path.display())]
    Read {
        /// The path asked for.
        path: PathBuf,
        /// What the system said.
        reason: io::Error,
    },
    /// The name does not end in that of a format.
    #[error("{}: {what}; nodetree reads OBJ (.obj), glTF (.gltf, .glb), heightmaps (.bmp, .png, .tif) and scenes of those (.toml), so export the level as one of \
             those", path.display())]
    UnknownFormat {
        /// The path asked for.
        path: PathBuf,
        /// What about its name.
        what: String,
    },
    /// The content is not what the name says.
    #[error("{} is not an OBJ file: it {what}", path.display())]
    NotText {
        /// The path asked for.
        path: PathBuf,
        /// What was found instead, and the cure.
        what: &'static str,
    },
    /// A glTF file that cannot be read.
    #[error("{}: {what}", path.display())]
    Gltf {
        /// The file.
        path: PathBuf,
        /// What is wrong with it, and where.
        what: String,
    },
    /// A picture that cannot be made a terrain.
    #[error("{} cannot be read as a heightmap: {what}", path.display())]
    Heightmap {
        /// The picture.
        path: PathBuf,
        /// What is wrong with it.
        what: String,
    },
    /// The texture that was asked for cannot be read.
    #[error("cannot read the texture {}: {what}", path.display())]
    Texture {
        /// The picture.
        path: PathBuf,
        /// What is wrong with it.
        what: String,
    },
    /// A line that geometry depends on is wrong.
    #[error("{}, line {line}: {what}; mend the line or export the level again", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// Its line, from 1.
        line: usize,
        /// What is wrong with it.
        what: String,
    },
    /// There is nothing to draw or to walk on.
    #[error("{} has no geometry: {what}", path.display())]
    NoGeometry {
        /// The file.
        path: PathBuf,
        /// What it has instead, and the cure.
        what: String,
    },
}

/// Largest level file, in bytes: what it holds can still be numbered in 32 bits.
const MAX_LEVEL_BYTES: u64 = 4 << 30;

/// Reads a level file with its materials and textures, or takes it from the cache of the options.
///
/// # Errors
/// When the file cannot be read or has no geometry. What can be mended is a warning of the level instead. A cache that cannot be
/// used is none.
pub fn load(path: &Path, options: &LoadOptions) -> Result<Level, LoadError> {
    if let Some(progress) = &options.progress {
        // Also when it is missing.
        progress.note(path);
    }
    let Some(cache) = &options.cache else { return load_with(path, options, &Files::new(options.progress.clone())) };
    if let Some(level) = cache.look_up(path, options) {
        return Ok(level);
    }
    let files = Files::new(options.progress.clone()).traced();
    let level = load_with(path, options, &files)?;
    if let Some(trace) = files.into_trace() {
        let _ = cache.keep(path, options, &trace, &level);
    }
    Ok(level)
}

/// [`load`] with `files` in the place of the disk, as for a page that was given a level. There is no cache then.
///
/// # Errors
/// As [`load`].
pub fn load_from(files: &InMemory, path: &Path, options: &LoadOptions) -> Result<Level, LoadError> {
    load_with(path, options, &Files::in_memory(files.clone(), options.progress.clone()))
}

/// Reads a level file with the files beside it as `files` has them.
fn load_with(path: &Path, options: &LoadOptions, files: &Files) -> Result<Level, LoadError> {
    let length = files.length(path).map_err(|reason| match reason.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => LoadError::Missing { path: path.to_owned() },
        io::ErrorKind::IsADirectory => LoadError::Directory { path: path.to_owned() },
        _ => LoadError::Read { path: path.to_owned(), reason },
    })?;
    let extension = path.extension().map(|extension| extension.to_string_lossy().to_lowercase());
    if let Some(progress) = &options.progress {
        let times = if extension.as_deref() == Some("obj") { 2 } else { 1 };
        progress.expect(times * length);
    }
    let bytes = || {
        let bytes = files.read_level(path, MAX_LEVEL_BYTES);
        bytes.map_err(|reason| LoadError::Read { path: path.to_owned(), reason })
    };
    let what = match extension.as_deref() {
        Some("obj") => return read_obj_with(|| files.open(path, MAX_LEVEL_BYTES), path, options, files),
        Some("gltf" | "glb") => return gltf::read(&bytes()?, path, options, files),
        Some(extension) if HEIGHTMAP_EXTENSIONS.contains(&extension) => {
            return heightmap::read(&bytes()?, path, options, files);
        }
        Some(extension) => format!("the format .{extension} is not known"),
        None => "the name has no extension, so the format is not known".to_owned(),
    };
    Err(LoadError::UnknownFormat { path: path.to_owned(), what })
}

/// Reads an OBJ file that is in memory already. `path` says where it came from: errors name it, and its material libraries
/// and textures are looked for beside it.
///
/// # Errors
/// When it is no OBJ file, a face has an index out of range, or there is no geometry. What can be mended is a warning of the
/// level instead.
pub fn read_obj(bytes: impl AsRef<[u8]>, path: &Path, options: &LoadOptions) -> Result<Level, LoadError> {
    read_obj_with(|| Ok(bytes.as_ref()), path, options, &Files::default())
}

fn read_obj_with<R: Read>(
    open: impl Fn() -> io::Result<R>,
    path: &Path,
    options: &LoadOptions,
    files: &Files,
) -> Result<Level, LoadError> {
    let (mut builder, found) = obj::read(open, path, options.placement)?;
    let surfaces = materials::add(path, &found, options, files, &mut builder);
    obj::dress(&mut builder, &found.tex_coords, |material| surfaces.of(material));
    drop(found);
    let mut level = builder.finish(path.to_string_lossy(), None);
    materials::reveal(&mut level);
    let what = if level.source_positions == 0 && level.triangles.is_empty() {
        "there are neither `v` nor `f` lines; check that it was exported completely"
    } else if level.triangles.is_empty() {
        "no `f` line has three corners; export it as polygons"
    } else if level.bounds().is_empty() {
        "no triangle has finite corners; check its numbers, which need decimal points"
    } else {
        plausible::check(&mut level, options.placement.scale);
        return Ok(level);
    };
    Err(LoadError::NoGeometry { path: path.to_owned(), what: what.to_owned() })
}
