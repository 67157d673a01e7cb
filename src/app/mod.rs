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
#[cfg(not(target_arch = "wasm32"))]
mod display;
mod frame_times;
mod free_file;
#[cfg_attr(target_arch = "wasm32", path = "graphics_of_page.rs")]
mod graphics;
mod hiding;
mod hud;
mod input;
mod inset;
mod mouse;
mod open;
#[cfg(target_arch = "wasm32")]
mod page;
mod picture_file;
mod player;
mod rebuild;
mod recording;
mod report;
mod screen;
mod touch;
mod trail;
mod viewer;
mod watcher;
mod window;

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use crate::render::{GpuError, GpuOptions, Inspect};
use crate::walk;
use crate::walk::path::Replay;

#[cfg(not(target_arch = "wasm32"))]
pub use display::Display;
pub use hiding::UseOcclusion;
pub use mouse::MouseSettings;
pub use open::{Opened, Opener, Wanted, on_foot};
#[cfg(target_arch = "wasm32")]
pub use page::Page;

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

/// What other threads, or the page around it, tell the window.
#[derive(Clone, Debug, PartialEq)]
enum Wake {
    /// A tree has been built, or could not be.
    Tree,
    /// A level has been loaded, or could not be.
    Level,
    /// A file that the level is made of has changed.
    Changed,
    /// The graphics device is gone.
    DeviceLost,
    /// Another level is to be opened.
    #[cfg_attr(not(target_arch = "wasm32"), expect(dead_code, reason = "a page says so"))]
    Open(PathBuf),
    /// The camera is to be elsewhere: the eye in level coordinates, heading and elevation in degrees.
    #[cfg_attr(not(target_arch = "wasm32"), expect(dead_code, reason = "a page says so"))]
    Look([f64; 5]),
    /// The mouse is no longer captured.
    #[cfg_attr(not(target_arch = "wasm32"), expect(dead_code, reason = "a page says so"))]
    Released,
}
