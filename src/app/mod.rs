//! The window: fly through a level and look at what culling does. The only code that knows winit and egui.
//!
//! [`Display::open`] finds out whether there can be a window at all; [`Display::run`] shows one until it is closed. What is
//! looked at is kept apart from how it is shown: `viewer` needs neither window nor graphics device.

pub mod bindings;
pub mod state;

mod background;
mod bodies;
mod bookmark;
mod crosshair;
mod debug_view;
mod frame_times;
mod free_file;
mod hiding;
mod hud;
mod input;
mod inset;
mod mouse;
mod open;
mod picture_file;
mod player;
mod rebuild;
mod recording;
mod report;
mod screen;
mod trail;
mod viewer;
mod watcher;
mod window;

use std::env;
use std::io;
use std::panic::{self, AssertUnwindSafe};
use std::path::PathBuf;
use std::sync::Arc;

use winit::error::EventLoopError;
use winit::event_loop::EventLoop;

use crate::render::{GpuError, GpuOptions, Inspect};
use crate::walk;
use crate::walk::path::Replay;

pub use hiding::UseOcclusion;
pub use mouse::MouseSettings;
pub use open::{Opened, Opener, Wanted};

/// What to show and how.
pub struct Options {
    /// What opens the level again, and others in its place.
    pub open: Arc<Opener>,
    /// By which name it opens the level that is shown at first.
    pub path: PathBuf,
    /// The files of which that is made, to load it again when they change; `None` to load it only when told.
    pub watch: Option<Vec<PathBuf>>,
    /// Start on foot rather than in flight.
    pub walks: bool,
    /// A recorded path that drives the walker at first, with its first walker.
    pub replay: Option<(Replay, walk::Walker)>,
    /// How the mouse looks around.
    pub mouse: MouseSettings,
    /// Body and speeds.
    pub walker: walk::Settings,
    /// Width and height of the window's contents at the start, in physical pixels.
    pub size: (u32, u32),
    /// Which graphics adapter.
    pub gpu: GpuOptions,
    /// Samples for each pixel; `None` leaves it to the adapter.
    pub samples: Option<u32>,
    /// What to show of the level instead of its materials at first.
    pub inspect: Option<Inspect>,
    /// Whether what is hidden behind nearer surfaces is left out.
    pub occlusion: UseOcclusion,
    /// Whether the sun casts shadows.
    pub shadows: bool,
    /// Where to write what the window shows as JSON Lines, see [`state::State`]; `-` is standard output.
    pub state: Option<PathBuf>,
}

/// Why there is no window, or no longer.
#[derive(Debug, thiserror::Error)]
pub enum WindowError {
    /// There is no display, or it does not answer.
    #[error("no display: {0}")]
    NoDisplay(String),
    /// The display gives no window.
    #[error("the window could not be opened: {0}")]
    NoWindow(String),
    /// There is nothing to draw with.
    #[error(transparent)]
    Gpu(#[from] GpuError),
    /// There is no thread to look after files.
    #[error("cannot look after the files of the level: {0}")]
    Watch(io::Error),
    /// The states cannot be written.
    #[error("cannot write the state to {path}: {reason}")]
    State {
        /// Where to.
        path: PathBuf,
        /// Why not.
        reason: io::Error,
    },
}

/// What other threads tell the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wake {
    /// A tree has been built, or could not be.
    Tree,
    /// A level has been loaded, or could not be.
    Level,
    /// A file that the level is made of has changed.
    Changed,
    /// The graphics device is gone.
    DeviceLost,
}

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
        window::run(self.event_loop, opened, options)
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
