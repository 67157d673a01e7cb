//! Every row of `LEVELS.tsv`, whatever its format: it opens with the counts and bounds that the row says, and can be walked from the
//! row's spawn point.

mod data;

use std::process::ExitCode;

use data::DataLevel;
use glam::DVec3;
use libtest_mimic::{Failed, Trial};
use nodetree::level::{self, HeightmapOptions, Level, LoadOptions, Placement};
use nodetree::tree::{Mode, Settings as TreeSettings, Tree};
use nodetree::walk::{Input, Settings, Walker, settle_spawn};

/// Files of the table, each with the heights of black and white that the table's bounds take for granted, if it is a heightmap.
const ROWS: [(&str, Option<[f64; 2]>); 9] = [
    ("undulating", None),
    ("dungeon", None),
    ("ralph-world", None),
    ("dutility", None),
    ("institute", None),
    ("collision-world", None),
    ("irrlicht", Some([0.0, 28.05])),
    ("jacksboro", Some([0.0, 728.1667])),
    ("panda3d", Some([0.0, 100.0])),
];

/// Seconds of a walk in each direction.
const SECONDS: usize = 4;
/// How far one gets in the best of eight directions at least, as a part of what is possible.
const LEAST: f64 = 0.4;

fn main() -> ExitCode {
    let mut trials = vec![Trial::test("the_table_has_these_rows", || {
        let names: Vec<String> = data::rows().into_iter().map(|row| row.name).collect();
        if names == ROWS.map(|(name, _)| name) { Ok(()) } else { Err(format!("{names:?}").into()) }
    })];
    for (name, heights) in ROWS {
        let row = move || data::rows().into_iter().find(|row| row.name == name).ok_or("no such row");
        trials.push(Trial::test(format!("{name}_opens_as_it_says"), move || opens(&row()?, heights)));
        trials.push(Trial::test(format!("{name}_is_walked_from_its_spawn_point"), move || walks(&row()?, heights)));
    }
    data::run(trials).exit_code()
}

fn open(row: &DataLevel, heights: Option<[f64; 2]>, scale: f64) -> Result<Level, Failed> {
    let usual = HeightmapOptions::default();
    let [lowest, highest] = heights.unwrap_or([usual.lowest, usual.highest]);
    let options = LoadOptions {
        placement: Placement { scale, ..Placement::default() },
        heightmap: HeightmapOptions { lowest, highest, ..usual },
        ..LoadOptions::default()
    };
    Ok(level::load(&row.file, &options)?)
}

fn opens(row: &DataLevel, heights: Option<[f64; 2]>) -> Result<(), Failed> {
    let level = open(row, heights, 1.0)?;
    for (what, found) in [("triangles", level.triangles.len()), ("vertices", level.source_positions)] {
        if found.to_string() != row.column(what) {
            return Err(format!("{what}: {found}, not {}", row.column(what)).into());
        }
    }
    // The table has one decimal of heightmaps, three of all else.
    let tolerance = if heights.is_some() { 0.051 } else { 6e-4 };
    let bounds = level.bounds();
    for (column, corner) in [("bbox min", bounds.min), ("bbox max", bounds.max)] {
        let (found, wanted) = (level.to_level(corner), DVec3::from_slice(&row.numbers(column)));
        if (found - wanted).abs().max_element() > tolerance {
            return Err(format!("{column}: {found}, not {wanted}").into());
        }
    }
    Ok(())
}

/// Walks in eight directions: never brought back from a fall, always on the ground at last, and far in one direction at least.
fn walks(row: &DataLevel, heights: Option<[f64; 2]>) -> Result<(), Failed> {
    let level = open(row, heights, row.scale())?;
    let number = |column: &str| (row.numbers(column)[0] * row.scale()) as f32;
    let height = number("body height");
    let settings = Settings {
        radius: number("radius"),
        height,
        crouched_height: height * 2.0 / 3.0,
        eye_below_top: height - number("eye height"),
        step_height: number("step"),
        ..Settings::default()
    };
    let tree = Tree::build(&level, &TreeSettings::new(Mode::for_bounds(&level.bounds())));
    let spawn = level.to_local(row.spawn());
    let feet = settle_spawn(&tree, &settings, spawn);
    if feet.distance(spawn) > 2.0 * settings.step_height {
        return Err(format!("one does not stand at the spawn point {}, but at {}", spawn, feet).into());
    }
    let mut farthest: f64 = 0.0;
    for direction in 0..8_u8 {
        let yaw = f32::from(direction) * std::f32::consts::FRAC_PI_4;
        let mut walker = Walker::new(feet, yaw);
        let input = Input { forward: 1.0, yaw, ..walker.input() };
        for step in 0..SECONDS * 120 {
            if walker.step(&tree, &settings, &input).rescued {
                return Err(format!("direction {direction}, step {step}: out of the level").into());
            }
        }
        let still = Input { forward: 0.0, ..input };
        for _ in 0..240 {
            walker.step(&tree, &settings, &still);
        }
        if !walker.grounded() {
            return Err(format!("direction {direction}: on no ground at {}", walker.feet()).into());
        }
        farthest = farthest.max(f64::from(walker.feet().distance(feet)));
    }
    let possible = SECONDS as f64 * f64::from(settings.speed);
    if farthest < LEAST * possible { Err(format!("only {farthest} m of {possible} m").into()) } else { Ok(()) }
}
