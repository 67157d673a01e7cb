//! Walkers and props: what is met beside the level is met as if it were in it, and what moves carries whom it holds.

mod support;

use std::sync::Arc;

use glam::{DVec3, Quat, Vec3};
use nodetree::bodies::{Body, Met, Model, Nearby, PropId, Props, Transform};
use nodetree::level::Level;
use nodetree::tree::{Mode, Settings as TreeSettings, Tree};
use nodetree::walk::{Input, STEP, Settings, StepReport, Walker};

use support::{cuboid, hard, level_of, tree};

const SECOND: usize = 120;

fn octree(triangles: &[[Vec3; 3]]) -> Tree {
    tree(triangles, &TreeSettings::new(Mode::Octree))
}

/// Two triangles of a floor at height 0.
fn floor(half: f32) -> Vec<[Vec3; 3]> {
    let corner = |x: f32, z: f32| Vec3::new(half * x, 0.0, half * z);
    let [a, b, c, d] = [corner(-1.0, -1.0), corner(-1.0, 1.0), corner(1.0, 1.0), corner(1.0, -1.0)];
    vec![[a, b, c], [a, c, d]]
}

/// A level, props in it, and a walker.
struct Place {
    tree: Tree,
    props: Props,
    nearby: Nearby,
    walker: Walker,
    settings: Settings,
}

impl Place {
    fn new(level: &[[Vec3; 3]], feet: [f32; 3]) -> Place {
        Place {
            tree: octree(level),
            props: Props::new(),
            nearby: Nearby::new(),
            walker: Walker::new(Vec3::from(feet), 0.0),
            settings: Settings::default(),
        }
    }

    fn add(&mut self, triangles: &[[Vec3; 3]], transform: Transform, met: Met) -> PropId {
        let model = Arc::new(Model::new(level_of(triangles), &TreeSettings::new(Mode::Octree)));
        let model = self.props.add_model(model);
        self.props.add("", model, transform, met).expect("a prop")
    }

    fn step(&mut self, input: &Input) -> StepReport {
        self.nearby.gather(&self.tree, &self.props, &mut self.walker, &self.settings, input);
        self.walker.step(self.nearby.beside(&self.tree), &self.settings, input)
    }

    fn wait(&mut self, steps: usize) {
        (0..steps).for_each(|_| {
            self.step(&Input::default());
        });
    }

    fn move_prop(&mut self, id: PropId, way: Vec3) {
        let transform = *self.props.get(id).expect("it is there").transform();
        let moved = Transform { translation: transform.translation + way, ..transform };
        self.props.place(id, moved).expect("a place");
    }
}

/// East, where yaw 0 looks north.
fn east(fast: bool) -> Input {
    Input { right: 1.0, fast, ..Input::default() }
}

/// Half of a level's triangles in the level and half in props: the walk is that through the whole level.
#[test]
fn what_stands_beside_the_level_is_met_as_if_in_it() {
    let places = [
        ("spiral stairs", hard::spiral_stairs()),
        ("rubble", hard::rubble()),
        ("ramps", hard::ramps()),
        ("steps", hard::steps()),
        ("seams", hard::seams()),
    ];
    for (name, (triangles, spawn)) in places {
        let feet = spawn.unwrap_or_else(|| Tree::bounds(&octree(&triangles)).center());
        let whole = octree(&triangles);
        let halves: [Vec<[Vec3; 3]>; 2] = [0, 1].map(|half| triangles.iter().skip(half).step_by(2).copied().collect());
        for turn in 0..6 {
            let mut place = Place::new(&halves[0], feet.to_array());
            place.add(&halves[1], Transform::default(), Met::Mesh);
            let mut alone = place.walker.clone();
            let input = Input { forward: 1.0, yaw: turn as f32, fast: turn % 2 == 0, ..Input::default() };
            let mut met = 0;
            for step in 0..2 * SECOND {
                let report = place.step(&input);
                let wanted = alone.step(&whole, &place.settings, &input);
                met += place.walker.contacts().iter().filter(|contact| contact.is_loose).count();
                let apart = place.walker.feet_exact().distance(alone.feet_exact());
                // Of triangles as near as each other, as at a seam, the one that is met first decides the last digits.
                assert!(apart < 1e-4, "{name}, {turn}, step {step}: {apart} m apart");
                assert_eq!(report.grounded, wanted.grounded, "{name}, {turn}, step {step}");
            }
            assert!(met > 0, "{name}, {turn}: no prop was met");
        }
    }
}

#[test]
fn a_crate_stops_and_is_told() {
    let mut place = Place::new(&floor(20.0), [0.0, 0.0, 0.0]);
    let turned = Transform { rotation: Quat::from_rotation_y(0.3), ..Transform::at(Vec3::new(3.0, 1.0, 0.0)) };
    let crate_id = place.add(&cuboid(Vec3::splat(-1.0), Vec3::splat(1.0)), turned, Met::Mesh);
    let mut told = None;
    for _ in 0..SECOND {
        place.step(&Input { right: 1.0, forward: 0.25, ..Input::default() });
        told = told
            .or(place.walker.impacts(&place.settings, &place.nearby).find(|contact| contact.bodies[1] != Body::Level));
    }
    let contact = told.expect("it was met");
    assert_eq!(contact.bodies, [Body::Walker, Body::Prop(crate_id)]);
    assert!(contact.triangle.is_some() && contact.normal.x < -0.9, "{contact:?}");
    assert!(contact.material(&Level::default(), &place.props).is_some());
    assert!(place.walker.feet().x < 2.1, "{}", place.walker.feet());
}

#[test]
fn a_hidden_prop_is_met_and_one_met_by_nothing_is_not() {
    for (met, hidden, stops) in [(Met::Mesh, true, true), (Met::Nothing, false, false), (Met::Radius(1.0), false, true)]
    {
        let mut place = Place::new(&floor(20.0), [0.0, 0.0, 0.0]);
        let id = place.add(&cuboid(Vec3::splat(-1.0), Vec3::splat(1.0)), Transform::at(Vec3::new(3.0, 0.9, 0.0)), met);
        place.props.set_hidden(id, hidden);
        for _ in 0..2 * SECOND {
            place.step(&east(false));
        }
        let x = place.walker.feet().x;
        assert_eq!(x < 2.0, stops, "{met:?}: {x}");
        // Of a ball of radius 1 the walker is stopped at the height of its middle.
        assert!(met != Met::Radius(1.0) || (1.6..1.7).contains(&x), "{x}");
    }
}

#[test]
fn steps_made_of_props_are_climbed() {
    let mut place = Place::new(&floor(20.0), [0.0, 0.0, 0.0]);
    for step in 0..6 {
        let at = Vec3::new(2.0 + 0.35 * step as f32, 0.17 * step as f32, 0.0);
        place.add(&cuboid(Vec3::new(0.0, -1.0, -1.0), Vec3::new(4.0, 0.17, 1.0)), Transform::at(at), Met::Mesh);
    }
    for _ in 0..SECOND + SECOND / 2 {
        place.step(&east(false));
    }
    assert!(place.walker.grounded());
    assert!((place.walker.feet().y - 6.0 * 0.17).abs() < 0.03, "{}", place.walker.feet());
}

#[test]
fn a_lift_takes_up_and_down() {
    let mut place = Place::new(&floor(20.0), [0.0, 0.5, 0.0]);
    let lift = place.add(
        &cuboid(Vec3::new(-2.0, -0.2, -2.0), Vec3::new(2.0, 0.2, 2.0)),
        Transform::at(Vec3::Y * 0.2),
        Met::Mesh,
    );
    place.wait(SECOND / 2);
    for speed in [0.5_f32, 2.0, -0.5, -2.0] {
        for _ in 0..SECOND {
            place.move_prop(lift, Vec3::Y * speed * STEP as f32);
            let report = place.step(&Input::default());
            let top = f64::from(place.props.get(lift).expect("the lift").transform().translation.y) + 0.2;
            let above = place.walker.feet_exact().y - top;
            assert!(report.grounded && (-1e-3..0.03).contains(&above), "{speed} m/s: {above} m above, {report:?}");
        }
    }
}

#[test]
fn a_platform_carries_along_and_no_further_than_a_wall() {
    let mut triangles = floor(20.0);
    triangles.extend(cuboid(Vec3::new(5.0, 0.0, -5.0), Vec3::new(5.1, 5.0, 5.0)));
    let mut place = Place::new(&triangles, [0.0, 0.7, 0.0]);
    let platform = place.add(
        &cuboid(Vec3::new(-2.0, -0.2, -2.0), Vec3::new(2.0, 0.2, 2.0)),
        Transform::at(Vec3::Y * 0.3),
        Met::Mesh,
    );
    place.wait(SECOND / 2);
    let start = place.walker.feet_exact();
    for step in 1..=3 * SECOND {
        place.move_prop(platform, Vec3::X * 2.0 * STEP as f32);
        place.step(&Input::default());
        let wanted = start.x + 2.0 * STEP * step as f64;
        // The platform passes through the wall; the walker does not.
        let x = place.walker.feet_exact().x;
        assert!((x - wanted.min(5.0 - 0.36)).abs() < 0.02, "step {step}: {x}, not {wanted}");
    }
    assert!(place.walker.grounded());
}

#[test]
fn a_turning_platform_takes_round() {
    let mut place = Place::new(&floor(30.0), [3.0, 0.7, 0.0]);
    let disc = place.add(
        &cuboid(Vec3::new(-5.0, -0.2, -5.0), Vec3::new(5.0, 0.2, 5.0)),
        Transform::at(Vec3::Y * 0.3),
        Met::Mesh,
    );
    place.wait(SECOND / 2);
    for step in 1..=2 * SECOND {
        let angle = 0.5 * STEP as f32 * step as f32;
        let turned = Transform { rotation: Quat::from_rotation_y(angle), ..Transform::at(Vec3::Y * 0.3) };
        place.props.place(disc, turned).expect("a place");
        place.step(&Input::default());
        let wanted = Quat::from_rotation_y(angle) * Vec3::new(3.0, 0.0, 0.0);
        let feet = place.walker.feet();
        assert!(Vec3::new(feet.x, 0.0, feet.z).distance(wanted) < 0.02, "step {step}: {feet}, not {wanted}");
    }
}

#[test]
fn what_closes_in_pushes_and_puts_nobody_through_a_wall() {
    let mut triangles = floor(20.0);
    triangles.extend(cuboid(Vec3::new(1.5, 0.0, -5.0), Vec3::new(1.6, 5.0, 5.0)));
    let mut place = Place::new(&triangles, [0.0, 0.0, 0.0]);
    let press = place.add(
        &cuboid(Vec3::new(-1.0, 0.0, -2.0), Vec3::new(1.0, 3.0, 2.0)),
        Transform::at(Vec3::X * -3.0),
        Met::Mesh,
    );
    place.wait(SECOND / 4);
    for _ in 0..3 * SECOND {
        place.move_prop(press, Vec3::X * STEP as f32);
        place.step(&Input::default());
        assert!(place.walker.feet().x < 1.5, "{}", place.walker.feet());
    }
}

#[test]
fn a_prop_that_is_gone_carries_nobody() {
    let mut place = Place::new(&floor(20.0), [0.0, 0.7, 0.0]);
    let platform = place.add(&cuboid(Vec3::splat(-0.5), Vec3::splat(0.5)), Transform::at(Vec3::Y * 0.1), Met::Mesh);
    place.wait(SECOND / 2);
    assert!(place.walker.grounded() && place.walker.feet().y > 0.5);
    place.props.remove(platform);
    place.wait(SECOND);
    assert!(place.walker.grounded() && place.walker.feet().y.abs() < 0.03, "{}", place.walker.feet());
    assert_eq!(place.nearby.len(), 0);
    assert!(place.walker.feet_exact().with_y(0.0).distance(DVec3::ZERO) < 1e-3);
}
