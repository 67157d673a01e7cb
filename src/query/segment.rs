//! Segments: is there something between two points, and how far.

use glam::{DVec3, Vec3};

use super::Faces;
use super::ray::{Candidate, Crossings};
use crate::geometry::{Ray, UNIT};
use crate::tree::Tree;

impl Tree {
    /// Metres from `from` to the first thing on the way to `to`, the ends included and exact, whichever side it shows. `None` when
    /// nothing lies between, or a point is not finite. Between a point and itself there is what the point lies on, at 0.
    /// A segment longer than f32 can tell (3.4e38 m) counts as a ray.
    ///
    /// Cost: that of [`Tree::ray`].
    pub fn segment(&self, from: impl Into<DVec3>, to: impl Into<DVec3>) -> Option<f32> {
        let (from, to) = (from.into(), to.into());
        if from == to {
            // A surface can hold two of the axes in its plane, and is crossed by the third.
            let crosses = |axis| Ray::new(from, axis).is_ok_and(|ray| self.any_hit(&ray, 0.0, Faces::Both));
            return Vec3::AXES.into_iter().any(crosses).then_some(0.0);
        }
        let (ray, back) = (Ray::through(from, to).ok()?, Ray::through(to, from).ok()?);
        let length = from.distance(to) as f32;
        // f32 does not tell what lies this close to the end from what lies behind it; the way back does.
        let certain = length - 4.0 * UNIT * length;
        let mut nearest: Option<f32> = None;
        let found = |found: Candidate, limit: f32| {
            let distance = found.distance;
            if distance >= certain && back.cross_triangle(&self.triangle(found.place)).is_none() {
                return limit;
            }
            nearest = Some(nearest.map_or(distance, |nearest| nearest.min(distance)));
            limit.min(distance)
        };
        self.ask(|| Crossings::up_to(length, &ray, Faces::Both, found), |_| ());
        nearest
    }
}
