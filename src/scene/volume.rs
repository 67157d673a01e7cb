//! Volumes that tell who is in them.

use glam::{DAffine3, DVec3};

use super::fault::Wrong;
use super::file::TriggerEntry;
use crate::bodies::Ellipsoid;
use crate::geometry::nearest_on_triangle;

/// The shape of a trigger, around its origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Volume {
    /// A box by its sizes along its own axes, in metres before scale.
    Box(DVec3),
    /// A ball by its radius in metres, which scale does not change.
    Ball(f64),
}

impl Volume {
    /// What an entry says.
    pub(super) fn of(entry: &TriggerEntry) -> Result<Volume, Wrong> {
        match (&entry.size, entry.radius) {
            (Some(size), None) => {
                let size = size.three("size")?;
                let is_fine = size.min_element() > 0.0 && size.max_element() <= 1e6;
                if is_fine {
                    Ok(Volume::Box(size))
                } else {
                    Err(Wrong::at("size", "size must be above 0 m and at most 1000000 m"))
                }
            }
            (None, Some(radius)) if radius > 0.0 && radius <= 1e6 => Ok(Volume::Ball(radius)),
            (None, Some(_)) => Err(Wrong::at("radius", "radius must be above 0 m and at most 1000000 m")),
            _ => Err(Wrong::entry("a trigger needs either a size or a radius")),
        }
    }

    /// Whether a body touches the volume where `local_from_own` puts it.
    pub(super) fn touches(&self, local_from_own: &DAffine3, body: &Ellipsoid) -> bool {
        match *self {
            Volume::Box(size) => {
                let own = local_from_own.inverse().transform_point3(body.center);
                let half = 0.5 * size;
                if own.abs().cmple(half).all() {
                    return true;
                }
                let corner = |index: usize| {
                    let sign = |bit: usize| if index >> bit & 1 == 0 { -1.0 } else { 1.0 };
                    local_from_own.transform_point3(half * DVec3::new(sign(0), sign(1), sign(2)))
                };
                let faces = [[0, 1, 3, 2], [4, 5, 7, 6], [0, 1, 5, 4], [2, 3, 7, 6], [0, 2, 6, 4], [1, 3, 7, 5]];
                faces.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).any(|triangle| {
                    let corners = triangle.map(|index| (corner(index) - body.center) / body.radii);
                    nearest_on_triangle(&corners).point.length() <= 1.0
                })
            }
            Volume::Ball(radius) => distance(local_from_own.translation - body.center, body.radii) <= radius,
        }
    }

    /// A box around it in local space, by its least and greatest corner.
    pub(super) fn bounds(&self, local_from_own: &DAffine3) -> [DVec3; 2] {
        let reach = match *self {
            Volume::Box(size) => {
                let columns =
                    [local_from_own.matrix3.x_axis, local_from_own.matrix3.y_axis, local_from_own.matrix3.z_axis];
                let half = 0.5 * size;
                columns[0].abs() * half.x + columns[1].abs() * half.y + columns[2].abs() * half.z
            }
            Volume::Ball(radius) => DVec3::splat(radius),
        };
        [local_from_own.translation - reach, local_from_own.translation + reach]
    }
}

/// The distance in metres of a point to an ellipsoid around 0 with half axes along X, Y and Z; 0 inside.
///
/// The nearest point of the surface is `r² p / (t + r²)`, axis by axis, for the one `t` that puts it onto the surface.
/// (Eberly, Distance from a Point to an Ellipse, an Ellipsoid, or a Hyperellipsoid, 2013.)
fn distance(point: DVec3, radii: DVec3) -> f64 {
    if (point / radii).length_squared() <= 1.0 {
        return 0.0;
    }
    let squares = radii * radii;
    let nearest = |t: f64| squares * point / (squares + t);
    // The surface lies between: at `low` the point is outside, at `high` inside.
    let (mut low, mut high) = (0.0, radii.max_element() * point.length());
    for _ in 0..64 {
        let middle = 0.5 * (low + high);
        let is_outside = (nearest(middle) / radii).length_squared() > 1.0;
        (low, high) = if is_outside { (middle, high) } else { (low, middle) };
    }
    nearest(high).distance(point)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_distance_to_an_ellipsoid_is_the_least_to_its_surface() {
        let radii = DVec3::new(0.35, 0.9, 0.35);
        for point in [DVec3::new(1.0, 0.5, -2.0), DVec3::new(0.0, 3.0, 0.0), DVec3::new(0.36, 0.0, 0.0), DVec3::ONE] {
            let mut least = f64::INFINITY;
            for i in 0..=400 {
                for j in 0..800 {
                    let (up, round) = (f64::from(i) / 400.0 * 3.2, f64::from(j) / 800.0 * 6.3);
                    let unit = DVec3::new(up.sin() * round.cos(), up.cos(), up.sin() * round.sin());
                    least = least.min((unit * radii).distance(point));
                }
            }
            let found = distance(point, radii);
            assert!((found - least).abs() < 1e-3, "{point}: {found}, {least}");
        }
        assert_eq!(distance(DVec3::new(0.1, 0.5, 0.0), radii), 0.0);
    }

    #[test]
    fn a_body_is_in_a_box_from_touch_to_touch() {
        let volume = Volume::Box(DVec3::new(2.0, 2.0, 2.0));
        let turned = DAffine3::from_rotation_y(core::f64::consts::FRAC_PI_4);
        let body =
            |x: f64| Ellipsoid { center: DVec3::new(x, 0.0, 0.0), radii: DVec3::splat(0.5), velocity: DVec3::ZERO };
        let edge = 2.0_f64.sqrt();
        for (x, touches) in [(0.0, true), (edge, true), (edge + 0.499, true), (edge + 0.501, false)] {
            assert_eq!(volume.touches(&turned, &body(x)), touches, "{x}");
        }
    }
}
