//! OBJ files that broke other programs. Tests that begin with a number are named after their row in the list of such cases.

mod level_files;

use glam::Vec3;
use level_files::{
    TRIANGLE, count, folder, is_clean, load, load_files, load_with_library, material, messages, try_load,
};
use nodetree::geometry::has_area;
use nodetree::level::{self, Handedness, Level, LoadError, LoadOptions, Placement, UpAxis, WarningKind};
use nodetree::tree::{Mode, Settings, Tree};

/// The error of an OBJ file as the program prints it.
fn error(obj: impl AsRef<[u8]>) -> String {
    match try_load(&[("level.obj", obj.as_ref())], &LoadOptions::default()) {
        Ok(level) => panic!("loaded with {} triangles", level.triangles.len()),
        Err(error) => error.to_string(),
    }
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
    assert!(level.vertices.iter().all(|vertex| vertex.normal == Vec3::Z));
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
            assert_eq!(tree.triangle_count(), 1);
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
            assert!(level.vertices.iter().all(|vertex| vertex.normal == Vec3::Y), "{up:?} {handedness:?}");
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
