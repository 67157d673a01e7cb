//! Occlusion culling: pictures with it are the same to the pixel, along whole walks, and it leaves out what nobody sees.

mod drawing;

use std::path::{Path, PathBuf};

use drawing::{Random, differing, flat, quad, wall};
use glam::DVec3;
use image::RgbaImage;
use libtest_mimic::{Arguments, Failed, Trial};
use nodetree::camera::Camera;
use nodetree::cull::DrawList;
use nodetree::generate::{Options, castle, city};
use nodetree::geometry::Frustum;
use nodetree::level::{AlphaMode, Level, LevelBuilder, LoadOptions, Material, Placement, Spawn, load};
use nodetree::render::{Frame, Gpu, LevelOnGpu, Occlusion, PICTURE_FORMAT, Renderer, Sky, SkySource, picture};
use nodetree::tree::{Mode, Settings, Tree};
use nodetree::walk::{self, Walker};

/// Where a level comes from.
#[derive(Clone, Copy)]
enum Source {
    Built(fn() -> Level),
    /// A file below `NODETREE_DATA`, metres for each of its units, and where to start, in file units.
    File(&'static str, f64, [f64; 3]),
}

/// With their samples a pixel, and how many times fewer triangles than in the frustum have to be drawn along the walk.
const LEVELS: [(&str, Source, u32, f64); 3] = [
    ("castle", Source::Built(|| castle(&Options::CASTLE)), 4, 3.0),
    ("city", Source::Built(|| city(&Options::CITY)), 1, 2.0),
    ("dungeon", Source::File("levels/dungeon/dungeon.obj", 1.0, [-0.14, 9.998, -19.92]), 1, 1.5),
];

fn main() {
    let data = std::env::var_os("NODETREE_DATA").map(PathBuf::from);
    let mut trials = drawing::trials(&[
        ("what_is_behind_a_wall_is_left_out", what_is_behind_a_wall_is_left_out),
        ("holes_and_glass_hide_nothing", holes_and_glass_hide_nothing),
        ("what_comes_into_sight_is_drawn_at_once", what_comes_into_sight_is_drawn_at_once),
    ]);
    for (name, source, samples, fewer) in LEVELS {
        let is_there = matches!(source, Source::Built(_)) || data.is_some();
        if drawing::devices().is_empty() || !is_there {
            let missing =
                || Err("a graphics adapter or NODETREE_DATA is missing, and NODETREE_REQUIRE_GPU is 1".into());
            trials.push(Trial::test(name, missing).with_ignored_flag(!drawing::is_gpu_required()));
            continue;
        }
        for (backend, gpu) in drawing::devices() {
            let data = data.clone();
            trials.push(Trial::test(format!("{backend}::{name}"), move || {
                let samples = if backend == &"gl" { 1 } else { samples };
                along_a_walk(gpu, name, &open(source, data.as_deref())?, samples, fewer)
            }));
        }
    }
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

fn open(source: Source, data: Option<&Path>) -> Result<Level, Failed> {
    match source {
        Source::Built(build) => Ok(build()),
        Source::File(file, scale, spawn) => {
            let placement = Placement { scale, ..Placement::default() };
            let path = data.ok_or("NODETREE_DATA is not set")?.join(file);
            let mut level = load(&path, &LoadOptions { placement, ..LoadOptions::default() })?;
            level.spawn = Some(Spawn { feet: scale * DVec3::from_array(spawn), yaw: 0.0 });
            Ok(level)
        }
    }
}

/// A level on a device, for one tree, culled in both ways.
struct Stage {
    tree: Tree,
    renderer: Renderer,
    level: LevelOnGpu,
    sky: Sky,
    occlusion: Occlusion,
    list: DrawList,
    size: (u32, u32),
}

impl Stage {
    fn new(gpu: &Gpu, level: &Level, mode: Mode, samples: u32, size: (u32, u32)) -> Result<Stage, Failed> {
        let tree = Tree::build(level, &Settings::new(mode));
        let renderer = Renderer::new(gpu, PICTURE_FORMAT, Some(samples));
        let on_gpu = LevelOnGpu::new(gpu, renderer.bindings(), level, &tree)?;
        let sky = Sky::new(gpu, renderer.bindings(), &SkySource::Gradient)?;
        let occlusion = Occlusion::new(gpu, renderer.samples()).ok_or("not through GL")?;
        Ok(Stage { tree, renderer, level: on_gpu, sky, occlusion, list: DrawList::new(), size })
    }

    /// What is in the frustum, or everything: the picture and how many triangles were drawn.
    fn whole(&mut self, gpu: &Gpu, camera: &Camera, is_culled: bool) -> Result<(RgbaImage, u32), Failed> {
        if is_culled {
            self.list.cull(&self.tree, &Frustum::from_clip_from_world(camera.clip_from_world()));
        } else {
            self.list.everything(&self.tree);
        }
        let frame = Frame::new(camera, &self.list, &self.sky);
        let (image, _) = picture(gpu, &mut self.renderer, &mut self.level, self.size, &frame)?;
        Ok((image, self.list.statistics().triangles))
    }

    /// The same without what is hidden, after the frames before.
    fn occluded(&mut self, gpu: &Gpu, camera: &Camera) -> Result<(RgbaImage, u32), Failed> {
        self.occlusion.cull(gpu, (&self.level, &self.tree), camera, self.size, &mut self.list)?;
        let frame = Frame { occlusion: Some(&self.occlusion), ..Frame::new(camera, &self.list, &self.sky) };
        let (image, _) = picture(gpu, &mut self.renderer, &mut self.level, self.size, &frame)?;
        Ok((image, self.list.statistics().triangles))
    }
}

const POSES: usize = 300;
const SIZE: (u32, u32) = (240, 135);
/// Every so many poses the whole level is drawn as well.
const WHOLE: usize = 25;

/// A walk of 300 poses, half a second from one to the next, by both trees: the same pictures with and without what is hidden and
/// what is outside.
fn along_a_walk(gpu: &Gpu, name: &str, level: &Level, samples: u32, fewer: f64) -> Result<(), Failed> {
    let mut stages = [Mode::Quadtree, Mode::Octree].map(|mode| (mode, Stage::new(gpu, level, mode, samples, SIZE)));
    let path = walk(level, stages[1].1.as_ref().map_err(|error| format!("{error:?}"))?);
    let (mut drawn, mut cracks) = ([0_u64; 2], 0);
    for (number, camera) in path.iter().enumerate() {
        let mut by_mode = Vec::new();
        for (mode, stage) in &mut stages {
            let stage = stage.as_mut().map_err(|error| format!("{error:?}"))?;
            let what = |kind: &str, pixels: usize| -> Failed {
                let mode = mode.name();
                format!("{mode}, pose {number}: {pixels} pixels differ {kind}, {camera:?}").into()
            };
            let (occluded, triangles) = stage.occluded(gpu, camera)?;
            let (culled, in_frustum) = stage.whole(gpu, camera, true)?;
            drawn[0] += u64::from(triangles);
            drawn[1] += u64::from(in_frustum);
            match differing(&occluded, &culled) {
                0 => {}
                pixels if forgiven(gpu, pixels, &mut cracks) => {}
                pixels => return Err(what("without what is hidden", pixels)),
            }
            if number % WHOLE == 0 {
                let (whole, _) = stage.whole(gpu, camera, false)?;
                match differing(&culled, &whole) {
                    0 => {}
                    pixels => return Err(what("without what is outside", pixels)),
                }
            }
            by_mode.push(occluded);
        }
        let between = differing(&by_mode[0], &by_mode[1]);
        if between as f64 > 0.001 * f64::from(SIZE.0 * SIZE.1) {
            return Err(format!("pose {number}: quadtree and octree differ in {between} pixels, {camera:?}").into());
        }
    }
    let ratio = drawn[1] as f64 / drawn[0] as f64;
    println!(
        "{name} by {}: {POSES} poses, {ratio:.2} times fewer triangles than in the frustum, {cracks} cracks of the driver",
        gpu.description()
    );
    if ratio < fewer {
        return Err(format!("only {ratio:.2} times fewer triangles drawn than in the frustum, not {fewer}").into());
    }
    Ok(())
}

/// Whether pixels differ because of the driver. Mesa's software OpenGL leaves cracks between triangles that share an edge, other
/// ones when they are drawn in other company: of pose 46 in the castle grass 98 m away shows through a stone wall at 5.4 m, but
/// not where the grass is left out. A pixel a picture is forgiven there, and five along a walk.
fn forgiven(gpu: &Gpu, pixels: usize, cracks: &mut usize) -> bool {
    *cracks += pixels;
    gpu.description().contains("OpenGL") && pixels == 1 && *cracks <= 5
}

/// Ahead from the spawn point, seeded turns now and then, and always away from walls.
fn walk(level: &Level, stage: &Stage) -> Vec<Camera> {
    let settings = walk::Settings::default();
    let spawn = level.spawn.expect("a spawn point");
    let mut walker = Walker::new(level.to_local(spawn.feet), spawn.yaw);
    let mut random = Random(1);
    let mut path = Vec::new();
    while path.len() < POSES {
        let turn = random.between(-0.5, 0.5) as f32 / 60.0;
        for _ in 0..60 {
            let is_stopped = walker.velocity().length() < 1.0;
            let turn = if is_stopped { 0.05 } else { turn };
            let input = walk::Input { forward: 1.0, yaw: walker.yaw() + turn, ..walker.input() };
            walker.step(&stage.tree, &settings, &input);
        }
        let aspect = SIZE.0 as f32 / SIZE.1 as f32;
        path.push(Camera { eye: walker.eye(&settings), yaw: walker.yaw(), aspect, ..Camera::default() });
    }
    path
}

/// A wall of `material` across all of the view, 10 m away, and behind it, out of its box, many small squares.
fn hidden_squares(material: impl FnOnce(&mut LevelBuilder) -> Material) -> Level {
    drawing::level(|builder| {
        let before = material(builder);
        let before = builder.material(before);
        let red = builder.material(flat("red", [255, 0, 0]));
        wall(builder, -10.0, 40.0, before);
        for i in 0..400 {
            let (x, y) = (f64::from(i % 20) - 10.0, f64::from(i / 20) - 10.0);
            quad(builder, [x, y, -30.0], [0.5, 0.0, 0.0], [0.0, 0.5, 0.0], red, 1.0);
        }
    })
}

/// How many samples a pixel can have.
fn samples(gpu: &Gpu) -> impl Iterator<Item = u32> {
    [1, 4].into_iter().filter(|&samples| Occlusion::new(gpu, samples).is_some())
}

/// From where the wall is looked at.
fn before_the_wall(level: &Level) -> Camera {
    Camera { eye: level.to_local(DVec3::ZERO), ..Camera::default() }
}

fn what_is_behind_a_wall_is_left_out(gpu: &Gpu) -> Result<(), Failed> {
    for samples in samples(gpu) {
        let level = hidden_squares(|_| flat("grey", [90, 90, 90]));
        let camera = before_the_wall(&level);
        // Pictures whose last tiles are not whole.
        let mut stage = Stage::new(gpu, &level, Mode::Octree, samples, (123, 77))?;
        let (culled, in_frustum) = stage.whole(gpu, &camera, true)?;
        assert_eq!(in_frustum, 802);
        for frame in 0..3 {
            let (occluded, triangles) = stage.occluded(gpu, &camera)?;
            assert!(triangles < 20, "{triangles} triangles in frame {frame}");
            assert!(stage.list.statistics().hidden > 0);
            assert_eq!(differing(&occluded, &culled), 0, "frame {frame}");
        }
    }
    Ok(())
}

fn holes_and_glass_hide_nothing(gpu: &Gpu) -> Result<(), Failed> {
    let glass = |_: &mut LevelBuilder| Material {
        base_color: [1.0, 1.0, 1.0, 0.5],
        alpha_mode: AlphaMode::Blend,
        ..Material::default()
    };
    let grid = |builder: &mut LevelBuilder| {
        let texture = drawing::texture(64, 64, |x, _| [255, 255, 255, if x % 2 == 0 { 0 } else { 255 }]);
        Material { texture: Some(builder.texture(texture)), alpha_mode: AlphaMode::Mask(0.5), ..Material::default() }
    };
    for level in [hidden_squares(glass), hidden_squares(grid)] {
        let camera = before_the_wall(&level);
        let mut stage = Stage::new(gpu, &level, Mode::Quadtree, 1, (120, 80))?;
        let (culled, _) = stage.whole(gpu, &camera, true)?;
        for _ in 0..2 {
            let (occluded, triangles) = stage.occluded(gpu, &camera)?;
            assert_eq!(triangles, 802);
            assert_eq!(differing(&occluded, &culled), 0);
        }
    }
    Ok(())
}

/// The wall goes by between two frames: what was hidden is there in the next one.
fn what_comes_into_sight_is_drawn_at_once(gpu: &Gpu) -> Result<(), Failed> {
    let level = hidden_squares(|_| flat("grey", [90, 90, 90]));
    let camera = before_the_wall(&level);
    let most = samples(gpu).max().unwrap_or(1);
    let mut stage = Stage::new(gpu, &level, Mode::Octree, most, (160, 90))?;
    // Back before the wall it was out of sight in the frame before, and hides from the next frame on.
    for (distance, hides) in [(0.0, true), (0.0, true), (15.0, false), (0.0, false), (0.0, true), (15.0, false)] {
        let camera = Camera { eye: camera.eye - distance * glam::Vec3::Z, ..camera };
        let (occluded, triangles) = stage.occluded(gpu, &camera)?;
        let (culled, _) = stage.whole(gpu, &camera, true)?;
        assert_eq!(differing(&occluded, &culled), 0, "from {distance}");
        assert_eq!(triangles < 20, hides, "{triangles} from {distance}");
    }
    Ok(())
}
