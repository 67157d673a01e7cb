//! `nodetree walk`: replays recorded inputs with no window, JSON Lines out.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use glam::DVec3;
use nodetree::level::Level;
use nodetree::tree::Tree;
use nodetree::walk::{self, Input, Mode, StepReport, Walker};
use serde::{Deserialize, Serialize};

use super::open::LevelArgs;
use super::walker::WalkerArgs;

#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    level: LevelArgs,
    /// Recorded inputs as JSON Lines: a first line with the start, then one line for one or more steps; - is standard input
    #[arg(long, value_name = "FILE")]
    inputs: PathBuf,
    /// Print every Nth step, and the last
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    every: u64,
    #[command(flatten)]
    walker: WalkerArgs,
}

/// The first line.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Start {
    spawn: Option<[f64; 3]>,
    yaw: Option<f64>,
    pitch: Option<f64>,
    #[serde(default)]
    mode: StartMode,
    #[serde(default)]
    collide: bool,
}

#[derive(Clone, Copy, Default, Deserialize, PartialEq)]
#[serde(rename_all = "lowercase")]
enum StartMode {
    #[default]
    Walk,
    Fly,
}

/// Every other line.
#[derive(Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Line {
    forward: f32,
    right: f32,
    up: f32,
    yaw: Option<f64>,
    pitch: Option<f64>,
    jump: bool,
    crouch: bool,
    fast: bool,
    speed: Option<f32>,
    repeat: u64,
}

impl Default for Line {
    fn default() -> Line {
        Line {
            forward: 0.0,
            right: 0.0,
            up: 0.0,
            yaw: None,
            pitch: None,
            jump: false,
            crouch: false,
            fast: false,
            speed: None,
            repeat: 1,
        }
    }
}

/// Steps of one line at most: more than a day, and an end.
const MOST_REPEATS: u64 = 12_000_000;

impl Line {
    fn check(&self) -> anyhow::Result<()> {
        for (name, value) in [("forward", self.forward), ("right", self.right), ("up", self.up)] {
            if !(-1.0..=1.0).contains(&value) {
                bail!("{name} must be from -1 to 1, not {value}");
            }
        }
        if let Some(speed) = self.speed.filter(|speed| !(*speed >= 0.0 && speed.is_finite())) {
            bail!("speed must be at least 0, not {speed}");
        }
        if !(1..=MOST_REPEATS).contains(&self.repeat) {
            bail!("repeat must be from 1 to {MOST_REPEATS}, not {}", self.repeat);
        }
        Ok(())
    }

    /// As input of the walker, which looks on where it looks when the line does not say where.
    fn input(&self, walker: &Walker) -> Input {
        Input {
            forward: self.forward,
            right: self.right,
            up: self.up,
            yaw: self.yaw.map_or(walker.yaw(), radians),
            pitch: self.pitch.map_or(walker.pitch(), radians),
            jump: self.jump,
            crouch: self.crouch,
            fast: self.fast,
            speed: self.speed,
        }
    }
}

/// What is printed after a step, in level coordinates.
#[derive(Serialize)]
struct Output {
    step: u64,
    feet: [f64; 3],
    eye: [f64; 3],
    height: f32,
    velocity: [f32; 3],
    grounded: bool,
    contacts: u32,
    rescued: bool,
}

pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let settings = args.walker.settings()?;
    let mut lines = Lines::open(&args.inputs)?;
    let level = args.level.open()?;
    let tree = Tree::build(&level, &args.level.tree_settings(&level));
    let mut walker = start(&mut lines, &level, &tree, &settings)?;
    let mut out = BufWriter::new(io::stdout().lock());
    let mut steps = 0_u64;
    let mut last: Option<Output> = None;
    // What happened in steps that are not printed belongs to the next that is.
    let mut rescued = false;
    let result = loop {
        let line: Line = match lines.next() {
            Ok(Some(line)) => line,
            Ok(None) => break Ok(()),
            Err(error) => break Err(error),
        };
        if let Err(error) = line.check() {
            break Err(lines.fault(error));
        }
        for _ in 0..line.repeat {
            let report = walker.step(&tree, &settings, &line.input(&walker));
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

/// The walker as the first line has it.
fn start(lines: &mut Lines, level: &Level, tree: &Tree, settings: &walk::Settings) -> anyhow::Result<Walker> {
    let Some(start) = lines.next::<Start>()? else {
        bail!("{} is empty: it needs a first line with the start, which may be {{}}", lines.name);
    };
    let wanted = start.spawn.map(DVec3::from_array).or(level.spawn.map(|spawn| spawn.feet));
    let feet = match wanted.map(|feet| level.to_local(feet)) {
        Some(feet) if !feet.is_finite() => return Err(lines.fault(anyhow::anyhow!("the spawn is too far away"))),
        // A flight starts just where it is asked to.
        Some(feet) if start.mode == StartMode::Fly => feet,
        Some(feet) => walk::settle_spawn(tree, settings, feet),
        None => walk::find_spawn(tree, settings).unwrap_or(tree.bounds().center()),
    };
    let feet = if feet.is_finite() { feet } else { glam::Vec3::ZERO };
    let yaw = start.yaw.map_or(level.spawn.map_or(0.0, |spawn| spawn.yaw), radians);
    let mut walker = Walker::new(feet, yaw);
    walker.look(yaw, start.pitch.map_or(0.0, radians));
    if start.mode == StartMode::Fly {
        walker.set_mode(Mode::Fly { collide: start.collide });
    }
    Ok(walker)
}

/// Whole turns go first: a large angle keeps its fraction in f64, and stays finite.
fn radians(degrees: f64) -> f32 {
    (degrees % 360.0).to_radians() as f32
}

fn output(step: u64, walker: &Walker, settings: &walk::Settings, level: &Level, report: StepReport) -> Output {
    let feet = walker.feet_exact();
    Output {
        step,
        feet: (feet + level.origin).to_array(),
        eye: (feet + DVec3::Y * walker.eye_height(settings) + level.origin).to_array(),
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

/// JSON Lines of a file or of standard input, with their numbers.
struct Lines {
    name: String,
    reader: Box<dyn BufRead>,
    buffer: Vec<u8>,
    number: u64,
}

/// The longest line that is read, in bytes; ours are below 200.
const LONGEST: u64 = 1 << 16;

impl Lines {
    fn open(path: &Path) -> anyhow::Result<Lines> {
        let (name, reader): (String, Box<dyn BufRead>) = if path == Path::new("-") {
            ("standard input".to_owned(), Box::new(BufReader::new(io::stdin())))
        } else {
            let name = path.display().to_string();
            let file = File::open(path).with_context(|| format!("cannot read the inputs {name}"))?;
            (name, Box::new(BufReader::new(file)))
        };
        Ok(Lines { name, reader, buffer: Vec::new(), number: 0 })
    }

    /// The next line that is not blank; `None` at the end.
    fn next<T: for<'de> Deserialize<'de>>(&mut self) -> anyhow::Result<Option<T>> {
        loop {
            self.number += 1;
            self.buffer.clear();
            let read = (&mut self.reader).take(LONGEST).read_until(b'\n', &mut self.buffer);
            let read = read.with_context(|| format!("cannot read {}", self.name))?;
            if read as u64 == LONGEST {
                return Err(self.fault(anyhow::anyhow!("longer than {LONGEST} bytes")));
            }
            if read == 0 {
                return Ok(None);
            }
            let line = self.buffer.trim_ascii();
            if !line.is_empty() {
                if line[0] != b'{' {
                    return Err(self.fault(anyhow::anyhow!("expected an object in braces")));
                }
                return serde_json::from_slice(line).map(Some).map_err(|error| {
                    // The reader's own place in the line would be taken for one in the file.
                    let text = error.to_string();
                    let text = text.split(" at line ").next().unwrap_or_default();
                    self.fault(anyhow::anyhow!("{text}"))
                });
            }
        }
    }

    /// An error of the line read last.
    fn fault(&self, error: anyhow::Error) -> anyhow::Error {
        error.context(format!("{}, line {}", self.name, self.number))
    }
}
