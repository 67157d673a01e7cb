//! The debug views that one key goes through.

use crate::render::Inspect;

/// What is drawn beside the level for those who look for faults.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DebugView {
    /// Nothing.
    #[default]
    Off,
    /// The walker's body, with the sweeps and contacts of its last step.
    Walker,
    /// Something of the level instead of its materials.
    Level(Inspect),
}

impl DebugView {
    /// All of them, in order.
    const ALL: [DebugView; 6] = [
        DebugView::Off,
        DebugView::Walker,
        DebugView::Level(Inspect::Cells),
        DebugView::Level(Inspect::Overdraw),
        DebugView::Level(Inspect::Depth),
        DebugView::Level(Inspect::Normals),
    ];

    /// What to show of the level instead of its materials.
    pub fn inspect(self) -> Option<Inspect> {
        match self {
            DebugView::Level(inspect) => Some(inspect),
            DebugView::Off | DebugView::Walker => None,
        }
    }

    /// The next one; after the last the first.
    pub fn next(self) -> DebugView {
        let place = DebugView::ALL.iter().position(|&view| view == self).unwrap_or(0);
        DebugView::ALL[(place + 1) % DebugView::ALL.len()]
    }

    /// As people call it.
    pub fn name(self) -> &'static str {
        match self {
            DebugView::Off => "off",
            DebugView::Walker => "walker",
            DebugView::Level(Inspect::Cells) => "cells",
            DebugView::Level(Inspect::Overdraw) => "overdraw",
            DebugView::Level(Inspect::Depth) => "depth",
            DebugView::Level(Inspect::Normals) => "normals",
        }
    }
}
