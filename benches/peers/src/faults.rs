//! The table of what goes wrong in walking.

use crate::table::Table;
use crate::walking::judge::{FAULTS, Record};

/// What nodetree's walker and rapier3d's came to, by level.
#[derive(Default)]
pub struct Walked(Vec<(String, [Record; 2])>);

impl Walked {
    pub fn add(&mut self, level: &str, records: [Record; 2]) {
        self.0.push((level.to_owned(), records));
    }

    /// A line a level, nodetree's number before rapier3d's; where nodetree's is neither 0 nor the smaller it is bold, and added
    /// to what is missed. `None` when nobody walked.
    pub fn table(&self, missed: &mut Vec<String>) -> Option<Table> {
        if self.0.is_empty() {
            return None;
        }
        let kinds = FAULTS.iter().map(ToString::to_string);
        let others = ["deepest overlap, mm", "way, m"].map(str::to_owned);
        let head = ["level".to_owned()].into_iter().chain(kinds).chain(others).collect();
        let lines = self.0.iter().map(|(level, records)| line(level, records, missed)).collect();
        Some(Table { head, lines })
    }
}

fn line(level: &str, [ours, theirs]: &[Record; 2], missed: &mut Vec<String>) -> Vec<String> {
    let mut line = vec![level.to_owned()];
    for (place, fault) in FAULTS.iter().enumerate() {
        let (ours, theirs) = (ours.counts[place], theirs.counts[place]);
        let is_missed = ours > 0 && ours >= theirs;
        if is_missed {
            missed.push(format!("walking, {level}, {fault}: {ours}, fewer than {theirs}"));
        }
        line.push(if is_missed { format!("**{ours}** / {theirs}") } else { format!("{ours} / {theirs}") });
    }
    let millimetres = |record: &Record| format!("{:.1}", 1e3 * record.deepest);
    line.push(format!("{} / {}", millimetres(ours), millimetres(theirs)));
    line.push(format!("{:.0} / {:.0}", ours.way, theirs.way));
    line
}

pub const TEXT: &str = "TODO";
