//! Tells the program which compiler builds it, for the report.

use std::process::Command;

fn main() {
    let compiler = std::env::var("RUSTC").expect("cargo names the compiler");
    let version = Command::new(compiler).arg("--version").output().expect("a compiler that runs");
    println!("cargo:rustc-env=COMPILER={}", String::from_utf8_lossy(&version.stdout).trim());
    println!("cargo:rerun-if-changed=build.rs");
}
