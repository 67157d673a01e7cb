//! `nodetree walk`: replays recorded inputs with no window, JSON Lines out.

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use glam::DVec3;
use nodetree::bodies::Nearby;
use nodetree::level::Level;
use nodetree::tree::Tree;
use nodetree::walk::path::{JsonLines, PathReader, Run};
use nodetree::walk::{self, STEP, StepReport, Walker};
use serde::Serialize;

use super::open::{LevelArgs, whole};
use super::walker::WalkerArgs;

#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    level: LevelArgs,
    /// Recorded inputs as JSON Lines, such as the window's key O records; - is standard input
    #[arg(long, value_name = "FILE")]
    inputs: PathBuf,
    /// Print every Nth step, and the last
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true, value_parser = whole(1..=u64::MAX))]
    every: u64,
    #[command(flatten)]
    walker: WalkerArgs,
}

/// What is printed after a step, in level coordinates.
#[derive(Serialize)]
struct Output {
    step: u64,
    feet: [f64; 3],
    eye: [f64; 3],
    yaw: f32,
    pitch: f32,
    height: f32,
    velocity: [f32; 3],
    grounded: bool,
    contacts: u32,
    rescued: bool,
}

pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let settings = args.walker.settings()?;
    let mut path = PathReader::new(JsonLines::open(&args.inputs)?);
    let (level, mut scene) = args.level.open_scene()?;
    let tree = Tree::build(&level, &args.level.tree_settings(&level));
    let start = path.start()?;
    let mut walker = path.walker(&start, &level, &tree, &settings)?;
    let mut run = Run::new(&start);
    let mut nearby = Nearby::new();
    let mut out = BufWriter::new(io::stdout().lock());
    let mut steps = 0_u64;
    let mut last: Option<Output> = None;
    // What happened in steps that are not printed belongs to the next that is.
    let mut rescued = false;
    let result = loop {
        match path.next_step() {
            Ok(Some(line)) => run.take(&line),
            Ok(None) => break Ok(()),
            Err(error) => break Err(error),
        }
        while let Some(input) = run.next_input(&mut walker) {
            scene.advance(STEP);
            nearby.gather(&tree, scene.props(), &mut walker, &settings, &input);
            let report = walker.step(nearby.beside(&tree), &settings, &input);
            steps += 1;
            rescued |= report.rescued;
            let output = output(steps, &walker, &settings, &level, StepReport { rescued, ..report });
            if steps.is_multiple_of(args.every) {
                write(&mut out, &output)?;
                (rescued, last) = (false, None);
            } else {
                last = Some(output);
            }
        }
    };
    if let Some(output) = last {
        write(&mut out, &output)?;
    }
    out.flush()?;
    result?;
    Ok(ExitCode::SUCCESS)
}

fn output(step: u64, walker: &Walker, settings: &walk::Settings, level: &Level, report: StepReport) -> Output {
    let feet = walker.feet_exact();
    Output {
        step,
        feet: (feet + level.origin).to_array(),
        eye: (feet + DVec3::Y * walker.eye_height(settings) + level.origin).to_array(),
        yaw: walker.yaw().to_degrees(),
        pitch: walker.pitch().to_degrees(),
        height: walker.height(settings) as f32,
        velocity: walker.velocity().to_array(),
        grounded: report.grounded,
        contacts: report.contacts,
        rescued: report.rescued,
    }
}

fn write(out: &mut impl Write, output: &Output) -> anyhow::Result<()> {
    serde_json::to_writer(&mut *out, output)?;
    out.write_all(b"\n")?;
    Ok(())
}
