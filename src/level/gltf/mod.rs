//! glTF 2.0 and GLB: a scene's meshes at their places, as one level.

mod accessor;
mod buffers;
mod glb;
mod lights;
mod pose;
mod primitive;
mod surfaces;

use std::path::Path;

use glam::{DMat4, Mat4};
use gltf::json::validation::Validate;
use gltf::{Document, Gltf, Node, json};

use self::buffers::Buffers;
use self::primitive::{Instance, Primitives};
use self::surfaces::Surfaces;
use super::files::Files;
use super::load::{LoadError, LoadOptions};
use super::{Level, LevelBuilder, WarningKind, plausible};

/// Extensions without which a file that requires them can still be read: what they say is taken in, or only looks different.
const EXTENSIONS: [&str; 8] = [
    "KHR_lights_punctual",
    "KHR_materials_emissive_strength",
    "KHR_materials_ior",
    "KHR_materials_specular",
    "KHR_materials_transmission",
    "KHR_materials_unlit",
    "KHR_mesh_quantization",
    "KHR_texture_transform",
];

/// Nodes below nodes are followed so far.
const DEEPEST: usize = 512;

/// Reads a glTF or GLB file that is in memory already. `path` says where it came from: errors name it, and its buffers and
/// pictures are looked for beside it.
///
/// Triangles come in the order of nodes, depth first, then of primitives. A primitive without normals is flat. Meshes bend as their
/// morph weights and the joints of their skins have it where the nodes stand; animations are not played.
///
/// # Errors
/// When it is no glTF 2.0, requires an extension that is not known, refers to what is not there, or has no triangles.
pub fn read_gltf(bytes: &[u8], path: &Path, options: &LoadOptions) -> Result<Level, LoadError> {
    read(bytes, path, options, &Files::default())
}

/// The same, with the files beside it as `files` has them.
pub(super) fn read(bytes: &[u8], path: &Path, options: &LoadOptions, files: &Files) -> Result<Level, LoadError> {
    let fault = |what: String| {
        let what = what.trim_end_matches('.');
        let cure = if what.contains("; ") { "" } else { "; mend it or export the level again" };
        LoadError::Gltf { path: path.to_owned(), what: format!("{what}{cure}") }
    };
    let (document, blob) = parse(bytes).map_err(fault)?;
    let mut builder = LevelBuilder::new(options.placement);
    let folder = path.parent().unwrap_or(Path::new(""));
    let buffers = Buffers::read(&document, blob, folder, files).map_err(fault)?;
    let surfaces = Surfaces::read(&document, &buffers, folder, files, &mut builder);
    let mut primitives = Primitives::new(&buffers, &surfaces, &mut builder);
    let poses = if document.skins().len() > 0 { pose::of_nodes(&document) } else { Vec::new() };
    let mut is_visited = vec![false; document.nodes().len()];
    for node in roots(&document) {
        add(&document, &poses, &node, 0, DMat4::IDENTITY, &mut is_visited, &mut primitives).map_err(fault)?;
    }
    for extension in document.extensions_used().filter(|name| !EXTENSIONS.contains(name)) {
        let what = format!("the extension {extension} is not known; what it adds is left out");
        builder.warnings().add(WarningKind::UnknownKeyword, what);
    }
    let mut level = builder.finish(path.to_string_lossy(), None);
    let what = if level.triangles.is_empty() {
        "its scene has no mesh with triangles; check what was exported"
    } else if level.bounds().is_empty() {
        "no triangle has finite corners"
    } else {
        plausible::check(&mut level, options.placement.scale);
        return Ok(level);
    };
    Err(LoadError::NoGeometry { path: path.to_owned(), what: what.to_owned() })
}

/// The document, checked, and the binary part of a GLB file.
fn parse(bytes: &[u8]) -> Result<(Document, Option<Vec<u8>>), String> {
    let (document, blob) = glb::split(bytes)?;
    let Gltf { document, .. } =
        Gltf::from_slice_without_validation(document).map_err(|error| format!("it is not glTF 2.0: {error}"))?;
    let json = document.into_json();
    if let Some(unknown) = json.extensions_required.iter().find(|name| !EXTENSIONS.contains(&name.as_str())) {
        return Err(format!("it needs the extension {unknown}, which is not known; export it without"));
    }
    if !json.asset.version.starts_with("2.") {
        return Err(format!("it is glTF {}, not 2.0; export it as that", json.asset.version));
    }
    check(&json)?;
    Ok((Document::from_json_without_validation(json), blob.map(<[u8]>::to_vec)))
}

/// Checks that what the document refers to is there and means something. What is only missing can be done without: bounds of
/// positions, say, and the view of an accessor, which then holds zeros.
fn check(json: &json::Root) -> Result<(), String> {
    let mut primitives = json.meshes.iter().flat_map(|mesh| &mesh.primitives);
    let is_there = |accessor: &json::Index<json::Accessor>| accessor.value() < json.accessors.len();
    if !primitives.all(|primitive| primitive.attributes.values().all(is_there)) {
        // The checks below take this for granted.
        return Err("a primitive has an attribute that is not there".to_owned());
    }
    let mut fault = None;
    json.validate(json, json::Path::new, &mut |place, error| {
        // Extensions that are required are known here, if not there.
        if fault.is_none() && !matches!(error, json::validation::Error::Missing | json::validation::Error::Unsupported)
        {
            fault = Some(format!("{}: {error}", place()));
        }
    });
    fault.map_or(Ok(()), Err)
}

/// The nodes of the scene that is shown at first; without scenes all that are nobody's children.
fn roots(document: &Document) -> Vec<Node<'_>> {
    if let Some(scene) = document.default_scene().or_else(|| document.scenes().next()) {
        return scene.nodes().collect();
    }
    let mut is_child = vec![false; document.nodes().len()];
    document.nodes().flat_map(|node| node.children()).for_each(|child| is_child[child.index()] = true);
    document.nodes().filter(|node| !is_child[node.index()]).collect()
}

/// Adds the meshes and lights of a node and of all below it.
fn add(
    document: &Document,
    poses: &[DMat4],
    node: &Node<'_>,
    depth: usize,
    level_from_parent: DMat4,
    is_visited: &mut [bool],
    primitives: &mut Primitives<'_>,
) -> Result<(), String> {
    if std::mem::replace(&mut is_visited[node.index()], true) {
        return Err(format!("node {} hangs below itself or below several nodes", node.index()));
    }
    if depth > DEEPEST {
        return Err(format!("node {} is more than {DEEPEST} nodes deep", node.index()));
    }
    let level_from_node = level_from_parent * node_matrix(node);
    if let Some(mesh) = node.mesh() {
        // The joints of a skin alone say where it is.
        let joints = node.skin().map(|skin| pose::of_joints(primitives.buffers, &skin, poses)).transpose()?;
        let weights = node.weights().or(mesh.weights()).unwrap_or_default();
        let instance = Instance { level_from_mesh: level_from_node, joints: joints.as_deref(), weights };
        for primitive in mesh.primitives() {
            primitives
                .add(&primitive, &instance)
                .map_err(|what| format!("mesh {}, primitive {}: {what}", mesh.index(), primitive.index()))?;
        }
    }
    if let Some((position, light)) = lights::of_node(document, node, level_from_node) {
        primitives.add_light(position, light);
    }
    node.children()
        .try_for_each(|child| add(document, poses, &child, depth + 1, level_from_node, is_visited, primitives))
}

/// The map from a node's space to its parent's.
fn node_matrix(node: &Node<'_>) -> DMat4 {
    Mat4::from_cols_array_2d(&node.transform().matrix()).as_dmat4()
}
