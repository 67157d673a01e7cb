//! The viewer as a web page: what the page's script calls. Everything else is the viewer of the desktop.

#[cfg(target_arch = "wasm32")]
mod page;
