//! `nodetree render`: one picture to a file.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Cursor, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail, ensure};
use image::{ImageFormat, RgbaImage};
use nodetree::level::Level;
use nodetree::render::Gpu;
use nodetree::tree::Tree;

use super::look::{Drawn, LookArgs, View};
use super::open::{LevelArgs, Numbers};

#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    level: LevelArgs,
    #[command(flatten)]
    look: LookArgs,
    /// Where to write the PNG; - is standard output
    #[arg(short, long, value_name = "PICTURE.png")]
    output: PathBuf,
    /// Draw every triangle
    #[arg(long, conflicts_with = "freeze_at")]
    no_cull: bool,
    /// Cull from here, and show what was culled and why from --camera
    #[arg(long, value_name = "X,Y,Z,YAW,PITCH", allow_hyphen_values = true)]
    freeze_at: Option<Numbers<5>>,
}

pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    // All that can fail early does, before a large level is read.
    let mut output = Output::open(&args.output)?;
    let gpu = args.look.open_gpu()?;
    let sky = args.look.sky()?;
    let level = args.level.open()?;
    for warning in level.warnings.iter() {
        eprintln!("nodetree: warning: {warning}");
    }
    let view = args.view(&level)?;
    let tree = Tree::build(&level, &args.level.tree_settings(&level));
    let drawn = args.look.draw(&gpu, &sky, &level, &tree, &view)?;
    output.write(&drawn.picture)?;
    let report = report(&args.output, &gpu, &tree, &drawn, args.no_cull);
    // Standard output holds the picture.
    if output.is_standard() {
        eprintln!("{report}");
    } else {
        writeln!(io::stdout(), "{report}")?;
    }
    Ok(ExitCode::SUCCESS)
}

impl Args {
    fn view(&self, level: &Level) -> anyhow::Result<View> {
        Ok(match self.freeze_at {
            Some(pose) => View {
                camera: self.look.camera_from_outside(level)?,
                culled_from: Some(self.look.camera_at(level, pose).context("--freeze-at")?),
            },
            None => {
                let camera = self.look.camera(level)?;
                View { camera, culled_from: (!self.no_cull).then_some(camera) }
            }
        })
    }
}

/// Where the picture is, and what culling and drawing did.
fn report(path: &Path, gpu: &Gpu, tree: &Tree, drawn: &Drawn, everything: bool) -> String {
    let Drawn { picture, culling, rendering } = drawn;
    let (width, height) = picture.dimensions();
    let place = if path == Path::new("-") { "standard output".to_owned() } else { path.display().to_string() };
    let cells = if everything {
        "no culling".to_owned()
    } else {
        let mode = tree.mode().name();
        let (visited, inside) = (culling.visited, culling.inside);
        format!(
            "{mode}: {visited} cells visited, {inside} inside, {} crossing, {} culled",
            culling.crossing, culling.outside
        )
    };
    format!(
        "{place}: {width}x{height} by {}, {}x samples\n{cells}; {} of {} triangles in {} draw calls, {} material changes",
        gpu.description(),
        rendering.samples,
        culling.triangles,
        tree.groups().triangles().len(),
        rendering.draw_calls,
        rendering.material_changes,
    )
}

/// Where a picture goes. Opened before the work, so that a place that can't be written is told at once.
pub struct Output<'a> {
    path: &'a Path,
    /// `None` for standard output.
    file: Option<File>,
    /// The file was not there before, and has nothing in it yet.
    is_fresh: bool,
}

impl<'a> Output<'a> {
    pub fn open(path: &'a Path) -> anyhow::Result<Output<'a>> {
        if path == Path::new("-") {
            return Ok(Output { path, file: None, is_fresh: false });
        }
        ensure!(!path.is_dir(), "cannot write {}: it is a folder", path.display());
        if let Some(extension) = path.extension()
            && !extension.eq_ignore_ascii_case("png")
        {
            bail!("cannot write {}: pictures are PNG, so name it .png", path.display());
        }
        let is_fresh = !path.exists();
        let file = OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .with_context(|| format!("cannot write {}", path.display()))?;
        Ok(Output { path, file: Some(file), is_fresh })
    }

    fn is_standard(&self) -> bool {
        self.file.is_none()
    }

    pub fn write(&mut self, picture: &RgbaImage) -> anyhow::Result<()> {
        let mut png = Cursor::new(Vec::new());
        picture.write_to(&mut png, ImageFormat::Png).context("cannot make a PNG")?;
        let Some(file) = &mut self.file else {
            let mut standard = io::stdout().lock();
            return Ok(standard.write_all(png.get_ref()).and_then(|()| standard.flush())?);
        };
        // What was there before goes only now that there is something to replace it. Devices have no length to set.
        let emptied = if file.metadata().is_ok_and(|metadata| metadata.is_file()) { file.set_len(0) } else { Ok(()) };
        emptied
            .and_then(|()| file.write_all(png.get_ref()))
            .with_context(|| format!("cannot write {}", self.path.display()))?;
        self.is_fresh = false;
        Ok(())
    }
}

impl Drop for Output<'_> {
    /// Leaves no empty file behind when there is no picture.
    fn drop(&mut self) {
        if self.is_fresh && self.file.take().is_some() {
            // It is empty and ours; if it can't be removed there is nothing more to do.
            let _ = fs::remove_file(self.path);
        }
    }
}
