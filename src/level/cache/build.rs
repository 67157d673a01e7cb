//! Marks what reads levels, so that a file of the load cache that another build wrote is not taken for one of this build.

use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash, Hasher};
use std::io;
use std::path::Path;

/// What decides what a level file becomes: our sources, and the versions of what they call.
const SOURCES: [&str; 3] = ["src/level", "src/geometry", "Cargo.lock"];

fn main() -> io::Result<()> {
    let mut hasher = DefaultHasher::new();
    // A crate from a registry comes without a lock file, and its sources never change within a version.
    for source in SOURCES.iter().map(Path::new).filter(|source| source.exists()) {
        println!("cargo:rerun-if-changed={}", source.display());
        add(source, &mut hasher)?;
    }
    println!("cargo:rustc-env=NODETREE_LEVEL_SOURCES={:016x}", hasher.finish());
    Ok(())
}

/// Hashes a file, or all files below a folder in order of their names.
fn add(path: &Path, hasher: &mut DefaultHasher) -> io::Result<()> {
    if path.is_file() {
        fs::read(path)?.hash(hasher);
        return Ok(());
    }
    let mut entries = fs::read_dir(path)?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
    entries.sort();
    entries.iter().try_for_each(|entry| add(entry, hasher))
}
