//! Stones in relief on the outer face of a wall.

use glam::{DVec2, DVec3};

use super::wall::{Opening, Wall};
use crate::generate::mesh::{Mesh, Point};
use crate::generate::random::Random;
use crate::generate::surface::Surface;

/// How a face is laid with stones.
#[derive(Clone, Copy, Debug)]
pub struct Blocks {
    /// Ends along the wall.
    pub along: [f64; 2],
    pub height: [f64; 2],
    /// Height of a course, about.
    pub course: f64,
    /// Length of a stone, about.
    pub length: f64,
    /// How far the stones stand out.
    pub relief: f64,
    /// Width of the frame that openings keep clear around them.
    pub frame: f64,
    pub surface: Surface,
}

const JOINT: f64 = 0.012;

/// Lays stones on the outer face of a wall, around its openings.
pub fn blocks(mesh: &mut Mesh, wall: &Wall, laid: &Blocks, random: &mut Random) {
    let courses = ((laid.height[1] - laid.height[0]) / laid.course).round().max(1.0) as usize;
    let course = (laid.height[1] - laid.height[0]) / courses as f64;
    for i in 0..courses {
        let low = laid.height[0] + i as f64 * course;
        let high = low + course;
        // Stretches of the course that no opening interrupts.
        let mut stretches = vec![laid.along];
        for opening in &wall.openings {
            if let Some([from, to]) = clear_of(opening, low, high, laid.frame) {
                stretches = stretches
                    .iter()
                    .flat_map(|&[left, right]| [[left, right.min(from)], [left.max(to), right]])
                    .filter(|[left, right]| right - left > 0.12)
                    .collect();
            }
        }
        for [left, right] in stretches {
            let mut at = left;
            let first = random.range(0.5, 1.0);
            let mut scale = first;
            while at < right - 1e-6 {
                let mut end = at + laid.length * scale;
                if right - end < 0.55 * laid.length {
                    end = if right - at > 1.35 * laid.length { (at + right) / 2.0 } else { right };
                }
                stone(mesh, wall, laid, &[(at, low), (end, low), (end, high), (at, high)], random);
                at = end;
                scale = random.range(0.75, 1.3);
            }
        }
    }
}

/// Lays the wedge-shaped stones around the arch of an opening and the square ones beside it.
pub fn voussoirs(mesh: &mut Mesh, wall: &Wall, opening: &Opening, laid: &Blocks, random: &mut Random) {
    let (half, rise) = ((opening.right - opening.left) / 2.0, opening.top - opening.spring);
    let frame = laid.frame;
    let count = ((half + rise) * 1.6 / 0.36).round().max(5.0) as usize | 1;
    let ray = |i: usize, out: f64| {
        let (sin, cos) = libm::sincos(i as f64 / count as f64 * core::f64::consts::PI);
        (opening.middle() + (half + out) * cos, opening.spring + (rise + out) * sin)
    };
    if opening.is_arched() {
        for i in 0..count {
            stone(mesh, wall, laid, &[ray(i, frame), ray(i + 1, frame), ray(i + 1, 0.0), ray(i, 0.0)], random);
        }
    } else {
        let (left, right) = (opening.left - frame, opening.right + frame);
        stone(
            mesh,
            wall,
            laid,
            &[(left, opening.top), (right, opening.top), (right, opening.top + frame), (left, opening.top + frame)],
            random,
        );
    }
    let rows = ((opening.spring - opening.bottom) / 0.55).round().max(1.0) as usize;
    let up = |i: usize| opening.bottom + (opening.spring - opening.bottom) * i as f64 / rows as f64;
    for i in 0..rows {
        for [left, right] in [[opening.left - frame, opening.left], [opening.right, opening.right + frame]] {
            stone(mesh, wall, laid, &[(left, up(i)), (right, up(i)), (right, up(i + 1)), (left, up(i + 1))], random);
        }
    }
}

/// What a course must leave free for an opening and its frame.
fn clear_of(opening: &Opening, low: f64, high: f64, frame: f64) -> Option<[f64; 2]> {
    if high <= opening.bottom + 0.02 || low >= opening.top + frame - 0.02 {
        return None;
    }
    let half = (opening.right - opening.left) / 2.0 + frame;
    let middle = (low + high) / 2.0;
    let reach = if opening.is_arched() && middle > opening.spring {
        // Stones end at the arch's outer edge, halfway up the course.
        let up = (middle - opening.spring) / (opening.top - opening.spring + frame);
        half * (1.0 - up * up).max(0.0).sqrt()
    } else {
        half
    };
    (reach > 0.05).then_some([opening.middle() - reach, opening.middle() + reach])
}

/// Adds one stone with bevelled edges, its outline given counter-clockwise from outside.
fn stone(mesh: &mut Mesh, wall: &Wall, laid: &Blocks, outline: &[(f64, f64); 4], random: &mut Random) {
    let middle = outline.iter().fold(DVec2::ZERO, |sum, &(x, y)| sum + DVec2::new(x, y)) / 4.0;
    let inset = |by: f64| {
        outline.map(|(x, y)| {
            let offset = middle - DVec2::new(x, y);
            let inner = DVec2::new(x, y) + offset.signum() * by.min(0.3 * offset.abs().min_element());
            (inner.x, inner.y)
        })
    };
    let relief = laid.relief * random.range(0.75, 1.15);
    let (foot, face) = (inset(JOINT), inset(JOINT + 0.022));
    let (outer_tint, outer_shift) = (mesh.tint, mesh.shift);
    let warm = random.range(-0.03, 0.03);
    mesh.tint *= random.range(0.74, 1.0) * DVec3::new(1.0 + warm, 1.0, 1.0 - warm);
    mesh.tint = mesh.tint.min(DVec3::ONE);
    mesh.shift = DVec2::new(random.range(0.0, 8.0), random.range(0.0, 8.0));
    // A long stone on a tight bend is bent as well, in two pieces.
    let bent = wall.bend.is_some_and(|radius| outline[1].0 - outline[0].0 > 0.28 * radius);
    let halves: &[[f64; 2]] = if bent { &[[0.0, 0.5], [0.5, 1.0]] } else { &[[0.0, 1.0]] };
    let between = |a: (f64, f64), b: (f64, f64), t: f64| (a.0 + (b.0 - a.0) * t, a.1 + (b.1 - a.1) * t);
    let at = |(along, up): (f64, f64), depth: f64| wall.point(along, up, depth);
    let front = |corner: (f64, f64)| Point {
        position: at(corner, -relief),
        normal: if bent { wall.outwards(corner.0) } else { wall.outwards(middle.x) },
        tex: DVec2::new(corner.0, -corner.1),
    };
    for &[from, to] in halves {
        let low = [between(face[0], face[1], from), between(face[0], face[1], to)];
        let high = [between(face[3], face[2], to), between(face[3], face[2], from)];
        mesh.polygon(laid.surface, &[front(low[0]), front(low[1]), front(high[0]), front(high[1])]);
    }
    for i in 0..4 {
        let next = (i + 1) % 4;
        let upright: &[[f64; 2]] = &[[0.0, 1.0]];
        for &[from, to] in if i % 2 == 0 { halves } else { upright } {
            let [foot_from, foot_to] = [from, to].map(|t| between(foot[i], foot[next], t));
            let [face_from, face_to] = [from, to].map(|t| between(face[i], face[next], t));
            // The foot lies a little in the wall, so that no gap shows on a bend.
            mesh.flat(
                laid.surface,
                &[at(foot_from, 0.03), at(foot_to, 0.03), at(face_to, -relief), at(face_from, -relief)],
            );
        }
    }
    (mesh.tint, mesh.shift) = (outer_tint, outer_shift);
}
