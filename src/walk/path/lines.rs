//! JSON Lines with their numbers, and what can be wrong with them.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use serde::Deserialize;

/// What is wrong with a file of JSON Lines.
#[derive(Debug, thiserror::Error)]
pub enum PathError {
    /// It cannot be opened or read.
    #[error("cannot read {name}")]
    Unreadable {
        /// The file.
        name: String,
        /// Why not.
        #[source]
        reason: io::Error,
    },
    /// A line of it makes no sense.
    #[error("{name}, line {line}: {fault}")]
    Line {
        /// The file.
        name: String,
        /// The line's number, counted from 1.
        line: u64,
        /// What is wrong with the line.
        fault: String,
    },
    /// There is no line in it.
    #[error("{name} is empty: it needs a first line with the start, which may be {{}}")]
    Empty {
        /// The file.
        name: String,
    },
}

/// JSON Lines of a file or of standard input, one object each, with their numbers. Blank lines are none.
pub struct JsonLines {
    name: String,
    reader: Box<dyn BufRead>,
    buffer: Vec<u8>,
    number: u64,
    /// The line in the buffer is to be read again.
    again: bool,
}

/// The longest line that is read, in bytes; ours are below 400.
const LONGEST: u64 = 1 << 16;

impl JsonLines {
    /// Opens a file, or standard input for `-`.
    ///
    /// # Errors
    /// When it cannot be opened.
    pub fn open(path: &Path) -> Result<JsonLines, PathError> {
        if path == Path::new("-") {
            return Ok(JsonLines::new("standard input".to_owned(), BufReader::new(io::stdin())));
        }
        let name = path.display().to_string();
        match File::open(path) {
            Ok(file) => Ok(JsonLines::new(name, BufReader::new(file))),
            Err(reason) => Err(PathError::Unreadable { name, reason }),
        }
    }

    /// Lines of anything; errors call it `name`.
    pub fn new(name: String, reader: impl BufRead + 'static) -> JsonLines {
        JsonLines { name, reader: Box::new(reader), buffer: Vec::new(), number: 0, again: false }
    }

    /// What errors call it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The next line that is not blank; `None` at the end.
    ///
    /// # Errors
    /// When the line cannot be read, is longer than 64 KiB, or is not an object of the kind that is wanted.
    pub fn read<T: for<'de> Deserialize<'de>>(&mut self) -> Result<Option<T>, PathError> {
        if !self.advance()? {
            return Ok(None);
        }
        let line = self.buffer.trim_ascii();
        if line[0] != b'{' {
            return Err(self.fault("expected an object in braces"));
        }
        serde_json::from_slice(line).map(Some).map_err(|error| {
            // The reader's own place in the line would be taken for one in the file.
            let text = error.to_string();
            self.fault(text.split(" at line ").next().unwrap_or_default())
        })
    }

    /// Gives the line that was read last once more.
    pub fn put_back(&mut self) {
        self.again = true;
    }

    /// An error of the line that was read last.
    pub fn fault(&self, fault: impl Into<String>) -> PathError {
        // A key of the line may stand in it, and a line end in the key.
        let fault = fault.into().split(char::is_control).collect::<Vec<_>>().join(" ");
        PathError::Line { name: self.name.clone(), line: self.number, fault }
    }

    /// Reads on to the next line that is not blank. Whether there is one.
    fn advance(&mut self) -> Result<bool, PathError> {
        if std::mem::take(&mut self.again) {
            return Ok(true);
        }
        loop {
            self.number += 1;
            self.buffer.clear();
            let read = (&mut self.reader).take(LONGEST).read_until(b'\n', &mut self.buffer);
            let read = read.map_err(|reason| PathError::Unreadable { name: self.name.clone(), reason })?;
            if read as u64 == LONGEST {
                return Err(self.fault(format!("longer than {LONGEST} bytes")));
            }
            // Editors of Windows put a mark before the first line.
            if self.number == 1 && self.buffer.starts_with(b"\xef\xbb\xbf") {
                self.buffer.drain(..3);
            }
            if read == 0 || !self.buffer.trim_ascii().is_empty() {
                return Ok(read > 0);
            }
        }
    }
}
