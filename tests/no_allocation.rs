//! Culling, questions and walking allocate nothing once their buffers have grown.

use std::sync::Arc;

use allocation_counter::measure;
use glam::{DVec3, Vec3};
use nodetree::bench::CopyIndices;
use nodetree::bodies::{self, Balls, Met, Model, Nearby, Props, Throw, Transform, VisibleBodies};
use nodetree::camera::Camera;
use nodetree::cull::DrawList;
use nodetree::generate::{self, Options};
use nodetree::geometry::{Frustum, Ray};
use nodetree::query::{Faces, Slide, Sweep, Which};
use nodetree::tree::{Mode, Settings, Tree};
use nodetree::walk::{self, Follow, FollowSettings, Input, Walker};

/// Runs `work` twice, first to let buffers grow, and counts what the second run allocates.
fn allocations(mut work: impl FnMut()) -> u64 {
    work();
    measure(work).count_total
}

#[test]
fn the_steady_state_allocates_nothing() {
    let level = generate::terrain(&Options { triangles: 20_000, seed: 3 });
    let feet = level.to_local(level.spawn.expect("a spawn point").feet);
    for mode in [Mode::Quadtree, Mode::Octree] {
        let tree = Tree::build(&level, &Settings::new(mode));
        let frusta: Vec<Frustum> = (0..100)
            .map(|i| Camera { eye: feet + Vec3::Y * 2.0, yaw: i as f32 * 0.1, ..Camera::default() })
            .map(|camera| Frustum::from_clip_from_world(camera.clip_from_world()))
            .collect();
        let mut list = DrawList::new();
        let culling = allocations(|| frusta.iter().for_each(|frustum| list.cull(&tree, frustum)));
        assert_eq!(culling, 0, "{mode:?}: culling");
        assert!(!list.ranges().is_empty());

        let mut classic = CopyIndices::new(&level, mode, 64);
        let copying = allocations(|| {
            frusta.iter().for_each(|frustum| {
                classic.cull(frustum);
            });
        });
        assert_eq!(copying, 0, "{mode:?}: the classic baseline has its buffers from the start");

        let (mut hits, mut heights, mut near, mut contacts) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let mut found = 0;
        let questions = allocations(|| {
            for i in 0..200 {
                let place = feet + Vec3::new(i as f32 * 0.3 - 30.0, 5.0, (i * 7 % 60) as f32 - 30.0);
                let ray = Ray::new(place, Vec3::new(0.1 * (i % 5) as f32, -1.0, 0.0)).expect("a direction");
                found += u32::from(tree.ray(&ray, f32::INFINITY, Faces::Both).is_some());
                found += u32::from(tree.any_hit(&ray, 100.0, Faces::Front));
                hits.clear();
                tree.all_hits(&ray, f32::INFINITY, Faces::Both, &mut hits);
                heights.clear();
                tree.heights(place.x, place.z, &mut heights);
                near.clear();
                tree.triangles_in_sphere(place, 6.0, &mut near);
                found += u32::from(tree.height(place, Which::Closest, 0.0).is_some());
                found += u32::from(tree.segment(place, feet).is_some());
                found += u32::from(tree.closest_point(place).is_some());
                tree.way_out(place - Vec3::Y * 5.0, 0.4);
                found += u32::from(tree.sweep(&Sweep::sphere(place, 0.4, Vec3::NEG_Y * 9.0)).is_some());
                contacts.clear();
                tree.slide(&Slide::sphere(place, 0.4, Vec3::new(1.0, -9.0, 0.5)), &mut contacts);
            }
        });
        assert_eq!(questions, 0, "{mode:?}: questions");
        assert!(found > 1000, "{mode:?}: the questions must find something, found {found}");

        let settings = walk::Settings::default();
        let mut walker = Walker::new(feet, 0.0);
        let mut follow = Follow::new(FollowSettings::default());
        let walking = allocations(|| {
            for step in 0..600_u16 {
                let yaw = f32::from(step / 60);
                let input = Input { forward: 1.0, yaw, jump: step % 97 == 0, fast: step % 2 == 0, ..walker.input() };
                walker.step(&tree, &settings, &input);
                follow.place(&tree, &mut Camera { eye: walker.eye(&settings), yaw, ..Camera::default() }, 0.01);
            }
        });
        assert_eq!(walking, 0, "{mode:?}: walking and following");

        let mut props = Props::new();
        let barrels = props.add_model(Arc::new(Model::new(generate::props::barrel(), &Settings::new(mode))));
        for i in 0..20_u8 {
            let place = feet + Vec3::new(f32::from(i % 5) - 2.0, 0.3, f32::from(i / 5) - 2.0);
            props.add("", barrels, Transform::at(place), Met::Mesh).expect("a prop that can be");
        }
        let mut visitor = Walker::new(feet, 0.0);
        let mut nearby = Nearby::new();
        let mut among = 0;
        let walking = allocations(|| {
            visitor.place(feet);
            for step in 0..240_u16 {
                let input = Input { forward: 1.0, yaw: f32::from(step / 40), ..visitor.input() };
                nearby.gather(&tree, &props, &mut visitor, &settings, &input);
                visitor.step(nearby.beside(&tree), &settings, &input);
                among += nearby.len();
            }
        });
        assert_eq!(walking, 0, "{mode:?}: walking among props");
        assert!(among > 10_000, "{mode:?}: props must be near");

        let mut balls = Balls::new(bodies::Settings::default()).expect("settings that make sense");
        let mut visible = VisibleBodies::new();
        let mut met = 0;
        let flying = allocations(|| {
            balls.clear();
            for i in 0..200_u8 {
                let offset = DVec3::new(f64::from(i % 7), 3.0 + 0.3 * f64::from(i / 7), f64::from(i % 5));
                balls
                    .throw(&Throw { position: feet.as_dvec3() + offset, ..Throw::default() })
                    .expect("a ball that can be");
            }
            for _ in 0..240 {
                balls.step(&tree, &props, None);
                met += balls.contacts().len();
            }
            frusta.iter().for_each(|frustum| visible.cull(&props, &balls, Some(frustum)));
        });
        assert_eq!(flying, 0, "{mode:?}: balls");
        assert!(met > 1000 && visible.of() > 100, "{mode:?}: they must meet something");
        assert!(walker.feet().distance(feet) > 0.5, "{mode:?}: it must have walked");
    }
}
