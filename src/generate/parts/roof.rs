//! Roofs of overlapping rows.

use core::f64::consts::TAU;

use glam::{DVec2, DVec3, dvec3};

use super::shapes::cylinder;
use crate::generate::mesh::{Mesh, Point};
use crate::generate::random::Random;
use crate::generate::surface::Surface;

/// A roof with two slopes, its ridge along X over the frame's origin.
#[derive(Clone, Copy, Debug)]
pub struct GableRoof {
    /// Half of its length along X, overhang included.
    pub half_length: f64,
    /// Half of what it spans along Z, without overhang.
    pub half_span: f64,
    /// How far it reaches past the span, measured level.
    pub overhang: f64,
    /// Height of the walls' upper ends, where the underside passes.
    pub eaves: f64,
    /// How far the underside rises from there to the ridge.
    pub rise: f64,
    pub surface: Surface,
}

const THICK: f64 = 0.22;
const ROW: f64 = 0.42;
const LIP: f64 = 0.05;

/// Builds a roof with two slopes.
pub fn gable_roof(mesh: &mut Mesh, roof: &GableRoof, random: &mut Random) {
    let slope = roof.rise / roof.half_span;
    let length = (1.0 + slope * slope).sqrt();
    // Straight up, the roof is this thick.
    let thick = THICK * length;
    let out = roof.half_span + roof.overhang;
    let under = |z: f64| roof.eaves + roof.rise - z * slope;
    let rows = (out * length / ROW).round() as usize;
    let columns = (2.0 * roof.half_length / 1.6).round().max(1.0) as usize;
    let x = |i: usize| roof.half_length * (2.0 * i as f64 / columns as f64 - 1.0);
    for side in [0.0, 180.0] {
        mesh.within(DVec3::ZERO, side, |mesh| {
            let normal = dvec3(0.0, 1.0, slope).normalize();
            for j in 0..rows {
                // From the eaves up; the lower edge of a row lies over the upper edge of the row below.
                let z = |j: usize| out * (1.0 - j as f64 / rows as f64);
                let (low, high) = (z(j), z(j + 1));
                let lip = LIP * random.range(0.8, 1.3);
                let point = |i: usize, z: f64, lift: f64| Point {
                    position: dvec3(x(i), under(z) + thick + lift, z),
                    normal,
                    tex: DVec2::new(x(i), z * length),
                };
                mesh.tint = DVec3::splat(random.range(0.88, 1.0));
                mesh.grid(
                    roof.surface,
                    columns,
                    1,
                    |i, k| if k == 0 { point(i, low, lip) } else { point(i, high, 0.0) },
                );
                mesh.tint = DVec3::splat(0.6);
                mesh.flat(
                    roof.surface,
                    &[
                        dvec3(-roof.half_length, under(low) + if j == 0 { 0.0 } else { thick }, low),
                        dvec3(roof.half_length, under(low) + if j == 0 { 0.0 } else { thick }, low),
                        dvec3(roof.half_length, under(low) + thick + lip, low),
                        dvec3(-roof.half_length, under(low) + thick + lip, low),
                    ],
                );
                // The ends of the row.
                mesh.tint = DVec3::ONE;
                let end = |x: f64| {
                    [
                        dvec3(x, under(high), high),
                        dvec3(x, under(low), low),
                        dvec3(x, under(low) + thick + lip, low),
                        dvec3(x, under(high) + thick, high),
                    ]
                };
                let mut right = end(roof.half_length);
                mesh.flat(Surface::Beam, &end(-roof.half_length));
                right.reverse();
                mesh.flat(Surface::Beam, &right);
            }
            // The underside, boarded.
            mesh.grid(Surface::Planks, columns, 3, |i, k| {
                let z = out * k as f64 / 3.0;
                Point { position: dvec3(x(i), under(z), z), normal: -normal, tex: DVec2::new(x(i), z * length) }
            });
        });
    }
    // Ridge tiles, each over the next.
    let top = roof.eaves + roof.rise + thick;
    let tiles = (2.0 * roof.half_length / 0.45).round() as usize;
    for i in 0..tiles {
        let from = -roof.half_length + i as f64 / tiles as f64 * 2.0 * roof.half_length;
        let to = from + 2.0 * roof.half_length / tiles as f64 + 0.04;
        mesh.tint = DVec3::splat(random.range(0.8, 1.0));
        let ring = |k: usize, radius: f64| {
            let (sin, cos) = libm::sincos(k as f64 / 6.0 * TAU / 2.0);
            (dvec3(0.0, radius * sin - 0.1, radius * cos), dvec3(0.0, sin, cos))
        };
        mesh.grid(roof.surface, 1, 6, |i, k| {
            let (offset, normal) = ring(k, if i == 0 { 0.19 } else { 0.16 });
            let x = if i == 0 { from } else { to };
            Point { position: dvec3(x, top, 0.0) + offset, normal, tex: DVec2::new(0.24 * k as f64 * 0.1, x) }
        });
        mesh.tint = DVec3::ONE;
    }
}

/// A pointed roof about the Y axis, on a circle of `radius` at height `eaves`, with a knob on its tip.
pub fn cone_roof(
    mesh: &mut Mesh,
    surface: Surface,
    radius: f64,
    eaves: f64,
    height: f64,
    segments: usize,
    random: &mut Random,
) {
    let slant = (radius * radius + height * height).sqrt();
    let rows = (slant / 0.6).round() as usize;
    let tilt = dvec3(0.0, radius / slant, height / slant);
    let around = (TAU * radius / surface.metres()).round().max(1.0) * surface.metres();
    let turn = |i: usize, radius: f64, y: f64| {
        let angle = if i.is_multiple_of(segments) { 0.0 } else { i as f64 / segments as f64 * TAU };
        let (sin, cos) = libm::sincos(angle);
        dvec3(radius * sin, y, radius * cos)
    };
    for j in 0..rows {
        let (low, high) = (j as f64 / rows as f64, (j + 1) as f64 / rows as f64);
        let lip = LIP * random.range(0.8, 1.2);
        mesh.tint = DVec3::splat(random.range(0.86, 1.0));
        // The pictures are narrowed by halves towards the tip.
        let share = |t: f64| {
            if t < 0.5 {
                1.0
            } else if t < 0.75 {
                0.5
            } else {
                0.25
            }
        };
        mesh.grid(surface, segments, 1, |i, k| {
            let (t, lift) = if k == 0 { (low, lip) } else { (high, 0.0) };
            let out = turn(i, 1.0, 0.0);
            Point {
                position: turn(i, radius * (1.0 - t) + lift, eaves + height * t + 0.4 * lift),
                normal: dvec3(out.x * tilt.z, tilt.y, out.z * tilt.z),
                tex: DVec2::new(share(low) * around * i as f64 / segments as f64, -slant * t),
            }
        });
        // The lip looks outwards and down.
        mesh.tint = DVec3::splat(0.6);
        mesh.grid(surface, segments, 1, |i, k| {
            let lift = if k == 0 { -0.01 } else { lip };
            Point {
                position: turn(i, radius * (1.0 - low) + lift, eaves + height * low + 0.4 * lift),
                normal: turn(i, 1.0, 0.0),
                tex: DVec2::new(around * i as f64 / segments as f64, -0.1 * k as f64),
            }
        });
        mesh.tint = DVec3::ONE;
    }
    // The underside of the eaves.
    mesh.grid(Surface::Planks, segments, 1, |i, k| {
        let t = if k == 0 { 1.0 } else { 0.0 };
        let out = turn(i, 1.0, 0.0);
        Point {
            position: turn(i, (radius - 0.01) * (1.0 - t), eaves + (height - 0.2) * t),
            normal: -dvec3(out.x * tilt.z, tilt.y, out.z * tilt.z),
            tex: DVec2::new(around * i as f64 / segments as f64, slant * t),
        }
    });
    let tip = eaves + height;
    cylinder(mesh, Surface::Iron, dvec3(0.0, tip - 0.4, 0.0), [0.16, 0.1], 0.5, 8);
    cylinder(mesh, Surface::Iron, dvec3(0.0, tip + 0.1, 0.0), [0.04, 0.02], 1.4, 6);
}
