//! What the display tells of all that.

use super::super::crosshair;
use super::super::recording::Recording;
use super::super::state::{Nodes, PropsDrawn, State, Triangles};
use super::Viewer;
use crate::bodies::Body;
use crate::query::Which;

impl Viewer {
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
}
