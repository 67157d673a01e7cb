use winit::keyboard::KeyCode;

use super::*;
use crate::tree;

/// A floor at height 0, 100 m wide, and a wall at z = -5.
fn room() -> Tree {
    let corners = [
        [[-50.0, 0.0, 50.0], [50.0, 0.0, 50.0], [50.0, 0.0, -50.0]],
        [[-50.0, 0.0, 50.0], [50.0, 0.0, -50.0], [-50.0, 0.0, -50.0]],
        [[-50.0, 0.0, -5.0], [50.0, 0.0, -5.0], [0.0, 50.0, -5.0]],
    ];
    let corners = corners.map(|triangle| triangle.map(Vec3::from_array));
    Tree::from_triangles(&corners, &[0; 3], &tree::Settings::new(tree::Mode::Quadtree))
}

fn holding(keys: &[KeyCode]) -> Input {
    let mut input = Input::default();
    keys.iter().for_each(|&key| input.press_key(key));
    input
}

fn flying() -> Player {
    let camera = Camera { eye: Vec3::new(0.0, 10.0, 0.0), ..Camera::default() };
    Player::new(&camera, Settings::default(), false)
}

/// Where the eye is after a second, from where it was.
fn way(mut player: Player, keys: &[KeyCode]) -> Vec3 {
    let mut camera = Camera::default();
    player.aim(&mut camera);
    let start = camera.eye;
    for _ in 0..60 {
        player.advance(&room(), &mut Scene::default(), &holding(keys), Duration::from_secs_f64(1.0 / 60.0));
    }
    player.aim(&mut camera);
    camera.eye - start
}

#[test]
fn the_eye_begins_at_the_camera() {
    for walks in [false, true] {
        let from = Camera { eye: Vec3::new(1.0, 2.0, 3.0), yaw: 0.5, pitch: -0.25, ..Camera::default() };
        let mut camera = Camera::default();
        Player::new(&from, Settings::default(), walks).aim(&mut camera);
        assert!(camera.eye.distance(from.eye) < 1e-6);
        assert_eq!((camera.yaw, camera.pitch), (from.yaw, from.pitch));
    }
}

#[test]
fn flight_goes_in_six_directions() {
    let speed = Settings::default().fly_speed;
    for (key, direction) in [
        (KeyCode::KeyW, Vec3::NEG_Z),
        (KeyCode::ArrowDown, Vec3::Z),
        (KeyCode::KeyA, Vec3::NEG_X),
        (KeyCode::ArrowRight, Vec3::X),
        (KeyCode::Space, Vec3::Y),
        (KeyCode::ControlLeft, Vec3::NEG_Y),
    ] {
        let way = way(flying(), &[key]);
        // To a step or two.
        assert!(way.distance(direction * speed) < 0.03 * speed, "{key:?}: {way}");
    }
    assert_eq!(way(flying(), &[KeyCode::ShiftLeft]), Vec3::ZERO);
}

#[test]
fn flight_passes_a_wall_and_slides_along_it_with_collide() {
    let fast = [KeyCode::KeyW, KeyCode::ShiftLeft];
    assert!(way(flying(), &fast).z < -20.0);
    let mut colliding = flying();
    colliding.switch_collide();
    let stopped = way(colliding, &fast);
    assert!((-5.0..-4.5).contains(&stopped.z), "{stopped}");
}

#[test]
fn a_walker_falls_and_stands() {
    let mut player = flying();
    player.switch_moving();
    assert!(player.is_moving(&Input::default()), "it falls");
    for _ in 0..40 {
        player.advance(&room(), &mut Scene::default(), &Input::default(), Duration::from_millis(100));
    }
    assert!(player.is_grounded() && !player.is_moving(&Input::default()));
    assert!(player.feet().y.abs() < 0.05, "{}", player.feet());
}

#[test]
fn the_camera_rests_only_where_the_walker_does() {
    // The frames begin at other parts of a step, so that some fall ends just after the step that ended it.
    for part in 0..50 {
        let mut player = flying();
        player.switch_moving();
        player.advance(
            &room(),
            &mut Scene::default(),
            &Input::default(),
            Duration::from_secs_f64(f64::from(part) / 50.0 * STEP),
        );
        while player.is_moving(&Input::default()) {
            player.advance(&room(), &mut Scene::default(), &Input::default(), Duration::from_secs_f64(1.0 / 60.0));
        }
        assert_eq!(player.feet(), player.walker.feet_exact());
    }
}

#[test]
fn the_camera_follows_a_crouch_softly_and_then_rests() {
    let mut player = flying();
    player.switch_moving();
    let mut heights = Vec::new();
    let mut camera = Camera::default();
    for _ in 0..300 {
        player.advance(
            &room(),
            &mut Scene::default(),
            &holding(&[KeyCode::ControlLeft]),
            Duration::from_secs_f64(1.0 / 120.0),
        );
        player.aim(&mut camera);
        heights.push(camera.eye.y);
    }
    let fastest = heights.windows(2).map(|two| (two[1] - two[0]).abs()).fold(0.0, f32::max);
    // A fall from 8 m ends at 13 m/s; without softness the crouch alone would be 0.6 m in one step.
    assert!(fastest < 0.2, "{fastest}");
    let settings = Settings::default();
    assert!((camera.eye.y - (settings.crouched_height - settings.eye_below_top)).abs() < 0.05, "{}", camera.eye.y);
    assert!(!player.is_moving(&holding(&[KeyCode::ControlLeft])));
    // Letting go of the key is enough to stand up: no other key must wake it.
    assert!(player.is_moving(&Input::default()));
    while player.is_moving(&Input::default()) {
        player.advance(&room(), &mut Scene::default(), &Input::default(), Duration::from_millis(50));
    }
    assert!(!player.is_crouched());
}

#[test]
fn who_walks_off_the_world_is_brought_to_a_floor() {
    // Beyond the edge of the floor, and never on it.
    let camera = Camera { eye: Vec3::new(80.0, 10.0, 0.0), ..Camera::default() };
    let mut player = Player::new(&camera, Settings::default(), true);
    let mut rescues = 0;
    for _ in 0..100 {
        rescues += usize::from(
            player.advance(&room(), &mut Scene::default(), &Input::default(), Duration::from_millis(100)).rescued,
        );
    }
    assert_eq!(rescues, 1);
    assert!(player.is_grounded() && player.feet().y.abs() < 0.05, "{}", player.feet());
}

#[test]
fn the_same_time_in_other_parts_is_the_same_way() {
    let input = holding(&[KeyCode::KeyW, KeyCode::KeyD]);
    let (mut one, mut many) = (flying(), flying());
    one.advance(&room(), &mut Scene::default(), &input, Duration::from_millis(250));
    for _ in 0..250 {
        many.advance(&room(), &mut Scene::default(), &input, Duration::from_millis(1));
    }
    assert!(one.feet().distance(many.feet()) < 1e-6);
}

#[test]
fn the_mouse_turns_right_and_down() {
    let mut player = flying();
    player.turn(Vec2::new(10.0, 10.0));
    assert!(player.walker.yaw() < 0.0 && player.walker.pitch() < 0.0);
    player.turn(Vec2::new(0.0, -1e6));
    assert_eq!(player.walker.pitch(), FRAC_PI_2);
    player.turn(Vec2::new(-1e6, 0.0));
    assert!(player.walker.yaw().abs() <= PI);
}

#[test]
fn the_wheel_stays_in_bounds() {
    let mut player = flying();
    player.change_speed(1.0);
    assert_eq!(player.fly_speed(), NOTCH * Settings::default().fly_speed);
    player.change_speed(1000.0);
    assert_eq!(player.fly_speed(), SPEEDS.1);
    player.change_speed(-1000.0);
    assert_eq!(player.fly_speed(), SPEEDS.0);
}
