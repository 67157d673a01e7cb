//! Houses of a city.

use glam::{DVec2, DVec3, dvec3};

use super::HALF;
use super::street::PAVEMENT;
use crate::generate::castle::furniture::{rails, table};
use crate::generate::mesh::{Mesh, Point};
use crate::generate::parts::{
    BACK, BOTTOM, GableRoof, Opening, Stairs, Wall, beam, block, block_without, gable_roof, slab_with_hole, stairs,
};
use crate::generate::random::Random;
use crate::generate::surface::Surface;

const HEIGHT: f64 = 3.3;
const THICK: f64 = 0.4;

/// A house on a square, its door towards +Z.
pub struct Building {
    storeys: usize,
    facade: Surface,
    trim: Surface,
    pitched: bool,
}

impl Building {
    pub fn random(storeys: usize, random: &mut Random) -> Building {
        let facades = [Surface::Brick, Surface::Plaster, Surface::Ashlar, Surface::Concrete, Surface::Brick];
        let facade = facades[random.below(facades.len())];
        let trim = if facade == Surface::Concrete { Surface::Concrete } else { Surface::Stone };
        Building { storeys, facade, trim, pitched: storeys < 6 && random.unit() < 0.5 }
    }

    pub fn build(&self, mesh: &mut Mesh, random: &mut Random) {
        let tone = random.range(0.8, 1.0);
        let warm = random.range(-0.08, 0.08);
        let tint = DVec3::new(tone * (1.0 + warm).min(1.0), tone, tone * (1.0 - warm).min(1.0));
        for storey in 0..self.storeys {
            for side in 0..4 {
                mesh.within(DVec3::ZERO, 90.0 * f64::from(side), |mesh| {
                    mesh.within(dvec3(0.0, 0.0, HALF), 0.0, |mesh| self.wall(mesh, storey, side, tint));
                });
            }
            self.storey(mesh, storey, random);
        }
        self.roof(mesh, random);
    }

    fn floor(&self, storey: usize) -> f64 {
        PAVEMENT + 0.16 + storey as f64 * HEIGHT
    }

    fn wall(&self, mesh: &mut Mesh, storey: usize, side: i32, tint: DVec3) {
        let long = side % 2 == 0;
        let floor = self.floor(storey);
        let half = HALF;
        let mut wall = Wall {
            along: [-half, half],
            height: [if storey == 0 { -0.3 } else { floor - 0.02 }, floor + HEIGHT - 0.02],
            thickness: THICK,
            piece: [4.0, 4.0],
            outside: if storey == 0 { Surface::Ashlar } else { self.facade },
            inside: Surface::Plaster,
            reveal: self.trim,
            top: None,
            ends: false,
            mitred: true,
            ..Wall::default()
        };
        for i in -2..=2 {
            let place = f64::from(i) * 3.1;
            wall.openings.push(if storey == 0 && i == 0 && long {
                Opening::square(0.0, 1.5, floor - 0.02, floor + 2.4)
            } else if storey == 0 && long {
                Opening::square(place, 2.1, floor + 0.7, floor + 2.5)
            } else {
                Opening::square(place, 1.2, floor + 0.9, floor + 2.45)
            });
        }
        mesh.tinted(tint, |mesh| wall.build(mesh));
        for opening in wall.openings.iter().filter(|opening| opening.bottom > floor + 0.3) {
            let (left, right) = (opening.left - 0.01, opening.right + 0.01);
            let (low, high) = (opening.bottom - 0.01, opening.top + 0.01);
            let panes = ((right - left) / 1.1).round().max(1.0);
            let corner = |x: f64, y: f64, u: f64, v: f64| Point {
                position: dvec3(x, y, -THICK / 2.0),
                normal: DVec3::Z,
                tex: DVec2::new(u * panes, v),
            };
            mesh.polygon(
                Surface::Window,
                &[
                    corner(left, low, 0.0, 1.0),
                    corner(right, low, 1.0, 1.0),
                    corner(right, high, 1.0, 0.0),
                    corner(left, high, 0.0, 0.0),
                ],
            );
            block_without(
                mesh,
                self.trim,
                dvec3(opening.left - 0.14, opening.bottom - 0.12, -0.05),
                dvec3(opening.right + 0.14, opening.bottom - 0.01, 0.12),
                BACK,
            );
        }
        if storey > 0 {
            // A string course hides the joint between two storeys.
            block_without(
                mesh,
                self.trim,
                dvec3(-half - 0.07, floor - 0.14, -0.05),
                dvec3(half + 0.07, floor + 0.1, 0.08),
                BACK,
            );
        } else if long {
            block_without(mesh, Surface::Stone, dvec3(-1.3, -0.2, -0.1), dvec3(1.3, floor - 0.06, 0.7), BOTTOM);
            block(mesh, self.trim, dvec3(-1.2, floor + 2.5, -0.05), dvec3(1.2, floor + 2.66, 0.8));
        }
    }

    fn flight(&self) -> Stairs {
        Stairs {
            width: 1.3,
            steps: 12,
            rise: HEIGHT / 12.0,
            run: 0.31,
            tread: Surface::Stone,
            side: Surface::Concrete,
            thickness: Some(0.2),
        }
    }

    /// A floor with the stairs to the next.
    fn storey(&self, mesh: &mut Mesh, storey: usize, random: &mut Random) {
        let (floor, inner) = (self.floor(storey), HALF - THICK + 0.03);
        if storey == 0 {
            slab_with_hole(
                mesh,
                [Surface::Paving, Surface::Concrete],
                dvec3(-inner, -0.3, -inner),
                dvec3(inner, floor, inner),
                None,
            );
        }
        let flight = self.flight();
        let length = flight.steps as f64 * flight.run;
        // Flights of odd and even storeys lie side by side.
        let z = if storey.is_multiple_of(2) { -0.75 } else { 0.75 };
        let way = if storey.is_multiple_of(2) { 1.0 } else { -1.0 };
        let start = -way * length / 2.0 - 3.0;
        let last = storey + 1 == self.storeys;
        let next = floor + HEIGHT;
        let hole = if last && self.pitched {
            None
        } else {
            mesh.within(dvec3(start, floor, z), -90.0 * way, |mesh| stairs(mesh, &flight));
            let (from, to) = (start + way * 0.9, start + way * length);
            Some([from.min(to), from.max(to), z - 0.67, z + 0.67])
        };
        let top = if last { Surface::Asphalt } else { Surface::Planks };
        slab_with_hole(
            mesh,
            [top, Surface::Plaster],
            dvec3(-inner, next - 0.3, -inner),
            dvec3(inner, next, inner),
            hole,
        );
        if let Some([x0, x1, z0, z1]) = hole {
            let outer = if z > 0.0 { z1 + 0.07 } else { z0 - 0.07 };
            rails(mesh, &[dvec3(x0, next, outer), dvec3(x1, next, outer)]);
            let closed = if way > 0.0 { x0 - 0.07 } else { x1 + 0.07 };
            rails(mesh, &[dvec3(closed, next, z0), dvec3(closed, next, z1)]);
        }
        // A partition with a door, and something to stand on the floor.
        let wall = Wall {
            along: [-inner, inner],
            height: [floor - 0.05, next - 0.25],
            thickness: 0.2,
            piece: [6.0, 6.0],
            outside: Surface::Plaster,
            inside: Surface::Plaster,
            reveal: Surface::Beam,
            top: None,
            ends: false,
            openings: vec![Opening::square(random.range(-3.0, 4.0), 1.2, floor + 0.01, floor + 2.3)],
            ..Wall::default()
        };
        mesh.within(dvec3(2.2, 0.0, 0.0), 90.0, |mesh| wall.build(mesh));
        table(mesh, dvec3(5.2, floor, random.range(-4.0, 4.0)), 2.0);
    }

    fn roof(&self, mesh: &mut Mesh, random: &mut Random) {
        let top = self.floor(self.storeys);
        if self.pitched {
            for side in [90.0, 270.0] {
                mesh.within(DVec3::ZERO, side, |mesh| {
                    mesh.within(dvec3(0.0, 0.0, HALF), 0.0, |mesh| {
                        let wall = Wall {
                            along: [-HALF, HALF],
                            height: [top - 0.04, top + 0.3],
                            thickness: THICK,
                            piece: [9.0, 9.0],
                            outside: self.facade,
                            inside: Surface::Plaster,
                            top: None,
                            gable: 6.1,
                            ..Wall::default()
                        };
                        wall.build(mesh);
                    });
                });
            }
            let roof = GableRoof {
                half_length: HALF + 0.4,
                half_span: HALF,
                overhang: 0.5,
                eaves: top + 0.1,
                rise: 6.0,
                surface: if random.unit() < 0.5 { Surface::RoofTiles } else { Surface::Slate },
            };
            gable_roof(mesh, &roof, random);
            return;
        }
        for side in 0..4 {
            let long = side % 2 == 0;
            let half = if long { HALF + 0.1 } else { HALF - 0.3 };
            mesh.within(DVec3::ZERO, 90.0 * f64::from(side), |mesh| {
                block(mesh, self.trim, dvec3(-half, top - 0.3, HALF - 0.3), dvec3(half, top + 1.0, HALF + 0.1));
            });
        }
        block_without(mesh, Surface::Brick, dvec3(4.0, top - 0.1, 3.0), dvec3(5.2, top + 2.2, 4.0), BOTTOM);
        beam(mesh, Surface::Iron, dvec3(-5.0, top - 0.1, 5.0), dvec3(-5.0, top + 3.0, 5.0), 0.06, 0.06);
    }
}
