//! `nodetree view`, and `nodetree` alone: the window, or one picture where there is none.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::str::FromStr;

use anyhow::{Context, bail};
use glam::{DVec3, Vec3};
use nodetree::app::{Display, Options, WindowError};
use nodetree::camera::Camera;
use nodetree::cull::DrawList;
use nodetree::geometry::Frustum;
use nodetree::level::Level;
use nodetree::render::{self, Frame, Gpu, GpuOptions, LevelOnGpu, PICTURE_FORMAT, Renderer, Sky, SkySource};
use nodetree::tree::Tree;

use super::open::{LevelArgs, Numbers};

#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    level: LevelArgs,
    /// Write what the window shows to a file as JSON Lines; - is standard output
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
    /// Width and height of the window's contents in pixels
    #[arg(long, default_value = "1280x720", value_name = "WxH")]
    size: Size,
    /// Eye in level coordinates, heading and elevation in degrees
    #[arg(long, value_name = "X,Y,Z,YAW,PITCH", allow_hyphen_values = true)]
    camera: Option<Numbers<5>>,
    /// Vertical field of view in degrees
    #[arg(long, default_value_t = 60.0, value_name = "D")]
    fov: f32,
    /// Draw nothing beyond this distance, in metres
    #[arg(long, value_name = "M")]
    view_distance: Option<f32>,
}

/// Where the picture goes when there is no window.
const PICTURE: &str = "nodetree.png";

#[derive(Clone, Copy, Debug)]
struct Size(u32, u32);

impl FromStr for Size {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> anyhow::Result<Size> {
        let sides = text.split_once('x').and_then(|(w, h)| Some((w.parse().ok()?, h.parse().ok()?)));
        match sides {
            Some((width, height)) if width > 0 && height > 0 => Ok(Size(width, height)),
            _ => bail!("expected a size like 1280x720"),
        }
    }
}

pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let display = Display::open();
    let level = args.level.open()?;
    let tree = Tree::build(&level, &args.level.tree_settings(&level));
    let camera = args.camera(&level);
    match display {
        Ok(display) => {
            let options = Options {
                camera,
                size: (args.size.0, args.size.1),
                gpu: GpuOptions::default(),
                samples: None,
                sky: SkySource::Gradient,
                state: args.state.clone(),
            };
            display.run(level, tree, options)?;
        }
        Err(WindowError::NoDisplay(reason)) => {
            draw(args, &level, &tree, camera)?;
            println!(
                "There is no display to open a window on ({reason}), so one picture was drawn to {PICTURE}. To get a \
                 window, run nodetree in a desktop session, with DISPLAY or WAYLAND_DISPLAY set."
            );
        }
        Err(error) => return Err(error.into()),
    }
    Ok(ExitCode::SUCCESS)
}

/// Draws what the window would have shown at first.
fn draw(args: &Args, level: &Level, tree: &Tree, camera: Camera) -> anyhow::Result<()> {
    let Size(width, height) = args.size;
    let camera = Camera { aspect: width as f32 / height as f32, ..camera };
    let gpu = Gpu::headless(&GpuOptions::default())?;
    let mut renderer = Renderer::new(&gpu, PICTURE_FORMAT, None);
    let mut on_gpu = LevelOnGpu::new(&gpu, &renderer, level, tree)?;
    let sky = Sky::new(&gpu, &renderer, &SkySource::Gradient);
    let mut draw_list = DrawList::new();
    draw_list.cull(tree, &Frustum::from_clip_from_world(camera.clip_from_world()));
    let frame = Frame::new(&camera, &draw_list, &sky);
    let (picture, _) = render::picture(&gpu, &mut renderer, &mut on_gpu, (width, height), &frame)?;
    picture.save(Path::new(PICTURE)).with_context(|| format!("cannot write {PICTURE}"))
}

/// Height of the eye over the feet, in metres.
const EYE: f32 = 1.65;

impl Args {
    fn camera(&self, level: &Level) -> Camera {
        let camera = Camera { fov_y: self.fov.to_radians(), view_distance: self.view_distance, ..Camera::default() };
        match (self.camera, level.spawn) {
            (Some(Numbers([x, y, z, yaw, pitch])), _) => Camera {
                eye: level.to_local(DVec3::new(x, y, z)),
                yaw: yaw.to_radians() as f32,
                pitch: pitch.to_radians() as f32,
                ..camera
            },
            (None, Some(spawn)) => Camera { eye: level.to_local(spawn.feet) + EYE * Vec3::Y, yaw: spawn.yaw, ..camera },
            (None, None) => overlooking(level, camera),
        }
    }
}

/// From above a corner of the level, looking at its middle.
fn overlooking(level: &Level, camera: Camera) -> Camera {
    let bounds = level.bounds();
    if bounds.is_empty() {
        return camera;
    }
    let to_corner = 0.5 * bounds.size() + Vec3::Y * 0.15 * bounds.size().max_element();
    let (yaw, level_way) = (to_corner.x.atan2(to_corner.z), to_corner.x.hypot(to_corner.z));
    Camera { eye: bounds.center() + to_corner, yaw, pitch: -to_corner.y.atan2(level_way), ..camera }
}
