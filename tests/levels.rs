//! The real levels: what `LEVELS.tsv` says of each, both trees over each, and every torture file.

mod data;
#[path = "data/torture.rs"]
mod torture_table;

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use data::DataLevel;
use glam::{DVec3, Vec3};
use libtest_mimic::{Failed, Trial};
use nodetree::level::{self, Cache, HeightmapOptions, Level, LoadOptions, Placement, WarningKind};
use nodetree::query::Which;
use nodetree::tree::{Mode, Settings, Tree};
use torture_table::{OUTCOMES, Outcome};

fn main() -> ExitCode {
    let mut trials = vec![
        Trial::test("every_torture_file_opens_or_says_why_not", || torture(&folder()?)),
        Trial::test("every_kaykit_piece_opens", || kaykit(&folder()?)),
        Trial::test("a_piece_is_the_same_from_obj_and_glb", || same_from_both(&folder()?)),
        Trial::test("gltf_levels_have_what_they_should", || gltf_levels(&folder()?)),
        Trial::test("a_heightmap_of_two_formats_is_one_terrain", || two_formats(&folder()?)),
        Trial::test("a_terrain_has_the_heights_of_its_pixels", || heights_of_pixels(&folder()?)),
    ];
    trials.push(Trial::test("every_level_comes_from_the_cache_as_it_went_in", || cached(&folder()?)));
    for name in data::LEVELS {
        trials.push(Trial::test(format!("{name}_has_what_the_table_says"), move || counts(&data::level(name))));
        trials.push(Trial::test(format!("{name}_makes_valid_trees"), move || validate(&data::level(name).open())));
    }
    data::run(trials).exit_code()
}

fn folder() -> Result<PathBuf, Failed> {
    Ok(data::folder().ok_or("no data")?)
}

/// Two counts with a slash between.
fn pair(row: &DataLevel, column: &str) -> Result<(usize, usize), Failed> {
    let text = row.column(column);
    let (first, second) = text.split_once('/').ok_or(format!("{text:?} is no pair"))?;
    Ok((first.parse()?, second.parse()?))
}

fn load(path: &Path, scale: f64) -> Result<Level, Failed> {
    let placement = Placement { scale, ..Placement::default() };
    Ok(level::load(path, &LoadOptions { placement, ..LoadOptions::default() })?)
}

fn expect<T: PartialEq + std::fmt::Debug>(what: &str, found: T, wanted: T) -> Result<(), Failed> {
    if found == wanted { Ok(()) } else { Err(format!("{what}: {found:?}, not {wanted:?}").into()) }
}

fn counts(row: &DataLevel) -> Result<(), Failed> {
    let level = load(&row.file, 1.0)?;
    let (used_materials, defined_materials) = pair(row, "materials used")?;
    let (present_textures, named_textures) = pair(row, "textures present")?;
    expect("triangles", level.triangles.len(), row.column("triangles").parse()?)?;
    expect("vertices", level.source_positions, row.column("vertices").parse()?)?;
    let used: HashSet<u32> = level.triangles.iter().map(|triangle| triangle.material).collect();
    // The table counts the materials of the file; a level without any has the default one.
    let is_default = |material: u32| level.materials[material as usize].name == "default";
    expect("materials used", used.iter().filter(|&&material| !is_default(material)).count(), used_materials)?;
    let defined = (0..level.materials.len() as u32).filter(|&material| !is_default(material)).count();
    expect("materials defined", defined, defined_materials)?;
    expect("materials unknown", warnings(&level, WarningKind::UnknownMaterial), 0)?;
    let named: BTreeSet<&Path> =
        level.materials.iter().filter_map(|material| material.texture_path.as_deref()).collect();
    expect("textures named", named.len(), named_textures)?;
    expect("textures present", level.textures.len(), present_textures)?;
    let missing: BTreeSet<&str> = level
        .warnings
        .iter()
        .filter(|warning| warning.kind == WarningKind::MissingTexture)
        .map(|warning| &*warning.message)
        .collect();
    expect("textures missing", missing.len(), named_textures - present_textures)?;
    let bounds = level.bounds();
    for (name, found) in [("bbox min", bounds.min), ("bbox max", bounds.max)] {
        let (found, wanted) = (level.to_level(found).to_array(), row.numbers(name));
        expect("numbers of a corner", wanted.len(), 3)?;
        if found.iter().zip(&wanted).any(|(found, wanted)| (found - wanted).abs() > 6e-4) {
            return Err(format!("{name}: {found:?}, not {wanted:?}").into());
        }
    }
    let unit = level.vertices.iter().all(|vertex| (vertex.normal.length() - 1.0).abs() < 1e-5);
    expect("normals are of unit length", unit, true)?;
    // What is plausible in metres is so only at the scale of the table.
    expect("told to be too large", warnings(&level, WarningKind::ImplausibleSize) > 0, row.scale() != 1.0)?;
    let scaled = load(&row.file, row.scale())?;
    expect("told to be too large at its scale", warnings(&scaled, WarningKind::ImplausibleSize), 0)
}

fn warnings(level: &Level, kind: WarningKind) -> u64 {
    level.warnings.iter().filter(|warning| warning.kind == kind).map(|warning| warning.count).sum()
}

/// Builds both trees and checks that they keep their promises and that the warnings explain every triangle they lack.
fn validate(level: &Level) -> Result<(), Failed> {
    let corners: Vec<[Vec3; 3]> = (0..level.triangles.len() as u32).map(|triangle| level.corners(triangle)).collect();
    let materials: Vec<u32> = level.triangles.iter().map(|triangle| triangle.material).collect();
    let left_out = warnings(level, WarningKind::DegenerateTriangle) + warnings(level, WarningKind::NonFiniteTriangle);
    for mode in [Mode::Quadtree, Mode::Octree] {
        let tree = Tree::build(level, &Settings::new(mode));
        tree.validate(&corners, &materials)?;
        expect("triangles left out", (corners.len() - tree.triangle_count()) as u64, left_out)?;
        let statistics = tree.statistics();
        let leaves = statistics.leaf_triangles;
        expect(
            "leaves hold all",
            (leaves.mean * f64::from(statistics.leaves)).round() as usize,
            tree.triangle_count(),
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

/// Its area, and that on the picture.
fn areas(level: &Level) -> (f64, f64) {
    let each = level.triangles.iter().map(|triangle| {
        let [a, b, c] = triangle.vertices.map(|vertex| &level.vertices[vertex as usize]);
        let [ab, ac] = [b, c].map(|end| (end.position - a.position).as_dvec3());
        let [u, v] = [b, c].map(|end| (end.tex_coord - a.tex_coord).as_dvec2());
        (0.5 * ab.cross(ac).length(), 0.5 * u.perp_dot(v).abs())
    });
    each.fold((0.0, 0.0), |sum, area| (sum.0 + area.0, sum.1 + area.1))
}

/// The two files cut polygons along different diagonals; all else is the same.
fn same_from_both(data: &Path) -> Result<(), Failed> {
    // The OBJ files of the others have no lid and no door.
    for piece in ["barrel_large", "floor_tile_large", "pillar", "stairs", "wall", "wall_corner"] {
        let file = |folder: &str, end: &str| data.join(folder).join(format!("{piece}.{end}"));
        let glb = load(&file("gltf/kaykit-dungeon", "glb"), 1.0)?;
        let obj = load(&file("levels/kaykit-dungeon", "obj"), 1.0)?;
        let of_piece = |error: Failed| Failed::from(format!("{piece}: {}", error.message().unwrap_or("")));
        validate(&glb).map_err(of_piece)?;
        expect("triangles", glb.triangles.len(), obj.triangles.len()).map_err(of_piece)?;
        let corner = |level: &Level| [level.to_level(level.bounds().min), level.to_level(level.bounds().max)];
        let apart = corner(&glb).into_iter().zip(corner(&obj)).map(|(glb, obj)| glb.distance(obj)).fold(0.0, f64::max);
        expect("corners", apart < 1e-4, true).map_err(of_piece)?;
        let ((area, on_picture), (area_of_obj, on_picture_of_obj)) = (areas(&glb), areas(&obj));
        expect("area", (area / area_of_obj - 1.0).abs() < 1e-3, true).map_err(of_piece)?;
        expect("area on the picture", (on_picture / on_picture_of_obj - 1.0).abs() < 0.02, true).map_err(of_piece)?;
        expect("pictures", glb.textures[0].rgba == obj.textures[0].rgba, true).map_err(of_piece)?;
    }
    Ok(())
}

fn gltf_levels(data: &Path) -> Result<(), Failed> {
    let level = load(&data.join("gltf/collision-world/collision-world.glb"), 1.0)?;
    expect("triangles", level.triangles.len(), 1788)?;
    expect("positions", level.source_positions, 2957)?;
    expect("materials", (level.materials.len(), level.textures.len()), (1, 1))?;
    let bounds = level.bounds();
    for (corner, wanted) in [(bounds.min, [-73.804, -0.13, -50.501]), (bounds.max, [40.287, 23.447, 43.691])] {
        expect("corner", (level.to_level(corner) - DVec3::from_array(wanted)).abs().max_element() < 1e-3, true)?;
    }
    validate(&level)?;
    let level = load(&data.join("gltf/mountains/Mountains.gltf"), 1.0)?;
    expect("triangles", level.triangles.len(), 25600)?;
    validate(&level)
}

fn torture(data: &Path) -> Result<(), Failed> {
    let folder = data.join("torture");
    let files = files_below(&folder)?;
    let name = |file: &Path| file.strip_prefix(&folder).unwrap_or(file).to_string_lossy().replace('\\', "/");
    let (levels, others): (Vec<&PathBuf>, Vec<&PathBuf>) =
        files.iter().partition(|file| file.extension().is_some_and(|extension| extension == "obj"));
    let there: BTreeSet<String> = levels.iter().map(|file| name(file)).collect();
    let in_table: BTreeSet<String> = OUTCOMES.iter().map(|(file, _)| (*file).to_owned()).collect();
    expect("files in the table", in_table, there)?;
    for (file, outcome) in &OUTCOMES {
        let of_file = |error: Failed| Failed::from(format!("{file}: {}", error.message().unwrap_or("")));
        torture_file(&folder.join(file), outcome).map_err(of_file)?;
    }
    // Licences, notes and what levels name.
    for file in others {
        let error = level::load(file, &LoadOptions::default()).err().map(|error| error.to_string()).unwrap_or_default();
        expect(&name(file), error.contains("not known") && error.contains(&*file.to_string_lossy()), true)?;
    }
    Ok(())
}

fn torture_file(file: &Path, outcome: &Outcome) -> Result<(), Failed> {
    match (level::load(file, &LoadOptions::default()), outcome) {
        (Ok(level), Outcome::Opens(counts, told)) => {
            let found = [level.triangles.len(), level.source_positions, level.materials.len()];
            expect("triangles, positions and materials", found, *counts)?;
            let wanted: BTreeMap<WarningKind, u64> = told.iter().copied().collect();
            let kinds: BTreeSet<WarningKind> = level.warnings.iter().map(|warning| warning.kind).collect();
            let found: BTreeMap<WarningKind, u64> =
                kinds.into_iter().map(|kind| (kind, warnings(&level, kind))).collect();
            expect("warnings", found, wanted)?;
            validate(&level)
        }
        (Err(error), Outcome::Refused(why)) => {
            let message = error.to_string();
            let is_fine =
                message.contains(why) && message.contains(&*file.to_string_lossy()) && !message.contains('\n');
            expect(&message, is_fine, true)
        }
        (Ok(_), Outcome::Refused(why)) => Err(format!("it opens, although {why}").into()),
        (Err(error), Outcome::Opens(..)) => Err(format!("it does not open: {error}").into()),
    }
}

/// Every file that opens, from the cache and anew.
fn cached(data: &Path) -> Result<(), Failed> {
    let kept = tempfile::tempdir()?;
    let options = LoadOptions {
        cache: Some(Cache { smallest: 0, ..Cache::new(kept.path()) }),
        heightmap: HeightmapOptions { cell_size: 2.0, ..HeightmapOptions::default() },
        ..LoadOptions::default()
    };
    let anew = LoadOptions { cache: None, ..options.clone() };
    let mut count = 0;
    for file in ["levels", "gltf", "heightmaps", "torture"].into_iter().flat_map(|name| files_below(&data.join(name))) {
        for file in file {
            let Ok(first) = level::load(&file, &options) else { continue };
            let second = options.cache.as_ref().and_then(|cache| cache.look_up(&file, &options));
            let second = second.ok_or_else(|| format!("{} is not in the cache", file.display()))?;
            let of_file =
                |error: Failed| Failed::from(format!("{}: {}", file.display(), error.message().unwrap_or("")));
            for level in [&second, &level::load(&file, &anew)?] {
                same(&first, level).map_err(of_file)?;
            }
            count += 1;
        }
    }
    expect("files that open", count > 60, true)
}

/// Compares all of two levels, numbers by their bits.
fn same(a: &Level, b: &Level) -> Result<(), Failed> {
    let Level {
        name,
        vertices,
        tangents,
        triangles,
        materials,
        textures,
        lights,
        origin,
        source_positions,
        spawn,
        warnings,
    } = a;
    expect("name", &b.name, name)?;
    expect("vertices", bytemuck::cast_slice::<_, u8>(&b.vertices) == bytemuck::cast_slice::<_, u8>(vertices), true)?;
    expect("triangles", b.triangles == *triangles, true)?;
    expect("tangents", bytemuck::cast_slice::<_, u8>(&b.tangents) == bytemuck::cast_slice::<_, u8>(tangents), true)?;
    expect("lights", &b.lights, lights)?;
    expect("materials", &b.materials, materials)?;
    expect("textures", b.textures == *textures, true)?;
    expect("origin", b.origin.to_array().map(f64::to_bits), origin.to_array().map(f64::to_bits))?;
    expect("positions", b.source_positions, *source_positions)?;
    expect("spawn", b.spawn, *spawn)?;
    expect("warnings", &b.warnings, warnings)
}

fn two_formats(folder: &Path) -> Result<(), Failed> {
    let heightmap = HeightmapOptions { cell_size: 80.0, lowest: 277.0, highest: 1040.0, ..HeightmapOptions::default() };
    let options = LoadOptions { heightmap, ..LoadOptions::default() };
    let read = |name: &str| level::load(&folder.join("heightmaps/jacksboro").join(name), &options);
    let (grey, colored) = (read("jacksboro_257_8bit.bmp")?, read("jacksboro_257_24bit.bmp")?);
    assert_eq!(grey.triangles.len(), 2 * 256 * 256);
    assert_eq!(grey.vertices, colored.vertices);
    let bounds = grey.bounds();
    let (min, max) = (grey.to_level(bounds.min), grey.to_level(bounds.max));
    assert_eq!((min, max), (DVec3::new(0.0, 277.0, 0.0), DVec3::new(256.0 * 80.0, 1040.0, 256.0 * 80.0)));
    Ok(())
}

/// Pixels in metres, asked for as heights of the tree.
fn heights_of_pixels(folder: &Path) -> Result<(), Failed> {
    let path = folder.join("heightmaps/jacksboro/jacksboro_403x344_u16_metres.png");
    let heightmap = HeightmapOptions { cell_size: 80.0, lowest: 0.0, highest: 65535.0, ..HeightmapOptions::default() };
    let level = level::load(&path, &LoadOptions { heightmap, ..LoadOptions::default() })?;
    let pixels = image::open(&path)?.into_luma16();
    let tree = Tree::build(&level, &Settings::new(Mode::Quadtree));
    for (x, z, pixel) in pixels.enumerate_pixels().step_by(97) {
        let above = DVec3::new(80.0 * f64::from(x), 2000.0, 80.0 * f64::from(z));
        let height = tree.height(level.to_local(above), Which::Below, 0.0).map(|y| f64::from(y) + level.origin.y);
        let expected = f64::from(pixel.0[0]);
        assert!(height.is_some_and(|height| (height - expected).abs() < 1e-3), "{x} {z}: {height:?} {expected}");
    }
    Ok(())
}
