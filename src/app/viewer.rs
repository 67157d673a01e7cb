//! What is looked at and how: the camera, the tree in use, and everything that a key switches. Knows no window and no
//! graphics device.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use glam::Vec3;

use crate::bodies::Body;
use crate::camera::Camera;
use crate::cull::DrawList;
use crate::level::Level;
use crate::render::{CellRange, Inspect, LineVertex};
use crate::scene::{NodeId, TriggerEvent};
use crate::tree::Tree;
use crate::walk::{Follow, STEP, Walker};

use super::bindings::Action;
use super::bodies::Bodies;
use super::bookmark::Bookmark;
use super::crosshair::Mark;
use super::debug_view::DebugView;
use super::input::Input;
use super::player::{Player, ReplayEnd};
use super::rebuild::Rebuild;
use super::trail::Trail;

mod describe;
mod frame;
mod places;
mod replace;
#[cfg(test)]
mod tests;
mod trees;

pub use replace::Contents;

/// How long a message stays.
const MESSAGE_STAYS: Duration = Duration::from_secs(5);
const TAKEN_OVER: &str = "you took over from the replay";

/// The state behind the window.
pub struct Viewer {
    level: Arc<Level>,
    tree: Tree,
    player: Player,
    bodies: Bodies,
    camera: Camera,
    /// The walker's eye; the camera is there too, unless it follows behind.
    eye: Vec3,
    follow: Option<Follow>,
    /// The camera of the scene that is looked through, until a key moves.
    through: Option<NodeId>,
    boxes: bool,
    wireframe: bool,
    /// Leaves out what is hidden.
    pub occlusion: bool,
    debug_view: DebugView,
    hud: bool,
    cheat_sheet: bool,
    frozen: Option<Frozen>,
    /// From where one looks after the culling camera, which goes on.
    watched_from: Option<Vec3>,
    /// Where the culling camera is while it is looked after.
    watched: Camera,
    mark: Option<Mark>,
    bookmark: Option<Bookmark>,
    rebuild: Option<Rebuild>,
    /// Called from the background when a tree is ready.
    wake: Arc<dyn Fn() + Send + Sync>,
    message: Option<(String, Duration)>,
    draw_list: DrawList,
    /// The same cell by cell, where these are looked at.
    cells: Vec<CellRange>,
    lines: Vec<LineVertex>,
    /// Lines that nothing hides.
    lines_on_top: Vec<LineVertex>,
}

/// What one looks at from outside.
struct Frozen {
    /// From where the level is culled.
    camera: Camera,
    /// The walker as it was, and where it came from.
    walker: Walker,
    trail: Trail,
}

impl Viewer {
    /// Lets `player` look at a level through `camera`. `wake` is called from another thread once [`Viewer::take_tree`] has
    /// news.
    pub fn new(
        (level, tree, scene): Contents,
        player: Player,
        camera: Camera,
        wake: Arc<dyn Fn() + Send + Sync>,
    ) -> Viewer {
        Viewer {
            level: Arc::new(level),
            tree,
            player,
            eye: camera.eye,
            bodies: Bodies::new(scene),
            camera,
            follow: None,
            through: None,
            boxes: false,
            wireframe: false,
            occlusion: false,
            debug_view: DebugView::Off,
            hud: true,
            cheat_sheet: false,
            frozen: None,
            watched_from: None,
            watched: camera,
            mark: None,
            bookmark: None,
            rebuild: None,
            wake,
            message: None,
            draw_list: DrawList::new(),
            cells: Vec::new(),
            lines: Vec::new(),
            lines_on_top: Vec::new(),
        }
    }

    /// The level that is shown.
    pub fn level(&self) -> &Level {
        &self.level
    }

    /// The tree in use.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// Props and balls.
    pub fn bodies(&self) -> &Bodies {
        &self.bodies
    }

    /// Throws a ball ahead.
    pub fn throw(&mut self) {
        self.bodies.throw(&self.tree, &self.camera, self.player.velocity());
    }

    /// Does what a key that is pressed once does, as far as it concerns what is looked at; nothing for the others.
    pub fn act(&mut self, action: Action, now: Duration) {
        if matches!(action, Action::SwitchMoving | Action::Collide | Action::ThirdPerson) {
            self.leave_scene_camera(now);
        }
        match action {
            Action::SwitchTree => self.switch_tree(now),
            Action::Freeze => self.switch_frozen(),
            Action::Watch => self.switch_watching(),
            Action::ThirdPerson => self.switch_third_person(),
            Action::DebugView => {
                self.debug_view = self.debug_view.next();
                self.tell(format!("debug view: {}", self.debug_view.name()), now);
            }
            Action::Record => self.switch_recording(now),
            Action::Boxes => self.boxes = !self.boxes,
            Action::Wireframe => self.wireframe = !self.wireframe,
            Action::Occlusion => self.occlusion = !self.occlusion,
            Action::Hud => self.hud = !self.hud,
            Action::SwitchMoving => {
                self.end_replay(now);
                self.player.switch_moving();
            }
            Action::Collide => {
                self.end_replay(now);
                self.player.switch_collide();
            }
            Action::Mark => self.switch_mark(now),
            Action::SetBookmark => self.set_bookmark(now),
            Action::VisitBookmark => self.visit_bookmark(now),
            Action::CheatSheet => self.cheat_sheet = !self.cheat_sheet,
            _ => {}
        }
    }

    /// Changes the speed by notches of the wheel, upwards positive.
    pub fn change_speed(&mut self, notches: f32, now: Duration) {
        self.player.change_speed(notches);
        self.tell(format!("flight at {:.1} m/s", self.player.fly_speed()), now);
    }

    /// Takes over the shape of the window, width over height.
    pub fn set_aspect(&mut self, aspect: f32) {
        self.camera.aspect = aspect;
    }

    /// Moves and turns for `elapsed`.
    pub fn advance(&mut self, input: &mut Input, elapsed: Duration, now: Duration) {
        self.player.turn(input.take_look());
        let body = self.player.body();
        let events = self.player.advance(&self.tree, self.bodies.scene_mut(), input, elapsed);
        if events.rescued {
            self.tell("you fell out of the world or had no room, and are back at a safe place".to_owned(), now);
        }
        match events.replay {
            Some(ReplayEnd::Over) => self.tell("the replay is over: the keys move you from here".to_owned(), now),
            Some(ReplayEnd::TakenOver) => self.tell(TAKEN_OVER.to_owned(), now),
            None => {}
        }
        if let Some(error) = events.recording {
            self.tell(format!("the recording ended, for it could not be written: {error}"), now);
        }
        let bodies = body.zip(self.player.body()).map(|(from, to)| [from, to]);
        self.bodies.advance(&self.tree, bodies, elapsed);
        self.watch(now);
        self.player.aim(&mut self.camera);
        self.eye = self.camera.eye;
        if let Some(eye) = self.watched_from {
            self.watched = self.camera;
            self.camera = self.camera.looking_from(eye, self.eye);
            return;
        }
        if let Some(camera) = self.through.and_then(|id| self.bodies.scene().look_through(id, &self.camera)) {
            (self.camera, self.eye) = (camera, camera.eye);
            if input.is_moving() {
                self.leave_scene_camera(now);
            }
            return;
        }
        if let Some(follow) = &mut self.follow {
            follow.place(&self.tree, &mut self.camera, elapsed.as_secs_f32());
        }
    }

    /// Shows something of the level instead of its materials, or no longer.
    pub fn inspect(&mut self, inspect: Option<Inspect>) {
        self.debug_view = inspect.map_or(DebugView::Off, DebugView::Level);
    }

    /// Tells which triggers the walker and balls have entered and left.
    fn watch(&mut self, now: Duration) {
        let mut events: Vec<TriggerEvent> = Vec::new();
        self.bodies.watch(self.player.ellipsoid(), |event| events.push(event));
        for TriggerEvent { trigger, body, entered } in events {
            let Some(node) = self.bodies.scene().get(trigger) else { continue };
            let who = if body == Body::Walker { "you" } else { "a ball" };
            let name = if node.name().is_empty() { "a trigger" } else { node.name() };
            self.tell(format!("{who} {} {name}", if entered { "entered" } else { "left" }), now);
        }
    }

    /// Ends a replay, if there is one. Whether there was one.
    pub fn end_replay(&mut self, now: Duration) -> bool {
        let ended = self.player.end_replay();
        if ended {
            self.tell(TAKEN_OVER.to_owned(), now);
        }
        ended
    }

    /// Whether the next frame will differ from this one even if nothing happens.
    pub fn is_moving(&self, input: &Input) -> bool {
        let follows = self.follow.is_some_and(|follow| !follow.is_settled());
        input.is_moving() || self.player.is_moving(input) || self.bodies.is_moving() || follows
    }

    /// Shows a message for a while.
    pub fn tell(&mut self, message: String, now: Duration) {
        self.message = Some((message, now + MESSAGE_STAYS));
    }

    /// Forgets a message that was shown long enough. Whether there was one.
    pub fn expire_message(&mut self, now: Duration) -> bool {
        self.message.take_if(|(_, until)| *until <= now).is_some()
    }

    /// When the message that is shown will have been shown long enough.
    pub fn message_until(&self) -> Option<Duration> {
        self.message.as_ref().map(|(_, until)| *until)
    }

    fn switch_recording(&mut self, now: Duration) {
        let outcome = match self.end_recording() {
            Some(outcome) => outcome,
            None => match self.player.start_recording(&self.level, &self.tree, Path::new("")) {
                Ok(path) => format!("recording to {}: O ends it", path.display()),
                Err(error) => format!("no path can be recorded: {error}"),
            },
        };
        self.tell(outcome, now);
    }

    /// Ends the recording, and gives what came of it; `None` when there is none.
    fn end_recording(&mut self) -> Option<String> {
        Some(match self.player.stop_recording()? {
            Ok((path, steps)) => format!("recorded {:.1} s to {}", steps as f64 * STEP, path.display()),
            Err(error) => format!("the end of the path could not be written: {error}"),
        })
    }
}
