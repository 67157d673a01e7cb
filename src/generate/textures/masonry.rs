//! Stone, brick, tiles, plaster and pavement.

use glam::{DVec2, DVec3};

use super::canvas::{Bond, Texel, dome, paint, ramp, rgb};
use crate::generate::random::{Noise, mix, smoothstep};

const STONE: [DVec3; 4] = [rgb(0x8d8273), rgb(0xa39782), rgb(0xb3a78f), rgb(0x99948a)];

/// Rough stones of many sizes in thick mortar.
pub fn rubble() -> Vec<u8> {
    let bond = Bond::random(11, 9, 6, 0.38);
    let (bend, grain, stain) = (Noise::tiled(12, 16, 16), Noise::tiled(13, 48, 48), Noise::tiled(14, 3, 3));
    paint(512, 0.9, |p| {
        let moved = p + 0.008 * DVec2::new(bend.fractal(16.0 * p, 2), bend.fractal(16.0 * p + 7.0, 2));
        let stone = bond.at(moved, 0.016);
        let rough = grain.fractal(48.0 * p, 3);
        let up = dome(stone.inside, 0.003, 0.014);
        let body = ramp(&STONE, stone.id) * mix(0.78, 1.1, stone.tone) * (1.0 + 0.13 * rough);
        let mortar = rgb(0x8f8777) * (0.82 + 0.1 * rough);
        let damp = smoothstep(0.1, 0.7, stain.fractal(3.0 * p, 3));
        let color = mortar.lerp(body, up).lerp(rgb(0x6f7458), 0.22 * damp);
        Texel::opaque(color * (0.7 + 0.3 * up), 0.9 * up + 0.12 * rough)
    })
}

/// Dressed stones in even rows with thin joints.
pub fn ashlar() -> Vec<u8> {
    let bond = Bond::regular(21, 6, 3, 0.5);
    let (grain, stain) = (Noise::tiled(22, 40, 40), Noise::tiled(23, 4, 2));
    let bend = Noise::tiled(24, 24, 24);
    paint(512, 0.8, |p| {
        let moved = p + 0.002 * DVec2::new(bend.fractal(24.0 * p, 2), bend.fractal(24.0 * p + 5.0, 2));
        let stone = bond.at(moved, 0.008);
        let rough = grain.fractal(40.0 * p, 4);
        let up = dome(stone.inside, 0.0015, 0.007);
        let body = ramp(&STONE, 0.25 + 0.6 * stone.id) * mix(0.92, 1.12, stone.tone) * (1.0 + 0.09 * rough);
        let streak = smoothstep(0.15, 0.8, stain.fractal(DVec2::new(4.0, 2.0) * p, 4));
        let color = rgb(0x857d6f).lerp(body, up).lerp(rgb(0x716b5e), 0.3 * streak);
        Texel::opaque(color * (0.68 + 0.32 * up), up + 0.14 * rough)
    })
}

/// The face of one stone, without joints.
pub fn stone() -> Vec<u8> {
    let (grain, broad, pits) = (Noise::tiled(31, 24, 24), Noise::tiled(32, 4, 4), Noise::tiled(33, 20, 20));
    paint(256, 0.7, |p| {
        let rough = grain.fractal(24.0 * p, 4);
        let cell = pits.cells(20.0 * p, 1.0);
        let pit = smoothstep(0.2 * cell.id, 0.05 * cell.id, cell.nearest) * smoothstep(0.5, 0.6, cell.id);
        let tone = 0.5 + 0.5 * broad.fractal(4.0 * p, 4);
        let color = ramp(&[rgb(0x9a8f7d), rgb(0xb0a48d), rgb(0xa8a196)], tone) * (1.0 + 0.12 * rough);
        Texel::opaque(color * (1.0 - 0.18 * pit), 0.3 * rough - 0.4 * pit)
    })
}

/// Bricks in running bond.
pub fn brick() -> Vec<u8> {
    let bond = Bond::regular(41, 16, 6, 0.5);
    let (grain, bend) = (Noise::tiled(42, 40, 40), Noise::tiled(43, 24, 24));
    let clay = [rgb(0x7d3f2e), rgb(0x96503a), rgb(0xa8614a), rgb(0x8b4a41)];
    paint(256, 0.7, |p| {
        let moved = p + 0.003 * DVec2::new(bend.fractal(24.0 * p, 2), bend.fractal(24.0 * p + 5.0, 2));
        let stone = bond.at(moved, 0.006);
        let rough = grain.fractal(40.0 * p, 3);
        let up = dome(stone.inside, 0.003, 0.006);
        let body = ramp(&clay, stone.id) * mix(0.82, 1.12, stone.tone) * (1.0 + 0.14 * rough);
        let color = (rgb(0xa89c8b) * (0.85 + 0.1 * rough)).lerp(body, up);
        Texel::opaque(color, 0.7 * up + 0.16 * rough)
    })
}

/// Large worn slabs of a floor.
pub fn flagstones() -> Vec<u8> {
    let bond = Bond::random(51, 4, 4, 0.25);
    let (grain, broad, bend) = (Noise::tiled(52, 40, 40), Noise::tiled(53, 6, 6), Noise::tiled(54, 16, 16));
    let slab = [rgb(0x7f776b), rgb(0x968b7a), rgb(0x8a8780), rgb(0xa0937d)];
    paint(512, 0.7, |p| {
        let moved = p + 0.003 * DVec2::new(bend.fractal(16.0 * p, 2), bend.fractal(16.0 * p + 5.0, 2));
        let stone = bond.at(moved, 0.014);
        let rough = grain.fractal(40.0 * p, 3);
        let worn = broad.fractal(6.0 * p, 3);
        let up = dome(stone.inside, 0.002, 0.008);
        let body = ramp(&slab, stone.id) * mix(0.88, 1.1, stone.tone) * (1.0 + 0.08 * rough + 0.1 * worn);
        let color = rgb(0x4f473c).lerp(body, up);
        Texel::opaque(color, 0.8 * up + 0.12 * rough + 0.2 * worn)
    })
}

/// Rounded cobbles with sand and some green between them.
pub fn cobbles() -> Vec<u8> {
    let (cells, bend, grain, broad) =
        (Noise::tiled(61, 17, 17), Noise::tiled(62, 12, 12), Noise::tiled(63, 64, 64), Noise::tiled(64, 4, 4));
    let stones = [rgb(0x6d675f), rgb(0x857b6d), rgb(0x938a7d), rgb(0x7a7a78), rgb(0x8d7f6b)];
    paint(512, 0.55, |p| {
        let moved = p + 0.006 * DVec2::new(bend.fractal(12.0 * p, 2), bend.fractal(12.0 * p + 5.0, 2));
        let cell = cells.cells(17.0 * moved, 0.72);
        let rough = grain.fractal(64.0 * p, 2);
        let gap = cell.second - cell.nearest;
        let up = smoothstep(0.02, 0.42, gap).sqrt();
        let wear = broad.fractal(4.0 * p, 3);
        let body = ramp(&stones, cell.id) * (0.92 + 0.22 * (cell.id * 7.3).fract()) * (1.0 + 0.1 * rough);
        let sand = rgb(0x564c3d).lerp(rgb(0x59603a), smoothstep(-0.1, 0.5, wear)) * (0.9 + 0.2 * rough);
        let color = sand.lerp(body, smoothstep(0.03, 0.12, gap));
        Texel::opaque(color * (0.74 + 0.26 * up), 1.1 * up + 0.12 * rough)
    })
}

/// Clay roof tiles, rounded at their lower ends, each row over the one below.
pub fn roof_tiles() -> Vec<u8> {
    let clay = [rgb(0x8a4632), rgb(0x9c5239), rgb(0xaf6446), rgb(0x7b4034), rgb(0xa65b3c)];
    tiles(71, 10, 8, &clay, 512, 0.5)
}

/// Slates, cut square.
pub fn slate() -> Vec<u8> {
    let slates = [rgb(0x454c57), rgb(0x525a66), rgb(0x5d6570), rgb(0x4b4f58), rgb(0x5a5f62)];
    tiles(81, 10, 6, &slates, 256, 0.12)
}

fn tiles(seed: u64, rows: i64, columns: i64, colors: &[DVec3], size: u32, round: f64) -> Vec<u8> {
    let (grain, moss) = (Noise::tiled(seed + 1, 48, 48), Noise::tiled(seed + 2, 4, 4));
    paint(size, 0.55, |p| {
        // The lowest row that covers the point: its tiles reach down over the next row by their rounded ends.
        let (x, y) = (p.x * columns as f64, p.y * rows as f64);
        let mut row = y.floor() as i64;
        let mut down = y - row as f64;
        let across = |row: i64| (x + 0.5 * (row.rem_euclid(2)) as f64).rem_euclid(columns as f64);
        let end = |side: f64| 1.0 - round * (1.0 - (1.0 - side * side).max(0.0).sqrt()) * 0.8;
        let side = |row: i64| 2.0 * across(row).fract() - 1.0;
        let mut depth = 0.0;
        if down > end(side(row)) {
            row += 1;
            down -= 1.0;
            depth = 1.0;
        }
        let column = across(row) as i64;
        let id = crate::generate::random::hash(seed, row.rem_euclid(rows), column, 0);
        let tone = crate::generate::random::hash(seed, row.rem_euclid(rows), column, 1);
        let rough = grain.fractal(48.0 * p, 3);
        let green = smoothstep(0.05, 0.6, moss.fractal(4.0 * p, 4));
        let joint = smoothstep(1.0, 0.9, side(row).abs());
        // Just below an end lies its shadow.
        let shadow = if depth > 0.0 { 0.72 } else { mix(0.74, 1.0, smoothstep(-0.05, 0.35, down)) };
        let edge = smoothstep(0.12, 0.0, end(side(row)) - down) * (1.0 - depth);
        let body = ramp(colors, id) * mix(0.8, 1.14, tone) * (1.0 + 0.12 * rough + 0.16 * edge);
        let color = body.lerp(rgb(0x66673f), 0.3 * green) * shadow * mix(0.6, 1.0, joint);
        let bow = if round > 0.2 { 0.5 * (1.0 - side(row) * side(row)) } else { 0.0 };
        Texel::opaque(color, bow + 0.15 * rough)
    })
}

/// Lime plaster, stained and a little cracked.
pub fn plaster() -> Vec<u8> {
    let (grain, stain, crack) = (Noise::tiled(91, 32, 32), Noise::tiled(92, 4, 4), Noise::tiled(93, 5, 5));
    paint(256, 0.5, |p| {
        let rough = grain.fractal(32.0 * p, 3);
        let dirt = smoothstep(-0.1, 0.8, stain.fractal(4.0 * p, 4));
        let bend = 0.25 * DVec2::new(stain.fractal(8.0 * p, 2), stain.fractal(8.0 * p + 3.0, 2));
        let cell = crack.cells(5.0 * p + bend, 1.0);
        let line = smoothstep(0.035, 0.0, cell.second - cell.nearest) * smoothstep(0.3, 0.7, cell.id);
        let color = rgb(0xd9cdb4).lerp(rgb(0xb09c7c), 0.55 * dirt) * (1.0 + 0.05 * rough - 0.22 * line);
        Texel::opaque(color, 0.3 * rough - 0.5 * line)
    })
}

/// Cast concrete with the marks of its boards.
pub fn concrete() -> Vec<u8> {
    let bond = Bond::regular(101, 2, 2, 0.0);
    let (grain, stain) = (Noise::tiled(102, 48, 48), Noise::tiled(103, 8, 2));
    paint(256, 0.5, |p| {
        let panel = bond.at(p, 0.002);
        let rough = grain.fractal(48.0 * p, 3);
        let streak = smoothstep(0.0, 0.8, stain.fractal(DVec2::new(8.0, 2.0) * p, 3));
        let up = smoothstep(0.0, 0.006, panel.inside);
        let color = rgb(0x9f9c95) * mix(0.96, 1.04, panel.id) * (1.0 + 0.07 * rough - 0.14 * streak);
        Texel::opaque(color * mix(0.78, 1.0, up), 0.6 * up + 0.2 * rough)
    })
}

/// Square slabs of a pavement.
pub fn paving() -> Vec<u8> {
    let bond = Bond::regular(111, 4, 4, 0.5);
    let (grain, stain) = (Noise::tiled(112, 48, 48), Noise::tiled(113, 4, 4));
    paint(256, 0.5, |p| {
        let slab = bond.at(p, 0.006);
        let rough = grain.fractal(48.0 * p, 3);
        let dirt = smoothstep(0.0, 0.8, stain.fractal(4.0 * p, 4));
        let up = dome(slab.inside, 0.002, 0.006);
        let body = rgb(0xa39d92).lerp(rgb(0x8f8f90), slab.id) * mix(0.9, 1.06, slab.tone);
        let color = rgb(0x5d574e).lerp(body * (1.0 + 0.08 * rough - 0.16 * dirt), up);
        Texel::opaque(color, 0.7 * up + 0.15 * rough)
    })
}

/// Worn asphalt.
pub fn asphalt() -> Vec<u8> {
    let (grit, stain, crack) = (Noise::tiled(121, 96, 96), Noise::tiled(122, 4, 4), Noise::tiled(123, 4, 4));
    paint(256, 0.4, |p| {
        let stones = grit.cells(96.0 * p, 1.0);
        let wear = stain.fractal(4.0 * p, 4);
        let bend = 0.3 * DVec2::new(stain.fractal(8.0 * p, 3), stain.fractal(8.0 * p + 3.0, 3));
        let cell = crack.cells(4.0 * p + bend, 1.0);
        let line = smoothstep(0.022, 0.0, cell.second - cell.nearest) * smoothstep(0.55, 0.75, cell.id);
        let color = rgb(0x4c4c4e) * (0.86 + 0.3 * stones.id + 0.18 * wear - 0.35 * line);
        Texel::opaque(color, 0.5 * (0.6 - stones.nearest) - 0.6 * line)
    })
}
