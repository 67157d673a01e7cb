//! `nodetree generate`.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, bail};
use nodetree::{generate, level};

use super::open::whole;

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
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
        bail!("there is no folder {}; make it first, or give another place to -o", folder.display());
    }
    let triangles = args.triangles.map(|count| count as usize);
    let made = generate::by_name(&args.name, triangles, args.seed)
        .with_context(|| format!("there is no built-in level {:?}", args.name))?;
    level::write_obj(&made, path)?;
    println!("{}: {} triangles, {} materials", path.display(), made.triangles.len(), made.materials.len());
    if let Some(spawn) = made.spawn {
        let feet = spawn.feet;
        println!("start at --spawn {},{},{}", feet.x, feet.y, feet.z);
    }
    Ok(ExitCode::SUCCESS)
}
