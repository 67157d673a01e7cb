//! The built-in levels: made by seeded generators, the same on every machine.

mod castle;
mod city;
mod ground;
pub mod hills;
mod light;
mod mesh;
mod parts;
pub mod props;
pub(crate) mod random;
pub mod rooms;
mod surface;
mod terrain;
pub mod textures;
mod weld;

use crate::level::Level;

/// What to generate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// How many triangles the level has, about; more than [`MAX_TRIANGLES`] count as that many.
    pub triangles: usize,
    /// Tells variants apart; the same seed gives the same level.
    pub seed: u64,
}

impl Options {
    /// The castle as one meets it first.
    pub const CASTLE: Options = Options { triangles: 198_000, seed: 1 };
    /// The landscape as one meets it first.
    pub const TERRAIN: Options = Options { triangles: 130_000, seed: 1 };
    /// The city as one meets it first.
    pub const CITY: Options = Options { triangles: 150_000, seed: 1 };

    fn limited(&self) -> Options {
        Options { triangles: self.triangles.min(MAX_TRIANGLES as usize), ..*self }
    }
}

/// A castle to walk in: at least some 186 000 triangles, whatever is asked for.
pub fn castle(options: &Options) -> Level {
    castle::build(&options.limited())
}

/// A fractal landscape with a house and a tower to climb: at least some 17 000 triangles.
pub fn terrain(options: &Options) -> Level {
    terrain::build(&options.limited())
}

/// Blocks of houses with stairs inside, along streets: at least some 16 000 triangles.
pub fn city(options: &Options) -> Level {
    city::build(&options.limited())
}

/// A built-in level by its name, of about so many triangles or as one meets it first. `None` for an unknown name; [`NAMES`]
/// are known.
pub fn by_name(name: &str, triangles: Option<usize>, seed: u64) -> Option<Level> {
    let with = |preset: Options| Options { triangles: triangles.unwrap_or(preset.triangles), seed };
    match name {
        "castle" => Some(castle(&with(Options::CASTLE))),
        "terrain" => Some(terrain(&with(Options::TERRAIN))),
        "city" => Some(city(&with(Options::CITY))),
        _ => None,
    }
}

/// The most triangles that a generator makes: some gigabytes of memory.
pub const MAX_TRIANGLES: u32 = 20_000_000;

/// The names of the built-in levels.
pub const NAMES: [&str; 3] = ["castle", "terrain", "city"];

/// A model to build scenes of by its name; `None` for an unknown one, [`MODELS`] are known.
pub fn model(name: &str) -> Option<Level> {
    match name {
        "ball" => Some(props::ball()),
        "barrel" => Some(props::barrel()),
        "corner-room" => Some(rooms::corner_room()),
        "house" => Some(rooms::house()),
        "lookout" => Some(rooms::lookout()),
        "room" => Some(rooms::room()),
        _ => None,
    }
}

/// The names of the models.
pub const MODELS: [&str; 6] = ["ball", "barrel", "corner-room", "house", "lookout", "room"];
