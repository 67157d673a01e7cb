//! Rays, and rays against boxes.

use std::ops::RangeInclusive;

use glam::{DVec3, Vec3};

use super::Aabb;

/// A half-line from a point, with what the tests against boxes and triangles need worked out once.
#[derive(Clone, Copy, Debug)]
pub struct Ray {
    origin: DVec3,
    /// The direction; one far from length 1 is scaled by a power of two, exactly, to near it.
    way: DVec3,
    /// Length of `way`.
    length: f64,
    /// The origin rounded down and up to f32, by at most two steps where f32 does not hold it.
    below: Vec3,
    above: Vec3,
    /// `way` rounded to f32.
    rounded_way: Vec3,
    /// 1 over each component of `way`, within two roundings; infinite for 0, NaN where it exceeds f32: such an axis cannot
    /// rule out a box.
    inverse: Vec3,
    /// The axis along which it is fastest.
    fastest: Axis,
}

#[derive(Clone, Copy, Debug)]
#[repr(u32)]
enum Axis {
    X,
    Y,
    Z,
}

/// Why there is no such ray.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadRay {
    /// The origin is infinite or not a number.
    #[error("the origin is not finite, or beyond what f32 can tell")]
    Origin,
    /// The direction, or an end, is infinite or not a number.
    #[error("the direction is not finite")]
    Direction,
    /// The direction has length 0.
    #[error("the direction is zero")]
    ZeroDirection,
}

/// Four roundings lie between a box and its entry distance: of the corner's offset, of the inverse two, of their product.
/// Eight halves of a unit in the last place make up for them where near and far are compared (Ize, "Robust BVH Ray
/// Traversal", JCGT 2013); the entry distance given out is lowered for them and for its own rounding.
pub(crate) const FAR_PADDING: f32 = 1.0 + 4.0 * f32::EPSILON;
pub(crate) const NEAR_PADDING: f32 = 1.0 - 3.0 * f32::EPSILON;

impl Ray {
    /// The ray from `origin` along `direction`, which may have any length above 0. Both are taken as exact, in f32 or f64.
    ///
    /// # Errors
    /// When a component is not finite (or the origin is beyond f32), or the direction is zero.
    #[inline(always)]
    pub fn new(origin: impl Into<DVec3>, direction: impl Into<DVec3>) -> Result<Ray, BadRay> {
        let (origin, direction): (DVec3, DVec3) = (origin.into(), direction.into());
        let rounded_origin = origin.as_vec3();
        let (place, speed) = (rounded_origin.abs(), direction.abs());
        let (reach, sum) = (place.x + place.y + place.z, speed.x + speed.y + speed.z);
        // Written so that NaN is unusual.
        let is_usual = reach < f32::INFINITY && sum >= *USUAL.start() && sum <= *USUAL.end();
        let way = if is_usual { direction } else { Ray::unusual_way(origin, direction)? };
        let rounded_way = way.as_vec3();
        let inverse = rounded_way.recip();
        // Nothing waits for this, and it goes one way for many rays in a row.
        let is_everywhere = inverse.is_finite();
        Ok(Ray {
            origin,
            way,
            length: way.length(),
            below: rounded_origin - excess(rounded_origin.as_dvec3() - origin, rounded_origin),
            above: rounded_origin + excess(origin - rounded_origin.as_dvec3(), rounded_origin),
            rounded_way,
            inverse: if is_everywhere { inverse } else { Vec3::from_array(way.to_array().map(inverse_speed)) },
            fastest: fastest(speed),
        })
    }

    /// The scaled direction.
    #[cold]
    fn unusual_way(origin: DVec3, direction: DVec3) -> Result<DVec3, BadRay> {
        if !origin.as_vec3().is_finite() {
            return Err(BadRay::Origin);
        }
        if !direction.is_finite() {
            return Err(BadRay::Direction);
        }
        if direction == DVec3::ZERO {
            return Err(BadRay::ZeroDirection);
        }
        let exponent = -2 - libm::ilogb(direction.abs().max_element());
        Ok(DVec3::from_array(direction.to_array().map(|part| libm::scalbn(part, exponent))))
    }

    /// The ray from one point through another.
    ///
    /// # Errors
    /// When a component is not finite, or the points are the same.
    pub fn through(from: impl Into<DVec3>, to: impl Into<DVec3>) -> Result<Ray, BadRay> {
        let from = from.into();
        Ray::new(from, to.into() - from)
    }

    /// Where it starts.
    #[inline]
    pub fn origin(&self) -> DVec3 {
        self.origin
    }

    /// Its direction, of length 1 but for rounding.
    pub fn direction(&self) -> DVec3 {
        self.way / self.length
    }

    /// Its origin along [`Ray::axes`].
    #[inline(always)]
    pub(super) fn turned_origin(&self) -> DVec3 {
        let [x, y, z] = self.axes();
        let origin: &[f64; 3] = self.origin.as_ref();
        DVec3::new(origin[x], origin[y], origin[z])
    }

    /// Its direction along [`Ray::axes`], as exact as it was given, of [`Ray::way_length`].
    #[inline(always)]
    pub(super) fn turned_way(&self) -> DVec3 {
        let [x, y, z] = self.axes();
        let way: &[f64; 3] = self.way.as_ref();
        DVec3::new(way[x], way[y], way[z])
    }

    /// The origin rounded down and up to f32, by at most two steps where f32 does not hold it.
    #[inline(always)]
    pub(crate) fn between(&self) -> (&Vec3, &Vec3) {
        (&self.below, &self.above)
    }

    #[inline(always)]
    pub(crate) fn rounded_way(&self) -> &Vec3 {
        &self.rounded_way
    }

    #[inline(always)]
    pub(super) fn way_length(&self) -> f64 {
        self.length
    }

    /// 1 over each component of the way, within two roundings; infinite for 0, NaN where it exceeds f32: such an axis cannot
    /// rule out a box.
    #[inline(always)]
    pub(crate) fn inverse(&self) -> &Vec3 {
        &self.inverse
    }

    /// The axis on which it is fastest as Z, and the two after it in turn as X and Y: what it sees along its way.
    #[inline(always)]
    pub(crate) fn axes(&self) -> [usize; 3] {
        static TURNS: [[usize; 3]; 3] = [[1, 2, 0], [2, 0, 1], [0, 1, 2]];
        TURNS[self.fastest as usize]
    }

    /// How many of its ways a distance in metres is, rounded up.
    #[inline(always)]
    pub(crate) fn ways(&self, distance: f32) -> f32 {
        if distance == f32::INFINITY {
            return distance;
        }
        (f64::from(distance) / self.length) as f32 * (1.0 + f32::EPSILON) + f32::MIN_POSITIVE
    }

    /// Where it enters a closed box: metres from the origin, 0 where it starts inside; `None` where it misses the box or
    /// enters it beyond `limit` metres. Conservative: no box that holds a point of the ray up to the limit is missed,
    /// whatever the rounding, and the distance is never too great. Flat boxes are boxes.
    ///
    /// Along an axis on which the direction is 0 (or -0) the origin is compared with the box, without division.
    pub fn enter_box(&self, bounds: &Aabb, limit: f32) -> Option<f32> {
        // The accumulator wins against a NaN.
        let greater = |new: f32, old: f32| if new > old { new } else { old };
        let less = |new: f32, old: f32| if new < old { new } else { old };
        let (mut near, mut far) = (0.0, self.ways(limit));
        for axis in 0..3 {
            let (below, above) = (self.below[axis], self.above[axis]);
            let (least, greatest) = (bounds.min[axis], bounds.max[axis]);
            if self.way[axis] == 0.0 {
                if above < least || below > greatest {
                    return None;
                }
            } else {
                let (a, b) = ((least - above) * self.inverse[axis], (greatest - below) * self.inverse[axis]);
                near = greater(less(a, b), near);
                far = less(greater(a, b), far);
            }
        }
        (near <= far * FAR_PADDING).then_some((f64::from(near) * self.length) as f32 * NEAR_PADDING)
    }
}

/// Sums of the sizes of a direction's components that need no scaling.
const USUAL: RangeInclusive<f64> = 1e-5..=1e5;

/// The axis of the greatest component.
#[inline(always)]
fn fastest(speed: DVec3) -> Axis {
    use Axis::{X, Y, Z};
    // Without branches: which one it is is anyone's guess.
    const BY_ORDER: [Axis; 8] = [Z, Z, Z, X, Y, Y, Y, X];
    let order = u8::from(speed.x > speed.y) | u8::from(speed.x > speed.z) << 1 | u8::from(speed.y > speed.z) << 2;
    BY_ORDER[usize::from(order & 7)]
}

/// One or two steps of f32 where rounding went too far, by a positive number; otherwise 0.
#[inline(always)]
fn excess(too_far: DVec3, rounded: Vec3) -> Vec3 {
    let step = rounded.abs() * f32::EPSILON + Vec3::splat(f32::MIN_POSITIVE);
    Vec3::select(too_far.cmpgt(DVec3::ZERO), step, Vec3::ZERO)
}

/// How long a motion takes along an axis for each metre, in f32, within two roundings. Infinity for 0 and -0, and NaN where f32
/// cannot hold it: such an axis cannot rule out a box.
#[inline(always)]
pub(crate) fn inverse_speed(speed: f64) -> f32 {
    let inverse = 1.0 / speed as f32;
    let beyond = if speed == 0.0 { f32::INFINITY } else { f32::NAN };
    if inverse.abs() == f32::INFINITY { beyond } else { inverse }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unit_box_at(min: Vec3) -> Aabb {
        Aabb { min, max: min + Vec3::ONE }
    }

    #[test]
    fn a_flat_box_is_met() {
        let flat = Aabb { min: Vec3::new(-1.0, -1.0, 1.0), max: Vec3::ONE };
        let ray = Ray::new(Vec3::ZERO, Vec3::Z).unwrap();
        let entry = ray.enter_box(&flat, f32::INFINITY).unwrap();
        assert!(entry <= 1.0 && entry > 0.999_999, "{entry}");
        assert_eq!(ray.enter_box(&flat, 1.0), Some(entry), "the limit belongs to the ray");
        assert_eq!(ray.enter_box(&flat, 0.999), None);
    }

    #[test]
    fn boxes_beside_the_ray_are_missed() {
        let ray = Ray::new(Vec3::splat(-50.0), Vec3::X).unwrap();
        for min in [Vec3::new(-50.0, -50.0, -25.0), Vec3::ZERO] {
            assert_eq!(ray.enter_box(&unit_box_at(min), f32::INFINITY), None);
        }
    }

    #[test]
    fn an_origin_on_a_face_enters_at_0_whatever_the_sign_of_zero() {
        let bounds = unit_box_at(Vec3::ZERO);
        for zero in [0.0, -0.0] {
            for y in [0.0, 1.0, -0.0] {
                let ray = Ray::new(Vec3::new(0.5, y, 0.5), Vec3::new(1.0, zero, zero)).unwrap();
                assert_eq!(ray.enter_box(&bounds, f32::INFINITY), Some(0.0));
            }
            let beside = Ray::new(Vec3::new(0.5, -1e-30, 0.5), Vec3::new(1.0, zero, zero)).unwrap();
            assert_eq!(beside.enter_box(&bounds, f32::INFINITY), None);
        }
    }

    #[test]
    fn a_direction_component_below_the_range_of_f32_cannot_lose_a_box() {
        let bounds = unit_box_at(Vec3::ZERO);
        let ray = Ray::new(Vec3::new(0.5, 9.0, 1.0), Vec3::new(1e-42, -1.0, -1e-42)).unwrap();
        let entry = ray.enter_box(&bounds, f32::INFINITY).unwrap();
        assert!((7.999_99..=8.0).contains(&entry), "{entry}");
    }

    #[test]
    fn what_is_no_ray_is_refused() {
        assert_eq!(Ray::new(Vec3::ZERO, Vec3::new(0.0, -0.0, 0.0)).unwrap_err(), BadRay::ZeroDirection);
        assert_eq!(Ray::new(Vec3::NAN, Vec3::X).unwrap_err(), BadRay::Origin);
        assert_eq!(Ray::new(Vec3::ZERO, Vec3::INFINITY).unwrap_err(), BadRay::Direction);
        assert_eq!(Ray::through(Vec3::ONE, Vec3::ONE).unwrap_err(), BadRay::ZeroDirection);
        assert!(Ray::new(Vec3::ZERO, Vec3::splat(1e-45)).is_ok());
        for scale in [5e-324, 1e-300, 1e300] {
            let ray = Ray::new(Vec3::ZERO, scale * DVec3::Z).unwrap();
            assert_eq!(ray.direction(), DVec3::Z);
            let triangle = [Vec3::new(-1.0, -1.0, 3.0), Vec3::new(1.0, -1.0, 3.0), Vec3::new(0.0, 1.0, 3.0)];
            assert_eq!(ray.cross_triangle(&triangle).map(|crossing| crossing.distance as f32), Some(3.0));
        }
    }
}
