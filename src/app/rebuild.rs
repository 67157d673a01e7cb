//! Building a tree in the background, while the old one stays in use.

use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, TryRecvError};
use std::thread;

use crate::level::Level;
use crate::render::IndexOrder;
use crate::tree::{Mode, Settings, Tree};

/// A tree, and its triangles in the order in which it draws them.
#[derive(Debug)]
pub struct Built {
    /// The tree.
    pub tree: Tree,
    /// Ready to upload.
    pub order: IndexOrder,
}

/// A tree that is being built. Dropping it forgets the tree; the thread ends by itself.
#[derive(Debug)]
pub struct Rebuild {
    mode: Mode,
    built: Receiver<Built>,
}

/// What has come of a [`Rebuild`].
#[derive(Debug)]
pub enum Progress {
    /// It goes on.
    Building,
    /// It is done.
    Ready(Box<Built>),
    /// The thread died without a tree.
    Failed,
}

impl Rebuild {
    /// Starts to build a tree of `level`; `wake` is called once the outcome can be had from [`Rebuild::poll`].
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn start(
        level: Arc<Level>,
        settings: Settings,
        wake: impl FnOnce() + Send + 'static,
    ) -> std::io::Result<Rebuild> {
        let (sender, built) = mpsc::channel();
        thread::Builder::new().name("tree builder".to_owned()).spawn(move || {
            // The channel closes before the call, also when the build panics.
            let _wake = OnDrop(Some(wake));
            let sender = sender;
            let built = in_the_background(|| {
                let tree = Tree::build(&level, &settings);
                let order = IndexOrder::new(&level, &tree);
                Built { tree, order }
            });
            // Nobody may be waiting any more.
            let _ = sender.send(built);
        })?;
        Ok(Rebuild { mode: settings.mode, built })
    }

    /// The mode of the tree that is being built.
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// Looks, without waiting, what has come of it.
    pub fn poll(&self) -> Progress {
        match self.built.try_recv() {
            Ok(built) => Progress::Ready(Box::new(built)),
            Err(TryRecvError::Empty) => Progress::Building,
            Err(TryRecvError::Disconnected) => Progress::Failed,
        }
    }
}

/// Runs `work` on all cores but one, which the frames keep.
fn in_the_background<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    match rayon::ThreadPoolBuilder::new().num_threads(cores.saturating_sub(1).max(1)).build() {
        Ok(pool) => pool.install(work),
        Err(_) => work(),
    }
}

/// Calls its function at the end of the scope, also when that ends by a panic.
struct OnDrop<F: FnOnce()>(Option<F>);

impl<F: FnOnce()> Drop for OnDrop<F> {
    fn drop(&mut self) {
        if let Some(function) = self.0.take() {
            function();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_of_the_other_mode_comes() {
        let (sender, woken) = mpsc::channel();
        let settings = Settings::new(Mode::Octree);
        let rebuild =
            Rebuild::start(Arc::new(Level::default()), settings, move || sender.send(()).expect("we wait")).unwrap();
        assert_eq!(rebuild.mode(), Mode::Octree);
        woken.recv().expect("the thread calls before it ends");
        match rebuild.poll() {
            Progress::Ready(built) => assert_eq!(built.tree.mode(), Mode::Octree),
            other => panic!("{other:?}"),
        }
    }
}
