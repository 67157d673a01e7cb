//! Files that a level is made of, looked after by a thread that asks twice a second when they were changed.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, SystemTime};

/// From one look to the next.
const EVERY: Duration = Duration::from_millis(500);

/// Looks after files until it is dropped.
pub struct Watcher {
    files: Sender<Vec<PathBuf>>,
}

impl Watcher {
    /// Looks after `files`, and calls `changed` when some of them have changed and then stayed as they are from one look to the
    /// next: whoever writes them may take a while.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn start(files: Vec<PathBuf>, changed: impl Fn() + Send + 'static) -> io::Result<Watcher> {
        let (sender, receiver) = mpsc::channel();
        let mut stamps = Stamps::default();
        stamps.watch(files);
        thread::Builder::new().name("file watcher".to_owned()).spawn(move || {
            loop {
                match receiver.recv_timeout(EVERY) {
                    Ok(files) => stamps.watch(files),
                    Err(RecvTimeoutError::Timeout) if stamps.look() => changed(),
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => return,
                }
            }
        })?;
        Ok(Watcher { files: sender })
    }

    /// Looks after these instead. What changed of those that were looked after before is still noticed.
    pub fn watch(&self, files: Vec<PathBuf>) {
        // Without the thread, which has died then, nothing is looked after any more.
        let _ = self.files.send(files);
    }
}

/// When a file was changed and how long it is; `None` when there is none.
type Stamp = Option<(SystemTime, u64)>;

#[derive(Default)]
struct Stamps {
    /// As they were when the level was loaded.
    known: BTreeMap<PathBuf, Stamp>,
    /// As they were at the last look, where that was something else.
    last: Option<Vec<Stamp>>,
}

impl Stamps {
    fn watch(&mut self, files: Vec<PathBuf>) {
        let known = std::mem::take(&mut self.known);
        let stamp = |path: PathBuf| {
            let stamp = known.get(&path).copied().unwrap_or_else(|| stamp_of(&path));
            (path, stamp)
        };
        self.known = files.into_iter().map(stamp).collect();
        self.last = None;
    }

    /// Whether files have changed, and are as they were at the last look. They are then known as they are.
    fn look(&mut self) -> bool {
        let now: Vec<Stamp> = self.known.keys().map(|path| stamp_of(path)).collect();
        if self.known.values().eq(&now) {
            self.last = None;
            return false;
        }
        if self.last.as_ref() != Some(&now) {
            self.last = Some(now);
            return false;
        }
        self.last = None;
        self.known.values_mut().zip(now).for_each(|(known, now)| *known = now);
        true
    }
}

fn stamp_of(path: &Path) -> Stamp {
    let metadata = path.metadata().ok()?;
    Some((metadata.modified().ok()?, metadata.len()))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn changes_are_told_once_and_when_they_are_over() {
        let folder = tempfile::tempdir().expect("a folder");
        let [level, picture, other] = ["level.obj", "wall.png", "other.obj"].map(|name| folder.path().join(name));
        fs::write(&level, "v 0 0 0").expect("it is written");
        let mut stamps = Stamps::default();
        stamps.watch(vec![level.clone(), picture.clone()]);
        assert!(!stamps.look() && !stamps.look());
        // Written in two pieces.
        fs::write(&level, "v 0 0 0\nv").expect("it is written");
        assert!(!stamps.look());
        fs::write(&level, "v 0 0 0\nv 1 0 0").expect("it is written");
        assert!(!stamps.look());
        assert!(stamps.look() && !stamps.look());
        // One that was missing comes, while another is added to those that are looked after.
        fs::write(&picture, "pixels").expect("it is written");
        stamps.watch(vec![level.clone(), picture.clone(), other.clone()]);
        assert!(!stamps.look());
        assert!(stamps.look() && !stamps.look());
        fs::remove_file(&level).expect("it is there");
        assert!(!stamps.look());
        assert!(stamps.look());
        // One that nobody looks after any more.
        stamps.watch(vec![level]);
        fs::write(&picture, "other pixels").expect("it is written");
        assert!(!stamps.look() && !stamps.look());
    }
}
