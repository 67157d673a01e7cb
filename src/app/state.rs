//! What the viewer shows: the numbers of the display, and the same as JSON Lines for scripts.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use serde::Serialize;

/// Everything that the display shows, at one moment. One object of this shape is a line of `view --state FILE`, written
/// after each frame, after each change, and at least four times a second. Positions are level coordinates in metres,
/// angles degrees, times milliseconds.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct State {
    /// Frames drawn so far.
    pub frame: u64,
    /// Time since the window was asked for.
    pub time_ms: f64,
    /// Time from the last frame to the one before it.
    pub frame_ms: f32,
    /// Half of the last 120 frames took at most this long.
    pub frame_median_ms: f32,
    /// 99 of 100 of the last 120 frames took at most this long.
    pub frame_p99_ms: f32,
    /// Of the tree in use: `quadtree` or `octree`.
    pub mode: &'static str,
    /// Name of the level.
    pub level: String,
    /// A level that is being loaded, to be shown instead; `null` when none is.
    pub loading: Option<Loading>,
    /// A tree of the other mode is being built in the background.
    pub rebuilding: bool,
    /// `fly` or `walk`.
    pub moving: &'static str,
    /// The eye in flight, the feet on foot.
    pub position: [f64; 3],
    /// The eye.
    pub eye: [f64; 3],
    /// Where the picture is looked at from: the eye, or behind it in third person.
    pub camera: [f64; 3],
    /// Heading, 0 along -Z, growing to the left.
    pub yaw: f32,
    /// Elevation, growing upwards.
    pub pitch: f32,
    /// On foot, and standing on something.
    pub grounded: bool,
    /// On foot, and crouching.
    pub crouched: bool,
    /// Speed of flight in metres a second, without Shift.
    pub speed: f32,
    /// Flight slides along the level instead of passing through it.
    pub collide: bool,
    /// The camera follows behind the walker.
    pub third_person: bool,
    /// A path is being recorded.
    pub recording: bool,
    /// Steps of 1/120 s recorded so far; 0 when none is.
    pub recorded_steps: u64,
    /// A recorded path drives the walker.
    pub replaying: bool,
    /// Steps of it that were taken, and all of them; 0 when there is none.
    pub replayed_steps: [u64; 2],
    /// The culling camera is frozen.
    pub frozen: bool,
    /// The picture is taken from where `Shift+F` was pressed, and culled from where one walks.
    pub watching: bool,
    /// Node boxes are shown.
    pub boxes: bool,
    /// Edges only.
    pub wireframe: bool,
    /// What is hidden behind nearer surfaces is left out where that pays.
    pub occlusion: bool,
    /// The debug view that is shown: `off`, `walker`, `cells`, `overdraw`, `depth` or `normals`.
    pub debug_view: &'static str,
    /// The numbers are shown.
    pub hud: bool,
    /// The cheat sheet is shown.
    pub help: bool,
    /// The window fills the screen.
    pub full_screen: bool,
    /// What culling looked at in the last frame.
    pub nodes: Nodes,
    /// What was drawn of the level in the last frame.
    pub triangles: Triangles,
    /// Props and balls of the last frame.
    pub props: PropsDrawn,
    /// Balls that have been thrown and are still there.
    pub balls: u32,
    /// Names of the triggers that the walker is in.
    pub triggers: Vec<String>,
    /// The camera of the scene that is looked through; `null` when it is one's own eye.
    pub scene_camera: Option<String>,
    /// Draw calls of the last frame for the level, props and balls.
    pub draw_calls: u32,
    /// Changes of material in the last frame.
    pub material_changes: u32,
    /// Triangles of the level drawn into shadow maps for this frame: 0 where those of the frame before still hold.
    pub shadow_triangles: u32,
    /// Width and height of the window's contents in physical pixels.
    pub size: [u32; 2],
    /// The window has the keyboard.
    pub focused: bool,
    /// The mouse is captured.
    pub captured: bool,
    /// The graphics adapter and its backend; a software adapter is called one.
    pub adapter: String,
    /// What the middle of the view meets; `null` when that is nothing.
    pub crosshair: Option<Crosshair>,
    /// Height of the surface straight below the eye; `null` when there is none.
    pub height_below: Option<f64>,
    /// Height of the surface straight above the eye; `null` when there is none.
    pub height_above: Option<f64>,
    /// The marked point; `null` when none is marked.
    pub mark: Option<MarkState>,
    /// Where the bookmark is: the eye, heading and elevation in degrees, as `--camera` takes them; `null` when none is set.
    pub bookmark: Option<[f64; 5]>,
    /// Faults of the level that were mended.
    pub warnings: u64,
    /// What the display tells at the moment, such as where a picture was saved.
    pub message: Option<String>,
}

/// Nodes of the tree that culling looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Nodes {
    /// Nodes whose box was tested.
    pub visited: u32,
    /// Those wholly in view.
    pub inside: u32,
    /// Those partly in view.
    pub crossing: u32,
    /// Those out of view.
    pub outside: u32,
    /// Those in view but hidden behind nearer surfaces, and left out.
    pub hidden: u32,
}

/// Triangles of the level.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Triangles {
    /// Handed to the graphics adapter in the last frame.
    pub drawn: u32,
    /// In the tree.
    pub all: u32,
}

/// Props and balls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct PropsDrawn {
    /// Drawn in the last frame.
    pub drawn: u32,
    /// All that are not hidden.
    pub all: u32,
}

/// A level that is being loaded.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Loading {
    /// Its file.
    pub path: String,
    /// Bytes of its files that were gone through; an OBJ file is gone through twice.
    pub read: u64,
    /// And how many there are. When they were all read, tree and textures are still to be made.
    pub of: u64,
}

/// What the middle of the view meets.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Crosshair {
    /// Metres from the eye.
    pub distance: f32,
    /// Where.
    pub point: [f64; 3],
    /// Name of the material.
    pub material: String,
    /// Number of the triangle in the level.
    pub triangle: u32,
}

/// A marked point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct MarkState {
    /// Where.
    pub point: [f64; 3],
    /// Metres from the eye.
    pub distance: f32,
    /// Nothing stands between the eye and the point.
    pub in_sight: bool,
}

/// Writes states as JSON Lines.
pub struct StateLog {
    out: Box<dyn Write>,
}

impl StateLog {
    /// Opens the file, or standard output for `-`.
    ///
    /// # Errors
    /// When the file cannot be made.
    pub fn open(path: &Path) -> io::Result<StateLog> {
        let out: Box<dyn Write> =
            if path.as_os_str() == "-" { Box::new(io::stdout()) } else { Box::new(File::create(path)?) };
        Ok(StateLog::to(out))
    }

    /// Writes to something else.
    pub fn to(out: Box<dyn Write>) -> StateLog {
        StateLog { out: Box::new(BufWriter::new(out)) }
    }

    /// Writes one line and flushes it.
    ///
    /// # Errors
    /// When it cannot be written: the disk is full, or the reader went away.
    pub fn write(&mut self, state: &State) -> io::Result<()> {
        serde_json::to_writer(&mut self.out, state)?;
        self.out.write_all(b"\n")?;
        self.out.flush()
    }
}
