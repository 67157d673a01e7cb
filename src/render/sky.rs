//! The sky: six sides of a cube around the eye, from pictures or from the built-in gradient.

use std::borrow::Cow;

use glam::Vec3;
use rayon::prelude::*;

use super::bindings::Bindings;
use super::gpu::{Gpu, GpuError};
use super::mipmaps::{Mipmap, Opacity, level_count, linear_from_srgb, mipmaps, srgb_byte};
use crate::generate::textures;
use crate::level::Texture;

/// A side of the sky. The discriminant is its place in [`SkySource::Pictures`] and in the cube texture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// Along +X: to the right of a camera with yaw 0.
    Right = 0,
    /// Along -X.
    Left = 1,
    /// Along +Y; the lower edge of its picture meets the front.
    Up = 2,
    /// Along -Y; the upper edge of its picture meets the front.
    Down = 3,
    /// Along -Z: ahead of a camera with yaw 0.
    Front = 4,
    /// Along +Z.
    Back = 5,
}

impl Side {
    /// All sides, in the order of their numbers.
    pub const ALL: [Side; 6] = [Side::Right, Side::Left, Side::Up, Side::Down, Side::Front, Side::Back];

    /// The direction of a place on the picture: `s` grows from -1 at its left edge to 1, `t` from -1 at its top to 1.
    pub(super) fn direction(self, s: f32, t: f32) -> Vec3 {
        match self {
            Side::Right => Vec3::new(1.0, -t, s),
            Side::Left => Vec3::new(-1.0, -t, -s),
            Side::Up => Vec3::new(s, 1.0, -t),
            Side::Down => Vec3::new(s, -1.0, t),
            Side::Front => Vec3::new(s, -t, -1.0),
            Side::Back => Vec3::new(-s, -t, 1.0),
        }
    }
}

/// What the sky looks like.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum SkySource {
    /// A clear afternoon: the built-in gradient with a sun.
    #[default]
    Gradient,
    /// Pictures as seen from inside, by [`Side`]; the gradient stands in for absent ones.
    Pictures(Box<[Option<Texture>; 6]>),
    /// A sky, and over it pictures through which it shows where they are not opaque, and where one is absent.
    Over(Box<SkySource>, Box<[Option<Texture>; 6]>),
}

impl SkySource {
    /// The painted sky of the built-in levels.
    pub fn painted() -> SkySource {
        SkySource::Pictures(Box::new(Side::ALL.map(|side| {
            let picture = match side {
                Side::Right => textures::Side::Right,
                Side::Left => textures::Side::Left,
                Side::Up => textures::Side::Up,
                Side::Down => textures::Side::Down,
                Side::Front => textures::Side::Front,
                Side::Back => textures::Side::Back,
            };
            Some(textures::sky(picture))
        })))
    }

    /// The edge of the largest picture; `None` where there is none.
    fn largest(&self) -> Option<u32> {
        let of = |pictures: &[Option<Texture>; 6]| {
            pictures.iter().flatten().map(|picture| picture.width.max(picture.height)).max()
        };
        match self {
            SkySource::Gradient => None,
            SkySource::Pictures(pictures) => of(pictures),
            SkySource::Over(under, pictures) => under.largest().max(of(pictures)),
        }
    }

    /// A side as a square of `size` pixels an edge.
    fn side(&self, side: Side, size: u32) -> Cow<'_, [u8]> {
        match self {
            SkySource::Gradient => Cow::Owned(gradient_side(side, size)),
            SkySource::Pictures(pictures) => match &pictures[side as usize] {
                Some(picture) => square(picture, size),
                None => Cow::Owned(gradient_side(side, size)),
            },
            SkySource::Over(under, pictures) => {
                let under = under.side(side, size);
                match &pictures[side as usize] {
                    Some(picture) => Cow::Owned(blended(&under, &square(picture, size))),
                    None => under,
                }
            }
        }
    }
}

/// A sky on the GPU.
#[derive(Debug)]
pub struct Sky {
    pub(super) bind_group: wgpu::BindGroup,
    ambient: Vec3,
    /// How far the sky is turned about the vertical, in radians, counter-clockwise seen from above.
    pub turn: f32,
}

/// Towards the sun of the built-in sky: a clear afternoon, the sun behind the left shoulder of one who looks along -Z.
pub(super) const TO_SUN: Vec3 = Vec3::new(-0.477_67, 0.667_48, 0.571_23);

/// Pixels on the edge of a side that is all gradient: enough that the sun's rim is smooth.
const GRADIENT_SIZE: u32 = 512;

impl Sky {
    /// Uploads a sky. Pictures of different sizes are brought to the largest, and to what the adapter allows.
    pub fn new(gpu: &Gpu, bindings: &Bindings, source: &SkySource) -> Result<Sky, GpuError> {
        let size = source.largest().unwrap_or(GRADIENT_SIZE).min(gpu.device.limits().max_texture_dimension_2d);
        let sides: Vec<Cow<'_, [u8]>> = Side::ALL.iter().map(|&side| source.side(side, size)).collect();
        let ambient = mean_above(&sides, size);
        let bind_group = gpu.catching(|| bindings.sky(gpu, &upload(gpu, &sides, size)))?;
        Ok(Sky { bind_group, ambient, turn: 0.0 })
    }

    /// The mean linear colour above the horizon.
    pub fn ambient(&self) -> Vec3 {
        self.ambient
    }
}

/// The built-in sky in a direction of any length above 0, linear.
fn gradient(direction: Vec3) -> Vec3 {
    let direction = direction.normalize();
    let zenith = Vec3::new(0.10, 0.24, 0.56);
    let horizon = Vec3::new(0.58, 0.71, 0.84);
    if direction.y < 0.0 {
        // Haze that thickens downwards, so that the horizon is no hard line.
        let depth = Vec3::new(0.13, 0.145, 0.16);
        let haze = Vec3::new(0.33, 0.37, 0.40);
        return haze.lerp(depth, (-direction.y).powf(0.7)).lerp(horizon, (1.0 + direction.y / 0.1).max(0.0).powi(2));
    }
    let sky = horizon.lerp(zenith, direction.y.powf(0.55));
    let to_sun = direction.dot(TO_SUN.normalize()).clamp(-1.0, 1.0);
    let glow = Vec3::new(1.0, 0.86, 0.62) * (0.35 * to_sun.max(0.0).powi(180) + 0.12 * to_sun.max(0.0).powi(12));
    // About three times as wide as the real one, which would be a few pixels, with a soft rim.
    let angle = to_sun.acos().to_degrees();
    let disc = ((1.1 - angle) / 0.25).clamp(0.0, 1.0);
    (sky + glow).lerp(Vec3::new(1.0, 0.97, 0.88), disc)
}

fn gradient_side(side: Side, size: u32) -> Vec<u8> {
    let place = |pixel: u32| (2 * pixel + 1) as f32 / size as f32 - 1.0;
    let row = |y: u32| {
        (0..size).flat_map(move |x| {
            let color = gradient(side.direction(place(x), place(y)));
            [srgb_byte(color.x), srgb_byte(color.y), srgb_byte(color.z), 255]
        })
    };
    (0..size).into_par_iter().flat_map_iter(row).collect()
}

/// The picture as a square of `size` pixels an edge.
fn square(picture: &Texture, size: u32) -> Cow<'_, [u8]> {
    if (picture.width, picture.height) == (size, size) {
        return Cow::Borrowed(&picture.rgba);
    }
    let image = image::ImageBuffer::<image::Rgba<u8>, &[u8]>::from_raw(picture.width, picture.height, &picture.rgba)
        .expect("a texture holds four bytes a pixel");
    Cow::Owned(image::imageops::resize(&image, size, size, image::imageops::FilterType::Triangle).into_raw())
}

/// Pixels over others, by their opacity; both sRGB, mixed as light.
fn blended(under: &[u8], over: &[u8]) -> Vec<u8> {
    let (under, over) = (under.as_chunks::<4>().0, over.as_chunks::<4>().0);
    let mix = |(under, over): (&[u8; 4], &[u8; 4])| {
        let opacity = f32::from(over[3]) / 255.0;
        let light = |byte: u8| linear_from_srgb(f32::from(byte) / 255.0);
        let [r, g, b] = [0, 1, 2].map(|i| srgb_byte(light(under[i]) + opacity * (light(over[i]) - light(under[i]))));
        [r, g, b, 255]
    };
    under.par_iter().zip(over).flat_map_iter(mix).collect()
}

/// The mean linear colour of the upper side and of the upper halves of the others.
fn mean_above(sides: &[Cow<'_, [u8]>], size: u32) -> Vec3 {
    let (mut sum, mut weights) = (Vec3::ZERO, 0.0);
    // A sparse grid is enough for a mean.
    let step = (size / 32).max(1);
    for &side in Side::ALL.iter().filter(|&&side| side != Side::Down) {
        let rows = if side == Side::Up { size } else { (size / 2).max(1) };
        for (y, x) in
            (0..rows).step_by(step as usize).flat_map(|y| (0..size).step_by(step as usize).map(move |x| (y, x)))
        {
            let place = |pixel: u32| (2 * pixel + 1) as f32 / size as f32 - 1.0;
            // The solid angle of a place on a cube falls with the cube of its distance.
            let weight = side.direction(place(x), place(y)).length().powi(-3);
            let at = 4 * (y * size + x) as usize;
            let [r, g, b] = [0, 1, 2].map(|i| linear_from_srgb(f32::from(sides[side as usize][at + i]) / 255.0));
            sum += weight * Vec3::new(r, g, b);
            weights += weight;
        }
    }
    sum / weights
}

fn upload(gpu: &Gpu, sides: &[Cow<'_, [u8]>], size: u32) -> wgpu::TextureView {
    let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: Some("sky"),
        size: wgpu::Extent3d { width: size, height: size, depth_or_array_layers: 6 },
        mip_level_count: level_count(size, size),
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: wgpu::TextureFormat::Rgba8UnormSrgb,
        usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
        view_formats: &[],
    });
    let smaller: Vec<Vec<Mipmap>> = sides.par_iter().map(|rgba| mipmaps(size, size, rgba, Opacity::Unused)).collect();
    for (layer, (rgba, smaller)) in sides.iter().zip(&smaller).enumerate() {
        let levels =
            std::iter::once((size, &rgba[..])).chain(smaller.iter().map(|level| (level.width, &level.rgba[..])));
        for (level, (width, rgba)) in levels.enumerate() {
            gpu.queue.write_texture(
                wgpu::TexelCopyTextureInfo {
                    texture: &texture,
                    mip_level: level as u32,
                    origin: wgpu::Origin3d { x: 0, y: 0, z: layer as u32 },
                    aspect: wgpu::TextureAspect::All,
                },
                rgba,
                wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(4 * width), rows_per_image: Some(width) },
                wgpu::Extent3d { width, height: width, depth_or_array_layers: 1 },
            );
        }
    }
    texture.create_view(&wgpu::TextureViewDescriptor {
        dimension: Some(wgpu::TextureViewDimension::Cube),
        ..Default::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_meet_where_their_pictures_do() {
        // Walking along a picture's edge on one side and on its neighbour gives the same directions.
        for s in [-1.0, -0.5, 0.0, 1.0] {
            assert_eq!(Side::Front.direction(1.0, s), Side::Right.direction(-1.0, s));
            assert_eq!(Side::Right.direction(1.0, s), Side::Back.direction(-1.0, s));
            assert_eq!(Side::Back.direction(1.0, s), Side::Left.direction(-1.0, s));
            assert_eq!(Side::Left.direction(1.0, s), Side::Front.direction(-1.0, s));
            assert_eq!(Side::Front.direction(s, -1.0), Side::Up.direction(s, 1.0));
            assert_eq!(Side::Front.direction(s, 1.0), Side::Down.direction(s, -1.0));
        }
    }

    #[test]
    fn the_gradient_has_no_seam_and_one_sun() {
        let size = 64;
        let front = gradient_side(Side::Front, size);
        let right = gradient_side(Side::Right, size);
        for y in 0..size {
            let at = |x: u32| 4 * (y * size + x) as usize;
            for channel in 0..3 {
                let (left, right) = (front[at(size - 1) + channel], right[at(0) + channel]);
                assert!(left.abs_diff(right) <= 2, "row {y}: {left} beside {right}");
            }
        }
        assert!(gradient(TO_SUN).min_element() > 0.85);
        assert!(gradient(-TO_SUN).max_element() < 0.3);
    }
}
