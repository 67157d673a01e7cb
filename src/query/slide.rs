//! Collide and slide: a body moves as far towards where it wants as the level lets it, and keeps a gap.
//!
//! A round gathers the planes of all contacts within the gap (the *skin*), takes the motion nearest to the wanted one that
//! leaves each gap as wide as the skin, and follows it to the first obstacle. The gap is kept along the normals, so grazing
//! moves keep it as well, and with the gap no seam between triangles is ever met. Overlaps are left first.
//! (Like the movers of Box2D v3: planes first, then a cast.)

use arrayvec::ArrayVec;
use glam::{DVec3, Vec3};

use super::sweep::Edge;
use super::{Faces, Solids};
use crate::geometry::{HalfSpaces, TOUCH, UnitSpace, direction_from, nearest_on_triangle, round_into_range};
use crate::tree::Tree;

/// An ellipsoid that moves and slides along what it meets, in local space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slide {
    /// The centre at the start.
    pub center: Vec3,
    /// Half axes along X, Y and Z in metres; all alike for a sphere. Less than a micrometre is taken as a micrometre.
    pub radii: Vec3,
    /// The whole way in metres.
    pub displacement: Vec3,
    /// The gap in metres that is kept to the level, along the normals, 0 or more.
    pub skin: f32,
    /// `None` slides; `Some(e)` bounces instead: e times the speed into a surface comes back, 0 to 1.
    pub restitution: Option<f32>,
}

impl Slide {
    /// Sliding with a skin of 0.01 m.
    pub fn new(center: Vec3, radii: Vec3, displacement: Vec3) -> Slide {
        Slide { center, radii, displacement, skin: Slider::SKIN as f32, restitution: None }
    }

    /// Sliding of a sphere with a skin of 0.01 m.
    pub fn sphere(center: Vec3, radius: f32, displacement: Vec3) -> Slide {
        Slide::new(center, Vec3::splat(radius), displacement)
    }
}

/// Something that a sliding body was held back by.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SlideContact {
    /// On the level, in local space.
    pub point: Vec3,
    /// Unit normal from the level to the body.
    pub normal: Vec3,
    /// Number of the triangle in the level, ...
    pub triangle: u32,
    /// ... or of one beside it (see [`Solids`]).
    pub is_loose: bool,
}

impl Tree {
    /// Moves a body along `displacement` as far as the level lets it, sliding or bouncing in at most eight rounds, and gives
    /// the centre at the end. `contacts` is emptied and filled with what held it back, the first first, each triangle once, at
    /// most 256; its memory is reused. At the end the body keeps the skin to everything around it, if there is room. It passes
    /// through nothing, however thin and however fast. The centre stays where it is when a number is not finite, and never
    /// leaves what f32 can tell.
    ///
    /// Cost: a sweep and a look at what is around the body, a round; for each edge around it a look at what meets there, for
    /// 256 edges at most. (Edges beyond those may hold it back although a face speaks for them.)
    pub fn slide(&self, slide: &Slide, contacts: &mut Vec<SlideContact>) -> Vec3 {
        contacts.clear();
        let numbers = slide.skin.is_finite() && slide.restitution.is_none_or(f32::is_finite);
        if !(numbers && slide.center.is_finite() && slide.radii.is_finite() && slide.displacement.is_finite()) {
            return slide.center;
        }
        let body = UnitSpace::new(slide.center.as_dvec3(), slide.radii);
        let mut slider = Slider::new(self, body, f64::from(slide.skin.max(0.0)));
        let mut report = |touch: &Touching| {
            if contacts.len() < MOST_CONTACTS {
                touch.add_to(contacts, self.into());
            }
        };
        slider.leave_overlap();
        let displacement = slide.displacement.as_dvec3();
        match slide.restitution {
            None => slider.slide(displacement, |touch| [(touch.normal, touch.gap)], &mut report),
            Some(restitution) => slider.bounce(displacement, f64::from(restitution.clamp(0.0, 1.0)), &mut report),
        }
        round_into_range(slider.body.center)
    }
}

/// Something of the level within reach of a body.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Touching {
    /// The triangle's place in the tree.
    pub index: usize,
    pub point: DVec3,
    /// Unit normal towards the body.
    pub normal: DVec3,
    /// Metres along the normal between the level and the body; negative in an overlap.
    pub gap: f64,
}

impl Touching {
    /// Adds it to contacts, unless the triangle is among them.
    pub fn add_to(&self, contacts: &mut Vec<SlideContact>, solids: Solids<'_>) {
        let (triangle, is_loose) = solids.number(self.index);
        if contacts.iter().all(|contact| (contact.triangle, contact.is_loose) != (triangle, is_loose)) {
            let (point, normal) = (self.point.as_vec3(), self.normal.as_vec3());
            contacts.push(SlideContact { point, normal, triangle, is_loose });
        }
    }
}

/// A body on its way. Positions are f64, so that the slowest motion adds up.
#[derive(Clone, Copy)]
pub(crate) struct Slider<'a> {
    pub solids: Solids<'a>,
    pub body: UnitSpace,
    pub skin: f64,
    /// Metres that it may still give way to get its skin back.
    away: f64,
    pub trail: Trail,
}

/// Where the centre of a sliding body was swept, for those who want to see it.
#[derive(Clone, Copy)]
pub(crate) struct Trail {
    points: [Vec3; Trail::MOST],
    count: usize,
}

impl Trail {
    /// Two slides of all their rounds, up and down, and the start.
    const MOST: usize = 2 * ROUNDS + 3;

    fn new(start: DVec3) -> Trail {
        let mut points = [Vec3::ZERO; Trail::MOST];
        points[0] = start.as_vec3();
        Trail { points, count: 1 }
    }

    /// Goes straight on to `end`.
    pub fn add(&mut self, end: DVec3) {
        if self.count < Trail::MOST {
            self.points[self.count] = end.as_vec3();
            self.count += 1;
        }
    }

    /// The ways in order, each from its start to its end.
    pub fn ways(&self) -> impl Iterator<Item = [Vec3; 2]> + '_ {
        self.points[..self.count].windows(2).map(|pair| [pair[0], pair[1]]).filter(|[from, to]| from != to)
    }
}

/// A triangle within reach of a body.
struct Seen {
    touch: Touching,
    on_face: bool,
    /// From the centre, in radii.
    distance: f64,
    triangle: [Vec3; 3],
}

/// Triangles within reach that are kept, to tell which of their edges stand out; where there are more the level is asked.
const MOST_SEEN: usize = 64;
/// Contacts that a slide tells of at most.
const MOST_CONTACTS: usize = 256;
/// Rounds of a slide or a bounce at most.
const ROUNDS: usize = 8;
/// A body sees what is within this times its skin, so that rounding does not hide what it keeps the skin to.
const SEEN: f64 = 1.125;
/// Skins that a slider gives way, at most, to get its whole skin back, in all that it does.
const AWAY: f64 = 2.0;
/// Motions shorter than this, in metres, are none: below f64 rounding at any place an f32 level can have.
const STILL: f64 = 1e-10;

impl<'a> Slider<'a> {
    /// A body at rest that keeps `skin` metres from everything.
    pub fn new(solids: impl Into<Solids<'a>>, body: UnitSpace, skin: f64) -> Slider<'a> {
        Slider { solids: solids.into(), body, skin, away: AWAY * skin, trail: Trail::new(body.center) }
    }
}

impl Slider<'_> {
    /// The gap in metres that slides and walkers keep unless told otherwise.
    pub const SKIN: f64 = 0.01;

    /// Hands each contact within `reach` metres to `found`, without those on edges inside flat or concave surfaces: there
    /// the face speaks for the surface.
    pub fn touching(&self, reach: f64, mut found: impl FnMut(&Touching)) {
        let body = &self.body;
        let unit_reach = 1.0 + reach / body.radii.min_element();
        let mut edges = Edges::default();
        let mut settle = |seen: &Seen, ask: &dyn Fn(DVec3) -> bool| {
            let Seen { touch, on_face, .. } = seen;
            if touch.gap <= reach && (*on_face || edges.stands_out(touch.point, ask)) {
                found(touch);
            }
        };
        let ask_level = |point: DVec3| self.solids.surface_at(body, point).is_none();
        let mut near: ArrayVec<Seen, MOST_SEEN> = ArrayVec::new();
        let mut is_full = false;
        self.solids.visit_within(body, unit_reach, |index, triangle| {
            let corners = triangle.map(|corner| body.to_unit(corner));
            let nearest = nearest_on_triangle(&corners);
            let distance = nearest.point.length();
            if distance <= unit_reach {
                let (normal, reach_of_body) = body.plane(direction_from(nearest.point, distance, &corners));
                let (point, gap) = (body.to_world(nearest.point), (distance - 1.0) * reach_of_body);
                let touch = Touching { index, point, normal, gap };
                let seen = Seen { touch, on_face: nearest.on_face, distance, triangle: *triangle };
                if near.is_full() {
                    is_full = true;
                    near.drain(..).for_each(|seen| settle(&seen, &ask_level));
                }
                match is_full {
                    true => settle(&seen, &ask_level),
                    false => near.push(seen),
                }
            }
        });
        // What comes closer than an edge in reach is in reach.
        let ask_seen = |point: DVec3| {
            let edge = Edge::new(body, point);
            near.iter().all(|seen| seen.distance >= edge.limit || !edge.lies_on(&seen.triangle))
        };
        near.iter().for_each(|seen| settle(seen, &ask_seen));
    }

    /// Moves straight until the first obstacle, and tells whether there was one.
    pub fn advance(&mut self, way: DVec3) -> bool {
        let hit = self.solids.first_obstacle(&self.body, way, Faces::Both);
        let free = hit.map_or(1.0, |(_, contact)| contact.fraction - BEFORE / way.length());
        self.body.center += way * free.max(0.0);
        self.trail.add(self.body.center);
        hit.is_some()
    }

    /// Moves out of what the body overlaps at the start, as far as nothing is in the way of its inner half, or of its centre where
    /// that half overlaps something itself. It never gets deeper.
    pub fn leave_overlap(&mut self) {
        let way = self.solids.way_out_of(&self.body);
        if way == DVec3::ZERO {
            return;
        }
        let half = UnitSpace { radii: 0.5 * self.body.radii, ..self.body };
        let is_free = self.solids.deepest_overlap(&half).is_none();
        let body = if is_free { half } else { UnitSpace::new(self.body.center, Vec3::splat(CORE)) };
        let mut core = Slider { body, ..*self };
        core.advance(way);
        let (from, depth) = (self.body.center, self.overlap());
        self.body.center = core.body.center;
        if self.overlap() > depth {
            self.body.center = from;
        }
    }

    /// How deep in metres the body overlaps something; 0 where it only touches.
    pub fn overlap(&self) -> f64 {
        self.solids.deepest_overlap(&self.body).map_or(0.0, |(depth, _)| depth)
    }

    /// Slides towards `displacement`. `planes` gives the normal and the gap of each plane that stands for a contact; `report`
    /// gets the contacts that hold the body back.
    pub fn slide<const N: usize>(
        &mut self,
        displacement: DVec3,
        planes: impl Fn(&Touching) -> [(DVec3, f64); N],
        report: &mut impl FnMut(&Touching),
    ) {
        let (start, target) = (self.body.center, self.body.center + displacement);
        let most = displacement.length() + self.away;
        for _ in 0..ROUNDS {
            let wanted = target - self.body.center;
            let mut gaps = HalfSpaces::default();
            self.touching(SEEN * self.skin + STILL, |touch| {
                let mut is_in_the_way = false;
                for (normal, gap) in planes(touch) {
                    gaps.add(normal, -gap);
                    is_in_the_way |= wanted.dot(normal) < self.skin - gap - STILL;
                }
                if is_in_the_way {
                    report(touch);
                }
            });
            let is_near = |way: DVec3| way.distance(wanted).max((self.body.center + way).distance(start)) <= most;
            let mut way = self.nearest_way(wanted, &gaps, is_near);
            if !is_near(way) {
                // Around corners a way may lead on and on; no step is longer for it.
                way = way.clamp_length_max((most - self.body.center.distance(start)).max(0.0));
            }
            if way.length() < STILL {
                break;
            }
            self.advance(way);
        }
        let gave_way = self.body.center.distance(start) - displacement.length();
        self.away = (self.away - gave_way.max(0.0)).max(0.0);
        if displacement.length() > FAR {
            self.keep_skin();
        }
    }

    /// The motion nearest to `wanted` that leaves each gap as wide as the skin. Where that is not `is_near`, or
    /// nowhere, one that makes no gap narrower than the skin, and none narrower that is so already: a slot that narrows does
    /// not squeeze a body out like a pip. `gaps` hold what takes the gaps to 0.
    fn nearest_way(&self, wanted: DVec3, gaps: &HalfSpaces, is_near: impl Fn(DVec3) -> bool) -> DVec3 {
        if let Some(way) = gaps.shifted(|offset| offset + self.skin).nearest_to(wanted)
            && is_near(way)
        {
            return way;
        }
        gaps.shifted(|offset| (offset + self.skin).min(0.0)).nearest_to(wanted).unwrap_or(DVec3::ZERO)
    }

    /// Follows `displacement` and throws it back at what it meets.
    fn bounce(&mut self, displacement: DVec3, restitution: f64, report: &mut impl FnMut(&Touching)) {
        let mut left = displacement;
        for _ in 0..ROUNDS {
            let from = self.body.center;
            let length = left.length();
            if length < STILL {
                break;
            }
            let is_blocked = self.advance(left);
            if !is_blocked {
                break;
            }
            left *= 1.0 - (self.body.center.distance(from) / length).min(1.0);
            let mut incoming: Option<(f64, Touching)> = None;
            self.touching(TOUCH, |touch| {
                let speed = left.dot(touch.normal);
                if speed < incoming.map_or(0.0, |(most, _)| most) {
                    incoming = Some((speed, *touch));
                }
            });
            match incoming {
                Some((speed, touch)) => {
                    left -= touch.normal * ((1.0 + restitution) * speed);
                    report(&touch);
                }
                None => break,
            }
            self.keep_skin();
        }
        self.keep_skin();
    }

    /// Moves away from what is nearer than the skin, if there is room.
    pub fn keep_skin(&mut self) {
        self.slide(DVec3::ZERO, |touch| [(touch.normal, touch.gap)], &mut |_| {});
    }
}

/// Which places on edges stand out, as far as known: triangles that share an edge or a corner need to ask only once.
#[derive(Default)]
struct Edges {
    latest: [Option<(DVec3, bool)>; 8],
    asked: usize,
}

impl Edges {
    /// After so many, edges count as standing out unasked: each looks at all that meets there.
    const MOST: usize = 256;

    fn stands_out(&mut self, point: DVec3, ask: impl FnOnce(DVec3) -> bool) -> bool {
        if let Some((_, stands_out)) = self.latest.iter().flatten().find(|(known, _)| *known == point) {
            return *stands_out;
        }
        if self.asked == Edges::MOST {
            return true;
        }
        let stands_out = ask(point);
        self.latest[self.asked % self.latest.len()] = Some((point, stands_out));
        self.asked += 1;
        stands_out
    }
}

/// Beside lengths above this, in metres, f64 rounds the skin.
const FAR: f64 = 1e6;
/// How far before an obstacle a body stops, in metres, so that rounding does not put it inside.
const BEFORE: f64 = 1e-6;
/// Radius in metres of the part of a body that never passes through anything, even out of an overlap.
const CORE: f32 = 1e-3;
