//! Spheres at rest: whether they touch, the nearest point, all triangles within, and the way out.

use glam::{DVec3, Vec3};

use crate::scene::{OnPanic, Scene, for_each_tree};
use crate::support::Random;
use crate::support::contact;
use crate::tally::Asked;

/// The deepest overlap in metres that counts as touching.
pub const TOUCH: f64 = 1e-5;

/// A place: at corners and edges, beside them, or anywhere; and whether it was aimed at an edge or a corner.
pub fn place(scene: &Scene, random: &mut Random) -> (Vec3, bool) {
    let [a, b, c] = *random.pick(scene.targets());
    let near = 10.0_f32.powf(random.range(-6.0, -0.5)) * scene.scale;
    match random.below(6) {
        0 => (a, true),
        1 => (a.lerp(b, random.unit()), true),
        2 => (a.lerp(b, random.unit()) + random.direction() * near, true),
        3 => (a.lerp(b, random.unit()).lerp(c, random.unit()) + random.direction() * near, false),
        4 => (scene.inside(random), false),
        _ => (scene.anywhere(random), false),
    }
}

pub fn ask(scene: &Scene, random: &mut Random) -> Option<Asked> {
    let (center, aimed) = place(scene, random);
    let nearest = scene.nearest(center.as_dvec3(), DVec3::ONE).1;
    let radius = nearest as f32 * *random.pick(&[0.5, 0.999, 1.0, 1.001, 2.0])
        + *random.pick(&[0.0, 0.0, 0.005, 0.02]) * scene.scale;
    Some(Asked { aimed, hit: check(scene, center, radius) })
}

/// Whether it touches.
pub fn check(scene: &Scene, center: Vec3, radius: f32) -> bool {
    let (named, nearest) = scene.nearest(center.as_dvec3(), DVec3::ONE);
    let _what = OnPanic(|| format!("sphere at {center:?} of {radius:?}; {nearest} from triangle {named}"));
    // The last place of f32, and rounding of f64 among what is so large.
    let doubt = |distance: f64| 1.2e-7 * distance + 1e-10 * f64::from(scene.scale);
    let reach = f64::from(radius) + doubt(f64::from(radius));
    let mut truth = scene.within(center.as_dvec3(), DVec3::ONE, reach);
    truth.sort_by_key(|&(number, _)| number);
    let mut found = Vec::new();
    for_each_tree(&scene.trees, |tree| {
        let closest = tree.closest_point(center).expect("there is a level");
        assert!((f64::from(closest.distance) - nearest).abs() <= doubt(nearest), "{closest:?}");
        let its = scene.distance(closest.triangle, center.as_dvec3(), DVec3::ONE);
        assert!((its - nearest).abs() <= doubt(nearest), "{closest:?}, its distance {its}");
        let corners = scene.triangles[closest.triangle as usize].map(Vec3::as_dvec3);
        let (off, size) = (contact::distance(closest.point.as_dvec3(), corners), closest.point.abs().max_element());
        assert!(off <= 1.2e-7 * f64::from(size) + doubt(nearest), "{closest:?} is {off} off its triangle");
        assert_eq!(tree.sphere_touches(center, radius), closest.distance <= radius, "{closest:?}");
        tree.triangles_in_sphere(center, radius, &mut found);
        assert!(found.is_sorted_by(|a, b| a < b), "{found:?}");
        assert!(found.iter().all(|number| truth.binary_search_by_key(number, |&(n, _)| n).is_ok()), "false: {found:?}");
        for &(number, distance) in &truth {
            let is_certain = distance + doubt(distance) < f64::from(radius);
            assert!(!is_certain || found.binary_search(&number).is_ok(), "{number} at {distance} is not in {found:?}");
        }
    });
    nearest <= f64::from(radius)
}

/// The way out is checked by what it must do: nothing where nothing is overlapped, at least the greatest depth, no deeper than
/// before, exactly the depth where one surface is overlapped, and out wherever there is room.
pub fn ask_way_out(scene: &Scene, random: &mut Random) -> Option<Asked> {
    let (center, aimed) = place(scene, random);
    let nearest = scene.nearest(center.as_dvec3(), DVec3::ONE).1;
    let radius = nearest as f32 * random.range(0.7, 2.0) + *random.pick(&[0.0, 1e-4, 0.02 * scene.scale]);
    check_way_out(scene, center, radius).map(|hit| Asked { aimed, hit })
}

/// Whether anything is overlapped; `None` for too much.
pub fn check_way_out(scene: &Scene, center: Vec3, radius: f32) -> Option<bool> {
    let nearest = scene.nearest(center.as_dvec3(), DVec3::ONE).1;
    let overlapped = scene.within(center.as_dvec3(), DVec3::ONE, f64::from(radius));
    // A ball among hundreds of triangles says little, slowly.
    if overlapped.len() > 60 {
        return None;
    }
    let depth = f64::from(radius) - nearest;
    let _what = OnPanic(|| format!("ball at {center:?} of {radius:?}, {depth} deep; overlaps {overlapped:?}"));
    let slack = 1e-8 + 3e-7 * f64::from(radius + scene.scale);
    for_each_tree(&scene.trees, |tree| {
        let way = tree.way_out(center, radius);
        if depth < TOUCH - slack {
            assert_eq!(way, Vec3::ZERO, "overlaps nothing");
            return;
        }
        if depth <= TOUCH + slack {
            return;
        }
        // Without rounding of the place: the way is what is asked for.
        let out = center.as_dvec3() + way.as_dvec3();
        let left = f64::from(radius) - scene.nearest(out, DVec3::ONE).1;
        assert!(left <= depth + slack, "{way} leads deeper, to {left}");
        if left <= 2.0 * TOUCH {
            assert!(f64::from(way.length()) >= depth - 2.0 * TOUCH - slack, "{way} is too short to be out");
        }
        if let [(number, distance)] = overlapped[..]
            && distance > 1e-6 * f64::from(scene.scale)
        {
            let unit = scene.in_unit_space(number, center.as_dvec3(), DVec3::ONE);
            let straight = -contact::closest(DVec3::ZERO, unit).normalize() * depth;
            // Straight out, unless it meets something else there.
            let there = f64::from(radius) - scene.nearest(center.as_dvec3() + straight, DVec3::ONE).1;
            if there < 0.5 * TOUCH {
                assert!(way.as_dvec3().distance(straight) <= 3.0 * TOUCH + slack, "{way}, not {straight}");
                assert!(left <= 2.0 * TOUCH + slack, "{left} left");
            }
        }
    });
    Some(depth > TOUCH)
}
