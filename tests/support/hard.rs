//! Levels that walkers get stuck in, fall through or shake in, each with a place to start.

use glam::Vec3;

use super::{Random, cuboid, fan, levels};

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

/// Ramps of all slopes under ceilings that come down on them, some turned, some closed to a slit.
pub fn ramps() -> Hard {
    let mut level = arena();
    let mut random = Random::new(37);
    for i in 0..20 {
        let (x, z) = ((i % 5) as f32 * 5.6 - 13.0, (i / 5) as f32 * 6.5 - 12.0);
        let (length, width) = (random.range(3.0, 5.0), random.range(1.2, 2.5));
        let rise = length * random.range(5.0, 58.0_f32).to_radians().tan();
        let (low, high) = (random.range(1.9, 3.0), random.range(0.0, 1.9));
        let corners = |y0: f32, y1: f32| {
            [(0.0, 0.0, y0), (0.0, width, y0), (length, width, y1), (length, 0.0, y1)].map(|(along, across, y)| {
                if i % 2 == 0 { Vec3::new(x + along, y, z + across) } else { Vec3::new(x + across, y, z + along) }
            })
        };
        level.extend(fan(&corners(0.0, rise)));
        level.extend(fan(&corners(low, rise + high)));
    }
    (level, Some(Vec3::new(14.3, 0.0, 14.3)))
}

/// Stairs and ledges just under, at and over what is climbed, some worn round or slanting, walls that lean beside them.
pub fn steps() -> Hard {
    let mut level = arena();
    let mut random = Random::new(38);
    for i in 0..16 {
        let (x, z) = ((i % 4) as f32 * 7.0 - 13.0, (i / 4) as f32 * 7.0 - 13.0);
        let rise = *random.pick(&[0.05, 0.17, 0.3, 0.44, 0.45, 0.454, 0.456, 0.46, 0.47, 0.5, 0.6]);
        let (depth, width) = (random.range(0.1, 0.6), random.range(1.5, 4.0));
        let lean = random.range(-0.2, 0.2);
        for step in 0..5 {
            let from = x + depth * step as f32;
            let corner = Vec3::new(from, rise * step as f32, z);
            let size = Vec3::new(x + 5.0 - from, rise, width);
            // Treads slant a little.
            let slant = |p: Vec3| p + Vec3::Y * if step > 0 { lean * 0.3 * (p.x - from) } else { 0.0 };
            level.extend(cuboid(corner, corner + size).into_iter().map(|t| t.map(slant)));
        }
        let lean = Vec3::Z * random.range(-1.5, 1.5);
        let foot = Vec3::new(x - 1.0, 0.0, z + width);
        let up = Vec3::Y * 4.0 + lean;
        level.extend(fan(&[foot, foot + Vec3::X * 6.0, foot + Vec3::X * 6.0 + up, foot + up]));
    }
    (level, Some(Vec3::new(14.0, 0.0, 14.0)))
}
