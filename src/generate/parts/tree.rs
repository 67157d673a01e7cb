//! Trees: a trunk with boughs, and sprays of cut-out leaves.

use core::f64::consts::TAU;

use glam::{DVec2, DVec3, dvec3};

use crate::generate::mesh::{Mesh, Point};
use crate::generate::random::Random;
use crate::generate::surface::Surface;

/// A broad-leaved tree of a height, standing on the frame's origin, with so many sprays of leaves.
pub fn tree(mesh: &mut Mesh, height: f64, sprays: usize, random: &mut Random) {
    let crown = dvec3(random.range(-0.4, 0.4), 0.63 * height, random.range(-0.4, 0.4));
    let reach = 0.37 * height;
    bough(mesh, dvec3(0.0, -0.3, 0.0), crown, [0.04 * height, 0.018 * height], 8);
    for i in 0..4 {
        let (sin, cos) = libm::sincos(i as f64 / 4.0 * TAU + random.range(-0.4, 0.4));
        let from = DVec3::ZERO.lerp(crown, random.range(0.5, 0.85));
        let tip = crown + reach * dvec3(0.75 * sin, random.range(-0.1, 0.5), 0.75 * cos);
        bough(mesh, from, tip, [0.014 * height, 0.004 * height], 5);
    }
    for _ in 0..sprays {
        // Evenly in the shell of a ball that is wider than high.
        let (sin, cos) = libm::sincos(random.range(0.0, TAU));
        let up = random.range(-0.75, 1.0);
        let flat = (1.0 - up * up).max(0.0).sqrt();
        let out = dvec3(flat * sin, up, flat * cos);
        let center =
            crown + dvec3(0.0, 0.08 * height, 0.0) + out * dvec3(1.0, 0.8, 1.0) * reach * random.range(0.55, 1.0);
        spray(mesh, center, out, 0.23 * height * random.range(0.8, 1.3), random);
    }
}

/// A square of leaves; its normals point out of the crown, so that the crown is lit as one round thing.
fn spray(mesh: &mut Mesh, center: DVec3, out: DVec3, size: f64, random: &mut Random) {
    let facing =
        (out + 0.9 * dvec3(random.range(-1.0, 1.0), random.range(-1.0, 1.0), random.range(-1.0, 1.0))).normalize();
    let spin = dvec3(random.range(-1.0, 1.0), random.range(-0.6, 0.6), random.range(-1.0, 1.0));
    let right = spin.cross(facing).normalize_or(DVec3::X) * size / 2.0;
    let up = facing.cross(right.normalize_or(DVec3::X)) * size / 2.0;
    let shade = 0.72 + 0.28 * (0.5 + 0.5 * out.y);
    let tint = mesh.tint;
    mesh.tint = tint * shade * dvec3(random.range(0.85, 1.0), 1.0, random.range(0.75, 0.95));
    let normal = (out + 0.3 * DVec3::Y).normalize();
    let corner = |x: f64, y: f64| Point {
        position: center + x * right + y * up,
        normal,
        tex: DVec2::new(0.5 + 0.5 * x, 0.5 - 0.5 * y),
    };
    mesh.polygon(Surface::Leaves, &[corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)]);
    mesh.tint = tint;
}

/// A round piece of wood that tapers from one point to another.
fn bough(mesh: &mut Mesh, from: DVec3, to: DVec3, radii: [f64; 2], sides: usize) {
    let way = (to - from).normalize();
    let right = way.any_orthonormal_vector();
    let forward = right.cross(way);
    let length = from.distance(to);
    mesh.grid(Surface::Bark, sides, 1, |i, j| {
        let (sin, cos) = if i == sides { (0.0, 1.0) } else { libm::sincos(i as f64 / sides as f64 * TAU) };
        let t = j as f64;
        let out = sin * right + cos * forward;
        Point {
            position: from.lerp(to, t) + (radii[0] + (radii[1] - radii[0]) * t) * out,
            normal: out,
            tex: DVec2::new(1.2 * i as f64 / sides as f64, -t * length),
        }
    });
}
