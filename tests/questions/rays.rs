//! Rays (the nearest hit, any, all) and segments. What brute force says is exact, so whether there is a hit must agree to the
//! last bit.

use glam::{DVec3, Vec3};
use nodetree::geometry::Ray;
use nodetree::query::{Faces, RayHit};
use nodetree::tree::Tree;

use crate::scene::{OnPanic, Scene, axis, for_each_tree};
use crate::support::Random;
use crate::support::brute::Crossing;
use crate::tally::Asked;

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

impl Aim {
    fn is_at_edges_or_corners(self) -> bool {
        matches!(
            self,
            Aim::ThroughACorner
                | Aim::AlongAnEdge
                | Aim::BesideASeam
                | Aim::AlongAnAxisThroughACorner
                | Aim::ExactlyThroughAnEdge
                | Aim::BetweenTwoF32
        )
    }

    /// Origin and direction.
    fn aim(self, scene: &Scene, random: &mut Random) -> [DVec3; 2] {
        let scale = scene.scale;
        let [a, b, c] = *random.pick(scene.targets());
        let (origin, direction) = match self {
            Aim::Anywhere => (scene.anywhere(random), random.direction() * random.range(0.1, 10.0)),
            Aim::AlongAnAxis => (scene.anywhere(random), axis(random) * random.range(0.1, 10.0)),
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
                let from = scene.anywhere(random);
                (from, a - from)
            }
            Aim::AlongAnEdge => (a + (a - b), b - a),
            Aim::BesideASeam => {
                let aside = random.direction() * scale * 10.0_f32.powf(random.range(-7.0, -4.0));
                let target = a + (b - a) * random.unit() + aside;
                if random.below(2) == 0 {
                    (target + Vec3::Y * random.range(0.0, scale), Vec3::NEG_Y)
                } else {
                    let from = scene.anywhere(random);
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
                origin[moved] = scene.anywhere(random)[moved];
                (origin, direction)
            }
            Aim::FromFarAway => {
                let from = scene.inside(random) + random.direction() * 12_000.0 * scale;
                (from, scene.inside(random) - from)
            }
            Aim::ExactlyThroughAnEdge => {
                let (from, to) = (scene.inside(random).as_dvec3(), 0.5 * a.as_dvec3() + 0.5 * b.as_dvec3());
                return [from, to - from];
            }
            Aim::ExactlyInTheTrianglesPlane => {
                let [a, b, c] = [a, b, c].map(Vec3::as_dvec3);
                let mut in_plane = || {
                    let (u, v) = (f64::from(random.range(-2.0, 2.0)), f64::from(random.range(-2.0, 2.0)));
                    a + u * (b - a) + v * (c - a)
                };
                let from = in_plane();
                return [from, in_plane() - from];
            }
            Aim::BetweenTwoF32 => {
                // Along an axis past a corner, so closely that in f32 it would go through it.
                let mut origin = a.as_dvec3() * (1.0 + 1e-10 * f64::from(random.range(-1.0, 1.0)));
                let direction = axis(random);
                let moved = direction.abs().max_position();
                origin[moved] = f64::from(scene.anywhere(random)[moved]);
                return [origin, direction.as_dvec3()];
            }
        };
        [origin.as_dvec3(), direction.as_dvec3()]
    }
}

/// A ray, and what is right.
#[derive(Debug)]
pub struct Question {
    aimed: bool,
    origin: DVec3,
    direction: DVec3,
    pub ray: Ray,
    faces: Faces,
    limit: f32,
    /// Exact, of the asked faces, in order.
    truth: Vec<Crossing>,
}

/// How far the library's distance may be from the exact one: the last place of f32, what the plane of a needle says in f64,
/// and what f64 says where the ray is nearly in the triangle's plane.
fn tolerance(crossing: &Crossing) -> f64 {
    let rounding = 2.0 * f64::from(f32::EPSILON) * crossing.distance + 1e-11 * crossing.reach;
    rounding + 1e-14 * crossing.reach / crossing.sine.max(1e-300)
}

/// Hits at one distance differ by at most this: 8 times what the library tells apart.
fn same_distance(distance: f64) -> f64 {
    1e-6 * distance
}

impl Question {
    /// `None` where there is no such ray.
    pub fn of(scene: &Scene, [origin, direction]: [DVec3; 2], faces: Faces, limit: f32) -> Option<Question> {
        let ray = Ray::new(origin, direction).ok()?;
        let mut truth = scene.crossings(origin, direction);
        truth.retain(|crossing| faces.admit(crossing.front));
        Some(Question { aimed: false, origin, direction, ray, faces, limit, truth })
    }

    /// One without a limit.
    pub fn unlimited(scene: &Scene, random: &mut Random, faces: Faces) -> Option<Question> {
        let aim = *random.pick(&AIMS);
        let question = Question::of(scene, aim.aim(scene, random), faces, f32::INFINITY)?;
        Some(Question { aimed: aim.is_at_edges_or_corners(), ..question })
    }

    fn new(scene: &Scene, random: &mut Random) -> Option<Question> {
        let faces = *random.pick(&[Faces::Both, Faces::Both, Faces::Front, Faces::Back]);
        let mut question = Question::unlimited(scene, random, faces)?;
        question.limit = match (random.below(4), question.truth.first()) {
            (0, Some(first)) => first.distance as f32,
            (1, _) => random.unit() * scene.scale,
            _ => f32::INFINITY,
        };
        Some(question)
    }

    pub fn asked(&self) -> Asked {
        let hit = self.truth.first().is_some_and(|first| first.distance <= f64::from(self.limit));
        Asked { aimed: self.aimed, hit }
    }

    fn crossing(&self, hit: &RayHit) -> &Crossing {
        let same = self.truth.iter().find(|crossing| crossing.triangle == hit.triangle);
        same.unwrap_or_else(|| panic!("hit what is not there: {hit:?}"))
    }

    /// Must be met: at the limit itself rounding decides.
    fn is_certain(&self, crossing: &Crossing) -> bool {
        crossing.distance + tolerance(crossing) < f64::from(self.limit)
    }

    /// A hit is on the ray and on its triangle, where the exact crossing is.
    fn check_hit(&self, scene: &Scene, hit: &RayHit) {
        let same = self.crossing(hit);
        let (distance, error) = (f64::from(hit.distance), tolerance(same));
        assert!(hit.distance <= self.limit && same.distance - error <= f64::from(self.limit), "beyond: {hit:?}");
        assert!((distance - same.distance).abs() <= error, "{hit:?} is not at {same:?}");
        assert_eq!(hit.front, same.front, "{hit:?}");
        // However sharp the angle.
        let (point, on_ray) = (hit.point.as_dvec3(), self.origin + self.direction.normalize() * distance);
        let slack = 1e-6 * (same.reach + point.abs().max_element());
        assert!(on_ray.distance(point) <= slack, "{hit:?} is not on the ray at {on_ray}");
        let [a, b, c] = scene.triangles[hit.triangle as usize].map(Vec3::as_dvec3);
        let (u, v) = (f64::from(hit.u), f64::from(hit.v));
        assert!(u >= 0.0 && v >= 0.0 && u + v <= 1.0 + 1e-6, "{hit:?}");
        let size = (b - a).length().max((c - a).length()) + a.abs().max_element();
        let from_weights = a + u * (b - a) + v * (c - a);
        assert!((from_weights - point).length() <= 1e-6 * size, "{hit:?} is not at {from_weights}");
        let exact = (b - a).cross(c - a).normalize();
        assert!((hit.normal.as_dvec3() - exact).length() < 1e-6, "{hit:?}, normal {exact}");
    }

    pub fn check_nearest(&self, scene: &Scene, hit: Option<&RayHit>) {
        let first = self.truth.iter().find(|crossing| self.is_certain(crossing));
        let Some(hit) = hit else {
            assert_eq!(first, None, "missed");
            return;
        };
        self.check_hit(scene, hit);
        if let Some(first) = first {
            let slack = tolerance(first) + tolerance(self.crossing(hit)) + same_distance(first.distance);
            assert!(f64::from(hit.distance) <= first.distance + slack, "{hit:?} is not the nearest: {first:?}");
        }
        // Of a front and a back at one distance it is the front.
        let is_same = |crossing: &Crossing| {
            let gap = (crossing.distance - self.crossing(hit).distance).abs();
            crossing.front
                && crossing.sine > 1e-3
                && gap < 0.1 * f64::from(f32::EPSILON) * crossing.distance
                && self.is_certain(crossing)
        };
        assert!(hit.front || !self.truth.iter().any(is_same), "{hit:?} is a back");
    }

    fn check_all(&self, scene: &Scene, hits: &[RayHit]) {
        assert!(hits.is_sorted_by(|a, b| a.distance <= b.distance), "out of order: {hits:?}");
        hits.iter().for_each(|hit| self.check_hit(scene, hit));
        for crossing in self.truth.iter().filter(|crossing| self.is_certain(crossing)) {
            let slack = tolerance(crossing) + same_distance(crossing.distance);
            let is_it = |hit: &RayHit| {
                (f64::from(hit.distance) - crossing.distance).abs() <= slack + tolerance(self.crossing(hit))
            };
            assert!(hits.iter().any(is_it), "{crossing:?} is not among {hits:?}");
        }
    }

    fn check(&self, scene: &Scene, tree: &Tree, all: &mut Vec<RayHit>) -> Option<RayHit> {
        let nearest = tree.ray(&self.ray, self.limit, self.faces);
        self.check_nearest(scene, nearest.as_ref());
        assert_eq!(tree.any_hit(&self.ray, self.limit, self.faces), nearest.is_some(), "any");
        tree.all_hits(&self.ray, self.limit, self.faces, all);
        self.check_all(scene, all);
        let (near, first) = (nearest.map(|hit| hit.distance), all.first().map(|hit| hit.distance));
        let is_same = near.zip(first).is_some_and(|(near, first)| (near - first).abs() <= 1e-6 * near);
        assert!(is_same || near.or(first).is_none(), "nearest {near:?}, first of all {first:?}");
        if let Some(hit) = &nearest {
            let again = tree.ray(&self.ray, hit.distance, self.faces);
            assert_eq!(again.map(|again| again.distance), Some(hit.distance), "the limit itself");
        }
        nearest
    }

    /// Checks every tree.
    pub fn check_trees(&self, scene: &Scene) {
        let _what = OnPanic(|| format!("{self:?}"));
        let (mut all, mut first) = (Vec::new(), None);
        for_each_tree(&scene.trees, |tree| {
            let nearest = self.check(scene, tree, &mut all);
            assert_eq!(*first.get_or_insert(nearest), nearest, "trees differ");
        });
    }
}

pub fn ask(scene: &Scene, random: &mut Random) -> Option<Asked> {
    let question = Question::new(scene, random)?;
    question.check_trees(scene);
    Some(question.asked())
}

pub fn ask_segment(scene: &Scene, random: &mut Random) -> Option<Asked> {
    // Between corners, middles of edges and points beside, or along rays.
    let end = |random: &mut Random| {
        let [a, b, c] = *random.pick(scene.targets());
        let beside = a + random.unit() * (b - a) + random.unit() * (c - a);
        random.pick(&[a, 0.5 * a + 0.5 * b, beside]).as_dvec3()
    };
    let aim = *random.pick(&AIMS);
    let (from, to, aimed) = if random.below(2) == 0 {
        (end(random), end(random), true)
    } else {
        let [origin, direction] = aim.aim(scene, random);
        let length = f64::from(scene.scale * random.unit()) / direction.length();
        (origin, origin + direction * length, aim.is_at_edges_or_corners())
    };
    check_segment(scene, from, to).map(|hit| Asked { aimed, hit })
}

/// Whether something is between; `None` for no way.
pub fn check_segment(scene: &Scene, from: DVec3, to: DVec3) -> Option<bool> {
    let along = to - from;
    if along == DVec3::ZERO || !along.is_finite() {
        return None;
    }
    let truth = scene.crossings(from, along);
    let _what = OnPanic(|| format!("segment {from:?} {to:?}: {truth:?}"));
    let first = truth.first().filter(|crossing| crossing.distance <= along.length());
    for_each_tree(&scene.trees, |tree| match (tree.segment(from, to), first) {
        (None, None) => {}
        (Some(distance), Some(first)) => {
            let slack = tolerance(first) + same_distance(first.distance);
            assert!((f64::from(distance) - first.distance).abs() <= slack, "{distance}");
        }
        // Only rounding at the far end may differ.
        (answer, _) => {
            let at_end = truth.iter().any(|c| (c.distance - along.length()).abs() <= tolerance(c));
            assert!(at_end, "{answer:?}");
        }
    });
    Some(first.is_some())
}
