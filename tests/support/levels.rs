//! Seeded levels, each hard on queries in its own way.

use glam::Vec3;
use nodetree::generate;

use super::Random;

/// A kind of level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Triangles of all sizes anywhere.
    Soup,
    /// Axis-aligned walls and floors on a power-of-two grid: cell planes, shared edges, T-junctions.
    Grid,
    /// A bumpy height field.
    Terrain,
    /// Houses along streets: right angles, T-junctions, thin things, flat ground.
    City,
    /// Long triangles with nearly no area, and a few with none.
    Slivers,
    /// The same few triangles many times over, some turned around.
    Coincident,
    /// A small soup, and one triangle very far away.
    OneFar,
    /// A height field 100 km from zero with cells that are a few units in the last place wide.
    Huge,
    /// A soup a micrometre wide.
    Tiny,
}

pub const KINDS: [Kind; 9] = [
    Kind::Soup,
    Kind::Grid,
    Kind::Terrain,
    Kind::City,
    Kind::Slivers,
    Kind::Coincident,
    Kind::OneFar,
    Kind::Huge,
    Kind::Tiny,
];

/// About 150 triangles of a kind.
pub fn level(kind: Kind, seed: u64) -> Vec<[Vec3; 3]> {
    let random = &mut Random::new(seed);
    match kind {
        Kind::Soup => soup(random, 150, 10.0),
        Kind::Grid => grid(random, 75, 4.0),
        Kind::Terrain => terrain(9, Vec3::new(-9.0, 0.0, -9.0), 2.0, |_, _| random.range(-1.5, 1.5)),
        Kind::City => blocks(random, 4),
        Kind::Slivers => slivers(random, 150, 20.0),
        Kind::Coincident => coincident(&soup(random, 12, 5.0), random, 150),
        Kind::OneFar => with_one_far(soup(random, 120, 1.0), random),
        Kind::Huge => terrain(9, Vec3::new(1e5, -1e5, 1e5), 0.125, |_, _| random.range(-0.1, 0.1)),
        Kind::Tiny => soup(random, 120, 1e-6),
    }
}

/// At least 10 000 triangles of a kind.
pub fn large_level(kind: Kind, seed: u64) -> Vec<[Vec3; 3]> {
    let random = &mut Random::new(seed);
    match kind {
        Kind::Soup => soup_of_sizes(random, 10_000, 10.0, [-6.0, -1.5]),
        Kind::Grid => grid(random, 5_000, 16.0),
        Kind::Terrain => terrain(72, Vec3::new(-36.0, 0.0, -36.0), 1.0, |_, _| random.range(-0.7, 0.7)),
        Kind::City => {
            let level = generate::city(&generate::Options { triangles: 16_000, seed });
            (0..level.triangles.len() as u32).map(|number| level.corners(number)).collect()
        }
        Kind::Slivers => slivers(random, 10_000, 4.0),
        Kind::Coincident => coincident(&soup_of_sizes(random, 800, 5.0, [-5.0, -1.0]), random, 10_000),
        Kind::OneFar => with_one_far(soup_of_sizes(random, 10_000, 1.0, [-6.0, -1.5]), random),
        Kind::Huge => terrain(72, Vec3::new(1e5, -1e5, 1e5), 0.125, |_, _| random.range(-0.1, 0.1)),
        Kind::Tiny => soup_of_sizes(random, 10_000, 1e-6, [-6.0, -1.5]),
    }
}

/// Triangles anywhere in a cube of half edge `half`, from a hundredth of it to all of it large.
pub fn soup(random: &mut Random, count: usize, half: f32) -> Vec<[Vec3; 3]> {
    soup_of_sizes(random, count, half, [-4.6, 0.0])
}

/// The same with sizes between powers of e, as parts of the half edge.
fn soup_of_sizes(random: &mut Random, count: usize, half: f32, sizes: [f32; 2]) -> Vec<[Vec3; 3]> {
    (0..count)
        .map(|_| {
            let center = random.vector(half);
            let size = half * random.range(sizes[0], sizes[1]).exp();
            [(); 3].map(|()| center + random.vector(size))
        })
        .collect()
}

/// A height field of `cells` times `cells` squares, each cut from its first to its last corner.
pub fn terrain(cells: usize, min: Vec3, cell: f32, mut height: impl FnMut(usize, usize) -> f32) -> Vec<[Vec3; 3]> {
    let side = cells + 1;
    let points: Vec<Vec3> = (0..side * side)
        .map(|i| min + Vec3::new((i % side) as f32 * cell, height(i % side, i / side), (i / side) as f32 * cell))
        .collect();
    (0..cells * cells)
        .flat_map(|i| {
            let first = i / cells * side + i % cells;
            let [a, b, c, d] = [first, first + side, first + side + 1, first + 1].map(|point| points[point]);
            [[a, b, c], [a, c, d]]
        })
        .collect()
}

fn grid(random: &mut Random, count: usize, half: f32) -> Vec<[Vec3; 3]> {
    (0..count)
        .flat_map(|_| {
            let corner = random.vector(half).floor() * 2.0;
            let axis = random.below(3);
            let [mut u, mut v] = [Vec3::ZERO; 2];
            u[(axis + 1) % 3] = *random.pick(&[1.0, 2.0, 4.0]);
            v[(axis + 2) % 3] = *random.pick(&[1.0, 2.0, 4.0]);
            super::fan(&[corner, corner + u, corner + u + v, corner + v])
        })
        .collect()
}

/// Ground, and a house of a few storeys on most of the `side` times `side` lots.
fn blocks(random: &mut Random, side: usize) -> Vec<[Vec3; 3]> {
    let lot = 5.0;
    let min = Vec3::new(-0.5, 0.0, -0.5) * lot * side as f32;
    let mut triangles = terrain(side, min, lot, |_, _| 0.0);
    for i in 0..side * side {
        if random.below(4) > 0 {
            let corner = min + lot * Vec3::new((i % side) as f32, 0.0, (i / side) as f32) + Vec3::new(1.0, 0.0, 1.0);
            let size = Vec3::new(random.range(2.0, 3.5), *random.pick(&[3.0, 6.0, 9.5]), random.range(2.0, 3.5));
            triangles.extend(super::cuboid(corner, corner + size));
        }
    }
    triangles
}

fn slivers(random: &mut Random, count: usize, longest: f32) -> Vec<[Vec3; 3]> {
    (0..count)
        .map(|number| {
            let (start, along) = (random.vector(10.0), random.direction() * random.range(0.05, 1.0) * longest);
            let width = 10.0_f32.powf(random.range(-7.0, -2.0));
            let beside = start + along * random.unit() + random.vector(width);
            [start, start + along, if number % 50 == 0 { start } else { beside }]
        })
        .collect()
}

fn coincident(few: &[[Vec3; 3]], random: &mut Random, count: usize) -> Vec<[Vec3; 3]> {
    (0..count)
        .map(|_| {
            let [a, b, c] = *random.pick(few);
            *random.pick(&[[a, b, c], [b, c, a], [a, c, b]])
        })
        .collect()
}

/// The last triangle is the far one.
fn with_one_far(mut triangles: Vec<[Vec3; 3]>, random: &mut Random) -> Vec<[Vec3; 3]> {
    triangles.push([1e6, 1.1e6, 1.05e6].map(|x| Vec3::new(x, x * random.unit(), -x)));
    triangles
}
