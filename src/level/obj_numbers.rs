//! The numbers of `v`, `vt` and `vn` lines, read by tobj some thousand lines at a time: in one go it would take memory several times
//! the level's.

use std::io::Write;

/// Lines that tobj reads in one go.
const LINES: usize = 1024;

/// Lines of one kind on their way through tobj, which sees them as `v` lines: `v x y z` or `v x y z red green blue`.
pub(super) struct Numbers {
    text: Vec<u8>,
    count: usize,
    /// Whether the lines in `text` have colours.
    colored: bool,
}

/// Three numbers of a line, and its colour where the lines have any.
pub(super) type Row = ([f64; 3], Option<[f64; 3]>);

impl Numbers {
    pub fn new() -> Numbers {
        Numbers { text: Vec::new(), count: 0, colored: false }
    }

    /// Adds a line of three numbers, or of six where `colored`, each a text that is one. Gives the lines before to `take` when there
    /// are enough of them.
    pub fn push(&mut self, numbers: &str, colored: bool, take: impl FnMut(Row)) -> Result<(), tobj::LoadError> {
        if self.count == LINES || colored && !self.colored {
            self.flush(take)?;
            self.colored |= colored;
        }
        self.text.extend_from_slice(b"v ");
        self.text.extend_from_slice(numbers.as_bytes());
        // Those without a colour stand among those with one as white.
        self.text.extend_from_slice(if self.colored && !colored { b" 1 1 1\n" } else { b"\n" });
        self.count += 1;
        Ok(())
    }

    /// Gives all lines that are left to `take`, in order.
    pub fn flush(&mut self, mut take: impl FnMut(Row)) -> Result<(), tobj::LoadError> {
        if self.count == 0 {
            return Ok(());
        }
        // tobj gives out what a polygon uses, in the order of its corners.
        self.text.push(b'f');
        for corner in 1..=self.count {
            let _ = write!(self.text, " {corner}");
        }
        let options = tobj::LoadOptions { triangulate: false, single_index: false, ..tobj::LoadOptions::default() };
        let (models, _) = tobj::load_obj_buf(&mut &*self.text, &options, |_| Ok(Default::default()))?;
        for model in &models {
            let mut colors = model.mesh.vertex_color.as_chunks::<3>().0.iter();
            for &position in model.mesh.positions.as_chunks::<3>().0 {
                take((position, colors.next().copied()));
            }
        }
        self.text.clear();
        self.count = 0;
        Ok(())
    }
}

/// How many numbers a line has when each is a plain one (digits, a sign, a point) and so surely finite; `None` when any is not.
pub(super) fn plain_count(text: &str) -> Option<usize> {
    /// More digits could be beyond the largest number.
    const LONGEST: usize = 64;
    let (mut count, mut digits, mut length, mut points) = (0, 0, 0, 0);
    for byte in text.bytes().chain([b' ']) {
        match byte {
            b'0'..=b'9' => digits += 1,
            b'.' if points == 0 => points = 1,
            b'-' | b'+' if length == 0 => {}
            b' ' | b'\t' if length == 0 => continue,
            b' ' | b'\t' if digits > 0 && length < LONGEST => {
                count += 1;
                (digits, length, points) = (0, 0, 0);
                continue;
            }
            _ => return None,
        }
        length += 1;
    }
    Some(count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_numbers_are_numbers() {
        for (text, count) in [("1 2 3", Some(3)), (" -1.5\t+.5  7. ", Some(3)), ("", Some(0)), ("0", Some(1))] {
            assert_eq!(plain_count(text), count, "{text:?}");
            assert!(text.split_ascii_whitespace().all(|word| word.parse::<f64>().is_ok_and(f64::is_finite)));
        }
        for text in
            ["1e5", "nan", ".", "-", "1 - 2", "1.2.3", "1-", "--1", "1,5", "1 # 2", &"9".repeat(400), "1\u{a0}2"]
        {
            assert_eq!(plain_count(text), None, "{text:?}");
        }
    }

    #[test]
    fn numbers_come_out_in_order() {
        let (mut numbers, mut rows) = (Numbers::new(), Vec::new());
        for i in 0..3000 {
            let colored = i > 1500 && i % 3 == 0;
            let text = if colored { format!("{i} -0 0.1 0 0.5 1") } else { format!("{i} -0 0.1") };
            numbers.push(&text, colored, |row| rows.push(row)).expect("numbers");
        }
        numbers.flush(|row| rows.push(row)).expect("numbers");
        assert_eq!(rows.len(), 3000);
        for (i, (position, color)) in rows.into_iter().enumerate() {
            assert_eq!(position.map(f64::to_bits), [i as f64, -0.0, 0.1].map(f64::to_bits));
            let wanted = if i > 1500 && i % 3 == 0 { [0.0, 0.5, 1.0] } else { [1.0; 3] };
            assert_eq!(color.unwrap_or([1.0; 3]), wanted);
        }
    }
}
