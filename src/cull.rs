//! Culling: a frustum and a tree in, ranges of the index buffer out. Nothing is copied, and nothing is allocated once the
//! list has grown to its tree.

mod pyramid;

pub use pyramid::{DepthPyramid, SeenChunks, TILE};

use crate::geometry::{Containment, Frustum, Plane, rounding_slack};
use crate::tree::{DrawCell, Part, Tree};

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
    /// Those in view but hidden behind what is nearer, of the ones visited.
    pub hidden: u32,
    /// Triangles in hidden cells.
    pub hidden_triangles: u32,
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
    /// Ranges of each material slot as first and end, in order, those that touch merged.
    slots: Vec<Vec<(u32, u32)>>,
}

/// Gaps between ranges are drawn over, the smallest first, while they add at most this share of the visible triangles: a draw
/// call costs more than some triangles that are clipped.
const GAP_SHARE: f32 = 0.09;

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
        self.fill(tree, frustum, |_, containment, is_chunk| match containment {
            Containment::Inside => Verdict::Take,
            _ if is_chunk => Verdict::Take,
            _ => Verdict::Descend,
        });
    }

    /// The same without what is hidden in the picture that `pyramid` was made of, which must be one of this tree's level
    /// through the same view. Notes in `seen` the chunks that it takes.
    ///
    /// The picture with the hidden left out is the same to the pixel, as it would have been drawn over or failed the depth
    /// test: opaque surfaces hide, whatever their order.
    pub fn cull_hidden(&mut self, tree: &Tree, frustum: &Frustum, pyramid: &DepthPyramid, seen: &mut SeenChunks) {
        let cells = tree.groups().cells();
        seen.clear(cells.len());
        self.fill(tree, frustum, |cell, _, is_chunk| {
            if pyramid.hides(&cells[cell as usize].bounds) {
                Verdict::Hidden
            } else if is_chunk {
                seen.insert(cell);
                Verdict::Take
            } else {
                Verdict::Descend
            }
        });
    }

    /// Fills the list with the chunks among `seen` that can be seen through `frustum`.
    pub fn cull_seen(&mut self, tree: &Tree, frustum: &Frustum, seen: &SeenChunks) {
        self.fill(tree, frustum, |cell, _, is_chunk| match is_chunk {
            true if seen.contains(cell) => Verdict::Take,
            true => Verdict::Leave,
            false => Verdict::Descend,
        });
    }

    /// Fills the list with every triangle: one range a material.
    pub fn everything(&mut self, tree: &Tree) {
        self.begin(tree);
        take(&mut self.slots, tree.groups().whole());
        self.finish(tree);
    }

    /// Fills the list with the cells that are to be taken of those that are not outside.
    #[inline(always)]
    fn fill(&mut self, tree: &Tree, frustum: &Frustum, mut judge: impl FnMut(u32, Containment, bool) -> Verdict) {
        let groups = tree.groups();
        self.begin(tree);
        let DrawList { statistics, slots, .. } = self;
        walk_cells(tree, frustum, |cell, containment| {
            statistics.visited += 1;
            match containment {
                Containment::Outside => {
                    statistics.outside += 1;
                    return false;
                }
                Containment::Inside => statistics.inside += 1,
                Containment::Crossing => statistics.crossing += 1,
            }
            let verdict = judge(cell, containment, groups.is_chunk(cell));
            match verdict {
                Verdict::Take => take(slots, groups.parts(cell)),
                Verdict::Hidden => {
                    statistics.hidden += 1;
                    statistics.hidden_triangles += groups.parts(cell).iter().map(|part| part.count).sum::<u32>();
                }
                Verdict::Leave | Verdict::Descend => {}
            }
            verdict == Verdict::Descend
        });
        self.finish(tree);
    }

    fn begin(&mut self, tree: &Tree) {
        self.statistics = CullStatistics::default();
        self.slots.resize_with(tree.groups().materials().len(), Vec::new);
        self.slots.iter_mut().for_each(Vec::clear);
    }

    /// The size up to which all gaps can be drawn over within [`GAP_SHARE`], to a power of two.
    fn affordable_gap(&self) -> u32 {
        let visible: u32 = self.slots.iter().flatten().map(|(first, end)| end - first).sum();
        // Triangles in gaps of 1, of 2 and 3, of 4 to 7 and so on.
        let mut in_gaps = [0_u64; 32];
        for slot in &self.slots {
            for pair in slot.windows(2) {
                let gap = pair[1].0 - pair[0].1;
                in_gaps[gap.ilog2() as usize] += u64::from(gap);
            }
        }
        let mut left = (GAP_SHARE * visible as f32) as u64;
        for (power, &triangles) in in_gaps.iter().enumerate() {
            match left.checked_sub(triangles) {
                Some(rest) => left = rest,
                None => return (1 << power) - 1,
            }
        }
        u32::MAX
    }

    /// Draws over small gaps and writes the ranges material by material.
    fn finish(&mut self, tree: &Tree) {
        self.ranges.clear();
        let greatest_gap = self.affordable_gap();
        for (slot, &material) in self.slots.iter().zip(tree.groups().materials()) {
            let of_material = self.ranges.len();
            for &(first, end) in slot {
                match self.ranges[of_material..].last_mut() {
                    Some(last) if first - (last.first + last.count) <= greatest_gap => last.count = end - last.first,
                    _ => self.ranges.push(DrawRange { material, first, count: end - first }),
                }
            }
            self.statistics.materials += u32::from(self.ranges.len() > of_material);
        }
        self.statistics.triangles = self.ranges.iter().map(|range| range.count).sum();
    }
}

/// What becomes of a cell that is not outside.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Verdict {
    /// All of it is drawn.
    Take,
    /// Its children are looked at.
    Descend,
    /// It is left out.
    Leave,
    /// It is left out because of what is nearer.
    Hidden,
}

/// Adds the parts of a cell, the next in depth-first order.
fn take(slots: &mut [Vec<(u32, u32)>], parts: &[Part]) {
    for part in parts {
        let ranges = &mut slots[part.slot as usize];
        match ranges.last_mut() {
            Some(last) if last.1 == part.first => last.1 += part.count,
            _ => ranges.push((part.first, part.first + part.count)),
        }
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
    walk_cells(tree, frustum, |cell, containment| {
        visit(cell, containment);
        containment == Containment::Crossing
    });
}

/// Walks the draw cells depth first; below those for which `visit` says no, or that are outside, nothing is visited.
#[inline(always)]
fn walk_cells(tree: &Tree, frustum: &Frustum, mut visit: impl FnMut(u32, Containment) -> bool) {
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
        let descends = match undecided {
            None => visit(index, Containment::Outside),
            Some(0) => visit(index, Containment::Inside),
            Some(_) => visit(index, Containment::Crossing),
        };
        match undecided {
            Some(planes) if descends && cell.end > index + 1 => {
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
        let distance = plane.rough_distance(center);
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
