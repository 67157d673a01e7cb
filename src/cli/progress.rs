//! A bar while a level is loaded, for people who wait.

use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use nodetree::level::Progress;

/// What takes no longer than this shows nothing.
const PATIENCE: Duration = Duration::from_millis(500);
const REFRESH: Duration = Duration::from_millis(100);

/// Shows a bar on the terminal until it is dropped; nothing where standard error is no terminal.
pub struct Shown {
    /// Closed to end it.
    end: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Shown {
    /// The bar for `progress`, titled `what`.
    pub fn new(progress: Progress, what: String) -> Shown {
        if !console::user_attended_stderr() {
            return Shown { end: None, thread: None };
        }
        let (end, ended) = mpsc::channel::<()>();
        let is_over = move |wait: Duration| !matches!(ended.recv_timeout(wait), Err(RecvTimeoutError::Timeout));
        let show = move || {
            if is_over(PATIENCE) {
                return;
            }
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr()).with_message(what);
            let style = ProgressStyle::with_template("{msg} {bar:30} {bytes} of {total_bytes}");
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
            loop {
                let [read, of] = progress.bytes();
                bar.set_length(of);
                bar.set_position(read.min(of));
                if is_over(REFRESH) {
                    break bar.finish_and_clear();
                }
            }
        };
        // Without a thread there is no bar.
        let thread = thread::Builder::new().name("progress".to_owned()).spawn(show).ok();
        Shown { end: Some(end), thread }
    }
}

impl Drop for Shown {
    fn drop(&mut self) {
        self.end = None;
        if let Some(thread) = self.thread.take() {
            // Errors that follow stand on a line of their own.
            let _ = thread.join();
        }
    }
}
