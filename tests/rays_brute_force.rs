//! Rays, segments and heights of the tree against looking at every triangle, over level kinds, modes, leaf presets and kinds
//! of ray. What brute force says is exact, so whether there is a hit must agree to the last bit.

mod support;

use glam::{DVec3, Vec3};
use nodetree::geometry::triangle::height_at;
use nodetree::geometry::{Aabb, Ray};
use nodetree::query::{Faces, Which};
use nodetree::tree::Tree;

use support::brute::{self, Crossing};
use support::levels::{self, KINDS};
use support::{Random, trees};

/// How a ray is aimed.
#[derive(Clone, Copy, Debug)]
enum Aim {
    Anywhere,
    AlongAnAxis,
    InACellPlane,
    InTheTrianglesPlane,
    ThroughACorner,
    AlongAnEdge,
    BesideASeam,
    FromASurface,
    AlongAnAxisThroughACorner,
    FromFarAway,
    ExactlyThroughAnEdge,
    ExactlyInTheTrianglesPlane,
    BetweenTwoF32,
}

const AIMS: [Aim; 13] = [
    Aim::Anywhere,
    Aim::AlongAnAxis,
    Aim::InACellPlane,
    Aim::InTheTrianglesPlane,
    Aim::ThroughACorner,
    Aim::AlongAnEdge,
    Aim::BesideASeam,
    Aim::FromASurface,
    Aim::AlongAnAxisThroughACorner,
    Aim::FromFarAway,
    Aim::ExactlyThroughAnEdge,
    Aim::ExactlyInTheTrianglesPlane,
    Aim::BetweenTwoF32,
];

/// A unit vector along an axis, with zeros of either sign.
fn axis(random: &mut Random) -> Vec3 {
    let zero = |random: &mut Random| *random.pick(&[0.0, -0.0]);
    let mut axis = Vec3::new(zero(random), zero(random), zero(random));
    axis[random.below(3)] = *random.pick(&[1.0, -1.0]);
    axis
}

/// Origin and direction of a ray; `scale` is the size of the level.
fn aim(aim: Aim, random: &mut Random, triangles: &[[Vec3; 3]], bounds: &Aabb, scale: f32) -> (DVec3, DVec3) {
    let inside =
        |random: &mut Random| bounds.min + bounds.size() * Vec3::new(random.unit(), random.unit(), random.unit());
    let anywhere = |random: &mut Random| inside(random) + random.vector(0.5 * scale);
    let [a, b, c] = *random.pick(triangles);
    let (origin, direction) = match aim {
        Aim::Anywhere => (anywhere(random), random.direction() * random.range(0.1, 10.0)),
        Aim::AlongAnAxis => (anywhere(random), axis(random) * random.range(0.1, 10.0)),
        Aim::InACellPlane => {
            let mut direction = random.direction();
            direction[random.below(3)] = *random.pick(&[0.0, -0.0]);
            (Vec3::new(a.x, b.y, c.z), direction)
        }
        Aim::InTheTrianglesPlane => {
            let target = a + (b - a) * random.unit() + (c - a) * random.unit();
            let from = a + (b - a) * random.range(-3.0, 3.0) + (c - a) * random.range(-3.0, 3.0);
            (from, target - from)
        }
        Aim::ThroughACorner => {
            let from = anywhere(random);
            (from, a - from)
        }
        Aim::AlongAnEdge => (a + (a - b), b - a),
        Aim::BesideASeam => {
            let aside = random.direction() * scale * 10.0_f32.powf(random.range(-7.0, -4.0));
            let target = a + (b - a) * random.unit() + aside;
            if random.below(2) == 0 {
                (target + Vec3::Y * random.range(0.0, scale), Vec3::NEG_Y)
            } else {
                let from = anywhere(random);
                (from, target - from)
            }
        }
        Aim::FromASurface => {
            let on = *random.pick(&[a, 0.5 * a + 0.5 * b, (a + b + c) / 3.0]);
            (on, if random.below(2) == 0 { random.direction() } else { axis(random) })
        }
        Aim::AlongAnAxisThroughACorner => {
            let direction = axis(random);
            let mut origin = a;
            let moved = direction.abs().max_position();
            origin[moved] = anywhere(random)[moved];
            (origin, direction)
        }
        Aim::FromFarAway => {
            let from = inside(random) + random.direction() * 12_000.0 * scale;
            (from, inside(random) - from)
        }
        Aim::ExactlyThroughAnEdge => {
            let (from, to) = (inside(random).as_dvec3(), 0.5 * a.as_dvec3() + 0.5 * b.as_dvec3());
            return (from, to - from);
        }
        Aim::ExactlyInTheTrianglesPlane => {
            let [a, b, c] = [a, b, c].map(|corner| corner.as_dvec3());
            let mut in_plane = || {
                let (u, v) = (f64::from(random.range(-2.0, 2.0)), f64::from(random.range(-2.0, 2.0)));
                a + u * (b - a) + v * (c - a)
            };
            let from = in_plane();
            return (from, in_plane() - from);
        }
        Aim::BetweenTwoF32 => {
            // Along an axis past a corner, so closely that in f32 it would go through it.
            let mut origin = a.as_dvec3() * (1.0 + 1e-10 * f64::from(random.range(-1.0, 1.0)));
            let direction = axis(random);
            let moved = direction.abs().max_position();
            origin[moved] = f64::from(anywhere(random)[moved]);
            return (origin, direction.as_dvec3());
        }
    };
    (origin.as_dvec3(), direction.as_dvec3())
}

/// How far the library's distance may be from the exact one: the last place of f32, and of f64 where the ray is nearly in
/// the triangle's plane.
fn tolerance(crossing: &Crossing, reach: f64) -> f64 {
    2.0 * f64::from(f32::EPSILON) * crossing.distance + 1e-14 * reach / crossing.sine.max(1e-300)
}

struct Question<'a> {
    triangles: &'a [[Vec3; 3]],
    origin: DVec3,
    ray: Ray,
    faces: Faces,
    /// Exact, of the asked faces, in order.
    truth: Vec<Crossing>,
    /// The farthest that a corner can be from the origin.
    reach: f64,
}

impl Question<'_> {
    fn matching(&self, distance: f32) -> impl Iterator<Item = &Crossing> {
        self.truth.iter().filter(move |c| (f64::from(distance) - c.distance).abs() <= tolerance(c, self.reach))
    }

    fn check(&self, tree: &Tree, limit: f32) {
        // At the limit itself rounding decides.
        let certain = |c: &&Crossing| c.distance + tolerance(c, self.reach) < f64::from(limit);
        let possible = |c: &&Crossing| c.distance - tolerance(c, self.reach) <= f64::from(limit);
        let hit = tree.ray(&self.ray, limit, self.faces);
        let first_certain = self.truth.iter().find(certain);
        match &hit {
            None => assert_eq!(first_certain, None, "missed"),
            Some(hit) => {
                let same = self.truth.iter().find(|c| c.triangle == hit.triangle).expect("hit what is not there");
                assert!(possible(&same) && hit.distance <= limit, "beyond the limit: {hit:?} {same:?}");
                assert!(
                    (f64::from(hit.distance) - same.distance).abs() <= tolerance(same, self.reach),
                    "distance {} for {same:?}",
                    hit.distance
                );
                assert_eq!(hit.front, same.front);
                if let Some(first) = first_certain {
                    let slack = tolerance(first, self.reach) + tolerance(same, self.reach);
                    assert!(
                        same.distance <= first.distance + slack + 1e-6 * first.distance,
                        "not the nearest: {first:?}"
                    );
                }
                // What is met lies on the ray, however sharp the angle.
                let on_ray = self.origin + self.ray.direction() * f64::from(hit.distance);
                let slack = 1e-6 * (self.reach + hit.point.as_dvec3().abs().max_element());
                assert!(on_ray.distance(hit.point.as_dvec3()) <= slack, "{hit:?} is not on the ray at {on_ray}");
                self.check_point(hit.triangle, hit.point, [hit.u, hit.v], hit.normal);
                assert_eq!(tree.ray(&self.ray, hit.distance, self.faces).map(|h| h.distance), Some(hit.distance));
            }
        }
        assert_eq!(tree.any_hit(&self.ray, limit, self.faces), hit.is_some());
        self.check_all(tree, limit, hit.map(|hit| hit.distance));
    }

    fn check_point(&self, triangle: u32, point: Vec3, [u, v]: [f32; 2], normal: Vec3) {
        let [a, b, c] = self.triangles[triangle as usize].map(|corner| corner.as_dvec3());
        let (u, v) = (f64::from(u), f64::from(v));
        assert!(u >= 0.0 && v >= 0.0 && u + v <= 1.0 + 1e-6);
        let size = (b - a).length().max((c - a).length()) + a.abs().max_element();
        let from_weights = a + u * (b - a) + v * (c - a);
        assert!((from_weights - point.as_dvec3()).length() <= 1e-6 * size, "{from_weights} {point}");
        let exact: DVec3 = (b - a).cross(c - a).normalize();
        assert!((normal.as_dvec3() - exact).length() < 1e-6);
    }

    fn check_all(&self, tree: &Tree, limit: f32, nearest: Option<f32>) {
        let mut hits = Vec::new();
        tree.all_hits(&self.ray, limit, self.faces, &mut hits);
        assert!(hits.windows(2).all(|pair| pair[0].distance <= pair[1].distance), "out of order");
        for hit in &hits {
            assert!(self.matching(hit.distance).any(|c| c.triangle == hit.triangle && c.front == hit.front));
        }
        for crossing in &self.truth {
            if crossing.distance + tolerance(crossing, self.reach) < f64::from(limit) {
                let slack = tolerance(crossing, self.reach) + 1e-6 * crossing.distance;
                let is_known = hits.iter().any(|hit| {
                    let same = self.truth.iter().find(|c| c.triangle == hit.triangle).unwrap();
                    (f64::from(hit.distance) - crossing.distance).abs() <= slack + tolerance(same, self.reach)
                });
                assert!(is_known, "{crossing:?} is not among {hits:?}");
            }
        }
        match (nearest, hits.first()) {
            (None, None) => {}
            (Some(nearest), Some(first)) => {
                assert!((nearest - first.distance).abs() <= 1e-6 * nearest, "{nearest} {first:?}");
            }
            other => panic!("nearest and all disagree: {other:?}"),
        }
    }
}

#[test]
fn rays_agree_with_brute_force() {
    for (kind, seed) in KINDS.into_iter().zip(100..) {
        let triangles = levels::level(kind, seed);
        let trees = trees(&triangles);
        // Where one triangle is far away, aim at the rest.
        let bounds = Aabb::around(triangles[..100].iter().flatten().copied());
        let scale = bounds.size().max_element();
        let mut random = Random::new(seed);
        let mut hits = 0;
        for number in 0..AIMS.len() * 200 {
            let kind_of_aim = AIMS[number % AIMS.len()];
            let (origin, direction) = aim(kind_of_aim, &mut random, &triangles[..100], &bounds, scale);
            let Ok(ray) = Ray::new(origin, direction) else { continue };
            let faces = *random.pick(&[Faces::Both, Faces::Both, Faces::Front, Faces::Back]);
            let mut truth = brute::crossings(&triangles, origin, direction);
            truth.retain(|crossing| faces.admit(crossing.front));
            hits += usize::from(!truth.is_empty());
            let reach = triangles.iter().flatten().map(|corner| corner.as_dvec3().distance(origin)).fold(0.0, f64::max);
            let limit = match (random.below(4), truth.first()) {
                (0, Some(first)) => first.distance as f32,
                (1, _) => random.unit() * scale,
                _ => f32::INFINITY,
            };
            let question = Question { triangles: &triangles, origin, ray, faces, truth, reach };
            for tree in &trees {
                let settings = tree.settings();
                let check = std::panic::AssertUnwindSafe(|| question.check(tree, limit));
                if let Err(panic) = std::panic::catch_unwind(check) {
                    eprintln!(
                        "{kind:?} seed {seed} question {number} {kind_of_aim:?} {settings:?}\norigin {:?} direction \
                         {direction:?} limit {limit} {faces:?}",
                        question.origin
                    );
                    std::panic::resume_unwind(panic);
                }
            }
        }
        assert!(hits > 200, "{kind:?} seed {seed}: only {hits} questions had an answer");
    }
}

#[test]
fn segments_agree_with_brute_force() {
    for (kind, seed) in KINDS.into_iter().zip(200..) {
        let triangles = levels::level(kind, seed);
        let trees = trees(&triangles);
        let mut random = Random::new(seed);
        let mut blocked = 0;
        for number in 0..300 {
            // From and to corners, middles of edges and points between.
            let end = |random: &mut Random| {
                let [a, b, c] = *random.pick(&triangles[..100]);
                let beside = a + random.unit() * (b - a) + random.unit() * (c - a);
                *random.pick(&[a, 0.5 * a + 0.5 * b, beside])
            };
            let (from, to) = (end(&mut random), end(&mut random));
            let along = to.as_dvec3() - from.as_dvec3();
            if along == DVec3::ZERO {
                continue;
            }
            let truth = brute::crossings(&triangles, from.as_dvec3(), along);
            let first = truth.first().filter(|crossing| crossing.distance <= along.length());
            for tree in &trees {
                let answer = tree.segment(from, to);
                let context = || format!("{kind:?} seed {seed} question {number} {:?} {from} {to}", tree.settings());
                match (answer, first) {
                    (None, None) => {}
                    (Some(distance), Some(first)) => {
                        let slack = tolerance(first, along.length()) + 1e-6 * first.distance;
                        assert!(
                            (f64::from(distance) - first.distance).abs() <= slack,
                            "{}: {distance} {first:?}",
                            context()
                        );
                    }
                    // Only rounding at the far end may differ.
                    (answer, _) => {
                        let at_end =
                            truth.iter().any(|c| (c.distance - along.length()).abs() <= tolerance(c, along.length()));
                        assert!(at_end, "{}: {answer:?} {first:?}", context());
                    }
                }
            }
            blocked += usize::from(first.is_some());
        }
        assert!(blocked > 100, "{kind:?} seed {seed}: only {blocked} segments were blocked");
    }
}

#[test]
fn heights_agree_with_brute_force() {
    for (kind, seed) in KINDS.into_iter().zip(300..) {
        let triangles = levels::level(kind, seed);
        let trees = trees(&triangles);
        let bounds = Aabb::around(triangles[..100].iter().flatten().copied());
        let scale = bounds.size().max_element();
        let mut random = Random::new(seed);
        let (mut found, mut heights) = (0, Vec::new());
        for number in 0..600 {
            let [a, b, c] = *random.pick(&triangles[..100]);
            let aside = scale * 10.0_f32.powf(random.range(-7.0, -4.0)) * random.direction();
            let point = match number % 5 {
                0 => bounds.min + bounds.size() * Vec3::new(random.unit(), random.unit(), random.unit()),
                1 => a,
                2 => 0.5 * a + 0.5 * b,
                3 => a + random.unit() * (b - a) + aside,
                _ => (a + b + c) / 3.0,
            };
            let snap = *random.pick(&[0.0, 0.0, 1e-3, 0.1]);
            let truth: Vec<f32> =
                brute::heights(&triangles, point.x, point.z).into_iter().map(|height| height as f32).collect();
            let (y, snap_f64) = (f64::from(point.y), f64::from(snap));
            // The middle of an edge can be halfway between two f32: both roundings are right.
            let ulp = f64::from(f32::EPSILON) * y.abs();
            let below = [-ulp, ulp].map(|slack| truth.iter().copied().find(|&h| f64::from(h) <= y + snap_f64 + slack));
            let above = [-ulp, ulp].map(|slack| truth.iter().copied().rfind(|&h| f64::from(h) >= y - snap_f64 - slack));
            let gap = |height: f32| (f64::from(height) - y).abs();
            let closest = truth.iter().copied().min_by(|&a, &b| gap(a).total_cmp(&gap(b)));
            found += usize::from(!truth.is_empty());
            for tree in &trees {
                let context = || format!("{kind:?} seed {seed} question {number} {:?} {point} {snap}", tree.settings());
                let same = |answer: Option<f32>, right: [Option<f32>; 2], which: &str| {
                    let is_same = |right: Option<f32>| match (answer, right) {
                        (Some(a), Some(b)) => (a - b).abs() <= f32::EPSILON * a.abs().max(b.abs()),
                        (a, b) => a == b,
                    };
                    assert!(right.into_iter().any(is_same), "{}: {which} {answer:?}, not {right:?}", context());
                };
                same(tree.height(point, Which::Below, snap), below, "below");
                same(tree.height(point, Which::Above, snap), above, "above");
                let answer = tree.height(point, Which::Closest, snap);
                let is_closest = match (answer, closest) {
                    (Some(a), Some(b)) => gap(a) <= gap(b) + f64::from(f32::EPSILON * b.abs()),
                    (a, b) => a == b,
                };
                assert!(is_closest, "{}: closest {answer:?}, not {closest:?}", context());
                if let Some(height) = answer {
                    assert!(truth.iter().any(|&t| (t - height).abs() <= f32::EPSILON * t.abs()), "{}", context());
                }
                tree.heights(point.x, point.z, &mut heights);
                assert!(heights.windows(2).all(|pair| pair[0] - pair[1] > 1e-5), "{}: {heights:?}", context());
                let near = |a: f32, b: f32| (a - b).abs() <= 1e-5_f32.max(2.0 * f32::EPSILON * a.abs());
                assert!(truth.iter().all(|&t| heights.iter().any(|&h| near(h, t))), "{}: {heights:?}", context());
                assert!(heights.iter().all(|&h| truth.iter().any(|&t| near(h, t))), "{}: {heights:?}", context());
            }
        }
        assert!(found > 300, "{kind:?} seed {seed}: only {found} columns had a height");
    }
}

#[test]
fn edges_of_giant_triangles_are_exact() {
    let mut random = Random::new(400);
    let mut on_edge = 0;
    for number in 0..400 {
        // The edge between the two goes through zero, a long way from both its ends.
        let slope = random.range(-1.0, 1.0);
        let end = Vec3::new(1e12, 3.0, slope * 1e12);
        let triangles = [[-end, end, Vec3::new(0.0, 5.0, 1e12)], [end, -end, Vec3::new(7.0, 5.0, -1e12)]];
        let trees = trees(&triangles);
        for _ in 0..20 {
            // A part of the edge by a power of two is on the edge, and its neighbours are as close as can be.
            let part = 0.5_f32.powi(35 + random.below(10) as i32) * *random.pick(&[1.0, -1.0]);
            let (x, z) = (part * end.x, part * end.z);
            let z = *random.pick(&[z, z.next_up(), z.next_down()]);
            let truth = brute::heights(&triangles, x, z);
            on_edge += usize::from(truth.len() == 2);
            let hits = brute::crossings(&triangles, DVec3::new(f64::from(x), 9.0, f64::from(z)), DVec3::NEG_Y);
            for tree in &trees {
                let context = || format!("question {number} {:?} {x} {z}", tree.settings());
                let over = triangles.iter().filter(|corners| height_at(corners, x, z).is_some()).count();
                assert_eq!(over, truth.len(), "{}", context());
                let height = tree.height(Vec3::new(x, 9.0, z), Which::Below, 0.0).expect("a gap");
                assert!((f64::from(height) - truth[0]).abs() < 1e-3, "{}: {height} {truth:?}", context());
                let ray = Ray::new(Vec3::new(x, 9.0, z), Vec3::NEG_Y).unwrap();
                let crossed = triangles.iter().filter(|corners| ray.cross_triangle(corners).is_some()).count();
                assert_eq!(crossed, hits.len(), "{}", context());
                let hit = tree.ray(&ray, f32::INFINITY, Faces::Both).expect("a gap");
                assert!(hits.iter().any(|crossing| crossing.triangle == hit.triangle), "{}: {hit:?}", context());
                let mut all = Vec::new();
                tree.all_hits(&ray, f32::INFINITY, Faces::Both, &mut all);
                assert_eq!(all.len(), 1, "{}: {all:?}", context());
            }
        }
    }
    assert!(on_edge > 100, "{on_edge}");
}

#[test]
fn what_a_grazing_ray_meets_is_on_the_ray() {
    let mut random = Random::new(500);
    let mut grazed = 0;
    for number in 0..20_000 {
        let [a, b, c] = [(); 3].map(|()| random.vector(1.0));
        let [p, q, r] = [a, b, c].map(|corner| corner.as_dvec3());
        // Thirds have no end, so that these points are in the plane only as well as f64 can say.
        let mut third = || f64::from(random.range(-9.0, 9.0)) / 3.0;
        let mut in_plane = || p + third() * (q - p) + third() * (r - p);
        let (origin, to) = (in_plane(), in_plane());
        let ray = Ray::new(origin, to - origin).unwrap();
        if let Some(crossing) = ray.cross_triangle(&[a, b, c]) {
            let on_ray = origin + ray.direction() * crossing.distance;
            let point = crossing.point(&[a, b, c]).as_dvec3();
            assert!(on_ray.distance(point) < 1e-5, "question {number}: {crossing:?} at {point}, not {on_ray}");
            let truth = brute::crossings(&[[a, b, c]], origin, to - origin);
            grazed += usize::from(truth[0].sine < 1e-12);
        }
    }
    assert!(grazed > 100, "{grazed}");
}
