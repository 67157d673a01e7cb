//! The level without materials and light, for those who look for faults in it or in its culling.

use crate::cull::visit_cells;
use crate::geometry::{Containment, Frustum};
use crate::tree::{Part, Tree};

/// What to show of the level instead of its materials. Props, balls and the sky are left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inspect {
    /// The normals, X, Y and Z as red, green and blue.
    Normals,
    /// How far away surfaces are.
    Depth,
    /// How many surfaces lie behind each other, hidden ones included.
    Overdraw,
    /// The cells that culling took, wholly in sight or crossing a plane.
    Cells,
}

/// Triangles of one cell that culling took, in the order of the index buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CellRange {
    /// First triangle.
    pub first: u32,
    /// How many.
    pub count: u32,
    /// Number of the cell.
    pub cell: u32,
    /// Whether the cell crosses a plane rather than being wholly in sight.
    pub crosses: bool,
}

/// Puts what culling takes through `frustum` into `ranges`, cell by cell, instead of what was there.
pub fn take_cells(ranges: &mut Vec<CellRange>, tree: &Tree, frustum: &Frustum) {
    ranges.clear();
    let groups = tree.groups();
    visit_cells(tree, frustum, |cell, containment| {
        let crosses = containment == Containment::Crossing;
        if containment == Containment::Inside || crosses && groups.is_chunk(cell) {
            let of = |part: &Part| CellRange { first: part.first, count: part.count, cell, crosses };
            ranges.extend(groups.parts(cell).iter().map(of));
        }
    });
}
