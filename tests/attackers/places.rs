//! The levels that are walked in.

use glam::Vec3;
use nodetree::generate::{self, Options};
use nodetree::level::Level;
use nodetree::tree::{Mode, Settings, Tree};

use crate::data;
use crate::support::hard;
use crate::world::World;

/// Our own, always there.
pub const OWN: [&str; 17] = [
    "wedges",
    "ramps",
    "pits",
    "spiral-stairs",
    "thin-floors",
    "seams",
    "rubble",
    "steps",
    "ramps-5km",
    "spiral-stairs-5km",
    "spiral-stairs-500km",
    "rubble-500km",
    "terrain-small",
    "city-small",
    "terrain",
    "city",
    "castle",
];

/// A level, what f64 looks at, and a tree of each mode.
pub struct Place {
    pub world: World,
    pub trees: [Tree; 2],
    /// Where the level says that one starts.
    pub spawn: Option<Vec3>,
}

impl Place {
    /// The level of this name; `None` where there is none.
    ///
    /// # Panics
    /// For a real one without the data.
    pub fn new(name: &str) -> Option<Place> {
        let (plain, shift) = match name.rsplit_once('-') {
            Some((plain, "5km")) => (plain, 5e3),
            Some((plain, "500km")) => (plain, 5e5),
            _ => (name, 0.0),
        };
        let small = Options { triangles: 0, seed: 3 };
        let (mut triangles, mut spawn) = match plain {
            "wedges" => hard::wedges(),
            "ramps" => hard::ramps(),
            "pits" => hard::pits(),
            "spiral-stairs" => hard::spiral_stairs(),
            "thin-floors" => hard::thin_floors(),
            "seams" => hard::seams(),
            "rubble" => hard::rubble(),
            "steps" => hard::steps(),
            "terrain-small" => of_level(&generate::terrain(&small)),
            "city-small" => of_level(&generate::city(&small)),
            "terrain" => of_level(&generate::terrain(&Options::TERRAIN)),
            "city" => of_level(&generate::city(&Options::CITY)),
            "castle" => of_level(&generate::castle(&Options::CASTLE)),
            real if data::LEVELS.contains(&real) => {
                let row = data::level(real);
                let level = row.open();
                (of_level(&level).0, Some(level.to_local(row.spawn())))
            }
            _ => return None,
        };
        // So far out corners and the start snap to what f32 can tell: the level is what they then are.
        let shift = Vec3::new(shift, 0.0, -shift);
        triangles.iter_mut().flatten().for_each(|corner| *corner += shift);
        spawn.iter_mut().for_each(|feet| *feet += shift);
        let trees = [Mode::Quadtree, Mode::Octree]
            .map(|mode| Tree::from_triangles(&triangles, &vec![0; triangles.len()], &Settings::new(mode)));
        Some(Place { world: World::new(triangles), trees, spawn })
    }
}

fn of_level(level: &Level) -> (Vec<[Vec3; 3]>, Option<Vec3>) {
    let corners = (0..level.triangles.len() as u32).map(|number| level.corners(number)).collect();
    (corners, level.spawn.map(|spawn| level.to_local(spawn.feet)))
}
