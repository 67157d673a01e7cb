//! Rays, boxes and heights that other programs got wrong, with the right values. Cases are numbered as in the list of cases.

mod support;

use glam::{DVec3, Vec3, vec3};
use nodetree::geometry::triangle::height_at;
use nodetree::geometry::{Aabb, Ray};
use nodetree::query::{Faces, RayHit, Sweep, Which};
use nodetree::tree::{Mode, Settings, Tree};

use support::levels::{self, terrain};
use support::{Random, brute, cuboid, fan, tree, trees};

fn ray(origin: Vec3, direction: Vec3) -> Ray {
    Ray::new(origin, direction).unwrap()
}

fn nearest(tree: &Tree, ray: &Ray) -> Option<RayHit> {
    tree.ray(ray, f32::INFINITY, Faces::Both)
}

fn all(tree: &Tree, ray: &Ray) -> Vec<RayHit> {
    let mut hits = Vec::new();
    tree.all_hits(ray, f32::INFINITY, Faces::Both, &mut hits);
    hits
}

#[track_caller]
fn assert_distance(hit: Option<RayHit>, distance: f32) {
    let hit = hit.expect("no hit");
    assert!((hit.distance - distance).abs() <= 1e-5 * distance, "{hit:?}, not at {distance}");
}

/// An upright square from -1 to 1 in X and Y at `z`, its front towards +Z.
fn square(z: f32) -> Vec<[Vec3; 3]> {
    fan(&[vec3(-1.0, -1.0, z), vec3(1.0, -1.0, z), vec3(1.0, 1.0, z), vec3(-1.0, 1.0, z)])
}

/// A floor at Y 0 from (`x`, `z`), its front up.
fn floor(x: [f32; 2], z: [f32; 2]) -> Vec<[Vec3; 3]> {
    fan(&[vec3(x[0], 0.0, z[0]), vec3(x[0], 0.0, z[1]), vec3(x[1], 0.0, z[1]), vec3(x[1], 0.0, z[0])])
}

/// Case 1, watertight: along the diagonal that two triangles share.
#[test]
fn a_ray_through_the_diagonal_of_a_quad_hits_it() {
    let corners = [vec3(-5.0, -5.0, 0.0), vec3(5.0, -5.0, 0.0), vec3(5.0, 5.0, 0.0), vec3(-5.0, 5.0, 0.0)];
    for tree in trees(&fan(&corners)) {
        let hit = nearest(&tree, &ray(vec3(0.0, 0.0, 10.0), vec3(0.304_584_47, 0.304_584_47, -0.902_472_5))).unwrap();
        assert!(hit.point.distance(vec3(3.375, 3.375, 0.0)) < 1e-5 * 3.375, "{hit:?}");
    }
}

/// Case 2, watertight: one hit where two triangles meet.
#[test]
fn the_diagonal_counts_once() {
    for tree in trees(&square(0.0)) {
        for direction in [Vec3::NEG_Z, vec3(-0.0, 0.0, -1.0), vec3(0.0, -0.0, -3.0)] {
            let hits = all(&tree, &ray(Vec3::Z, direction));
            assert_eq!(hits.iter().map(|hit| hit.distance).collect::<Vec<_>>(), [1.0]);
            assert_eq!((hits[0].normal, hits[0].front), (Vec3::Z, true));
            assert_distance(nearest(&tree, &ray(Vec3::Z, direction)), 1.0);
        }
    }
}

/// Case 3, watertight: a grid of rays that is aligned with the corners.
#[test]
fn no_ray_through_the_corners_of_a_closed_mesh_on_integers_misses() {
    // A block with bumps on top, every corner at integers.
    let mut random = Random::new(3);
    let mut triangles = cuboid(Vec3::ZERO, vec3(12.0, 2.0, 12.0));
    triangles.retain(|triangle| triangle.iter().any(|corner| corner.y != 2.0));
    triangles.extend(terrain(12, vec3(0.0, 2.0, 0.0), 1.0, |x, z| {
        if x % 12 == 0 || z % 12 == 0 { 0.0 } else { random.below(3) as f32 }
    }));
    for tree in trees(&triangles) {
        for (x, z) in (0..=12).flat_map(|x| (0..=12).map(move |z| (x as f32, z as f32))) {
            let down = ray(vec3(x, 50.0, z), Vec3::NEG_Y);
            assert!(nearest(&tree, &down).is_some_and(|hit| hit.front), "{x} {z}");
            assert_eq!(all(&tree, &down).len() % 2, 0, "{x} {z}");
            let is_inside = x % 12.0 != 0.0 && z % 12.0 != 0.0;
            let from_within = ray(vec3(x, 1.0, z), vec3(0.0, -1.0, 0.0));
            assert!(!is_inside || all(&tree, &from_within).len() == 1, "{x} {z}");
        }
    }
}

/// Case 4, watertight: vertical rays along the outermost column too.
#[test]
fn vertical_rays_through_every_corner_of_a_height_grid_hit() {
    let mut random = Random::new(4);
    let triangles = terrain(98, vec3(-49.0, 0.0, -49.0), 1.0, |_, _| random.range(0.0, 3.0));
    for tree in trees(&triangles) {
        for i in -49..=49 {
            for (x, z) in [(i as f32, -49.0), (-49.0, i as f32), (i as f32, i as f32), (-49.0, i as f32 + 0.37)] {
                if z <= 49.0 {
                    let hit = nearest(&tree, &ray(vec3(x, 9.0, z), Vec3::NEG_Y)).expect("a gap");
                    let height = tree.height(vec3(x, 9.0, z), Which::Below, 0.0);
                    assert!((height.unwrap() - hit.point.y).abs() < 1e-6);
                }
            }
        }
    }
}

/// Case 5, watertight: towards the nearest point of the surface, which lies on an edge.
#[test]
fn a_ray_to_the_closest_point_hits_at_its_distance() {
    let mut random = Random::new(5);
    let trees = trees(&cuboid(-Vec3::ONE, Vec3::ONE));
    let mut on_edges = 0;
    for _ in 0..2000 {
        let from = random.vector(4.0);
        let closest = from.clamp(-Vec3::ONE, Vec3::ONE);
        if closest == from {
            continue;
        }
        on_edges += usize::from(closest.abs().cmpeq(Vec3::ONE).bitmask().count_ones() > 1);
        for tree in &trees {
            assert_distance(nearest(tree, &ray(from, closest - from)), from.distance(closest));
            assert_eq!(tree.closest_point(from).map(|found| found.point), Some(closest));
        }
    }
    assert!(on_edges > 500);
}

/// Case 6, traversal: from inside the boxes of both children, nearly along the plane between them.
#[test]
fn the_nearer_hit_is_found_in_whichever_child_it_is() {
    // Two fans of large triangles on both sides of X = 0, their boxes overlapping there, and the ray close to that plane.
    let mut triangles = Vec::new();
    for i in 0..40 {
        let (side, z) = (if i % 2 == 0 { -1.0 } else { 1.0 }, -5.0 - i as f32);
        triangles.push([vec3(-2.0 * side, -3.0, z), vec3(9.0 * side, -3.0, z - 0.2), vec3(3.0 * side, 6.0, z - 0.1)]);
    }
    for tree in trees(&triangles) {
        for x in [-1e-3, 0.0, 1e-3] {
            for from in [0.0, -10.1, -20.1] {
                let (origin, direction) = (vec3(x, 0.0, from), vec3(-1e-4, 0.0, -1.0));
                let truth = brute::crossings(&triangles, origin.as_dvec3(), direction.as_dvec3());
                assert_distance(nearest(&tree, &ray(origin, direction)), truth[0].distance as f32);
            }
        }
    }
}

/// Case 7, axis: a direction without X.
#[test]
fn rays_with_no_x_agree_with_brute_force() {
    let triangles = levels::level(levels::Kind::Soup, 7);
    let mut random = Random::new(7);
    for tree in trees(&triangles) {
        for _ in 0..200 {
            let (origin, mut direction) = (random.vector(12.0), random.direction());
            direction.x = *random.pick(&[0.0, -0.0]);
            let truth = brute::crossings(&triangles, origin.as_dvec3(), direction.as_dvec3());
            match (nearest(&tree, &ray(origin, direction)), truth.first()) {
                (None, None) => {}
                (hit, Some(first)) => assert_distance(hit, first.distance as f32),
                (hit, None) => panic!("{hit:?} from {origin} along {direction}"),
            }
        }
    }
}

/// Case 8, axis: straight down beside, on and at the end of a seam.
#[test]
fn vertical_rays_beside_and_on_a_seam_hit() {
    let triangles = [floor([0.0, 1.0], [0.0, 1.0]), floor([1.0, 2.0], [0.0, 1.0])].concat();
    for tree in trees(&triangles) {
        for (x, height) in
            [(1.0 - 1e-6, 9.0), (1.0 + 1e-6, 9.0), (1.0, 9.0), (1.0 - 1e-5, 100.0), (2.0, 10.0), (0.0, 10.0)]
        {
            for direction in [Vec3::NEG_Y, vec3(-0.0, -1.0, -0.0)] {
                assert_distance(nearest(&tree, &ray(vec3(x, height, 0.4), direction)), height);
            }
        }
        assert_eq!(nearest(&tree, &ray(vec3(2.0_f32.next_up(), 10.0, 0.4), Vec3::NEG_Y)), None);
    }
}

/// Cases 10, a flat box, and 11, a false hit of boxes beside the ray.
#[test]
fn flat_boxes_are_hit_and_boxes_beside_are_not() {
    let flat = Aabb { min: vec3(-1.0, -1.0, 1.0), max: Vec3::ONE };
    let entry = ray(Vec3::ZERO, Vec3::Z).enter_box(&flat, 1.0).expect("a flat box is a box");
    assert!((1.0 - entry).abs() < 1e-6, "{entry}");
    let along_x = ray(Vec3::splat(-50.0), Vec3::X);
    for min in [vec3(-50.0, -50.0, -25.0), Vec3::ZERO] {
        assert_eq!(along_x.enter_box(&Aabb { min, max: min + Vec3::ONE }, f32::INFINITY), None);
    }
    let cubes: Vec<_> =
        [vec3(-50.0, -50.0, -25.0), Vec3::ZERO].iter().flat_map(|&min| cuboid(min, min + Vec3::ONE)).collect();
    for tree in trees(&cubes) {
        assert_eq!(nearest(&tree, &along_x), None);
        assert!(!tree.any_hit(&along_x, f32::INFINITY, Faces::Both));
    }
}

/// Case 12, NaN slab: an origin on a face of a box, and no motion along that axis.
#[test]
fn an_origin_on_a_box_face_leaves_the_answer_to_the_triangle() {
    let unit = Aabb { min: Vec3::ZERO, max: Vec3::ONE };
    for tree in trees(&cuboid(Vec3::ZERO, Vec3::ONE)) {
        for zero in [0.0, -0.0] {
            for y in [0.0, 1.0] {
                assert!(ray(vec3(0.25, y, 0.5), vec3(1.0, zero, zero)).enter_box(&unit, 0.0).is_some());
                assert!(ray(vec3(-1.0, y, 0.5), vec3(1.0, zero, zero)).enter_box(&unit, 1.0).is_some());
            }
            // In the plane of the top, which is not hit; along it the edges of two sides are.
            let hits = all(&tree, &ray(vec3(-1.0, 1.0, 0.5), vec3(1.0, zero, zero)));
            let met: Vec<_> = hits.iter().map(|hit| (hit.distance, hit.front)).collect();
            assert_eq!(met, [(1.0, true), (2.0, false)]);
            assert_distance(nearest(&tree, &ray(vec3(0.25, 1.0, 0.5), vec3(1.0, zero, zero))), 0.75);
            assert_eq!(nearest(&tree, &ray(vec3(0.25, 1.0_f32.next_up(), 0.5), vec3(1.0, zero, zero))), None);
        }
    }
}

/// Case 13, ends: a hit at exactly 0 or exactly the limit counts.
#[test]
fn intervals_are_closed() {
    for tree in trees(&floor([-5.0, 5.0], [-5.0, 5.0])) {
        let down = |y: f32| ray(vec3(1.0, y, 2.0), Vec3::NEG_Y);
        assert_eq!(tree.ray(&down(10.0), 10.0, Faces::Both).unwrap().distance, 10.0);
        assert!(tree.any_hit(&down(10.0), 10.0, Faces::Both));
        assert!(!tree.any_hit(&down(10.0), 10.0_f32.next_down(), Faces::Both));
        assert_eq!(tree.ray(&down(0.0), 10.0, Faces::Both).unwrap().distance, 0.0);
        assert_eq!(tree.ray(&down(0.0), 0.0, Faces::Both).unwrap().distance, 0.0);
        assert_eq!(tree.ray(&down(5e-5), 10.0, Faces::Both).unwrap().distance, 5e-5);
        let long = ray(vec3(1.0, 5e-5, 2.0), vec3(0.0, -1000.0, 0.0));
        assert_eq!(nearest(&tree, &long).unwrap().distance, 5e-5);
        assert_eq!(tree.segment(vec3(1.0, 5e-5, 2.0), vec3(1.0, 5e-5 - 1000.0, 2.0)), Some(5e-5));
        assert_eq!(tree.segment(vec3(1.0, 7.0, 2.0), vec3(1.0, 0.0, 2.0)), Some(7.0));
        assert_eq!(tree.segment(vec3(1.0, 0.0, 2.0), vec3(1.0, 7.0, 2.0)), Some(0.0));
        assert_eq!(tree.segment(vec3(1.0, 1e-6, 2.0), vec3(1.0, 7.0, 2.0)), None);
        assert_eq!(tree.segment(vec3(1.0, 0.0, 2.0), vec3(1.0, 0.0, 2.0)), Some(0.0));
        assert_eq!(tree.segment(Vec3::Y, Vec3::Y), None);
    }
}

#[test]
fn limits_that_are_no_limits_find_nothing() {
    let tree = tree(&floor([-5.0, 5.0], [-5.0, 5.0]), &Settings::new(Mode::Quadtree));
    let down = ray(Vec3::Y, Vec3::NEG_Y);
    for limit in [-1.0, f32::NAN, -f32::MIN_POSITIVE] {
        assert_eq!(tree.ray(&down, limit, Faces::Both), None);
        assert!(!tree.any_hit(&down, limit, Faces::Both));
        assert_eq!(tree.height(Vec3::Y, Which::Below, limit), None);
    }
    assert_eq!(tree.segment(Vec3::NAN, Vec3::ZERO), None);
    assert_eq!(tree.height(vec3(0.0, f32::INFINITY, 0.0), Which::Below, 0.0), None);
    assert!(nearest(&tree, &ray(Vec3::Y, vec3(-0.0, -1.0, 0.0))).is_some());
}

/// Case 14, false hit: nearly along a needle.
#[test]
fn a_skinny_triangle_is_not_hit_beyond_its_corners() {
    let triangle = [Vec3::ZERO, vec3(11.2, 0.0, 0.0), vec3(9.697, 0.2, 0.0)];
    let mut random = Random::new(14);
    for tree in trees(&[triangle]) {
        for _ in 0..2000 {
            let target = vec3(random.range(-3.0, 14.0), random.range(-0.5, 0.5), 0.0);
            let angle = 0.5_f32.to_radians();
            let direction = vec3(angle.cos(), 0.1 * random.range(-1.0, 1.0), -angle.sin()).normalize();
            let origin = target - direction * random.range(0.0, 60.0);
            let truth = brute::crossings(&[triangle], origin.as_dvec3(), direction.as_dvec3());
            let hit = nearest(&tree, &ray(origin, direction));
            assert_eq!(hit.is_some(), !truth.is_empty());
            if let Some(hit) = hit {
                let farthest = triangle.map(|corner| corner.distance(origin)).into_iter().fold(0.0, f32::max);
                assert!(hit.distance <= farthest * (1.0 + 1e-6), "{hit:?}");
                assert!((0.0..=11.2).contains(&hit.point.x) && (0.0..=0.2).contains(&hit.point.y), "{hit:?}");
            }
        }
    }
}

/// Case 15, all hits: once a crossing.
#[test]
fn parity_is_right_through_diagonals_edges_and_corners_of_a_cube() {
    for tree in trees(&cuboid(-Vec3::ONE, Vec3::ONE)) {
        let crossings = |origin: Vec3, direction: Vec3| {
            let hits = all(&tree, &ray(origin, direction));
            hits.iter().map(|hit| hit.front).collect::<Vec<_>>()
        };
        // Through: in and out.
        for (origin, direction) in [
            (vec3(0.0, 0.0, 5.0), Vec3::NEG_Z),
            (vec3(0.5, 0.5, 5.0), Vec3::NEG_Z),
            (vec3(3.0, 3.0, 0.0), vec3(-1.0, -1.0, 0.0)),
            (Vec3::splat(3.0), Vec3::NEG_ONE),
            (vec3(3.0, -3.0, 3.0), vec3(-1.0, 1.0, -1.0)),
            (vec3(3.0, 3.0, 2.0), vec3(-2.0, -2.0, -1.0)),
        ] {
            assert_eq!(crossings(origin, direction), [true, false], "{origin} {direction}");
        }
        // Out from inside.
        for to in [Vec3::X, vec3(1.0, 1.0, 0.0), Vec3::ONE, vec3(1.0, -1.0, 1.0), vec3(1.0, 0.5, 0.5)] {
            assert_eq!(crossings(Vec3::ZERO, to), [false], "{to}");
        }
        // Only touching an edge or a corner leaves the number even.
        for (origin, direction) in [
            (vec3(2.0, 0.0, 0.3), vec3(-1.0, 1.0, 0.0)),
            (vec3(2.0, 0.0, 1.0), vec3(-1.0, 1.0, 0.0)),
            (vec3(1.0, 1.0, 5.0), Vec3::NEG_Z),
            (vec3(1.0, 0.3, 5.0), Vec3::NEG_Z),
        ] {
            let crossings = crossings(origin, direction);
            assert!(crossings.len() % 2 == 0, "{origin} {direction}: {crossings:?}");
        }
    }
}

#[test]
fn a_rim_that_is_only_touched_is_met_once() {
    for tree in trees(&square(0.0)) {
        for (x, y) in [(1.0, 0.3), (1.0, 1.0), (-1.0, -1.0), (0.2, -1.0), (1.0, -1.0)] {
            let ahead = ray(vec3(x, y, 1.0), Vec3::NEG_Z);
            assert_eq!(all(&tree, &ahead).len(), 1, "{x} {y}");
            assert_distance(nearest(&tree, &ahead), 1.0);
        }
    }
}

/// Case 16, backface: from outside the inside of a closed mesh is never seen.
#[test]
fn a_ray_that_skims_a_ridge_never_sees_the_inside() {
    // A closed gable roof, its ridge along Z at Y 2.
    let [a, b, c] = [vec3(-2.0, 0.0, -3.0), vec3(2.0, 0.0, -3.0), vec3(0.1, 2.0, -3.0)];
    let [d, e, f] = [a, b, c].map(|corner| corner + 6.0 * Vec3::Z);
    let roof = [vec![[a, c, b], [d, e, f]], fan(&[a, d, f, c]), fan(&[b, c, f, e]), fan(&[a, b, e, d])].concat();
    let mut random = Random::new(16);
    for tree in trees(&roof) {
        for i in 0..600 {
            let on_ridge = c.lerp(f, random.unit());
            let aside = *random.pick(&[0.0, 1e-7, -1e-7, 1e-5, -1e-5]);
            let way = if i % 3 == 0 { Vec3::X } else { vec3(random.range(-1.0, 1.0), 0.0, random.range(-1.0, 1.0)) };
            let skim = ray(on_ridge + aside * Vec3::Y - 4.0 * way.normalize(), way);
            if let Some(hit) = nearest(&tree, &skim) {
                assert!(hit.front, "{hit:?} along {way}");
            }
            assert_eq!(all(&tree, &skim).len() % 2, 0);
        }
    }
}

/// Case 17, backface: a face that does not count is passed through.
#[test]
fn a_culled_face_in_front_does_not_hide_the_one_behind() {
    // Both in one leaf, the face that does not count first.
    let mut triangles: Vec<_> = square(1.0).iter().map(|&[a, b, c]| [a, c, b]).collect();
    triangles.extend(square(0.0));
    for tree in trees(&triangles) {
        let ahead = ray(vec3(0.2, 0.1, 3.0), Vec3::NEG_Z);
        let distance = |faces| tree.ray(&ahead, f32::INFINITY, faces).map(|hit| (hit.distance, hit.front));
        assert_eq!(distance(Faces::Front), Some((3.0, true)));
        assert_eq!(distance(Faces::Back), Some((2.0, false)));
        assert_eq!(distance(Faces::Both), Some((2.0, false)));
        assert!(!tree.any_hit(&ahead, 2.5, Faces::Front));
    }
}

/// A sphere of diameter 1 as a closed mesh.
fn ball() -> Vec<[Vec3; 3]> {
    let octahedron = [1.0, -1.0].iter().flat_map(|&y| {
        let [a, b, c, d] = [Vec3::X, Vec3::NEG_Z, Vec3::NEG_X, Vec3::Z];
        [[a, b], [b, c], [c, d], [d, a]].map(|[a, b]| if y > 0.0 { [a, b, y * Vec3::Y] } else { [b, a, y * Vec3::Y] })
    });
    let mut triangles: Vec<[Vec3; 3]> = octahedron.collect();
    for _ in 0..4 {
        triangles = triangles
            .iter()
            .flat_map(|&[a, b, c]| {
                let [d, e, f] = [a + b, b + c, c + a].map(Vec3::normalize);
                [[a, d, f], [d, b, e], [f, e, c], [d, e, f]]
            })
            .collect();
    }
    triangles.iter().map(|triangle| triangle.map(|corner| 0.5 * corner)).collect()
}

/// Case 18, far ray: from 12 000 times the size of what is aimed at.
#[test]
fn rays_from_far_away_do_not_flicker() {
    let triangles = ball();
    for origin in [vec3(12_000.0, 0.0, 0.0), vec3(7_000.3, 6_999.9, -6_900.1)] {
        for tree in trees(&triangles) {
            for i in 0..2000 {
                // A target that moves by a 5 000th of the ball from one ray to the next.
                let target = DVec3::new(0.0, 0.2, -0.2 + 2e-4 * f64::from(i));
                let ray = Ray::through(origin, target).unwrap();
                let hit = nearest(&tree, &ray).expect("flickers");
                assert!(hit.front);
                let on_ray = ray.origin() + ray.direction() * hit.point.as_dvec3().distance(ray.origin());
                assert!(hit.point.as_dvec3().distance(on_ray) < 1e-3, "{hit:?}");
                assert!((hit.point.length() - 0.5).abs() < 2e-3, "{hit:?}");
            }
        }
    }
}

#[test]
fn an_origin_beyond_the_precision_of_f32_keeps_its_place() {
    let tree = tree(&floor([0.0, 1.0], [0.0, 1.0]), &Settings::new(Mode::Quadtree));
    // In f32 this origin is 1e8 + 8 or 1e8.
    let origin = DVec3::new(100_000_003.0, 1.0, 0.5);
    let hit = nearest(&tree, &Ray::new(origin, DVec3::new(0.25, 0.0, 0.5) - origin).unwrap()).unwrap();
    assert!(hit.point.distance(vec3(0.25, 0.0, 0.5)) < 1e-4, "{hit:?}");
    let beside = Ray::new(DVec3::new(1.000_000_01, 1.0, 0.5), DVec3::NEG_Y).unwrap();
    assert_eq!(nearest(&tree, &beside), None);
    let inside = Ray::new(DVec3::new(0.999_999_99, 1.0, 0.5), DVec3::NEG_Y).unwrap();
    assert_distance(nearest(&tree, &inside), 1.0);
}

/// Case 19, coordinates: a ray, a height, a sphere at rest and one that falls.
#[test]
fn a_small_triangle_far_from_zero_is_hit() {
    let triangle =
        [vec3(2832.862, 200.0, -641.5822), vec3(2834.611, 200.0066, -643.3685), vec3(2834.289, 200.0, -640.1809)];
    let centroid = (triangle[0] + triangle[1] + triangle[2]) / 3.0;
    let [a, b, c] = triangle;
    for (triangle, front) in [(triangle, false), ([a, c, b], true)] {
        for tree in trees(&[triangle]) {
            let hit = nearest(&tree, &ray(centroid + 5.0 * Vec3::Y, Vec3::NEG_Y)).unwrap();
            assert!((hit.point - centroid).length() < 1e-3 && hit.front == front);
            assert!(hit.normal.y.abs() > 0.9999 && (hit.normal.y > 0.0) == front);
            let height = tree.height(centroid + Vec3::Y, Which::Below, 0.0).unwrap();
            assert!((height - centroid.y).abs() < 1e-4);
            assert!(tree.sphere_touches(centroid + 0.49 * Vec3::Y, 0.5));
            let fall = tree.sweep(&Sweep::sphere(centroid + 5.0 * Vec3::Y, 0.5, -6.0 * Vec3::Y)).unwrap();
            assert!(fall.normal.y > 0.9999 && (fall.fraction - 4.5 / 6.0).abs() < 1e-4, "{fall:?}");
            let resting = tree.sweep(&Sweep::sphere(centroid, 0.5, Vec3::ZERO)).unwrap();
            assert!(resting.fraction == 0.0 && resting.normal.y.abs() > 0.9999, "{resting:?}");
        }
    }
}

/// Case 22, degenerate: corners that are one point, on one line, or no numbers.
#[test]
fn triangles_without_area_are_never_reported() {
    let point = Vec3::splat(0.25);
    let mut triangles = vec![[point; 3], [Vec3::ZERO, Vec3::X, 2.0 * Vec3::X], [Vec3::NAN, Vec3::X, Vec3::Y]];
    triangles.extend(cuboid(Vec3::splat(100.0), Vec3::splat(101.0)));
    for tree in trees(&triangles) {
        assert_eq!(tree.triangle_count(), 12);
        assert_eq!(nearest(&tree, &ray(vec3(0.25, 0.25, 5.0), Vec3::NEG_Z)), None);
        assert_eq!(nearest(&tree, &ray(vec3(0.5, 5.0, 0.0), Vec3::NEG_Y)), None);
        assert_eq!(tree.height(Vec3::ONE, Which::Closest, 9.0), None);
        let hit = nearest(&tree, &ray(Vec3::splat(99.0), Vec3::ONE)).unwrap();
        assert!(hit.triangle >= 3);
    }
}

/// Case 51, height: exact, or with a snap from a little under the surface.
#[test]
fn below_from_just_under_the_top_is_the_top_when_it_may_snap() {
    for tree in trees(&cuboid(vec3(-1.0, 0.0, -1.0), vec3(1.0, 2.0, 1.0))) {
        let sunk = vec3(0.3, 2.0 - 1e-3, 0.3);
        assert_eq!(tree.height(sunk, Which::Below, 0.0), Some(0.0));
        assert_eq!(tree.height(sunk, Which::Below, 0.01), Some(2.0));
        assert_eq!(tree.height(vec3(0.3, 1e-3, 0.3), Which::Above, 0.0), Some(2.0));
        assert_eq!(tree.height(vec3(0.3, 1e-3, 0.3), Which::Above, 0.01), Some(0.0));
        assert_eq!(tree.height(vec3(0.3, 2.0, 0.3), Which::Below, 0.0), Some(2.0));
        assert_eq!(tree.height(vec3(0.3, 2.0, 0.3), Which::Above, 0.0), Some(2.0));
        assert_eq!(tree.height(vec3(0.3, 0.9, 0.3), Which::Closest, 0.0), Some(0.0));
        assert_eq!(tree.height(vec3(0.3, 1.0, 0.3), Which::Closest, 0.0), Some(0.0));
        assert_eq!(tree.height(vec3(0.3, 1.1, 0.3), Which::Closest, 0.0), Some(2.0));
        assert_eq!(tree.height(vec3(0.3, -0.1, 0.3), Which::Below, 0.01), None);
        assert_eq!(tree.height(vec3(1.1, 1.0, 0.3), Which::Closest, 0.0), None);
        let mut heights = vec![7.0];
        // The corner of two walls too, whose triangles are vertical.
        for (x, z) in [(0.3, 0.3), (0.3, -0.3), (1.0, 1.0), (-1.0, 0.2)] {
            tree.heights(x, z, &mut heights);
            assert_eq!(heights, [2.0, 0.0]);
        }
        tree.heights(1.1, 0.0, &mut heights);
        assert!(heights.is_empty());
    }
}

/// Case 52, winding: neighbours that face opposite ways.
#[test]
fn opposite_windings_at_an_edge_lose_neither_triangle() {
    let [a, b, c, d] = [vec3(-1.0, -1.0, 0.0), vec3(1.0, -1.0, 0.0), vec3(1.0, 1.0, 0.0), vec3(-1.0, 1.0, 0.0)];
    for tree in trees(&[[a, b, c], [a, d, c]]) {
        for (x, y) in [(0.5, -0.5), (-0.5, 0.5), (0.0, 0.0), (0.25, 0.25)] {
            let ahead = ray(vec3(x, y, 1.0), Vec3::NEG_Z);
            assert_eq!(all(&tree, &ahead).len(), 1);
            let hit = nearest(&tree, &ahead).unwrap();
            assert_eq!((hit.distance, hit.normal), (1.0, if hit.front { Vec3::Z } else { Vec3::NEG_Z }));
            let by_side = [Faces::Front, Faces::Back].map(|faces| tree.any_hit(&ahead, 9.0, faces));
            assert_eq!(by_side, if x == y { [true, true] } else { [x > y, x < y] });
        }
    }
}

#[test]
fn edges_of_giant_triangles_are_exact() {
    let mut random = Random::new(400);
    let mut on_edge = 0;
    for number in 0..400 {
        // The edge between the two goes through zero, a long way from both its ends.
        let slope = random.range(-1.0, 1.0);
        let end = Vec3::new(1e12, 3.0, slope * 1e12);
        let triangles = [[-end, end, Vec3::new(0.0, 5.0, 1e12)], [end, -end, Vec3::new(7.0, 5.0, -1e12)]];
        let trees = trees(&triangles);
        for _ in 0..20 {
            // A part of the edge by a power of two is on the edge, and its neighbours are as close as can be.
            let part = 0.5_f32.powi(35 + random.below(10) as i32) * *random.pick(&[1.0, -1.0]);
            let (x, z) = (part * end.x, part * end.z);
            let z = *random.pick(&[z, z.next_up(), z.next_down()]);
            let truth = brute::heights(&triangles, x, z);
            on_edge += usize::from(truth.len() == 2);
            let hits = brute::crossings(&triangles, DVec3::new(f64::from(x), 9.0, f64::from(z)), DVec3::NEG_Y);
            for tree in &trees {
                let context = || format!("question {number} {:?} {x} {z}", tree.settings());
                let over = triangles.iter().filter(|corners| height_at(corners, x, z).is_some()).count();
                assert_eq!(over, truth.len(), "{}", context());
                let height = tree.height(Vec3::new(x, 9.0, z), Which::Below, 0.0).expect("a gap");
                assert!((f64::from(height) - truth[0]).abs() < 1e-3, "{}: {height} {truth:?}", context());
                let ray = Ray::new(Vec3::new(x, 9.0, z), Vec3::NEG_Y).unwrap();
                let crossed = triangles.iter().filter(|corners| ray.cross_triangle(corners).is_some()).count();
                assert_eq!(crossed, hits.len(), "{}", context());
                let hit = tree.ray(&ray, f32::INFINITY, Faces::Both).expect("a gap");
                assert!(hits.iter().any(|crossing| crossing.triangle == hit.triangle), "{}: {hit:?}", context());
                let mut all = Vec::new();
                tree.all_hits(&ray, f32::INFINITY, Faces::Both, &mut all);
                assert_eq!(all.len(), 1, "{}: {all:?}", context());
            }
        }
    }
    assert!(on_edge > 100, "{on_edge}");
}

#[test]
fn what_a_grazing_ray_meets_is_on_the_ray() {
    let mut random = Random::new(500);
    let mut grazed = 0;
    for number in 0..20_000 {
        let [a, b, c] = [(); 3].map(|()| random.vector(1.0));
        let [p, q, r] = [a, b, c].map(|corner| corner.as_dvec3());
        // Thirds have no end, so that these points are in the plane only as well as f64 can say.
        let mut third = || f64::from(random.range(-9.0, 9.0)) / 3.0;
        let mut in_plane = || p + third() * (q - p) + third() * (r - p);
        let (origin, to) = (in_plane(), in_plane());
        let ray = Ray::new(origin, to - origin).unwrap();
        if let Some(crossing) = ray.cross_triangle(&[a, b, c]) {
            let on_ray = origin + ray.direction() * crossing.distance;
            let point = crossing.point(&[a, b, c]).as_dvec3();
            assert!(on_ray.distance(point) < 1e-5, "question {number}: {crossing:?} at {point}, not {on_ray}");
            let truth = brute::crossings(&[[a, b, c]], origin, to - origin);
            grazed += usize::from(truth[0].sine < 1e-12);
        }
    }
    assert!(grazed > 100, "{grazed}");
}
