//! Charts as SVG, which any browser shows and scales.

use std::fmt::Write;

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 300.0;
const LEFT: f64 = 92.0;
const RIGHT: f64 = 12.0;
const TOP: f64 = 12.0;
const BOTTOM: f64 = 34.0;

/// Values over the frames of a path.
pub struct Line<'a> {
    pub name: &'a str,
    /// Frame and value.
    pub points: Vec<(f64, f64)>,
    /// Its colour, by the number of the style sheet.
    pub color: usize,
}

/// Lines over `frames` frames, their values on a scale of powers of ten. Nothing above 0 gives an empty chart.
pub fn lines(frames: usize, unit: &str, lines: &[Line<'_>]) -> String {
    let values = || lines.iter().flat_map(|line| &line.points).map(|&(_, value)| value).filter(|&value| value > 0.0);
    let least = values().fold(f64::INFINITY, f64::min);
    let greatest = values().fold(0.0, f64::max);
    let mut svg = open();
    if greatest > 0.0 {
        // Whole powers of ten, at least one apart.
        let low = least.log10().floor();
        let high = greatest.log10().ceil().max(low + 1.0);
        let y = |value: f64| {
            let part = (value.max(least).log10() - low) / (high - low);
            TOP + (1.0 - part) * (HEIGHT - TOP - BOTTOM)
        };
        let x = |frame: f64| LEFT + frame / (frames.max(2) - 1) as f64 * (WIDTH - LEFT - RIGHT);
        for power in low as i32..=high as i32 {
            let value = 10_f64.powi(power);
            grid(&mut svg, y(value), &format!("{} {unit}", short(value)));
        }
        for frame in ticks(frames) {
            let _ = write!(
                svg,
                "<text class='tick' x='{:.1}' y='{:.1}' text-anchor='middle'>{frame}</text>",
                x(frame as f64),
                HEIGHT - BOTTOM + 18.0
            );
        }
        for line in lines {
            let mut points = String::new();
            for &(frame, value) in &line.points {
                let _ = write!(points, "{:.1},{:.1} ", x(frame), y(value));
            }
            let _ = write!(svg, "<polyline class='line c{}' points='{}'/>", line.color, points.trim_end());
        }
    }
    svg + "</svg>" + &legend(lines)
}

/// A bar for each value. Values of 0 are left out.
pub fn bars(unit: &str, bars: &[(&str, f64, usize)]) -> String {
    const ROW: f64 = 34.0;
    const NAMES: f64 = 190.0;
    const NUMBERS: f64 = 110.0;
    let shown: Vec<_> = bars.iter().filter(|(_, value, _)| *value > 0.0).collect();
    let greatest = shown.iter().map(|bar| bar.1).fold(0.0, f64::max);
    let height = ROW * shown.len() as f64;
    let mut svg = format!("<svg viewBox='0 0 {WIDTH} {height}' role='img'>");
    for (row, (name, value, color)) in shown.into_iter().enumerate() {
        // The least is seen too.
        let (top, length) = (ROW * row as f64 + 6.0, (value / greatest * (WIDTH - NAMES - NUMBERS)).max(1.0));
        let _ = write!(
            svg,
            "<text x='{:.1}' y='{:.1}' text-anchor='end'>{}</text><rect class='bar c{color}' x='{NAMES}' y='{top:.1}' \
             width='{length:.1}' height='{:.1}' rx='2'/><text x='{:.1}' y='{:.1}'>{} {unit}</text>",
            NAMES - 8.0,
            top + 16.0,
            escaped(name),
            ROW - 12.0,
            NAMES + length + 8.0,
            top + 16.0,
            short(*value),
        );
    }
    svg + "</svg>"
}

fn open() -> String {
    format!("<svg viewBox='0 0 {WIDTH} {HEIGHT}' role='img'>")
}

fn grid(svg: &mut String, y: f64, label: &str) {
    let _ = write!(
        svg,
        "<line class='grid' x1='{LEFT}' x2='{:.1}' y1='{y:.1}' y2='{y:.1}'/><text class='tick' x='{:.1}' y='{:.1}' \
         text-anchor='end'>{label}</text>",
        WIDTH - RIGHT,
        LEFT - 6.0,
        y + 4.0
    );
}

/// Up to seven frames, round numbers apart.
fn ticks(frames: usize) -> impl Iterator<Item = usize> {
    let step = [1, 2, 5].into_iter().cycle().zip(0..).map(|(part, place)| part * 10_usize.pow(place / 3));
    let step = step.take(18).find(|step| frames / step < 7).unwrap_or(frames.max(1));
    (0..frames).step_by(step)
}

fn legend(lines: &[Line<'_>]) -> String {
    let mut list = String::from("<ul class='legend'>");
    for Line { name, color, .. } in lines {
        let _ = write!(list, "<li><span class='key c{color}'></span>{}</li>", escaped(name));
    }
    list + "</ul>"
}

/// Three digits that count, with thousands as k and millions as M.
pub fn short(value: f64) -> String {
    let (value, letter) = match value {
        value if value >= 1e6 => (value / 1e6, "M"),
        value if value >= 1e4 => (value / 1e3, "k"),
        value => (value, ""),
    };
    let decimals = match value {
        value if value >= 100.0 || value == 0.0 => 0,
        value if value >= 10.0 => 1,
        value if value >= 1.0 => 2,
        _ => 3,
    };
    let text = format!("{value:.decimals$}");
    let text = if decimals > 0 { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    format!("{text}{letter}")
}

/// Text that HTML shows as it is.
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('\'', "&#39;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        for (value, text) in [
            (0.0, "0"),
            (0.0123, "0.012"),
            (1.0, "1"),
            (5.25, "5.25"),
            (37.04, "37"),
            (640.4, "640"),
            (9999.0, "9999"),
            (123_456.0, "123k"),
            (2_500_000.0, "2.5M"),
        ] {
            assert_eq!(short(value), text);
        }
    }

    #[test]
    fn ticks_are_few_and_round() {
        assert_eq!(ticks(600).collect::<Vec<_>>(), [0, 100, 200, 300, 400, 500]);
        assert_eq!(ticks(5).collect::<Vec<_>>(), [0, 1, 2, 3, 4]);
        assert_eq!(ticks(1).collect::<Vec<_>>(), [0]);
        assert!(ticks(100_000).count() <= 7);
    }

    #[test]
    fn every_point_is_inside_the_chart() {
        let points = vec![(0.0, 0.0), (1.0, 3.0), (2.0, 4e7)];
        let svg = lines(3, "us", &[Line { name: "<fast>", points, color: 1 }]);
        assert!(svg.contains("&lt;fast&gt;") && !svg.contains("<fast>"));
        let points = svg.split("points='").nth(1).and_then(|rest| rest.split('\'').next()).expect("a line");
        for point in points.split(' ') {
            let (x, y) = point.split_once(',').expect("two numbers");
            let (x, y): (f64, f64) = (x.parse().expect("a number"), y.parse().expect("a number"));
            assert!((LEFT..=WIDTH).contains(&x) && (0.0..=HEIGHT).contains(&y), "{point}");
        }
        assert!(!lines(2, "us", &[]).contains("NaN"));
    }
}
