//! Reading a scene file and all that it names.

use std::io;
use std::path::{Path, PathBuf};

use super::fault::{Place, Wrong};
use super::meshes::Meshes;
use super::read::Reader;
use super::{Scene, file};
use crate::level::{Level, LoadError, LoadOptions, files};

/// Why a scene could not be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SceneError {
    /// There is no such file.
    #[error("there is no file {}; check the path", .0.display())]
    Missing(PathBuf),
    /// The file could not be read.
    #[error("cannot read the scene {}: {reason}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        reason: io::Error,
    },
    /// Something in it makes no sense, or what it names cannot be read.
    #[error("{}, line {line}: {what}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// Its line, from 1.
        line: usize,
        /// Which entry, and what is wrong with it.
        what: String,
    },
    /// There is nothing to draw or to walk on.
    #[error("{} has no piece that stands still, so there is no level; add a [[piece]] with a file", .0.display())]
    NoLevel(PathBuf),
}

/// The largest scene file, in bytes.
const LARGEST: u64 = 16 << 20;

impl Scene {
    /// Reads a scene file (TOML) with the meshes that it names, each once. `load` reads a mesh, as [`level::load`](crate::level::load)
    /// does; the paths it gets are relative to the folder of the scene, and `builtin:` names are not asked for.
    ///
    /// # Errors
    /// When the file or one that it names cannot be read, or an entry makes no sense. The error names the line.
    pub fn open(
        path: &Path,
        load: impl FnMut(&Path, &LoadOptions) -> Result<Level, LoadError>,
    ) -> Result<Scene, SceneError> {
        let text = files::read(path, LARGEST);
        let text = text.map_err(|reason| match reason.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => SceneError::Missing(path.to_owned()),
            _ => SceneError::Read { path: path.to_owned(), reason },
        })?;
        let fault = |line, what: &str| SceneError::Line { path: path.to_owned(), line, what: what.to_owned() };
        let text = String::from_utf8(text).map_err(|error| {
            let good = &error.as_bytes()[..error.utf8_error().valid_up_to()];
            fault(good.iter().filter(|&&byte| byte == b'\n').count() + 1, "this is no UTF-8 text; save it as that")
        })?;
        Scene::parse(&text, path, load)
    }

    /// The same for a text that is in memory. `path` says where it came from: errors name it, and what it names is looked for
    /// beside it.
    ///
    /// # Errors
    /// As [`Scene::open`].
    pub fn parse(
        text: &str,
        path: &Path,
        load: impl FnMut(&Path, &LoadOptions) -> Result<Level, LoadError>,
    ) -> Result<Scene, SceneError> {
        let line = |(line, what)| SceneError::Line { path: path.to_owned(), line, what };
        let file = file::parse(text).map_err(line)?;
        let folder = path.parent().unwrap_or(Path::new(""));
        let reader = Reader::new(text, Scene::new(path.to_string_lossy()), Meshes::new(folder, load));
        let fault = |(place, wrong): (Place, Wrong)| line((place.line(text, wrong.key), wrong.what));
        let scene = reader.read(&file).map_err(fault)?;
        if scene.iter().all(|(_, node)| node.static_piece().is_none()) {
            return Err(SceneError::NoLevel(path.to_owned()));
        }
        Ok(scene)
    }
}
