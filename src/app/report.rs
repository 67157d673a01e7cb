//! What a bug report needs to know.

use std::env::{self, consts};

use super::state::State;

/// The facts, a line each: program, system, adapter, level, tree, how it was called, and the option that brings the camera back.
pub fn text(state: &State, camera: &str) -> String {
    let call: Vec<String> = env::args_os().map(|argument| quoted(&argument.to_string_lossy())).collect();
    format!(
        "nodetree {} on {} {}\nadapter: {}\nlevel: {}, {} triangles, {} warnings\ntree: {}\ncalled: {}\nfrom: {camera}",
        env!("CARGO_PKG_VERSION"),
        consts::OS,
        consts::ARCH,
        state.adapter,
        state.level,
        state.triangles.all,
        state.warnings,
        state.mode,
        call.join(" "),
    )
}

/// An argument as a shell takes it.
fn quoted(argument: &str) -> String {
    let is_plain = |letter: char| letter.is_alphanumeric() || "-_=+.,:/\\@%".contains(letter);
    if !argument.is_empty() && argument.chars().all(is_plain) {
        argument.to_owned()
    } else {
        format!("'{}'", argument.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_quoted_where_a_shell_needs_it() {
        for (argument, wanted) in [
            ("--camera=-1,2,3,0,0", "--camera=-1,2,3,0,0"),
            ("my level.obj", "'my level.obj'"),
            ("it's", "'it'\\''s'"),
            ("", "''"),
        ] {
            assert_eq!(quoted(argument), wanted);
        }
    }
}
