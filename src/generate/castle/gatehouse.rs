//! The gatehouse: a passage with a portcullis, a chamber over it, a platform on top.

use glam::{DVec2, DVec3, dvec3};

use super::tower::{WALK, open_top};
use crate::generate::mesh::{Mesh, Point};
use crate::generate::parts::{
    Blocks, Opening, Stairs, Wall, beam, block, blocks, cylinder, disc, slab_with_hole, stairs, voussoirs,
};
use crate::generate::random::Random;
use crate::generate::surface::Surface;

/// Half of the gatehouse's width.
pub const HALF_WIDTH: f64 = 8.0;
/// Half of its depth.
pub const HALF_DEPTH: f64 = 6.5;
const THICK: f64 = 1.5;
const PASSAGE: f64 = 4.4;
const CROWN: f64 = 5.2;
const PLATFORM: f64 = 11.0;

/// Builds the gatehouse around the frame's origin, the field towards +Z, the courtyard towards -Z.
pub fn gatehouse(mesh: &mut Mesh, random: &mut Random) {
    let arch = Opening::arched(0.0, PASSAGE, -1.0, CROWN, PASSAGE / 2.0 - 0.2);
    for (side, half, out) in [
        (0.0, HALF_WIDTH, HALF_DEPTH),
        (180.0, HALF_WIDTH, HALF_DEPTH),
        (90.0, HALF_DEPTH, HALF_WIDTH),
        (270.0, HALF_DEPTH, HALF_WIDTH),
    ] {
        let ends = side == 0.0 || side == 180.0;
        mesh.within(DVec3::ZERO, side, |mesh| {
            mesh.within(dvec3(0.0, 0.0, out), 0.0, |mesh| {
                let mut wall = Wall {
                    along: [-half, half],
                    height: [-4.5, PLATFORM - 0.02],
                    thickness: THICK,
                    piece: [3.2, 3.2],
                    outside: Surface::Rubble,
                    inside: Surface::Plaster,
                    top: Some(Surface::Flagstones),
                    ends: false,
                    mitred: true,
                    ..Wall::default()
                };
                if ends {
                    wall.openings.push(arch);
                    let high = WALK + 1.1;
                    wall.openings.extend([-4.2, 0.0, 4.2].map(|x| Opening::arched(x, 1.0, high, high + 1.8, 0.5)));
                } else {
                    // The wall walk's doors; the walk meets the gatehouse in its middle.
                    wall.openings.push(Opening::arched(0.0, 1.5, WALK - 0.02, WALK + 2.5, 0.6));
                }
                wall.build(mesh);
                let laid = Blocks {
                    along: wall.along,
                    height: [-0.5, PLATFORM - 0.9],
                    course: 0.58,
                    length: 1.1,
                    relief: 0.07,
                    frame: 0.42,
                    surface: Surface::Stone,
                };
                let laid = if ends { laid } else { Blocks { height: [-0.5, 2.0], ..laid } };
                blocks(mesh, &wall, &laid, random);
                for opening in &wall.openings {
                    voussoirs(mesh, &wall, &Opening { bottom: opening.bottom.max(0.0), ..*opening }, &laid, random);
                }
                let crest =
                    Blocks { height: [PLATFORM - 0.8, PLATFORM - 0.4], relief: 0.2, course: 0.4, frame: 0.0, ..laid };
                blocks(mesh, &wall, &crest, random);
                parapet(half).build(mesh);
                if ends {
                    glazing(mesh, &wall);
                }
            });
        });
    }
    passage(mesh, &arch);
    slab_with_hole(
        mesh,
        [Surface::Flagstones, Surface::Stone],
        dvec3(-PASSAGE / 2.0 - 0.1, -0.4, -HALF_DEPTH - 0.2),
        dvec3(PASSAGE / 2.0 + 0.1, 0.03, HALF_DEPTH + 0.2),
        None,
    );
    portcullis(mesh);
    chamber(mesh, random);
    for x in [-HALF_WIDTH, HALF_WIDTH] {
        mesh.within(dvec3(x, 0.0, HALF_DEPTH + 0.6), 0.0, |mesh| turret(mesh, random));
    }
}

fn parapet(half: f64) -> Wall {
    let along = [-half, half];
    let merlons = ((along[1] - along[0]) / 1.9).round();
    let step = (along[1] - along[0]) / merlons;
    Wall {
        along,
        height: [PLATFORM - 0.02, PLATFORM + 1.9],
        thickness: 0.5,
        outside: Surface::Ashlar,
        inside: Surface::Ashlar,
        ends: false,
        mitred: true,
        openings: (0..merlons as usize)
            .map(|i| Opening::square(along[0] + (i as f64 + 0.5) * step, 0.75, PLATFORM + 0.95, PLATFORM + 1.9))
            .collect(),
        ..Wall::default()
    }
}

/// Panes in the windows of a wall.
pub fn glazing(mesh: &mut Mesh, wall: &Wall) {
    for window in wall.openings.iter().filter(|opening| opening.bottom > 0.5 && opening.right - opening.left < 1.45) {
        pane(mesh, wall, window);
    }
}

/// A leaded pane that fills a window, halfway through the wall, with a mullion.
pub fn pane(mesh: &mut Mesh, wall: &Wall, window: &Opening) {
    let depth = wall.thickness / 2.0;
    let (left, right) = (window.left - 0.02, window.right + 0.02);
    let (low, high) = (window.bottom - 0.02, window.top + 0.02);
    let corner = |x: f64, y: f64| wall.point(x, y, depth);
    mesh.flat(Surface::Glass, &[corner(left, low), corner(right, low), corner(right, high), corner(left, high)]);
    let middle = window.middle();
    beam(mesh, Surface::Stone, wall.point(middle, low, depth), wall.point(middle, high, depth), 0.1, 0.14);
    let bar = (window.bottom + window.spring.max(window.bottom + 0.6)) / 2.0 + 0.25;
    beam(mesh, Surface::Stone, wall.point(left, bar, depth), wall.point(right, bar, depth), 0.12, 0.08);
}

/// Side walls and vault between the two arches.
fn passage(mesh: &mut Mesh, arch: &Opening) {
    let half = PASSAGE / 2.0;
    let rise = arch.top - arch.spring;
    let mut outline = vec![(half, -1.0), (half, 0.9), (half, arch.spring)];
    for place in arch.arch_places().iter().rev().skip(1) {
        let side = place / half;
        outline.push((*place, arch.spring + rise * (1.0 - side * side).max(0.0).sqrt()));
    }
    outline.extend([(-half, 0.9), (-half, -1.0)]);
    let mut run = vec![0.0];
    for pair in outline.windows(2) {
        run.push(run[run.len() - 1] + (DVec2::from(pair[1]) - DVec2::from(pair[0])).length());
    }
    let (front, back) = (HALF_DEPTH - THICK + 0.01, -HALF_DEPTH + THICK - 0.01);
    let pieces = 8;
    // Seen from inside, the outline runs upwards on the right wall, and the passage to the right towards the field.
    mesh.grid(Surface::Ashlar, pieces, outline.len() - 1, |i, j| {
        let (x, y) = outline[j];
        let normal = if y <= arch.spring {
            dvec3(-x.signum(), 0.0, 0.0)
        } else {
            -dvec3(x / (half * half), (y - arch.spring) / (rise * rise), 0.0).normalize()
        };
        let z = back + (front - back) * i as f64 / pieces as f64;
        Point { position: dvec3(x, y, z), normal, tex: DVec2::new(z, -run[j]) }
    });
}

/// A raised portcullis under the vault.
fn portcullis(mesh: &mut Mesh) {
    let (z, low) = (HALF_DEPTH - THICK - 1.2, 2.75);
    for i in -5..=5 {
        let x = f64::from(i) * 0.4;
        beam(mesh, Surface::Iron, dvec3(x, low, z), dvec3(x, CROWN, z), 0.09, 0.09);
        // Its points.
        mesh.within(dvec3(x, low, z), 0.0, |mesh| {
            for side in [0.0, 90.0, 180.0, 270.0] {
                mesh.within(DVec3::ZERO, side, |mesh| {
                    let foot = dvec3(0.0, -0.28, 0.0);
                    mesh.flat(Surface::Iron, &[foot, dvec3(0.07, 0.0, 0.07), dvec3(-0.07, 0.0, 0.07)]);
                });
            }
        });
    }
    for i in 0..6 {
        let y = low + 0.25 + f64::from(i) * 0.42;
        beam(mesh, Surface::Iron, dvec3(-2.25, y, z - 0.05), dvec3(2.25, y, z - 0.05), 0.05, 0.1);
    }
    // The leaves of the gate, folded back against the sides.
    for side in [-1.0, 1.0] {
        let x = side * (PASSAGE / 2.0 - 0.14);
        let (near, far) = (z - 2.6, z - 0.6);
        block(mesh, Surface::Planks, dvec3(x - 0.06, 0.06, near), dvec3(x + 0.06, 3.0, far));
        for y in [0.5, 1.5, 2.5] {
            block(mesh, Surface::Iron, dvec3(x - 0.08, y, near - 0.02), dvec3(x + 0.08, y + 0.12, far + 0.02));
        }
    }
}

/// The room over the passage and the stairs to the platform.
fn chamber(mesh: &mut Mesh, random: &mut Random) {
    let (x, z) = (HALF_WIDTH - THICK + 0.05, HALF_DEPTH - THICK + 0.05);
    slab_with_hole(mesh, [Surface::Planks, Surface::Planks], dvec3(-x, WALK - 0.4, -z), dvec3(x, WALK, z), None);
    let flight = Stairs {
        width: 1.4,
        steps: 18,
        rise: (PLATFORM - WALK) / 18.0,
        run: 0.32,
        tread: Surface::Planks,
        side: Surface::Planks,
        thickness: Some(0.25),
    };
    let length = flight.steps as f64 * flight.run;
    // Along the courtyard's side, rising towards +X.
    let (start, middle) = (-length / 2.0 - 1.0, -z + 0.85);
    mesh.within(dvec3(start, WALK, middle), -90.0, |mesh| stairs(mesh, &flight));
    let hole = [start + 2.0, start + length, middle - 0.72, middle + 0.72];
    slab_with_hole(
        mesh,
        [Surface::Flagstones, Surface::Planks],
        dvec3(-x, PLATFORM - 0.35, -z),
        dvec3(x, PLATFORM, z),
        Some(hole),
    );
    for i in 0..7 {
        let beam_x = -x + (f64::from(i) + 0.5) * 2.0 * x / 7.0;
        if beam_x > hole[0] - 0.3 && beam_x < hole[1] + 0.3 {
            beam(
                mesh,
                Surface::Beam,
                dvec3(beam_x, PLATFORM - 0.48, hole[3] + 0.1),
                dvec3(beam_x, PLATFORM - 0.48, z),
                0.24,
                0.28,
            );
        } else {
            beam(
                mesh,
                Surface::Beam,
                dvec3(beam_x, PLATFORM - 0.48, -z),
                dvec3(beam_x, PLATFORM - 0.48, z),
                0.24,
                0.28,
            );
        }
    }
    super::furniture::rails(
        mesh,
        &[dvec3(hole[0], PLATFORM, hole[3] + 0.08), dvec3(hole[1], PLATFORM, hole[3] + 0.08)],
    );
    super::furniture::winch(mesh, dvec3(0.0, WALK, z - 1.6));
    super::furniture::crates(mesh, dvec3(5.0, WALK, 3.2), 3, random);
}

/// A round turret at a corner of the field side, solid up to its platform.
fn turret(mesh: &mut Mesh, random: &mut Random) {
    const TURRET: f64 = 2.9;
    let top = 13.6;
    let shell =
        Wall { height: [-4.5, top], thickness: 0.6, outside: Surface::Rubble, top: None, ..Wall::ring(TURRET, 32) };
    shell.build(mesh);
    let laid = Blocks {
        along: shell.along,
        height: [-0.8, 1.6],
        course: 0.5,
        length: 0.9,
        relief: 0.08,
        frame: 0.0,
        surface: Surface::Stone,
    };
    blocks(mesh, &shell, &laid, random);
    disc(mesh, Surface::Flagstones, DVec3::Y * (top + 0.01), [0.0, TURRET + 0.3], 32, 1.0);
    open_top(mesh, top, TURRET, random);
    cylinder(mesh, Surface::Beam, DVec3::Y * top, [0.09, 0.05], 6.5, 8);
    let flag = |x: f64, y: f64| dvec3(0.07 + x, top + 4.6 + y, 0.0);
    super::furniture::cloth(mesh, [flag(0.0, 1.7), flag(2.4, 1.5)], 1.7, 0.14);
}
