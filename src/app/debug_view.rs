//! The debug views that one key goes through.

/// What is drawn beside the level for those who look for faults.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DebugView {
    /// Nothing.
    #[default]
    Off,
    /// The walker's body, with the sweeps and contacts of its last step.
    Walker,
}

impl DebugView {
    /// All of them, in order.
    const ALL: [DebugView; 2] = [DebugView::Off, DebugView::Walker];

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
        }
    }
}
