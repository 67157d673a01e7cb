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
        let mut lines: Vec<_> = self.0.iter().map(|(level, records)| line(level, records, missed)).collect();
        let total = |who: usize| Record::total(self.0.iter().map(|(_, records)| &records[who]));
        lines.push(line("**all**", &[total(0), total(1)], missed));
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

/// How the faults were found.
pub const TEXT: &str = "\
nodetree's number / rapier3d's, over the same courses; a number in bold is neither 0 nor the smaller. After every step both are held \
against all triangles near them, in f64 and without the code of either. *stuck*: in 60 steps nowhere farther than a hundredth of the \
wanted distance, although a way of 0.25 m within 75 degrees of the wanted one is free for the body, level or up by a step, over nothing \
but what can be walked (counted once in 60 steps). *through a triangle*: steps in which a core half as wide and half as high as the body \
meets a triangle on the straight line. *overlapping*: steps that end more than 0.1 mm inside the level, without nodetree's skin and \
rapier3d's offset. *launched*: steps that rise by more than stepping and slopes of 50 degrees explain, or go on rising in the air.

What differs: nodetree's body is an ellipsoid, rapier3d's a capsule of the same width and height, so that it has more flesh at feet and \
shoulders. Gravity is left to rapier3d's caller: a downward part of the wanted movement that grows until it says that it stands; the \
level part follows the input as quickly as nodetree's walker does, and is not slowed by what is met. Stairs want 0.1 m of free tread: \
with its default, half a metre, rapier3d walks less far and \
overlaps the level more often. Both are to keep 0.01 m away from the level, follow steps of 0.45 m up and down, \
walk slopes up to 50 degrees, and are brought back after a fall out of the world.";
