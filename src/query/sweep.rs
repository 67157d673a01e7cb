//! Swept spheres and ellipsoids: the first contact on a way.

use glam::{DVec3, Vec3};

use super::Faces;
use super::Solids;
use super::sweep_filter::SweepFilter;
use crate::geometry::{Motion, UnitContact, UnitSpace, direction_from, nearest_on_triangle, round_into_range};
use crate::simd::{Lanes, lanes_in};
use crate::tree::{Boxes, Packet, Question, Tree};

/// A sphere or an axis-aligned ellipsoid that moves straight, in local space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sweep {
    /// The centre at the start.
    pub center: Vec3,
    /// Half axes along X, Y and Z in metres; all alike for a sphere. Less than a micrometre is taken as a micrometre.
    pub radii: Vec3,
    /// The whole way in metres. Zero asks for overlap alone.
    pub displacement: Vec3,
    /// Which sides of triangles are met. A triangle shows the side on which the centre is at the start, and both when the
    /// centre is in its plane.
    pub faces: Faces,
}

impl Sweep {
    /// A sphere of `radius` metres against both sides.
    pub fn sphere(center: Vec3, radius: f32, displacement: Vec3) -> Sweep {
        Sweep { center, radii: Vec3::splat(radius), displacement, faces: Faces::Both }
    }
}

/// The first contact of a sweep.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SweepHit {
    /// The part of the way that is free, 0 to 1; 0 for an overlap at the start.
    pub fraction: f32,
    /// Where the level is met; for an overlap the point of the triangle nearest to the centre (nearest in the space in which
    /// the ellipsoid is a sphere).
    pub point: Vec3,
    /// Unit normal of the contact, from the level to the body. At edges in a flat or concave surface it is the face's.
    pub normal: Vec3,
    /// Number of the triangle in the level.
    pub triangle: u32,
    /// How deep in metres along `normal` the body overlaps the triangle at the start; 0 for a contact on the way.
    pub depth: f32,
    /// The way out of all that the body overlaps at the start, see [`Tree::way_out`]; zero for a contact on the way.
    pub way_out: Vec3,
}

impl Tree {
    /// The first contact of a moving body with faces, edges and corners of the level, at a fraction from 0 to 1, both
    /// included. A body that overlaps the level by more than 1e-5 m at the start hits at 0, at its deepest overlap; one that
    /// only touches it hits where the motion goes into the surface, and not where it goes along or away. `None` when nothing
    /// is met, and when a number of the sweep is not finite. Of several triangles met at one time, or overlapped equally deep, any
    /// is named. The method is that of [`crate::geometry::sweep_sphere_triangle`].
    ///
    /// Cost: the nodes on the way of the body's box up to the contact, the nearest first; some times a ray's. A body that overlaps
    /// something pays for [`Tree::way_out`] too.
    pub fn sweep(&self, sweep: &Sweep) -> Option<SweepHit> {
        if !(sweep.center.is_finite() && sweep.radii.is_finite() && sweep.displacement.is_finite()) {
            return None;
        }
        let body = UnitSpace::new(sweep.center.as_dvec3(), sweep.radii);
        let displacement = sweep.displacement.as_dvec3();
        let motion = Motion::new(&body, displacement);
        let solids = Solids::from(self);
        let (contact, passes) = solids.first_contact(&motion, &body, displacement, sweep.faces);
        let (index, contact) = contact?;
        let (mut normal, reach) = body.plane(contact.direction);
        // Otherwise nothing comes closer than the contact.
        if passes && !contact.on_face {
            let moved = UnitSpace { center: body.center + displacement * contact.fraction, ..body };
            if let Some(direction) = solids.surface_at(&moved, body.to_world(contact.point)) {
                normal = body.plane(direction).0;
            }
        }
        let way_out = if contact.depth > 0.0 { solids.way_out_of(&body) } else { DVec3::ZERO };
        Some(SweepHit {
            fraction: contact.fraction as f32,
            point: body.to_world(contact.point).as_vec3(),
            normal: normal.as_vec3(),
            triangle: self.number(index),
            depth: ((contact.depth * reach) as f32).min(f32::MAX),
            way_out: round_into_range(way_out),
        })
    }
}

impl Solids<'_> {
    /// The first contact in unit space, with the place of its triangle in the tree, of a body that moves on although it may
    /// overlap something: only what it goes deeper into stops it.
    pub(crate) fn first_obstacle(
        &self,
        body: &UnitSpace,
        displacement: DVec3,
        faces: Faces,
    ) -> Option<(usize, UnitContact)> {
        self.first_contact(&Motion::new(body, displacement).out_of_overlap(), body, displacement, faces).0
    }

    /// The first contact in unit space, with the place of its triangle in the tree: of overlaps at the start the deepest, of
    /// contacts at one time one inside a face. And whether the body may pass through something before: a side that does not
    /// count, or what it touches at the start.
    fn first_contact(
        &self,
        motion: &Motion,
        body: &UnitSpace,
        displacement: DVec3,
        faces: Faces,
    ) -> (Option<(usize, UnitContact)>, bool) {
        let filter = || SweepFilter::new(body, displacement);
        let contacts = || Contacts { motion, body, faces, filter: filter(), best: None, passes: faces != Faces::Both };
        self.ask(contacts, |contacts| (contacts.best, contacts.passes))
    }

    /// For a contact on an edge or a corner at the world's `point`: the direction from a face that holds the point and
    /// comes closer to the body, whose centre is at the contact. Such an edge lies inside a flat or a concave surface, also
    /// where the triangles that make it share no corner. `None` for an edge that stands out.
    pub(crate) fn surface_at(&self, body: &UnitSpace, point: DVec3) -> Option<DVec3> {
        let edge = Edge::new(body, point);
        let mut closest: Option<(f64, DVec3)> = None;
        self.visit_near(&edge.at, edge.place, |_, triangle| {
            let corners = triangle.map(|corner| body.to_unit(corner));
            let nearest = nearest_on_triangle(&corners);
            let distance = nearest.point.length();
            if distance < closest.map_or(edge.limit, |(least, _)| least) && edge.lies_on(triangle) {
                closest = Some((distance, direction_from(nearest.point, distance, &corners)));
            }
            edge.place
        });
        closest.map(|(_, direction)| direction)
    }

    /// Hands the place of each triangle that holds the world's `point` to `found`.
    pub(crate) fn visit_triangles_at(&self, point: DVec3, mut found: impl FnMut(usize)) {
        let at = UnitSpace { center: point, radii: DVec3::ONE };
        self.visit_near(&at, SAME_PLACE, |place, triangle| {
            let offset = triangle.map(|corner| at.to_unit(corner));
            if nearest_on_triangle(&offset).point.length() <= SAME_PLACE {
                found(place);
            }
            SAME_PLACE
        });
    }
}

/// A place on an edge or a corner where a body meets the level.
pub(super) struct Edge {
    at: UnitSpace,
    place: f64,
    /// In radii, how near a triangle that holds the place has to come to the body's centre to speak for it.
    pub limit: f64,
}

impl Edge {
    /// The place in the world.
    pub fn new(body: &UnitSpace, point: DVec3) -> Edge {
        Edge {
            at: UnitSpace { center: point, ..*body },
            place: (SAME_PLACE / body.radii.min_element()).min(0.05),
            limit: ((point - body.center) / body.radii).length() - CLOSER,
        }
    }

    /// Whether a triangle holds the place.
    pub fn lies_on(&self, triangle: &[Vec3; 3]) -> bool {
        let offset = triangle.map(|corner| self.at.to_unit(corner));
        nearest_on_triangle(&offset).point.length() <= self.place
    }
}

/// Finds the first contact of a motion.
struct Contacts<'a> {
    motion: &'a Motion,
    body: &'a UnitSpace,
    faces: Faces,
    filter: SweepFilter,
    best: Option<(usize, UnitContact)>,
    passes: bool,
}

impl Question for Contacts<'_> {
    #[inline(always)]
    fn limit(&self) -> f32 {
        1.0
    }

    #[inline(always)]
    fn boxes<L: Lanes>(&mut self, boxes: &Boxes, limit: f32) -> (L, u32) {
        self.filter.boxes(boxes, limit)
    }

    #[inline(always)]
    fn packet<L: Lanes>(&mut self, packet: &Packet, first: usize, filled: u32, limit: f32) -> f32 {
        let (clear, mut near) = self.filter.met::<L>(packet, filled, limit);
        let mut limit = limit;
        while let Some(lane) = lanes_in(near).min_by(|&a, &b| clear[a].total_cmp(&clear[b])) {
            near &= !(1 << lane);
            if clear[lane] > limit {
                break;
            }
            self.passes |= clear[lane] == 0.0;
            let corners = packet.triangle(lane).map(|corner| self.body.to_unit(corner));
            let latest = self.best.map_or(1.0, |(_, best)| (best.fraction + SAME_TIME).min(1.0));
            if admits(self.faces, &corners)
                && let Some(contact) = self.motion.sweep(&corners, f64::from(clear[lane]), latest)
                && self.best.is_none_or(|(_, best)| is_before(self.body, &contact, &best))
            {
                self.best = Some((first + lane, contact));
                limit = limit.min((contact.fraction + SAME_TIME) as f32 * (1.0 + f32::EPSILON));
            }
        }
        limit
    }
}

/// Contacts whose fractions differ by less are at one time.
const SAME_TIME: f64 = 1e-9;
/// Points of the level nearer than this to each other, in metres, are one place: f32 corners that ought to lie on an edge
/// of a neighbour (T-junctions) do so only within rounding.
const SAME_PLACE: f64 = 5e-5;
/// A face has to come closer than an edge by more than this, in radii, to stand for it.
const CLOSER: f64 = 1e-9;

fn is_before(body: &UnitSpace, contact: &UnitContact, best: &UnitContact) -> bool {
    let depth = |contact: &UnitContact| contact.depth * body.plane(contact.direction).1;
    if contact.depth > 0.0 || best.depth > 0.0 {
        return depth(contact) > depth(best);
    }
    let later = contact.fraction - best.fraction;
    later < -SAME_TIME || later <= SAME_TIME && (contact.on_face, -later) > (best.on_face, 0.0)
}

/// Whether the side of a triangle on which the centre (the origin) lies counts.
fn admits(faces: Faces, corners: &[DVec3; 3]) -> bool {
    let [a, b, c] = *corners;
    faces == Faces::Both || {
        let height = -(b - a).cross(c - a).dot(a);
        height == 0.0 || faces.admit(height > 0.0)
    }
}
