//! Seeded levels, each hard on queries in its own way.

use glam::Vec3;

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
    /// Long triangles with nearly no area.
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

pub const KINDS: [Kind; 8] =
    [Kind::Soup, Kind::Grid, Kind::Terrain, Kind::Slivers, Kind::Coincident, Kind::OneFar, Kind::Huge, Kind::Tiny];

/// About 150 triangles of a kind.
pub fn level(kind: Kind, seed: u64) -> Vec<[Vec3; 3]> {
    let mut random = Random::new(seed);
    match kind {
        Kind::Soup => soup(&mut random, 150, 10.0),
        Kind::Grid => grid(&mut random),
        Kind::Terrain => terrain(9, Vec3::new(-9.0, 0.0, -9.0), 2.0, |_, _| random.range(-1.5, 1.5)),
        Kind::Slivers => slivers(&mut random),
        Kind::Coincident => coincident(&mut random),
        Kind::OneFar => {
            let mut triangles = soup(&mut random, 120, 1.0);
            triangles.push([1e6, 1.1e6, 1.05e6].map(|x| Vec3::new(x, x * random.unit(), -x)));
            triangles
        }
        Kind::Huge => terrain(9, Vec3::new(1e5, -1e5, 1e5), 0.125, |_, _| random.range(-0.1, 0.1)),
        Kind::Tiny => soup(&mut random, 120, 1e-6),
    }
}

/// Triangles anywhere in a cube of half edge `half`, from a hundredth of it to all of it large.
pub fn soup(random: &mut Random, count: usize, half: f32) -> Vec<[Vec3; 3]> {
    (0..count)
        .map(|_| {
            let center = random.vector(half);
            let size = half * random.range(-4.6, 0.0).exp();
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

fn grid(random: &mut Random) -> Vec<[Vec3; 3]> {
    (0..75)
        .flat_map(|_| {
            let corner = random.vector(4.0).floor() * 2.0;
            let axis = random.below(3);
            let [mut u, mut v] = [Vec3::ZERO; 2];
            u[(axis + 1) % 3] = *random.pick(&[1.0, 2.0, 4.0]);
            v[(axis + 2) % 3] = *random.pick(&[1.0, 2.0, 4.0]);
            super::fan(&[corner, corner + u, corner + u + v, corner + v])
        })
        .collect()
}

fn slivers(random: &mut Random) -> Vec<[Vec3; 3]> {
    (0..150)
        .map(|_| {
            let (start, along) = (random.vector(10.0), random.direction() * random.range(1.0, 20.0));
            let width = 10.0_f32.powf(random.range(-7.0, -2.0));
            [start, start + along, start + along * random.unit() + random.vector(width)]
        })
        .collect()
}

fn coincident(random: &mut Random) -> Vec<[Vec3; 3]> {
    let few = soup(random, 12, 5.0);
    (0..150)
        .map(|_| {
            let [a, b, c] = *random.pick(&few);
            *random.pick(&[[a, b, c], [b, c, a], [a, c, b]])
        })
        .collect()
}
