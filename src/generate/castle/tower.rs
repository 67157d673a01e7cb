//! Round towers with winding stairs.

use glam::{DVec3, dvec3};

use super::furniture::pennant;
use crate::generate::mesh::Mesh;
use crate::generate::parts::{BACK, Blocks, Opening, TOP, Wall, block_without, blocks, cone_roof, cylinder, disc};
use crate::generate::random::Random;
use crate::generate::surface::Surface;

/// Radius of a corner tower's outer face.
pub const RADIUS: f64 = 5.4;
const INNER: f64 = 4.0;
const NEWEL: f64 = 1.45;
/// Height of the wall walk's doors over the courtyard.
pub const WALK: f64 = 6.04;
const ROOF: f64 = 11.5;
const SEGMENTS: usize = 40;

/// A corner tower. The frame's Z axis points into the courtyard, its doors to the wall walks, if any, at 45 degrees to both
/// sides; its top is a pointed roof or a platform with battlements.
pub fn corner_tower(mesh: &mut Mesh, pointed: bool, walks: bool, random: &mut Random) {
    let segment = core::f64::consts::TAU * RADIUS / SEGMENTS as f64;
    let at = |degrees: f64| degrees.to_radians() * RADIUS;
    let door = |degrees: f64, bottom: f64| Opening::arched(at(degrees), 2.5 * segment, bottom, bottom + 2.6, 0.8);
    let slit = |degrees: f64, bottom: f64| Opening::square(at(degrees), 0.4 * segment, bottom, bottom + 1.3);
    // The ring starts at place 0; the door there is seen from both of its ends.
    let turn = 30.0;
    let mut shell = Wall {
        height: [-4.5, ROOF - 0.02],
        thickness: RADIUS - INNER,
        outside: Surface::Rubble,
        inside: Surface::Rubble,
        top: Some(Surface::Flagstones),
        ..Wall::ring(RADIUS, SEGMENTS)
    };
    shell.piece[1] = 3.2;
    shell.openings = vec![door(turn, 0.03)];
    if walks {
        shell.openings.extend([turn + 45.0, turn - 45.0 + 360.0].map(|degrees| door(degrees, WALK - 0.02)));
    }
    for (degrees, bottom) in [(117.0, 3.2), (162.0, 5.6), (207.0, 8.2), (252.0, 3.2), (135.0, 8.2)] {
        shell.openings.push(slit(degrees + turn, bottom));
    }
    mesh.within(DVec3::ZERO, -turn, |mesh| {
        shell.build(mesh);
        let base = Blocks {
            along: shell.along,
            height: [-0.6, 1.6],
            course: 0.55,
            length: 1.0,
            relief: 0.09,
            frame: 0.0,
            surface: Surface::Stone,
        };
        blocks(mesh, &shell, &base, random);
        let band = Blocks { height: [WALK - 0.6, WALK - 0.15], course: 0.45, relief: 0.14, ..base };
        blocks(mesh, &shell, &band, random);
    });
    disc(mesh, Surface::Flagstones, DVec3::Y * 0.04, [0.0, INNER + 0.06], 24, 1.0);
    cylinder(mesh, Surface::Ashlar, DVec3::Y * -0.2, [NEWEL, NEWEL], ROOF + 0.22, 24);
    disc(mesh, Surface::Stone, DVec3::Y * (ROOF + 0.02), [0.0, NEWEL], 24, 1.0);
    winding(mesh, 25.0, 300.0, [0.04, WALK], 22);
    sector(mesh, [-60.0, 60.0], [NEWEL - 0.05, INNER + 0.06], WALK, 0.3, Surface::Flagstones);
    winding(mesh, 60.0, 300.0, [WALK, ROOF], 19);
    sector(mesh, [-60.0, 190.0], [NEWEL - 0.05, INNER + 0.06], ROOF, 0.3, Surface::Flagstones);
    if pointed {
        pointed_top(mesh, random);
    } else {
        open_top(mesh, ROOF, RADIUS, random);
    }
}

/// A chamber with windows under a pointed roof.
fn pointed_top(mesh: &mut Mesh, random: &mut Random) {
    let mut room = Wall {
        height: [ROOF - 0.04, ROOF + 2.9],
        thickness: 0.7,
        outside: Surface::Ashlar,
        inside: Surface::Plaster,
        top: None,
        ..Wall::ring(RADIUS - 0.3, SEGMENTS)
    };
    let step = room.along[1] / 8.0;
    room.openings =
        (0..8).map(|i| Opening::arched((f64::from(i) + 0.5) * step, 1.05, ROOF + 0.9, ROOF + 2.4, 0.5)).collect();
    room.build(mesh);
    corbels(mesh, RADIUS - 0.3, ROOF + 2.35, 24, 0.55);
    cone_roof(mesh, Surface::Slate, RADIUS + 0.75, ROOF + 2.7, 8.4, SEGMENTS, random);
    pennant(mesh, ROOF + 2.7 + 8.4);
}

/// Battlements on corbels around a platform at height `floor`.
pub fn open_top(mesh: &mut Mesh, floor: f64, radius: f64, random: &mut Random) {
    let outer = radius + 0.45;
    let segments = (outer * 8.0).round() as usize;
    let mut ring = Wall {
        height: [floor - 0.75, floor + 1.85],
        thickness: 0.55,
        outside: Surface::Ashlar,
        inside: Surface::Ashlar,
        ..Wall::ring(outer, segments)
    };
    let merlons = (outer * 1.9).round();
    let step = ring.along[1] / merlons;
    ring.openings = (0..merlons as usize)
        .map(|i| Opening::square((i as f64 + 0.5) * step, 0.42 * step, floor + 0.95, floor + 1.85))
        .collect();
    ring.build(mesh);
    disc(mesh, Surface::Stone, DVec3::Y * (floor - 0.75), [outer - 0.56, outer], segments, -1.0);
    corbels(mesh, radius, floor - 0.75, (outer * 5.2).round() as usize, 0.5);
    let laid = Blocks {
        along: ring.along,
        height: [floor - 0.7, floor + 0.9],
        course: 0.5,
        length: 0.85,
        relief: 0.05,
        frame: 0.0,
        surface: Surface::Stone,
    };
    blocks(mesh, &ring, &laid, random);
}

/// Stepped stones under an overhang whose underside is at `top`.
fn corbels(mesh: &mut Mesh, radius: f64, top: f64, count: usize, reach: f64) {
    for i in 0..count {
        let degrees = i as f64 / count as f64 * 360.0;
        mesh.within(DVec3::ZERO, degrees, |mesh| {
            for (step, out) in [(0.0, reach), (0.28, 0.55 * reach)] {
                block_without(
                    mesh,
                    Surface::Stone,
                    dvec3(-0.15, top - step - 0.3, radius - 0.2),
                    dvec3(0.15, top - step + 0.01, radius + out - 0.03),
                    TOP | BACK,
                );
            }
        });
    }
}

/// A point at an angle (in degrees from +Z towards +X), a radius and a height.
fn around(degrees: f64, radius: f64, y: f64) -> DVec3 {
    let (sin, cos) = libm::sincos(degrees.to_radians());
    dvec3(radius * sin, y, radius * cos)
}

/// Steps that wind up around the newel from one angle to another.
fn winding(mesh: &mut Mesh, from: f64, to: f64, height: [f64; 2], steps: usize) {
    let (inner, outer) = (NEWEL - 0.05, INNER + 0.06);
    let turn = |i: usize| from + (to - from) * i as f64 / steps as f64;
    let up = |i: usize| height[0] + (height[1] - height[0]) * i as f64 / steps as f64;
    for i in 0..steps {
        let (a, b, low, high) = (turn(i), turn(i + 1), up(i), up(i + 1));
        let tread = [around(a, inner, high), around(a, outer, high), around(b, outer, high), around(b, inner, high)];
        mesh.flat(Surface::Stone, &tread);
        mesh.flat(
            Surface::Stone,
            &[around(a, inner, low), around(a, outer, low), around(a, outer, high), around(a, inner, high)],
        );
        let under = |degrees: f64, radius: f64, y: f64| around(degrees, radius, y - 0.28);
        mesh.flat(
            Surface::Stone,
            &[under(b, inner, high), under(b, outer, high), under(a, outer, low), under(a, inner, low)],
        );
    }
}

/// A part of a round floor between two angles in degrees, with its underside and both ends.
fn sector(mesh: &mut Mesh, [from, to]: [f64; 2], [inner, outer]: [f64; 2], top: f64, thick: f64, surface: Surface) {
    let pieces = ((to - from) / 10.0).round() as usize;
    let turn = |i: usize| from + (to - from) * i as f64 / pieces as f64;
    let low = top - thick;
    for i in 0..pieces {
        let (a, b) = (turn(i), turn(i + 1));
        let corners = |y: f64| [around(a, inner, y), around(a, outer, y), around(b, outer, y), around(b, inner, y)];
        mesh.flat(surface, &corners(top));
        let mut under = corners(low);
        under.reverse();
        mesh.flat(Surface::Stone, &under);
    }
    let end = |degrees: f64| {
        [
            around(degrees, inner, low),
            around(degrees, outer, low),
            around(degrees, outer, top),
            around(degrees, inner, top),
        ]
    };
    mesh.flat(Surface::Stone, &end(from));
    let mut last = end(to);
    last.reverse();
    mesh.flat(Surface::Stone, &last);
}
