//! What is looked at and how: the camera, the tree in use, and everything that a key switches. Knows no window and no
//! graphics device.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use glam::{DVec3, Vec3};

use crate::bodies::Body;
use crate::camera::Camera;
use crate::cull::DrawList;
use crate::geometry::Frustum;
use crate::level::Level;
use crate::query::Which;
use crate::render::{self, CellRange, IndexOrder, Inspect, LineVertex};
use crate::scene::{NodeId, TriggerEvent};
use crate::tree::{Settings, Tree};
use crate::walk::{Follow, FollowSettings, STEP, Walker};

use super::background::Outcome;
use super::bindings::Action;
use super::bodies::Bodies;
use super::bookmark::Bookmark;
use super::crosshair::{self, Mark};
use super::debug_view::DebugView;
use super::input::Input;
use super::player::{Player, ReplayEnd};
use super::rebuild::{Built, Rebuild};
use super::recording::Recording;
use super::screen::Shown;
use super::state::{Nodes, PropsDrawn, State, Triangles};
use super::trail::Trail;

mod replace;
#[cfg(test)]
mod tests;

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

    /// What to draw, as [`Viewer::cull`] found.
    pub fn shown(&self) -> Shown<'_> {
        Shown {
            camera: &self.camera,
            culled_from: self.culled_from(),
            lights: self.bodies.lights(),
            tree: &self.tree,
            bodies: self.bodies.between_steps(),
            draw_list: &self.draw_list,
            instances: self.bodies.instances(),
            lines: &self.lines,
            lines_on_top: &self.lines_on_top,
            wireframe: self.wireframe,
            inspect: self.debug_view.inspect(),
            cells: &self.cells,
        }
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
    fn leave_scene_camera(&mut self, now: Duration) {
        if self.through.take().is_some() {
            self.player.fly_from(&self.camera);
            self.tell("you left the camera of the scene".to_owned(), now);
        }
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

    /// From where the level is culled, where that is not from where one looks.
    fn culled_from(&self) -> Option<&Camera> {
        match &self.frozen {
            Some(frozen) => Some(&frozen.camera),
            None => self.watched_from.map(|_| &self.watched),
        }
    }

    /// Whether the view of the camera that culls is to be shown beside the picture.
    pub fn has_inset(&self) -> bool {
        self.culled_from().is_some()
    }

    fn switch_watching(&mut self) {
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

    fn switch_frozen(&mut self) {
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

    fn switch_third_person(&mut self) {
        self.follow = match self.follow {
            Some(_) => None,
            None => Some(Follow::new(FollowSettings::default())),
        };
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

    fn set_bookmark(&mut self, now: Duration) {
        let mut camera = self.camera;
        if self.through.is_none() {
            // One's own eye, also where the picture is taken from elsewhere.
            self.player.aim(&mut camera);
        }
        let bookmark = self.bookmark.insert(Bookmark::of(&self.level, &camera));
        let told = format!("bookmark {}: Shift+K comes back", bookmark.option());
        self.tell(told, now);
    }

    fn visit_bookmark(&mut self, now: Duration) {
        let Some(bookmark) = self.bookmark else { return self.tell("no bookmark is set: K sets one".to_owned(), now) };
        self.through = None;
        let recording = self.end_recording().map_or(String::new(), |outcome| format!("; {outcome}"));
        self.player.put(&self.tree, &bookmark.camera(&self.level, &self.camera));
        self.player.aim(&mut self.camera);
        self.tell(format!("at {}{recording}", bookmark.option()), now);
    }

    fn switch_mark(&mut self, now: Duration) {
        self.mark = if self.mark.is_some() { None } else { Mark::set(&self.tree, &self.camera) };
        let outcome = if self.mark.is_some() { "the point is marked" } else { "no point is marked" };
        self.tell(outcome.to_owned(), now);
    }

    fn switch_tree(&mut self, now: Duration) {
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

    /// Finds out what to draw.
    pub fn cull(&mut self) {
        let culling_camera = *self.culled_from().unwrap_or(&self.camera);
        let frustum = Frustum::from_clip_from_world(culling_camera.clip_from_world());
        self.draw_list.cull(&self.tree, &frustum);
        self.bodies.cull(&frustum, &self.level.lights);
        if self.debug_view.inspect() == Some(Inspect::Cells) {
            render::take_cells(&mut self.cells, &self.tree, &frustum);
        }
        self.lines.clear();
        self.lines_on_top.clear();
        let is_apart = self.has_inset();
        if self.boxes || is_apart {
            render::push_visited_cells(&mut self.lines, &self.tree, &frustum);
        }
        if is_apart {
            let reach = render::reach_through(&culling_camera, &self.tree.bounds());
            render::push_frustum(&mut self.lines, &culling_camera, reach, render::FRUSTUM_COLOR);
        }
        if let Some(Frozen { walker, trail, .. }) = &self.frozen
            && self.debug_view == DebugView::Walker
        {
            let (center, radii) = walker.ellipsoid(self.player.settings());
            render::push_ellipsoid(&mut self.lines, center, radii, self.camera.eye);
            trail.draw(&mut self.lines_on_top);
            render::push_step(&mut self.lines_on_top, walker, self.player.settings());
        }
        self.push_player();
        if let Some(mark) = &self.mark {
            mark.draw(&mut self.lines_on_top, &self.tree, &self.camera);
        }
    }

    /// What occlusion culling needs after [`Viewer::cull`]: the tree, from where it is culled, and the list; `None` where nothing
    /// is to be left out, or the hidden can be seen.
    pub fn what_may_hide(&mut self) -> Option<(&Tree, Camera, &mut DrawList)> {
        let is_wanted = self.occlusion && !self.wireframe && self.debug_view.inspect().is_none();
        let camera = *self.culled_from().unwrap_or(&self.camera);
        is_wanted.then_some((&self.tree, camera, &mut self.draw_list))
    }

    /// The one who walks, where it can be seen.
    fn push_player(&mut self) {
        let (walker, settings) = (self.player.walker(), self.player.settings());
        // Between two steps, as the eye is.
        let moved = (self.player.feet() - walker.feet_exact()).as_vec3();
        let (center, radii) = walker.ellipsoid(settings);
        let is_seen = self.follow.is_some() || self.watched_from.is_some();
        if is_seen || self.debug_view == DebugView::Walker {
            render::push_ellipsoid(&mut self.lines, center + moved, radii, self.camera.eye);
        }
        if self.debug_view == DebugView::Walker {
            self.player.trail().draw(&mut self.lines_on_top);
            render::push_step(&mut self.lines_on_top, walker, settings);
        }
    }

    /// Writes down everything that it knows.
    pub fn describe(&self, state: &mut State) {
        let statistics = self.draw_list.statistics();
        let eye = self.level.to_level(self.eye).to_array();
        state.level.clone_from(&self.level.name);
        state.mode = self.tree.mode().name();
        state.rebuilding = self.rebuild.is_some();
        state.moving = if self.player.walks() { "walk" } else { "fly" };
        state.position = if self.player.walks() { (self.player.feet() + self.level.origin).to_array() } else { eye };
        state.grounded = self.player.is_grounded();
        state.crouched = self.player.is_crouched();
        state.collide = self.player.collides();
        state.eye = eye;
        state.camera = self.level.to_level(self.camera.eye).to_array();
        state.yaw = self.camera.yaw.to_degrees();
        state.pitch = self.camera.pitch.to_degrees();
        state.speed = self.player.fly_speed();
        state.third_person = self.follow.is_some();
        state.recording = self.player.recording().is_some();
        state.recorded_steps = self.player.recording().map_or(0, Recording::steps);
        state.replaying = self.player.replay().is_some();
        state.replayed_steps = self.player.replay().map_or([0, 0], |replay| [replay.taken(), replay.all()]);
        state.debug_view = self.debug_view.name();
        state.frozen = self.frozen.is_some();
        state.watching = self.watched_from.is_some();
        state.boxes = self.boxes;
        state.wireframe = self.wireframe;
        state.occlusion = self.occlusion;
        state.hud = self.hud;
        state.help = self.cheat_sheet;
        state.nodes = Nodes {
            visited: statistics.visited,
            inside: statistics.inside,
            crossing: statistics.crossing,
            outside: statistics.outside,
            hidden: statistics.hidden,
        };
        state.triangles = Triangles { drawn: statistics.triangles, all: self.tree.triangle_count() as u32 };
        let visible = self.bodies.visible();
        state.props = PropsDrawn { drawn: visible.count(), all: visible.of() };
        state.balls = self.bodies.balls().len() as u32;
        let scene = self.bodies.scene();
        let inside = scene.inside().iter().filter(|(_, who)| *who == Body::Walker);
        state.triggers = inside.filter_map(|(trigger, _)| Some(scene.get(*trigger)?.name().to_owned())).collect();
        state.scene_camera = self.through.and_then(|id| Some(scene.get(id)?.name().to_owned()));
        let below_and_above = [Which::Below, Which::Above];
        [state.height_below, state.height_above] =
            below_and_above.map(|which| crosshair::height(&self.level, &self.tree, self.eye, which));
        state.crosshair = crosshair::describe(&self.level, &self.tree, &self.camera);
        state.mark = self.mark.map(|mark| mark.describe(&self.level, &self.tree, self.camera.eye));
        state.bookmark = self.bookmark.map(|bookmark| bookmark.pose());
        state.warnings = self.level.warnings.iter().map(|warning| warning.count).sum();
        state.message = self.message.as_ref().map(|(message, _)| message.clone());
    }

    /// The option that brings the camera back to where it is: `--camera X,Y,Z,YAW,PITCH` in level coordinates and degrees.
    pub fn camera_option(&self) -> String {
        Bookmark::of(&self.level, &self.camera).option()
    }
}
