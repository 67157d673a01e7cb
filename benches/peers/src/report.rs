//! The tables: ratios with their bars, absolute numbers, and who was right.

use std::fmt::{self, Display, Formatter};

use nodetree::tree::Mode;

use crate::bars::{self, names};
use crate::faults::{self, Walked};
use crate::options::{Group, NATIVE, Options};
use crate::table::Table;
use crate::walking::judge::Record;

/// What one contender did with the questions of a row.
pub struct Cell {
    pub name: &'static str,
    /// CPU time for all of them.
    pub seconds: f64,
    /// Answers that differ from ours, ...
    pub apart: usize,
    /// ... how many of those (of ours: of all) were held against the truth, and how many of these were wrong.
    pub judged: usize,
    pub wrong: usize,
}

impl Cell {
    pub fn new(name: &'static str) -> Cell {
        Cell { name, seconds: 0.0, apart: 0, judged: 0, wrong: 0 }
    }
}

/// A kind of question on a level. The first cell is nodetree's.
pub struct Row {
    pub group: Group,
    pub level: String,
    pub kind: &'static str,
    pub is_large: bool,
    pub questions: usize,
    pub hits: usize,
    pub cells: Vec<Cell>,
}

impl Row {
    fn label(&self) -> String {
        format!("{} {}", self.level, self.kind).trim().to_owned()
    }

    fn ratio(&self, cell: &Cell) -> f64 {
        cell.seconds / self.cells[0].seconds
    }
}

/// What was built on a level.
pub struct Structure {
    pub level: String,
    pub triangles: usize,
    /// What each keeps in memory; of nodetree, [`nodetree::tree::Tree::bytes`].
    pub bytes: Vec<(&'static str, usize)>,
    /// How much faster two threads built it than one.
    pub speedup: f64,
}

pub struct Report {
    command: String,
    mode: Mode,
    is_quick: bool,
    rows: Vec<Row>,
    structures: Vec<Structure>,
    walked: Walked,
    faults: Vec<String>,
}

impl Report {
    pub fn new(options: &Options) -> Report {
        let native = if NATIVE { "RUSTFLAGS=\"-C target-cpu=native\" " } else { "" };
        let features = if cfg!(feature = "embree") { " --features embree" } else { "" };
        let arguments: Vec<String> = std::env::args().skip(1).collect();
        let arguments = if arguments.is_empty() { String::new() } else { format!(" -- {}", arguments.join(" ")) };
        Report {
            command: format!("{native}cargo run --release -p nodetree-peers{features}{arguments}"),
            mode: options.mode.into(),
            is_quick: options.quick,
            rows: Vec::new(),
            structures: Vec::new(),
            walked: Walked::default(),
            faults: Vec::new(),
        }
    }

    pub fn add(&mut self, row: Row) {
        self.rows.push(row);
    }

    pub fn add_structure(&mut self, structure: Structure) {
        self.structures.push(structure);
    }

    /// What nodetree's walker and rapier3d's came to on a level.
    pub fn add_walk(&mut self, level: &str, records: [Record; 2]) {
        self.walked.add(level, records);
    }

    /// Takes down an answer of ours that is not the truth.
    pub fn ours_is_wrong(&mut self, what: String) {
        // Several contenders may have shown the same.
        if !self.faults.contains(&what) {
            eprintln!("nodetree is wrong: {what}");
            self.faults.push(what);
        }
    }

    /// Whether all of our answers that were looked at are right.
    pub fn is_right(&self) -> bool {
        self.faults.is_empty()
    }

    fn rows(&self, group: Group) -> impl Iterator<Item = &Row> + Clone {
        self.rows.iter().filter(move |row| row.group == group)
    }

    /// The ratios of a group, and below them what each column comes to.
    fn ratios(&self, group: Group, missed: &mut Vec<String>) -> Table {
        let mut table = columns(self.rows(group), &["nodetree"]);
        for row in self.rows(group) {
            let mut line = vec![row.label(), rate(row.questions, row.cells[0].seconds, group)];
            for cell in &row.cells[1..] {
                let bar = bars::cell(group, cell.name, row.is_large);
                line.push(held(
                    row.ratio(cell),
                    bar,
                    || format!("{group}, {} beside {}", row.label(), cell.name),
                    missed,
                ));
            }
            table.lines.push(line);
        }
        let means = |divisor: usize| {
            let columns = self.rows(group).next().map_or(0, |row| row.cells.len());
            let name = |column: usize| self.rows(group).next().map_or("", |row| row.cells[column].name);
            (1..columns).map(move |column| {
                let ratios = self.rows(group).map(|row| row.cells[column].seconds / row.cells[divisor].seconds);
                (name(column), geometric_mean(ratios))
            })
        };
        let mut line = vec!["**geometric mean**".to_owned(), String::new()];
        line.extend(means(0).map(|(name, mean)| {
            held(mean, bars::mean(group, name), || format!("{group}, geometric mean beside {name}"), missed)
        }));
        table.lines.push(line);
        if self.rows(group).any(|row| row.cells[1].name == names::PORTABLE) {
            let mut line = vec!["**the same, portable**".to_owned(), String::new()];
            line.extend(means(1).map(|(name, mean)| {
                let what = || format!("{group}, geometric mean of the portable path beside {name}");
                held(mean, bars::portable_mean(name), what, missed)
            }));
            table.lines.push(line);
        }
        table
    }

    /// How many a second each answered, or how long each took to build.
    fn absolute(&self, group: Group) -> Table {
        let asked: &[&str] = match group {
            Group::Build => &[],
            Group::Walking => &["steps"],
            _ => &["questions", "hits"],
        };
        let mut table = columns(self.rows(group), &[asked, &["nodetree"]].concat());
        for row in self.rows(group) {
            let mut line = vec![row.label()];
            if group == Group::Walking {
                line.push(row.questions.to_string());
            } else if group != Group::Build {
                let hits = format!("{:.0} %", 100.0 * row.hits as f64 / row.questions as f64);
                line.extend([row.questions.to_string(), hits]);
            }
            line.extend(row.cells.iter().map(|cell| rate(row.questions, cell.seconds, group)));
            table.lines.push(line);
        }
        table
    }

    /// How often each gave another answer, and who was right.
    fn disagreements(&self, group: Group) -> Table {
        let mut table = columns(self.rows(group), &["questions", "nodetree"]);
        for row in self.rows(group) {
            let mut line = vec![row.label(), row.questions.to_string()];
            line.extend(row.cells.iter().enumerate().map(|(place, cell)| match (place, cell.apart) {
                (0, _) => format!("{} of {} wrong", cell.wrong, cell.judged),
                (_, 0) => "0".to_owned(),
                (_, apart) => format!("{apart} ({} of {} wrong)", cell.wrong, cell.judged),
            }));
            table.lines.push(line);
        }
        table
    }

    fn memory(&self, missed: &mut Vec<String>) -> Table {
        let Some(first) = self.structures.first() else { return Table::default() };
        let names = first.bytes.iter().map(|(name, _)| (*name).to_owned());
        let head = ["level", "triangles", "two threads"].map(str::to_owned).into_iter().chain(names).collect();
        let mut table = Table { head, lines: Vec::new() };
        for structure in &self.structures {
            let level = &structure.level;
            let speedup =
                held(structure.speedup, Some(bars::SPEEDUP), || format!("{level}, building on two threads"), missed);
            let mut line = vec![level.clone(), structure.triangles.to_string(), speedup];
            for (place, (_, bytes)) in structure.bytes.iter().enumerate() {
                let bytes = *bytes as f64 / structure.triangles as f64;
                let is_missed = place == 0 && bytes > bars::BYTES;
                if is_missed {
                    missed.push(format!("{level}, bytes a triangle: {bytes:.1}, at most {}", bars::BYTES));
                }
                line.push(if is_missed { format!("**{bytes:.1}** > {}", bars::BYTES) } else { format!("{bytes:.1}") });
            }
            table.lines.push(line);
        }
        table
    }
}

/// A ratio; where it is below its bar, bold, with the bar, and added to what is missed.
fn held(ratio: f64, bar: Option<f64>, what: impl FnOnce() -> String, missed: &mut Vec<String>) -> String {
    match bar {
        Some(bar) if ratio < bar => {
            missed.push(format!("{}: {ratio:.2}, at least {bar:.2}", what()));
            format!("**{ratio:.2}** < {bar:.2}")
        }
        _ => format!("{ratio:.2}"),
    }
}

/// Thousand questions a second; of building, milliseconds.
fn rate(questions: usize, seconds: f64, group: Group) -> String {
    match group {
        Group::Build => format!("{:.1}", 1e3 * seconds),
        _ => format!("{:.0}", 1e-3 * questions as f64 / seconds),
    }
}

fn geometric_mean(ratios: impl Iterator<Item = f64>) -> f64 {
    let (count, sum) = ratios.fold((0, 0.0), |(count, sum), ratio| (count + 1, sum + ratio.ln()));
    (sum / f64::from(count)).exp()
}

/// A table with a column for each contender but nodetree, after the level and others.
fn columns<'a>(mut rows: impl Iterator<Item = &'a Row>, others: &[&str]) -> Table {
    let contenders = rows.next().map_or(&[][..], |row| &row.cells[1..]);
    let names = ["level"].into_iter().chain(others.iter().copied()).chain(contenders.iter().map(|cell| cell.name));
    Table { head: names.map(str::to_owned).collect(), lines: Vec::new() }
}

impl Display for Group {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        f.write_str(match self {
            Group::Rays => "rays",
            Group::Heights => "heights",
            Group::Sweeps => "sweeps",
            Group::Batches => "batches",
            Group::Walking => "walking",
            Group::Build => "build time",
        })
    }
}

/// What the groups measure.
const GROUPS: [(Group, &str); 6] = [
    (
        Group::Rays,
        "The nearest hit, both faces, no limit. *camera*: a picture of 60 degrees from a place with a long view, row by row. \
         *random*: from anywhere in the level's box to anywhere. *straight down*: from anywhere in the box. obvhs is built \
         with its preset `slow_build`, its triangles in the tree's order; Embree with the robust flag, one ray a call.",
    ),
    (
        Group::Heights,
        "The surface below a random point of the box. The peers cast a ray straight down: none has heights.",
    ),
    (
        Group::Sweeps,
        "A ball of 0.4 m that starts clear of everything, up to a metre from a surface, and moves in any direction: *short* \
         0.1 to 1 m, *long* 1 to 20 m; a quarter hit where the level gives as many. nodetree answers with point, normal and \
         triangle. parry3d: `cast_shapes`; rapier3d: `QueryPipeline::cast_shape` on a world that holds the level.",
    ),
    (
        Group::Batches,
        "A million questions (2^20) in one call, sorting included, beside the same one after the other in random order.",
    ),
    (
        Group::Walking,
        "Steps of 1/120 s over courses of five seconds, a course a turn: straight on, always turning, along walls, into corners, up and \
         down stairs, and at 8 m/s, from the same places with the same inputs. nodetree: `Walker::step` with the default settings. \
         rapier3d: `KinematicCharacterController::move_shape` with an offset of 0.01 m, autostep of 0.45 m, slopes up to 50 degrees and \
         snapping to the ground by 0.45 m. What differs is told with the faults below.",
    ),
    (
        Group::Build,
        "nodetree builds everything from the level: cells, wide nodes, and runs for drawing. Of the peers the call that \
         builds the tree is timed, not the making of the buffers that it takes; obvhs with `fastest_build` but where it says otherwise. Embree on one thread.",
    ),
];

impl Display for Report {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        let mut missed = Vec::new();
        let measured = || GROUPS.iter().filter(|(group, _)| self.rows(*group).next().is_some());
        let ratios: Vec<(Group, &str, Table)> =
            measured().map(|(group, text)| (*group, *text, self.ratios(*group, &mut missed))).collect();
        let memory = self.memory(&mut missed);
        let faults = self.walked.table(&mut missed);

        writeln!(f, "# nodetree beside its peers{}\n", if NATIVE { ", all built for this machine" } else { "" })?;
        writeln!(f, "    {}\n", self.command)?;
        writeln!(f, "{} nodetree: {}.\n", machine(), self.mode.name())?;
        if self.is_quick {
            writeln!(f, "A quick run: a sixteenth of the questions, once. Its ratios are rough.\n")?;
        }
        if NATIVE {
            writeln!(f, "{ALL_NATIVE}")?;
        }
        writeln!(f, "{HOW}")?;
        for fault in &self.faults {
            writeln!(f, "- **nodetree is wrong**: {fault}")?;
        }
        writeln!(f, "## Bars missed: {}\n", missed.len())?;
        for what in &missed {
            writeln!(f, "- {what}")?;
        }
        for (group, text, table) in &ratios {
            write!(f, "\n## Ratios: {group}\n\n{text}\n\n{table}")?;
        }
        if let Some(faults) = faults {
            write!(f, "\n## Faults: walking\n\n{}\n\n{faults}", faults::TEXT)?;
        }
        if !self.structures.is_empty() {
            write!(f, "\n## Memory\n\n{MEMORY}\n\n{memory}")?;
        }
        for (group, _) in measured() {
            let unit = if *group == Group::Build { "milliseconds" } else { "thousand a second" };
            write!(f, "\n## Absolute: {group}, {unit}\n\n{}", self.absolute(*group))?;
        }
        for (group, _) in measured().filter(|(group, _)| ![Group::Walking, Group::Build].contains(group)) {
            write!(f, "\n## Answers apart from nodetree's: {group}\n\n{}", self.disagreements(*group))?;
        }
        Ok(())
    }
}

const HOW: &str = "\
Ratios are theirs / ours: **above 1 nodetree is faster**. All run in one process, on one thread, on the same questions; they \
take turns of 1024 questions (256 sweeps, one course) in an order that changes, and what counts is the sum of the thread's CPU time. On \
large levels each begins its turn with what the others left in the caches; in turns of 8192 all were faster by a third, at the \
same ratios. Making a ray from an origin and a direction, with what a library works out for it, is part of the time of each. nodetree \
always gives the whole hit; of the peers the cheapest call that gives the distance is taken. nodetree asks the system for large \
pages, of which a busy machine may have few. A ratio in bold is below its bar. On a shared machine the same run moves by some 15 %, by 30 % where memory decides.

Before anything is timed the answers are compared: hit or miss, and the number within 1e-4 of its size (of a metre, if it is \
less). A sample of ours, and a sample of each peer's answers that differ from ours, are held against a loop over all triangles \
in f64 or exact arithmetic. The program fails if ours is wrong (beyond 1e-5).
";

const ALL_NATIVE: &str = "\
Everything here is compiled for this machine's instructions, nodetree too. nodetree's boxes and triangles are tested with what \
it finds at run time in either build; its absolute numbers here and in RESULTS.md show what the rest of it gains. Only obvhs and \
Embree are held against bars here.
";

const MEMORY: &str = "\
Bytes a triangle. nodetree: `Tree::bytes`, cells, wide nodes, triangles and runs for drawing, beside the level's vertices. \
Peers: what they keep to answer, their triangles or vertices included (obvhs with `fastest_build` but where it says otherwise). *two threads*: how many \
times faster nodetree builds on two threads than on one, by the clock on the wall.";

fn machine() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let field = |name: &str| {
        let line = info.lines().find(|line| line.starts_with(name))?;
        Some(line.split_once(':')?.1.trim().to_owned())
    };
    let processor = match (field("model name"), field("cpu family"), field("model\t"), field("cache size")) {
        (Some(name), Some(family), Some(model), Some(cache)) => {
            format!("{name} (family {family}, model {model}; cache {cache})")
        }
        (name, ..) => name.unwrap_or_else(|| "unknown".to_owned()),
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let manifest = include_str!("../Cargo.toml");
    let peers: Vec<String> = manifest
        .lines()
        .filter_map(|line| line.split_once(" = \"="))
        .map(|(name, version)| format!("{name} {}", version.trim_end_matches('"')))
        .collect();
    format!(
        "{}. Processor: {processor}, {threads} threads, {}. Compiler: {}, {}. Peers: {}{}.",
        time::OffsetDateTime::now_utc().date(),
        std::env::consts::OS,
        env!("COMPILER"),
        if NATIVE { "for this machine's instructions" } else { "default target" },
        peers.join(", "),
        embree(),
    )
}

#[cfg(feature = "embree")]
fn embree() -> String {
    let version = crate::peers::embree::Embree::version();
    format!(", Embree {}.{}.{}", version / 10_000, version / 100 % 100, version % 100)
}

#[cfg(not(feature = "embree"))]
fn embree() -> &'static str {
    ""
}
