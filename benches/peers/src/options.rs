//! The command line.

use std::path::{Path, PathBuf};

use clap::{Parser, ValueEnum};
use nodetree::tree::Mode;

/// nodetree beside other libraries: a table of ratios, ours / peer, above 1 where ours is faster.
///
/// The real levels are read from the folder that NODETREE_DATA names. A whole run writes benches/RESULTS.md
/// (benches/RESULTS_NATIVE.md when built with RUSTFLAGS="-C target-cpu=native").
#[derive(Parser)]
pub struct Options {
    /// A sixteenth of the questions, once
    #[arg(long)]
    pub quick: bool,
    /// Only these levels: castle, undulating, dungeon, ralph-world, dutility, institute, terrain, city
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub levels: Vec<String>,
    /// Only these measurements
    #[arg(long, value_delimiter = ',')]
    pub only: Vec<Group>,
    /// nodetree's mode
    #[arg(long, value_enum, default_value_t = TreeMode::Octree)]
    pub mode: TreeMode,
    /// Write the report here
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Group {
    /// Nearest hits of rays
    Rays,
    /// The surface below a point
    Heights,
    /// The first contact of a moving ball
    Sweeps,
    /// Many questions at once beside one at a time
    Batches,
    /// Steps of a walker, and what goes wrong in them
    Walking,
    /// Build time and memory
    Build,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum TreeMode {
    Octree,
    Quadtree,
}

impl From<TreeMode> for Mode {
    fn from(mode: TreeMode) -> Mode {
        match mode {
            TreeMode::Octree => Mode::Octree,
            TreeMode::Quadtree => Mode::Quadtree,
        }
    }
}

impl Options {
    /// Whether to measure this.
    pub fn wants(&self, group: Group) -> bool {
        self.only.is_empty() || self.only.contains(&group)
    }

    /// Where the report goes, beside the terminal. Part of a run does not replace the results of a whole one.
    pub fn output(&self) -> Option<PathBuf> {
        let is_whole =
            !self.quick && self.levels.is_empty() && self.only.is_empty() && matches!(self.mode, TreeMode::Octree);
        let file = if NATIVE { "../RESULTS_NATIVE.md" } else { "../RESULTS.md" };
        self.output.clone().or_else(|| is_whole.then(|| Path::new(env!("CARGO_MANIFEST_DIR")).join(file)))
    }
}

/// Whether the compiler was let loose on this machine's instructions, for the peers as for nodetree.
pub const NATIVE: bool = cfg!(target_feature = "avx2");
