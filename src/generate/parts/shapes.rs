//! Boxes, beams, cylinders, discs and slabs.

use core::f64::consts::TAU;

use glam::{DVec2, DVec3, dvec3};

use super::{BACK, BOTTOM, FRONT, LEFT, RIGHT, TOP};
use crate::generate::mesh::{Mesh, Point};
use crate::generate::surface::Surface;

/// A box between two corners.
pub fn block(mesh: &mut Mesh, surface: Surface, min: DVec3, max: DVec3) {
    block_without(mesh, surface, min, max, 0);
}

/// A box between two corners without some of its faces (`TOP | BACK` and so on; the front faces +Z, the right +X).
pub fn block_without(mesh: &mut Mesh, surface: Surface, min: DVec3, max: DVec3, without: u8) {
    let (a, b) = (min, max);
    let faces = [
        (TOP, [dvec3(a.x, b.y, b.z), dvec3(b.x, b.y, b.z), dvec3(b.x, b.y, a.z), dvec3(a.x, b.y, a.z)]),
        (BOTTOM, [dvec3(a.x, a.y, a.z), dvec3(b.x, a.y, a.z), dvec3(b.x, a.y, b.z), dvec3(a.x, a.y, b.z)]),
        (FRONT, [dvec3(a.x, a.y, b.z), dvec3(b.x, a.y, b.z), dvec3(b.x, b.y, b.z), dvec3(a.x, b.y, b.z)]),
        (BACK, [dvec3(b.x, a.y, a.z), dvec3(a.x, a.y, a.z), dvec3(a.x, b.y, a.z), dvec3(b.x, b.y, a.z)]),
        (RIGHT, [dvec3(b.x, a.y, b.z), dvec3(b.x, a.y, a.z), dvec3(b.x, b.y, a.z), dvec3(b.x, b.y, b.z)]),
        (LEFT, [dvec3(a.x, a.y, a.z), dvec3(a.x, a.y, b.z), dvec3(a.x, b.y, b.z), dvec3(a.x, b.y, a.z)]),
    ];
    for (side, corners) in faces {
        if without & side == 0 {
            mesh.flat(surface, &corners);
        }
    }
}

/// A squared timber between two points, `width` across and `height` high (for an upright one: along X and Z), its grain along
/// it, its ends closed.
pub fn beam(mesh: &mut Mesh, surface: Surface, from: DVec3, to: DVec3, width: f64, height: f64) {
    let way = (to - from).normalize();
    let side = if way.y.abs() > 0.999 { DVec3::X } else { way.cross(DVec3::Y).normalize() };
    let up = side.cross(way);
    let length = from.distance(to);
    let (across, upwards) = (side * width / 2.0, up * height / 2.0);
    let corners = [-across - upwards, across - upwards, across + upwards, upwards - across];
    let normals = [-up, side, up, -side];
    let widths = [width, height, width, height];
    for i in 0..4 {
        let next = (i + 1) % 4;
        let point = |base: DVec3, corner: DVec3, u: f64, v: f64| Point {
            position: base + corner,
            normal: normals[i],
            tex: DVec2::new(u, v),
        };
        mesh.polygon(
            surface,
            &[
                point(from, corners[i], 0.0, 0.0),
                point(to, corners[i], 0.0, length),
                point(to, corners[next], widths[i], length),
                point(from, corners[next], widths[i], 0.0),
            ],
        );
    }
    for (base, normal) in [(from, -way), (to, way)] {
        let mut points: Vec<Point> = corners
            .iter()
            .map(|&corner| Point { position: base + corner, normal, tex: DVec2::new(corner.dot(side), corner.dot(up)) })
            .collect();
        if normal == way {
            points.reverse();
        }
        mesh.polygon(surface, &points);
    }
}

/// A point of a circle about the Y axis; angle 0 is +Z and grows towards +X.
fn round(radius: f64, angle: f64, y: f64) -> DVec3 {
    let (sin, cos) = libm::sincos(angle);
    dvec3(radius * sin, y, radius * cos)
}

/// The side of a cylinder or cone frustum about the Y axis through `foot`, smooth, without ends.
pub fn cylinder(mesh: &mut Mesh, surface: Surface, foot: DVec3, radii: [f64; 2], height: f64, segments: usize) {
    let slope = (radii[0] - radii[1]) / height;
    let around = (TAU * radii[0].max(radii[1]) / surface.metres()).round().max(1.0) * surface.metres();
    mesh.grid(surface, segments, 1, |i, j| {
        let angle = i as f64 / segments as f64 * TAU;
        let place = if i == segments { 0.0 } else { angle };
        Point {
            position: foot + round(radii[j], place, height * j as f64),
            normal: (round(1.0, place, 0.0) + DVec3::Y * slope).normalize(),
            tex: DVec2::new(around * i as f64 / segments as f64, -height * j as f64),
        }
    });
}

/// A flat ring or disc about `center`, from an inner to an outer radius, facing up or (`way` -1) down.
pub fn disc(mesh: &mut Mesh, surface: Surface, center: DVec3, radii: [f64; 2], segments: usize, way: f64) {
    for i in 0..segments {
        let angle = |i: usize| if i == segments { 0.0 } else { i as f64 / segments as f64 * TAU };
        let (from, to) = (angle(i), angle(i + 1));
        let mut corners = vec![
            center + round(radii[1], from, 0.0),
            center + round(radii[1], to, 0.0),
            center + round(radii[0], to, 0.0),
        ];
        if radii[0] > 0.0 {
            corners.push(center + round(radii[0], from, 0.0));
        }
        if way < 0.0 {
            corners.reverse();
        }
        mesh.flat(surface, &corners);
    }
}

/// A floor between two corners (`top` and `under` for its two sides), with a rectangular hole given by its least and greatest
/// X and Z, or none. The outer sides are left open: they end in walls.
pub fn slab_with_hole(mesh: &mut Mesh, [top, under]: [Surface; 2], min: DVec3, max: DVec3, hole: Option<[f64; 4]>) {
    let pieces =
        |from: f64, to: f64, cuts: [f64; 2]| {
            let mut places = vec![from, cuts[0].clamp(from, to), cuts[1].clamp(from, to), to];
            places.dedup();
            let mut fine = vec![places[0]];
            for pair in places.windows(2) {
                let count = ((pair[1] - pair[0]) / 2.2).ceil() as usize;
                fine.extend((1..=count).map(|i| {
                    if i == count { pair[1] } else { pair[0] + (pair[1] - pair[0]) * i as f64 / count as f64 }
                }));
            }
            fine
        };
    let [x0, x1, z0, z1] = hole.unwrap_or([min.x, min.x, min.z, min.z]);
    let (xs, zs) = (pieces(min.x, max.x, [x0, x1]), pieces(min.z, max.z, [z0, z1]));
    for x in xs.windows(2) {
        for z in zs.windows(2) {
            let (cx, cz) = ((x[0] + x[1]) / 2.0, (z[0] + z[1]) / 2.0);
            if hole.is_some() && cx > x0 && cx < x1 && cz > z0 && cz < z1 {
                continue;
            }
            let corner = |x: f64, z: f64, y: f64| dvec3(x, y, z);
            let [a, b, c, d] = [[x[0], z[1]], [x[1], z[1]], [x[1], z[0]], [x[0], z[0]]];
            mesh.flat(top, &[a, b, c, d].map(|[x, z]| corner(x, z, max.y)));
            mesh.flat(under, &[d, c, b, a].map(|[x, z]| corner(x, z, min.y)));
        }
    }
    if hole.is_some() {
        // The sides of the hole look into it.
        let (low, high) = (min.y, max.y);
        let side = |a: [f64; 2], b: [f64; 2]| {
            [dvec3(a[0], low, a[1]), dvec3(b[0], low, b[1]), dvec3(b[0], high, b[1]), dvec3(a[0], high, a[1])]
        };
        mesh.flat(under, &side([x0, z0], [x1, z0]));
        mesh.flat(under, &side([x1, z0], [x1, z1]));
        mesh.flat(under, &side([x1, z1], [x0, z1]));
        mesh.flat(under, &side([x0, z1], [x0, z0]));
    }
}

/// A barrel with iron hoops, standing on `foot`.
pub fn barrel(mesh: &mut Mesh, foot: DVec3, radius: f64, height: f64) {
    const SIDES: usize = 14;
    let bulge = |up: f64| radius * (1.0 - 0.5 * (up - 0.5) * (up - 0.5));
    let rows = 6;
    mesh.grid(Surface::Planks, SIDES, rows, |i, j| {
        let angle = if i == SIDES { 0.0 } else { i as f64 / SIDES as f64 * TAU };
        let up = j as f64 / rows as f64;
        Point {
            position: foot + round(bulge(up), angle, up * height),
            normal: (round(1.0, angle, 0.0) + DVec3::Y * radius * (up - 0.5) / height).normalize(),
            tex: DVec2::new(i as f64 / SIDES as f64 * 1.8, -up * height),
        }
    });
    disc(mesh, Surface::Planks, foot + DVec3::Y * (height - 0.03), [0.0, bulge(0.97)], SIDES, 1.0);
    for up in [0.12, 0.34, 0.66, 0.88] {
        cylinder(
            mesh,
            Surface::Iron,
            foot + DVec3::Y * (up * height - 0.025),
            [bulge(up) + 0.012, bulge(up) + 0.012],
            0.05,
            SIDES,
        );
    }
}
