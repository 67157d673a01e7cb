//! Scenes: what a file makes, and what the library does with what is in one.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use glam::{DVec3, Vec3, Vec4};
use nodetree::bodies::{Balls, Body, Ellipsoid, Met, Settings as BallSettings, Throw};
use nodetree::camera::Camera;
use nodetree::cull::DrawList;
use nodetree::generate;
use nodetree::geometry::Ray;
use nodetree::level::{self, Corner, LampKind, Level, LevelBuilder, LoadError, LoadOptions, Placement};
use nodetree::query::Faces;
use nodetree::scene::{BadNode, Kind, NewNode, NodeId, Pose, Scene, TriggerEvent, Volume};
use nodetree::tree::{Mode, Settings, Tree};

/// A box of half these sizes around the origin, seen from outside, with a material.
fn block(half: DVec3) -> Level {
    let mut builder = LevelBuilder::new(Placement::default());
    let material = builder.material(level::Material { name: "block".to_owned(), ..Default::default() });
    for axis in 0..3 {
        for side in [-1.0, 1.0] {
            let [u, v] = [(axis + 1) % 3, (axis + 2) % 3].map(|axis| DVec3::AXES[axis]);
            let (u, v) = if side > 0.0 { (u, v) } else { (v, u) };
            let corners = [-u - v, u - v, u + v, v - u].map(|corner| Corner {
                position: builder.position((corner + side * DVec3::AXES[axis]) * half),
                tex_coord: None,
                normal: None,
            });
            builder.polygon(&corners, material, 0);
        }
    }
    builder.finish("block", None)
}

/// Reads a scene whose every file is a box of 2 m.
fn parse(text: &str) -> Scene {
    try_parse(text).unwrap_or_else(|error| panic!("{error}"))
}

fn try_parse(text: &str) -> Result<Scene, String> {
    let load = |path: &Path, _: &LoadOptions| match path.file_name().and_then(|name| name.to_str()) {
        Some("missing.obj") => Err(LoadError::Missing { path: path.to_owned() }),
        _ => Ok(block(DVec3::ONE)),
    };
    Scene::parse(text, Path::new("made/made.toml"), load).map_err(|error| error.to_string())
}

fn tree(level: &Level) -> Tree {
    Tree::build(level, &Settings::new(Mode::Octree))
}

fn sound_tree(level: &Level) -> Tree {
    let corners: Vec<_> = (0..level.triangles.len() as u32).map(|number| level.corners(number)).collect();
    let materials: Vec<u32> = level.triangles.iter().map(|triangle| triangle.material).collect();
    let tree = tree(level);
    tree.validate(&corners, &materials).expect("a sound tree");
    tree
}

fn found(scene: &Scene, name: &str) -> NodeId {
    scene.find(name).unwrap_or_else(|| panic!("nothing is named {name}"))
}

/// The distance to what lies straight below a point, in level coordinates.
fn below(level: &Level, from: DVec3) -> Option<f32> {
    let ray = Ray::new(level.to_local(from), Vec3::NEG_Y).expect("a ray");
    tree(level).ray(&ray, 1000.0, Faces::Both).map(|hit| hit.distance)
}

#[test]
fn the_scenes_in_assets_open() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/scenes");
    let size = |name: &str| generate::model(name).expect("a model").triangles.len();
    let hills = 2 * 128 * 128;
    for (name, triangles, props) in [
        ("eight-rooms", 4 * size("room") + 4 * size("corner-room") + hills, 3),
        ("barrels", hills, 256),
        ("hill-house", hills + size("house") + size("lookout"), 1),
    ] {
        let mut read = Vec::new();
        let load = |path: &Path, options: &LoadOptions| {
            read.push(path.to_owned());
            level::load(path, options)
        };
        let mut scene = Scene::open(&folder.join(format!("{name}.toml")), load).expect(name);
        let level = scene.level();
        assert_eq!(level.triangles.len(), triangles, "{name}");
        assert_eq!(scene.props().len(), props, "{name}");
        assert!(level.warnings.is_empty(), "{name}: {:?}", level.warnings);
        assert!(level.spawn.is_some(), "{name}");
        sound_tree(&level);
        let times = read.len();
        read.dedup();
        assert_eq!(read.len(), times, "{name} reads a file twice");
    }
}

#[test]
fn the_heightmap_in_assets_is_what_its_generator_makes() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/scenes/hills.png");
    let picture = image::load_from_memory(&fs::read(file).expect("the file")).expect("a picture");
    assert!(picture.into_luma16() == generate::hills::hills(), "see assets/README.md");
}

#[test]
fn pieces_stand_where_they_hang() {
    let mut scene = parse(
        r#"
        [[piece]]
        name = "arm"
        file = "a.obj"
        parent = "shoulder"
        translation = [4, 0, 0]
        scale = [1, 3, 1]
        [[group]]
        name = "shoulder"
        translation = [10, 5, 0]
        rotation = 90
        [[piece]]
        file = "a.obj"
        parent = "arm"
        translation = [0, 2, 0]
        "#,
    );
    let level = scene.level();
    assert_eq!(level.triangles.len(), 24);
    // Turned by 90 degrees, +X becomes -Z.
    let bounds = level.bounds();
    let [min, max] = [bounds.min, bounds.max].map(|corner| level.to_level(corner));
    assert!(min.distance(DVec3::new(9.0, 2.0, -5.0)) < 1e-5 && max.distance(DVec3::new(11.0, 14.0, -3.0)) < 1e-5);
    // The box of the group grows with what hangs on it.
    let [low, high] = scene.bounds(found(&scene, "shoulder")).expect("a box");
    assert!((low + level.origin).distance(min) < 1e-5 && (high + level.origin).distance(max) < 1e-5);
}

#[test]
fn a_mirrored_piece_keeps_its_fronts_outside() {
    for scale in ["[-1, 1, 1]", "[-2, -1, -3]", "[1, 2, 3]"] {
        let level = parse(&format!("[[piece]]\nfile = \"a.obj\"\nscale = {scale}\nrotation = [20, 30, 40]")).level();
        for number in 0..level.triangles.len() as u32 {
            let [a, b, c] = level.corners(number).map(|corner| level.to_level(corner));
            let normal = (b - a).cross(c - a).normalize();
            assert!(normal.dot(a + b + c) > 0.0, "{scale}: triangle {number} faces inwards");
            let vertex = &level.vertices[level.triangles[number as usize].vertices[0] as usize];
            assert!(vertex.normal.as_dvec3().dot(normal) > 0.999, "{scale}: triangle {number} has the other normal");
        }
    }
}

#[test]
fn a_survey_far_away_is_the_scene_at_the_origin() {
    let text =
        |place: &str| format!("[[piece]]\nfile = \"a.obj\"\ntranslation = {place}\nrotation = 17\nscale = 0.123");
    let near = parse(&text("[0.001, 0, 0.002]")).level();
    let far = parse(&text("[4500000.001, 0, 500000.002]")).level();
    let place = DVec3::new(4_500_000.0, 0.0, 500_000.0);
    for (near_vertex, far_vertex) in near.vertices.iter().zip(&far.vertices) {
        let moved = far.to_level(far_vertex.position) - place;
        assert!(moved.distance(near.to_level(near_vertex.position)) < 5e-6);
    }
    assert_eq!(below(&far, place + DVec3::Y * 10.0).map(|way| way - 9.877).map(|off| off.abs() < 1e-5), Some(true));
}

#[test]
fn pieces_are_moved_hidden_faded_and_removed_by_name() {
    let mut scene = parse(
        "[[piece]]\nname = \"floor\"\nfile = \"a.obj\"\nscale = [50, 1, 50]\n\
         [[piece]]\nname = \"box\"\nfile = \"a.obj\"\ntranslation = [3, 4, 0]",
    );
    let above = DVec3::new(3.0, 10.0, 0.0);
    let first = scene.level();
    assert_eq!(below(&first, above), Some(5.0));
    let revision = scene.level_revision();

    scene.place(found(&scene, "box"), Pose::at(DVec3::new(3.0, 6.0, 0.0))).expect("a place");
    assert!(scene.level_revision() > revision);
    assert_eq!(below(&scene.level(), above), Some(3.0));

    // What is hidden is met, but not drawn.
    scene.set_hidden(found(&scene, "box"), true);
    let hidden = scene.level();
    assert_eq!(below(&hidden, above), Some(3.0));
    let mut draw_list = DrawList::new();
    draw_list.everything(&tree(&hidden));
    assert_eq!(draw_list.statistics().triangles, 12);
    scene.set_hidden(found(&scene, "box"), false);

    scene.set_opacity(found(&scene, "box"), 0.25);
    let faded = scene.level();
    let material = faded.material_of(faded.triangles.len() as u32 - 1);
    assert_eq!((material.base_color[3], material.alpha_mode), (0.25, level::AlphaMode::Blend));
    assert_eq!(faded.material_of(0).base_color[3], 1.0, "the floor has the same mesh");

    assert_eq!(scene.remove(found(&scene, "box")), 1);
    assert_eq!(scene.find("box"), None);
    assert_eq!(below(&scene.level(), above), Some(9.0));

    let again = NewNode {
        pose: Pose::at(DVec3::new(3.0, 2.0, 0.0)),
        ..NewNode::new("box", Kind::Piece(Arc::new(block(DVec3::ONE))))
    };
    scene.add(again).expect("the name is free again");
    assert_eq!(below(&scene.level(), above), Some(7.0));
    // The origin stays, so that what else is in local space does not jump.
    assert_eq!(scene.level().origin, first.origin);
}

#[test]
fn what_is_removed_takes_along_what_hangs_on_it() {
    let mut scene = parse(
        "[[piece]]\nfile = \"a.obj\"\n[[group]]\nname = \"a\"\n[[prop]]\nname = \"b\"\nparent = \"a\"\nfile = \"a.obj\"\n\
         [[light]]\nname = \"c\"\nparent = \"b\"\nkind = \"point\"\n[[prop]]\nname = \"d\"\nfile = \"a.obj\"",
    );
    let gone = found(&scene, "b");
    assert_eq!((scene.props().len(), scene.lights().count()), (2, 1));
    assert_eq!(scene.remove(found(&scene, "a")), 3);
    assert_eq!((scene.props().len(), scene.lights().count()), (1, 0));
    assert!(scene.find("b").is_none() && scene.find("c").is_none() && scene.find("d").is_some());
    assert_eq!(scene.place(gone, Pose::default()), Err(BadNode::Missing));
    assert_eq!(scene.remove(gone), 0);
}

#[test]
fn props_are_hidden_and_faded_with_what_they_hang_on() {
    let mut scene = parse(
        "[[piece]]\nfile = \"a.obj\"\n[[group]]\nname = \"a\"\n\
         [[prop]]\nname = \"b\"\nparent = \"a\"\nfile = \"a.obj\"\nopacity = 0.5",
    );
    let prop = scene.get(found(&scene, "b")).and_then(|node| node.prop()).expect("a prop");
    scene.set_opacity(found(&scene, "a"), 0.5);
    assert_eq!(scene.props().get(prop).expect("it is there").opacity(), 0.25);
    scene.set_hidden(found(&scene, "a"), true);
    assert!(scene.props().get(prop).expect("it is there").is_hidden());
    scene.set_hidden(found(&scene, "a"), false);
    assert!(!scene.props().get(prop).expect("it is there").is_hidden());
}

/// Something that goes round carries what hangs on it: a prop, a light, a camera.
#[test]
fn what_hangs_on_something_that_moves_goes_with_it() {
    let mut scene = parse(
        r#"
        [[piece]]
        file = "a.obj"
        translation = [100, 0, 0]
        [[group]]
        name = "carousel"
        translation = [10, 0, 0]
        motion = { spin = 90 }
        [[piece]]
        name = "horse"
        file = "a.obj"
        parent = "carousel"
        translation = [2, 1, 0]
        [[light]]
        kind = "spot"
        parent = "horse"
        translation = [0, 3, 0]
        [[camera]]
        name = "rider"
        parent = "horse"
        translation = [0, 2, 0]
        fov = 40
        "#,
    );
    let level = scene.level();
    assert_eq!(level.triangles.len(), 12, "what moves is no part of the level");
    let horse = scene.get(found(&scene, "horse")).and_then(|node| node.prop()).expect("it is a prop");
    for (seconds, x, z, yaw) in [(0.0, 12.0, 0.0, 0.0), (1.0, 10.0, -2.0, 90.0), (1.0, 8.0, 0.0, 180.0)] {
        scene.advance(seconds);
        let place = |height: f64| level.to_local(DVec3::new(x, height, z));
        let prop = scene.props().get(horse).expect("it is there");
        assert!(prop.transform().translation.distance(place(1.0)) < 1e-5, "{:?}", prop.transform());
        assert!(prop.bounds().contains_point(place(1.0)));
        let light = scene.lights().next().expect("a light");
        assert!(light.position.distance(place(4.0)) < 1e-5 && matches!(light.kind, LampKind::Spot { .. }));
        let camera = scene.look_through(found(&scene, "rider"), &Camera::default()).expect("a camera");
        assert!(camera.eye.distance(place(3.0)) < 1e-5);
        let turn = (camera.yaw.to_degrees() - yaw as f32).rem_euclid(360.0);
        assert!(turn.min(360.0 - turn) < 1e-3, "{} and {yaw}", camera.yaw.to_degrees());
        assert!((camera.fov_y.to_degrees() - 40.0).abs() < 1e-4);
    }
}

#[test]
fn meshes_bring_their_lights_and_tangents() {
    let mut builder = LevelBuilder::new(Placement::default());
    let map = level::Map { texture: 0, wrap: [level::Wrap::Repeat; 2] };
    let normal_map = Some(level::NormalMap { map, scale: 1.0 });
    let bent = builder.material(level::Material { normal_map, ..Default::default() });
    let pixel = |shade| level::Texture { path: "made".into(), width: 1, height: 1, rgba: vec![shade; 4] };
    builder.texture(pixel(1));
    let corners = [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0)].map(|(x, y)| Corner {
        position: builder.position(DVec3::new(x, y, 0.0)),
        tex_coord: Some(builder.tex_coord(glam::Vec2::new(x as f32, -y as f32))),
        normal: None,
    });
    builder.polygon(&corners, bent, 0);
    let spot = LampKind::Spot { range: 3.0, half_angle: 1.0, inner_angle: 0.5 };
    let lamp = level::Light { kind: spot, color: Vec3::ONE, position: Vec3::ZERO, direction: Vec3::X };
    builder.light(DVec3::new(1.0, 0.0, 0.0), lamp);
    let mesh = Arc::new(builder.finish("lamp", None));
    assert_eq!(mesh.tangents[0], Vec4::new(1.0, 0.0, 0.0, 1.0));

    let mut scene = Scene::new("lamps");
    scene.add(NewNode::new("block", Kind::Piece(Arc::new(block(DVec3::ONE))))).expect("a piece");
    let mirrored =
        Pose { translation: DVec3::new(0.0, 5.0, 0.0), scale: DVec3::new(-2.0, 2.0, 2.0), ..Pose::default() };
    let piece = NewNode { pose: mirrored, ..NewNode::new("piece", Kind::Piece(mesh.clone())) };
    let piece = scene.add(piece).expect("a piece");
    let turned = Pose { rotation: glam::DQuat::from_rotation_z(std::f64::consts::FRAC_PI_2), ..Pose::default() };
    let prop = NewNode { pose: turned, ..NewNode::new("prop", Kind::Prop(mesh, Met::Mesh)) };
    let prop = scene.add(prop).expect("a prop");

    let level = scene.level();
    let last = level.vertices.len() - 1;
    assert_eq!((level.tangents.len(), level.tangents[0]), (level.vertices.len(), Vec4::ZERO));
    // The picture is mirrored, and still stands upright.
    assert_eq!(level.tangents[last], Vec4::new(-1.0, 0.0, 0.0, -1.0));
    assert_eq!(level.materials.last().map(|material| material.normal_map), Some(normal_map));
    let [light] = level.lights[..] else { panic!("{:?}", level.lights) };
    // As large as everything else of it, it looks the same.
    assert_eq!(light.kind, LampKind::Spot { range: 6.0, half_angle: 1.0, inner_angle: 0.5 });
    assert_eq!((light.color, light.direction), (Vec3::splat(4.0), Vec3::NEG_X));
    assert!(light.position.distance(level.to_local(DVec3::new(-2.0, 5.0, 0.0))) < 1e-6);
    let lights: Vec<_> = scene.lights().collect();
    assert!(lights.len() == 1 && lights[0].direction.distance(Vec3::Y) < 1e-6, "{lights:?}");
    assert!(lights[0].position.distance(level.to_local(DVec3::Y)) < 1e-6);

    scene.set_hidden(piece, true);
    scene.set_hidden(prop, true);
    assert!(scene.level().lights.is_empty() && scene.lights().next().is_none(), "what is hidden does not shine");
}

#[test]
fn the_same_time_in_other_parts_is_the_same_place() {
    let text = "[[piece]]\nfile = \"a.obj\"\n[[prop]]\nname = \"p\"\nfile = \"a.obj\"\n\
                motion = { path = [[0, 0, 0], [3, 0, 4]], speed = 0.7, spin = 33, axis = [1, 2, 3] }";
    let (mut one, mut many) = (parse(text), parse(text));
    one.advance(2.5);
    (0..20).for_each(|_| many.advance(0.125));
    let transform = |scene: &Scene| *scene.props().iter().next().expect("a prop").transform();
    assert_eq!(transform(&one), transform(&many));
    assert!((transform(&one).translation.length() - 1.75).abs() < 1e-6);
}

#[test]
fn balls_bounce_off_the_pieces_that_move() {
    let mut scene = parse(
        "[[piece]]\nfile = \"a.obj\"\ntranslation = [0, -50, 0]\n\
         [[piece]]\nname = \"lift\"\nfile = \"a.obj\"\nmotion = { path = [[0, 0, 0], [0, 3, 0]], speed = 1 }",
    );
    let level = scene.level();
    let tree = tree(&level);
    let lift = scene.get(found(&scene, "lift")).and_then(|node| node.prop()).expect("it moves");
    let mut balls = Balls::new(BallSettings::default()).expect("settings");
    let from = level.to_local(DVec3::new(0.2, 6.0, 0.1)).as_dvec3();
    balls.throw(&Throw { position: from, ..Throw::default() }).expect("a ball");
    let mut met = false;
    for _ in 0..240 {
        scene.advance(nodetree::walk::STEP);
        balls.step(&tree, scene.props(), None);
        met |= balls.contacts().iter().any(|contact| contact.bodies[1] == Body::Prop(lift));
        let height = balls.iter().next().expect("the ball").position().y;
        let top = f64::from(scene.props().get(lift).expect("the lift").bounds().max.y);
        assert!(height > top - 0.2, "the ball at {height} went through the lift at {top}");
    }
    assert!(met);
}

#[test]
fn triggers_tell_who_enters_and_leaves() {
    let mut scene = parse(
        "[[piece]]\nfile = \"a.obj\"\n[[group]]\nname = \"g\"\ntranslation = [10, 0, 0]\n\
         [[trigger]]\nname = \"gate\"\nparent = \"g\"\nsize = [2, 4, 2]\n\
         [[trigger]]\nname = \"round\"\nparent = \"g\"\ntranslation = [0, 0, 6]\nradius = 1",
    );
    let level = scene.level();
    let mut at = |x: f64, z: f64| {
        let center = level.to_local(DVec3::new(x, 0.0, z)).as_dvec3();
        let walker = Ellipsoid { center, radii: DVec3::new(0.35, 0.9, 0.35), velocity: DVec3::ZERO };
        let mut events = Vec::new();
        scene.watch([(Body::Walker, walker)].into_iter(), |event| events.push(event));
        let name = |event: &TriggerEvent| scene.get(event.trigger).expect("a trigger").name().to_owned();
        events.iter().map(|event| (name(event), event.entered)).collect::<Vec<_>>()
    };
    let told = |name: &str, entered| vec![(name.to_owned(), entered)];
    assert_eq!(at(0.0, 0.0), []);
    assert_eq!(at(8.7, 0.0), told("gate", true));
    assert_eq!(at(10.0, 0.0), []);
    assert_eq!(at(11.36, 0.0), told("gate", false));
    assert_eq!(at(10.0, 4.64), []);
    assert_eq!(at(10.0, 4.66), told("round", true));
    assert_eq!(at(0.0, 0.0), told("round", false));
}

#[test]
fn a_trigger_hidden_in_the_way_stops_nobody() {
    let mut scene =
        parse("[[piece]]\nfile = \"a.obj\"\n[[trigger]]\nname = \"t\"\ntranslation = [0, 5, 0]\nsize = [3, 3, 3]");
    assert_eq!(below(&scene.level(), DVec3::new(0.3, 10.0, 0.2)), Some(9.0));
    assert!(matches!(scene.get(found(&scene, "t")).expect("it is there").kind(), Kind::Trigger(Volume::Box(_))));
}

#[test]
fn questions_meet_the_level_and_what_stands_in_it() {
    let mut scene = parse(
        "[[piece]]\nname = \"floor\"\nfile = \"a.obj\"\nscale = [50, 1, 50]\n\
         [[prop]]\nname = \"crate\"\nfile = \"a.obj\"\ntranslation = [3, 4, 0]\n\
         [[prop]]\nname = \"ball\"\nfile = \"a.obj\"\nradius = 0.5\ntranslation = [-3, 4, 0]\nscale = 3\n\
         [[prop]]\nname = \"ghost\"\nfile = \"a.obj\"\nmet = \"nothing\"\ntranslation = [9, 4, 0]\n\
         [[piece]]\nname = \"lift\"\nfile = \"a.obj\"\ntranslation = [0, 0, 9]\nmotion = { path = [[0, 0, 0], [0, 3, 0]], speed = 1 }",
    );
    scene.advance(2.0);
    let solid = scene.solid();
    let tree = sound_tree(&solid.level);
    for (x, z, distance, name) in [
        (3.3, 0.2, 5.0, Some("crate")),
        (-3.0, 0.0, 5.5, Some("ball")),
        (9.0, 0.0, 9.0, None),
        (0.2, 9.1, 7.0, Some("lift")),
        (20.0, 20.0, 9.0, None),
    ] {
        let from = solid.level.to_local(DVec3::new(x, 10.0, z));
        let hit = tree.ray(&Ray::new(from, Vec3::NEG_Y).expect("a ray"), 100.0, Faces::Both).expect("a hit");
        let owner = solid.owner(hit.triangle).map(|id| scene.get(id).expect("it is there").name());
        assert_eq!(owner, name, "at {x}, {z}");
        assert!((hit.distance - distance).abs() < 0.02, "{name:?}: {} m", hit.distance);
    }
}

#[test]
fn a_grid_makes_many() {
    let scene = parse(
        "[[piece]]\nfile = \"a.obj\"\n[[prop]]\nname = \"crate\"\nfile = \"a.obj\"\nradius = 0.5\n\
         grid = { counts = [3, 2, 4], spacing = [5, 6, 7] }",
    );
    assert_eq!(scene.props().len(), 24);
    let last = scene.get(found(&scene, "crate 24")).expect("the last");
    assert_eq!(last.pose().translation, DVec3::new(10.0, 6.0, 21.0));
    assert!(scene.props().iter().all(|prop| prop.met() == Met::Radius(0.5)));
    assert_eq!(scene.props().models().len(), 1);
}

#[test]
fn every_mistake_is_one_line_that_says_where() {
    let piece = "[[piece]]\nfile = \"a.obj\"\n";
    for (text, wanted) in [
        ("", "no piece that stands still"),
        ("[[piece]]\nfile = 3", "line 2: invalid type"),
        ("[[piece]]\n[[piece]\n", "line 2:"),
        ("[[piece]]\nname = \"a\"", "line 1: missing field `file`"),
        ("[[peice]]\nfile = \"a.obj\"", "line 1: unknown field `peice`, expected one of"),
        ("[[piece]]\nfile = \"a.obj\"\ncolour = 1", "line 3: unknown field `colour`"),
        (
            "[[piece]]\nfile = \"missing.obj\"\nname = \"hall\"",
            "line 2: piece \"hall\": there is no file made/missing.obj",
        ),
        ("[[piece]]\nfile = \"builtin:palace\"", "nothing built in named \"palace\"; there are castle"),
        ("[[piece]]\nfile = \"builtin:room\"\nunit = 2", "what is built in is made in metres"),
        ("[[piece]]\nfile = \"a.obj\"\nparent = \"b\"", "line 3: piece: there is nothing named \"b\" to hang on"),
        ("[[piece]]\nfile = \"a.obj\"\nname = \"a\"\nparent = \"a\"", "hangs on itself"),
        (
            "[[group]]\nname = \"a\"\nparent = \"b\"\n[[group]]\nname = \"b\"\nparent = \"a\"",
            "group \"a\": it hangs on itself, or more than 64 deep",
        ),
        ("[[group]]\nname = \"a\"\n\n[[group]]\nname = \"a\"", "line 5: group \"a\": line 1 has that name already"),
        ("[[piece]]\nfile = \"a.obj\"\ntranslation = [1, 2]", "translation must be three numbers"),
        ("[[piece]]\nfile = \"a.obj\"\ntranslation = [1, 2, nan]", "translation must be made of numbers"),
        ("[[piece]]\nfile = \"a.obj\"\nrotation = [1, 2]", "rotation must be a yaw"),
        ("[[piece]]\nfile = \"a.obj\"\nrotation = [1, 2, 3, 4]", "a quaternion of length 1"),
        ("[[piece]]\nfile = \"a.obj\"\nscale = 0", "scale must be"),
        ("[[piece]]\nfile = \"a.obj\"\nscale = [1, 2]", "line 3: piece: scale must be one number or three"),
        ("[[piece]]\nfile = \"a.obj\"\nscale = [1, 2, 3, 4, 5]", "at most four numbers"),
        ("[[piece]]\nfile = \"a.obj\"\nopacity = 2", "line 3: piece: opacity must be from 0 to 1"),
        ("[[piece]]\nfile = \"a.obj\"\nup = \"x\"", "up must be"),
        ("[[piece]]\nfile = \"a.obj\"\nunit = -1", "unit must be above 0"),
        (
            "[[piece]]\nfile = \"a.obj\"\ncell-size = 2",
            "line 3: piece: cell-size is for heightmaps, which \"a.obj\" is not",
        ),
        ("[[piece]]\nfile = \"a.obj\"\nmotion = {}", "line 3: piece: a motion needs a spin or a path"),
        (
            "[[piece]]\nfile = \"a.obj\"\n[piece.motion]\nspin = 3\nspeed = 2",
            "line 5: piece: speed and closed are for a path",
        ),
        ("[[piece]]\nfile = \"a.obj\"\nmotion = 3", "line 3: invalid type: integer `3`, expected a table of keys"),
        (
            "[[piece]]\nfile = \"a.obj\"\n\nopacity = \"half\"",
            "line 4: invalid type: string \"half\", expected a number",
        ),
        ("[[prop]]\nfile = \"a.obj\"\n\n[[prop]]\nfile = \"a.obj\"\nmet = \"hull\"", "line 6: prop: met must be"),
        ("[[piece]]\nfile = \"a.obj\"\nmotion = { path = [[0, 0, 0], [1, 0, 0]] }", "a path needs a speed"),
        ("[[prop]]\nfile = \"a.obj\"\nmet = \"hull\"", "met must be"),
        ("[[prop]]\nfile = \"a.obj\"\nradius = -1", "radius must be"),
        ("[[prop]]\nfile = \"a.obj\"\ngrid = { counts = [1000, 1000, 1000], spacing = [1, 1, 1] }", "counts of a grid"),
        (
            "[[prop]]\nfile = \"a.obj\"\ngrid = { counts = [4294967295, 4294967295, 2], spacing = [1, 1, 1] }",
            "line 3: prop: counts of a grid",
        ),
        ("[[trigger]]\nname = \"t\"", "a trigger needs either a size or a radius"),
        ("[[trigger]]\nsize = [0, 1, 1]", "size must be above 0"),
        ("[[light]]\nkind = \"laser\"", "no kind of light \"laser\""),
        ("[[light]]\nkind = \"sun\"\nrange = 3", "line 3: light: range is for points and spots"),
        ("[[light]]\nkind = \"point\"\ncolor = [2, 0, 0]", "line 3: light: color must be three numbers from 0 to 1"),
        ("[[camera]]\nfov = 200", "fov must be from 1 to 170"),
        ("[spawn]\ntranslation = [1, 2]", "line 2: spawn: translation must be three numbers"),
        ("[spawn]\ntranslation = [1, 2, 3]\nyaw = inf", "yaw must be a finite number"),
        ("[sky]\npictures = \"sky\"\nturn = nan", "line 3: sky: turn must be a finite number"),
        (
            "[[group]]\nname = \"g\"\nscale = [1, 2, 1]\n[[prop]]\nparent = \"g\"\nrotation = [0, 0, 45]\nfile = \"a.obj\"",
            "it leans",
        ),
    ] {
        let error = try_parse(text).err().unwrap_or_else(|| panic!("no error for {text:?}"));
        assert!(error.contains(wanted), "{text:?}: {error:?} lacks {wanted:?}");
        assert!(error.starts_with("made/made.toml") && !error.contains('\n'), "{error}");
        // Beside a piece that is right it is the same fault.
        if !text.is_empty() {
            assert!(try_parse(&format!("{text}\n{piece}")).is_err(), "{text:?}");
        }
    }
}

#[test]
fn a_sky_without_pictures_is_told_and_a_gradient_is_drawn() {
    let mut scene = parse("[[piece]]\nfile = \"a.obj\"\n[sky]\npictures = \"sky/night\"");
    assert_eq!(scene.sky(), None);
    let level = scene.level();
    let told: Vec<&str> = level.warnings.iter().map(|warning| &*warning.message).collect();
    assert_eq!(told, ["made/made.toml, line 4: sky: there are no pictures at made/sky/night; a gradient is drawn"]);
}

#[test]
fn a_sky_has_pictures_a_turn_and_others_over_it() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::write(folder.path().join("a.obj"), "v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 3 2\n").expect("a file");
    for name in ["noon_ft.png", "clouds_ft.png"] {
        std::fs::write(folder.path().join(name), "").expect("a file");
    }
    let file = folder.path().join("sky.toml");
    let text = "[sky]\npictures = \"noon\"\nturn = 90\nover = \"clouds\"\n[[piece]]\nfile = \"a.obj\"\n";
    std::fs::write(&file, text).expect("a file");
    let load = |path: &Path, options: &LoadOptions| level::load(&folder.path().join(path), options);
    let scene = Scene::open(&file, load).expect("a scene");
    let sky = scene.sky().expect("a sky");
    assert_eq!((&sky.path, sky.over.as_ref()), (&folder.path().join("noon"), Some(&folder.path().join("clouds"))));
    assert!((sky.turn - std::f32::consts::FRAC_PI_2).abs() < 1e-6);
}

#[test]
fn a_scene_of_many_entries_opens() {
    let mut text = String::from("[[piece]]\nfile = \"a.obj\"\n[[group]]\nname = \"0\"\n");
    for number in 1..20_000 {
        let parent = number / 2;
        text += &format!("[[group]]\nname = \"{number}\"\nparent = \"{parent}\"\ntranslation = [{number}, 0, 0]\n");
    }
    let scene = parse(&text);
    let place = |name: &str| scene.get(found(&scene, name)).expect("it is there").level_from_own().translation;
    // 19999, 9999, 4999 and so on.
    let wanted: i32 = std::iter::successors(Some(19_999), |number| Some(number / 2)).take(15).sum();
    assert_eq!(place("19999").x, f64::from(wanted));
    let error = try_parse(&text.replace("name = \"19998\"", "name = \"19998\"\nscale = 0")).expect_err("a scale of 0");
    let line = text.lines().position(|line| line == "name = \"19998\"").expect("a line") + 2;
    assert!(error.contains(&format!("line {line}: group \"19998\": scale must be")), "{error}");
}

#[test]
fn the_library_refuses_what_makes_no_sense() {
    let mut scene = Scene::new("made");
    let mesh = Arc::new(block(DVec3::ONE));
    let a = scene.add(NewNode::new("a", Kind::Piece(mesh.clone()))).expect("a piece");
    assert_eq!(scene.add(NewNode::new("a", Kind::Group)), Err(BadNode::NameTaken("a".to_owned())));
    let nan = Pose::at(DVec3::NAN);
    assert!(matches!(scene.add(NewNode { pose: nan, ..NewNode::new("b", Kind::Group) }), Err(BadNode::Pose(_))));
    assert!(matches!(scene.place(a, nan), Err(BadNode::Pose(_))));
    assert_eq!(scene.add(NewNode { opacity: 1.5, ..NewNode::new("b", Kind::Group) }), Err(BadNode::Opacity));
    scene.remove(a);
    assert_eq!(scene.add(NewNode { parent: Some(a), ..NewNode::new("b", Kind::Group) }), Err(BadNode::NoParent));
    // A place in which what hangs there would lean is refused, and everything stays.
    let turned = Pose { rotation: glam::DQuat::from_rotation_z(0.7), ..Pose::default() };
    let group = scene.add(NewNode::new("group", Kind::Group)).expect("a group");
    let prop = NewNode { parent: Some(group), pose: turned, ..NewNode::new("prop", Kind::Prop(mesh, Met::Mesh)) };
    let prop = scene.add(prop).expect("a prop");
    let before = *scene.props().iter().next().expect("the prop").transform();
    let uneven = Pose { scale: DVec3::new(1.0, 2.0, 1.0), ..Pose::default() };
    assert_eq!(scene.place(group, uneven), Err(BadNode::Leans));
    assert_eq!(*scene.props().iter().next().expect("the prop").transform(), before);
    assert!(scene.place(prop, uneven).is_ok(), "its own scale makes it lean no more than it did");
}
