//! Rays: the nearest hit, any hit, all hits.

use std::hint::black_box;

use glam::Vec3;

use super::Faces;
use super::ray_filter::RayFilter;
use super::slab::Slab;
use crate::geometry::{Crossing, Ray, triangle};
use crate::simd::{Lanes, lanes_in};
use crate::tree::{Boxes, Packet, Question, Tree};

/// Where a ray meets the level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RayHit {
    /// Metres from the ray's origin along its normalised direction.
    pub distance: f32,
    /// The point met, on the triangle: `(1 - u - v) p0 + u p1 + v p2`.
    pub point: Vec3,
    /// The triangle's own unit normal, towards the side from which its corners run counter-clockwise.
    pub normal: Vec3,
    /// Whether the triangle was met from that side.
    pub front: bool,
    /// Number of the triangle in the level.
    pub triangle: u32,
    /// Weight of the second corner.
    pub u: f32,
    /// Weight of the third corner.
    pub v: f32,
}

/// Two hits are at one distance when they differ by less than this part of it: f64 and its rounding to f32 tell the
/// distances of neighbouring triangles apart by one unit in the last place, where the ray meets the edge between them.
const SAME_DISTANCE: f32 = 4.0 * f32::EPSILON;

/// A triangle that the ray crosses, by its place in depth-first order.
#[derive(Clone, Copy)]
pub(super) struct Candidate {
    pub distance: f32,
    number: u32,
    pub place: usize,
    crossing: Crossing,
}

impl Candidate {
    /// Nearer, or as near and of a lower number: the same answer from any tree.
    fn is_before(&self, other: &Option<Candidate>) -> bool {
        other.is_none_or(|other| (self.distance, self.number) < (other.distance, other.number))
    }
}

/// What becomes of the crossings that are found.
pub(super) trait Take {
    /// Takes a crossing at most `limit` metres away in, and gives the limit for the next, never a greater one.
    fn take(&mut self, found: Candidate, limit: f32) -> f32;
}

impl<F: FnMut(Candidate, f32) -> f32> Take for F {
    #[inline(always)]
    fn take(&mut self, found: Candidate, limit: f32) -> f32 {
        self(found, limit)
    }
}

/// The nearest crossing so far, and the nearest from the front.
#[derive(Default)]
pub(super) struct Nearest {
    nearest: Option<Candidate>,
    nearest_front: Option<Candidate>,
}

impl Nearest {
    /// The nearest, a front before a back at the same distance.
    #[inline(always)]
    fn first(&self) -> Option<&Candidate> {
        let nearest = self.nearest.as_ref()?;
        let limit = nearest.distance + SAME_DISTANCE * nearest.distance;
        Some(self.nearest_front.as_ref().filter(|front| front.distance <= limit).unwrap_or(nearest))
    }
}

impl Take for Nearest {
    #[inline(always)]
    fn take(&mut self, found: Candidate, limit: f32) -> f32 {
        let mut limit = limit;
        if found.is_before(&self.nearest) {
            self.nearest = Some(found);
            // Farther ones at the same distance may be fronts.
            limit = limit.min(found.distance + SAME_DISTANCE * found.distance);
        }
        if found.crossing.front && found.is_before(&self.nearest_front) {
            self.nearest_front = Some(found);
        }
        limit
    }
}

impl Tree {
    /// The nearest hit at most `max_distance` metres along the ray (infinity for no limit); `None` when nothing is met, and
    /// for a limit that is negative or NaN.
    ///
    /// Where a front and a back are met at one distance, as when the ray skims a ridge, the front is given. Of several hits
    /// at one distance the one with the lowest number is.
    ///
    /// Cost: the nodes along the ray up to the hit, the nearest first.
    pub fn ray(&self, ray: &Ray, max_distance: f32, faces: Faces) -> Option<RayHit> {
        if max_distance.is_nan() || max_distance < 0.0 {
            return None;
        }
        self.ask(
            || Crossings::up_to(max_distance, ray, faces, Nearest::default()),
            |crossings| crossings.taker.first().map(|first| self.hit(first)),
        )
    }

    /// Whether anything is met at most `max_distance` metres along the ray. False for a limit that is negative or NaN.
    ///
    /// Cost: the nodes along the ray up to the first hit found, which need not be the nearest.
    pub fn any_hit(&self, ray: &Ray, max_distance: f32, faces: Faces) -> bool {
        let mut any = false;
        if max_distance >= 0.0 {
            let found = |_, _| {
                any = true;
                NOTHING_MORE
            };
            self.ask(|| Crossings::up_to(max_distance, ray, faces, found), |_| ());
        }
        any
    }

    /// Puts every hit at most `max_distance` metres along the ray into `hits`, from near to far, instead of what was there.
    /// None for a limit that is negative or NaN.
    ///
    /// A surface is met once where the ray crosses it, also where it does so through an edge or a corner that several of
    /// its triangles share (see [`Crossing::owned`]), so an origin is inside a closed surface when the number of hits is
    /// odd. Where a ray only touches an edge or a corner of an outline, there is one hit of each side that it meets: one for
    /// the rim of an open surface, a front and a back for a closed one, which leaves the number even. Triangles that lie on
    /// each other are met one by one. The first hit is at the distance of [`Tree::ray`]'s, but for the last places of f32 where
    /// the ray meets an edge.
    ///
    /// Cost: all nodes along the ray up to the limit, and sorting the hits.
    pub fn all_hits(&self, ray: &Ray, max_distance: f32, faces: Faces, hits: &mut Vec<RayHit>) {
        hits.clear();
        if max_distance.is_nan() || max_distance < 0.0 {
            return;
        }
        // Owned crossings stand in front of those that are not.
        let mut owned = 0;
        let found = |found: Candidate, limit: f32| {
            hits.push(self.hit(&found));
            if found.crossing.owned {
                let last = hits.len() - 1;
                hits.swap(owned, last);
                owned += 1;
            }
            limit
        };
        self.ask(|| Crossings::up_to(max_distance, ray, faces, found), |_| ());
        let by_distance = |a: &RayHit, b: &RayHit| {
            a.distance.total_cmp(&b.distance).then(b.front.cmp(&a.front)).then(a.triangle.cmp(&b.triangle))
        };
        hits[..owned].sort_unstable_by(by_distance);
        hits[owned..].sort_unstable_by(by_distance);
        let mut kept = owned;
        for index in owned..hits.len() {
            let touch = hits[index];
            // Of two that are beyond f32 nobody can say whether they are at one distance.
            if touch.distance == f32::INFINITY {
                hits[kept] = touch;
                kept += 1;
                continue;
            }
            let near = touch.distance - SAME_DISTANCE * touch.distance;
            let far = touch.distance + SAME_DISTANCE * touch.distance;
            let first_near = hits[..owned].partition_point(|hit| hit.distance < near);
            let is_crossed = first_near < owned && hits[first_near].distance <= far;
            let is_known = hits[owned..kept]
                .iter()
                .rev()
                .take_while(|hit| hit.distance >= near)
                .any(|hit| hit.front == touch.front);
            if !is_crossed && !is_known {
                hits[kept] = touch;
                kept += 1;
            }
        }
        hits.truncate(kept);
        hits.sort_unstable_by(by_distance);
    }

    #[inline(always)]
    fn hit(&self, candidate: &Candidate) -> RayHit {
        let Candidate { distance, number, place, crossing } = candidate;
        let corners = &self.triangle(*place);
        RayHit {
            distance: *distance,
            point: crossing.point(corners),
            normal: triangle::normal(corners),
            front: crossing.front,
            triangle: *number,
            u: crossing.u as f32,
            v: crossing.v as f32,
        }
    }
}

/// Below every distance.
const NOTHING_MORE: f32 = -1.0;

/// Hands each crossing up to the limit to the taker.
pub(super) struct Crossings<'a, T> {
    ray: &'a Ray,
    faces: Faces,
    /// In metres.
    limit: f32,
    pub taker: T,
}

impl<'a, T: Take> Crossings<'a, T> {
    /// `limit` is in metres.
    #[inline(always)]
    pub fn up_to(limit: f32, ray: &'a Ray, faces: Faces, taker: T) -> Crossings<'a, T> {
        Crossings { ray, faces, limit, taker }
    }
}

/// Keys are ways along the ray.
impl<T: Take> Question for Crossings<'_, T> {
    #[inline(always)]
    fn limit(&self) -> f32 {
        self.ray.ways(self.limit)
    }

    #[inline(always)]
    fn boxes<L: Lanes>(&mut self, boxes: &Boxes, limit: f32) -> (L, u32) {
        let (below, above) = self.ray.between();
        Slab { below, above, inverse: self.ray.inverse() }.enter(boxes, limit)
    }

    #[inline(always)]
    fn packet<L: Lanes>(&mut self, packet: &Packet, first: usize, filled: u32, limit: f32) -> f32 {
        let mut limit = limit;
        // Only now: worked out beforehand it would drive what the boxes need out of the registers.
        let filter = RayFilter::new(black_box(self.ray));
        for lane in lanes_in(filter.crossed::<L>(packet, limit) & filled) {
            let Some(crossing) = self.ray.cross_turned(filter.triangle(packet, lane)) else { continue };
            let distance = crossing.distance as f32;
            if distance <= self.limit && self.faces.admit(crossing.front) {
                let (number, place) = (packet.numbers[lane], first + lane);
                self.limit = self.taker.take(Candidate { distance, number, place, crossing }, self.limit);
                limit = self.ray.ways(self.limit);
            }
        }
        limit
    }
}
