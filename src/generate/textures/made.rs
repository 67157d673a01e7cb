//! Wood, iron, glass and cloth.

use glam::{DVec2, DVec3};

use super::canvas::{Bond, Texel, paint, ramp, rgb};
use crate::generate::random::{Noise, mix, smoothstep};

const WOOD: [DVec3; 4] = [rgb(0x5d4129), rgb(0x735234), rgb(0x876341), rgb(0x97764f)];

/// Boards side by side, their grain along V.
pub fn planks() -> Vec<u8> {
    let bond = Bond::regular(301, 1, 6, 0.0);
    let (grain, fine, broad) = (Noise::tiled(302, 36, 3), Noise::tiled(303, 96, 6), Noise::tiled(304, 4, 4));
    paint(512, 0.7, |p| {
        let board = bond.at(p, 0.0);
        let slide = DVec2::new(0.0, 3.0 * (board.id * 8.0).floor());
        let wave = 0.05 * broad.fractal(4.0 * p, 2);
        let rings = grain.fractal(DVec2::new(36.0, 3.0) * (p + DVec2::new(wave, 0.0)) + slide, 3);
        let fibre = fine.fractal(DVec2::new(96.0, 6.0) * p, 2);
        let side = (board.at.x - 0.5).abs() * 2.0;
        let joint = smoothstep(1.0, 0.93, side);
        let nail = [0.06, 0.94].iter().fold(0.0_f64, |nail, &y| {
            let offset = DVec2::new(((board.at.x - 0.5).abs() - 0.28) / 6.0, p.y - y);
            nail.max(smoothstep(0.0075, 0.004, offset.length()))
        });
        let wood = ramp(&WOOD, 0.45 + 0.4 * rings + 0.25 * (board.id - 0.5)) * mix(0.85, 1.1, board.tone);
        let color = (wood * (1.0 + 0.12 * fibre) * mix(0.4, 1.0, joint)).lerp(rgb(0x37322e), 0.8 * nail);
        Texel::opaque(color, 0.8 * joint + 0.25 * fibre + 0.3 * rings + 0.5 * nail)
    })
}

/// One dark, hewn beam, its grain along V.
pub fn beam() -> Vec<u8> {
    let (grain, fine, cracks) = (Noise::tiled(311, 10, 1), Noise::tiled(312, 48, 4), Noise::tiled(313, 7, 1));
    paint(256, 0.7, |p| {
        let rings = grain.fractal(DVec2::new(10.0, 1.0) * p, 4);
        let fibre = fine.fractal(DVec2::new(48.0, 4.0) * p, 3);
        let split = smoothstep(0.05, 0.0, cracks.fractal(DVec2::new(7.0, 1.0) * p, 3).abs()) * 0.5;
        let wood = ramp(&[rgb(0x38281b), rgb(0x4c3725), rgb(0x604830)], 0.5 + 0.6 * rings) * (1.0 + 0.18 * fibre);
        Texel::opaque(wood * (1.0 - 0.5 * split), 0.5 * rings + 0.35 * fibre - split)
    })
}

/// Forged iron with rust and hammer marks.
pub fn iron() -> Vec<u8> {
    let (marks, rust, grain) = (Noise::tiled(321, 12, 12), Noise::tiled(322, 4, 4), Noise::tiled(323, 48, 48));
    paint(256, 0.6, |p| {
        let mark = marks.cells(12.0 * p, 1.0).nearest;
        let rough = grain.fractal(48.0 * p, 2);
        let worn = smoothstep(0.05, 0.6, rust.fractal(4.0 * p, 5));
        let color = rgb(0x46464a).lerp(rgb(0x6b4630), 0.75 * worn) * (1.0 + 0.12 * rough + 0.15 * (0.5 - mark));
        Texel::opaque(color, 0.5 * mark + 0.2 * rough)
    })
}

/// Panes of coloured glass in lead: the panes let light through, the lead does not.
pub fn glass() -> Vec<u8> {
    let (wave, tint) = (Noise::tiled(331, 12, 12), Noise::tiled(332, 6, 6));
    let panes = [rgb(0x9fc0c4), rgb(0xbcd0b4), rgb(0x8fb0cc), rgb(0xd3c793), rgb(0xa9c8cf)];
    paint(256, 0.35, |p| {
        let turned = DVec2::new(p.x + p.y, p.x - p.y) * 6.0;
        let cell = turned.floor();
        let inside = turned - cell;
        let edge = inside.min(1.0 - inside).min_element();
        let lead = smoothstep(0.09, 0.06, edge);
        let ripple = wave.fractal(12.0 * p, 2);
        // A pane's place, taken modulo the tile so that panes over the border are one.
        let place = DVec2::new((cell.x + cell.y).rem_euclid(12.0), (cell.x - cell.y).rem_euclid(12.0));
        let id = crate::generate::random::hash(333, place.x as i64, place.y as i64, 0);
        let pane = ramp(&panes, id) * (1.0 + 0.1 * ripple + 0.06 * tint.fractal(6.0 * p, 2));
        let height = 0.8 * smoothstep(0.0, 0.09, 0.09 - edge) + 0.2 * ripple;
        Texel { color: pane.lerp(rgb(0x2c2c2e), lead), height, alpha: mix(0.42, 1.0, lead) }
    })
}

/// A window of four panes in a painted frame, the sky's reflection on them.
pub fn window() -> Vec<u8> {
    let (wave, grain) = (Noise::tiled(351, 3, 3), Noise::tiled(352, 48, 48));
    paint(256, 0.4, |p| {
        let bar = |value: f64, width: f64| smoothstep(width, width - 0.008, value);
        let border = p.x.min(1.0 - p.x).min(p.y.min(1.0 - p.y));
        let cross = (p.x - 0.5).abs().min((p.y - 0.36).abs());
        let frame = bar(border, 0.055).max(bar(cross, 0.024));
        let height = 0.7 * smoothstep(0.075, 0.05, border).max(smoothstep(0.034, 0.018, cross));
        let glare = smoothstep(0.1, 0.6, wave.fractal(3.0 * (p + DVec2::new(p.y * 0.5, 0.0)), 2) + 0.5 - p.y);
        let pane = rgb(0x3b4a58).lerp(rgb(0x9db8cc), 0.75 * glare);
        let paint = rgb(0xd8d2c4) * (1.0 + 0.05 * grain.fractal(48.0 * p, 2));
        Texel { color: pane.lerp(paint, frame), height, alpha: mix(0.62, 1.0, frame) }
    })
}

/// A heraldic banner, cut out: a swallowtail with a frayed hem.
pub fn banner() -> Vec<u8> {
    let (weave, fold, fray) = (Noise::tiled(341, 64, 64), Noise::tiled(342, 3, 1), Noise::tiled(343, 32, 32));
    let (red, gold) = (rgb(0x8e1f24), rgb(0xd2a63c));
    paint(256, 0.4, |p| {
        let from_middle = (p.x - 0.5).abs();
        let hem = 0.84 + 0.26 * (from_middle - 0.25) + 0.015 * fray.fractal(32.0 * p, 3);
        let side = 0.47 + 0.006 * fray.fractal(32.0 * p + 9.0, 2);
        let cut_out = p.y < hem && from_middle < side;
        let border = (side - from_middle).min(hem - p.y).min(p.y - 0.01);
        let trim = smoothstep(0.012, 0.018, border) * smoothstep(0.055, 0.049, border);
        // A tree of nodes: one square above two above four, as the program divides its levels.
        let node = |x: f64, y: f64, half: f64| {
            let offset = (DVec2::new(from_middle, p.y) - DVec2::new(x, y)).abs();
            smoothstep(half + 0.005, half - 0.005, offset.max_element())
        };
        let link = |from: DVec2, to: DVec2| {
            let (point, way) = (DVec2::new(from_middle, p.y) - from, to - from);
            let along = (point.dot(way) / way.length_squared()).clamp(0.0, 1.0);
            smoothstep(0.014, 0.009, (point - along * way).length())
        };
        let [top, mid, low] = [DVec2::new(0.0, 0.2), DVec2::new(0.17, 0.4), DVec2::new(0.08, 0.6)];
        let low_out = DVec2::new(0.27, 0.6);
        let mut mark = node(top.x, top.y, 0.065).max(node(mid.x, mid.y, 0.05));
        mark = mark.max(node(low.x, low.y, 0.038)).max(node(low_out.x, low_out.y, 0.038));
        mark = mark.max(link(top, mid)).max(link(mid, low)).max(link(mid, low_out));
        let thread = weave.fractal(64.0 * p, 2);
        let shade = 1.0 + 0.22 * fold.fractal(DVec2::new(3.0, 1.0) * p, 3) + 0.06 * thread;
        let color = red.lerp(gold, trim.max(mark)) * shade;
        Texel { color, height: 0.2 * thread, alpha: if cut_out { 1.0 } else { 0.0 } }
    })
}
