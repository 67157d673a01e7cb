//! The window in a browser: a canvas, and what the page around it says and asks.

use std::cell::RefCell;
use std::io::{self, Write};
use std::path::PathBuf;
use std::rc::Rc;

use web_sys::HtmlCanvasElement;
use winit::event_loop::{EventLoop, EventLoopProxy};
use winit::platform::web::EventLoopExtWebSys;

use super::graphics::Graphics;
use super::state::StateLog;
use super::window::App;
use super::{Opened, Options, Wake, WindowError};

/// A canvas that shows a level. It goes on without this.
pub struct Page {
    proxy: EventLoopProxy<Wake>,
    state: Rc<RefCell<Vec<u8>>>,
}

impl Page {
    /// Shows a level on `canvas`: by WebGPU where the browser has that and `webgpu` allows it, else by WebGL2.
    ///
    /// # Errors
    /// When there is nothing to draw with.
    pub async fn open(
        canvas: HtmlCanvasElement,
        webgpu: bool,
        opened: Opened,
        options: Options,
    ) -> Result<Page, WindowError> {
        let graphics = Graphics::of(canvas, webgpu).await?;
        let event_loop = EventLoop::with_user_event().build();
        let event_loop = event_loop.map_err(|error| WindowError::NoWindow(error.to_string()))?;
        let proxy = event_loop.create_proxy();
        let state = Rc::default();
        let log = StateLog::to(Box::new(LastLine(Rc::clone(&state))));
        event_loop.spawn_app(App::new(proxy.clone(), opened, options, graphics, Some(log))?);
        Ok(Page { proxy, state })
    }

    /// Begins to open another level, as one that is dropped on a window.
    pub fn open_level(&self, path: PathBuf) {
        self.tell(Wake::Open(path));
    }

    /// Flies from there on: the eye in level coordinates, heading and elevation in degrees.
    pub fn look_from(&self, pose: [f64; 5]) {
        self.tell(Wake::Look(pose));
    }

    /// Says that the browser has let the mouse go.
    pub fn mouse_released(&self) {
        self.tell(Wake::Released);
    }

    /// The [`State`](super::state::State) as it was last written down, in JSON; empty before the first frame.
    pub fn state(&self) -> String {
        String::from_utf8_lossy(&self.state.borrow()).trim_end().to_owned()
    }

    fn tell(&self, what: Wake) {
        // The loop ends only with the page.
        let _ = self.proxy.send_event(what);
    }
}

/// Keeps what was written before the last flush but one.
struct LastLine(Rc<RefCell<Vec<u8>>>);

impl Write for LastLine {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut line = self.0.borrow_mut();
        if line.last() == Some(&b'\n') {
            line.clear();
        }
        line.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
