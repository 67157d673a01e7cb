//! Arguments that say from where to look, and what to draw with; the window and the picture share them.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use anyhow::{Context, bail, ensure};
use clap::ValueEnum;
use glam::DVec3;
use image::RgbaImage;
use nodetree::app::UseOcclusion;
use nodetree::bodies::{self, Balls, Model, VisibleBodies};
use nodetree::camera::Camera;
use nodetree::cull::{CullStatistics, DrawList};
use nodetree::generate;
use nodetree::geometry::Frustum;
use nodetree::level::Level;
use nodetree::render::{
    self, Backend, Frame, Gpu, GpuOptions, Inspect, Instances, LevelOnGpu, Lighting, LineVertex, ModelsOnGpu,
    Occlusion, PICTURE_FORMAT, RenderStatistics, Renderer, Sky, SkySource, SunShadows,
};
use nodetree::scene::{NodeId, Scene};
use nodetree::tree::{Mode, Settings, Tree};

use super::open::{LevelArgs, Numbers, whole};

/// More barrels than this find no room.
const MOST_PROPS: u32 = 10_000;

/// From where to look, and what to draw with.
#[derive(clap::Args, Clone, Debug)]
pub struct LookArgs {
    /// Width and height in pixels
    #[arg(long, default_value_t = Size(1280, 720), value_name = "WxH")]
    pub size: Size,
    /// Eye in level coordinates, heading and elevation in degrees, or the name of a camera of the scene; without it the spawn
    /// point, or all of the level
    #[arg(long, value_name = "X,Y,Z,YAW,PITCH", allow_hyphen_values = true)]
    pub camera: Option<Pose>,
    /// Vertical field of view in degrees
    #[arg(long, default_value_t = 60.0, value_name = "D", allow_negative_numbers = true, value_parser = field_of_view)]
    pub fov: f32,
    /// Draw nothing beyond this distance, in metres
    #[arg(long, value_name = "M", allow_negative_numbers = true, value_parser = distance)]
    pub view_distance: Option<f32>,
    /// Sky pictures: one of the six, what their names share, or their folder; or one picture, twice as wide as high (all around, HDR
    /// too) or square (every side)
    #[arg(long, value_name = "PATH")]
    pub sky: Option<PathBuf>,
    /// More sky pictures, through which the sky shows where they are not opaque
    #[arg(long, value_name = "PATH")]
    pub sky_over: Option<PathBuf>,
    /// Turn the sky by so many degrees, counter-clockwise seen from above
    #[arg(long, default_value_t = 0.0, value_name = "D", allow_negative_numbers = true, value_parser = turn)]
    pub sky_turn: f32,
    /// Stand so many barrels on the floors around the start, to throw balls at [default: none; 256 without a number]
    #[arg(long, value_name = "N", num_args = 0..=1, allow_negative_numbers = true, default_missing_value = "256", value_parser = whole(0..=MOST_PROPS))]
    pub props: Option<u32>,
    /// Show this of the level instead of its materials
    #[arg(long, value_enum, value_name = "WHAT")]
    pub inspect: Option<InspectName>,
    /// Leave out what is hidden behind nearer surfaces [auto: in a window, on a software adapter, while that pays]
    #[arg(long, value_enum, default_value = "auto", value_name = "WHEN")]
    pub occlusion: OcclusionName,
    /// Let the sun shine through everything
    #[arg(long)]
    pub no_shadows: bool,
    /// Samples for each pixel, 1 or 4, as far as the adapter has them
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = ["1", "4"])]
    pub samples: Option<String>,
    /// Graphics interface to draw through
    #[arg(long, value_enum, default_value = "auto", value_name = "NAME")]
    pub backend: BackendName,
    /// Part of the name of the graphics adapter to draw with
    #[arg(long, value_name = "NAME")]
    pub adapter: Option<String>,
}

/// From where to look.
#[derive(Clone, Debug, PartialEq)]
pub enum Pose {
    /// Eye in level coordinates, heading and elevation in degrees.
    At(Numbers<5>),
    /// That of a camera of the scene.
    Of(String),
}

impl FromStr for Pose {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> anyhow::Result<Pose> {
        // A name has a letter; inf and nan are refused as numbers are.
        let is_name = !text.contains(',') && text.chars().any(char::is_alphabetic);
        if is_name { Ok(Pose::Of(text.to_owned())) } else { text.parse().map(Pose::At) }
    }
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum InspectName {
    /// The cells that culling took: green and blue wholly in sight, amber crossing
    Cells,
    /// How many surfaces lie behind each other
    Overdraw,
    /// How far away surfaces are
    Depth,
    /// Normals, X, Y and Z as red, green and blue
    Normals,
}

impl From<InspectName> for Inspect {
    fn from(name: InspectName) -> Inspect {
        match name {
            InspectName::Cells => Inspect::Cells,
            InspectName::Overdraw => Inspect::Overdraw,
            InspectName::Depth => Inspect::Depth,
            InspectName::Normals => Inspect::Normals,
        }
    }
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum OcclusionName {
    Auto,
    On,
    Off,
}

impl From<OcclusionName> for UseOcclusion {
    fn from(name: OcclusionName) -> UseOcclusion {
        match name {
            OcclusionName::Auto => UseOcclusion::Auto,
            OcclusionName::On => UseOcclusion::On,
            OcclusionName::Off => UseOcclusion::Off,
        }
    }
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum BackendName {
    Auto,
    Vulkan,
    Gl,
    Dx12,
    Metal,
    #[value(hide = true)]
    Dx11,
}

/// Width and height in pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size(pub u32, pub u32);

impl FromStr for Size {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> anyhow::Result<Size> {
        let sides = text.split_once(['x', 'X']).and_then(|(w, h)| Some((w.parse().ok()?, h.parse().ok()?)));
        match sides {
            Some((width, height)) if width > 0 && height > 0 => Ok(Size(width, height)),
            _ => bail!("expected a size like 1280x720"),
        }
    }
}

impl fmt::Display for Size {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}x{}", self.0, self.1)
    }
}

fn field_of_view(text: &str) -> Result<f32, String> {
    match text.parse::<f32>() {
        Ok(degrees) if (1.0..=170.0).contains(&degrees) => Ok(degrees),
        _ => Err("must be from 1 to 170 degrees".to_owned()),
    }
}

fn turn(text: &str) -> Result<f32, String> {
    match text.parse::<f32>() {
        Ok(degrees) if degrees.abs() <= 360.0 => Ok(degrees),
        _ => Err("must be from -360 to 360 degrees".to_owned()),
    }
}

fn distance(text: &str) -> Result<f32, String> {
    match text.parse::<f32>() {
        // Beyond the near plane with room to spare, else there is nothing between them.
        Ok(metres) if (0.1..=1e9).contains(&metres) => Ok(metres),
        _ => Err("must be from 0.1 to 1e9 metres".to_owned()),
    }
}

impl LookArgs {
    /// Which adapter to take.
    pub fn gpu_options(&self) -> anyhow::Result<GpuOptions> {
        let backend = match self.backend {
            BackendName::Auto => Backend::Auto,
            BackendName::Vulkan => Backend::Vulkan,
            BackendName::Gl => Backend::Gl,
            BackendName::Dx12 => Backend::Dx12,
            BackendName::Metal => Backend::Metal,
            BackendName::Dx11 => bail!(
                "--backend dx11: wgpu has had no DX11 backend since its version 0.19; on such machines use --backend dx12, \
                 which runs at DirectX feature level 11, or --backend gl"
            ),
        };
        Ok(GpuOptions { backend, adapter: self.adapter.clone() })
    }

    /// Samples for each pixel, if they were given.
    pub fn samples(&self) -> Option<u32> {
        self.samples.as_ref().and_then(|samples| samples.parse().ok())
    }

    /// The sky that was asked for, or else over a built-in level the one that was painted for those.
    pub fn sky(&self, level: &LevelArgs) -> anyhow::Result<SkySource> {
        match &self.sky {
            Some(path) => {
                let sky = SkySource::open(path).context("--sky")?;
                let absent: Vec<String> = sky.absent().map(|side| format!("{side:?}").to_lowercase()).collect();
                if !absent.is_empty() {
                    let (sides, path) = (absent.join(", "), path.display());
                    eprintln!("nodetree: warning: --sky {path}: no picture for {sides}; a gradient stands in");
                }
                Ok(sky)
            }
            None if level.is_builtin() => Ok(SkySource::painted()),
            None => Ok(SkySource::Gradient),
        }
    }

    /// The sky of a scene and its turn in radians, where it has one and none was asked for; else `sky`. Turned, and with the
    /// pictures over it, as was asked for. Pictures of a scene that cannot be read are told, as those of a level are.
    pub fn sky_of(&self, scene: &Scene, sky: SkySource) -> anyhow::Result<(SkySource, f32)> {
        let (sky, turn) = match scene.sky().filter(|_| self.sky.is_none()) {
            None => (sky, 0.0),
            Some(pictures) => match SkySource::open(&pictures.path) {
                Ok(opened) => (with_over(opened, pictures.over.as_deref()), pictures.turn),
                Err(error) => {
                    eprintln!("nodetree: warning: the sky of the scene: {error}; a gradient is drawn");
                    (sky, 0.0)
                }
            },
        };
        let sky = match &self.sky_over {
            Some(path) => sky.under(path).context("--sky-over")?,
            None => sky,
        };
        Ok((sky, turn + self.sky_turn.to_radians()))
    }

    /// The projection that was asked for, from nowhere in particular.
    fn projection(&self) -> Camera {
        Camera {
            fov_y: self.fov.to_radians(),
            aspect: self.size.0 as f32 / self.size.1 as f32,
            view_distance: self.view_distance,
            ..Camera::default()
        }
    }

    /// The camera at a pose in level coordinates and degrees.
    pub fn camera_at(&self, level: &Level, Numbers([x, y, z, yaw, pitch]): Numbers<5>) -> anyhow::Result<Camera> {
        let eye = level.to_local(DVec3::new(x, y, z));
        ensure!(eye.is_finite() && eye.abs().max_element() < 1e12, "the camera is too far from the level to see it");
        // Beyond straight up and down the picture would stand on its head.
        let pitch = pitch.clamp(-90.0, 90.0).to_radians() as f32;
        // Whole turns first: a large angle keeps its fraction in f64.
        let yaw = (yaw % 360.0).to_radians() as f32;
        Ok(Camera { eye, yaw, pitch, ..self.projection() })
    }

    /// The camera that was asked for; else at the level's spawn point; else one that sees all of the level.
    pub fn camera(&self, level: &Level, scene: &Scene) -> anyhow::Result<Camera> {
        let usual = || render::starting_view(level, self.projection());
        Ok(self.asked_for(level, scene)?.unwrap_or_else(usual))
    }

    /// The camera that was asked for, else one that sees all of the level.
    pub fn camera_from_outside(&self, level: &Level, scene: &Scene) -> anyhow::Result<Camera> {
        let usual = || render::overview(level, self.projection());
        Ok(self.asked_for(level, scene)?.unwrap_or_else(usual))
    }

    fn asked_for(&self, level: &Level, scene: &Scene) -> anyhow::Result<Option<Camera>> {
        match &self.camera {
            Some(Pose::At(pose)) => self.camera_at(level, *pose).context("--camera").map(Some),
            Some(Pose::Of(_)) => {
                let camera = self.scene_camera(scene)?;
                Ok(camera.and_then(|camera| scene.look_through(camera, &self.projection())))
            }
            None => Ok(None),
        }
    }

    /// The camera of the scene that was asked for by its name.
    pub fn scene_camera(&self, scene: &Scene) -> anyhow::Result<Option<NodeId>> {
        let Some(Pose::Of(wanted)) = &self.camera else { return Ok(None) };
        if let Some((camera, _)) = scene.cameras().find(|(_, name)| name == wanted) {
            return Ok(Some(camera));
        }
        let names: Vec<&str> = scene.cameras().map(|(_, name)| name).filter(|name| !name.is_empty()).collect();
        if names.is_empty() {
            bail!("--camera {wanted}: the level has no cameras with names; give X,Y,Z,YAW,PITCH");
        }
        bail!("--camera {wanted}: the scene has no camera of that name; it has {}", names.join(", "))
    }

    /// Adds the props that were asked for, around where one starts.
    pub fn add_props(&self, scene: &mut Scene, level: &Level, tree: &Tree, seed: u64) {
        if let Some(count) = self.props {
            let props = scene.props_mut();
            let barrel = Model::new(generate::props::barrel(), &Settings::new(Mode::Octree));
            let model = props.add_model(Arc::new(barrel));
            let near = level.spawn.map_or(level.bounds().center(), |spawn| level.to_local(spawn.feet));
            props.scatter(tree, model, near, count as usize, seed);
        }
    }

    /// Opens the device, after what needs none has been checked.
    pub fn open_gpu(&self) -> anyhow::Result<Gpu> {
        let gpu = Gpu::headless(&self.gpu_options()?)?;
        render::check_size(&gpu, (self.size.0, self.size.1), self.picture_samples()).context("--size")?;
        Ok(gpu)
    }

    /// A single picture is worth its samples on any adapter.
    fn picture_samples(&self) -> u32 {
        self.samples().unwrap_or(4)
    }

    /// Draws one picture: what `culled_from` sees, or everything, looked at from `camera`.
    pub fn draw(
        &self,
        gpu: &Gpu,
        (sky, turn): &(SkySource, f32),
        (level, tree, scene): (&Level, &Tree, &Scene),
        view: &View,
    ) -> anyhow::Result<Drawn> {
        let mut renderer = Renderer::new(gpu, PICTURE_FORMAT, Some(self.picture_samples()));
        let mut on_gpu = LevelOnGpu::new(gpu, renderer.bindings(), level, tree)?;
        let mut sky = Sky::new(gpu, renderer.bindings(), sky)?;
        sky.turn = *turn;
        let props = scene.props();
        let inspect = self.inspect.map(Inspect::from);
        let mut draw_list = DrawList::new();
        let mut lines = Vec::new();
        let frustum = view.culled_from.map(|camera| Frustum::from_clip_from_world(camera.clip_from_world()));
        match view.culled_from.as_ref().zip(frustum.as_ref()) {
            Some((culled_from, frustum)) => {
                draw_list.cull(tree, frustum);
                if *culled_from != view.camera {
                    push_frozen(&mut lines, tree, culled_from, frustum);
                }
            }
            None => draw_list.everything(tree),
        }
        let size = (self.size.0, self.size.1);
        // A single picture gains nothing by it.
        let mut occlusion = match self.occlusion {
            OcclusionName::On if inspect.is_none() => {
                let occlusion = Occlusion::new(gpu, renderer.samples());
                Some(occlusion.context("--occlusion on: through GL only with --samples 1")?)
            }
            _ => None,
        };
        if let Some((occlusion, culled_from)) = occlusion.as_mut().zip(view.culled_from) {
            occlusion.cull(gpu, (&on_gpu, tree), &culled_from, size, &mut draw_list)?;
        }
        let models = ModelsOnGpu::new(gpu, renderer.bindings(), props)?;
        let no_balls = Balls::new(bodies::Settings::default())?;
        let (mut visible, mut instances) = (VisibleBodies::new(), Instances::default());
        visible.cull(props, &no_balls, frustum.as_ref());
        instances.gather(&visible, props, &no_balls, 1.0);
        let bodies = Some((&models, &instances));
        let frame = Frame::new(&view.camera, &draw_list, &sky);
        let lighting = frame.lighting.with(level.lights.iter().copied().chain(scene.lights()), view.camera.eye);
        let mut shadows = SunShadows::new(2048);
        if !self.no_shadows {
            let to_sun = Lighting::direction_to_sun(&lighting.lights);
            shadows.cast(tree, &view.camera, to_sun, Some((props, &no_balls, 1.0)));
        }
        let shadows = (!self.no_shadows).then_some(&shadows);
        let mut cells = Vec::new();
        // Without culling the whole level is one cell, which no plane crosses.
        let everything = Frustum::from_planes([]);
        if inspect == Some(Inspect::Cells) {
            render::take_cells(&mut cells, tree, frustum.as_ref().unwrap_or(&everything));
        }
        let frame = Frame { lighting, shadows, lines: &lines, bodies, inspect, cells: &cells, ..frame };
        let frame = Frame { occlusion: occlusion.as_ref(), ..frame };
        let (picture, rendering) = render::picture(gpu, &mut renderer, &mut on_gpu, size, &frame)?;
        let props = [visible.count(), visible.of()];
        Ok(Drawn { picture, culling: *draw_list.statistics(), rendering, props })
    }
}

/// From where a picture is looked at and culled.
#[derive(Clone, Copy, Debug)]
pub struct View {
    /// From where it is looked at.
    pub camera: Camera,
    /// From where it is culled; `None` draws everything. Where it is another camera, its view and the cells that culling
    /// visited are drawn.
    pub culled_from: Option<Camera>,
}

impl View {
    /// What a camera sees.
    pub fn of(camera: Camera) -> View {
        View { camera, culled_from: Some(camera) }
    }
}

/// A picture and what it took.
pub struct Drawn {
    pub picture: RgbaImage,
    pub culling: CullStatistics,
    pub rendering: RenderStatistics,
    /// How many props were drawn of how many.
    pub props: [u32; 2],
}

fn push_frozen(lines: &mut Vec<LineVertex>, tree: &Tree, camera: &Camera, frustum: &Frustum) {
    render::push_visited_cells(lines, tree, frustum);
    render::push_frustum(lines, camera, render::reach_through(camera, &tree.bounds()), render::FRUSTUM_COLOR);
}

/// A sky of a scene with the pictures over it. Where these cannot be read that is told, and it stays as it is.
fn with_over(sky: SkySource, over: Option<&Path>) -> SkySource {
    let Some(over) = over else { return sky };
    sky.clone().under(over).unwrap_or_else(|error| {
        eprintln!("nodetree: warning: the sky of the scene, over: {error}; it is left out");
        sky
    })
}
