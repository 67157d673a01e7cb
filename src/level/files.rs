//! Finding and reading the files that a level names, whatever system it was made on.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Cursor, Read};
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use xxhash_rust::xxh3::{Xxh3, xxh3_128};

use super::Progress;

/// Files that are in memory, by path: a level and what it names, where there is no disk. They are found as those on a disk are.
/// Clones share the contents.
#[derive(Clone, Debug, Default)]
pub struct InMemory(BTreeMap<PathBuf, Arc<[u8]>>);

impl InMemory {
    /// Adds a file, in the place of one that has the same path. Parts that are `.` or `..` are taken out of the path.
    pub fn insert(&mut self, path: impl AsRef<Path>, content: impl Into<Arc<[u8]>>) {
        self.0.insert(plain(path.as_ref()), content.into());
    }

    /// What is in a file; `None` where there is none of that path.
    pub fn get(&self, path: impl AsRef<Path>) -> Option<&[u8]> {
        self.0.get(&plain(path.as_ref())).map(|content| &**content)
    }

    fn read(&self, path: &Path, limit: u64) -> io::Result<&[u8]> {
        let content = self.get(path).ok_or(io::ErrorKind::NotFound)?;
        if content.len() as u64 > limit { Err(too_large(limit)) } else { Ok(content) }
    }

    fn find_in(&self, folder: &Path, name: &str) -> Option<PathBuf> {
        let wanted = plain(&folder.join(name));
        if self.0.contains_key(&wanted) {
            return Some(wanted);
        }
        let lower = |path: &Path| path.to_string_lossy().to_lowercase();
        self.0.keys().find(|path| lower(path) == lower(&wanted)).cloned()
    }
}

/// A path without parts that are `.` or `..`.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                plain.pop();
            }
            part => plain.push(part),
        }
    }
    plain
}

/// The disk as a loader sees it, or what stands in for it. It can note all that is looked for and read, for the cache.
#[derive(Debug, Default)]
pub(super) struct Files {
    memory: Option<InMemory>,
    trace: Option<Mutex<Trace>>,
    progress: Option<Progress>,
}

impl Files {
    /// Files that tell how far the level's own is read.
    pub fn new(progress: Option<Progress>) -> Files {
        Files { memory: None, trace: None, progress }
    }

    /// These in the place of the disk.
    pub fn in_memory(memory: InMemory, progress: Option<Progress>) -> Files {
        Files { memory: Some(memory), trace: None, progress }
    }

    /// Length of a file in bytes. An error where there is none, or a folder.
    pub fn length(&self, path: &Path) -> io::Result<u64> {
        match &self.memory {
            Some(memory) => Ok(memory.read(path, u64::MAX)?.len() as u64),
            None => match fs::metadata(path)? {
                metadata if metadata.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
                metadata => Ok(metadata.len()),
            },
        }
    }

    /// These, noting what is done with them.
    pub fn traced(self) -> Files {
        Files { trace: Some(Mutex::default()), ..self }
    }

    /// What was done, in an order that is always the same; nothing without notes.
    pub fn into_trace(self) -> Option<Trace> {
        let mut trace = self.trace?.into_inner().unwrap_or_else(PoisonError::into_inner);
        trace.searches.sort();
        trace.searches.dedup();
        trace.readings.sort();
        trace.readings.dedup();
        Some(trace)
    }

    fn note_path(&self, path: &Path) {
        if let Some(progress) = &self.progress {
            progress.note(path);
        }
    }

    fn note(&self, note: impl FnOnce(&mut Trace)) {
        if let Some(trace) = &self.trace {
            note(&mut trace.lock().unwrap_or_else(PoisonError::into_inner));
        }
    }

    /// Reads a regular file of at most `limit` bytes. Pipes and devices are refused, as they may never end.
    pub fn read(&self, path: &Path, limit: u64) -> io::Result<Vec<u8>> {
        self.note_path(path);
        let read = match &self.memory {
            Some(memory) => memory.read(path, limit).map(<[u8]>::to_vec),
            None => read(path, limit),
        };
        match &read {
            Ok(bytes) if self.trace.is_some() => {
                let reading = Reading { path: path.to_owned(), length: bytes.len() as u64, hash: xxh3_128(bytes) };
                self.note(|trace| trace.readings.push(reading));
            }
            Ok(_) => {}
            Err(_) => self.note(|trace| trace.has_failed = true),
        }
        read
    }

    /// [`Files::read`] of the level's own file.
    pub fn read_level(&self, path: &Path, limit: u64) -> io::Result<Vec<u8>> {
        let bytes = self.read(path, limit)?;
        self.advance(bytes.len());
        Ok(bytes)
    }

    fn advance(&self, bytes: usize) {
        if let Some(progress) = &self.progress {
            progress.add(bytes as u64);
        }
    }

    /// Opens the level's own file, a regular one of at most `limit` bytes, to be read to its end.
    pub fn open(&self, path: &Path, limit: u64) -> io::Result<Reader<'_>> {
        self.note_path(path);
        let file: Box<dyn Read + '_> = match &self.memory {
            Some(memory) => Box::new(Cursor::new(memory.read(path, limit)?)),
            None => Box::new(open(path, limit)?),
        };
        Ok(Reader { file, files: self, path: path.to_owned(), length: 0, limit, hash: Xxh3::new() })
    }

    /// The file that `name` (with forward slashes) means: relative to the first of `folders` that has it, in any letter case,
    /// or else the bare file name there, for paths of another machine. `None` when there is no such file.
    pub fn find(&self, folders: &[&Path], name: &str) -> Option<PathBuf> {
        let found = match &self.memory {
            Some(memory) => find_with(folders, name, |folder, name| memory.find_in(folder, name)),
            None => find(folders, name),
        };
        if found.is_none() {
            folders.iter().for_each(|folder| self.note_path(&folder.join(name)));
        }
        self.note(|trace| {
            let folders = folders.iter().map(|&folder| folder.to_owned()).collect();
            trace.searches.push(Search { folders, name: name.to_owned(), found: found.clone() });
        });
        found
    }
}

/// All that a loader did with the disk. While it would go the same way again, so would loading.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Trace {
    pub searches: Vec<Search>,
    pub readings: Vec<Reading>,
    /// Whether something that was there could not be read: then nothing is known about the next time.
    pub has_failed: bool,
}

/// A file that was looked for, and what was found.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Search {
    pub folders: Vec<PathBuf>,
    pub name: String,
    pub found: Option<PathBuf>,
}

/// A file that was read, and what was in it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Reading {
    pub path: PathBuf,
    /// In bytes.
    pub length: u64,
    /// XXH3 of the content.
    pub hash: u128,
}

impl Search {
    /// Whether looking again finds the same.
    pub fn holds(&self) -> bool {
        let folders: Vec<&Path> = self.folders.iter().map(PathBuf::as_path).collect();
        find(&folders, &self.name) == self.found
    }
}

impl Trace {
    /// Every file that has to do with it: those that were read, and where one is missing.
    pub fn files(&self) -> impl Iterator<Item = PathBuf> {
        let missing = self.searches.iter().filter(|search| search.found.is_none());
        let missing = missing.flat_map(|search| search.folders.iter().map(|folder| folder.join(&search.name)));
        self.readings.iter().map(|reading| reading.path.clone()).chain(missing)
    }
}

impl Reading {
    /// Whether the file still holds the same.
    pub fn holds(&self) -> bool {
        fs::metadata(&self.path).is_ok_and(|metadata| metadata.is_file() && metadata.len() == self.length)
            && hash_of(&self.path).is_ok_and(|hash| hash == self.hash)
    }
}

/// The hash of a file, read piece by piece.
fn hash_of(path: &Path) -> io::Result<u128> {
    let mut file = fs::File::open(path)?;
    let mut hash = Xxh3::new();
    // As much as the processor's own caches hold.
    let mut piece = vec![0; 1 << 18];
    loop {
        match file.read(&mut piece)? {
            0 => return Ok(hash.digest128()),
            count => hash.update(&piece[..count]),
        }
    }
}

/// Reads a regular file of at most `limit` bytes.
pub(crate) fn read(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let file = open(path, limit)?;
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(file.metadata()?.len() as usize + 1).map_err(|_| io::ErrorKind::OutOfMemory)?;
    file.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit { Err(too_large(limit)) } else { Ok(bytes) }
}

/// Opens a regular file of at most `limit` bytes: pipes and devices may never end.
pub(super) fn open(path: &Path, limit: u64) -> io::Result<fs::File> {
    let metadata = fs::metadata(path)?;
    if !metadata.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file; save it as one"));
    }
    if metadata.len() > limit { Err(too_large(limit)) } else { fs::File::open(path) }
}

fn too_large(limit: u64) -> io::Error {
    io::Error::new(io::ErrorKind::FileTooLarge, format!("it is larger than {} MiB", limit >> 20))
}

/// A file that is read piece by piece. At its end [`Files`] note what was in it.
pub(super) struct Reader<'a> {
    file: Box<dyn Read + 'a>,
    files: &'a Files,
    path: PathBuf,
    /// How much was read so far.
    length: u64,
    limit: u64,
    /// Of all that was read.
    hash: Xxh3,
}

impl Read for Reader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.file.read(buffer)?;
        self.length += count as u64;
        self.files.advance(count);
        if self.length > self.limit {
            return Err(too_large(self.limit));
        }
        if self.files.trace.is_some() {
            self.hash.update(&buffer[..count]);
            if count == 0 && !buffer.is_empty() {
                let reading = Reading { path: self.path.clone(), length: self.length, hash: self.hash.digest128() };
                self.files.note(|trace| trace.readings.push(reading));
            }
        }
        Ok(count)
    }
}

/// Renames a file, over one that may be there. Windows refuses that while somebody has the other one open, be it only to look at its
/// time or for viruses; that does not last.
pub(super) fn replace(from: &Path, to: &Path) -> io::Result<()> {
    for _ in 0..20 {
        match fs::rename(from, to) {
            Err(error) if cfg!(windows) && error.kind() == io::ErrorKind::PermissionDenied => {
                thread::sleep(Duration::from_millis(50));
            }
            renamed => return renamed,
        }
    }
    fs::rename(from, to)
}

/// A name with forward slashes, from whichever system it comes. Of a name on another machine (`\\server\art\wall.png`) only that of the
/// file is left: no machine is asked for what a file names, as Windows would tell it who asks.
pub(crate) fn with_slashes(name: &str) -> String {
    let name = name.replace('\\', "/");
    if name.starts_with("//") { name.rsplit('/').next().unwrap_or_default().to_owned() } else { name }
}

/// The same for OBJ and MTL, where a backslash before a space is no part of a path: it says that the space is one of the name.
pub(super) fn with_spaces(name: &str) -> String {
    with_slashes(&name.replace("\\ ", " "))
}

/// The file that `name` (with forward slashes) means: relative to the first of `folders` that has it, in any letter case,
/// or else the bare file name there, for paths of another machine. `None` when there is no such file.
pub(crate) fn find(folders: &[&Path], name: &str) -> Option<PathBuf> {
    find_with(folders, name, find_in)
}

fn find_with(folders: &[&Path], name: &str, find_in: impl Fn(&Path, &str) -> Option<PathBuf>) -> Option<PathBuf> {
    let bare = name.rsplit('/').next().filter(|bare| *bare != name);
    [Some(name), bare].into_iter().flatten().find_map(|name| folders.iter().find_map(|folder| find_in(folder, name)))
}

fn find_in(folder: &Path, name: &str) -> Option<PathBuf> {
    let exact = folder.join(name);
    if is_there(&exact) {
        return Some(exact);
    }
    // Not in the folder: a drive of Windows, or the root.
    if matches!(Path::new(name).components().next(), Some(Component::Prefix(_) | Component::RootDir)) {
        return None;
    }
    let mut path = folder.to_owned();
    for part in name.split('/').filter(|part| !part.is_empty() && *part != ".") {
        let next = path.join(part);
        path = if part == ".." || next.exists() { next } else { in_any_case(&path, part)? };
    }
    is_there(&path).then_some(path)
}

/// Whether there is something that is no folder. What cannot be read, as a pipe, is found all the same, so that this is told.
fn is_there(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|metadata| !metadata.is_dir())
}

/// The entry of `folder` that is `name` but for letter case; the first in order of name where there are several.
fn in_any_case(folder: &Path, name: &str) -> Option<PathBuf> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let wanted = name.to_lowercase();
    let entries = fs::read_dir(folder).ok()?.filter_map(|entry| Some(entry.ok()?.path()));
    entries.filter(|path| path.file_name().is_some_and(|name| name.to_string_lossy().to_lowercase() == wanted)).min()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_any_system_have_forward_slashes() {
        for (name, expected) in [
            ("art\\old/wall.png", "art/old/wall.png"),
            ("C:\\art\\wall.png", "C:/art/wall.png"),
            ("/art/wall.png", "/art/wall.png"),
            ("\\\\server\\art\\wall.png", "wall.png"),
            ("//server/art/wall.png", "wall.png"),
            ("\\\\?\\C:\\wall.png", "wall.png"),
        ] {
            assert_eq!(with_slashes(name), expected);
        }
        assert_eq!(with_spaces("art\\old\\ wall.png"), "art/old wall.png");
    }
}
