//! Real levels, drawn with culling and without, from seeded poses at eye height: the pictures are the same to the pixel.

mod drawing;

use std::path::{Path, PathBuf};

use drawing::{Random, differing};
use glam::Vec3;
use image::RgbaImage;
use libtest_mimic::{Arguments, Failed, Trial};
use nodetree::camera::Camera;
use nodetree::cull::DrawList;
use nodetree::generate::{Options, castle};
use nodetree::geometry::{Aabb, Containment, Frustum};
use nodetree::level::{Level, LoadOptions, Placement, load};
use nodetree::render::{Frame, Gpu, LevelOnGpu, PICTURE_FORMAT, Renderer, Sky, SkySource, picture};
use nodetree::tree::{Mode, Settings, Tree};

/// Where a level comes from.
#[derive(Clone, Copy)]
enum Source {
    Castle,
    /// A file below `NODETREE_DATA`, and metres for each of its units.
    File(&'static str, f64),
}

const LEVELS: [(&str, Source); 6] = [
    ("castle", Source::Castle),
    ("undulating", Source::File("levels/undulating/undulating.obj", 1.0)),
    ("dungeon", Source::File("levels/dungeon/dungeon.obj", 1.0)),
    ("ralph_world", Source::File("levels/ralph-world/world.obj", 1.0)),
    ("dutility", Source::File("levels/dutility/dutility.obj", 0.12)),
    ("institute", Source::File("levels/institute/institute.obj", 0.12)),
];

fn main() {
    let data = std::env::var_os("NODETREE_DATA").map(PathBuf::from);
    let devices = drawing::devices();
    let mut trials = Vec::new();
    for (name, source) in LEVELS {
        let is_there = matches!(source, Source::Castle) || data.is_some();
        if devices.is_empty() || !is_there {
            let missing =
                || Err("a graphics adapter or NODETREE_DATA is missing, and NODETREE_REQUIRE_GPU is 1".into());
            trials.push(Trial::test(name, missing).with_ignored_flag(!drawing::is_gpu_required()));
            continue;
        }
        for (backend, gpu) in devices {
            let data = data.clone();
            trials.push(Trial::test(format!("{backend}::{name}"), move || {
                compare(gpu, name, &open(source, data.as_deref())?).map_err(Failed::from)
            }));
        }
    }
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

fn open(source: Source, data: Option<&Path>) -> Result<Level, Failed> {
    match source {
        Source::Castle => Ok(castle(&Options::CASTLE)),
        Source::File(file, scale) => {
            let placement = Placement { scale, ..Placement::default() };
            let path = data.ok_or("NODETREE_DATA is not set")?.join(file);
            Ok(load(&path, &LoadOptions { placement, ..LoadOptions::default() })?)
        }
    }
}

const POSES: usize = 20;
const SIZE: (u32, u32) = (320, 180);

/// Draws every pose four times: culled and whole, by quadtree and by octree.
fn compare(gpu: &Gpu, name: &str, level: &Level) -> Result<(), String> {
    let poses = poses(name, level)?;
    let mut renderer = Renderer::new(gpu, PICTURE_FORMAT, Some(4));
    let sky = Sky::new(gpu, renderer.bindings(), &SkySource::Gradient).map_err(|error| error.to_string())?;
    let mut by_mode: Vec<Vec<RgbaImage>> = Vec::new();
    let mut on_gpu: Option<LevelOnGpu> = None;
    for mode in [Mode::Quadtree, Mode::Octree] {
        let tree = Tree::build(level, &Settings::new(mode));
        let on_gpu = match &mut on_gpu {
            Some(on_gpu) => {
                on_gpu.set_tree(gpu, level, &tree).map_err(|error| error.to_string())?;
                on_gpu
            }
            None => on_gpu
                .insert(LevelOnGpu::new(gpu, renderer.bindings(), level, &tree).map_err(|error| error.to_string())?),
        };
        let mut images = Vec::new();
        let (mut culled_list, mut whole_list) = (DrawList::new(), DrawList::new());
        whole_list.everything(&tree);
        for (number, pose) in poses.iter().enumerate() {
            culled_list.cull(&tree, &Frustum::from_clip_from_world(pose.camera.clip_from_world()));
            let mut draw = |list: &DrawList| {
                let frame = Frame::new(&pose.camera, list, &sky);
                picture(gpu, &mut renderer, on_gpu, SIZE, &frame).map(|(image, _)| image).map_err(|e| e.to_string())
            };
            let (culled, whole) = (draw(&culled_list)?, draw(&whole_list)?);
            let pixels = differing(&culled, &whole);
            if pixels > 0 {
                let (x, y, _) = culled.enumerate_pixels().find(|&(x, y, p)| p != whole.get_pixel(x, y)).expect("some");
                return Err(format!(
                    "{}, pose {number} (seed {}), {:?}: {pixels} pixels differ from the picture without culling, \
                     the first at ({x}, {y})",
                    mode.name(),
                    seed(name),
                    pose.camera,
                ));
            }
            images.push(culled);
        }
        by_mode.push(images);
    }
    let of_all = f64::from(SIZE.0 * SIZE.1);
    let shares: Vec<f64> = by_mode[0]
        .iter()
        .zip(&by_mode[1])
        .map(|(quadtree, octree)| differing(quadtree, octree) as f64 / of_all)
        .collect();
    let mean = 100.0 * shares.iter().sum::<f64>() / shares.len() as f64;
    let worst = 100.0 * shares.iter().fold(0.0, |worst: f64, &share| worst.max(share));
    let needed: Vec<f64> = poses.iter().map(|pose| 100.0 * pose.needed).collect();
    let (least, most) = needed.iter().fold((f64::INFINITY, 0.0_f64), |(a, b), &share| (a.min(share), b.max(share)));
    println!(
        "{name} by {}: {POSES} poses need {least:.1} to {most:.1} % of the triangles; culling changes 0 pixels; quadtree and \
         octree differ in {mean:.4} % of the pixels, at worst in {worst:.4} % of a picture",
        gpu.description()
    );
    if worst > 0.1 {
        return Err(format!("quadtree and octree differ in {worst:.4} % of the pixels of a picture"));
    }
    Ok(())
}

struct Pose {
    camera: Camera,
    /// The part of the triangles whose box touches the frustum.
    needed: f64,
}

fn seed(name: &str) -> u64 {
    name.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// Random places on floors with headroom, at eye height, in random directions, that need 1 to 70 % of the triangles.
fn poses(name: &str, level: &Level) -> Result<Vec<Pose>, String> {
    let mut random = Random(seed(name));
    let triangles: Vec<[Vec3; 3]> = (0..level.triangles.len() as u32)
        .map(|number| level.corners(number))
        .filter(|corners| corners.iter().all(|corner| corner.is_finite()))
        .collect();
    let boxes: Vec<Aabb> = triangles.iter().map(|&corners| Aabb::around(corners)).collect();
    let bounds = level.bounds();
    let mut poses = Vec::new();
    for _ in 0..5000 {
        if poses.len() == POSES {
            return Ok(poses);
        }
        let x = random.between(f64::from(bounds.min.x), f64::from(bounds.max.x)) as f32;
        let z = random.between(f64::from(bounds.min.z), f64::from(bounds.max.z)) as f32;
        let surfaces: Vec<(f32, bool)> = triangles.iter().filter_map(|corners| height_at(corners, x, z)).collect();
        let floors: Vec<f32> = surfaces
            .iter()
            .filter(|&&(y, walkable)| {
                walkable && !surfaces.iter().any(|&(above, _)| above > y + 0.01 && above < y + 1.8)
            })
            .map(|&(y, _)| y)
            .collect();
        if floors.is_empty() {
            continue;
        }
        let floor = floors[random.next() as usize % floors.len()];
        let camera = Camera {
            eye: Vec3::new(x, floor + 1.65, z),
            yaw: random.between(-std::f64::consts::PI, std::f64::consts::PI) as f32,
            pitch: random.between(-0.4, 0.3) as f32,
            ..Camera::default()
        };
        let frustum = Frustum::from_clip_from_world(camera.clip_from_world());
        let touching = boxes.iter().filter(|bounds| frustum.test_box(bounds) != Containment::Outside).count();
        let needed = touching as f64 / boxes.len() as f64;
        if (0.01..=0.7).contains(&needed) {
            poses.push(Pose { camera, needed });
        }
    }
    Err(format!("found only {} poses with seed {}", poses.len(), seed(name)))
}

/// Where the vertical at `x`, `z` meets a triangle, and whether one can stand there (at most 50 degrees steep).
fn height_at([a, b, c]: &[Vec3; 3], x: f32, z: f32) -> Option<(f32, bool)> {
    let area = |p: Vec3, q: Vec3| (q.x - p.x) * (z - p.z) - (q.z - p.z) * (x - p.x);
    let (u, v, w) = (area(*b, *c), area(*c, *a), area(*a, *b));
    let sum = u + v + w;
    let inside = (u >= 0.0 && v >= 0.0 && w >= 0.0) || (u <= 0.0 && v <= 0.0 && w <= 0.0);
    if !inside || sum == 0.0 {
        return None;
    }
    let normal = (*b - *a).cross(*c - *a).normalize_or_zero();
    Some(((u * a.y + v * b.y + w * c.y) / sum, normal.y.abs() > 50_f32.to_radians().cos()))
}
