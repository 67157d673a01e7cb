//! `nodetree completions` and `nodetree man`: what other programs tell of the arguments.

use std::io::Write;
use std::process::ExitCode;

use clap::Command;
use clap_complete::Shell;

#[derive(clap::Args)]
pub struct CompletionsArgs {
    /// Which shell
    shell: Shell,
}

/// Writes a script that completes commands and options.
pub fn completions(args: &CompletionsArgs, mut command: Command) -> anyhow::Result<ExitCode> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, "nodetree", &mut script);
    write(&script)
}

/// Writes the manual as one page: the program, then every command.
pub fn man(mut command: Command) -> anyhow::Result<ExitCode> {
    command.build();
    let mut page = Vec::new();
    let man = clap_mangen::Man::new(command.clone());
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    man.render_options_section(&mut page)?;
    // Instead of a section that sends to pages of their own, which there are not.
    for command in command.get_subcommands().filter(|command| command.get_name() != "help") {
        let man = clap_mangen::Man::new(command.clone());
        writeln!(page, ".SH \"NODETREE {}\"", command.get_name().to_uppercase())?;
        man.render_description_section(&mut page)?;
        man.render_options_section(&mut page)?;
    }
    write(&page)
}

fn write(bytes: &[u8]) -> anyhow::Result<ExitCode> {
    let mut out = std::io::stdout().lock();
    out.write_all(bytes)?;
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}
