//! A depth pyramid: how deep a drawn picture reaches, so that culling can leave out what is hidden behind it.
//!
//! Source: Greene, Kass and Miller, "Hierarchical Z-Buffer Visibility", SIGGRAPH 1993.

use glam::{DMat4, DVec3, DVec4, Mat4};

use crate::geometry::Aabb;

/// Pixels along each side of a tile, the finest that the pyramid tells apart.
pub const TILE: u32 = 4;

/// The farthest reversed depth (1 at the near plane, 0 at the farthest) that was drawn in each tile of a picture, and in
/// blocks of 2, 4, 8 and more tiles. One that was never filled hides nothing.
#[derive(Clone, Debug, Default)]
pub struct DepthPyramid {
    clip_from_world: DMat4,
    /// In pixels.
    size: [f64; 2],
    /// More than rounding to f32 moves the depth and the W of a point of the level in clip space.
    depth_error: f64,
    w_error: f64,
    /// From fine to coarse, each with half the width and height of the one before, rounded up.
    levels: Vec<Level>,
}

#[derive(Clone, Debug, Default)]
struct Level {
    width: usize,
    height: usize,
    /// Row by row from the top.
    farthest: Vec<f32>,
}

/// A depth is stored, compared and interpolated with this relative error at most.
const DEPTH_SLACK: f64 = 1e-5;
/// More than a depth errs where it was moved to the range from -1 to 1 on the way, as in OpenGL.
const RANGE_SLACK: f64 = 1.0 / (1 << 21) as f64;
/// More pixels than rounding, and the grid that adapters put corners on, move a corner.
const PIXEL_SLACK: f64 = 0.25;
/// Tiles along each side that are looked at for one box; of larger boxes, coarser ones.
const MOST_TILES: usize = 4;

impl DepthPyramid {
    /// One that hides nothing.
    pub fn new() -> DepthPyramid {
        DepthPyramid::default()
    }

    /// How many tiles a picture of `size` pixels has: columns and rows.
    pub fn tiles((width, height): (u32, u32)) -> (u32, u32) {
        (width.div_ceil(TILE), height.div_ceil(TILE))
    }

    /// Takes in a picture of `size` pixels that was drawn through `clip_from_world`, with reversed depth, of a level within
    /// `bounds`: for each tile, row by row from the top, the farthest depth of all its samples. A tile in which something is
    /// not covered has the depth 0.
    ///
    /// # Panics
    /// When `farthest` gives fewer numbers than there are tiles.
    pub fn fill(
        &mut self,
        clip_from_world: Mat4,
        size: (u32, u32),
        bounds: &Aabb,
        farthest: impl IntoIterator<Item = f32>,
    ) {
        self.clip_from_world = clip_from_world.as_dmat4();
        self.size = [f64::from(size.0), f64::from(size.1)];
        // Four products and their sum, in f32, once for what is hidden and once for what hides it.
        let magnitude = bounds.min.abs().max(bounds.max.abs()).as_dvec3().extend(1.0);
        let error = |row: DVec4| 16.0 * f64::from(f32::EPSILON) * row.abs().dot(magnitude);
        (self.depth_error, self.w_error) = (error(self.clip_from_world.row(2)), error(self.clip_from_world.row(3)));
        let (width, height) = DepthPyramid::tiles(size);
        let (mut width, mut height) = (width as usize, height as usize);
        let mut count = 1;
        self.level(0, width, height).extend(farthest.into_iter().take(width * height));
        assert_eq!(self.levels[0].farthest.len(), width * height, "a depth for each tile");
        while width.max(height) > MOST_TILES / 2 {
            (width, height) = (width.div_ceil(2), height.div_ceil(2));
            self.level(count, width, height);
            let (finer, coarser) = self.levels.split_at_mut(count);
            coarser[0].gather(&finer[count - 1]);
            count += 1;
        }
        self.levels.truncate(count);
    }

    /// Forgets the picture: hides nothing.
    pub fn clear(&mut self) {
        self.levels.clear();
    }

    /// Whether a picture of the level in that view is the same without whatever lies in a box: everywhere in front of it
    /// something was drawn, as far as the box reaches in the picture. Conservative: where rounding could matter it is not
    /// hidden, nor is a box that reaches before the near plane.
    pub fn hides(&self, bounds: &Aabb) -> bool {
        let Some((rectangle, nearest)) = self.project(bounds) else { return false };
        // The level on which the box has few tiles.
        let [columns, rows] = rectangle.map(|[first, last]| last - first + 1);
        let mut coarseness = 0;
        while (columns.max(rows) - 1) >> coarseness > MOST_TILES - 2 && coarseness + 1 < self.levels.len() {
            coarseness += 1;
        }
        let level = &self.levels[coarseness];
        let [[left, right], [top, bottom]] = rectangle.map(|ends| ends.map(|end| end >> coarseness));
        (top..=bottom).all(|row| {
            let row = row * level.width;
            level.farthest[row + left..=row + right].iter().all(|&farthest| nearest < f64::from(farthest))
        })
    }

    /// Which tiles a box can touch, as first and last column and first and last row, and its depth where it is nearest.
    /// `None` where it reaches before the near plane, beside the picture, or where there is no picture.
    fn project(&self, bounds: &Aabb) -> Option<([[usize; 2]; 2], f64)> {
        let tiles = self.levels.first()?;
        let edge = |axis: usize| self.clip_from_world.col(axis) * f64::from(bounds.max[axis] - bounds.min[axis]);
        let (x, y, z) = (edge(0), edge(1), edge(2));
        let corner = self.clip_from_world * bounds.min.as_dvec3().extend(1.0);
        let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        let mut least_w = f64::INFINITY;
        for bottom in [corner, corner + x, corner + z, corner + x + z] {
            for corner in [bottom, bottom + y] {
                let w = corner.w - self.w_error;
                least_w = least_w.min(w);
                let depth = (corner.z + self.depth_error) / w;
                let projected = DVec3::new(corner.x / corner.w, -corner.y / corner.w, depth);
                (low, high) = (low.min(projected), high.max(projected));
            }
        }
        // Written so that NaN is before the near plane.
        let nearest = high.z * (1.0 + DEPTH_SLACK) + RANGE_SLACK;
        let is_whole = least_w > self.w_error && nearest < 1.0;
        if !is_whole {
            return None;
        }
        // How far an error of W moves the corner that is farthest from the middle.
        let aside = 1.0 + low.truncate().abs().max(high.truncate().abs()).max_element();
        let span = |axis: usize, tiles: usize| {
            let size = self.size[axis];
            let slack = PIXEL_SLACK + size * aside * self.w_error / least_w;
            let first = (0.5 * (low[axis] + 1.0) * size - slack) / f64::from(TILE);
            let last = (0.5 * (high[axis] + 1.0) * size + slack) / f64::from(TILE);
            // A cast saturates.
            (last >= 0.0 && first < tiles as f64).then(|| [first as usize, (last as usize).min(tiles - 1)])
        };
        Some(([span(0, tiles.width)?, span(1, tiles.height)?], nearest))
    }

    /// The level of that number, emptied, with room for as much.
    fn level(&mut self, number: usize, width: usize, height: usize) -> &mut Vec<f32> {
        if self.levels.len() == number {
            self.levels.push(Level::default());
        }
        let level = &mut self.levels[number];
        (level.width, level.height) = (width, height);
        level.farthest.clear();
        level.farthest.reserve(width * height);
        &mut level.farthest
    }
}

impl Level {
    /// Fills this from the level with twice its width and height.
    fn gather(&mut self, finer: &Level) {
        for row in 0..self.height {
            let rows = [2 * row, (2 * row + 1).min(finer.height - 1)];
            for column in 0..self.width {
                let columns = [2 * column, (2 * column + 1).min(finer.width - 1)];
                let at = |row: usize, column: usize| finer.farthest[row * finer.width + column];
                let [one, other] = rows.map(|row| at(row, columns[0]).min(at(row, columns[1])));
                self.farthest.push(one.min(other));
            }
        }
    }
}

/// The chunks that were seen in a frame, by their draw cells.
#[derive(Clone, Debug, Default)]
pub struct SeenChunks {
    words: Vec<u64>,
}

impl SeenChunks {
    /// None of `cells` draw cells.
    pub fn clear(&mut self, cells: usize) {
        self.words.clear();
        self.words.resize(cells.div_ceil(64), 0);
    }

    /// Notes that a chunk was seen.
    pub fn insert(&mut self, cell: u32) {
        self.words[cell as usize / 64] |= 1 << (cell % 64);
    }

    /// Whether it was.
    pub fn contains(&self, cell: u32) -> bool {
        self.words.get(cell as usize / 64).is_some_and(|word| word >> (cell % 64) & 1 != 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::camera::Camera;
    use glam::Vec3;

    /// Eight tiles by six.
    const SIZE: (u32, u32) = (8 * TILE, 6 * TILE);

    /// A pyramid of a view along -Z from the origin, in which everything at `distance` is covered but for some tiles.
    fn wall(distance: f32, holes: &[(u32, u32)]) -> DepthPyramid {
        let camera = Camera { aspect: 4.0 / 3.0, ..Camera::default() };
        let (columns, rows) = DepthPyramid::tiles(SIZE);
        let tiles = (0..rows).flat_map(|row| (0..columns).map(move |column| (column, row)));
        let depth = camera.near / distance;
        let mut pyramid = DepthPyramid::new();
        let bounds = Aabb { min: Vec3::splat(-100.0), max: Vec3::splat(100.0) };
        let farthest = tiles.map(|tile| if holes.contains(&tile) { 0.0 } else { depth });
        pyramid.fill(camera.clip_from_world(), SIZE, &bounds, farthest);
        pyramid
    }

    fn ball(x: f32, y: f32, distance: f32, radius: f32) -> Aabb {
        let center = Vec3::new(x, y, -distance);
        Aabb { min: center - Vec3::splat(radius), max: center + Vec3::splat(radius) }
    }

    #[test]
    fn behind_a_wall_is_hidden_and_before_it_is_not() {
        let pyramid = wall(10.0, &[]);
        assert!(pyramid.hides(&ball(0.0, 0.0, 20.0, 1.0)));
        assert!(pyramid.hides(&ball(3.0, -2.0, 11.01, 1.0)));
        assert!(!pyramid.hides(&ball(0.0, 0.0, 10.99, 1.0)), "it comes through the wall");
        assert!(!pyramid.hides(&ball(0.0, 0.0, 11.0, 1.0)), "it touches the wall: rounding decides");
        assert!(!pyramid.hides(&ball(0.0, 0.0, 5.0, 1.0)));
    }

    #[test]
    fn what_reaches_before_the_eye_is_never_hidden() {
        let pyramid = wall(0.06, &[]);
        assert!(pyramid.hides(&ball(0.0, 0.0, 2.0, 1.0)));
        assert!(!pyramid.hides(&ball(0.0, 0.0, 0.0, 1.0)));
        assert!(!pyramid.hides(&ball(0.0, 0.0, 1.0, 1.0)));
        assert!(!pyramid.hides(&ball(0.0, 0.0, -20.0, 1.0)), "behind the eye");
        assert!(!pyramid.hides(&Aabb { min: Vec3::NAN, max: Vec3::NAN }));
    }

    #[test]
    fn one_hole_is_enough_however_large_the_box() {
        for (column, row) in [(0, 0), (7, 5), (3, 2), (4, 3), (7, 0)] {
            let pyramid = wall(10.0, &[(column, row)]);
            assert!(!pyramid.hides(&ball(0.0, 0.0, 30.0, 15.0)), "{column} {row}: all of the picture");
            // The middle of the tile, 40 m away.
            let half_height = 40.0 * 30_f32.to_radians().tan();
            let x = ((column as f32 + 0.5) / 4.0 - 1.0) * half_height * 4.0 / 3.0;
            let y = (1.0 - (row as f32 + 0.5) / 3.0) * half_height;
            assert!(!pyramid.hides(&ball(x, y, 40.0, 0.1)), "{column} {row}: within the hole");
            assert!(pyramid.hides(&ball(-x, -y, 40.0, 0.1)), "{column} {row}: on the other side");
        }
    }

    #[test]
    fn nothing_is_hidden_by_no_picture() {
        assert!(!DepthPyramid::new().hides(&ball(0.0, 0.0, 20.0, 1.0)));
        let mut pyramid = wall(1.0, &[]);
        pyramid.clear();
        assert!(!pyramid.hides(&ball(0.0, 0.0, 20.0, 1.0)));
    }
}
