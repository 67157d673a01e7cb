//! How far loading is.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// How far loading is, for another thread to look at meanwhile: clones count together.
#[derive(Clone, Debug, Default)]
pub struct Progress(Arc<Counts>);

#[derive(Debug, Default)]
struct Counts {
    read: AtomicU64,
    of: AtomicU64,
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
        let Counts { read, of } = &*self.0;
        [read, of].map(|count| count.load(Ordering::Relaxed))
    }

    pub(super) fn expect(&self, bytes: u64) {
        self.0.of.fetch_add(bytes, Ordering::Relaxed);
    }

    pub(super) fn add(&self, bytes: u64) {
        self.0.read.fetch_add(bytes, Ordering::Relaxed);
    }
}
