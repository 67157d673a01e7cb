//! Seeded random numbers and noise, the same on every machine and in every build: integer hashes, the four operations and
//! square roots only.

use glam::DVec2;

/// A stream of random numbers: SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The stream of a seed; `stream` tells uses of one seed apart.
    pub fn new(seed: u64, stream: u64) -> Random {
        Random(scramble(seed ^ scramble(stream.wrapping_add(0x632b_e59b_d9b4_e019))))
    }

    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        scramble(self.0)
    }

    /// A number from 0 to below 1.
    pub fn unit(&mut self) -> f64 {
        to_unit(self.bits())
    }

    /// A number from `low` to below `high`.
    pub fn range(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// A whole number below `count`, which is at least 1.
    pub fn below(&mut self, count: usize) -> usize {
        (self.unit() * count as f64) as usize
    }
}

fn scramble(mut bits: u64) -> u64 {
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

fn to_unit(bits: u64) -> f64 {
    (bits >> 11) as f64 / (1_u64 << 53) as f64
}

/// A number from 0 to below 1 that belongs to a lattice point.
pub fn hash(seed: u64, x: i64, y: i64, z: i64) -> f64 {
    to_unit(hash_bits(seed, x, y, z))
}

fn hash_bits(seed: u64, x: i64, y: i64, z: i64) -> u64 {
    let mixed = (x as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)
        ^ (y as u64).wrapping_mul(0xc2b2_ae3d_27d4_eb4f).rotate_left(21)
        ^ (z as u64).wrapping_mul(0x1656_67b1_9e37_79f9).rotate_left(42);
    scramble(seed.wrapping_add(scramble(mixed)))
}

/// Smooth noise on a lattice of unit cells.
#[derive(Clone, Copy, Debug)]
pub struct Noise {
    /// Tells noises apart.
    pub seed: u64,
    /// After how many cells along X and Y it repeats; `None` never does.
    pub period: Option<[i64; 2]>,
}

/// What [`Noise::cells`] finds around a point.
#[derive(Clone, Copy, Debug)]
pub struct Cell {
    /// Distance to the nearest feature point, in cells.
    pub nearest: f64,
    /// Distance to the second nearest.
    pub second: f64,
    /// A number from 0 to below 1 that belongs to the nearest.
    pub id: f64,
}

impl Noise {
    /// Noise that never repeats.
    pub fn new(seed: u64) -> Noise {
        Noise { seed, period: None }
    }

    /// Noise that repeats after so many cells along X and Y.
    pub fn tiled(seed: u64, x: i64, y: i64) -> Noise {
        Noise { seed, period: Some([x, y]) }
    }

    fn wrap(&self, x: i64, y: i64) -> (i64, i64) {
        match self.period {
            Some([px, py]) => (x.rem_euclid(px), y.rem_euclid(py)),
            None => (x, y),
        }
    }

    /// Gradient noise (Perlin, SIGGRAPH 2002), about -1 to 1.
    pub fn gradient(&self, point: DVec2) -> f64 {
        let corner = point.floor();
        let inside = point - corner;
        let (x, y) = (corner.x as i64, corner.y as i64);
        let at = |dx: i64, dy: i64| {
            let (wx, wy) = self.wrap(x + dx, y + dy);
            let offset = inside - DVec2::new(dx as f64, dy as f64);
            let bits = hash_bits(self.seed, wx, wy, 0);
            let (a, b) = if bits & 1 == 0 { (offset.x, offset.y) } else { (offset.y, offset.x) };
            let (a, b) = (if bits & 2 == 0 { a } else { -a }, if bits & 4 == 0 { b } else { -b });
            // Eight directions at 22.5 degrees to the axes hide the lattice better than the axes themselves.
            0.924 * a + 0.383 * b
        };
        let (fade_x, fade_y) = (fade(inside.x), fade(inside.y));
        1.5 * mix(mix(at(0, 0), at(1, 0), fade_x), mix(at(0, 1), at(1, 1), fade_x), fade_y)
    }

    /// Octaves of [`Noise::gradient`], each twice as fine and half as strong, about -1 to 1.
    pub fn fractal(&self, point: DVec2, octaves: u32) -> f64 {
        self.octaves(point, octaves, |value| value)
    }

    /// Octaves with sharp crests, 0 to about 1.
    pub fn ridged(&self, point: DVec2, octaves: u32) -> f64 {
        self.octaves(point, octaves, |value| 1.0 - value.abs())
    }

    fn octaves(&self, point: DVec2, octaves: u32, shape: impl Fn(f64) -> f64) -> f64 {
        let (mut sum, mut strength, mut total) = (0.0, 1.0, 0.0);
        let (mut noise, mut point) = (*self, point);
        for _ in 0..octaves {
            sum += strength * shape(noise.gradient(point));
            total += strength;
            strength *= 0.5;
            point *= 2.0;
            noise.seed = noise.seed.wrapping_add(0x51_7cc1);
            noise.period = noise.period.map(|[x, y]| [2 * x, 2 * y]);
        }
        sum / total
    }

    /// The nearest of one random point in each cell (Worley, SIGGRAPH 1996). `jitter` 0 is a square grid, 1 is random.
    pub fn cells(&self, point: DVec2, jitter: f64) -> Cell {
        let corner = point.floor();
        let (x, y) = (corner.x as i64, corner.y as i64);
        let mut found = Cell { nearest: f64::INFINITY, second: f64::INFINITY, id: 0.0 };
        for dy in -1..=1 {
            for dx in -1..=1 {
                let (wx, wy) = self.wrap(x + dx, y + dy);
                let shift = DVec2::new(hash(self.seed, wx, wy, 1), hash(self.seed, wx, wy, 2)) - 0.5;
                let feature = corner + DVec2::new(dx as f64, dy as f64) + 0.5 + jitter * shift;
                let distance = feature.distance(point);
                if distance < found.nearest {
                    found = Cell { nearest: distance, second: found.nearest, id: hash(self.seed, wx, wy, 3) };
                } else if distance < found.second {
                    found.second = distance;
                }
            }
        }
        found
    }
}

fn fade(t: f64) -> f64 {
    t * t * t * (t * (6.0 * t - 15.0) + 10.0)
}

/// `a` at 0, `b` at 1.
pub fn mix(a: f64, b: f64, t: f64) -> f64 {
    a + (b - a) * t
}

/// 0 up to `low`, 1 from `high` on, smooth between; `low` differs from `high`.
pub fn smoothstep(low: f64, high: f64, value: f64) -> f64 {
    let t = ((value - low) / (high - low)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_fixed_for_ever() {
        let mut random = Random::new(1, 2);
        let first = [random.unit(), random.unit()].map(f64::to_bits);
        let mut again = Random::new(1, 2);
        assert_eq!(first, [again.unit(), again.unit()].map(f64::to_bits));
        assert_ne!(first[0], first[1]);
        assert!((0..1000).all(|_| (0.0..1.0).contains(&random.unit())));
        assert!((0..1000).all(|_| random.below(7) < 7));
    }

    #[test]
    fn tiled_noise_repeats() {
        let noise = Noise::tiled(9, 4, 3);
        for i in 0..50 {
            let point = DVec2::new(0.37 * f64::from(i), 0.21 * f64::from(i));
            let moved = point + DVec2::new(4.0, -3.0);
            assert!((noise.fractal(point, 3) - noise.fractal(moved, 3)).abs() < 1e-9);
            assert!((noise.cells(point, 1.0).nearest - noise.cells(moved, 1.0).nearest).abs() < 1e-9);
        }
    }
}
