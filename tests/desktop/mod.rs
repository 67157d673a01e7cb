//! A desktop of our own to try the window on: Xvfb with openbox, and xdotool for hands.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use image::RgbaImage;
use serde_json::Value;
use tempfile::TempDir;

/// What must be installed.
const TOOLS: [&str; 5] = ["Xvfb", "openbox", "xdotool", "wmctrl", "import"];
/// Width and height of the screen in pixels.
pub const SCREEN: (u32, u32) = (1024, 768);
/// Width and height of the window in pixels: small, as the processor may have to draw it.
pub const SIZE: (u32, u32) = (640, 360);
/// How long anything may take. A busy machine without a GPU draws a few frames a second.
pub const PATIENCE: Duration = Duration::from_secs(30);

/// The tools that are not installed.
pub fn missing_tools() -> Vec<&'static str> {
    let is_there = |tool: &str| {
        let path = std::env::var_os("PATH").unwrap_or_default();
        std::env::split_paths(&path).any(|folder| folder.join(tool).is_file())
    };
    TOOLS.into_iter().filter(|tool| !is_there(tool)).collect()
}

/// An X server with a window manager. Both end with it.
pub struct Desktop {
    display: String,
    server: Child,
    manager: Option<Child>,
}

impl Desktop {
    /// Starts one on a display number that the server picks.
    pub fn start() -> Desktop {
        let (width, height) = SCREEN;
        let mut server = Command::new("Xvfb")
            .args(["-displayfd", "1", "-nolisten", "tcp", "-screen", "0", &format!("{width}x{height}x24")])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("Xvfb starts");
        let mut number = String::new();
        BufReader::new(server.stdout.take().expect("a pipe")).read_line(&mut number).expect("Xvfb tells its display");
        let mut desktop = Desktop { display: format!(":{}", number.trim()), server, manager: None };
        let manager = desktop.command("openbox").stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        desktop.manager = Some(manager.expect("openbox starts"));
        until("the window manager answers", || {
            desktop
                .command("wmctrl")
                .arg("-m")
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .status()
                .is_ok_and(|s| s.success())
        });
        desktop
    }

    /// A command that talks to this desktop and to no other.
    pub fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new(program);
        command.env("DISPLAY", &self.display).env_remove("WAYLAND_DISPLAY").env_remove("WAYLAND_SOCKET");
        command
    }

    fn run(&self, program: &str, arguments: &[&str]) -> String {
        let output = self.command(program).args(arguments).output().expect("it is installed");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{program} {arguments:?}: {errors}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// Lets xdotool do something.
    pub fn hands(&self, arguments: &[&str]) -> String {
        self.run("xdotool", arguments)
    }

    /// Lets wmctrl ask the window manager for something.
    pub fn manage(&self, arguments: &[&str]) {
        self.run("wmctrl", arguments);
    }
}

impl Drop for Desktop {
    fn drop(&mut self) {
        for child in self.manager.iter_mut().chain([&mut self.server]) {
            // It may be gone by itself.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// The viewer on a desktop. Ends with it, unless it has ended.
pub struct Viewer<'a> {
    desktop: &'a Desktop,
    folder: TempDir,
    process: Child,
    /// The window's id, as xdotool writes it.
    pub id: String,
}

impl<'a> Viewer<'a> {
    /// Opens the window, waits until it shows something and has the focus, and puts the pointer into its middle.
    pub fn open(desktop: &'a Desktop, arguments: &[&str]) -> Viewer<'a> {
        let arguments: Vec<&str> = ["--spawn", "0.5,0,15"].into_iter().chain(arguments.iter().copied()).collect();
        Viewer::open_level(desktop, "level.obj", &arguments)
    }

    /// Opens the window on another level, by its full path.
    pub fn open_level(desktop: &'a Desktop, name: &str, arguments: &[&str]) -> Viewer<'a> {
        let folder = tempfile::tempdir().expect("a folder");
        let level = folder.path().join("level.obj");
        fs::write(&level, level_text()).expect("the level is written");
        let out = |name| fs::File::create(folder.path().join(name)).expect("a file");
        let process = desktop
            .command(env!("CARGO_BIN_EXE_nodetree"))
            .current_dir(folder.path())
            .args(["view", name, "--size"])
            .arg(format!("{}x{}", SIZE.0, SIZE.1))
            .args(["--state", "state.jsonl"])
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(out("out.txt"))
            .stderr(out("errors.txt"))
            .spawn()
            .expect("nodetree starts");
        let mut viewer = Viewer { desktop, folder, process, id: String::new() };
        viewer.wait_for("the first frame and the focus", |state| {
            state["frame"].as_u64() > Some(0) && state["focused"] == true
        });
        viewer.id = desktop.hands(&["search", "--onlyvisible", "--name", "^nodetree: "]).trim().to_owned();
        viewer.point_at(0, 0);
        viewer
    }

    /// Puts the pointer so many pixels right of and below the window's middle.
    pub fn point_at(&self, right: i32, down: i32) {
        let [width, height] = [0, 1].map(|axis| self.state()["size"][axis].as_i64().expect("a size") as i32);
        let [x, y] = [width / 2 + right, height / 2 + down].map(|pixels| pixels.to_string());
        self.desktop.hands(&["mousemove", "--window", &self.id, &x, &y]);
    }

    /// Where it runs.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The last complete line of the state file; null before the first.
    pub fn state(&self) -> Value {
        let text = fs::read_to_string(self.folder.path().join("state.jsonl")).unwrap_or_default();
        let complete = text.rfind('\n').map_or("", |end| &text[..end]);
        match complete.lines().last() {
            Some(line) => serde_json::from_str(line).expect("a line of JSON"),
            None => Value::Null,
        }
    }

    /// Waits until the state is as it should be, and gives it.
    pub fn wait_for(&mut self, what: &str, is_so: impl Fn(&Value) -> bool) -> Value {
        let start = Instant::now();
        loop {
            let state = self.state();
            if !state.is_null() && is_so(&state) {
                return state;
            }
            if let Some(status) = self.process.try_wait().expect("our child") {
                panic!("waiting for {what}: nodetree ended with {status}: {}", self.text("errors.txt"));
            }
            assert!(start.elapsed() < PATIENCE, "waiting for {what}: {state:#}\n{}", self.text("errors.txt"));
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// Waits until a field of the state has a value.
    pub fn wait_for_field(&mut self, field: &str, value: impl Into<Value>) -> Value {
        let value = value.into();
        self.wait_for(&format!("{field} = {value}"), |state| state[field] == value)
    }

    /// Presses and releases a key, named as X names it.
    pub fn press(&self, key: &str) {
        self.desktop.hands(&["key", key]);
    }

    /// Lets xdotool do something.
    pub fn hands(&self, arguments: &[&str]) {
        self.desktop.hands(arguments);
    }

    /// Lets wmctrl do something with this window.
    pub fn manage(&self, action: &[&str]) {
        self.desktop.manage(&[&["-i"], action, &[&self.id]].concat());
    }

    /// The process's number.
    pub fn pid(&self) -> u32 {
        self.process.id()
    }

    /// The display that it is on.
    pub fn display(&self) -> &str {
        &self.desktop.display
    }

    /// What the window is called.
    pub fn title(&self) -> String {
        self.desktop.hands(&["getwindowname", &self.id]).trim().to_owned()
    }

    /// What the window shows on the screen.
    pub fn picture(&self) -> RgbaImage {
        let path = self.folder.path().join("screen.png");
        self.desktop.run("import", &["-silent", "-window", &self.id, path.to_str().expect("UTF-8")]);
        if let Some(keep) = std::env::var_os("NODETREE_KEEP_PICTURES") {
            let number = fs::read_dir(&keep).map_or(0, Iterator::count);
            fs::copy(&path, PathBuf::from(keep).join(format!("{number:03}.png"))).expect("the folder is there");
        }
        image::open(&path).expect("a picture").to_rgba8()
    }

    /// Waits until the window shows something else than `before` in at least this part of its pixels.
    pub fn wait_for_change(&self, what: &str, before: &RgbaImage, part: f64) -> RgbaImage {
        let start = Instant::now();
        loop {
            let now = self.picture();
            let changed = difference(before, &now);
            if changed >= part {
                return now;
            }
            assert!(start.elapsed() < PATIENCE, "waiting for {what}: only {changed} of the picture changed");
            thread::sleep(Duration::from_millis(100));
        }
    }

    /// A file in its folder, `out.txt` for what it printed.
    pub fn text(&self, name: &str) -> String {
        fs::read_to_string(self.folder.path().join(name)).unwrap_or_default()
    }

    /// Waits until it has ended.
    pub fn ended(&mut self) -> ExitStatus {
        let start = Instant::now();
        loop {
            if let Some(status) = self.process.try_wait().expect("our child") {
                return status;
            }
            assert!(start.elapsed() < PATIENCE, "it does not end");
            thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for Viewer<'_> {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The part of the pixels that differ, 1 where the sizes do.
pub fn difference(one: &RgbaImage, other: &RgbaImage) -> f64 {
    if one.dimensions() != other.dimensions() {
        return 1.0;
    }
    let differ = one.pixels().zip(other.pixels()).filter(|(one, other)| one != other).count();
    differ as f64 / (one.width() * one.height()) as f64
}

fn until(what: &str, is_so: impl Fn() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < PATIENCE, "waiting until {what}");
        thread::sleep(Duration::from_millis(50));
    }
}

/// A floor of 80 m by 80 m with a wall around it and blocks on it, none of them near the middle column.
fn level_text() -> String {
    let mut text = String::from("mtllib none.mtl\n");
    let mut block = |material: &str, [x0, y0, z0]: [f32; 3], [x1, y1, z1]: [f32; 3]| {
        text += &format!("usemtl {material}\n");
        for (x, y, z) in [(x0, y0, z0), (x1, y0, z0), (x1, y1, z0), (x0, y1, z0)] {
            text += &format!("v {x} {y} {z}\n");
        }
        for (x, y, z) in [(x0, y0, z1), (x1, y0, z1), (x1, y1, z1), (x0, y1, z1)] {
            text += &format!("v {x} {y} {z}\n");
        }
        for face in ["-8 -5 -6 -7", "-4 -3 -2 -1", "-8 -7 -3 -4", "-6 -5 -1 -2", "-8 -4 -1 -5", "-7 -6 -2 -3"] {
            text += &format!("f {face}\n");
        }
    };
    for x in -20..20 {
        for z in -20..20 {
            let (left, far) = (2.0 * x as f32, 2.0 * z as f32);
            block("floor", [left, -1.0, far], [left + 2.0, 0.0, far + 2.0]);
            if x % 4 == 2 && z % 3 == 0 {
                block("block", [left, 0.0, far], [left + 1.0, 1.0 + (z + 20) as f32 / 8.0, far + 1.0]);
            }
        }
    }
    block("wall", [-40.0, 0.0, -41.0], [40.0, 12.0, -40.0]);
    block("wall", [-40.0, 0.0, 40.0], [40.0, 12.0, 41.0]);
    block("wall", [-41.0, 0.0, -40.0], [-40.0, 12.0, 40.0]);
    block("wall", [40.0, 0.0, -40.0], [41.0, 12.0, 40.0]);
    text
}
