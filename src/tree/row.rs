//! Where to cut a row of boxes in two.

use super::bounds::Bounds;
use crate::simd::LANES;

/// Where to split a row of at most `N` boxes with their counts of triangles, at least 1 from either end: where the surface of
/// both sides, weighed by the packets that they need, is least.
pub(super) fn best_split<const N: usize>(
    row: impl ExactSizeIterator<Item = (Bounds, usize)> + DoubleEndedIterator + Clone,
) -> usize {
    let cost = |bounds: Bounds, count: usize| bounds.half_area() * count.div_ceil(LANES) as f32;
    let mut behind = [0.0; N];
    let mut side = (Bounds::EMPTY, 0);
    for (place, (bounds, count)) in row.clone().enumerate().rev() {
        side = (side.0.union(bounds), side.1 + count);
        behind[place] = cost(side.0, side.1);
    }
    let middle = row.len() / 2;
    let mut best = (f32::INFINITY, middle);
    side = (Bounds::EMPTY, 0);
    for (place, (bounds, count)) in row.clone().enumerate().take(row.len() - 1) {
        side = (side.0.union(bounds), side.1 + count);
        let cost = cost(side.0, side.1) + behind[place + 1];
        // Of equal places the one nearest to the middle.
        if cost < best.0 || cost == best.0 && (place + 1).abs_diff(middle) < best.1.abs_diff(middle) {
            best = (cost, place + 1);
        }
    }
    best.1
}
