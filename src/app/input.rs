//! What is held down, and what the mouse has done since the last frame. Knows no window and no time.

use glam::Vec2;
use winit::event::MouseButton;
use winit::keyboard::KeyCode;

use super::bindings::{self, Action};

/// Keys and buttons that are down, and the mouse's way since [`Input::take_look`].
#[derive(Clone, Debug, Default)]
pub struct Input {
    keys: Vec<KeyCode>,
    buttons: Vec<MouseButton>,
    look: Vec2,
}

impl Input {
    /// Notes that a key went down.
    pub fn press_key(&mut self, key: KeyCode) {
        if !self.keys.contains(&key) {
            self.keys.push(key);
        }
    }

    /// Notes that a key went up.
    pub fn release_key(&mut self, key: KeyCode) {
        self.keys.retain(|&held| held != key);
    }

    /// Notes that a button of the mouse went down.
    pub fn press_button(&mut self, button: MouseButton) {
        if !self.buttons.contains(&button) {
            self.buttons.push(button);
        }
    }

    /// Notes that a button of the mouse went up.
    pub fn release_button(&mut self, button: MouseButton) {
        self.buttons.retain(|&held| held != button);
    }

    /// Lets go of everything: the window lost the focus and will not hear of keys going up.
    pub fn clear(&mut self) {
        *self = Input::default();
    }

    /// Whether a key or button of the action is down.
    pub fn is_held(&self, action: Action) -> bool {
        self.keys.iter().any(|&key| bindings::of_key(key, false) == Some(action))
            || self.buttons.iter().any(|&button| bindings::of_button(button) == Some(action))
    }

    /// Whether any key that moves is down.
    pub fn is_moving(&self) -> bool {
        let moves = [Action::Forward, Action::Back, Action::Left, Action::Right, Action::Rise, Action::Sink];
        moves.into_iter().any(|action| self.is_held(action))
    }

    /// 1 for the one action, -1 for the other, 0 for neither or both.
    pub fn axis(&self, positive: Action, negative: Action) -> f32 {
        f32::from(i8::from(self.is_held(positive)) - i8::from(self.is_held(negative)))
    }

    /// Adds to the way of the mouse, in pixels, right and down.
    pub fn look(&mut self, pixels: Vec2) {
        self.look += pixels;
    }

    /// The way of the mouse since the last call, in pixels, right and down.
    pub fn take_look(&mut self) -> Vec2 {
        std::mem::take(&mut self.look)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_keys_for_one_action_are_counted_apart() {
        let mut input = Input::default();
        input.press_key(KeyCode::KeyW);
        input.press_key(KeyCode::ArrowUp);
        input.release_key(KeyCode::KeyW);
        assert!(input.is_held(Action::Forward));
        input.release_key(KeyCode::ArrowUp);
        assert!(!input.is_held(Action::Forward));
    }

    #[test]
    fn opposite_keys_cancel() {
        let mut input = Input::default();
        input.press_key(KeyCode::KeyA);
        assert_eq!(input.axis(Action::Right, Action::Left), -1.0);
        input.press_key(KeyCode::KeyD);
        assert_eq!(input.axis(Action::Right, Action::Left), 0.0);
    }

    #[test]
    fn losing_the_focus_releases_everything() {
        let mut input = Input::default();
        input.press_key(KeyCode::KeyW);
        input.press_button(MouseButton::Right);
        input.look(Vec2::ONE);
        input.clear();
        assert!(!input.is_moving());
        assert!(!input.is_held(Action::DragLook));
        assert_eq!(input.take_look(), Vec2::ZERO);
    }

    #[test]
    fn the_mouse_is_taken_once() {
        let mut input = Input::default();
        input.look(Vec2::new(3.0, 1.0));
        input.look(Vec2::new(1.0, 1.0));
        assert_eq!(input.take_look(), Vec2::new(4.0, 2.0));
        assert_eq!(input.take_look(), Vec2::ZERO);
    }
}
