//! Files that keys write: each under a name that is free, so that nothing is overwritten.

use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// Makes the first free one of `PREFIX001.EXTENSION`, `PREFIX002.EXTENSION`, ... in `folder`, and gives it with its path.
///
/// # Errors
/// When it cannot be made, or all numbers up to 9999 are taken.
pub fn create(folder: &Path, prefix: &str, extension: &str) -> io::Result<(PathBuf, File)> {
    for number in 1..=9999 {
        let path = folder.join(format!("{prefix}{number:03}.{extension}"));
        match OpenOptions::new().write(true).create_new(true).open(&path) {
            Ok(file) => return Ok((path, file)),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    let taken = format!("{prefix}001.{extension} to {prefix}9999.{extension} are taken");
    Err(io::Error::new(ErrorKind::AlreadyExists, taken))
}
