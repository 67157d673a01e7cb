//! Cutting polygons into triangles.

use earcut::Earcut;
use glam::{DVec3, Vec3};

/// How far, as the sine of the angle, a corner may bend inwards and still count as straight: rounding of the file's numbers.
const STRAIGHT: f64 = 1e-6;

/// How far, as a part of the polygon's area, the areas of its triangles may miss it before the cut is called doubtful.
const AREA_TOLERANCE: f64 = 1e-6;

/// Corners up to which every concave polygon goes to the ear clipper. Beyond, only outlines that do not touch themselves do:
/// on others its time can grow with the cube of the corners.
const MAX_TANGLED: usize = 512;

/// Corners beyond which a concave polygon is cut as a fan whatever it is like, as the time grows with their square: a comb with long
/// teeth takes a third of a second at this length, and 100 s with sixteen times as many corners.
pub(super) const MAX_CONCAVE: usize = 1 << 13;

/// Cuts polygons, reusing its memory.
pub(super) struct Triangulator {
    earcut: Earcut<f64>,
    flat: Vec<[f64; 2]>,
    ears: Vec<u32>,
}

impl Triangulator {
    pub fn new() -> Triangulator {
        Triangulator { earcut: Earcut::new(), flat: Vec::new(), ears: Vec::new() }
    }

    /// Appends the triangles of a polygon as indices into `corners` (at least three), always two less than it has corners,
    /// turned like the polygon. A convex one becomes a fan from its first corner. Tells whether the triangles cover just the
    /// polygon.
    ///
    /// Concave polygons are cut by ear clipping (Meisters, "Polygons Have Ears", 1975) after projection along the axis that
    /// is nearest to the normal by Newell's method; that keeps coordinates exact.
    pub fn cut(&mut self, corners: &[Vec3], triangles: &mut Vec<[u32; 3]>) -> Cut {
        let count = corners.len() as u32;
        let fan = |triangles: &mut Vec<[u32; 3]>| triangles.extend((1..count - 1).map(|i| [0, i, i + 1]));
        if count == 3 {
            fan(triangles);
            return Cut::Exact;
        }
        let normal = newell(corners.iter().copied());
        if !normal.is_finite() {
            fan(triangles);
            return Cut::Exact;
        }
        if normal == DVec3::ZERO {
            let has_area = |i: usize| crate::geometry::has_area(&[corners[0], corners[i], corners[i + 1]]);
            fan(triangles);
            return Cut::exact_if(!(1..corners.len() - 1).any(has_area));
        }
        self.flat.clear();
        self.flat.extend(corners.iter().map(|corner| along_normal(corner.as_dvec3(), normal)));
        if is_convex(&self.flat) {
            fan(triangles);
            return Cut::Exact;
        }
        if corners.len() > MAX_CONCAVE {
            fan(triangles);
            return Cut::TooLong;
        }
        if corners.len() > MAX_TANGLED && touches_itself(&self.flat) {
            fan(triangles);
            return Cut::Doubtful;
        }
        self.earcut.earcut_slice(&self.flat, &[], &mut self.ears);
        let first = triangles.len();
        let mut area = 0.0;
        for ear in self.ears.chunks_exact(3).take(corners.len() - 2) {
            let [a, b, c] = [ear[0], ear[1], ear[2]];
            let twice = twice_area(self.flat[a as usize], self.flat[b as usize], self.flat[c as usize]);
            area += twice.abs();
            triangles.push(if twice < 0.0 { [a, c, b] } else { [a, b, c] });
        }
        // Corners on a straight line may have gone: each is an empty triangle, so that numbers do not depend on them.
        while triangles.len() - first < corners.len() - 2 {
            triangles.push([0, 1, 1]);
        }
        let whole: f64 =
            (1..self.flat.len() - 1).map(|i| twice_area(self.flat[0], self.flat[i], self.flat[i + 1])).sum();
        Cut::exact_if((area - whole).abs() <= AREA_TOLERANCE * whole.abs())
    }
}

/// How a polygon was cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cut {
    /// The triangles cover it, and nothing else.
    Exact,
    /// Its outline crosses itself: as well as may be.
    Doubtful,
    /// It is concave and longer than [`MAX_CONCAVE`]: as a fan, whatever that covers.
    TooLong,
}

impl Cut {
    fn exact_if(is_exact: bool) -> Cut {
        if is_exact { Cut::Exact } else { Cut::Doubtful }
    }
}

/// The normal of a polygon by Newell's method, of twice its area in length; zero where it has none.
pub(super) fn newell(corners: impl Iterator<Item = Vec3> + Clone) -> DVec3 {
    let Some(first) = corners.clone().next().map(Vec3::as_dvec3) else { return DVec3::ZERO };
    // Against the first corner, so that large coordinates do not cancel.
    let mut edges = corners.map(|corner| corner.as_dvec3() - first);
    let mut before = edges.next().unwrap_or_default();
    edges.fold(DVec3::ZERO, |normal, edge| {
        let sum = normal + before.cross(edge);
        before = edge;
        sum
    })
}

/// The two coordinates across the axis that `normal` is nearest to, counter-clockwise seen against it.
fn along_normal(point: DVec3, normal: DVec3) -> [f64; 2] {
    let size = normal.abs();
    let (axis, u, v) = if size.x >= size.y && size.x >= size.z {
        (normal.x, point.y, point.z)
    } else if size.y >= size.z {
        (normal.y, point.z, point.x)
    } else {
        (normal.z, point.x, point.y)
    };
    if axis > 0.0 { [u, v] } else { [v, u] }
}

fn twice_area(a: [f64; 2], b: [f64; 2], c: [f64; 2]) -> f64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

/// Whether a counter-clockwise outline turns left at every corner, straight on allowed, and goes round once.
fn is_convex(outline: &[[f64; 2]]) -> bool {
    let count = outline.len();
    let edge = |i: usize| {
        let (from, to) = (outline[i % count], outline[(i + 1) % count]);
        [to[0] - from[0], to[1] - from[1]]
    };
    // Edges of length 0 have no direction.
    let mut edges = (0..count).map(edge).filter(|edge| *edge != [0.0, 0.0]);
    let Some(first) = edges.next() else { return false };
    let (mut before, mut changes) = (first, 0);
    for next in edges.chain(std::iter::once(first)) {
        let cross = before[0] * next[1] - before[1] * next[0];
        let lengths = before[0].hypot(before[1]) * next[0].hypot(next[1]);
        let goes_back = cross.abs() <= STRAIGHT * lengths && before[0] * next[0] + before[1] * next[1] < 0.0;
        if cross < -STRAIGHT * lengths || goes_back {
            return false;
        }
        // Going round once, the direction changes twice between the left and the right half.
        changes += u32::from(is_leftwards(before) != is_leftwards(next));
        before = next;
    }
    changes <= 2
}

/// Whether a direction lies in the half from straight up (with it) over left to straight down (without it).
fn is_leftwards([x, y]: [f64; 2]) -> bool {
    x < 0.0 || x == 0.0 && y > 0.0
}

/// Whether two edges of an outline that do not follow each other have a point in common.
///
/// By sweep and prune along the axis on which the edges are shorter.
fn touches_itself(outline: &[[f64; 2]]) -> bool {
    let count = outline.len();
    let edge = |i: usize| [outline[i], outline[(i + 1) % count]];
    let extent = |axis: usize| (0..count).map(|i| (edge(i)[1][axis] - edge(i)[0][axis]).abs()).sum::<f64>();
    let axis = usize::from(extent(1) < extent(0));
    let span = |i: usize, axis: usize| {
        let [from, to] = edge(i).map(|point| point[axis]);
        (from.min(to), from.max(to))
    };
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by(|&a, &b| span(a, axis).0.total_cmp(&span(b, axis).0));
    order.iter().enumerate().any(|(place, &a)| {
        let beside = order[place + 1..].iter().take_while(|&&b| span(b, axis).0 <= span(a, axis).1);
        let ((least, greatest), [from, to]) = (span(a, 1 - axis), edge(a));
        beside.filter(|&&b| (a + 1) % count != b && (b + 1) % count != a).any(|&b| {
            let ((other_least, other_greatest), [other_from, other_to]) = (span(b, 1 - axis), edge(b));
            let are_apart = |from, to, a, b| {
                let (a, b) = (twice_area(from, to, a), twice_area(from, to, b));
                a.min(b) > 0.0 || a.max(b) < 0.0
            };
            least <= other_greatest
                && other_least <= greatest
                && !are_apart(from, to, other_from, other_to)
                && !are_apart(other_from, other_to, from, to)
        })
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn cut(corners: &[Vec3]) -> (Vec<[u32; 3]>, bool) {
        let mut triangles = Vec::new();
        let is_exact = Triangulator::new().cut(corners, &mut triangles) == Cut::Exact;
        assert_eq!(triangles.len(), corners.len() - 2);
        (triangles, is_exact)
    }

    fn area(corners: &[Vec3], triangles: &[[u32; 3]]) -> f64 {
        let twice = |triangle: &[u32; 3]| newell(triangle.iter().map(|&i| corners[i as usize])).length();
        triangles.iter().map(|triangle| 0.5 * twice(triangle)).sum()
    }

    fn points(flat: &[[f32; 2]]) -> Vec<Vec3> {
        flat.iter().map(|&[x, y]| Vec3::new(x, y, 0.0)).collect()
    }

    /// The point in the middle of each triangle lies in the outline, by counting crossings.
    fn are_inside(corners: &[Vec3], triangles: &[[u32; 3]]) -> bool {
        let crosses = |p: DVec3, i: usize| {
            let [a, b] = [corners[i], corners[(i + 1) % corners.len()]].map(Vec3::as_dvec3);
            (a.y > p.y) != (b.y > p.y) && p.x < (b.x - a.x) * (p.y - a.y) / (b.y - a.y) + a.x
        };
        triangles.iter().filter(|triangle| area(corners, &[**triangle]) > 1e-9).all(|triangle| {
            let middle = triangle.iter().map(|&i| corners[i as usize].as_dvec3()).sum::<DVec3>() / 3.0;
            (0..corners.len()).filter(|&i| crosses(middle, i)).count() % 2 == 1
        })
    }

    #[test]
    fn a_convex_polygon_is_a_fan_from_its_first_corner() {
        let hexagon = points(&[[2.0, 0.0], [1.0, 2.0], [-1.0, 2.0], [-2.0, 0.0], [-1.0, -2.0], [1.0, -2.0]]);
        for first in 0..6 {
            let mut turned = hexagon.clone();
            turned.rotate_left(first);
            assert_eq!(cut(&turned), (vec![[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 5]], true));
            turned.reverse();
            assert_eq!(cut(&turned).0[3], [0, 4, 5]);
        }
        let with_straight_corners = points(&[[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [2.0, 2.0], [1.0, 2.0], [0.0, 2.0]]);
        assert_eq!(cut(&with_straight_corners).0, [[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 5]]);
    }

    #[test]
    fn a_concave_polygon_is_covered_from_any_corner_and_either_side() {
        let notched = points(&[[0.0, 2.0], [1.0, 1.0], [2.0, 2.0], [2.0, 0.0], [0.0, 0.0]]);
        for first in 0..5 {
            for flip in [false, true] {
                let mut turned = notched.clone();
                turned.rotate_left(first);
                if flip {
                    turned.reverse();
                }
                let (triangles, is_exact) = cut(&turned);
                assert!(is_exact);
                assert_eq!(area(&turned, &triangles), 3.0);
                assert!(are_inside(&turned, &triangles));
                let normal = newell(turned.iter().copied());
                let same_turn = |t: &[u32; 3]| newell(t.iter().map(|&i| turned[i as usize])).dot(normal) > 0.0;
                assert!(triangles.iter().all(same_turn));
            }
        }
    }

    #[test]
    fn straight_corners_of_a_concave_polygon_keep_the_count() {
        // An L with a corner in the middle of every edge.
        let outline = [
            [0.0, 0.0],
            [1.0, 0.0],
            [2.0, 0.0],
            [2.0, 0.5],
            [2.0, 1.0],
            [1.5, 1.0],
            [1.0, 1.0],
            [1.0, 1.5],
            [1.0, 2.0],
            [0.5, 2.0],
            [0.0, 2.0],
            [0.0, 1.0],
        ];
        let corners = points(&outline);
        let (triangles, is_exact) = cut(&corners);
        assert!(is_exact);
        assert_eq!(area(&corners, &triangles), 3.0);
    }

    #[test]
    fn degenerate_polygons_keep_the_count() {
        let point = vec![Vec3::ONE; 5];
        let line = points(&[[0.0, 0.0], [1.0, 0.0], [3.0, 0.0], [2.0, 0.0]]);
        let spike = points(&[[0.0, 0.0], [4.0, 0.0], [2.0, 0.0], [2.0, 3.0], [2.0, 0.0]]);
        let lost = vec![Vec3::ZERO, Vec3::X, Vec3::NAN, Vec3::Y];
        for corners in [point, line, spike, lost] {
            cut(&corners);
        }
    }

    #[test]
    fn an_outline_that_crosses_itself_is_doubtful() {
        let bow_tie = points(&[[0.0, 0.0], [2.0, 2.0], [2.0, 0.0], [0.0, 1.0]]);
        let even_bow_tie = points(&[[0.0, 0.0], [1.0, 1.0], [1.0, 0.0], [0.0, 1.0]]);
        let pentagram: Vec<[f32; 2]> =
            (0..5).map(|i| (i as f32 * 0.8 * std::f32::consts::PI).sin_cos()).map(|(x, y)| [-x, y]).collect();
        for corners in [bow_tie, even_bow_tie, points(&pentagram)] {
            assert!(!cut(&corners).1, "{corners:?}");
        }
    }

    #[test]
    fn a_polygon_with_a_bridge_to_its_hole_is_covered() {
        let corners = points(&[
            [0.0, 0.0],
            [4.0, 0.0],
            [4.0, 4.0],
            [0.0, 4.0],
            [0.0, 0.0],
            [1.0, 1.0],
            [1.0, 3.0],
            [3.0, 3.0],
            [3.0, 1.0],
            [1.0, 1.0],
        ]);
        let (triangles, is_exact) = cut(&corners);
        assert!(is_exact);
        assert_eq!(area(&corners, &triangles), 12.0);
    }

    #[test]
    fn a_long_outline_is_looked_at_for_touches() {
        let star = |step: usize| {
            let angle = |i: usize| (i * step) as f64 / 601.0 * std::f64::consts::TAU;
            (0..601).map(|i| [angle(i).cos(), angle(i).sin()]).collect::<Vec<_>>()
        };
        assert!(!touches_itself(&star(1)));
        assert!(touches_itself(&star(2)));
        assert!(touches_itself(&[[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [2.0, 0.0], [0.0, 4.0]]));
        assert!(!touches_itself(&[[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [2.0, 0.1], [0.0, 4.0]]));
    }

    #[test]
    fn a_tangled_outline_of_many_corners_ends() {
        // Every edge crosses almost every other: ear clipping alone would take minutes.
        let count = MAX_CONCAVE;
        let outline: Vec<[f32; 2]> = (0..count)
            .map(|i| [if i % 2 == 0 { 2 * count - i } else { i } as f32, (i * 7919 % count) as f32])
            .collect();
        assert!(!cut(&points(&outline)).1);
    }

    #[test]
    fn a_concave_polygon_of_many_corners_ends() {
        // A comb: every other corner is an ear, and all the rest is hidden behind them.
        let teeth = MAX_CONCAVE / 2 - 1;
        let mut outline: Vec<[f32; 2]> =
            (0..2 * teeth).map(|i| [i as f32, if i % 2 == 0 { 100.0 } else { 1.0 }]).collect();
        outline.extend([[2.0 * teeth as f32, 0.0], [0.0, 0.0]]);
        let corners = points(&outline);
        let whole = 0.5 * newell(corners.iter().copied()).length();
        let (triangles, is_exact) = cut(&corners);
        assert!(is_exact);
        assert!((area(&corners, &triangles) - whole).abs() < 1e-6 * whole);
    }

    proptest! {
        /// Outlines whose corners stand in all directions around one point never cross themselves.
        #[test]
        fn simple_polygons_are_covered_exactly(
            radii in prop::collection::vec(0.1_f64..10.0, 4..40),
            tilt in prop::array::uniform3(-3.0_f64..3.0),
            far in -1e4_f64..1e4,
        ) {
            let count = radii.len() as f64;
            let rotation = glam::DQuat::from_euler(glam::EulerRot::XYZ, tilt[0], tilt[1], tilt[2]);
            let corners: Vec<Vec3> = radii
                .iter()
                .enumerate()
                .map(|(i, radius)| {
                    let (sin, cos) = (i as f64 / count * std::f64::consts::TAU).sin_cos();
                    (rotation * DVec3::new(radius * cos, radius * sin, 0.0) + far).as_vec3()
                })
                .collect();
            let whole = 0.5 * newell(corners.iter().copied()).length();
            let (triangles, _) = cut(&corners);
            let sum = area(&corners, &triangles);
            // The corners were rounded out of their plane by up to half a unit in the last place each.
            let rounding = f64::from(f32::EPSILON) * (far.abs() + 10.0) * 10.0 * count;
            prop_assert!((sum - whole).abs() <= rounding + 1e-6 * whole, "{sum} against {whole}");
        }
    }
}
