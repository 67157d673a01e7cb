//! Two thumbs on a screen: the left one moves, the right one looks.

use glam::Vec2;
use winit::event::{Touch, TouchPhase};
use winit::keyboard::KeyCode;

use super::input::Input;

/// A thumb moves from so far away from where it came down on, as a part of the window's smaller edge.
const MOVES_FROM: f32 = 0.04;
/// So far away it runs.
const RUNS_FROM: f32 = 0.2;
/// Looking around by the right thumb is so much faster than by a mouse, for its way is shorter.
const LOOKS: f32 = 2.0;

/// Which fingers are down.
#[derive(Debug, Default)]
pub struct Thumbs {
    /// The left one, and where it came down.
    left: Option<(u64, Vec2)>,
    /// The right one, and where it was last.
    right: Option<(u64, Vec2)>,
}

impl Thumbs {
    /// Takes what a finger does in a window of `size` pixels. What the left one wants goes to `input` as keys; gives how far the
    /// right one looks around, in pixels of a mouse.
    pub fn take(&mut self, touch: &Touch, size: Vec2, input: &mut Input) -> Option<Vec2> {
        let place = Vec2::new(touch.location.x as f32, touch.location.y as f32);
        let is_left = self.left.is_some_and(|(id, _)| id == touch.id);
        let is_right = self.right.is_some_and(|(id, _)| id == touch.id);
        match touch.phase {
            TouchPhase::Started if place.x < 0.5 * size.x => {
                self.left.get_or_insert((touch.id, place));
            }
            TouchPhase::Started => {
                self.right.get_or_insert((touch.id, place));
            }
            TouchPhase::Moved if is_right => {
                let (_, last) = self.right.replace((touch.id, place))?;
                return Some(LOOKS * (place - last));
            }
            TouchPhase::Moved => {
                let (_, from) = self.left.filter(|_| is_left)?;
                press((place - from) / size.min_element().max(1.0), input);
            }
            TouchPhase::Ended | TouchPhase::Cancelled if is_left => {
                self.left = None;
                press(Vec2::ZERO, input);
            }
            TouchPhase::Ended | TouchPhase::Cancelled if is_right => self.right = None,
            TouchPhase::Ended | TouchPhase::Cancelled => {}
        }
        None
    }
}

/// Holds the keys that lead the way of the thumb, right and down, and lets go of the others.
fn press(way: Vec2, input: &mut Input) {
    // In eight directions: a way at less than 22.5 degrees to an axis is along it.
    let along = |part: f32| way.length() > MOVES_FROM && part > 0.38 * way.length();
    let keys = [
        (KeyCode::KeyW, along(-way.y)),
        (KeyCode::KeyS, along(way.y)),
        (KeyCode::KeyA, along(-way.x)),
        (KeyCode::KeyD, along(way.x)),
        (KeyCode::ShiftLeft, way.length() > RUNS_FROM),
    ];
    for (key, is_down) in keys {
        if is_down { input.press_key(key) } else { input.release_key(key) }
    }
}

#[cfg(test)]
mod tests {
    use winit::dpi::PhysicalPosition;
    use winit::event::DeviceId;

    use super::*;
    use crate::app::bindings::Action;

    fn touch(id: u64, phase: TouchPhase, x: f64, y: f64) -> Touch {
        Touch { device_id: DeviceId::dummy(), phase, location: PhysicalPosition::new(x, y), force: None, id }
    }

    #[test]
    fn the_left_thumb_moves_and_the_right_one_looks_at_the_same_time() {
        let (mut thumbs, mut input, size) = (Thumbs::default(), Input::default(), Vec2::new(800.0, 400.0));
        assert_eq!(thumbs.take(&touch(1, TouchPhase::Started, 100.0, 300.0), size, &mut input), None);
        assert_eq!(thumbs.take(&touch(2, TouchPhase::Started, 700.0, 300.0), size, &mut input), None);
        thumbs.take(&touch(1, TouchPhase::Moved, 100.0, 295.0), size, &mut input);
        assert!(!input.is_moving(), "a thumb that trembles stays");
        thumbs.take(&touch(1, TouchPhase::Moved, 140.0, 260.0), size, &mut input);
        let ahead_and_right = |input: &Input| {
            [input.axis(Action::Forward, Action::Back), input.axis(Action::Right, Action::Left)] == [1.0, 1.0]
        };
        assert!(ahead_and_right(&input) && !input.is_held(Action::Fast));
        let looked = thumbs.take(&touch(2, TouchPhase::Moved, 705.0, 298.0), size, &mut input);
        assert_eq!(looked, Some(Vec2::new(10.0, -4.0)));
        assert!(ahead_and_right(&input));
        thumbs.take(&touch(1, TouchPhase::Moved, 100.0, 200.0), size, &mut input);
        assert!(input.is_held(Action::Fast) && input.axis(Action::Right, Action::Left) == 0.0);
        thumbs.take(&touch(1, TouchPhase::Ended, 100.0, 200.0), size, &mut input);
        assert!(!input.is_moving() && !input.is_held(Action::Fast));
    }
}
