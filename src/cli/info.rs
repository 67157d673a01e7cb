//! `nodetree info`.

mod parts;

use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Instant;

use nodetree::level::{AlphaMode, Level, Warning};
use nodetree::scene::Scene;
use nodetree::tree::{Mode, Tree};
use serde::Serialize;

use super::open::LevelArgs;
use parts::{InspectionReport, SceneReport, SpawnReport, TextureReport, TreeReport, write_textures};

#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    level: LevelArgs,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// List the graphics adapters instead, the best first
    #[cfg(feature = "viewer")]
    #[arg(long, conflicts_with_all = ["json", "level"])]
    adapters: bool,
}

pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    #[cfg(feature = "viewer")]
    if args.adapters {
        return list_adapters();
    }
    let (level, scene) = args.level.open_scene()?;
    let mut spawn = None;
    let auto = args.level.tree_settings(&level).mode;
    let report = |mode| {
        let start = Instant::now();
        let tree = Tree::build(&level, &args.level.settings_for(mode));
        let report = TreeReport::new(&tree, start.elapsed().as_secs_f64() * 1e3);
        if mode == auto {
            spawn = SpawnReport::new(&level, &tree);
        }
        report
    };
    let mut report = Report::new(&level, &scene, Mode::for_bounds(&level.bounds()), report);
    report.level.spawn = spawn;
    let mut out = io::stdout().lock();
    if args.json {
        serde_json::to_writer(&mut out, &report)?;
        writeln!(out)?;
    } else {
        report.write(&mut out)?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

#[cfg(feature = "viewer")]
fn list_adapters() -> anyhow::Result<ExitCode> {
    let adapters = nodetree::render::adapters();
    anyhow::ensure!(!adapters.is_empty(), nodetree::render::GpuError::NoAdapter(nodetree::render::Backend::Auto));
    let mut out = io::stdout().lock();
    adapters.iter().try_for_each(|adapter| writeln!(out, "{adapter}"))?;
    Ok(ExitCode::SUCCESS)
}

#[derive(Serialize)]
struct Report<'a> {
    level: LevelReport<'a>,
    inspection: InspectionReport<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    scene: Option<SceneReport<'a>>,
    trees: Trees,
    warnings: Vec<WarningReport<'a>>,
}

#[derive(Serialize)]
struct LevelReport<'a> {
    path: &'a str,
    vertices: usize,
    triangles: usize,
    materials: Vec<MaterialReport<'a>>,
    bounds: Option<Bounds>,
    origin: [f64; 3],
    spawn: Option<SpawnReport>,
    textures: Vec<TextureReport>,
    lights: usize,
}

#[derive(Serialize)]
struct MaterialReport<'a> {
    name: &'a str,
    triangles: usize,
    texture: Option<String>,
    alpha: &'static str,
    normal_map: bool,
    emissive: bool,
}

#[derive(Serialize)]
struct Bounds {
    min: [f64; 3],
    max: [f64; 3],
}

#[derive(Serialize)]
struct Trees {
    quadtree: TreeReport,
    octree: TreeReport,
    /// The mode that `--tree auto` takes.
    auto: &'static str,
}

#[derive(Serialize)]
struct WarningReport<'a> {
    kind: &'static str,
    message: &'a str,
    count: u64,
}

/// Materials that the page for people lists.
const LISTED_MATERIALS: usize = 12;

/// Warnings that the page for people lists.
const LISTED_WARNINGS: usize = 10;

impl<'a> Report<'a> {
    /// `auto` is the mode that is taken where none is asked for; the spawn point is left open.
    fn new(level: &'a Level, scene: &'a Scene, auto: Mode, mut tree: impl FnMut(Mode) -> TreeReport) -> Report<'a> {
        let mut triangles = vec![0; level.materials.len()];
        for triangle in &level.triangles {
            triangles[triangle.material as usize] += 1;
        }
        let materials = level.materials.iter().zip(triangles).map(|(material, triangles)| MaterialReport {
            name: &material.name,
            triangles,
            texture: material.texture_path.as_ref().map(|path| path.to_string_lossy().into_owned()),
            alpha: match material.alpha_mode {
                AlphaMode::Opaque => "opaque",
                AlphaMode::Mask(_) => "mask",
                AlphaMode::Blend => "blend",
            },
            normal_map: material.normal_map.is_some(),
            emissive: material.emissive != [0.0; 3],
        });
        let textures = level.textures.iter().map(|texture| TextureReport {
            path: texture.path.to_string_lossy().into_owned(),
            width: texture.width,
            height: texture.height,
            bytes: texture.rgba.len(),
        });
        let bounds = level.bounds();
        let bounds = (!bounds.is_empty())
            .then(|| Bounds { min: level.to_level(bounds.min).to_array(), max: level.to_level(bounds.max).to_array() });
        let warnings = level.warnings.iter();
        Report {
            level: LevelReport {
                path: &level.name,
                vertices: level.source_positions,
                triangles: level.triangles.len(),
                materials: materials.collect(),
                bounds,
                origin: level.origin.to_array(),
                spawn: None,
                textures: textures.collect(),
                lights: level.lights.len(),
            },
            inspection: InspectionReport::new(level),
            scene: SceneReport::new(scene),
            trees: Trees { quadtree: tree(Mode::Quadtree), octree: tree(Mode::Octree), auto: auto.name() },
            warnings: warnings
                .map(|Warning { kind, message, count }| WarningReport { kind: kind.name(), message, count: *count })
                .collect(),
        }
    }

    /// One screen for people.
    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let LevelReport { path, vertices, triangles, materials, bounds, origin, spawn, textures, lights } = &self.level;
        writeln!(out, "{path}")?;
        let used = materials.iter().filter(|material| material.triangles > 0).count();
        writeln!(out, "{triangles} triangles, {vertices} vertices, {} materials ({used} used)", materials.len())?;
        if let Some(Bounds { min, max }) = bounds {
            let size: Vec<String> = min.iter().zip(max).map(|(min, max)| format!("{:.2}", max - min)).collect();
            writeln!(out, "from {} to {}, which is {} m", triple(min), triple(max), size.join(" x "))?;
        }
        if *origin != [0.0; 3] {
            writeln!(out, "local origin {}", triple(origin))?;
        }
        match spawn {
            Some(SpawnReport { feet, yaw, given }) => {
                let how = if *given { "given" } else { "found" };
                writeln!(out, "walkers start at {}, yaw {yaw:.1} ({how})", triple(feet))?;
            }
            None => writeln!(out, "there is no floor that a walker could start on; give --spawn")?,
        }
        self.inspection.write(out)?;
        write_textures(textures, out)?;
        let count =
            |is_so: fn(&MaterialReport<'_>) -> bool| materials.iter().filter(|material| is_so(material)).count();
        let (normal_maps, emissive) = (count(|material| material.normal_map), count(|material| material.emissive));
        if normal_maps + emissive + lights > 0 {
            writeln!(
                out,
                "{normal_maps} materials with normal maps, {emissive} that emit; {lights} lights in the files"
            )?;
        }
        if let Some(scene) = &self.scene {
            scene.write(out)?;
        }
        writeln!(out)?;
        self.trees.quadtree.write("quadtree", out)?;
        self.trees.octree.write("octree", out)?;
        writeln!(out, "--tree auto takes the {}", self.trees.auto)?;
        writeln!(out, "\ntriangles  material")?;
        let mut order: Vec<&MaterialReport> = materials.iter().collect();
        order.sort_by_key(|material| std::cmp::Reverse(material.triangles));
        for material in order.iter().take(LISTED_MATERIALS) {
            let texture = material.texture.as_deref().unwrap_or("no texture");
            writeln!(out, "{:9}  {}, {}, {texture}", material.triangles, material.name, material.alpha)?;
        }
        if order.len() > LISTED_MATERIALS {
            writeln!(out, "           and {} more (--json lists all)", order.len() - LISTED_MATERIALS)?;
        }
        for warning in self.warnings.iter().take(LISTED_WARNINGS) {
            let times = if warning.count == 1 { String::new() } else { format!(" ({} times)", warning.count) };
            writeln!(out, "warning: {}{times}", warning.message)?;
        }
        if self.warnings.len() > LISTED_WARNINGS {
            writeln!(out, "and {} more warnings (--json lists all)", self.warnings.len() - LISTED_WARNINGS)?;
        }
        Ok(())
    }
}

fn triple(numbers: &[f64; 3]) -> String {
    let [x, y, z] = numbers;
    format!("({x:.3}, {y:.3}, {z:.3})")
}
