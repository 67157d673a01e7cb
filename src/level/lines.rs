//! Text files by logical lines: any line end, any encoding, continuation lines joined.

use std::borrow::Cow;

use memchr::memchr2;

/// A logical line with its number in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Line<'a> {
    /// Number of its first line, from 1.
    pub number: usize,
    /// Its text, trimmed.
    pub text: Cow<'a, str>,
}

/// The logical lines of an OBJ or MTL file.
pub(super) struct Lines<'a> {
    rest: &'a [u8],
    number: usize,
}

impl<'a> Lines<'a> {
    pub fn new(bytes: &'a [u8]) -> Lines<'a> {
        Lines { rest: bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes), number: 0 }
    }

    /// Those of a part of a file that so many lines stand before.
    pub fn after(number: usize, bytes: &'a [u8]) -> Lines<'a> {
        if number == 0 { Lines::new(bytes) } else { Lines { rest: bytes, number } }
    }

    /// The number of the last line so far, continued ones counted as they stand.
    pub fn number(&self) -> usize {
        self.number
    }

    /// Gives `take` the keyword of each line, which is quicker than asking each line; tells the number of the last.
    pub fn each_keyword(mut self, mut take: impl FnMut(&[u8])) -> usize {
        loop {
            let before = Lines { rest: self.rest, number: self.number };
            let Some(part) = self.physical() else { return self.number };
            let start = part.trim_ascii_start();
            let end = start.iter().position(u8::is_ascii_whitespace).unwrap_or(start.len());
            if start[..end].iter().all(u8::is_ascii_graphic) && !continues(part) {
                take(&start[..end]);
            } else {
                self = before;
                let line = self.next().expect("the line that was there");
                take(keyword(&line.text).0.as_bytes());
            }
        }
    }

    /// The next line as it stands in the file, without its end.
    fn physical(&mut self) -> Option<&'a [u8]> {
        if self.rest.is_empty() {
            return None;
        }
        self.number += 1;
        let end = memchr2(b'\n', b'\r', self.rest).unwrap_or(self.rest.len());
        let (line, rest) = self.rest.split_at(end);
        let ending = if rest.starts_with(b"\r\n") { 2 } else { rest.len().min(1) };
        self.rest = &rest[ending..];
        Some(line)
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = Line<'a>;

    fn next(&mut self) -> Option<Line<'a>> {
        let mut part = self.physical()?;
        let number = self.number;
        if !continues(part) {
            return Some(Line { number, text: trimmed(decoded(part)) });
        }
        let mut joined = String::new();
        while continues(part) {
            joined.push_str(&decoded(&part[..part.len() - 1]));
            // A space, so that the numbers on both sides stay two.
            joined.push(' ');
            part = self.physical().unwrap_or_default();
        }
        joined.push_str(&decoded(part));
        Some(Line { number, text: trimmed(Cow::Owned(joined)) })
    }
}

/// Whether the next line belongs to this one. A comment ends with its line: one that ends in a Windows path must not
/// swallow a vertex.
fn continues(line: &[u8]) -> bool {
    let Some(before) = line.strip_suffix(b"\\") else { return false };
    // In GBK, Big5 and Shift JIS the last byte of a character can be a backslash.
    let may_be_character = before.last().is_some_and(|&byte| byte >= 0x81) && std::str::from_utf8(before).is_err();
    !may_be_character && !line.trim_ascii_start().starts_with(b"#")
}

/// UTF-8, or else each byte one Latin-1 character, which keeps different names different whatever the encoding was.
fn decoded(line: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(line) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(line.iter().map(|&byte| char::from(byte)).collect()),
    }
}

fn trimmed(text: Cow<'_, str>) -> Cow<'_, str> {
    match text {
        Cow::Borrowed(text) => Cow::Borrowed(text.trim()),
        Cow::Owned(text) => Cow::Owned(text.trim().to_owned()),
    }
}

/// The keyword of a line and what follows it, trimmed.
pub(super) fn keyword(line: &str) -> (&str, &str) {
    match line.split_once(|c: char| c.is_ascii_whitespace()) {
        Some((keyword, rest)) => (keyword, rest.trim_start()),
        None => (line, ""),
    }
}

/// The words of a line up to a trailing comment.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split_ascii_whitespace().take_while(|word| !word.starts_with('#'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(bytes: &[u8]) -> Vec<(usize, String)> {
        Lines::new(bytes).map(|line| (line.number, line.text.into_owned())).collect()
    }

    fn expect(bytes: &[u8], lines: &[(usize, &str)]) {
        assert_eq!(texts(bytes), lines.iter().map(|&(number, text)| (number, text.to_owned())).collect::<Vec<_>>());
    }

    #[test]
    fn every_line_end_counts_once() {
        expect(b"a\nb\r\nc\rd\r\r\ne", &[(1, "a"), (2, "b"), (3, "c"), (4, "d"), (5, ""), (6, "e")]);
        expect(b"", &[]);
        expect(b"a\n", &[(1, "a")]);
    }

    #[test]
    fn keywords_are_those_of_the_lines() {
        let text = "\u{feff}v 1\n\tvt 2\r\nv\\\n 3\n\u{a0}vn 1\nv\u{a0}\n\u{b}f\n\nus\u{e9} m\n# a b\nv";
        for (number, bytes) in [(0, text.as_bytes()), (7, text.as_bytes()), (0, b"v\xa0\n\xff 1\n\\\nv")] {
            let mut keywords: Vec<String> = Vec::new();
            let last = Lines::after(number, bytes)
                .each_keyword(|keyword| keywords.push(String::from_utf8_lossy(keyword).into_owned()));
            let mut lines = Lines::after(number, bytes);
            let expected: Vec<String> = lines.by_ref().map(|line| keyword(&line.text).0.to_owned()).collect();
            assert_eq!((keywords, last), (expected, lines.number()));
        }
    }

    #[test]
    fn the_byte_order_mark_goes() {
        expect(b"\xef\xbb\xbfv 1", &[(1, "v 1")]);
    }

    #[test]
    fn continuation_lines_join_with_a_space() {
        expect(b"f 1\\\n2 \\\r\n  3\nv", &[(1, "f 1 2    3"), (4, "v")]);
        expect(b"f 1 2\\", &[(1, "f 1 2")]);
    }

    #[test]
    fn a_comment_never_continues() {
        expect(b"# C:\\levels\\\nv 1 2 3", &[(1, "# C:\\levels\\"), (2, "v 1 2 3")]);
    }

    #[test]
    fn a_backslash_inside_a_gbk_character_does_not_continue() {
        expect(b"usemtl \x95\\\nf 1", &[(1, "usemtl \u{95}\\"), (2, "f 1")]);
    }

    #[test]
    fn other_encodings_keep_names_apart() {
        let names: Vec<_> = Lines::new(b"usemtl \xb2\xc4\nusemtl \xb2\xc5").map(|line| line.text).collect();
        assert_ne!(names[0], names[1]);
    }

    #[test]
    fn words_end_at_a_comment() {
        assert_eq!(words("1 2\t3 # 4 5").collect::<Vec<_>>(), ["1", "2", "3"]);
        assert_eq!(words("1 2#3").collect::<Vec<_>>(), ["1", "2#3"]);
    }
}
