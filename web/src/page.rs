//! Files that the page was given or has fetched, and the levels that they make.

use std::cell::RefCell;
use std::panic;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use nodetree::app::{self, MouseSettings, Opened, Options, Page, UseOcclusion, Wanted};
use nodetree::camera::Camera;
use nodetree::generate;
use nodetree::level::{self, InMemory, Level, LoadOptions, Progress};
use nodetree::render::{self, GpuOptions, SkySource};
use nodetree::scene::Scene;
use nodetree::tree::{Mode, Settings, Tree};
use nodetree::walk;
use wasm_bindgen::prelude::*;

/// What the page shows at first.
const FIRST: &str = "builtin:castle";

/// What the page was given.
static FILES: Mutex<Option<InMemory>> = Mutex::new(None);

thread_local! {
    static PAGE: RefCell<Option<Page>> = const { RefCell::new(None) };
}

/// Shows the castle on `canvas`, by WebGPU where the browser has it and `webgpu` allows that, else by WebGL2.
#[wasm_bindgen]
pub async fn start(canvas: web_sys::HtmlCanvasElement, webgpu: bool) -> Result<(), String> {
    let progress = Progress::default();
    let wanted = Wanted { path: Path::new(FIRST), tree: None, walks: true, progress: &progress };
    let options = Options {
        open: Arc::new(open),
        path: PathBuf::from(FIRST),
        watch: None,
        walks: true,
        replay: None,
        mouse: MouseSettings::default(),
        walker: walk::Settings::default(),
        size: (0, 0),
        gpu: GpuOptions::default(),
        samples: None,
        inspect: None,
        occlusion: UseOcclusion::Off,
        shadows: true,
        state: None,
    };
    let page = Page::open(canvas, webgpu, open(&wanted)?, options).await.map_err(|error| error.to_string())?;
    PAGE.set(Some(page));
    Ok(())
}

/// Says on the page's console, and by `tell`, when the program breaks off.
#[wasm_bindgen]
pub fn on_break(tell: js_sys::Function) {
    panic::set_hook(Box::new(move |info| {
        let what = JsValue::from_str(&info.to_string());
        web_sys::console::error_1(&what);
        let _ = tell.call1(&JsValue::NULL, &what);
    }));
}

/// Forgets the files that it was given before.
#[wasm_bindgen]
pub fn forget_files() {
    *FILES.lock().unwrap_or_else(PoisonError::into_inner) = None;
}

/// Takes a file; the path says where it is relative to the others.
#[wasm_bindgen]
pub fn give_file(path: &str, content: Vec<u8>) {
    files().get_or_insert_default().insert(path, content);
}

/// Which files the level of that path names and that were not given, as far as can be seen in those that were.
#[wasm_bindgen]
pub fn missing_files(path: &str) -> Vec<String> {
    let progress = Progress::default();
    let options = LoadOptions { progress: Some(progress.clone()), ..LoadOptions::default() };
    let files = files().clone().unwrap_or_default();
    // What is wrong is told when it is opened.
    let _ = level::load_from(&files, Path::new(path), &options);
    let missing = progress.files().into_iter().filter(|path| files.get(path).is_none());
    missing.map(|path| path.to_string_lossy().into_owned()).collect()
}

/// Begins to open a level: one of the files, or a built-in one.
#[wasm_bindgen]
pub fn open_level(path: &str) {
    with_page(|page| page.open_level(PathBuf::from(path)));
}

/// Flies from there on: the eye in level coordinates, heading and elevation in degrees.
#[wasm_bindgen]
pub fn look_from(x: f64, y: f64, z: f64, yaw: f64, pitch: f64) {
    with_page(|page| page.look_from([x, y, z, yaw, pitch]));
}

/// Says that the browser has let the mouse go.
#[wasm_bindgen]
pub fn mouse_released() {
    with_page(Page::mouse_released);
}

/// What the page shows, in JSON as `nodetree view --state` writes it; empty before the first frame.
#[wasm_bindgen]
pub fn state() -> String {
    PAGE.with_borrow(|page| page.as_ref().map_or_else(String::new, Page::state))
}

fn with_page(act: impl FnOnce(&Page)) {
    PAGE.with_borrow(|page| page.as_ref().map(act));
}

fn files() -> MutexGuard<'static, Option<InMemory>> {
    FILES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Opens a level with all that is shown of it.
fn open(wanted: &Wanted<'_>) -> Result<Opened, String> {
    let built_in = wanted.path.to_str().and_then(|path| path.strip_prefix("builtin:"));
    let level = match built_in {
        Some("castle") => generate::castle(&generate::Options::CASTLE),
        Some("terrain") => generate::terrain(&generate::Options::TERRAIN),
        Some("city") => generate::city(&generate::Options::CITY),
        Some(name) => return Err(format!("there is no built-in level {name:?}; there are castle, terrain and city")),
        None => read(wanted)?,
    };
    let settings = wanted.tree.unwrap_or_else(|| Settings::new(Mode::for_bounds(&level.bounds())));
    let tree = Tree::build(&level, &settings);
    let camera = render::starting_view(&level, Camera::default());
    let camera = if wanted.walks { app::on_foot(&level, &tree, &walk::Settings::default(), camera) } else { camera };
    let mut scene = Scene::default();
    scene.set_origin(level.origin);
    let sky = if built_in.is_some() { SkySource::painted() } else { SkySource::Gradient };
    Ok(Opened { level, tree, scene, camera, scene_camera: None, sky, sky_turn: 0.0 })
}

fn read(wanted: &Wanted<'_>) -> Result<Level, String> {
    let options = LoadOptions { progress: Some(wanted.progress.clone()), ..LoadOptions::default() };
    let files = files().clone().unwrap_or_default();
    level::load_from(&files, wanted.path, &options).map_err(|error| error.to_string())
}
