//! The great hall: one tall room with columns under an open roof.

use glam::{DVec3, dvec3};

use super::furniture::{barrels, table, wall_banner};
use super::gatehouse::pane;
use super::keep::pillar;
use crate::generate::mesh::Mesh;
use crate::generate::parts::{
    BOTTOM, Blocks, GableRoof, Opening, Wall, beam, block, block_without, blocks, gable_roof, slab_with_hole, voussoirs,
};
use crate::generate::random::Random;
use crate::generate::surface::Surface;

/// Half of the length along X.
pub const HALF_LENGTH: f64 = 14.0;
/// Half of the width along Z.
pub const HALF_WIDTH: f64 = 6.2;
const EAVES: f64 = 6.4;
const RISE: f64 = 5.6;
const FLOOR: f64 = 0.3;
const THICK: f64 = 0.9;

/// Builds the hall along the frame's X axis, its doors towards -Z.
pub fn hall(mesh: &mut Mesh, random: &mut Random) {
    for side in [0.0, 180.0] {
        mesh.within(DVec3::ZERO, side, |mesh| {
            mesh.within(dvec3(0.0, 0.0, HALF_WIDTH), 0.0, |mesh| long_wall(mesh, side == 180.0, random));
        });
    }
    for side in [90.0, 270.0] {
        mesh.within(DVec3::ZERO, side, |mesh| {
            mesh.within(dvec3(0.0, 0.0, HALF_LENGTH), 0.0, |mesh| gable_wall(mesh, random));
        });
    }
    let (x, z) = (HALF_LENGTH - THICK + 0.05, HALF_WIDTH - THICK + 0.05);
    slab_with_hole(mesh, [Surface::Flagstones, Surface::Stone], dvec3(-x, -0.3, -z), dvec3(x, FLOOR, z), None);
    let roof = GableRoof {
        half_length: HALF_LENGTH + 0.6,
        half_span: HALF_WIDTH,
        overhang: 0.7,
        eaves: EAVES,
        rise: RISE,
        surface: Surface::RoofTiles,
    };
    gable_roof(mesh, &roof, random);
    for i in 0..6 {
        truss(mesh, -11.0 + 4.4 * f64::from(i));
    }
    furnish(mesh, random);
}

fn long_wall(mesh: &mut Mesh, court: bool, random: &mut Random) {
    let mut wall = Wall {
        along: [-HALF_LENGTH, HALF_LENGTH],
        height: [-0.5, EAVES + 0.1],
        thickness: THICK,
        piece: [3.2, 3.2],
        outside: Surface::Rubble,
        inside: Surface::Plaster,
        ends: false,
        mitred: true,
        ..Wall::default()
    };
    for i in 0..6 {
        let place = -11.0 + 4.4 * f64::from(i);
        if court && (i == 1 || i == 4) {
            wall.openings.push(Opening::arched(place, 1.8, FLOOR - 0.02, FLOOR + 2.9, 0.9));
        } else {
            wall.openings.push(Opening::arched(place, 1.3, FLOOR + 1.5, FLOOR + 5.0, 0.65));
        }
    }
    wall.build(mesh);
    let laid = stones(&wall);
    blocks(mesh, &wall, &laid, random);
    for opening in &wall.openings {
        voussoirs(mesh, &wall, opening, &Blocks { relief: 0.11, ..laid }, random);
        if opening.bottom > 1.0 {
            pane(mesh, &wall, opening);
            block(
                mesh,
                Surface::Stone,
                dvec3(opening.left - 0.3, opening.bottom - 0.18, -0.1),
                dvec3(opening.right + 0.3, opening.bottom - 0.012, 0.2),
            );
        } else {
            // A step, and the leaves of the door, open inwards.
            block_without(
                mesh,
                Surface::Stone,
                dvec3(opening.left - 0.5, -0.2, -0.4),
                dvec3(opening.right + 0.5, 0.16, 0.75),
                BOTTOM,
            );
            for side in [-1.0, 1.0] {
                let x = opening.middle() + side * 0.95;
                block(
                    mesh,
                    Surface::Planks,
                    dvec3(x - 0.04, FLOOR + 0.04, -THICK - 0.95),
                    dvec3(x + 0.04, FLOOR + 2.5, -THICK + 0.1),
                );
            }
        }
    }
    // Buttresses between the windows.
    for i in 0..7 {
        let x = -13.2 + 4.4 * f64::from(i);
        for (low, high, out) in [(-0.4, 2.8, 0.75), (2.75, 4.9, 0.5)] {
            block_without(mesh, Surface::Ashlar, dvec3(x - 0.42, low, -0.05), dvec3(x + 0.42, high, out), BOTTOM);
            mesh.flat(
                Surface::Stone,
                &[
                    dvec3(x - 0.5, high, out + 0.06),
                    dvec3(x + 0.5, high, out + 0.06),
                    dvec3(x + 0.5, high + 0.5, -0.05),
                    dvec3(x - 0.5, high + 0.5, -0.05),
                ],
            );
            mesh.flat(
                Surface::Stone,
                &[dvec3(x + 0.5, high, out + 0.06), dvec3(x + 0.5, high, -0.05), dvec3(x + 0.5, high + 0.5, -0.05)],
            );
            mesh.flat(
                Surface::Stone,
                &[dvec3(x - 0.5, high, -0.05), dvec3(x - 0.5, high, out + 0.06), dvec3(x - 0.5, high + 0.5, -0.05)],
            );
        }
    }
    if court {
        for x in [-6.6, 6.6] {
            wall_banner(mesh, x, 5.4, 0.9, 2.2);
        }
    }
}

fn gable_wall(mesh: &mut Mesh, random: &mut Random) {
    let wall = Wall {
        along: [-HALF_WIDTH, HALF_WIDTH],
        height: [-0.5, EAVES],
        thickness: THICK,
        outside: Surface::Rubble,
        inside: Surface::Plaster,
        gable: RISE + 0.1,
        ends: false,
        mitred: true,
        top: None,
        openings: [-3.4, 0.0, 3.4].map(|x| Opening::arched(x, 1.3, FLOOR + 2.2, FLOOR + 5.6, 0.65)).to_vec(),
        ..Wall::default()
    };
    wall.build(mesh);
    let laid = stones(&wall);
    blocks(mesh, &wall, &laid, random);
    for opening in &wall.openings {
        voussoirs(mesh, &wall, opening, &Blocks { relief: 0.11, ..laid }, random);
        pane(mesh, &wall, opening);
    }
    // Stones at the corners.
    for edge in [-1.0, 1.0] {
        let along = if edge < 0.0 { [-HALF_WIDTH, -HALF_WIDTH + 0.7] } else { [HALF_WIDTH - 0.7, HALF_WIDTH] };
        let corner = Blocks { along, height: [1.5, EAVES - 0.2], length: 0.9, relief: 0.07, frame: 0.0, ..laid };
        blocks(mesh, &wall, &corner, random);
    }
    // A round window in the gable, seen as a ring of stones around a dark pane.
    let center = dvec3(0.0, EAVES + 2.1, 0.0);
    for i in 0..14 {
        let at = |i: usize, out: f64| {
            let (sin, cos) = libm::sincos(i as f64 / 14.0 * core::f64::consts::TAU);
            center + dvec3(out * cos, out * sin, 0.1)
        };
        mesh.tint = DVec3::splat(random.range(0.75, 1.0));
        mesh.flat(Surface::Stone, &[at(i, 0.55), at(i, 0.9), at(i + 1, 0.9), at(i + 1, 0.55)]);
        let low = |point: DVec3| point - dvec3(0.0, 0.0, 0.14);
        mesh.flat(Surface::Stone, &[at(i, 0.9), low(at(i, 0.9)), low(at(i + 1, 0.9)), at(i + 1, 0.9)]);
        mesh.flat(Surface::Stone, &[at(i + 1, 0.55), low(at(i + 1, 0.55)), low(at(i, 0.55)), at(i, 0.55)]);
        mesh.tint = DVec3::splat(0.35);
        mesh.flat(
            Surface::Slate,
            &[
                center + dvec3(0.0, 0.0, 0.02),
                at(i, 0.56) - dvec3(0.0, 0.0, 0.08),
                at(i + 1, 0.56) - dvec3(0.0, 0.0, 0.08),
            ],
        );
        mesh.tint = DVec3::ONE;
    }
}

/// Columns, a tie beam on them, and rafters.
fn truss(mesh: &mut Mesh, x: f64) {
    let slope = RISE / HALF_WIDTH;
    let under = |z: f64| EAVES + RISE - z.abs() * slope - 0.16;
    let tie = EAVES - 0.35;
    for z in [-2.9, 2.9] {
        pillar(mesh, dvec3(x, FLOOR, z), tie - 0.16 - FLOOR);
    }
    let at = |y: f64, z: f64| dvec3(x, y, z);
    beam(mesh, Surface::Beam, at(tie, -HALF_WIDTH + 0.2), at(tie, HALF_WIDTH - 0.2), 0.3, 0.34);
    for side in [-1.0, 1.0] {
        beam(mesh, Surface::Beam, at(under(HALF_WIDTH), side * HALF_WIDTH), at(under(0.0), 0.0), 0.22, 0.3);
        beam(mesh, Surface::Beam, at(tie, side * 2.9), at(under(2.9), side * 2.9), 0.2, 0.2);
        beam(mesh, Surface::Beam, at(tie + 0.1, side * 0.2), at(under(1.7), side * 1.7), 0.16, 0.16);
        beam(mesh, Surface::Beam, at(tie - 1.1, side * 5.35), at(tie - 0.1, side * 4.1), 0.18, 0.2);
    }
    beam(mesh, Surface::Beam, at(tie, 0.0), at(under(0.0), 0.0), 0.24, 0.24);
}

fn furnish(mesh: &mut Mesh, random: &mut Random) {
    for x in [-6.6, -1.5, 3.6] {
        for z in [-1.3, 1.3] {
            table(mesh, dvec3(x, FLOOR, z), 4.2);
        }
    }
    // The high table on its dais.
    block_without(mesh, Surface::Flagstones, dvec3(9.3, FLOOR - 0.1, -5.28), dvec3(13.05, FLOOR + 0.26, 5.28), BOTTOM);
    mesh.within(dvec3(11.2, FLOOR + 0.26, 0.0), 90.0, |mesh| table(mesh, DVec3::ZERO, 4.4));
    mesh.within(dvec3(HALF_LENGTH - THICK, 0.0, 0.0), 270.0, |mesh| {
        for x in [-1.7, 1.7] {
            wall_banner(mesh, x, 5.6, 1.3, 3.4);
        }
    });
    barrels(mesh, dvec3(-12.3, FLOOR, 3.6), 4, random);
    // The fireplace against the outer wall.
    mesh.within(dvec3(-2.2, FLOOR, HALF_WIDTH - THICK), 180.0, |mesh| {
        for x in [-1.5, 1.1] {
            block_without(mesh, Surface::Ashlar, dvec3(x, -0.1, -0.05), dvec3(x + 0.4, 1.7, 0.9), BOTTOM);
        }
        block(mesh, Surface::Stone, dvec3(-1.65, 1.7, -0.05), dvec3(1.65, 2.05, 1.05));
        mesh.flat(
            Surface::Plaster,
            &[dvec3(-1.4, 2.05, 0.9), dvec3(1.4, 2.05, 0.9), dvec3(0.8, 5.6, 0.02), dvec3(-0.8, 5.6, 0.02)],
        );
        mesh.flat(Surface::Plaster, &[dvec3(1.4, 2.05, 0.9), dvec3(1.4, 2.05, 0.0), dvec3(0.8, 5.6, 0.02)]);
        mesh.flat(Surface::Plaster, &[dvec3(-1.4, 2.05, 0.0), dvec3(-1.4, 2.05, 0.9), dvec3(-0.8, 5.6, 0.02)]);
        block_without(mesh, Surface::Stone, dvec3(-1.6, -0.1, -0.05), dvec3(1.6, 0.12, 1.3), BOTTOM);
        for (i, z) in [0.25, 0.5].into_iter().enumerate() {
            let y = 0.22 + 0.08 * i as f64;
            beam(mesh, Surface::Bark, dvec3(-0.7, y, z), dvec3(0.7, y + 0.05, z + 0.1), 0.18, 0.18);
        }
    });
}

/// The stones that the foot of a wall of the hall is laid of.
fn stones(wall: &Wall) -> Blocks {
    Blocks {
        along: wall.along,
        height: [0.0, 1.5],
        course: 0.5,
        length: 1.0,
        relief: 0.08,
        frame: 0.3,
        surface: Surface::Stone,
    }
}
