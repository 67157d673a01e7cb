//! What a measurement found: as JSON, and as a table.

use std::fs;
use std::io::{self, Write};

use nodetree::bench::{CullFigures, CullSeries, QueryFigures};
use serde::Serialize;

#[derive(Serialize)]
pub struct Report {
    pub machine: Machine,
    pub level: LevelReport,
    pub path: PathReport,
    pub modes: Modes,
    pub baselines: Baselines,
}

#[derive(Serialize)]
pub struct Machine {
    pub processor: String,
    pub threads: usize,
    pub os: &'static str,
    pub arch: &'static str,
    pub adapter: Option<String>,
    pub version: &'static str,
}

#[derive(Serialize)]
pub struct LevelReport {
    pub path: String,
    pub triangles: usize,
    pub materials: usize,
}

#[derive(Serialize)]
pub struct PathReport {
    pub source: String,
    pub frames: usize,
    pub seed: Option<u64>,
}

#[derive(Serialize)]
pub struct Modes {
    pub quadtree: Figures,
    pub octree: Figures,
}

#[derive(Serialize)]
pub struct Baselines {
    pub test_every_triangle: Figures,
    pub copy_indices: Figures,
    pub draw_everything: Figures,
}

#[derive(Serialize)]
pub struct Figures {
    pub build_ms: Option<f64>,
    pub cull: CullFigures,
    /// The same along the path.
    #[serde(skip)]
    pub series: CullSeries,
    pub rays_per_s: Option<f64>,
    pub heights_per_s: Option<f64>,
    pub sweeps_per_s: Option<f64>,
    pub draw: Option<Draw>,
    /// The same without what is hidden behind nearer surfaces; of trees only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draw_occluded: Option<Draw>,
    /// Frames of the path that were drawn, and milliseconds that each took.
    #[serde(skip)]
    pub drawn: Vec<(usize, f64)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub leaf_limit: Option<u32>,
}

#[derive(Serialize, Clone, Copy)]
pub struct Draw {
    pub median_ms: f64,
    pub draw_calls: f64,
    /// Triangles handed to the adapter.
    pub triangles: f64,
}

impl Report {
    /// Every method by its name, trees first.
    pub fn methods(&self) -> [(&'static str, &Figures); 5] {
        [
            ("quadtree", &self.modes.quadtree),
            ("octree", &self.modes.octree),
            ("test every triangle", &self.baselines.test_every_triangle),
            ("copy indices", &self.baselines.copy_indices),
            ("draw everything", &self.baselines.draw_everything),
        ]
    }
}

impl Figures {
    pub fn new(build_ms: Option<f64>, series: CullSeries, queries: Option<QueryFigures>) -> Figures {
        Figures {
            build_ms,
            cull: series.figures(),
            series,
            rays_per_s: queries.map(|queries| queries.rays_per_s),
            heights_per_s: queries.map(|queries| queries.heights_per_s),
            sweeps_per_s: queries.map(|queries| queries.sweeps_per_s),
            draw: None,
            draw_occluded: None,
            drawn: Vec::new(),
            leaf_limit: None,
        }
    }
}

impl Machine {
    /// This one, and what it draws with.
    pub fn this(adapter: Option<String>) -> Machine {
        let processor = fs::read_to_string("/proc/cpuinfo").ok().and_then(|text| {
            let line = text.lines().find(|line| line.starts_with("model name"))?;
            Some(line.split(':').nth(1)?.trim().to_owned())
        });
        Machine {
            processor: processor.unwrap_or_else(|| "unknown".to_owned()),
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            os: std::env::consts::OS,
            arch: std::env::consts::ARCH,
            adapter,
            version: env!("CARGO_PKG_VERSION"),
        }
    }
}

/// The figures as a table for people.
pub fn print_table(report: &Report) -> io::Result<()> {
    let out = &mut io::stdout().lock();
    writeln!(out, "{}: {} triangles, {} materials", report.level.path, report.level.triangles, report.level.materials)?;
    writeln!(out, "path: {}, {} frames; medians a frame\n", report.path.source, report.path.frames)?;
    writeln!(
        out,
        "{:<20} {:>9} {:>10} {:>10} {:>8} {:>7} {:>10} {:>7} {:>10}",
        "", "build ms", "cull us", "p99 us", "visited", "ranges", "triangles", "needed", "draw ms"
    )?;
    let rows = report.methods();
    for (name, figures) in rows {
        let cull = &figures.cull;
        writeln!(
            out,
            "{name:<20} {:>9} {:>10.2} {:>10.2} {:>8} {:>7} {:>10} {:>6.2}x {:>10}",
            figures.build_ms.map_or("-".to_owned(), |ms| format!("{ms:.0}")),
            cull.median_us,
            cull.p99_us,
            cull.nodes_visited,
            cull.ranges,
            cull.triangles_visible,
            cull.triangles_visible / cull.triangles_needed.max(1.0),
            figures.draw.map_or("-".to_owned(), |draw| format!("{:.1}", draw.median_ms)),
        )?;
    }
    let copy = report.baselines.copy_indices.cull.median_us;
    for (name, figures) in &rows[..2] {
        let cull = &figures.cull;
        writeln!(
            out,
            "\n{name}: {:.0} times faster than copying indices; {} rays, {} heights, {} sweeps a second on one thread",
            copy / cull.median_us,
            rounded(figures.rays_per_s),
            rounded(figures.heights_per_s),
            rounded(figures.sweeps_per_s),
        )?;
        if let (Some(plain), Some(occluded)) = (&figures.draw, &figures.draw_occluded) {
            writeln!(
                out,
                "without what is hidden: {} of {} triangles in {} of {} draw calls, {:.1} of {:.1} ms",
                occluded.triangles,
                plain.triangles,
                occluded.draw_calls,
                plain.draw_calls,
                occluded.median_ms,
                plain.median_ms,
            )?;
        }
    }
    Ok(())
}

fn rounded(rate: Option<f64>) -> String {
    rate.map_or("-".to_owned(), |rate| format!("{:.2} million", rate / 1e6))
}
