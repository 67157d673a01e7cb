//! What the tests that draw share: one device a backend, small levels, and trials that show when there is no GPU.
#![allow(dead_code, unused_imports, reason = "each test program uses its part")]

mod linear;

use std::sync::OnceLock;

use glam::{DVec3, Vec2, Vec3};
use image::RgbaImage;
use libtest_mimic::{Failed, Trial};
use nodetree::camera::Camera;
use nodetree::cull::DrawList;
use nodetree::geometry::Frustum;
use nodetree::level::{Corner, Level, LevelBuilder, Material, Placement, Texture};
use nodetree::render::{
    Backend, Frame, Gpu, GpuOptions, LevelOnGpu, LineVertex, PICTURE_FORMAT, Renderer, Sky, SkySource, SunShadows,
    picture,
};
use nodetree::tree::{Mode, Settings, Tree};

pub use linear::linear;

/// A test that draws.
pub type Test = fn(&Gpu) -> Result<(), Failed>;

/// Whether a missing graphics adapter is a fault: `NODETREE_REQUIRE_GPU` is 1.
pub fn is_gpu_required() -> bool {
    std::env::var_os("NODETREE_REQUIRE_GPU").is_some_and(|value| value == "1")
}

/// A device for each interface that this machine can draw through, with the interface's name.
pub fn devices() -> &'static [(&'static str, Gpu)] {
    // Kept to the end: a device that goes while the process ends makes some drivers crash.
    static DEVICES: OnceLock<Vec<(&str, Gpu)>> = OnceLock::new();
    DEVICES.get_or_init(|| {
        let backends =
            [(Backend::Vulkan, "vulkan"), (Backend::Gl, "gl"), (Backend::Dx12, "dx12"), (Backend::Metal, "metal")];
        let open = |(backend, name)| Some((name, Gpu::headless(&GpuOptions { backend, adapter: None }).ok()?));
        backends.into_iter().filter_map(open).collect()
    })
}

/// Every test once for each interface that this machine can draw through. Where there is none the tests show as ignored,
/// and as failed where a graphics adapter is required.
pub fn trials(tests: &[(&'static str, Test)]) -> Vec<Trial> {
    let devices = devices();
    if devices.is_empty() {
        let missing = |name: &'static str| {
            Trial::test(name, || Err("no graphics adapter, and NODETREE_REQUIRE_GPU is 1".into()))
                .with_ignored_flag(!is_gpu_required())
        };
        return tests.iter().map(|&(name, _)| missing(name)).collect();
    }
    devices
        .iter()
        .flat_map(|(backend, gpu)| {
            tests.iter().map(move |&(name, test)| Trial::test(format!("{backend}::{name}"), move || test(gpu)))
        })
        .collect()
}

/// Who casts shadows.
#[derive(Clone, Copy, PartialEq)]
pub enum Shadows {
    Nobody,
    /// Those that culling finds, under a sun in this direction.
    Culled(Vec3),
    All(Vec3),
}

/// A stage with a camera: what most tests need to draw one level.
pub struct Shot<'a> {
    pub level: &'a Level,
    /// Its eye is in level coordinates.
    pub camera: Camera,
    pub size: (u32, u32),
    pub samples: u32,
    pub mode: Mode,
    pub leaf_triangles: u32,
    /// Whether to leave out what is not seen, ...
    pub cull: bool,
    /// ... by a camera that is turned away by this, in radians.
    pub turned_away: f32,
    pub sky: SkySource,
    pub shadows: Shadows,
    pub lines: Vec<LineVertex>,
    pub lines_on_top: Vec<LineVertex>,
}

impl<'a> Shot<'a> {
    /// 64 by 64 pixels with one sample, all of the level, from the origin along -Z at 90 degrees.
    pub fn new(level: &'a Level) -> Shot<'a> {
        Shot {
            level,
            camera: Camera { aspect: 1.0, fov_y: 90_f32.to_radians(), ..Camera::default() },
            size: (64, 64),
            samples: 1,
            mode: Mode::Octree,
            leaf_triangles: Settings::new(Mode::Octree).leaf_triangles,
            cull: false,
            turned_away: 0.0,
            sky: SkySource::Gradient,
            shadows: Shadows::Nobody,
            lines: Vec::new(),
            lines_on_top: Vec::new(),
        }
    }

    pub fn draw(&self, gpu: &Gpu) -> RgbaImage {
        self.draw_with(gpu, |_| {})
    }

    /// Draws after `change` had its way with the frame.
    pub fn draw_with(&self, gpu: &Gpu, change: impl FnOnce(&mut Frame<'_>)) -> RgbaImage {
        let settings = Settings { leaf_triangles: self.leaf_triangles, ..Settings::new(self.mode) };
        let tree = Tree::build(self.level, &settings);
        let mut renderer = Renderer::new(gpu, PICTURE_FORMAT, Some(self.samples));
        let mut on_gpu = LevelOnGpu::new(gpu, renderer.bindings(), self.level, &tree).expect("the level fits");
        let sky = Sky::new(gpu, renderer.bindings(), &self.sky).expect("the sky fits");
        let camera = Camera { eye: self.level.to_local(self.camera.eye.as_dvec3()), ..self.camera };
        let mut list = DrawList::new();
        if self.cull {
            let seen = Camera { yaw: camera.yaw + self.turned_away, ..camera };
            list.cull(&tree, &Frustum::from_clip_from_world(seen.clip_from_world()));
        } else {
            list.everything(&tree);
        }
        let mut shadows = SunShadows::new(1024);
        match self.shadows {
            Shadows::Nobody => {}
            Shadows::Culled(to_sun) => shadows.cast(&tree, &camera, to_sun, None),
            Shadows::All(to_sun) => shadows.cast_everything(&tree, &camera, to_sun),
        }
        let mut frame = Frame::new(&camera, &list, &sky);
        frame.shadows = (self.shadows != Shadows::Nobody).then_some(&shadows);
        (frame.lines, frame.lines_on_top) = (&self.lines, &self.lines_on_top);
        change(&mut frame);
        picture(gpu, &mut renderer, &mut on_gpu, self.size, &frame).expect("the driver draws").0
    }
}

/// The level that `build` makes.
pub fn level(build: impl FnOnce(&mut LevelBuilder)) -> Level {
    let mut builder = LevelBuilder::new(Placement::default());
    build(&mut builder);
    builder.finish("test", None)
}

/// Back from [`linear`].
pub fn encoded(linear: f64) -> u8 {
    let value = if linear <= 0.003_130_8 { 12.92 * linear } else { 1.055 * linear.powf(1.0 / 2.4) - 0.055 };
    (value * 255.0).round() as u8
}

/// A material that shows its own colour.
pub fn flat(name: &str, [r, g, b]: [u8; 3]) -> Material {
    let [r, g, b] = [r, g, b].map(|byte| f32::from(byte) / 255.0);
    Material { name: name.to_owned(), base_color: [r, g, b, 1.0], unlit: true, ..Material::default() }
}

pub fn texture(width: u32, height: u32, pixel: impl Fn(u32, u32) -> [u8; 4]) -> Texture {
    let places = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    let rgba = places.flat_map(|(x, y)| pixel(x, y)).collect();
    Texture { path: "made by a test".into(), width, height, rgba }
}

/// Adds a parallelogram, counter-clockwise: `corner`, then along `right`, up and back. Its texture fills it once for every
/// unit of `repeat`.
pub fn quad(builder: &mut LevelBuilder, corner: [f64; 3], right: [f64; 3], up: [f64; 3], material: u32, repeat: f32) {
    let [corner, right, up] = [corner, right, up].map(DVec3::from_array);
    let places = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)];
    let corners = places.map(|(s, t)| Corner {
        position: builder.position(corner + s * right + t * up),
        tex_coord: Some(builder.tex_coord(Vec2::new(s as f32, 1.0 - t as f32) * repeat)),
        normal: None,
    });
    builder.polygon(&corners, material, 0);
}

/// A wall across the view at `z`, of 2 times `half` metres an edge.
pub fn wall(builder: &mut LevelBuilder, z: f64, half: f64, material: u32) {
    quad(builder, [-half, -half, z], [2.0 * half, 0.0, 0.0], [0.0, 2.0 * half, 0.0], material, 1.0);
}

/// Complains unless a pixel is within `tolerance` of a colour on each channel.
pub fn expect_pixel(image: &RgbaImage, x: u32, y: u32, expected: [u8; 3], tolerance: u8) -> Result<(), Failed> {
    let [r, g, b, _] = image.get_pixel(x, y).0;
    if [r, g, b].iter().zip(expected).all(|(&got, wanted)| got.abs_diff(wanted) <= tolerance) {
        return Ok(());
    }
    Err(format!("pixel ({x}, {y}) is {:?}, not {expected:?} within {tolerance}", [r, g, b]).into())
}

/// How many pixels differ.
pub fn differing(a: &RgbaImage, b: &RgbaImage) -> usize {
    assert_eq!(a.dimensions(), b.dimensions());
    a.pixels().zip(b.pixels()).filter(|(a, b)| a != b).count()
}

/// Small numbers that look random and are the same everywhere (SplitMix64).
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// From 0 to below 1.
    pub fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }
}
