//! nodetree beside its peers, on the same levels and the same questions, in one process and on one thread:
//! `cargo run --release -p nodetree-peers`.
//!
//! The modules stand in the order in which the data flows. A [`scene`] gives [`questions`]; [`peers`] and nodetree itself are
//! built over it ([`building`]) and [`answer`] them; [`truth`] says who is right; then they take turns ([`turns`]), and the
//! [`report`] holds the ratios against the [`bars`].

#![deny(unsafe_code)]

mod options;
mod scene;
mod answer;
mod questions;
mod building;
mod walking;
mod peers;
mod truth;
mod turns;
mod measure;
mod bars;
mod table;
mod faults;
mod report;

#[path = "../../../tests/data/mod.rs"]
mod data;
#[path = "../../../tests/support/mod.rs"]
mod support;

use std::process::ExitCode;

use anyhow::Context;
use clap::Parser;
use rayon::ThreadPoolBuilder;

use options::Options;
use report::Report;

fn main() -> ExitCode {
    run(&Options::parse()).unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        ExitCode::FAILURE
    })
}

fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let names = scene::chosen(options)?;
    let pool = |threads| ThreadPoolBuilder::new().num_threads(threads).build().context("starting threads");
    let (one, two) = (pool(1)?, pool(2)?);
    // Everything happens on the single thread of a pool, so that what a library does on all cores stays on this one.
    let report = one.install(|| {
        let mut report = Report::new(options);
        for name in &names {
            eprintln!("{name}");
            measure::all(&scene::open(name), options, &two, &mut report);
        }
        report
    });
    println!("{report}");
    if let Some(file) = options.output() {
        std::fs::write(&file, report.to_string()).with_context(|| format!("writing {}", file.display()))?;
        eprintln!("written to {}", file.display());
    }
    Ok(if report.is_right() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
