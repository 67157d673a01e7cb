//! What is in the level in the window: the scene and balls, moved in fixed steps, and which of them are seen.

use std::time::Duration;

use glam::DVec3;

use crate::bodies::{self, Balls, Body, Ellipsoid, Props, Throw, VisibleBodies};
use crate::camera::Camera;
use crate::geometry::Frustum;
use crate::level::Light;
use crate::query::Sweep;
use crate::render::Instances;
use crate::scene::{Scene, TriggerEvent};
use crate::tree::Tree;
use crate::walk::STEP;

/// How fast a ball is thrown, in m/s.
const SPEED: f64 = 16.0;
/// How far before the eye a ball begins, in metres.
const REACH: f32 = 0.3;
/// Somebody who is this fast, in m/s, was put elsewhere.
const JUMP: f64 = 200.0;

/// Everything in the level that is not the level.
pub struct Bodies {
    scene: Scene,
    balls: Balls,
    visible: VisibleBodies,
    instances: Instances,
    lights: Vec<Light>,
    /// Seconds that have passed since the last step, below [`STEP`].
    since_step: f64,
}

impl Bodies {
    /// A scene, and no balls yet.
    pub fn new(scene: Scene) -> Bodies {
        let balls = Balls::new(bodies::Settings::default()).expect("the usual settings make sense");
        let (visible, instances) = (VisibleBodies::new(), Instances::default());
        Bodies { scene, balls, visible, instances, lights: Vec::new(), since_step: 0.0 }
    }

    /// Everything but the level and the balls.
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// The balls.
    pub fn balls(&self) -> &Balls {
        &self.balls
    }

    /// The same, to move it on.
    pub fn scene_mut(&mut self) -> &mut Scene {
        &mut self.scene
    }

    /// What [`Bodies::cull`] found.
    pub fn visible(&self) -> &VisibleBodies {
        &self.visible
    }

    /// Where what is seen stands.
    pub fn instances(&self) -> &Instances {
        &self.instances
    }

    /// Props, balls, and how far between their last two steps the balls are: 1 is after the last.
    pub fn between_steps(&self) -> (&Props, &Balls, f64) {
        (self.scene.props(), &self.balls, self.since_step / STEP)
    }

    /// The lights that shine.
    pub fn lights(&self) -> &[Light] {
        &self.lights
    }

    /// Throws a ball ahead, from before the eye or from as far as there is room.
    pub fn throw(&mut self, tree: &Tree, camera: &Camera, velocity: DVec3) {
        let mut throw = Throw::default();
        let ahead = camera.forward();
        let sweep = Sweep::sphere(camera.eye, throw.radius as f32, ahead * REACH);
        let free = tree.sweep(&sweep).map_or(1.0, |hit| hit.fraction);
        throw.position = (camera.eye + ahead * (REACH * free)).as_dvec3();
        throw.velocity = ahead.as_dvec3() * SPEED + velocity;
        // A camera that is too far away to throw anything looks at nothing either.
        let _thrown = self.balls.throw(&throw);
    }

    /// Moves the balls for a time that has passed, in which a body that they bounce off went from one place to another.
    pub fn advance(&mut self, tree: &Tree, walker: Option<[Ellipsoid; 2]>, elapsed: Duration) {
        self.since_step += elapsed.as_secs_f64();
        let steps = (self.since_step / STEP).floor();
        self.since_step = (self.since_step - steps * STEP).max(0.0);
        if !self.is_moving() && walker.is_none_or(|[from, to]| from.center == to.center) {
            return;
        }
        let mut walker = walker.map(|[from, to]| {
            let velocity = (to.center - from.center) / (steps * STEP).max(STEP);
            let is_way = velocity.length() < JUMP;
            Ellipsoid {
                center: if is_way { from.center } else { to.center },
                velocity: if is_way { velocity } else { DVec3::ZERO },
                ..to
            }
        });
        for _ in 0..steps as u32 {
            self.balls.step(tree, self.scene.props(), walker.as_ref());
            if let Some(walker) = &mut walker {
                walker.center += walker.velocity * STEP;
            }
        }
    }

    /// Looks whether `walker` or a ball has entered or left a trigger.
    pub fn watch(&mut self, walker: Ellipsoid, report: impl FnMut(TriggerEvent)) {
        if self.scene.has_triggers() {
            let ellipsoid = |center, radius| Ellipsoid { center, radii: DVec3::splat(radius), velocity: DVec3::ZERO };
            let balls =
                self.balls.iter().map(|ball| (Body::Ball(ball.id()), ellipsoid(ball.position(), ball.radius())));
            self.scene.watch(balls.chain([(Body::Walker, walker)]), report);
        }
    }

    /// Whether a ball or something of the scene moves.
    pub fn is_moving(&self) -> bool {
        self.scene.is_moving() || self.balls.iter().any(|ball| !ball.is_asleep())
    }

    /// Finds out what is seen and where it stands. The lights of the level shine as well.
    pub fn cull(&mut self, frustum: &Frustum, of_level: &[Light]) {
        self.visible.cull(self.scene.props(), &self.balls, Some(frustum));
        let (props, balls, part) = (self.scene.props(), &self.balls, self.since_step / STEP);
        self.instances.gather(&self.visible, props, balls, part);
        self.lights.clear();
        self.lights.extend(of_level.iter().copied().chain(self.scene.lights()));
    }
}
