//! Whether a level's size makes sense in metres, judged as a person would: by the height of its ceilings.

use glam::{DVec2, DVec3};

use super::{Level, WarningKind};
use crate::geometry::has_area;

/// Places on the floor that are looked at.
const SAMPLES: usize = 256;

/// A floor is no steeper than this, as the cosine of the slope: 50 degrees.
const FLOOR: f64 = 0.64;

/// The level counts as indoors when at least one place in so many has something above it.
const COVERED: usize = 10;

/// Ceilings are implausible where half of them are higher than this, in metres. Halls and churches have some as high, but
/// corridors beside them.
const HIGHEST: f64 = 20.0;

/// The height, in metres, that the scale to try gives the ceilings.
const USUAL: f64 = 5.0;

/// A level smaller than this all round, in metres, is no place to be in.
const SMALLEST: f64 = 1.0;

/// The longest side, in metres, that the scale to try gives a level that is too small.
const ROOM: f64 = 10.0;

/// Warns of a level that is implausibly large or small for metres, with the scale to try. `scale` is the present one.
pub(super) fn check(level: &mut Level, scale: f64) {
    let side = f64::from(level.bounds().size().max_element());
    let (what, factor) = if side > 0.0 && side < SMALLEST {
        (format!("the whole level is only {side:.2} m long"), ROOM / side)
    } else if let Some(height) = usual_ceiling(level).filter(|&height| height > HIGHEST) {
        (format!("the ceilings are {height:.0} m high"), USUAL / height)
    } else {
        return;
    };
    let message = format!("{what}; if its unit is not the metre, try --scale {}", rounded(scale * factor));
    level.warnings.add(WarningKind::ImplausibleSize, message);
}

/// To one digit.
fn rounded(scale: f64) -> f64 {
    format!("{scale:.0e}").parse().unwrap_or(scale)
}

/// The height that half of the ceilings reach, in metres. `None` outdoors.
fn usual_ceiling(level: &Level) -> Option<f64> {
    let mut places = places_on_the_floor(level);
    places.sort_by(|a, b| a.point.x.total_cmp(&b.point.x));
    let least = 1e-4 * f64::from(level.bounds().size().max_element());
    for triangle in 0..level.triangles.len() as u32 {
        let corners = level.corners(triangle);
        if !has_area(&corners) {
            continue;
        }
        let [a, b, c] = corners.map(|corner| corner.as_dvec3());
        let (min, max) = (a.min(b).min(c), a.max(b).max(c));
        let first = places.partition_point(|place| place.point.x < min.x);
        for place in places[first..].iter_mut().take_while(|place| place.point.x <= max.x) {
            let above = max.y - place.point.y > least && (min.z..=max.z).contains(&place.point.z);
            if let Some(height) = above.then(|| height_at(place.point, [a, b, c])).flatten() {
                let gap = height - place.point.y;
                place.ceiling = if gap > least { place.ceiling.min(gap) } else { place.ceiling };
            }
        }
    }
    let mut ceilings: Vec<f64> = places.iter().map(|place| place.ceiling).filter(|gap| gap.is_finite()).collect();
    if ceilings.is_empty() || ceilings.len() * COVERED < places.len() {
        return None;
    }
    ceilings.sort_by(f64::total_cmp);
    Some(ceilings[ceilings.len() / 2])
}

/// A place on the floor, and how far above it the next surface is.
struct Place {
    point: DVec3,
    ceiling: f64,
}

/// Places spread over all surfaces that face up and are not steep. Each gets a share by its width rather than its area, lest
/// the roof of a level outweigh all rooms below it.
fn places_on_the_floor(level: &Level) -> Vec<Place> {
    let floors: Vec<([DVec3; 3], f64)> = (0..level.triangles.len() as u32)
        .map(|triangle| level.corners(triangle))
        .filter(has_area)
        .map(|corners| corners.map(|corner| corner.as_dvec3()))
        .map(|corners| (corners, (corners[1] - corners[0]).cross(corners[2] - corners[0])))
        .filter(|(_, normal)| normal.y > FLOOR * normal.length())
        .map(|(corners, normal)| (corners, normal.length().sqrt()))
        .collect();
    let total: f64 = floors.iter().map(|(_, width)| width).sum();
    let mut places = Vec::with_capacity(SAMPLES);
    let mut sum = 0.0;
    for ([a, b, c], width) in floors {
        sum += width;
        while places.len() < SAMPLES && (places.len() as f64 + 0.5) * total < sum * SAMPLES as f64 {
            // Roberts's R2 sequence: even over any run of places.
            let n = places.len() as f64;
            let (u, v) = ((n * 0.754_877_666_246_693).fract(), (n * 0.569_840_290_998_053).fract());
            let (u, v) = if u + v > 1.0 { (1.0 - u, 1.0 - v) } else { (u, v) };
            places.push(Place { point: a + u * (b - a) + v * (c - a), ceiling: f64::INFINITY });
        }
    }
    places
}

/// The height of a triangle straight above or below a point; `None` beside it, or where it is vertical.
fn height_at(point: DVec3, corners: [DVec3; 3]) -> Option<f64> {
    let [a, b, c] = corners.map(|corner| DVec2::new(corner.x - point.x, corner.z - point.z));
    let weights = [b.perp_dot(c), c.perp_dot(a), a.perp_dot(b)];
    let sum: f64 = weights.iter().sum();
    let is_inside = weights.iter().all(|&weight| weight >= 0.0) || weights.iter().all(|&weight| weight <= 0.0);
    (is_inside && sum != 0.0).then(|| weights.iter().zip(corners).map(|(weight, corner)| weight / sum * corner.y).sum())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::level::{Corner, LevelBuilder, Material, Placement};

    /// A room with walls, seen from inside, and perhaps a ceiling.
    fn room(width: f64, height: f64, has_ceiling: bool) -> Level {
        let mut builder = LevelBuilder::new(Placement::default());
        let material = builder.material(Material::default());
        let corner = |builder: &mut LevelBuilder, x: f64, y: f64, z: f64| Corner {
            position: builder.position(DVec3::new(x * width, y * height, z * width)),
            tex_coord: None,
            normal: None,
        };
        let floor = [[0.0, 0.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 1.0], [1.0, 0.0, 0.0]];
        let ceiling = [[0.0, 1.0, 0.0], [1.0, 1.0, 0.0], [1.0, 1.0, 1.0], [0.0, 1.0, 1.0]];
        let wall = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]];
        for side in [Some(floor), has_ceiling.then_some(ceiling), Some(wall)].into_iter().flatten() {
            let corners = side.map(|[x, y, z]| corner(&mut builder, x, y, z));
            builder.polygon(&corners, material, 0);
        }
        builder.finish("room", None)
    }

    fn warning(mut level: Level, scale: f64) -> Option<String> {
        check(&mut level, scale);
        level.warnings.iter().next().map(|warning| warning.message.clone())
    }

    #[test]
    fn rooms_of_people_and_open_country_are_plausible() {
        for (width, height, has_ceiling) in [(4.0, 2.5, true), (100.0, 15.0, true), (5000.0, 300.0, false)] {
            assert_eq!(warning(room(width, height, has_ceiling), 1.0), None);
        }
    }

    #[test]
    fn a_corridor_of_a_hundred_metres_is_told_with_a_scale() {
        let message = warning(room(1000.0, 100.0, true), 2.0).expect("a warning");
        assert!(message.contains("100 m high") && message.ends_with("--scale 0.1"), "{message}");
    }

    #[test]
    fn a_level_for_ants_is_told_with_a_scale() {
        let message = warning(room(0.02, 0.01, true), 1.0).expect("a warning");
        assert!(message.ends_with("--scale 500"), "{message}");
    }
}
