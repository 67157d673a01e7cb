//! The real program on bad input: one clear line, a code that is not 0, and nothing on standard output or left behind.

#![cfg(feature = "cli")]

use std::fs;

use assert_cmd::Command;
use tempfile::TempDir;

/// Runs the program in a folder and gives the one line that it complains with.
fn complaint(folder: &TempDir, arguments: &[&str]) -> String {
    let mut command = Command::cargo_bin("nodetree").expect("the program");
    // Without a display, so that the viewer does not wait for a person.
    command.current_dir(folder.path()).env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY").args(arguments);
    let output = command.timeout(std::time::Duration::from_secs(120)).output().expect("the program runs");
    let message = String::from_utf8(output.stderr).expect("UTF-8");
    // Libraries of the system may print lines of their own before ours.
    let ours: Vec<&str> = message.lines().filter(|line| line.starts_with("nodetree: ")).collect();
    assert!(!output.status.success(), "{arguments:?} must fail");
    assert!(output.status.code().is_some(), "{arguments:?} was killed: {message}");
    assert!(!message.contains("panicked"), "{arguments:?}: {message}");
    assert_eq!(ours.len(), 1, "{arguments:?}: {message}");
    assert!(output.stdout.is_empty(), "{arguments:?} printed {}", String::from_utf8_lossy(&output.stdout));
    ours[0].to_owned()
}

/// A folder with levels that cannot be read, each with a part of what is said about it.
fn bad_levels() -> (TempDir, Vec<(&'static str, &'static str)>) {
    let folder = TempDir::new().expect("a temporary folder");
    let write = |name: &str, content: &[u8]| fs::write(folder.path().join(name), content).expect("a file");
    write("empty.obj", b"");
    write("picture.obj", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x10");
    write("range.obj", b"v 0 0 0\nv 1 0 0\nv 0 1 0\n\nf 1 2 4\n");
    write("points.obj", b"v 0 0 0\nv 1 0 0\np 1 2\n");
    write("level.fbx", b"Kaydara");
    fs::create_dir(folder.path().join("folder.obj")).expect("a folder");
    let levels = vec![
        ("missing.obj", "there is no file missing.obj"),
        ("empty.obj", "empty.obj has no geometry"),
        ("folder.obj", "folder.obj is a directory"),
        ("picture.obj", "picture.obj is not an OBJ file"),
        ("range.obj", "range.obj, line 5"),
        ("points.obj", "points.obj has no geometry"),
        ("level.fbx", ".fbx"),
        ("builtin:palace", "palace"),
    ];
    (folder, levels)
}

#[test]
fn every_subcommand_tells_a_bad_level_in_one_line() {
    let (folder, levels) = bad_levels();
    fs::write(folder.path().join("inputs.jsonl"), "{}\n{\"forward\":1,\"repeat\":9}\n").expect("a file");
    for (level, said) in levels {
        let mut calls = vec![
            vec!["info", level],
            vec!["query", level],
            vec!["bench", level, "--frames", "1"],
            vec!["walk", level, "--inputs", "inputs.jsonl"],
        ];
        if cfg!(feature = "viewer") && std::env::var("NODETREE_REQUIRE_GPU").is_ok_and(|value| value == "1") {
            calls.extend([vec!["render", level, "-o", "picture.png"], vec!["view", level], vec![level]]);
        }
        for arguments in calls {
            let line = complaint(&folder, &arguments);
            assert!(line.contains(said), "{arguments:?}: {line}");
            assert!(!folder.path().join("picture.png").exists(), "{arguments:?} left an empty picture");
            assert!(!folder.path().join("nodetree.png").exists(), "{arguments:?} left an empty picture");
        }
    }
}

#[test]
fn unknown_options_and_values_are_told_in_one_line() {
    let (folder, _) = bad_levels();
    for (arguments, said) in [
        (&["info", "--leaf-triangels", "9"][..], "--leaf-triangles"),
        (&["--frobnicate"], "--frobnicate"),
        (&["rendr", "level.obj"], "the commands are"),
        (&["inof"], "there is no command and no file \"inof\""),
        (&["walk", "builtin:castle", "--inputs", "-", "--slope", "91"], "below 90 degrees"),
        (&["info", "--up", "x"], "[possible values: y, z]"),
        (&["info", "--tree", "binary"], "quadtree"),
        (&["info", "--scale", "0"], "--scale"),
        (&["info", "--scale=-2"], "--scale"),
        (&["info", "--scale", "nan"], "--scale"),
        (&["info", "--leaf-triangles", "0"], "--leaf-triangles"),
        (&["info", "--spawn", "1,2"], "expected 3 numbers"),
        (&["info", "--spawn", "1,2,nan"], "not finite"),
        (&["walk", "builtin:castle"], "--inputs"),
        (&["generate", "castle"], "--output"),
        (&["generate", "palace", "-o", "a.obj"], "castle"),
        (&["bench", "--frames", "0"], "--frames"),
    ] {
        let line = complaint(&folder, arguments);
        assert!(line.contains(said), "{arguments:?}: {line}");
    }
}

#[test]
fn an_output_that_cannot_be_written_is_told_at_once() {
    let (folder, _) = bad_levels();
    for arguments in [
        &["generate", "terrain", "--triangles", "1000", "-o", "no/such/folder/level.obj"][..],
        &["generate", "terrain", "--triangles", "1000", "-o", "folder.obj"],
        &["bench", "builtin:terrain", "--json", "no/such/folder/bench.json"],
        &["bench", "builtin:terrain", "--json", "folder.obj"],
        #[cfg(feature = "viewer")]
        &["render", "-o", "no/such/folder/picture.png"],
        #[cfg(feature = "viewer")]
        &["render", "-o", "picture.jpg"],
        #[cfg(feature = "viewer")]
        &["view", "--state", "no/such/folder/state.jsonl"],
        #[cfg(feature = "viewer")]
        &["view", "--state", "folder.obj"],
    ] {
        let line = complaint(&folder, arguments);
        assert!(line.contains("folder") || line.contains("picture.jpg"), "{arguments:?}: {line}");
    }
}

/// Where there is no room left, standard output is named, also for what is only told.
#[test]
#[cfg_attr(not(target_os = "linux"), ignore = "only on Linux there is a device that is always full")]
fn a_full_standard_output_is_named() {
    let folder = TempDir::new().expect("a temporary folder");
    fs::write(folder.path().join("inputs.jsonl"), "{}\n{\"forward\":1,\"repeat\":9}\n").expect("a file");
    for arguments in [
        &["--help"][..],
        &["--version"],
        &["man"],
        &["completions", "bash"],
        &["info", "builtin:terrain", "--triangles", "2000"],
        &["info", "builtin:terrain", "--triangles", "2000", "--json"],
        &["walk", "builtin:terrain", "--triangles", "2000", "--inputs", "inputs.jsonl"],
        &["generate", "terrain", "--triangles", "20000", "-o", "level.obj"],
    ] {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").expect("the full device");
        let program = assert_cmd::cargo::cargo_bin("nodetree");
        let output =
            std::process::Command::new(program).current_dir(folder.path()).args(arguments).stdout(full).output();
        let output = output.expect("the program runs");
        let told = String::from_utf8(output.stderr).expect("UTF-8");
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {told}");
        assert!(told.starts_with("nodetree: error: cannot write to standard output: No space left"), "{told}");
        assert_eq!(told.lines().count(), 1, "{arguments:?}: {told}");
    }
}

#[test]
#[cfg_attr(not(target_os = "linux"), ignore = "only on Linux there is a device that is always full")]
fn what_else_cannot_be_read_or_written_is_named_by_its_own_name() {
    let folder = TempDir::new().expect("a temporary folder");
    let told = |arguments: &[&str], input: &std::path::Path| {
        let input = fs::File::open(input).expect("an input");
        let program = assert_cmd::cargo::cargo_bin("nodetree");
        let mut command = std::process::Command::new(program);
        command.args(arguments).args(["builtin:terrain", "--triangles", "20000"]).stdin(input);
        let output = command.output().expect("the program runs");
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        String::from_utf8(output.stderr).expect("UTF-8")
    };
    let unread = told(&["query"], folder.path());
    assert!(unread.starts_with("nodetree: error: cannot read the questions: "), "{unread}");
    let unwritten = told(&["bench", "--frames", "1", "--no-draw", "--csv", "/dev/full"], "/dev/null".as_ref());
    assert!(unwritten.lines().any(|line| line.starts_with("nodetree: error: cannot write /dev/full: ")), "{unwritten}");
}

#[test]
fn a_level_that_cannot_be_as_small_as_asked_is_told() {
    let folder = TempDir::new().expect("a temporary folder");
    let told = |triangles: &str| {
        let mut command = Command::cargo_bin("nodetree").expect("the program");
        command.current_dir(folder.path()).args(["generate", "city", "-o", "city.obj", "--triangles", triangles]);
        let output = command.output().expect("the program runs");
        assert!(output.status.success());
        String::from_utf8(output.stderr).expect("UTF-8")
    };
    assert!(told("10").starts_with("nodetree: warning: city cannot be made of 10 triangles; it has "));
    assert_eq!(told("100000"), "");
}

#[test]
fn a_closed_pipe_ends_the_program_quietly() {
    for arguments in [&["--help"][..], &["info", "builtin:terrain", "--triangles", "2000", "--json"]] {
        let program = assert_cmd::cargo::cargo_bin("nodetree");
        let mut child = std::process::Command::new(program)
            .args(arguments)
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .expect("the program runs");
        // The reader goes away before anything is written.
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("it ends");
        assert!(output.status.success(), "{arguments:?}");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{arguments:?}");
    }
}

#[test]
#[cfg_attr(not(target_os = "linux"), ignore = "only on Linux a variable says where the cache is")]
fn large_levels_are_kept_in_the_cache_folder_unless_told_otherwise() {
    let folder = TempDir::new().expect("a temporary folder");
    // A floor of strips, all of which have room for a walker.
    let mut obj = String::new();
    for strip in 0..8_000 {
        obj += &format!("v {strip} 0 0\nv {strip} 0 9\nv {0} 0 9\nv {0} 0 0\nf -4 -3 -2 -1\n", strip + 1);
    }
    fs::write(folder.path().join("level.obj"), obj).expect("a file");
    let kept = folder.path().join("cache/nodetree");
    let info = |arguments: &[&str]| {
        let mut command = Command::cargo_bin("nodetree").expect("the program");
        command.current_dir(folder.path()).env("XDG_CACHE_HOME", folder.path().join("cache"));
        let output = command.args(["info", "level.obj"]).args(arguments).output().expect("the program runs");
        assert!(output.status.success());
        // Times differ from run to run.
        let lines = String::from_utf8(output.stdout).expect("UTF-8");
        lines.lines().filter(|line| !line.contains(" ms")).map(str::to_owned).collect::<Vec<_>>()
    };
    let anew = info(&["--no-cache"]);
    assert!(!anew.is_empty() && !kept.exists());
    assert_eq!(info(&[]), anew);
    assert_eq!(fs::read_dir(&kept).expect("the folder").count(), 1);
    assert_eq!(info(&[]), anew);
    let inside: Vec<_> =
        fs::read_dir(folder.path()).expect("the folder").map(|entry| entry.expect("one").file_name()).collect();
    assert_eq!(inside.len(), 2, "{inside:?}");
}

#[test]
fn the_example_in_the_help_of_query_holds() {
    let program = || Command::cargo_bin("nodetree").expect("the program");
    let help = program().args(["query", "--help"]).output().expect("the program runs").stdout;
    let help = String::from_utf8(help).expect("UTF-8");
    for kind in ["ray", "segment", "height", "sphere", "sweep", "slide"] {
        assert!(help.contains(&format!("{{\"{kind}\":{{")), "{kind} in {help}");
    }
    let mut lines = help.lines().map(str::trim).skip_while(|line| !line.starts_with("$ echo '"));
    let (call, answer) = (lines.next().expect("an example"), lines.next().expect("its answer"));
    let (question, rest) = call["$ echo '".len()..].split_once("' | nodetree ").expect("a question");
    let output = program().args(rest.split(' ')).write_stdin(question).output().expect("the program runs");
    assert_eq!(String::from_utf8(output.stdout).expect("UTF-8").trim(), answer);
}

#[test]
fn the_version_tells_the_system_too() {
    let version = |option: &str| {
        let output = Command::cargo_bin("nodetree").expect("the program").arg(option).output().expect("it runs");
        assert!(output.status.success());
        String::from_utf8(output.stdout).expect("UTF-8")
    };
    let short = concat!("nodetree ", env!("CARGO_PKG_VERSION"), "\n");
    assert_eq!(version("-V"), short);
    let long = version("--version");
    assert!(long.starts_with(short) && long.contains(std::env::consts::OS), "{long}");
}
