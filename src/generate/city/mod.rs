//! A city: blocks of houses with floors, stairs and windows inside, along streets with pavements.

mod building;
mod street;

use glam::dvec3;

use super::mesh::Mesh;
use super::random::Random;
use super::{Options, light};
use crate::level::{Level, Spawn};
use building::Building;

/// From the middle of one street to the next.
const PITCH: f64 = 54.0;
/// Half of the width between the houses of a street.
const STREET: f64 = 8.0;
/// Half of a house's edge.
const HALF: f64 = 8.5;

/// Builds the city.
pub(super) fn build(options: &Options) -> Level {
    let mut mesh = Mesh::new();
    let mut random = Random::new(options.seed, 3);
    let wanted = options.triangles as f64;
    // What a storey more and a block cost, found by trying.
    let house = |storeys: usize, mesh: &mut Mesh| {
        let mut random = Random::new(options.seed, 4);
        Building::random(storeys, &mut random).build(mesh, &mut random);
    };
    let (low, high) = (cost(|mesh| house(6, mesh)), cost(|mesh| house(9, mesh)));
    let storey = (high - low) / 3.0;
    let ground = cost(|mesh| street::block_ground(mesh, &mut Random::new(options.seed, 5)));
    // A block's share of the streets and its houses' roofs belong to the block.
    let block = ground + 4.0 * (low - 6.0 * storey) + 400.0;
    let edge = cost(|mesh| street::network(mesh, 1, 0.0, &mut Random::new(options.seed, 6)));
    // As many blocks as get about five storeys a house; the number of storeys then takes up the rest.
    let side = (wanted / (block + edge + 20.0 * storey)).sqrt().round().max(1.0) as usize;
    let blocks = side * side;
    let streets = edge * side as f64;
    let mean = ((wanted - streets - block * blocks as f64) / storey / (4 * blocks) as f64).clamp(1.0, 12.0);
    let first = -((side - 1) as f64) / 2.0 * PITCH;
    // An even number of blocks has a street in the middle, an odd one a block: streets are counted from the edge.
    let mut owed = 0.0;
    for row in 0..side {
        for column in 0..side {
            let center = dvec3(first + column as f64 * PITCH, 0.0, first + row as f64 * PITCH);
            mesh.within(center, 0.0, |mesh| {
                for (x, z, degrees) in [(-1.0, -1.0, 180.0), (1.0, -1.0, 180.0), (-1.0, 1.0, 0.0), (1.0, 1.0, 0.0)] {
                    owed += mean;
                    let spread = random.range(-0.4, 0.4) * mean;
                    let storeys = (owed + spread).round().clamp(1.0, 2.0 * mean).max(1.0);
                    owed -= storeys;
                    let out = PITCH / 2.0 - STREET - HALF;
                    mesh.within(dvec3(x * out, 0.0, z * out), degrees, |mesh| {
                        Building::random(storeys as usize, &mut random).build(mesh, &mut random);
                    });
                }
                street::block_ground(mesh, &mut random);
            });
        }
    }
    street::network(&mut mesh, side, first, &mut random);
    light::bake(&mut mesh, 0.7, 8.0, 18);
    let street = first - PITCH / 2.0 + PITCH * (side / 2) as f64;
    let spawn = Spawn { feet: dvec3(street - 2.0, street::ROAD, first + (side - 1) as f64 * PITCH + 14.0), yaw: 0.0 };
    mesh.finish("builtin:city", spawn)
}

/// How many triangles something has.
fn cost(build: impl FnOnce(&mut Mesh)) -> f64 {
    let mut mesh = Mesh::new();
    build(&mut mesh);
    mesh.triangles.len() as f64
}
