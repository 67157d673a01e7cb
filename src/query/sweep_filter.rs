//! Which of eight boxes and triangles a moving ellipsoid may meet: all that it does meet, and few others.

use glam::{DVec3, Vec3};

use super::slab::Slab;
use crate::geometry::{UNIT, UnitSpace, inverse_speed, round_down, round_up};
use crate::simd::Lanes;
use crate::tree::{Boxes, Packet};

/// A body on its way, as fractions of the way.
#[derive(Clone, Copy, Debug)]
pub(super) struct SweepFilter {
    below: Vec3,
    above: Vec3,
    inverse: Vec3,
    center: Vec3,
    radii: Vec3,
    way: Vec3,
    /// The centre differs from the true one by less, in metres.
    error: f32,
    /// The longest radius and the longest part of the way along an axis, together.
    longest: f32,
}

impl SweepFilter {
    pub fn new(body: &UnitSpace, displacement: DVec3) -> SweepFilter {
        // Far more than f64 rounding and the slack at the end of a sweep, far less than costs anything.
        let margin = body.radii + 1e-5 + 1e-6 * (body.center.abs() + displacement.abs());
        let each = |vector: DVec3, round: fn(f64) -> f32| Vec3::from_array(vector.to_array().map(round));
        let inverse = displacement.to_array().map(inverse_speed);
        let (center, radii, way) = (body.center.as_vec3(), margin.as_vec3(), displacement.as_vec3());
        SweepFilter {
            below: each(body.center - margin, round_down),
            above: each(body.center + margin, round_up),
            inverse: Vec3::from_array(inverse),
            center,
            radii,
            way,
            error: 2.0 * UNIT * center.abs().max_element(),
            longest: radii.max_element() + way.abs().max_element(),
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

    /// The lanes whose triangle may be met at a fraction of at most `limit`: the box is, and so is the plane.
    ///
    /// With `u` half a unit in the last place, edges `e`, `f` and corners `p` (greatest components), the normal errs by less than
    /// `8 u e f`, and the heights of the centre over the plane, which the way changes, and what the body reaches towards it by
    /// less than `e f (48 u (p + r + s) + 8 w)`: radii `r`, way `s`, `w` the error of the centre.
    #[inline(always)]
    pub fn met<L: Lanes>(&self, packet: &Packet, limit: f32) -> u32 {
        let (_, in_boxes) = self.slab().enter_extents::<L>(packet.extents(), limit);
        let (a, b, c) = (packet.corner::<L>(0), packet.corner::<L>(1), packet.corner::<L>(2));
        let (first, second, from) = (less(b, a), less(c, a), less(splat(self.center), a));
        let normal = [
            first[1] * second[2] - first[2] * second[1],
            first[2] * second[0] - first[0] * second[2],
            first[0] * second[1] - first[1] * second[0],
        ];
        let radii = splat::<L>(self.radii);
        let reach = [normal[0] * radii[0], normal[1] * radii[1], normal[2] * radii[2]];
        let size = greatest(first) * greatest(second);
        let lengths = greatest(from) + L::splat(self.longest);
        let error = size * (lengths * L::splat(48.0 * UNIT) + L::splat(8.0 * self.error)) + L::splat(f32::MIN_POSITIVE);
        let reach = dot(reach, reach).sqrt() + error;
        // Heights over the plane at the start and at the limit: between them it changes evenly.
        let start = dot(normal, from);
        let end = start + dot(normal, splat(self.way)) * L::splat(limit);
        let stays_above = reach.less(start.min(end));
        let stays_below = start.max(end).less(L::splat(0.0) - reach);
        in_boxes & !L::bits(L::or(stays_above, stays_below))
    }
}

#[inline(always)]
fn splat<L: Lanes>(vector: Vec3) -> [L; 3] {
    [L::splat(vector.x), L::splat(vector.y), L::splat(vector.z)]
}

#[inline(always)]
fn less<L: Lanes>(one: [L; 3], other: [L; 3]) -> [L; 3] {
    [one[0] - other[0], one[1] - other[1], one[2] - other[2]]
}

#[inline(always)]
fn dot<L: Lanes>(one: [L; 3], other: [L; 3]) -> L {
    one[0] * other[0] + one[1] * other[1] + one[2] * other[2]
}

/// The greatest component, whatever its sign.
#[inline(always)]
fn greatest<L: Lanes>(of: [L; 3]) -> L {
    of[0].abs().max(of[1].abs()).max(of[2].abs())
}
