//! How far loading is, and which files it has to do with.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// How far loading is, for another thread to look at meanwhile: clones count together.
#[derive(Clone, Debug, Default)]
pub struct Progress(Arc<Counts>);

#[derive(Debug, Default)]
struct Counts {
    read: AtomicU64,
    of: AtomicU64,
    files: Mutex<BTreeSet<PathBuf>>,
}

/// Two are the same that count together.
impl PartialEq for Progress {
    fn eq(&self, other: &Progress) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Progress {
    /// Bytes of level files that were gone through, and how many there are; an OBJ file is gone through twice. Files that are
    /// still to be named, and what comes after reading, do not count.
    pub fn bytes(&self) -> [u64; 2] {
        let Counts { read, of, .. } = &*self.0;
        [read, of].map(|count| count.load(Ordering::Relaxed))
    }

    /// Every file that was read so far, in order of path, and where one was looked for and is missing: when one of them changes,
    /// loading again may give something else.
    pub fn files(&self) -> Vec<PathBuf> {
        self.0.files.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }

    pub(super) fn note(&self, file: &Path) {
        self.0.files.lock().unwrap_or_else(PoisonError::into_inner).insert(file.to_owned());
    }

    pub(super) fn expect(&self, bytes: u64) {
        self.0.of.fetch_add(bytes, Ordering::Relaxed);
    }

    pub(super) fn add(&self, bytes: u64) {
        self.0.read.fetch_add(bytes, Ordering::Relaxed);
    }
}
