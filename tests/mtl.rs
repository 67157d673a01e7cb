//! Material libraries and textures that broke other programs. Tests that begin with a number are named after their row in
//! the list of such cases.

mod level_files;

use std::path::Path;

use level_files::{TRIANGLE, count, is_clean, load, load_files, load_with_library, material, messages, try_load};
use nodetree::level::{AlphaMode, Level, LoadOptions, Map, NormalMap, WarningKind, Wrap, write_obj};

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
    for line in [
        "map_kd textures\\brick.png",
        "MAP_KD Textures/BRICK.png",
        "map_Kd C:\\work\\art\\brick.PNG",
        "map_Kd \\\\server\\art\\brick.PNG",
    ] {
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

/// A PNG of one colour.
fn plain(color: [u8; 3]) -> Vec<u8> {
    let mut bytes = std::io::Cursor::new(Vec::new());
    let picture = image::RgbImage::from_pixel(4, 4, image::Rgb(color));
    picture.write_to(&mut bytes, image::ImageFormat::Png).expect("a PNG");
    bytes.into_inner()
}

/// A level whose materials are all used, with the pictures `red.png`, `normals.png` and `heights.png`.
fn with_pictures(mtl: &str) -> Level {
    let names = mtl.lines().filter_map(|line| line.strip_prefix("newmtl "));
    let faces: String = names.map(|name| format!("usemtl {name}\nf 1 2 3\n")).collect();
    load_files(&[
        ("level.obj", format!("mtllib level.mtl\n{TRIANGLE}{faces}").as_bytes()),
        ("level.mtl", mtl.as_bytes()),
        ("red.png", &plain([255, 0, 0])),
        ("normals.png", &plain([128, 128, 255])),
        ("heights.png", &plain([130, 130, 130])),
    ])
}

#[test]
fn emission_is_read_with_its_map() {
    let level = with_pictures(
        "newmtl a\nKe 1 0.5 0\nnewmtl b\nKe 4 2 0\nnewmtl c\nmap_Ke red.png\nnewmtl d\nKe 0 0 0\nmap_Ke red.png\nmap_Kd red.png\n\
         newmtl e\nKe 0 0 0\nnewmtl f\nKe 0.5\nmap_Ke -clamp on gone.png\nnewmtl g\nke 1 1 1\nmap_ke -clamp on RED.png\n",
    );
    let of = |name: &str| (material(&level, name).emissive, material(&level, name).emissive_map);
    // Half in sRGB is about a fifth of the light.
    let half = 0.214_041_14;
    let near = |a: [f32; 3], b: [f32; 3]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-5);
    assert!(near(of("a").0, [1.0, half, 0.0]) && of("a").1.is_none(), "{:?}", of("a"));
    assert!(near(of("b").0, [4.0, 4.0 * half, 0.0]), "{:?}", of("b"));
    let repeated = Map { texture: 0, wrap: [Wrap::Repeat; 2] };
    assert_eq!(of("c"), ([1.0; 3], Some(repeated)));
    assert_eq!(of("d"), ([1.0; 3], Some(repeated)));
    assert_eq!(of("e"), ([0.0; 3], None));
    assert!(near(of("f").0, [half; 3]) && of("f").1.is_none(), "{:?}", of("f"));
    assert_eq!(of("g"), ([1.0; 3], Some(Map { texture: 0, wrap: [Wrap::Clamp; 2] })));
    assert_eq!((level.textures.len(), material(&level, "d").texture), (1, Some(0)), "one picture, one texture");
    assert_eq!(messages(&level, WarningKind::MissingTexture).len(), 1);
}

#[test]
fn normal_maps_have_several_names_and_heights_are_none() {
    let level = with_pictures(
        "newmtl a\nnorm normals.png\nnewmtl b\nmap_Bump -bm 0.5 normals.png\nnewmtl c\nbump -clamp on normals.png\nnewmtl d\n\
         map_Kn normals.png\nmap_bump heights.png\nnewmtl e\nmap_bump heights.png\nnewmtl f\nbump -bm 2 red.png\n",
    );
    let of = |name: &str| material(&level, name).normal_map;
    let normals = |wrap, scale| Some(NormalMap { map: Map { texture: 0, wrap: [wrap; 2] }, scale });
    assert_eq!(of("a"), normals(Wrap::Repeat, 1.0));
    assert_eq!(of("b"), normals(Wrap::Repeat, 0.5));
    assert_eq!(of("c"), normals(Wrap::Clamp, 1.0));
    assert_eq!(of("d"), normals(Wrap::Repeat, 1.0));
    assert_eq!((of("e"), of("f")), (None, None));
    assert_eq!(level.textures.len(), 1);
    assert!(is_clean(&level));
}

#[test]
fn clamped_textures_end_at_their_edges() {
    let level = with_pictures("newmtl a\nmap_Kd -clamp on red.png\nnewmtl b\nmap_Kd -clamp off red.png\n");
    assert_eq!(material(&level, "a").wrap, [Wrap::Clamp; 2]);
    assert_eq!(material(&level, "b").wrap, [Wrap::Repeat; 2]);
    assert_eq!((level.textures.len(), material(&level, "b").texture), (1, Some(0)));
}

#[test]
fn what_is_written_emits_bends_and_clamps_alike() {
    let level = with_pictures(
        "newmtl a\nKe 4 2 0\nmap_Ke -clamp on red.png\nmap_Kd -clamp on red.png\nnewmtl b\nKe 0.5 0.25 1\nnorm -bm 0.25 normals.png\n",
    );
    let folder = tempfile::TempDir::new().expect("a folder");
    let path = folder.path().join("again.obj");
    write_obj(&level, &path).expect("written");
    let again = nodetree::level::load(&path, &LoadOptions::default()).expect("a level");
    for (material, again) in level.materials.iter().zip(&again.materials) {
        assert!(material.emissive.iter().zip(again.emissive).all(|(a, b)| (a - b).abs() < 1e-4), "{again:?}");
        assert_eq!((material.wrap, material.emissive_map), (again.wrap, again.emissive_map));
        assert_eq!(material.normal_map, again.normal_map);
    }
    assert!(is_clean(&again) && again.textures.len() == 2);
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
