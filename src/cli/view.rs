//! `nodetree view`, and `nodetree` alone: the window, or one picture where there is none.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Context;
use nodetree::app::{self, Display, MouseSettings, Opened, Opener, Options, Wanted, WindowError, bindings};
use nodetree::camera::Camera;
use nodetree::level::{Level, Progress};
use nodetree::tree::Tree;
use nodetree::walk;
use nodetree::walk::path::Replay;

use super::look::{LookArgs, View};
use super::open::LevelArgs;
use super::output::{Output, ensure_folder};
use super::progress::Shown;
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
    /// How far the mouse looks around, as many times as usual
    #[arg(long, default_value_t = 1.0, value_name = "N", allow_negative_numbers = true, value_parser = sensitivity)]
    mouse_sensitivity: f32,
    /// Look up when the mouse moves down
    #[arg(long)]
    invert_y: bool,
    /// Load the level again when one of its files changes
    #[arg(long)]
    watch: bool,
    /// Start on foot
    #[arg(long, conflicts_with = "fly")]
    walk: bool,
    /// Start in flight (the default)
    #[arg(long)]
    fly: bool,
}

fn sensitivity(text: &str) -> Result<f32, String> {
    match text.parse::<f32>() {
        Ok(times) if (0.01..=100.0).contains(&times) => Ok(times),
        _ => Err("must be from 0.01 to 100".to_owned()),
    }
}

/// Where the picture goes when there is no window.
const PICTURE: &str = "nodetree.png";

pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let walker = args.walker.settings()?;
    args.state.as_deref().map_or(Ok(()), ensure_folder)?;
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
    // First, as it is sooner found wrong.
    let replay = args.replay.as_deref().map(Replay::open).transpose()?;
    let progress = Progress::default();
    let wanted = Wanted { path: &args.level.level, tree: None, walks: args.walk, progress: &progress };
    let opened = {
        let _bar = Shown::new(progress.clone(), format!("loading {}", args.level.level.display()));
        opened(&args.level, &args.look, &walker, &wanted)?
    };
    tell_warnings(&opened.level);
    let first = replay.as_ref().map(|replay| replay.walker(&opened.level, &opened.tree, &walker)).transpose()?;
    let options = Options {
        open: opener(args, walker),
        path: args.level.level.clone(),
        watch: args.watch.then(|| progress.files().into_iter().chain([args.level.level.clone()]).collect()),
        walks: args.walk,
        replay: replay.zip(first),
        mouse: MouseSettings { sensitivity: args.mouse_sensitivity, invert_y: args.invert_y },
        walker,
        size: (args.look.size.0, args.look.size.1),
        gpu,
        samples: args.look.samples(),
        inspect: args.look.inspect.map(nodetree::render::Inspect::from),
        occlusion: args.look.occlusion.into(),
        shadows: !args.look.no_shadows,
        state: args.state.clone(),
    };
    Ok(display.run(opened, options)?)
}

/// What opens levels while the window is there: its own again, and others as far as the arguments are for any level.
fn opener(args: &Args, walker: walk::Settings) -> Arc<Opener> {
    let (level, look) = (args.level.clone(), args.look.clone());
    Arc::new(move |wanted| {
        let opened = if wanted.path == level.level {
            opened(&level, &look, &walker, wanted)
        } else {
            let look = LookArgs { camera: None, ..look.clone() };
            opened(&level.for_another(wanted.path), &look, &walker, wanted)
        };
        opened.map_err(|error| super::one_line(&format!("{error:#}")))
    })
}

/// Opens a level with all that is shown of it.
fn opened(level: &LevelArgs, look: &LookArgs, walker: &walk::Settings, wanted: &Wanted<'_>) -> anyhow::Result<Opened> {
    let sky = look.sky(level)?;
    let args = level;
    let (level, mut scene) = args.open_scene_with(wanted.progress)?;
    let tree = Tree::build(&level, &wanted.tree.unwrap_or_else(|| args.tree_settings(&level)));
    let (sky, sky_turn) = look.sky_of(&scene, sky)?;
    let mut camera = look.camera(&level, &scene)?;
    if wanted.walks && look.camera.is_none() {
        camera = app::on_foot(&level, &tree, walker, camera);
    }
    look.add_props(&mut scene, &level, &tree, args.seed);
    let scene_camera = look.scene_camera(&scene)?;
    Ok(Opened { level, tree, scene, camera, scene_camera, sky, sky_turn })
}

fn tell_warnings(level: &Level) {
    for warning in level.warnings.iter() {
        eprintln!("nodetree: warning: {warning}");
    }
}

/// Draws what the window would have shown at first.
fn draw(args: &Args, walker: &walk::Settings, reason: &str) -> anyhow::Result<()> {
    let no_display = || format!("there is no display to open a window on ({reason}), and no picture can be drawn");
    let gpu = args.look.open_gpu().with_context(no_display)?;
    // There is no window whose state could be told, but where it should go is still found wrong.
    args.state.as_deref().map(Output::open).transpose()?;
    let sky = args.look.sky(&args.level)?;
    let replay = args.replay.as_deref().map(Replay::open).transpose()?;
    let mut output = open_picture(Path::new(PICTURE)).with_context(no_display)?;
    let (level, mut scene) = args.level.open_scene()?;
    tell_warnings(&level);
    let tree = Tree::build(&level, &args.level.tree_settings(&level));
    let sky = args.look.sky_of(&scene, sky)?;
    let mut camera = args.look.camera(&level, &scene)?;
    if let Some(replay) = replay {
        let first = replay.walker(&level, &tree, walker)?;
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
