//! Every key and button of the viewer, in one table: it drives the handling, the cheat sheet and the manual.

use winit::event::MouseButton;
use winit::keyboard::KeyCode;

/// What a key or button does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Moves ahead while held.
    Forward,
    /// Moves back while held.
    Back,
    /// Moves to the left while held.
    Left,
    /// Moves to the right while held.
    Right,
    /// Rises while held, or jumps.
    Rise,
    /// Sinks while held, or crouches.
    Sink,
    /// Moves fast while held.
    Fast,
    /// Turns the view while held: for where the mouse cannot be captured.
    DragLook,
    /// Sets the speed of flight.
    Speed,
    /// Captures the mouse to look around, then throws a ball.
    Capture,
    /// Marks the point under the crosshair, or forgets it.
    Mark,
    /// Releases the mouse, or quits.
    Release,
    /// Rebuilds the tree in the other mode.
    SwitchTree,
    /// Walks or flies.
    SwitchMoving,
    /// Slides along the level in flight, or passes through it.
    Collide,
    /// Looks from behind the walker.
    ThirdPerson,
    /// Freezes the culling camera.
    Freeze,
    /// Lets the culling camera go on alone, and looks after it.
    Watch,
    /// Shows the boxes of the visited nodes.
    Boxes,
    /// Draws edges only.
    Wireframe,
    /// Leaves out what is hidden, or draws it.
    Occlusion,
    /// Shows the next of the debug views.
    DebugView,
    /// Shows the numbers.
    Hud,
    /// Prints and copies where the camera is.
    PrintCamera,
    /// Keeps the place to come back to.
    SetBookmark,
    /// Goes to the place that was kept.
    VisitBookmark,
    /// Records a path, or ends that.
    Record,
    /// Loads the level from its file again.
    Reload,
    /// Shows the cheat sheet.
    CheatSheet,
    /// Prints and copies what a bug report needs.
    Report,
    /// Fills the screen.
    FullScreen,
    /// Saves what is shown.
    Picture,
    /// Saves what is shown, without numbers and crosshair.
    PlainPicture,
}

impl Action {
    /// Whether it lasts while its key is down; the others happen once, when it goes down.
    pub fn is_held(self) -> bool {
        use Action::{Back, DragLook, Fast, Forward, Left, Right, Rise, Sink};
        matches!(self, Forward | Back | Left | Right | Rise | Sink | Fast | DragLook)
    }
}

/// What a person presses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trigger {
    /// A key, with or without Shift.
    Key(KeyCode),
    /// A key without Shift, where Shift changes the meaning.
    Plain(KeyCode),
    /// A key with Shift.
    Shift(KeyCode),
    /// A button of the mouse.
    Button(MouseButton),
    /// The wheel.
    Wheel,
}

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Binding {
    /// What a person presses: any of these.
    pub triggers: &'static [Trigger],
    /// The triggers as the cheat sheet writes them.
    pub label: &'static str,
    /// What happens.
    pub action: Action,
    /// The same as the cheat sheet says it.
    pub text: &'static str,
}

const fn row(label: &'static str, triggers: &'static [Trigger], action: Action, text: &'static str) -> Binding {
    Binding { triggers, label, action, text }
}

/// All of them, in the order of the cheat sheet.
pub const BINDINGS: &[Binding] = {
    use Trigger::{Button, Key, Plain, Shift, Wheel};
    &[
        row("W, up", &[Key(KeyCode::KeyW), Key(KeyCode::ArrowUp)], Action::Forward, "move forward"),
        row("S, down", &[Key(KeyCode::KeyS), Key(KeyCode::ArrowDown)], Action::Back, "move back"),
        row("A, left", &[Key(KeyCode::KeyA), Key(KeyCode::ArrowLeft)], Action::Left, "move left"),
        row("D, right", &[Key(KeyCode::KeyD), Key(KeyCode::ArrowRight)], Action::Right, "move right"),
        row("Space", &[Key(KeyCode::Space)], Action::Rise, "rise, or jump"),
        row("Ctrl", &[Key(KeyCode::ControlLeft), Key(KeyCode::ControlRight)], Action::Sink, "sink, or crouch"),
        row("Shift", &[Key(KeyCode::ShiftLeft), Key(KeyCode::ShiftRight)], Action::Fast, "move fast"),
        row("wheel", &[Wheel], Action::Speed, "speed of flight"),
        row("left click", &[Button(MouseButton::Left)], Action::Capture, "capture the mouse, or throw"),
        row("right drag", &[Button(MouseButton::Right)], Action::DragLook, "look without capturing"),
        row("middle click", &[Button(MouseButton::Middle)], Action::Mark, "mark a point, or forget it"),
        row("Esc", &[Key(KeyCode::Escape)], Action::Release, "release the mouse, then quit"),
        row("T", &[Key(KeyCode::KeyT)], Action::SwitchTree, "quadtree or octree"),
        row("G", &[Key(KeyCode::KeyG)], Action::SwitchMoving, "walk or fly"),
        row("C", &[Key(KeyCode::KeyC)], Action::Collide, "collide in flight"),
        row("V", &[Key(KeyCode::KeyV)], Action::ThirdPerson, "third person"),
        row("F", &[Plain(KeyCode::KeyF)], Action::Freeze, "freeze the culling camera"),
        row("Shift+F", &[Shift(KeyCode::KeyF)], Action::Watch, "stay, and see it go on"),
        row("B", &[Key(KeyCode::KeyB)], Action::Boxes, "node boxes"),
        row("L", &[Key(KeyCode::KeyL)], Action::Wireframe, "wireframe"),
        row("U", &[Key(KeyCode::KeyU)], Action::Occlusion, "leave out what is hidden"),
        row("N", &[Key(KeyCode::KeyN)], Action::DebugView, "next debug view"),
        row("H", &[Key(KeyCode::KeyH)], Action::Hud, "numbers"),
        row("P", &[Key(KeyCode::KeyP)], Action::PrintCamera, "print and copy --camera"),
        row("K", &[Plain(KeyCode::KeyK)], Action::SetBookmark, "set a bookmark"),
        row("Shift+K", &[Shift(KeyCode::KeyK)], Action::VisitBookmark, "go to the bookmark"),
        row("O", &[Key(KeyCode::KeyO)], Action::Record, "record a path"),
        row("R", &[Key(KeyCode::KeyR)], Action::Reload, "load the level again"),
        row("F1", &[Key(KeyCode::F1)], Action::CheatSheet, "this sheet"),
        row("F2", &[Key(KeyCode::F2)], Action::Report, "copy what a bug report needs"),
        row("F11", &[Key(KeyCode::F11)], Action::FullScreen, "full screen"),
        row("F12", &[Plain(KeyCode::F12)], Action::Picture, "save a picture"),
        row("Shift+F12", &[Shift(KeyCode::F12)], Action::PlainPicture, "save it without numbers"),
    ]
};

/// The table as text, a row a line, for the terminal.
pub fn as_text() -> String {
    let mut text = String::from("Keys in the window:\n");
    for Binding { label, text: does, .. } in BINDINGS {
        text += &format!("  {label:<14}{does}\n");
    }
    text
}

/// What a key does; `None` for one that does nothing.
pub fn of_key(key: KeyCode, shift: bool) -> Option<Action> {
    find(|trigger| match trigger {
        Trigger::Key(code) => code == key,
        Trigger::Plain(code) => code == key && !shift,
        Trigger::Shift(code) => code == key && shift,
        Trigger::Button(_) | Trigger::Wheel => false,
    })
}

/// What a button of the mouse does; `None` for one that does nothing.
pub fn of_button(button: MouseButton) -> Option<Action> {
    find(|trigger| trigger == Trigger::Button(button))
}

fn find(matches: impl Fn(Trigger) -> bool) -> Option<Action> {
    BINDINGS.iter().find(|binding| binding.triggers.iter().any(|&trigger| matches(trigger))).map(|found| found.action)
}

/// The key that a person means. Keys that are held to move count by their place on the keyboard; the others by the letter
/// on them, so that `T` is the key that says T on every layout. Layouts without that letter count by place as well.
pub fn meant_key(place: KeyCode, letter: Option<char>) -> KeyCode {
    if of_key(place, false).is_some_and(Action::is_held) {
        return place;
    }
    let lettered = letter.and_then(|letter| key_of_letter(letter.to_ascii_uppercase()));
    // A letter whose place moves must not take the movement's meaning on.
    lettered.filter(|&key| !of_key(key, false).is_some_and(Action::is_held)).unwrap_or(place)
}

fn key_of_letter(letter: char) -> Option<KeyCode> {
    Some(match letter {
        'B' => KeyCode::KeyB,
        'C' => KeyCode::KeyC,
        'F' => KeyCode::KeyF,
        'G' => KeyCode::KeyG,
        'H' => KeyCode::KeyH,
        'K' => KeyCode::KeyK,
        'L' => KeyCode::KeyL,
        'N' => KeyCode::KeyN,
        'O' => KeyCode::KeyO,
        'P' => KeyCode::KeyP,
        'R' => KeyCode::KeyR,
        'T' => KeyCode::KeyT,
        'U' => KeyCode::KeyU,
        'V' => KeyCode::KeyV,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_trigger_stands_twice() {
        let triggers: Vec<Trigger> = BINDINGS.iter().flat_map(|binding| binding.triggers).copied().collect();
        for (index, trigger) in triggers.iter().enumerate() {
            assert!(!triggers[..index].contains(trigger), "{trigger:?} stands twice");
        }
    }

    #[test]
    fn every_letter_of_the_table_is_found_on_another_layout() {
        for binding in BINDINGS.iter().filter(|binding| binding.label.len() == 1) {
            let letter = binding.label.chars().next();
            // A key whose place means nothing.
            let key = meant_key(KeyCode::KeyZ, letter);
            assert_eq!(of_key(key, false), Some(binding.action), "{}", binding.label);
        }
    }

    #[test]
    fn movement_counts_by_place() {
        // AZERTY: the key at W's place says Z. Dvorak: the key at D's place says E.
        assert_eq!(of_key(meant_key(KeyCode::KeyW, Some('z')), false), Some(Action::Forward));
        // Colemak: the key at F's place says T, the key at S's place says R.
        assert_eq!(of_key(meant_key(KeyCode::KeyF, Some('t')), false), Some(Action::SwitchTree));
        assert_eq!(of_key(meant_key(KeyCode::KeyS, Some('r')), false), Some(Action::Back));
        // Cyrillic: no Latin letter at all.
        assert_eq!(of_key(meant_key(KeyCode::KeyT, Some('е')), false), Some(Action::SwitchTree));
    }

    #[test]
    fn shift_tells_pictures_apart() {
        assert_eq!(of_key(KeyCode::F12, false), Some(Action::Picture));
        assert_eq!(of_key(KeyCode::F12, true), Some(Action::PlainPicture));
        assert_eq!(of_key(KeyCode::KeyW, true), Some(Action::Forward));
    }
}
