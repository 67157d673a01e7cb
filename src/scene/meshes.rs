//! The meshes and pictures that a scene file names.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::SkyPictures;
use super::fault::Wrong;
use super::file::{PieceEntry, SkyEntry};
use crate::generate;
use crate::level::{HEIGHTMAP_EXTENSIONS, HeightmapOptions, Level, LoadError, LoadOptions, files};

/// The meshes that a scene names, each read once.
pub(super) struct Meshes<'a, F> {
    folder: &'a Path,
    load: F,
    /// Few files are read in more ways than one.
    known: HashMap<String, Vec<(LoadOptions, Arc<Level>)>>,
}

impl<'a, F: FnMut(&Path, &LoadOptions) -> Result<Level, LoadError>> Meshes<'a, F> {
    /// Those beside a scene in `folder`.
    pub fn new(folder: &'a Path, load: F) -> Meshes<'a, F> {
        Meshes { folder, load, known: HashMap::new() }
    }

    /// The mesh that an entry's `file` means.
    pub fn get(&mut self, file: &str, options: &LoadOptions) -> Result<Arc<Level>, Wrong> {
        let known = self.known.get(file).into_iter().flatten().find(|(known, _)| known == options);
        if let Some((_, mesh)) = known {
            return Ok(mesh.clone());
        }
        let wrong = |what: String| Wrong::at("file", what);
        let mesh = match file.strip_prefix("builtin:") {
            Some(_) if *options != LoadOptions::default() => {
                let what = "what is built in is made in metres with Y up: leave everything about its file away";
                return Err(wrong(what.to_owned()));
            }
            Some(name) => generate::by_name(name, None, 1).or_else(|| generate::model(name)).ok_or_else(|| {
                let names = [&generate::NAMES[..], &generate::MODELS].concat().join(", ");
                wrong(format!("there is nothing built in named {name:?}; there are {names}"))
            })?,
            None if file.to_lowercase().ends_with(".toml") => {
                return Err(wrong("a scene cannot hold another scene; name the meshes in it".to_owned()));
            }
            None => {
                let path = self.path(file);
                (self.load)(&path, options).map_err(|error| wrong(error.to_string()))?
            }
        };
        let mesh = Arc::new(mesh);
        self.known.entry(file.to_owned()).or_default().push((options.clone(), mesh.clone()));
        Ok(mesh)
    }

    /// A file that the scene names, beside it unless it says otherwise, whatever system that was written on.
    fn path(&self, file: &str) -> PathBuf {
        let name = files::with_slashes(file);
        files::find(&[self.folder], &name).unwrap_or_else(|| self.folder.join(name))
    }

    /// How to read a heightmap; its keys are for nothing else.
    pub fn heightmap(&self, piece: &PieceEntry) -> Result<HeightmapOptions, Wrong> {
        let usual = HeightmapOptions::default();
        let [lowest, highest] = piece.height_range.unwrap_or([usual.lowest, usual.highest]);
        let options = HeightmapOptions {
            cell_size: piece.cell_size.unwrap_or(usual.cell_size),
            lowest,
            highest,
            texture: piece.texture.as_ref().map(|texture| self.path(texture)),
            texture_size: piece.texture_size,
        };
        for (key, size) in [("cell-size", piece.cell_size), ("texture-size", piece.texture_size)] {
            if size.is_some_and(|size| !(size > 0.0 && size.is_finite())) {
                return Err(Wrong::at(key, format!("{key} must be a number above 0, in metres")));
            }
        }
        if !(lowest.is_finite() && highest.is_finite()) {
            return Err(Wrong::at("height-range", "height-range must be two finite numbers"));
        }
        let given = [
            ("cell-size", piece.cell_size.is_some()),
            ("height-range", piece.height_range.is_some()),
            ("texture", piece.texture.is_some()),
            ("texture-size", piece.texture_size.is_some()),
        ];
        let extension = Path::new(&piece.file).extension().map(|extension| extension.to_string_lossy().to_lowercase());
        let is_heightmap = extension.is_some_and(|extension| HEIGHTMAP_EXTENSIONS.contains(&&*extension));
        match given.iter().find(|(_, is_given)| *is_given && !is_heightmap) {
            Some((key, _)) => Err(Wrong::at(key, format!("{key} is for heightmaps, which {:?} is not", piece.file))),
            None => Ok(options),
        }
    }

    /// The pictures behind the level. Whether there are any at all is told as well.
    pub fn sky(&self, entry: &SkyEntry) -> Result<(SkyPictures, bool), Wrong> {
        let turn = entry.turn.unwrap_or(0.0);
        if !turn.is_finite() {
            return Err(Wrong::at("turn", "turn must be a finite number of degrees"));
        }
        // No file by itself: what the names of several share, or a folder.
        let beside = |name: &String| self.folder.join(files::with_slashes(name));
        let path = beside(&entry.pictures);
        let are_there = path.exists() || begins_a_name(&path);
        let turn = (turn % 360.0).to_radians() as f32;
        Ok((SkyPictures { path, turn, over: entry.over.as_ref().map(beside) }, are_there))
    }
}

/// Whether the name of something in the folder of `path` begins as `path` does, in any letter case.
fn begins_a_name(path: &Path) -> bool {
    let (Some(folder), Some(start)) = (path.parent(), path.file_name()) else { return false };
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let start = start.to_string_lossy().to_lowercase();
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries.into_iter().any(|entry| entry.file_name().to_string_lossy().to_lowercase().starts_with(&start))
}
