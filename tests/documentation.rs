//! What the pages tell of the program is what it has: a command, an option or a key that is added without them fails here.

#![cfg(feature = "viewer")]

use std::path::Path;
use std::{env, fs};

use assert_cmd::Command;

const COMMANDS: [&str; 10] = ["", "view", "render", "info", "bench", "query", "walk", "generate", "completions", "man"];

fn output(arguments: &[&str]) -> String {
    let mut command = Command::cargo_bin("nodetree").expect("the program");
    // Wrapped alike whatever the terminal.
    let output = command.env_remove("COLUMNS").args(arguments).output().expect("the program runs");
    assert!(output.status.success(), "{arguments:?}");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    text.lines().map(|line| line.trim_end().to_owned() + "\n").collect()
}

/// The page of all commands, as the program tells of them itself.
fn commands_page() -> String {
    let mut page = String::from(
        "# Commands, options and keys\n\nWhat `nodetree COMMAND --help` prints. `NODETREE_BLESS=1 cargo test --test documentation` \
         writes this page.\n",
    );
    for command in COMMANDS {
        let arguments: Vec<&str> = [command, "--help"].into_iter().filter(|word| !word.is_empty()).collect();
        let title = format!("nodetree {command}");
        page += &format!("\n## `{}`\n\n```text\n{}```\n", title.trim_end(), output(&arguments));
    }
    page
}

#[test]
fn the_page_of_commands_is_what_the_program_says() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/commands.md");
    let wanted = commands_page();
    if env::var_os("NODETREE_BLESS").is_some_and(|value| value == "1") {
        fs::write(&file, &wanted).expect("a writable page");
    }
    let page = fs::read_to_string(&file).unwrap_or_default().replace("\r\n", "\n");
    let differing = page.lines().zip(wanted.lines()).position(|(page, wanted)| page != wanted);
    assert!(
        page == wanted,
        "docs/commands.md, line {}, is not what the program says; NODETREE_BLESS=1 cargo test --test documentation writes it",
        differing.unwrap_or_else(|| page.lines().count().min(wanted.lines().count())) + 1
    );
}

#[test]
fn no_command_is_missing_from_the_page() {
    let help = output(&["--help"]);
    let commands = help.split("Commands:").nth(1).expect("a list of commands").split("\n\n").next().expect("its lines");
    let listed: Vec<&str> = commands.lines().filter_map(|line| line.split_whitespace().next()).collect();
    let mut known: Vec<&str> = COMMANDS[1..].to_vec();
    known.push("help");
    assert_eq!(listed, known);
}

#[test]
fn the_readme_tells_of_each_key() {
    let readme = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).expect("a README");
    for binding in nodetree::app::bindings::BINDINGS {
        // Those that every game has are told together.
        let is_told = binding.label.split(", ").any(|key| {
            ["W", "S", "A", "D"].contains(&key) && readme.contains("WASD")
                || ["wheel", "left click", "right drag", "middle click"].contains(&key) && readme.contains(key)
                || readme.contains(&format!("`{key}`"))
                || ["Space", "Ctrl", "Shift", "Esc"].contains(&key) && readme.contains(key)
        });
        assert!(is_told, "README does not tell of {}: {}", binding.label, binding.text);
    }
}

#[test]
fn completions_and_the_manual_know_every_command() {
    let manual = output(&["man"]);
    for command in &COMMANDS[1..] {
        assert!(manual.contains(&format!("NODETREE {}", command.to_uppercase())), "{command}");
        for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
            assert!(output(&["completions", shell]).contains(command), "{shell}: {command}");
        }
    }
    assert!(manual.contains("\\-\\-view\\-distance"), "options are told");
    // It is one page, and sends to no other.
    assert!(!manual.contains("\\-info(1)"), "{manual}");
}
