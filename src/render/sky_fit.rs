//! Turning sky pictures so that they meet. Programs disagree about two things: which way round the upper and lower picture
//! lie, and, as Quake 3 names them, whether `rt` is to the right of `ft` or to its left. The pictures themselves tell.

use image::imageops::rotate90;
use image::{ImageBuffer, RgbaImage};

use super::sky::Side;
use crate::level::Texture;

type Sides = [Option<Texture>; 6];

/// Exchanges left and right, and turns the upper and lower picture by quarters, where their edges then match their
/// neighbours' clearly better. Pictures that match no better any other way stay as they are.
pub(super) fn fit(sides: &mut Sides) {
    let ring = |left: Side, right: Side| {
        let around = [Side::Front, right, Side::Back, left];
        mean((0..4).filter_map(|i| {
            let (from, to) = (sides[around[i] as usize].as_ref()?, sides[around[(i + 1) % 4] as usize].as_ref()?);
            Some(difference(&edge(from, Edge::Right), &edge(to, Edge::Left)))
        }))
    };
    if is_clearly_better(ring(Side::Right, Side::Left), ring(Side::Left, Side::Right)) {
        sides.swap(Side::Left as usize, Side::Right as usize);
    }
    for (lid, meets) in [(Side::Up, UP_MEETS), (Side::Down, DOWN_MEETS)] {
        let Some(picture) = sides[lid as usize].take() else { continue };
        let mut turned = vec![picture];
        for quarter in 0..3 {
            let next = quarter_turn(&turned[quarter]);
            turned.push(next);
        }
        let mismatches: Vec<Option<f32>> = turned.iter().map(|picture| lid_mismatch(sides, picture, &meets)).collect();
        let best = (1..4)
            .min_by(|&a, &b| mismatches[a].unwrap_or(f32::INFINITY).total_cmp(&mismatches[b].unwrap_or(f32::INFINITY)));
        let turn = best.filter(|&best| is_clearly_better(mismatches[best], mismatches[0])).unwrap_or(0);
        sides[lid as usize] = Some(turned.swap_remove(turn));
    }
}

/// Mean differences up to this, in steps of a byte, are a match.
const MATCH: f32 = 4.0;

fn is_clearly_better(other: Option<f32>, as_named: Option<f32>) -> bool {
    matches!((other, as_named), (Some(other), Some(as_named)) if as_named > MATCH && other < 0.6 * as_named)
}

#[derive(Clone, Copy)]
enum Edge {
    Left,
    Right,
    Top,
    Bottom,
}

/// Which edge of a lid meets which side, and whether the side's edge runs the other way.
type Meets = [(Edge, Side, bool); 4];

/// The upper picture meets the upper edges of the others.
const UP_MEETS: Meets = [
    (Edge::Bottom, Side::Front, false),
    (Edge::Right, Side::Right, true),
    (Edge::Top, Side::Back, true),
    (Edge::Left, Side::Left, false),
];

/// The lower picture meets the lower edges.
const DOWN_MEETS: Meets = [
    (Edge::Top, Side::Front, false),
    (Edge::Right, Side::Right, false),
    (Edge::Bottom, Side::Back, true),
    (Edge::Left, Side::Left, true),
];

fn lid_mismatch(sides: &Sides, lid: &Texture, meets: &Meets) -> Option<f32> {
    let side_edge = if matches!(meets[0].0, Edge::Bottom) { Edge::Top } else { Edge::Bottom };
    mean(meets.iter().filter_map(|&(lid_edge, side, reversed)| {
        let mut other = edge(sides[side as usize].as_ref()?, side_edge);
        if reversed {
            other.reverse();
        }
        Some(difference(&edge(lid, lid_edge), &other))
    }))
}

/// Places along an edge that are compared, so that sizes may differ.
const PLACES: usize = 64;

/// The colours along an edge, from left to right or from top to bottom.
fn edge(picture: &Texture, edge: Edge) -> [[f32; 3]; PLACES] {
    let (last_x, last_y) = (picture.width - 1, picture.height - 1);
    std::array::from_fn(|place| {
        let along = |last: u32| (place as u64 * u64::from(last) / (PLACES as u64 - 1)) as u32;
        let (x, y) = match edge {
            Edge::Left => (0, along(last_y)),
            Edge::Right => (last_x, along(last_y)),
            Edge::Top => (along(last_x), 0),
            Edge::Bottom => (along(last_x), last_y),
        };
        let at = 4 * (y as usize * picture.width as usize + x as usize);
        [0, 1, 2].map(|channel| f32::from(picture.rgba[at + channel]))
    })
}

/// The mean difference in steps of a byte.
fn difference(a: &[[f32; 3]; PLACES], b: &[[f32; 3]; PLACES]) -> f32 {
    let sum: f32 = a.iter().flatten().zip(b.iter().flatten()).map(|(a, b)| (a - b).abs()).sum();
    sum / (3 * PLACES) as f32
}

fn mean(values: impl Iterator<Item = f32>) -> Option<f32> {
    let (sum, count) = values.fold((0.0, 0), |(sum, count), value| (sum + value, count + 1));
    (count > 0).then(|| sum / count as f32)
}

/// The picture a quarter turn clockwise.
fn quarter_turn(picture: &Texture) -> Texture {
    let image: ImageBuffer<image::Rgba<u8>, &[u8]> =
        ImageBuffer::from_raw(picture.width, picture.height, &picture.rgba[..]).expect("four bytes a pixel");
    let turned: RgbaImage = rotate90(&image);
    Texture { path: picture.path.clone(), width: turned.width(), height: turned.height(), rgba: turned.into_raw() }
}
