//! Building a tree in the background, while the old one stays in use.

use std::sync::Arc;

use super::background::{Background, Outcome};
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
    built: Background<Box<Built>>,
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
        let build = move || {
            let tree = Tree::build(&level, &settings);
            let order = IndexOrder::new(&level, &tree);
            Box::new(Built { tree, order })
        };
        Ok(Rebuild { mode: settings.mode, built: Background::start("tree builder", build, wake)? })
    }

    /// The mode of the tree that is being built.
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// Looks, without waiting, what has come of it.
    pub fn poll(&self) -> Outcome<Box<Built>> {
        self.built.poll()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

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
            Outcome::Done(built) => assert_eq!(built.tree.mode(), Mode::Octree),
            other => panic!("{other:?}"),
        }
    }
}
