//! The walker on levels made for it. Rows are those of the list of inputs that broke other programs.

mod support;

use std::f32::consts::{FRAC_PI_2, PI};

use glam::Vec3;
use nodetree::tree::{Mode as TreeMode, Settings as TreeSettings, Tree};
use nodetree::walk::{Input, Mode, STEP, Settings, StepReport, Walker, find_spawn, settle_spawn};

use support::{cuboid, fan, levels, tree};

/// Steps of a second.
const SECOND: usize = 120;
const SKIN: f32 = 0.01;

struct Course {
    tree: Tree,
    settings: Settings,
    walker: Walker,
}

impl Course {
    /// A walker whose feet are at `feet`, after it came to rest.
    fn new(triangles: &[[Vec3; 3]], feet: [f32; 3]) -> Course {
        let mut course = Course {
            tree: tree(triangles, &TreeSettings::new(TreeMode::Octree)),
            settings: Settings::default(),
            walker: Walker::new(Vec3::from(feet), 0.0),
        };
        for _ in 0..SECOND / 2 {
            course.step(Input::default());
        }
        course
    }

    fn step(&mut self, input: Input) -> StepReport {
        let report = self.walker.step(&self.tree, &self.settings, &input);
        assert!(self.walker.feet().is_finite() && self.walker.velocity().is_finite());
        let (center, radii) = self.walker.ellipsoid(&self.settings);
        // In the space in which the body is a ball of the greatest radius nothing is deeper than it is in the world.
        let scale = radii.max_element() / radii;
        let overlap = self.tree.triangles().iter().map(|t| {
            let unit = t.map(|corner| ((corner - center) * scale).as_dvec3());
            f64::from(radii.max_element()) - support::contact::distance(glam::DVec3::ZERO, unit)
        });
        let deepest = overlap.fold(f64::NEG_INFINITY, f64::max);
        assert!(deepest < 1e-4, "overlaps by {deepest} at {}", self.walker.feet());
        report
    }

    /// Steps towards a heading.
    fn walk(&mut self, yaw: f32, steps: usize) {
        for _ in 0..steps {
            self.step(heading(yaw));
        }
    }

    fn feet(&self) -> Vec3 {
        self.walker.feet()
    }
}

/// Forward, to a heading.
fn heading(yaw: f32) -> Input {
    Input { forward: 1.0, yaw, ..Input::default() }
}

/// Heading of +X and of -X.
const EAST: f32 = -FRAC_PI_2;
const WEST: f32 = FRAC_PI_2;

/// A floor from -`half` to `half` at y = 0, one square a metre.
fn floor(half: usize) -> Vec<[Vec3; 3]> {
    levels::terrain(2 * half, Vec3::new(-1.0, 0.0, -1.0) * half as f32, 1.0, |_, _| 0.0)
}

/// A slope that rises towards +X from x = `from` at `degrees`, 20 m deep in Z.
fn slope(from: f32, degrees: f32, length: f32) -> Vec<[Vec3; 3]> {
    let (sin, cos) = degrees.to_radians().sin_cos();
    let (x, y) = (from + length * cos, length * sin);
    fan(&[Vec3::new(from, 0.0, -10.0), Vec3::new(from, 0.0, 10.0), Vec3::new(x, y, 10.0), Vec3::new(x, y, -10.0)])
}

/// A wall of one quad in the plane x = `x`, in 40 columns of triangles.
fn wall(x: f32) -> Vec<[Vec3; 3]> {
    (-20..20)
        .flat_map(|z| {
            let at = |y: f32, z: i32| Vec3::new(x, y, z as f32);
            fan(&[at(-1.0, z), at(-1.0, z + 1), at(4.0, z + 1), at(4.0, z)])
        })
        .collect()
}

/// Stairs towards +X from x = 0: treads of `depth`, risers of `rise`.
fn stairs(count: usize, depth: f32, rise: f32, half_width: f32) -> Vec<[Vec3; 3]> {
    (0..count)
        .flat_map(|i| {
            let (x, y) = (i as f32 * depth, i as f32 * rise);
            cuboid(Vec3::new(x, -1.0, -half_width), Vec3::new(count as f32 * depth + 4.0, y + rise, half_width))
        })
        .collect()
}

#[test]
fn it_falls_lands_and_stands_with_its_eye_where_it_should_be() {
    let mut course = Course::new(&floor(4), [0.0, 0.5, 0.0]);
    assert!(course.walker.grounded());
    assert!((course.feet().y - SKIN).abs() < 1e-4, "{}", course.feet());
    assert!((course.walker.eye(&course.settings).y - course.feet().y - 1.65).abs() < 1e-6);
    let feet = course.feet();
    for _ in 0..SECOND {
        assert!(course.step(Input::default()).grounded);
    }
    assert_eq!(course.feet(), feet);
}

#[test]
fn it_walks_at_its_speeds() {
    for (input, speed) in [
        (heading(0.0), 4.0),
        (Input { fast: true, ..heading(0.0) }, 8.0),
        (Input { right: 1.0, ..heading(0.0) }, 4.0),
        (Input { forward: 0.5, ..heading(0.0) }, 2.0),
        (Input { speed: Some(3.0), ..heading(0.0) }, 3.0),
    ] {
        let mut course = Course::new(&floor(16), [0.0, 0.1, 15.0]);
        for _ in 0..SECOND / 2 {
            course.step(input);
        }
        let before = course.feet();
        for _ in 0..SECOND {
            assert!(course.step(input).grounded);
        }
        assert!((course.feet().distance(before) - speed).abs() < 1e-3, "{input:?}");
        assert!((course.walker.velocity().length() - speed).abs() < 1e-3);
    }
}

#[test]
fn a_jump_is_one_metre_high_and_a_ceiling_stops_it() {
    let mut course = Course::new(&floor(4), [0.0, 0.1, 0.0]);
    let ground = course.feet().y;
    let mut top = ground;
    course.step(Input { jump: true, ..Input::default() });
    for _ in 0..SECOND {
        course.step(Input::default());
        top = top.max(course.feet().y);
    }
    assert!((top - ground - 1.0).abs() < 2e-3, "{}", top - ground);
    assert!(course.walker.grounded());

    let ceiling = [floor(4), cuboid(Vec3::new(-4.0, 2.2, -4.0), Vec3::new(4.0, 2.4, 4.0))].concat();
    let mut course = Course::new(&ceiling, [0.0, 0.1, 0.0]);
    course.step(Input { jump: true, ..Input::default() });
    let (mut top, mut steps) = (0.0_f32, 0);
    while !course.walker.grounded() {
        course.step(Input::default());
        top = top.max(course.feet().y);
        steps += 1;
    }
    assert!((top + 1.8 - 2.2 + SKIN).abs() < 1e-3, "{top}");
    assert!(steps < SECOND / 2, "it hangs under the ceiling for {steps} steps");
}

#[test]
fn it_crouches_and_does_not_stand_up_under_a_low_ceiling() {
    let level = [floor(8), cuboid(Vec3::new(1.0, 1.5, -8.0), Vec3::new(4.0, 3.0, 8.0))].concat();
    let mut course = Course::new(&level, [0.0, 0.1, 0.0]);
    course.walk(EAST, SECOND);
    assert!(course.feet().x < 1.0, "too tall for the passage: {}", course.feet());
    let crouched = Input { crouch: true, ..heading(EAST) };
    course.step(crouched);
    assert!((course.walker.height(&course.settings) - 1.2).abs() < 1e-6);
    assert!((course.feet().y - SKIN).abs() < 1e-4);
    for _ in 0..SECOND / 2 {
        course.step(crouched);
    }
    assert!((1.5..3.5).contains(&course.feet().x), "{}", course.feet());
    course.step(heading(EAST));
    assert!(course.walker.crouched(), "there is no room to stand up");
    course.walk(EAST, SECOND);
    assert!(course.feet().x > 4.5 && !course.walker.crouched(), "{}", course.feet());
    assert!((course.feet().y - SKIN).abs() < 1e-3 && course.walker.grounded());
}

#[test]
fn steps_up_to_the_limit_are_climbed_and_followed_down_without_hopping() {
    for rise in [0.05, 0.2, 0.3, 0.45] {
        let level = [floor(12), stairs(6, 0.5, rise, 3.0)].concat();
        let mut course = Course::new(&level, [-1.5, 0.1, 0.3]);
        course.walk(EAST, 2 * SECOND);
        let top = 6.0 * rise;
        assert!((course.feet().y - top - SKIN).abs() < 1e-3, "{rise}: {}", course.feet());
        for step in 0..2 * SECOND {
            let before = course.feet();
            let report = course.step(heading(WEST));
            assert!(report.grounded, "{rise}, step {step}: {}", course.feet());
            assert!(course.feet().y <= before.y + 1e-4, "it hops at {before}");
        }
        assert!((course.feet().y - SKIN).abs() < 1e-3, "{rise}: {}", course.feet());
    }
}

#[test]
fn row_44_higher_steps_are_walls() {
    for rise in [0.5, 0.6, 1.0] {
        let level = [floor(12), stairs(6, 0.2, rise, 3.0)].concat();
        let mut course = Course::new(&level, [-1.5, 0.1, 0.3]);
        course.walk(EAST, 3 * SECOND);
        assert!((course.feet().y - SKIN).abs() < 1e-3, "{rise}: {}", course.feet());
        assert!(course.walker.grounded());
    }
}

#[test]
fn slopes_up_to_the_limit_are_walked_and_steeper_ones_are_not() {
    for degrees in [10.0, 30.0, 45.0, 49.5] {
        let level = [floor(8), slope(0.0, degrees, 20.0)].concat();
        let mut course = Course::new(&level, [-1.0, 0.1, 0.0]);
        let mut ground = 0;
        for _ in 0..2 * SECOND {
            ground += usize::from(course.step(heading(EAST)).grounded);
        }
        assert_eq!(ground, 2 * SECOND, "{degrees}");
        assert!(course.feet().y > 3.0 * degrees.to_radians().sin(), "{degrees}: {}", course.feet());
    }
    // Put on a steep slope, it slides down.
    let level = [floor(8), slope(0.0, 55.0, 9.0)].concat();
    let mut course = Course::new(&level, [2.0, 3.5, 0.0]);
    for _ in 0..3 * SECOND {
        course.step(Input::default());
    }
    assert!(course.feet().y < 0.2 && course.walker.grounded(), "{}", course.feet());
}

#[test]
fn row_31_along_a_wall_the_speed_along_it_is_kept() {
    let level = [floor(20), wall(1.0)].concat();
    for degrees in [10.0_f32, 30.0, 45.0, 60.0, 80.0] {
        let mut course = Course::new(&level, [0.0, 0.1, 18.0]);
        let yaw = -degrees.to_radians();
        // Its own width of room is used up in the first part.
        course.walk(yaw, 2 * SECOND);
        let along = 4.0 * degrees.to_radians().cos() / SECOND as f32;
        for step in 0..2 * SECOND {
            let before = course.feet();
            course.step(heading(yaw));
            let moved = before.z - course.feet().z;
            assert!((moved - along).abs() < 1e-4, "{degrees}, step {step}: {moved} not {along} at {before}");
            assert!(1.0 - course.feet().x - 0.35 >= SKIN - 1e-4, "{}", course.feet());
        }
    }
}

#[test]
fn row_32_falling_beside_a_wall_it_keeps_falling() {
    let tall = cuboid(Vec3::new(1.0, -50.0, -5.0), Vec3::new(2.0, 50.0, 5.0));
    let level = [tall, floor(5).iter().map(|t| t.map(|p| p - Vec3::Y * 40.0)).collect()].concat();
    let mut course = Course::new(&level, [0.5, 40.0, 0.0]);
    let mut before = course.feet().y;
    for _ in 0..SECOND {
        let report = course.step(heading(EAST));
        assert!(!report.grounded && course.feet().y < before, "{}", course.feet());
        before = course.feet().y;
    }
    // Free fall for one second after half a second of it.
    assert!(course.walker.velocity().y < -14.0, "{}", course.walker.velocity());
}

#[test]
fn row_33_beside_a_wall_of_many_triangles_nothing_carries() {
    let mut course = Course::new(&[floor(20), wall(0.5)].concat(), [0.1, 0.1, 0.0]);
    course.walk(EAST, SECOND / 4);
    let mut in_the_air = 0;
    course.step(Input { jump: true, ..heading(-0.7) });
    for _ in 0..SECOND / 2 {
        let report = course.step(heading(-0.7));
        in_the_air += u32::from(!report.grounded);
    }
    assert_eq!(in_the_air as usize, SECOND / 2, "the wall carried it");
}

#[test]
fn row_34_walking_over_a_flat_floor_is_on_the_ground_in_every_step() {
    let mut course = Course::new(&floor(20), [-18.0, 0.1, 0.37]);
    for _ in 0..4 * SECOND {
        let report = course.step(Input { fast: true, ..heading(EAST + 0.1) });
        assert!(report.grounded && !report.rescued);
        assert!((course.feet().y - SKIN).abs() < 1e-5, "{}", course.feet());
    }
}

#[test]
fn row_35_standing_on_a_slope_does_not_drift() {
    for degrees in [30.0, 45.0] {
        let mut course = Course::new(&slope(-5.0, degrees, 20.0), [0.0, 5.0 * f32::tan(45_f32.to_radians()), 0.0]);
        for _ in 0..SECOND {
            course.step(Input::default());
        }
        assert!(course.walker.grounded());
        let before = course.feet();
        for _ in 0..10 * SECOND {
            assert!(course.step(Input::default()).grounded);
        }
        assert!(course.feet().distance(before) < 1e-3, "{degrees}: {before} {}", course.feet());
    }
}

#[test]
fn row_36_jumping_against_a_box_slides_over_its_diagonals() {
    let level = [floor(20), cuboid(Vec3::new(1.0, 0.0, -10.0), Vec3::new(2.0, 3.0, 10.0))].concat();
    let mut course = Course::new(&level, [0.5, 0.1, 8.0]);
    let yaw = -0.6_f32;
    course.walk(yaw, SECOND / 2);
    for step in 0..3 * SECOND {
        let before = course.feet();
        course.step(Input { jump: true, ..heading(yaw) });
        let along = (before.z - course.feet().z) / STEP as f32;
        assert!((along - 4.0 * yaw.cos()).abs() < 0.02, "step {step}: {along} m/s at {before}");
    }
}

#[test]
fn row_38_among_hundreds_of_triangles_it_does_not_stick() {
    // A statue: a ball of 3 000 triangles.
    let (rows, columns) = (30, 50);
    let at = |row: usize, column: usize| {
        let (a, b) = (row as f32 / rows as f32 * PI, column as f32 / columns as f32 * 2.0 * PI);
        Vec3::new(1.0 + 0.5 * a.sin() * b.cos(), 0.9 - 0.9 * a.cos(), 0.5 * a.sin() * b.sin())
    };
    let ball: Vec<[Vec3; 3]> = (0..rows * columns)
        .flat_map(|i| {
            let (row, column) = (i / columns, i % columns);
            fan(&[at(row, column), at(row + 1, column), at(row + 1, column + 1), at(row, column + 1)])
        })
        .collect();
    let mut course = Course::new(&[floor(8), ball].concat(), [-0.5, 0.1, 0.11]);
    course.walk(EAST, 3 * SECOND);
    assert!(course.feet().x > 1.6, "it slides around the statue: {}", course.feet());
}

#[test]
fn row_39_at_the_foot_of_a_steep_slope_it_neither_climbs_nor_jitters() {
    let level = [floor(12), slope(0.0, 60.0, 9.0)].concat();
    for yaw in [EAST, EAST + 0.5, EAST - 1.2] {
        let mut course = Course::new(&level, [-1.0, 0.1, 0.0]);
        course.walk(yaw, SECOND);
        let height = course.feet().y;
        for _ in 0..SECOND {
            assert!(course.step(heading(yaw)).grounded);
            assert!((course.feet().y - height).abs() < 1e-4, "{height} {}", course.feet());
        }
        assert!(height < 0.05, "{height}");
    }
}

#[test]
fn row_40_pushed_into_a_corner_it_comes_to_rest() {
    for degrees in [90.0_f32, 60.0] {
        // Two walls that open towards -X from the corner at x = 3.
        let (sin, cos) = (0.5 * degrees.to_radians()).sin_cos();
        let side = |sign: f32| {
            let end = Vec3::new(3.0 - 9.0 * cos, 0.0, sign * 9.0 * sin);
            let corner = Vec3::new(3.0, 0.0, 0.0);
            fan(&[corner, end, end + Vec3::Y * 4.0, corner + Vec3::Y * 4.0])
        };
        let level = [floor(12), side(1.0), side(-1.0)].concat();
        for yaw in [EAST, EAST + 0.2, EAST - 0.3] {
            let mut course = Course::new(&level, [0.5, 0.1, 0.1]);
            course.walk(yaw, 2 * SECOND);
            let rest = course.feet();
            for _ in 0..300 {
                course.step(heading(yaw));
                assert!(course.feet().distance(rest) < 1e-4, "{degrees} {yaw}: {rest} {}", course.feet());
            }
        }
    }
}

#[test]
fn row_41_along_a_wall_at_45_degrees_there_are_no_sticky_spots() {
    let mut course = Course::new(&[floor(20), wall(0.45)].concat(), [0.0, 0.1, 19.0]);
    course.walk(-0.25 * PI, SECOND / 2);
    let speed = 4.0 * (0.25 * PI).cos() / SECOND as f32;
    for step in 0..8 * SECOND {
        let before = course.feet();
        let report = course.step(heading(-0.25 * PI));
        let moved = before.z - course.feet().z;
        assert!(report.grounded && (moved - speed).abs() < 1e-4, "step {step}: {moved} at {before}");
    }
}

#[test]
fn row_42_however_slow_it_climbs_a_step() {
    let level = [floor(8), stairs(1, 3.0, 0.3, 3.0)].concat();
    let mut course = Course::new(&level, [-1.0, 0.1, 0.0]);
    let slow = Input { speed: Some(1e-5), ..heading(EAST) };
    // First up to the step, then slowly.
    for _ in 0..SECOND {
        course.step(Input { speed: Some(0.55), ..heading(EAST) });
    }
    let mut before = course.walker.feet_exact();
    for step in 0..5 * SECOND {
        course.step(slow);
        let now = course.walker.feet_exact();
        assert!(now.x - before.x > 0.9e-5 * STEP, "step {step}: stuck at {now}");
        before = now;
    }
    for _ in 0..2 * SECOND {
        course.step(Input { speed: Some(0.3), ..heading(EAST) });
    }
    assert!((course.feet().y - 0.3 - SKIN).abs() < 1e-3, "{}", course.feet());
}

#[test]
fn row_43_under_a_low_ceiling_small_steps_still_work() {
    // Stairs of 0.15 m under a ceiling that leaves 0.2 m above the head.
    let treads = stairs(4, 0.6, 0.15, 3.0);
    let ceiling: Vec<_> = (0..5)
        .flat_map(|i| {
            let (x, y) = (0.6 * i as f32 - 0.6, 2.15 + 0.15 * i as f32);
            let end = if i == 0 { 0.0 } else { x + 0.6 };
            let start = if i == 0 { -3.0 } else { x };
            cuboid(Vec3::new(start, y, -3.0), Vec3::new(if i == 4 { 8.0 } else { end }, y + 2.0, 3.0))
        })
        .collect();
    let mut course = Course::new(&[floor(8), treads, ceiling].concat(), [-1.5, 0.02, 0.1]);
    course.settings.step_height = 0.6;
    course.walk(EAST, 2 * SECOND);
    assert!((course.feet().y - 0.6 - SKIN).abs() < 1e-3, "{}", course.feet());
}

#[test]
fn row_45_beside_a_wall_it_keeps_climbing() {
    let level = [floor(12), stairs(8, 0.35, 0.25, 1.0), cuboid(Vec3::new(-2.0, 0.0, 1.0), Vec3::new(9.0, 9.0, 2.0))];
    let mut course = Course::new(&level.concat(), [-1.0, 0.1, 0.0]);
    course.walk(EAST - 0.7, 2 * SECOND);
    assert!((course.feet().y - 2.0 - SKIN).abs() < 1e-3, "{}", course.feet());
}

#[test]
fn over_seams_of_any_kind_a_flat_floor_is_flat() {
    // Squares that share no corner with their neighbours, and rows that are shifted.
    let mut level = Vec::new();
    for row in -10..10 {
        for column in -10..10 {
            let shift = if row % 2 == 0 { 0.0 } else { 0.37 };
            let min = Vec3::new(column as f32 + shift, -1.0, row as f32);
            level.extend(cuboid(min, min + Vec3::ONE));
        }
    }
    let mut course = Course::new(&level, [-8.0, 0.1, -8.0]);
    for step in 0..3 * SECOND {
        let before = course.feet();
        let report = course.step(heading(EAST - 0.5));
        assert!(report.grounded && (course.feet().y - SKIN).abs() < 1e-4, "step {step}: {}", course.feet());
        assert!(step < 10 || course.feet().distance(before) > 0.99 * 4.0 / SECOND as f32, "caught at {before}");
    }
}

#[test]
fn falling_out_of_the_world_leads_back_to_the_last_safe_place() {
    let mut course = Course::new(&floor(3), [0.0, 0.1, 0.0]);
    let mut rescues = 0;
    for _ in 0..4 * SECOND {
        let report = course.step(heading(EAST));
        if report.rescued {
            rescues += 1;
            assert!(course.feet().x.abs() < 3.0 && course.feet().y.abs() < 0.2, "{}", course.feet());
        }
    }
    assert!(rescues >= 1);
}

#[test]
fn it_climbs_out_of_a_steep_pit_by_no_trick_and_is_never_stuck_in_it() {
    // A gutter of two slopes of 65 degrees along Z: it can be walked along, and jumped in.
    let (x, y) = (4.0 * 65_f32.to_radians().cos(), 4.0 * 65_f32.to_radians().sin());
    let side = |sign: f32| {
        fan(&[
            Vec3::new(0.0, 0.0, -20.0),
            Vec3::new(sign * x, y, -20.0),
            Vec3::new(sign * x, y, 20.0),
            Vec3::new(0.0, 0.0, 20.0),
        ])
    };
    let mut course = Course::new(&[side(1.0), side(-1.0)].concat(), [0.1, 2.5, 15.0]);
    for _ in 0..SECOND {
        course.step(Input::default());
    }
    assert!(course.walker.grounded(), "wedged is as good as ground");
    let before = course.feet();
    course.walk(0.0, 2 * SECOND);
    assert!(before.z - course.feet().z > 4.0, "it walks along: {before} {}", course.feet());
    let low = course.feet().y;
    course.step(Input { jump: true, ..Input::default() });
    for _ in 0..10 {
        course.step(Input::default());
    }
    assert!(course.feet().y > low + 0.1, "it jumps");
    course.walk(EAST, 5 * SECOND);
    assert!(course.feet().y < low + 0.6, "it does not climb the side: {}", course.feet());
}

#[test]
fn flight_passes_through_walls_or_slides_along_them() {
    let level = [floor(8), wall(2.0)].concat();
    for collide in [false, true] {
        let mut course = Course::new(&level, [0.0, 0.1, 0.0]);
        course.walker.set_mode(Mode::Fly { collide });
        let fast = Input { fast: true, up: 0.2, ..heading(EAST) };
        for _ in 0..SECOND / 4 {
            let report = course.walker.step(&course.tree, &course.settings, &fast);
            assert!(!report.grounded);
        }
        assert_eq!(course.feet().x > 2.0, !collide, "{}", course.feet());
        assert!(course.feet().y > 0.5, "{}", course.feet());
    }
    let mut course = Course::new(&level, [0.0, 0.1, 0.0]);
    course.walker.set_mode(Mode::Fly { collide: true });
    let height = course.feet().y;
    for _ in 0..SECOND {
        course.step(Input::default());
    }
    assert_eq!(course.feet().y, height, "no gravity");
    let looking_up = Input { pitch: 0.5, ..heading(0.0) };
    course.step(looking_up);
    let velocity = course.walker.velocity();
    assert!((velocity.y - 8.0 * 0.5_f32.sin()).abs() < 1e-4, "{velocity}");
}

#[test]
fn leaving_flight_inside_a_floor_it_gets_out() {
    let mut course = Course::new(&floor(8), [0.0, 0.1, 0.0]);
    for depth in [0.01, 0.1, 0.5] {
        course.walker.place(Vec3::new(0.3, -depth, 0.2));
        for _ in 0..SECOND {
            course.walker.step(&course.tree, &course.settings, &Input::default());
        }
        assert!(course.walker.grounded() && (course.feet().y - SKIN).abs() < 1e-3, "{depth}: {}", course.feet());
    }
}

#[test]
fn no_speed_passes_through_a_thin_wall() {
    let level = [floor(20), wall(2.0)].concat();
    for speed in [10.0, 100.0, 1e3, 1e5] {
        for collide in [true, false] {
            let mut course = Course::new(&level, [0.0, 0.1, 0.0]);
            if collide {
                course.walker.set_mode(Mode::Fly { collide });
            }
            for _ in 0..SECOND {
                course.step(Input { speed: Some(speed), ..heading(EAST) });
                assert!(course.feet().x < 1.65, "{speed}: {}", course.feet());
            }
        }
    }
}

#[test]
fn a_spawn_is_found_and_mended() {
    let settings = Settings::default();
    // A room in a solid block, a void on one side, a crawl space below.
    let mut level = cuboid(Vec3::new(-4.0, 0.0, -4.0), Vec3::new(4.0, 3.0, 4.0));
    for triangle in &mut level {
        triangle.swap(1, 2);
    }
    level.extend(cuboid(Vec3::new(-6.0, -2.0, -6.0), Vec3::new(6.0, 5.0, 6.0)));
    for mode in [TreeMode::Quadtree, TreeMode::Octree] {
        let tree = tree(&level, &TreeSettings::new(mode));
        let feet = find_spawn(&tree, &settings).unwrap();
        assert!(feet.x.abs() < 4.0 && feet.z.abs() < 4.0, "{feet}");
        assert!((feet.y - SKIN).abs() < 1e-3 || (feet.y - 5.0 - SKIN).abs() < 1e-3, "{feet}");
        for wrong in [-0.2, -0.05, 0.0, 0.3] {
            let feet = settle_spawn(&tree, &settings, Vec3::new(1.0, wrong, 1.0));
            assert!((feet.y - SKIN).abs() < 1e-3, "{wrong}: {feet}");
        }
        let feet = settle_spawn(&tree, &settings, Vec3::new(1.0, 2.0, 1.0));
        assert!(feet.y < 3.0 - 1.8, "not through the ceiling: {feet}");
    }
    assert_eq!(find_spawn(&tree(&[], &TreeSettings::new(TreeMode::Octree)), &settings), None);
}

#[test]
fn settings_that_make_no_sense_are_named() {
    assert_eq!(Settings::default().check(), Ok(()));
    let bad = Settings { radius: f32::NAN, ..Settings::default() };
    assert!(bad.check().unwrap_err().to_string().starts_with("radius must be"));
    let bad = Settings { slope_limit: 2.0, ..Settings::default() };
    assert_eq!(bad.check().unwrap_err().name, "slope limit");
}

#[test]
fn nonsense_inputs_do_nothing() {
    let mut course = Course::new(&floor(4), [0.0, 0.1, 0.0]);
    let before = course.feet();
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let input =
            Input { forward: bad, right: bad, up: bad, yaw: bad, pitch: bad, speed: Some(bad), ..Input::default() };
        course.step(input);
        assert_eq!(course.feet(), before);
    }
}

/// A way is the same in every build: the hash of one that was taken in a debug and in a release build.
#[test]
fn a_way_is_the_same_in_every_build() {
    let level: Vec<_> =
        [floor(12), stairs(6, 0.5, 0.3, 3.0), cuboid(Vec3::new(-6.0, 0.0, -2.0), Vec3::new(-4.0, 2.5, 7.0))].concat();
    let mut course = Course::new(&level, [-1.5, 0.1, 0.3]);
    let mut random = support::Random::new(9);
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut input = Input::default();
    for step in 0..20 * SECOND {
        if step % 40 == 0 {
            input = Input {
                fast: random.below(2) == 0,
                right: random.range(-0.5, 0.5),
                ..heading(random.range(-3.0, 3.0))
            };
        }
        input.jump = random.below(50) == 0;
        course.step(input);
        for bits in course.walker.feet_exact().to_array().map(f64::to_bits) {
            hash = (hash ^ bits).wrapping_mul(0x0100_0000_01b3);
        }
    }
    assert_eq!(hash, 0xcc41_26e4_2c07_1649, "{hash:#x} at {}", course.feet());
}
