//! Which of eight boxes and triangles a moving ellipsoid may meet, and when at the earliest: all that it does meet, and few
//! others.
//!
//! A triangle and a ball that moves straight are clear of each other as long as some plane stands between them, and how long
//! a plane does is one division. So any direction gives a time before which nothing is met, whatever its own rounding: first
//! the triangle's normal, then the direction of the nearest point of its outline at the time known so far, some rounds of it.
//! These are Newton's steps of [`Motion::sweep`](crate::geometry::Motion::sweep) on eight lanes of f32.

use glam::{DVec3, Vec3};

use super::slab::Slab;
use crate::geometry::{UNIT, UnitSpace, inverse_speed};
use crate::simd::{LANES, Lanes};
use crate::tree::{Boxes, Packet};

/// A body on its way, as fractions of the way.
#[derive(Clone, Copy, Debug)]
pub(super) struct SweepFilter {
    /// The body's box, and 1 over its way.
    below: Vec3,
    above: Vec3,
    inverse: Vec3,
    center: Vec3,
    /// 1 over the radii.
    scale: Vec3,
    /// The whole way in radii.
    way: Vec3,
    /// The longest part of the way along an axis, in radii.
    longest: f32,
    /// The centre differs from the true one by less, in radii.
    error: f32,
}

/// Rounds in which the outline is looked at.
const ROUNDS: usize = 3;

impl SweepFilter {
    #[inline]
    pub fn new(body: &UnitSpace, displacement: DVec3) -> SweepFilter {
        // More than the slack at the end of a sweep and the roundings of its f64, and of f32 to here.
        let margin = 4e-5 + 8.0 * f64::from(UNIT) * (body.center.abs() + displacement.abs() + body.radii);
        let radii = body.radii + margin;
        let inverse = Vec3::from_array(displacement.to_array().map(inverse_speed));
        let (center, scale, way) = (body.center.as_vec3(), radii.recip().as_vec3(), (displacement / radii).as_vec3());
        SweepFilter {
            below: (body.center - radii).as_vec3(),
            above: (body.center + radii).as_vec3(),
            inverse,
            center,
            scale,
            way,
            longest: way.abs().max_element(),
            error: 2.0 * UNIT * center.abs().max_element() * scale.max_element(),
        }
    }

    /// When the body's box first touches each of eight boxes, rounded down, and which it touches up to `limit`.
    #[inline(always)]
    pub fn boxes<L: Lanes>(&self, boxes: &Boxes, limit: f32) -> (L, u32) {
        self.slab().enter(boxes, limit)
    }

    #[inline(always)]
    fn slab(&self) -> Slab<'_> {
        Slab { below: &self.below, above: &self.above, inverse: &self.inverse }
    }

    /// The lanes of `filled` whose triangle may be met at a fraction of at most `limit`, and fractions before which none of them
    /// is.
    ///
    /// With `u` half a unit in the last place, corners `p` and the way `v` (greatest components, in radii), a height along `n`
    /// and its change over the way err together by less than `|n| (13 u (p + v) + 2 w)`, `w` the error of the centre.
    #[inline(always)]
    pub fn met<L: Lanes>(&self, packet: &Packet, filled: u32, limit: f32) -> ([f32; LANES], u32) {
        let (clear, near) = self.slab().enter_extents::<L>(packet.extents(), limit);
        self.met_of(packet, near & filled, clear, limit, ROUNDS)
    }

    /// The lanes of `near` whose triangle a body at rest may touch.
    #[inline(always)]
    pub fn touched<L: Lanes>(&self, packet: &Packet, near: u32) -> u32 {
        self.met_of::<L>(packet, near, L::splat(0.0), 0.0, 1).1
    }

    /// [`SweepFilter::met`] of the lanes of `near`, which meet nothing until `clear`.
    #[inline(always)]
    fn met_of<L: Lanes>(
        &self,
        packet: &Packet,
        mut near: u32,
        mut clear: L,
        limit: f32,
        rounds: usize,
    ) -> ([f32; LANES], u32) {
        if near == 0 {
            return ([0.0; LANES], 0);
        }
        let (a, b, c) = (self.in_radii::<L>(packet, 0), self.in_radii(packet, 1), self.in_radii(packet, 2));
        let size = greatest(a).max(greatest(b)).max(greatest(c)) + L::splat(self.longest);
        // Infinite, so that nothing is ruled out, where products overflow.
        let overflow = size * size * (size * size) * L::splat(f32::MIN_POSITIVE);
        let reach = size * L::splat(16.0 * UNIT) + L::splat(1.0 + 16.0 * UNIT + 2.0 * self.error) + overflow;
        let (ab, bc, ca) = (sub(b, a), sub(c, b), sub(a, c));

        let way = splat::<L>(self.way);
        clear = clear_until(cross(ab, bc), [a, b, c], way, reach, clear);
        near &= L::bits(clear.at_most(L::splat(limit)));
        if near == 0 {
            return ([0.0; LANES], 0);
        }
        let one = L::splat(1.0);
        let inverse = [one / dot(ab, ab), one / dot(bc, bc), one / dot(ca, ca)];
        for _ in 0..rounds {
            let moved = [way[0] * clear, way[1] * clear, way[2] * clear];
            let nearest = nearest_on_edge(sub(a, moved), ab, inverse[0]);
            let nearest = nearer(nearest, nearest_on_edge(sub(b, moved), bc, inverse[1]));
            let (nearest, _) = nearer(nearest, nearest_on_edge(sub(c, moved), ca, inverse[2]));
            clear = clear_until(nearest, [a, b, c], way, reach, clear);
            near &= L::bits(clear.at_most(L::splat(limit)));
            if near == 0 {
                break;
            }
        }
        (clear.store(), near)
    }

    /// A corner of each triangle, from the centre, in radii.
    #[inline(always)]
    fn in_radii<L: Lanes>(&self, packet: &Packet, corner: usize) -> [L; 3] {
        let offset = sub(packet.corner::<L>(corner), splat(self.center));
        let scale = splat::<L>(self.scale);
        [offset[0] * scale[0], offset[1] * scale[1], offset[2] * scale[2]]
    }
}

/// Until when a plane across `along` keeps the ball clear of the corners that is clear of them until `clear`: a fraction
/// rounded down, more than any limit where the ball never meets the plane again, and `clear` where none stands between them.
#[inline(always)]
fn clear_until<L: Lanes>(along: [L; 3], [a, b, c]: [[L; 3]; 3], way: [L; 3], reach: L, clear: L) -> L {
    let zero = L::splat(0.0);
    let (a, b, c) = (dot(along, a), dot(along, b), dot(along, c));
    let change = dot(along, way);
    let (low, high) = (a.min(b).min(c) - change * clear, a.max(b).max(c) - change * clear);
    let length = (dot(along, along) + L::splat(f32::MIN_POSITIVE)).sqrt();
    let gap = low.max(zero - high) - length * reach;
    let approach = L::select(high.less(zero), zero - change, change).max(L::splat(f32::MIN_POSITIVE));
    ((clear + gap / approach) * L::splat(1.0 - 4.0 * UNIT)).max(clear)
}

/// The point nearest to the origin of edges with one end at `from`, and the square of its distance; `inverse` is 1 over the square
/// of the edges' length.
#[inline(always)]
fn nearest_on_edge<L: Lanes>(from: [L; 3], edge: [L; 3], inverse: L) -> ([L; 3], L) {
    let zero = L::splat(0.0);
    let place = (zero - dot(from, edge) * inverse).max(zero).min(L::splat(1.0));
    let point = [from[0] + edge[0] * place, from[1] + edge[1] * place, from[2] + edge[2] * place];
    (point, dot(point, point))
}

#[inline(always)]
fn nearer<L: Lanes>((one, distance): ([L; 3], L), (other, other_distance): ([L; 3], L)) -> ([L; 3], L) {
    let is_other = other_distance.less(distance);
    let pick = |axis: usize| L::select(is_other, other[axis], one[axis]);
    ([pick(0), pick(1), pick(2)], other_distance.min(distance))
}

#[inline(always)]
fn splat<L: Lanes>(vector: Vec3) -> [L; 3] {
    [L::splat(vector.x), L::splat(vector.y), L::splat(vector.z)]
}

#[inline(always)]
fn sub<L: Lanes>(one: [L; 3], other: [L; 3]) -> [L; 3] {
    [one[0] - other[0], one[1] - other[1], one[2] - other[2]]
}

#[inline(always)]
fn dot<L: Lanes>(one: [L; 3], other: [L; 3]) -> L {
    one[0] * other[0] + one[1] * other[1] + one[2] * other[2]
}

#[inline(always)]
fn cross<L: Lanes>(one: [L; 3], other: [L; 3]) -> [L; 3] {
    [
        one[1] * other[2] - one[2] * other[1],
        one[2] * other[0] - one[0] * other[2],
        one[0] * other[1] - one[1] * other[0],
    ]
}

/// The greatest component, whatever its sign.
#[inline(always)]
fn greatest<L: Lanes>(of: [L; 3]) -> L {
    of[0].abs().max(of[1].abs()).max(of[2].abs())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::random::Random;
    use crate::geometry::{Motion, nearest_on_triangle, round_up};
    use crate::simd::{Simd, Task};

    struct Met<'a>(&'a SweepFilter, &'a Packet, f32);

    impl Task for Met<'_> {
        type Answer = ([f32; LANES], u32);

        #[inline(always)]
        fn run<L: Lanes>(self) -> Self::Answer {
            self.0.met::<L>(self.1, 0xFF, self.2)
        }
    }

    struct Touched<'a>(&'a SweepFilter, &'a Packet);

    impl Task for Touched<'_> {
        type Answer = u32;

        #[inline(always)]
        fn run<L: Lanes>(self) -> u32 {
            self.0.touched::<L>(self.1, 0xFF)
        }
    }

    fn vector(random: &mut Random, size: f64) -> DVec3 {
        DVec3::new(random.range(-size, size), random.range(-size, size), random.range(-size, size))
    }

    fn any(random: &mut Random, numbers: &[f64]) -> f64 {
        numbers[random.below(numbers.len())]
    }

    /// A body and its way, by metres or kilometres, at the origin or far from it, where f32 holds its centre and where not.
    fn body(random: &mut Random) -> (UnitSpace, DVec3) {
        let size = any(random, &[1e-3, 1.0, 1e3]);
        let shape = if random.below(2) == 0 { DVec3::ONE } else { DVec3::new(1.0, random.range(0.2, 3.0), 0.5) };
        let center = vector(random, 5.0 * size) + any(random, &[0.0, 5e3, 1e7]);
        let center = if random.below(2) == 0 { center.as_vec3().as_dvec3() } else { center };
        let length = any(random, &[0.0, 1e-3, 1.0, 20.0]) * size;
        let way = match random.below(3) {
            0 => DVec3::AXES[random.below(3)] * length,
            _ => vector(random, length),
        };
        (UnitSpace::new(center, (shape * random.range(0.05, 2.0) * size).as_vec3()), way)
    }

    /// A triangle near the way, in radii from the centre: of any size, without area, of one point, in touch, or grazed.
    fn triangle(random: &mut Random, way: DVec3) -> [DVec3; 3] {
        let place = way * random.range(-0.2, 1.2) + vector(random, 2.0);
        let size = any(random, &[1e-4, 0.1, 3.0, 100.0]);
        let [a, b] = [place, place + vector(random, size)];
        let side = way.cross(vector(random, 1.0)).try_normalize().unwrap_or(DVec3::Y);
        let near = any(random, &[1.0 - 1e-6, 1.0, 1.0 + 1e-6]);
        match random.below(8) {
            0 => [a, b, a.lerp(b, random.range(-1.0, 2.0))],
            1 => [a; 3],
            2 => {
                let grazed = way * random.unit() + side * near;
                [grazed, grazed + side * size, grazed + side * size + vector(random, size)]
            }
            3 => {
                let across = side.any_orthonormal_pair();
                [(-1.0, -1.0), (2.0, 0.0), (-1.0, 2.0)].map(|(u, v)| side * near + across.0 * u + across.1 * v)
            }
            _ => [a, b, place + vector(random, size)],
        }
    }

    /// Triangles near the way of a body.
    fn packet(random: &mut Random, body: &UnitSpace, way: DVec3) -> Packet {
        let mut packet = Packet { corners: [[[0.0; LANES]; 3]; 3], numbers: [0; LANES] };
        for lane in 0..LANES {
            let corners = triangle(random, way).map(|corner| body.to_world(corner).as_vec3());
            for (corner, axis) in (0..9).map(|number| (number / 3, number % 3)) {
                packet.corners[corner][axis][lane] = corners[corner][axis];
            }
        }
        packet
    }

    /// Whether f32 tells the body from its place.
    fn is_told(body: &UnitSpace) -> bool {
        body.center.abs().max_element() < 1e3 * body.radii.min_element()
    }

    #[test]
    fn a_body_at_rest_touches_nothing_that_the_lanes_leave_out() {
        let mut random = Random::new(4, 0);
        let (mut touched, mut kept, mut asked) = (0, 0, 0);
        for question in 0..10_000 {
            let (body, _) = body(&mut random);
            let filter = SweepFilter::new(&body, DVec3::ZERO);
            let packet = packet(&mut random, &body, DVec3::ZERO);
            let [near, other] = [Simd::available()[0], Simd::Portable].map(|simd| simd.run(Touched(&filter, &packet)));
            assert_eq!(near, other, "question {question}");
            for lane in 0..LANES {
                let corners = packet.triangle(lane).map(|corner| body.to_unit(corner));
                let touches = nearest_on_triangle(&corners).point.length() <= 1.0;
                let is_kept = near >> lane & 1 == 1;
                assert!(is_kept || !touches, "question {question}, lane {lane}: {corners:?}");
                let counts = u32::from(is_told(&body));
                asked += counts;
                kept += counts * u32::from(is_kept);
                touched += counts * u32::from(touches);
            }
        }
        // An eighth of them touch with a face, to rounding.
        assert!(touched > asked / 5 && kept < touched + asked / 5, "{asked} asked, {kept} kept, {touched} touched");
    }

    #[test]
    fn nothing_is_met_before_the_lanes_say_so() {
        let mut random = Random::new(3, 0);
        let (mut contacts, mut kept, mut asked) = (0, 0, 0);
        for question in 0..10_000 {
            let (body, displacement) = body(&mut random);
            let motion = Motion::new(&body, displacement);
            let filter = SweepFilter::new(&body, displacement);
            let packet = packet(&mut random, &body, motion.way);
            let met = |limit: f32| {
                let [(clear, near), other] =
                    [Simd::available()[0], Simd::Portable].map(|simd| simd.run(Met(&filter, &packet, limit)));
                assert_eq!(near, other.1, "question {question}");
                for lane in crate::simd::lanes_in(near) {
                    assert_eq!(clear[lane].to_bits(), other.0[lane].to_bits(), "question {question}, lane {lane}");
                }
                (clear, near)
            };
            let near = met(1.0).1;
            let counts = u32::from(is_told(&body));
            for lane in 0..LANES {
                let corners = packet.triangle(lane).map(|corner| body.to_unit(corner));
                let contact = motion.sweep(&corners, 0.0, 1.0);
                asked += counts;
                kept += counts * (near >> lane & 1);
                contacts += counts * u32::from(contact.is_some());
                let Some(contact) = contact else { continue };
                for limit in [1.0, round_up(contact.fraction)] {
                    let (clear, near) = met(limit);
                    let is_kept = near >> lane & 1 == 1 && f64::from(clear[lane]) <= contact.fraction;
                    assert!(is_kept, "question {question}, lane {lane} up to {limit}: {clear:?} {near:b} {contact:?}");
                }
            }
        }
        // An eighth of them graze, another eighth touch a plane: that is beyond f32.
        assert!(contacts > asked / 5 && kept < contacts + asked / 5, "{asked} asked, {kept} kept, {contacts} met");
    }
}
