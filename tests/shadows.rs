//! Sun shadows against rays to the sun, on every graphics interface that the machine has.

mod drawing;

use std::sync::Arc;

use drawing::{Random, Shadows, Shot, encoded, expect_pixel, level, quad, texture, trials};
use glam::{DVec3, Quat, Vec3};
use image::RgbaImage;
use libtest_mimic::{Arguments, Failed};
use nodetree::bodies::{self, Balls, Met, Model, Props, Throw, Transform};
use nodetree::camera::Camera;
use nodetree::cull::DrawList;
use nodetree::geometry::Ray;
use nodetree::level::{AlphaMode, Level, LevelBuilder, Material};
use nodetree::query::Faces;
use nodetree::render::{
    Frame, Gpu, Instances, LevelOnGpu, Lighting, ModelsOnGpu, PICTURE_FORMAT, Renderer, Sky, SkySource, SunShadows,
    picture,
};
use nodetree::tree::{Mode, Settings, Tree};

fn main() {
    let tests: &[(&'static str, drawing::Test)] = &[
        ("shadows_lie_where_rays_to_the_sun_are_stopped", shadows_lie_where_rays_to_the_sun_are_stopped),
        ("culling_loses_no_shadow", culling_loses_no_shadow),
        ("holes_let_the_sun_through_and_glass_casts_none", holes_let_the_sun_through_and_glass_casts_none),
        ("props_and_balls_cast_shadows_until_they_fade", props_and_balls_cast_shadows_until_they_fade),
        ("the_first_sun_of_a_level_casts_them", the_first_sun_of_a_level_casts_them),
    ];
    libtest_mimic::run(&Arguments::from_args(), trials(tests)).exit();
}

/// No light but the sun: what is in shadow is black.
fn only_sun(lighting: &mut Lighting, to_sun: Vec3) {
    lighting.ambient_above = Vec3::ZERO;
    lighting.ambient_below = Vec3::ZERO;
    lighting.lamp = Vec3::ZERO;
    lighting.sun = Vec3::splat(0.5);
    lighting.to_sun = to_sun;
}

/// Adds a box with an edge along each axis.
fn add_box(builder: &mut LevelBuilder, min: DVec3, size: DVec3, material: u32) {
    for axis in 0..3 {
        let [mut right, mut up, mut ahead] = [DVec3::ZERO; 3];
        right[(axis + 1) % 3] = size[(axis + 1) % 3];
        up[(axis + 2) % 3] = size[(axis + 2) % 3];
        ahead[axis] = size[axis];
        quad(builder, (min + ahead).to_array(), right.to_array(), up.to_array(), material, 1.0);
        quad(builder, min.to_array(), up.to_array(), right.to_array(), material, 1.0);
    }
}

/// Boxes that stand and hang about over a floor of 160 m an edge.
fn boxes() -> Level {
    level(|builder| {
        let white = builder.material(Material::default());
        quad(builder, [-80.0, 0.0, 80.0], [160.0, 0.0, 0.0], [0.0, 0.0, -160.0], white, 1.0);
        let mut random = Random(5);
        for _ in 0..120 {
            let mut between = |low, high| random.between(low, high);
            let size = DVec3::new(between(0.5, 6.0), between(0.5, 9.0), between(0.5, 6.0));
            let min = DVec3::new(between(-70.0, 70.0), between(-4.0, 8.0), between(-70.0, 70.0));
            add_box(builder, min, size, white);
        }
    })
}

const SIZE: u32 = 128;

fn poses() -> impl Iterator<Item = (Camera, Vec3)> {
    let mut random = Random(9);
    (0..6).map(move |_| {
        let mut between = |low: f64, high: f64| random.between(low, high) as f32;
        let eye = Vec3::new(between(-40.0, 40.0), between(9.0, 22.0), between(-40.0, 40.0));
        let (yaw, pitch) = (between(-3.0, 3.0), between(-0.9, -0.1));
        let to_sun = Vec3::new(between(-1.0, 1.0), between(0.4, 1.0), between(-1.0, 1.0)).normalize();
        (Camera { eye, yaw, pitch, aspect: 1.0, fov_y: 1.0, ..Camera::default() }, to_sun)
    })
}

fn shot(level: &Level, camera: Camera, shadows: Shadows) -> Shot<'_> {
    Shot { camera, size: (SIZE, SIZE), shadows, ..Shot::new(level) }
}

fn is_lit(image: &RgbaImage, x: u32, y: u32) -> bool {
    image.get_pixel(x, y).0[0] > 8
}

/// What rays to the sun say of a point of a surface and of what is up to `doubt` metres beside and before it; `None` where they
/// differ, and where the sun grazes the surface.
fn is_sunny(tree: &Tree, point: Vec3, normal: Vec3, to_sun: Vec3, doubt: f32) -> Option<bool> {
    let facing = normal.dot(to_sun);
    if facing.abs() < 0.15 {
        return None;
    }
    let right = normal.any_orthonormal_vector();
    let up = normal.cross(right);
    let mut lit = 0;
    for place in 0..18 {
        let aside = |place: i32| doubt * (place % 3 - 1) as f32;
        let before = if place < 9 { 1e-3 } else { doubt };
        let beside = point + aside(place) * right + aside(place / 3) * up + before * normal;
        let ray = Ray::new(beside, to_sun).ok()?;
        lit += i32::from(facing > 0.0 && !tree.any_hit(&ray, f32::INFINITY, Faces::Both));
    }
    match lit {
        0 => Some(false),
        18 => Some(true),
        _ => None,
    }
}

fn shadows_lie_where_rays_to_the_sun_are_stopped(gpu: &Gpu) -> Result<(), Failed> {
    let level = boxes();
    let tree = Tree::build(&level, &Settings::new(Mode::Octree));
    let (mut lit, mut dark) = (0, 0);
    for (number, (camera, to_sun)) in poses().enumerate() {
        let image =
            shot(&level, camera, Shadows::Culled(to_sun)).draw_with(gpu, |frame| only_sun(&mut frame.lighting, to_sun));
        let half = (0.5 * camera.fov_y).tan();
        for (x, y) in (0..SIZE).flat_map(|y| (0..SIZE).map(move |x| (x, y))) {
            // The sky is bright too, and shadows end.
            let seen = |x: f32, y: f32| {
                let aside = |pixel: f32| half * (2.0 * pixel / SIZE as f32 - 1.0);
                let way = camera.forward() + aside(x) * camera.right() - aside(y) * camera.up();
                let ray = Ray::new(level.to_local(camera.eye.as_dvec3()), way).ok()?;
                let hit = tree.ray(&ray, 150.0, Faces::Both)?;
                Some((hit, if hit.front { hit.normal } else { -hit.normal }))
            };
            let (x_of, y_of) = (x as f32 + 0.5, y as f32 + 0.5);
            let Some((hit, normal)) = seen(x_of, y_of) else { continue };
            // On the edge of a face the picture may show the next one.
            let around = [(-0.1, 0.0), (0.1, 0.0), (0.0, -0.1), (0.0, 0.1)];
            if !around.iter().all(|(dx, dy)| seen(x_of + dx, y_of + dy).is_some_and(|(_, beside)| beside == normal)) {
                continue;
            }
            // Three texels of the map that covers it at worst.
            let doubt = 0.15 + 0.01 * hit.distance;
            let Some(sunny) = is_sunny(&tree, hit.point, normal, to_sun, doubt) else { continue };
            *(if sunny { &mut lit } else { &mut dark }) += 1;
            if is_lit(&image, x, y) != sunny {
                return Err(format!(
                    "pose {number}, pixel ({x}, {y}), {} m away at {}: lit {}, by rays {sunny}",
                    hit.distance, hit.point, !sunny
                )
                .into());
            }
        }
    }
    // The test is of use only where it sees both.
    if lit < 40_000 || dark < 8_000 {
        return Err(format!("{lit} pixels in the sun and {dark} in shadow are too few").into());
    }
    Ok(())
}

fn culling_loses_no_shadow(gpu: &Gpu) -> Result<(), Failed> {
    let level = boxes();
    for (number, (camera, to_sun)) in poses().enumerate() {
        let [culled, all] = [Shadows::Culled(to_sun), Shadows::All(to_sun)]
            .map(|shadows| shot(&level, camera, shadows).draw_with(gpu, |frame| only_sun(&mut frame.lighting, to_sun)));
        let pixels = drawing::differing(&culled, &all);
        if pixels > 0 {
            return Err(format!("pose {number}: {pixels} pixels differ").into());
        }
    }
    Ok(())
}

/// A floor under the origin and, 2 m over it, a roof of a material.
fn roofed(material: impl FnOnce(&mut LevelBuilder) -> Material) -> Level {
    level(|builder| {
        let white = builder.material(Material::default());
        let roof = material(builder);
        let roof = builder.material(roof);
        quad(builder, [-4.0, -4.0, 4.0], [8.0, 0.0, 0.0], [0.0, 0.0, -8.0], white, 1.0);
        quad(builder, [-1.0, -2.0, 1.0], [2.0, 0.0, 0.0], [0.0, 0.0, -2.0], roof, 1.0);
    })
}

/// Looks at the floor from the side.
const BESIDE: Camera = Camera {
    eye: Vec3::new(0.0, -1.0, 6.0),
    yaw: 0.0,
    pitch: -0.463_647_6,
    fov_y: 1.0,
    aspect: 1.0,
    near: 0.05,
    view_distance: None,
};

const WHITE: [u8; 3] = [188; 3];
const BLACK: [u8; 3] = [0; 3];

/// The middle of the floor, half a metre to its left, and beyond the roof's shadow. The sun is overhead.
fn floor_pixels(level: &Level, gpu: &Gpu) -> RgbaImage {
    shot(level, BESIDE, Shadows::Culled(Vec3::Y)).draw_with(gpu, |frame| only_sun(&mut frame.lighting, Vec3::Y))
}

fn holes_let_the_sun_through_and_glass_casts_none(gpu: &Gpu) -> Result<(), Failed> {
    let middle = SIZE / 2;
    let roof = |material: fn(&mut LevelBuilder) -> Material| floor_pixels(&roofed(material), gpu);
    let opaque = roof(|_| Material::default());
    expect_pixel(&opaque, middle, middle, BLACK, 1)?;
    expect_pixel(&opaque, middle + 30, middle, WHITE, 2)?;
    let glass =
        roof(|_| Material { base_color: [1.0, 1.0, 1.0, 0.5], alpha_mode: AlphaMode::Blend, ..Material::default() });
    expect_pixel(&glass, middle, middle, WHITE, 2)?;
    // A hole in the left half.
    let cut = roof(|builder| {
        let picture = builder.texture(texture(64, 64, |x, _| [255, 255, 255, if x < 32 { 0 } else { 255 }]));
        Material { texture: Some(picture), alpha_mode: AlphaMode::Mask(0.5), ..Material::default() }
    });
    expect_pixel(&cut, middle - 5, middle, WHITE, 2)?;
    expect_pixel(&cut, middle + 5, middle, BLACK, 1)
}

fn props_and_balls_cast_shadows_until_they_fade(gpu: &Gpu) -> Result<(), Failed> {
    let floor = level(|builder| {
        let white = builder.material(Material::default());
        quad(builder, [-4.0, -4.0, 4.0], [8.0, 0.0, 0.0], [0.0, 0.0, -8.0], white, 1.0);
    });
    let tree = Tree::build(&floor, &Settings::new(Mode::Octree));
    let sheet = level(|builder| {
        let white = builder.material(Material::default());
        quad(builder, [-0.5, 0.0, 0.5], [1.0, 0.0, 0.0], [0.0, 0.0, -1.0], white, 1.0);
    });
    let mut props = Props::default();
    let model = props.add_model(Arc::new(Model::new(sheet, &Settings::new(Mode::Octree))));
    // In the floor's local space the origin is where the level's builder put it.
    let over = |x: f32| floor.to_local(DVec3::new(f64::from(x), -2.0, 0.0));
    let place = |x| Transform { translation: over(x), rotation: Quat::IDENTITY, scale: Vec3::ONE };
    let prop = props.add("sheet", model, place(-1.2), Met::Mesh).map_err(|error| error.to_string())?;
    let mut balls = Balls::new(bodies::Settings::default())?;
    let _ball = balls.throw(&Throw { position: over(1.2).as_dvec3(), radius: 0.4, ..Throw::default() });
    let mut renderer = Renderer::new(gpu, PICTURE_FORMAT, Some(1));
    let mut on_gpu = LevelOnGpu::new(gpu, renderer.bindings(), &floor, &tree)?;
    let sky = Sky::new(gpu, renderer.bindings(), &SkySource::Gradient)?;
    let models = ModelsOnGpu::new(gpu, renderer.bindings(), &props)?;
    let camera = Camera { eye: floor.to_local(BESIDE.eye.as_dvec3()), ..BESIDE };
    let mut list = DrawList::new();
    list.everything(&tree);
    // Nothing but shadows is drawn of them.
    let unseen = Instances::default();
    let mut shadows = SunShadows::new(1024);
    for faded in [false, true] {
        if faded {
            props.set_opacity(prop, 0.5);
        }
        shadows.cast(&tree, &camera, Vec3::Y, Some((&props, &balls, 1.0)));
        let mut frame = Frame::new(&camera, &list, &sky);
        only_sun(&mut frame.lighting, Vec3::Y);
        (frame.bodies, frame.shadows) = (Some((&models, &unseen)), Some(&shadows));
        let (image, _) = picture(gpu, &mut renderer, &mut on_gpu, (SIZE, SIZE), &frame)?;
        let aside = 21;
        expect_pixel(&image, SIZE / 2 - aside, SIZE / 2, if faded { WHITE } else { BLACK }, 2)?;
        expect_pixel(&image, SIZE / 2 + aside, SIZE / 2, BLACK, 2)?;
        expect_pixel(&image, SIZE / 2, SIZE / 2, WHITE, 2)?;
    }
    Ok(())
}

fn the_first_sun_of_a_level_casts_them(gpu: &Gpu) -> Result<(), Failed> {
    use nodetree::level::{LampKind, Light};
    let level = roofed(|_| Material::default());
    let sun = |direction: Vec3| Light {
        kind: LampKind::Sun,
        color: Vec3::splat(0.25),
        position: Vec3::ZERO,
        direction: direction.normalize(),
    };
    let suns = [sun(Vec3::NEG_Y), sun(Vec3::new(0.0, -1.0, -1.0))];
    assert_eq!(Lighting::direction_to_sun(&suns), Vec3::Y);
    let image = shot(&level, BESIDE, Shadows::Culled(Vec3::Y)).draw_with(gpu, |frame| {
        only_sun(&mut frame.lighting, Vec3::Y);
        frame.lighting = frame.lighting.clone().with(suns.into_iter(), Vec3::ZERO);
    });
    // Under the roof only the second one shines, beside it both.
    let second = 0.25 * 0.5_f64.sqrt();
    expect_pixel(&image, SIZE / 2, SIZE / 2, [encoded(second); 3], 2)?;
    expect_pixel(&image, SIZE / 2 + 30, SIZE / 2, [encoded(0.25 + second); 3], 2)
}
