//! The courtyard's ground, the ditch, the bridge and the hills around.

use core::f64::consts::TAU;

use glam::{DVec2, DVec3, dvec3};
use rayon::prelude::*;

use super::furniture::cloth;
use crate::generate::ground::{GroundTint, land_tex, snap_to_road};
use crate::generate::mesh::{Mesh, Point};
use crate::generate::parts::{
    BOTTOM, Blocks, Opening, Wall, beam, block, block_without, blocks, cylinder, tree, voussoirs,
};
use crate::generate::random::{Noise, Random, mix, smoothstep};
use crate::generate::surface::Surface;

/// Half extents of the rectangle through the middle of the curtain walls.
pub const WALLS: [f64; 2] = [31.5, 35.5];
/// How far the land reaches.
const REACH: f64 = 300.0;
const DITCH: f64 = -3.6;
/// Half of the road's width.
const ROAD: f64 = 2.7;

/// The height of the land outside of the walls, and what covers it.
pub struct Land {
    noise: Noise,
}

impl Land {
    pub fn new(seed: u64) -> Land {
        Land { noise: Noise::new(seed.wrapping_mul(2).wrapping_add(501)) }
    }

    /// Distance outside of the rectangle of the walls' middle lines, negative inside.
    fn outside(at: DVec2) -> f64 {
        let over = at.abs() - DVec2::new(WALLS[0], WALLS[1]);
        over.max(DVec2::ZERO).length() + over.max_element().min(0.0)
    }

    /// Distance from the middle of the road that leads from the bridge to the hills.
    fn off_road(at: DVec2) -> f64 {
        if at.y < 40.0 {
            return f64::INFINITY;
        }
        (at.x - Land::road(at.y)).abs()
    }

    /// X of the road's middle at a Z.
    fn road(z: f64) -> f64 {
        26.0 * libm::sin((z - 60.0).max(0.0) / 46.0) * smoothstep(60.0, 110.0, z)
    }

    pub fn height(&self, at: DVec2) -> f64 {
        let out = Land::outside(at);
        let far = at.length();
        let rough = 0.25 * self.noise.fractal(at / 7.0, 3);
        let hills = 13.0 * smoothstep(40.0, 130.0, out) * (0.35 + self.noise.fractal(at / 85.0, 4));
        // A ring of mountains, too steep to be climbed, closes the view.
        let ring = smoothstep(185.0, 245.0, far + 16.0 * self.noise.fractal(at / 60.0 + 40.0, 2));
        let crest = self.noise.ridged(at / 120.0 + 9.0, 6);
        let peaks = ring * (14.0 + 92.0 * crest * crest);
        let field = hills * (1.0 - ring) + peaks + rough * smoothstep(24.0, 36.0, out);
        let road = smoothstep(7.0, 2.6, Land::off_road(at)) * (1.0 - ring);
        let field = mix(field, 0.35 * hills.max(-0.5), road);
        let ditch = DITCH * smoothstep(8.5, 13.5, out) * smoothstep(25.0, 19.5, out);
        let berm = -0.12 + 0.1 * rough;
        mix(berm, field, smoothstep(19.0, 30.0, out)) + ditch
    }

    fn surface(&self, at: DVec2, normal: DVec3, height: f64) -> Surface {
        let patch = self.noise.fractal(at / 12.0 + 77.0, 3);
        let steep = normal.y;
        if height > 70.0 + 16.0 * patch && steep > 0.5 {
            Surface::Snow
        } else if steep < 0.66 + 0.1 * patch {
            Surface::Rock
        } else if Land::off_road(at) < ROAD {
            Surface::Dirt
        } else {
            Surface::Grass
        }
    }

    /// Builds the land of about so many triangles. Its cells grow with the distance from the castle.
    pub fn build(&self, mesh: &mut Mesh, triangles: usize) {
        let cells = ((triangles as f64 / 2.0).sqrt().ceil() as usize).max(32) / 2 * 2;
        // Places grow as a cubic, fine in the middle.
        let place = |i: usize| {
            let t = 2.0 * i as f64 / cells as f64 - 1.0;
            REACH * (0.36 * t + 0.64 * t * t * t)
        };
        let spot = |i: usize, j: usize| {
            let (x, z) = (place(i), place(j));
            if z < 55.0 {
                return DVec2::new(x, z);
            }
            let step = (place(i + 1) - x).min(x - place(i.max(1) - 1));
            DVec2::new(snap_to_road(x, Land::road(z), ROAD, step), z)
        };
        let height = |at: DVec2| {
            let fence = Land::outside(at);
            // Inside of the walls the land lies under the courtyard, where nothing sees it.
            if fence < -0.4 { -0.6 } else { self.height(at) }
        };
        let row = cells + 1;
        let corners_of = |i: usize, j: usize| [j * row + i, (j + 1) * row + i, (j + 1) * row + i + 1, j * row + i + 1];
        let spots: Vec<DVec2> = (0..row * row).into_par_iter().map(|k| spot(k % row, k / row)).collect();
        let grown: Vec<DVec3> = spots.par_iter().map(|&at| dvec3(at.x, self.height(at), at.y)).collect();
        // A corner's normal is that of the cells around it, weighted by area.
        let mut normals = vec![DVec3::ZERO; row * row];
        for j in 0..cells {
            for i in 0..cells {
                let [a, b, c, d] = corners_of(i, j);
                let normal = (grown[c] - grown[a]).cross(grown[d] - grown[b]);
                for corner in [a, b, c, d] {
                    normals[corner] += normal;
                }
            }
        }
        let points: Vec<Point> = (spots.iter().zip(&normals))
            .map(|(&at, normal)| Point { position: dvec3(at.x, height(at), at.y), normal: normal.normalize(), tex: at })
            .collect();
        let tints: Vec<GroundTint> =
            spots.par_iter().map(|&at| GroundTint::new(&self.noise, at, Land::off_road(at) - ROAD)).collect();
        for j in 0..cells {
            for i in 0..cells {
                let [a, b, c, d] = corners_of(i, j);
                let middle = (spot(i, j) + spot(i + 1, j + 1)) / 2.0;
                if Land::outside(middle) < -2.5 {
                    continue;
                }
                let normal = (points[a].normal + points[c].normal).normalize();
                let surface = self.surface(middle, normal, points[a].position.y);
                // Cut along the diagonal that bends less.
                let y = |k: usize| points[k].position.y;
                let corners = [a, b, c, d].map(|k| {
                    mesh.tint = tints[k].on(surface);
                    mesh.vertex(surface, Point { tex: land_tex(points[k].position, normal), ..points[k] })
                });
                if (y(a) - y(c)).abs() <= (y(b) - y(d)).abs() {
                    mesh.triangle(surface, [corners[0], corners[1], corners[2]]);
                    mesh.triangle(surface, [corners[0], corners[2], corners[3]]);
                } else {
                    mesh.triangle(surface, [corners[0], corners[1], corners[3]]);
                    mesh.triangle(surface, [corners[1], corners[2], corners[3]]);
                }
            }
        }
        mesh.tint = DVec3::ONE;
    }

    /// Plants trees on the land, at least so far from the walls.
    pub fn plant(&self, mesh: &mut Mesh, count: usize, random: &mut Random) {
        let mut planted = 0;
        // Trees keep off the road and off steep ground; a try that fails is not repeated for ever.
        for _ in 0..20 * count {
            if planted == count {
                break;
            }
            let (sin, cos) = libm::sincos(random.range(0.0, TAU));
            let far = random.range(66.0, 185.0);
            let at = DVec2::new(far * sin, far * cos);
            let slope = (self.height(at + DVec2::X) - self.height(at - DVec2::X)).abs();
            if Land::off_road(at) < 7.0 || slope > 1.2 || self.noise.fractal(at / 40.0 + 5.0, 2) < -0.1 {
                continue;
            }
            let (height, sprays) = (random.range(7.0, 13.0), 38);
            mesh.within(dvec3(at.x, self.height(at), at.y), random.range(0.0, 360.0), |mesh| {
                tree(mesh, height, sprays, random);
            });
            planted += 1;
        }
    }
}

/// Cobbles between the walls, worn down a little, with grass and earth at their edges.
pub fn courtyard(mesh: &mut Mesh, seed: u64) {
    let noise = Noise::new(seed.wrapping_add(901));
    let cells = [63, 50];
    let at = |i: usize, j: usize| {
        DVec2::new(
            WALLS[0] * (2.0 * i as f64 / cells[0] as f64 - 1.0),
            WALLS[1] * (2.0 * j as f64 / cells[1] as f64 - 1.0),
        )
    };
    let height = |at: DVec2| -0.02 - 0.05 * (0.5 + 0.5 * noise.fractal(at / 4.0, 2)).clamp(0.0, 1.0);
    let point = |i: usize, j: usize| {
        let place = at(i, j);
        let slope = |offset: DVec2| height(place + offset) - height(place - offset);
        let normal = dvec3(-slope(DVec2::X * 0.3), 0.6, -slope(DVec2::Y * 0.3)).normalize();
        Point { position: dvec3(place.x, height(place), place.y), normal, tex: place }
    };
    for j in 0..cells[1] {
        for i in 0..cells[0] {
            let middle = (at(i, j) + at(i + 1, j + 1)) / 2.0;
            let patch = noise.fractal(middle / 6.0 + 20.0, 3);
            let surface = courtyard_surface(middle, patch);
            let corners = [point(i, j + 1), point(i + 1, j + 1), point(i + 1, j), point(i, j)].map(|p| {
                // Worn lighter here, damp and dirty there.
                let place = DVec2::new(p.position.x, p.position.z);
                let wear = 0.8 + 0.3 * noise.fractal(place / 7.0 + 50.0, 4);
                let green = smoothstep(0.1, 0.6, noise.fractal(place / 9.0 + 90.0, 3));
                mesh.tint = (dvec3(1.0, 0.98, 0.93) * wear).lerp(dvec3(0.66, 0.74, 0.5) * wear, green).min(DVec3::ONE);
                mesh.vertex(surface, p)
            });
            mesh.tint = DVec3::ONE;
            mesh.triangle(surface, [corners[0], corners[1], corners[2]]);
            mesh.triangle(surface, [corners[0], corners[2], corners[3]]);
        }
    }
}

fn courtyard_surface(at: DVec2, patch: f64) -> Surface {
    // The garden stands behind the house, in the west.
    let garden = at.x < -14.0 + 2.0 * patch && at.y > 12.0 && at.y < 30.0 && at.x > -27.5;
    let wall = (WALLS[0] - at.x.abs()).min(WALLS[1] - at.y.abs());
    // A paved way leads from the gate to the keep, another to the hall.
    let way =
        (at.x.abs() < 2.5 && at.y > -12.0 && at.y < 30.0) || (at.x > 2.5 && at.x < 13.5 && (at.y - 10.0).abs() < 2.0);
    if way {
        Surface::Flagstones
    } else if garden || wall < 3.0 + 1.6 * patch {
        if patch > 0.18 { Surface::Dirt } else { Surface::Grass }
    } else {
        Surface::Cobbles
    }
}

/// The bridge over the ditch, from the gate (at the frame's origin) towards +Z.
pub fn bridge(mesh: &mut Mesh, length: f64, random: &mut Random) {
    let half = 2.7;
    let deck = 0.05;
    let pieces = (length / 1.2).round() as usize;
    mesh.within(dvec3(0.0, deck, length / 2.0), 0.0, |mesh| {
        mesh.grid(Surface::Cobbles, 5, pieces, |i, j| {
            let (x, z) = (half * (2.0 * i as f64 / 5.0 - 1.0), length * (0.5 - j as f64 / pieces as f64));
            Point { position: dvec3(x, 0.0, z), normal: DVec3::Y, tex: DVec2::new(x, z) }
        });
    });
    for side in [90.0, 270.0] {
        mesh.within(dvec3(0.0, 0.0, length / 2.0), side, |mesh| {
            mesh.within(dvec3(0.0, 0.0, half + 0.3), 0.0, |mesh| {
                let wall = Wall {
                    along: [-length / 2.0, length / 2.0],
                    height: [DITCH - 0.8, deck + 0.95],
                    thickness: 0.45,
                    outside: Surface::Rubble,
                    inside: Surface::Rubble,
                    openings: [-1.0, 1.0]
                        .map(|i| Opening::arched(i * 3.4 + 1.0 * (side - 180.0).signum(), 4.6, DITCH - 0.8, -0.5, 2.0))
                        .to_vec(),
                    ..Wall::default()
                };
                wall.build(mesh);
                let laid = Blocks {
                    along: wall.along,
                    height: [DITCH, deck + 0.8],
                    course: 0.44,
                    length: 0.85,
                    relief: 0.06,
                    frame: 0.4,
                    surface: Surface::Stone,
                };
                blocks(mesh, &wall, &laid, random);
                for opening in &wall.openings {
                    voussoirs(
                        mesh,
                        &wall,
                        &Opening { bottom: DITCH, ..*opening },
                        &Blocks { relief: 0.1, ..laid },
                        random,
                    );
                }
                block(
                    mesh,
                    Surface::Stone,
                    dvec3(wall.along[0], deck + 0.93, -0.53),
                    dvec3(wall.along[1], deck + 1.08, 0.08),
                );
            });
        });
    }
    // The vaults between the two sides, and the piers.
    for arch in [-1.0, 1.0] {
        let middle = length / 2.0 + arch * 3.4 - 1.0;
        let radius = 2.3;
        mesh.grid(Surface::Ashlar, 12, 4, |i, j| {
            let (sin, cos) = libm::sincos(i as f64 / 12.0 * TAU / 2.0);
            Point {
                position: dvec3(half * (2.0 * j as f64 / 4.0 - 1.0), -2.5 + 2.0 * sin, middle + radius * cos),
                normal: -dvec3(0.0, sin, cos),
                tex: DVec2::new(i as f64 * 0.6, half * 2.0 * j as f64 / 4.0),
            }
        });
        for edge in [-radius, radius] {
            let z = middle + edge;
            let corner = |x: f64, y: f64| dvec3(x, y, z);
            let mut face =
                [corner(-half, DITCH - 0.8), corner(half, DITCH - 0.8), corner(half, -2.5), corner(-half, -2.5)];
            if edge > 0.0 {
                face.reverse();
            }
            mesh.flat(Surface::Ashlar, &face);
        }
    }
    for z in [1.5, length - 1.0] {
        for x in [-half - 0.1, half + 0.1] {
            block_without(
                mesh,
                Surface::Ashlar,
                dvec3(x - 0.42, -1.0, z - 0.42),
                dvec3(x + 0.42, 1.5, z + 0.42),
                BOTTOM,
            );
            block(mesh, Surface::Stone, dvec3(x - 0.5, 1.48, z - 0.5), dvec3(x + 0.5, 1.68, z + 0.5));
        }
    }
}

/// A flag on a pole that stands on the frame's origin.
pub fn flag(mesh: &mut Mesh, height: f64) {
    cylinder(mesh, Surface::Beam, DVec3::Y * -0.5, [0.08, 0.05], height + 0.5, 8);
    cloth(mesh, [dvec3(0.06, height - 0.15, 0.0), dvec3(2.3, height - 0.35, 0.2)], 1.5, 0.16);
    beam(mesh, Surface::Iron, dvec3(0.0, height - 0.05, 0.0), dvec3(0.0, height + 0.3, 0.0), 0.06, 0.06);
}
