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

    /// Levels below a cell that one key can address: all that 30 bits allow.
    pub(super) fn key_levels(self) -> u32 {
        KEY_BITS / self.digit_bits()
    }

    /// The path from a cell down to the cell of `center` as one number, [`Mode::key_levels`] digits, the topmost choice first.
    /// What lies outside counts to the nearest cell.
    #[inline]
    pub(super) fn key(self, cell: &Cell, center: DVec3) -> u32 {
        let steps = 1_u32 << self.key_levels();
        let place = (center - cell.min) * (f64::from(steps) / cell.size);
        // `as` rounds towards zero and clamps, which is floor here.
        let step = |place: f64| (place as u32).min(steps - 1);
        let (x, y, z) = (step(place.x), step(place.y), step(place.z));
        match self {
            Mode::Quadtree => spread_by_2(x) | spread_by_2(z) << 1,
            Mode::Octree => spread_by_3(x) | spread_by_3(y) << 1 | spread_by_3(z) << 2,
        }
    }
}

/// Bits of a key: a multiple of what either mode needs a level, with room for a triangle's number in the same word.
const KEY_BITS: u32 = 30;

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

    /// The cell `levels` below this one, at most 30, that `center` counts to.
    pub fn below(&self, center: DVec3, levels: u32) -> Cell {
        let steps = (1_u64 << levels) as f64;
        // The same expression as in `Mode::key`, where a power of two more or less changes no rounding.
        let place = (center - self.min) * (steps / self.size);
        let place = place.floor().clamp(DVec3::ZERO, DVec3::splat(steps - 1.0));
        let size = self.size / steps;
        Cell { min: self.min + place * size, size }
    }
}

/// Moves bit i of 15 bits to bit 2 i.
#[inline]
pub(crate) fn spread_by_2(bits: u32) -> u32 {
    let bits = (bits | bits << 8) & 0x00ff_00ff;
    let bits = (bits | bits << 4) & 0x0f0f_0f0f;
    let bits = (bits | bits << 2) & 0x3333_3333;
    (bits | bits << 1) & 0x5555_5555
}

/// Moves bit i of 10 bits to bit 3 i.
#[inline]
pub(crate) fn spread_by_3(bits: u32) -> u32 {
    let bits = (bits | bits << 16) & 0x0300_00ff;
    let bits = (bits | bits << 8) & 0x0300_f00f;
    let bits = (bits | bits << 4) & 0x030c_30c3;
    (bits | bits << 2) & 0x0924_9249
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_interleave_the_axes() {
        let cell = |mode: Mode| Cell { min: DVec3::ZERO, size: f64::from(1 << mode.key_levels()) };
        let place = DVec3::new(f64::from(0b1_0101), f64::from(0b0_0011), f64::from(0b1_0000));
        assert_eq!(Mode::Octree.key(&cell(Mode::Octree), place), 0b101_000_001_010_011);
        assert_eq!(Mode::Quadtree.key(&cell(Mode::Quadtree), place), 0b11_00_01_00_01);
        let last = DVec3::splat(1e30);
        for mode in [Mode::Octree, Mode::Quadtree] {
            assert_eq!(mode.key(&cell(mode), last), (1 << KEY_BITS) - 1);
            assert_eq!(mode.key(&cell(mode), -last), 0);
        }
    }

    #[test]
    fn a_cell_below_holds_its_centre() {
        let root = Cell::root(&Aabb { min: glam::Vec3::splat(-3.0), max: glam::Vec3::new(10.0, 0.0, 1.0) }, 2.0);
        assert_eq!(root.size, 16.0);
        let cell = root.below(DVec3::new(4.5, -1.0, 0.0), 3);
        assert_eq!(cell, Cell { min: root.min + DVec3::new(8.0, 8.0, 8.0), size: 2.0 });
    }
}
