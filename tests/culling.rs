//! Culling against a loop over all triangles in f64: nothing that touches the frustum is missing, nothing is drawn twice.

use glam::camera::rh::proj::directx;
use glam::{DVec3, Mat4, Vec3};
use nodetree::bench::EveryTriangle;
use nodetree::camera::Camera;
use nodetree::cull::{DrawList, visit_cells};
use nodetree::geometry::{Aabb, Containment, Frustum};
use nodetree::tree::{Mode, Settings, Tree};

mod support;
use support::Random;

/// Levels that are awkward in different ways, each with at least 1 000 triangles.
fn levels(seed: u64) -> Vec<(&'static str, Vec<[Vec3; 3]>)> {
    let random = &mut Random::new(seed);
    let mut soup = |count: usize, place: Vec3, spread: f32, size: f32| -> Vec<[Vec3; 3]> {
        (0..count)
            .map(|_| {
                let at = place + random.vector(spread);
                [at, at + random.vector(size), at + random.vector(size)]
            })
            .collect()
    };
    let mut far = soup(3000, Vec3::ZERO, 20.0, 1.0);
    far.push([Vec3::splat(1e6), Vec3::new(1e6, 2e6, 1e6), Vec3::new(1.1e6, 1e6, 1e6)]);
    let grid = (0..60 * 60 * 2).map(|i| {
        let (x, z) = ((i / 2 % 60) as f32 * 2.0, (i / 120) as f32 * 2.0);
        let quad = [(0.0, 0.0), (0.0, 2.0), (2.0, 2.0), (2.0, 0.0)].map(|(u, v)| Vec3::new(x + u, 0.0, z + v));
        if i % 2 == 0 { [quad[0], quad[1], quad[2]] } else { [quad[0], quad[2], quad[3]] }
    });
    vec![
        ("grid on cell planes", grid.collect()),
        ("far triangle", far),
        ("soup", soup(5000, Vec3::ZERO, 100.0, 4.0)),
        ("large and small", [soup(2000, Vec3::ZERO, 50.0, 60.0), soup(2000, Vec3::ZERO, 50.0, 0.1)].concat()),
        ("away from the origin", soup(3000, Vec3::new(5e4, 100.0, -7e4), 100.0, 5.0)),
        ("one centre", (0..1000).map(|i| [Vec3::X, Vec3::Y, Vec3::NEG_ONE].map(|p| p * (i + 1) as f32)).collect()),
    ]
}

/// Frusta of every kind: perspective with and without a far plane, orthographic, narrow, wide, in and outside.
fn frustum(random: &mut Random, bounds: &Aabb) -> Frustum {
    let size = bounds.size().max_element();
    let place = bounds.center() + random.vector(0.7 * size);
    let (yaw, pitch) = (random.range(-3.2, 3.2), random.range(-1.57, 1.57));
    let camera = Camera {
        eye: place,
        yaw,
        pitch,
        fov_y: random.range(0.02, 2.5),
        aspect: random.range(0.2, 4.0),
        near: random.range(0.001, 0.05) * size.min(1000.0),
        view_distance: (random.below(3) == 0).then(|| random.range(0.1, 1.0) * size.min(1e4) + 100.0),
    };
    let clip_from_world = if random.below(4) == 0 {
        let half = random.range(0.01, 0.5) * size.min(1e4);
        let clip_from_eye: Mat4 = directx::orthographic(-half, half, -half, half, 0.0, 3.0 * half);
        clip_from_eye * camera.eye_from_world()
    } else {
        camera.clip_from_world()
    };
    Frustum::from_clip_from_world(clip_from_world)
}

/// Whether the box of a triangle is not wholly outside one of the planes, in f64.
fn touches(frustum: &Frustum, corners: &[Vec3; 3]) -> bool {
    let bounds = Aabb::around(*corners);
    frustum.planes().iter().all(|plane| {
        let normal = plane.normal.as_dvec3();
        let farthest =
            std::array::from_fn(|axis| f64::from(if normal[axis] < 0.0 { bounds.min[axis] } else { bounds.max[axis] }));
        normal.dot(DVec3::from_array(farthest)) + f64::from(plane.distance) >= 0.0
    })
}

/// Checks a list against its tree and frustum; gives the triangles drawn and needed.
fn check(list: &DrawList, tree: &Tree, frustum: &Frustum, corners: &[[Vec3; 3]], materials: &[u32], what: &str) {
    let mut drawn = vec![false; corners.len()];
    let mut last = None;
    for range in list.ranges() {
        assert!(range.count > 0, "{what}: an empty range");
        assert!(last < Some((range.material, range.first)), "{what}: ranges out of order");
        last = Some((range.material, range.first));
        for &number in &tree.groups().triangles()[range.first as usize..][..range.count as usize] {
            assert!(!drawn[number as usize], "{what}: triangle {number} is drawn twice");
            assert_eq!(materials[number as usize], range.material, "{what}: triangle {number} in another's range");
            drawn[number as usize] = true;
        }
    }
    for (number, _) in tree.triangles() {
        let needed = touches(frustum, &corners[number as usize]);
        assert!(drawn[number as usize] || !needed, "{what}: triangle {number} touches the frustum and is not drawn");
    }
    let statistics = list.statistics();
    assert_eq!(statistics.triangles as usize, drawn.iter().filter(|&&drawn| drawn).count(), "{what}");
    assert_eq!(statistics.visited, statistics.inside + statistics.crossing + statistics.outside, "{what}");
}

#[test]
fn every_triangle_that_touches_the_frustum_is_drawn_once() {
    for seed in 0..3 {
        for (kind, corners) in levels(seed) {
            let materials: Vec<u32> = (0..corners.len() as u32).map(|number| number / 5 % 7).collect();
            for (mode, leaf_triangles) in [(Mode::Quadtree, 32), (Mode::Octree, 32), (Mode::Octree, 4)] {
                let settings = Settings { mode, leaf_triangles, leaf_size: 0.5 };
                let tree = Tree::from_triangles(&corners, &materials, &settings);
                tree.validate(&corners, &materials).unwrap();
                let random = &mut Random::new(seed);
                let mut list = DrawList::new();
                for pose in 0..60 {
                    let frustum = frustum(random, &tree.bounds());
                    list.cull(&tree, &frustum);
                    let what = format!("{kind}, {mode:?}, {leaf_triangles} a leaf, seed {seed}, pose {pose}");
                    check(&list, &tree, &frustum, &corners, &materials, &what);
                }
            }
        }
    }
}

#[test]
fn everything_draws_each_triangle_once_with_one_range_a_material() {
    for (kind, corners) in levels(9) {
        let materials: Vec<u32> = (0..corners.len() as u32).map(|number| number % 3).collect();
        let tree = Tree::from_triangles(&corners, &materials, &Settings::new(Mode::Octree));
        let mut list = DrawList::new();
        list.everything(&tree);
        assert_eq!(list.ranges().len(), 3, "{kind}");
        check(&list, &tree, &Frustum::from_planes([]), &corners, &materials, kind);
    }
}

#[test]
fn a_tree_without_triangles_draws_nothing() {
    let tree = Tree::from_triangles(&[], &[], &Settings::new(Mode::Quadtree));
    let mut list = DrawList::new();
    list.cull(&tree, &Frustum::from_clip_from_world(Camera::default().clip_from_world()));
    assert_eq!(list.ranges(), []);
    list.everything(&tree);
    assert_eq!(list.ranges(), []);
    assert_eq!(tree.validate(&[], &[]), Ok(()));
}

#[test]
fn cells_are_told_inside_only_when_they_are() {
    let (_, corners) = levels(4).swap_remove(2);
    let tree = Tree::from_triangles(&corners, &vec![0; corners.len()], &Settings::new(Mode::Octree));
    let random = &mut Random::new(77);
    for _ in 0..200 {
        let frustum = frustum(random, &tree.bounds());
        visit_cells(&tree, &frustum, |cell, containment| {
            let bounds = tree.groups().cells()[cell as usize].bounds;
            let corners = (0..8).map(|corner| {
                Vec3::from_array([0, 1, 2].map(|a| if corner >> a & 1 == 0 { bounds.min[a] } else { bounds.max[a] }))
            });
            if containment == Containment::Inside {
                for corner in corners {
                    assert!(frustum.planes().iter().all(|plane| plane.signed_distance(corner) > -1e-3));
                }
            }
        });
    }
}

#[test]
fn an_infinite_far_plane_is_left_out() {
    let camera = Camera::default();
    assert_eq!(Frustum::from_clip_from_world(camera.clip_from_world()).planes().len(), 5);
    let camera = Camera { view_distance: Some(100.0), ..camera };
    let frustum = Frustum::from_clip_from_world(camera.clip_from_world());
    assert_eq!(frustum.planes().len(), 6);
    assert_eq!(frustum.test_point(Vec3::new(0.0, 0.0, -99.0)), Containment::Inside);
    assert_eq!(frustum.test_point(Vec3::new(0.0, 0.0, -101.0)), Containment::Outside);
    assert_eq!(frustum.test_point(Vec3::new(0.0, 0.0, 1.0)), Containment::Outside);
}

#[test]
fn shapes_are_told_outside_crossing_and_inside() {
    let camera = Camera { fov_y: 90_f32.to_radians(), aspect: 1.0, ..Camera::default() };
    let frustum = Frustum::from_clip_from_world(camera.clip_from_world());
    let at = |x: f32| Vec3::new(x, 0.0, -10.0);
    // The right plane passes through x = 10 at this depth, at 45 degrees.
    for (x, containment) in [(0.0, Containment::Inside), (10.0, Containment::Crossing), (13.0, Containment::Outside)] {
        assert_eq!(frustum.test_cube(at(x), 1.0), containment, "cube at {x}");
        assert_eq!(frustum.test_sphere(at(x), 1.0), containment, "sphere at {x}");
        let bounds = Aabb { min: at(x) - Vec3::ONE, max: at(x) + Vec3::ONE };
        assert_eq!(frustum.test_box(&bounds), containment, "box at {x}");
        assert_eq!(frustum.test_point(at(x)), containment, "point at {x}");
    }
    assert_eq!(frustum.test_sphere(at(11.3), 1.0), Containment::Crossing, "10 + sqrt 2 is where a ball of 1 m leaves");
    assert_eq!(frustum.test_sphere(at(11.5), 1.0), Containment::Outside);
    assert_eq!(frustum.test_box(&Aabb::EMPTY), Containment::Outside);
    // Larger than the frustum, around the eye.
    assert_eq!(frustum.test_cube(Vec3::ZERO, 1e4), Containment::Crossing);
}

#[test]
fn the_loop_over_every_triangle_agrees_with_f64() {
    for (kind, corners) in levels(5) {
        let mut every = EveryTriangle::new(corners.iter().copied());
        let bounds = Aabb::around(corners.iter().flatten().copied());
        let random = &mut Random::new(3);
        for _ in 0..20 {
            let frustum = frustum(random, &bounds);
            let visible = every.cull(&frustum);
            let needed = corners.iter().filter(|corners| touches(&frustum, corners)).count();
            assert!(visible.len().abs_diff(needed) <= needed / 500 + 2, "{kind}: {} for {needed}", visible.len());
        }
    }
}
