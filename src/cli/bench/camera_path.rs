//! Camera paths from a file.

use anyhow::{anyhow, bail};
use glam::DVec3;
use nodetree::camera::Camera;
use nodetree::level::Level;
use nodetree::tree::Tree;
use nodetree::walk::path::{JsonLines, PathError, PathReader, Run};
use nodetree::walk::{self, Walker};
use serde::Deserialize;

/// One line of a path: a camera, or a step as `nodetree walk` prints it; the lines of a recorded walk have neither.
#[derive(Deserialize)]
struct PathLine {
    camera: Option<[f64; 5]>,
    eye: Option<[f64; 3]>,
    yaw: Option<f64>,
    pitch: Option<f64>,
}

impl PathLine {
    /// In level coordinates and degrees.
    fn pose(&self) -> Option<[f64; 5]> {
        let of_step = || self.eye.map(|[x, y, z]| [x, y, z, self.yaw.unwrap_or(0.0), self.pitch.unwrap_or(0.0)]);
        self.camera.or_else(of_step)
    }
}

/// A recorded walk gives a camera for each so many steps: 60 a second.
const STEPS_A_FRAME: u64 = 2;
/// Cameras at most.
const MOST: usize = 1_000_000;

/// Reads cameras in level coordinates and degrees, or takes a recorded walk on `tree` with the usual body again and looks
/// through its eyes.
pub fn read_path(mut lines: JsonLines, level: &Level, tree: &Tree) -> anyhow::Result<Vec<Camera>> {
    let mut path = Vec::new();
    while let Some(line) = lines.read::<PathLine>()? {
        let Some([x, y, z, yaw, pitch]) = line.pose() else {
            if path.is_empty() {
                lines.put_back();
                return walked(lines, level, tree);
            }
            bail!(lines.fault("neither \"camera\" nor \"eye\"; each line needs one of them"));
        };
        if path.len() == MOST {
            bail!(lines.fault(format!("a path has {MOST} cameras at most")));
        }
        path.push(Camera {
            eye: level.to_local(DVec3::new(x, y, z)),
            yaw: yaw.to_radians() as f32,
            pitch: pitch.to_radians() as f32,
            ..Camera::default()
        });
    }
    some_of(path, lines.name())
}

fn walked(lines: JsonLines, level: &Level, tree: &Tree) -> anyhow::Result<Vec<Camera>> {
    let settings = walk::Settings::default();
    let name = lines.name().to_owned();
    let mut reader = PathReader::new(lines);
    let start = reader.start().map_err(|error| match error {
        PathError::Line { name, line, fault } => {
            anyhow!("{name}, line {line}: neither \"camera\" nor \"eye\", nor the start of a recorded walk: {fault}")
        }
        other => other.into(),
    })?;
    let mut walker = reader.walker(&start, level, tree, &settings)?;
    let mut run = Run::new(&start);
    let (mut path, mut steps) = (Vec::new(), 0_u64);
    while let Some(line) = reader.next_step()? {
        run.take(&line);
        while let Some(input) = run.next_input(&mut walker) {
            walker.step(tree, &settings, &input);
            steps += 1;
            if steps.is_multiple_of(STEPS_A_FRAME) {
                if path.len() == MOST {
                    bail!("{name}: a path has {MOST} cameras at most");
                }
                path.push(seen_by(&walker, &settings));
            }
        }
    }
    some_of(path, &name)
}

fn seen_by(walker: &Walker, settings: &walk::Settings) -> Camera {
    Camera { eye: walker.eye(settings), yaw: walker.yaw(), pitch: walker.pitch(), ..Camera::default() }
}

fn some_of(path: Vec<Camera>, name: &str) -> anyhow::Result<Vec<Camera>> {
    if path.is_empty() {
        bail!("{name} holds no cameras; write one a line, as in {{\"camera\":[X,Y,Z,YAW,PITCH]}}");
    }
    Ok(path)
}
