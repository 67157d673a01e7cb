//! `nodetree walk`: replays recorded inputs with no window, JSON Lines out.

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::ensure;
use glam::DVec3;
use nodetree::level::Level;
use nodetree::tree::Tree;
use nodetree::walk::path::{JsonLines, PathReader, Run};
use nodetree::walk::{self, StepReport, Walker};
use serde::Serialize;

use super::open::LevelArgs;

#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    level: LevelArgs,
    /// Recorded inputs as JSON Lines, such as the window's key O records; - is standard input
    #[arg(long, value_name = "FILE")]
    inputs: PathBuf,
    /// Print every Nth step, and the last
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    every: u64,
    #[command(flatten)]
    body: BodyArgs,
}

/// How the walker is built and moves.
#[derive(clap::Args, Clone, Debug)]
pub struct BodyArgs {
    /// Half the body's width in metres
    #[arg(long, value_name = "M", default_value_t = 0.35, allow_negative_numbers = true)]
    radius: f32,
    /// Height of the body in metres; crouched it is two thirds of that
    #[arg(long, value_name = "M", default_value_t = 1.8, allow_negative_numbers = true)]
    height: f32,
    /// Height of the eye above the feet in metres [default: 0.15 below the top]
    #[arg(long, value_name = "M", allow_negative_numbers = true)]
    eye: Option<f32>,
    /// Highest step that is climbed, in metres
    #[arg(long, value_name = "M", default_value_t = 0.45, allow_negative_numbers = true)]
    step: f32,
    /// Steepest slope that is walked, in degrees
    #[arg(long, value_name = "DEG", default_value_t = 50.0, allow_negative_numbers = true)]
    slope: f32,
    /// Downward acceleration in m/s²
    #[arg(long, value_name = "A", default_value_t = 9.81, allow_negative_numbers = true)]
    gravity: f32,
    /// How high a jump rises, in metres
    #[arg(long, value_name = "M", default_value_t = 1.0, allow_negative_numbers = true)]
    jump: f32,
}

impl BodyArgs {
    /// As settings of the walker, checked.
    pub fn settings(&self) -> anyhow::Result<walk::Settings> {
        let usual = walk::Settings::default();
        // Here and not by the settings' own check, which speaks of radians and of lengths from the top.
        ensure!((0.0..90.0).contains(&self.slope), "--slope must be from 0 to below 90 degrees, not {}", self.slope);
        if let Some(eye) = self.eye {
            ensure!((0.0..=self.height).contains(&eye), "--eye must be from 0 to the height, not {eye}");
        }
        let settings = walk::Settings {
            radius: self.radius,
            height: self.height,
            crouched_height: self.height * (usual.crouched_height / usual.height),
            eye_below_top: self.eye.map_or(usual.eye_below_top, |eye| self.height - eye),
            step_height: self.step,
            slope_limit: self.slope.to_radians(),
            gravity: self.gravity,
            jump_height: self.jump,
            ..usual
        };
        settings.check()?;
        Ok(settings)
    }
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
    let settings = args.body.settings()?;
    let mut path = PathReader::new(JsonLines::open(&args.inputs)?);
    let level = args.level.open()?;
    let tree = Tree::build(&level, &args.level.tree_settings(&level));
    let start = path.start()?;
    let mut walker = path.walker(&start, &level, &tree, &settings)?;
    let mut run = Run::new(&start);
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
            let report = walker.step(&tree, &settings, &input);
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
