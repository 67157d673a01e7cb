//! The splitting rule: all in which quadtree and octree differ.

use glam::DVec3;

use crate::geometry::Aabb;

/// How many times a cell can be halved; deeper, f32 positions cannot tell cells apart.
pub(super) const MAX_LEVEL: u32 = 42;

/// Which axes a cell is halved along.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mode {
    /// X and Z: four children.
    Quadtree,
    /// X, Y and Z: eight children.
    Octree,
}

impl Mode {
    /// The quadtree where the level is flat for its width, the octree otherwise.
    pub fn for_bounds(bounds: &Aabb) -> Mode {
        let size = bounds.size().as_dvec3();
        if size.y < 0.25 * (size.x * size.z).sqrt() { Mode::Quadtree } else { Mode::Octree }
    }

    /// The other mode.
    #[must_use]
    pub fn toggled(self) -> Mode {
        match self {
            Mode::Quadtree => Mode::Octree,
            Mode::Octree => Mode::Quadtree,
        }
    }

    /// `quadtree` or `octree`.
    pub fn name(self) -> &'static str {
        match self {
            Mode::Quadtree => "quadtree",
            Mode::Octree => "octree",
        }
    }

    /// Bits of a key that choose a child.
    pub(super) fn digit_bits(self) -> u32 {
        match self {
            Mode::Quadtree => 2,
            Mode::Octree => 3,
        }
    }

    /// The path from a cell down to the cell of `center` as one number, [`KEY_LEVELS`] digits, the topmost choice first.
    /// What lies outside counts to the nearest cell.
    pub(super) fn key(self, cell: &Cell, center: DVec3) -> u64 {
        let steps = (1_u64 << KEY_LEVELS) as f64;
        let place = (center - cell.min) * (steps / cell.size);
        // `as` rounds towards zero and clamps, which is floor here.
        let [x, y, z] = place.to_array().map(|place| (place as u64).min((1 << KEY_LEVELS) - 1));
        match self {
            Mode::Quadtree => spread(x, 2) | spread(z, 2) << 1,
            Mode::Octree => spread(x, 3) | spread(y, 3) << 1 | spread(z, 3) << 2,
        }
    }
}

/// Levels below a cell that one key can address: 63 bits, three a level.
pub(super) const KEY_LEVELS: u32 = 21;

/// A cubic cell, half-open: it holds its least faces and not its greatest. A quadtree ignores its Y.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Cell {
    pub min: DVec3,
    pub size: f64,
}

impl Cell {
    /// A cube around `bounds` whose edge is the leaf size doubled as often as needed, so that leaves have just that size.
    pub fn root(bounds: &Aabb, leaf_size: f32) -> Cell {
        let (min, max) = (bounds.min.as_dvec3(), bounds.max.as_dvec3());
        let doublings = ((max - min).max_element() / f64::from(leaf_size)).log2().ceil().max(0.0);
        let size = f64::from(leaf_size) * doublings.exp2();
        Cell { min: 0.5 * (min + max) - DVec3::splat(0.5 * size), size }
    }

    /// The cell `levels` below this one (at most [`KEY_LEVELS`]) that `center` counts to.
    pub fn below(&self, center: DVec3, levels: u32) -> Cell {
        let steps = (1_u64 << levels) as f64;
        // The same expression as in `Mode::key`, where a power of two more or less changes no rounding.
        let place = (center - self.min) * (steps / self.size);
        let place = place.floor().clamp(DVec3::ZERO, DVec3::splat(steps - 1.0));
        let size = self.size / steps;
        Cell { min: self.min + place * size, size }
    }
}

/// Moves bit i of `value` (21 bits) to bit `i * stride`.
fn spread(value: u64, stride: u32) -> u64 {
    let masks: [(u32, u64); 5] = match stride {
        2 => [
            (16, 0x0000_ffff_0000_ffff),
            (8, 0x00ff_00ff_00ff_00ff),
            (4, 0x0f0f_0f0f_0f0f_0f0f),
            (2, 0x3333_3333_3333_3333),
            (1, 0x5555_5555_5555_5555),
        ],
        _ => [
            (32, 0x001f_0000_0000_ffff),
            (16, 0x001f_0000_ff00_00ff),
            (8, 0x100f_00f0_0f00_f00f),
            (4, 0x10c3_0c30_c30c_30c3),
            (2, 0x1249_2492_4924_9249),
        ],
    };
    masks.iter().fold(value, |value, &(shift, mask)| (value | value << shift) & mask)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_interleave_the_axes() {
        let cell = Cell { min: DVec3::ZERO, size: (1_u64 << KEY_LEVELS) as f64 };
        let place = DVec3::new(f64::from(0b1_0101), f64::from(0b0_0011), f64::from(0b1_0000));
        assert_eq!(Mode::Octree.key(&cell, place), 0b101_000_001_010_011);
        assert_eq!(Mode::Quadtree.key(&cell, place), 0b11_00_01_00_01);
        let last = DVec3::splat(1e30);
        assert_eq!(Mode::Octree.key(&cell, last), (1 << 63) - 1);
        assert_eq!(Mode::Quadtree.key(&cell, last), (1 << 42) - 1);
        assert_eq!(Mode::Octree.key(&cell, -last), 0);
    }

    #[test]
    fn a_cell_below_holds_its_centre() {
        let root = Cell::root(&Aabb { min: glam::Vec3::splat(-3.0), max: glam::Vec3::new(10.0, 0.0, 1.0) }, 2.0);
        assert_eq!(root.size, 16.0);
        let cell = root.below(DVec3::new(4.5, -1.0, 0.0), 3);
        assert_eq!(cell, Cell { min: root.min + DVec3::new(8.0, 8.0, 8.0), size: 2.0 });
    }
}
