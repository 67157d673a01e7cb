//! Who is right: every triangle looked at, in f64 or exactly.

use glam::{DVec3, Vec3};
use nodetree::geometry::Aabb;

use crate::answer::{Below, Cast, Move, RADIUS};
use crate::scene::Scene;
use crate::support::{brute, contact};

/// The triangles of a level.
pub struct Truth(Vec<[Vec3; 3]>);

/// Where the right answer lies. Rays and heights have one; a ball that only just touches or misses may be given either.
#[derive(Clone, Copy, Debug)]
pub struct Right {
    earliest: Option<f64>,
    latest: Option<f64>,
}

impl Right {
    fn exactly(answer: Option<f64>) -> Right {
        Right { earliest: answer, latest: answer }
    }

    /// Whether an answer is right within `tolerance` of its size (of a metre, if it is less).
    pub fn admits(&self, answer: Option<f32>, tolerance: f64) -> bool {
        let Some(answer) = answer.map(f64::from) else { return self.latest.is_none() };
        let slack = tolerance * answer.abs().max(1.0);
        self.earliest.is_some_and(|earliest| answer >= earliest - slack)
            && self.latest.is_none_or(|latest| answer <= latest + slack)
    }
}

/// Knows the right answers to a kind of question.
pub trait Judge<Q> {
    fn judge(&self, question: &Q) -> Right;
}

impl Truth {
    pub fn new(scene: &Scene) -> Truth {
        Truth(scene.triangles().collect())
    }
}

impl Judge<Cast> for Truth {
    fn judge(&self, cast: &Cast) -> Right {
        let crossings = brute::crossings(&self.0, cast.origin.as_dvec3(), cast.direction.as_dvec3());
        Right::exactly(crossings.first().map(|crossing| crossing.distance))
    }
}

impl Judge<Below> for Truth {
    fn judge(&self, &Below(point): &Below) -> Right {
        let heights = brute::heights(&self.0, point.x, point.z);
        Right::exactly(heights.into_iter().find(|&height| height <= f64::from(point.y)))
    }
}

impl Judge<Move> for Truth {
    fn judge(&self, question: &Move) -> Right {
        /// Metres by which a ball may be larger or smaller, ...
        const DOUBT: f64 = 1e-6;
        /// ... and its way longer: f32 coordinates are not finer where levels are.
        const LONGER: f64 = 1e-5;
        let center = question.center.as_dvec3();
        let (way, radius) = (question.displacement.as_dvec3(), f64::from(RADIUS));
        let length = way.length();
        let swept = Aabb::around([question.center, question.center + question.displacement])
            .expanded(Vec3::splat(RADIUS + 1e-3));
        let near: Vec<[DVec3; 3]> = self
            .0
            .iter()
            .filter(|triangle| Aabb::of_triangle(triangle).touches(&swept))
            .map(|triangle| contact::to_unit(triangle, center, DVec3::ONE))
            .collect();
        let first = |radius: f64, length: f64| {
            let way = way.normalize() * length;
            let times = near.iter().filter_map(|&triangle| contact::time(way, triangle, radius));
            times.min_by(f64::total_cmp).map(|time| time * length)
        };
        Right { earliest: first(radius + DOUBT, length + LONGER), latest: first(radius - DOUBT, length) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A square floor of 8 m at height 0.
    fn floor() -> Truth {
        let [a, b, c, d] = [(-4.0, -4.0), (-4.0, 4.0), (4.0, 4.0), (4.0, -4.0)].map(|(x, z)| Vec3::new(x, 0.0, z));
        Truth(vec![[a, b, c], [a, c, d]])
    }

    #[test]
    fn rays_and_heights_have_one_right_answer() {
        let down = Cast { origin: Vec3::new(1.0, 2.0, 0.5), direction: Vec3::NEG_Y };
        let right = floor().judge(&down);
        assert!(right.admits(Some(2.0), 0.0));
        assert!(right.admits(Some(2.000_1), 1e-4) && !right.admits(Some(2.000_3), 1e-4));
        assert!(!right.admits(None, 1e-4));
        assert!(floor().judge(&Cast { direction: Vec3::Y, ..down }).admits(None, 0.0));
        assert!(floor().judge(&Below(down.origin)).admits(Some(0.0), 0.0));
        assert!(floor().judge(&Below(-down.origin)).admits(None, 0.0));
    }

    #[test]
    fn a_ball_that_only_just_arrives_may_hit_or_miss() {
        let above = |height: f32| Move { center: Vec3::new(1.0, height, 0.5), displacement: Vec3::NEG_Y };
        let hit = floor().judge(&above(1.0));
        assert!(hit.admits(Some(1.0 - RADIUS), 1e-5));
        assert!(!hit.admits(Some(0.5), 1e-5) && !hit.admits(Some(0.7), 1e-5) && !hit.admits(None, 1e-5));
        assert!(floor().judge(&above(1.5)).admits(None, 0.0));
        let just = floor().judge(&above(1.0 + RADIUS));
        assert!(just.admits(None, 0.0) && just.admits(Some(1.0), 1e-5) && !just.admits(Some(0.9), 1e-5));
    }
}
