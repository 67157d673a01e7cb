//! A measurement as one page that needs nothing beside it.

use std::fmt::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::chart::{Line, bars, escaped, lines, short};
use super::report::{Figures, Report};

/// Readable on a phone, by day and by night.
const STYLE: &str = "\
:root{color-scheme:light dark;--ink:#1c2733;--quiet:#5d6b7a;--page:#fbfaf8;--rule:#dcdad5;\
--c0:#0b6e6e;--c1:#c2570c;--c2:#8a8f98;--c3:#6d4bb0;--c4:#b3261e;--c5:#1c2733}\
@media(prefers-color-scheme:dark){:root{--ink:#e8ecf0;--quiet:#9aa7b4;--page:#14181d;--rule:#2f373f;\
--c0:#4cc2b8;--c1:#f39a4d;--c2:#8f98a3;--c3:#b29af0;--c4:#ff7b72;--c5:#e8ecf0}}\
body{margin:0 auto;max-width:46rem;padding:1.2rem;background:var(--page);color:var(--ink);\
font:1rem/1.5 system-ui,sans-serif}h1{font-size:1.5rem;margin:.2em 0}h2{font-size:1.1rem;margin:2em 0 .3em}\
p{margin:.3em 0}.quiet,figcaption{color:var(--quiet);font-size:.9rem}figure{margin:1.2em 0}\
img,svg{width:100%;height:auto;display:block}img{border-radius:4px}\
svg text{fill:var(--ink);font:13px system-ui,sans-serif}svg .tick{fill:var(--quiet);font-size:12px}\
.grid{stroke:var(--rule)}.line{fill:none;stroke-width:1.6;stroke-linejoin:round}\
.legend{list-style:none;display:flex;flex-wrap:wrap;gap:.2em 1.2em;padding:0;margin:.3em 0;font-size:.9rem}\
.key{display:inline-block;width:1.1em;height:.25em;margin-right:.45em;vertical-align:middle}\
.scroll{overflow-x:auto}table{border-collapse:collapse;font-size:.9rem;font-variant-numeric:tabular-nums}\
th,td{padding:.25em .7em;text-align:right;border-bottom:1px solid var(--rule);white-space:nowrap}\
@media(max-width:40rem){svg text,svg .tick{font-size:21px}}\
th:first-child,td:first-child{text-align:left;padding-left:0}th{font-weight:600;color:var(--quiet)}";

/// The page. `picture` is a PNG from the path.
pub fn html(report: &Report, picture: Option<&[u8]>) -> String {
    let Report { machine, level, path, .. } = report;
    let mut page = format!(
        "<!doctype html><html lang='en'><head><meta charset='utf-8'><meta name='viewport' \
         content='width=device-width,initial-scale=1'><title>nodetree bench: {name}</title><style>{STYLE}{colors}</style></head>\
         <body><h1>{name}</h1><p>{triangles} triangles, {materials} materials; {frames} frames along a path ({source}).</p>\
         <p class='quiet'>nodetree {version} on {processor}, {threads} threads, {os} {arch}{adapter}.</p>",
        name = escaped(&level.path),
        colors = (0..6).map(|color| format!(".line.c{color}{{stroke:var(--c{color})}}.bar.c{color}{{fill:var(--c{color})}}.key.c{color}{{background:var(--c{color})}}")).collect::<String>(),
        triangles = short(level.triangles as f64),
        materials = level.materials,
        frames = path.frames,
        source = escaped(&path.source),
        version = machine.version,
        processor = escaped(&machine.processor),
        threads = machine.threads,
        os = machine.os,
        arch = machine.arch,
        adapter = machine.adapter.as_ref().map_or(String::new(), |name| format!(", drawn by {}", escaped(name))),
    );
    if let Some(picture) = picture {
        let _ = write!(
            page,
            "<figure><img alt='A picture from the path' src='data:image/png;base64,{}'><figcaption>Where the path sees \
             most.</figcaption></figure>",
            STANDARD.encode(picture)
        );
    }
    section(
        &mut page,
        "Time to cull a frame",
        "Both trees beside three classic methods: microseconds, the median over the path.",
        &bars("µs", &by_method(report, |figures| figures.cull.median_us)),
    );
    section(
        &mut page,
        "The same along the path",
        "Microseconds for each frame; each line of the grid is ten times the one below.",
        &lines(path.frames, "µs", &along(report, |figures| numbered(&figures.series.frame_us))),
    );
    let triangles = |figures: &Figures| {
        let counts = figures.series.outputs.iter().map(|output| f64::from(output.triangles)).collect::<Vec<_>>();
        numbered(&counts)
    };
    let mut visible = vec![
        Line { name: "quadtree", points: triangles(&report.modes.quadtree), color: 0 },
        Line { name: "octree", points: triangles(&report.modes.octree), color: 1 },
        Line { name: "draw everything", points: triangles(&report.baselines.draw_everything), color: 4 },
    ];
    let needed: Vec<f64> = report.modes.octree.series.needed.iter().map(|&count| f64::from(count)).collect();
    visible.push(Line { name: "needed", points: numbered(&needed), color: 5 });
    section(
        &mut page,
        "Triangles drawn along the path",
        "Needed are those whose box touches the view.",
        &lines(path.frames, "", &visible),
    );
    let drawn = along(report, |figures| figures.drawn.iter().map(|&(frame, ms)| (frame as f64, ms)).collect());
    if drawn.iter().any(|line| !line.points.is_empty()) {
        let drawn: Vec<Line<'_>> = drawn.into_iter().filter(|line| !line.points.is_empty()).collect();
        let chart = lines(path.frames, "ms", &drawn);
        section(
            &mut page,
            "Time to draw a frame along the path",
            "Milliseconds from culling to a picture of 320 by 180 pixels.",
            &chart,
        );
    }
    section(&mut page, "All figures", "Medians a frame; questions on one thread.", &table(report));
    page + "</body></html>\n"
}

fn section(page: &mut String, title: &str, text: &str, content: &str) {
    let _ = write!(page, "<h2>{title}</h2><p class='quiet'>{text}</p><div class='scroll'>{content}</div>");
}

fn by_method(report: &Report, value: impl Fn(&Figures) -> f64) -> Vec<(&'static str, f64, usize)> {
    report.methods().into_iter().enumerate().map(|(color, (name, figures))| (name, value(figures), color)).collect()
}

fn along(report: &Report, points: impl Fn(&Figures) -> Vec<(f64, f64)>) -> Vec<Line<'static>> {
    let line =
        |(color, (name, figures)): (usize, (&'static str, &Figures))| Line { name, points: points(figures), color };
    report.methods().into_iter().enumerate().map(line).collect()
}

fn numbered(values: &[f64]) -> Vec<(f64, f64)> {
    values.iter().enumerate().map(|(frame, &value)| (frame as f64, value)).collect()
}

fn table(report: &Report) -> String {
    let mut table = String::from(
        "<table><tr><th></th><th>build ms</th><th>cull µs</th><th>99 % µs</th><th>nodes</th><th>ranges</th><th>triangles</th>\
         <th>draw ms</th><th>rays /s</th><th>heights /s</th><th>sweeps /s</th></tr>",
    );
    let number = |value: Option<f64>| value.map_or("–".to_owned(), short);
    for (name, figures) in report.methods() {
        let cull = &figures.cull;
        let cells = [
            number(figures.build_ms),
            short(cull.median_us),
            short(cull.p99_us),
            short(cull.nodes_visited),
            short(cull.ranges),
            short(cull.triangles_visible),
            number(figures.draw.map(|draw| draw.median_ms)),
            number(figures.rays_per_s),
            number(figures.heights_per_s),
            number(figures.sweeps_per_s),
        ];
        let _ = write!(table, "<tr><td>{name}</td>{}</tr>", cells.map(|cell| format!("<td>{cell}</td>")).concat());
    }
    table + "</table>"
}
