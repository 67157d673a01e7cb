//! The command line: one file a subcommand, which turns arguments into settings and calls the library.

mod bench;
mod config;
mod generate;
mod help;
mod info;
#[cfg(feature = "viewer")]
mod look;
mod open;
mod output;
mod progress;
mod query;
#[cfg(feature = "viewer")]
mod render;
#[cfg(feature = "viewer")]
mod view;
mod walk;
mod walker;

use std::env::consts;
use std::io::{self, ErrorKind};
use std::process::ExitCode;
use std::sync::LazyLock;

use clap::{CommandFactory, Parser, Subcommand};

/// What a bug report needs of the program itself; F2 in the window tells the rest.
static LONG_VERSION: LazyLock<String> = LazyLock::new(|| {
    let viewer = if cfg!(feature = "viewer") { "with" } else { "without" };
    format!("{}\non {} {}, {viewer} the viewer", env!("CARGO_PKG_VERSION"), consts::OS, consts::ARCH)
});

/// Walk and fly through a level, cull it with a quadtree or an octree, and ask it questions.
#[derive(Parser)]
#[command(name = "nodetree", version, long_version = LONG_VERSION.as_str(), args_conflicts_with_subcommands = true, max_term_width = 110)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[cfg(feature = "viewer")]
    #[command(flatten)]
    view: view::Args,
}

#[derive(Subcommand)]
enum Command {
    /// Open the window (the default): fly or walk through a level
    #[cfg(feature = "viewer")]
    View(view::Args),
    /// Draw one picture to a file
    #[cfg(feature = "viewer")]
    Render(render::Args),
    /// Say what is in a level and in both trees
    Info(info::Args),
    /// Measure culling, queries and drawing beside the classic methods
    Bench(bench::Args),
    /// Answer questions: JSON Lines in, JSON Lines out
    Query(query::Args),
    /// Replay recorded inputs with no window, JSON Lines out
    Walk(walk::Args),
    /// Write a built-in level as OBJ with MTL and textures
    Generate(generate::Args),
    /// Write completions for a shell to standard output
    Completions(help::CompletionsArgs),
    /// Write the manual page to standard output
    Man,
}

/// Parses, runs, and prints an error as one line. The exit code is 0, 1 for an error, or 2 for arguments that make no sense.
pub fn main() -> ExitCode {
    if let Some(word) = mistyped_command() {
        let commands =
            Cli::command().get_subcommands().map(|command| command.get_name().to_owned()).collect::<Vec<_>>();
        let commands = commands.join(", ");
        eprintln!("nodetree: error: there is no command and no file {word:?}; the commands are {commands}");
        return ExitCode::from(2);
    }
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) if !error.use_stderr() => {
            // Help and version.
            let printed = error.print().map(|()| ExitCode::SUCCESS).map_err(anyhow::Error::from);
            return ended(printed);
        }
        Err(error) => {
            eprintln!("nodetree: {}", one_line(&error.to_string()));
            return ExitCode::from(2);
        }
    };
    let result = match &cli.command {
        #[cfg(feature = "viewer")]
        None => view::run(&cli.view),
        #[cfg(feature = "viewer")]
        Some(Command::View(args)) => view::run(args),
        #[cfg(not(feature = "viewer"))]
        None => Err(anyhow::anyhow!("this nodetree was built without the viewer; see nodetree --help for the rest")),
        #[cfg(feature = "viewer")]
        Some(Command::Render(args)) => render::run(args),
        Some(Command::Info(args)) => info::run(args),
        Some(Command::Bench(args)) => bench::run(args),
        Some(Command::Query(args)) => query::run(args),
        Some(Command::Walk(args)) => walk::run(args),
        Some(Command::Generate(args)) => generate::run(args),
        Some(Command::Completions(args)) => help::completions(args, Cli::command()),
        Some(Command::Man) => help::man(Cli::command()),
    };
    ended(result)
}

/// The exit code, once an error is told.
fn ended(result: anyhow::Result<ExitCode>) -> ExitCode {
    match result {
        Ok(code) => code,
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            // Where nobody says what it was about (a context would be one more in the chain), it was about standard output.
            let is_json = || error.downcast_ref::<serde_json::Error>().is_some_and(serde_json::Error::is_io);
            let is_bare = error.chain().len() == 1 && (error.is::<io::Error>() || is_json());
            let what = if is_bare { "cannot write to standard output: " } else { "" };
            eprintln!("nodetree: error: {what}{}", one_line(&format!("{error:#}")));
            ExitCode::FAILURE
        }
    }
}

/// A first argument that can only have been meant as a command: one plain word, which no command and no file is called.
fn mistyped_command() -> Option<String> {
    let word = std::env::args_os().nth(1)?.into_string().ok()?;
    let is_word = !word.is_empty() && word.chars().all(|letter| letter.is_ascii_alphabetic());
    let is_known = word == "help" || Cli::command().find_subcommand(&word).is_some();
    (is_word && !is_known && !std::path::Path::new(&word).exists()).then_some(word)
}

/// The message up to its usage text, as one line.
fn one_line(message: &str) -> String {
    let text = message.split("\n\nUsage:").next().unwrap_or(message);
    text.split("\n\nFor more information").next().unwrap_or(text).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether the reader of our output went away, which ends the program quietly.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == ErrorKind::BrokenPipe)
            || cause.downcast_ref::<serde_json::Error>().and_then(serde_json::Error::io_error_kind)
                == Some(ErrorKind::BrokenPipe)
    })
}
