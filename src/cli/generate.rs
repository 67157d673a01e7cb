//! `nodetree generate`.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, bail};
use nodetree::{generate, level};

use super::open::whole;
use super::output::ensure_folder;

#[derive(clap::Args)]
pub struct Args {
    /// Which level to write
    #[arg(value_name = "LEVEL", value_parser = generate::NAMES)]
    name: String,
    /// How many triangles, about
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole(1..=generate::MAX_TRIANGLES))]
    triangles: Option<u32>,
    /// Tells variants apart
    #[arg(long, default_value_t = 1, value_name = "S", allow_negative_numbers = true, value_parser = whole(0..=u64::MAX))]
    seed: u64,
    /// The OBJ file; its MTL file and a folder of textures are written beside it
    #[arg(short, long, value_name = "FILE.obj")]
    output: PathBuf,
}

pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let path = &args.output;
    if !path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("obj")) {
        bail!("{} does not end in .obj; a level is written as OBJ with MTL and textures beside it", path.display());
    }
    ensure_folder(path)?;
    let triangles = args.triangles.map(|count| count as usize);
    let made = generate::by_name(&args.name, triangles, args.seed)
        .with_context(|| format!("there is no built-in level {:?}", args.name))?;
    level::write_obj(&made, path)?;
    let count = made.triangles.len();
    if let Some(asked) = triangles.filter(|asked| count > 2 * asked) {
        eprintln!("nodetree: warning: {} cannot be made of {asked} triangles; it has {count}", args.name);
    }
    let mut out = io::stdout().lock();
    writeln!(out, "{}: {count} triangles, {} materials", path.display(), made.materials.len())?;
    if let Some(spawn) = made.spawn {
        let feet = spawn.feet;
        writeln!(out, "start at --spawn {},{},{}", feet.x, feet.y, feet.z)?;
    }
    Ok(ExitCode::SUCCESS)
}
