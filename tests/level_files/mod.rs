//! Levels written to a temporary folder and loaded from there.

// Each test takes what it needs.
#![allow(dead_code)]

use std::fs;

use nodetree::level::{self, Level, LoadError, LoadOptions, Material, WarningKind};
use tempfile::TempDir;

/// Three vertices; what is tested comes behind.
pub const TRIANGLE: &str = "v 0 0 0\nv 4 0 0\nv 0 4 0\n";

/// A folder with files, the first of which is the level.
pub fn folder(files: &[(&str, &[u8])]) -> TempDir {
    let folder = TempDir::new().expect("a temporary folder");
    for (name, content) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        fs::write(path, content).expect("a file");
    }
    folder
}

pub fn try_load(files: &[(&str, &[u8])], options: &LoadOptions) -> Result<Level, LoadError> {
    let folder = folder(files);
    level::load(&folder.path().join(files[0].0), options)
}

pub fn load_files(files: &[(&str, &[u8])]) -> Level {
    try_load(files, &LoadOptions::default()).unwrap_or_else(|error| panic!("{error}"))
}

pub fn load(obj: impl AsRef<[u8]>) -> Level {
    load_files(&[("level.obj", obj.as_ref())])
}

pub fn count(level: &Level, kind: WarningKind) -> u64 {
    level.warnings.iter().filter(|warning| warning.kind == kind).map(|warning| warning.count).sum()
}

pub fn messages(level: &Level, kind: WarningKind) -> Vec<&str> {
    level.warnings.iter().filter(|warning| warning.kind == kind).map(|warning| &*warning.message).collect()
}

/// No warning but that of an implausible size, which these tiny levels may well have.
pub fn is_clean(level: &Level) -> bool {
    level.warnings.iter().all(|warning| warning.kind == WarningKind::ImplausibleSize)
}

pub fn load_with_library(obj: &str, mtl: &str) -> Level {
    load_files(&[("level.obj", obj.as_bytes()), ("level.mtl", mtl.as_bytes())])
}

pub fn material<'a>(level: &'a Level, name: &str) -> &'a Material {
    let mut named = level.materials.iter().filter(|material| material.name == name);
    let material = named.next().unwrap_or_else(|| panic!("no material {name}"));
    assert!(named.next().is_none(), "two materials {name}");
    material
}
