//! The sky: a function of direction, sampled on six pictures.

use glam::{DVec2, DVec3};

use super::canvas::{byte, rgb};
use crate::generate::random::{Noise, mix, smoothstep};

/// A side of the sky, named as picture files are: `sky_ft.png` and so on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// `_ft`, towards -Z.
    Front,
    /// `_bk`, towards +Z.
    Back,
    /// `_lf`, towards -X.
    Left,
    /// `_rt`, towards +X.
    Right,
    /// `_up`, its bottom edge on the front's top edge.
    Up,
    /// `_dn`, its top edge on the front's bottom edge.
    Down,
}

impl Side {
    /// All six.
    pub const ALL: [Side; 6] = [Side::Front, Side::Back, Side::Left, Side::Right, Side::Up, Side::Down];

    /// The ending of the file's name.
    pub fn suffix(self) -> &'static str {
        match self {
            Side::Front => "ft",
            Side::Back => "bk",
            Side::Left => "lf",
            Side::Right => "rt",
            Side::Up => "up",
            Side::Down => "dn",
        }
    }

    /// The direction of a point of the picture as seen from inside, each of `right` and `up` from -1 to 1; not of unit length.
    pub fn direction(self, right: f64, up: f64) -> DVec3 {
        match self {
            Side::Front => DVec3::new(right, up, -1.0),
            Side::Back => DVec3::new(-right, up, 1.0),
            Side::Left => DVec3::new(-1.0, up, -right),
            Side::Right => DVec3::new(1.0, up, right),
            Side::Up => DVec3::new(right, 1.0, up),
            Side::Down => DVec3::new(right, -1.0, -up),
        }
    }
}

/// Pixels along an edge of each picture.
pub const SIZE: u32 = 512;

/// Paints a side. The outermost pixels lie exactly on the cube's edges, so that neighbours agree there to the bit.
pub fn side(side: Side) -> Vec<u8> {
    let last = f64::from(SIZE - 1);
    let mut rgba = Vec::with_capacity(4 * (SIZE * SIZE) as usize);
    for row in 0..SIZE {
        for column in 0..SIZE {
            let (right, up) = (2.0 * f64::from(column) / last - 1.0, 1.0 - 2.0 * f64::from(row) / last);
            rgba.extend(color(side.direction(right, up).normalize()).to_array().map(byte));
            rgba.push(255);
        }
    }
    rgba
}

/// Towards the sun of the pictures, of unit length: behind the left shoulder of one who looks along -Z.
pub fn sun() -> DVec3 {
    DVec3::new(-0.477_67, 0.667_48, 0.571_23).normalize()
}

/// sRGB-encoded colour of the sky in a direction of unit length.
fn color(direction: DVec3) -> DVec3 {
    let height = direction.y;
    let to_sun = direction.dot(sun()).max(0.0);
    let zenith = rgb(0x2f66ac);
    let middle = rgb(0x7fb0dc);
    let horizon = rgb(0xd6e2e6);
    let mut sky = horizon.lerp(middle, smoothstep(0.0, 0.28, height)).lerp(zenith, smoothstep(0.12, 0.95, height));
    let glow = 0.35 * libm::pow(to_sun, 12.0) + 0.25 * libm::pow(to_sun, 90.0);
    sky = sky.lerp(rgb(0xfff3d8), glow.min(1.0));
    let disc = smoothstep(0.99935, 0.99965, to_sun);
    sky = sky.lerp(DVec3::ONE, disc);
    if height > 0.0 {
        // A flat layer of clouds, foreshortened towards the horizon and lost in its haze.
        let plane = DVec2::new(direction.x, direction.z) / (height + 0.16);
        let (shape, lit) = (cloud(plane), cloud(plane + 0.1 * DVec2::new(sun().x, sun().z)));
        let cover = smoothstep(-0.02, 0.4, shape) * smoothstep(0.0, 0.14, height);
        let bright = (0.72 + 1.3 * (shape - lit) - 0.28 * smoothstep(0.25, 0.8, shape)).clamp(0.0, 1.0);
        let cloud = rgb(0x97a5b8).lerp(rgb(0xfffdf6), bright);
        sky = sky.lerp(cloud.lerp(rgb(0xfff6e2), 0.5 * glow), 0.93 * cover);
    }
    // Below the horizon lies haze over far land, seen only where a level ends.
    let ground = horizon.lerp(rgb(0x8b9a93), smoothstep(0.0, -0.35, height));
    mix_color(sky, ground, smoothstep(0.0, -0.02, height))
}

fn cloud(plane: DVec2) -> f64 {
    let noise = Noise::new(401);
    let bend = DVec2::new(noise.gradient(0.9 * plane + 31.0), noise.gradient(0.9 * plane + 57.0));
    noise.fractal(1.15 * plane + 0.22 * bend, 6) + 0.24 * noise.gradient(0.3 * plane + 11.0)
}

fn mix_color(a: DVec3, b: DVec3, t: f64) -> DVec3 {
    DVec3::new(mix(a.x, b.x, t), mix(a.y, b.y, t), mix(a.z, b.z, t))
}
