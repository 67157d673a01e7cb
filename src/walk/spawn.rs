//! Where to start: a floor with headroom, not inside a wall and not over a void.

use glam::{DVec3, Vec3};

use super::Settings;
use crate::geometry::UnitSpace;
use crate::query::{Faces, Slider, Solids};
use crate::tree::Tree;

/// Columns along each side of the level that are looked at, nearest to the middle first.
const COLUMNS: i32 = 25;
/// Floors of one column that are looked at, from the lowest: rather the ground floor than the roof.
const FLOORS: usize = 24;
/// How far around it a good place is free, in metres.
const SIGHT: f64 = 6.0;
/// A place from which this much of eight times [`SIGHT`] is free is good enough to stop looking.
const GOOD: f64 = 30.0;

/// A place for the feet in local space: a floor that can be walked, seen from its front, with headroom for the standing body,
/// free around it, near the middle of the level. `None` when the body fits nowhere on a floor.
pub fn find_spawn(tree: &Tree, settings: &Settings) -> Option<Vec3> {
    let bounds = tree.bounds();
    if bounds.is_empty() {
        return None;
    }
    let mut cells: Vec<(i32, i32)> = (0..COLUMNS * COLUMNS).map(|i| (i % COLUMNS, i / COLUMNS)).collect();
    let off = |i: i32| 2 * i + 1 - COLUMNS;
    cells.sort_by_key(|&(x, z)| off(x) * off(x) + off(z) * off(z));
    let mut heights = Vec::new();
    let mut best: Option<(f64, Vec3)> = None;
    for (x, z) in cells {
        let place = |i: i32| (i as f32 + 0.5) / COLUMNS as f32;
        let column = bounds.min + bounds.size() * Vec3::new(place(x), 0.0, place(z));
        tree.heights(column.x, column.z, &mut heights);
        for &height in heights.iter().rev().take(FLOORS) {
            let feet = Vec3::new(column.x, height, column.z);
            let Some((score, feet)) = judge(tree, settings, feet) else { continue };
            if best.is_none_or(|(most, _)| score > most) {
                best = Some((score, feet));
            }
        }
        if let Some((score, feet)) = best
            && score >= GOOD + FRONT
        {
            return Some(feet);
        }
    }
    best.map(|(_, feet)| feet)
}

/// What a floor and a ceiling seen from their fronts are worth, in metres of free sight: more than any sight.
const FRONT: f64 = 8.0 * SIGHT;

/// How good a place on a floor is, and the feet there; `None` where the body does not fit or the floor is too steep.
fn judge(tree: &Tree, settings: &Settings, floor: Vec3) -> Option<(f64, Vec3)> {
    let step = f64::from(settings.step_height);
    let mut slider = slider_at(tree, settings, floor.as_dvec3() + DVec3::Y * 2.0 * Slider::SKIN);
    if slider.overlap() > 0.0 {
        // On a slope the body's flank needs some height.
        slider.body.center.y += f64::from(settings.radius);
        if slider.overlap() > 0.0 {
            return None;
        }
    }
    let support = slider.drop(f64::from(settings.radius) + step, step, settings.walkable_rise())?;
    if !support.is_firm || slider.overlap() > 0.0 {
        return None;
    }
    let [a, b, c] = tree.triangle(support.index).map(|corner| corner.as_dvec3());
    // A ceiling that shows its back is the top of something solid that the place is inside of.
    let is_front = (b - a).cross(c - a).y > 0.0 && !shows_back_above(tree, &slider.body);
    let free: f64 = DIRECTIONS
        .iter()
        .map(|&(x, z)| {
            let way = DVec3::new(x, 0.0, z) * SIGHT;
            Solids::from(tree)
                .first_obstacle(&slider.body, way, Faces::Both)
                .map_or(1.0, |(_, contact)| contact.fraction)
                * SIGHT
        })
        .sum();
    let feet = (slider.body.center - DVec3::Y * slider.body.radii.y).as_vec3();
    Some((free + if is_front { FRONT } else { 0.0 }, feet))
}

/// Eight unit directions.
const DIRECTIONS: [(f64, f64); 8] = {
    const D: f64 = std::f64::consts::FRAC_1_SQRT_2;
    [(1.0, 0.0), (D, D), (0.0, 1.0), (-D, D), (-1.0, 0.0), (-D, -D), (0.0, -1.0), (D, -D)]
};

fn shows_back_above(tree: &Tree, body: &UnitSpace) -> bool {
    let up = DVec3::Y * f64::from(tree.bounds().size().y + 1.0);
    let head = UnitSpace::new(body.center, Vec3::splat(1e-3));
    Solids::from(tree).first_obstacle(&head, up, Faces::Both).is_some_and(|(index, _)| {
        let [a, b, c] = tree.triangle(index).map(|corner| corner.as_dvec3());
        (b - a).cross(c - a).y > 0.0
    })
}

/// The place for the feet that someone asked for, mended: moved up or down out of what it is slightly in (by up to the
/// body's height, through nothing), and put on the floor when that is no more than a step below. Where that does not help,
/// some other place of [`find_spawn`]; `wanted` itself as the last resort. All in local space.
pub fn settle_spawn(tree: &Tree, settings: &Settings, wanted: Vec3) -> Vec3 {
    const TRIES: i32 = 36;
    let start = slider_at(tree, settings, wanted.as_dvec3());
    let core = UnitSpace::new(start.body.center, Vec3::splat(1e-3));
    let step = f64::from(settings.step_height);
    for (part, sign) in (0..=TRIES).flat_map(|part| [(part, 1.0), (part, -1.0)]) {
        let rise = sign * f64::from(settings.height) * f64::from(part) / f64::from(TRIES);
        let mut slider = start;
        slider.body.center.y += rise;
        if slider.overlap() > 0.0 || Solids::from(tree).first_obstacle(&core, DVec3::Y * rise, Faces::Both).is_some() {
            continue;
        }
        slider.keep_skin();
        // Without ground nearby it stays as asked for, in the air.
        slider.drop(rise.max(0.0) + step, step, settings.walkable_rise());
        return (slider.body.center - DVec3::Y * slider.body.radii.y).as_vec3();
    }
    find_spawn(tree, settings).unwrap_or(wanted)
}

/// A standing body with its feet somewhere.
fn slider_at<'a>(tree: &'a Tree, settings: &Settings, feet: DVec3) -> Slider<'a> {
    let radii = Vec3::new(settings.radius, 0.5 * settings.height, settings.radius);
    let body = UnitSpace::new(feet + DVec3::Y * f64::from(radii.y), radii);
    Slider::new(tree, body, Slider::SKIN)
}
