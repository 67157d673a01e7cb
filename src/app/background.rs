//! Work on a thread of its own, while frames go on.

use std::io;
use std::sync::mpsc::{self, Receiver, TryRecvError};
#[cfg(not(target_arch = "wasm32"))]
use std::thread;

/// Work that goes on. Dropping it forgets the outcome; the thread ends by itself.
#[derive(Debug)]
pub struct Background<T> {
    outcome: Receiver<T>,
}

/// What has come of a [`Background`].
#[derive(Debug)]
pub enum Outcome<T> {
    /// It goes on.
    Working,
    /// It is done.
    Done(T),
    /// The thread died without an outcome.
    Failed,
}

impl<T: Send + 'static> Background<T> {
    /// Starts `work` on a thread of that name; `wake` is called once the outcome can be had from [`Background::poll`].
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn start(
        name: &str,
        work: impl FnOnce() -> T + Send + 'static,
        wake: impl FnOnce() + Send + 'static,
    ) -> io::Result<Background<T>> {
        let (sender, outcome) = mpsc::channel();
        spawn(name, move || {
            // The channel closes before the call, also when the work panics.
            let _wake = OnDrop(Some(wake));
            let sender = sender;
            // Nobody may be waiting any more.
            let _ = sender.send(work());
        })?;
        Ok(Background { outcome })
    }

    /// Looks, without waiting, what has come of it.
    pub fn poll(&self) -> Outcome<T> {
        match self.outcome.try_recv() {
            Ok(outcome) => Outcome::Done(outcome),
            Err(TryRecvError::Empty) => Outcome::Working,
            Err(TryRecvError::Disconnected) => Outcome::Failed,
        }
    }
}

#[cfg(not(target_arch = "wasm32"))]
fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    thread::Builder::new().name(name.to_owned()).spawn(|| on_other_cores(work))?;
    Ok(())
}

/// A page has one thread: the work is done on it, but only after a frame that says so.
#[cfg(target_arch = "wasm32")]
fn spawn(_: &str, work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    use wasm_bindgen::JsCast;
    /// So that a frame comes in between, also where frames are slow.
    const AFTER_MS: i32 = 150;
    let work = wasm_bindgen::closure::Closure::once_into_js(work);
    let window = web_sys::window().ok_or(io::ErrorKind::Unsupported)?;
    let begun = window.set_timeout_with_callback_and_timeout_and_arguments_0(work.unchecked_ref(), AFTER_MS);
    begun.map(|_| ()).map_err(|_| io::ErrorKind::Unsupported.into())
}

/// Runs `work` on all cores but one, which the frames keep.
#[cfg(not(target_arch = "wasm32"))]
fn on_other_cores<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    match rayon::ThreadPoolBuilder::new().num_threads(cores.saturating_sub(1).max(1)).build() {
        Ok(pool) => pool.install(work),
        Err(_) => work(),
    }
}

/// Calls its function at the end of the scope, also when that ends by a panic.
struct OnDrop<F: FnOnce()>(Option<F>);

impl<F: FnOnce()> Drop for OnDrop<F> {
    fn drop(&mut self) {
        if let Some(function) = self.0.take() {
            function();
        }
    }
}
