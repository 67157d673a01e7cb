//! Where one looks from: cameras of the scene, behind the walker, a frozen culling camera, a bookmark; and a marked point.

use std::time::Duration;

use glam::DVec3;

use super::super::bookmark::Bookmark;
use super::super::crosshair::Mark;
use super::{Frozen, Viewer};
use crate::camera::Camera;
use crate::scene::NodeId;
use crate::walk::{Follow, FollowSettings};

impl Viewer {
    /// Looks through a camera of the scene, or no longer.
    pub fn look_through(&mut self, camera: Option<NodeId>) {
        self.through = camera;
    }

    /// Flies from there on: the eye in level coordinates, heading and elevation in degrees.
    pub fn look_from(&mut self, [x, y, z, yaw, pitch]: [f64; 5]) {
        let [yaw, pitch] = [yaw, pitch].map(|degrees| degrees.to_radians() as f32);
        self.through = None;
        let eye = self.level.to_local(DVec3::new(x, y, z));
        self.player.fly_from(&Camera { eye, yaw, pitch, ..self.camera });
        self.player.aim(&mut self.camera);
    }

    /// Goes on from where a camera of the scene is, if one is looked through.
    pub(super) fn leave_scene_camera(&mut self, now: Duration) {
        if self.through.take().is_some() {
            self.player.fly_from(&self.camera);
            self.tell("you left the camera of the scene".to_owned(), now);
        }
    }

    pub(super) fn switch_third_person(&mut self) {
        self.follow = match self.follow {
            Some(_) => None,
            None => Some(Follow::new(FollowSettings::default())),
        };
    }

    pub(super) fn switch_watching(&mut self) {
        self.frozen = None;
        self.watched_from = match self.watched_from {
            Some(_) => {
                self.camera = self.watched;
                None
            }
            None => {
                self.watched = self.camera;
                Some(self.camera.eye)
            }
        };
    }

    pub(super) fn switch_frozen(&mut self) {
        if self.watched_from.is_some() {
            self.switch_watching();
        }
        self.frozen = match self.frozen {
            Some(_) => None,
            None => Some(Frozen {
                camera: self.camera,
                walker: self.player.walker().clone(),
                trail: self.player.trail().clone(),
            }),
        };
    }

    /// From where the level is culled, where that is not from where one looks.
    pub(super) fn culled_from(&self) -> Option<&Camera> {
        match &self.frozen {
            Some(frozen) => Some(&frozen.camera),
            None => self.watched_from.map(|_| &self.watched),
        }
    }

    /// Whether the view of the camera that culls is to be shown beside the picture.
    pub fn has_inset(&self) -> bool {
        self.culled_from().is_some()
    }

    pub(super) fn set_bookmark(&mut self, now: Duration) {
        let mut camera = self.camera;
        if self.through.is_none() {
            // One's own eye, also where the picture is taken from elsewhere.
            self.player.aim(&mut camera);
        }
        let bookmark = self.bookmark.insert(Bookmark::of(&self.level, &camera));
        let told = format!("bookmark {}: Shift+K comes back", bookmark.option());
        self.tell(told, now);
    }

    pub(super) fn visit_bookmark(&mut self, now: Duration) {
        let Some(bookmark) = self.bookmark else { return self.tell("no bookmark is set: K sets one".to_owned(), now) };
        self.through = None;
        let recording = self.end_recording().map_or(String::new(), |outcome| format!("; {outcome}"));
        self.player.put(&self.tree, &bookmark.camera(&self.level, &self.camera));
        self.player.aim(&mut self.camera);
        self.tell(format!("at {}{recording}", bookmark.option()), now);
    }

    pub(super) fn switch_mark(&mut self, now: Duration) {
        self.mark = if self.mark.is_some() { None } else { Mark::set(&self.tree, &self.camera) };
        let outcome = if self.mark.is_some() { "the point is marked" } else { "no point is marked" };
        self.tell(outcome.to_owned(), now);
    }

    /// The option that brings the camera back to where it is: `--camera X,Y,Z,YAW,PITCH` in level coordinates and degrees.
    pub fn camera_option(&self) -> String {
        Bookmark::of(&self.level, &self.camera).option()
    }
}
