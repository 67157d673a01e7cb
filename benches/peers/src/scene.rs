//! The levels: real ones, the built-in castle, a large terrain and a large city.

use anyhow::ensure;
use glam::Vec3;
use nodetree::generate;
use nodetree::geometry::has_area;
use nodetree::level::Level;

use crate::data;
use crate::options::Options;

/// A level as nodetree takes it, and as everybody else does.
pub struct Scene {
    pub name: String,
    pub level: Level,
    pub positions: Vec<Vec3>,
    /// The finite triangles with area: those that nodetree keeps.
    pub indices: Vec<[u32; 3]>,
}

impl Scene {
    fn new(name: &str, level: Level) -> Scene {
        let positions = level.vertices.iter().map(|vertex| vertex.position).collect();
        let numbers = (0..level.triangles.len() as u32).filter(|&number| has_area(&level.corners(number)));
        let indices = numbers.map(|number| level.triangles[number as usize].vertices).collect();
        Scene { name: name.to_owned(), level, positions, indices }
    }

    /// The corners of each triangle.
    pub fn triangles(&self) -> impl Iterator<Item = [Vec3; 3]> + '_ {
        self.indices.iter().map(|triangle| triangle.map(|vertex| self.positions[vertex as usize]))
    }

    /// Whether it is one of the two that do not fit a cache.
    pub fn is_large(&self) -> bool {
        self.indices.len() >= 1_000_000
    }
}

/// Built-in levels, and how many triangles of each.
const BUILT_IN: [(&str, Option<usize>); 3] =
    [("castle", None), ("terrain", Some(2_100_000)), ("city", Some(1_110_000))];

/// The names asked for; without any all, the real ones only where the data is.
///
/// # Errors
/// When there is no such level, or no data for it.
pub fn chosen(options: &Options) -> anyhow::Result<Vec<String>> {
    let names = || data::LEVELS.into_iter().chain(BUILT_IN.map(|(name, _)| name));
    let is_there = |name: &str| data::folder().is_some() || !data::LEVELS.contains(&name);
    for name in &options.levels {
        ensure!(
            names().any(|known| known == name),
            "no level {name:?}; there are: {}",
            names().collect::<Vec<_>>().join(", ")
        );
        ensure!(is_there(name), "{name:?} needs NODETREE_DATA, the folder with LEVELS.tsv");
    }
    if !options.levels.is_empty() {
        return Ok(options.levels.clone());
    }
    if data::folder().is_none() {
        eprintln!("without the real levels: NODETREE_DATA names no folder with LEVELS.tsv");
    }
    Ok(names().filter(|name| is_there(name)).map(str::to_owned).collect())
}

/// Reads or makes a level that [`chosen`] named.
pub fn open(name: &str) -> Scene {
    let built_in = BUILT_IN.into_iter().find(|(built_in, _)| *built_in == name);
    let level = match built_in {
        Some((name, triangles)) => generate::by_name(name, triangles, 1).expect("a built-in level"),
        None => data::level(name).open(),
    };
    Scene::new(name, level)
}
