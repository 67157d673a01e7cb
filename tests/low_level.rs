//! The public tests on planes, segments, triangles, polygons and balls against exact arithmetic where a side is decided, and
//! against other methods in f64 where something is measured.

mod support;

use glam::{DVec3, Vec3};
use nodetree::geometry::{
    Plane, Side, closest_point_on_polygon, closest_point_on_segment, closest_point_on_triangle, is_over_polygon,
    is_over_triangle, sphere_touches_polygon, sphere_touches_triangle, spheres_touch, sweep_sphere_triangle,
};
use proptest::prelude::*;

use support::contact;
use support::exact::{Exact, ExactVec};
use support::fan;

/// Numbers of all sizes, whole ones (which make exact touches likely) and zeros among them.
fn number() -> impl Strategy<Value = f32> {
    prop_oneof![
        4 => -10.0_f32..10.0,
        3 => (-8_i8..=8).prop_map(f32::from),
        1 => (-8_i8..=8).prop_map(|number| f32::from(number) * 1e-12),
        1 => (-8_i8..=8).prop_map(|number| f32::from(number) * 1e12),
        1 => Just(-0.0),
    ]
}

fn vector() -> impl Strategy<Value = Vec3> {
    [number(), number(), number()].prop_map(Vec3::from)
}

fn radius() -> impl Strategy<Value = f32> {
    prop_oneof![number().prop_map(f32::abs), Just(0.0)]
}

/// Of about the size of what it is near, for what is measured.
fn near() -> impl Strategy<Value = Vec3> {
    let number = || prop_oneof![-10.0_f32..10.0, (-8_i8..=8).prop_map(f32::from)];
    [number(), number(), number()].prop_map(Vec3::from)
}

/// A triangle, now and then a needle, a line or a point.
fn triangle() -> impl Strategy<Value = [Vec3; 3]> {
    (near(), near(), near(), 0_u8..8).prop_map(|(a, b, c, shape)| match shape {
        0 => [a, b, a.lerp(b, 0.3) + c * 1e-6],
        1 => [a, b, a.lerp(b, 0.3)],
        2 => [a, b, b],
        3 => [a; 3],
        _ => [a, b, c],
    })
}

/// A convex polygon with whole coordinates in a slanted plane, so that it is exactly flat; its normal, exactly; and its corners
/// in that plane's coordinates. Some corners repeat, and some lie on a line.
#[derive(Clone, Debug)]
struct Flat {
    corners: Vec<Vec3>,
    slope: [i64; 2],
    plan: Vec<[i64; 2]>,
}

impl Flat {
    fn lift(&self, [x, z]: [i64; 2]) -> [i64; 3] {
        [x, self.slope[0] * x + self.slope[1] * z, z]
    }
}

fn flat() -> impl Strategy<Value = Flat> {
    let places = prop::collection::vec([-6_i64..=6, -6_i64..=6], 3..12);
    let slope = [-3_i64..=3, -3_i64..=3];
    (places, slope, any::<bool>(), any::<bool>()).prop_filter_map("a line", |(places, slope, reverse, repeat)| {
        let mut plan = hull(places);
        if plan.len() < 3 {
            return None;
        }
        if reverse {
            plan.reverse();
        }
        if repeat {
            plan.insert(1, plan[0]);
        }
        let mut flat = Flat { corners: Vec::new(), slope, plan };
        flat.corners = flat.plan.iter().map(|&place| flat.lift(place).map(|number| number as f32).into()).collect();
        Some(flat)
    })
}

/// The convex hull, counter-clockwise, with the points on its edges (Andrew's monotone chain).
fn hull(mut places: Vec<[i64; 2]>) -> Vec<[i64; 2]> {
    places.sort_unstable();
    places.dedup();
    let chain = |places: &mut dyn Iterator<Item = [i64; 2]>| {
        let mut chain: Vec<[i64; 2]> = Vec::new();
        for place in places {
            while chain.len() >= 2 && turn(chain[chain.len() - 2], chain[chain.len() - 1], place) < 0 {
                chain.pop();
            }
            chain.push(place);
        }
        chain.pop();
        chain
    };
    let mut lower = chain(&mut places.iter().copied());
    let upper = chain(&mut places.iter().rev().copied());
    if places.iter().any(|&place| turn(places[0], places[places.len() - 1], place) != 0) {
        lower.extend(upper);
        lower
    } else {
        Vec::new()
    }
}

fn turn(a: [i64; 2], b: [i64; 2], c: [i64; 2]) -> i64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

/// The distance of a plane to a point plus `shift`.
fn exact_distance(plane: &Plane, point: Vec3, shift: f32) -> Exact {
    let [normal, point] = [plane.normal, point].map(|vector| ExactVec::new(vector.as_dvec3()));
    let shift = &Exact::from(f64::from(plane.distance)) + &Exact::from(f64::from(shift));
    &normal.dot(&point) + &shift
}

/// How far the rounding of positions of this size reaches.
fn doubt(points: &[Vec3]) -> f64 {
    let size = points.iter().fold(0.0, |size: f32, point| size.max(point.abs().max_element()));
    4e-7 * f64::from(size) + 1e-30
}

fn distance_to(point: Vec3, triangles: &[[Vec3; 3]]) -> f64 {
    let each = triangles.iter().map(|triangle| contact::distance(point.as_dvec3(), triangle.map(Vec3::as_dvec3)));
    each.fold(f64::INFINITY, f64::min)
}

/// The closest point is on the thing, and as near as it gets.
fn check_closest(point: Vec3, closest: Vec3, triangles: &[[Vec3; 3]], distance: f64) -> Result<(), TestCaseError> {
    let mut all = triangles.concat();
    all.push(point);
    let doubt = doubt(&all);
    let found = closest.as_dvec3().distance(point.as_dvec3());
    prop_assert!((found - distance).abs() <= doubt, "{found}, not {distance}");
    prop_assert!(distance_to(closest, triangles) <= doubt, "{closest} is off by {}", distance_to(closest, triangles));
    Ok(())
}

proptest! {
    // What fails is printed in its smallest form, and becomes a case beside the function.
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_ball_is_on_its_exact_side_of_a_plane(normal in vector(), distance in number(), center in vector(),
        radius in radius())
    {
        let plane = Plane { normal, distance };
        let (nearest, farthest) = (exact_distance(&plane, center, -radius), exact_distance(&plane, center, radius));
        let (side, exact) = if nearest.sign() > 0 {
            (Side::Front, nearest.value())
        } else if farthest.sign() < 0 {
            (Side::Back, farthest.value())
        } else {
            (Side::Across, 0.0)
        };
        prop_assert_eq!(plane.side_of_sphere(center, radius), side);
        prop_assert_eq!(plane.distance_to_sphere(center, radius).signum(), (exact as f32).signum());
        let error = (f64::from(plane.distance_to_sphere(center, radius)) - exact).abs();
        prop_assert!(error <= 1e-7 * exact.abs(), "{error}");
        let point = exact_distance(&plane, center, 0.0);
        let point_side = [Side::Back, Side::Across, Side::Front][(point.sign() + 1) as usize];
        prop_assert_eq!(plane.side_of_point(center), point_side);
    }

    #[test]
    fn a_segment_meets_a_plane_where_its_ends_differ(normal in vector(), distance in number(), from in vector(),
        to in vector())
    {
        let plane = Plane { normal, distance };
        let [before, after] = [from, to].map(|end| exact_distance(&plane, end, 0.0));
        let crossing = plane.meet_segment([from, to]);
        prop_assert_eq!(crossing.is_some(), before.sign() * after.sign() <= 0);
        if let Some(crossing) = crossing {
            let total = (&before - &after).value();
            let fraction = if before.sign() == 0 { 0.0 } else { before.value() / total };
            prop_assert!((f64::from(crossing.fraction) - fraction).abs() <= 1e-7);
            let point = from.as_dvec3() + (to.as_dvec3() - from.as_dvec3()) * fraction;
            prop_assert!(point.distance(crossing.point.as_dvec3()) <= doubt(&[from, to]));
        }
    }

    #[test]
    fn two_balls_touch_when_their_exact_gap_is_closed(a in vector(), a_radius in radius(), b in vector(),
        b_radius in radius())
    {
        let between = ExactVec::between(a.as_dvec3(), b);
        let reach = &Exact::from(f64::from(a_radius)) + &Exact::from(f64::from(b_radius));
        let gap = &between.dot(&between) - &(&reach * &reach);
        prop_assert_eq!(spheres_touch(a, a_radius, b, b_radius), gap.sign() <= 0);
    }

    /// Pythagorean gaps are closed to the bit, and open by the least that there is.
    #[test]
    fn two_balls_that_just_touch_touch(corner in near(), scale in 1_u8..100, part in 0_u8..=13) {
        let corner = corner.round();
        let scale = f32::from(scale);
        let other = corner + scale * Vec3::new(3.0, 4.0, 12.0);
        let (radius, rest) = (scale * f32::from(part), scale * f32::from(13 - part));
        prop_assert!(spheres_touch(corner, radius, other, rest));
        prop_assert!(!spheres_touch(corner, radius, other, rest.next_down()));
    }

    #[test]
    fn the_closest_point_of_a_segment_is_on_it_and_nearest(point in near(), a in near(), b in near(),
        shape in 0_u8..4)
    {
        let b = if shape == 0 { a } else { b };
        let closest = closest_point_on_segment(point, [a, b]);
        let [p, from, to] = [point, a, b].map(Vec3::as_dvec3);
        // The distance is convex along the segment.
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..120 {
            let (one, other) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
            if from.lerp(to, one).distance(p) <= from.lerp(to, other).distance(p) { high = other } else { low = one }
        }
        check_closest(point, closest, &[[a, b, b]], from.lerp(to, low).distance(p))?;
    }

    #[test]
    fn the_closest_point_of_a_triangle_is_on_it_and_nearest(point in near(), corners in triangle(), radius in 0.0_f32..9.0) {
        let distance = distance_to(point, &[corners]);
        check_closest(point, closest_point_on_triangle(point, &corners), &[corners], distance)?;
        if (distance - f64::from(radius)).abs() > 1e-6 {
            prop_assert_eq!(sphere_touches_triangle(point, radius, &corners), distance < f64::from(radius));
        }
    }

    #[test]
    fn the_closest_point_of_a_polygon_is_on_it_and_nearest(point in near(), flat in flat(), radius in 0.0_f32..20.0) {
        let triangles = fan(&flat.corners);
        let distance = distance_to(point, &triangles);
        check_closest(point, closest_point_on_polygon(point, &flat.corners).unwrap(), &triangles, distance)?;
        if (distance - f64::from(radius)).abs() > 1e-6 {
            prop_assert_eq!(sphere_touches_polygon(point, radius, &flat.corners), distance < f64::from(radius));
        }
    }

    /// In whole numbers, where the normal is exact, so is the answer: points over the plan's lattice, moved along the normal.
    #[test]
    fn a_point_is_over_a_polygon_exactly(flat in flat(), place in [-7_i64..=7, -7_i64..=7], height in -9_i64..=9) {
        let mut point = flat.lift(place);
        // The plane y = s x + t z has the normal (-s, 1, -t).
        for (number, normal) in point.iter_mut().zip([-flat.slope[0], 1, -flat.slope[1]]) {
            *number += height * normal;
        }
        let point = Vec3::from(point.map(|number| number as f32));
        let plan = &flat.plan;
        let turns: Vec<i64> = (0..plan.len()).map(|i| turn(plan[i], plan[(i + 1) % plan.len()], place).signum()).collect();
        let inside = !(turns.contains(&1) && turns.contains(&-1));
        prop_assert_eq!(is_over_polygon(point, &flat.corners), inside);
    }

    #[test]
    fn a_point_is_over_a_triangle_when_its_foot_is_inside(corners in [near(), near(), near()],
        weights in [-0.3_f32..1.0, -0.3_f32..1.0], height in -3.0_f32..3.0)
    {
        let [ab, ac] = [corners[1] - corners[0], corners[2] - corners[0]];
        let point = corners[0] + weights[0] * ab + weights[1] * ac + height * ab.cross(ac);
        let [a, b, c] = corners.map(|corner| ExactVec::between(point.as_dvec3(), corner));
        let first = corners[0].as_dvec3();
        let normal = ExactVec::between(first, corners[1]).cross(&ExactVec::between(first, corners[2]));
        let sides = [(&a, &b), (&b, &c), (&c, &a)].map(|(from, to)| from.cross(to).dot(&normal));
        let square = normal.dot(&normal).value();
        // What the rounding of the normal may turn, and lines, are left to the other tests.
        prop_assume!(square > 1e-6 && sides.iter().all(|side| side.value().abs() > 1e-9 * square));
        prop_assert_eq!(is_over_triangle(point, &corners), sides.iter().all(|side| side.sign() > 0));
    }

    /// Ends of edges, and their exact middles, belong to the polygon whatever its slant.
    #[test]
    fn corners_and_middles_of_edges_are_over(corners in triangle()) {
        let halved = corners.map(|corner| (corner * 1024.0).round() / 1024.0);
        let [ab, ac] = [halved[1] - halved[0], halved[2] - halved[0]].map(Vec3::as_dvec3);
        prop_assume!(ab.cross(ac).length() > 1e-3);
        for i in 0..3 {
            prop_assert!(is_over_triangle(halved[i], &halved));
            prop_assert!(is_over_triangle(0.5 * (halved[i] + halved[(i + 1) % 3]), &halved));
        }
    }

    #[test]
    fn a_swept_ball_meets_a_triangle_when_it_is_a_radius_away(corners in triangle(), center in near(), aside in near(),
        far in 0.0_f32..2.0, radius in 0.01_f32..3.0)
    {
        // Half way between anywhere and its middle, so that about as many meet it as miss it.
        let way = far * (0.5 * (corners[0] + corners[1] + corners[2]) / 3.0 + 0.5 * aside - center);
        let at_start = distance_to(center, &[corners]);
        prop_assume!(at_start > f64::from(radius) + 1e-4);
        let reach = f64::from(radius);
        let time = |reach: f64| {
            let unit = contact::to_unit(&corners, center.as_dvec3(), DVec3::ONE);
            contact::time(way.as_dvec3(), unit, reach)
        };
        let length = f64::from(way.length());
        match sweep_sphere_triangle(center, radius, way, &corners) {
            None => prop_assert_eq!(time(reach - 1e-5), None, "missed"),
            Some(found) => {
                let earliest = time(reach + 1e-5);
                prop_assert!(earliest.is_some(), "false {:?}", found);
                let fraction = f64::from(found.fraction);
                prop_assert!(fraction >= earliest.unwrap() - 1e-5 / length.max(1.0), "{fraction} before {earliest:?}");
                if let Some(latest) = time(reach - 1e-5) {
                    prop_assert!(fraction <= latest + 1e-5 / length.max(1.0), "{fraction} after {latest}");
                }
                let moved = center.as_dvec3() + way.as_dvec3() * fraction;
                prop_assert!((moved.distance(found.point.as_dvec3()) - reach).abs() < 3e-5);
                prop_assert!(distance_to(found.point, &[corners]) < 1e-5);
                prop_assert_eq!(found.depth, 0.0);
            }
        }
    }

    /// Optimal is a point of a convex thing that no corner lies in front of, seen from `point`; at any size.
    #[test]
    fn no_corner_is_nearer_than_the_closest_point(point in near(), corners in triangle(), power in -60_i32..60) {
        let [point, a, b, c] = [point, corners[0], corners[1], corners[2]].map(|corner| corner * 2.0_f32.powi(power));
        let corners = [a, b, c];
        let cases = [
            (closest_point_on_segment(point, [a, b]), 2),
            (closest_point_on_triangle(point, &corners), 3),
            (closest_point_on_polygon(point, &corners).unwrap(), 3),
        ];
        for (closest, count) in cases {
            let closest = closest.as_dvec3();
            let back = point.as_dvec3() - closest;
            for corner in &corners[..count] {
                let along = corner.as_dvec3() - closest;
                prop_assert!(back.dot(along) <= doubt(&[point, a, b, c]) * (back.length() + along.length()), "{corner} is before {closest}");
            }
        }
    }

    /// Whatever the bits: no panic, and of what is no number nothing is said.
    #[test]
    fn no_number_is_too_bad(bits in prop::collection::vec(any::<u32>(), 18)) {
        let numbers: Vec<f32> = bits.into_iter().map(f32::from_bits).collect();
        let [a, b, c, d, point] = [0, 3, 6, 9, 12].map(|i| Vec3::new(numbers[i], numbers[i + 1], numbers[i + 2]));
        let [distance, radius, other_radius] = [numbers[15], numbers[16], numbers[17]];
        let is_finite = |points: &[Vec3]| points.iter().all(|point| point.is_finite());
        let (plane, triangle, polygon) = (Plane { normal: d, distance }, [a, b, c], [a, b, c, d]);
        let is_plane = d.is_finite() && distance.is_finite();
        let is_ball = point.is_finite() && (radius.is_finite() || radius < 0.0);
        prop_assert!(plane.side_of_sphere(point, radius) == Side::Across || is_plane && is_ball);
        prop_assert!(plane.distance_to_sphere(point, radius) == 0.0 || is_plane && is_ball);
        if let Some(crossing) = plane.meet_segment([a, b]) {
            prop_assert!(is_plane && is_finite(&[a, b]));
            prop_assert!((0.0..=1.0).contains(&crossing.fraction) && crossing.point.is_finite());
        }
        prop_assert!(!is_over_triangle(point, &triangle) || is_finite(&[a, b, c, point]));
        prop_assert!(!is_over_polygon(point, &polygon) || is_finite(&[a, b, c, d, point]));
        prop_assert_eq!(closest_point_on_segment(point, [a, b]).is_finite(), is_finite(&[a, b, point]));
        prop_assert_eq!(closest_point_on_triangle(point, &triangle).is_finite(), is_finite(&[a, b, c, point]));
        let on_polygon = closest_point_on_polygon(point, &polygon);
        prop_assert_eq!(on_polygon.is_some_and(Vec3::is_finite), is_finite(&[a, b, c, d, point]));
        prop_assert!(!sphere_touches_triangle(point, radius, &triangle) || radius >= 0.0 && is_finite(&[a, b, c, point]));
        prop_assert!(!sphere_touches_polygon(point, radius, &polygon) || radius >= 0.0 && is_finite(&[a, b, c, d, point]));
        prop_assert!(!spheres_touch(a, radius, b, other_radius) || is_finite(&[a, b]) && radius >= 0.0 && other_radius >= 0.0);
        if is_finite(&[a, b, c, d, point]) && radius.is_finite() {
            let hit = sweep_sphere_triangle(point, radius, d, &triangle);
            prop_assert!(hit.is_none_or(|hit| (0.0..=1.0).contains(&hit.fraction)), "{hit:?}");
        }
    }
}
