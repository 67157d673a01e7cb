//! Slides and bounces, checked by what they must do: nothing is overlapped or passed through, a free way is gone to its end,
//! and what held the body back is named.

use glam::{DVec3, Vec3};
use nodetree::query::{Slide, SlideContact, Sweep};

use crate::scene::{OnPanic, Scene, for_each_tree};
use crate::spheres::TOUCH;
use crate::support::Random;
use crate::support::contact;
use crate::support::levels::Kind;
use crate::sweeps;
use crate::tally::Asked;

/// A slide, and what is right.
struct Question {
    slide: Slide,
    /// Whether nothing is within the skin of the body at the start.
    starts_clear: bool,
    /// Whether nothing is within the skin of the body anywhere on the way.
    is_free: bool,
    /// How deep the body overlaps the level at the start, in metres.
    depth: f64,
}

impl Question {
    fn new(scene: &Scene, slide: Slide) -> Question {
        let (center, radii, way) = (slide.center.as_dvec3(), slide.radii.as_dvec3(), slide.displacement.as_dvec3());
        // The library sees a little beyond the skin.
        let reach = 1.0 + 1.3 * f64::from(slide.skin) / radii.min_element();
        let nearest = scene.nearest(center, radii).1;
        let mut is_free = nearest > reach;
        scene.pyramid.along(center, way, 0.0, 1.0, radii * reach, |number| {
            let triangle = scene.in_unit_space(number, center, radii);
            is_free = is_free && contact::time(way / radii, triangle, reach).is_none();
        });
        Question { slide, starts_clear: nearest > reach, is_free, depth: deepest(scene, center, radii) }
    }

    fn check(&self, scene: &Scene, end: Vec3, contacts: &[SlideContact]) {
        let Slide { center, radii, displacement, skin, restitution } = self.slide;
        assert!(end.is_finite());
        let rounding = 1e-6 * f64::from(end.abs().max_element() + displacement.length());
        if self.depth <= TOUCH {
            let left = deepest(scene, end.as_dvec3(), radii.as_dvec3());
            assert!(left <= 2.0 * TOUCH + rounding, "{left} deep at the end, {end}");
        }
        let target = center + displacement;
        let missing = f64::from(end.distance(target));
        if self.is_free {
            assert!(missing <= rounding && contacts.is_empty(), "not at the end of a free way: {end}, {contacts:?}");
        }
        if self.starts_clear && restitution.is_none() {
            let most = f64::from(displacement.length() + 4.0 * skin);
            assert!(missing <= most + rounding, "{end} is farther from the target than the start");
            assert!(missing <= 1e-4 + rounding || !contacts.is_empty(), "held back by nothing at {end}");
        }
        for (index, contact) in contacts.iter().enumerate() {
            let corners = scene.triangles[contact.triangle as usize].map(Vec3::as_dvec3);
            let off = contact::distance(contact.point.as_dvec3(), corners);
            let size = f64::from(contact.point.abs().max_element());
            assert!(off <= 1e-6 + 2e-7 * size, "{contact:?} is {off} off its triangle");
            assert!(contact.normal.is_normalized(), "{contact:?}");
            assert!(contacts[..index].iter().all(|other| other.triangle != contact.triangle), "twice: {contact:?}");
        }
        // A height field is passed through where its only surface is on the other side; not around its rim.
        let rim = (center - scene.bounds.min).min(scene.bounds.max - center);
        let reached = radii.max_element() + 2.0 * displacement.length() + 4.0 * skin;
        let is_field = matches!(scene.kind, Kind::Terrain | Kind::Huge);
        if is_field && rim.x.min(rim.z) > reached && self.depth == 0.0 {
            let is_above =
                |place: Vec3| scene.heights(place.x, place.z).first().map(|&height| f64::from(place.y) >= height);
            if let (Some(before), Some(after)) = (is_above(center), is_above(end)) {
                assert_eq!(before, after, "passed through to {end}");
            }
        }
    }
}

/// How deep in metres the body overlaps the level.
fn deepest(scene: &Scene, center: DVec3, radii: DVec3) -> f64 {
    let overlapped = scene.within(center, radii, 1.0);
    let depth = |number: u32| sweeps::depth(&scene.in_unit_space(number, center, radii), radii);
    overlapped.into_iter().map(|(number, _)| depth(number)).fold(0.0, f64::max)
}

pub fn ask(scene: &Scene, random: &mut Random) -> Option<Asked> {
    let is_sphere = random.below(2) == 0;
    let (Sweep { center, radii, displacement, .. }, aimed) = sweeps::sweep(scene, is_sphere, random)?;
    // The end is rounded to f32, which must not lead through a wall.
    if radii.min_element() < 2.0 * f32::EPSILON * center.abs().max_element() {
        return None;
    }
    let mut slide = Slide::new(center, radii, displacement);
    slide.restitution = *random.pick(&[None, None, None, Some(0.0), Some(0.5), Some(1.0)]);
    Some(Asked { aimed, hit: check(scene, slide) })
}

/// Whether something was in the way.
pub fn check(scene: &Scene, slide: Slide) -> bool {
    let question = Question::new(scene, slide);
    let _what = OnPanic(|| format!("{slide:?}, {} deep, free: {}", question.depth, question.is_free));
    let mut contacts = Vec::new();
    for_each_tree(&scene.trees, |tree| {
        let end = tree.slide(&slide, &mut contacts);
        question.check(scene, end, &contacts);
    });
    !question.is_free
}
