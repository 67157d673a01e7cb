//! Ground, rock, water and plants.

use glam::{DVec2, DVec3};

use super::canvas::{Texel, byte, paint, ramp, rgb};
use crate::generate::random::{Noise, Random, mix, smoothstep};

/// Short grass: many blades over dark earth, brighter towards their tips.
pub fn grass() -> Vec<u8> {
    const SIDE: usize = 512;
    let broad = Noise::tiled(201, 5, 5);
    let mut canvas: Vec<DVec3> = (0..SIDE * SIDE)
        .map(|i| {
            let p = DVec2::new((i % SIDE) as f64, (i / SIDE) as f64) / SIDE as f64;
            rgb(0x37451f).lerp(rgb(0x4a4a2a), 0.5 + 0.5 * broad.fractal(5.0 * p, 4))
        })
        .collect();
    let greens = [rgb(0x4b6a28), rgb(0x5d7d31), rgb(0x6f8f3d), rgb(0x86984a), rgb(0x9a9a58)];
    let mut random = Random::new(202, 0);
    for _ in 0..15_000 {
        let start = DVec2::new(random.unit(), random.unit());
        let dry = 0.5 + 0.6 * broad.fractal(5.0 * start, 4);
        let color = ramp(&greens, (0.75 * random.unit() + 0.35 * dry - 0.1).clamp(0.0, 1.0));
        let length = random.range(8.0, 24.0);
        let mut at = start * SIDE as f64;
        let mut way = DVec2::new(random.range(-0.7, 0.7), -1.0).normalize();
        let bend = random.range(-0.05, 0.05);
        let mut along = 0.0;
        while along < length {
            let (x, y) = ((at.x as i64).rem_euclid(SIDE as i64), (at.y as i64).rem_euclid(SIDE as i64));
            let t = along / length;
            let pixel = &mut canvas[y as usize * SIDE + x as usize];
            *pixel = pixel.lerp(color * mix(0.62, 1.12, t), 0.85);
            way = (way + DVec2::new(bend, 0.0)).normalize();
            at += 0.8 * way;
            along += 0.8;
        }
    }
    paint(SIDE as u32, 0.0, |p| {
        let (x, y) = ((p.x * SIDE as f64) as usize, (p.y * SIDE as f64) as usize);
        Texel::opaque(canvas[y * SIDE + x], 0.0)
    })
}

/// Trodden earth with pebbles.
pub fn dirt() -> Vec<u8> {
    let (grain, broad, pebbles) = (Noise::tiled(211, 24, 24), Noise::tiled(212, 4, 4), Noise::tiled(213, 22, 22));
    paint(256, 0.6, |p| {
        let rough = grain.fractal(24.0 * p, 4);
        let tone = 0.5 + 0.6 * broad.fractal(4.0 * p, 4);
        let cell = pebbles.cells(22.0 * p, 1.0);
        let size = mix(0.1, 0.36, (cell.id * 5.7).fract()) * smoothstep(0.35, 0.5, cell.id);
        let pebble = smoothstep(size, 0.6 * size, cell.nearest) * smoothstep(0.0, 0.02, size);
        let earth = ramp(&[rgb(0x5f4c36), rgb(0x75603f), rgb(0x8a7350)], tone) * (1.0 + 0.18 * rough);
        let color = earth.lerp(rgb(0x8d8474) * (0.8 + 0.4 * cell.id), 0.85 * pebble);
        Texel::opaque(color, 0.35 * rough + 0.7 * pebble)
    })
}

/// Layered, cracked rock.
pub fn rock() -> Vec<u8> {
    let (bend, layers, grain, cracks) =
        (Noise::tiled(221, 4, 4), Noise::tiled(222, 3, 14), Noise::tiled(223, 32, 32), Noise::tiled(226, 5, 9));
    let stone = [rgb(0x57524a), rgb(0x6c655a), rgb(0x857b6b), rgb(0x776f66)];
    paint(512, 0.9, |p| {
        let moved = p + 0.05 * DVec2::new(bend.fractal(4.0 * p, 3), bend.fractal(4.0 * p + 9.0, 3));
        let layer = layers.ridged(DVec2::new(3.0, 14.0) * moved, 4);
        let rough = grain.fractal(32.0 * p, 4);
        let cell = cracks.cells(DVec2::new(5.0, 9.0) * moved, 1.0);
        let crack = smoothstep(0.09, 0.0, cell.second - cell.nearest);
        let color = ramp(&stone, 0.2 + 0.5 * layer + 0.3 * cell.id) * (0.96 + 0.16 * rough);
        Texel::opaque(color * (1.0 - 0.4 * crack), 1.5 * layer + 0.35 * rough - 0.8 * crack)
    })
}

/// Wind-packed snow.
pub fn snow() -> Vec<u8> {
    let (grain, drift) = (Noise::tiled(231, 48, 48), Noise::tiled(232, 3, 7));
    paint(256, 0.5, |p| {
        let wave = drift.fractal(DVec2::new(3.0, 7.0) * p, 4);
        let rough = grain.fractal(48.0 * p, 2);
        Texel::opaque(rgb(0xdfe6ef) * (1.0 + 0.05 * wave + 0.02 * rough), 0.9 * wave + 0.1 * rough)
    })
}

/// Water with small waves; see-through.
pub fn water() -> Vec<u8> {
    let (waves, small) = (Noise::tiled(241, 6, 6), Noise::tiled(242, 14, 14));
    paint(256, 0.9, |p| {
        let height = waves.ridged(6.0 * p, 3) + 0.4 * small.fractal(14.0 * p, 2);
        let color = rgb(0x2f4a4e).lerp(rgb(0x6d8d90), smoothstep(0.6, 1.2, height));
        Texel { color, height: 0.8 * height, alpha: 0.86 }
    })
}

/// Bark with deep furrows.
pub fn bark() -> Vec<u8> {
    let (furrow, grain) = (Noise::tiled(251, 9, 3), Noise::tiled(252, 32, 32));
    paint(256, 0.8, |p| {
        let ridge = furrow.ridged(DVec2::new(9.0, 3.0) * p, 4);
        let rough = grain.fractal(32.0 * p, 3);
        let color = rgb(0x3f3022).lerp(rgb(0x7a654c), smoothstep(0.45, 0.95, ridge)) * (1.0 + 0.15 * rough);
        Texel::opaque(color, 1.6 * ridge + 0.25 * rough)
    })
}

/// A spray of leaves, cut out.
pub fn leaves() -> Vec<u8> {
    const SIDE: usize = 256;
    let greens = [rgb(0x2f4a1c), rgb(0x44642a), rgb(0x5a7c35), rgb(0x789347)];
    let mut canvas = vec![[greens[1].x, greens[1].y, greens[1].z, 0.0]; SIDE * SIDE];
    let mut random = Random::new(261, 0);
    let center = DVec2::splat(SIDE as f64 / 2.0);
    for number in 0..520 {
        let out = random.unit().sqrt() * 0.44 * SIDE as f64;
        let (sin, cos) = libm::sincos(random.range(0.0, core::f64::consts::TAU));
        let middle = center + out * DVec2::new(cos, sin);
        let tilt = random.range(0.0, core::f64::consts::TAU);
        let (sin, cos) = libm::sincos(tilt);
        let (length, width) = (random.range(9.0, 15.0), random.range(3.5, 6.0));
        // Later leaves lie on top and catch more light.
        let tone = 0.7 * f64::from(number) / 520.0 + 0.3 * random.unit();
        let color = ramp(&greens, tone);
        for y in (middle.y - length).max(0.0) as usize..((middle.y + length) as usize).min(SIDE) {
            for x in (middle.x - length).max(0.0) as usize..((middle.x + length) as usize).min(SIDE) {
                let offset = DVec2::new(x as f64, y as f64) + 0.5 - middle;
                let (along, across) = (offset.x * cos + offset.y * sin, offset.y * cos - offset.x * sin);
                let t = (along / length + 1.0) / 2.0;
                if (0.0..=1.0).contains(&t) && across.abs() < width * (4.0 * t * (1.0 - t)).powi(1) * mix(1.2, 0.8, t) {
                    let vein = smoothstep(1.2, 0.2, across.abs());
                    let lit = color * (1.0 + 0.18 * vein + 0.14 * (across / width));
                    canvas[y * SIDE + x] = [lit.x, lit.y, lit.z, 1.0];
                }
            }
        }
    }
    canvas.iter().flat_map(|pixel| pixel.map(byte)).collect()
}
