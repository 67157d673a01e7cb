//! Writing what a walker wants, step by step.

use std::io::{self, Write};

use super::{PathMode, PathStart, PathStep, degrees};
use crate::level::Level;
use crate::tree::Tree;
use crate::walk::{Input, Mode, STEP, Settings, Walker};

/// Steps that are joined in one line at most: what is not yet written is never more than a second.
const LONGEST_RUN: u64 = (1.0 / STEP) as u64;

/// Writes a path. Each line is flushed, so that of a program that is ended only the last second may be lost;
/// [`Recorder::finish`] writes that too.
pub struct Recorder<W: Write> {
    out: W,
    /// The steps that are not written yet: all alike.
    run: Option<(Input, PathStep)>,
    /// What a reader knows after the lines written and the run.
    looks: (f32, f32),
    mode: PathMode,
    collide: bool,
    steps: u64,
}

impl<W: Write> Recorder<W> {
    /// Writes the first line, and puts `walker` to what a reader makes of it: where level coordinates are large, their rounding
    /// moves it by up to a nanometre or so. The steps that follow are those that a replay takes.
    ///
    /// # Errors
    /// When the line cannot be written, or the walker is nowhere in the level.
    pub fn start(mut out: W, walker: &mut Walker, level: &Level, tree: &Tree, settings: &Settings) -> io::Result<Self> {
        let start = PathStart::of(walker, level);
        *walker = start.walker(level, tree, settings).map_err(io::Error::other)?;
        write_line(&mut out, &start)?;
        Ok(Recorder {
            out,
            run: None,
            looks: (walker.yaw(), walker.pitch()),
            mode: start.mode,
            collide: start.collide,
            steps: 0,
        })
    }

    /// Notes the step that `walker` is about to take with `input`. Headings are kept to the bit within a turn; whole turns are
    /// taken off others on reading.
    ///
    /// # Errors
    /// When a line cannot be written.
    pub fn step(&mut self, walker: &Walker, input: &Input) -> io::Result<()> {
        let input = input.sanitized(walker);
        let (mode, collide) = match walker.mode() {
            Mode::Walk => (PathMode::Walk, self.collide),
            Mode::Fly { collide } => (PathMode::Fly, collide),
        };
        self.steps += 1;
        let is_like_this = (mode, collide) == (self.mode, self.collide);
        if let Some((like, line)) = &mut self.run
            && is_like_this
            && is_same(like, &input)
            && line.repeat < LONGEST_RUN
        {
            line.repeat += 1;
            return Ok(());
        }
        self.write_run()?;
        let changed = |now: f32, before: f32| (now.to_bits() != before.to_bits()).then(|| degrees(now));
        let line = PathStep {
            forward: input.forward,
            right: input.right,
            up: input.up,
            yaw: changed(input.yaw, self.looks.0),
            pitch: changed(input.pitch, self.looks.1),
            jump: input.jump,
            crouch: input.crouch,
            fast: input.fast,
            speed: input.speed,
            mode: (mode != self.mode).then_some(mode),
            collide: (collide != self.collide).then_some(collide),
            repeat: 1,
        };
        (self.looks, self.mode, self.collide) = ((input.yaw, input.pitch), mode, collide);
        self.run = Some((input, line));
        Ok(())
    }

    /// Steps noted so far.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Writes what is left.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn finish(&mut self) -> io::Result<()> {
        self.write_run()
    }

    fn write_run(&mut self) -> io::Result<()> {
        match self.run.take() {
            Some((_, line)) => write_line(&mut self.out, &line),
            None => Ok(()),
        }
    }
}

/// Whether two inputs are the same to the bit.
fn is_same(one: &Input, other: &Input) -> bool {
    let bits = |input: &Input| (input.yaw.to_bits(), input.pitch.to_bits());
    one == other && bits(one) == bits(other)
}

fn write_line(out: &mut impl Write, line: &impl serde::Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *out, line)?;
    out.write_all(b"\n")?;
    out.flush()
}
