//! What the painters share: texels with a height that is shaded, and bonds of stones.

use glam::{DVec2, DVec3};

use crate::generate::random::{Random, hash, mix, smoothstep};

/// What a painter says about a point of its picture.
#[derive(Clone, Copy)]
pub struct Texel {
    /// sRGB-encoded, 0 to 1.
    pub color: DVec3,
    /// Height over the surface; only differences count.
    pub height: f64,
    /// Opacity, 0 to 1.
    pub alpha: f64,
}

impl Texel {
    pub fn opaque(color: DVec3, height: f64) -> Texel {
        Texel { color, height, alpha: 1.0 }
    }
}

/// A colour from sRGB bytes.
pub const fn rgb(hex: u32) -> DVec3 {
    DVec3::new((hex >> 16 & 255) as f64 / 255.0, (hex >> 8 & 255) as f64 / 255.0, (hex & 255) as f64 / 255.0)
}

/// A square picture that tiles: `texel` is asked for each pixel at 0 to 1 along both axes, and its heights are lit from the
/// top left, `relief` times as strongly as they differ between neighbouring pixels.
pub fn paint(size: u32, relief: f64, texel: impl Fn(DVec2) -> Texel) -> Vec<u8> {
    let side = size as usize;
    let texels: Vec<Texel> = (0..side * side)
        .map(|i| texel(DVec2::new((i % side) as f64 + 0.5, (i / side) as f64 + 0.5) / f64::from(size)))
        .collect();
    let mut rgba = Vec::with_capacity(4 * texels.len());
    for y in 0..side {
        for x in 0..side {
            let height = |dx: usize, dy: usize| texels[(y + dy) % side * side + (x + dx) % side].height;
            let last = side - 1;
            let slope = height(1, 0) - height(last, 0) + height(0, 1) - height(0, last);
            let here = texels[y * side + x];
            let lit = here.color * (1.0 + relief * slope).clamp(0.45, 1.6);
            rgba.extend(lit.to_array().map(coarse_byte));
            rgba.push(byte(here.alpha));
        }
    }
    rgba
}

/// 0 to 1 as a byte.
pub fn byte(value: f64) -> u8 {
    (255.0 * value.clamp(0.0, 1.0)).round() as u8
}

/// 0 to 1 as one of 64 bytes: nobody sees the difference in a rough surface, and the file is smaller by a third.
fn coarse_byte(value: f64) -> u8 {
    ((63.0 * value.clamp(0.0, 1.0)).round() * (255.0 / 63.0)).round() as u8
}

/// Rows of stones that fill a unit square and tile.
pub struct Bond {
    seed: u64,
    rows: Vec<Row>,
}

struct Row {
    top: f64,
    bottom: f64,
    /// Left ends of the stones, ascending, the first at or above 0, the last below 1.
    joints: Vec<f64>,
}

/// Where in its stone a point lies.
#[derive(Clone, Copy)]
pub struct Stone {
    /// A number from 0 to below 1 that belongs to the stone.
    pub id: f64,
    /// Another.
    pub tone: f64,
    /// Distance inwards from the stone's edge with its corners rounded, in units of the square; negative outside.
    pub inside: f64,
    /// Position in the stone, 0 to 1 from its left and top.
    pub at: DVec2,
}

impl Bond {
    /// Stones of like size, each row moved by `shift` of a stone against the one above; `rows * shift` is whole.
    pub fn regular(seed: u64, rows: usize, columns: usize, shift: f64) -> Bond {
        let row = |i: usize| {
            let first = (i as f64 * shift).fract() / columns as f64;
            let joints = (0..columns).map(|j| first + j as f64 / columns as f64).collect();
            Row { top: i as f64 / rows as f64, bottom: (i + 1) as f64 / rows as f64, joints }
        };
        Bond { seed, rows: (0..rows).map(row).collect() }
    }

    /// Rows whose heights differ by up to `uneven` (0 to below 1) of the mean, of stones whose lengths do likewise.
    pub fn random(seed: u64, rows: usize, columns: usize, uneven: f64) -> Bond {
        let mut random = Random::new(seed, 0);
        let mut pieces = |count: usize| {
            let sizes: Vec<f64> = (0..count).map(|_| 1.0 + uneven * random.range(-1.0, 1.0)).collect();
            let total: f64 = sizes.iter().sum();
            let mut end = 0.0;
            let ends: Vec<f64> = sizes.iter().map(|size| (end += size / total, end).1).collect();
            (ends, random.unit())
        };
        let (bottoms, _) = pieces(rows);
        let mut bond = Bond { seed, rows: Vec::new() };
        for i in 0..rows {
            let count = columns - i % 2;
            let (ends, shift) = pieces(count);
            let mut joints: Vec<f64> = ends.iter().map(|end| (end + shift).fract()).collect();
            joints.sort_by(f64::total_cmp);
            let top = if i == 0 { 0.0 } else { bottoms[i - 1] };
            let bottom = if i + 1 == rows { 1.0 } else { bottoms[i] };
            bond.rows.push(Row { top, bottom, joints });
        }
        bond
    }

    /// The stone at a point, which may lie outside of the unit square.
    pub fn at(&self, point: DVec2, corner: f64) -> Stone {
        let (x, y) = (point.x.rem_euclid(1.0), point.y.rem_euclid(1.0));
        let number = self.rows.iter().position(|row| y < row.bottom).unwrap_or(self.rows.len() - 1);
        let row = &self.rows[number];
        let after = row.joints.iter().position(|&joint| x < joint);
        let count = row.joints.len();
        let (index, left, right) = match after {
            Some(0) => (count - 1, row.joints[count - 1] - 1.0, row.joints[0]),
            Some(i) => (i - 1, row.joints[i - 1], row.joints[i]),
            None => (count - 1, row.joints[count - 1], row.joints[0] + 1.0),
        };
        let half = DVec2::new(right - left, row.bottom - row.top) / 2.0;
        let from_center = (DVec2::new(x, y) - DVec2::new(left + half.x, row.top + half.y)).abs();
        let over = from_center - (half - corner);
        let outside = over.max(DVec2::ZERO).length() + over.max_element().min(0.0) - corner;
        let id = |salt| hash(self.seed, number as i64, index as i64, salt);
        Stone {
            id: id(0),
            tone: id(1),
            inside: -outside,
            at: DVec2::new((x - left) / (right - left), (y - row.top) / (row.bottom - row.top)),
        }
    }
}

/// The colour at `t` from 0 to 1 along evenly spaced colours.
pub fn ramp(colors: &[DVec3], t: f64) -> DVec3 {
    let scaled = t.clamp(0.0, 1.0) * (colors.len() - 1) as f64;
    let index = (scaled as usize).min(colors.len() - 2);
    colors[index].lerp(colors[index + 1], scaled - index as f64)
}

/// 1 well inside of a stone, 0 in the joint, over a rounded edge `soft` wide that starts `joint` from the stone's border.
pub fn dome(inside: f64, joint: f64, soft: f64) -> f64 {
    let t = smoothstep(joint, joint + soft, inside);
    mix(t, t.sqrt(), 0.5)
}
