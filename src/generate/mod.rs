//! The built-in levels: made by seeded generators, the same on every machine.

mod castle;
mod city;
mod light;
mod mesh;
mod parts;
pub(crate) mod random;
mod surface;
mod terrain;
pub mod textures;

use crate::level::Level;

/// What to generate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// How many triangles the level has, about.
    pub triangles: usize,
    /// Tells variants apart; the same seed gives the same level.
    pub seed: u64,
}

impl Options {
    /// The castle as one meets it first.
    pub const CASTLE: Options = Options { triangles: 180_000, seed: 1 };
    /// The landscape as one meets it first.
    pub const TERRAIN: Options = Options { triangles: 130_000, seed: 1 };
    /// The city as one meets it first.
    pub const CITY: Options = Options { triangles: 150_000, seed: 1 };
}

/// A castle to walk in.
pub fn castle(options: &Options) -> Level {
    castle::build(options)
}

/// A fractal landscape with a house and a tower to climb.
pub fn terrain(options: &Options) -> Level {
    terrain::build(options)
}

/// Blocks of houses with stairs inside, along streets.
pub fn city(options: &Options) -> Level {
    city::build(options)
}
