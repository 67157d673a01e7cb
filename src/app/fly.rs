//! Flight without a body: the eye goes where the keys say.

use glam::Vec3;

use super::bindings::Action;
use super::input::Input;
use crate::camera::Camera;

/// Radians that the view turns for each pixel of the mouse.
const RADIANS_PER_PIXEL: f32 = 0.0025;
/// Shift flies so many times faster.
const FAST: f32 = 4.0;
/// A notch of the wheel changes the speed by this factor.
const NOTCH: f32 = 1.25;
/// The slowest and the fastest flight in metres a second.
const SPEEDS: (f32, f32) = (0.1, 2000.0);

/// Turns the view by the way of the mouse in pixels.
pub fn turn(camera: &mut Camera, pixels: glam::Vec2) {
    use std::f32::consts::{FRAC_PI_2, PI, TAU};
    camera.yaw = (camera.yaw - pixels.x * RADIANS_PER_PIXEL + PI).rem_euclid(TAU) - PI;
    camera.pitch = (camera.pitch - pixels.y * RADIANS_PER_PIXEL).clamp(-FRAC_PI_2, FRAC_PI_2);
}

/// Velocity in metres a second that the keys ask for, at a speed in metres a second: ahead is where the camera looks, up is
/// straight up.
pub fn velocity(camera: &Camera, input: &Input, speed: f32) -> Vec3 {
    let direction = input.axis(Action::Forward, Action::Back) * camera.forward()
        + input.axis(Action::Right, Action::Left) * camera.right()
        + input.axis(Action::Rise, Action::Sink) * Vec3::Y;
    let fast = if input.is_held(Action::Fast) { FAST } else { 1.0 };
    direction.normalize_or_zero() * speed * fast
}

/// The speed after some notches of the wheel, upwards positive.
pub fn speed_after(speed: f32, notches: f32) -> f32 {
    (speed * NOTCH.powf(notches)).clamp(SPEEDS.0, SPEEDS.1)
}

#[cfg(test)]
mod tests {
    use glam::Vec2;
    use winit::keyboard::KeyCode;

    use super::*;

    fn holding(keys: &[KeyCode]) -> Input {
        let mut input = Input::default();
        keys.iter().for_each(|&key| input.press_key(key));
        input
    }

    #[test]
    fn the_six_directions() {
        let camera = Camera::default();
        for (key, direction) in [
            (KeyCode::KeyW, Vec3::NEG_Z),
            (KeyCode::ArrowDown, Vec3::Z),
            (KeyCode::KeyA, Vec3::NEG_X),
            (KeyCode::ArrowRight, Vec3::X),
            (KeyCode::Space, Vec3::Y),
            (KeyCode::ControlLeft, Vec3::NEG_Y),
        ] {
            assert_eq!(velocity(&camera, &holding(&[key]), 3.0), direction * 3.0, "{key:?}");
        }
    }

    #[test]
    fn two_directions_are_no_faster_than_one() {
        let speed = velocity(&Camera::default(), &holding(&[KeyCode::KeyW, KeyCode::KeyD]), 3.0).length();
        assert!((speed - 3.0).abs() < 1e-5, "{speed}");
    }

    #[test]
    fn shift_is_fast_and_moves_nothing_alone() {
        assert_eq!(velocity(&Camera::default(), &holding(&[KeyCode::ShiftLeft]), 3.0), Vec3::ZERO);
        let fast = velocity(&Camera::default(), &holding(&[KeyCode::ShiftLeft, KeyCode::KeyW]), 3.0);
        assert_eq!(fast, Vec3::NEG_Z * 3.0 * FAST);
    }

    #[test]
    fn the_mouse_turns_right_and_down() {
        let mut camera = Camera::default();
        turn(&mut camera, Vec2::new(10.0, 10.0));
        assert!(camera.yaw < 0.0 && camera.pitch < 0.0);
        turn(&mut camera, Vec2::new(0.0, -1e6));
        assert_eq!(camera.pitch, std::f32::consts::FRAC_PI_2);
        turn(&mut camera, Vec2::new(-1e6, 0.0));
        assert!(camera.yaw.abs() <= std::f32::consts::PI);
    }

    #[test]
    fn the_wheel_stays_in_bounds() {
        assert!(speed_after(8.0, 1.0) > 8.0);
        assert_eq!(speed_after(8.0, 1000.0), SPEEDS.1);
        assert_eq!(speed_after(8.0, -1000.0), SPEEDS.0);
    }
}
