//! Curtain walls, wall walks and the stairs up to them.

use glam::{DVec3, dvec3};

use super::tower::WALK;
use crate::generate::mesh::Mesh;
use crate::generate::parts::{
    BOTTOM, Blocks, Opening, Stairs, Wall, beam, block, block_without, blocks, stairs, voussoirs,
};
use crate::generate::random::Random;
use crate::generate::surface::Surface;

/// Half the thickness of a curtain wall.
pub const HALF: f64 = 1.5;

/// What interrupts the inner side of a stretch of wall.
#[derive(Clone, Copy, Default)]
pub struct Breaks {
    /// Where along the wall the stairs end, whose landing has no railing.
    pub landing: Option<f64>,
    /// Where along the wall a low passage leads through it.
    pub passage: Option<f64>,
}

/// A stretch of wall along X between two places, its outer face towards +Z, its middle line in the frame's XY plane.
pub fn curtain(mesh: &mut Mesh, along: [f64; 2], breaks: Breaks, random: &mut Random) {
    let passage = breaks.passage.map(|place| Opening::square(place, 1.2, 0.03, 1.45));
    mesh.within(dvec3(0.0, 0.0, HALF), 0.0, |mesh| {
        let wall = Wall {
            along,
            height: [-4.5, WALK - 0.06],
            thickness: 2.0 * HALF,
            top: Some(Surface::Flagstones),
            ends: false,
            openings: passage.into_iter().collect(),
            ..Wall::default()
        };
        wall.build(mesh);
        let parapet = battlement(along, WALK - 0.06, 0.6);
        parapet.build(mesh);
        let laid = Blocks {
            along,
            height: [-0.4, 0.8],
            course: 0.6,
            length: 1.3,
            relief: 0.1,
            frame: 0.28,
            surface: Surface::Stone,
        };
        blocks(mesh, &wall, &laid, random);
        string_course(mesh, &wall, WALK - 0.35, &laid, random);
    });
    // The inner side, seen from behind.
    mesh.within(dvec3(0.0, 0.0, -HALF), 180.0, |mesh| {
        let inner = Wall {
            along: [-along[1], -along[0]],
            height: [-0.2, WALK - 0.1],
            openings: passage
                .map(|hole| Opening { left: -hole.right, right: -hole.left, ..hole })
                .into_iter()
                .collect(),
            ..Wall::default()
        };
        let laid = Blocks {
            along: inner.along,
            height: [0.0, 1.05],
            course: 0.525,
            length: 1.0,
            relief: 0.07,
            frame: 0.28,
            surface: Surface::Stone,
        };
        for opening in &inner.openings {
            voussoirs(mesh, &inner, opening, &laid, random);
        }
    });
    railing(mesh, along, breaks.landing);
}

/// A parapet with merlons whose outer face is that of the wall below.
fn battlement(along: [f64; 2], floor: f64, thickness: f64) -> Wall {
    let merlons = ((along[1] - along[0]) / 2.0).round();
    let step = (along[1] - along[0]) / merlons;
    Wall {
        along,
        height: [floor - 0.3, floor + 1.95],
        thickness,
        outside: Surface::Rubble,
        inside: Surface::Rubble,
        ends: false,
        openings: (0..merlons as usize)
            .map(|i| Opening::square(along[0] + (i as f64 + 0.5) * step, 0.8, floor + 1.0, floor + 1.95))
            .collect(),
        ..Wall::default()
    }
}

/// A row of stones that stands out under the parapet.
fn string_course(mesh: &mut Mesh, wall: &Wall, top: f64, laid: &Blocks, random: &mut Random) {
    let row = Blocks { height: [top - 0.35, top], course: 0.35, relief: 0.16, length: 1.4, frame: 0.0, ..*laid };
    blocks(mesh, wall, &row, random);
}

/// A wooden railing along the inner edge of the wall walk.
fn railing(mesh: &mut Mesh, along: [f64; 2], landing: Option<f64>) {
    let z = -HALF + 0.14;
    let gap = |x: f64| landing.is_some_and(|place| (x - place).abs() < 0.85);
    let posts = ((along[1] - along[0]) / 2.8).round() as usize;
    let place = |i: usize| along[0] + (along[1] - along[0]) * i as f64 / posts as f64;
    let floor = WALK - 0.06;
    for i in 0..=posts {
        if !gap(place(i)) {
            beam(mesh, Surface::Beam, dvec3(place(i), floor - 0.1, z), dvec3(place(i), floor + 1.05, z), 0.12, 0.12);
        }
    }
    for i in 0..posts {
        if gap(place(i)) || gap(place(i + 1)) || gap((place(i) + place(i + 1)) / 2.0) {
            continue;
        }
        for up in [0.5, 0.98] {
            let end = |x: f64| dvec3(x, floor + up, z);
            beam(mesh, Surface::Beam, end(place(i)), end(place(i + 1)), 0.07, 0.1);
        }
    }
}

/// Stairs along the inner side of a curtain wall (that side in the frame's XY plane, facing +Z) which rise towards +X and end
/// at place 0 with a landing beyond it.
pub fn wall_stairs(mesh: &mut Mesh) {
    let flight = Stairs {
        width: 1.7,
        steps: 22,
        rise: (WALK - 0.02) / 22.0,
        run: 0.34,
        tread: Surface::Stone,
        side: Surface::Ashlar,
        thickness: None,
    };
    let length = flight.steps as f64 * flight.run;
    // The flight rises towards its own -Z, which is the frame's +X.
    mesh.within(dvec3(-length, -0.02, 0.83), -90.0, |mesh| stairs(mesh, &flight));
    block_without(mesh, Surface::Ashlar, dvec3(0.0, -0.2, -0.02), dvec3(1.7, WALK - 0.03, 1.68), BOTTOM);
    // A railing on the open side.
    let slope = flight.rise / flight.run;
    let edge = 1.6;
    for i in 0..=4 {
        let x = -length + 0.2 + f64::from(i) * (length - 0.2) / 4.0;
        let floor = (x + length) * slope;
        beam(mesh, Surface::Beam, dvec3(x, floor - 0.1, edge), dvec3(x, floor + 1.1, edge), 0.1, 0.1);
    }
    let rail = |x: f64| dvec3(x, (x + length) * slope + 1.05, edge);
    beam(mesh, Surface::Beam, rail(-length + 0.1), rail(0.05), 0.08, 0.1);
    let post = |x: f64, z: f64| (dvec3(x, WALK - 0.1, z), dvec3(x, WALK + 1.1, z));
    for (foot, head) in [post(1.62, edge), post(1.62, 0.1)] {
        beam(mesh, Surface::Beam, foot, head, 0.1, 0.1);
    }
    beam(mesh, Surface::Beam, dvec3(0.0, WALK + 1.03, edge), dvec3(1.68, WALK + 1.03, edge), 0.08, 0.1);
    beam(mesh, Surface::Beam, dvec3(1.62, WALK + 1.03, edge), dvec3(1.62, WALK + 1.03, 0.05), 0.08, 0.1);
}

/// A lean-to roof of planks on posts against a wall (in the frame's XY plane, facing +Z), from X 0 to `length`.
pub fn lean_to(mesh: &mut Mesh, length: f64, depth: f64) {
    let (high, low): (f64, f64) = (3.4, 2.5);
    for i in 0..=3 {
        let x = 0.15 + f64::from(i) * (length - 0.3) / 3.0;
        beam(mesh, Surface::Beam, dvec3(x, -0.2, depth - 0.2), dvec3(x, low, depth - 0.2), 0.2, 0.2);
        beam(mesh, Surface::Beam, dvec3(x, high - 0.05, -0.05), dvec3(x, low - 0.02, depth + 0.1), 0.16, 0.16);
    }
    beam(mesh, Surface::Beam, dvec3(0.0, low - 0.1, depth - 0.2), dvec3(length, low - 0.1, depth - 0.2), 0.18, 0.2);
    let rows = 6;
    for i in 0..rows {
        let t = |i: f64| i / f64::from(rows);
        let at = |t: f64| (high + 0.06 + (low - high) * t, (depth + 0.35) * t - 0.02);
        let ((y0, z0), (y1, z1)) = (at(t(f64::from(i))), at(t(f64::from(i) + 1.08)));
        let (x0, x1) = (-0.2, length + 0.2);
        mesh.tint = DVec3::splat(0.82 + 0.18 * f64::from(i % 2));
        mesh.across = true;
        mesh.flat(
            Surface::Planks,
            &[dvec3(x0, y1 + 0.09, z1), dvec3(x1, y1 + 0.09, z1), dvec3(x1, y0 + 0.05, z0), dvec3(x0, y0 + 0.05, z0)],
        );
        mesh.flat(Surface::Planks, &[dvec3(x0, y0, z0), dvec3(x1, y0, z0), dvec3(x1, y1, z1), dvec3(x0, y1, z1)]);
        mesh.flat(
            Surface::Planks,
            &[dvec3(x0, y1, z1), dvec3(x1, y1, z1), dvec3(x1, y1 + 0.09, z1), dvec3(x0, y1 + 0.09, z1)],
        );
        mesh.across = false;
        for (x, turned) in [(x0, false), (x1, true)] {
            let mut end = [dvec3(x, y0, z0), dvec3(x, y1, z1), dvec3(x, y1 + 0.09, z1), dvec3(x, y0 + 0.05, z0)];
            if turned {
                end.reverse();
            }
            mesh.flat(Surface::Planks, &end);
        }
        mesh.tint = DVec3::ONE;
    }
    block(mesh, Surface::Beam, dvec3(-0.1, high - 0.25, -0.1), dvec3(length + 0.1, high - 0.05, 0.12));
}
