//! What one picture shows: camera, ranges to draw, light, sky and lines.

use std::array::from_fn;

use arrayvec::ArrayVec;
use glam::{Mat4, Quat, Vec3, Vec4};

use super::bodies::{Instances, ModelsOnGpu};
use super::inspect::{CellRange, Inspect};
use super::lines::LineVertex;
use super::occlusion::Occlusion;
use super::shadows::{CASCADES, SunShadows};
use super::sky::{Sky, TO_SUN};
use crate::camera::Camera;
use crate::cull::DrawList;
use crate::level::{LampKind, Light};

/// Everything that one call of [`Renderer::draw`](super::Renderer::draw) needs beside the level. Positions are in the
/// level's local space.
#[derive(Clone, Debug)]
pub struct Frame<'a> {
    /// From where.
    pub camera: &'a Camera,
    /// What, culled from the tree that the level on the GPU was ordered by. Culling may have used another camera.
    pub draw_list: &'a DrawList,
    /// What is behind it.
    pub sky: &'a Sky,
    /// The light on it.
    pub lighting: Lighting,
    /// What casts shadows under the sun, the first one of the lighting; `None` for no shadows.
    pub shadows: Option<&'a SunShadows>,
    /// Lines that the level can hide, two vertices each.
    pub lines: &'a [LineVertex],
    /// Lines that nothing hides, two vertices each.
    pub lines_on_top: &'a [LineVertex],
    /// Props and balls: their models, and where to draw them.
    pub bodies: Option<(&'a ModelsOnGpu, &'a Instances)>,
    /// Draw the edges of triangles only.
    pub wireframe: bool,
    /// What the draw list was culled with for this very picture, if it was: the depth that it drew is not drawn again.
    pub occlusion: Option<&'a Occlusion>,
    /// Draw this of the level instead of its materials.
    pub inspect: Option<Inspect>,
    /// The cells that culling took, by [`take_cells`](super::take_cells), for [`Inspect::Cells`].
    pub cells: &'a [CellRange],
}

impl<'a> Frame<'a> {
    /// A plain picture: the light that goes with the sky, no lines.
    pub fn new(camera: &'a Camera, draw_list: &'a DrawList, sky: &'a Sky) -> Frame<'a> {
        Frame {
            camera,
            draw_list,
            sky,
            lighting: Lighting::under(sky.ambient()),
            shadows: None,
            lines: &[],
            lines_on_top: &[],
            bodies: None,
            wireframe: false,
            occlusion: None,
            inspect: None,
            cells: &[],
        }
    }
}

/// The light of a scene. Colours are linear and may be brighter than 1.
#[derive(Clone, Debug, PartialEq)]
pub struct Lighting {
    /// What reaches a surface that faces straight up.
    pub ambient_above: Vec3,
    /// What reaches a surface that faces straight down.
    pub ambient_below: Vec3,
    /// Unit direction towards the sun.
    pub to_sun: Vec3,
    /// The sun's colour; black where there is none.
    pub sun: Vec3,
    /// The colour of the lamp at the eye; black when it is off.
    pub lamp: Vec3,
    /// How far the lamp reaches, in metres, above 0.
    pub lamp_range: f32,
    /// The lights of the level.
    pub lights: ArrayVec<Light, MOST_LIGHTS>,
}

/// Lights of a level that shine on one picture, at most.
pub const MOST_LIGHTS: usize = 64;
/// Suns among them, at most.
const MOST_SUNS: usize = 8;

impl Lighting {
    /// Light that goes with a sky of the mean linear colour `ambient`: ambient of its hue, a warm sun and a faint lamp.
    pub fn under(ambient: Vec3) -> Lighting {
        // A third of the sky's hue: most of what reaches a surface has met other surfaces before.
        let hue = Vec3::splat(0.66) + 0.34 * 3.0 * ambient / ambient.element_sum().max(1e-3);
        Lighting {
            ambient_above: 0.44 * hue,
            ambient_below: Vec3::new(0.23, 0.218, 0.2),
            to_sun: TO_SUN,
            sun: Vec3::new(0.68, 0.64, 0.57),
            lamp: Vec3::splat(0.12),
            lamp_range: 30.0,
            lights: ArrayVec::new(),
        }
    }

    /// The unit direction towards the sun that casts shadows under the lights of a level: their first sun, else the one that
    /// goes with the sky.
    pub fn direction_to_sun<'l>(lights: impl IntoIterator<Item = &'l Light>) -> Vec3 {
        let mut suns = lights.into_iter().filter(|light| light.kind == LampKind::Sun);
        suns.next().map_or(TO_SUN.normalize(), |sun| -sun.direction)
    }

    /// `shadow_caster` of `view.wgsl`.
    fn shadow_caster(&self) -> u32 {
        // Suns stand before all other lights.
        match self.lights.first() {
            _ if self.sun != Vec3::ZERO => 1,
            Some(light) if light.kind == LampKind::Sun => 2,
            _ => 0,
        }
    }

    /// This with the lights of a level. Its ambient lights replace the ambient light, and its suns the sun; of too many, those
    /// shine that reach closest to `eye` (local space), and the first eight suns.
    #[must_use]
    pub fn with(mut self, lights: impl Iterator<Item = Light>, eye: Vec3) -> Lighting {
        let lights: Vec<Light> = lights.collect();
        let of = |kind: fn(&LampKind) -> bool| lights.iter().filter(move |light| kind(&light.kind));
        if of(|kind| *kind == LampKind::Ambient).next().is_some() {
            self.ambient_above = of(|kind| *kind == LampKind::Ambient).map(|light| light.color).sum();
            self.ambient_below = self.ambient_above;
        }
        let suns = of(|kind| *kind == LampKind::Sun);
        self.lights.extend(suns.copied().take(MOST_SUNS));
        if !self.lights.is_empty() {
            self.sun = Vec3::ZERO;
        }
        let mut near: Vec<(f32, &Light)> = (lights.iter())
            .filter_map(|light| match light.kind {
                LampKind::Point { range } | LampKind::Spot { range, .. } => {
                    Some((light.position.distance(eye) - range, light))
                }
                LampKind::Ambient | LampKind::Sun => None,
            })
            .collect();
        near.sort_by(|(a, _), (b, _)| a.total_cmp(b));
        let room = self.lights.remaining_capacity();
        self.lights.extend(near.into_iter().take(room).map(|(_, light)| *light));
        self
    }
}

/// `Light` of `view.wgsl`.
#[derive(Clone, Copy, Default, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
struct LightUniform {
    position_and_range: Vec4,
    direction_and_cosine: Vec4,
    color: Vec4,
}

/// The sharpest rim of a cone, by its cosines.
const SHARPEST: f32 = 1e-4;

impl LightUniform {
    fn new(light: &Light) -> LightUniform {
        // A sun has no range, and only a spot a cone; of the others everything is inside.
        let (range, [rim, inner]) = match light.kind {
            LampKind::Ambient | LampKind::Sun => (0.0, [-3.0, -2.0]),
            LampKind::Point { range } => (range, [-3.0, -2.0]),
            LampKind::Spot { range, half_angle, inner_angle } => {
                let rim = half_angle.cos();
                (range, [rim, inner_angle.cos().max(rim + SHARPEST)])
            }
        };
        LightUniform {
            position_and_range: light.position.extend(range),
            direction_and_cosine: light.direction.extend(rim),
            color: light.color.extend(inner),
        }
    }
}

/// `View` of `view.wgsl`.
#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(super) struct ViewUniform {
    clip_from_world: Mat4,
    eye_in_world: Vec4,
    ambient_above: Vec4,
    ambient_below: Vec4,
    to_sun: Vec4,
    sun: Vec4,
    lamp: Vec4,
    sky_ahead: Vec4,
    sky_right: Vec4,
    sky_up: Vec4,
    shadow_from_world: [Mat4; CASCADES],
    shadow_texels: [f32; CASCADES],
    lights: [LightUniform; MOST_LIGHTS],
    light_count: u32,
    shadow_caster: u32,
    padding: [u32; 2],
}

impl ViewUniform {
    pub(super) fn new(frame: &Frame<'_>) -> ViewUniform {
        let (camera, lighting) = (frame.camera, &frame.lighting);
        let sky_from_world = Quat::from_rotation_y(-frame.sky.turn);
        let (half_height, half_width) = {
            let half = (0.5 * camera.fov_y).tan();
            (half, half * camera.aspect)
        };
        ViewUniform {
            clip_from_world: camera.clip_from_world(),
            eye_in_world: camera.eye.extend(1.0),
            ambient_above: lighting.ambient_above.extend(0.0),
            ambient_below: lighting.ambient_below.extend(0.0),
            to_sun: lighting.to_sun.extend(0.0),
            sun: lighting.sun.extend(0.0),
            lamp: lighting.lamp.extend(lighting.lamp_range),
            sky_ahead: (sky_from_world * camera.forward()).extend(0.0),
            sky_right: (sky_from_world * camera.right() * half_width).extend(0.0),
            sky_up: (sky_from_world * camera.up() * half_height).extend(0.0),
            shadow_from_world: from_fn(|map| {
                frame.shadows.map_or(Mat4::IDENTITY, |shadows| shadows.cascades()[map].map_from_world)
            }),
            shadow_texels: from_fn(|map| frame.shadows.map_or(0.0, |shadows| shadows.cascades()[map].texel)),
            lights: from_fn(|index| lighting.lights.get(index).map(LightUniform::new).unwrap_or_default()),
            light_count: lighting.lights.len() as u32,
            shadow_caster: if frame.shadows.is_some() { lighting.shadow_caster() } else { 0 },
            padding: [0; 2],
        }
    }
}
