use std::sync::mpsc;

use glam::{DVec3, Vec3};
use winit::keyboard::KeyCode;

use super::super::state::State;
use super::*;
use crate::geometry::Frustum;
use crate::level::{Corner, LevelBuilder, Placement};
use crate::scene::Scene;
use crate::tree::{Mode, Settings};
use crate::walk;

/// A row of tiles along X, each 10 m wide.
pub fn tiles(first: f64, count: u32) -> Level {
    let mut builder = LevelBuilder::new(Placement::default());
    for tile in 0..count {
        let corners = [[0.0, 0.0], [0.0, 9.0], [9.0, 9.0], [9.0, 0.0]].map(|[x, z]| Corner {
            position: builder.position(DVec3::new(first + 10.0 * f64::from(tile) + x, 0.0, z)),
            tex_coord: None,
            normal: None,
        });
        builder.polygon(&corners, 0, 0);
    }
    builder.finish("tiles", None)
}

/// Before tiles far from the origin of the level coordinates.
pub fn viewer(wake: impl Fn() + Send + Sync + 'static) -> Viewer {
    let level = tiles(1e6, 64);
    let tree = Tree::build(&level, &Settings { leaf_triangles: 2, ..Settings::new(Mode::Quadtree) });
    let camera = Camera { eye: level.to_local(DVec3::new(1e6 + 320.0, 5.0, 20.0)), ..Camera::default() };
    let player = Player::new(&camera, walk::Settings::default(), false);
    Viewer::new((level, tree, Scene::default()), player, camera, Arc::new(wake))
}

pub fn state(viewer: &mut Viewer) -> State {
    viewer.cull();
    let mut state = State::default();
    viewer.describe(&mut state);
    state
}

pub const NOW: Duration = Duration::from_secs(1);

#[test]
fn the_old_tree_stays_in_use_until_the_new_one_is_taken() {
    let (sender, woken) = mpsc::channel();
    let mut viewer = viewer(move || sender.send(()).expect("we wait"));
    let before = state(&mut viewer);
    assert_eq!((before.mode, before.rebuilding), ("quadtree", false));
    viewer.act(Action::SwitchTree, NOW);
    // A second press while it is being built starts nothing.
    viewer.act(Action::SwitchTree, NOW);
    woken.recv().expect("the builder calls");
    let waiting = state(&mut viewer);
    assert_eq!((waiting.mode, waiting.rebuilding), ("quadtree", true));
    assert_eq!(waiting.nodes, before.nodes);
    assert!(viewer.take_tree(NOW).is_some());
    let after = state(&mut viewer);
    assert_eq!((after.mode, after.rebuilding), ("octree", false));
    assert_eq!(after.triangles.all, before.triangles.all);
    assert!(viewer.take_tree(NOW).is_none());
    assert!(woken.try_recv().is_err(), "one tree was built");
}

#[test]
fn a_frozen_view_stays_while_the_camera_turns() {
    let mut viewer = viewer(|| {});
    let before = state(&mut viewer);
    assert!(before.triangles.drawn > 0 && before.triangles.drawn < before.triangles.all, "{before:?}");
    assert!(viewer.lines.is_empty());
    viewer.act(Action::Freeze, NOW);
    let mut input = Input::default();
    input.look(glam::Vec2::new(0.0, -400.0));
    viewer.advance(&mut input, Duration::ZERO, NOW);
    let frozen = state(&mut viewer);
    assert_eq!((frozen.nodes, frozen.triangles), (before.nodes, before.triangles));
    // Twelve edges a visited node, and the frustum's.
    assert_eq!(viewer.lines.len(), 24 * (frozen.nodes.visited as usize + 1));
    viewer.act(Action::Freeze, NOW);
    let up = state(&mut viewer);
    assert_eq!(up.triangles.drawn, 0, "it looks into the sky");
    assert!(viewer.lines.is_empty());
}

#[test]
fn one_who_stays_sees_the_culling_camera_go_on() {
    let mut viewer = viewer(|| {});
    let before = state(&mut viewer);
    viewer.act(Action::Watch, NOW);
    let mut input = Input::default();
    input.press_key(KeyCode::KeyA);
    viewer.advance(&mut input, Duration::from_secs(2), NOW);
    let after = state(&mut viewer);
    assert!(after.watching && !after.frozen);
    assert_eq!(after.camera, before.camera, "one stays");
    assert!(after.eye[0] < before.eye[0] - 5.0, "the other goes: {:?}", after.eye);
    let culled_from = *viewer.culled_from().expect("another camera");
    let mut list = DrawList::new();
    list.cull(&viewer.tree, &Frustum::from_clip_from_world(culled_from.clip_from_world()));
    assert_eq!(list.ranges(), viewer.draw_list.ranges());
    // It is looked at: in the middle of the picture.
    let seen = viewer.camera.clip_from_world().project_point3(culled_from.eye);
    assert!(seen.x.abs() < 0.01 && seen.y.abs() < 0.01, "{seen}");
    viewer.act(Action::Watch, NOW);
    let back = state(&mut viewer);
    assert_eq!((back.watching, back.camera), (false, after.eye));
}

#[test]
fn the_camera_is_told_in_level_coordinates() {
    let mut viewer = viewer(|| {});
    assert_eq!(viewer.camera_option(), "--camera 1000320.000,5.000,20.000,0.00,0.00");
    assert_eq!(state(&mut viewer).eye, [1e6 + 320.0, 5.0, 20.0]);
    assert!(viewer.camera.eye.distance(Vec3::ZERO) < 1e3, "local space is near its origin");
}

#[test]
fn a_bookmark_brings_back_whoever_flies_or_walks() {
    let mut viewer = viewer(|| {});
    viewer.act(Action::VisitBookmark, NOW);
    assert_eq!(state(&mut viewer).message.as_deref(), Some("no bookmark is set: K sets one"));
    let mut away = Input::default();
    away.press_key(KeyCode::KeyW);
    away.press_key(KeyCode::ControlLeft);
    away.look(glam::Vec2::new(100.0, 50.0));
    for walks in [false, true] {
        if walks {
            viewer.act(Action::SwitchMoving, NOW);
            // Down to the floor, and a while to rest there.
            viewer.advance(&mut Input::default(), Duration::from_secs(4), NOW);
        }
        let before = state(&mut viewer);
        viewer.act(Action::SetBookmark, NOW);
        let told = viewer.camera_option();
        assert_eq!(state(&mut viewer).message, Some(format!("bookmark {told}: Shift+K comes back")));
        viewer.advance(&mut away.clone(), Duration::from_millis(500), NOW);
        assert_ne!(viewer.camera_option(), told);
        viewer.act(Action::VisitBookmark, NOW);
        viewer.advance(&mut Input::default(), Duration::from_millis(500), NOW);
        let back = state(&mut viewer);
        assert_eq!((viewer.camera_option(), back.moving), (told, before.moving));
        assert_eq!((back.grounded, back.bookmark.is_some()), (walks, true));
    }
}

#[test]
fn messages_go_after_a_while() {
    let mut viewer = viewer(|| {});
    viewer.tell("something".to_owned(), NOW);
    let until = viewer.message_until().expect("it is shown");
    assert!(!viewer.expire_message(until - Duration::from_millis(1)));
    assert_eq!(state(&mut viewer).message.as_deref(), Some("something"));
    assert!(viewer.expire_message(until));
    assert_eq!(state(&mut viewer).message, None);
}
