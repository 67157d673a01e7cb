//! Props: names, places, culling against every vertex in f64, and balls that meet them.

mod support;

use std::sync::Arc;

use glam::{DQuat, DVec3, Quat, Vec3};
use nodetree::bodies::{
    BadProp, Balls, Body, Met, Model, ModelId, PropId, Props, Settings, Throw, Transform, VisibleBodies,
};
use nodetree::camera::Camera;
use nodetree::geometry::Frustum;
use nodetree::tree::{Mode, Settings as TreeSettings, Tree};

use support::{Random, contact, cuboid, fan, level_of, tree};

const SECOND: usize = 120;

/// A model around its own origin, wherever the level builder puts its local one.
fn model(triangles: &[[Vec3; 3]]) -> Arc<Model> {
    Arc::new(Model::new(level_of(triangles), &TreeSettings::new(Mode::Octree)))
}

fn crate_model() -> Arc<Model> {
    model(&cuboid(Vec3::splat(-0.5), Vec3::splat(0.5)))
}

fn no_level() -> Tree {
    tree(&[], &TreeSettings::new(Mode::Octree))
}

fn any_transform(random: &mut Random, half: f32) -> Transform {
    let scale = |random: &mut Random| random.range(0.3, 2.0) * *random.pick(&[-1.0, 1.0, 1.0]);
    Transform {
        translation: random.vector(half),
        rotation: Quat::from_axis_angle(random.direction(), random.range(0.0, 6.0)),
        scale: Vec3::new(scale(random), scale(random), scale(random)),
    }
}

/// A point of a model in local space, in f64.
fn placed(transform: &Transform, point: Vec3) -> DVec3 {
    let rotation: DQuat = transform.rotation.as_dquat().normalize();
    rotation * (point.as_dvec3() * transform.scale.as_dvec3()) + transform.translation.as_dvec3()
}

#[test]
fn props_are_added_found_moved_hidden_and_removed_by_name() {
    let mut props = Props::new();
    let model = props.add_model(crate_model());
    let at = |x: f32| Transform::at(Vec3::X * x);
    let chest = props.add("chest", model, at(1.0), Met::Mesh).unwrap();
    let lamp = props.add("lamp", model, at(2.0), Met::Radius(0.3)).unwrap();
    assert_eq!((props.find("chest"), props.find("lamp"), props.find("door")), (Some(chest), Some(lamp), None));
    assert_eq!(props.add("lamp", model, at(3.0), Met::Mesh), Err(BadProp::NameTaken("lamp".to_owned())));
    let flat = Transform { scale: Vec3::new(1.0, 0.0, 1.0), ..at(0.0) };
    assert_eq!(props.add("flat", model, flat, Met::Mesh), Err(BadProp::Transform("flat".to_owned())));
    assert!(props.place(chest, Transform { rotation: Quat::from_xyzw(0.0, 0.0, 0.0, 0.0), ..at(0.0) }).is_err());
    assert!(props.add("odd", model, at(0.0), Met::Radius(-1.0)).is_err());
    assert_eq!(props.len(), 2);

    props.place(chest, at(-4.0)).unwrap();
    let bounds = props.get(chest).unwrap().bounds();
    assert!(bounds.contains_point(Vec3::new(-4.5, 0.5, 0.5)) && bounds.size().max_element() < 1.001);
    props.set_hidden(lamp, true);
    assert!(props.get(lamp).unwrap().is_hidden());
    assert_eq!(props.remove(chest).map(|prop| prop.name().to_owned()), Some("chest".to_owned()));
    assert!(props.get(chest).is_none() && props.find("chest").is_none() && props.remove(chest).is_none());
    // Its place is taken by another one, which the old id does not name.
    let other = props.add("chest", model, at(0.0), Met::Mesh).unwrap();
    assert!(other != chest && props.get(chest).is_none());
    // Without a name there may be many.
    assert!((0..3).all(|_| props.add("", model, at(0.0), Met::Nothing).is_ok()));
    assert_eq!((props.len(), props.find("")), (5, None));
}

#[test]
fn what_has_a_vertex_in_view_is_never_culled_and_little_else_is_drawn() {
    let random = &mut Random::new(9);
    let mut props = Props::new();
    let models: Vec<ModelId> = [cuboid(Vec3::splat(-0.5), Vec3::splat(0.5)), support::levels::soup(random, 8, 2.0)]
        .iter()
        .map(|triangles| props.add_model(model(triangles)))
        .collect();
    for _ in 0..600 {
        let (model, transform) = (*random.pick(&models), any_transform(random, 40.0));
        props.add("", model, transform, Met::Mesh).unwrap();
    }
    let mut balls = Balls::new(Settings::default()).unwrap();
    for _ in 0..300 {
        balls.throw(&Throw { position: random.vector(40.0).as_dvec3(), ..Throw::default() }).unwrap();
    }
    let mut visible = VisibleBodies::new();
    let (mut seen, mut in_view) = (0, 0);
    for _ in 0..200 {
        let (yaw, pitch) = (random.range(-3.2, 3.2), random.range(-1.5, 1.5));
        let camera = Camera { eye: random.vector(40.0), yaw, pitch, ..Camera::default() };
        let frustum = Frustum::from_clip_from_world(camera.clip_from_world());
        visible.cull(&props, &balls, Some(&frustum));
        // How far inside all planes a point is, in f64.
        let depth = |point: DVec3| {
            let planes = frustum.planes().iter();
            let distance = planes.map(|plane| plane.normal.as_dvec3().dot(point) + f64::from(plane.distance));
            distance.fold(f64::INFINITY, f64::min)
        };
        for prop in props.iter() {
            let level = &props.model(prop.model()).level;
            let inside = level.vertices.iter().any(|vertex| depth(placed(prop.transform(), vertex.position)) >= 0.0);
            assert!(!inside || visible.props().contains(&prop.id()), "{:?}", prop.transform());
            in_view += usize::from(inside);
        }
        for (place, ball) in balls.iter().enumerate() {
            let touches = depth(ball.position()) >= -ball.radius();
            assert_eq!(visible.balls().contains(&(place as u32)), touches, "{ball:?}");
        }
        seen += visible.props().len();
        assert_eq!(visible.count() as usize, visible.props().len() + visible.balls().len());
        assert_eq!(visible.of(), 900);
        let models: Vec<ModelId> = visible.props().iter().map(|&id| props.get(id).unwrap().model()).collect();
        assert!(models.is_sorted(), "those of one model stand together");
    }
    assert!(in_view > 1000 && (seen as f64) < 1.3 * in_view as f64, "{seen} drawn for {in_view}");
    let hidden: Vec<PropId> = props.iter().map(|prop| prop.id()).take(100).collect();
    hidden.iter().for_each(|&id| props.set_hidden(id, true));
    visible.cull(&props, &balls, None);
    assert_eq!((visible.count(), visible.of()), (800, 800));
}

#[test]
fn a_ball_meets_a_prop_where_the_turned_and_scaled_mesh_is() {
    let random = &mut Random::new(4);
    let mut met = 0;
    for case in 0..200 {
        let triangles = support::levels::soup(random, 12, 1.0);
        let mut props = Props::new();
        let model = props.add_model(model(&triangles));
        let transform = any_transform(random, 5.0);
        let prop = props.add("soup", model, transform, Met::Mesh).unwrap();
        let world: Vec<[DVec3; 3]> =
            triangles.iter().map(|triangle| triangle.map(|corner| placed(&transform, corner))).collect();
        let mut balls = Balls::new(Settings { gravity: 0.0, ..Settings::default() }).unwrap();
        let target = placed(&transform, triangles[0][0].lerp(triangles[0][1], 0.4).lerp(triangles[0][2], 0.3));
        let from = target + random.direction().as_dvec3() * 4.0;
        let velocity = (target - from) * 10.0;
        let throw = Throw { position: from, velocity, friction: 0.0, restitution: 1.0, ..Throw::default() };
        let ball = balls.throw(&throw).unwrap();
        let distance = |center: DVec3| {
            world.iter().map(|&triangle| contact::distance(center, triangle)).fold(f64::INFINITY, f64::min)
        };
        for step in 0..30 {
            balls.step(&no_level(), &props, None);
            let place = balls.get(ball).unwrap().position();
            assert!(distance(place) > 0.12 - 2e-5, "case {case}, step {step}: {} deep", 0.12 - distance(place));
            for contact in balls.contacts() {
                assert_eq!(contact.bodies, [Body::Ball(ball), Body::Prop(prop)]);
                let triangle = world[contact.triangle.unwrap() as usize];
                assert!(contact::distance(contact.point, triangle) < 1e-5, "case {case}");
                met += 1;
            }
        }
        let speed = balls.get(ball).unwrap().velocity().length();
        assert!((speed / velocity.length() - 1.0).abs() < 1e-9, "case {case}: {speed}");
    }
    assert!(met >= 200, "{met}");
}

#[test]
fn a_prop_may_be_met_by_a_radius_of_its_own_or_not_at_all() {
    for (met, bounces) in [(Met::Radius(0.8), true), (Met::Nothing, false)] {
        let mut props = Props::new();
        let model = props.add_model(crate_model());
        let prop = props.add("post", model, Transform::at(Vec3::Z * 0.1), met).unwrap();
        props.set_hidden(prop, true);
        let mut balls = Balls::new(Settings { gravity: 0.0, ..Settings::default() }).unwrap();
        let throw = Throw { position: DVec3::new(0.0, 0.0, 5.1), velocity: DVec3::Z * -9.0, ..Throw::default() };
        let ball = balls.throw(&throw).unwrap();
        for _ in 0..SECOND {
            balls.step(&no_level(), &props, None);
            let distance = balls.get(ball).unwrap().position().distance(DVec3::Z * 0.1);
            assert!(!bounces || distance > 0.92 - 1e-5, "{distance}");
        }
        assert_eq!(balls.get(ball).unwrap().velocity().z > 0.0, bounces);
    }
}

#[test]
fn a_ball_sleeps_on_a_prop_and_wakes_when_that_goes_elsewhere() {
    let floor = fan(&[[-9.0, 9.0], [9.0, 9.0], [9.0, -9.0], [-9.0, -9.0]].map(|[x, z]| Vec3::new(x, 0.0, z)));
    let floor = tree(&floor, &TreeSettings::new(Mode::Octree));
    let mut props = Props::new();
    let model = props.add_model(crate_model());
    let table = props.add("table", model, Transform::at(Vec3::Y * 0.5), Met::Mesh).unwrap();
    let mut balls = Balls::new(Settings::default()).unwrap();
    let on_table = balls.throw(&Throw { position: DVec3::Y * 2.0, ..Throw::default() }).unwrap();
    let aside = balls.throw(&Throw { position: DVec3::new(4.0, 0.5, 0.0), ..Throw::default() }).unwrap();
    let steps = |balls: &mut Balls, props: &Props, count| (0..count).for_each(|_| balls.step(&floor, props, None));
    let height = |balls: &Balls, ball| balls.get(ball).unwrap().position().y;
    steps(&mut balls, &props, 8 * SECOND);
    assert!(balls.iter().all(|ball| ball.is_asleep()));
    assert!((height(&balls, on_table) - 1.12).abs() < 1e-3);
    // Another one far off wakes nobody.
    let other = props.add("other", model, Transform::at(Vec3::Z * 6.0), Met::Mesh).unwrap();
    steps(&mut balls, &props, 1);
    assert!(balls.iter().all(|ball| ball.is_asleep()));
    props.place(table, Transform::at(Vec3::new(-5.0, 0.5, 0.0))).unwrap();
    steps(&mut balls, &props, 1);
    assert!(!balls.get(on_table).unwrap().is_asleep() && balls.get(aside).unwrap().is_asleep());
    steps(&mut balls, &props, 8 * SECOND);
    assert!((height(&balls, on_table) - 0.12).abs() < 1e-3);
    assert!(balls.iter().all(|ball| ball.is_asleep()));
    // One that is put over a ball pushes it aside or up.
    props.place(other, Transform::at(Vec3::new(4.0, 0.5, 0.55))).unwrap();
    steps(&mut balls, &props, 8 * SECOND);
    let place = balls.get(aside).unwrap().position();
    assert!(place.z < 0.05 - 0.12 + 1e-3, "{place}");
    assert!(props.remove(table).is_some());
}
