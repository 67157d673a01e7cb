//! The configuration file: settings that somebody wants each time. Options override it.

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, ensure};
use serde::Deserialize;

use super::walker::WalkerSettings;

/// What the file may hold; everything may be absent.
#[derive(Debug, Default, Deserialize, PartialEq)]
#[serde(default, deny_unknown_fields, expecting = "a table of settings")]
pub struct Config {
    pub walker: WalkerSettings,
}

/// The largest file that is read, in bytes.
const LARGEST: u64 = 1 << 20;

impl Config {
    /// Reads a file, or the one in the platform's place, which need not exist.
    pub fn read(file: Option<&Path>) -> anyhow::Result<Config> {
        let Some(path) = file.map(Path::to_owned).or_else(Config::usual_path) else { return Ok(Config::default()) };
        let name = path.display();
        let mut text = String::new();
        // Pipes may never end.
        let is_regular = |path: &Path| Ok::<bool, io::Error>(path.metadata()?.is_file());
        let read = match is_regular(&path) {
            Ok(false) => Err(io::Error::new(ErrorKind::InvalidInput, "it is not a regular file")),
            Ok(true) => File::open(&path).and_then(|file| file.take(LARGEST).read_to_string(&mut text)),
            Err(error) => Err(error),
        };
        match read {
            Err(error) if file.is_none() && error.kind() == ErrorKind::NotFound => return Ok(Config::default()),
            read => read.with_context(|| format!("cannot read the settings {name}"))?,
        };
        ensure!((text.len() as u64) < LARGEST, "{name} is too large for settings");
        let config = Config::parse(&text).with_context(|| format!("{name}"))?;
        config.walker.settings().with_context(|| format!("{name}"))?;
        Ok(config)
    }

    /// Where the file is looked for: `nodetree/config.toml` in the user's folder for configuration.
    fn usual_path() -> Option<PathBuf> {
        Some(directories::BaseDirs::new()?.config_dir().join("nodetree").join("config.toml"))
    }

    fn parse(text: &str) -> anyhow::Result<Config> {
        toml::from_str(text).map_err(|error| {
            let before = error.span().map_or("", |span| text.get(..span.start).unwrap_or_default());
            let line = before.matches('\n').count() + 1;
            let what = error.message().replace('\n', " ").replace("expected f32", "expected a number");
            anyhow!("line {line}: {what}")
        })
    }
}
