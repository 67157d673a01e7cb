//! Things that stand about: tables, crates, barrels, banners, railings, the well.

use core::f64::consts::TAU;

use glam::{DVec2, DVec3, dvec3};

use crate::generate::mesh::{Mesh, Point};
use crate::generate::parts::{
    BOTTOM, Blocks, GableRoof, Wall, barrel, beam, block, block_without, blocks, cylinder, disc, gable_roof,
};
use crate::generate::random::Random;
use crate::generate::surface::Surface;

/// A railing of posts and two rails along a line of floor points.
pub fn rails(mesh: &mut Mesh, line: &[DVec3]) {
    for &foot in line {
        beam(mesh, Surface::Beam, foot - 0.05 * DVec3::Y, foot + 1.05 * DVec3::Y, 0.1, 0.1);
    }
    for pair in line.windows(2) {
        for up in [0.5, 0.98] {
            beam(mesh, Surface::Beam, pair[0] + up * DVec3::Y, pair[1] + up * DVec3::Y, 0.07, 0.09);
        }
    }
}

/// The winch of the portcullis.
pub fn winch(mesh: &mut Mesh, foot: DVec3) {
    for side in [-1.0, 1.0] {
        let x = 1.5 * side;
        for lean in [-0.35, 0.35] {
            beam(mesh, Surface::Beam, foot + dvec3(x, 0.0, lean), foot + dvec3(x, 1.25, 0.0), 0.14, 0.14);
        }
        beam(
            mesh,
            Surface::Beam,
            foot + dvec3(x + 0.25 * side, 0.75, 0.0),
            foot + dvec3(x + 0.25 * side, 1.65, 0.0),
            0.07,
            0.07,
        );
    }
    beam(mesh, Surface::Beam, foot + dvec3(-1.85, 1.2, 0.0), foot + dvec3(1.85, 1.2, 0.0), 0.24, 0.24);
    for i in -3..=3 {
        let x = 0.3 * f64::from(i);
        block(mesh, Surface::Iron, foot + dvec3(x - 0.05, 1.04, -0.16), foot + dvec3(x + 0.05, 1.36, 0.16));
    }
}

/// A boarded crate with a frame.
pub fn one_crate(mesh: &mut Mesh, foot: DVec3, size: f64, degrees: f64) {
    mesh.within(foot, degrees, |mesh| {
        let half = size / 2.0;
        block_without(
            mesh,
            Surface::Planks,
            dvec3(-half + 0.03, 0.01, -half + 0.03),
            dvec3(half - 0.03, size - 0.03, half - 0.03),
            BOTTOM,
        );
        let bar = 0.1;
        for (x, z) in [(-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0)] {
            let (x, z) = (x * (half - bar / 2.0), z * (half - bar / 2.0));
            beam(mesh, Surface::Beam, dvec3(x, 0.0, z), dvec3(x, size, z), bar, bar);
        }
        for y in [bar / 2.0, size - bar / 2.0] {
            for side in [-1.0, 1.0] {
                let edge = side * (half - bar / 2.0);
                let (near, far) = (-half + bar, half - bar);
                beam(mesh, Surface::Beam, dvec3(near, y, edge), dvec3(far, y, edge), bar, bar);
                beam(mesh, Surface::Beam, dvec3(edge, y, near), dvec3(edge, y, far), bar, bar);
            }
        }
    });
}

/// A heap of crates around a place.
pub fn crates(mesh: &mut Mesh, foot: DVec3, count: usize, random: &mut Random) {
    for i in 0..count {
        let offset = match i % 3 {
            0 => DVec3::ZERO,
            1 => dvec3(1.15, 0.0, 0.12),
            _ => dvec3(0.5, 0.95, 0.05),
        };
        let size = if i % 3 == 2 { 0.8 } else { 0.95 };
        one_crate(mesh, foot + offset + dvec3(0.0, 0.0, 1.2 * (i / 3) as f64), size, random.range(-9.0, 9.0));
    }
}

/// Barrels around a place.
pub fn barrels(mesh: &mut Mesh, foot: DVec3, count: usize, random: &mut Random) {
    for i in 0..count {
        let offset = dvec3((i % 2) as f64 * 0.85, 0.0, (i / 2) as f64 * 0.8);
        let height = random.range(0.95, 1.1);
        mesh.tinted(DVec3::splat(random.range(0.75, 1.0)), |mesh| barrel(mesh, foot + offset, 0.38, height));
    }
}

/// A long table with a bench on both sides, along X.
pub fn table(mesh: &mut Mesh, foot: DVec3, length: f64) {
    let half = length / 2.0;
    mesh.within(foot, 0.0, |mesh| {
        mesh.across = true;
        block(mesh, Surface::Planks, dvec3(-half, 0.74, -0.45), dvec3(half, 0.82, 0.45));
        for z in [-0.95, 0.95] {
            block(mesh, Surface::Planks, dvec3(-half, 0.42, z - 0.16), dvec3(half, 0.48, z + 0.16));
        }
        mesh.across = false;
        for x in [-half + 0.4, half - 0.4] {
            for z in [-0.3, 0.3] {
                beam(mesh, Surface::Beam, dvec3(x, 0.0, z), dvec3(x, 0.75, z), 0.12, 0.12);
            }
            for z in [-0.95, 0.95] {
                block(mesh, Surface::Beam, dvec3(x - 0.06, 0.0, z - 0.12), dvec3(x + 0.06, 0.43, z + 0.12));
            }
        }
    });
}

/// A hanging cloth between two upper corners, `drop` long, waving by `wave`; the banner's picture, drawn from both sides.
pub fn cloth(mesh: &mut Mesh, [left, right]: [DVec3; 2], drop: f64, wave: f64) {
    let across = (right - left).cross(DVec3::Y).normalize();
    let (columns, rows) = (8, 6);
    let bow =
        |s: f64, t: f64| wave * t * libm::sin(TAU * (1.1 * s + 0.3 * t)) + 0.4 * wave * libm::sin(TAU * s * 0.9) * t;
    mesh.grid(Surface::Banner, columns, rows, |i, j| {
        let (s, t) = (i as f64 / columns as f64, 1.0 - j as f64 / rows as f64);
        let position = left.lerp(right, s) - drop * t * DVec3::Y + across * bow(s, t);
        let slope = (bow(s + 0.01, t) - bow(s - 0.01, t)) / (0.02 * left.distance(right));
        let normal = (-across - slope * -(right - left).normalize()).normalize();
        Point { position, normal: -normal, tex: DVec2::new(s, t) }
    });
}

/// A small flag on the spike of a pointed roof whose tip is at a height over the frame's origin.
pub fn pennant(mesh: &mut Mesh, tip: f64) {
    cloth(mesh, [dvec3(0.03, tip + 1.45, 0.0), dvec3(1.5, tip + 1.3, 0.15)], 0.9, 0.1);
}

/// A banner on a pole that stands out from a wall (in the frame's XY plane, facing +Z), its top at height `top`.
pub fn wall_banner(mesh: &mut Mesh, x: f64, top: f64, width: f64, drop: f64) {
    let z = 0.3;
    beam(mesh, Surface::Beam, dvec3(x - width / 2.0 - 0.15, top, z), dvec3(x + width / 2.0 + 0.15, top, z), 0.07, 0.07);
    for side in [-1.0, 1.0] {
        let place = x + side * width * 0.35;
        beam(mesh, Surface::Iron, dvec3(place, top + 0.02, -0.1), dvec3(place, top + 0.02, z + 0.02), 0.05, 0.05);
    }
    cloth(mesh, [dvec3(x - width / 2.0, top, z), dvec3(x + width / 2.0, top, z)], drop, 0.06);
}

/// A well with a roof on posts. Its water stands high enough to climb out of.
pub fn well(mesh: &mut Mesh, random: &mut Random) {
    let mut rim = Wall {
        height: [-1.4, 0.82],
        thickness: 0.38,
        outside: Surface::Rubble,
        inside: Surface::Rubble,
        top: None,
        ..Wall::ring(1.35, 28)
    };
    rim.piece[1] = 0.8;
    rim.build(mesh);
    let laid = Blocks {
        along: rim.along,
        height: [0.0, 0.8],
        course: 0.27,
        length: 0.55,
        relief: 0.06,
        frame: 0.0,
        surface: Surface::Stone,
    };
    blocks(mesh, &rim, &laid, random);
    // Cap stones.
    let cap = Wall {
        height: [0.8, 0.95],
        thickness: 0.55,
        outside: Surface::Stone,
        inside: Surface::Stone,
        top: Some(Surface::Stone),
        ..Wall::ring(1.45, 28)
    };
    cap.build(mesh);
    disc(mesh, Surface::Stone, DVec3::Y * 0.8, [0.9, 1.45], 28, -1.0);
    disc(mesh, Surface::Water, DVec3::Y * 0.3, [0.0, 1.0], 28, 1.0);
    disc(mesh, Surface::Dirt, DVec3::Y * -1.3, [0.0, 1.0], 28, 1.0);
    for x in [-1.2, 1.2] {
        beam(mesh, Surface::Beam, dvec3(x, 0.7, 0.0), dvec3(x, 3.05, 0.0), 0.18, 0.18);
    }
    beam(mesh, Surface::Beam, dvec3(-1.5, 2.2, 0.0), dvec3(1.5, 2.2, 0.0), 0.14, 0.14);
    cylinder_across(mesh, Surface::Planks, dvec3(-0.55, 2.2, 0.0), 1.1, 0.17);
    beam(mesh, Surface::Iron, dvec3(1.5, 2.2, 0.0), dvec3(1.5, 1.85, 0.0), 0.05, 0.05);
    beam(mesh, Surface::Beam, dvec3(0.0, 1.25, 0.12), dvec3(0.0, 2.1, 0.12), 0.025, 0.025);
    cylinder(mesh, Surface::Planks, dvec3(0.0, 0.98, 0.12), [0.15, 0.18], 0.3, 12);
    disc(mesh, Surface::Planks, dvec3(0.0, 1.0, 0.12), [0.0, 0.15], 12, 1.0);
    let roof = GableRoof {
        half_length: 1.75,
        half_span: 1.1,
        overhang: 0.35,
        eaves: 2.85,
        rise: 1.0,
        surface: Surface::RoofTiles,
    };
    gable_roof(mesh, &roof, random);
    for x in [-1.2, 1.2] {
        let end = |z: f64| dvec3(x, 2.92 + (1.1 - z.abs()) * 0.9, z);
        beam(mesh, Surface::Beam, end(-1.25), end(0.0), 0.12, 0.14);
        beam(mesh, Surface::Beam, end(0.0), end(1.25), 0.12, 0.14);
    }
}

/// A round piece along X, with its ends.
fn cylinder_across(mesh: &mut Mesh, surface: Surface, from: DVec3, length: f64, radius: f64) {
    const SIDES: usize = 12;
    let ring = |k: usize| {
        let (sin, cos) = if k == SIDES { (0.0, 1.0) } else { libm::sincos(k as f64 / SIDES as f64 * TAU) };
        dvec3(0.0, sin, cos)
    };
    mesh.grid(surface, 1, SIDES, |i, k| Point {
        position: from + dvec3(length * i as f64, 0.0, 0.0) + radius * ring(k),
        normal: ring(k),
        tex: DVec2::new(1.2 * k as f64 / SIDES as f64, length * i as f64),
    });
    for (x, turned) in [(0.0, true), (length, false)] {
        let mut end: Vec<DVec3> =
            (0..SIDES).map(|k| from + dvec3(x, 0.0, 0.0) + radius * ring(SIDES - 1 - k)).collect();
        if turned {
            end.reverse();
        }
        mesh.flat(surface, &end);
    }
}

/// A two-wheeled cart with its shafts on the ground, along X.
pub fn cart(mesh: &mut Mesh) {
    mesh.across = true;
    block(mesh, Surface::Planks, dvec3(-1.2, 0.72, -0.62), dvec3(1.2, 0.8, 0.62));
    for z in [-0.62, 0.56] {
        block(mesh, Surface::Planks, dvec3(-1.2, 0.79, z), dvec3(1.2, 1.12, z + 0.06));
    }
    mesh.across = false;
    block(mesh, Surface::Planks, dvec3(-1.2, 0.79, -0.55), dvec3(-1.14, 1.12, 0.55));
    for z in [-0.5, 0.5] {
        beam(mesh, Surface::Beam, dvec3(0.9, 0.68, z), dvec3(3.1, 0.12, z), 0.08, 0.09);
    }
    beam(mesh, Surface::Beam, dvec3(-0.1, 0.6, -0.9), dvec3(-0.1, 0.6, 0.9), 0.1, 0.1);
    for z in [-0.8, 0.8] {
        mesh.within(dvec3(-0.1, 0.6, z), 90.0, |mesh| wheel(mesh, 0.6));
    }
}

/// A spoked wheel about the frame's X axis.
fn wheel(mesh: &mut Mesh, radius: f64) {
    const SPOKES: usize = 10;
    let at = |i: usize, out: f64| {
        let (sin, cos) = libm::sincos(i as f64 / SPOKES as f64 * TAU);
        dvec3(0.0, out * sin, out * cos)
    };
    for i in 0..SPOKES {
        beam(mesh, Surface::Beam, at(i, radius - 0.04), at(i + 1, radius - 0.04), 0.08, 0.1);
        beam(mesh, Surface::Beam, at(i, 0.08), at(i, radius - 0.06), 0.04, 0.05);
    }
    cylinder_across(mesh, Surface::Beam, dvec3(-0.12, 0.0, 0.0), 0.24, 0.11);
}
