//! Finding and reading the files that a level names, whatever system it was made on.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Reads a regular file of at most `limit` bytes. Pipes and devices are refused, as they may never end.
pub(super) fn read(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let metadata = fs::metadata(path)?;
    if !metadata.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file"));
    }
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(metadata.len().min(limit) as usize + 1).map_err(|_| io::ErrorKind::OutOfMemory)?;
    fs::File::open(path)?.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit {
        let message = format!("it is larger than {} MiB", limit >> 20);
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, message));
    }
    Ok(bytes)
}

/// The file that `name` (with forward slashes) means: relative to the first of `folders` that has it, in any letter case,
/// or else the bare file name there, for paths of another machine. `None` when there is no such file.
pub(crate) fn find(folders: &[&Path], name: &str) -> Option<PathBuf> {
    let bare = name.rsplit('/').next().filter(|bare| *bare != name);
    [Some(name), bare].into_iter().flatten().find_map(|name| folders.iter().find_map(|folder| find_in(folder, name)))
}

fn find_in(folder: &Path, name: &str) -> Option<PathBuf> {
    let exact = folder.join(name);
    if exact.is_file() {
        return Some(exact);
    }
    if Path::new(name).is_absolute() {
        return None;
    }
    let mut path = folder.to_owned();
    for part in name.split('/').filter(|part| !part.is_empty() && *part != ".") {
        let next = path.join(part);
        path = if part == ".." || next.exists() { next } else { in_any_case(&path, part)? };
    }
    path.is_file().then_some(path)
}

/// The entry of `folder` that is `name` but for letter case; the first in order of name where there are several.
fn in_any_case(folder: &Path, name: &str) -> Option<PathBuf> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let wanted = name.to_lowercase();
    let entries = fs::read_dir(folder).ok()?.filter_map(|entry| Some(entry.ok()?.path()));
    entries.filter(|path| path.file_name().is_some_and(|name| name.to_string_lossy().to_lowercase() == wanted)).min()
}
