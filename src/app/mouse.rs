//! Capturing the mouse: locked in its place where the system can, else confined to the window and brought back to its
//! middle; where neither works, dragging with the right button looks.

use glam::Vec2;
use winit::dpi::PhysicalPosition;
use winit::window::{CursorGrabMode, Window};

/// How far the mouse looks around.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MouseSettings {
    /// As many times as usual.
    pub sensitivity: f32,
    /// Moving it down looks up.
    pub invert_y: bool,
}

impl Default for MouseSettings {
    fn default() -> MouseSettings {
        MouseSettings { sensitivity: 1.0, invert_y: false }
    }
}

impl MouseSettings {
    /// How far a way of the mouse counts, both in pixels right and down.
    pub(super) fn scaled(&self, way: Vec2) -> Vec2 {
        self.sensitivity * if self.invert_y { Vec2::new(way.x, -way.y) } else { way }
    }
}

/// How the mouse is held.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Hold {
    /// It moves freely.
    #[default]
    Free,
    /// It stays in its place; the system reports how far it would have gone.
    Locked,
    /// It moves within the window, and is brought back to the middle.
    Confined,
}

/// The mouse of the window.
#[derive(Debug, Default)]
pub struct Mouse {
    hold: Hold,
    last: Option<Vec2>,
    /// Brought back to the middle, and not yet reported there.
    warped: bool,
}

impl Mouse {
    /// Whether moving it looks around, without a button.
    pub fn is_captured(&self) -> bool {
        self.hold != Hold::Free
    }

    /// Captures it. Whether that worked.
    pub fn capture(&mut self, window: &Window) -> bool {
        self.hold = if window.set_cursor_grab(CursorGrabMode::Locked).is_ok() {
            Hold::Locked
        } else if window.set_cursor_grab(CursorGrabMode::Confined).is_ok() {
            Hold::Confined
        } else {
            Hold::Free
        };
        window.set_cursor_visible(!self.is_captured());
        self.is_captured()
    }

    /// Lets it go.
    pub fn release(&mut self, window: &Window) {
        if self.is_captured() {
            // A system that cannot let go has nothing to offer instead.
            let _ = window.set_cursor_grab(CursorGrabMode::None);
            window.set_cursor_visible(true);
        }
        *self = Mouse::default();
    }

    /// Takes a report of the mouse itself, in pixels. How far that looks around, if it does.
    pub fn moved_by(&self, way: Vec2) -> Option<Vec2> {
        (self.hold == Hold::Locked).then_some(way)
    }

    /// Takes a report of where the pointer is in the window, in physical pixels. How far that looks around, if it does:
    /// while confined, or while the button for it is down.
    pub fn moved_to(&mut self, place: Vec2, window: &Window, dragging: bool) -> Option<Vec2> {
        let size = window.inner_size();
        let middle = Vec2::new((size.width / 2) as f32, (size.height / 2) as f32);
        if self.warped && place.distance(middle) < 2.0 {
            self.warped = false;
            self.last = Some(place);
            return None;
        }
        let way = place - self.last.replace(place)?;
        match self.hold {
            Hold::Locked => None,
            Hold::Free => dragging.then_some(way),
            Hold::Confined => {
                // Not each time: reports on their way would be measured from the wrong place.
                if place.distance(middle) > 0.25 * middle.min_element() && !self.warped {
                    let middle = PhysicalPosition::new(size.width / 2, size.height / 2);
                    self.warped = window.set_cursor_position(middle).is_ok();
                }
                Some(way)
            }
        }
    }

    /// Forgets where the pointer was: it left the window.
    pub fn left(&mut self) {
        self.last = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_is_scaled_and_turned_over() {
        let way = Vec2::new(3.0, 2.0);
        assert_eq!(MouseSettings::default().scaled(way), way);
        assert_eq!(MouseSettings { sensitivity: 0.5, invert_y: true }.scaled(way), Vec2::new(1.5, -1.0));
    }
}
