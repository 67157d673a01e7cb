//! Another level in the place of the one that is shown.

use std::sync::Arc;
use std::time::Duration;

use super::super::bodies::Bodies;
use super::super::bookmark::Bookmark;
use super::Viewer;
use crate::camera::Camera;
use crate::level::Level;
use crate::scene::{NodeId, Scene};
use crate::tree::{Settings, Tree};
use crate::walk::{Follow, FollowSettings};

/// A level, its tree, and what is in it.
pub type Contents = (Level, Tree, Scene);

impl Viewer {
    /// How a tree of the level is to be built: as the one in use, or as the one that is to follow it.
    pub fn tree_settings(&self) -> Settings {
        let settings = *self.tree.settings();
        Settings { mode: self.rebuild.as_ref().map_or(settings.mode, |rebuild| rebuild.mode()), ..settings }
    }

    /// Whether one walks rather than flies.
    pub fn walks(&self) -> bool {
        self.player.walks()
    }

    /// Shows the level as its file is now, from where one is. Balls go; a replay and a recording end, as they are of the level
    /// as it was. Gives what there is to tell of that.
    pub fn refresh(&mut self, contents: Contents, now: Duration) -> String {
        let replay = self.player.end_replay().then(|| "the replay ended".to_owned());
        let told = replay.into_iter().chain(self.end_recording()).map(|outcome| format!("; {outcome}")).collect();
        let mut eye = self.camera;
        self.player.aim(&mut eye);
        let place = Bookmark::of(&self.level, &eye);
        let through = self.through.and_then(|id| self.bodies.scene().get(id)).map(|node| node.name().to_owned());
        let mode = self.tree_settings().mode;
        let origin = self.level.origin;
        self.install(contents);
        if self.level.origin != origin {
            self.forget_places();
            self.player.put(&self.tree, &place.camera(&self.level, &eye));
            self.player.aim(&mut self.camera);
            self.eye = self.camera.eye;
        }
        self.through = through.and_then(|name| {
            let mut cameras = self.bodies.scene().cameras();
            cameras.find(|(_, other)| *other == name).map(|(id, _)| id)
        });
        // Somebody may have wished for the other tree while the level was loaded.
        if self.tree.mode() != mode {
            self.switch_tree(now);
        }
        told
    }

    /// Shows another level, from where that begins, moving as before.
    pub fn replace(&mut self, contents: Contents, camera: &Camera, through: Option<NodeId>) {
        self.end_recording();
        self.install(contents);
        self.forget_places();
        self.bookmark = None;
        self.through = through;
        self.player.put(&self.tree, camera);
        self.camera = Camera { aspect: self.camera.aspect, ..*camera };
        self.player.aim(&mut self.camera);
        self.eye = self.camera.eye;
    }

    fn install(&mut self, (level, tree, scene): Contents) {
        self.level = Arc::new(level);
        self.tree = tree;
        self.bodies = Bodies::new(scene);
        // It would be a tree of the level as it was.
        self.rebuild = None;
    }

    /// Forgets what lies in the local space of the level.
    fn forget_places(&mut self) {
        self.frozen = None;
        self.watched_from = None;
        self.mark = None;
        if self.follow.is_some() {
            self.follow = Some(Follow::new(FollowSettings::default()));
        }
    }
}

#[cfg(test)]
mod tests {
    use glam::DVec3;
    use winit::keyboard::KeyCode;

    use super::super::super::bindings::Action;
    use super::super::super::input::Input;
    use super::super::tests::{NOW, state, tiles, viewer};
    use super::*;
    use crate::tree::Mode;

    /// The tiles at another place, with a tree of a mode.
    fn contents(first: f64, count: u32, mode: Mode) -> Contents {
        let level = tiles(first, count);
        let tree = Tree::build(&level, &Settings { leaf_triangles: 2, ..Settings::new(mode) });
        (level, tree, Scene::default())
    }

    #[test]
    fn one_stays_where_one_is_when_the_level_comes_again() {
        let mut viewer = viewer(|| {});
        let mut input = Input::default();
        input.press_key(KeyCode::KeyA);
        input.look(glam::Vec2::new(40.0, 30.0));
        viewer.advance(&mut input, Duration::from_secs(1), NOW);
        viewer.act(Action::Boxes, NOW);
        viewer.act(Action::Mark, NOW);
        let before = state(&mut viewer);
        // Fewer tiles, from elsewhere on: around another origin.
        for first in [1e6, 1e6 + 200.0] {
            assert_eq!(viewer.refresh(contents(first, 40, Mode::Quadtree), NOW), "");
            viewer.advance(&mut Input::default(), Duration::ZERO, NOW);
            let after = state(&mut viewer);
            let way = DVec3::from_array(after.eye).distance(DVec3::from_array(before.eye));
            assert!(way < 1e-3, "{way} m");
            assert_eq!((after.yaw, after.pitch, after.moving), (before.yaw, before.pitch, "fly"));
            assert_eq!((after.triangles.all, after.mode, after.boxes), (80, "quadtree", true));
        }
    }

    #[test]
    fn a_tree_that_was_wished_for_meanwhile_follows() {
        let (sender, woken) = std::sync::mpsc::channel();
        let mut viewer = viewer(move || sender.send(()).expect("we wait"));
        let settings = viewer.tree_settings();
        assert_eq!(settings.mode, Mode::Quadtree);
        viewer.act(Action::SwitchTree, NOW);
        assert_eq!(viewer.tree_settings(), Settings { mode: Mode::Octree, ..settings });
        woken.recv().expect("the old level's");
        // It was asked for before that key.
        viewer.refresh(contents(1e6, 40, Mode::Quadtree), NOW);
        woken.recv().expect("the new level's");
        assert!(viewer.take_tree(NOW).is_some());
        let after = state(&mut viewer);
        assert_eq!((after.mode, after.triangles.all), ("octree", 80));
    }

    #[test]
    fn another_level_begins_where_it_says() {
        let mut viewer = viewer(|| {});
        for action in [Action::Freeze, Action::SetBookmark, Action::Mark, Action::ThirdPerson] {
            viewer.act(action, NOW);
        }
        let contents = contents(0.0, 3, Mode::Octree);
        let camera = Camera { eye: contents.0.to_local(DVec3::new(5.0, 3.0, 30.0)), yaw: 0.5, ..Camera::default() };
        viewer.replace(contents, &camera, None);
        viewer.advance(&mut Input::default(), Duration::ZERO, NOW);
        let after = state(&mut viewer);
        let way = DVec3::from_array(after.eye).distance(DVec3::new(5.0, 3.0, 30.0));
        assert!(way < 1e-5 && (after.yaw - 0.5f32.to_degrees()).abs() < 1e-4, "{after:?}");
        assert_eq!((after.mode, after.triangles.all, after.frozen), ("octree", 6, false));
        assert_eq!((after.bookmark, after.mark), (None, None));
    }
}
