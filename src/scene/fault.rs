//! What is wrong with a scene file, and in which line.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// What is wrong with an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Wrong {
    /// The key at fault, as `motion.speed` where it is in a table of its own; empty for the entry as a whole.
    pub key: &'static str,
    pub what: String,
}

impl Wrong {
    pub fn at(key: &'static str, what: impl Into<String>) -> Wrong {
        Wrong { key, what: what.into() }
    }

    /// The entry as a whole.
    pub fn entry(what: impl Into<String>) -> Wrong {
        Wrong::at("", what)
    }
}

/// Which entry of a scene file: its kind, and the how manyth of that kind it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub kind: &'static str,
    pub number: usize,
}

impl Place {
    /// The line of a key of the entry, from 1; where the key is not there, that of the table which lacks it. `text` is read
    /// again for this: it is needed once, for an error.
    pub fn line(self, text: &str, key: &str) -> usize {
        let line = || {
            let file = DeTable::parse(text).ok()?;
            let (head, value) = file.as_ref().get_key_value(self.kind)?;
            let (mut span, mut value) = match value.as_ref() {
                DeValue::Array(entries) => {
                    let entry = entries.get(self.number)?;
                    (entry.span(), entry.as_ref())
                }
                entry => (head.span(), entry),
            };
            for part in key.split('.') {
                let Some((name, inner)) = value.as_table().and_then(|table| table.get_key_value(part)) else { break };
                (span, value) = (Spanned::span(name), inner.as_ref());
            }
            Some(line_of(text, &span))
        };
        line().unwrap_or(1)
    }
}

/// The line in which something begins, from 1.
pub(super) fn line_of(text: &str, span: &Range<usize>) -> usize {
    text.as_bytes()[..span.start.min(text.len())].iter().filter(|&&byte| byte == b'\n').count() + 1
}
