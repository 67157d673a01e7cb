//! Streets, pavements, courts, and what stands in them.

use glam::{DVec2, DVec3, dvec3};

use super::PITCH;
use crate::generate::mesh::{Mesh, Point};
use crate::generate::parts::{BACK, BOTTOM, beam, block, block_without, cylinder, tree};
use crate::generate::random::Random;
use crate::generate::surface::Surface;

/// Height of a pavement over level 0.
pub const PAVEMENT: f64 = 0.0;
/// Height of the roads.
pub const ROAD: f64 = -0.15;
/// Half of a road's width between the kerbs.
const ROAD_HALF: f64 = 5.0;
/// How far the land goes on beyond the last houses' pavements.
const BELT: f64 = 24.0;

/// A level patch of ground in pieces of about `piece` metres.
fn patch(mesh: &mut Mesh, surface: Surface, min: DVec2, max: DVec2, y: f64, piece: f64) {
    let count = |length: f64| (length / piece).round().max(1.0) as usize;
    let (columns, rows) = (count(max.x - min.x), count(max.y - min.y));
    mesh.grid(surface, columns, rows, |i, j| {
        let x = min.x + (max.x - min.x) * i as f64 / columns as f64;
        let z = max.y - (max.y - min.y) * j as f64 / rows as f64;
        Point { position: dvec3(x, y, z), normal: DVec3::Y, tex: DVec2::new(x, z) }
    });
}

/// The ground of a block around its middle: pavement with a kerb, a green court, trees and lamps.
pub fn block_ground(mesh: &mut Mesh, random: &mut Random) {
    let half = PITCH / 2.0 - ROAD_HALF;
    let court = 5.0;
    for (min, max) in [
        ([-half, -half], [half, -court]),
        ([-half, court], [half, half]),
        ([-half, -court], [-court, court]),
        ([court, -court], [half, court]),
    ] {
        patch(mesh, Surface::Paving, DVec2::from(min), DVec2::from(max), PAVEMENT, 5.0);
    }
    patch(mesh, Surface::Grass, DVec2::splat(-court), DVec2::splat(court), PAVEMENT, 2.5);
    for side in 0..4 {
        mesh.within(DVec3::ZERO, 90.0 * f64::from(side), |mesh| {
            // Mitred at the corners by their length: two kerbs share no face.
            let reach = if side % 2 == 0 { half + 0.15 } else { half };
            block_without(
                mesh,
                Surface::Stone,
                dvec3(-reach, ROAD - 0.2, half - 0.01),
                dvec3(reach, PAVEMENT + 0.01, half + 0.15),
                BOTTOM | BACK,
            );
            for x in [-15.0, 0.0, 15.0] {
                if x == 0.0 {
                    mesh.within(dvec3(x, PAVEMENT, half - 0.8), 0.0, lamp);
                } else if random.unit() < 0.8 {
                    let height = random.range(5.0, 7.0);
                    mesh.within(dvec3(x, PAVEMENT, half - 1.3), random.range(0.0, 360.0), |mesh| {
                        tree(mesh, height, 30, random);
                    });
                }
            }
        });
    }
    let height = random.range(8.0, 11.0);
    mesh.within(dvec3(0.0, PAVEMENT, 0.0), 0.0, |mesh| tree(mesh, height, 60, random));
    for z in [-3.2, 3.2] {
        bench(mesh, dvec3(0.0, PAVEMENT, z));
    }
}

fn lamp(mesh: &mut Mesh) {
    cylinder(mesh, Surface::Iron, DVec3::Y * -0.1, [0.14, 0.1], 0.7, 8);
    cylinder(mesh, Surface::Iron, DVec3::Y * 0.55, [0.07, 0.05], 3.4, 8);
    block(mesh, Surface::Iron, dvec3(-0.2, 3.85, -0.2), dvec3(0.2, 3.93, 0.2));
    block_without(mesh, Surface::Glass, dvec3(-0.16, 3.92, -0.16), dvec3(0.16, 4.3, 0.16), BOTTOM);
    block(mesh, Surface::Iron, dvec3(-0.22, 4.29, -0.22), dvec3(0.22, 4.4, 0.22));
}

fn bench(mesh: &mut Mesh, foot: DVec3) {
    for x in [-0.8, 0.8] {
        block(mesh, Surface::Iron, foot + dvec3(x - 0.04, -0.02, -0.25), foot + dvec3(x + 0.04, 0.42, 0.25));
    }
    for z in [-0.18, 0.0, 0.18] {
        beam(mesh, Surface::Beam, foot + dvec3(-1.0, 0.45, z), foot + dvec3(1.0, 0.45, z), 0.14, 0.05);
    }
}

/// Roads between and around `side` by `side` blocks, the first block's middle at `first` along both axes, and the city's edge.
pub fn network(mesh: &mut Mesh, side: usize, first: f64, random: &mut Random) {
    let low = first - PITCH / 2.0;
    let high = first + (side as f64 - 0.5) * PITCH;
    for i in 0..=side {
        let at = low + i as f64 * PITCH;
        // Roads along X run through, those along Z between them.
        patch(
            mesh,
            Surface::Asphalt,
            DVec2::new(low - ROAD_HALF, at - ROAD_HALF),
            DVec2::new(high + ROAD_HALF, at + ROAD_HALF),
            ROAD,
            5.0,
        );
        for j in 0..side {
            let from = low + j as f64 * PITCH + ROAD_HALF;
            patch(
                mesh,
                Surface::Asphalt,
                DVec2::new(at - ROAD_HALF, from),
                DVec2::new(at + ROAD_HALF, from + PITCH - 2.0 * ROAD_HALF),
                ROAD,
                5.0,
            );
        }
    }
    // Dashes along the middle of the roads, a centimetre above them, so that no two faces share a plane.
    let mark = |mesh: &mut Mesh, min: [f64; 2], max: [f64; 2]| {
        patch(mesh, Surface::Plaster, DVec2::from(min), DVec2::from(max), ROAD + 0.012, 8.0);
    };
    for i in 0..=side {
        let at = low + i as f64 * PITCH;
        for j in 0..side {
            let from = low + j as f64 * PITCH;
            for k in 0..7 {
                let start = from + 10.0 + 5.0 * f64::from(k);
                mark(mesh, [at - 0.08, start], [at + 0.08, start + 2.4]);
                mark(mesh, [start, at - 0.08], [start + 2.4, at + 0.08]);
            }
            // Crossings at both ends.
            for end in [from + 6.2, from + PITCH - 7.8] {
                for k in -4..=4 {
                    let across = at + f64::from(k) * 1.05;
                    mark(mesh, [across - 0.26, end], [across + 0.26, end + 1.6]);
                    mark(mesh, [end, across - 0.26], [end + 1.6, across + 0.26]);
                }
            }
        }
    }
    // Grass and a wall around the city.
    let (inner, outer) = (high + ROAD_HALF, high + ROAD_HALF + BELT);
    for quarter in 0..4 {
        mesh.within(DVec3::ZERO, 90.0 * f64::from(quarter), |mesh| {
            patch(mesh, Surface::Grass, DVec2::new(-inner, inner), DVec2::new(outer, outer), ROAD + 0.04, 6.0);
            block_without(
                mesh,
                Surface::Stone,
                dvec3(-inner, ROAD - 0.2, inner - 0.01),
                dvec3(inner + 0.19, ROAD + 0.12, inner + 0.19),
                BOTTOM,
            );
            block_without(
                mesh,
                Surface::Brick,
                dvec3(-outer, ROAD - 0.5, outer - 0.4),
                dvec3(outer - 0.4, ROAD + 4.5, outer + 0.2),
                BOTTOM,
            );
            block(
                mesh,
                Surface::Stone,
                dvec3(-outer + 0.1, ROAD + 4.45, outer - 0.5),
                dvec3(outer - 0.5, ROAD + 4.62, outer + 0.3),
            );
            let count = side * 3;
            for i in 0..count {
                let x = -inner + (i as f64 + random.range(0.2, 0.8)) / count as f64 * (inner + outer);
                let height = random.range(7.0, 12.0);
                mesh.within(dvec3(x, ROAD, inner + random.range(6.0, 18.0)), 0.0, |mesh| {
                    tree(mesh, height, 46, random)
                });
            }
        });
    }
}
