//! The parts of what `nodetree info` tells.

use std::io::{self, Write};
use std::path::Path;

use nodetree::level::Level;
use nodetree::scene::{Kind, Scene};
use nodetree::tree::Tree;
use nodetree::walk;
use serde::Serialize;

/// Where a walker with the usual body starts.
#[derive(Serialize)]
pub struct SpawnReport {
    pub feet: [f64; 3],
    /// In degrees.
    pub yaw: f64,
    /// Whether the file or an option says so; else the place was looked for.
    pub given: bool,
}

impl SpawnReport {
    /// `None` where nobody can stand.
    pub fn new(level: &Level, tree: &Tree) -> Option<SpawnReport> {
        let settings = walk::Settings::default();
        let given = level.spawn.map(|spawn| walk::settle_spawn(tree, &settings, level.to_local(spawn.feet)));
        let feet = given.or_else(|| walk::find_spawn(tree, &settings))?;
        let yaw = level.spawn.map_or(0.0, |spawn| f64::from(spawn.yaw).to_degrees());
        Some(SpawnReport { feet: level.to_level(feet).to_array(), yaw, given: given.is_some() })
    }
}

/// A picture as it is in memory.
#[derive(Serialize)]
pub struct TextureReport {
    pub path: String,
    pub width: u32,
    pub height: u32,
    pub bytes: usize,
}

/// What else is in a scene.
#[derive(Serialize)]
pub struct SceneReport<'a> {
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
    pub fn new(scene: &'a Scene) -> Option<SceneReport<'a>> {
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

    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
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
pub struct InspectionReport<'a> {
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
    pub fn new(level: &'a Level) -> InspectionReport<'a> {
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

    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
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
pub struct TreeReport {
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

impl TreeReport {
    pub fn new(tree: &Tree, build_ms: f64) -> TreeReport {
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

    pub fn write(&self, name: &str, out: &mut impl Write) -> io::Result<()> {
        let TreeReport { nodes, leaves, depth, triangles, leaf_triangles, bytes, build_ms } = self;
        let LeafTriangles { min, mean, max } = leaf_triangles;
        writeln!(out, "{name:9} {nodes} nodes, {leaves} leaves, depth {depth}, {triangles} triangles")?;
        let size = mebibytes(*bytes as u64);
        writeln!(
            out,
            "          {min} to {max} triangles a leaf, {mean:.1} on average; {size:.1} MiB, {build_ms:.1} ms"
        )
    }
}

/// Names of one kind that the page for people lists.
const LISTED_NAMES: usize = 6;

/// Textures that the page for people lists.
const LISTED_TEXTURES: usize = 4;

/// The largest pictures, with their sizes in pixels; nothing where there are none.
pub fn write_textures(textures: &[TextureReport], out: &mut impl Write) -> io::Result<()> {
    let mut order: Vec<&TextureReport> = textures.iter().collect();
    order.sort_by_key(|texture| std::cmp::Reverse(texture.bytes));
    let some = order.iter().take(LISTED_TEXTURES).map(|TextureReport { path, width, height, bytes }| {
        let name = Path::new(path).file_name().map_or_else(|| path.clone(), |name| name.to_string_lossy().into_owned());
        format!("{name} {width}x{height} ({:.1} MiB)", mebibytes(*bytes as u64))
    });
    let some = some.collect::<Vec<_>>().join(", ");
    match textures.len() {
        0 => Ok(()),
        count if count <= LISTED_TEXTURES => writeln!(out, "textures: {some}"),
        count => writeln!(out, "textures: {some} and {} more", count - LISTED_TEXTURES),
    }
}

fn mebibytes(bytes: u64) -> f64 {
    bytes as f64 / f64::from(1 << 20)
}
