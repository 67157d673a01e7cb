//! The castle: a courtyard between curtain walls and round towers, a gatehouse, a keep, a great hall and houses, on a berm
//! between a ditch and hills.
//!
//! Its parts overlap where they meet instead of being cut to each other: every part is closed where one can see or walk, no
//! two faces of different materials lie in one plane, and floors reach into the walls around them.

mod curtain;
pub(super) mod furniture;
mod gatehouse;
mod hall;
mod house;
mod keep;
mod land;
mod tower;

use glam::dvec3;

use super::mesh::Mesh;
use super::parts::tree;
use super::random::Random;
use super::surface::Surface;
use super::{Options, light};
use crate::level::{Level, Spawn};
use curtain::Breaks;
use land::{Land, WALLS};

pub(super) use house::{House, house};
pub(super) use tower::corner_tower;

/// Where the gatehouse stands along Z.
const GATE: f64 = 36.0;

/// Builds the castle.
pub(super) fn build(options: &Options) -> Level {
    let mut mesh = Mesh::new();
    let mut random = Random::new(options.seed, 1);
    towers(&mut mesh, &mut random);
    walls(&mut mesh, &mut random);
    mesh.within(dvec3(0.0, 0.0, GATE), 0.0, |mesh| gatehouse::gatehouse(mesh, &mut random));
    mesh.within(dvec3(0.0, 0.0, -19.5), 0.0, |mesh| keep::keep(mesh, &mut random));
    mesh.within(dvec3(20.6, 0.0, 6.0), 90.0, |mesh| hall::hall(mesh, &mut random));
    let brown = House { half_x: 5.2, half_z: 3.7, surface: Surface::RoofTiles };
    mesh.within(dvec3(-20.4, 0.0, 3.5), 90.0, |mesh| house(mesh, &brown, &mut random));
    let small = House { half_x: 4.2, half_z: 3.2, surface: Surface::Slate };
    mesh.within(dvec3(-22.2, 0.0, -14.5), 60.0, |mesh| house(mesh, &small, &mut random));
    yard(&mut mesh, &mut random);
    mesh.within(dvec3(0.0, 0.0, GATE + gatehouse::HALF_DEPTH - 0.2), 0.0, |mesh| land::bridge(mesh, 19.5, &mut random));
    land::courtyard(&mut mesh, options.seed);
    let land = Land::new(options.seed);
    land.plant(&mut mesh, 46, &mut random);
    // What is left of the triangles goes into the land.
    let left = options.triangles.saturating_sub(mesh.triangles.len());
    land.build(&mut mesh, left);
    light::bake(&mut mesh, 0.5, 9.0, 40);
    mesh.finish("builtin:castle", Spawn { feet: dvec3(0.0, 0.0, 27.6), yaw: 0.0 })
}

fn towers(mesh: &mut Mesh, random: &mut Random) {
    let [x, z] = WALLS;
    for (sx, sz, degrees, pointed) in
        [(1.0, 1.0, 225.0, false), (1.0, -1.0, 315.0, true), (-1.0, -1.0, 45.0, true), (-1.0, 1.0, 135.0, false)]
    {
        mesh.within(dvec3(sx * x, 0.0, sz * z), degrees, |mesh| tower::corner_tower(mesh, pointed, true, random));
        if !pointed {
            mesh.within(dvec3(sx * (x + 4.6), 11.5, sz * z), 0.0, |mesh| land::flag(mesh, 6.0));
        }
    }
}

fn walls(mesh: &mut Mesh, random: &mut Random) {
    let [x, z] = WALLS;
    // Walls end inside of the towers' shells.
    let (end_x, end_z) = (x - 4.6, z - 4.6);
    let gate = gatehouse::HALF_WIDTH - 0.75;
    mesh.within(dvec3(0.0, 0.0, z), 0.0, |mesh| {
        curtain::curtain(mesh, [-end_x, -gate], Breaks::default(), random);
        curtain::curtain(mesh, [gate, end_x], Breaks::default(), random);
    });
    mesh.within(dvec3(0.0, 0.0, -z), 180.0, |mesh| {
        curtain::curtain(mesh, [-end_x, end_x], Breaks::default(), random);
    });
    // The stairs to the wall walk in the west, a sally port beside them; places grow towards -Z on the east wall and towards
    // +Z on the west wall.
    mesh.within(dvec3(x, 0.0, 0.0), 90.0, |mesh| {
        curtain::curtain(mesh, [-end_z, end_z], Breaks::default(), random);
    });
    let breaks = Breaks { landing: Some(16.15), passage: Some(-24.0) };
    mesh.within(dvec3(-x, 0.0, 0.0), 270.0, |mesh| {
        curtain::curtain(mesh, [-end_z, end_z], breaks, random);
    });
    mesh.within(dvec3(-x + curtain::HALF, 0.0, 17.0), 90.0, curtain::wall_stairs);
}

/// What stands in the courtyard.
fn yard(mesh: &mut Mesh, random: &mut Random) {
    mesh.within(dvec3(-6.6, 0.0, 14.0), 20.0, |mesh| furniture::well(mesh, random));
    mesh.within(dvec3(7.2, 0.0, 15.5), 205.0, furniture::cart);
    furniture::barrels(mesh, dvec3(5.7, -0.03, 20.2), 3, random);
    furniture::crates(mesh, dvec3(-6.7, -0.03, 20.6), 3, random);
    furniture::barrels(mesh, dvec3(-4.6, -0.03, 19.6), 1, random);
    furniture::crates(mesh, dvec3(11.2, -0.02, -7.0), 4, random);
    furniture::crates(mesh, dvec3(-13.2, -0.02, 10.2), 2, random);
    furniture::barrels(mesh, dvec3(-14.6, -0.02, -3.6), 4, random);
    mesh.within(dvec3(-17.0, 0.0, 33.98), 180.0, |mesh| curtain::lean_to(mesh, 7.0, 3.0));
    for (x, z) in [(-18.5, 19.5), (-23.5, 25.0)] {
        let height = random.range(7.5, 9.0);
        mesh.within(dvec3(x, -0.05, z), random.range(0.0, 360.0), |mesh| tree(mesh, height, 110, random));
    }
}
