//! Recording a path to a file of its own.

use std::fs::{self, File};
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

use super::free_file;
use crate::level::Level;
use crate::tree::Tree;
use crate::walk::path::Recorder;
use crate::walk::{Input, Settings, Walker};

/// A path that is being recorded. Dropping it writes what is left.
pub struct Recording {
    path: PathBuf,
    recorder: Recorder<BufWriter<File>>,
}

impl Recording {
    /// Begins the first free one of `nodetree-path-001.jsonl`, `nodetree-path-002.jsonl`, ... in `folder`, see
    /// [`Recorder::start`].
    ///
    /// # Errors
    /// When it cannot be written, or all numbers up to 9999 are taken.
    pub fn start(
        folder: &Path,
        walker: &mut Walker,
        level: &Level,
        tree: &Tree,
        settings: &Settings,
    ) -> io::Result<Recording> {
        let (path, file) = free_file::create(folder, "nodetree-path-", "jsonl")?;
        match Recorder::start(BufWriter::new(file), walker, level, tree, settings) {
            Ok(recorder) => Ok(Recording { path, recorder }),
            Err(error) => {
                // It holds no path; if it cannot be removed there is nothing more to do.
                let _ = fs::remove_file(&path);
                Err(error)
            }
        }
    }

    /// Notes the step that `walker` is about to take.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn step(&mut self, walker: &Walker, input: &Input) -> io::Result<()> {
        self.recorder.step(walker, input)
    }

    /// Writes what is left, and gives the path.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn stop(mut self) -> io::Result<PathBuf> {
        self.recorder.finish()?;
        Ok(self.path.clone())
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Steps noted so far.
    pub fn steps(&self) -> u64 {
        self.recorder.steps()
    }
}

impl Drop for Recording {
    fn drop(&mut self) {
        // There is nobody left to tell.
        let _ = self.recorder.finish();
    }
}
