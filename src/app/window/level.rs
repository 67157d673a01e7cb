//! Which level the window shows: the one of its file as it is now, or another one.

use std::path::{Path, PathBuf};

use super::super::open::{Ended, Opened as Level};
use super::{App, Opened};
use crate::app::viewer::Viewer;

/// What the window is called while it shows this.
pub fn title(viewer: &Viewer) -> String {
    format!("nodetree: {}", viewer.level().name)
}

impl App {
    /// Begins to load the level from its file again.
    pub(super) fn reload(&mut self) {
        let now = self.now();
        let (tree, walks) = (self.viewer.tree_settings(), self.viewer.walks());
        match self.loader.reload(tree, walks) {
            // How far that is shows by itself.
            Ok(true) => {}
            Ok(false) => self.viewer.tell("a level is being loaded already".to_owned(), now),
            Err(error) => self.viewer.tell(format!("the level cannot be loaded again: {error}"), now),
        }
        self.changed = true;
    }

    /// Begins to load a file that was dropped on the window.
    pub(super) fn drop_in(&mut self, path: PathBuf) {
        let now = self.now();
        if let Err(error) = self.loader.open(path.clone(), self.viewer.walks()) {
            self.viewer.tell(format!("{} cannot be loaded: {error}", path.display()), now);
        }
        self.changed = true;
    }

    /// Shows the level that was loaded, if there is one, or says why there is none.
    pub(super) fn take_level(&mut self) {
        let now = self.now();
        let Some(Ended { path, again, outcome }) = self.loader.take() else { return };
        let told = match outcome.and_then(|level| self.show(level, again)) {
            Ok(told) => format!("{} is loaded{told}", name(&path)),
            Err(reason) => format!("the old level stays: {reason}"),
        };
        self.viewer.tell(told, now);
        if self.loader.take_change() {
            self.reload();
        }
        self.changed = true;
    }

    /// Shows a level instead of the old one, which stays where this one has no room. Gives what else there is to tell.
    fn show(&mut self, level: Level, again: bool) -> Result<String, String> {
        let now = self.now();
        let Level { level, tree, scene, camera, scene_camera, sky, sky_turn } = level;
        if let Some(Opened { screen, .. }) = &mut self.opened {
            let shown = screen.set_level((&level, &tree, scene.props()), (&sky, sky_turn));
            shown.map_err(|error| error.to_string())?;
        }
        self.sky = (sky, sky_turn);
        let told = if again {
            self.viewer.refresh((level, tree, scene), now)
        } else {
            self.viewer.replace((level, tree, scene), &camera, scene_camera);
            String::new()
        };
        if let Some(Opened { window, .. }) = &self.opened {
            window.set_title(&title(&self.viewer));
        }
        Ok(told)
    }
}

/// A file without its folders.
fn name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}
