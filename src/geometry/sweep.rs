//! A sphere or an ellipsoid that moves against one triangle.
//!
//! An ellipsoid is swept in the space in which it is the unit sphere (positions less its centre, divided by its radii). The
//! distance of the moving centre to the triangle, which is convex in time, is followed to the surface by Newton's steps:
//! from a time before the first contact they never pass it. (Conservative advancement, as in Mirtich, "Impulse-based Dynamic
//! Simulation of Rigid Body Systems", 1996, along the normal of the nearest point.)

use glam::{DVec3, Vec3};

use super::closest::nearest_on_triangle;

/// Overlaps up to this depth in metres count as touching.
pub(crate) const TOUCH: f64 = 1e-5;

/// Radii below this, in metres, are taken as this: far below what f32 positions can tell, and above dividing by zero.
const LEAST_RADIUS: f64 = 1e-6;

/// The first contact of a moving sphere with a triangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TriangleContact {
    /// Where on the way, 0 to 1. 0 as well when the sphere overlaps the triangle from the start.
    pub fraction: f32,
    /// The point of the triangle that is met, or that is nearest to the centre of a sphere that overlaps from the start.
    pub point: Vec3,
    /// Unit normal from the triangle to the sphere.
    pub normal: Vec3,
    /// How deep in metres the sphere overlaps at the start; 0 for one that meets the triangle on the way.
    pub depth: f32,
}

/// Sweeps a sphere of `radius` metres (taken as a micrometre if less) along `displacement` against a triangle. `None` when
/// they never meet, or touch at the start (at most 1e-5 m deep) with the motion along or away from the surface, and when a
/// number is not finite. See the module's text for the method. Each step costs some hundred operations; three to six are usual,
/// and a ball that only grazes takes some twenty.
pub fn sweep_sphere_triangle(
    center: Vec3,
    radius: f32,
    displacement: Vec3,
    corners: &[Vec3; 3],
) -> Option<TriangleContact> {
    let numbers = center.is_finite() && radius.is_finite() && displacement.is_finite();
    if !numbers || !corners.iter().all(|corner| corner.is_finite()) {
        return None;
    }
    let body = UnitSpace::new(center.as_dvec3(), Vec3::splat(radius));
    let motion = Motion::new(&body, displacement.as_dvec3());
    let contact = motion.sweep(&corners.map(|corner| body.to_unit(corner)), 0.0, 1.0)?;
    let (normal, reach) = body.plane(contact.direction);
    Some(TriangleContact {
        fraction: contact.fraction as f32,
        point: body.to_world(contact.point).as_vec3(),
        normal: normal.as_vec3(),
        depth: (contact.depth * reach) as f32,
    })
}

/// The space in which an ellipsoid is the unit sphere around the origin.
#[derive(Clone, Copy, Debug)]
pub(crate) struct UnitSpace {
    pub center: DVec3,
    pub radii: DVec3,
}

impl UnitSpace {
    pub fn new(center: DVec3, radii: Vec3) -> UnitSpace {
        UnitSpace { center, radii: radii.as_dvec3().max(DVec3::splat(LEAST_RADIUS)) }
    }

    pub fn to_unit(self, world: Vec3) -> DVec3 {
        (world.as_dvec3() - self.center) / self.radii
    }

    pub fn to_world(self, unit: DVec3) -> DVec3 {
        unit * self.radii + self.center
    }

    /// The world's unit normal of the plane that has the unit normal `direction` here, and how far the ellipsoid reaches
    /// from its centre towards that plane: lengths along `direction` times this are metres along the normal.
    pub fn plane(self, direction: DVec3) -> (DVec3, f64) {
        let gradient = direction / self.radii;
        let length = gradient.length();
        (gradient / length, 1.0 / length)
    }
}

/// A contact in unit space.
#[derive(Clone, Copy, Debug)]
pub(crate) struct UnitContact {
    pub fraction: f64,
    /// The nearest point of the triangle at that time, relative to the centre at the start.
    pub point: DVec3,
    /// From the triangle to the centre at that time, of unit length.
    pub direction: DVec3,
    /// Whether `point` lies inside the face.
    pub on_face: bool,
    /// How deep the unit sphere overlaps at the start, 0 for a contact on the way.
    pub depth: f64,
}

/// The unit sphere on its way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Motion {
    body: UnitSpace,
    /// The whole way in unit space.
    pub way: DVec3,
    /// What is added to the limit, so that the rounding of f32 positions does not lose a hit at the very end: at most what
    /// counts as touching.
    slack: f64,
    /// Overlaps up to this depth in metres do not count unless the motion goes deeper.
    touch: f64,
}

/// Gaps up to this, in radii, are not told from a touch where the motion goes along the surface.
const GRAZE: f64 = 1e-9;
/// A motion goes along a surface when no more than this part of it goes into it.
const ALONG: f64 = 1e-7;

impl Motion {
    #[inline]
    pub fn new(body: &UnitSpace, displacement: DVec3) -> Motion {
        let length = displacement.length();
        let magnitude = (body.center.abs() + displacement.abs()).max(body.radii).max_element();
        let slack = (4.0 * f64::from(f32::EPSILON) * magnitude).min(TOUCH);
        let slack = if length > 0.0 { slack / length } else { 0.0 };
        Motion { body: *body, way: displacement / body.radii, slack, touch: TOUCH }
    }

    /// The same where overlaps of any depth do not count unless the motion goes deeper.
    pub fn out_of_overlap(self) -> Motion {
        Motion { touch: f64::INFINITY, ..self }
    }

    /// The first contact with a triangle of unit space at a fraction of at most `limit`, of which none lies before `from`.
    /// `None` when there is none, and when the sphere touches the triangle at the start and moves along or away from it: the
    /// distance is convex in time, so it never comes closer.
    pub fn sweep(&self, corners: &[DVec3; 3], from: f64, limit: f64) -> Option<UnitContact> {
        if stays_outside(corners, self.way) {
            return None;
        }
        let size = corners.iter().fold(1.0, |size: f64, corner| size.max(corner.abs().max_element()));
        let along = ALONG * self.way.length();
        let end = if limit < 1.0 { limit } else { limit + self.slack };
        let mut fraction = from;
        let mut steps = 0;
        loop {
            let moved = self.way * fraction;
            let nearest = nearest_on_triangle(&corners.map(|corner| corner - moved));
            let distance = nearest.point.length();
            let gap = distance - 1.0;
            let close = 1e-14 * (size + moved.abs().max_element());
            // How fast the distance shrinks, times the distance.
            let approach = self.way.dot(nearest.point);
            let contact = |depth: f64| {
                let (point, direction) = (nearest.point + moved, direction_from(nearest.point, distance, corners));
                UnitContact { fraction: fraction.min(limit), point, direction, on_face: nearest.on_face, depth }
            };
            if fraction == 0.0 && gap <= GRAZE {
                let contact = contact((-gap).max(0.0));
                let goes_in = self.way.dot(contact.direction) < -along;
                if !goes_in && contact.depth * self.body.plane(contact.direction).1 <= self.touch {
                    return None;
                }
                if gap <= 0.0 {
                    return Some(contact);
                }
            }
            // Each step at least quarters the gap, even where the sphere only grazes.
            steps += 1;
            // A graze that rounding cannot tell from a near miss is a contact.
            if gap <= close || steps > 64 || gap <= GRAZE && approach.abs() <= along {
                return Some(contact(0.0));
            }
            if approach <= 0.0 {
                return None;
            }
            fraction += gap * distance / approach;
            if fraction > end {
                return None;
            }
        }
    }
}

/// Unit direction from the nearest point to the origin; the front of the triangle where they coincide.
pub(crate) fn direction_from(nearest: DVec3, distance: f64, corners: &[DVec3; 3]) -> DVec3 {
    // Closer than this the difference is rounding noise.
    if distance > 1e-12 {
        -nearest / distance
    } else {
        let [a, b, c] = *corners;
        (b - a).cross(c - a).try_normalize().unwrap_or(DVec3::Y)
    }
}

/// Whether the unit sphere at the origin lies on one side of the triangle's plane, or touches it, and moves along or away: what
/// it only touches it may roll over.
fn stays_outside(corners: &[DVec3; 3], way: DVec3) -> bool {
    let [a, b, c] = *corners;
    let normal = (b - a).cross(c - b);
    let reach = normal.length() * (1.0 - GRAZE);
    let (heights, towards) = (corners.map(|corner| normal.dot(corner)), normal.dot(way));
    reach > 0.0
        && (towards <= 0.0 && heights.iter().all(|&height| height >= reach)
            || towards >= 0.0 && heights.iter().all(|&height| -height >= reach))
}
