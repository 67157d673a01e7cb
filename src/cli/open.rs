//! Arguments that say which level to open and how to split it.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use anyhow::{Context, bail};
use clap::ValueEnum;
use glam::DVec3;
use nodetree::generate;
use nodetree::level::{
    self, Cache, HEIGHTMAP_EXTENSIONS, Handedness, HeightmapOptions, Level, LoadOptions, Placement, Progress, Spawn,
    UpAxis,
};
use nodetree::scene::Scene;
use nodetree::tree::{Mode, Settings};

use super::progress::Shown;

/// A level and its tree.
#[derive(clap::Args, Clone, Debug)]
pub struct LevelArgs {
    /// OBJ, glTF or GLB file, heightmap (BMP, PNG, TIFF), scene (TOML), or builtin:castle, builtin:terrain, builtin:city
    #[arg(value_name = "LEVEL", default_value = "builtin:castle")]
    pub level: PathBuf,
    /// Axis of the file that points up
    #[arg(long, value_enum, default_value = "y", value_name = "AXIS")]
    pub up: Up,
    /// Metres per unit of the file
    #[arg(long, default_value_t = 1.0, value_name = "S", allow_negative_numbers = true, value_parser = positive)]
    pub scale: f64,
    /// Which hand the file's axes follow
    #[arg(long, value_enum, default_value = "right", value_name = "HAND")]
    pub handedness: Hand,
    /// Heightmap: from one pixel to the next, in metres before --scale [default: 1]
    #[arg(long, value_name = "M", allow_negative_numbers = true, value_parser = positive)]
    pub cell_size: Option<f64>,
    /// Heightmap: heights of black and white [default: 0,100]
    #[arg(long, value_name = "MIN,MAX", allow_hyphen_values = true)]
    pub height_range: Option<Numbers<2>>,
    /// Heightmap: a picture to lay over the terrain
    #[arg(long, value_name = "FILE")]
    pub texture: Option<PathBuf>,
    /// Heightmap: the side of a square that the texture covers again and again; without it the whole terrain once
    #[arg(long, value_name = "M", allow_negative_numbers = true, value_parser = positive)]
    pub texture_size: Option<f64>,
    /// Draw surfaces from their front only
    #[arg(long)]
    pub one_sided: bool,
    /// Read the level anew, and keep nothing for the next time
    #[arg(long)]
    pub no_cache: bool,
    /// Where to start: the feet, in level coordinates (after --scale)
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true)]
    pub spawn: Option<Numbers<3>>,
    /// How to split the level; auto picks the quadtree where the level is flat for its width
    #[arg(long, value_enum, default_value = "auto", value_name = "MODE")]
    pub tree: TreeMode,
    /// A cell splits only while it holds more triangles than this
    #[arg(long, default_value_t = 32, value_name = "N", allow_negative_numbers = true, value_parser = whole(1..=u32::MAX))]
    pub leaf_triangles: u32,
    /// A cell splits only while its edge is longer than this, in metres
    #[arg(long, default_value_t = 2.0, value_name = "M", allow_negative_numbers = true, value_parser = leaf_size)]
    pub leaf_size: f64,
    /// Size of a built-in level, about
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole(1..=generate::MAX_TRIANGLES))]
    pub triangles: Option<u32>,
    /// Seed of a built-in level
    #[arg(long, default_value_t = 1, value_name = "S", allow_negative_numbers = true, value_parser = whole(0..=u64::MAX))]
    pub seed: u64,
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Up {
    Y,
    Z,
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hand {
    Right,
    Left,
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum TreeMode {
    Auto,
    Quadtree,
    Octree,
}

impl LevelArgs {
    /// Reads or makes the level.
    pub fn open(&self) -> anyhow::Result<Level> {
        Ok(self.open_scene()?.0)
    }

    /// Reads or makes the level, with what else is in it. Whoever waits at a terminal sees how far that is.
    pub fn open_scene(&self) -> anyhow::Result<(Level, Scene)> {
        let progress = Progress::default();
        let _bar = Shown::new(progress.clone(), format!("loading {}", self.level.display()));
        self.open_scene_with(&progress)
    }

    /// The same, telling `progress` how far it is.
    pub fn open_scene_with(&self, progress: &Progress) -> anyhow::Result<(Level, Scene)> {
        let placement = Placement {
            up: if self.up == Up::Z { UpAxis::Z } else { UpAxis::Y },
            scale: self.scale,
            handedness: if self.handedness == Hand::Left { Handedness::Left } else { Handedness::Right },
        };
        if self.triangles.is_some() && !self.is_builtin() {
            bail!("{} is no built-in level: leave --triangles away", self.level.display());
        }
        let progress = Some(progress.clone());
        let mut scene = Scene::default();
        let mut level: Level = match self.level.to_str().and_then(|level| level.strip_prefix("builtin:")) {
            Some(_) if placement != Placement::default() => {
                bail!("a built-in level is made in metres with Y up: leave --up, --scale and --handedness away")
            }
            Some("castle") => generate::castle(&self.generated(generate::Options::CASTLE)),
            Some("terrain") => generate::terrain(&self.generated(generate::Options::TERRAIN)),
            Some("city") => generate::city(&self.generated(generate::Options::CITY)),
            Some(name) => bail!("there is no built-in level {name:?}; there are castle, terrain and city"),
            None if self.is_scene() => {
                if placement != Placement::default() {
                    bail!("a scene says for each file how it lies: leave --up, --scale and --handedness away");
                }
                // They are for heightmaps.
                self.heightmap()?;
                let (one_sided, cache) = (self.one_sided, self.cache());
                let load = |path: &Path, options: &LoadOptions| {
                    let (cache, progress) = (cache.clone(), progress.clone());
                    level::load(path, &LoadOptions { one_sided, cache, progress, ..options.clone() })
                };
                scene = Scene::open(&self.level, load)?;
                scene.level()
            }
            None => {
                let heightmap = self.heightmap()?;
                level::load(
                    &self.level,
                    &LoadOptions { placement, one_sided: self.one_sided, heightmap, cache: self.cache(), progress },
                )?
            }
        };
        if let Some(spawn) = &self.spawn {
            level.spawn =
                Some(Spawn { feet: DVec3::from_array(spawn.0), yaw: level.spawn.map_or(0.0, |spawn| spawn.yaw) });
        }
        scene.set_origin(level.origin);
        Ok((level, scene))
    }

    /// The same arguments for another level, without those that cannot be meant for it: where to start, and how to read a
    /// kind of file that it is not.
    #[cfg(feature = "viewer")]
    pub fn for_another(&self, level: &Path) -> LevelArgs {
        let mut other = LevelArgs { level: level.to_owned(), spawn: None, ..self.clone() };
        if !other.is_heightmap() {
            (other.cell_size, other.height_range, other.texture, other.texture_size) = (None, None, None, None);
        }
        if !other.is_builtin() {
            other.triangles = None;
        }
        if other.is_scene() || other.is_builtin() {
            (other.up, other.scale, other.handedness) = (Up::Y, 1.0, Hand::Right);
        }
        other
    }

    /// Whether the level is a scene file.
    fn is_scene(&self) -> bool {
        self.level.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("toml"))
    }

    /// Whether the level is a heightmap.
    fn is_heightmap(&self) -> bool {
        let extension = self.level.extension().map(|extension| extension.to_string_lossy().to_lowercase());
        extension.is_some_and(|extension| HEIGHTMAP_EXTENSIONS.contains(&&*extension))
    }

    /// Where levels are kept that were loaded before: the platform's folder for such things, where it has one.
    fn cache(&self) -> Option<Cache> {
        let folders = directories::BaseDirs::new().filter(|_| !self.no_cache)?;
        Some(Cache::new(folders.cache_dir().join("nodetree")))
    }

    /// How to read a heightmap; its options are for nothing else.
    fn heightmap(&self) -> anyhow::Result<HeightmapOptions> {
        let usual = HeightmapOptions::default();
        let options = HeightmapOptions {
            cell_size: self.cell_size.unwrap_or(usual.cell_size),
            lowest: self.height_range.map_or(usual.lowest, |range| range.0[0]),
            highest: self.height_range.map_or(usual.highest, |range| range.0[1]),
            texture: self.texture.clone(),
            texture_size: self.texture_size,
        };
        if options != usual && !self.is_heightmap() {
            bail!(
                "{} is no heightmap: leave --cell-size, --height-range, --texture and --texture-size away",
                self.level.display()
            );
        }
        Ok(options)
    }

    fn generated(&self, usual: generate::Options) -> generate::Options {
        generate::Options { triangles: self.triangles.map_or(usual.triangles, |n| n as usize), seed: self.seed }
    }

    /// Whether the level is made by a generator of ours.
    pub fn is_builtin(&self) -> bool {
        self.level.to_str().is_some_and(|level| level.starts_with("builtin:"))
    }

    /// How to build the tree of `level`.
    pub fn tree_settings(&self, level: &Level) -> Settings {
        let mode = match self.tree {
            TreeMode::Auto => Mode::for_bounds(&level.bounds()),
            TreeMode::Quadtree => Mode::Quadtree,
            TreeMode::Octree => Mode::Octree,
        };
        self.settings_for(mode)
    }

    /// How to build a tree of the given mode.
    pub fn settings_for(&self, mode: Mode) -> Settings {
        Settings { mode, leaf_triangles: self.leaf_triangles, leaf_size: self.leaf_size as f32 }
    }
}

/// Numbers separated by commas, all finite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Numbers<const N: usize>(pub [f64; N]);

impl<const N: usize> FromStr for Numbers<N> {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> anyhow::Result<Self> {
        let numbers = text
            .split(',')
            .map(|number| {
                let number = number.trim();
                let value: f64 = number.parse().with_context(|| format!("{number:?} is not a number"))?;
                if value.is_finite() { Ok(value) } else { bail!("{number:?} is not finite") }
            })
            .collect::<anyhow::Result<Vec<f64>>>()?;
        let count = numbers.len();
        numbers.try_into().map(Numbers).map_err(|_| anyhow::anyhow!("expected {N} numbers with commas, got {count}"))
    }
}

/// A number above 0.
fn positive(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if value > 0.0 && value.is_finite() => Ok(value),
        _ => Err("must be a number above 0".to_owned()),
    }
}

/// A whole number in a range.
pub fn whole<T>(range: RangeInclusive<T>) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync
where
    T: FromStr + PartialOrd + Display + Clone + Send + Sync,
{
    move |text| match text.parse() {
        Ok(number) if range.contains(&number) => Ok(number),
        _ => Err(format!("must be a whole number from {} to {}", range.start(), range.end())),
    }
}

/// A leaf size in metres that stays a normal number when it is doubled or halved many times.
fn leaf_size(text: &str) -> Result<f64, String> {
    let value = positive(text)?;
    if (1e-3..=1e9).contains(&value) { Ok(value) } else { Err("must be between 0.001 and 1e9".to_owned()) }
}
