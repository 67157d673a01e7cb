//! Small pictures of what materials and lights do: emission, normal maps, wraps and lamps, on every graphics interface that the
//! machine has.

mod drawing;

use std::sync::Arc;

use drawing::{Shot, encoded, expect_pixel, flat, level, linear, quad, texture, trials, wall};
use glam::{DMat3, DVec3, Quat, Vec3};
use image::RgbaImage;
use libtest_mimic::{Arguments, Failed};
use nodetree::bodies::{self, Balls, Met, Model, Props, Transform, VisibleBodies};
use nodetree::level::{AlphaMode, LampKind, Level, LevelBuilder, Light, Map, Material, NormalMap, Wrap};
use nodetree::render::{
    Frame, Gpu, Instances, LevelOnGpu, Lighting, ModelsOnGpu, PICTURE_FORMAT, Renderer, Sky, SkySource, picture,
};
use nodetree::tree::{Mode, Settings, Tree};

fn main() {
    let tests: &[(&'static str, drawing::Test)] = &[
        ("emission_shows_its_colour_in_the_dark", emission_shows_its_colour_in_the_dark),
        ("emission_adds_to_the_light", emission_adds_to_the_light),
        ("normal_maps_tilt_the_light", normal_maps_tilt_the_light),
        ("normal_maps_turn_with_copies", normal_maps_turn_with_copies),
        ("wraps_decide_what_is_beyond_the_edges", wraps_decide_what_is_beyond_the_edges),
        ("one_picture_may_hold_colours_and_normals", one_picture_may_hold_colours_and_normals),
        ("lamps_light_what_they_face", lamps_light_what_they_face),
    ];
    libtest_mimic::run(&Arguments::from_args(), trials(tests)).exit();
}

/// No light but a sun that shines with `sun` from a direction.
fn only_sun(lighting: &mut Lighting, sun: f32, to_sun: DVec3) {
    lighting.ambient_above = Vec3::ZERO;
    lighting.ambient_below = Vec3::ZERO;
    lighting.lamp = Vec3::ZERO;
    lighting.sun = Vec3::splat(sun);
    lighting.to_sun = to_sun.as_vec3();
}

fn lit_by_sun(level: &Level, gpu: &Gpu, sun: f32, to_sun: DVec3) -> RgbaImage {
    Shot::new(level).draw_with(gpu, |frame| only_sun(&mut frame.lighting, sun, to_sun))
}

const TEAL: [u8; 3] = [85, 160, 158];
const REPEAT: [Wrap; 2] = [Wrap::Repeat; 2];

fn emission_shows_its_colour_in_the_dark(gpu: &Gpu) -> Result<(), Failed> {
    let teal = TEAL.map(|byte| linear(byte) as f32);
    for alpha_mode in [AlphaMode::Opaque, AlphaMode::Mask(0.5), AlphaMode::Blend] {
        for has_picture in [false, true] {
            let level = level(|builder| {
                let picture = builder.texture(texture(2, 2, |_, _| [TEAL[0], TEAL[1], TEAL[2], 255]));
                let lamp = Material {
                    emissive: if has_picture { [1.0; 3] } else { teal },
                    emissive_map: has_picture.then_some(Map { texture: picture, wrap: REPEAT }),
                    alpha_mode,
                    ..Material::default()
                };
                let lamp = builder.material(lamp);
                wall(builder, -5.0, 10.0, lamp);
            });
            expect_pixel(&lit_by_sun(&level, gpu, 0.0, DVec3::Z), 32, 32, TEAL, 1)?;
        }
    }
    Ok(())
}

fn emission_adds_to_the_light(gpu: &Gpu) -> Result<(), Failed> {
    let level = level(|builder| {
        let base_color = [f32::from(TEAL[0]) / 255.0, f32::from(TEAL[1]) / 255.0, f32::from(TEAL[2]) / 255.0, 1.0];
        let lamp = builder.material(Material { base_color, emissive: [0.25, 0.0, 8.0], ..Material::default() });
        wall(builder, -5.0, 10.0, lamp);
    });
    let lit = |byte: u8| 0.5 * linear(byte);
    // Brighter than white is white.
    let expected = [encoded(lit(TEAL[0]) + 0.25), encoded(lit(TEAL[1])), 255];
    expect_pixel(&lit_by_sun(&level, gpu, 0.5, DVec3::Z), 32, 32, expected, 1)
}

/// The normal that bytes of a normal map stand for, its slopes scaled, in tangent space.
fn normal_of(bytes: [u8; 3], scale: f64) -> DVec3 {
    let [x, y, z] = bytes.map(|byte| f64::from(byte) / 255.0 * 2.0 - 1.0);
    DVec3::new(scale * x, scale * y, z).normalize()
}

/// A wall across the view with one normal all over.
fn tilted_wall(bytes: [u8; 3], scale: f32, alpha_mode: AlphaMode) -> Level {
    level(|builder| {
        let picture = builder.texture(texture(4, 4, |_, _| [bytes[0], bytes[1], bytes[2], 255]));
        let map = Map { texture: picture, wrap: REPEAT };
        let tilted = Material { normal_map: Some(NormalMap { map, scale }), alpha_mode, ..Material::default() };
        let tilted = builder.material(tilted);
        wall(builder, -5.0, 10.0, tilted);
    })
}

/// What a white surface shows in a sun of 0.5.
fn shown(normal: DVec3, to_sun: DVec3) -> [u8; 3] {
    [encoded(0.5 * normal.dot(to_sun).max(0.0)); 3]
}

fn normal_maps_tilt_the_light(gpu: &Gpu) -> Result<(), Failed> {
    let suns = [DVec3::Z, DVec3::new(0.8, 0.0, 0.6), DVec3::new(-0.8, 0.0, 0.6), DVec3::new(0.0, 0.8, 0.6)];
    // To the right, and upwards, in a picture that stands upright.
    for bytes in [[204, 128, 230], [128, 204, 230], [128, 128, 255]] {
        for to_sun in suns {
            for scale in [1.0, 0.5] {
                let expected = shown(normal_of(bytes, scale), to_sun);
                let level = tilted_wall(bytes, scale as f32, AlphaMode::Opaque);
                expect_pixel(&lit_by_sun(&level, gpu, 0.5, to_sun), 32, 32, expected, 1)?;
            }
        }
    }
    for alpha_mode in [AlphaMode::Mask(0.5), AlphaMode::Blend] {
        let level = tilted_wall([204, 128, 230], 1.0, alpha_mode);
        let expected = shown(normal_of([204, 128, 230], 1.0), suns[1]);
        expect_pixel(&lit_by_sun(&level, gpu, 0.5, suns[1]), 32, 32, expected, 1)?;
    }
    // From behind, slopes are the other way round.
    let level = tilted_wall([204, 128, 230], 1.0, AlphaMode::Opaque);
    let mut shot = Shot::new(&level);
    shot.camera.eye.z = -10.0;
    shot.camera.yaw = std::f32::consts::PI;
    let image = shot.draw_with(gpu, |frame| only_sun(&mut frame.lighting, 0.5, DVec3::NEG_Z));
    expect_pixel(&image, 32, 32, shown(-normal_of([204, 128, 230], 1.0), DVec3::NEG_Z), 1)
}

fn normal_maps_turn_with_copies(gpu: &Gpu) -> Result<(), Failed> {
    let bytes = [204, 170, 220];
    let to_sun = DVec3::new(0.36, 0.48, 0.8);
    let quarter = std::f32::consts::FRAC_PI_2;
    for (rotation, scale) in [
        (Quat::IDENTITY, Vec3::ONE),
        (Quat::from_rotation_z(quarter), Vec3::ONE),
        (Quat::IDENTITY, Vec3::new(-1.0, 1.0, 1.0)),
        (Quat::from_rotation_z(-quarter), Vec3::new(2.0, -2.0, 2.0)),
    ] {
        let nothing = level(wall_behind);
        let tree = Tree::build(&nothing, &Settings::new(Mode::Octree));
        let mut renderer = Renderer::new(gpu, PICTURE_FORMAT, Some(1));
        let mut on_gpu = LevelOnGpu::new(gpu, renderer.bindings(), &nothing, &tree)?;
        let sky = Sky::new(gpu, renderer.bindings(), &SkySource::Gradient)?;
        let mut props = Props::default();
        let model = Model::new(tilted_wall(bytes, 1.0, AlphaMode::Opaque), &Settings::new(Mode::Octree));
        let model = props.add_model(Arc::new(model));
        let transform = Transform { translation: Vec3::ZERO, rotation, scale };
        props.add("", model, transform, Met::Mesh).map_err(|error| error.to_string())?;
        let models = ModelsOnGpu::new(gpu, renderer.bindings(), &props)?;
        let balls = Balls::new(bodies::Settings::default())?;
        let (mut visible, mut instances) = (VisibleBodies::new(), Instances::default());
        visible.cull(&props, &balls, None);
        instances.gather(&visible, &props, &balls, 1.0);
        let shot = Shot::new(&nothing);
        let mut list = nodetree::cull::DrawList::new();
        list.everything(&tree);
        let mut frame = Frame::new(&shot.camera, &list, &sky);
        only_sun(&mut frame.lighting, 0.5, to_sun);
        frame.bodies = Some((&models, &instances));
        let (image, _) = picture(gpu, &mut renderer, &mut on_gpu, shot.size, &frame)?;
        let turn = DMat3::from_quat(rotation.as_dquat()) * DMat3::from_diagonal(scale.as_dvec3().signum());
        expect_pixel(&image, 32, 32, shown(turn * normal_of(bytes, 1.0), to_sun), 1)?;
    }
    Ok(())
}

/// Something far behind everything else.
fn wall_behind(builder: &mut LevelBuilder) {
    let black = builder.material(flat("black", [0; 3]));
    wall(builder, -500.0, 1000.0, black);
}

const RED: [u8; 3] = [255, 0, 0];
const GREEN: [u8; 3] = [0, 255, 0];

fn wraps_decide_what_is_beyond_the_edges(gpu: &Gpu) -> Result<(), Failed> {
    // Red and green beside each other; the wall shows it from 0 to 2. In the second round, a quarter and three quarters on:
    let cases = [(Wrap::Repeat, RED, GREEN), (Wrap::Mirror, GREEN, RED), (Wrap::Clamp, GREEN, GREEN)];
    for (wrap, near, far) in cases {
        for (along_v, emits) in [(false, false), (true, false), (false, true), (true, true)] {
            let level = level(|builder| {
                let color = |x, y| if (if along_v { y } else { x }) < 2 { [255, 0, 0, 255] } else { [0, 255, 0, 255] };
                let picture = builder.texture(texture(4, 4, color));
                let wrap = if along_v { [Wrap::Repeat, wrap] } else { [wrap, Wrap::Repeat] };
                let map = Map { texture: picture, wrap };
                let material = if emits {
                    Material { emissive: [1.0; 3], emissive_map: Some(map), ..Material::default() }
                } else {
                    Material { texture: Some(picture), wrap, unlit: true, ..Material::default() }
                };
                let material = builder.material(material);
                quad(builder, [-4.0, -4.0, -4.0], [8.0, 0.0, 0.0], [0.0, 8.0, 0.0], material, 2.0);
            });
            // 64 pixels for two rounds. Rows from the top show V from 0 on.
            let image = lit_by_sun(&level, gpu, 0.0, DVec3::Z);
            for (at, expected) in [(8, RED), (24, GREEN), (40, near), (56, far)] {
                let (x, y) = if along_v { (8, at) } else { (at, 8) };
                expect_pixel(&image, x, y, expected, 1)
                    .map_err(|why| format!("{wrap:?}, V {along_v}, {emits}: {}", message(&why)))?;
            }
        }
    }
    Ok(())
}

fn message(why: &Failed) -> String {
    format!("{why:?}")
}

fn one_picture_may_hold_colours_and_normals(gpu: &Gpu) -> Result<(), Failed> {
    let bytes = [204, 128, 230];
    let level = level(|builder| {
        let picture = builder.texture(texture(4, 4, |_, _| [bytes[0], bytes[1], bytes[2], 255]));
        let map = Map { texture: picture, wrap: REPEAT };
        let normal_map = Some(NormalMap { map, scale: 1.0 });
        let both = builder.material(Material { texture: Some(picture), normal_map, ..Material::default() });
        wall(builder, -5.0, 10.0, both);
    });
    let light = 0.5 * normal_of(bytes, 1.0).z;
    let expected = bytes.map(|byte| encoded(light * linear(byte)));
    expect_pixel(&lit_by_sun(&level, gpu, 0.5, DVec3::Z), 32, 32, expected, 1)
}

fn lamps_light_what_they_face(gpu: &Gpu) -> Result<(), Failed> {
    let lit_by = |kind, color: f32, position: DVec3| {
        let level = level(|builder| {
            let white = builder.material(Material::default());
            wall(builder, -4.0, 40.0, white);
            let light = Light { kind, color: Vec3::splat(color), position: Vec3::ZERO, direction: Vec3::NEG_Z };
            builder.light(position, light);
        });
        Shot::new(&level).draw_with(gpu, |frame| {
            only_sun(&mut frame.lighting, 0.0, DVec3::Z);
            frame.lighting = frame.lighting.clone().with(level.lights.iter().copied(), Vec3::ZERO);
        })
    };
    // The pixels in the middle are half a pixel beside it.
    let far_point = LampKind::Point { range: 1000.0 };
    for (color, height) in [(0.5, 1.0), (0.5, 2.0), (0.1, 0.5)] {
        let image = lit_by(far_point, color, DVec3::new(0.0, 0.0, height - 4.0));
        let beside = 2.0 * (4.0_f64 / 64.0).powi(2);
        let (distance, facing) = ((height * height + beside).sqrt(), height / (height * height + beside).sqrt());
        let expected = [encoded(f64::from(color) * facing / (distance * distance)); 3];
        expect_pixel(&image, 32, 32, expected, 1)?;
    }
    let image = lit_by(LampKind::Sun, 0.5, DVec3::ZERO);
    expect_pixel(&image, 5, 60, [encoded(0.5); 3], 1)?;
    // A cone of 45 degrees from 4 m away just reaches the sides of the picture, and fades from 30 degrees on.
    let spot = LampKind::Spot { range: 1000.0, half_angle: 45_f32.to_radians(), inner_angle: 30_f32.to_radians() };
    let image = lit_by(spot, 8.0, DVec3::ZERO);
    let at = |x: u32| {
        let [x, y] = [x, 32].map(|pixel| (f64::from(pixel) + 0.5) / 8.0 - 4.0);
        let distance = (16.0 + x * x + y * y).sqrt();
        let (rim, inner) = (45_f64.to_radians().cos(), 30_f64.to_radians().cos());
        let part = ((4.0 / distance - rim) / (inner - rim)).clamp(0.0, 1.0);
        let cone = part * part * (3.0 - 2.0 * part);
        [encoded(8.0 * cone * 4.0 / distance.powi(3)); 3]
    };
    for x in [32, 40, 50, 56, 60, 63] {
        expect_pixel(&image, x, 32, at(x), 1)?;
    }
    expect_pixel(&image, 0, 0, [0; 3], 0)
}
