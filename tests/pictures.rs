//! Small pictures, each of one property of the renderer, on every graphics interface that the machine has.

mod drawing;

use drawing::{Random, Shot, differing, encoded, expect_pixel, flat, level, linear, quad, texture, trials, wall};
use glam::{DVec3, Vec3};
use image::RgbaImage;
use libtest_mimic::{Arguments, Failed};
use nodetree::camera::Camera;
use nodetree::cull::DrawList;
use nodetree::level::{AlphaMode, Corner, Level, Material};
use nodetree::render::{
    Frame, Gpu, GpuError, LevelOnGpu, LineVertex, PICTURE_FORMAT, Renderer, Sky, SkySource, check_size, picture,
};
use nodetree::tree::{Mode, Settings, Tree};

fn main() {
    let tests: &[(&'static str, drawing::Test)] = &[
        ("base_color_reads_back_exactly", base_color_reads_back_exactly),
        ("vertex_color_reads_back_exactly", vertex_color_reads_back_exactly),
        ("texture_reads_back_exactly", texture_reads_back_exactly),
        ("targets_that_do_not_encode_get_encoded_colours", targets_that_do_not_encode_get_encoded_colours),
        ("cut_outs_have_holes", cut_outs_have_holes),
        ("blended_panes_mix_from_back_to_front", blended_panes_mix_from_back_to_front),
        ("blended_panes_hide_behind_walls", blended_panes_hide_behind_walls),
        ("both_sides_are_lit_by_what_they_face", both_sides_are_lit_by_what_they_face),
        ("one_sided_surfaces_are_seen_from_their_front", one_sided_surfaces_are_seen_from_their_front),
        ("a_chequered_floor_turns_grey_in_the_distance", a_chequered_floor_turns_grey_in_the_distance),
        ("the_nearer_surface_wins_far_away", the_nearer_surface_wins_far_away),
        ("lines_are_seen_and_hidden", lines_are_seen_and_hidden),
        ("a_wireframe_is_edges_only", a_wireframe_is_edges_only),
        ("culling_changes_no_pixel", culling_changes_no_pixel),
        ("invisible_materials_are_not_drawn", invisible_materials_are_not_drawn),
        ("an_empty_level_shows_the_sky", an_empty_level_shows_the_sky),
        ("changing_the_tree_changes_no_pixel", changing_the_tree_changes_no_pixel),
        ("textures_beyond_the_limit_are_scaled_down", textures_beyond_the_limit_are_scaled_down),
        ("pictures_beyond_the_limit_are_refused", pictures_beyond_the_limit_are_refused),
    ];
    libtest_mimic::run(&Arguments::from_args(), trials(tests)).exit();
}

const TEAL: [u8; 3] = [85, 160, 158];

fn base_color_reads_back_exactly(gpu: &Gpu) -> Result<(), Failed> {
    let level = level(|builder| {
        let teal = builder.material(flat("teal", TEAL));
        wall(builder, -5.0, 10.0, teal);
    });
    for samples in [1, 4] {
        let image = Shot { samples, ..Shot::new(&level) }.draw(gpu);
        for (x, y) in [(32, 32), (0, 0), (63, 10)] {
            expect_pixel(&image, x, y, TEAL, 1)?;
        }
    }
    Ok(())
}

fn vertex_color_reads_back_exactly(gpu: &Gpu) -> Result<(), Failed> {
    let level = level(|builder| {
        let white = builder.material(flat("white", [255; 3]));
        let corners = [[-9.0, -9.0], [9.0, -9.0], [0.0, 18.0]].map(|[x, y]| Corner {
            position: builder.colored_position(DVec3::new(x, y, -4.0), [TEAL[0], TEAL[1], TEAL[2], 255]),
            tex_coord: None,
            normal: None,
        });
        builder.polygon(&corners, white, 0);
    });
    expect_pixel(&Shot::new(&level).draw(gpu), 32, 32, TEAL, 1)
}

fn texture_reads_back_exactly(gpu: &Gpu) -> Result<(), Failed> {
    let level = level(|builder| {
        let picture = builder.texture(texture(4, 4, |_, _| [TEAL[0], TEAL[1], TEAL[2], 255]));
        let material = builder.material(Material { texture: Some(picture), ..flat("picture", [255; 3]) });
        wall(builder, -5.0, 10.0, material);
    });
    expect_pixel(&Shot::new(&level).draw(gpu), 32, 32, TEAL, 1)
}

fn targets_that_do_not_encode_get_encoded_colours(gpu: &Gpu) -> Result<(), Failed> {
    let level = level(|builder| {
        let teal = builder.material(flat("teal", TEAL));
        wall(builder, -5.0, 2.0, teal);
    });
    let shot = Shot::new(&level);
    let expected = shot.draw(gpu);
    let tree = Tree::build(&level, &Settings::new(Mode::Octree));
    let mut renderer = Renderer::new(gpu, wgpu::TextureFormat::Rgba8Unorm, Some(1));
    let mut on_gpu = LevelOnGpu::new(gpu, renderer.bindings(), &level, &tree)?;
    let sky = Sky::new(gpu, renderer.bindings(), &SkySource::Gradient)?;
    let mut list = DrawList::new();
    list.everything(&tree);
    let frame = Frame::new(&shot.camera, &list, &sky);
    let (image, _) = picture(gpu, &mut renderer, &mut on_gpu, shot.size, &frame)?;
    for (x, y, pixel) in expected.enumerate_pixels() {
        expect_pixel(&image, x, y, [pixel[0], pixel[1], pixel[2]], 1)?;
    }
    Ok(())
}

fn cut_outs_have_holes(gpu: &Gpu) -> Result<(), Failed> {
    let level = level(|builder| {
        // Opaque on the right half only. What is cut away is green, which must never show.
        let picture = builder.texture(texture(16, 16, |x, _| if x < 8 { [0, 255, 0, 0] } else { [0, 0, 255, 255] }));
        let leaf = builder.material(Material {
            texture: Some(picture),
            alpha_mode: AlphaMode::Mask(0.5),
            ..flat("leaf", [255; 3])
        });
        let red = builder.material(flat("red", [200, 0, 0]));
        wall(builder, -2.0, 2.0, leaf);
        wall(builder, -5.0, 10.0, red);
    });
    let image = Shot::new(&level).draw(gpu);
    expect_pixel(&image, 16, 32, [200, 0, 0], 1)?;
    expect_pixel(&image, 48, 32, [0, 0, 255], 1)
}

fn glass(name: &str, color: [u8; 3]) -> Material {
    let material = flat(name, color);
    let [r, g, b, _] = material.base_color;
    Material { base_color: [r, g, b, 0.5], alpha_mode: AlphaMode::Blend, ..material }
}

fn blended_panes_mix_from_back_to_front(gpu: &Gpu) -> Result<(), Failed> {
    // The same panes in both orders in the file, seen from both ends.
    for swapped in [false, true] {
        let level = level(|builder| {
            let red = builder.material(glass("red", [255, 0, 0]));
            let green = builder.material(glass("green", [0, 255, 0]));
            let white = builder.material(flat("white", [255; 3]));
            let mut panes = [(-2.0, red), (-4.0, green)];
            if swapped {
                panes.reverse();
            }
            for (z, material) in panes {
                wall(builder, z, 8.0, material);
            }
            wall(builder, -6.0, 20.0, white);
            wall(builder, 6.0, 20.0, white);
        });
        let image = Shot::new(&level).draw(gpu);
        // White, half covered by green, then half by red, in linear light.
        let far_green = [encoded(0.75), encoded(0.5), encoded(0.25)];
        expect_pixel(&image, 32, 32, far_green, 1)?;
        let mut from_behind = Shot::new(&level);
        from_behind.camera.eye = Vec3::new(0.0, 0.0, -5.0);
        from_behind.camera.yaw = std::f32::consts::PI;
        expect_pixel(&from_behind.draw(gpu), 32, 32, [encoded(0.5), encoded(0.75), encoded(0.25)], 1)?;
    }
    Ok(())
}

fn blended_panes_hide_behind_walls(gpu: &Gpu) -> Result<(), Failed> {
    let level = level(|builder| {
        let red = builder.material(glass("red", [255, 0, 0]));
        let white = builder.material(flat("white", [255; 3]));
        wall(builder, -6.0, 20.0, red);
        wall(builder, -4.0, 20.0, white);
    });
    expect_pixel(&Shot::new(&level).draw(gpu), 32, 32, [255; 3], 0)
}

fn both_sides_are_lit_by_what_they_face(gpu: &Gpu) -> Result<(), Failed> {
    let level = level(|builder| {
        let grey = builder.material(Material { base_color: [0.5, 0.5, 0.5, 1.0], ..Material::default() });
        wall(builder, 0.0, 20.0, grey);
    });
    let brightness = |eye_z: f32, to_sun: Vec3| {
        let mut shot = Shot::new(&level);
        shot.camera.eye.z = eye_z;
        shot.camera.yaw = if eye_z > 0.0 { 0.0 } else { std::f32::consts::PI };
        let image = shot.draw_with(gpu, |frame| {
            frame.lighting.to_sun = to_sun;
            frame.lighting.lamp = Vec3::ZERO;
        });
        image.get_pixel(32, 32)[1]
    };
    let (front_lit, back_dark) = (brightness(3.0, Vec3::Z), brightness(-3.0, Vec3::Z));
    let (front_dark, back_lit) = (brightness(3.0, Vec3::NEG_Z), brightness(-3.0, Vec3::NEG_Z));
    if front_lit != back_lit || front_dark != back_dark || front_lit < front_dark + 30 {
        return Err(format!("front {front_lit} and {front_dark}, back {back_lit} and {back_dark}").into());
    }
    Ok(())
}

fn one_sided_surfaces_are_seen_from_their_front(gpu: &Gpu) -> Result<(), Failed> {
    for mode in [AlphaMode::Opaque, AlphaMode::Mask(0.5), AlphaMode::Blend] {
        let level = level(|builder| {
            let red = builder.material(Material { two_sided: false, alpha_mode: mode, ..flat("red", [255, 0, 0]) });
            let white = builder.material(flat("white", [255; 3]));
            wall(builder, 0.0, 5.0, red);
            wall(builder, -50.0, 200.0, white);
            wall(builder, 50.0, 200.0, white);
        });
        let mut shot = Shot::new(&level);
        shot.camera.eye.z = 3.0;
        expect_pixel(&shot.draw(gpu), 32, 32, [255, 0, 0], 0)?;
        shot.camera.eye.z = -3.0;
        shot.camera.yaw = std::f32::consts::PI;
        expect_pixel(&shot.draw(gpu), 32, 32, [255; 3], 0)?;
    }
    Ok(())
}

fn a_chequered_floor_turns_grey_in_the_distance(gpu: &Gpu) -> Result<(), Failed> {
    let level = level(|builder| {
        let chequer =
            builder.texture(texture(64, 64, |x, y| if (x / 32 + y / 32) % 2 == 0 { [255; 4] } else { [0, 0, 0, 255] }));
        let floor = builder.material(Material { texture: Some(chequer), ..flat("floor", [255; 3]) });
        quad(builder, [-4000.0, 0.0, 4000.0], [8000.0, 0.0, 0.0], [0.0, 0.0, -8000.0], floor, 8000.0);
    });
    let mut shot = Shot { size: (256, 256), ..Shot::new(&level) };
    shot.camera.eye = Vec3::new(0.3, 1.6, 0.2);
    shot.camera.fov_y = 60_f32.to_radians();
    let image = shot.draw(gpu);
    let spread = |row: u32| {
        let values: Vec<f64> = (0..256).map(|x| linear(image.get_pixel(x, row)[0])).collect();
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / values.len() as f64;
        (mean, variance.sqrt())
    };
    // Near the feet black and white squares; from three pixels below the horizon on a grey that keeps the light.
    let (_, near) = spread(250);
    let worst_far = (129..=131).map(spread).fold((0.5, 0.0), |worst, row| if row.1 > worst.1 { row } else { worst });
    if near < 0.3 || worst_far.1 > 0.05 || (worst_far.0 - 0.5_f64).abs() > 0.05 {
        return Err(format!("near the feet {near}, at the horizon {worst_far:?}").into());
    }
    Ok(())
}

fn the_nearer_surface_wins_far_away(gpu: &Gpu) -> Result<(), Failed> {
    // GL remaps depth and loses what reversed depth gains, so there the walls stand farther apart.
    let is_gl = gpu.adapter.get_info().backend == wgpu::Backend::Gl;
    for (distance, gap) in if is_gl { [(100.0, 1.0), (1_000.0, 30.0)] } else { [(1_000.0, 0.01), (100_000.0, 1.0)] } {
        let level = level(|builder| {
            let red = builder.material(flat("red", [255, 0, 0]));
            let green = builder.material(flat("green", [0, 255, 0]));
            wall(builder, -distance, 2.0 * distance, red);
            wall(builder, -distance - gap, 2.0 * distance, green);
        });
        let image = Shot::new(&level).draw(gpu);
        if image.pixels().any(|pixel| pixel.0 != [255, 0, 0, 255]) {
            return Err(format!("at {distance} m a wall {gap} m behind shows through").into());
        }
    }
    Ok(())
}

fn count(image: &RgbaImage, color: [u8; 3]) -> usize {
    image.pixels().filter(|pixel| pixel.0[..3] == color).count()
}

fn lines_are_seen_and_hidden(gpu: &Gpu) -> Result<(), Failed> {
    let level = level(|builder| {
        let grey = builder.material(flat("grey", [60; 3]));
        wall(builder, -5.0, 10.0, grey);
    });
    let magenta = [255, 0, 255];
    let color = [255, 0, 255, 255];
    let across = |z: f32| LineVertex::line(Vec3::new(-20.0, 0.1, z), Vec3::new(20.0, 0.1, z), color);
    for samples in [1, 4] {
        let seen = |lines: &[LineVertex], on_top: &[LineVertex]| {
            let (lines, lines_on_top) = (lines.to_vec(), on_top.to_vec());
            count(&Shot { samples, lines, lines_on_top, ..Shot::new(&level) }.draw(gpu), magenta)
        };
        let (before, behind, on_wall) = (across(-3.0), across(-7.0), across(-5.0));
        let counts = [seen(&before, &[]), seen(&behind, &[]), seen(&[], &behind), seen(&on_wall, &[])];
        // One sample a pixel: every pixel of the row. Four: the line may share its pixels with the wall.
        let enough = if samples == 1 { 60 } else { 0 };
        if counts[0] < enough || counts[1] != 0 || counts[2] < enough || counts[3] < enough {
            return Err(format!("{samples} samples: {counts:?} pixels before, behind, on top and on the wall").into());
        }
    }
    Ok(())
}

fn a_wireframe_is_edges_only(gpu: &Gpu) -> Result<(), Failed> {
    let level = level(|builder| {
        let grey = builder.material(flat("grey", [60; 3]));
        wall(builder, -5.0, 3.0, grey);
    });
    let shot = Shot::new(&level);
    let bare = Shot::new(&Level::default()).draw(gpu);
    let solid = differing(&shot.draw(gpu), &bare);
    let edges = differing(&shot.draw_with(gpu, |frame| frame.wireframe = true), &bare);
    // Four sides and a diagonal of 38 pixels.
    if !(150..300).contains(&edges) || solid < 1300 {
        return Err(format!("{edges} pixels of edges, {solid} of surface").into());
    }
    Ok(())
}

/// Blocks, cut-out fences and panes of glass at random places.
fn jumble(seed: u64) -> Level {
    let mut random = Random(seed);
    level(|builder| {
        let leaves = builder.texture(texture(8, 8, |x, y| [40, 160, 60, if (x * y) % 3 == 0 { 255 } else { 0 }]));
        let materials = [
            Material { base_color: [0.8, 0.4, 0.3, 1.0], ..Material::default() },
            Material { base_color: [0.3, 0.5, 0.8, 1.0], two_sided: false, ..Material::default() },
            Material { texture: Some(leaves), alpha_mode: AlphaMode::Mask(0.5), ..Material::default() },
            Material { base_color: [0.9, 0.8, 0.2, 0.4], alpha_mode: AlphaMode::Blend, ..Material::default() },
            Material { base_color: [0.2, 0.8, 0.9, 0.6], alpha_mode: AlphaMode::Blend, ..Material::default() },
        ]
        .map(|material| builder.material(material));
        for place in 0..1500 {
            let corner = [random.between(-40.0, 40.0), random.between(-10.0, 10.0), random.between(-40.0, 40.0)];
            let mut edge = || [0; 3].map(|_| random.between(-2.5, 2.5));
            let (right, up) = (edge(), edge());
            quad(builder, corner, right, up, materials[place % materials.len()], 2.0);
        }
    })
}

fn culling_changes_no_pixel(gpu: &Gpu) -> Result<(), Failed> {
    let level = jumble(7);
    let mut random = Random(11);
    for (pose, mode) in [Mode::Quadtree, Mode::Octree, Mode::Quadtree, Mode::Octree].into_iter().enumerate() {
        let mut shot = Shot { size: (96, 64), samples: [1, 4][pose / 2], mode, ..Shot::new(&level) };
        shot.camera = Camera {
            eye: Vec3::new(random.between(-30.0, 30.0) as f32, 0.0, random.between(-30.0, 30.0) as f32),
            yaw: random.between(-3.0, 3.0) as f32,
            pitch: random.between(-0.5, 0.5) as f32,
            aspect: 1.5,
            view_distance: [None, Some(25.0)][pose % 2],
            ..Camera::default()
        };
        let everything = shot.draw(gpu);
        shot.cull = true;
        let culled = differing(&shot.draw(gpu), &everything);
        if culled > 0 {
            return Err(format!("pose {pose} in {}: {culled} pixels differ", mode.name()).into());
        }
        // What this would miss if culling took too much: the same, culled by a camera that looks elsewhere.
        shot.turned_away = 1.0;
        if differing(&shot.draw(gpu), &everything) < 50 {
            return Err(format!("pose {pose} in {} looks the same with much of it missing", mode.name()).into());
        }
    }
    Ok(())
}

fn changing_the_tree_changes_no_pixel(gpu: &Gpu) -> Result<(), Failed> {
    let level = jumble(5);
    let camera = Camera { eye: Vec3::new(0.0, 2.0, 35.0), aspect: 1.5, ..Camera::default() };
    let [quadtree, octree] = [Mode::Quadtree, Mode::Octree].map(|mode| Tree::build(&level, &Settings::new(mode)));
    let mut renderer = Renderer::new(gpu, PICTURE_FORMAT, Some(1));
    let mut on_gpu = LevelOnGpu::new(gpu, renderer.bindings(), &level, &quadtree)?;
    let sky = Sky::new(gpu, renderer.bindings(), &SkySource::Gradient)?;
    let mut list = DrawList::new();
    let mut images = Vec::new();
    for tree in [&quadtree, &octree] {
        on_gpu.set_tree(gpu, &level, tree)?;
        list.cull(tree, &nodetree::geometry::Frustum::from_clip_from_world(camera.clip_from_world()));
        images.push(picture(gpu, &mut renderer, &mut on_gpu, (96, 64), &Frame::new(&camera, &list, &sky))?.0);
    }
    match differing(&images[0], &images[1]) {
        0 => Ok(()),
        pixels => Err(format!("{pixels} pixels differ").into()),
    }
}

fn invisible_materials_are_not_drawn(gpu: &Gpu) -> Result<(), Failed> {
    let level = level(|builder| {
        let nothing = builder.material(Material { base_color: [1.0, 0.0, 0.0, 0.0], ..glass("nothing", [255, 0, 0]) });
        let white = builder.material(flat("white", [255; 3]));
        wall(builder, -3.0, 5.0, nothing);
        wall(builder, -6.0, 20.0, white);
    });
    expect_pixel(&Shot::new(&level).draw(gpu), 32, 32, [255; 3], 0)
}

fn an_empty_level_shows_the_sky(gpu: &Gpu) -> Result<(), Failed> {
    let image = Shot::new(&Level::default()).draw(gpu);
    // Blue above, dark below.
    let (above, below) = (image.get_pixel(32, 2), image.get_pixel(32, 60));
    if above[2] > above[0] + 40 && below[2] + 40 < above[2] {
        return Ok(());
    }
    Err(format!("above {above:?}, below {below:?}").into())
}

fn textures_beyond_the_limit_are_scaled_down(gpu: &Gpu) -> Result<(), Failed> {
    let limit = gpu.device.limits().max_texture_dimension_2d;
    let level = level(|builder| {
        let long = builder.texture(texture(limit + 2, 2, |_, _| [TEAL[0], TEAL[1], TEAL[2], 255]));
        let material = builder.material(Material { texture: Some(long), ..flat("long", [255; 3]) });
        wall(builder, -5.0, 10.0, material);
    });
    expect_pixel(&Shot::new(&level).draw(gpu), 32, 32, TEAL, 1)
}

fn pictures_beyond_the_limit_are_refused(gpu: &Gpu) -> Result<(), Failed> {
    let limit = gpu.device.limits().max_texture_dimension_2d;
    for size in [(limit + 1, 1), (1, limit + 1), (0, 10), (10, 0)] {
        match check_size(gpu, size, 1) {
            Err(GpuError::TooLarge { .. }) => {}
            other => return Err(format!("{size:?}: {other:?}").into()),
        }
    }
    Ok(check_size(gpu, (limit, 1), 4)?)
}
