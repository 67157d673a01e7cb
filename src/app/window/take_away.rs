//! What people take from the window: texts and pictures.

use std::io::{self, Write};
use std::path::Path;

use image::RgbaImage;

use crate::app::{Options, picture_file};
use crate::render::GpuError;

/// Prints and copies a text.
pub fn hand_out(options: &Options, egui: &mut egui_winit::State, text: &str) {
    let to_stdout = options.state.as_ref().is_none_or(|path| path.as_os_str() != "-");
    // A reader that went away still has the clipboard.
    let _ = match to_stdout {
        true => writeln!(io::stdout(), "{text}"),
        false => writeln!(io::stderr(), "{text}"),
    };
    egui.set_clipboard_text(text.to_owned());
}

/// Saves a picture to the working folder, and says what came of it.
pub fn save(picture: Result<RgbaImage, GpuError>) -> String {
    let saved = picture
        .map_err(|error| error.to_string())
        .and_then(|picture| picture_file::save(&picture, Path::new("")).map_err(|error| error.to_string()));
    match saved {
        Ok(path) => format!("saved {}", path.display()),
        Err(reason) => format!("the picture could not be saved: {reason}"),
    }
}
