//! The display over the picture: numbers, crosshair, messages and the cheat sheet.

use std::sync::Arc;

use egui::text::LayoutJob;
use egui::{
    Align2, Color32, Context, FontData, FontDefinitions, FontFamily, FontId, Galley, LayerId, Painter, Pos2, Rect,
    Stroke, TextFormat, Vec2, pos2, vec2,
};

use super::bindings::{Action, BINDINGS, Binding};
use super::frame_times::FrameTimes;
use super::input::Input;
use super::inset::SHARE;
use super::state::{Loading, State};
use crate::walk::STEP;

const TEXT: Color32 = Color32::from_rgb(235, 238, 242);
const QUIET: Color32 = Color32::from_rgb(165, 172, 182);
const ACCENT: Color32 = Color32::from_rgb(255, 205, 90);
const RECORDING: Color32 = Color32::from_rgb(255, 80, 70);
/// Dark enough to read on snow, and to see the level through.
const BACKGROUND: Color32 = Color32::from_rgba_premultiplied(9, 11, 14, 225);
const MARGIN: f32 = 8.0;
const PADDING: Vec2 = vec2(8.0, 6.0);
const FONT_SIZE: f32 = 12.0;
/// Height of the bar under what is being loaded.
const BAR: f32 = 3.0;
const GRAPH: Vec2 = vec2(120.0, 28.0);

/// The one font that is written in: a page has to send what it contains.
pub fn fonts() -> FontDefinitions {
    let mut fonts = FontDefinitions::empty();
    let hack = FontData::from_static(epaint_default_fonts::HACK_REGULAR);
    fonts.font_data.insert("Hack".to_owned(), Arc::new(hack));
    for family in [FontFamily::Monospace, FontFamily::Proportional] {
        fonts.families.entry(family).or_default().push("Hack".to_owned());
    }
    fonts
}

/// Draws all that `state` says is shown.
pub fn draw(context: &Context, state: &State, times: &FrameTimes, input: &Input, inset: Option<egui::TextureId>) {
    let painter = context.layer_painter(LayerId::background());
    let screen = context.content_rect();
    let sheet = state.help.then(|| cheat_sheet(&painter, screen, state, input));
    let mut corner = screen.left_top() + Vec2::splat(MARGIN);
    if state.hud {
        let numbers = numbers(&painter, screen, state);
        // In a small window the sheet has the place.
        if sheet.as_ref().is_none_or(|sheet| !sheet.plate.intersects(numbers.plate)) {
            graph(&painter, screen, numbers.plate.right_top() + vec2(MARGIN, 0.0), times);
            corner = numbers.plate.left_bottom() + vec2(0.0, MARGIN);
            numbers.draw(&painter);
        }
        if sheet.is_none() {
            crosshair(&painter, screen, state);
        }
    }
    if let Some(inset) = inset.filter(|_| state.hud && sheet.is_none()) {
        let size = screen.size() * SHARE;
        let place = Rect::from_min_size(screen.right_bottom() - size - Vec2::splat(MARGIN), size);
        painter.image(inset, place, Rect::from_min_max(Pos2::ZERO, pos2(1.0, 1.0)), Color32::WHITE);
        painter.rect_stroke(place, 0.0, Stroke::new(1.0, ACCENT), egui::StrokeKind::Outside);
    }
    path_marks(&painter, corner, state);
    if let Some(sheet) = sheet {
        sheet.draw(&painter);
    }
    let mut at = screen.center_bottom() - vec2(0.0, 2.0 * MARGIN);
    if let Some(message) = &state.message {
        let job = job([(message.as_str(), TEXT)], FONT_SIZE + 1.0, screen.width() - 4.0 * MARGIN);
        let panel = Panel::new(&painter, at, Align2::CENTER_BOTTOM, job);
        at.y = panel.plate.top() - MARGIN;
        panel.draw(&painter);
    }
    if let Some(loading) = &state.loading {
        loading_bar(&painter, at, screen, loading);
    }
}

/// How far a level is loaded, while the old one is shown.
fn loading_bar(painter: &Painter, at: Pos2, screen: Rect, loading: &Loading) {
    let megabytes = |bytes: u64| bytes as f64 / 1e6;
    let &Loading { ref path, read, of } = loading;
    // What comes after the files cannot be foreseen.
    let far = if read < of {
        format!("{:.1} of {:.1} MB", megabytes(read), megabytes(of))
    } else {
        "building the tree".to_owned()
    };
    let spans = [("loading ", QUIET), (path.as_str(), TEXT), (": ", QUIET), (far.as_str(), TEXT)];
    let panel = Panel::new(painter, at, Align2::CENTER_BOTTOM, job(spans, FONT_SIZE, screen.width() - 4.0 * MARGIN));
    let place = panel.plate;
    panel.draw(painter);
    let full = Rect::from_min_max(place.left_bottom() - vec2(0.0, BAR), place.right_bottom());
    let part = if of == 0 { 0.0 } else { (read as f64 / of as f64) as f32 };
    painter.rect_filled(full, 2.0, QUIET.gamma_multiply(0.3));
    painter.rect_filled(full.with_max_x(full.left() + part * full.width()), 2.0, ACCENT);
}

fn numbers(painter: &Painter, screen: Rect, state: &State) -> Panel {
    let [x, y, z] = state.position;
    let (nodes, triangles) = (&state.nodes, &state.triangles);
    let mut lines = vec![
        (
            "frame ",
            format!("{:.1} ms, median {:.1}, 99 % {:.1}", state.frame_ms, state.frame_median_ms, state.frame_p99_ms),
        ),
        (
            "nodes ",
            format!(
                "{} visited, {} inside, {} crossing, {} outside{}",
                grouped(nodes.visited),
                grouped(nodes.inside),
                grouped(nodes.crossing),
                grouped(nodes.outside),
                if state.occlusion { format!(", {} hidden", grouped(nodes.hidden)) } else { String::new() }
            ),
        ),
        ("drawn ", format!("{} of {} triangles", grouped(triangles.drawn), grouped(triangles.all))),
        ("calls ", format!("{}, {} material changes", state.draw_calls, state.material_changes)),
        ("place ", format!("{x:.2}, {y:.2}, {z:.2}  heading {:.1}\u{b0}, pitch {:.1}\u{b0}", state.yaw, state.pitch)),
        ("tree  ", format!("{}{}", state.mode, if state.rebuilding { ", building the other" } else { "" })),
        ("move  ", moving(state)),
        ("on    ", state.adapter.clone()),
    ];
    if state.props.all > 0 {
        let props = &state.props;
        lines.insert(3, ("props ", format!("{} of {} drawn", grouped(props.drawn), grouped(props.all))));
    }
    if state.warnings > 0 {
        lines.push(("level ", format!("{} warnings, see nodetree info", grouped(state.warnings as u32))));
    }
    let mut spans = Vec::new();
    for (label, value) in &lines {
        spans.push((*label, QUIET));
        spans.push((value.as_str(), TEXT));
        spans.push(("\n", TEXT));
    }
    if state.watching {
        spans.push(("culled from where you walk: Shift+F lets go", ACCENT));
    } else if state.frozen {
        spans.push(("culling is frozen: F lets go", ACCENT));
    } else {
        spans.push(("F1 shows all keys", QUIET));
    }
    let job = job(spans, FONT_SIZE, screen.width() - 4.0 * MARGIN);
    Panel::new(painter, screen.left_top() + Vec2::splat(MARGIN), Align2::LEFT_TOP, job)
}

/// That a path is being recorded or replayed, also where the numbers are not shown; nothing else there.
fn path_marks(painter: &Painter, at: Pos2, state: &State) {
    let mut spans = Vec::new();
    if state.recording {
        spans.push((format!("\u{25cf} recording {:.1} s", seconds(state.recorded_steps)), RECORDING));
        spans.push((": O ends it".to_owned(), QUIET));
    }
    if state.replaying {
        let [taken, all] = state.replayed_steps.map(seconds);
        let gap = if state.recording { "\n" } else { "" };
        spans.push((format!("{gap}\u{25b6} replaying {taken:.1} of {all:.1} s"), ACCENT));
        spans.push((": a key that moves, or Esc, takes over".to_owned(), QUIET));
    }
    if !spans.is_empty() {
        let job = job(spans.iter().map(|(text, color)| (text.as_str(), *color)), FONT_SIZE, f32::INFINITY);
        Panel::new(painter, at, Align2::LEFT_TOP, job).draw(painter);
    }
}

/// The time that so many steps take.
fn seconds(steps: u64) -> f64 {
    steps as f64 * STEP
}

/// How one moves at the moment.
fn moving(state: &State) -> String {
    if state.moving == "fly" {
        let collide = if state.collide { ", colliding" } else { "" };
        format!("fly, {:.1} m/s{collide}", state.speed)
    } else {
        let stance = match (state.grounded, state.crouched) {
            (true, false) => "standing on something",
            (true, true) => "crouching",
            (false, _) => "in the air",
        };
        format!("walk, {stance}")
    }
}

/// The last frame times as bars, up to two frames of a 60 Hz screen high or the slowest of them; nothing where there is no
/// place for it.
fn graph(painter: &Painter, screen: Rect, at: Pos2, times: &FrameTimes) {
    let frame = Rect::from_min_size(at, GRAPH + PADDING);
    if frame.right() + MARGIN > screen.right() {
        return;
    }
    painter.rect_filled(frame, 4.0, BACKGROUND);
    let inner = frame.shrink2(0.5 * PADDING);
    let top = times.percentile(1.0).max(1000.0 / 30.0);
    for (index, time) in times.in_order().enumerate() {
        let x = inner.left() + index as f32 + 0.5;
        let color = if time <= 1000.0 / 55.0 { Color32::from_rgb(110, 210, 120) } else { ACCENT };
        let height = (time / top * inner.height()).max(1.0);
        painter.line_segment([pos2(x, inner.bottom()), pos2(x, inner.bottom() - height)], Stroke::new(1.0, color));
    }
}

fn crosshair(painter: &Painter, screen: Rect, state: &State) {
    let center = screen.center();
    for (color, width) in [(Color32::from_black_alpha(160), 3.0), (TEXT, 1.0)] {
        for arm in [vec2(1.0, 0.0), vec2(-1.0, 0.0), vec2(0.0, 1.0), vec2(0.0, -1.0)] {
            painter.line_segment([center + 3.0 * arm, center + 8.0 * arm], Stroke::new(width, color));
        }
    }
    let mut spans = Vec::new();
    if let Some(hit) = &state.crosshair {
        spans.push((format!("{:.2} m  {}  triangle {}", hit.distance, hit.material, grouped(hit.triangle)), TEXT));
    }
    // Measured from the eye: what lies how far below and above.
    let below = state.height_below.map(|height| format!("{:.2} m down to {height:.2}", state.eye[1] - height));
    let above = state.height_above.map(|height| format!("{:.2} m up to {height:.2}", height - state.eye[1]));
    let heights: Vec<String> = below.into_iter().chain(above).collect();
    if !heights.is_empty() {
        spans.push((heights.join(", "), QUIET));
    }
    if let Some(mark) = &state.mark {
        let sight = if mark.in_sight { "in sight" } else { "out of sight" };
        spans.push((format!("mark {sight}, {:.2} m", mark.distance), ACCENT));
    }
    if spans.is_empty() {
        return;
    }
    let last = spans.len() - 1;
    let lines = spans
        .iter()
        .enumerate()
        .flat_map(|(index, (text, color))| [(text.as_str(), *color), (if index == last { "" } else { "\n" }, *color)]);
    let job = job(lines, FONT_SIZE - 1.0, 0.45 * screen.width());
    Panel::new(painter, center + vec2(14.0, 14.0), Align2::LEFT_TOP, job).draw(painter);
}

/// Every key with what it does and how that stands, in two columns, as large as fits.
fn cheat_sheet(painter: &Painter, screen: Rect, state: &State, input: &Input) -> Panel {
    let half = BINDINGS.len().div_ceil(2);
    let rows: Vec<String> = BINDINGS.iter().map(|binding| row(binding, state, input)).collect();
    let mut spans = vec![("Keys\n\n", ACCENT)];
    for (left, right) in (0..half).map(|index| (index, index + half)) {
        for (at, end) in [(left, "   "), (right, "\n")] {
            if let Some(binding) = BINDINGS.get(at) {
                let (keys, rest) = rows[at].split_at(LABEL + 1);
                spans.push((keys, ACCENT));
                let (text, status) = rest.split_at(TEXT_WIDTH + 1);
                spans.push((text, TEXT));
                spans.push((status, if is_on(binding.action, state, input) { ACCENT } else { QUIET }));
            }
            spans.push((end, TEXT));
        }
    }
    // A monospaced character is about 0.6 of the size wide and 1.25 high.
    let columns = (2 * (LABEL + TEXT_WIDTH + STATUS + 2) + 3) as f32;
    let fit_width = (screen.width() - 4.0 * MARGIN) / (0.61 * columns);
    let fit_height = (screen.height() - 4.0 * MARGIN) / (1.3 * (half + 3) as f32);
    let size = fit_width.min(fit_height).clamp(6.0, FONT_SIZE + 2.0);
    Panel::new(painter, screen.center(), Align2::CENTER_CENTER, job(spans, size, f32::INFINITY))
}

/// Widths of the columns of the cheat sheet in characters.
const LABEL: usize = 12;
const TEXT_WIDTH: usize = 28;
const STATUS: usize = 11;

fn row(binding: &Binding, state: &State, input: &Input) -> String {
    let status = status(binding.action, state, input);
    format!("{:<LABEL$} {:<TEXT_WIDTH$} {status:<STATUS$}", binding.label, binding.text)
}

/// How things stand with an action, in at most eleven characters.
fn status(action: Action, state: &State, input: &Input) -> String {
    let on = |on: bool| if on { "on" } else { "off" }.to_owned();
    match action {
        Action::SwitchTree if state.rebuilding => "building".to_owned(),
        Action::SwitchTree => state.mode.to_owned(),
        Action::SwitchMoving => state.moving.to_owned(),
        Action::Speed => format!("{:.1} m/s", state.speed),
        Action::Capture | Action::Release => if state.captured { "captured" } else { "free" }.to_owned(),
        Action::Collide => on(state.collide),
        Action::ThirdPerson => on(state.third_person),
        Action::Freeze => on(state.frozen),
        Action::Watch => on(state.watching),
        Action::Boxes => on(state.boxes),
        Action::Wireframe => on(state.wireframe),
        Action::Occlusion => on(state.occlusion),
        Action::DebugView => state.debug_view.to_owned(),
        Action::Hud => on(state.hud),
        Action::Record => if state.recording { "recording" } else { "off" }.to_owned(),
        Action::Reload => if state.loading.is_some() { "loading" } else { "" }.to_owned(),
        Action::CheatSheet => on(state.help),
        Action::FullScreen => on(state.full_screen),
        Action::Mark => match &state.mark {
            Some(mark) => if mark.in_sight { "in sight" } else { "hidden" }.to_owned(),
            None => String::new(),
        },
        Action::SetBookmark | Action::VisitBookmark => if state.bookmark.is_some() { "set" } else { "none" }.to_owned(),
        Action::PrintCamera | Action::Report | Action::Picture | Action::PlainPicture => String::new(),
        held => if input.is_held(held) { "held" } else { "" }.to_owned(),
    }
}

fn is_on(action: Action, state: &State, input: &Input) -> bool {
    matches!(
        status(action, state, input).as_str(),
        "on" | "held" | "captured" | "building" | "loading" | "recording" | "walker"
    )
}

fn job<'a>(spans: impl IntoIterator<Item = (&'a str, Color32)>, size: f32, wrap_width: f32) -> LayoutJob {
    let mut job = LayoutJob::default();
    job.wrap.max_width = wrap_width;
    for (text, color) in spans {
        job.append(text, 0.0, TextFormat::simple(FontId::monospace(size), color));
    }
    job
}

/// Text on a dark plate.
struct Panel {
    plate: Rect,
    text: Arc<Galley>,
}

impl Panel {
    /// Lays text out, anchored at a point.
    fn new(painter: &Painter, at: Pos2, anchor: Align2, job: LayoutJob) -> Panel {
        let text = painter.layout_job(job);
        Panel { plate: anchor.anchor_size(at, text.size() + 2.0 * PADDING), text }
    }

    fn draw(self, painter: &Painter) {
        painter.rect_filled(self.plate, 4.0, BACKGROUND);
        painter.galley(self.plate.min + PADDING, self.text, TEXT);
    }
}

/// A number with its digits in groups of three.
fn grouped(number: u32) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push('\u{202f}');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_of_the_cheat_sheet_fits_its_columns() {
        let busy = State { mode: "quadtree", moving: "walk", speed: 2000.0, rebuilding: true, ..State::default() };
        for state in [State::default(), State { captured: true, rebuilding: false, ..busy.clone() }, busy] {
            for binding in BINDINGS {
                let row = row(binding, &state, &Input::default());
                assert_eq!(row.chars().count(), LABEL + TEXT_WIDTH + STATUS + 2, "{row:?}");
            }
        }
    }

    #[test]
    fn digits_stand_in_groups() {
        assert_eq!(grouped(7), "7");
        assert_eq!(grouped(1234567), "1\u{202f}234\u{202f}567");
        assert_eq!(grouped(123), "123");
    }
}
