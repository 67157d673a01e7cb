//! Levels and questions out of bytes.

use glam::Vec3;
use nodetree::query::Faces;
use nodetree::tree::{Mode, Settings};

/// What is left of the input, and how numbers are read from it.
pub struct Bytes<'a> {
    rest: &'a [u8],
    numbers: Numbers,
}

/// Kinds of numbers, two bytes each but for the last.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Numbers {
    /// Eighths around zero, with -0: seams, ties, right angles.
    Eighths,
    /// The same a hundred kilometres away.
    Far,
    /// Billionths.
    Tiny,
    /// Any f32 at all.
    Any,
}

impl<'a> Bytes<'a> {
    /// The input starts with its kind of numbers.
    pub fn new(input: &'a [u8]) -> Option<Bytes<'a>> {
        let (&kind, rest) = input.split_first()?;
        let numbers = [Numbers::Eighths, Numbers::Any, Numbers::Far, Numbers::Tiny][usize::from(kind % 4)];
        Some(Bytes { rest, numbers })
    }

    pub fn byte(&mut self) -> Option<u8> {
        let (&byte, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(byte)
    }

    fn short(&mut self) -> Option<i16> {
        Some(i16::from_le_bytes([self.byte()?, self.byte()?]))
    }

    /// A coordinate.
    fn place(&mut self) -> Option<f32> {
        if self.numbers == Numbers::Any {
            return Some(f32::from_bits(u32::from_le_bytes([self.byte()?, self.byte()?, self.byte()?, self.byte()?])));
        }
        let short = self.short()?;
        Some(match self.numbers {
            Numbers::Eighths if short == i16::MIN => -0.0,
            Numbers::Far => 1e5 + f32::from(short) / 8.0,
            Numbers::Tiny => f32::from(short) * 1e-9,
            _ => f32::from(short) / 8.0,
        })
    }

    /// A length along an axis, with sign.
    fn step(&mut self) -> Option<f32> {
        match self.numbers {
            Numbers::Far => {
                let short = self.short()?;
                Some(if short == i16::MIN { -0.0 } else { f32::from(short) / 8.0 })
            }
            _ => self.place(),
        }
    }

    /// A length of up to a few metres, or any number at all, below zero too.
    pub fn length(&mut self) -> Option<f32> {
        match self.numbers {
            Numbers::Any => self.place(),
            Numbers::Tiny => Some(f32::from(self.byte()?) * 1e-7),
            _ => Some(f32::from(self.byte()?) / 16.0),
        }
    }

    /// How far a question reaches: any length, or without end.
    pub fn limit(&mut self) -> Option<f32> {
        if self.byte()? % 2 == 0 { Some(f32::INFINITY) } else { self.step() }
    }

    pub fn point(&mut self) -> Option<Vec3> {
        Some(Vec3::new(self.place()?, self.place()?, self.place()?))
    }

    pub fn vector(&mut self) -> Option<Vec3> {
        Some(Vec3::new(self.step()?, self.step()?, self.step()?))
    }

    pub fn faces(&mut self) -> Option<Faces> {
        Some([Faces::Both, Faces::Both, Faces::Front, Faces::Back][usize::from(self.byte()? % 4)])
    }

    /// Both modes with the same leaves.
    pub fn settings(&mut self) -> Option<[Settings; 2]> {
        let (leaf_triangles, leaf_size) = (u32::from(self.byte()?), f32::from(self.byte()?) / 16.0 + 1e-3);
        Some([Mode::Quadtree, Mode::Octree].map(|mode| Settings { mode, leaf_triangles, leaf_size }))
    }

    /// Up to 63 triangles.
    pub fn triangles(&mut self) -> Option<Vec<[Vec3; 3]>> {
        let mut triangles = Vec::new();
        for _ in 0..self.byte()? % 64 {
            let Some(triangle) = self.triangle(triangles.last().copied()) else { break };
            triangles.push(triangle);
        }
        Some(triangles)
    }

    /// Anywhere, at an edge of the one before, or on it.
    fn triangle(&mut self, before: Option<[Vec3; 3]>) -> Option<[Vec3; 3]> {
        Some(match (self.byte()? % 4, before) {
            (0, Some([a, b, _])) => [b, a, self.point()?],
            (1, Some([_, b, c])) => [c, b, self.point()?],
            (2, Some([a, b, c])) => [a, c, b],
            _ => [self.point()?, self.point()?, self.point()?],
        })
    }

    /// A point anywhere, or a corner, the middle of an edge or of a face.
    pub fn place_at(&mut self, triangles: &[[Vec3; 3]]) -> Option<Vec3> {
        let kind = self.byte()?;
        if kind % 2 == 0 || triangles.is_empty() {
            return self.point();
        }
        let [a, b, c] = triangles[usize::from(self.byte()?) % triangles.len()];
        Some(match kind / 2 % 4 {
            0 => a,
            1 => 0.5 * a + 0.5 * b,
            2 => (a + b + c) / 3.0,
            _ => c + self.vector()?,
        })
    }
}
