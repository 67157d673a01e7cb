//! Half spaces that a motion must stay in, and the motion nearest to a wanted one that does.

use glam::DVec3;

/// The most half spaces that are kept. Three close a corner; more only come from round surfaces.
const MOST: usize = 12;

/// Normals closer than this are one plane.
const SAME: f64 = 1e-4;

/// Up to twelve half spaces `normal · x >= offset` with unit normals.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct HalfSpaces {
    planes: [(DVec3, f64); MOST],
    count: usize,
}

impl HalfSpaces {
    /// Adds a half space. One with nearly the same normal is replaced by the stricter of both; of too many the loosest gives
    /// way.
    pub fn add(&mut self, normal: DVec3, offset: f64) {
        for (other, least) in &mut self.planes[..self.count] {
            if other.distance_squared(normal) < SAME * SAME {
                if offset > *least {
                    (*other, *least) = (normal, offset);
                }
                return;
            }
        }
        if self.count < MOST {
            self.planes[self.count] = (normal, offset);
            self.count += 1;
        } else if let Some(loosest) = self.planes.iter_mut().min_by(|a, b| a.1.total_cmp(&b.1))
            && loosest.1 < offset
        {
            *loosest = (normal, offset);
        }
    }

    /// The half spaces, each as normal and offset.
    pub fn planes(&self) -> &[(DVec3, f64)] {
        &self.planes[..self.count]
    }

    /// The same half spaces with each offset replaced.
    pub fn shifted(mut self, shift: impl Fn(f64) -> f64) -> HalfSpaces {
        for (_, offset) in &mut self.planes[..self.count] {
            *offset = shift(*offset);
        }
        self
    }

    /// The point of all half spaces that is nearest to `wanted`, exactly: the best of the projections on up to three
    /// planes that lies in all others. `None` when the half spaces have no common point.
    pub fn nearest_to(&self, wanted: DVec3) -> Option<DVec3> {
        let planes = self.planes();
        if self.holds(wanted) {
            return Some(wanted);
        }
        let mut best: Option<DVec3> = None;
        let mut keep = |point: Option<DVec3>| {
            if let Some(point) = point
                && best.is_none_or(|best| point.distance_squared(wanted) < best.distance_squared(wanted))
                && self.holds(point)
            {
                best = Some(point);
            }
        };
        for (i, first) in planes.iter().enumerate() {
            keep(Some(wanted + first.0 * (first.1 - first.0.dot(wanted))));
            for (j, second) in planes.iter().enumerate().take(i) {
                keep(on_line(wanted, first, second));
                for third in &planes[..j] {
                    keep(corner(first, second, third));
                }
            }
        }
        best
    }

    /// Whether a point lies in all half spaces, but for rounding.
    fn holds(&self, point: DVec3) -> bool {
        let slack = 1e-12 * (1.0 + point.abs().max_element());
        self.planes().iter().all(|(normal, offset)| normal.dot(point) >= offset - slack)
    }
}

/// The point on the line of two planes nearest to `wanted`; `None` for planes nearly parallel.
fn on_line(wanted: DVec3, first: &(DVec3, f64), second: &(DVec3, f64)) -> Option<DVec3> {
    let cosine = first.0.dot(second.0);
    let determinant = first.0.cross(second.0).length_squared();
    let (a, b) = (first.1 - first.0.dot(wanted), second.1 - second.0.dot(wanted));
    (determinant > PARALLEL).then(|| wanted + (first.0 * (a - cosine * b) + second.0 * (b - cosine * a)) / determinant)
}

/// The point common to three planes; `None` for planes nearly along one line.
fn corner(first: &(DVec3, f64), second: &(DVec3, f64), third: &(DVec3, f64)) -> Option<DVec3> {
    let across = second.0.cross(third.0);
    let determinant = first.0.dot(across);
    (determinant * determinant > PARALLEL).then(|| {
        (across * first.1 + third.0.cross(first.0) * second.1 + first.0.cross(second.0) * third.1) / determinant
    })
}

/// Planes whose squared sine is less have no corner that is worth anything.
const PARALLEL: f64 = 1e-9;

#[cfg(test)]
mod tests {
    use super::*;

    fn of(planes: &[([f64; 3], f64)]) -> HalfSpaces {
        let mut half_spaces = HalfSpaces::default();
        for &(normal, offset) in planes {
            half_spaces.add(DVec3::from(normal).normalize(), offset);
        }
        half_spaces
    }

    #[test]
    fn a_motion_is_projected_on_planes_their_line_and_their_corner() {
        let wanted = DVec3::new(-3.0, -2.0, -1.0);
        assert_eq!(of(&[]).nearest_to(wanted), Some(wanted));
        let floor = ([0.0, 1.0, 0.0], 0.0);
        assert_eq!(of(&[floor]).nearest_to(wanted), Some(DVec3::new(-3.0, 0.0, -1.0)));
        let wall = ([1.0, 0.0, 0.0], 0.25);
        assert_eq!(of(&[floor, wall]).nearest_to(wanted), Some(DVec3::new(0.25, 0.0, -1.0)));
        let end = ([0.0, 0.0, 1.0], 0.5);
        assert_eq!(of(&[floor, wall, end]).nearest_to(wanted), Some(DVec3::new(0.25, 0.0, 0.5)));
    }

    #[test]
    fn an_acute_corner_stops_and_a_slot_has_no_point() {
        let acute = of(&[([1.0, 0.0, 0.1], 0.0), ([-1.0, 0.0, 0.1], 0.0)]);
        assert!(acute.nearest_to(DVec3::new(0.3, 0.0, -2.0)).unwrap().length() < 1e-12);
        assert_eq!(of(&[([1.0, 0.0, 0.0], 0.1), ([-1.0, 0.0, 0.0], 0.1)]).nearest_to(DVec3::ZERO), None);
    }
}
