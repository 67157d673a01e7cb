//! `nodetree view`, and `nodetree` alone: the window, or one picture where there is none.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use nodetree::app::{Display, Options, WindowError};
use nodetree::level::Level;
use nodetree::tree::Tree;

use super::look::{LookArgs, View};
use super::open::LevelArgs;
use super::render::Output;

#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    level: LevelArgs,
    #[command(flatten)]
    look: LookArgs,
    /// Write what the window shows to a file as JSON Lines; - is standard output
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
}

/// Where the picture goes when there is no window.
const PICTURE: &str = "nodetree.png";

pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    match Display::open() {
        Ok(display) => show(args, display)?,
        Err(WindowError::NoDisplay(reason)) => draw(args, &reason)?,
        Err(error) => return Err(error.into()),
    }
    Ok(ExitCode::SUCCESS)
}

/// Shows the window until it is closed.
fn show(args: &Args, display: Display) -> anyhow::Result<()> {
    let gpu = args.look.gpu_options()?;
    let sky = args.look.sky()?;
    let (level, tree) = open(args)?;
    let options = Options {
        camera: args.look.camera(&level)?,
        size: (args.look.size.0, args.look.size.1),
        gpu,
        samples: args.look.samples(),
        sky,
        state: args.state.clone(),
    };
    Ok(display.run(level, tree, options)?)
}

/// Draws what the window would have shown at first.
fn draw(args: &Args, reason: &str) -> anyhow::Result<()> {
    let no_display = || format!("there is no display to open a window on ({reason}), and no picture can be drawn");
    let gpu = args.look.open_gpu().with_context(no_display)?;
    let sky = args.look.sky()?;
    let mut output = Output::open(Path::new(PICTURE)).with_context(no_display)?;
    let (level, tree) = open(args)?;
    let view = View::of(args.look.camera(&level)?);
    let drawn = args.look.draw(&gpu, &sky, &level, &tree, &view)?;
    output.write(&drawn.picture)?;
    writeln!(
        io::stdout(),
        "There is no display to open a window on: {reason}.\nOne picture was drawn to {PICTURE} instead. For a window \
         run nodetree in a desktop session; for more pictures see nodetree render."
    )?;
    Ok(())
}

fn open(args: &Args) -> anyhow::Result<(Level, Tree)> {
    let level = args.level.open()?;
    for warning in level.warnings.iter() {
        eprintln!("nodetree: warning: {warning}");
    }
    let tree = Tree::build(&level, &args.level.tree_settings(&level));
    Ok((level, tree))
}
