//! Culling: a frustum and a tree in, ranges of the index buffer out. Nothing is copied, and nothing is allocated once the
//! list has grown to its tree.

use crate::geometry::{Containment, Frustum, Plane, rounding_slack};
use crate::tree::{DrawCell, Tree};

/// A run of triangles of one material in the order of [`Groups::triangles`](crate::tree::Groups::triangles).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawRange {
    /// Index into the level's materials.
    pub material: u32,
    /// First triangle.
    pub first: u32,
    /// How many triangles, at least 1.
    pub count: u32,
}

/// How much culling looked at and what it kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CullStatistics {
    /// Draw cells whose box was tested.
    pub visited: u32,
    /// Those wholly inside, taken without testing their children.
    pub inside: u32,
    /// Those crossing a plane.
    pub crossing: u32,
    /// Those wholly outside.
    pub outside: u32,
    /// Triangles in the ranges.
    pub triangles: u32,
    /// Materials with at least one range.
    pub materials: u32,
}

/// What to draw: ranges by material, in the order of the index buffer. Reused from frame to frame.
#[derive(Clone, Debug, Default)]
pub struct DrawList {
    ranges: Vec<DrawRange>,
    statistics: CullStatistics,
    /// Visible chunks as first and end, merged, in order.
    runs: Vec<(u32, u32)>,
}

/// Ranges of one material at most this many triangles apart are drawn as one: a draw call costs more than they do.
const MAX_GAP: u32 = 256;

impl DrawList {
    /// An empty list.
    pub fn new() -> DrawList {
        DrawList::default()
    }

    /// The ranges, ordered by material and then by place in the index buffer; none overlap.
    pub fn ranges(&self) -> &[DrawRange] {
        &self.ranges
    }

    /// What the last call looked at and kept.
    pub fn statistics(&self) -> &CullStatistics {
        &self.statistics
    }

    /// Fills the list with every triangle that can be seen through `frustum`, and a few beside them.
    pub fn cull(&mut self, tree: &Tree, frustum: &Frustum) {
        let groups = tree.groups();
        let mut statistics = CullStatistics::default();
        let mut runs = std::mem::take(&mut self.runs);
        runs.clear();
        visit_cells(tree, frustum, |cell, containment| {
            statistics.visited += 1;
            match containment {
                Containment::Outside => statistics.outside += 1,
                Containment::Inside => statistics.inside += 1,
                Containment::Crossing => statistics.crossing += 1,
            }
            if containment == Containment::Inside || containment == Containment::Crossing && groups.is_chunk(cell) {
                let chunks = groups.chunks_of(cell);
                match runs.last_mut() {
                    Some(last) if last.1 == chunks.start => last.1 = chunks.end,
                    _ => runs.push((chunks.start, chunks.end)),
                }
            }
        });
        self.runs = runs;
        self.statistics = statistics;
        self.expand(tree);
    }

    /// Fills the list with every triangle: one range a material.
    pub fn everything(&mut self, tree: &Tree) {
        self.statistics = CullStatistics::default();
        self.runs.clear();
        self.runs.push((0, tree.groups().chunk_count()));
        self.expand(tree);
    }

    /// Turns runs of chunks into ranges of materials.
    fn expand(&mut self, tree: &Tree) {
        let groups = tree.groups();
        self.ranges.clear();
        for (slot, &material) in groups.materials().iter().enumerate() {
            let of_material = self.ranges.len();
            for &(first, end) in &self.runs {
                let range = groups.range(slot, first..end);
                if range.is_empty() {
                    continue;
                }
                match self.ranges[of_material..].last_mut() {
                    Some(last) if range.start - (last.first + last.count) <= MAX_GAP => {
                        last.count = range.end - last.first;
                    }
                    _ => self.ranges.push(DrawRange { material, first: range.start, count: range.end - range.start }),
                }
            }
            self.statistics.materials += u32::from(self.ranges.len() > of_material);
        }
        self.statistics.triangles = self.ranges.iter().map(|range| range.count).sum();
    }
}

/// A plane with what does not change from box to box.
#[derive(Clone, Copy)]
struct CullPlane {
    plane: Plane,
    slack: f32,
}

/// Walks the draw cells depth first and tells where each lies. Below cells that are inside or outside nothing is visited;
/// planes that a cell is inside of are not tested again below it.
pub fn visit_cells(tree: &Tree, frustum: &Frustum, mut visit: impl FnMut(u32, Containment)) {
    let cells = tree.groups().cells();
    let magnitude = tree.bounds().min.abs().max(tree.bounds().max.abs());
    let planes: [CullPlane; 6] = std::array::from_fn(|i| {
        let plane = frustum.planes().get(i).copied().unwrap_or(Plane { normal: glam::Vec3::ZERO, distance: 0.0 });
        CullPlane { plane, slack: 4.0 * rounding_slack(&plane, magnitude) }
    });
    // Which planes are undecided until which cell. One entry an open ancestor.
    let mut open = [(cells.len() as u32, 0_u8); STACK];
    open[0].1 = ((1_u32 << frustum.planes().len()) - 1) as u8;
    let mut depth = 0;
    let mut index = 0;
    while let Some(cell) = cells.get(index as usize) {
        while open[depth].0 <= index {
            depth -= 1;
        }
        let undecided = classify(cell, &planes, open[depth].1);
        match undecided {
            None => visit(index, Containment::Outside),
            Some(0) => visit(index, Containment::Inside),
            Some(_) => visit(index, Containment::Crossing),
        }
        match undecided {
            Some(planes) if planes != 0 && cell.end > index + 1 => {
                depth += 1;
                open[depth] = (cell.end, planes);
                index += 1;
            }
            _ => index = cell.end,
        }
    }
}

/// Open ancestors at most: a tree's levels and the end of the list.
const STACK: usize = 64;

/// The planes among `undecided` that the cell's box crosses; `None` when it is outside of one.
fn classify(cell: &DrawCell, planes: &[CullPlane; 6], undecided: u8) -> Option<u8> {
    let center = 0.5 * cell.bounds.min + 0.5 * cell.bounds.max;
    let half = 0.5 * cell.bounds.max - 0.5 * cell.bounds.min;
    let (mut left, mut crossing) = (undecided, 0);
    while left != 0 {
        let at = left.trailing_zeros();
        left &= left - 1;
        let CullPlane { plane, slack } = &planes[at as usize];
        let distance = plane.signed_distance(center);
        let reach = plane.normal.abs().dot(half) + slack;
        if distance < -reach {
            return None;
        }
        if distance < reach {
            crossing |= 1 << at;
        }
    }
    Some(crossing)
}
