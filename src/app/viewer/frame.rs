//! What a frame shows: triangles, props and balls in view, and the lines over them.

use super::super::debug_view::DebugView;
use super::super::screen::Shown;
use super::{Frozen, Viewer};
use crate::camera::Camera;
use crate::cull::DrawList;
use crate::geometry::Frustum;
use crate::render::{self, Inspect};
use crate::tree::Tree;

impl Viewer {
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
}
