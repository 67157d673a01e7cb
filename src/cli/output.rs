//! Where a result goes: a file, or standard output for `-`.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

use anyhow::{Context, bail, ensure};

/// Opened before the work, so that a place that can't be written is told at once; what was there before goes only when
/// there is something to replace it.
pub struct Output<'a> {
    path: &'a Path,
    /// `None` for standard output.
    file: Option<File>,
    /// The file was not there before, and has nothing in it yet.
    is_fresh: bool,
}

impl<'a> Output<'a> {
    pub fn open(path: &'a Path) -> anyhow::Result<Output<'a>> {
        if path == Path::new("-") {
            return Ok(Output { path, file: None, is_fresh: false });
        }
        ensure!(!path.is_dir(), "cannot write {}: it is a folder", path.display());
        ensure_folder(path)?;
        let is_fresh = !path.exists();
        let file = OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .with_context(|| format!("cannot write {}", path.display()))?;
        Ok(Output { path, file: Some(file), is_fresh })
    }

    pub fn is_standard(&self) -> bool {
        self.file.is_none()
    }

    pub fn write(&mut self, bytes: &[u8]) -> anyhow::Result<()> {
        let Some(file) = &mut self.file else {
            let mut standard = io::stdout().lock();
            return Ok(standard.write_all(bytes).and_then(|()| standard.flush())?);
        };
        // Devices have no length to set.
        let emptied = if file.metadata().is_ok_and(|metadata| metadata.is_file()) { file.set_len(0) } else { Ok(()) };
        emptied
            .and_then(|()| file.write_all(bytes))
            .with_context(|| format!("cannot write {}", self.path.display()))?;
        self.is_fresh = false;
        Ok(())
    }
}

/// Complains when the folder that `path` lies in is not there.
pub fn ensure_folder(path: &Path) -> anyhow::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty() && !folder.is_dir());
    match folder {
        Some(folder) => {
            let (path, folder) = (path.display(), folder.display());
            bail!("cannot write {path}: there is no folder {folder}; make it first, or name another place")
        }
        None => Ok(()),
    }
}

/// Complains when `output` is one of `others`, which it would write over; standard streams are never the same.
pub fn ensure_apart<'a>(output: &Path, others: impl IntoIterator<Item = &'a Path>) -> anyhow::Result<()> {
    let Ok(place) = output.canonicalize() else { return Ok(()) };
    for other in others {
        ensure!(
            other.canonicalize().ok().as_ref() != Some(&place),
            "{} would be written over; name another file",
            other.display()
        );
    }
    Ok(())
}

impl Drop for Output<'_> {
    /// Leaves no empty file behind when there is no result.
    fn drop(&mut self) {
        if self.is_fresh && self.file.take().is_some() {
            // It is empty and ours; if it can't be removed there is nothing more to do.
            let _ = fs::remove_file(self.path);
        }
    }
}
