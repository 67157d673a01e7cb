//! Trees over levels that made other trees explode, lose triangles or look at everything. Cases are numbered as in the list of
//! cases.

mod support;

use glam::{Vec3, vec3};
use nodetree::geometry::Ray;
use nodetree::query::Faces;
use nodetree::tree::{Mode, Settings};

use support::levels::{self, terrain};
use support::{Random, brute, fan, tree, trees};

fn ray(origin: Vec3, direction: Vec3) -> Ray {
    Ray::new(origin, direction).unwrap()
}

/// The most leaves and nodes that a vertical ray looks at, through corners, edges and faces of a grid.
fn most_looked_at(triangles: &[[Vec3; 3]], mode: Mode, cells: usize) -> (u32, u32) {
    let tree = tree(triangles, &Settings { mode, leaf_triangles: 8, leaf_size: 0.5 });
    let (mut most_leaves, mut most_nodes) = (0, 0);
    for i in 0..cells {
        for (x, z) in [(i as f32, i as f32), (i as f32, i as f32 + 0.5), (i as f32 + 0.25, i as f32 + 0.5)] {
            let down = ray(vec3(x, 9.0, z), Vec3::NEG_Y);
            let hit = tree.ray(&down, f32::INFINITY, Faces::Both).expect("a gap");
            assert!((7.0..=9.0).contains(&hit.distance), "{hit:?}");
            let cost = tree.ray_cost(&down, f32::INFINITY);
            (most_leaves, most_nodes) = (most_leaves.max(cost.packets), most_nodes.max(cost.nodes));
        }
    }
    (most_leaves, most_nodes)
}

/// Cases 9, cost of vertical rays, and 49, boxes without thickness.
#[test]
fn vertical_rays_on_a_regular_grid_look_at_few_leaves() {
    let mut random = Random::new(9);
    for mode in [Mode::Quadtree, Mode::Octree] {
        let mut of_size = |cells, bump: f32| {
            let triangles = terrain(cells, Vec3::ZERO, 1.0, |_, _| random.range(0.0, bump));
            most_looked_at(&triangles, mode, cells)
        };
        let ((few_leaves, few_nodes), (many_leaves, many_nodes)) = (of_size(32, 0.0), of_size(256, 0.0));
        assert!(many_leaves <= few_leaves.max(16), "{few_leaves} leaves became {many_leaves}");
        // Three more levels, of which at a corner of four cells four children are looked into.
        assert!(many_nodes <= few_nodes + 3 * 4 * 8, "{few_nodes} nodes became {many_nodes}");
        // Flat boxes cost no more than bumpy ones.
        let (bumpy_leaves, bumpy_nodes) = of_size(256, 2.0);
        assert!(many_leaves <= 2 * bumpy_leaves && many_nodes <= 2 * bumpy_nodes);
    }
}

/// Case 46, tree: walls on cell planes, and a micrometre off them.
#[test]
fn walls_on_and_beside_cell_planes_are_owned_once() {
    for offset in [0.0, 1e-6, -1e-6] {
        let mut triangles = Vec::new();
        for i in -8..=8 {
            let x = i as f32 + offset;
            triangles.extend(fan(&[vec3(x, 0.0, -8.0), vec3(x, 0.0, 8.0), vec3(x, 4.0, 8.0), vec3(x, 4.0, -8.0)]));
        }
        for tree in trees(&triangles) {
            assert_eq!(tree.validate(&triangles, &vec![0; triangles.len()]), Ok(()));
            for (y, z) in [(1.0, 0.0), (2.0, 0.0), (0.5, -4.0), (1.7, 3.3)] {
                let mut hits = Vec::new();
                tree.all_hits(&ray(vec3(-20.0, y, z), Vec3::X), f32::INFINITY, Faces::Both, &mut hits);
                assert_eq!(hits.len(), 17, "{y} {z}");
            }
        }
    }
}

/// Case 47, tree: no more references than triangles.
#[test]
fn large_triangles_are_not_multiplied() {
    let mut random = Random::new(47);
    let mut triangles = levels::soup(&mut random, 200_000, 100.0);
    triangles.iter_mut().step_by(1000).for_each(|triangle| *triangle = triangle.map(|corner| 50.0 * corner));
    for mode in [Mode::Quadtree, Mode::Octree] {
        let tree = tree(&triangles, &Settings::new(mode));
        assert_eq!(tree.validate(&triangles, &vec![0; triangles.len()]), Ok(()));
        assert_eq!(tree.triangle_count(), triangles.len());
        assert!(tree.nodes().len() < triangles.len());
    }
}

/// Case 48, tree: no plane divides what has one centre.
#[test]
fn ten_thousand_triangles_with_one_centre_make_a_small_tree() {
    let mut random = Random::new(48);
    let mut triangles: Vec<[Vec3; 3]> = (0..10_000)
        .map(|_| {
            // The box of each is centred at 1, 2, 3.
            let half = vec3(random.range(0.1, 4.0), random.range(0.1, 4.0), random.range(0.1, 4.0));
            let center = vec3(1.0, 2.0, 3.0);
            [center - half, center + half, center + half * vec3(1.0, -1.0, random.range(-1.0, 1.0))]
        })
        .collect();
    triangles.push([vec3(1e5, 0.0, 0.0), vec3(1e5, 1.0, 0.0), vec3(1e5, 0.0, 1.0)]);
    for tree in trees(&triangles) {
        let deepest = tree.nodes().iter().map(|node| node.level).max().unwrap();
        assert!(tree.triangle_count() == 10_001 && tree.nodes().len() < 25_000 && deepest <= 42);
        let (origin, direction) = (vec3(1.2, 9.0, 3.1), vec3(0.0, -1.0, 0.01));
        let truth = brute::crossings(&triangles, origin.as_dvec3(), direction.as_dvec3());
        let hit = tree.ray(&ray(origin, direction), f32::INFINITY, Faces::Both).expect("no hit");
        assert!((f64::from(hit.distance) - truth[0].distance).abs() < 1e-5, "{hit:?} {truth:?}");
    }
}
