//! The real levels that tests run on, from the folder that `NODETREE_DATA` names, as its `LEVELS.tsv` describes them.

// Each test takes what it needs.
#![allow(dead_code)]

use std::collections::HashMap;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use glam::DVec3;
use libtest_mimic::{Arguments, Conclusion, Trial};
use nodetree::level::{Level, LoadOptions, Placement, load};

/// The OBJ levels that everything must hold on.
pub const LEVELS: [&str; 5] = ["undulating", "dungeon", "ralph-world", "dutility", "institute"];

/// A row of `LEVELS.tsv`.
#[derive(Clone, Debug)]
pub struct DataLevel {
    /// Name of its folder.
    pub name: String,
    pub file: PathBuf,
    columns: HashMap<String, String>,
}

/// The folder with the data, if it is named and there.
pub fn folder() -> Option<PathBuf> {
    env::var_os("NODETREE_DATA").map(PathBuf::from).filter(|folder| folder.join("LEVELS.tsv").is_file())
}

/// Whether everything must run, as in CI.
pub fn nothing_may_be_skipped() -> bool {
    env::var_os("NODETREE_REQUIRE_GPU").is_some_and(|value| value == "1")
}

/// Runs trials that need the data: without it each shows as ignored, or fails where nothing may be skipped.
pub fn run(trials: Vec<Trial>) -> Conclusion {
    run_with(Vec::new(), trials)
}

/// The same, with trials that need no data and always run.
pub fn run_with(always: Vec<Trial>, trials: Vec<Trial>) -> Conclusion {
    let present = folder().is_some();
    let trials = trials.into_iter().map(|trial| {
        if present {
            trial
        } else if nothing_may_be_skipped() {
            let name = trial.name().to_owned();
            Trial::test(name, || Err("NODETREE_DATA names no folder with LEVELS.tsv".into()))
        } else {
            trial.with_ignored_flag(true)
        }
    });
    libtest_mimic::run(&Arguments::from_args(), always.into_iter().chain(trials).collect())
}

/// The rows whose file is an OBJ level of [`LEVELS`].
///
/// # Panics
/// Without the data.
pub fn levels() -> Vec<DataLevel> {
    rows().into_iter().filter(|row| LEVELS.contains(&row.name.as_str())).collect()
}

/// The level of [`LEVELS`] with this name.
///
/// # Panics
/// Without the data, or when there is no such row.
pub fn level(name: &str) -> DataLevel {
    levels().into_iter().find(|level| level.name == name).unwrap_or_else(|| panic!("LEVELS.tsv has no {name}"))
}

/// Every row.
///
/// # Panics
/// Without the data.
pub fn rows() -> Vec<DataLevel> {
    let folder = folder().expect("NODETREE_DATA");
    let text = fs::read_to_string(folder.join("LEVELS.tsv")).expect("LEVELS.tsv");
    let mut lines = text.lines();
    let heads: Vec<&str> = lines.next().expect("a head line").split('\t').collect();
    let rows = lines.filter(|line| !line.trim().is_empty()).map(|line| {
        let columns: HashMap<String, String> = heads
            .iter()
            .zip(line.split('\t'))
            .map(|(&head, value)| (head.to_owned(), value.trim().to_owned()))
            .collect();
        let file = PathBuf::from(&columns["file"]);
        let name =
            file.parent().and_then(Path::file_name).map_or_else(String::new, |n| n.to_string_lossy().into_owned());
        DataLevel { name, file: folder.join(file), columns }
    });
    rows.collect()
}

impl DataLevel {
    /// The text of the column whose head begins with `head`.
    pub fn column(&self, head: &str) -> &str {
        let (_, value) = self.columns.iter().find(|(name, _)| name.starts_with(head)).expect(head);
        value
    }

    /// The numbers at the front of that column.
    pub fn numbers(&self, head: &str) -> Vec<f64> {
        self.column(head).split_whitespace().map_while(|number| number.parse().ok()).collect()
    }

    /// Metres per unit of the file.
    pub fn scale(&self) -> f64 {
        self.numbers("metres per unit")[0]
    }

    /// Where a walker starts: the feet, in level coordinates.
    pub fn spawn(&self) -> DVec3 {
        let spawn = self.numbers("spawn feet");
        DVec3::new(spawn[0], spawn[1], spawn[2]) * self.scale()
    }

    /// Reads it at its scale.
    pub fn open(&self) -> Level {
        let placement = Placement { scale: self.scale(), ..Placement::default() };
        load(&self.file, &LoadOptions { placement, ..LoadOptions::default() }).expect("a level that loads")
    }
}
