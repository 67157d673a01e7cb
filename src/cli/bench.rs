//! `nodetree bench`.

use std::process::ExitCode;

use super::open::LevelArgs;

#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    level: LevelArgs,
}

pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let _level = args.level.open()?;
    anyhow::bail!("bench is not built yet")
}
