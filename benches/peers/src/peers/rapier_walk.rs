//! rapier3d's `KinematicCharacterController`, with what its documentation leaves to the caller: gravity as a downward part of
//! the movement that is asked for, and the speed that this gathers, gone when it says that it stands.

use glam::Vec3;
use nodetree::walk::{Input, STEP, Settings};
use rapier3d::control::{CharacterAutostep, CharacterLength, KinematicCharacterController};
use rapier3d::parry::query::DefaultQueryDispatcher;
use rapier3d::parry::shape::Capsule;
use rapier3d::prelude::{Pose, QueryFilter};

use super::parry::vector;
use super::rapier::Rapier;
use crate::walking::course::{Course, forward};
use crate::walking::walker::{HEIGHT, RADIUS, State, Walk};

/// Set as nodetree's walker is.
fn controller(settings: &Settings) -> KinematicCharacterController {
    KinematicCharacterController {
        offset: CharacterLength::Absolute(0.01),
        autostep: Some(CharacterAutostep {
            max_height: CharacterLength::Absolute(settings.step_height),
            // With the default, half a metre here, it walks less far and overlaps the level more often.
            min_width: CharacterLength::Absolute(MIN_WIDTH),
            include_dynamic_bodies: false,
        }),
        max_slope_climb_angle: settings.slope_limit,
        min_slope_slide_angle: settings.slope_limit,
        snap_to_ground: Some(CharacterLength::Absolute(settings.step_height)),
        ..KinematicCharacterController::default()
    }
}

/// Metres of a step that must be free to be climbed.
const MIN_WIDTH: f32 = 0.1;
/// Steps of standing from one place to be brought back to to the next, as nodetree does it.
const SAFE: u32 = 60;

impl Walk for Rapier {
    fn walk(&self, course: &Course, see: &mut dyn FnMut(State)) {
        let settings = Settings::default();
        let (controller, step) = (controller(&settings), STEP as f32);
        let shape = Capsule::new_y(0.5 * HEIGHT as f32 - RADIUS as f32, RADIUS as f32);
        let world = self.broad_phase.as_query_pipeline(
            &DefaultQueryDispatcher,
            &self.bodies,
            &self.colliders,
            QueryFilter::default(),
        );
        let start = course.feet + Vec3::Y * (0.5 * HEIGHT as f32);
        let mut pose = Pose::from_translation(vector(start));
        let (mut level, mut fall, mut is_grounded) = (Vec3::ZERO, 0.0_f32, false);
        let (mut safe, mut next_safe, mut stood) = (pose, pose, 0);
        for input in &course.inputs {
            level = steer(level, input, &settings, is_grounded);
            fall = if is_grounded { 0.0 } else { fall };
            fall = (fall + settings.gravity * step).min(settings.fall_speed);
            let wanted = vector((level - Vec3::Y * fall) * step);
            let movement = controller.move_shape(step, &world, &shape, &pose, wanted, |_| {});
            pose.translation += movement.translation;
            is_grounded = movement.grounded;
            if is_grounded {
                stood += 1;
                if stood % SAFE == 0 {
                    (safe, next_safe) = (next_safe, pose);
                }
            }
            let is_rescued = pose.translation.y < self.bottom - settings.fall_limit;
            if is_rescued {
                (pose, next_safe, level, fall, is_grounded) = (safe, safe, Vec3::ZERO, 0.0, false);
            }
            let center = Vec3::from_array(pose.translation.to_array()).as_dvec3();
            see(State { center, is_grounded, is_rescued });
        }
    }
}

/// The level velocity, changed towards the wanted one as fast as nodetree's walker changes it.
fn steer(velocity: Vec3, input: &Input, settings: &Settings, is_grounded: bool) -> Vec3 {
    let speed = if input.fast { settings.fast_speed } else { settings.speed };
    let wanted = forward(input.yaw) * (input.forward * speed);
    let acceleration = if is_grounded { settings.ground_acceleration } else { settings.air_acceleration };
    velocity + (wanted - velocity).clamp_length_max(acceleration * STEP as f32)
}
