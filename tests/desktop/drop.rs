//! Dropping a file on a window as a file manager does, by version 5 of the drag-and-drop protocol of X.

use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use x11rb::connection::Connection;
use x11rb::protocol::Event;
use x11rb::protocol::xproto::{
    Atom, ClientMessageEvent, ConnectionExt, CreateWindowAux, EventMask, PropMode, SELECTION_NOTIFY_EVENT,
    SelectionNotifyEvent, Window, WindowClass,
};
use x11rb::rust_connection::RustConnection;
use x11rb::wrapper::ConnectionExt as _;

use super::desktop::PATIENCE;

/// Drops a file on the middle of a window, and waits until that has taken it.
pub fn drop_file(display: &str, window: &str, path: &Path) {
    let (server, screen) = x11rb::connect(Some(display)).expect("the server answers");
    let source = server.generate_id().expect("an id");
    let screen = &server.setup().roots[screen];
    let kind = WindowClass::INPUT_OUTPUT;
    let place = (-9, -9, 1, 1);
    server
        .create_window(0, source, screen.root, place.0, place.1, place.2, place.3, 0, kind, 0, &CreateWindowAux::new())
        .expect("a window");
    let hand = Hand { server: &server, source, target: window.parse().expect("a number") };
    let [selection, list, copy] = ["XdndSelection", "text/uri-list", "XdndActionCopy"].map(|name| hand.atom(name));
    let [status, finished] = ["XdndStatus", "XdndFinished"].map(|name| hand.atom(name));
    server.set_selection_owner(source, selection, x11rb::CURRENT_TIME).expect("it is ours");
    hand.send("XdndEnter", [5 << 24, list, 0, 0]);
    let middle = hand.middle(screen.root);
    hand.send("XdndPosition", [0, middle, x11rb::CURRENT_TIME, copy]);
    let start = Instant::now();
    loop {
        assert!(start.elapsed() < PATIENCE, "the window does not take what is dropped");
        let Some(event) = server.poll_for_event().expect("the server answers") else {
            thread::sleep(Duration::from_millis(10));
            continue;
        };
        match event {
            Event::SelectionRequest(wanted) => {
                let text = format!("file://{}\r\n", path.display());
                let (to, property) = (wanted.requestor, wanted.property);
                server.change_property8(PropMode::REPLACE, to, property, list, text.as_bytes()).expect("it is told");
                let told = SelectionNotifyEvent {
                    response_type: SELECTION_NOTIFY_EVENT,
                    sequence: 0,
                    time: wanted.time,
                    requestor: to,
                    selection,
                    target: wanted.target,
                    property,
                };
                server.send_event(false, to, EventMask::NO_EVENT, told).expect("it is sent");
                server.flush().expect("it is sent");
            }
            Event::ClientMessage(message) if message.type_ == status => {
                assert_eq!(message.data.as_data32()[1] & 1, 1, "the window takes no files");
                hand.send("XdndDrop", [0, x11rb::CURRENT_TIME, 0, 0]);
            }
            Event::ClientMessage(message) if message.type_ == finished => return,
            _ => {}
        }
    }
}

/// What drags.
struct Hand<'a> {
    server: &'a RustConnection,
    source: Window,
    target: Window,
}

impl Hand<'_> {
    fn atom(&self, name: &str) -> Atom {
        let cookie = self.server.intern_atom(false, name.as_bytes()).expect("it is sent");
        cookie.reply().expect("an atom").atom
    }

    /// Where the middle of the target is on the screen, as the protocol writes it.
    fn middle(&self, root: Window) -> u32 {
        let size = self.server.get_geometry(self.target).expect("it is sent").reply().expect("its size");
        let (x, y) = ((size.width / 2) as i16, (size.height / 2) as i16);
        let at = self.server.translate_coordinates(self.target, root, x, y).expect("it is sent").reply();
        let at = at.expect("its place");
        (at.dst_x as u32) << 16 | at.dst_y as u32
    }

    fn send(&self, what: &str, [one, two, three, four]: [u32; 4]) {
        let data = [self.source, one, two, three, four];
        let message = ClientMessageEvent::new(32, self.target, self.atom(what), data);
        self.server.send_event(false, self.target, EventMask::NO_EVENT, message).expect("it is sent");
        self.server.flush().expect("it is sent");
    }
}
