//! Where the body was swept of late, for the debug view of the walker.

use std::collections::VecDeque;

use glam::Vec3;

use crate::render::LineVertex;
use crate::walk::{Settings, StepReport, Walker};

/// Ways that are remembered: about a second on stairs, and three on a floor.
const REMEMBERED: usize = 360;
/// Colour of the latest way; the oldest has faded to this part of it.
const COLOR: [f32; 3] = [255.0, 80.0, 220.0];
const FADED: f32 = 0.35;

/// The latest ways of the feet, the oldest first, in local space.
#[derive(Clone, Debug, Default)]
pub struct Trail {
    ways: VecDeque<[Vec3; 2]>,
}

impl Trail {
    /// Adds the sweeps of the last step. One who was brought back begins anew.
    pub fn add(&mut self, walker: &Walker, settings: &Settings, report: &StepReport) {
        if report.rescued {
            self.ways.clear();
        }
        let feet = Vec3::NEG_Y * walker.ellipsoid(settings).1.y;
        for &[from, to] in walker.sweeps() {
            if self.ways.len() == REMEMBERED {
                self.ways.pop_front();
            }
            self.ways.push_back([from + feet, to + feet]);
        }
    }

    /// Appends the ways as lines.
    pub fn draw(&self, lines: &mut Vec<LineVertex>) {
        for (age, &[from, to]) in (0..self.ways.len()).rev().zip(&self.ways) {
            let light = 1.0 - (1.0 - FADED) * age as f32 / REMEMBERED as f32;
            let [r, g, b] = COLOR.map(|part| (part * light) as u8);
            lines.extend(LineVertex::line(from, to, [r, g, b, 255]));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::{Mode, Settings as TreeSettings, Tree};

    #[test]
    fn the_latest_ways_stay_and_lie_at_the_feet() {
        let floor = [[[-9.0, 0.0, -9.0], [-9.0, 0.0, 99.0], [99.0, 0.0, -9.0]]].map(|corners| corners.map(Vec3::from));
        let tree = Tree::from_triangles(&floor, &[0], &TreeSettings::new(Mode::Octree));
        let settings = Settings::default();
        let mut walker = Walker::new(Vec3::Y, -2.0);
        let mut trail = Trail::default();
        for _ in 0..REMEMBERED * 2 {
            let input = crate::walk::Input { forward: 1.0, ..walker.input() };
            let report = walker.step(&tree, &settings, &input);
            trail.add(&walker, &settings, &report);
        }
        assert_eq!(trail.ways.len(), REMEMBERED);
        let [_, end] = trail.ways[REMEMBERED - 1];
        assert!(end.distance(walker.feet()) < 1e-4, "{end} and {}", walker.feet());
        let mut lines = Vec::new();
        trail.draw(&mut lines);
        assert_eq!(lines.len(), 2 * REMEMBERED);
        assert!(lines[0].color[0] < lines[2 * REMEMBERED - 1].color[0]);
        trail.add(&walker, &settings, &StepReport { rescued: true, ..StepReport::default() });
        assert!(trail.ways.len() < 5);
    }
}
