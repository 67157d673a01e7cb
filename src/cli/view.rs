//! `nodetree view`, and `nodetree` alone: the window, or one picture where there is none.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use glam::Vec3;
use nodetree::app::{Display, Options, WindowError, bindings};
use nodetree::camera::Camera;
use nodetree::level::Level;
use nodetree::scene::Scene;
use nodetree::tree::Tree;
use nodetree::walk::path::Replay;
use nodetree::walk::{self, Walker};

use super::look::{LookArgs, View};
use super::open::LevelArgs;
use super::render::{open_picture, png};
use super::walker::WalkerArgs;

#[derive(clap::Args)]
#[command(after_long_help = bindings::as_text())]
pub struct Args {
    #[command(flatten)]
    level: LevelArgs,
    #[command(flatten)]
    look: LookArgs,
    #[command(flatten)]
    walker: WalkerArgs,
    /// Replay a recorded path in the window; a key that moves takes over. - is standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["camera", "walk", "fly"])]
    replay: Option<PathBuf>,
    /// Write what the window shows to a file as JSON Lines; - is standard output
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
    /// Start on foot
    #[arg(long, conflicts_with = "fly")]
    walk: bool,
    /// Start in flight (the default)
    #[arg(long)]
    fly: bool,
}

/// Where the picture goes when there is no window.
const PICTURE: &str = "nodetree.png";

pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let walker = args.walker.settings()?;
    match Display::open() {
        Ok(display) => show(args, walker, display)?,
        Err(WindowError::NoDisplay(reason)) => draw(args, &walker, &reason)?,
        Err(error) => return Err(error.into()),
    }
    Ok(ExitCode::SUCCESS)
}

/// Shows the window until it is closed.
fn show(args: &Args, walker: walk::Settings, display: Display) -> anyhow::Result<()> {
    let gpu = args.look.gpu_options()?;
    let sky = args.look.sky(&args.level)?;
    let Opened { level, mut scene, tree, replay } = open(args, &walker)?;
    let (sky, sky_turn) = args.look.sky_of(&scene, sky)?;
    let mut camera = args.look.camera(&level, &scene)?;
    if args.walk && args.look.camera.is_none() {
        let feet = match level.spawn {
            Some(spawn) => Some(walk::settle_spawn(&tree, &walker, level.to_local(spawn.feet))),
            None => walk::find_spawn(&tree, &walker),
        };
        if let Some(feet) = feet {
            let yaw = level.spawn.map_or(0.0, |spawn| spawn.yaw);
            camera = Camera { eye: feet + (walker.height - walker.eye_below_top) * Vec3::Y, yaw, pitch: 0.0, ..camera };
        }
    }
    args.look.add_props(&mut scene, &level, &tree, args.level.seed);
    let options = Options {
        scene_camera: args.look.scene_camera(&scene)?,
        scene,
        camera,
        walks: args.walk,
        replay,
        walker,
        size: (args.look.size.0, args.look.size.1),
        gpu,
        samples: args.look.samples(),
        inspect: args.look.inspect.map(nodetree::render::Inspect::from),
        shadows: !args.look.no_shadows,
        sky,
        sky_turn,
        state: args.state.clone(),
    };
    Ok(display.run(level, tree, options)?)
}

/// Draws what the window would have shown at first.
fn draw(args: &Args, walker: &walk::Settings, reason: &str) -> anyhow::Result<()> {
    let no_display = || format!("there is no display to open a window on ({reason}), and no picture can be drawn");
    let gpu = args.look.open_gpu().with_context(no_display)?;
    let sky = args.look.sky(&args.level)?;
    let mut output = open_picture(Path::new(PICTURE)).with_context(no_display)?;
    let Opened { level, mut scene, tree, replay } = open(args, walker)?;
    let sky = args.look.sky_of(&scene, sky)?;
    let mut camera = args.look.camera(&level, &scene)?;
    if let Some((_, first)) = replay {
        camera = Camera { eye: first.eye(walker), yaw: first.yaw(), pitch: first.pitch(), ..camera };
    }
    let view = View::of(camera);
    args.look.add_props(&mut scene, &level, &tree, args.level.seed);
    let drawn = args.look.draw(&gpu, &sky, (&level, &tree, &scene), &view)?;
    output.write(&png(&drawn.picture)?)?;
    writeln!(
        io::stdout(),
        "There is no display to open a window on: {reason}.\nOne picture was drawn to {PICTURE} instead. For a window \
         run nodetree in a desktop session; for more pictures see nodetree render."
    )?;
    Ok(())
}

/// What is shown.
struct Opened {
    level: Level,
    scene: Scene,
    tree: Tree,
    /// The path that is replayed with its first walker.
    replay: Option<(Replay, Walker)>,
}

fn open(args: &Args, settings: &walk::Settings) -> anyhow::Result<Opened> {
    // First, as it is sooner found wrong.
    let replay = args.replay.as_deref().map(Replay::open).transpose()?;
    let (level, scene) = args.level.open_scene()?;
    for warning in level.warnings.iter() {
        eprintln!("nodetree: warning: {warning}");
    }
    let tree = Tree::build(&level, &args.level.tree_settings(&level));
    let first = replay.as_ref().map(|replay| replay.walker(&level, &tree, settings)).transpose()?;
    Ok(Opened { level, scene, tree, replay: replay.zip(first) })
}
