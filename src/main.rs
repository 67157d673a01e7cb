//! The program: parse, run, print an error once.

use std::process::ExitCode;

mod cli;

fn main() -> ExitCode {
    cli::main()
}
