//! Rays into a level, answered in Node or a browser by the library alone: `checks/web` builds and runs it.

use std::path::Path;

use glam::Vec3;
use nodetree::geometry::Ray;
use nodetree::level::{LoadOptions, read_obj};
use nodetree::query::Faces;
use nodetree::tree::{Mode, Settings, Tree};
use wasm_bindgen::prelude::*;

/// A level and its tree.
#[wasm_bindgen]
pub struct Level {
    tree: Tree,
    origin: [f64; 3],
}

#[wasm_bindgen]
impl Level {
    /// Reads an OBJ file. What is wrong with it is thrown.
    #[wasm_bindgen(constructor)]
    pub fn new(obj: &[u8]) -> Result<Level, String> {
        let level =
            read_obj(obj, Path::new("level.obj"), &LoadOptions::default()).map_err(|error| error.to_string())?;
        let tree = Tree::build(&level, &Settings::new(Mode::for_bounds(&level.bounds())));
        Ok(Level { tree, origin: level.origin.to_array() })
    }

    /// Distance along a ray to the first surface in metres; `undefined` when there is none, or the direction is no direction.
    pub fn distance(&self, from: &[f64], towards: &[f64]) -> Option<f32> {
        let local = |axis: usize| Some((from.get(axis)? - self.origin[axis]) as f32);
        let eye = Vec3::new(local(0)?, local(1)?, local(2)?);
        let direction = Vec3::new(*towards.first()? as f32, *towards.get(1)? as f32, *towards.get(2)? as f32);
        let hit = self.tree.ray(&Ray::new(eye, direction).ok()?, f32::INFINITY, Faces::Both)?;
        Some(hit.distance)
    }
}
