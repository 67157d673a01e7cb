//! A fractal landscape with a road, a house, a tower to climb, and trees.

use glam::{DVec2, DVec3, dvec3};
use rayon::prelude::*;

use super::castle::{House, corner_tower, house};
use super::ground::{GroundTint, land_tex, snap_to_road};
use super::mesh::{Mesh, Point};
use super::parts::tree;
use super::random::{Noise, Random, mix, smoothstep};
use super::surface::Surface;
use super::{Options, light};
use crate::level::{Level, Spawn};

/// Where the house stands, on level ground.
const HOUSE: DVec2 = DVec2::new(14.0, -10.0);
/// Where the tower stands, on a hill.
const TOWER: DVec2 = DVec2::new(-26.0, -58.0);
/// Where the walker starts.
const START: DVec2 = DVec2::new(0.0, 22.0);
/// Half of the road's width.
const ROAD: f64 = 2.4;
/// Up to so many triangles the land is lit by its surroundings; a finer one is too dear for what that shows.
const LIT: usize = 260_000;

/// Builds the landscape.
pub(super) fn build(options: &Options) -> Level {
    let mut mesh = Mesh::new();
    let mut random = Random::new(options.seed, 2);
    // The same cells over a larger land, in equal shares.
    let cells_wanted = (options.triangles as f64 / 2.0).sqrt();
    let half = 256.0 * (cells_wanted / 256.0).sqrt().max(0.5);
    let step = 2.0 * half / cells_wanted;
    let land =
        Land { noise: Noise::new(options.seed.wrapping_mul(2).wrapping_add(601)), half, level: 4.0 + 3.0 * step };
    let place = |at: DVec2| dvec3(at.x, land.height(at), at.y);
    let cottage = House { half_x: 5.2, half_z: 3.7, surface: Surface::RoofTiles };
    mesh.within(place(HOUSE) + DVec3::Y * 0.12, -18.0, |mesh| house(mesh, &cottage, &mut random));
    mesh.within(place(TOWER) + DVec3::Y * 0.1, 25.0, |mesh| corner_tower(mesh, true, false, &mut random));
    let trees = (options.triangles / 2600).clamp(4, 160);
    land.plant(&mut mesh, trees, &mut random);
    let left = options.triangles.saturating_sub(mesh.triangles.len());
    if options.triangles < LIT {
        land.build(&mut mesh, left);
        light::bake(&mut mesh, 0.5, 6.0, 24);
    } else {
        light::bake(&mut mesh, 0.5, 6.0, 24);
        land.build(&mut mesh, left);
    }
    // Corners of the land lie on whole millimetres.
    let floor = (1000.0 * land.height(START)).round() / 1000.0;
    let spawn = Spawn { feet: dvec3(START.x, floor, START.y), yaw: 0.0 };
    mesh.finish("builtin:terrain", spawn)
}

struct Land {
    noise: Noise,
    /// Half of the edge of the square.
    half: f64,
    /// How far the ground around the start is level, at least two cells.
    level: f64,
}

impl Land {
    fn raw(&self, at: DVec2) -> f64 {
        let bend = 18.0 * DVec2::new(self.noise.gradient(at / 140.0 + 3.0), self.noise.gradient(at / 140.0 + 8.0));
        let moved = at + bend;
        let hills = 16.0 * self.noise.fractal(moved / 120.0, 5);
        let range = smoothstep(-0.15, 0.55, self.noise.fractal(moved / 330.0 + 20.0, 2));
        let far = smoothstep(70.0, 190.0, at.length());
        let crest = self.noise.ridged(moved / 150.0 + 40.0, 7);
        let edge = smoothstep(0.82, 1.0, at.abs().max_element() / self.half);
        hills + 120.0 * crest * crest * far * (0.35 + 0.65 * range) + edge * 70.0 * (0.5 + crest)
    }

    /// Height of the land, level around what is built on it.
    fn height(&self, at: DVec2) -> f64 {
        let mut height = self.raw(at);
        let road = smoothstep(9.0, 2.5, self.off_road(at));
        if road > 0.0 {
            height = mix(height, self.raw(DVec2::new(self.road(at.y), at.y)) * 0.8, 0.8 * road);
        }
        for (center, raise, reach) in [(HOUSE, 0.0, 9.0), (TOWER, 9.0, 9.0), (START, 0.0, self.level)] {
            let wild = smoothstep(reach, reach + 26.0, at.distance(center));
            if wild < 1.0 {
                height = mix(self.raw(center) * 0.8 + raise, height, wild);
            }
        }
        height
    }

    /// X of the road's middle at a Z.
    fn road(&self, z: f64) -> f64 {
        24.0 * libm::sin(z / 55.0) - 24.0 * libm::sin(START.y / 55.0)
    }

    fn off_road(&self, at: DVec2) -> f64 {
        (at.x - self.road(at.y)).abs()
    }

    fn surface(&self, at: DVec2, height: f64, normal: DVec3) -> Surface {
        let patch = self.noise.fractal(at / 9.0 + 70.0, 3);
        if height > 62.0 + 18.0 * patch && normal.y > 0.55 {
            Surface::Snow
        } else if normal.y < 0.74 + 0.12 * patch {
            Surface::Rock
        } else if self.off_road(at) < ROAD {
            Surface::Dirt
        } else {
            Surface::Grass
        }
    }

    fn build(&self, mesh: &mut Mesh, triangles: usize) {
        let cells = cells(triangles);
        let row = cells + 1;
        let step = 2.0 * self.half / cells as f64;
        let spot = |i: usize, j: usize| {
            let at = DVec2::new(i as f64, j as f64) * step - self.half;
            DVec2::new(snap_to_road(at.x, self.road(at.y), ROAD, step), at.y)
        };
        let heights: Vec<f64> = (0..row * row).into_par_iter().map(|k| self.height(spot(k % row, k / row))).collect();
        let normal = |i: usize, j: usize| {
            let up = |i: usize, j: usize| heights[j.min(cells) * row + i.min(cells)];
            let (left, right) = (i.saturating_sub(1), (i + 1).min(cells));
            let (back, front) = (j.saturating_sub(1), (j + 1).min(cells));
            dvec3(
                (up(left, j) - up(right, j)) / ((right - left) as f64 * step),
                1.0,
                (up(i, back) - up(i, front)) / ((front - back) as f64 * step),
            )
            .normalize()
        };
        let points: Vec<Point> = (0..row * row)
            .into_par_iter()
            .map(|k| {
                let (i, j) = (k % row, k / row);
                let at = spot(i, j);
                Point { position: dvec3(at.x, heights[k], at.y), normal: normal(i, j), tex: at }
            })
            .collect();
        let surfaces: Vec<[Surface; 2]> = (0..cells * cells)
            .into_par_iter()
            .map(|k| {
                let (i, j) = (k % cells, k / cells);
                let of = |corners: [usize; 3]| {
                    let [a, b, c] = corners.map(|k| points[k]);
                    let middle = (a.position + b.position + c.position) / 3.0;
                    let normal = (a.normal + b.normal + c.normal).normalize();
                    self.surface(DVec2::new(middle.x, middle.z), middle.y, normal)
                };
                let [a, b, c, d] = corners(i, j, row);
                [of([a, b, c]), of([a, c, d])]
            })
            .collect();
        let tints: Vec<GroundTint> = points
            .par_iter()
            .map(|point| {
                let at = DVec2::new(point.position.x, point.position.z);
                GroundTint::new(&self.noise, at, self.off_road(at) - ROAD)
            })
            .collect();
        for j in 0..cells {
            for i in 0..cells {
                let [a, b, c, d] = corners(i, j, row);
                let [first, second] = surfaces[j * cells + i];
                for (surface, corners) in [(first, [a, b, c]), (second, [a, c, d])] {
                    let facing = corners.iter().map(|&k| points[k].normal).sum::<DVec3>().normalize();
                    let corners = corners.map(|k| {
                        mesh.tint = tints[k].on(surface);
                        mesh.vertex(surface, Point { tex: land_tex(points[k].position, facing), ..points[k] })
                    });
                    mesh.triangle(surface, corners);
                }
            }
        }
        mesh.tint = DVec3::ONE;
    }

    fn plant(&self, mesh: &mut Mesh, count: usize, random: &mut Random) {
        let mut planted = 0;
        for _ in 0..30 * count {
            if planted == count {
                break;
            }
            let reach = 0.8 * self.half.min(230.0);
            let at = DVec2::new(random.range(-reach, reach), random.range(-reach, reach));
            let slope = |offset: DVec2| (self.height(at + offset) - self.height(at - offset)).abs();
            let near = [HOUSE, TOWER, START].iter().any(|&center| at.distance(center) < 12.0);
            let wild = self.noise.fractal(at / 45.0 + 5.0, 2) > -0.05;
            if near
                || !wild
                || slope(DVec2::X).max(slope(DVec2::Y)) > 0.9
                || self.off_road(at) < 6.0
                || self.height(at) > 45.0
            {
                continue;
            }
            let height = random.range(6.0, 12.0);
            mesh.within(dvec3(at.x, self.height(at), at.y), random.range(0.0, 360.0), |mesh| {
                tree(mesh, height, 46, random);
            });
            planted += 1;
        }
    }
}

fn cells(triangles: usize) -> usize {
    ((triangles as f64 / 2.0).sqrt().round() as usize).max(16)
}

/// Numbers of a cell's corners, counter-clockwise seen from above.
fn corners(i: usize, j: usize, row: usize) -> [usize; 4] {
    [j * row + i, (j + 1) * row + i, (j + 1) * row + i + 1, j * row + i + 1]
}
