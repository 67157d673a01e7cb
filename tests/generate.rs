//! The built-in levels: what they are made of, how large they are, and whether a walker gets to every floor.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::LazyLock;

use glam::{DVec3, Vec3};
use nodetree::generate::{self, Options, textures};
use nodetree::geometry::Ray;
use nodetree::level::{self, AlphaMode, Level, LoadOptions};
use nodetree::query::{Faces, Which};
use nodetree::tree::{Mode, Settings, Tree};
use textures::{Picture, Side};

fn tree_of(level: &Level) -> Tree {
    Tree::build(level, &Settings::new(Mode::Octree))
}

#[test]
fn files_in_assets_are_what_the_painters_paint() {
    for &picture in Picture::ALL {
        let (file, painted) = (textures::picture(picture), textures::paint(picture));
        assert!(file == painted, "assets/textures/{}.png is not what is painted: see assets/README.md", picture.name());
    }
    for side in Side::ALL {
        let (file, painted) = (textures::sky(side), textures::paint_sky(side));
        assert!(file == painted, "assets/sky/sky_{}.png is not what is painted: see assets/README.md", side.suffix());
    }
}

/// Neighbouring sides of the sky share their edge pixels.
#[test]
fn the_sky_has_no_seams() {
    let sides = Side::ALL.map(|side| (side, textures::sky(side)));
    let last = textures::SKY_SIZE - 1;
    let mut colors: HashMap<[i64; 3], [u8; 4]> = HashMap::new();
    let mut shared = 0;
    for (side, picture) in &sides {
        for i in 0..=last {
            for (x, y) in [(i, 0), (i, last), (0, i), (last, i)] {
                let place = |value: u32| 2.0 * f64::from(value) - f64::from(last);
                let direction = side.direction(place(x) / f64::from(last), -place(y) / f64::from(last));
                let key = direction.to_array().map(|part| (part * f64::from(last)).round() as i64);
                let first = (4 * (y * picture.width + x)) as usize;
                let pixel = picture.rgba[first..first + 4].try_into().expect("four bytes");
                if let Some(other) = colors.insert(key, pixel) {
                    assert_eq!(pixel, other, "a seam towards {direction}");
                    shared += 1;
                }
            }
        }
    }
    // Twelve edges, each on two sides.
    assert!(colors.len() as u32 == 12 * last - 4 && shared >= 12 * last, "{} {shared}", colors.len());
    let [front, .., down] = &sides;
    assert_eq!((front.0, down.0), (Side::Front, Side::Down));
    assert_ne!(front.1.rgba, down.1.rgba);
}

/// The front looks along -Z with +X on its right; the bottom edge of the upper picture lies on the front's top edge.
#[test]
fn the_sides_of_the_sky_follow_the_convention() {
    assert_eq!(Side::Front.direction(1.0, 0.0), DVec3::new(1.0, 0.0, -1.0));
    assert_eq!(Side::Right.direction(-1.0, 0.0), DVec3::new(1.0, 0.0, -1.0));
    assert_eq!(Side::Left.direction(1.0, 0.0), DVec3::new(-1.0, 0.0, -1.0));
    assert_eq!(Side::Back.direction(-1.0, 0.0), DVec3::new(1.0, 0.0, 1.0));
    for right in [-1.0, 0.3, 1.0] {
        assert_eq!(Side::Up.direction(right, -1.0), Side::Front.direction(right, 1.0));
        assert_eq!(Side::Down.direction(right, 1.0), Side::Front.direction(right, -1.0));
    }
}

/// Opposite edges differ no more than neighbouring rows and columns inside do.
#[test]
fn pictures_tile() {
    for &picture in Picture::ALL {
        if matches!(picture, Picture::Banner | Picture::Leaves | Picture::Window) {
            continue;
        }
        let texture = textures::picture(picture);
        let side = texture.width as usize;
        let difference = |a: (usize, usize), b: (usize, usize)| {
            let at = |(x, y): (usize, usize)| 4 * (y * side + x);
            (0..3).map(|i| f64::from(texture.rgba[at(a) + i].abs_diff(texture.rgba[at(b) + i]))).sum::<f64>()
        };
        let column = |x: usize| (0..side).map(|y| difference((x, y), ((x + 1) % side, y))).sum::<f64>();
        let row = |y: usize| (0..side).map(|x| difference((x, y), (x, (y + 1) % side))).sum::<f64>();
        let worst = |line: &dyn Fn(usize) -> f64| (0..side - 1).map(line).fold(0.0, f64::max);
        assert!(column(side - 1) <= 1.5 * worst(&column), "{} has a seam from left to right", picture.name());
        assert!(row(side - 1) <= 1.5 * worst(&row), "{} has a seam from top to bottom", picture.name());
    }
}

/// The levels as one meets them first, and how many materials each has at least.
static LEVELS: LazyLock<[(Level, usize); 3]> = LazyLock::new(|| {
    [
        (generate::castle(&Options::CASTLE), 10),
        (generate::terrain(&Options::TERRAIN), 6),
        (generate::city(&Options::CITY), 8),
    ]
});

#[test]
fn levels_are_sound() {
    for (level, materials) in LEVELS.iter() {
        let name = &level.name;
        assert!(level.warnings.is_empty(), "{name}: {:?}", level.warnings);
        assert!(level.materials.len() >= *materials, "{name}: {} materials", level.materials.len());
        let bounds = level.bounds();
        let height = bounds.size().y;
        assert!(bounds.min.is_finite() && bounds.max.is_finite() && height > 10.0 && height < 400.0);
        let mut used = vec![false; level.materials.len()];
        for (number, triangle) in level.triangles.iter().enumerate() {
            used[triangle.material as usize] = true;
            assert_eq!(triangle.face as usize, number, "{name}: every face is a triangle");
            let [a, b, c] = level.corners(number as u32).map(|corner| corner.as_dvec3());
            let across = (b - a).cross(c - a);
            let longest = a.distance(b).max(b.distance(c)).max(c.distance(a));
            assert!(across.length() / longest > 5e-4, "{name}: triangle {number} is a sliver: {a} {b} {c}");
            let mut facings = [0.0; 3];
            for (vertex, facing) in triangle.vertices.iter().zip(&mut facings) {
                let vertex = level.vertices[*vertex as usize];
                assert!(vertex.tex_coord.is_finite());
                assert!((vertex.normal.length() - 1.0).abs() < 1e-4, "{name}: triangle {number}");
                *facing = vertex.normal.as_dvec3().dot(across.normalize());
            }
            // Leaves are lit as the crown that they belong to. Coarse mountains are smooth over their crests, where one
            // corner may look the other way, but not all.
            let leaves = level.material_of(number as u32).name == "leaves";
            let lit = facings.iter().sum::<f64>() > -0.5;
            assert!(leaves || lit, "{name}: triangle {number} at {a} is lit from behind: {facings:?}");
        }
        assert!(used.iter().all(|&used| used), "{name}: a material is not used");
        for material in &level.materials {
            assert!(material.texture.is_some(), "{name}: {} has no texture", material.name);
        }
    }
}

#[test]
fn the_castle_has_what_it_promises() {
    let castle = &LEVELS[0].0;
    assert!((50_000..=200_000).contains(&castle.triangles.len()), "{}", castle.triangles.len());
    let mode =
        |name: &str| castle.materials.iter().find(|material| material.name == name).map(|found| found.alpha_mode);
    assert_eq!(mode("glass"), Some(AlphaMode::Blend));
    assert!(matches!(mode("banner"), Some(AlphaMode::Mask(_))));
    assert!(castle.materials.iter().filter(|material| material.alpha_mode == AlphaMode::Opaque).count() >= 8);
}

#[test]
fn sizes_are_met() {
    let generators: [fn(&Options) -> Level; 2] = [generate::terrain, generate::city];
    for generate in generators {
        for triangles in [60_000, 150_000, 400_000] {
            let level = generate(&Options { triangles, seed: 3 });
            let part = level.triangles.len() as f64 / triangles as f64;
            assert!((0.9..1.1).contains(&part), "{}: {} of {triangles}", level.name, level.triangles.len());
        }
    }
    // Fewer than what must be there is no fault.
    for generate in [generate::castle, generate::terrain, generate::city] {
        assert!(generate(&Options { triangles: 1, seed: 1 }).triangles.len() > 1000);
    }
}

#[test]
fn a_seed_says_it_all() {
    for generate in [generate::castle, generate::terrain, generate::city] {
        let [first, again, other] = [7, 7, 8].map(|seed| generate(&Options { triangles: 20_000, seed }));
        assert!(first.vertices == again.vertices && first.triangles == again.triangles);
        assert!(first.vertices != other.vertices, "{} does not vary", first.name);
    }
}

/// No two faces of different materials that look the same way share a plane where they overlap.
#[test]
fn faces_do_not_fight() {
    for (level, _) in LEVELS.iter() {
        let tree = tree_of(level);
        let mut hits = Vec::new();
        let mut fights = Vec::new();
        for triangle in 0..level.triangles.len() as u32 {
            let corners = level.corners(triangle);
            let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]).normalize();
            let material = &level.material_of(triangle).name;
            if material == "leaves" {
                continue;
            }
            for weights in [[1.0 / 3.0; 3], [0.6, 0.2, 0.2], [0.2, 0.6, 0.2], [0.2, 0.2, 0.6]] {
                let point: Vec3 = (0..3).map(|i| corners[i] * weights[i]).sum();
                let ray = Ray::new(point + 5e-4 * normal, -normal).expect("a direction");
                tree.all_hits(&ray, 1e-3, Faces::Both, &mut hits);
                for hit in &hits {
                    let other = level.material_of(hit.triangle);
                    if other.name != *material && other.name != "leaves" && hit.normal.dot(normal) > 0.9999 {
                        fights.push((level.to_level(point).as_vec3(), material.clone(), other.name.clone()));
                    }
                }
            }
        }
        fights.sort_by(|a, b| (&a.1, &a.2).cmp(&(&b.1, &b.2)));
        fights.dedup_by(|a, b| (&a.1, &a.2) == (&b.1, &b.2) && a.0.distance(b.0) < 2.0);
        assert!(
            fights.is_empty(),
            "{}: {} places, such as {:?}",
            level.name,
            fights.len(),
            &fights[..fights.len().min(LISTED)]
        );
    }
}

#[test]
fn spawns_stand_on_floors() {
    for (level, _) in LEVELS.iter() {
        let spawn = level.spawn.expect("a place to start");
        let tree = tree_of(level);
        let feet = level.to_local(spawn.feet);
        let floor = tree.height(feet + Vec3::Y * 0.3, Which::Below, 0.0).expect("a floor");
        assert!(
            (floor - feet.y).abs() <= 0.1 && feet.y >= floor - 0.01,
            "{}: floor {floor}, feet {}",
            level.name,
            feet.y
        );
        let above =
            tree.height(feet + Vec3::Y * 0.3, Which::Above, 0.0).map_or(f32::INFINITY, |height| height - feet.y);
        assert!(above >= 2.0, "{}: headroom {above}", level.name);
        assert!(!tree.sphere_touches(feet + Vec3::Y * 1.0, 0.8), "{}: something is too near", level.name);
    }
}

/// How many faults are listed.
const LISTED: usize = 12;

/// Grid over which the walker's places are looked for, in metres.
const GRID: f32 = 0.25;
/// What the flood steps over: no stair is steeper.
const STEP: f32 = 0.302;

/// The places that a body of 0.28 m radius and 1.9 m height gets to from the spawn by steps of at most [`STEP`], within a
/// distance along X and Z. Fails where it could fall out of the world.
fn reachable(level: &Level, reach: f32) -> Vec<Vec3> {
    let tree = tree_of(level);
    let spawn = level.to_local(level.spawn.expect("a place to start").feet);
    let origin = level.to_local(DVec3::ZERO);
    let fits = |feet: Vec3| {
        let free = |up: f32| !tree.sphere_touches(feet + Vec3::Y * up, 0.28);
        free(0.66) && free(1.15) && free(1.6)
    };
    let key = |place: Vec3| {
        ((place.x / GRID).round() as i32, (place.z / GRID).round() as i32, (place.y * 10.0).round() as i32)
    };
    let floor = tree.height(spawn + Vec3::Y * 0.3, Which::Below, 0.0).expect("a floor");
    let start = Vec3::new((spawn.x / GRID).round() * GRID, floor, (spawn.z / GRID).round() * GRID);
    let mut seen = HashSet::from([key(start)]);
    let mut queue = VecDeque::from([start]);
    let mut places = Vec::new();
    let mut heights = Vec::new();
    while let Some(place) = queue.pop_front() {
        places.push(place);
        for (dx, dz) in [(1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0)] {
            let (x, z) = (place.x + dx * GRID, place.z + dz * GRID);
            if (x - origin.x).abs() > reach || (z - origin.z).abs() > reach {
                continue;
            }
            tree.heights(x, z, &mut heights);
            assert!(
                heights.last().is_some_and(|&lowest| lowest <= place.y + STEP),
                "{}: a hole in the ground at {:?}",
                level.name,
                level.to_level(Vec3::new(x, place.y, z))
            );
            for &y in heights.iter().filter(|&&y| (y - place.y).abs() <= STEP) {
                let next = Vec3::new(x, y, z);
                if !seen.contains(&key(next)) && fits(next) {
                    seen.insert(key(next));
                    queue.push_back(next);
                }
            }
        }
    }
    places.iter().map(|&place| level.to_level(place).as_vec3()).collect()
}

/// Whether one of the places is within a distance of another one (X and Z) at its height.
fn reached(places: &[Vec3], goal: Vec3, radius: f32) -> bool {
    places.iter().any(|place| {
        (place.y - goal.y).abs() < 0.1 && Vec3::new(place.x - goal.x, 0.0, place.z - goal.z).length() < radius
    })
}

#[test]
fn every_floor_of_the_castle_can_be_walked_to() {
    let places = reachable(&LEVELS[0].0, 68.0);
    let goals = [
        ("the well", Vec3::new(-8.5, -0.04, 15.0), 1.0),
        ("the keep's ground floor", Vec3::new(2.0, 0.56, -22.0), 1.0),
        ("the keep's first floor", Vec3::new(2.0, 5.0, -17.0), 1.0),
        ("the keep's second floor", Vec3::new(2.0, 9.5, -22.0), 1.0),
        ("the keep's attic", Vec3::new(3.0, 14.0, -19.5), 1.0),
        ("the keep's terrace, east", Vec3::new(9.8, 13.98, -19.5), 0.8),
        ("the keep's terrace, south", Vec3::new(0.0, 13.98, -12.8), 0.8),
        ("the great hall", Vec3::new(20.6, 0.3, 10.0), 1.0),
        ("the dais", Vec3::new(20.6, 0.54, -5.5), 1.6),
        ("the house's ground floor", Vec3::new(-20.4, 0.16, 3.5), 1.5),
        ("the house's upper floor", Vec3::new(-20.4, 3.3, 3.5), 1.5),
        ("the small house's upper floor", Vec3::new(-22.2, 3.3, -14.5), 1.5),
        ("the landing of the outer stairs", Vec3::new(-29.2, 6.01, 16.2), 0.6),
        ("the west wall", Vec3::new(-31.0, 5.98, 0.0), 1.0),
        ("the north wall", Vec3::new(0.0, 5.98, -35.0), 1.0),
        ("the east wall", Vec3::new(31.0, 5.98, 0.0), 1.0),
        ("the south wall, west", Vec3::new(-15.0, 5.98, 35.0), 1.0),
        ("the south wall, east", Vec3::new(15.0, 5.98, 35.0), 1.0),
        ("the gate's chamber", Vec3::new(0.0, 6.04, 36.0), 1.0),
        ("the gate's platform", Vec3::new(4.0, 11.0, 38.0), 1.0),
        ("the south-east tower", Vec3::new(31.5, 11.5, 35.5), 4.0),
        ("the north-east tower", Vec3::new(31.5, 11.5, -35.5), 4.0),
        ("the north-west tower", Vec3::new(-31.5, 11.5, -35.5), 4.0),
        ("the south-west tower", Vec3::new(-31.5, 11.5, 35.5), 4.0),
        ("the far end of the bridge", Vec3::new(0.0, 0.05, 61.0), 1.0),
    ];
    let missed: Vec<&str> =
        goals.iter().filter(|(_, goal, radius)| !reached(&places, *goal, *radius)).map(|(name, ..)| *name).collect();
    assert!(missed.is_empty(), "{} places are reached, but not {missed:?}", places.len());
    assert!(places.iter().any(|place| place.z > 64.0), "the road is not reached");
}

#[test]
fn every_storey_of_the_city_can_be_walked_to() {
    let level = generate::city(&Options { triangles: 60_000, seed: 1 });
    let places = reachable(&level, 60.0);
    let highest = places.iter().map(|place| place.y).fold(f32::MIN, f32::max);
    let roof = level.to_level(level.bounds().max).y as f32;
    assert!(highest > 0.16 + 2.0 * 3.3 - 0.1, "the highest place is {highest} m up, the highest roof {roof} m");
}

#[test]
fn the_building_of_the_landscape_can_be_climbed() {
    let places = reachable(&LEVELS[1].0, 80.0);
    let floor = |place: &Vec3, x: f32, z: f32, radius: f32| Vec3::new(place.x - x, 0.0, place.z - z).length() < radius;
    let top = |x: f32, z: f32, radius: f32| {
        let heights = places.iter().filter(|place| floor(place, x, z, radius)).map(|place| place.y);
        heights.fold((f32::MAX, f32::MIN), |(low, high), y| (low.min(y), high.max(y)))
    };
    let (low, high) = top(14.0, -10.0, 3.0);
    assert!(high - low > 3.0, "the house's upper floor: {low} to {high}");
    let (low, high) = top(-26.0, -58.0, 3.8);
    assert!(high - low > 11.0, "the tower: {low} to {high}");
}

/// Whether a body of a height, as a column of spheres as wide as a walker, gets through the passage in the west wall.
fn passes(tree: &Tree, level: &Level, height: f32) -> bool {
    (0..=20).all(|i| {
        let feet = level.to_local(DVec3::new(-32.6 + 0.11 * f64::from(i), 0.06, -24.0));
        let floor = tree.height(feet + Vec3::Y * 0.4, Which::Below, 0.0).expect("a floor");
        let radius = 0.35;
        (0..=8).all(|k| {
            let up = radius + 0.02 + (height - 2.0 * radius) * k as f32 / 8.0;
            !tree.sphere_touches(Vec3::new(feet.x, floor + up, feet.z), radius)
        })
    })
}

#[test]
fn only_who_crouches_gets_through_the_low_passage() {
    let level = &LEVELS[0].0;
    let tree = tree_of(level);
    assert!(passes(&tree, level, 1.2));
    assert!(!passes(&tree, level, 1.8));
}

#[test]
fn a_written_level_loads_as_it_was() {
    let folder = tempfile::tempdir().expect("a folder");
    for (level, _) in LEVELS.iter() {
        let path = folder.path().join(format!("{}.obj", level.name.replace("builtin:", "my ")));
        level::write_obj(level, &path).expect("written");
        let read = level::load(&path, &LoadOptions::default()).expect("loaded");
        assert!(read.warnings.is_empty(), "{:?}", read.warnings);
        assert_eq!(read.origin, level.origin);
        assert_eq!(read.triangles.len(), level.triangles.len());
        assert_eq!(read.materials.len(), level.materials.len());
        for (read, made) in read.triangles.iter().zip(&level.triangles) {
            assert_eq!((read.material, read.face), (made.material, made.face));
        }
        for triangle in 0..level.triangles.len() as u32 {
            let of = |level: &Level| level.triangles[triangle as usize].vertices.map(|v| level.vertices[v as usize]);
            for (read, made) in of(&read).into_iter().zip(of(level)) {
                assert_eq!(read.position.to_array().map(f32::to_bits), made.position.to_array().map(f32::to_bits));
                assert_eq!(read.color, made.color);
                assert!(read.normal.distance(made.normal) < 1e-6);
                assert!(read.tex_coord.distance(made.tex_coord) < 1e-6);
            }
        }
        for (read_material, made) in read.materials.iter().zip(&level.materials) {
            assert_eq!((&read_material.name, read_material.alpha_mode), (&made.name, made.alpha_mode));
            assert_eq!((read_material.base_color, read_material.two_sided), (made.base_color, made.two_sided));
            let picture = |level: &Level, texture: Option<u32>| {
                let texture = &level.textures[texture.expect("a texture") as usize];
                (texture.width, texture.height, texture.rgba.clone())
            };
            assert!(picture(&read, read_material.texture) == picture(level, made.texture), "{}", made.name);
        }
        // Nothing but the level, its library and its textures is left behind.
        let left = std::fs::read_dir(folder.path()).expect("a folder").filter_map(Result::ok);
        assert!(left.map(|entry| entry.file_name()).all(|name| !name.to_string_lossy().ends_with(".part")));
    }
}

#[test]
fn what_cannot_be_written_is_told_in_one_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let taken = folder.path().join("taken.obj");
    std::fs::create_dir(&taken).expect("a folder in the way");
    let missing = folder.path().join("missing").join("castle.obj");
    let picture = folder.path().join("castle.png");
    for (path, says) in [(&taken, "taken.obj"), (&missing, "there is no folder"), (&picture, ".obj")] {
        let output = assert_cmd::Command::cargo_bin("nodetree")
            .expect("the program")
            .args(["generate", "terrain", "--triangles", "2000", "-o"])
            .arg(path)
            .output()
            .expect("it runs");
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{message}");
        assert!(message.lines().count() == 1 && message.contains(says), "{message}");
    }
    let mut left: Vec<_> =
        std::fs::read_dir(folder.path()).expect("a folder").map(|entry| entry.expect("one").file_name()).collect();
    left.sort();
    assert_eq!(left, ["taken.obj"]);
}

#[test]
fn the_program_writes_levels_and_says_where_to_start() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("town.obj");
    let output = assert_cmd::Command::cargo_bin("nodetree")
        .expect("the program")
        .args(["generate", "city", "--triangles", "30000", "--seed", "4", "-o"])
        .arg(&path)
        .output()
        .expect("it runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(String::from_utf8_lossy(&output.stdout).contains("--spawn "));
    let read = level::load(&path, &LoadOptions::default()).expect("loaded");
    let made = generate::city(&Options { triangles: 30_000, seed: 4 });
    assert_eq!(read.triangles.len(), made.triangles.len());
}
