//! Rays and heights a hair's breadth from seams and corners, where other programs lose them: 1e-4 to 1e-7 beside, of the cell
//! and in metres, the next f32 beside, and exactly on. Everything aimed at here is closed, so whatever rounding does to a
//! question, missing is wrong; what is met must be what exact arithmetic says.

mod support;

use glam::{DVec3, Vec3};
use nodetree::geometry::Ray;
use nodetree::query::{Batch, Faces, RayHit, Which};
use nodetree::tree::Tree;

use support::brute::{self, Crossing};
use support::levels::terrain;
use support::{Random, fan, trees};

/// Distances and heights may differ from the exact ones by this part of the farthest number that takes part.
const ROUNDING: f64 = 2.0 * f32::EPSILON as f64;

/// How far beside a seam: signed powers of ten, alone and times the size of a cell, or nothing.
fn beside(random: &mut Random, cell: f64) -> f64 {
    let step = 10.0_f64.powi(-4 - random.below(4) as i32) * *random.pick(&[1.0, -1.0]);
    *random.pick(&[step, step * cell, 0.0])
}

/// How far along an edge: at its end, its middle or anywhere.
fn part(random: &mut Random) -> f64 {
    let anywhere = random.unit();
    f64::from(*random.pick(&[0.0, 0.5, anywhere]))
}

/// 0 or -0.
fn zero(random: &mut Random) -> f64 {
    *random.pick(&[0.0, -0.0])
}

/// A surface without holes, on each tree and each kind of lanes.
struct Surface {
    name: String,
    triangles: Vec<[Vec3; 3]>,
    trees: Vec<Tree>,
    rays: Vec<Ray>,
    points: Vec<Vec3>,
}

impl Surface {
    fn new(name: String, triangles: Vec<[Vec3; 3]>) -> Surface {
        let trees = trees(&triangles);
        Surface { name, triangles, trees, rays: Vec::new(), points: Vec::new() }
    }

    /// Asks along a ray that the surface cannot let through, with the triangles that may be met; `crossings` is whether the
    /// number of times that it goes through is odd.
    fn check_ray(&mut self, origin: DVec3, direction: DVec3, near: &[u32], crossings_are_odd: bool) {
        let context = format!("{}: origin {origin:?} direction {direction:?}", self.name);
        let ray = Ray::new(origin, direction).unwrap();
        let mut truth: Vec<Crossing> = near
            .iter()
            .flat_map(|&number| {
                let triangle = self.triangles[number as usize];
                let found = brute::crossings(&[triangle], origin, direction);
                found.into_iter().map(move |crossing| Crossing { triangle: number, ..crossing })
            })
            .collect();
        truth.sort_by(|a, b| a.distance.total_cmp(&b.distance));
        let first = truth.first().unwrap_or_else(|| panic!("the test aims past the surface: {context}"));
        let mut answer = None;
        let mut all = Vec::new();
        for tree in &self.trees {
            let context = || format!("{context} on {:?} {:?}", tree.simd(), tree.settings());
            let hit = tree.ray(&ray, f32::INFINITY, Faces::Both).unwrap_or_else(|| panic!("missed: {}", context()));
            assert_is_met(&hit, &truth, first, &context);
            assert_eq!(*answer.get_or_insert(hit), hit, "{}", context());
            assert!(tree.any_hit(&ray, f32::INFINITY, Faces::Both), "missed: {}", context());
            assert!(tree.any_hit(&ray, hit.distance, Faces::Both), "missed: {}", context());
            assert_eq!(tree.ray(&ray, hit.distance, Faces::Both), Some(hit), "{}", context());
            let side = if hit.front { Faces::Front } else { Faces::Back };
            assert_eq!(
                tree.ray(&ray, f32::INFINITY, side).map(|hit| hit.distance),
                Some(hit.distance),
                "{}",
                context()
            );
            tree.all_hits(&ray, f32::INFINITY, Faces::Both, &mut all);
            assert_eq!(all.len() % 2 == 1, crossings_are_odd, "{all:?}: {}", context());
            // Through a seam the two may name neighbours, whose distances round apart.
            let apart = (all[0].distance - hit.distance).abs();
            assert!(apart <= 4.0 * f32::EPSILON * hit.distance, "{hit:?} {:?}: {}", all[0], context());
            // To just behind the first crossing, as f64 has it.
            let to = origin + direction / direction.length() * (first.distance * 1.000_001 + 1e-6);
            assert!(tree.segment(origin, to).is_some(), "missed: {}", context());
        }
        self.rays.push(ray);
    }

    /// Asks for the height of a column that the surface covers.
    fn check_column(&mut self, x: f32, z: f32, near: &[u32], above: f32) {
        let truth: Vec<f64> =
            near.iter().flat_map(|&number| brute::heights(&[self.triangles[number as usize]], x, z)).collect();
        let context = format!("{}: column {x:?} {z:?}", self.name);
        assert!(!truth.is_empty(), "the test aims past the surface: {context}");
        let highest = truth.iter().fold(f64::NEG_INFINITY, |a, &b| a.max(b));
        let lowest = truth.iter().fold(f64::INFINITY, |a, &b| a.min(b));
        let slack = ROUNDING * (highest.abs() + lowest.abs());
        let (point, under) = (Vec3::new(x, highest as f32 + above, z), Vec3::new(x, lowest as f32 - above, z));
        let mut heights = Vec::new();
        let mut answers = None;
        for tree in &self.trees {
            let context = || format!("{context} on {:?} {:?}", tree.simd(), tree.settings());
            let found =
                [(point, Which::Below), (point, Which::Closest), (under, Which::Above), (under, Which::Closest)].map(
                    |(point, which)| {
                        tree.height(point, which, 0.0).unwrap_or_else(|| panic!("{which:?} missed: {}", context()))
                    },
                );
            for (height, exact) in found.into_iter().zip([highest, highest, lowest, lowest]) {
                assert!((f64::from(height) - exact).abs() <= slack, "{height} not {exact}: {}", context());
            }
            tree.heights(x, z, &mut heights);
            assert!(!heights.is_empty(), "missed: {}", context());
            assert_eq!(*answers.get_or_insert(found), found, "{}", context());
        }
        self.points.push(point);
    }

    /// The same questions in one batch have the same answers.
    fn check_batches(&self) {
        let (mut hits, mut heights) = (Batch::default(), Batch::default());
        for tree in &self.trees {
            tree.ray_batch(&self.rays, f32::INFINITY, Faces::Both, &mut hits);
            tree.height_batch(&self.points, Which::Below, 0.0, &mut heights);
            assert_eq!((hits.answers().len(), heights.answers().len()), (self.rays.len(), self.points.len()));
            for (ray, hit) in self.rays.iter().zip(hits.answers()) {
                assert!(hit.is_some() && *hit == tree.ray(ray, f32::INFINITY, Faces::Both), "{}: {ray:?}", self.name);
            }
            for (&point, height) in self.points.iter().zip(heights.answers()) {
                assert!(height.is_some() && *height == tree.height(point, Which::Below, 0.0), "{}: {point}", self.name);
            }
        }
    }
}

fn assert_is_met(hit: &RayHit, truth: &[Crossing], first: &Crossing, context: &impl Fn() -> String) {
    let same = truth.iter().find(|crossing| crossing.triangle == hit.triangle);
    let same = same.unwrap_or_else(|| panic!("{hit:?} is not there: {}", context()));
    assert_eq!(hit.front, same.front, "{}", context());
    let slack = |crossing: &Crossing| ROUNDING * crossing.distance + 1e-12 / crossing.sine;
    let error = (f64::from(hit.distance) - same.distance).abs();
    assert!(error <= slack(same), "{hit:?} not {same:?}: {}", context());
    let behind = same.distance - first.distance;
    assert!(
        behind <= slack(first) + slack(same) + ROUNDING * first.distance,
        "{first:?} before {hit:?}: {}",
        context()
    );
}

/// A bumpy height field without holes.
struct Field {
    surface: Surface,
    cell: f64,
    min: Vec3,
}

/// Cells along a side.
const SIDE: usize = 16;

impl Field {
    /// Bumps are 0.3 cells high and, as f32 rounds, on `min`.
    fn new(cell: f32, min: Vec3, seed: u64) -> Field {
        let mut random = Random::new(seed);
        let triangles = terrain(SIDE, min, cell, |_, _| random.range(-0.3, 0.3) * cell);
        let surface = Surface::new(format!("cells of {cell} at {min}"), triangles);
        Field { surface, cell: f64::from(cell), min }
    }

    fn vertex(&self, i: usize, k: usize) -> DVec3 {
        // Of each square the first triangle begins at its first corner.
        self.surface.triangles[2 * (k * SIDE + i)][0].as_dvec3()
    }

    /// A point on a seam between two vertices well inside, or a vertex: along X, along Z, along the diagonal.
    fn on_a_seam(&self, random: &mut Random) -> DVec3 {
        let (i, k) = (5 + random.below(6), 5 + random.below(6));
        let [di, dk] = *random.pick(&[[0, 0], [1, 0], [0, 1], [1, 1]]);
        let (from, to) = (self.vertex(i, k), self.vertex(i + di, k + dk));
        from + (to - from) * part(random)
    }

    /// The triangles of all squares that a line between two columns may cross, with a square to spare.
    fn near(&self, from: DVec3, to: DVec3) -> Vec<u32> {
        let cell = |place: f64, min: f32| ((place - f64::from(min)) / self.cell).floor() as i32;
        let range = |axis: usize| {
            let (a, b) = (cell(from[axis], self.min[axis]), cell(to[axis], self.min[axis]));
            a.min(b) - 2..=a.max(b) + 2
        };
        let inside = |place: &i32| (0..SIDE as i32).contains(place);
        let squares = range(2).filter(inside).flat_map(|k| range(0).filter(inside).map(move |i| k * SIDE as i32 + i));
        squares.flat_map(|square| [2 * square as u32, 2 * square as u32 + 1]).collect()
    }

    /// A line from above all the surface to below it, or back, past `target`, which is beside the surface.
    fn check_line(&mut self, target: DVec3, tilt: DVec3, length: f64, rounded: bool) {
        let way = DVec3::new(tilt.x, tilt.y.signum() * 2.0 * self.cell, tilt.z);
        let mut origin = target - way;
        if rounded {
            origin = origin.as_vec3().as_dvec3();
        }
        let near = self.near(origin, origin + 2.0 * way);
        self.surface.check_ray(origin, way * length, &near, true);
    }
}

/// The size of a cell, and where the first corner is: from a millimetre to a kilometre, at zero and as far off as f32 still
/// tells the cells apart.
const FIELDS: [(f32, Vec3); 8] = [
    (1e-3, Vec3::ZERO),
    (1e-3, Vec3::new(3.0, -7.0, 11.3)),
    (0.125, Vec3::new(-1.0, 0.0, -1.0)),
    (0.3, Vec3::new(1000.7, 50.0, -2000.1)),
    (1.0, Vec3::new(-8.0, -3.0, -8.0)),
    (1.0, Vec3::new(1e5, -1e4, -1e5)),
    (37.3, Vec3::new(4.5e6, 0.0, -5e5)),
    (1000.0, Vec3::new(-8e3, 1e3, -8e6)),
];

#[test]
fn vertical_rays_beside_seams_of_a_height_field_never_miss() {
    for ((cell, min), seed) in FIELDS.into_iter().zip(10..) {
        let mut field = Field::new(cell, min, seed);
        let mut random = Random::new(seed);
        for _ in 0..2000 {
            let aside = DVec3::new(beside(&mut random, field.cell), 0.0, beside(&mut random, field.cell));
            let target = field.on_a_seam(&mut random) + aside;
            let down = DVec3::new(zero(&mut random), *random.pick(&[-1.0, 1.0]), zero(&mut random));
            let length = *random.pick(&[1.0, 1e-3, 1e3]);
            let rounded = random.below(2) == 0;
            field.check_line(target, down, length, rounded);
        }
        field.surface.check_batches();
    }
}

#[test]
fn tilted_rays_beside_seams_of_a_height_field_never_miss() {
    for ((cell, min), seed) in FIELDS.into_iter().zip(20..) {
        let mut field = Field::new(cell, min, seed);
        let mut random = Random::new(seed);
        for _ in 0..2000 {
            let mut aside = || beside(&mut random, f64::from(cell));
            let aside = DVec3::new(aside(), aside(), aside());
            let target = field.on_a_seam(&mut random) + aside;
            // Up to 60 degrees off the vertical: in the planes of the seams, by as little as the rays are beside them, or
            // anyhow.
            let most = 3.4 * field.cell;
            let anyhow = DVec3::new(f64::from(random.range(-1.0, 1.0)), 0.0, f64::from(random.range(-1.0, 1.0))) * most;
            let tilt = match random.below(5) {
                0 => DVec3::new(anyhow.x, 0.0, zero(&mut random)),
                1 => DVec3::new(zero(&mut random), 0.0, anyhow.z),
                2 => DVec3::new(anyhow.x, 0.0, anyhow.x),
                3 => DVec3::new(beside(&mut random, 1.0), 0.0, beside(&mut random, 1.0)) * field.cell,
                _ => anyhow,
            };
            let tilt = tilt + DVec3::Y * *random.pick(&[-1.0, 1.0]);
            let length = *random.pick(&[1.0, 1e-3, 1e3]);
            let rounded = random.below(2) == 0;
            field.check_line(target, tilt, length, rounded);
        }
        field.surface.check_batches();
    }
}

#[test]
fn heights_beside_seams_of_a_height_field_never_miss() {
    for ((cell, min), seed) in FIELDS.into_iter().zip(30..) {
        let mut field = Field::new(cell, min, seed);
        let mut random = Random::new(seed);
        for _ in 0..2500 {
            let aside = DVec3::new(beside(&mut random, field.cell), 0.0, beside(&mut random, field.cell));
            let target = field.on_a_seam(&mut random) + aside;
            let mut step = |number: f64| {
                let number = number as f32;
                *random.pick(&[number, number, number.next_up(), number.next_down()])
            };
            let (x, z) = (step(target.x), step(target.z));
            let near = field.near(target, target);
            field.surface.check_column(x, z, &near, cell);
        }
        field.surface.check_batches();
    }
}

/// Tiles of one floor that share their edges only in part: corners of some lie on edges of others. Those edges run along
/// axes, so nothing is open there.
#[test]
fn where_tiles_of_different_sizes_meet_nothing_falls_through() {
    for (scale, min) in
        [(1.0, Vec3::ZERO), (0.0625, Vec3::new(-70.0, 3.0, 12.0)), (64.0, Vec3::new(65536.0, -8.0, -4096.0))]
    {
        let square = |x: f32, z: f32, size: f32| {
            let at = |dx: f32, dz: f32| min + scale * Vec3::new(x + dx * size, 0.0, z + dz * size);
            fan(&[at(0.0, 0.0), at(0.0, 1.0), at(1.0, 1.0), at(1.0, 0.0)])
        };
        // Checkered: each other square of 4 is 16 of 1.
        let mut triangles = Vec::new();
        for i in 0..16 {
            let (x, z) = ((i % 4 * 4) as f32, (i / 4 * 4) as f32);
            if (i % 4 + i / 4) % 2 == 0 {
                triangles.extend(square(x, z, 4.0));
            } else {
                triangles.extend((0..16).flat_map(|j| square(x + (j % 4) as f32, z + (j / 4) as f32, 1.0)));
            }
        }
        let all: Vec<u32> = (0..triangles.len() as u32).collect();
        let mut surface = Surface::new(format!("tiles of {scale} at {min}"), triangles);
        let mut random = Random::new(40);
        for number in 0..1500 {
            let mut place = |on_seam: bool| {
                let whole = f64::from(1 + random.below(15) as u32);
                whole + if on_seam { beside(&mut random, 1.0) } else { f64::from(random.unit()) }
            };
            let target = DVec3::new(place(number % 3 != 0), 0.0, place(number % 3 != 1));
            let target = min.as_dvec3() + f64::from(scale) * target;
            let tilt = *random.pick(&[0.0, 0.0, 0.5]);
            let way = DVec3::new(tilt * f64::from(random.range(-1.0, 1.0)), -1.0, zero(&mut random));
            let origin = target - way * f64::from(scale);
            surface.check_ray(origin, way, &all, true);
            surface.check_column(target.x as f32, target.z as f32, &all, scale);
        }
        surface.check_batches();
    }
}

/// Many needles around one corner: next to it they are narrower than the rays are beside it.
#[test]
fn around_the_hub_of_a_wheel_nothing_falls_through() {
    const SPOKES: usize = 96;
    for (radius, center, lift) in [
        (1.0, Vec3::ZERO, 0.0),
        (1.0, Vec3::ZERO, 0.2),
        (300.0, Vec3::new(0.1, 0.2, 0.3), -20.0),
        (0.01, Vec3::new(5.0, 6.0, 7.0), 1e-3),
        (50.0, Vec3::new(1e5, 0.0, 3e5), 5.0),
    ] {
        let rim = |spoke: usize| {
            let (sin, cos) = (std::f32::consts::TAU * (spoke % SPOKES) as f32 / SPOKES as f32).sin_cos();
            center + radius * Vec3::new(cos, 0.0, sin)
        };
        let hub = center + lift * Vec3::Y;
        let triangles: Vec<[Vec3; 3]> = (0..SPOKES).map(|spoke| [hub, rim(spoke + 1), rim(spoke)]).collect();
        let all: Vec<u32> = (0..SPOKES as u32).collect();
        let mut surface = Surface::new(format!("a wheel of {radius} at {center}, its hub {lift} higher"), triangles);
        let mut random = Random::new(50);
        let (radius, hub) = (f64::from(radius), hub.as_dvec3());
        for number in 0..1500 {
            let spoke = rim(random.below(SPOKES)).as_dvec3();
            let part = *random.pick(&[0.0, 1e-4, 1e-2, 0.5]);
            let mut aside = || beside(&mut random, radius).clamp(-0.1 * radius, 0.1 * radius);
            let target = hub + (spoke - hub) * part + DVec3::new(aside(), 0.0, aside());
            // From above the highest point to below the lowest, within the rim.
            let mut tilt = || *random.pick(&[0.0, -0.0, 0.1, 1e-6]) * f64::from(random.range(-1.0, 1.0)) * radius;
            let way = DVec3::new(tilt(), -radius, tilt());
            let origin = if number % 2 == 0 { target - way } else { (target - way).as_vec3().as_dvec3() };
            surface.check_ray(origin, way, &all, true);
            surface.check_column(target.x as f32, target.z as f32, &all, radius as f32);
        }
        surface.check_batches();
    }
}

/// A closed ball with 24 needles around each pole: from outside and from within.
#[test]
fn rays_at_seams_of_a_closed_ball_never_pass_into_it() {
    const AROUND: usize = 24;
    const BANDS: usize = 12;
    for (radius, center) in [
        (1.0, Vec3::ZERO),
        (0.02, Vec3::new(3.0, -4.0, 5.0)),
        (500.0, Vec3::new(-1e4, 2e4, 3e4)),
        (40.0, Vec3::new(3e5, 0.0, -4e5)),
    ] {
        let at = |band: usize, column: usize| {
            let (sin, cos) = (std::f32::consts::PI * band as f32 / BANDS as f32).sin_cos();
            let (east, north) = (std::f32::consts::TAU * (column % AROUND) as f32 / AROUND as f32).sin_cos();
            let sin = if band.is_multiple_of(BANDS) { 0.0 } else { sin };
            center + radius * Vec3::new(sin * north, cos, sin * east)
        };
        let mut triangles = Vec::new();
        for band in 0..BANDS {
            for column in 0..AROUND {
                let [a, b] = [at(band, column), at(band, column + 1)];
                let [c, d] = [at(band + 1, column), at(band + 1, column + 1)];
                if band > 0 {
                    triangles.push([a, b, c]);
                }
                if band + 1 < BANDS {
                    triangles.push([b, d, c]);
                }
            }
        }
        let all: Vec<u32> = (0..triangles.len() as u32).collect();
        let mut surface = Surface::new(format!("a ball of {radius} at {center}"), triangles);
        let mut random = Random::new(60);
        let (radius, center) = (f64::from(radius), center.as_dvec3());
        for number in 0..1500 {
            let [a, b, _] = random.pick(&surface.triangles).map(|corner| corner.as_dvec3());
            let on_edge = a + (b - a) * part(&mut random);
            let mut aside = || beside(&mut random, radius).clamp(-1e-2 * radius, 1e-2 * radius);
            let target = on_edge + DVec3::new(aside(), aside(), aside());
            let outward = (target - center).normalize();
            if number % 2 == 0 {
                // From outside, at most 45 degrees off: towards the middle of the ball, so that it cannot pass by.
                let from = target + radius * (outward + 0.5 * random.direction().as_dvec3());
                surface.check_ray(from, target - from, &all, false);
            } else {
                let from = center + 0.5 * radius * random.direction().as_dvec3();
                surface.check_ray(from, target - from, &all, true);
            }
            // Along an axis, from outside through what is well inside.
            let axis = random.below(3);
            if outward[axis].abs() > 0.5 {
                let mut way = DVec3::new(zero(&mut random), zero(&mut random), zero(&mut random));
                way[axis] = -outward[axis].signum();
                surface.check_ray(target - way * radius, way, &all, false);
            }
        }
        surface.check_batches();
    }
}
