//! The load cache: levels as they came out of loading, in files of our own, taken again while all that they were made from is
//! the same.
//!
//! A file of the cache is found by a hash of the level's path and of how it is read. It begins with what loading looked for and
//! read, each file with a hash of its content ([`Trace`]); only if a look at the disk finds all of it unchanged is the rest
//! taken. So an edited texture shows, and so does one that was missing and is there now, and a file that was only touched does
//! not count as changed. Hashes rather than times decide, as times can lie: hashing 300 MB takes 0.1 s, loading them seconds.
//!
//! Another build of nodetree, a fault in the file, or no space for it: then the level is read as if there were no cache.

mod decode;
mod encode;

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;

use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_128;

use super::files::{Trace, replace};
use super::{Level, LoadOptions};

/// A folder with levels that were loaded before.
///
/// Nothing else should be in it. Any number of programs can use it at once: files come into being by being renamed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cache {
    /// The folder; made when there is something to keep.
    pub folder: PathBuf,
    /// The most that the files of the folder may take together, in bytes: beyond, those go that were not used for longest.
    pub limit: u64,
    /// Levels whose files have fewer bytes together are not kept: reading them takes no longer.
    pub smallest: u64,
}

/// Marks a file of the cache and who wrote it; others cannot be read.
const MARK: &str = concat!("nodetree level ", env!("CARGO_PKG_VERSION"), " ", env!("NODETREE_LEVEL_SOURCES"), "\n");

/// How names of files in the folder end, and of those that are being written.
const ENDINGS: [&str; 2] = ["level", "part"];

impl Cache {
    /// The usual [`Cache::limit`]: 4 GiB.
    pub const LIMIT: u64 = 4 << 30;

    /// The usual [`Cache::smallest`]: 256 KiB.
    pub const SMALLEST: u64 = 256 << 10;

    /// A cache in a folder, with the usual limits.
    pub fn new(folder: impl Into<PathBuf>) -> Cache {
        Cache { folder: folder.into(), limit: Cache::LIMIT, smallest: Cache::SMALLEST }
    }

    /// The level that `load` made of this file with these options, when all files that had a part in it are the same. `None`
    /// when they are not, or when there is nothing in the cache.
    pub fn look_up(&self, path: &Path, options: &LoadOptions) -> Option<Level> {
        let file = self.file_for(path, options);
        let level = decode::read(&file, |trace| {
            if let Some(progress) = &options.progress {
                trace.files().for_each(|path| progress.note(&path));
            }
            holds(&trace)
        });
        let level = level.ok()?;
        // What was used last goes last; where this fails, it goes sooner.
        let _ = File::options().append(true).open(&file).and_then(|file| file.set_modified(SystemTime::now()));
        Some(level)
    }

    /// The level in the bytes of a file of a cache, up to date or not. `None` when they are damaged, or another build of nodetree wrote
    /// them.
    pub fn read_file(bytes: &[u8]) -> Option<Level> {
        decode::read_from(bytes, bytes.len() as u64, |_| true).ok()
    }

    /// Keeps a level that was made along `trace`, unless it is too small, too large, or cannot be kept right.
    ///
    /// # Errors
    /// When it cannot be written, or something in it has no place in the file: a name that is no Unicode. Then the folder is as
    /// it was.
    pub(super) fn keep(&self, path: &Path, options: &LoadOptions, trace: &Trace, level: &Level) -> io::Result<()> {
        let source: u64 = trace.readings.iter().map(|reading| reading.length).sum();
        if trace.has_failed || source < self.smallest || encode::least_size(level) > self.limit {
            return Ok(());
        }
        fs::create_dir_all(&self.folder)?;
        let file = self.file_for(path, options);
        let part =
            file.with_extension(format!("{}-{}.part", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed)));
        let kept = encode::write(&part, trace, level).and_then(|()| replace(&part, &file));
        if kept.is_err() {
            let _ = fs::remove_file(&part);
        }
        kept?;
        self.trim(&file)
    }

    /// Removes files, those first that were not used for longest, until the rest and `newest` are within the limit.
    fn trim(&self, newest: &Path) -> io::Result<()> {
        let mut files: Vec<(SystemTime, u64, PathBuf)> = Vec::new();
        for entry in fs::read_dir(&self.folder)? {
            let entry = entry?;
            let path = entry.path();
            let is_ours = path.extension().is_some_and(|ending| ENDINGS.iter().any(|ours| ending == *ours));
            // Another program may have removed it by now.
            if let Some(metadata) = entry.metadata().ok().filter(|metadata| is_ours && metadata.is_file()) {
                files.push((metadata.modified()?, metadata.len(), path));
            }
        }
        files.sort();
        let mut total: u64 = files.iter().map(|(_, length, _)| length).sum();
        for (_, length, path) in files.iter().filter(|(_, _, path)| path != newest) {
            if total <= self.limit {
                break;
            }
            fs::remove_file(path)?;
            total -= length;
        }
        Ok(())
    }

    /// Where the level is kept. The path counts as it was given, as the level is named by it, and for what it means from here.
    fn file_for(&self, path: &Path, options: &LoadOptions) -> PathBuf {
        let options = LoadOptions { cache: None, progress: None, ..options.clone() };
        let key = format!("{path:?} {:?} {options:?}", std::path::absolute(path).ok());
        self.folder.join(format!("{:032x}.level", xxh3_128(key.as_bytes())))
    }
}

/// Tells the files apart that one process is writing.
static COUNT: AtomicU64 = AtomicU64::new(0);

/// Whether loading would find and read the same again.
fn holds(trace: &Trace) -> bool {
    trace.searches.par_iter().all(|search| search.holds()) && trace.readings.par_iter().all(|reading| reading.holds())
}

/// Why bytes cannot be a level.
fn damaged(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}
