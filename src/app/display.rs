//! The window of a desktop: whether there can be one, and showing it until it is closed.

use std::env;
use std::panic::{self, AssertUnwindSafe};

use winit::error::EventLoopError;
use winit::event_loop::EventLoop;

use super::graphics::Graphics;
use super::state::StateLog;
use super::window::App;
use super::{Opened, Options, Wake, WindowError};

/// A connection to the display.
pub struct Display {
    event_loop: EventLoop<Wake>,
}

impl Display {
    /// Connects to the display. On the main thread only, and once in a process.
    ///
    /// # Errors
    /// [`WindowError::NoDisplay`] where there is none or a library to talk to it is missing.
    pub fn open() -> Result<Display, WindowError> {
        // winit panics where the system lacks a library that it loads at run time, such as libxkbcommon-x11.
        let hook = panic::take_hook();
        panic::set_hook(Box::new(|_| {}));
        let made = panic::catch_unwind(AssertUnwindSafe(|| EventLoop::with_user_event().build()));
        panic::set_hook(hook);
        match made {
            Ok(Ok(event_loop)) => Ok(Display { event_loop }),
            Ok(Err(error)) => Err(WindowError::NoDisplay(why_no_display(&error))),
            Err(panic) => {
                let reason = panic.downcast_ref::<String>().cloned();
                let reason = reason.or_else(|| panic.downcast_ref::<&str>().map(|&reason| reason.to_owned()));
                Err(WindowError::NoDisplay(reason.unwrap_or_else(|| "the event loop could not be made".to_owned())))
            }
        }
    }

    /// Shows a level, and those that are opened in its place, until the window is closed.
    ///
    /// # Errors
    /// When there is no window or nothing to draw with, or when the states cannot be written.
    pub fn run(self, opened: Opened, options: Options) -> Result<(), WindowError> {
        let log = match &options.state {
            Some(path) => {
                let log = StateLog::open(path);
                Some(log.map_err(|reason| WindowError::State { path: path.clone(), reason })?)
            }
            None => None,
        };
        let mut app = App::new(self.event_loop.create_proxy(), opened, options, Graphics, log)?;
        let ended = self.event_loop.run_app(&mut app);
        match (app.failure, ended) {
            (Some(failure), _) => Err(failure),
            (None, Err(error)) => Err(WindowError::NoWindow(error.to_string())),
            (None, Ok(())) => Ok(()),
        }
    }
}

/// The same in words for people: winit's own name lines of its source.
fn why_no_display(error: &EventLoopError) -> String {
    if cfg!(any(windows, target_os = "macos")) {
        return error.to_string();
    }
    let named = ["WAYLAND_DISPLAY", "DISPLAY"].into_iter().find_map(|name| {
        let value = env::var(name).ok().filter(|value| !value.is_empty())?;
        Some(format!("nothing answers at {name}={value}"))
    });
    named.unwrap_or_else(|| "neither DISPLAY nor WAYLAND_DISPLAY is set".to_owned())
}
