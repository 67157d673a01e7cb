//! The camera that follows, against all triangles in f64: what it sees is never cut open, and nothing comes between it and the
//! eye.

use glam::{DVec3, Vec3};
use nodetree::camera::Camera;
use nodetree::generate::{self, Options};
use nodetree::tree::{Mode, Settings as TreeSettings, Tree};
use nodetree::walk::{Follow, FollowSettings, Input, STEP, Settings, Walker, settle_spawn};

mod support;

use support::{Random, contact, cuboid};

const SEEDS: std::ops::Range<u64> = 1..4;
/// A minute for each seed, looked at fifteen times a second.
const STEPS: usize = 60 * 120;
const STEPS_A_FRAME: usize = 8;

/// The radius of the sphere around the camera that holds the near plane, by its corners.
fn near_radius(camera: &Camera) -> f64 {
    let half_height = (f64::from(camera.fov_y) / 2.0).tan();
    let corner = DVec3::new(half_height * f64::from(camera.aspect), half_height, 1.0) * f64::from(camera.near);
    corner.length()
}

/// How far the nearest triangle is from the straight line between two points.
fn clearance(triangles: &[[Vec3; 3]], from: DVec3, to: DVec3) -> f64 {
    let (low, high) = (from.min(to) - 1.0, from.max(to) + 1.0);
    let is_near = |triangle: &&[Vec3; 3]| {
        let corners = triangle.map(|corner| corner.as_dvec3());
        let (least, most) = (corners[0].min(corners[1]).min(corners[2]), corners[0].max(corners[1]).max(corners[2]));
        least.cmple(high).all() && most.cmpge(low).all()
    };
    triangles
        .iter()
        .filter(is_near)
        .map(|triangle| {
            // The distance to a point that moves straight is convex.
            let at = |part: f64| contact::distance(from.lerp(to, part), triangle.map(|corner| corner.as_dvec3()));
            let (mut low, mut high) = (0.0, 1.0);
            for _ in 0..60 {
                let (left, right) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
                if at(left) < at(right) { high = right } else { low = left }
            }
            at(low).min(at(high)).min(at(0.0)).min(at(1.0))
        })
        .fold(f64::INFINITY, f64::min)
}

#[test]
fn in_the_castle_nothing_comes_between() {
    let castle = generate::castle(&Options::CASTLE);
    let triangles: Vec<[Vec3; 3]> = (0..castle.triangles.len() as u32).map(|number| castle.corners(number)).collect();
    let tree = Tree::build(&castle, &TreeSettings::new(Mode::Octree));
    let settings = Settings::default();
    let feet = settle_spawn(&tree, &settings, castle.to_local(castle.spawn.unwrap().feet));
    let (mut blocked, mut frames) = (0, 0);
    for seed in SEEDS {
        let mut random = Random::new(seed);
        let mut walker = Walker::new(feet, random.range(-3.0, 3.0));
        let mut follow = Follow::new(FollowSettings::default());
        let mut input = walker.input();
        for step in 0..STEPS {
            if step % 60 == 0 {
                input = Input {
                    forward: 1.0,
                    right: *random.pick(&[0.0, 0.0, 1.0, -1.0]),
                    yaw: random.range(-3.1, 3.1),
                    pitch: random.range(-1.5, 1.5),
                    fast: random.below(2) == 0,
                    jump: random.below(3) == 0,
                    crouch: random.below(6) == 0,
                    ..Input::default()
                };
            }
            walker.step(&tree, &settings, &input);
            if step % STEPS_A_FRAME != 0 {
                continue;
            }
            let eye = Camera { eye: walker.eye(&settings), yaw: input.yaw, pitch: input.pitch, ..Camera::default() };
            let mut camera = eye;
            follow.place(&tree, &mut camera, (STEPS_A_FRAME as f64 * STEP) as f32);
            frames += 1;
            blocked += usize::from(camera.eye.distance(eye.eye) < 2.5);
            let clear = clearance(&triangles, eye.eye.as_dvec3(), camera.eye.as_dvec3());
            assert!(clear >= near_radius(&eye), "seed {seed}, step {step}: {clear} m at {camera:?}");
        }
    }
    println!("{blocked} of {frames} frames closer than 2.5 m");
    assert!(blocked > frames / 20 && blocked < frames * 9 / 10, "{blocked} of {frames}");
}

/// A wall of 10 by 10 m at z = 2, behind an eye at the origin that looks along -Z.
fn wall() -> Tree {
    let corners = cuboid(Vec3::new(-5.0, -5.0, 2.0), Vec3::new(5.0, 5.0, 2.5));
    Tree::from_triangles(&corners, &[0; 12], &TreeSettings::new(Mode::Octree))
}

fn placed(follow: &mut Follow, tree: &Tree, eye: Vec3, seconds: f32) -> Vec3 {
    let mut camera = Camera { eye, ..Camera::default() };
    follow.place(tree, &mut camera, seconds);
    camera.eye
}

#[test]
fn it_eases_outwards_and_is_never_late_inwards() {
    let (tree, eye) = (wall(), Vec3::ZERO);
    let settings = FollowSettings { above: 0.0, ..FollowSettings::default() };
    let mut follow = Follow::new(settings);
    assert_eq!(placed(&mut follow, &tree, eye, 0.0), eye, "it begins at the eye");
    assert!(!follow.is_settled());
    let mut last = 0.0;
    for _ in 0..200 {
        let z = placed(&mut follow, &tree, eye, 1.0 / 60.0).z;
        assert!(z >= last && z - last < 0.3, "{last} to {z}");
        last = z;
    }
    let radius = Camera::default().near_radius();
    assert!(follow.is_settled() && (1.9 - radius..2.0 - radius).contains(&last), "{last}");

    // Far from the wall it comes back with time, and not at once.
    let away = Vec3::new(0.0, 0.0, -20.0);
    let at_once = placed(&mut follow, &tree, away, 0.0).z - away.z;
    assert!(at_once <= last + 1e-4 && !follow.is_settled(), "{at_once}");
    let later = placed(&mut follow, &tree, away, settings.ease).z - away.z;
    let two_thirds = at_once + (settings.behind - at_once) * (1.0 - (-1.0_f32).exp());
    assert!((later - two_thirds).abs() < 0.02, "{later}, not {two_thirds}");
    assert_eq!(placed(&mut follow, &tree, away, 60.0).z - away.z, settings.behind);

    // Back at the wall it is inside at once, even in no time.
    assert!(placed(&mut follow, &tree, eye, 0.0).z <= 2.0 - radius);
    assert!(follow.is_settled());
}

#[test]
fn an_eye_in_a_wall_keeps_its_camera() {
    let mut follow = Follow::new(FollowSettings::default());
    let eye = Vec3::new(0.0, 0.0, 2.01);
    assert_eq!(placed(&mut follow, &wall(), eye, 10.0), eye);
}

#[test]
fn it_stands_where_the_settings_say() {
    let tree = Tree::from_triangles(&[], &[], &TreeSettings::new(Mode::Octree));
    let settings = FollowSettings { behind: 4.0, above: 1.0, beside: 0.5, ease: 0.0 };
    let mut camera = Camera { eye: Vec3::new(7.0, 8.0, 9.0), yaw: std::f32::consts::FRAC_PI_2, ..Camera::default() };
    Follow::new(settings).place(&tree, &mut camera, 1.0);
    // Looking along -X, right is -Z.
    assert!(camera.eye.distance(Vec3::new(11.0, 9.0, 8.5)) < 1e-5, "{}", camera.eye);
    assert_eq!(camera.pitch, 0.0);
}
