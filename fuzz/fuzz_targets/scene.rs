//! Any text as a scene file: it opens or is refused, and what opens makes sound trees, also after a while.
#![no_main]

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use nodetree::level::{Level, LoadError, LoadOptions};
use nodetree::scene::Scene;
use nodetree::tree::{Mode, Settings, Tree};

fuzz_target!(|text: &str| {
    // Generating a whole castle for each input would find nothing more.
    if text.contains("builtin:") {
        return;
    }
    // Every file is a small model, but one.
    let load = |path: &Path, _: &LoadOptions| match path.ends_with("missing.obj") {
        true => Err(LoadError::Missing { path: path.to_owned() }),
        false => Ok(nodetree::generate::props::ball()),
    };
    let Ok(mut scene) = Scene::parse(text, Path::new("nowhere-at-all/fuzz.toml"), load) else { return };
    sound(&scene.level());
    scene.advance(1.25);
    assert!(scene.lights().all(|light| light.color.is_finite() && light.direction.is_normalized()));
    if scene.props().len() < 100 {
        sound(&scene.solid().level);
    }
});

fn sound(level: &Level) {
    let corners: Vec<_> = (0..level.triangles.len() as u32).map(|number| level.corners(number)).collect();
    let materials: Vec<u32> = level.triangles.iter().map(|triangle| triangle.material).collect();
    assert!(materials.iter().all(|&material| (material as usize) < level.materials.len()));
    Tree::build(level, &Settings::new(Mode::Octree)).validate(&corners, &materials).expect("a sound tree");
}
