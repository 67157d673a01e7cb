//! OBJ and MTL files that broke other programs. Each test is named after its row in the list of such cases.

use std::fs;
use std::path::Path;

use nodetree::geometry::has_area;
use nodetree::level::{
    self, AlphaMode, Handedness, Level, LoadError, LoadOptions, Material, Placement, UpAxis, WarningKind,
};
use nodetree::tree::{Mode, Settings, Tree};
use tempfile::TempDir;

/// A folder with files, the first of which is the level.
fn folder(files: &[(&str, &[u8])]) -> TempDir {
    let folder = TempDir::new().expect("a temporary folder");
    for (name, content) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        fs::write(path, content).expect("a file");
    }
    folder
}

fn try_load(files: &[(&str, &[u8])], options: &LoadOptions) -> Result<Level, LoadError> {
    let folder = folder(files);
    level::load(&folder.path().join(files[0].0), options)
}

fn load_files(files: &[(&str, &[u8])]) -> Level {
    try_load(files, &LoadOptions::default()).unwrap_or_else(|error| panic!("{error}"))
}

fn load(obj: impl AsRef<[u8]>) -> Level {
    load_files(&[("level.obj", obj.as_ref())])
}

fn load_with_library(obj: &str, mtl: &str) -> Level {
    load_files(&[("level.obj", obj.as_bytes()), ("level.mtl", mtl.as_bytes())])
}

/// The error of an OBJ file as the program prints it.
fn error(obj: impl AsRef<[u8]>) -> String {
    match try_load(&[("level.obj", obj.as_ref())], &LoadOptions::default()) {
        Ok(level) => panic!("loaded with {} triangles", level.triangles.len()),
        Err(error) => error.to_string(),
    }
}

fn count(level: &Level, kind: WarningKind) -> u64 {
    level.warnings.iter().filter(|warning| warning.kind == kind).map(|warning| warning.count).sum()
}

fn messages(level: &Level, kind: WarningKind) -> Vec<&str> {
    level.warnings.iter().filter(|warning| warning.kind == kind).map(|warning| &*warning.message).collect()
}

/// No warning but that of an implausible size, which these tiny levels may well have.
fn is_clean(level: &Level) -> bool {
    level.warnings.iter().all(|warning| warning.kind == WarningKind::ImplausibleSize)
}

/// Corners in level coordinates.
fn corners(level: &Level, triangle: u32) -> [[f64; 3]; 3] {
    level.corners(triangle).map(|corner| level.to_level(corner).to_array())
}

fn area(level: &Level) -> f64 {
    (0..level.triangles.len() as u32)
        .map(|triangle| level.corners(triangle).map(|corner| corner.as_dvec3()))
        .map(|[a, b, c]| 0.5 * (b - a).cross(c - a).length())
        .sum()
}

fn material<'a>(level: &'a Level, name: &str) -> &'a Material {
    let mut named = level.materials.iter().filter(|material| material.name == name);
    let material = named.next().unwrap_or_else(|| panic!("no material {name}"));
    assert!(named.next().is_none(), "two materials {name}");
    material
}

fn names(level: &Level) -> Vec<&str> {
    level.materials.iter().map(|material| &*material.name).collect()
}

/// The names of the triangles' materials in order.
fn used(level: &Level) -> Vec<&str> {
    (0..level.triangles.len() as u32).map(|triangle| &*level.material_of(triangle).name).collect()
}

/// A PNG with the given opacities, otherwise red.
fn png(alpha: &[u8]) -> Vec<u8> {
    let picture = image::RgbaImage::from_fn(alpha.len() as u32, 1, |x, _| image::Rgba([255, 0, 0, alpha[x as usize]]));
    let mut bytes = std::io::Cursor::new(Vec::new());
    picture.write_to(&mut bytes, image::ImageFormat::Png).expect("a PNG");
    bytes.into_inner()
}

const TRIANGLE: &str = "v 0 0 0\nv 4 0 0\nv 0 4 0\n";

#[test]
fn v01_a_byte_order_mark_hides_nothing() {
    let obj = b"\xef\xbb\xbfmtllib level.mtl\nv 0 0 0\nv 4 0 0\nv 0 4 0\nusemtl m\nf 1 2 3\n";
    let level = load_files(&[("level.obj", obj), ("level.mtl", b"\xef\xbb\xbfnewmtl m\nKd 1 0 0\n")]);
    assert_eq!(material(&level, "m").base_color, [1.0, 0.0, 0.0, 1.0]);
    let level = load(b"\xef\xbb\xbfv 0 0 0\nv 4 0 0\nv 0 4 0\nf 1 2 3\n");
    assert_eq!(corners(&level, 0), [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]]);
    assert!(is_clean(&level));
}

#[test]
fn v02_continuation_lines_join_with_a_space() {
    for end in ["\n", "\r\n"] {
        let obj = format!("v 1 1 \\{end} -1{end}v 5 1 -1{end}v 1 5 -1{end}v 9 9 9{end}f 1\\{end}2 3{end}");
        let level = load(obj);
        assert_eq!(corners(&level, 0), [[1.0, 1.0, -1.0], [5.0, 1.0, -1.0], [1.0, 5.0, -1.0]]);
        assert!(is_clean(&level));
    }
}

#[test]
fn v04_a_concave_polygon_is_covered_exactly() {
    let level = load("v 0 2 0\nv 1 1 0\nv 2 2 0\nv 2 0 0\nv 0 0 0\nf 1 2 3 4 5\n");
    assert_eq!(level.triangles.len(), 3);
    assert_eq!(area(&level), 3.0);
    assert!(level.triangles.iter().all(|triangle| triangle.face == 0));
}

#[test]
fn v06_faces_with_and_without_texture_coordinates_keep_their_own() {
    let obj = format!("{TRIANGLE}v 4 4 0\nvt 0.25 0\nvt 0.5 0\nvt 0.75 0\nf 1 2 4\nf 1/1 2/2 3/3\nf 1 2 4\n");
    let level = load(obj);
    let us = |triangle: usize| {
        level.triangles[triangle].vertices.map(|vertex| level.vertices[vertex as usize].tex_coord.to_array())
    };
    assert_eq!(us(1), [[0.25, 1.0], [0.5, 1.0], [0.75, 1.0]]);
    assert_eq!((us(0), us(2)), ([[0.0; 2]; 3], [[0.0; 2]; 3]));
}

#[test]
fn v06_faces_with_and_without_normals_keep_their_own() {
    let level = load(format!("{TRIANGLE}v 4 4 0\nvn 0 0 -2\ns off\nf 1//1 2//1 3//1\nf 1 2 4\n"));
    let normals = |triangle: usize| {
        level.triangles[triangle].vertices.map(|vertex| level.vertices[vertex as usize].normal.to_array())
    };
    assert_eq!(normals(0), [[0.0, 0.0, -1.0]; 3]);
    assert_eq!(normals(1), [[0.0, 0.0, 1.0]; 3]);
}

#[test]
fn v07_an_index_out_of_range_is_an_error_with_line_and_index() {
    let six = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 2 2 0\nv 3 3 0\n";
    let message = error(format!("{six}# a comment\nf 4 5 7\n"));
    assert!(message.contains("level.obj, line 8: a face uses `v` index 7, but there are 6"), "{message}");
    let message = error(format!("{six}vt 0 0\nf 1/1/ 2/100/1 3\n"));
    assert!(message.contains("line 8: a face uses `vt` index 100, but there are 1"), "{message}");
    let message = error(format!("{six}vn 0 0 1\nf 1//1 2//2 3//1\n"));
    assert!(message.contains("line 8: a face uses `vn` index 2, but there are 1"), "{message}");
    for (index, shown) in [("0", "index 0"), ("99999999999999999999", "index 99999999999999999999"), ("x", "\"x\"")] {
        let message = error(format!("{six}f 1 2 {index}\n"));
        assert!(message.contains("line 7") && message.contains(shown), "{message}");
    }
    assert!(error(format!("{six}f 1 2 3/1/1/1\n")).contains("line 7"));
}

#[test]
fn v07_normals_that_were_left_out_are_computed() {
    let level = load(format!("{TRIANGLE}f 1//1 2//1 3//1\n"));
    assert!(level.vertices.iter().all(|vertex| vertex.normal == glam::Vec3::Z));
    assert_eq!(messages(&level, WarningKind::MalformedLine).len(), 1);
}

#[test]
fn v07_a_face_may_stand_before_its_vertices() {
    assert_eq!(load(format!("f 1 2 3\n{TRIANGLE}")).triangles.len(), 1);
}

#[test]
fn v09_relative_indices_count_from_their_own_line() {
    let obj = "v 0 0 0\nv 1 0 0\nv 1 1 0\nf -3 -2 -1\nv 5 0 0\nv 6 0 0\nv 6 1 0\nf -3 -2 -1\nf -6 -5 -4\n";
    let level = load(obj);
    assert_eq!(corners(&level, 0)[0], [0.0, 0.0, 0.0]);
    assert_eq!(corners(&level, 1)[0], [5.0, 0.0, 0.0]);
    assert_eq!(corners(&level, 2), corners(&level, 0));
    let message = error(format!("{TRIANGLE}f -9 -2 -1\nv 1 1 1\n"));
    assert!(message.contains("line 4: a face uses `v` index -9, but there are 3 so far"), "{message}");
    for face in ["f 1/-2 2/-1 3/-1", "f 1//-1 2//-9223372036854775808 3//-1"] {
        let message = error(format!("{TRIANGLE}vt 0 0\nvn 0 0 1\n{face}\n"));
        assert!(message.contains("line 6") && message.contains("1 so far"), "{message}");
    }
}

#[test]
fn v10_missing_vertex_colours_are_white_and_extra_numbers_are_told_once() {
    let level = load("v 0 0 0 1 0 0.5\nv 4 0 0\nv 0 4 0 0 1 0 0.25\nv 0 4 4 1 1 1 1\nf 1 2 3\nf 1 3 4\n");
    let colors: Vec<[u8; 4]> =
        level.triangles[0].vertices.iter().map(|&vertex| level.vertices[vertex as usize].color).collect();
    assert_eq!(colors, [[255, 0, 128, 255], [255; 4], [0, 255, 0, 255]]);
    assert_eq!(messages(&level, WarningKind::MalformedLine).len(), 1);
    assert_eq!(count(&level, WarningKind::MalformedLine), 2);
}

#[test]
fn v10_a_colour_that_comes_late_moves_no_other() {
    let level = load("v 0 0 0\nv 4 0 0\nv 0 4 0 0 0 1\nf 3 1 2\n");
    let vertex = level.vertices.iter().find(|vertex| vertex.color != [255; 4]).expect("a colour");
    assert_eq!(level.to_level(vertex.position).to_array(), [0.0, 4.0, 0.0]);
}

#[test]
fn v11_d_wins_over_tr_and_tr_is_its_opposite() {
    let obj = format!("mtllib level.mtl\n{TRIANGLE}usemtl a\nf 1 2 3\nusemtl b\nf 3 2 1\n");
    let level = load_with_library(&obj, "newmtl a\nd 1\nTr 0\nnewmtl b\nTr 0.75\n");
    assert_eq!((material(&level, "a").base_color[3], material(&level, "a").alpha_mode), (1.0, AlphaMode::Opaque));
    assert_eq!((material(&level, "b").base_color[3], material(&level, "b").alpha_mode), (0.25, AlphaMode::Blend));
    assert!(is_clean(&level));
}

#[test]
fn v11_a_level_that_is_all_invisible_is_drawn_opaque() {
    let obj = format!("mtllib level.mtl\n{TRIANGLE}usemtl a\nf 1 2 3\nusemtl b\nf 3 2 1\n");
    let level = load_with_library(&obj, "newmtl a\nTr 1\nnewmtl b\nd 0\n");
    assert!(level.materials.iter().all(|material| material.alpha_mode == AlphaMode::Opaque));
    assert_eq!(count(&level, WarningKind::EverythingInvisible), 1);
    // One that can be seen among them, and the other stays an invisible wall.
    let level = load_with_library(&obj, "newmtl a\nTr 1\nnewmtl b\nd 1\n");
    assert!(material(&level, "a").is_invisible());
    assert_eq!(count(&level, WarningKind::EverythingInvisible), 0);
}

#[test]
fn v12_options_of_a_map_are_no_part_of_its_name() {
    let picture = png(&[255]);
    let obj = format!("mtllib level.mtl\n{TRIANGLE}vt 0.25 0.5\nusemtl a\nf 1/1 2/1 3/1\nusemtl b\nf 1/1 2/1 3/1\n");
    let mtl = b"newmtl a\nmap_Kd -o 0 -7 0 -s 1 10 1 -clamp on Body Part.png\nnewmtl b\nmap_Kd -texres 512 a.jpg\n";
    let level = load_files(&[
        ("level.obj", obj.as_bytes()),
        ("level.mtl", mtl),
        ("Body Part.png", &picture),
        ("a.jpg", &picture),
    ]);
    assert!(is_clean(&level));
    assert_eq!(material(&level, "a").texture_path.as_deref(), Some(Path::new("Body Part.png")));
    assert_eq!(material(&level, "b").texture_path.as_deref(), Some(Path::new("a.jpg")));
    assert!(level.materials.iter().all(|material| material.texture.is_some()));
    // The same `vt`, moved and repeated for the first material only: V is 10 * 0.5 - 7 upwards.
    let tex_coord =
        |triangle: usize| level.vertices[level.triangles[triangle].vertices[0] as usize].tex_coord.to_array();
    assert_eq!(tex_coord(0), [0.25, 1.0 - (10.0 * 0.5 - 7.0)]);
    assert_eq!(tex_coord(1), [0.25, 0.5]);
}

#[test]
fn v14_a_library_with_spaces_in_its_name_is_found() {
    let obj = format!("mtllib colored cubes.mtl\n{TRIANGLE}usemtl m\nf 1 2 3\n");
    let level = load_files(&[("level.obj", obj.as_bytes()), ("colored cubes.mtl", b"newmtl m\nKd 0 0 1\n")]);
    assert_eq!(material(&level, "m").base_color, [0.0, 0.0, 1.0, 1.0]);
    assert!(is_clean(&level));
}

#[test]
fn v14_one_line_may_name_several_libraries() {
    let obj = format!("mtllib a.mtl two words.mtl gone.mtl b.mtl\n{TRIANGLE}usemtl b\nf 1 2 3\n");
    let files: [(&str, &[u8]); 4] = [
        ("level.obj", obj.as_bytes()),
        ("a.mtl", b"newmtl a\nnewmtl b\nKd 1 0 0\n"),
        ("two words.mtl", b"newmtl c\n"),
        ("b.mtl", b"newmtl b\nKd 0 0 1\nnewmtl d\n"),
    ];
    let level = load_files(&files);
    // Of two definitions the first counts.
    assert_eq!(names(&level), ["a", "b", "c", "d"]);
    assert_eq!(material(&level, "b").base_color[0], 1.0);
    let [missing] = messages(&level, WarningKind::MissingMaterialLibrary)[..] else { panic!("one warning") };
    assert!(missing.contains("\"gone.mtl\""), "{missing}");
}

#[test]
fn v16_a_library_named_many_times_is_read_once() {
    let mut obj = String::from(TRIANGLE);
    for number in 0..181 {
        obj += &format!("mtllib level.mtl\nusemtl m{}\nf 1 2 3\n", number % 42);
    }
    // A name in another case, or by another way, is still the same file.
    obj += "mtllib LEVEL.MTL\nmtllib ./level.mtl\n";
    let mtl: String = (0..42).map(|number| format!("newmtl m{number}\n")).collect();
    let level = load_with_library(&obj, &mtl);
    assert_eq!((level.materials.len(), level.triangles.len()), (42, 181));
    assert_eq!(count(&level, WarningKind::MissingMaterialLibrary), 0);
}

#[test]
fn v17_a_missing_library_is_one_warning_that_names_it() {
    let level = load(format!("mtllib gone.mtl\n{TRIANGLE}usemtl a\nf 1 2 3\nusemtl b\nf 3 2 1\n"));
    assert_eq!(level.warnings.iter().filter(|warning| warning.kind != WarningKind::ImplausibleSize).count(), 1);
    assert!(messages(&level, WarningKind::MissingMaterialLibrary)[0].contains("gone.mtl"));
    assert_eq!(used(&level), ["a", "b"]);
}

#[test]
fn v17_unknown_materials_are_named_and_stay_apart() {
    let obj = format!("mtllib level.mtl\n{TRIANGLE}usemtl a\nf 1 2 3\nusemtl b\nf 3 2 1\nusemtl known\nf 1 3 2\n");
    let level = load_with_library(&obj, "newmtl known\nKd 1 0 0\n");
    assert_eq!(used(&level), ["a", "b", "known"]);
    let unknown = messages(&level, WarningKind::UnknownMaterial);
    assert!(unknown.len() == 2 && unknown[0].contains("\"a\"") && unknown[1].contains("\"b\""), "{unknown:?}");
    assert_eq!(material(&level, "a").base_color, [1.0; 4]);
    let level = load(format!("{TRIANGLE}f 1 2 3\nusemtl lonely\nf 1 3 2\n"));
    assert_eq!(used(&level), ["default", "lonely"]);
    assert_eq!(count(&level, WarningKind::UnknownMaterial), 1);
}

#[test]
fn v19_a_material_lasts_over_objects_and_groups() {
    let obj = format!("mtllib level.mtl\n{TRIANGLE}o a\nusemtl m\nf 1 2 3\no b\nf 1 2 3\ng c\nf 1 2 3\n");
    assert_eq!(used(&load_with_library(&obj, "newmtl m\n")), ["m"; 3]);
}

#[test]
fn v20_a_map_without_a_file_costs_nothing_else() {
    let obj = format!("mtllib level.mtl\n{TRIANGLE}usemtl a\nf 1 2 3\nusemtl b\nf 1 2 3\n");
    let level = load_with_library(&obj, "newmtl a\nmap_Kd\nKd 1 0 0\nnewmtl b\nmap_Kd   \nKd 0 1 0\n");
    assert_eq!(material(&level, "a").base_color, [1.0, 0.0, 0.0, 1.0]);
    assert_eq!(material(&level, "b").base_color, [0.0, 1.0, 0.0, 1.0]);
    assert_eq!(material(&level, "a").texture_path, None);
}

#[test]
fn v21_v22_v24_maps_are_found_in_any_case_and_with_backslashes() {
    let picture = png(&[255]);
    let obj = format!("mtllib Level.MTL\n{TRIANGLE}usemtl m\nf 1 2 3\n");
    for line in ["map_kd textures\\brick.png", "MAP_KD Textures/BRICK.png", "map_Kd C:\\work\\art\\brick.PNG"] {
        let mtl = format!("NEWMTL m\n{line}\n");
        let files: [(&str, &[u8]); 4] = [
            ("level.obj", obj.as_bytes()),
            ("level.mtl", mtl.as_bytes()),
            ("textures/Brick.PNG", &picture),
            ("brick.png", &picture),
        ];
        let level = load_files(&files);
        assert!(material(&level, "m").texture.is_some(), "{line}");
        assert!(is_clean(&level), "{line}");
    }
}

#[test]
fn v24_a_texture_that_is_missing_or_broken_is_told_and_the_level_loads() {
    let obj = format!("mtllib level.mtl\n{TRIANGLE}usemtl a\nf 1 2 3\nusemtl b\nf 1 2 3\n");
    let files: [(&str, &[u8]); 3] = [
        ("level.obj", obj.as_bytes()),
        ("level.mtl", b"newmtl a\nmap_Kd gone.png\nnewmtl b\nmap_Kd broken.png\n"),
        ("broken.png", b"\x89PNG\r\n\x1a\nnothing"),
    ];
    let level = load_files(&files);
    let missing = messages(&level, WarningKind::MissingTexture);
    assert!(missing.len() == 2 && missing[0].contains("gone.png") && missing[1].contains("broken.png"), "{missing:?}");
    assert_eq!(material(&level, "a").texture_path.as_deref(), Some(Path::new("gone.png")));
    assert_eq!((level.textures.len(), material(&level, "b").texture), (0, None));
}

#[test]
fn v25_other_encodings_load_and_names_match_across_files() {
    // "Stra\xdfe" in Latin-1 and two names in GBK, one of which ends in a backslash byte.
    let mut obj = b"# caf\xe9\nmtllib level.mtl\n".to_vec();
    obj.extend_from_slice(TRIANGLE.as_bytes());
    obj.extend_from_slice(b"usemtl Stra\xdfe\nf 1 2 3\nusemtl \xb2\xc4\nf 1 2 3\nusemtl \x95\\\nf 1 2 3\n");
    let mtl = b"# \xe9\nnewmtl Stra\xdfe\nKd 1 0 0\nnewmtl \xb2\xc4\nKd 0 1 0\nnewmtl \x95\\\nKd 0 0 1\n";
    let level = load_files(&[("level.obj", &obj), ("level.mtl", mtl)]);
    let colors: Vec<_> = (0..3).map(|triangle| level.material_of(triangle).base_color).collect();
    assert_eq!(colors, [[1.0, 0.0, 0.0, 1.0], [0.0, 1.0, 0.0, 1.0], [0.0, 0.0, 1.0, 1.0]]);
    assert!(is_clean(&level));
}

#[test]
fn v27_indented_lines_are_read() {
    let level = load_with_library(
        "  mtllib level.mtl\n\t v 0 0 0\n  v 4 0 0  \n\tv\t0\t4  0\n  usemtl x\n \tf 1 2 3\n",
        "  newmtl x\n\tKd 1 0 0\n",
    );
    assert_eq!(material(&level, "x").base_color, [1.0, 0.0, 0.0, 1.0]);
    assert!(is_clean(&level));
}

#[test]
fn v28_unknown_keywords_are_counted_once_each() {
    let level = load(format!("####\n#\n{TRIANGLE}usemap a\nusemap b\nwhatever 1 2\ng x\no y\nf 1 2 3\n"));
    let unknown = messages(&level, WarningKind::UnknownKeyword);
    assert!(unknown.len() == 2 && unknown.iter().any(|message| message.contains("\"usemap\"")), "{unknown:?}");
    assert_eq!(count(&level, WarningKind::UnknownKeyword), 3);
    let many: String = (0..1000).map(|number| format!("k{number} 1\n")).collect();
    let level = load(format!("{many}{TRIANGLE}f 1 2 3\n"));
    assert_eq!(count(&level, WarningKind::UnknownKeyword), 1000);
    assert!(messages(&level, WarningKind::UnknownKeyword).len() < 40);
}

#[test]
fn v29_lines_and_points_make_no_triangles() {
    let level = load(format!("{TRIANGLE}v 1 1 1\nv 2 2 2\nl 1 2 3 4 5\np 1 2 3\nf 1 2\nf 1\nf\nf 1 2 3\n"));
    assert_eq!((level.triangles.len(), level.triangles[0].face), (1, 0));
    assert_eq!(count(&level, WarningKind::ElementNotDrawn), 2);
    assert_eq!(count(&level, WarningKind::MalformedLine), 3);
    assert!(error(format!("{TRIANGLE}l 1 2 3\n")).contains("no geometry"));
}

/// Two squares that meet at `degrees` along an edge, and the normals at that edge of the first and the second.
fn folded(degrees: f64, groups: [&str; 2]) -> [[f32; 3]; 2] {
    let (sin, cos) = degrees.to_radians().sin_cos();
    let obj = format!(
        "v -1 0 0\nv 0 0 0\nv 0 1 0\nv -1 1 0\nv {cos} 0 {}\nv {cos} 1 {}\n{}\nf 1 2 3 4\n{}\nf 2 5 6 3\n",
        -sin, -sin, groups[0], groups[1]
    );
    let level = load(obj);
    let normal = |triangle: usize, corner: usize| {
        level.vertices[level.triangles[triangle].vertices[corner] as usize].normal.to_array()
    };
    [normal(0, 1), normal(2, 0)]
}

fn is_smooth(normals: [[f32; 3]; 2]) -> bool {
    normals[0] == normals[1]
}

#[test]
fn v30_smoothing_groups_and_the_crease_angle_decide() {
    let half = (25_f64.to_radians().sin() as f32, 25_f64.to_radians().cos() as f32);
    let smooth = folded(50.0, ["", ""]);
    assert!(is_smooth(smooth));
    assert!((smooth[0][0] - half.0).abs() < 1e-6 && (smooth[0][2] - half.1).abs() < 1e-6, "{smooth:?}");
    assert!(!is_smooth(folded(70.0, ["", ""])));
    assert!(is_smooth(folded(50.0, ["s 1", ""])));
    assert!(is_smooth(folded(50.0, ["s 3", "s 3"])));
    assert!(is_smooth(folded(50.0, ["s on", "s 1"])));
    assert!(!is_smooth(folded(50.0, ["s 1", "s 3"])));
    assert!(!is_smooth(folded(50.0, ["s off", ""])));
    assert!(!is_smooth(folded(50.0, ["s 0", "s 1"])));
    // What stands before the first `s` line is flat.
    assert!(!is_smooth(folded(50.0, ["", "s 1"])));
    assert_eq!(folded(50.0, ["s off", "s off"])[0], [0.0, 0.0, 1.0]);
}

#[test]
fn v31_numbers_that_are_none_cost_their_faces_only() {
    for bad in ["nan 0 0", "inf 0 0", "1.#IND 0 0", "-1.#INF 0 0", "1e999 0 0", "1 2", "", "a b c", "1,5 2,5 0"] {
        let level = load(format!("{TRIANGLE}v {bad}\nf 1 2 3\nf 1 2 4\n"));
        assert_eq!(level.triangles.len(), 2, "{bad}");
        assert_eq!(count(&level, WarningKind::NonFiniteTriangle), 1, "{bad}");
        for mode in [Mode::Quadtree, Mode::Octree] {
            let tree = Tree::build(&level, &Settings::new(mode));
            assert_eq!(tree.triangles().len(), 1);
            assert!(tree.bounds().min.is_finite() && tree.bounds().max.is_finite());
        }
        assert!(level.vertices.iter().all(|vertex| vertex.normal.is_finite() && vertex.tex_coord.is_finite()), "{bad}");
    }
    let message = error("v nan 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    assert!(message.contains("no triangle has finite corners"), "{message}");
}

#[test]
fn v31_a_stray_vertex_far_away_does_not_cost_the_others_their_precision() {
    let level = load(format!("{TRIANGLE}v 1e30 0 0\nv 0.1 0 0\nf 1 2 3\nf 2 3 4\nf 1 5 3\n"));
    assert_eq!(corners(&level, 0), [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]]);
    assert_eq!(corners(&level, 2)[1], [f64::from(0.1_f32), 0.0, 0.0]);
}

#[test]
fn v32_one_kd_number_is_grey_and_what_is_not_understood_is_skipped() {
    let obj = format!(
        "mtllib level.mtl\n{TRIANGLE}usemtl a\nf 1 2 3 # note\nusemtl b\nf 1 2 3\nusemtl c\nf 1 2 3\nusemtl d\nf 1 2 3\n"
    );
    let mtl = "newmtl a\nKd 0.8\nnewmtl b\nKd spectral f.rfl\nnewmtl c\nd -halo 0.5\nnewmtl d\nKd 0.5 0.25 1 # d\n";
    let level = load_with_library(&obj, mtl);
    assert_eq!(material(&level, "a").base_color, [0.8, 0.8, 0.8, 1.0]);
    assert_eq!(material(&level, "b").base_color, [1.0; 4]);
    assert_eq!(material(&level, "c").alpha_mode, AlphaMode::Opaque);
    assert_eq!(material(&level, "d").base_color, [0.5, 0.25, 1.0, 1.0]);
    assert_eq!(count(&level, WarningKind::MalformedLine), 2);
}

#[test]
fn v34_what_is_no_level_is_an_error_that_says_so() {
    for (content, shown) in [
        (&b""[..], "neither `v` nor `f` lines"),
        (b"# a comment\n", "neither `v` nor `f` lines"),
        (TRIANGLE.as_bytes(), "no `f` line"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "PNG picture"),
        (b"\xff\xd8\xff\xe0\0\x10JFIF", "JPEG picture"),
        (b"glTF\x02\0\0\0", "binary glTF"),
        (b"\xff\xfev\0 \0", "UTF-16"),
        (b"v 0 0 0\n\0\0", "binary data"),
    ] {
        let message = error(content);
        assert!(message.contains(shown) && message.contains("level.obj") && !message.contains('\n'), "{message}");
    }
}

#[test]
fn v34_no_bytes_panic() {
    let whole = "mtllib a.mtl\nv 0 0 0\nv 1 0 0 1 1 1\nv 0 1 0\nvt 0 0\nvn 0 0 1\ns 1\nusemtl m\nf 1/1/1 2/1/1 -1/-1/-1\nl 1 2\n";
    let try_all = |bytes: &[u8]| {
        // Whether it loads does not matter here, only that the call comes back.
        let _ = try_load(&[("level.obj", bytes), ("a.mtl", bytes)], &LoadOptions::default());
    };
    for end in 0..whole.len() {
        try_all(&whole.as_bytes()[..end]);
    }
    // A linear congruential generator, from Knuth's MMIX.
    let mut state = 1_u64;
    let mut random = move |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    for _ in 0..500 {
        let mut bytes = whole.as_bytes().to_vec();
        for _ in 0..1 + random(8) {
            let place = random(bytes.len());
            match random(3) {
                0 => bytes[place] = random(256) as u8,
                1 => bytes.insert(place, b" -/\\\n#.e0"[random(9)]),
                _ => drop(bytes.remove(place)),
            }
        }
        try_all(&bytes);
    }
}

#[test]
fn a_file_that_cannot_be_opened_says_why() {
    let folder = folder(&[("level.fbx", b"x"), ("level", b"x")]);
    let load = |name: &str| level::load(&folder.path().join(name), &LoadOptions::default()).expect_err("no level");
    assert!(matches!(load("gone.obj"), LoadError::Missing { .. }));
    assert!(matches!(load(""), LoadError::Directory { .. }));
    assert!(load("level.fbx").to_string().contains(".fbx"));
    assert!(load("level").to_string().contains("no extension"));
}

#[test]
fn opacity_of_textures_decides_how_they_are_drawn() {
    let (cut, glass, solid) = (png(&[255, 0, 0, 255]), png(&[100, 200, 120, 90]), png(&[255, 255]));
    let mut grey = std::io::Cursor::new(Vec::new());
    image::GrayImage::from_fn(4, 1, |x, _| image::Luma([if x < 2 { 0 } else { 255 }]))
        .write_to(&mut grey, image::ImageFormat::Png)
        .expect("a PNG");
    let obj = format!(
        "mtllib level.mtl\n{TRIANGLE}usemtl cut\nf 1 2 3\nusemtl glass\nf 1 2 3\nusemtl solid\nf 1 2 3\nusemtl leaf\nf 1 2 3\n"
    );
    let mtl = "newmtl cut\nmap_Kd cut.png\nmap_d cut.png\nnewmtl glass\nmap_Kd glass.png\nnewmtl solid\nmap_Kd solid.png\n\
               newmtl leaf\nmap_Kd solid.png\nmap_d grey.png\n";
    let level = load_files(&[
        ("level.obj", obj.as_bytes()),
        ("level.mtl", mtl.as_bytes()),
        ("cut.png", &cut),
        ("glass.png", &glass),
        ("solid.png", &solid),
        ("grey.png", grey.get_ref()),
    ]);
    let mode = |name: &str| material(&level, name).alpha_mode;
    assert_eq!(mode("cut"), AlphaMode::Mask(0.5));
    assert_eq!(mode("glass"), AlphaMode::Blend);
    assert_eq!(mode("solid"), AlphaMode::Opaque);
    assert_eq!(mode("leaf"), AlphaMode::Mask(0.5));
    assert_eq!(level.textures.len(), 4);
}

#[test]
fn one_sided_is_an_option() {
    let obj = format!("mtllib level.mtl\n{TRIANGLE}f 1 2 3\nusemtl a\nf 1 2 3\nusemtl b\nf 1 2 3\n");
    for one_sided in [false, true] {
        let options = LoadOptions { one_sided, ..LoadOptions::default() };
        let files: [(&str, &[u8]); 2] = [("level.obj", obj.as_bytes()), ("level.mtl", b"newmtl a\n")];
        let level = try_load(&files, &options).expect("a level");
        assert!(level.materials.len() == 3 && level.materials.iter().all(|material| material.two_sided != one_sided));
    }
}

#[test]
fn placement_keeps_fronts_in_front() {
    // A floor in each of the four conventions: left-handed files have clockwise fronts, with the same numbers.
    for (up, handedness, floor) in [
        (UpAxis::Y, Handedness::Right, "v 0 0 0\nv 0 0 8\nv 8 0 0\nvn 0 1 0\n"),
        (UpAxis::Z, Handedness::Right, "v 0 0 0\nv 8 0 0\nv 0 8 0\nvn 0 0 1\n"),
        (UpAxis::Y, Handedness::Left, "v 0 0 0\nv 0 0 8\nv 8 0 0\nvn 0 1 0\n"),
        (UpAxis::Z, Handedness::Left, "v 0 0 0\nv 8 0 0\nv 0 8 0\nvn 0 0 1\n"),
    ] {
        let options = LoadOptions { placement: Placement { up, scale: 0.5, handedness }, ..LoadOptions::default() };
        for face in ["f 1 2 3\n", "f 1//1 2//1 3//1\n"] {
            let obj = format!("{floor}{face}");
            let level = try_load(&[("level.obj", obj.as_bytes())], &options).expect("a level");
            let [a, b, c] = level.corners(0);
            assert_eq!((b - a).cross(c - a).to_array(), [0.0, 16.0, 0.0], "{up:?} {handedness:?}");
            assert!(level.vertices.iter().all(|vertex| vertex.normal == glam::Vec3::Y), "{up:?} {handedness:?}");
        }
    }
}

#[test]
fn a_survey_far_from_the_origin_keeps_its_precision() {
    let level = load("v 4500000.25 0 500000.125\nv 4500001.25 0 500000.125\nv 4500000.25 0 500001.375\nf 1 3 2\n");
    assert_eq!(corners(&level, 0)[1], [4_500_000.25, 0.0, 500_001.375]);
    assert!(level.corners(0).iter().all(|corner| corner.abs().max_element() < 64.0));
}

#[test]
fn faces_and_triangles_are_numbered_in_file_order() {
    let level = load("v 0 0 0\nv 2 0 0\nv 2 2 0\nv 0 2 0\nf 1 2 3 4\nf 1 1 1\nf 1 2 4\n");
    let faces: Vec<u32> = level.triangles.iter().map(|triangle| triangle.face).collect();
    assert_eq!(faces, [0, 0, 1, 2]);
    assert_eq!(count(&level, WarningKind::DegenerateTriangle), 1);
    assert!(!has_area(&level.corners(2)));
    assert_eq!(level.source_positions, 4);
}

#[test]
fn equal_corners_share_a_vertex() {
    let level = load("v 0 0 0\nv 2 0 0\nv 2 2 0\nv 0 2 0\nf 1 2 3\nf 1 3 4\n");
    assert_eq!(level.vertices.len(), 4);
}

#[test]
fn a_fan_of_very_many_triangles_around_one_point_loads() {
    // A cone: at its tip all normals meet, and each must stay near its own side.
    let count = 20_000;
    let mut obj = String::from("v 0 1 0\n");
    for i in 0..count {
        let (sin, cos) = (std::f64::consts::TAU * f64::from(i) / f64::from(count)).sin_cos();
        obj += &format!("v {cos} 0 {sin}\n");
    }
    for i in 0..count {
        obj += &format!("f 1 {} {}\n", (i + 1) % count + 2, i + 2);
    }
    let level = load(obj);
    for triangle in 0..count as u32 {
        let [a, b, c] = level.corners(triangle);
        let own = (b - a).cross(c - a).normalize();
        for vertex in level.triangles[triangle as usize].vertices {
            let normal = level.vertices[vertex as usize].normal;
            assert!((normal.length() - 1.0).abs() < 1e-5 && normal.dot(own) > 0.8, "{triangle}: {normal} {own}");
        }
    }
}
