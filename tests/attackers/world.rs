//! What f64 says about a body in a level, from its triangles alone: nothing of the library's geometry or tree.

use glam::{DVec3, Vec3};

use crate::support::contact;
use crate::support::pyramid::Pyramid;

/// An upright ellipsoid.
#[derive(Clone, Copy, Debug)]
pub struct Body {
    pub center: DVec3,
    pub radii: DVec3,
}

impl Body {
    pub fn moved(&self, way: DVec3) -> Body {
        Body { center: self.center + way, ..*self }
    }

    /// Larger on all sides by `by` metres.
    pub fn grown(&self, by: f64) -> Body {
        Body { radii: self.radii + by, ..*self }
    }

    /// Height of the lowest point.
    pub fn feet(&self) -> f64 {
        self.center.y - self.radii.y
    }
}

/// The place of a triangle that is nearest to a body, in the space in which the body is a ball.
#[derive(Clone, Copy, Debug)]
pub struct Contact {
    pub triangle: u32,
    pub point: DVec3,
    /// Unit normal of the body's surface there, towards the body.
    pub normal: DVec3,
    /// Metres along the normal from the level to the body; negative in an overlap.
    pub gap: f64,
    /// The point lies inside the triangle rather than on its rim.
    pub on_face: bool,
}

/// The triangles, and which of them are near a place.
pub struct World {
    pub triangles: Vec<[Vec3; 3]>,
    pyramid: Pyramid,
}

impl World {
    pub fn new(triangles: Vec<[Vec3; 3]>) -> World {
        World { pyramid: Pyramid::new(&triangles), triangles }
    }

    fn contact(&self, triangle: u32, body: &Body) -> Contact {
        let corners = contact::to_unit(&self.triangles[triangle as usize], body.center, body.radii);
        let nearest = contact::closest(DVec3::ZERO, corners);
        let distance = nearest.length();
        let [a, b, c] = corners;
        let face = (b - a).cross(c - a);
        // Through the centre there is no nearest side, only rounding.
        let direction = if distance > 1e-9 { -nearest } else { face };
        let across = direction / body.radii;
        let normal = across.normalize();
        let sine = if distance > 1e-9 { face.cross(nearest).length() / (face.length() * distance) } else { 0.0 };
        Contact {
            triangle,
            point: body.center + nearest * body.radii,
            normal,
            gap: (distance - 1.0) * (normal * body.radii).length(),
            on_face: sine < 1e-9,
        }
    }

    /// The contact with every triangle within `reach` metres of a body.
    pub fn contacts(&self, body: &Body, reach: f64) -> Vec<Contact> {
        let (mut found, distance) = (Vec::new(), 1.0 + reach / body.radii.min_element());
        self.pyramid.near(body.center, body.radii, distance, |triangle| {
            let contact = self.contact(triangle, body);
            if contact.gap <= reach {
                found.push(contact);
            }
            distance
        });
        found
    }

    /// A bound on how far in metres the body would have to move to leave what it overlaps most.
    pub fn overlap(&self, body: &Body) -> f64 {
        self.contacts(body, 0.0).iter().map(|contact| -contact.gap).fold(0.0, f64::max)
    }

    /// The part of a straight way that is free, and the triangle that ends it; `None` where all of it is.
    pub fn hit(&self, body: &Body, way: DVec3) -> Option<(f64, u32)> {
        let mut first: Option<(f64, u32)> = None;
        self.pyramid.along(body.center, way, 0.0, 1.0, body.radii, |triangle| {
            let corners = contact::to_unit(&self.triangles[triangle as usize], body.center, body.radii);
            let end = first.map_or(1.0, |(time, _)| time);
            if let Some(time) = contact::time_until(end, way / body.radii, corners, 1.0)
                && first.is_none_or(|(least, _)| time < least)
            {
                first = Some((time, triangle));
            }
        });
        first
    }

    /// What a body meets first straight below it: how far it can go, and the contact there. `None` within `distance`.
    pub fn below(&self, body: &Body, distance: f64) -> Option<(f64, Contact)> {
        let (time, triangle) = self.hit(body, DVec3::NEG_Y * distance)?;
        Some((time * distance, self.contact(triangle, &body.moved(DVec3::NEG_Y * (time * distance)))))
    }

    /// Whether a triangle that is at most as steep as `rise` holds a point.
    pub fn is_of_walkable(&self, point: DVec3, rise: f64) -> bool {
        let mut found = false;
        self.pyramid.near(point, DVec3::ONE, 1e-4, |triangle| {
            let corners = self.triangles[triangle as usize].map(Vec3::as_dvec3);
            found |= contact::distance(point, corners) < 1e-4 && self.rise(triangle) >= rise;
            1e-4
        });
        found
    }

    /// The upright part of a triangle's unit normal, without its sign.
    fn rise(&self, triangle: u32) -> f64 {
        let [a, b, c] = self.triangles[triangle as usize].map(Vec3::as_dvec3);
        (b - a).cross(c - a).normalize().y.abs()
    }
}

/// The part of a fall that is left where these contacts are frictionless: 1 in the air, 0 where nothing gives way. (The motion
/// nearest to straight down that goes into no contact: free, along one, or along two.)
pub fn fall_left(contacts: &[Contact]) -> f64 {
    let normals = || contacts.iter().map(|contact| contact.normal);
    let along = normals().map(|normal| DVec3::NEG_Y + normal * normal.y);
    let between = normals().enumerate().flat_map(|(i, one)| {
        normals().take(i).map(move |other| {
            let line = one.cross(other).normalize_or_zero();
            line * -line.y
        })
    });
    let ways = std::iter::once(DVec3::NEG_Y).chain(along).chain(between);
    let free = ways.filter(|way| normals().all(|normal| way.dot(normal) > -1e-6));
    free.map(|way| -way.y).fold(0.0, f64::max)
}
