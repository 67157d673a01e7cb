//! Camera paths from a file.

use std::fs;
use std::io::{self, BufRead};
use std::path::Path;

use anyhow::{Context, bail};
use glam::DVec3;
use nodetree::camera::Camera;
use nodetree::level::Level;
use serde::Deserialize;

/// One line of a path: a camera, or a step of a recorded walk or its inputs, which have none.
#[derive(Deserialize)]
struct PathLine {
    camera: Option<[f64; 5]>,
    eye: Option<[f64; 3]>,
    yaw: Option<f64>,
    pitch: Option<f64>,
}

/// Reads cameras in level coordinates and degrees.
pub fn read_path(file: &Path, level: &Level) -> anyhow::Result<Vec<Camera>> {
    let reader: Box<dyn BufRead> = if file == Path::new("-") {
        Box::new(io::stdin().lock())
    } else {
        let opened = fs::File::open(file).with_context(|| format!("cannot read the path {}", file.display()))?;
        Box::new(io::BufReader::new(opened))
    };
    let mut path = Vec::new();
    for (number, line) in reader.lines().enumerate() {
        let place = || format!("{}, line {}", file.display(), number + 1);
        let line = line.with_context(place)?;
        if line.trim().is_empty() {
            continue;
        }
        let line: PathLine = serde_json::from_str(&line).with_context(place)?;
        let [x, y, z, yaw, pitch] = match (line.camera, line.eye) {
            (Some(camera), _) => camera,
            (None, Some([x, y, z])) => [x, y, z, line.yaw.unwrap_or(0.0), line.pitch.unwrap_or(0.0)],
            (None, None) => bail!("{}: neither \"camera\" nor \"eye\"", place()),
        };
        path.push(Camera {
            eye: level.to_local(DVec3::new(x, y, z)),
            yaw: yaw.to_radians() as f32,
            pitch: pitch.to_radians() as f32,
            ..Camera::default()
        });
    }
    if path.is_empty() {
        bail!("{} holds no cameras", file.display());
    }
    Ok(path)
}
