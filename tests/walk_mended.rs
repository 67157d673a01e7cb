//! What walkers that attack the walker have found, each with its right value; see tests/attackers.

mod support;

use glam::{DVec3, Vec3};
use nodetree::query::Slide;
use nodetree::tree::{Mode as TreeMode, Settings as TreeSettings};
use nodetree::walk::{Input, Mode, Moment, Settings, Walker};

use support::course::{Course, EAST, SECOND, floor, heading, slope, stairs};
use support::{cuboid, fan, hard, tree};

/// Walks until it must have come to rest, and then must not move a bit.
fn comes_to_rest(course: &mut Course, input: Input) {
    for _ in 0..2 * SECOND {
        course.step(input);
    }
    let rest = course.walker.feet_exact();
    for step in 0..SECOND {
        course.step(input);
        assert_eq!(course.walker.feet_exact(), rest, "step {step}");
    }
}

#[test]
fn pressed_against_a_step_just_over_the_limit_it_does_not_tremble() {
    for rise in [0.456, 0.46, 0.47, 0.5, 0.7] {
        let level = [floor(12), stairs(3, 0.5, rise, 3.0)].concat();
        for yaw in [EAST, EAST + 0.02] {
            let mut course = Course::new(&level, [-1.5, 0.1, 0.3]);
            course.walk(EAST, SECOND);
            if yaw == EAST {
                comes_to_rest(&mut course, heading(yaw));
            } else {
                let mut before = course.walker.feet_exact();
                for _ in 0..SECOND {
                    course.step(heading(yaw));
                    let now = course.walker.feet_exact();
                    assert!((now.x - before.x).abs() < 1e-6, "{rise}: it trembles from {before} to {now}");
                    before = now;
                }
            }
        }
    }
}

#[test]
fn in_a_pocket_of_slopes_and_walls_it_does_not_tremble() {
    let (level, _) = hard::pits();
    for (feet, yaw) in [([1.0677, -2.86, -0.765], 0.7097), ([0.89, -2.06, 4.66], 2.892), ([9.06, -1.60, 5.1], 0.213)] {
        let mut course = Course::new(&level, feet);
        comes_to_rest(&mut course, heading(yaw));
    }
}

#[test]
fn on_stairs_beside_a_leaning_wall_it_does_not_hop() {
    for lean in [-1.5, -0.7, 0.7] {
        let (foot, along) = (Vec3::new(-3.0, 0.0, 1.0), Vec3::X * 12.0);
        let up = Vec3::new(0.0, 6.0, lean);
        let level = [floor(12), stairs(8, 0.35, 0.25, 3.0), fan(&[foot, foot + along, foot + along + up, foot + up])];
        let mut course = Course::new(&level.concat(), [-1.0, 0.1, 0.0]);
        for (yaw, side) in [(EAST, -0.5), (EAST + std::f32::consts::PI, 0.5)] {
            for step in 0..2 * SECOND {
                assert!(course.step(heading(yaw + side)).grounded, "lean {lean}, step {step}: {}", course.feet());
            }
        }
    }
}

#[test]
fn pressed_into_a_steep_gutter_in_the_air_it_does_not_climb() {
    // Two slopes of 65 degrees that close in along their valley, which rises towards -Z.
    let at = |x: f32, y: f32, z: f32| Vec3::new(x, y, z);
    let level = [
        fan(&[at(0.0, 4.0, -8.0), at(0.0, 0.0, 8.0), at(4.0, 9.0, 8.0), at(3.0, 10.0, -8.0)]),
        fan(&[at(0.0, 0.0, 8.0), at(0.0, 4.0, -8.0), at(-3.0, 10.0, -8.0), at(-4.0, 9.0, 8.0)]),
    ];
    let mut course = Course::new(&level.concat(), [0.0, 3.5, 2.0]);
    let mut before = course.walker.feet_exact();
    for step in 0..3 * SECOND {
        let was_grounded = course.walker.grounded();
        course.step(Input { fast: true, ..heading(0.3) });
        let now = course.walker.feet_exact();
        assert!(was_grounded || now.y <= before.y + 1e-6, "step {step}: up from {before} to {now}");
        before = now;
    }
}

#[test]
fn crouching_on_the_way_up_a_slope_it_stays_on_the_ground() {
    for degrees in [15.0, 35.0, 48.0] {
        let mut course = Course::new(&[floor(6), slope(0.0, degrees, 30.0)].concat(), [-1.0, 0.1, 0.0]);
        for step in 0..2 * SECOND {
            let crouch = step / 15 % 2 == 1;
            let report = course.step(Input { crouch, ..heading(EAST) });
            assert!(report.grounded, "{degrees} degrees, step {step}: {}", course.feet());
        }
        assert!(course.feet().y > 2.0 * degrees.to_radians().sin(), "{}", course.feet());
    }
}

#[test]
fn a_slot_that_narrows_does_not_squeeze_a_body_out() {
    // Walls that close at 7 degrees; the body begins with 2 mm to both, and 0.13 m away from where it has its skin.
    let side = |sign: f32| {
        let (near, far) = (Vec3::new(-5.0, -2.0, sign * 0.0402), Vec3::new(8.0, -2.0, sign * 0.8527));
        fan(&[near, far, far + Vec3::Y * 4.0, near + Vec3::Y * 4.0])
    };
    let tree = tree(&[side(1.0), side(-1.0)].concat(), &TreeSettings::new(TreeMode::Octree));
    let (center, mut contacts) = (Vec3::ZERO, Vec::new());
    for way in [Vec3::ZERO, Vec3::X * 0.01, Vec3::NEG_X * 0.01, Vec3::Y * 0.01] {
        let end = tree.slide(&Slide::new(center, Vec3::new(0.35, 0.9, 0.35), way), &mut contacts);
        assert!(end.distance(center + way) < 0.0301, "{way}: thrown to {end}");
    }
}

#[test]
fn an_overlap_never_grows_and_ends() {
    // Sheets that stand nearer to each other than any body is wide.
    let sheet = |x: f32| cuboid(Vec3::new(x, 0.0, -3.0), Vec3::new(x + 0.01, 3.0, 3.0));
    let level: Vec<_> = [floor(8), sheet(0.0), sheet(0.3), sheet(0.55)].concat();
    let tree = tree(&level, &TreeSettings::new(TreeMode::Octree));
    let settings = Settings::default();
    for x in [0.05, 0.15, 0.28, 0.4, 0.5] {
        let mut walker = Walker::new(Vec3::new(x, 0.05, 0.3), 0.0);
        let depth = |walker: &Walker| {
            let (center, radii) = walker.ellipsoid(&settings);
            let overlap = |t: &[Vec3; 3]| {
                1.0 - support::contact::distance(
                    DVec3::ZERO,
                    support::contact::to_unit(t, center.as_dvec3(), radii.as_dvec3()),
                )
            };
            level.iter().map(overlap).fold(0.0, f64::max)
        };
        let mut before = depth(&walker);
        for step in 0..SECOND {
            let report = walker.step(&tree, &settings, &heading(EAST));
            let now = depth(&walker);
            assert!(report.rescued || now <= before.max(1e-4) + 1e-6, "{x}, step {step}: {before} grows to {now}");
            before = now;
        }
        assert!(before <= 1e-4, "{x}: still {before} deep");
    }
}

#[test]
fn beside_a_steep_slope_it_goes_where_it_is_free() {
    // Pressed into the slope, the way along it is 50 to 70 degrees off, and down.
    let (level, _) = hard::pits();
    for (feet, yaw) in [
        ([-8.9327, -1.9826, 11.2723], -1.2029),
        ([-3.1831, -1.4312, 12.6006], 1.8892),
        ([-7.5323, -2.4721, 12.6737], 0.0),
    ] {
        let mut course = Course::new(&level, feet);
        let before = course.feet();
        course.walk(yaw, SECOND);
        let moved = course.feet().distance(before);
        assert!(moved > 0.3, "stuck at {before}: {moved} m in a second");
    }
}

#[test]
fn where_walls_keep_it_above_the_ground_it_comes_to_rest() {
    let level = hard::pits().0;
    let crouched = |yaw| Input { crouch: true, fast: true, ..heading(yaw) };
    for (feet, input) in [([5.3327, 0.4046, -12.743], crouched(0.994_086)), ([1.0902, -2.8331, -0.6923], heading(0.7))]
    {
        let mut course = Course::new(&level, feet);
        comes_to_rest(&mut course, input);
    }
    let mut course = Course::new(&hard::rubble().0, [7.578, 0.4701, -3.5729]);
    comes_to_rest(&mut course, heading(-2.009_288_8));
}

#[test]
fn a_step_up_that_cannot_be_ended_is_not_begun() {
    // A step of 0.4 m, 0.1 m deep below a wall that begins at the chest.
    let step = cuboid(Vec3::new(0.0, -1.0, -8.0), Vec3::new(4.0, 0.4, 8.0));
    let wall = cuboid(Vec3::new(0.1, 1.2, -8.0), Vec3::new(4.0, 3.0, 8.0));
    let mut course = Course::new(&[floor(8), step, wall].concat(), [-1.0, 0.1, 0.0]);
    course.walk(EAST, SECOND);
    for side in [0.2_f32, 0.4, -0.7, -1.2] {
        let before = course.feet();
        for _ in 0..SECOND {
            course.step(heading(EAST + side));
            assert!(course.feet().y < 0.011, "up to {}", course.feet());
        }
        // Along the step it goes on as along a wall.
        let moved = (course.feet().z - before.z).abs();
        assert!(moved > 3.0 * side.sin().abs(), "{side}: {moved} m in a second");
    }
}

#[test]
fn what_wedges_a_standing_body_does_not_carry_a_crouching_one() {
    // Between a wall and a slope of 60 degrees.
    let (wall, foot, top) = (Vec3::new(-0.4, -2.0, -4.0), Vec3::new(-0.4, -1.0, -4.0), Vec3::new(2.6, 4.196, -4.0));
    let along = Vec3::Z * 8.0;
    let level = [
        fan(&[wall, wall + along, wall + along + Vec3::Y * 6.0, wall + Vec3::Y * 6.0]),
        fan(&[foot, foot + along, top + along, top]),
    ];
    let mut course = Course::new(&level.concat(), [0.2, 0.6, 0.0]);
    for _ in 0..SECOND {
        course.step(Input::default());
    }
    assert!(course.walker.grounded(), "it is wedged at {}", course.feet());
    let crouching = Input { crouch: true, ..Input::default() };
    assert!(!course.step(crouching).grounded, "it hangs at {}", course.feet());
    for _ in 0..SECOND {
        course.step(crouching);
    }
    assert!(course.walker.grounded(), "it is wedged at {}", course.feet());
}

/// A walker that stands just here.
fn standing(level: &[[Vec3; 3]], feet: [f64; 3]) -> Course {
    let mut course = Course::new(level, feet.map(|x| x as f32));
    let (velocity, mode) = (DVec3::ZERO, Mode::Walk);
    let moment = Moment {
        feet: DVec3::from(feet),
        velocity,
        yaw: 0.0,
        pitch: 0.0,
        mode,
        crouched: false,
        grounded: true,
        safe: None,
    };
    course.walker = moment.walker();
    course
}

#[test]
fn a_little_too_near_to_a_steep_slope_it_sets_off_along_it() {
    let level = hard::pits().0;
    for (feet, yaw) in
        [([-3.360_136, -2.899_519, -7.520_104], 1.963_495_1), ([7.113_750, -1.416_300, -9.107_414], 1.136_803_6)]
    {
        let mut course = standing(&level, feet);
        for _ in 0..SECOND {
            course.step(Input { fast: true, ..heading(yaw) });
        }
        let moved = course.walker.feet_exact().distance(feet.into());
        assert!(moved > 0.1, "stuck at {feet:?}: {moved} m in a second");
    }
}

#[test]
fn what_its_skin_takes_back_sets_no_pocket_trembling() {
    let level = hard::pits().0;
    for (feet, yaw) in
        [([-8.870_888, -2.181_969, -2.857_935], 1.547_137_5), ([-8.872_566, -1.994_448, -1.154_110], 1.828_326_6)]
    {
        comes_to_rest(&mut standing(&level, feet), Input { fast: true, ..heading(yaw) });
    }
}

#[test]
fn from_between_a_slope_and_a_corner_it_steps_over_the_corner() {
    let feet = [7.826_747_962_664_275, 0.657_327_301_275_000_5, 7.201_151_017_417_184];
    let mut course = standing(&hard::rubble().0, feet);
    for _ in 0..SECOND {
        course.step(Input { fast: true, ..heading(1.287_646_3) });
    }
    let moved = course.walker.feet_exact().distance(feet.into());
    assert!(moved > 0.2, "stuck: {moved} m in a second");
}

/// A square of 4 m around a point, across a normal.
fn across(point: [f64; 3], normal: [f64; 3]) -> Vec<[Vec3; 3]> {
    let (point, normal) = (DVec3::from(point).as_vec3(), DVec3::from(normal).as_vec3());
    let (a, b) = normal.any_orthonormal_pair();
    fan(&[point + 2.0 * a, point + 2.0 * b, point - 2.0 * a, point - 2.0 * b])
}

#[test]
fn in_the_air_in_a_needle_of_walls_it_comes_to_rest() {
    // Two walls that lean away and one that hangs over; none holds it, all together do.
    let walls = [
        across([-0.269_041, 0.245_176, -0.094_801], [0.868_561, 0.389_789, 0.306_051]),
        across([0.245_979, 0.324_743, 0.198_363], [-0.746_328, 0.284_187, -0.601_857]),
        across([0.250_223, 0.707_707, -0.250_934], [-0.702_358, -0.102_874, 0.704_351]),
    ];
    let mut course = standing(&walls.concat(), [0.0; 3]);
    comes_to_rest(&mut course, Input::default());
}
