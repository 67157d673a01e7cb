//! `nodetree bench`: culling in both modes beside three baselines, questions by the second, and drawing.

mod camera_path;
mod chart;
mod csv;
#[cfg(feature = "viewer")]
mod draw;
mod page;
mod report;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{bail, ensure};
use glam::Vec3;
use nodetree::bench::{self, CopyIndices, CullOutput, EveryTriangle, LEAF_LIMITS, measure_cull};
use nodetree::cull::DrawList;
use nodetree::geometry::Frustum;
use nodetree::level::Level;
use nodetree::tree::{Mode, Tree};
use nodetree::walk::path::JsonLines;

use super::open::{LevelArgs, whole};
use super::output::Output;
use camera_path::read_path;
use report::{Baselines, Figures, LevelReport, Machine, Modes, PathReport, Report, print_table};

#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    level: LevelArgs,
    /// Cameras as JSON Lines, {"camera":[X,Y,Z,YAW,PITCH]}, or a recorded walk; without it a seeded path at walking height
    #[arg(long, value_name = "FILE")]
    path: Option<PathBuf>,
    /// Frames of the seeded path
    #[arg(long, default_value_t = 600, value_name = "N", allow_negative_numbers = true, value_parser = whole(1..=100_000_u32))]
    frames: u32,
    /// Seed of the path
    #[arg(long, default_value_t = 1, value_name = "S", allow_negative_numbers = true, value_parser = whole(0..=u64::MAX))]
    path_seed: u64,
    /// Leave drawing out
    #[cfg(feature = "viewer")]
    #[arg(long)]
    no_draw: bool,
    /// Write the figures as JSON; - is standard output, in place of the table
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write each method's figures for each frame as CSV; - is standard output, in place of the table
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Write a page with charts, and a picture where there is an adapter
    #[arg(long, value_name = "FILE.html")]
    report: Option<PathBuf>,
}

pub fn run<'a>(args: &'a Args) -> anyhow::Result<ExitCode> {
    let open = |path: &'a Option<PathBuf>| path.as_deref().map(Output::open).transpose();
    let (mut json, mut csv, mut page) = (open(&args.json)?, open(&args.csv)?, open(&args.report)?);
    let on_standard = [&json, &csv, &page].into_iter().flatten().filter(|output| output.is_standard()).count();
    ensure!(on_standard < 2, "only one of --json, --csv and --report can go to standard output");
    let level = args.level.open()?;
    let trees = [Mode::Quadtree, Mode::Octree].map(|mode| {
        let begin = Instant::now();
        let tree = Tree::build(&level, &args.level.settings_for(mode));
        (tree, begin.elapsed().as_secs_f64() * 1e3)
    });
    let [(quadtree, _), (octree, _)] = &trees;
    if octree.triangle_count() == 0 {
        bail!("{} has no triangles to measure", level.name);
    }
    let chosen = if args.level.tree_settings(&level).mode == Mode::Quadtree { quadtree } else { octree };
    let (path, source) = match &args.path {
        Some(file) => (read_path(JsonLines::open(file)?, &level, chosen)?, file.display().to_string()),
        None => (
            bench::default_path(&level, chosen, args.path_seed, args.frames as usize),
            "seeded, walking height".to_owned(),
        ),
    };
    let frusta = bench::frusta(&path);
    let corners: Vec<_> = (0..level.triangles.len() as u32).map(|number| level.corners(number)).collect();
    let needed = bench::triangles_needed(octree.triangles().map(|(_, corners)| corners), &frusta);

    let [quadtree_figures, octree_figures] = [0, 1].map(|which| {
        let (tree, build_ms) = &trees[which];
        let mut list = DrawList::new();
        let cull = measure_cull(&frusta, &needed, |frustum| {
            list.cull(tree, frustum);
            let statistics = list.statistics();
            CullOutput {
                nodes_visited: statistics.visited,
                ranges: list.ranges().len() as u32,
                triangles: statistics.triangles,
            }
        });
        Figures::new(Some(*build_ms), cull, bench::measure_queries(tree, args.path_seed))
    });
    #[cfg_attr(not(feature = "viewer"), expect(unused_mut, reason = "only drawing adds to it"))]
    let mut report = Report {
        machine: Machine::this(None),
        level: LevelReport {
            path: level.name.clone(),
            triangles: level.triangles.len(),
            materials: level.materials.len(),
        },
        path: PathReport { source, frames: path.len(), seed: args.path.is_none().then_some(args.path_seed) },
        modes: Modes { quadtree: quadtree_figures, octree: octree_figures },
        baselines: Baselines {
            test_every_triangle: test_every_triangle(&corners, &frusta, &needed),
            copy_indices: copy_indices(&level, chosen.mode(), &frusta, &needed),
            draw_everything: draw_everything(octree, &frusta, &needed),
        },
    };
    #[cfg(feature = "viewer")]
    if !args.no_draw {
        draw::measure(&level, [quadtree, octree], &path, &mut report);
    }
    if on_standard == 0 {
        print_table(&report)?;
    }
    if let Some(json) = &mut json {
        json.write((serde_json::to_string_pretty(&report)? + "\n").as_bytes())?;
    }
    if let Some(csv) = &mut csv {
        csv.write(csv::table(&level, &path, &report).as_bytes())?;
    }
    if let Some(page) = &mut page {
        #[cfg(feature = "viewer")]
        let picture = if args.no_draw { None } else { draw::photograph(&level, chosen, &path[fullest(&needed)]) };
        #[cfg(not(feature = "viewer"))]
        let picture: Option<Vec<u8>> = None;
        page.write(page::html(&report, picture.as_deref()).as_bytes())?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The frame whose view needs most triangles.
#[cfg(feature = "viewer")]
fn fullest(needed: &[u32]) -> usize {
    (0..needed.len()).max_by_key(|&frame| needed[frame]).unwrap_or(0)
}

fn test_every_triangle(corners: &[[Vec3; 3]], frusta: &[Frustum], needed: &[u32]) -> Figures {
    let mut every = EveryTriangle::new(corners.iter().copied());
    let cull = measure_cull(frusta, needed, |frustum| {
        let visible = every.cull(frustum).len() as u32;
        CullOutput { nodes_visited: 0, ranges: 0, triangles: visible }
    });
    Figures::new(None, cull, None)
}

/// The fastest of the leaf limits.
fn copy_indices(level: &Level, mode: Mode, frusta: &[Frustum], needed: &[u32]) -> Figures {
    let tried = LEAF_LIMITS.map(|limit| {
        let begin = Instant::now();
        let mut classic = CopyIndices::new(level, mode, limit);
        let build_ms = begin.elapsed().as_secs_f64() * 1e3;
        let cull = measure_cull(frusta, needed, |frustum| {
            let buffers = classic.cull(frustum);
            let triangles = buffers.iter().map(|buffer| buffer.len() as u32).sum();
            let ranges = buffers.iter().filter(|buffer| !buffer.is_empty()).count() as u32;
            CullOutput { nodes_visited: classic.nodes_visited(), ranges, triangles }
        });
        Figures { leaf_limit: Some(limit), ..Figures::new(Some(build_ms), cull, None) }
    });
    let time = |figures: &Figures| figures.cull.median_us;
    let [mut best, second, third] = tried;
    for other in [second, third] {
        if time(&other) < time(&best) {
            best = other;
        }
    }
    best
}

fn draw_everything(tree: &Tree, frusta: &[Frustum], needed: &[u32]) -> Figures {
    let mut list = DrawList::new();
    let cull = measure_cull(frusta, needed, |_| {
        list.everything(tree);
        CullOutput { nodes_visited: 0, ranges: list.ranges().len() as u32, triangles: list.statistics().triangles }
    });
    Figures::new(None, cull, None)
}
