//! What is shown of a level instead of its materials, on every graphics interface that the machine has.

mod drawing;

use drawing::{Shot, encoded, expect_pixel, quad, trials, wall};
use glam::Vec3;
use libtest_mimic::{Arguments, Failed};
use nodetree::camera::Camera;
use nodetree::cull::DrawList;
use nodetree::geometry::Frustum;
use nodetree::level::{Level, LevelBuilder, Material};
use nodetree::render::{CellRange, Gpu, Inspect, take_cells};
use nodetree::tree::{Mode, Settings, Tree};

fn main() {
    let tests: &[(&'static str, drawing::Test)] = &[
        ("normals_are_seen_from_the_side_that_is_looked_at", normals_are_seen_from_the_side_that_is_looked_at),
        ("depth_halves_by_the_same_step", depth_halves_by_the_same_step),
        ("overdraw_counts_hidden_surfaces", overdraw_counts_hidden_surfaces),
        ("cells_show_what_culling_took", cells_show_what_culling_took),
    ];
    let mut all = trials(tests);
    all.push(libtest_mimic::Trial::test("cells_are_what_culling_takes", cells_are_what_culling_takes));
    libtest_mimic::run(&Arguments::from_args(), all).exit();
}

/// The level that `build` makes of a white material.
fn level(build: impl FnOnce(&mut LevelBuilder, u32)) -> Level {
    drawing::level(|builder| {
        let white = builder.material(Material::default());
        build(builder, white);
    })
}

fn byte(part: f64) -> u8 {
    (255.0 * part.clamp(0.0, 1.0)).round() as u8
}

fn normals_are_seen_from_the_side_that_is_looked_at(gpu: &Gpu) -> Result<(), Failed> {
    let front = level(|builder, white| wall(builder, -2.0, 4.0, white));
    // The same wall from behind: its normal is told as if it were ours.
    let back = level(|builder, white| {
        quad(builder, [4.0, -4.0, -2.0], [-8.0, 0.0, 0.0], [0.0, 8.0, 0.0], white, 1.0);
    });
    let floor = level(|builder, white| {
        quad(builder, [-9.0, -1.0, 9.0], [18.0, 0.0, 0.0], [0.0, 0.0, -18.0], white, 1.0);
    });
    for (level, pixel, expected) in
        [(&front, (32, 32), [128, 128, 255]), (&back, (32, 32), [128, 128, 255]), (&floor, (32, 60), [128, 255, 128])]
    {
        let image = Shot::new(level).draw_with(gpu, |frame| frame.inspect = Some(Inspect::Normals));
        expect_pixel(&image, pixel.0, pixel.1, expected, 1)?;
    }
    // No sky.
    let image = Shot::new(&floor).draw_with(gpu, |frame| frame.inspect = Some(Inspect::Normals));
    expect_pixel(&image, 32, 3, [0; 3], 0)
}

fn depth_halves_by_the_same_step(gpu: &Gpu) -> Result<(), Failed> {
    for distance in [1.0_f64, 3.0, 31.0, 1500.0] {
        let level = level(|builder, white| wall(builder, -distance, 4.0 * distance, white));
        let image = Shot::new(&level).draw_with(gpu, |frame| frame.inspect = Some(Inspect::Depth));
        expect_pixel(&image, 32, 32, [byte(1.0 - (1.0 + distance).log2() / 10.0); 3], 1)?;
    }
    Ok(())
}

fn overdraw_counts_hidden_surfaces(gpu: &Gpu) -> Result<(), Failed> {
    for count in 0..4 {
        let level = level(|builder, white| {
            // One that hides the others, and always something.
            (0..=count).for_each(|place| wall(builder, -1.0 - f64::from(place), 16.0, white));
        });
        let image = Shot::new(&level).draw_with(gpu, |frame| frame.inspect = Some(Inspect::Overdraw));
        let light = |one: f64| encoded(one * f64::from(count + 1));
        expect_pixel(&image, 20, 40, [light(0.1), light(0.04), light(0.01)], 3)?;
    }
    Ok(())
}

/// A floor of many cells.
fn floor() -> Level {
    level(|builder, white| {
        for place in 0..1024 {
            let (x, z) = (f64::from(place % 32) - 16.0, f64::from(place / 32) - 16.0);
            quad(builder, [4.0 * x, -2.0, 4.0 * z], [4.0, 0.0, 0.0], [0.0, 0.0, -4.0], white, 1.0);
        }
    })
}

fn cells_show_what_culling_took(gpu: &Gpu) -> Result<(), Failed> {
    let level = floor();
    let tree = Tree::build(&level, &Settings { leaf_triangles: 16, ..Settings::new(Mode::Octree) });
    let camera = Camera { aspect: 1.0, fov_y: 1.0, eye: level.to_local(glam::DVec3::ZERO), ..Camera::default() };
    let mut cells: Vec<CellRange> = Vec::new();
    take_cells(&mut cells, &tree, &Frustum::from_clip_from_world(camera.clip_from_world()));
    // Its own tree has the same order, for it is made alike.
    let above = Camera { eye: Vec3::new(0.0, 150.0, 0.0), pitch: -std::f32::consts::FRAC_PI_2, ..camera };
    let shot = Shot { camera: above, size: (128, 128), mode: Mode::Octree, leaf_triangles: 16, ..Shot::new(&level) };
    let image = shot.draw_with(gpu, |frame| {
        frame.inspect = Some(Inspect::Cells);
        // The frame outlives what this test holds.
        frame.cells = cells.clone().leak();
    });
    let (mut inside, mut crossing, mut nothing) = (0, 0, 0);
    for [r, g, b, _] in image.pixels().map(|pixel| pixel.0) {
        match (r > g, u32::from(r) + u32::from(g) + u32::from(b)) {
            (_, 0) => nothing += 1,
            (true, _) => crossing += 1,
            (false, _) => inside += 1,
        }
    }
    if inside < 200 || crossing < 200 || nothing < 4000 {
        return Err(format!("{inside} pixels inside, {crossing} crossing, {nothing} of nothing").into());
    }
    Ok(())
}

fn cells_are_what_culling_takes() -> Result<(), Failed> {
    let level = floor();
    for mode in [Mode::Quadtree, Mode::Octree] {
        let tree = Tree::build(&level, &Settings { leaf_triangles: 16, ..Settings::new(mode) });
        for yaw in 0..8 {
            let camera = Camera { yaw: yaw as f32, eye: level.to_local(glam::DVec3::ZERO), ..Camera::default() };
            let frustum = Frustum::from_clip_from_world(camera.clip_from_world());
            let (mut cells, mut list) = (Vec::new(), DrawList::new());
            take_cells(&mut cells, &tree, &frustum);
            list.cull(&tree, &frustum);
            let of_list = |triangle: u32| {
                list.ranges().iter().any(|range| (range.first..range.first + range.count).contains(&triangle))
            };
            let mut taken: Vec<u32> = cells.iter().flat_map(|range| range.first..range.first + range.count).collect();
            let count = taken.len();
            taken.sort_unstable();
            taken.dedup();
            if taken.len() != count || taken.is_empty() || !taken.iter().all(|&triangle| of_list(triangle)) {
                return Err(format!("{mode:?}, yaw {yaw}: {count} triangles in cells").into());
            }
            // The list draws over small gaps, and nothing else is more.
            if list.statistics().triangles as usize > count + count / 8 {
                return Err(format!("{mode:?}, yaw {yaw}: {count} of {}", list.statistics().triangles).into());
            }
        }
    }
    Ok(())
}
