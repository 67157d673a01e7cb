//! Tables in Markdown.

use std::fmt::{self, Display, Formatter};

/// A table in Markdown.
#[derive(Default)]
pub struct Table {
    pub head: Vec<String>,
    pub lines: Vec<Vec<String>>,
}

impl Display for Table {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        let width = |column: usize| {
            let cells = self.lines.iter().chain([&self.head]).map(|line| line[column].chars().count());
            cells.max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..self.head.len()).map(width).collect();
        let line = |f: &mut Formatter, cells: &[String]| {
            for (place, (cell, width)) in cells.iter().zip(&widths).enumerate() {
                if place == 0 { write!(f, "| {cell:<width$} |")? } else { write!(f, " {cell:>width$} |")? }
            }
            writeln!(f)
        };
        line(f, &self.head)?;
        for (place, width) in widths.iter().enumerate() {
            let dashes = "-".repeat(*width);
            write!(f, "{}", if place == 0 { format!("|-{dashes}-|") } else { format!("-{dashes}:|") })?;
        }
        writeln!(f)?;
        self.lines.iter().try_for_each(|cells| line(f, cells))
    }
}
