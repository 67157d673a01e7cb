//! Another tree of the level, built in the background.

use std::sync::Arc;
use std::time::Duration;

use super::super::background::Outcome;
use super::super::rebuild::{Built, Rebuild};
use super::Viewer;
use crate::render::IndexOrder;
use crate::tree::Settings;

impl Viewer {
    pub(super) fn switch_tree(&mut self, now: Duration) {
        if self.rebuild.is_some() {
            return self.tell("the other tree is being built already".to_owned(), now);
        }
        let settings = Settings { mode: self.tree.mode().toggled(), ..*self.tree.settings() };
        let wake = Arc::clone(&self.wake);
        match Rebuild::start(Arc::clone(&self.level), settings, move || wake()) {
            Ok(rebuild) => {
                self.tell(format!("building the {} in the background", settings.mode.name()), now);
                self.rebuild = Some(rebuild);
            }
            Err(error) => self.tell(format!("cannot build the {}: {error}", settings.mode.name()), now),
        }
    }

    /// Takes a tree that has been built in the background into use, if there is one, and gives the order of its triangles:
    /// the graphics device must have it before the next [`Viewer::cull`].
    pub fn take_tree(&mut self, now: Duration) -> Option<IndexOrder> {
        let rebuild = self.rebuild.as_ref()?;
        let mode = rebuild.mode().name();
        match rebuild.poll() {
            Outcome::Working => None,
            Outcome::Done(built) => {
                let Built { tree, order } = *built;
                self.tree = tree;
                self.rebuild = None;
                self.tell(format!("the {mode} is in use"), now);
                Some(order)
            }
            Outcome::Failed => {
                self.rebuild = None;
                self.tell(format!("the {mode} could not be built; the old tree stays"), now);
                None
            }
        }
    }
}
