//! Opening another level in the place of the one that is shown, in the background: `R`, a file that is dropped on the window, or
//! one that has changed.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use glam::Vec3;

use super::background::{Background, Outcome};
use super::watcher::Watcher;
use super::{Wake, state};
use crate::camera::Camera;
use crate::level::{Level, Progress};
use crate::render::SkySource;
use crate::scene::{NodeId, Scene};
use crate::tree::{Settings, Tree};
use crate::walk;

/// Opens a level, on any thread. Errors are one line.
pub type Opener = dyn Fn(&Wanted<'_>) -> Result<Opened, String> + Send + Sync;

/// Which level to open and how.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'a> {
    /// The file, or what else the level is called by.
    pub path: &'a Path,
    /// How to build its tree; `None` leaves it to the opener.
    pub tree: Option<Settings>,
    /// Start on foot rather than in flight.
    pub walks: bool,
    /// To be told how far loading is.
    pub progress: &'a Progress,
}

/// A level with all that is shown of it, and where to start.
pub struct Opened {
    /// The level.
    pub level: Level,
    /// Its tree.
    pub tree: Tree,
    /// What is in it.
    pub scene: Scene,
    /// Where to start. The window gives the aspect.
    pub camera: Camera,
    /// The camera of the scene to look through at first; a key that moves leaves it.
    pub scene_camera: Option<NodeId>,
    /// What is behind the level.
    pub sky: SkySource,
    /// How far the sky is turned, in radians, counter-clockwise seen from above.
    pub sky_turn: f32,
}

/// Where to start on foot: at the spawn point of the level, else at a place that is found, else where `camera` is already.
pub fn on_foot(level: &Level, tree: &Tree, walker: &walk::Settings, camera: Camera) -> Camera {
    let feet = match level.spawn {
        Some(spawn) => Some(walk::settle_spawn(tree, walker, level.to_local(spawn.feet))),
        None => walk::find_spawn(tree, walker),
    };
    let Some(feet) = feet else { return camera };
    let yaw = level.spawn.map_or(0.0, |spawn| spawn.yaw);
    Camera { eye: feet + (walker.height - walker.eye_below_top) * Vec3::Y, yaw, pitch: 0.0, ..camera }
}

/// A level that was to be opened.
pub struct Ended {
    /// Its file.
    pub path: PathBuf,
    /// Whether it is the one that is shown, from its file again.
    pub again: bool,
    /// The level, or why there is none.
    pub outcome: Result<Opened, String>,
}

/// What opens levels while one is shown.
pub struct Loader {
    open: Arc<Opener>,
    /// Called from other threads when there is something to [`Loader::take`], or a file has changed.
    wake: Arc<dyn Fn(Wake) + Send + Sync>,
    /// Of the level that is shown.
    path: PathBuf,
    /// Which it is made of, as far as anybody looks at them.
    files: Vec<PathBuf>,
    watcher: Option<Watcher>,
    loading: Option<Loading>,
    /// A file changed while the level was loaded.
    changed: bool,
}

struct Loading {
    path: PathBuf,
    again: bool,
    progress: Progress,
    work: Background<Result<Box<Opened>, String>>,
}

impl Loader {
    /// What opens levels with `open`, while that of `path` is shown. With its `files` it looks after these.
    ///
    /// # Errors
    /// When the system gives no thread to look after files.
    pub fn new(
        open: Arc<Opener>,
        path: PathBuf,
        files: Option<Vec<PathBuf>>,
        wake: Arc<dyn Fn(Wake) + Send + Sync>,
    ) -> io::Result<Loader> {
        let watcher = match &files {
            Some(files) => {
                let wake = Arc::clone(&wake);
                Some(Watcher::start(files.clone(), move || wake(Wake::Changed))?)
            }
            None => None,
        };
        let files = files.unwrap_or_default();
        Ok(Loader { open, wake, path, files, watcher, loading: None, changed: false })
    }

    /// Whether a level is being loaded.
    pub fn is_loading(&self) -> bool {
        self.loading.is_some()
    }

    /// Begins to load the level from its file again, with a tree of these settings. Whether that began: not while something is
    /// loaded already.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn reload(&mut self, tree: Settings, walks: bool) -> io::Result<bool> {
        if self.loading.is_some() {
            return Ok(false);
        }
        self.start(self.path.clone(), Some(tree), walks).map(|()| true)
    }

    /// Begins to load another level; what was being loaded is forgotten.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn open(&mut self, path: PathBuf, walks: bool) -> io::Result<()> {
        self.start(path, None, walks)
    }

    fn start(&mut self, path: PathBuf, tree: Option<Settings>, walks: bool) -> io::Result<()> {
        let (open, wake, progress) = (Arc::clone(&self.open), Arc::clone(&self.wake), Progress::default());
        let work = {
            let (path, progress) = (path.clone(), progress.clone());
            move || open(&Wanted { path: &path, tree, walks, progress: &progress }).map(Box::new)
        };
        let work = Background::start("level loader", work, move || wake(Wake::Level))?;
        self.loading = Some(Loading { path, again: tree.is_some(), progress, work });
        self.changed = false;
        Ok(())
    }

    /// A file has changed. Whether the level is to be loaded again now: not while one is loaded, see [`Loader::take_change`].
    pub fn note_change(&mut self) -> bool {
        self.changed = self.loading.is_some();
        !self.changed
    }

    /// Whether a file changed while a level was loaded, which is forgotten.
    pub fn take_change(&mut self) -> bool {
        std::mem::take(&mut self.changed)
    }

    /// What came of loading, once it has ended. The files of the level that is shown from then on are looked after.
    pub fn take(&mut self) -> Option<Ended> {
        let outcome = match self.loading.as_ref()?.work.poll() {
            Outcome::Working => return None,
            Outcome::Done(outcome) => outcome.map(|opened| *opened),
            Outcome::Failed => Err("the loader broke off, which is a fault of nodetree".to_owned()),
        };
        let Loading { path, again, progress, .. } = self.loading.take()?;
        let files = progress.files().into_iter().chain([path.clone()]);
        if outcome.is_ok() {
            self.path.clone_from(&path);
            self.files = files.collect();
        } else if again {
            // What is missing may come, and what is broken be mended.
            self.files.extend(files);
        }
        if let Some(watcher) = &self.watcher {
            watcher.watch(self.files.clone());
        }
        Some(Ended { path, again, outcome })
    }

    /// What is being loaded, and how far that is.
    pub fn describe(&self) -> Option<state::Loading> {
        let loading = self.loading.as_ref()?;
        let [read, of] = loading.progress.bytes();
        Some(state::Loading { path: loading.path.to_string_lossy().into_owned(), read: read.min(of), of })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;
    use crate::tree::Mode;

    fn loader(
        open: impl Fn(&Wanted<'_>) -> Result<Opened, String> + Send + Sync + 'static,
    ) -> (Loader, mpsc::Receiver<Wake>) {
        let (sender, woken) = mpsc::channel();
        let wake = Arc::new(move |why| sender.send(why).expect("we wait"));
        (Loader::new(Arc::new(open), "shown.obj".into(), None, wake).expect("no thread is needed"), woken)
    }

    fn opened(wanted: &Wanted<'_>) -> Opened {
        let level = Level { name: wanted.path.display().to_string(), ..Level::default() };
        let tree = Tree::build(&level, &wanted.tree.unwrap_or(Settings::new(Mode::Quadtree)));
        Opened {
            level,
            tree,
            scene: Scene::default(),
            camera: Camera::default(),
            scene_camera: None,
            sky: SkySource::default(),
            sky_turn: 0.0,
        }
    }

    #[test]
    fn a_level_comes_again_with_the_tree_that_is_in_use() {
        let (mut loader, woken) = loader(|wanted| Ok(opened(wanted)));
        assert!(loader.reload(Settings::new(Mode::Octree), false).expect("a thread"));
        assert!(!loader.reload(Settings::new(Mode::Octree), false).expect("none is needed"), "one at a time");
        assert_eq!(woken.recv(), Ok(Wake::Level));
        let ended = loader.take().expect("it woke us");
        let opened = ended.outcome.expect("it opens");
        assert_eq!((opened.level.name.as_str(), opened.tree.mode(), ended.again), ("shown.obj", Mode::Octree, true));
        assert!(loader.take().is_none() && !loader.is_loading());
    }

    #[test]
    fn what_is_opened_is_what_is_loaded_again_unless_it_fails() {
        let (mut loader, woken) = loader(|wanted| {
            if wanted.path == Path::new("broken.obj") { Err("it is broken".to_owned()) } else { Ok(opened(wanted)) }
        });
        for (path, again) in [("other.obj", "other.obj"), ("broken.obj", "other.obj")] {
            loader.open(path.into(), false).expect("a thread");
            assert_eq!(loader.describe().expect("it loads").path, path);
            woken.recv().expect("it ends");
            assert_eq!(loader.take().expect("it woke us").outcome.is_ok(), path == again);
            loader.reload(Settings::new(Mode::Octree), false).expect("a thread");
            woken.recv().expect("it ends");
            assert_eq!(loader.take().expect("it woke us").path, Path::new(again));
        }
    }

    #[test]
    fn a_loader_that_panics_is_an_error() {
        let (mut loader, woken) = loader(|_| panic!("for the test"));
        loader.reload(Settings::new(Mode::Octree), false).expect("a thread");
        woken.recv().expect("it ends");
        assert!(loader.take().expect("it woke us").outcome.is_err());
    }

    #[test]
    fn a_change_while_loading_is_kept_for_later() {
        let (mut loader, woken) = loader(|wanted| Ok(opened(wanted)));
        assert!(loader.note_change(), "nothing is loaded");
        loader.reload(Settings::new(Mode::Octree), false).expect("a thread");
        assert!(!loader.note_change());
        woken.recv().expect("it ends");
        loader.take().expect("it woke us");
        assert!(loader.take_change() && !loader.take_change());
    }
}
