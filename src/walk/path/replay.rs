//! Taking recorded steps again.

use std::path::Path;

use super::{JsonLines, PathError, PathStart, PathStep};
use crate::level::Level;
use crate::tree::Tree;
use crate::walk::{Input, Settings, Walker};

/// Reads a path line by line, as it comes.
pub struct PathReader {
    lines: JsonLines,
}

impl PathReader {
    /// A path that begins with the next of `lines`.
    pub fn new(lines: JsonLines) -> PathReader {
        PathReader { lines }
    }

    /// Reads the first line.
    ///
    /// # Errors
    /// When there is none, or it makes no sense.
    pub fn start(&mut self) -> Result<PathStart, PathError> {
        match self.lines.read()? {
            Some(start) => Ok(start),
            None => Err(PathError::Empty { name: self.lines.name().to_owned() }),
        }
    }

    /// The walker of the line that was read last, [`PathReader::start`]'s.
    ///
    /// # Errors
    /// As [`PathStart::walker`], with the line.
    pub fn walker(
        &self,
        start: &PathStart,
        level: &Level,
        tree: &Tree,
        settings: &Settings,
    ) -> Result<Walker, PathError> {
        start.walker(level, tree, settings).map_err(|fault| self.lines.fault(fault))
    }

    /// Reads the next line; `None` at the end.
    ///
    /// # Errors
    /// When it makes no sense.
    pub fn next_step(&mut self) -> Result<Option<PathStep>, PathError> {
        let Some(step): Option<PathStep> = self.lines.read()? else { return Ok(None) };
        step.check().map_err(|fault| self.lines.fault(fault))?;
        Ok(Some(step))
    }
}

/// The steps of one line after the other, for one walker.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    step: PathStep,
    left: u64,
    collide: bool,
}

impl Run {
    /// Before the first line of steps.
    pub fn new(start: &PathStart) -> Run {
        Run { step: PathStep::default(), left: 0, collide: start.collide }
    }

    /// Goes on with the steps of a line, once those of the line before have been taken.
    pub fn take(&mut self, step: &PathStep) {
        (self.step, self.left) = (*step, step.repeat);
        self.collide = step.collide.unwrap_or(self.collide);
    }

    /// What `walker` wants in the next step, after bringing it to the mode of that step; `None` when the line has no more.
    pub fn next_input(&mut self, walker: &mut Walker) -> Option<Input> {
        self.left = self.left.checked_sub(1)?;
        let mode = self.step.mode.unwrap_or(super::PathMode::of(walker.mode()));
        walker.set_mode(mode.with(self.collide));
        Some(self.step.input(walker))
    }
}

/// A whole path in memory, to be taken in steps.
#[derive(Clone, Debug)]
pub struct Replay {
    name: String,
    start: PathStart,
    lines: Vec<PathStep>,
    next: usize,
    run: Run,
    taken: u64,
    all: u64,
}

/// Lines of a path in memory at most: some hours of a head that never rests.
const MOST_LINES: usize = 4_000_000;

impl Replay {
    /// Reads a path from a file, or from standard input for `-`.
    ///
    /// # Errors
    /// When it cannot be read, has more than four million lines, or one of them makes no sense.
    pub fn open(path: &Path) -> Result<Replay, PathError> {
        Replay::read(JsonLines::open(path)?)
    }

    /// Reads a path from lines.
    ///
    /// # Errors
    /// When they cannot be read, are more than four million, or one of them makes no sense.
    pub fn read(lines: JsonLines) -> Result<Replay, PathError> {
        let name = lines.name().to_owned();
        let mut reader = PathReader::new(lines);
        let start = reader.start()?;
        let (mut lines, mut all) = (Vec::new(), 0_u64);
        while let Some(step) = reader.next_step()? {
            if lines.len() == MOST_LINES {
                return Err(reader.lines.fault(format!("a path to replay has {MOST_LINES} lines at most")));
            }
            all += step.repeat;
            lines.push(step);
        }
        Ok(Replay { name, run: Run::new(&start), start, lines, next: 0, taken: 0, all })
    }

    /// Where it was read from.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The walker at the start.
    ///
    /// # Errors
    /// When the start makes no sense in this level.
    pub fn walker(&self, level: &Level, tree: &Tree, settings: &Settings) -> Result<Walker, PathError> {
        let fault = |fault| PathError::Line { name: self.name.clone(), line: 1, fault };
        self.start.walker(level, tree, settings).map_err(fault)
    }

    /// What `walker` wants in the next step, after bringing it to the mode of that step; `None` at the end.
    pub fn next_input(&mut self, walker: &mut Walker) -> Option<Input> {
        let mut input = self.run.next_input(walker);
        if input.is_none() {
            self.run.take(self.lines.get(self.next)?);
            self.next += 1;
            input = self.run.next_input(walker);
        }
        self.taken += 1;
        input
    }

    /// Steps taken so far.
    pub fn taken(&self) -> u64 {
        self.taken
    }

    /// Steps in all.
    pub fn all(&self) -> u64 {
        self.all
    }
}
