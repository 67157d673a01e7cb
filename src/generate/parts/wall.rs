//! Walls with doors, windows, crenels and gables, straight or bent round an axis.

use core::f64::consts::TAU;

use glam::{DVec2, DVec3};

use crate::generate::mesh::{Mesh, Point};
use crate::generate::surface::Surface;

/// A hole in a wall, in metres along it and up.
#[derive(Clone, Copy, Debug)]
pub struct Opening {
    pub left: f64,
    pub right: f64,
    pub bottom: f64,
    /// Where the arch begins; at `top` there is none.
    pub spring: f64,
    pub top: f64,
}

impl Opening {
    /// Around `middle`, with a straight lintel.
    pub fn square(middle: f64, width: f64, bottom: f64, top: f64) -> Opening {
        Opening { left: middle - width / 2.0, right: middle + width / 2.0, bottom, spring: top, top }
    }

    /// Around `middle`, with an arch that rises by `rise` to `top`.
    pub fn arched(middle: f64, width: f64, bottom: f64, top: f64, rise: f64) -> Opening {
        Opening { spring: top - rise, ..Opening::square(middle, width, bottom, top) }
    }

    pub fn is_arched(&self) -> bool {
        self.spring < self.top
    }

    pub fn middle(&self) -> f64 {
        (self.left + self.right) / 2.0
    }

    /// Height of the arch at a place along the wall.
    fn crown(&self, along: f64) -> f64 {
        let side = (2.0 * (along - self.middle()) / (self.right - self.left)).clamp(-1.0, 1.0);
        self.spring + (self.top - self.spring) * (1.0 - side * side).max(0.0).sqrt()
    }

    /// Places along the wall where the arch has corners, evenly spaced by angle.
    pub fn arch_places(&self) -> Vec<f64> {
        let pieces = if self.right - self.left > 2.5 { 16 } else { 6 };
        let half = (self.right - self.left) / 2.0;
        (0..=pieces)
            .map(|i| match i {
                0 => self.left,
                i if i == pieces => self.right,
                i if 2 * i == pieces => self.middle(),
                i => self.middle() - half * libm::cos(f64::from(i) / f64::from(pieces) * TAU / 2.0),
            })
            .collect()
    }
}

/// A wall whose outer face lies in the frame's XY plane and faces +Z; it is as thick towards -Z. Bent, its outer face lies
/// on a cylinder about the Y axis, place 0 on the Z axis, places growing towards +X.
#[derive(Clone, Debug)]
pub struct Wall {
    /// Ends along X, or along the bend.
    pub along: [f64; 2],
    pub height: [f64; 2],
    pub thickness: f64,
    /// Radius of the outer face of a bent wall.
    pub bend: Option<f64>,
    /// Faces are cut so that no piece is longer or higher.
    pub piece: [f64; 2],
    pub outside: Surface,
    pub inside: Surface,
    /// The surface of the openings' sides and of the wall's ends.
    pub reveal: Surface,
    /// The surface of the upper end; `None` leaves it open.
    pub top: Option<Surface>,
    /// Whether the ends are closed.
    pub ends: bool,
    /// Whether the ends of a straight wall are cut at 45 degrees, to meet those of the walls around a corner. They are open.
    pub mitred: bool,
    /// How far a gable rises over the middle of the upper end; 0 for none.
    pub gable: f64,
    pub openings: Vec<Opening>,
}

impl Default for Wall {
    fn default() -> Wall {
        Wall {
            along: [0.0, 1.0],
            height: [0.0, 1.0],
            thickness: 0.5,
            bend: None,
            piece: [2.0, 2.0],
            outside: Surface::Rubble,
            inside: Surface::Rubble,
            reveal: Surface::Stone,
            top: Some(Surface::Stone),
            ends: true,
            mitred: false,
            gable: 0.0,
            openings: Vec::new(),
        }
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Cell {
    Solid,
    Open,
    /// Partly filled by the arch of an opening.
    Arch,
}

impl Wall {
    /// A whole ring of `segments` pieces around the Y axis.
    pub fn ring(radius: f64, segments: usize) -> Wall {
        Wall {
            along: [0.0, TAU * radius],
            bend: Some(radius),
            piece: [TAU * radius / segments as f64 + 1e-9, 2.0],
            ends: false,
            ..Wall::default()
        }
    }

    fn is_ring(&self) -> bool {
        self.bend.is_some_and(|radius| self.along[1] - self.along[0] > TAU * radius - 1e-6)
    }

    /// The point at a place along the wall, a height, and a depth below the outer face.
    pub fn point(&self, along: f64, up: f64, depth: f64) -> DVec3 {
        match self.bend {
            None if self.mitred => DVec3::new(along.clamp(self.along[0] + depth, self.along[1] - depth), up, -depth),
            None => DVec3::new(along, up, -depth),
            Some(radius) => {
                let (sin, cos) = libm::sincos(along / radius);
                DVec3::new((radius - depth) * sin, up, (radius - depth) * cos)
            }
        }
    }

    /// Out of the outer face at a place along the wall, of unit length.
    pub fn outwards(&self, along: f64) -> DVec3 {
        match self.bend {
            None => DVec3::Z,
            Some(radius) => {
                let (sin, cos) = libm::sincos(along / radius);
                DVec3::new(sin, 0.0, cos)
            }
        }
    }

    fn rightwards(&self, along: f64) -> DVec3 {
        DVec3::Y.cross(self.outwards(along))
    }

    /// What pictures are stretched by along a ring, so that they meet themselves.
    fn stretch(&self, surface: Surface) -> f64 {
        match self.bend {
            Some(radius) if self.is_ring() => {
                let metres = surface.metres();
                (TAU * radius / metres).round().max(1.0) * metres / (TAU * radius)
            }
            _ => 1.0,
        }
    }

    fn column_places(&self) -> Vec<f64> {
        let mut fixed = self.along.to_vec();
        for opening in &self.openings {
            if opening.is_arched() {
                fixed.extend(opening.arch_places());
            } else {
                fixed.extend([opening.left, opening.right]);
            }
        }
        if self.gable > 0.0 {
            fixed.push((self.along[0] + self.along[1]) / 2.0);
        }
        if self.bend.is_some() {
            // Even segments first, so that the wall is as round between its openings as beside them.
            let count = ((self.along[1] - self.along[0]) / self.piece[0]).ceil() as usize;
            let step = (self.along[1] - self.along[0]) / count as f64;
            let free = |place: f64| {
                !self
                    .openings
                    .iter()
                    .any(|opening| place > opening.left - 0.3 * step && place < opening.right + 0.3 * step)
            };
            fixed.extend((1..count).map(|i| self.along[0] + i as f64 * step).filter(|&place| free(place)));
        }
        cut(fixed, self.piece[0])
    }

    fn row_places(&self) -> Vec<f64> {
        let mut fixed = self.height.to_vec();
        for opening in &self.openings {
            fixed.extend([opening.bottom, opening.spring, opening.top]);
        }
        fixed.retain(|&up| (self.height[0]..=self.height[1]).contains(&up));
        cut(fixed, self.piece[1])
    }

    fn cell(&self, along: f64, up: f64) -> Cell {
        let found = self.openings.iter().find(|opening| {
            (opening.left..opening.right).contains(&along) && (opening.bottom..opening.top).contains(&up)
        });
        match found {
            None => Cell::Solid,
            Some(opening) if up > opening.spring => Cell::Arch,
            Some(_) => Cell::Open,
        }
    }

    /// Builds the wall.
    pub fn build(&self, mesh: &mut Mesh) {
        let (columns, rows) = (self.column_places(), self.row_places());
        let (last_column, last_row) = (columns.len() - 2, rows.len() - 2);
        let cell = |i: usize, j: usize| self.cell((columns[i] + columns[i + 1]) / 2.0, (rows[j] + rows[j + 1]) / 2.0);
        for i in 0..=last_column {
            let (left, right) = (columns[i], columns[i + 1]);
            for j in 0..=last_row {
                let (low, high) = (rows[j], rows[j + 1]);
                let here = cell(i, j);
                if here == Cell::Solid {
                    self.faces(mesh, &[(left, low), (right, low), (right, high), (left, high)]);
                }
                let beside = if i < last_column {
                    Some(cell(i + 1, j))
                } else if self.is_ring() {
                    Some(cell(0, j))
                } else {
                    None
                };
                match (here, beside) {
                    (Cell::Solid, Some(Cell::Open)) => self.side(mesh, right, low, high, 1.0),
                    (Cell::Open, Some(Cell::Solid)) => self.side(mesh, right, low, high, -1.0),
                    (Cell::Solid, None) if self.ends => self.side(mesh, right, low, high, 1.0),
                    _ => {}
                }
                if i == 0 && self.ends && here == Cell::Solid {
                    self.side(mesh, left, low, high, -1.0);
                }
                let above = if j < last_row { Some(cell(i, j + 1)) } else { None };
                match (here, above) {
                    (Cell::Solid, Some(Cell::Open)) => self.level(mesh, self.reveal, [left, right], high, 1.0),
                    (Cell::Open, Some(Cell::Solid)) => self.level(mesh, self.reveal, [left, right], high, -1.0),
                    (Cell::Solid, None) if self.gable == 0.0 => {
                        if let Some(top) = self.top {
                            self.level(mesh, top, [left, right], high, 1.0);
                        }
                    }
                    _ => {}
                }
            }
            if self.gable > 0.0 {
                let high = self.height[1];
                let slope = |along: f64| {
                    let side = (2.0 * along - self.along[0] - self.along[1]) / (self.along[1] - self.along[0]);
                    high + self.gable * (1.0 - side.abs())
                };
                self.faces(mesh, &[(left, high), (right, high), (right, slope(right)), (left, slope(left))]);
            }
        }
        for opening in self.openings.iter().filter(|opening| opening.is_arched()) {
            self.arch(mesh, opening, &columns, &rows);
        }
    }

    /// Adds a convex piece of both faces, given counter-clockwise from outside by places along and heights.
    fn faces(&self, mesh: &mut Mesh, corners: &[(f64, f64)]) {
        let stretch = self.stretch(self.outside);
        let outside: Vec<Point> = corners
            .iter()
            .map(|&(along, up)| Point {
                position: self.point(along, up, 0.0),
                normal: self.outwards(along),
                tex: DVec2::new(along * stretch, -up),
            })
            .collect();
        mesh.polygon(self.outside, &outside);
        let stretch = self.stretch(self.inside);
        let inside: Vec<Point> = corners
            .iter()
            .rev()
            .map(|&(along, up)| Point {
                position: self.point(along, up, self.thickness),
                normal: -self.outwards(along),
                tex: DVec2::new(-along * stretch, -up),
            })
            .collect();
        mesh.polygon(self.inside, &inside);
    }

    /// Adds a face across the wall that looks along it (`way` 1) or back (-1).
    fn side(&self, mesh: &mut Mesh, along: f64, low: f64, high: f64, way: f64) {
        let normal = self.rightwards(along) * way;
        let corner = |depth: f64, up: f64| Point {
            position: self.point(along, up, depth),
            normal,
            tex: DVec2::new(way * depth, -up),
        };
        let mut corners =
            [corner(0.0, low), corner(self.thickness, low), corner(self.thickness, high), corner(0.0, high)];
        if way < 0.0 {
            corners.reverse();
        }
        mesh.polygon(self.reveal, &corners);
    }

    /// Adds a face across the wall that looks up (`way` 1) or down (-1).
    fn level(&self, mesh: &mut Mesh, surface: Surface, along: [f64; 2], up: f64, way: f64) {
        let stretch = self.stretch(surface);
        let corner = |along: f64, depth: f64| Point {
            position: self.point(along, up, depth),
            normal: DVec3::Y * way,
            tex: DVec2::new(along * stretch, -depth),
        };
        let mut corners = [
            corner(along[0], 0.0),
            corner(along[1], 0.0),
            corner(along[1], self.thickness),
            corner(along[0], self.thickness),
        ];
        if way < 0.0 {
            corners.reverse();
        }
        mesh.polygon(surface, &corners);
    }

    /// Fills the corners over an arch and lines its underside.
    fn arch(&self, mesh: &mut Mesh, opening: &Opening, columns: &[f64], rows: &[f64]) {
        let within = |place: f64| place > opening.left - 1e-9 && place < opening.right + 1e-9;
        let places: Vec<f64> = columns.iter().copied().filter(|&place| within(place)).collect();
        let heights: Vec<f64> =
            rows.iter().copied().filter(|&up| up > opening.spring + 1e-9 && up < opening.top - 1e-9).collect();
        for i in 0..places.len() - 1 {
            let (left, right) = (places[i], places[i + 1]);
            let (low_left, low_right) = (opening.crown(left), opening.crown(right));
            // The polygon starts opposite to the side that has corners of the neighbouring rows on it.
            let mut corners = Vec::new();
            if i == 0 {
                corners.extend([(right, low_right), (right, opening.top), (left, opening.top)]);
                corners.extend(heights.iter().rev().map(|&up| (left, up)));
                corners.push((left, low_left));
            } else {
                corners.extend([(left, low_left), (right, low_right)]);
                if i + 2 == places.len() {
                    corners.extend(heights.iter().map(|&up| (right, up)));
                }
                corners.extend([(right, opening.top), (left, opening.top)]);
            }
            self.faces(mesh, &corners);
            let corner = |along: f64, depth: f64| {
                let half = (opening.right - opening.left) / 2.0;
                let rise = opening.top - opening.spring;
                let (x, y) = (
                    (along - opening.middle()) / (half * half),
                    (opening.crown(along) - opening.spring) / (rise * rise),
                );
                Point {
                    position: self.point(along, opening.crown(along), depth),
                    normal: -(self.rightwards(along) * x + DVec3::Y * y).normalize(),
                    tex: DVec2::new(along + opening.crown(along), -depth),
                }
            };
            let depth = self.thickness;
            mesh.polygon(
                self.reveal,
                &[corner(left, depth), corner(right, depth), corner(right, 0.0), corner(left, 0.0)],
            );
        }
    }
}

/// Sorts places, drops equal ones, and cuts gaps longer than `longest` evenly.
fn cut(mut places: Vec<f64>, longest: f64) -> Vec<f64> {
    places.sort_by(f64::total_cmp);
    places.dedup_by(|a, b| (*a - *b).abs() < 1e-6);
    let mut all = vec![places[0]];
    for pair in places.windows(2) {
        let count = ((pair[1] - pair[0]) / longest - 1e-6).ceil().max(1.0) as usize;
        all.extend((1..count).map(|i| pair[0] + (pair[1] - pair[0]) * i as f64 / count as f64));
        all.push(pair[1]);
    }
    all
}
