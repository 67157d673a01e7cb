//! How something moves by itself: along a path, or spinning, or both.

use glam::{DQuat, DVec3};

use super::Pose;
use super::fault::Wrong;
use super::file::MotionEntry;
use super::pose::about;

/// A motion that goes on for ever, the same at the same time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Motion {
    spin: Option<Spin>,
    path: Option<Path>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Spin {
    /// Unit, in the thing's own space.
    axis: DVec3,
    /// Turns a second.
    rate: f64,
}

#[derive(Clone, Debug, PartialEq)]
struct Path {
    points: Vec<DVec3>,
    /// The way from the first point to each, in metres.
    ways: Vec<f64>,
    /// In m/s.
    speed: f64,
}

/// Points of a path at most.
const MOST_POINTS: usize = 10_000;
/// The fastest motion, in m/s, and turns a second.
const FASTEST: f64 = 1000.0;

impl Motion {
    /// Turns about an axis of the thing's own, `rate` times a second, counter-clockwise looked at against it. The axis needs a
    /// direction; both must be finite.
    ///
    /// # Errors
    /// What is wrong, in words.
    pub fn spinning(mut self, axis: DVec3, rate: f64) -> Result<Motion, String> {
        let axis =
            axis.try_normalize().filter(|axis| axis.is_finite()).ok_or("the axis of a spin needs a direction")?;
        if rate.is_nan() || rate.abs() > FASTEST {
            return Err(format!("a spin is at most {FASTEST:.0} turns a second"));
        }
        self.spin = Some(Spin { axis, rate });
        Ok(self)
    }

    /// Moves from the translation plus the first point to the translation plus each other one, in the parent's space, at
    /// `speed` m/s; from the last one to the first one if `closed`, else back the same way.
    ///
    /// # Errors
    /// What is wrong, in words.
    pub fn along(mut self, points: &[DVec3], speed: f64, closed: bool) -> Result<Motion, String> {
        if points.len() < 2 || points.len() > MOST_POINTS {
            return Err(format!("a path has 2 to {MOST_POINTS} points"));
        }
        if !points.iter().all(|point| point.abs().max_element() <= 1e9) {
            return Err("a path is made of finite numbers".to_owned());
        }
        if !(speed > 0.0 && speed <= FASTEST) {
            return Err(format!("the speed on a path is above 0 and at most {FASTEST:.0} m/s"));
        }
        let mut points = points.to_vec();
        if closed {
            points.push(points[0]);
        } else {
            points.extend_from_within(..points.len() - 1);
            let back = points.len() / 2 + 1;
            points[back..].reverse();
        }
        let mut way = 0.0;
        let mut ways = vec![0.0];
        ways.extend(points.windows(2).map(|pair| {
            way += pair[0].distance(pair[1]);
            way
        }));
        if way == 0.0 {
            return Err("a path leads somewhere".to_owned());
        }
        self.path = Some(Path { points, ways, speed });
        Ok(self)
    }

    /// What an entry says.
    pub(super) fn of(entry: &MotionEntry) -> Result<Motion, Wrong> {
        let mut motion = Motion::default();
        if let Some(degrees) = entry.spin {
            let axis = entry.axis.map_or(DVec3::Y, DVec3::from_array);
            motion = motion.spinning(axis, degrees / 360.0).map_err(|what| Wrong::at("motion.spin", what))?;
        } else if entry.axis.is_some() {
            return Err(Wrong::at("motion.axis", "an axis is for a spin"));
        }
        match (&entry.path, entry.speed) {
            (Some(path), Some(speed)) => {
                let points: Vec<DVec3> = path.iter().map(|&point| DVec3::from_array(point)).collect();
                let closed = entry.closed.unwrap_or(false);
                motion = motion.along(&points, speed, closed).map_err(|what| Wrong::at("motion.path", what))?;
            }
            (Some(_), None) => return Err(Wrong::at("motion.path", "a path needs a speed")),
            (None, _) if entry.speed.is_some() || entry.closed.is_some() => {
                let key = if entry.speed.is_some() { "motion.speed" } else { "motion.closed" };
                return Err(Wrong::at(key, "speed and closed are for a path"));
            }
            (None, _) if motion.spin.is_none() => return Err(Wrong::at("motion", "a motion needs a spin or a path")),
            (None, _) => {}
        }
        Ok(motion)
    }

    /// Where something is that stood at `pose`, after so many seconds.
    pub fn pose(&self, pose: &Pose, seconds: f64) -> Pose {
        let turn = self.spin.map_or(DQuat::IDENTITY, |Spin { axis, rate }| {
            let turns = rate * seconds;
            about(axis, (turns - turns.floor()) * core::f64::consts::TAU)
        });
        let way = self.path.as_ref().map_or(DVec3::ZERO, |path| path.at(seconds));
        Pose { translation: pose.translation + way, rotation: pose.rotation * turn, ..*pose }
    }
}

impl Path {
    fn at(&self, seconds: f64) -> DVec3 {
        let whole = self.ways[self.ways.len() - 1];
        let rounds = self.speed * seconds / whole;
        let way = (rounds - rounds.floor()) * whole;
        let next = self.ways.partition_point(|&end| end <= way).clamp(1, self.ways.len() - 1);
        let (from, to) = (self.ways[next - 1], self.ways[next]);
        let part = if to > from { (way - from) / (to - from) } else { 0.0 };
        self.points[next - 1].lerp(self.points[next], part.clamp(0.0, 1.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(motion: &Motion, seconds: f64) -> DVec3 {
        motion.pose(&Pose::at(DVec3::X), seconds).translation
    }

    #[test]
    fn a_path_leads_there_and_back() {
        let points = [DVec3::ZERO, DVec3::X * 3.0, DVec3::new(3.0, 1.0, 0.0)];
        let motion = Motion::default().along(&points, 2.0, false).unwrap();
        for (seconds, x, y) in [(0.0, 0.0, 0.0), (1.0, 2.0, 0.0), (2.0, 3.0, 1.0), (2.5, 3.0, 0.0), (4.0, 0.0, 0.0)] {
            let wanted = DVec3::new(1.0 + x, y, 0.0);
            assert!(at(&motion, seconds).distance(wanted) < 1e-12, "{seconds} s: {}", at(&motion, seconds));
            assert!(at(&motion, seconds + 400.0).distance(wanted) < 1e-9, "{seconds} s and many rounds later");
        }
    }

    #[test]
    fn a_closed_path_leads_round() {
        let points = [DVec3::ZERO, DVec3::X, DVec3::new(1.0, 1.0, 0.0), DVec3::Y];
        let motion = Motion::default().along(&points, 1.0, true).unwrap();
        assert!(at(&motion, 3.5).distance(DVec3::new(1.0, 0.5, 0.0)) < 1e-12, "{}", at(&motion, 3.5));
    }

    #[test]
    fn a_spin_turns_counter_clockwise() {
        let motion = Motion::default().spinning(DVec3::Y * 5.0, 0.25).unwrap();
        let turned = motion.pose(&Pose::default(), 1.0).rotation * DVec3::NEG_Z;
        assert!(turned.distance(DVec3::NEG_X) < 1e-12, "{turned}");
    }

    #[test]
    fn what_makes_no_sense_is_told() {
        let motion = Motion::default;
        assert!(motion().spinning(DVec3::ZERO, 1.0).is_err());
        assert!(motion().spinning(DVec3::Y, f64::NAN).is_err());
        assert!(motion().along(&[DVec3::X], 1.0, false).is_err());
        assert!(motion().along(&[DVec3::X, DVec3::X], 1.0, false).is_err());
        assert!(motion().along(&[DVec3::X, DVec3::NAN], 1.0, false).is_err());
        assert!(motion().along(&[DVec3::X, DVec3::Y], 0.0, false).is_err());
    }
}
