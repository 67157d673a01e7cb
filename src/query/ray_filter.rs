//! Which of eight triangles a ray may cross: all that it does cross, and few others.
//!
//! The edge functions of Woop, Benthin and Wald, "Watertight Ray/Triangle Intersection", JCGT 2013, in f32, with a bound of
//! their error: what they cannot decide counts as crossed. The exact test has the last word.

use glam::DVec3;

use crate::geometry::{Ray, UNIT};
use crate::simd::{LANES, Lanes};
use crate::tree::Packet;

/// A ray seen along its fastest axis Z, as [`RayFilter::crossed`] needs it.
#[derive(Clone, Copy, Debug)]
pub(super) struct RayFilter {
    /// X, Y and Z.
    axes: [usize; 3],
    origin: [f32; 3],
    /// How much the ray moves along X and Y for each metre along Z.
    shear: [f32; 2],
    /// Ways for each metre along Z.
    inverse: f32,
    /// More than rounding to f32 changes the origin.
    error: f32,
}

impl RayFilter {
    #[inline(always)]
    pub fn new(ray: &Ray) -> RayFilter {
        let axes = ray.axes();
        let [x, y, z] = axes;
        let (origin, way, inverse) = (ray.between().0, ray.rounded_way(), ray.inverse());
        // As arrays, of which any element is a load: those of vectors are found by branches.
        let (at, way, inverse): (&[f32; 3], &[f32; 3], &[f32; 3]) = (origin.as_ref(), way.as_ref(), inverse.as_ref());
        let inverse = inverse[z];
        RayFilter {
            axes,
            origin: [at[x], at[y], at[z]],
            shear: [way[x] * inverse, way[y] * inverse],
            inverse,
            error: (origin.x.abs() + origin.y.abs() + origin.z.abs()) * f32::EPSILON + f32::MIN_POSITIVE,
        }
    }

    /// A triangle of a packet along the same axes.
    #[inline(always)]
    pub fn triangle(&self, packet: &Packet, lane: usize) -> [DVec3; 3] {
        let [x, y, z] = self.axes;
        let corner = |corner: &[[f32; LANES]; 3]| {
            DVec3::new(f64::from(corner[x][lane]), f64::from(corner[y][lane]), f64::from(corner[z][lane]))
        };
        let [a, b, c] = &packet.corners;
        [corner(a), corner(b), corner(c)]
    }

    /// The lanes that may be crossed at a distance of at most `limit` ways, which is not negative.
    ///
    /// With `u` half a unit in the last place and `w` the error of the origin, the offset of a corner along Z errs by
    /// `u |z| + w`, the shear by `4 u`, and sheared ones, with `|x| <= |x'| + |z|`, by less than `u (3 |x'| + 8 |z|) + 3 w`. For the
    /// greatest `m` of all `|x'|` and `|y'|` and the greatest `|z|` an edge function `b_x c_y - b_y c_x` then errs by less than
    /// `4 g (m + g)`, `g = u (4 m + 8 z) + 3 w`.
    #[inline(always)]
    pub fn crossed<L: Lanes>(&self, packet: &Packet, limit: f32) -> u32 {
        let (a, b, c) = (self.seen::<L>(packet, 0), self.seen::<L>(packet, 1), self.seen::<L>(packet, 2));
        let (u, v, w) = (across(b, c), across(c, a), across(a, b));
        let aside = greatest(a[0], b[0], c[0]).max(greatest(a[1], b[1], c[1]));
        let ahead = greatest(a[2], b[2], c[2]);
        let error = aside * L::splat(4.0 * UNIT) + ahead * L::splat(8.0 * UNIT) + L::splat(3.0 * self.error);
        // Five instead of four for the rounding of the bound itself; the smallest number where it underflows.
        let error = error * (aside + error) * L::splat(5.0) + L::splat(f32::MIN_POSITIVE);
        let lowest = u.min(v).min(w);
        let highest = u.max(v).max(w);
        let misses = L::and(lowest.less(L::splat(0.0) - error), error.less(highest));

        let inverse = L::splat(self.inverse);
        let (first, second, third) = (a[2] * inverse, b[2] * inverse, c[2] * inverse);
        let slack = L::splat(4.0 * self.error * self.inverse.abs());
        let is_beyond = L::splat(limit).less(first.min(second).min(third) * L::splat(1.0 - 16.0 * UNIT) - slack);
        let is_behind = (first.max(second).max(third) + slack).less(L::splat(0.0));
        !L::bits(L::or(misses, L::or(is_beyond, is_behind)))
    }

    /// A corner of each triangle as the ray sees it: right, up and ahead.
    #[inline(always)]
    fn seen<L: Lanes>(&self, packet: &Packet, corner: usize) -> [L; 3] {
        let [x, y, z] = self.axes;
        let corner = &packet.corners[corner];
        let ahead = L::load(&corner[z]) - L::splat(self.origin[2]);
        let right = L::load(&corner[x]) - L::splat(self.origin[0]) - ahead * L::splat(self.shear[0]);
        let up = L::load(&corner[y]) - L::splat(self.origin[1]) - ahead * L::splat(self.shear[1]);
        [right, up, ahead]
    }
}

/// The edge function of two corners: the weight of the third.
#[inline(always)]
fn across<L: Lanes>(from: [L; 3], to: [L; 3]) -> L {
    from[0] * to[1] - from[1] * to[0]
}

#[inline(always)]
fn greatest<L: Lanes>(one: L, two: L, three: L) -> L {
    one.abs().max(two.abs()).max(three.abs())
}
