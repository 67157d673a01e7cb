//! The walker on levels made for it.

mod support;

use glam::Vec3;
use nodetree::simd::Simd;
use nodetree::tree::{Mode as TreeMode, Settings as TreeSettings};
use nodetree::walk::{Input, Mode, Settings, find_spawn, settle_spawn};

use support::course::{Course, EAST, SECOND, SKIN, WEST, floor, heading, slope, stairs, wall};
use support::{cuboid, fan, tree};

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
fn between_two_steps_it_is_between_and_at_rest_just_where_it_is() {
    // Places whose mean with themselves rounds.
    let mut course = Course::new(&floor(16), [1.927_760_3, 0.5, 5.991_63]);
    for _ in 0..SECOND {
        course.step(heading(0.3));
        let before = course.walker.feet_between(0.0);
        assert_eq!(course.walker.feet_between(1.0), course.walker.feet_exact());
        let middle = before.midpoint(course.walker.feet_exact());
        assert!(course.walker.feet_between(0.5).distance(middle) < 1e-12);
    }
    for _ in 0..SECOND {
        course.step(Input::default());
    }
    for part in 0..1000 {
        assert_eq!(course.walker.feet_between(f64::from(part) / 1000.0), course.walker.feet_exact());
    }
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
fn crouching_in_the_air_again_and_again_climbs_nothing() {
    for period in [1, 2, 5, 10] {
        let mut course = Course::new(&floor(4), [0.0, 0.1, 0.0]);
        let ground = course.feet().y;
        course.step(Input { jump: true, ..Input::default() });
        for step in 0..5 * SECOND {
            course.step(Input { crouch: step / period % 2 == 0, ..Input::default() });
            // A jump of 1 m, and legs drawn in by 0.3 m.
            assert!(course.feet().y < ground + 1.31, "every {period} steps: {}", course.feet());
        }
        assert!(course.walker.grounded());
    }
}

#[test]
fn steps_up_to_the_limit_are_climbed_and_followed_down_without_hopping() {
    for (rise, fast) in [0.05, 0.2, 0.3, 0.45].into_iter().flat_map(|rise| [(rise, false), (rise, true)]) {
        let level = [floor(12), stairs(6, 0.5, rise, 3.0)].concat();
        let mut course = Course::new(&level, [-1.5, 0.1, 0.3]);
        course.walk(EAST, 2 * SECOND);
        let top = 6.0 * rise;
        assert!((course.feet().y - top - SKIN).abs() < 1e-3, "{rise}: {}", course.feet());
        for step in 0..SECOND * if fast { 1 } else { 2 } {
            let before = course.feet();
            let report = course.step(Input { fast, ..heading(WEST) });
            assert!(report.grounded, "{rise} {fast}, step {step}: {}", course.feet());
            assert!(course.feet().y <= before.y + 1e-4, "it hops at {before}");
        }
        assert!((course.feet().y - SKIN).abs() < 1e-3, "{rise}: {}", course.feet());
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

/// A way is the same in every build and on every machine: the hash of one that was taken in a debug and in a release build.
#[test]
fn a_way_is_the_same_in_every_build() {
    for &simd in Simd::available() {
        let (hash, feet) = hash_of_a_way(simd);
        assert_eq!(hash, 0x051d_76b7_46c5_0b0d, "{hash:#x} at {feet} on {simd:?}");
    }
}

fn hash_of_a_way(simd: Simd) -> (u64, Vec3) {
    let level: Vec<_> =
        [floor(12), stairs(6, 0.5, 0.3, 3.0), cuboid(Vec3::new(-6.0, 0.0, -2.0), Vec3::new(-4.0, 2.5, 7.0))].concat();
    let mut course = Course::new(&level, [-1.5, 0.1, 0.3]);
    course.tree.set_simd(simd);
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
    (hash, course.feet())
}

#[test]
fn brought_back_under_a_low_ceiling_it_crouches() {
    let level = [floor(3), cuboid(Vec3::new(-2.0, 1.4, -3.0), Vec3::new(3.0, 3.0, 3.0))].concat();
    let mut course = Course::new(&level, [-2.6, 0.1, 0.0]);
    let crawl = Input { crouch: true, speed: Some(2.0), ..heading(EAST) };
    let mut rescues = 0;
    for _ in 0..6 * SECOND {
        let report = course.step(if course.feet().y < -1.0 { heading(EAST) } else { crawl });
        rescues += u32::from(report.rescued && course.feet().x > -1.5);
    }
    assert!(rescues >= 1);
}
