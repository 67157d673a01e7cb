//! The real levels beside the checkout: what `LEVELS.tsv` says of each, and every torture file. The folder is named by the
//! environment variable NODETREE_DATA; without it these tests are ignored, unless NODETREE_REQUIRE_GPU says that all must run.

use std::collections::{BTreeSet, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use glam::Vec3;
use libtest_mimic::{Arguments, Failed, Trial};
use nodetree::level::{self, Level, LoadOptions, Placement, WarningKind};
use nodetree::tree::{Mode, Settings, Tree};

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let is_required = std::env::var_os("NODETREE_REQUIRE_GPU").is_some_and(|value| value == "1");
    let Some(data) = std::env::var_os("NODETREE_DATA").map(PathBuf::from) else {
        let outcome = move || if is_required { Err(Failed::from("NODETREE_DATA is not set")) } else { Ok(()) };
        let trial = Trial::test("levels_of_NODETREE_DATA", outcome).with_ignored_flag(!is_required);
        return libtest_mimic::run(&arguments, vec![trial]).exit_code();
    };
    let mut trials = vec![trial("every_torture_file_opens_or_says_why_not", &data, torture)];
    let rows = match rows(&data) {
        Ok(rows) => rows,
        Err(error) => {
            trials.push(Trial::test("LEVELS.tsv", move || Err(error)));
            Vec::new()
        }
    };
    for row in rows {
        let name = row.file.rsplit('/').next().unwrap_or_default().to_owned();
        let (first, second) = (row.clone(), row);
        trials.push(trial(&format!("{name}_has_what_the_table_says"), &data, move |data| counts(data, &first)));
        trials.push(trial(&format!("{name}_makes_valid_trees"), &data, move |data| trees(data, &second)));
    }
    trials.push(trial("every_kaykit_piece_opens", &data, kaykit));
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn trial(name: &str, data: &Path, run: impl FnOnce(&Path) -> Result<(), Failed> + Send + 'static) -> Trial {
    let data = data.to_owned();
    Trial::test(name, move || run(&data))
}

/// A row of `LEVELS.tsv` that is an OBJ level.
#[derive(Clone, Debug)]
struct Row {
    file: String,
    triangles: usize,
    vertices: usize,
    /// Used and defined.
    materials: (usize, usize),
    /// Present and named.
    textures: (usize, usize),
    min: [f64; 3],
    max: [f64; 3],
    scale: f64,
}

fn rows(data: &Path) -> Result<Vec<Row>, Failed> {
    let table = fs::read_to_string(data.join("LEVELS.tsv"))?;
    let mut lines = table.lines().map(|line| line.split('\t').collect::<Vec<_>>());
    let header = lines.next().ok_or("LEVELS.tsv is empty")?;
    let column = |line: &[&str], name: &str| -> Result<String, Failed> {
        let place = header.iter().position(|column| column.starts_with(name)).ok_or(format!("no column {name}"))?;
        Ok(line.get(place).ok_or(format!("a row without {name}"))?.to_string())
    };
    let pair = |text: String| -> Result<(usize, usize), Failed> {
        let (first, second) = text.split_once('/').ok_or(format!("{text:?} is no pair"))?;
        Ok((first.parse()?, second.parse()?))
    };
    let triple = |text: String| -> Result<[f64; 3], Failed> {
        let numbers = text.split(' ').map(str::parse).collect::<Result<Vec<f64>, _>>()?;
        numbers.try_into().map_err(|_| format!("{text:?} is no position").into())
    };
    let rows: Vec<Row> = lines
        .filter(|line| line[0].ends_with(".obj"))
        .map(|line| {
            let scale = column(&line, "metres per unit")?;
            Ok(Row {
                file: column(&line, "file")?,
                triangles: column(&line, "triangles")?.parse()?,
                vertices: column(&line, "vertices")?.parse()?,
                materials: pair(column(&line, "materials used")?)?,
                textures: pair(column(&line, "textures present")?)?,
                min: triple(column(&line, "bbox min")?)?,
                max: triple(column(&line, "bbox max")?)?,
                scale: scale.split(' ').next().unwrap_or_default().parse()?,
            })
        })
        .collect::<Result<_, Failed>>()?;
    if rows.len() < 5 { Err(format!("only {} OBJ levels in LEVELS.tsv", rows.len()).into()) } else { Ok(rows) }
}

fn load(path: &Path, scale: f64) -> Result<Level, Failed> {
    let placement = Placement { scale, ..Placement::default() };
    Ok(level::load(path, &LoadOptions { placement, ..LoadOptions::default() })?)
}

fn expect<T: PartialEq + std::fmt::Debug>(what: &str, found: T, wanted: T) -> Result<(), Failed> {
    if found == wanted { Ok(()) } else { Err(format!("{what}: {found:?}, not {wanted:?}").into()) }
}

fn counts(data: &Path, row: &Row) -> Result<(), Failed> {
    let level = load(&data.join(&row.file), 1.0)?;
    expect("triangles", level.triangles.len(), row.triangles)?;
    expect("vertices", level.source_positions, row.vertices)?;
    let used: HashSet<u32> = level.triangles.iter().map(|triangle| triangle.material).collect();
    // The table counts the materials of the file; a level without any has the default one.
    let is_default = |material: u32| level.materials[material as usize].name == "default";
    expect("materials used", used.iter().filter(|&&material| !is_default(material)).count(), row.materials.0)?;
    let defined = (0..level.materials.len() as u32).filter(|&material| !is_default(material)).count();
    expect("materials defined", defined, row.materials.1)?;
    expect("materials unknown", warnings(&level, WarningKind::UnknownMaterial), 0)?;
    let named: BTreeSet<&Path> =
        level.materials.iter().filter_map(|material| material.texture_path.as_deref()).collect();
    expect("textures named", named.len(), row.textures.1)?;
    expect("textures present", level.textures.len(), row.textures.0)?;
    let missing: BTreeSet<&str> = level
        .warnings
        .iter()
        .filter(|warning| warning.kind == WarningKind::MissingTexture)
        .map(|warning| &*warning.message)
        .collect();
    expect("textures missing", missing.len(), row.textures.1 - row.textures.0)?;
    let bounds = level.bounds();
    for (name, found, wanted) in [("min", bounds.min, row.min), ("max", bounds.max, row.max)] {
        let found = level.to_level(found).to_array();
        if found.iter().zip(wanted).any(|(found, wanted)| (found - wanted).abs() > 6e-4) {
            return Err(format!("bounding box {name}: {found:?}, not {wanted:?}").into());
        }
    }
    let unit = level.vertices.iter().all(|vertex| (vertex.normal.length() - 1.0).abs() < 1e-5);
    expect("normals are of unit length", unit, true)?;
    // What is plausible in metres is so only at the scale of the table.
    expect("told to be too large", warnings(&level, WarningKind::ImplausibleSize) > 0, row.scale != 1.0)?;
    let scaled = load(&data.join(&row.file), row.scale)?;
    expect("told to be too large at its scale", warnings(&scaled, WarningKind::ImplausibleSize), 0)
}

fn warnings(level: &Level, kind: WarningKind) -> u64 {
    level.warnings.iter().filter(|warning| warning.kind == kind).map(|warning| warning.count).sum()
}

fn trees(data: &Path, row: &Row) -> Result<(), Failed> {
    validate(&load(&data.join(&row.file), row.scale)?)
}

/// Builds both trees and checks that they keep their promises and that the warnings explain every triangle they lack.
fn validate(level: &Level) -> Result<(), Failed> {
    let corners: Vec<[Vec3; 3]> = (0..level.triangles.len() as u32).map(|triangle| level.corners(triangle)).collect();
    let materials: Vec<u32> = level.triangles.iter().map(|triangle| triangle.material).collect();
    let left_out = warnings(level, WarningKind::DegenerateTriangle) + warnings(level, WarningKind::NonFiniteTriangle);
    for mode in [Mode::Quadtree, Mode::Octree] {
        let tree = Tree::build(level, &Settings::new(mode));
        tree.validate(&corners, &materials)?;
        expect("triangles left out", (corners.len() - tree.triangles().len()) as u64, left_out)?;
        let statistics = tree.statistics();
        let leaves = statistics.leaf_triangles;
        expect(
            "leaves hold all",
            (leaves.mean * f64::from(statistics.leaves)).round() as usize,
            tree.triangles().len(),
        )?;
        expect("leaves in order", leaves.min as f64 <= leaves.mean && leaves.mean <= leaves.max as f64, true)?;
    }
    Ok(())
}

/// All files below a folder, in order.
fn files_below(folder: &Path) -> Result<Vec<PathBuf>, Failed> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    files.sort();
    Ok(files)
}

fn kaykit(data: &Path) -> Result<(), Failed> {
    let files = files_below(&data.join("levels/kaykit-dungeon"))?;
    let pieces: Vec<_> =
        files.iter().filter(|path| path.extension().is_some_and(|extension| extension == "obj")).collect();
    expect("pieces there are", pieces.len() >= 8, true)?;
    for piece in pieces {
        let level = load(piece, 1.0)?;
        let of_piece = |error: Failed| Failed::from(format!("{}: {}", piece.display(), error.message().unwrap_or("")));
        validate(&level).map_err(of_piece)?;
        expect("textures", level.textures.len(), 1).map_err(of_piece)?;
        let other = level.warnings.iter().find(|warning| warning.kind != WarningKind::DegenerateTriangle);
        expect("warnings", other, None).map_err(of_piece)?;
    }
    Ok(())
}

fn torture(data: &Path) -> Result<(), Failed> {
    let files = files_below(&data.join("torture"))?;
    expect("there are files", files.len() > 50, true)?;
    let (mut opened, mut refused) = (0, Vec::new());
    for file in &files {
        match level::load(file, &LoadOptions::default()) {
            Ok(level) => {
                opened += 1;
                let of_file = |error: Failed| Failed::from(format!("{}: {error:?}", file.display()));
                validate(&level).map_err(of_file)?;
            }
            Err(error) => {
                let message = error.to_string();
                let name = file.file_name().unwrap_or_default().to_string_lossy();
                expect("the error names the file", message.contains(&*name) && !message.contains('\n'), true)?;
                if file.extension().is_some_and(|extension| extension == "obj") {
                    refused.push(name.into_owned());
                }
            }
        }
    }
    // Those without a polygon, and those with an index out of range.
    let wanted = [
        "invalid-face-definition.obj",
        "invalid-relative-texture-index.obj",
        "invalid-relative-vertex-index.obj",
        "invalid_index.obj",
        "issue-140-zero-face-idx.obj",
        "issue-356-leading-spaces-newmtl.obj",
        "line-prim.obj",
        "lines.obj",
        "points-prim.obj",
    ];
    refused.sort();
    let wanted: Vec<String> = wanted.iter().map(|&name| name.to_owned()).collect();
    expect("files refused", refused, wanted)?;
    expect("files opened", opened > 40, true)
}
