//! Faults of a level that could be mended, each kind counted.

use std::fmt;

/// What kind of fault it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum WarningKind {
    /// A triangle without area: kept in the numbering, left out of the tree.
    DegenerateTriangle,
    /// A triangle with a corner that is not a number or infinite: kept in the numbering, left out of the tree.
    NonFiniteTriangle,
    /// A material library could not be read.
    MissingMaterialLibrary,
    /// A face uses a material that no library defines.
    UnknownMaterial,
    /// A texture could not be found or decoded.
    MissingTexture,
    /// A line with a keyword that means nothing to us.
    UnknownKeyword,
    /// A line that is malformed, or a part of one that means nothing here.
    MalformedLine,
    /// Points, lines and curves: elements of the file that are no polygons.
    ElementNotDrawn,
    /// A polygon whose outline crosses itself or leaves its plane too far to be cut exactly.
    DoubtfulPolygon,
    /// All materials claim to be invisible; they are drawn opaque.
    EverythingInvisible,
    /// The level is implausibly large or small for metres.
    ImplausibleSize,
}

impl WarningKind {
    /// Every kind.
    pub(super) const ALL: [WarningKind; 11] = [
        WarningKind::DegenerateTriangle,
        WarningKind::NonFiniteTriangle,
        WarningKind::MissingMaterialLibrary,
        WarningKind::UnknownMaterial,
        WarningKind::MissingTexture,
        WarningKind::UnknownKeyword,
        WarningKind::MalformedLine,
        WarningKind::ElementNotDrawn,
        WarningKind::DoubtfulPolygon,
        WarningKind::EverythingInvisible,
        WarningKind::ImplausibleSize,
    ];

    /// The name in JSON and on the terminal.
    pub fn name(self) -> &'static str {
        match self {
            WarningKind::DegenerateTriangle => "degenerate_triangle",
            WarningKind::NonFiniteTriangle => "non_finite_triangle",
            WarningKind::MissingMaterialLibrary => "missing_material_library",
            WarningKind::UnknownMaterial => "unknown_material",
            WarningKind::MissingTexture => "missing_texture",
            WarningKind::UnknownKeyword => "unknown_keyword",
            WarningKind::MalformedLine => "malformed_line",
            WarningKind::ElementNotDrawn => "element_not_drawn",
            WarningKind::DoubtfulPolygon => "doubtful_polygon",
            WarningKind::EverythingInvisible => "everything_invisible",
            WarningKind::ImplausibleSize => "implausible_size",
        }
    }
}

/// One fault, and how often it occurred.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// What kind.
    pub kind: WarningKind,
    /// What is wrong, where, and what was done about it, in one line.
    pub message: String,
    /// How many times.
    pub count: u64,
}

impl fmt::Display for Warning {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.count {
            1 => write!(formatter, "{}", self.message),
            count => write!(formatter, "{} ({count} times)", self.message),
        }
    }
}

/// Different messages of one kind that are kept; further ones are counted together, so that a broken file cannot flood.
const MESSAGES_A_KIND: usize = 32;

/// The faults of a level in the order in which they were first met.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Warnings {
    list: Vec<Warning>,
}

impl Warnings {
    /// Notes a fault once. The same kind with the same message again is only counted, so give one message for one cause.
    pub fn add(&mut self, kind: WarningKind, message: impl Into<String>) {
        self.add_many(kind, message, 1);
    }

    /// Notes a fault that occurred `count` times; nothing for 0.
    pub fn add_many(&mut self, kind: WarningKind, message: impl Into<String>, count: u64) {
        if count == 0 {
            return;
        }
        let message = message.into();
        let same_kind = self.list.iter().filter(|warning| warning.kind == kind).count();
        let is_known = self.list.iter().any(|warning| warning.kind == kind && warning.message == message);
        let message =
            if is_known || same_kind < MESSAGES_A_KIND { message } else { "and more of this kind".to_owned() };
        match self.list.iter_mut().find(|warning| warning.kind == kind && warning.message == message) {
            Some(warning) => warning.count += count,
            None => self.list.push(Warning { kind, message, count }),
        }
    }

    /// Notes all of `others`.
    pub fn append(&mut self, others: &Warnings) {
        for warning in others.iter() {
            self.add_many(warning.kind, &*warning.message, warning.count);
        }
    }

    /// The faults in order.
    pub fn iter(&self) -> impl Iterator<Item = &Warning> {
        self.list.iter()
    }

    /// Whether there were none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }
}
