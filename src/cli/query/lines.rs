//! Lines of bytes, one at a time, of bounded length.

use std::io::{self, BufRead, BufReader, Read};

/// The longest line in bytes that is a question.
pub const LONGEST: usize = 1 << 20;

/// What came next.
pub enum Line<'a> {
    /// A line, without its line feed.
    Whole(&'a [u8]),
    /// Less than a line: ask again.
    Partial,
    /// A line that exceeds [`LONGEST`]; it was skipped.
    TooLong,
    /// Nothing more.
    End,
}

/// Reads lines and holds one.
pub struct Lines<R> {
    reader: BufReader<R>,
    line: Vec<u8>,
    /// Whether `line` was given out or skipped.
    is_done: bool,
    is_too_long: bool,
}

impl<R: Read> Lines<R> {
    pub fn new(input: R) -> Lines<R> {
        let reader = BufReader::with_capacity(1 << 16, input);
        Lines { reader, line: Vec::new(), is_done: true, is_too_long: false }
    }

    /// Whether [`Lines::next`] has to read from the input, which may take long.
    pub fn would_wait(&self) -> bool {
        self.reader.buffer().is_empty()
    }

    /// The next line, or part of it; reads from the input at most once.
    pub fn next(&mut self) -> io::Result<Line<'_>> {
        if self.is_done {
            self.line.clear();
            (self.is_done, self.is_too_long) = (false, false);
        }
        let bytes = loop {
            match self.reader.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
                Ok(bytes) => break bytes,
            }
        };
        let is_end = bytes.is_empty();
        let line_feed = bytes.iter().position(|&byte| byte == b'\n');
        let text = &bytes[..line_feed.unwrap_or(bytes.len())];
        if self.line.len() + text.len() > LONGEST {
            self.is_too_long = true;
            self.line.clear();
        }
        if !self.is_too_long {
            self.line.extend_from_slice(text);
        }
        let used = text.len() + usize::from(line_feed.is_some());
        self.reader.consume(used);
        if line_feed.is_none() && !is_end {
            return Ok(Line::Partial);
        }
        self.is_done = true;
        Ok(if self.is_too_long {
            Line::TooLong
        } else if is_end && self.line.is_empty() {
            Line::End
        } else {
            // Editors and shells of Windows put a mark before the first line.
            Line::Whole(self.line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&self.line))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(input: impl Read) -> Vec<Option<Vec<u8>>> {
        let mut lines = Lines::new(input);
        let mut found = Vec::new();
        loop {
            match lines.next().unwrap() {
                Line::Whole(text) => found.push(Some(text.to_vec())),
                Line::TooLong => found.push(None),
                Line::Partial => {}
                Line::End => return found,
            }
        }
    }

    #[test]
    fn the_last_line_needs_no_line_feed() {
        let line = |text: &str| Some(text.as_bytes().to_vec());
        assert_eq!(all(&b"a\n\nb"[..]), [line("a"), line(""), line("b")]);
        assert_eq!(all(&b"a\nb\n"[..]), [line("a"), line("b")]);
        assert_eq!(all(&b"\xef\xbb\xbfa\nb"[..]), [line("a"), line("b")]);
        assert_eq!(all(&b""[..]), []);
    }

    #[test]
    fn a_line_that_is_too_long_is_skipped_and_takes_no_memory() {
        let endless = io::repeat(b'x').take(100 << 20);
        let found = all(endless.chain(&b"\nb\n"[..]));
        assert_eq!(found, [None, Some(b"b".to_vec())]);
        let longest = all(io::repeat(b'x').take(LONGEST as u64).chain(&b"\n"[..]));
        assert_eq!(longest.len(), 1);
        assert_eq!(longest[0].as_ref().map(Vec::len), Some(LONGEST));
        assert_eq!(all(io::repeat(b'x').take(LONGEST as u64 + 1)), [None]);
    }
}
