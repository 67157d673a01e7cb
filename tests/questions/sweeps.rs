//! Swept spheres and ellipsoids against halving on the distance, which is convex in time: from clear of the level, from touch
//! and from overlap.

use glam::{DVec3, Vec3};
use nodetree::query::{Faces, Sweep, SweepHit};

use crate::scene::{OnPanic, Scene, axis, for_each_tree};
use crate::spheres::{TOUCH, place};
use crate::support::Random;
use crate::support::contact;
use crate::tally::Asked;

/// How far the contact may lie from what is certain, in metres.
const TOLERANCE: f64 = 1e-5;
/// A body that is larger or smaller by this, in metres, meets the level earlier or later than any rounding says.
const DOUBT: f64 = 1e-6;

/// How the body starts.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Start {
    Clear,
    Touching,
    Overlapping,
}

/// A sweep, and what is right.
#[derive(Debug)]
pub struct Question {
    pub sweep: Sweep,
    aimed: bool,
    start: Start,
    /// Times of the first contact of a body that is a little larger and of one that is a little smaller.
    earliest: Option<f64>,
    latest: Option<f64>,
    /// Of an overlap at the start, in metres along the normal.
    depth: f64,
}

/// Parts of the sphere's radius along the axes.
fn shape(is_sphere: bool, random: &mut Random) -> DVec3 {
    if is_sphere {
        return DVec3::ONE;
    }
    let any = Vec3::new(random.range(0.2, 2.0), random.range(0.2, 2.0), random.range(0.2, 2.0));
    random.pick(&[Vec3::new(1.0, 2.57, 1.0), Vec3::new(3.0, 0.5, 1.0), any]).as_dvec3()
}

/// A body beside the level: its centre, its radii, and whether that was aimed at an edge or a corner.
fn body(scene: &Scene, shape: DVec3, random: &mut Random) -> Option<(Vec3, Vec3, bool)> {
    let (mut center, aimed) = place(scene, random);
    if scene.scale < 1e-3 {
        // Bodies are no grains of dust: they come to it from farther off.
        center += random.direction() * random.range(0.01, 3.0);
    }
    let distance = scene.nearest(center.as_dvec3(), shape).1;
    let start = *random.pick(&[Start::Clear, Start::Clear, Start::Clear, Start::Touching, Start::Overlapping]);
    let size = match start {
        Start::Clear => distance * f64::from(random.pick(&[0.1, 0.5, 0.9, 0.99]) * random.range(0.5, 1.0)),
        Start::Touching => distance,
        Start::Overlapping => distance * f64::from(random.range(1.0, 1.5)) + 1e-3,
    };
    let radii = (shape * size).as_vec3();
    // Smaller ones are taken as larger, and larger ones than the level say nothing.
    (radii.min_element() > 1e-3 && radii.max_element() < 4.0 * scene.scale.max(1.0)).then_some((center, radii, aimed))
}

/// A way for a body beside the level, and whether it was aimed at an edge or a corner.
pub fn sweep(scene: &Scene, is_sphere: bool, random: &mut Random) -> Option<(Sweep, bool)> {
    let (center, radii, aimed) = body(scene, shape(is_sphere, random), random)?;
    let (target, target_aimed) = place(scene, random);
    let reach = scene.scale.max(1.0);
    let (displacement, aimed) = match random.below(9) {
        0 => (axis(random) * reach * random.unit(), aimed),
        1 => (Vec3::NEG_Y * reach * random.unit(), aimed),
        2 => (random.direction() * 1e-3, aimed),
        3 => (random.direction() * reach * random.unit(), aimed),
        4 => (Vec3::ZERO, aimed),
        5 | 6 => {
            // Past a target, so that the body just meets or just misses it.
            let way = target - center;
            let aside = way.cross(random.direction()).normalize_or_zero();
            let near = 1.0 + *random.pick(&[0.0, 1e-6, -1e-6, 1e-3, -1e-3]);
            ((way + aside * radii * near) * random.range(1.0, 1.5), target_aimed)
        }
        _ => ((target - center) * random.range(0.5, 1.5), target_aimed),
    };
    let faces = *random.pick(&[Faces::Both, Faces::Both, Faces::Both, Faces::Front, Faces::Back]);
    Some((Sweep { center, radii, displacement, faces }, aimed))
}

impl Question {
    pub fn new(scene: &Scene, is_sphere: bool, random: &mut Random) -> Option<Question> {
        let (sweep, aimed) = sweep(scene, is_sphere, random)?;
        Question::of(scene, sweep, aimed)
    }

    /// `None` where it cannot be told which side of a triangle the body is on.
    pub fn of(scene: &Scene, sweep: Sweep, aimed: bool) -> Option<Question> {
        let (center, radii, way) = (sweep.center.as_dvec3(), sweep.radii.as_dvec3(), sweep.displacement.as_dvec3());
        let mut question = Question { sweep, aimed, start: Start::Clear, earliest: None, latest: None, depth: 0.0 };
        let mut near = Vec::new();
        let pad = radii + 2.0 * TOUCH;
        scene
            .pyramid
            .along(center, way, 0.0, 1.0 + 2.0 * TOUCH / way.length().max(1e-9), pad, |number| near.push(number));
        if sweep.faces != Faces::Both {
            for &number in &near {
                side(scene, &sweep, number)?;
            }
            near.retain(|&number| side(scene, &sweep, number).is_some_and(|front| sweep.faces.admit(front)));
        }
        let near: Vec<[DVec3; 3]> = near.into_iter().map(|number| scene.in_unit_space(number, center, radii)).collect();
        let nearest =
            near.iter().map(|&triangle| contact::distance(DVec3::ZERO, triangle)).fold(f64::INFINITY, f64::min);
        let overlap = near.iter().map(|triangle| depth(triangle, radii)).fold(0.0, f64::max);
        let touch = (TOUCH + DOUBT) / radii.min_element();
        question.start = match () {
            () if overlap > TOUCH => Start::Overlapping,
            () if nearest < 1.0 + touch => Start::Touching,
            () => Start::Clear,
        };
        question.depth = overlap;
        if overlap > TOUCH - 1e-8 && overlap < TOUCH + 1e-8 {
            return None;
        }
        let unit_way = way / radii;
        let first = |until: f64, radius: f64| {
            let mut best: Option<f64> = None;
            for &triangle in &near {
                best = contact::time_until(best.unwrap_or(until), unit_way, triangle, radius).or(best);
            }
            best
        };
        // The end may be overshot by what counts as touching.
        let until = 1.0 + TOUCH / way.length().max(1e-9);
        question.earliest = first(until, 1.0 + DOUBT / radii.min_element());
        let smaller = if question.start == Start::Clear { DOUBT / radii.min_element() } else { 1.1 * touch };
        question.latest = first(1.0, 1.0 - smaller);
        Some(question)
    }

    pub fn asked(&self) -> Asked {
        Asked { aimed: self.aimed, hit: self.start == Start::Overlapping || self.latest.is_some() }
    }

    pub fn check(&self, scene: &Scene, hit: Option<&SweepHit>) {
        if self.start == Start::Overlapping {
            self.check_overlap(scene, hit);
        } else {
            self.check_way(scene, hit);
        }
    }

    /// Checks every tree.
    pub fn check_trees(&self, scene: &Scene) {
        let _what = OnPanic(|| format!("{self:?}"));
        for_each_tree(&scene.trees, |tree| self.check(scene, tree.sweep(&self.sweep).as_ref()));
    }

    fn check_overlap(&self, scene: &Scene, hit: Option<&SweepHit>) {
        let hit = hit.expect("an overlap is a hit");
        assert_eq!(hit.fraction, 0.0, "{hit:?}");
        let (center, radii) = (self.sweep.center.as_dvec3(), self.sweep.radii.as_dvec3());
        assert!((f64::from(hit.depth) - self.depth).abs() < TOLERANCE, "{hit:?}, not {}", self.depth);
        let triangle = scene.in_unit_space(hit.triangle, center, radii);
        assert!((depth(&triangle, radii) - self.depth).abs() < TOLERANCE, "{hit:?}: another is deeper");
        let nearest = contact::closest(DVec3::ZERO, triangle);
        if nearest.length() > 1e-3 {
            let outward = -(nearest / radii).normalize();
            self.check_normal(scene, hit, outward, 0.0);
        }
        assert!(hit.normal.is_normalized() && hit.way_out.is_finite(), "{hit:?}");
    }

    fn check_way(&self, scene: &Scene, hit: Option<&SweepHit>) {
        let (center, radii) = (self.sweep.center.as_dvec3(), self.sweep.radii.as_dvec3());
        let way = self.sweep.displacement.as_dvec3();
        let length = way.length();
        let Some(hit) = hit else {
            assert_eq!(self.latest, None, "missed");
            return;
        };
        let fraction = f64::from(hit.fraction);
        let earliest = self.earliest.unwrap_or_else(|| panic!("false {hit:?}"));
        // The fraction has 24 bits.
        let slack = TOLERANCE + f64::from(f32::EPSILON) * length;
        assert!((0.0..=1.0).contains(&fraction), "{hit:?}");
        assert!(fraction * length >= earliest * length - slack, "{hit:?} is too early");
        if let Some(latest) = self.latest {
            assert!(fraction * length <= latest * length + slack, "{hit:?} is too late");
        }
        if self.start == Start::Clear || fraction * length > 10.0 * TOUCH {
            assert_eq!((hit.depth, hit.way_out), (0.0, Vec3::ZERO), "{hit:?}");
        }
        assert!(f64::from(hit.depth) <= TOUCH + DOUBT, "{hit:?}");
        // The point is on the named triangle and on the body, and the normal is the body's there.
        let (moved, point) = (center + way * fraction, hit.point.as_dvec3());
        let corners = scene.triangles[hit.triangle as usize].map(Vec3::as_dvec3);
        let off = contact::distance(point, corners);
        let rounding = 3e-7 * moved.abs().max_element().max(point.abs().max_element()).max(length);
        assert!(off < DOUBT + rounding, "{hit:?} is {off} off its triangle");
        let on_body = (point - moved) / radii;
        let off = (on_body.length() - 1.0).abs() * radii.min_element();
        assert!(off < TOUCH + DOUBT + rounding, "{hit:?} is {off} off the body");
        let outward = -(on_body / radii).normalize();
        self.check_normal(scene, hit, outward, fraction);
        // What is touched is only met on the way in.
        let triangle = scene.in_unit_space(hit.triangle, center, radii);
        let start = contact::closest(DVec3::ZERO, triangle);
        if start.length() <= 1.0 + 1e-9 {
            let approach = (way / radii).normalize_or_zero().dot(start.normalize_or_zero());
            assert!(approach > -1e-6, "{hit:?} although it moves away: {approach}");
        }
    }

    /// The normal is that of the contact, or of a face that is as near there.
    fn check_normal(&self, scene: &Scene, hit: &SweepHit, outward: DVec3, fraction: f64) {
        let normal = hit.normal.as_dvec3();
        let radii = self.sweep.radii.as_dvec3();
        // A place on a body errs with the last place of f32 there; so do directions, on a small body more.
        let error = 1e-4 + 2e-6 * f64::from(hit.point.abs().max_element()) / radii.min_element();
        let is_close =
            |direction: DVec3| direction.distance(normal) <= error * (radii.max_element() / radii.min_element());
        // Where sides are left out, the normal may still be that of a side that is.
        if is_close(outward) || self.sweep.faces != Faces::Both {
            return;
        }
        let center = self.sweep.center.as_dvec3() + self.sweep.displacement.as_dvec3() * fraction;
        let reach = contact::distance(DVec3::ZERO, scene.in_unit_space(hit.triangle, center, radii));
        let near = scene.within(center, radii, reach + 1e-5 + TOLERANCE / radii.min_element());
        let is_faces = near.iter().any(|&(number, _)| {
            let nearest = contact::closest(DVec3::ZERO, scene.in_unit_space(number, center, radii));
            is_close(-(nearest / radii).normalize_or_zero())
        });
        assert!(is_faces, "{hit:?}: the normal is neither {outward} nor a face's");
    }
}

/// How deep in metres along its normal a body at the origin of unit space overlaps a triangle.
pub fn depth(triangle: &[DVec3; 3], radii: DVec3) -> f64 {
    let nearest = contact::closest(DVec3::ZERO, *triangle);
    let distance = nearest.length();
    if distance > 1.0 {
        return 0.0;
    }
    let [a, b, c] = *triangle;
    let direction = if distance > 1e-12 { nearest / distance } else { (b - a).cross(c - a).normalize() };
    (1.0 - distance) / (direction / radii).length()
}

/// Whether a triangle shows its front to the body at the start; `None` where rounding decides.
fn side(scene: &Scene, sweep: &Sweep, number: u32) -> Option<bool> {
    let [a, b, c] = scene.triangles[number as usize].map(|corner| corner.as_dvec3() - sweep.center.as_dvec3());
    let normal = (b - a).cross(c - a);
    let height = -normal.dot(a);
    let doubt = 1e-9 * (b - a).length() * (c - a).length() * a.length();
    (height.abs() > doubt).then_some(height > 0.0)
}

fn ask(scene: &Scene, is_sphere: bool, random: &mut Random) -> Option<Asked> {
    let question = Question::new(scene, is_sphere, random)?;
    question.check_trees(scene);
    Some(question.asked())
}

pub fn ask_sphere(scene: &Scene, random: &mut Random) -> Option<Asked> {
    ask(scene, true, random)
}

pub fn ask_ellipsoid(scene: &Scene, random: &mut Random) -> Option<Asked> {
    ask(scene, false, random)
}
