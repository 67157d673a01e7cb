//! A text file piece by piece, so that a large one is never in memory whole.

use std::io::{self, Read};

/// How much is read in one go, in bytes.
const PIECE: usize = 1 << 20;

/// Reads blocks of whole logical lines: none ends within a line, between the two bytes of its end, or where the next line continues
/// it.
pub(super) struct Blocks<R> {
    source: R,
    buffer: Vec<u8>,
    /// How much of the buffer is from the file.
    filled: usize,
    /// Where the block that was given last ends.
    taken: usize,
}

impl<R: Read> Blocks<R> {
    pub fn new(source: R) -> Blocks<R> {
        Blocks { source, buffer: Vec::new(), filled: 0, taken: 0 }
    }

    /// The next block; `None` behind the last.
    pub fn next(&mut self) -> io::Result<Option<&[u8]>> {
        self.buffer.copy_within(self.taken..self.filled, 0);
        self.filled -= self.taken;
        self.taken = 0;
        // A line longer than a piece is looked at again only when there is twice as much of it.
        let mut enough = PIECE;
        loop {
            if self.buffer.len() < self.filled + PIECE {
                self.buffer.resize(self.filled + PIECE, 0);
            }
            let count = match self.source.read(&mut self.buffer[self.filled..]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                count => count?,
            };
            self.filled += count;
            let end = match count {
                0 => Some(self.filled),
                _ if self.filled < enough => None,
                _ => end_of_lines(&self.buffer[..self.filled]),
            };
            if let Some(end) = end {
                self.taken = end;
                return Ok(Some(&self.buffer[..end]).filter(|block| !block.is_empty()));
            }
            if self.filled >= enough {
                enough = 2 * self.filled;
            }
        }
    }
}

/// Behind the last line that ends in these bytes and is surely not continued.
fn end_of_lines(bytes: &[u8]) -> Option<usize> {
    // The last byte may be the first of two.
    let ends = (1..bytes.len()).rev().filter(|&end| is_end(bytes[end - 1]) && bytes[end] != b'\n');
    let mut ends = ends.filter(|&end| bytes[..end].iter().rev().find(|&&byte| !is_end(byte)) != Some(&b'\\'));
    ends.next()
}

fn is_end(byte: u8) -> bool {
    byte == b'\n' || byte == b'\r'
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives so many bytes in one go.
    struct Drops<'a>(&'a [u8], usize);

    impl Read for Drops<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let count = self.0.len().min(self.1).min(buffer.len());
            buffer[..count].copy_from_slice(&self.0[..count]);
            self.0 = &self.0[count..];
            Ok(count)
        }
    }

    fn blocks(bytes: &[u8], drop: usize) -> Vec<Vec<u8>> {
        let mut blocks = Blocks::new(Drops(bytes, drop));
        std::iter::from_fn(|| blocks.next().expect("bytes").map(<[u8]>::to_vec)).collect()
    }

    #[test]
    fn a_block_ends_where_a_line_does() {
        assert_eq!(end_of_lines(b"a\nbc"), Some(2));
        assert_eq!(end_of_lines(b"a\r\nb"), Some(3));
        assert_eq!(end_of_lines(b"a\rb\r"), Some(2));
        assert_eq!(end_of_lines(b"a\nb\\\nc"), Some(2));
        assert_eq!(end_of_lines(b"a\nb\\\r\nc"), Some(2));
        assert_eq!(end_of_lines(b"a\nb\\\n\nc"), Some(2));
        assert_eq!(end_of_lines(b"abc"), None);
        assert_eq!(end_of_lines(b"\nx"), Some(1));
    }

    #[test]
    fn blocks_together_are_the_file() {
        let lines: Vec<u8> = (0..400_000).flat_map(|n| format!("v {n}\\\n 2 3\n").into_bytes()).collect();
        let one_line = vec![b'x'; 3 * PIECE + 5];
        for bytes in [&lines, &one_line, &Vec::new()] {
            for drop in [PIECE / 3 + 1, usize::MAX] {
                let blocks = blocks(bytes, drop);
                assert!(blocks.concat() == *bytes);
                assert!(blocks.iter().rev().skip(1).all(|block| block.ends_with(b"3\n")));
            }
        }
        assert!(blocks(&lines, usize::MAX).len() > 4);
    }
}
