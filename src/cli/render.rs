//! `nodetree render`: one picture to a file.

use std::io::{self, Cursor, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use image::{ImageFormat, RgbaImage};
use nodetree::level::Level;
use nodetree::render::Gpu;
use nodetree::scene::Scene;
use nodetree::tree::Tree;

use super::look::{Drawn, LookArgs, View};
use super::open::{LevelArgs, Numbers};
use super::output::{Output, ensure_apart};

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
    /// Scene: how long it has moved
    #[arg(long, value_name = "SECONDS", default_value_t = 0.0, allow_negative_numbers = true, value_parser = seconds)]
    time: f64,
}

/// A time after which things that move still stand somewhere in particular.
fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if (0.0..=1e6).contains(&seconds) => Ok(seconds),
        _ => Err("must be from 0 to 1000000 seconds".to_owned()),
    }
}

pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    // All that can fail early does, before a large level is read.
    let mut output = open_picture(&args.output)?;
    let read =
        [Some(&args.level.level), args.level.texture.as_ref(), args.look.sky.as_ref(), args.look.sky_over.as_ref()];
    ensure_apart(&args.output, read.into_iter().flatten().map(PathBuf::as_path))?;
    let gpu = args.look.open_gpu()?;
    let sky = args.look.sky(&args.level)?;
    let (level, mut scene) = args.level.open_scene()?;
    for warning in level.warnings.iter() {
        eprintln!("nodetree: warning: {warning}");
    }
    let sky = args.look.sky_of(&scene, sky)?;
    scene.advance(args.time);
    let view = args.view(&level, &scene)?;
    let tree = Tree::build(&level, &args.level.tree_settings(&level));
    args.look.add_props(&mut scene, &level, &tree, args.level.seed);
    let drawn = args.look.draw(&gpu, &sky, (&level, &tree, &scene), &view)?;
    output.write(&png(&drawn.picture)?)?;
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
    fn view(&self, level: &Level, scene: &Scene) -> anyhow::Result<View> {
        Ok(match self.freeze_at {
            Some(pose) => View {
                camera: self.look.camera_from_outside(level, scene)?,
                culled_from: Some(self.look.camera_at(level, pose).context("--freeze-at")?),
            },
            None => {
                let camera = self.look.camera(level, scene)?;
                View { camera, culled_from: (!self.no_cull).then_some(camera) }
            }
        })
    }
}

/// Where the picture is, and what culling and drawing did.
fn report(path: &Path, gpu: &Gpu, tree: &Tree, drawn: &Drawn, everything: bool) -> String {
    let Drawn { picture, culling, rendering, props: [props, of] } = drawn;
    let props = if *of > 0 { format!(", {props} of {of} props") } else { String::new() };
    let (width, height) = picture.dimensions();
    let place = if path == Path::new("-") { "standard output".to_owned() } else { path.display().to_string() };
    let cells = if everything {
        "no culling".to_owned()
    } else {
        let mode = tree.mode().name();
        let (visited, inside) = (culling.visited, culling.inside);
        format!(
            "{mode}: {visited} cells visited, {inside} inside, {} crossing, {} culled{}",
            culling.crossing,
            culling.outside,
            if culling.hidden > 0 { format!(", {} hidden", culling.hidden) } else { String::new() }
        )
    };
    format!(
        "{place}: {width}x{height} by {}, {}x samples\n{cells}; {} of {} triangles{props} in {} draw calls, {} material changes",
        gpu.description(),
        rendering.samples,
        culling.triangles,
        tree.groups().triangles().len(),
        rendering.draw_calls,
        rendering.material_changes,
    )
}

/// Opens the place for a picture.
pub fn open_picture(path: &Path) -> anyhow::Result<Output<'_>> {
    if let Some(extension) = path.extension()
        && !extension.eq_ignore_ascii_case("png")
    {
        bail!("cannot write {}: pictures are PNG, so name it .png", path.display());
    }
    Output::open(path)
}

/// A picture as the bytes of a PNG file.
pub fn png(picture: &RgbaImage) -> anyhow::Result<Vec<u8>> {
    let mut png = Cursor::new(Vec::new());
    picture.write_to(&mut png, ImageFormat::Png).context("cannot make a PNG")?;
    Ok(png.into_inner())
}
