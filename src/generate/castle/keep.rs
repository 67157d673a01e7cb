//! The keep: three storeys, an attic under a steep roof, a terrace around it, and a turret at each corner.

use glam::{DVec3, dvec3};

use super::furniture::{barrels, crates, pennant, rails, table, wall_banner};
use super::gatehouse::pane;
use super::tower::open_top;
use crate::generate::mesh::Mesh;
use crate::generate::parts::{
    BACK, BOTTOM, Blocks, GableRoof, Opening, Stairs, TOP, Wall, beam, block, block_without, blocks, cone_roof,
    cylinder, disc, gable_roof, slab_with_hole, stairs, voussoirs,
};
use crate::generate::random::Random;
use crate::generate::surface::Surface;

/// Half of the width along X.
pub const HALF_X: f64 = 11.0;
/// Half of the depth along Z.
pub const HALF_Z: f64 = 8.0;
const THICK: f64 = 1.4;
/// Heights of the floors, the last one the terrace and the attic.
const FLOORS: [f64; 4] = [0.56, 5.0, 9.5, 14.0];
const ATTIC: [f64; 2] = [8.6, 5.5];

/// Builds the keep around the frame's origin, its door towards +Z.
pub fn keep(mesh: &mut Mesh, random: &mut Random) {
    for (side, half, out) in
        [(0.0, HALF_X, HALF_Z), (180.0, HALF_X, HALF_Z), (90.0, HALF_Z, HALF_X), (270.0, HALF_Z, HALF_X)]
    {
        mesh.within(DVec3::ZERO, side, |mesh| {
            mesh.within(dvec3(0.0, 0.0, out), 0.0, |mesh| outer_wall(mesh, side, half, random));
        });
    }
    for (x, z, roofed) in [(-1.0, 1.0, true), (1.0, 1.0, true), (-1.0, -1.0, false), (1.0, -1.0, false)] {
        mesh.within(dvec3(x * (HALF_X - 0.2), 0.0, z * (HALF_Z - 0.2)), 0.0, |mesh| turret(mesh, roofed, random));
    }
    doorstep(mesh);
    storeys(mesh, random);
    attic(mesh, random);
}

fn outer_wall(mesh: &mut Mesh, side: f64, half: f64, random: &mut Random) {
    let long = side == 0.0 || side == 180.0;
    let mut wall = Wall {
        along: [-half, half],
        height: [-0.6, FLOORS[3] - 0.02],
        thickness: THICK,
        piece: [3.2, 3.2],
        outside: if side == 0.0 { Surface::Rubble } else { Surface::Ashlar },
        inside: Surface::Plaster,
        top: Some(Surface::Flagstones),
        ends: false,
        mitred: true,
        ..Wall::default()
    };
    let places: &[f64] = if long { &[-6.4, -3.2, 0.0, 3.2, 6.4] } else { &[-3.4, 0.0, 3.4] };
    for (storey, &floor) in FLOORS[..3].iter().enumerate() {
        for &place in places {
            if side == 0.0 && storey == 0 && place == 0.0 {
                wall.openings.push(Opening::arched(0.0, 2.2, FLOORS[0] - 0.02, FLOORS[0] + 3.2, 1.1));
            } else if storey == 0 {
                wall.openings.push(Opening::square(place, 0.5, floor + 1.6, floor + 2.9));
            } else if side == 0.0 && storey == 2 && place == 0.0 {
                wall.openings.push(Opening::arched(0.0, 1.4, floor + 0.8, floor + 3.5, 0.7));
            } else {
                let height = if storey == 2 { 2.3 } else { 1.8 };
                wall.openings.push(Opening::arched(place, 1.05, floor + 1.0, floor + 1.0 + height, 0.52));
            }
        }
    }
    wall.build(mesh);
    let laid = Blocks {
        along: wall.along,
        height: [0.0, FLOORS[3] - 0.9],
        course: 0.6,
        length: 1.15,
        relief: 0.06,
        frame: 0.3,
        surface: Surface::Stone,
    };
    blocks(mesh, &wall, &Blocks { height: [0.0, 2.1], relief: 0.1, ..laid }, random);
    if side == 0.0 {
        blocks(mesh, &wall, &Blocks { height: [2.1, FLOORS[3] - 0.8], ..laid }, random);
    }
    for opening in &wall.openings {
        voussoirs(mesh, &wall, opening, &Blocks { relief: 0.12, ..laid }, random);
        if opening.bottom > 2.0 {
            pane(mesh, &wall, opening);
            // A sill that throws off the rain.
            block(
                mesh,
                Surface::Stone,
                dvec3(opening.left - 0.25, opening.bottom - 0.16, -0.1),
                dvec3(opening.right + 0.25, opening.bottom - 0.012, 0.18),
            );
        }
    }
    for floor in [FLOORS[1], FLOORS[2]] {
        let band =
            Blocks { height: [floor - 0.3, floor + 0.06], course: 0.36, length: 1.5, relief: 0.17, frame: 0.0, ..laid };
        blocks(mesh, &wall, &band, random);
    }
    crown(mesh, half, &laid, random);
    if side == 0.0 {
        for x in [-4.8, 4.8] {
            mesh.within(dvec3(0.0, 0.0, 0.06), 0.0, |mesh| wall_banner(mesh, x, FLOORS[2] - 0.5, 1.25, 3.6));
        }
    }
}

/// Corbels and battlements.
fn crown(mesh: &mut Mesh, half: f64, laid: &Blocks, random: &mut Random) {
    let top = FLOORS[3];
    let reach = 0.4;
    let along = [-half - reach, half + reach];
    let merlons = ((along[1] - along[0]) / 1.9).round();
    let step = (along[1] - along[0]) / merlons;
    mesh.within(dvec3(0.0, 0.0, reach), 0.0, |mesh| {
        let wall = Wall {
            along,
            height: [top - 0.6, top + 1.85],
            thickness: 0.5,
            outside: Surface::Ashlar,
            inside: Surface::Ashlar,
            ends: false,
            mitred: true,
            openings: (0..merlons as usize)
                .map(|i| Opening::square(along[0] + (i as f64 + 0.5) * step, 0.75, top + 0.95, top + 1.85))
                .collect(),
            ..Wall::default()
        };
        wall.build(mesh);
        blocks(
            mesh,
            &wall,
            &Blocks { along, height: [top - 0.55, top + 0.9], course: 0.48, relief: 0.05, frame: 0.0, ..*laid },
            random,
        );
        mesh.flat(
            Surface::Stone,
            &[
                dvec3(along[0], top - 0.6, -0.45),
                dvec3(along[1], top - 0.6, -0.45),
                dvec3(along[1], top - 0.6, 0.0),
                dvec3(along[0], top - 0.6, 0.0),
            ],
        );
    });
    let count = (2.0 * half / 0.8).round() as usize;
    for i in 0..=count {
        let x = -half + 2.0 * half * i as f64 / count as f64;
        block_without(
            mesh,
            Surface::Stone,
            dvec3(x - 0.14, top - 0.9, -0.1),
            dvec3(x + 0.14, top - 0.59, reach - 0.03),
            TOP | BACK,
        );
        block_without(
            mesh,
            Surface::Stone,
            dvec3(x - 0.14, top - 1.2, -0.1),
            dvec3(x + 0.14, top - 0.89, reach * 0.5),
            TOP | BACK,
        );
    }
}

fn turret(mesh: &mut Mesh, roofed: bool, random: &mut Random) {
    const TURRET: f64 = 2.1;
    const SEGMENTS: usize = 24;
    let top = if roofed { 17.6 } else { 16.2 };
    let mut shell = Wall {
        height: [-0.6, top],
        thickness: 0.5,
        outside: Surface::Rubble,
        top: None,
        ..Wall::ring(TURRET, SEGMENTS)
    };
    for (place, up) in [(0.1, 7.0), (0.6, 11.2), (0.35, 7.0)] {
        let middle = place * shell.along[1];
        shell.openings.push(Opening::square(middle, 0.28, up, up + 1.2));
    }
    shell.piece[1] = 3.2;
    shell.build(mesh);
    // Behind the slits it is dark.
    cylinder(mesh, Surface::Iron, DVec3::Y * -0.6, [TURRET - 0.45, TURRET - 0.45], top, 16);
    let laid = Blocks {
        along: shell.along,
        height: [0.0, if roofed { top - 0.4 } else { 2.1 }],
        course: 0.62,
        length: 1.1,
        relief: 0.06,
        frame: 0.06,
        surface: Surface::Stone,
    };
    blocks(mesh, &shell, &laid, random);
    if roofed {
        cone_roof(mesh, Surface::Slate, TURRET + 0.55, top - 0.25, 5.6, SEGMENTS, random);
        pennant(mesh, top - 0.25 + 5.6);
    } else {
        disc(mesh, Surface::Flagstones, DVec3::Y * (top + 0.01), [0.0, TURRET + 0.2], SEGMENTS, 1.0);
        open_top(mesh, top, TURRET, random);
    }
}

/// Steps up to the door.
fn doorstep(mesh: &mut Mesh) {
    let rise = 0.14;
    for i in 0..4 {
        let reach = f64::from(4 - i) * 0.4;
        let top = f64::from(i + 1) * rise - 0.03;
        block_without(
            mesh,
            Surface::Stone,
            dvec3(-1.8 - reach * 0.5, -0.2, HALF_Z - 0.3),
            dvec3(1.8 + reach * 0.5, top, HALF_Z + 0.2 + reach),
            BOTTOM,
        );
    }
}

fn storeys(mesh: &mut Mesh, random: &mut Random) {
    let (x, z) = (HALF_X - THICK + 0.05, HALF_Z - THICK + 0.05);
    slab_with_hole(mesh, [Surface::Flagstones, Surface::Stone], dvec3(-x, -0.3, -z), dvec3(x, FLOORS[0], z), None);
    for storey in 0..3 {
        let (floor, next) = (FLOORS[storey], FLOORS[storey + 1]);
        // Two flights lie along the back wall at opposite ends, the last comes up inside of the attic.
        let steps = 16;
        let flight = Stairs {
            width: 1.5,
            steps,
            rise: (next - floor) / steps as f64,
            run: 0.33,
            tread: Surface::Planks,
            side: Surface::Planks,
            thickness: Some(0.24),
        };
        let length = steps as f64 * flight.run;
        let way = if storey == 1 { -1.0 } else { 1.0 };
        let back = if storey == 2 { -z + 2.7 } else { -z + 0.86 };
        let start = -way * 8.6;
        mesh.within(dvec3(start, floor, back), -90.0 * way, |mesh| stairs(mesh, &flight));
        let (from, to) = (start + way * 1.9, start + way * length);
        let hole = [from.min(to), from.max(to), back - 0.77, back + 0.77];
        slab_with_hole(
            mesh,
            [Surface::Planks, Surface::Planks],
            dvec3(-x, next - 0.35, -z),
            dvec3(x, next, z),
            Some(hole),
        );
        joists(mesh, next - 0.35, [x, z], hole);
        let edge = hole[3] + 0.08;
        rails(mesh, &[dvec3(hole[0], next, edge), dvec3((from + to) / 2.0, next, edge), dvec3(hole[1], next, edge)]);
        let closed = if way > 0.0 { hole[0] - 0.08 } else { hole[1] + 0.08 };
        rails(mesh, &[dvec3(closed, next, hole[2]), dvec3(closed, next, edge)]);
        if storey < 2 {
            for column in [-5.5, 0.0, 5.5] {
                for row in [-1.6, 2.6] {
                    pillar(mesh, dvec3(column, floor, row), next - 0.36 - floor);
                }
            }
        }
    }
    crates(mesh, dvec3(-8.3, FLOORS[0], 3.6), 6, random);
    barrels(mesh, dvec3(7.2, FLOORS[0], 4.4), 6, random);
    table(mesh, dvec3(2.8, FLOORS[0], 0.4), 3.0);
    table(mesh, dvec3(-3.0, FLOORS[1], 0.5), 3.4);
    crates(mesh, dvec3(7.6, FLOORS[1], 4.5), 2, random);
    table(mesh, dvec3(3.0, FLOORS[2], 2.5), 4.0);
    barrels(mesh, dvec3(-8.4, FLOORS[2], 5.0), 2, random);
}

/// A round column with foot and capital.
pub fn pillar(mesh: &mut Mesh, foot: DVec3, height: f64) {
    block_without(mesh, Surface::Stone, foot + dvec3(-0.42, -0.1, -0.42), foot + dvec3(0.42, 0.24, 0.42), BOTTOM);
    cylinder(mesh, Surface::Stone, foot + DVec3::Y * 0.23, [0.4, 0.3], 0.22, 16);
    cylinder(mesh, Surface::Ashlar, foot + DVec3::Y * 0.44, [0.3, 0.28], height - 1.1, 16);
    cylinder(mesh, Surface::Stone, foot + DVec3::Y * (height - 0.67), [0.29, 0.48], 0.36, 16);
    block(mesh, Surface::Stone, foot + dvec3(-0.46, height - 0.32, -0.46), foot + dvec3(0.46, height, 0.46));
}

/// Beams under a floor, which leave its hole free.
fn joists(mesh: &mut Mesh, under: f64, [x, z]: [f64; 2], hole: [f64; 4]) {
    let count = 11;
    for i in 0..count {
        let place = -x + (f64::from(i) + 0.5) * 2.0 * x / f64::from(count);
        let crosses = place > hole[0] - 0.2 && place < hole[1] + 0.2;
        let parts = if crosses { vec![[-z, hole[2] - 0.05], [hole[3] + 0.05, z]] } else { vec![[-z, z]] };
        for [from, to] in parts {
            if to - from > 0.3 {
                let end = |z: f64| dvec3(place, under - 0.1, z);
                beam(mesh, Surface::Beam, end(from), end(to), 0.2, 0.26);
            }
        }
    }
}

/// The roof and the room below it, with doors to the terrace.
fn attic(mesh: &mut Mesh, random: &mut Random) {
    let floor = FLOORS[3];
    let (rise, eaves) = (4.9, floor + 2.2);
    for side in [90.0, 270.0] {
        mesh.within(DVec3::ZERO, side, |mesh| {
            mesh.within(dvec3(0.0, 0.0, ATTIC[0]), 0.0, |mesh| {
                let wall = Wall {
                    along: [-ATTIC[1], ATTIC[1]],
                    height: [floor - 0.3, eaves],
                    thickness: 0.4,
                    outside: Surface::Plaster,
                    inside: Surface::Plaster,
                    gable: rise + 0.1,
                    top: None,
                    ..Wall::default()
                };
                gable_with_door(mesh, &wall, floor, rise);
            });
        });
    }
    for side in [0.0, 180.0] {
        mesh.within(DVec3::ZERO, side, |mesh| {
            mesh.within(dvec3(0.0, 0.0, ATTIC[1]), 0.0, |mesh| {
                let wall = Wall {
                    along: [-ATTIC[0] + 0.2, ATTIC[0] - 0.2],
                    height: [floor - 0.3, eaves + 0.05],
                    thickness: 0.4,
                    outside: Surface::Plaster,
                    inside: Surface::Plaster,
                    ends: false,
                    ..Wall::default()
                };
                wall.build(mesh);
            });
        });
    }
    let roof = GableRoof {
        half_length: ATTIC[0] + 0.35,
        half_span: ATTIC[1],
        overhang: 0.3,
        eaves,
        rise,
        surface: Surface::Slate,
    };
    gable_roof(mesh, &roof, random);
    let slope = rise / ATTIC[1];
    for i in 0..5 {
        let x = -7.0 + 3.5 * f64::from(i);
        let at = |z: f64| dvec3(x, eaves + rise - z.abs() * slope - 0.14, z);
        beam(mesh, Surface::Beam, at(-ATTIC[1]), at(0.0), 0.2, 0.26);
        beam(mesh, Surface::Beam, at(0.0), at(ATTIC[1]), 0.2, 0.26);
        beam(mesh, Surface::Beam, at(-2.6) - DVec3::Y * 0.1, at(2.6) - DVec3::Y * 0.1, 0.16, 0.2);
    }
    // A chimney.
    mesh.within(dvec3(6.4, floor - 0.1, -2.6), 0.0, |mesh| {
        block_without(mesh, Surface::Brick, dvec3(-0.6, 0.0, -0.45), dvec3(0.6, 7.6, 0.45), BOTTOM);
        block(mesh, Surface::Stone, dvec3(-0.72, 7.4, -0.57), dvec3(0.72, 7.65, 0.57));
    });
}

/// A gable wall with a door in it that reaches into the gable.
fn gable_with_door(mesh: &mut Mesh, wall: &Wall, floor: f64, rise: f64) {
    // The door reaches above the eaves: the piece over it stands on its own.
    let half = 0.65;
    let head = floor + 2.3;
    let low = wall.height[1];
    let at = |x: f64| low + (rise + 0.1) * (1.0 - x.abs() / wall.along[1]);
    for way in [-1.0, 1.0] {
        let (from, to) = if way < 0.0 { (wall.along[0], -half) } else { (half, wall.along[1]) };
        let mut corners = vec![(from, wall.height[0]), (to, wall.height[0]), (to, at(to)), (from, at(from))];
        corners.dedup();
        piece(mesh, wall, &corners);
    }
    piece(mesh, wall, &[(-half, head), (half, head), (half, at(half)), (0.0, at(0.0)), (-half, at(half))]);
    let thick = wall.thickness;
    let side = |x: f64| {
        [dvec3(x, wall.height[0], 0.0), dvec3(x, wall.height[0], -thick), dvec3(x, head, -thick), dvec3(x, head, 0.0)]
    };
    mesh.flat(Surface::Stone, &side(-half));
    let mut other = side(half);
    other.reverse();
    mesh.flat(Surface::Stone, &other);
    mesh.flat(
        Surface::Stone,
        &[dvec3(-half, head, -thick), dvec3(half, head, -thick), dvec3(half, head, 0.0), dvec3(-half, head, 0.0)],
    );
    mesh.flat(
        Surface::Stone,
        &[
            dvec3(-half - 0.01, floor + 0.02, 0.01),
            dvec3(half + 0.01, floor + 0.02, 0.01),
            dvec3(half + 0.01, floor + 0.02, -thick - 0.01),
            dvec3(-half - 0.01, floor + 0.02, -thick - 0.01),
        ],
    );
    for x in [-half - 0.095, half + 0.095] {
        beam(mesh, Surface::Beam, dvec3(x, floor - 0.1, 0.02), dvec3(x, head + 0.16, 0.02), 0.16, 0.12);
    }
    beam(mesh, Surface::Beam, dvec3(-half - 0.2, head + 0.1, 0.02), dvec3(half + 0.2, head + 0.1, 0.02), 0.12, 0.16);
}

/// A convex piece of a straight wall, both faces.
fn piece(mesh: &mut Mesh, wall: &Wall, corners: &[(f64, f64)]) {
    let outer: Vec<DVec3> = corners.iter().map(|&(x, y)| dvec3(x, y, 0.0)).collect();
    mesh.flat(wall.outside, &outer);
    let inner: Vec<DVec3> = corners.iter().rev().map(|&(x, y)| dvec3(x, y, -wall.thickness)).collect();
    mesh.flat(wall.inside, &inner);
}
