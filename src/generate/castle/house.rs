//! Timber-framed houses: a stone ground floor, an upper floor of plaster between beams, a tiled roof.

use glam::{DVec3, dvec3};

use super::furniture::{barrels, crates, rails, table};
use super::gatehouse::pane;
use crate::generate::mesh::Mesh;
use crate::generate::parts::{
    BOTTOM, Blocks, GableRoof, Opening, Stairs, Wall, beam, block, block_without, blocks, gable_roof, slab_with_hole,
    stairs, voussoirs,
};
use crate::generate::random::Random;
use crate::generate::surface::Surface;

/// Half length along X and half width along Z.
#[derive(Clone, Copy)]
pub struct House {
    pub half_x: f64,
    pub half_z: f64,
    pub surface: Surface,
}

const FLOOR: f64 = 0.16;
const UPPER: f64 = 3.3;
const EAVES: f64 = 6.0;
const LOWER_THICK: f64 = 0.5;
const UPPER_THICK: f64 = 0.25;
/// How far the upper floor stands out.
const JETTY: f64 = 0.45;

/// Builds a house along the frame's X axis, its door towards +Z.
pub fn house(mesh: &mut Mesh, house: &House, random: &mut Random) {
    let House { half_x, half_z, .. } = *house;
    for side in 0..4 {
        let (half, out) = if side % 2 == 0 { (half_x, half_z) } else { (half_z, half_x) };
        mesh.within(DVec3::ZERO, 90.0 * f64::from(side), |mesh| {
            mesh.within(dvec3(0.0, 0.0, out), 0.0, |mesh| lower_wall(mesh, side, half, random));
            mesh.within(dvec3(0.0, 0.0, out + JETTY), 0.0, |mesh| upper_wall(mesh, side, half + JETTY, half_z + JETTY));
        });
    }
    let (x, z) = (half_x - LOWER_THICK + 0.04, half_z - LOWER_THICK + 0.04);
    slab_with_hole(mesh, [Surface::Flagstones, Surface::Stone], dvec3(-x, -0.3, -z), dvec3(x, FLOOR, z), None);
    let flight = Stairs {
        width: 1.1,
        steps: 12,
        rise: (UPPER - FLOOR) / 12.0,
        run: 0.31,
        tread: Surface::Planks,
        side: Surface::Planks,
        thickness: Some(0.2),
    };
    let length = flight.steps as f64 * flight.run;
    let (start, back) = (-x + 1.2, -z + 0.62);
    mesh.within(dvec3(start, FLOOR, back), -90.0, |mesh| stairs(mesh, &flight));
    let hole = [start + 0.9, start + length, back - 0.57, back + 0.57];
    let (wide_x, wide_z) = (half_x + JETTY - 0.02, half_z + JETTY - 0.02);
    slab_with_hole(
        mesh,
        [Surface::Planks, Surface::Planks],
        dvec3(-wide_x, UPPER - 0.22, -wide_z),
        dvec3(wide_x, UPPER, wide_z),
        Some(hole),
    );
    rails(mesh, &[dvec3(hole[0], UPPER, hole[3] + 0.07), dvec3(hole[1], UPPER, hole[3] + 0.07)]);
    rails(mesh, &[dvec3(hole[0] - 0.07, UPPER, hole[2]), dvec3(hole[0] - 0.07, UPPER, hole[3] + 0.07)]);
    // Joists, whose ends carry the jetty.
    let count = (2.0 * half_x / 0.95).round() as usize;
    for i in 0..=count {
        let place = -half_x + 2.0 * half_x * i as f64 / count as f64;
        let under = UPPER - 0.33;
        let reach = half_z + JETTY - 0.05;
        if place > hole[0] - 0.15 && place < hole[1] + 0.15 {
            beam(mesh, Surface::Beam, dvec3(place, under, hole[3] + 0.05), dvec3(place, under, reach), 0.16, 0.22);
        } else {
            beam(mesh, Surface::Beam, dvec3(place, under, -reach), dvec3(place, under, reach), 0.16, 0.22);
        }
    }
    let rise = 0.95 * half_z;
    let roof = GableRoof {
        half_length: half_x + JETTY + 0.5,
        half_span: half_z + JETTY,
        overhang: 0.5,
        eaves: EAVES,
        rise,
        surface: house.surface,
    };
    gable_roof(mesh, &roof, random);
    mesh.within(dvec3(half_x - 1.2, 0.0, -half_z + 0.95), 0.0, |mesh| {
        block_without(mesh, Surface::Brick, dvec3(-0.55, -0.1, -0.4), dvec3(0.55, EAVES + rise + 1.6, 0.4), BOTTOM);
        block(mesh, Surface::Stone, dvec3(-0.65, EAVES + rise + 1.45, -0.5), dvec3(0.65, EAVES + rise + 1.66, 0.5));
    });
    table(mesh, dvec3(1.4, FLOOR, 0.7), 2.2);
    barrels(mesh, dvec3(half_x - 3.6, FLOOR, -half_z + 1.2), 2, random);
    crates(mesh, dvec3(half_x - 2.0, UPPER, 0.8), 3, random);
}

fn lower_wall(mesh: &mut Mesh, side: i32, half: f64, random: &mut Random) {
    let mut wall = Wall {
        along: [-half, half],
        height: [-0.4, UPPER - 0.2],
        thickness: LOWER_THICK,
        outside: Surface::Rubble,
        inside: Surface::Plaster,
        ends: false,
        mitred: true,
        ..Wall::default()
    };
    if side == 0 {
        wall.openings.push(Opening::arched(-half + 2.4, 1.3, FLOOR - 0.02, FLOOR + 2.35, 0.45));
        wall.openings.push(Opening::square(half - 2.0, 1.2, FLOOR + 1.0, FLOOR + 2.2));
        wall.openings.push(Opening::square(0.6, 1.2, FLOOR + 1.0, FLOOR + 2.2));
    } else {
        wall.openings.push(Opening::square(0.9, 0.9, FLOOR + 1.1, FLOOR + 2.1));
    }
    wall.build(mesh);
    let laid = Blocks {
        along: wall.along,
        height: [0.0, UPPER - 0.45],
        course: 0.42,
        length: 0.8,
        relief: 0.06,
        frame: 0.24,
        surface: Surface::Stone,
    };
    if side == 0 || side == 1 {
        blocks(mesh, &wall, &laid, random);
    }
    for opening in &wall.openings {
        voussoirs(mesh, &wall, opening, &Blocks { relief: 0.09, ..laid }, random);
        if opening.bottom > 0.5 {
            pane(mesh, &wall, opening);
        } else {
            let x = opening.right + 0.02;
            block(
                mesh,
                Surface::Planks,
                dvec3(x - 0.05, FLOOR + 0.03, -1.75),
                dvec3(x + 0.03, FLOOR + 2.2, -LOWER_THICK + 0.05),
            );
        }
    }
}

fn upper_wall(mesh: &mut Mesh, side: i32, half: f64, span: f64) {
    let long = side % 2 == 0;
    let rise = 0.95 * (span - JETTY);
    let bays = (2.0 * half / 1.7).round() as usize;
    let place = |i: usize| -half + 2.0 * half * i as f64 / bays as f64;
    let windows: Vec<Opening> = (0..bays)
        .filter(|i| i % 2 == 1)
        .map(|i| Opening::square((place(i) + place(i + 1)) / 2.0, 0.9, UPPER + 0.95, UPPER + 2.05))
        .collect();
    let wall = Wall {
        along: [-half, half],
        height: [UPPER - 0.2, if long { EAVES + 0.05 } else { EAVES }],
        thickness: UPPER_THICK,
        outside: Surface::Plaster,
        inside: Surface::Plaster,
        reveal: Surface::Beam,
        gable: if long { 0.0 } else { rise + 0.1 },
        top: None,
        openings: windows,
        ends: false,
        mitred: true,
        ..Wall::default()
    };
    wall.build(mesh);
    for window in &wall.openings {
        pane(mesh, &wall, window);
    }
    // The frame stands a little out of the plaster.
    let z = 0.01;
    let (low, high) = (UPPER - 0.1, EAVES - 0.1);
    let post = |x: f64| (dvec3(x, low, z), dvec3(x, high, z));
    for i in 0..=bays {
        let inset = if i == 0 {
            0.08
        } else if i == bays {
            -0.08
        } else {
            0.0
        };
        let (foot, head) = post(place(i) + inset);
        beam(mesh, Surface::Beam, foot, head, 0.17, 0.1);
    }
    let rail = |y: f64, width: f64, mesh: &mut Mesh| {
        beam(mesh, Surface::Beam, dvec3(-half + 0.01, y, z + 0.012), dvec3(half - 0.01, y, z + 0.012), 0.1, width);
    };
    rail(low, 0.24, mesh);
    rail(high, 0.2, mesh);
    rail(UPPER + 0.86, 0.14, mesh);
    for i in 0..bays {
        let (left, right) = (place(i) + 0.08, place(i + 1) - 0.08);
        let (foot, head) = (UPPER + 0.05, UPPER + 0.8);
        let z = z - 0.008;
        if i % 2 == 1 {
            beam(mesh, Surface::Beam, dvec3(left, foot, z), dvec3(right, head, z), 0.1, 0.12);
            beam(mesh, Surface::Beam, dvec3(left, head, z - 0.006), dvec3(right, foot, z - 0.006), 0.1, 0.12);
        } else {
            let top = EAVES - 0.2;
            let lean = if i < bays / 2 { (left, right) } else { (right, left) };
            beam(mesh, Surface::Beam, dvec3(lean.0, foot, z), dvec3(lean.1, top, z), 0.1, 0.14);
        }
    }
    if !long {
        let at = |x: f64| dvec3(x, EAVES + rise * (1.0 - x.abs() / half) - 0.16, z + 0.006);
        beam(mesh, Surface::Beam, at(-half + 0.15), at(0.0), 0.1, 0.18);
        beam(mesh, Surface::Beam, at(half - 0.15), at(0.0), 0.1, 0.18);
        beam(mesh, Surface::Beam, dvec3(0.0, EAVES, z), dvec3(0.0, EAVES + rise - 0.2, z), 0.17, 0.1);
        for x in [-half * 0.5, half * 0.5] {
            beam(mesh, Surface::Beam, dvec3(x, EAVES, z), dvec3(x, EAVES + rise * 0.5 - 0.2, z), 0.17, 0.1);
        }
    }
}
