//! `nodetree info`.

use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Instant;

use nodetree::level::{AlphaMode, Level, Warning};
use nodetree::scene::{Kind, Scene};
use nodetree::tree::{Mode, Tree};
use serde::Serialize;

use super::open::LevelArgs;

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
    let report = Report::new(&level, &scene, |mode| {
        let start = Instant::now();
        let tree = Tree::build(&level, &args.level.settings_for(mode));
        TreeReport::new(&tree, start.elapsed().as_secs_f64() * 1e3)
    });
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
}

#[derive(Serialize)]
struct MaterialReport<'a> {
    name: &'a str,
    triangles: usize,
    texture: Option<String>,
    alpha: &'static str,
}

#[derive(Serialize)]
struct Bounds {
    min: [f64; 3],
    max: [f64; 3],
}

/// What else is in a scene.
#[derive(Serialize)]
struct SceneReport<'a> {
    pieces: usize,
    moving: usize,
    props: usize,
    models: usize,
    triggers: usize,
    lights: usize,
    cameras: Vec<&'a str>,
    names: Vec<&'a str>,
}

impl<'a> SceneReport<'a> {
    /// `None` for a level that is no scene.
    fn new(scene: &'a Scene) -> Option<SceneReport<'a>> {
        scene.iter().next()?;
        let count = |is_so: fn(&Kind) -> bool| scene.iter().filter(|(_, node)| is_so(node.kind())).count();
        Some(SceneReport {
            pieces: count(|kind| matches!(kind, Kind::Piece(_))),
            moving: scene.iter().filter(|(_, node)| node.moves()).count(),
            props: scene.props().len(),
            models: scene.props().models().len(),
            triggers: count(|kind| matches!(kind, Kind::Trigger(_))),
            lights: count(|kind| matches!(kind, Kind::Light(_))),
            cameras: scene.cameras().map(|(_, name)| name).collect(),
            names: scene.iter().map(|(_, node)| node.name()).filter(|name| !name.is_empty()).collect(),
        })
    }

    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let SceneReport { pieces, moving, props, models, triggers, lights, .. } = self;
        writeln!(
            out,
            "scene: {pieces} pieces, {props} props of {models} models, {triggers} triggers, {lights} lights; {moving} things move"
        )?;
        write_names(out, "cameras", &self.cameras)?;
        write_names(out, "names", &self.names)
    }
}

/// Some names of a kind on a line; nothing where there are none.
fn write_names(out: &mut impl Write, what: &str, names: &[&str]) -> io::Result<()> {
    let some = names.iter().take(LISTED_NAMES).copied().collect::<Vec<_>>().join(", ");
    match names.len() {
        0 => Ok(()),
        count if count <= LISTED_NAMES => writeln!(out, "{what}: {some}"),
        count => writeln!(out, "{what}: {some} and {} more", count - LISTED_NAMES),
    }
}

/// What is often wrong with a mesh.
#[derive(Serialize)]
struct InspectionReport<'a> {
    duplicate_triangles: u64,
    open_edges: u64,
    turned_edges: u64,
    crowded_edges: u64,
    unused_materials: Vec<&'a str>,
    missing_textures: Vec<String>,
    mesh_bytes: u64,
    texture_bytes: u64,
}

impl<'a> InspectionReport<'a> {
    fn new(level: &'a Level) -> InspectionReport<'a> {
        let found = level.inspect();
        let material = |index: &u32| &level.materials[*index as usize];
        let path = |index: &u32| material(index).texture_path.as_ref().map(|path| path.display().to_string());
        let mut missing_textures: Vec<String> = found.untextured_materials.iter().filter_map(path).collect();
        missing_textures.sort_unstable();
        missing_textures.dedup();
        InspectionReport {
            duplicate_triangles: found.duplicate_triangles,
            open_edges: found.open_edges,
            turned_edges: found.turned_edges,
            crowded_edges: found.crowded_edges,
            unused_materials: found.unused_materials.iter().map(|index| &*material(index).name).collect(),
            missing_textures,
            mesh_bytes: found.mesh_bytes,
            texture_bytes: found.texture_bytes,
        }
    }

    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let mebibytes = |bytes: u64| bytes as f64 / f64::from(1 << 20);
        writeln!(
            out,
            "{:.1} MiB of mesh, {:.1} MiB of textures; {} duplicate triangles; edges: {} open, {} turned, {} crowded",
            mebibytes(self.mesh_bytes),
            mebibytes(self.texture_bytes),
            self.duplicate_triangles,
            self.open_edges,
            self.turned_edges,
            self.crowded_edges
        )?;
        write_names(out, "unused materials", &self.unused_materials)?;
        let missing: Vec<&str> = self.missing_textures.iter().map(String::as_str).collect();
        write_names(out, "textures not read", &missing)
    }
}

#[derive(Serialize)]
struct Trees {
    quadtree: TreeReport,
    octree: TreeReport,
}

#[derive(Serialize)]
struct TreeReport {
    nodes: u32,
    leaves: u32,
    depth: u32,
    triangles: u32,
    leaf_triangles: LeafTriangles,
    bytes: usize,
    build_ms: f64,
}

#[derive(Serialize)]
struct LeafTriangles {
    min: u32,
    mean: f64,
    max: u32,
}

#[derive(Serialize)]
struct WarningReport<'a> {
    kind: &'static str,
    message: &'a str,
    count: u64,
}

impl TreeReport {
    fn new(tree: &Tree, build_ms: f64) -> TreeReport {
        let shape = tree.statistics();
        let leaf = shape.leaf_triangles;
        TreeReport {
            nodes: shape.nodes,
            leaves: shape.leaves,
            depth: shape.depth,
            triangles: shape.triangles,
            leaf_triangles: LeafTriangles { min: leaf.min, mean: leaf.mean, max: leaf.max },
            bytes: shape.bytes,
            build_ms,
        }
    }

    fn write(&self, name: &str, out: &mut impl Write) -> io::Result<()> {
        let TreeReport { nodes, leaves, depth, triangles, leaf_triangles, bytes, build_ms } = self;
        let LeafTriangles { min, mean, max } = leaf_triangles;
        writeln!(out, "{name:9} {nodes} nodes, {leaves} leaves, depth {depth}, {triangles} triangles")?;
        let size = *bytes as f64 / f64::from(1 << 20);
        writeln!(
            out,
            "          {min} to {max} triangles a leaf, {mean:.1} on average; {size:.1} MiB, {build_ms:.1} ms"
        )
    }
}

/// Materials that the page for people lists.
const LISTED_MATERIALS: usize = 12;

/// Names of one kind that the page for people lists.
const LISTED_NAMES: usize = 6;

/// Warnings that the page for people lists.
const LISTED_WARNINGS: usize = 10;

impl<'a> Report<'a> {
    fn new(level: &'a Level, scene: &'a Scene, tree: impl Fn(Mode) -> TreeReport) -> Report<'a> {
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
            },
            inspection: InspectionReport::new(level),
            scene: SceneReport::new(scene),
            trees: Trees { quadtree: tree(Mode::Quadtree), octree: tree(Mode::Octree) },
            warnings: warnings
                .map(|Warning { kind, message, count }| WarningReport { kind: kind.name(), message, count: *count })
                .collect(),
        }
    }

    /// One screen for people.
    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let LevelReport { path, vertices, triangles, materials, bounds, origin } = &self.level;
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
        self.inspection.write(out)?;
        if let Some(scene) = &self.scene {
            scene.write(out)?;
        }
        writeln!(out)?;
        self.trees.quadtree.write("quadtree", out)?;
        self.trees.octree.write("octree", out)?;
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
