//! A survey far from zero, with millimetre detail: it answers and walks like the same level at the origin, in level coordinates.

mod support;

use std::path::Path;

use glam::{DVec3, Vec3};
use nodetree::geometry::Ray;
use nodetree::level::{Level, LoadOptions, read_obj};
use nodetree::query::{Faces, Sweep, Which};
use nodetree::tree::{Mode, Settings as TreeSettings, Tree};
use nodetree::walk::{Input, Settings, Walker};

use support::Random;

const FAR: DVec3 = DVec3::new(4_500_000.0, 0.0, 500_000.0);
/// Coordinates in local space are rounded to f32 this far from its origin, in metres: within 32 m.
const ROUNDED: f64 = 4e-6;

/// Uneven ground of 40 by 40 m, with heights of whole millimetres, and stairs on it, moved by `place`.
fn text(place: DVec3) -> String {
    let mut random = Random::new(7);
    let mut text = String::new();
    let side = 21;
    for row in 0..side {
        for column in 0..side {
            let height = f64::from((random.unit() * 250.0) as i32) / 1000.0;
            let at = place + DVec3::new(2.0 * f64::from(column) - 20.0, height, 2.0 * f64::from(row) - 20.0);
            text += &format!("v {:.3} {:.3} {:.3}\n", at.x, at.y, at.z);
        }
    }
    let corner = |row: i32, column: i32| row * side + column + 1;
    for row in 0..side - 1 {
        for column in 0..side - 1 {
            let [a, b, c, d] = [(0, 0), (1, 0), (1, 1), (0, 1)].map(|(r, c)| corner(row + r, column + c));
            text += &format!("f {a} {b} {c}\nf {a} {c} {d}\n");
        }
    }
    for step in 0..10 {
        let (near, far, top) = (3.0 + 0.3 * f64::from(step), 12.0, 0.17 * f64::from(step + 1) + 0.25);
        for [x, y, z] in [
            [near, 0.0, -1.0],
            [near, 0.0, 1.0],
            [near, top, 1.0],
            [near, top, -1.0],
            [far, top, 1.0],
            [far, top, -1.0],
        ] {
            let at = place + DVec3::new(x, y, z);
            text += &format!("v {:.3} {:.3} {:.3}\n", at.x, at.y, at.z);
        }
        text += "f -6 -5 -4 -3\nf -3 -4 -2 -1\n";
    }
    text
}

fn open(place: DVec3) -> (Level, Tree) {
    let level = read_obj(text(place), Path::new("made.obj"), &LoadOptions::default()).expect("a level");
    let tree = Tree::build(&level, &TreeSettings::new(Mode::Octree));
    (level, tree)
}

#[test]
fn questions_have_the_same_answers() {
    let ((near, near_tree), (far, far_tree)) = (open(DVec3::ZERO), open(FAR));
    assert!(far.origin != near.origin && near.triangles == far.triangles);
    let mut random = Random::new(8);
    let mut hits = 0;
    for _ in 0..2000 {
        let at = DVec3::new(
            random.range(-19.0, 19.0).into(),
            random.range(0.5, 6.0).into(),
            random.range(-19.0, 19.0).into(),
        );
        // Straight questions; along grazing ones a rounding is a long way.
        let local = [near.to_local(at), far.to_local(at + FAR)];
        let heights = [near_tree.height(local[0], Which::Below, 0.0), far_tree.height(local[1], Which::Below, 0.0)];
        let rays = [(&near_tree, local[0]), (&far_tree, local[1])].map(|(tree, from)| {
            let ray = Ray::new(from, Vec3::new(0.1, -1.0, 0.05)).expect("a ray");
            tree.ray(&ray, 100.0, Faces::Both).map(|hit| hit.distance)
        });
        let sweeps = [(&near_tree, local[0]), (&far_tree, local[1])]
            .map(|(tree, from)| tree.sweep(&Sweep::sphere(from, 0.3, Vec3::NEG_Y * 8.0)).map(|hit| hit.fraction * 8.0));
        for [one, other] in [heights, rays, sweeps] {
            let (Some(one), Some(other)) = (one, other) else { panic!("{at}: {one:?} and {other:?}") };
            hits += 1;
            assert!((f64::from(one) - f64::from(other)).abs() < 8.0 * ROUNDED, "{at}: {one} and {other}");
        }
    }
    assert_eq!(hits, 6000);
}

#[test]
fn walks_are_the_same() {
    let ((near, near_tree), (far, far_tree)) = (open(DVec3::ZERO), open(FAR));
    let settings = Settings::default();
    for yaw in [-1.570_796_4_f32, 0.0, 2.0] {
        let start = DVec3::new(0.0, 0.6, 0.0);
        let mut walkers = [near.to_local(start), far.to_local(start + FAR)].map(|feet| Walker::new(feet, yaw));
        let input = Input { forward: 1.0, yaw, ..Input::default() };
        for step in 0..360 {
            let [one, other] = &mut walkers;
            let reports = [one.step(&near_tree, &settings, &input), other.step(&far_tree, &settings, &input)];
            let places = [one.feet_exact() + near.origin, other.feet_exact() + far.origin - FAR];
            assert!(places[0].distance(places[1]) < 1e-3, "step {step}: {} and {}", places[0], places[1]);
            assert_eq!(reports[0].grounded, reports[1].grounded, "step {step}");
        }
        // Eastwards it goes up the stairs.
        let climbed = walkers[0].feet().y;
        assert!(yaw > -1.0 || climbed > 1.5, "{climbed}");
    }
}
