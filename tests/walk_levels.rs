//! One simulated minute of walking in real levels, in the castle, and in hard levels of our own: random headings, jumps,
//! sprints and crouching. Every step is checked in f64 against every triangle near the body.

use std::sync::Arc;

use glam::{DVec3, Vec3};
use libtest_mimic::{Failed, Trial};
use nodetree::level::Level;
use nodetree::tree::{Mode, Settings as TreeSettings, Tree};
use nodetree::walk::{self, Input, Walker, find_spawn, settle_spawn};

mod data;
mod support;

use support::{Random, contact};

const SEEDS: [u64; 3] = [1, 2, 3];
const STEPS: usize = 60 * 120;
/// Metres that a minute covers at least.
const LEAST_WAY: f64 = 100.0;
/// Metres that the body may overlap the level at most.
const MOST_OVERLAP: f64 = 1e-4;
/// Falls out of the world at most: some levels have walkways over a void, and whoever walks on blindly falls again.
const MOST_RESCUES: u32 = 60;
/// The part of the body that must stay clear of everything on the straight line between two steps. The body itself may go
/// around a corner within a step.
const CORE: f64 = 0.5;

fn main() {
    let mut trials = Vec::new();
    let mut own = vec![
        ("wedges", hard::wedges()),
        ("spiral_stairs", hard::spiral_stairs()),
        ("thin_floors", hard::thin_floors()),
        ("seams", hard::seams()),
        ("pits", hard::pits()),
        ("rubble", hard::rubble()),
    ];
    let castle = nodetree::generate::castle(&nodetree::generate::Options::CASTLE);
    let corners = (0..castle.triangles.len() as u32).map(|number| castle.corners(number)).collect();
    let spawn = castle.spawn.map(|spawn| castle.to_local(spawn.feet));
    own.push(("castle", (corners, spawn)));
    for (name, (triangles, spawn)) in own {
        let triangles = Arc::new(triangles);
        for mode in [Mode::Quadtree, Mode::Octree] {
            let triangles = triangles.clone();
            trials.push(Trial::test(format!("walk_{name}_{}", mode.name()), move || {
                // The shape of a level of our own is checked harder than the way through it.
                walk_all(&triangles, mode, spawn, if name == "castle" { LEAST_WAY } else { 30.0 })
            }));
        }
    }
    let real = data::LEVELS.map(|name| {
        Trial::test(format!("walk_{name}"), move || {
            let row = data::level(name);
            let level: Level = row.open();
            let corners: Vec<_> = (0..level.triangles.len() as u32).map(|number| level.corners(number)).collect();
            walk_all(&corners, Mode::for_bounds(&level.bounds()), Some(level.to_local(row.spawn())), LEAST_WAY)
        })
    });
    data::run_with(trials, real.into_iter().collect()).exit();
}

/// Walks with each seed, twice, and compares the ways bit for bit.
fn walk_all(triangles: &[[Vec3; 3]], mode: Mode, spawn: Option<Vec3>, least_way: f64) -> Result<(), Failed> {
    let tree = Tree::from_triangles(triangles, &vec![0; triangles.len()], &TreeSettings::new(mode));
    let settings = walk::Settings::default();
    let wanted = spawn.or_else(|| find_spawn(&tree, &settings)).ok_or("no place to start")?;
    let feet = settle_spawn(&tree, &settings, wanted);
    for seed in SEEDS {
        let of_seed = |what: String| Failed::from(format!("seed {seed}: {what}"));
        let way = walk(&tree, triangles, &settings, feet, seed, true).map_err(of_seed)?;
        let again = walk(&tree, triangles, &settings, feet, seed, false).map_err(of_seed)?;
        if way != again {
            return Err(of_seed("the same inputs gave another way".to_owned()));
        }
        let length: f64 = way
            .windows(2)
            .map(|pair| [0, 1, 2].map(|i| f64::from_bits(pair[1][i]) - f64::from_bits(pair[0][i])))
            .map(|[x, y, z]| DVec3::new(x, y, z).length())
            // Being brought back is no way.
            .filter(|length| *length < 1.0)
            .sum();
        println!("seed {seed}: {length:.0} m");
        if length < least_way {
            return Err(of_seed(format!("only {length} m")));
        }
    }
    Ok(())
}

/// The bits of the feet after each step.
fn walk(
    tree: &Tree,
    triangles: &[[Vec3; 3]],
    settings: &walk::Settings,
    feet: Vec3,
    seed: u64,
    check: bool,
) -> Result<Vec<[u64; 3]>, String> {
    let mut random = Random::new(seed);
    let mut walker = Walker::new(feet, 0.0);
    let mut input = Input::default();
    let mut way = Vec::with_capacity(STEPS);
    let (mut left, mut rescues) = (0, 0);
    for step in 0..STEPS {
        if left == 0 {
            left = 20 + random.below(200);
            input.yaw = random.range(-3.2, 3.2);
            input.forward = 1.0;
            input.right = *random.pick(&[0.0, 0.0, 0.5, -1.0]);
            input.fast = random.below(3) == 0;
            input.crouch = random.below(8) == 0;
        }
        left -= 1;
        input.jump = random.below(60) == 0;
        let before = body(&walker, settings).0;
        let report = walker.step(tree, settings, &input);
        let (center, radii) = body(&walker, settings);
        let at = || format!("step {step}, feet {}", walker.feet());
        if !(center.is_finite() && walker.velocity().is_finite() && walker.eye(settings).is_finite()) {
            return Err(format!("not finite: {}", at()));
        }
        rescues += u32::from(report.rescued);
        if check {
            let overlap = deepest_overlap(triangles, center, radii);
            if overlap > MOST_OVERLAP {
                return Err(format!("overlaps by {overlap} m: {}", at()));
            }
            if !report.rescued
                && let Some(triangle) = crossed(triangles, before, center, radii)
            {
                return Err(format!("went through triangle {triangle} {:?}: {}", triangles[triangle], at()));
            }
        }
        way.push(walker.feet_exact().to_array().map(f64::to_bits));
    }
    if rescues > MOST_RESCUES {
        return Err(format!("fell out of the world {rescues} times"));
    }
    Ok(way)
}

fn body(walker: &Walker, settings: &walk::Settings) -> (DVec3, DVec3) {
    let half = 0.5 * walker.height(settings);
    let radius = f64::from(settings.radius);
    (walker.feet_exact() + DVec3::Y * half, DVec3::new(radius, half, radius))
}

/// All usable triangles whose box touches the box from `min` to `max`.
fn near(triangles: &[[Vec3; 3]], min: DVec3, max: DVec3) -> impl Iterator<Item = usize> + '_ {
    let (min, max) = (min.as_vec3() - 1e-3, max.as_vec3() + 1e-3);
    (0..triangles.len()).filter(move |&index| {
        let [a, b, c] = triangles[index];
        let (low, high) = (a.min(b).min(c), a.max(b).max(c));
        low.cmple(max).all() && high.cmpge(min).all() && {
            let [a, b, c] = triangles[index].map(|corner| corner.as_dvec3());
            (b - a).cross(c - a) != DVec3::ZERO
        }
    })
}

/// A bound on how far the body would have to move to leave what it overlaps: the distance along the normal of the plane
/// through the nearest point, in the space in which the body is a ball.
fn deepest_overlap(triangles: &[[Vec3; 3]], center: DVec3, radii: DVec3) -> f64 {
    near(triangles, center - radii, center + radii)
        .map(|index| {
            let nearest = contact::closest(DVec3::ZERO, contact::to_unit(&triangles[index], center, radii));
            let distance = nearest.length();
            let reach = if distance > 0.0 { distance / (nearest / radii).length() } else { radii.max_element() };
            (1.0 - distance) * reach
        })
        .fold(f64::NEG_INFINITY, f64::max)
}

/// A triangle that the core of the body meets on the straight line from `before` to `now`.
fn crossed(triangles: &[[Vec3; 3]], before: DVec3, now: DVec3, radii: DVec3) -> Option<usize> {
    let core = CORE * radii;
    let way = (now - before) / core;
    near(triangles, before.min(now) - core, before.max(now) + core).find(|&index| {
        let unit = contact::to_unit(&triangles[index], before, core);
        contact::time(way, unit, 1.0).is_some()
    })
}

/// Levels that walkers get stuck in, fall through or shake in, each with a place to start.
mod hard {
    use super::*;
    use support::{cuboid, fan, levels};

    type Hard = (Vec<[Vec3; 3]>, Option<Vec3>);

    fn arena() -> Vec<[Vec3; 3]> {
        let mut level = levels::terrain(30, Vec3::new(-15.0, 0.0, -15.0), 1.0, |_, _| 0.0);
        for (min, max) in [([-15.0, -15.0], [15.0, -14.9]), ([-15.0, 14.9], [15.0, 15.0])] {
            level.extend(cuboid(Vec3::new(min[0], -1.0, min[1]), Vec3::new(max[0], 6.0, max[1])));
            level.extend(cuboid(Vec3::new(min[1], -1.0, min[0]), Vec3::new(max[1], 6.0, max[0])));
        }
        level
    }

    /// Walls that close at acute angles, leaning in and out.
    pub fn wedges() -> Hard {
        let mut level = arena();
        let mut random = Random::new(31);
        for _ in 0..24 {
            let tip = Vec3::new(random.range(-12.0, 12.0), 0.0, random.range(-12.0, 12.0));
            let along = random.direction() * Vec3::new(1.0, 0.0, 1.0);
            let across = Vec3::new(-along.z, 0.0, along.x) * random.range(0.02, 0.3);
            for side in [across, -across] {
                let end = tip + (along + side) * 3.0;
                let lean = Vec3::new(random.range(-1.0, 1.0), 0.0, random.range(-1.0, 1.0));
                level.extend(fan(&[tip, end, end + lean + Vec3::Y * 3.0, tip + lean + Vec3::Y * 3.0]));
            }
        }
        (level, Some(Vec3::new(14.0, 0.0, 14.0)))
    }

    /// Steps around a column, with a low ceiling of the turn above, one open side.
    pub fn spiral_stairs() -> Hard {
        let mut level = arena();
        level.extend(cuboid(Vec3::new(-0.3, 0.0, -0.3), Vec3::new(0.3, 9.0, 0.3)));
        // A circle of 16 directions without trigonometry: the corners of squares and octagons.
        let ring = [
            (1.0, 0.0),
            (0.92, 0.38),
            (0.71, 0.71),
            (0.38, 0.92),
            (0.0, 1.0),
            (-0.38, 0.92),
            (-0.71, 0.71),
            (-0.92, 0.38),
            (-1.0, 0.0),
            (-0.92, -0.38),
            (-0.71, -0.71),
            (-0.38, -0.92),
            (0.0, -1.0),
            (0.38, -0.92),
            (0.71, -0.71),
            (0.92, -0.38),
        ];
        for i in 0..48 {
            let place = |i: usize, radius: f32, height: f32| {
                let (x, z) = ring[i % 16];
                Vec3::new(x * radius, height, z * radius)
            };
            let (low, high) = (0.17 * i as f32, 0.17 * (i + 1) as f32);
            let corner = |height| {
                [place(i, 0.3, height), place(i + 1, 0.3, height), place(i + 1, 3.0, height), place(i, 3.0, height)]
            };
            level.extend(fan(&corner(high)));
            // Riser, and the soffit that is the ceiling of the turn below.
            level.extend(fan(&[place(i, 0.3, low), place(i, 3.0, low), place(i, 3.0, high), place(i, 0.3, high)]));
            level.extend(fan(&corner(low - 0.05)));
        }
        (level, Some(Vec3::new(6.0, 0.0, 0.0)))
    }

    /// Storeys of single sheets, with holes, and ramps of single sheets between them.
    pub fn thin_floors() -> Hard {
        let mut level = arena();
        let mut random = Random::new(33);
        for storey in 1..4 {
            let y = 2.4 * storey as f32;
            for x in -6..6 {
                for z in -6..6 {
                    if random.below(5) > 0 {
                        let (x, z) = (2.0 * x as f32, 2.0 * z as f32);
                        let at = |dx: f32, dz: f32| Vec3::new(x + dx, y, z + dz);
                        level.extend(fan(&[at(0.0, 0.0), at(0.0, 2.0), at(2.0, 2.0), at(2.0, 0.0)]));
                    }
                }
            }
            for _ in 0..5 {
                let foot = Vec3::new(random.range(-10.0, 10.0), y - 2.4, random.range(-10.0, 10.0));
                let along = Vec3::new(random.range(2.5, 5.0), 2.4, 0.0);
                let wide = Vec3::Z * random.range(1.0, 2.0);
                level.extend(fan(&[foot, foot + wide, foot + wide + along, foot + along]));
            }
        }
        (level, Some(Vec3::new(0.0, 0.0, 0.0)))
    }

    /// A floor of tiles that share no corners, shifted, some lying on each other, some a hair higher.
    pub fn seams() -> Hard {
        let mut random = Random::new(34);
        let mut level = Vec::new();
        for x in -15..15 {
            for z in -15..15 {
                let (x, z) = (x as f32 + 0.1 * (z % 3) as f32, z as f32);
                let y = *random.pick(&[0.0, 0.0, 0.0, 1e-6, 1e-4, -1e-3]);
                let size = *random.pick(&[1.0, 1.1, 1.5]);
                level.extend(cuboid(Vec3::new(x, -1.0, z), Vec3::new(x + size, y, z + size)));
            }
        }
        level.extend(arena().into_iter().map(|t| t.map(|corner| corner - Vec3::Y * 0.5)));
        (level, Some(Vec3::new(0.0, 0.0, 0.0)))
    }

    /// Ground of steep pits and spikes: most of it is too steep to stand on.
    pub fn pits() -> Hard {
        let mut random = Random::new(35);
        let mut level = levels::terrain(15, Vec3::new(-15.0, 0.0, -15.0), 2.0, |x, z| {
            if x % 15 == 0 || z % 15 == 0 { 8.0 } else { random.range(-3.0, 3.0) }
        });
        level.extend(arena().into_iter().map(|t| t.map(|corner| corner * Vec3::new(1.0, 3.0, 1.0) - Vec3::Y * 3.5)));
        (level, Some(Vec3::new(0.0, 4.0, 0.0)))
    }

    /// Boxes of all sizes, turned any way, thrown in heaps.
    pub fn rubble() -> Hard {
        let mut level = arena();
        let mut random = Random::new(36);
        for _ in 0..250 {
            let center = Vec3::new(random.range(-13.0, 13.0), random.range(0.0, 1.2), random.range(-13.0, 13.0));
            let size = random.range(-2.5, 0.3).exp();
            let (x, y) = (random.direction(), random.direction());
            let z = x.cross(y).normalize();
            let y = z.cross(x);
            let turned = |p: Vec3| center + (x * p.x + y * p.y + z * p.z) * size;
            level.extend(cuboid(Vec3::NEG_ONE, Vec3::ONE).into_iter().map(|t| t.map(turned)));
        }
        (level, Some(Vec3::new(14.3, 0.0, 14.3)))
    }
}
