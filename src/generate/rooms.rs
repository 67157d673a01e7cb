//! Buildings to put scenes together of, each a level of its own around the origin.

use glam::{DVec3, dvec3};

use super::castle::{self, House};
use super::mesh::Mesh;
use super::parts::{Opening, Stairs, Wall, block, cylinder, stairs};
use super::random::Random;
use super::surface::Surface;
use crate::level::{Level, Spawn};

/// Half the edge of a room, to the outer faces of its walls, in metres.
pub const HALF: f64 = 5.0;
/// Height of a room from floor to ceiling, in metres.
pub const HEIGHT: f64 = 4.0;

const WALL: f64 = 0.3;
/// Floors and ceilings reach so far below and above.
const SLAB: f64 = 0.25;
const DOOR: [f64; 2] = [1.8, 2.6];

/// A room of 10 x 10 m with doorways in the middle of its sides towards -Z, +Z and +X, four columns, and its floor at height 0.
/// Rooms 10 m apart fit together.
pub fn room() -> Level {
    let mut mesh = Mesh::new();
    shell(&mut mesh, [true, true, true, false]);
    for (x, z) in [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)] {
        let foot = dvec3(2.6 * x, 0.0, 2.6 * z);
        block(&mut mesh, Surface::Stone, foot - dvec3(0.32, 0.05, 0.32), foot + dvec3(0.32, 0.22, 0.32));
        cylinder(&mut mesh, Surface::Ashlar, foot, [0.24, 0.2], HEIGHT, 16);
    }
    mesh.finish("builtin:room", Spawn { feet: DVec3::ZERO, yaw: 0.0 })
}

/// The same with doorways towards +Z and +X, and a low stage in the corner away from them.
pub fn corner_room() -> Level {
    let mut mesh = Mesh::new();
    shell(&mut mesh, [true, true, false, false]);
    let (inner, edge) = (WALL - HALF - 0.05, -1.2);
    block(&mut mesh, Surface::Planks, dvec3(inner, -0.05, inner), dvec3(edge, 0.4, edge));
    mesh.finish("builtin:corner-room", Spawn { feet: dvec3(1.5, 0.0, 1.5), yaw: core::f32::consts::FRAC_PI_4 })
}

/// Floor, ceiling, and walls towards +Z, +X, -Z and -X, with doorways or without.
fn shell(mesh: &mut Mesh, doors: [bool; 4]) {
    for (side, has_door) in doors.into_iter().enumerate() {
        let wall = Wall {
            along: [-HALF, HALF],
            height: [0.0, HEIGHT],
            thickness: WALL,
            outside: Surface::Brick,
            inside: Surface::Plaster,
            top: None,
            mitred: true,
            openings: if has_door { vec![Opening::arched(0.0, DOOR[0], 0.0, DOOR[1], 0.5)] } else { Vec::new() },
            ..Wall::default()
        };
        mesh.within(DVec3::ZERO, 90.0 * side as f64, |mesh| {
            mesh.within(dvec3(0.0, 0.0, HALF), 0.0, |mesh| wall.build(mesh));
        });
    }
    block(mesh, Surface::Flagstones, dvec3(-HALF, -SLAB, -HALF), dvec3(HALF, 0.0, HALF));
    block(mesh, Surface::Planks, dvec3(-HALF, HEIGHT, -HALF), dvec3(HALF, HEIGHT + SLAB, HALF));
}

/// A timber-framed house of two floors with stairs inside, its door towards +Z.
pub fn house() -> Level {
    let mut mesh = Mesh::new();
    let house = House { half_x: 5.2, half_z: 3.7, surface: Surface::RoofTiles };
    castle::house(&mut mesh, &house, &mut Random::new(1, 3));
    mesh.finish("builtin:house", Spawn { feet: dvec3(0.0, 0.0, 7.0), yaw: 0.0 })
}

/// A stone platform 3 m high with a flight of stairs up to it from +Z, and a parapet around the other sides.
pub fn lookout() -> Level {
    let mut mesh = Mesh::new();
    let (half, height) = (2.5, 3.0);
    block(&mut mesh, Surface::Ashlar, dvec3(-half, -1.0, -half), dvec3(half, height, half));
    let flight = Stairs {
        width: 1.8,
        steps: 15,
        rise: height / 15.0,
        run: 0.32,
        tread: Surface::Stone,
        side: Surface::Ashlar,
        thickness: None,
    };
    let length = flight.steps as f64 * flight.run;
    mesh.within(dvec3(0.0, 0.0, half + length), 0.0, |mesh| stairs(mesh, &flight));
    let (rim, top) = (0.35, height + 0.95);
    for [min, max] in [
        [dvec3(-half, height, -half), dvec3(half, top, rim - half)],
        [dvec3(-half, height, rim - half), dvec3(rim - half, top, half)],
        [dvec3(half - rim, height, rim - half), dvec3(half, top, half)],
    ] {
        block(&mut mesh, Surface::Stone, min, max);
    }
    mesh.finish("builtin:lookout", Spawn { feet: dvec3(0.0, 0.0, half + length + 2.0), yaw: 0.0 })
}
