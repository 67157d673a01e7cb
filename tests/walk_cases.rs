//! Levels that walkers of other programs got stuck in, bobbed on or fell through. Rows are those of the list of cases.

mod support;

use std::f32::consts::PI;

use glam::Vec3;
use nodetree::walk::{Input, STEP};

use support::course::{Course, EAST, SECOND, SKIN, floor, heading, slope, stairs, wall};
use support::{cuboid, fan};

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
