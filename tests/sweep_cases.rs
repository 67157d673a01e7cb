//! Sweeps and slides that broke other programs, and the limits of ours. Rows are those of the list of cases.

mod support;

use glam::Vec3;
use nodetree::geometry::{Ray, closest_point_on_triangle, sweep_sphere_triangle};
use nodetree::query::{Faces, Slide, Sweep, SweepHit};

use support::{Random, cuboid, fan, levels, trees};

/// What all trees agree on.
fn sphere_hit(triangles: &[[Vec3; 3]], center: Vec3, radius: f32, displacement: Vec3) -> Option<SweepHit> {
    let sweep = Sweep::sphere(center, radius, displacement);
    let hits: Vec<_> = trees(triangles).iter().map(|tree| tree.sweep(&sweep)).collect();
    let fractions: Vec<_> = hits.iter().map(|hit| hit.map(|hit| hit.fraction)).collect();
    assert!(fractions.iter().all(|fraction| *fraction == fractions[0]), "trees differ: {fractions:?}");
    hits[0]
}

/// A floor of `cells` times `cells` squares of one metre around the origin, at y = 0.
fn floor(cells: usize) -> Vec<[Vec3; 3]> {
    levels::terrain(cells, Vec3::new(-0.5, 0.0, -0.5) * cells as f32, 1.0, |_, _| 0.0)
}

/// Degenerate: a false hit.
#[test]
fn row_20_a_needle_far_away_is_not_hit() {
    let triangle = [
        Vec3::new(14.553_621, 10.597_372, -0.006_000_519),
        Vec3::new(14.553_621, 10.596_931, -3.186_381_3),
        Vec3::new(14.553_621, 10.596_931, -5.186_372),
    ];
    let center = Vec3::new(14.831_459, 8.190_551, -4.308_250_4);
    let displacement = Vec3::new(-0.098_800_66, 5.960_464_5e-8, 0.000_732_421_9);
    assert_eq!(sphere_hit(&[triangle], center, 0.2, displacement), None);
    assert_eq!(sweep_sphere_triangle(center, 0.2, displacement, &triangle), None);
    for tree in trees(&[triangle]) {
        // The gap is the least at the end of the way.
        let distance = tree.closest_point(center + displacement).unwrap().distance;
        assert!((distance - 0.2 - 2.213).abs() < 1e-3, "{distance}");
    }
}

/// Degenerate: the distance to a triangle that is a line.
#[test]
fn row_21_a_triangle_without_area_is_no_part_of_the_level() {
    let far = Vec3::new(-0.57, -8.1, 16.607);
    let point = Vec3::new(1.1, -7.9, 16.588);
    let needle = [Vec3::new(2.277, -7.9, 16.318), far, far];
    let [a, b, c] = needle;
    for corners in [[a, b, c], [b, c, a], [c, a, b], [b, a, c]] {
        let distance = closest_point_on_triangle(point, &corners).distance(point);
        assert!((distance - 0.171_478).abs() < 1e-6, "{distance}");
    }
    for tree in trees(&[needle]) {
        assert_eq!(tree.closest_point(point), None);
    }
    let contact = sweep_sphere_triangle(point, 0.1, Vec3::new(0.0, 0.0, -0.2), &needle).expect("its edge is met");
    assert!(contact.fraction > 0.0 && contact.normal.is_normalized(), "{contact:?}");
}

/// Tiny: a cube of 1e-10 m.
#[test]
fn row_23_a_tiny_cube_has_a_distance() {
    let cube = cuboid(Vec3::splat(-0.5e-10), Vec3::splat(0.5e-10));
    for tree in trees(&cube) {
        let closest = tree.closest_point(Vec3::new(1.0, 0.0, 0.0)).unwrap();
        assert!((closest.distance - 1.0).abs() < 1e-6, "{closest:?}");
        let hit = tree.sweep(&Sweep::sphere(Vec3::new(1.0, 0.0, 0.0), 0.25, Vec3::NEG_X)).unwrap();
        assert!((hit.fraction - 0.75).abs() < 1e-6, "{hit:?}");
    }
}

/// Overlap: with a motion along the plane.
#[test]
fn row_24_an_overlap_is_reported_when_moving_along_the_plane() {
    let triangle = [Vec3::ZERO, Vec3::X, Vec3::NEG_Z];
    let hit = sphere_hit(&[triangle], Vec3::ZERO, 0.3, Vec3::NEG_X).unwrap();
    assert_eq!(hit.fraction, 0.0);
    assert!((hit.depth - 0.3).abs() < 1e-6, "{hit:?}");
    assert!(hit.normal.is_normalized() && (hit.way_out.length() - 0.3).abs() < 1e-4, "{hit:?}");
}

/// Overlap: the normal is not minus the direction of travel.
#[test]
fn row_25_touching_an_edge_the_normal_leads_from_it_to_the_centre() {
    // The edge along Z at the origin of a plate towards +X; the centre at distance 0.5 from the edge.
    let plate = [Vec3::new(0.0, 0.0, -4.0), Vec3::new(0.0, 0.0, 4.0), Vec3::new(4.0, 0.0, 0.0)];
    let center = Vec3::new(-0.3, 0.4, 0.0);
    let hit = sphere_hit(&[plate], center, 0.5, Vec3::new(1.0, 0.0, 0.0)).unwrap();
    assert!(hit.fraction < 1e-6 && hit.normal.distance(Vec3::new(-0.6, 0.8, 0.0)) < 1e-5, "{hit:?}");
    assert_eq!(sphere_hit(&[plate], center, 0.5, Vec3::new(-1.0, 0.0, 0.0)), None, "it moves away");
    assert_eq!(sphere_hit(&[plate], center, 0.5, Vec3::new(0.0, 0.0, 1.0)), None, "it moves along");
}

/// Receding: a sphere within its skin, and in touch.
#[test]
fn row_26_near_a_floor_only_the_way_down_hits() {
    let floor = floor(8);
    let center = Vec3::new(0.2, 0.505, 0.3);
    assert_eq!(sphere_hit(&floor, center, 0.5, Vec3::Y), None);
    assert_eq!(sphere_hit(&floor, center, 0.5, Vec3::new(2.0, 0.0, 1.0)), None);
    let hit = sphere_hit(&floor, center, 0.5, Vec3::NEG_Y).unwrap();
    assert!((hit.fraction - 0.005).abs() < 1e-6 && hit.normal == Vec3::Y, "{hit:?}");
    // The same in touch: up and along miss, down hits at once.
    let touching = Vec3::new(0.2, 0.5, 0.3);
    assert_eq!(sphere_hit(&floor, touching, 0.5, Vec3::Y), None);
    assert_eq!(sphere_hit(&floor, touching, 0.5, Vec3::new(2.0, 0.0, 1.0)), None);
    assert_eq!(sphere_hit(&floor, touching, 0.5, Vec3::NEG_Y).unwrap().fraction, 0.0);
}

/// Zero move: an overlap, and no NaN.
#[test]
fn row_27_a_sweep_of_length_zero_reports_an_overlap() {
    let hit = sphere_hit(&floor(4), Vec3::new(0.1, 0.3, 0.2), 0.5, Vec3::ZERO).unwrap();
    assert_eq!((hit.fraction, hit.normal), (0.0, Vec3::Y));
    assert!((hit.depth - 0.2).abs() < 1e-6 && hit.way_out.distance(Vec3::Y * 0.2) < 2e-5, "{hit:?}");
    assert_eq!(sphere_hit(&floor(4), Vec3::new(0.1, 0.6, 0.2), 0.5, Vec3::ZERO), None);
}

/// Inside: a wall met from its back.
#[test]
fn row_28_from_inside_a_box_the_wall_is_hit_from_within() {
    let cube = cuboid(Vec3::splat(6.5), Vec3::splat(7.5));
    let hit = sphere_hit(&cube, Vec3::splat(7.0), 0.2, Vec3::X).unwrap();
    assert!((hit.fraction - 0.3).abs() < 1e-6 && hit.normal == Vec3::NEG_X, "{hit:?}");
    let sweep = Sweep { faces: Faces::Front, ..Sweep::sphere(Vec3::splat(7.0), 0.2, Vec3::X * 0.5) };
    assert!(trees(&cube).iter().all(|tree| tree.sweep(&sweep).is_none()), "from within only backs are seen");
}

/// Normals: at 1 to 3 degrees to a wall.
#[test]
fn row_29_a_grazing_sphere_gets_the_walls_normal_and_never_clips() {
    let wall = cuboid(Vec3::new(-5.0, 0.0, -0.1), Vec3::new(5.0, 5.0, 0.0));
    for degrees in [1.0_f32, 2.0, 3.0] {
        let (sin, cos) = degrees.to_radians().sin_cos();
        let (center, radius) = (Vec3::new(-4.0, 2.0, 0.55), 0.5);
        let hit = sphere_hit(&wall, center, radius, Vec3::new(cos, 0.0, -sin) * 8.0).unwrap();
        assert!(hit.normal.dot(Vec3::Z) > 0.1_f32.to_radians().cos(), "{hit:?}");
        assert!((hit.fraction * 8.0 * sin - 0.05).abs() < 1e-5, "{hit:?}");
        for tree in trees(&wall) {
            let mut at = center;
            for _ in 0..150 {
                at = tree.slide(&Slide::sphere(at, radius, Vec3::new(cos, 0.0, -sin) * 0.05), &mut Vec::new());
                assert!(tree.closest_point(at).unwrap().distance >= radius + 0.009, "{at}");
            }
        }
    }
}

/// Normals: the sweep's is the ray's.
#[test]
fn row_30_the_normal_on_a_huge_triangle_is_its_own() {
    let huge = [Vec3::new(-2e4, 0.0, -1e4), Vec3::new(0.0, 400.0, 3e4), Vec3::new(2e4, 10.0, -1e4)];
    let [a, b, c] = huge.map(Vec3::as_dvec3);
    let normal = (b - a).cross(c - a).normalize().as_vec3();
    let normal = if normal.y > 0.0 { normal } else { -normal };
    for center in [Vec3::new(9e3, 900.0, -7e3), Vec3::new(-100.0, 900.0, 2.9e4)] {
        let hit = sphere_hit(&[huge], center, 0.5, Vec3::NEG_Y * 1000.0).unwrap();
        assert!(hit.normal.distance(normal) < 1e-6, "{hit:?} {normal}");
        for tree in trees(&[huge]) {
            let met = tree.ray(&Ray::new(center, Vec3::NEG_Y).unwrap(), f32::INFINITY, Faces::Both).unwrap();
            assert_eq!(if met.front { met.normal } else { -met.normal }, hit.normal);
        }
    }
}

/// Seam: the height does not change.
#[test]
fn row_37_a_sphere_crosses_the_joint_of_flush_cubes() {
    let joint = [
        cuboid(Vec3::new(-3.0, -2.0, -1.0), Vec3::new(-1.0, 0.0, 1.0)),
        cuboid(Vec3::new(-1.0, -2.0, -1.0), Vec3::new(1.0, 0.0, 1.0)),
        // A third cube that shares no corner with the second.
        cuboid(Vec3::new(1.0, -2.0, -1.5), Vec3::new(4.0, 0.0, 1.5)),
    ]
    .concat();
    for tree in trees(&joint) {
        for sinking in [0.0, -0.01, -1.0] {
            let mut at = Vec3::new(-2.5, 0.11, 0.013);
            for _ in 0..110 {
                let next = tree.slide(&Slide::sphere(at, 0.1, Vec3::new(5.0, sinking, 0.0) / 120.0), &mut Vec::new());
                assert!((next.y - 0.11).abs() < 1e-3, "{next}");
                assert!(next.x - at.x > 0.99 * 5.0 / 120.0, "caught at {next}");
                at = next;
            }
        }
    }
}

/// Tunnel: whatever the step.
#[test]
fn row_50_a_thin_wall_stops_any_speed() {
    let wall = fan(&[
        Vec3::new(0.0, -2.0, -2.0),
        Vec3::new(0.0, -2.0, 2.0),
        Vec3::new(0.0, 2.0, 2.0),
        Vec3::new(0.0, 2.0, -2.0),
    ]);
    for tree in trees(&wall) {
        for steps_per_second in [1, 10, 30, 60, 120, 1000] {
            let mut at = Vec3::new(-3.0, 0.1, 0.2);
            for _ in 0..steps_per_second {
                let way = Vec3::X * 60.0 / steps_per_second as f32;
                at = tree.slide(&Slide::sphere(at, 0.35, way), &mut Vec::new());
            }
            assert!((at.x + 0.36).abs() < 1e-4, "{steps_per_second} steps a second: {at}");
        }
        let at = tree.slide(&Slide::sphere(Vec3::new(3.0, 0.1, 0.2), 0.35, Vec3::X * -1e5), &mut Vec::new());
        assert!((at.x - 0.36).abs() < 1e-4, "from the back: {at}");
    }
}

/// Padding: no bobbing.
#[test]
fn row_53_a_glide_over_a_floor_keeps_its_gap() {
    let floor = floor(64);
    let (sin, cos) = 1_f32.to_radians().sin_cos();
    for tree in trees(&floor) {
        let mut at = Vec3::new(-30.0, 0.51, -10.3);
        for step in 0..1000 {
            at = tree.slide(&Slide::sphere(at, 0.5, Vec3::new(cos, -sin, 0.3 * cos) * 0.04), &mut Vec::new());
            assert!((at.y - 0.51).abs() < 1e-5, "step {step}: {at}");
        }
        assert!(at.x > 9.9, "{at}");
    }
}

/// Rim: a motion in the triangle's plane.
#[test]
fn row_54_a_rim_is_hit_edge_on() {
    let triangle = [Vec3::new(0.0, 0.0, -2.0), Vec3::new(0.0, 0.0, 2.0), Vec3::new(3.0, 0.0, 0.0)];
    let hit = sphere_hit(&[triangle], Vec3::new(-2.0, 0.0, 0.0), 0.5, Vec3::X * 4.0).unwrap();
    assert!((hit.fraction - 1.5 / 4.0).abs() < 1e-6, "{hit:?}");
    assert!(hit.normal.distance(Vec3::NEG_X) < 1e-6 && hit.point.length() < 1e-6, "{hit:?}");
}

#[test]
fn the_limits_of_a_sweep_are_closed() {
    let floor = floor(4);
    for (height, radius, way) in [(2.0, 1.0, 1.0), (1.35, 0.35, 1.0), (0.73, 0.13, 0.6)] {
        let hit = sphere_hit(&floor, Vec3::new(0.3, height, 0.1), radius, Vec3::NEG_Y * way);
        assert_eq!(hit.map(|hit| hit.fraction), Some(1.0), "{height}");
    }
}

#[test]
fn an_ellipsoid_meets_a_slope_with_its_own_shape() {
    // A slope of 45 degrees through the origin: the ellipsoid reaches |radii * normal| along the normal.
    let slope = fan(&[
        Vec3::new(-9.0, -9.0, -9.0),
        Vec3::new(-9.0, -9.0, 9.0),
        Vec3::new(9.0, 9.0, 9.0),
        Vec3::new(9.0, 9.0, -9.0),
    ]);
    let (radii, half) = (Vec3::new(0.35, 0.9, 0.35), 0.5_f32.sqrt());
    let reach = half * (0.35_f32 * 0.35 + 0.9 * 0.9).sqrt();
    for tree in trees(&slope) {
        let sweep = Sweep { center: Vec3::Y * 3.0, radii, displacement: Vec3::NEG_Y * 3.0, faces: Faces::Both };
        let hit = tree.sweep(&sweep).unwrap();
        assert!((hit.fraction * 3.0 - (3.0 - reach / half)).abs() < 1e-5, "{hit:?}");
        assert!(hit.normal.distance(Vec3::new(-half, half, 0.0)) < 1e-6, "{hit:?}");
    }
}

#[test]
fn at_the_seams_of_a_flat_and_a_concave_surface_the_normal_is_a_faces() {
    // A little too deep to be clear, not deep enough to overlap: the next square is met at its edge.
    let flat = floor(8);
    let hit = sphere_hit(&flat, Vec3::new(0.25, 0.5 - 4e-6, 0.3), 0.5, Vec3::new(2.0, 0.0, 0.1));
    assert!(hit.is_none_or(|hit| hit.normal == Vec3::Y), "{hit:?}");
    let valley = levels::terrain(8, Vec3::new(-4.0, 0.0, -4.0), 1.0, |x, _| (x as f32 - 4.0).abs());
    let diagonal = 0.5_f32.sqrt();
    for x in [-0.1, 0.0, 0.1] {
        let hit = sphere_hit(&valley, Vec3::new(x, 3.0, 0.3), 0.5, Vec3::NEG_Y * 3.0).unwrap();
        let is_face = [-diagonal, diagonal].iter().any(|&n| hit.normal.distance(Vec3::new(n, diagonal, 0.0)) < 1e-5);
        assert!(is_face, "{x}: {hit:?}");
    }
}

#[test]
fn nonsense_is_answered_with_nothing() {
    let (floor, empty) = (floor(2), Vec::new());
    for tree in trees(&floor).iter().chain(&trees(&empty)) {
        for bad in [f32::NAN, f32::INFINITY] {
            assert_eq!(tree.sweep(&Sweep::sphere(Vec3::splat(bad), 1.0, Vec3::X)), None);
            assert_eq!(tree.sweep(&Sweep::sphere(Vec3::Y * 5.0, 1.0, Vec3::splat(bad))), None);
            assert_eq!(tree.closest_point(Vec3::splat(bad)), None);
            assert!(!tree.sphere_touches(Vec3::splat(f32::NAN), 1.0));
            assert!(!tree.sphere_touches(Vec3::ZERO, f32::NAN));
            assert_eq!(tree.way_out(Vec3::splat(bad), 1.0), Vec3::ZERO);
            let slide = Slide::sphere(Vec3::Y * 5.0, 1.0, Vec3::splat(bad));
            assert_eq!(tree.slide(&slide, &mut Vec::new()), Vec3::Y * 5.0);
        }
    }
    for tree in trees(&empty) {
        assert_eq!(tree.closest_point(Vec3::ZERO), None);
        assert_eq!(tree.slide(&Slide::sphere(Vec3::ZERO, 1.0, Vec3::X), &mut Vec::new()), Vec3::X);
    }
}

#[test]
fn a_ball_bounces_with_its_restitution() {
    let mut contacts = Vec::new();
    for tree in trees(&floor(8)) {
        for restitution in [0.0, 0.5, 1.0] {
            let slide = Slide {
                restitution: Some(restitution),
                ..Slide::sphere(Vec3::new(0.2, 1.5, 0.1), 0.5, Vec3::new(0.3, -2.0, 0.0))
            };
            let end = tree.slide(&slide, &mut contacts);
            // Half of the way comes back, on top of the skin.
            assert!((end.y - (0.5 + restitution)).abs() < 0.011, "{restitution}: {end}");
            assert!((end.x - 0.5).abs() < 1e-3, "{restitution}: {end}");
            assert_eq!(contacts.len(), 1);
            assert_eq!(contacts[0].normal, Vec3::Y);
        }
    }
}

#[test]
fn the_way_out_leaves_every_overlap() {
    let corner = [
        fan(&[Vec3::ZERO, Vec3::Z * 9.0, Vec3::new(9.0, 0.0, 9.0), Vec3::X * 9.0]),
        fan(&[Vec3::ZERO, Vec3::Y * 9.0, Vec3::new(0.0, 9.0, 9.0), Vec3::Z * 9.0]),
        fan(&[Vec3::ZERO, Vec3::X * 9.0, Vec3::new(9.0, 9.0, 0.0), Vec3::Y * 9.0]),
    ]
    .concat();
    for tree in trees(&corner) {
        let way = tree.way_out(Vec3::new(0.3, 0.4, 0.2), 0.5);
        assert!(way.distance(Vec3::new(0.2, 0.1, 0.3)) < 1e-4, "{way}");
        assert_eq!(tree.way_out(Vec3::ONE, 0.5), Vec3::ZERO);
    }
    let triangles = levels::level(levels::Kind::Terrain, 5);
    let mut random = Random::new(6);
    for number in 0..40 {
        let center = random.vector(7.0) * Vec3::new(1.0, 0.2, 1.0);
        for tree in trees(&triangles) {
            let out = center + tree.way_out(center, 0.4);
            let distance = tree.closest_point(out).unwrap().distance;
            assert!(distance > 0.4 - 2e-5, "{number}: {distance}");
        }
    }
}
