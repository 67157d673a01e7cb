//! The sky: every picture in its place and the right way round, and found by its name.

mod drawing;

use std::f32::consts::{FRAC_PI_2, FRAC_PI_4, PI};
use std::path::Path;

use drawing::{Shot, expect_pixel, flat, texture, trials, wall};
use glam::Vec3;
use libtest_mimic::{Arguments, Failed, Trial};
use nodetree::camera::Camera;
use nodetree::level::{Level, LevelBuilder, Placement, Texture};
use nodetree::render::{Gpu, Side, SkyError, SkySource};

/// A test that draws nothing.
type Plain = fn() -> Result<(), Failed>;

fn main() {
    let drawn: &[(&'static str, drawing::Test)] = &[
        ("each_side_is_in_its_place_and_not_mirrored", each_side_is_in_its_place_and_not_mirrored),
        ("edges_have_no_seams", edges_have_no_seams),
        ("the_sky_goes_with_the_eye", the_sky_goes_with_the_eye),
        ("the_sky_can_be_turned", the_sky_can_be_turned),
        ("the_sky_covers_nothing", the_sky_covers_nothing),
        ("the_gradient_stands_in_for_absent_sides", the_gradient_stands_in_for_absent_sides),
        ("pictures_of_any_size_fit_together", pictures_of_any_size_fit_together),
        ("one_picture_goes_all_around", one_picture_goes_all_around),
        ("a_sky_shows_through_another", a_sky_shows_through_another),
    ];
    let found: &[(&'static str, Plain)] = &[
        ("every_naming_scheme_is_found", every_naming_scheme_is_found),
        ("a_path_may_be_a_picture_a_prefix_or_a_folder", a_path_may_be_a_picture_a_prefix_or_a_folder),
        ("a_square_picture_is_every_side", a_square_picture_is_every_side),
        ("light_is_brought_to_one_exposure", light_is_brought_to_one_exposure),
        ("what_is_no_sky_is_told", what_is_no_sky_is_told),
        ("pictures_of_other_conventions_are_turned_to_meet", pictures_of_other_conventions_are_turned_to_meet),
        ("pictures_that_never_meet_stay_as_named", pictures_that_never_meet_stay_as_named),
    ];
    let mut all = trials(drawn);
    all.extend(found.iter().map(|&(name, test)| Trial::test(name, test)));
    let data = std::env::var_os("NODETREE_DATA");
    let ignored = data.is_none() && !drawing::is_gpu_required();
    all.push(Trial::test("a_real_sky_meets_at_its_edges", move || a_real_sky(data)).with_ignored_flag(ignored));
    libtest_mimic::run(&Arguments::from_args(), all).exit();
}

const SIZE: u32 = 32;

/// A letter on a ground of the side's own colour. None of the letters looks the same mirrored or turned.
fn lettered(side: Side) -> Texture {
    let (rows, ground): ([&str; 7], [u8; 3]) = match side {
        Side::Front => (["#####", "#....", "#....", "####.", "#....", "#....", "#...."], [120, 0, 0]),
        Side::Back => (["####.", "#...#", "#...#", "####.", "#....", "#...#", "####."], [0, 120, 0]),
        Side::Left => (["#....", "#....", "#....", "#....", "#....", "#....", "#####"], [0, 0, 120]),
        Side::Right => (["####.", "#...#", "#...#", "####.", "#.#..", "#..#.", "#...#"], [120, 120, 0]),
        Side::Up => (["#...#", "#...#", "#...#", "#...#", "#...#", "#..##", ".###."], [0, 120, 120]),
        Side::Down => (["####.", "#...#", "#...#", "#...#", "#...#", "#..#.", "###.."], [120, 0, 120]),
    };
    texture(SIZE, SIZE, |x, y| {
        let (column, row) = ((x as i32 - 6) / 4, (y as i32 - 2) / 4);
        let inside = x >= 6 && y >= 2 && (0..5).contains(&column) && (0..7).contains(&row);
        if inside && rows[row as usize].as_bytes()[column as usize] == b'#' {
            return [255; 4];
        }
        [ground[0], ground[1], ground[2], 255]
    })
}

fn lettered_sky() -> SkySource {
    SkySource::Pictures(Box::new(Side::ALL.map(|side| Some(lettered(side)))))
}

/// A camera that sees one whole side, a pixel for each of the picture's.
fn looking_at(side: Side) -> Camera {
    let (yaw, pitch) = match side {
        Side::Front => (0.0, 0.0),
        Side::Right => (-FRAC_PI_2, 0.0),
        Side::Back => (PI, 0.0),
        Side::Left => (FRAC_PI_2, 0.0),
        Side::Up => (0.0, FRAC_PI_2),
        Side::Down => (0.0, -FRAC_PI_2),
    };
    Camera { yaw, pitch, aspect: 1.0, fov_y: FRAC_PI_2, ..Camera::default() }
}

fn each_side_is_in_its_place_and_not_mirrored(gpu: &Gpu) -> Result<(), Failed> {
    let nothing = Level::default();
    for side in Side::ALL {
        let shot = Shot { sky: lettered_sky(), camera: looking_at(side), size: (SIZE, SIZE), ..Shot::new(&nothing) };
        let image = shot.draw(gpu);
        let expected = lettered(side);
        for (place, pixel) in expected.rgba.as_chunks::<4>().0.iter().enumerate() {
            let (x, y) = (place as u32 % SIZE, place as u32 / SIZE);
            expect_pixel(&image, x, y, [pixel[0], pixel[1], pixel[2]], 2)
                .map_err(|error| format!("{side:?}: {}", error.message().unwrap_or_default()))?;
        }
    }
    Ok(())
}

/// A sky whose colour is its direction: any wrong edge would show as a jump.
fn direction_sky(size: u32) -> SkySource {
    let directions: [fn(f32, f32) -> Vec3; 6] = [
        |s, t| Vec3::new(1.0, -t, s),
        |s, t| Vec3::new(-1.0, -t, -s),
        |s, t| Vec3::new(s, 1.0, -t),
        |s, t| Vec3::new(s, -1.0, t),
        |s, t| Vec3::new(s, -t, -1.0),
        |s, t| Vec3::new(-s, -t, 1.0),
    ];
    SkySource::Pictures(Box::new(directions.map(|direction| {
        Some(texture(size, size, |x, y| {
            let place = |pixel: u32| (2 * pixel + 1) as f32 / size as f32 - 1.0;
            let [r, g, b] = direction_color(direction(place(x), place(y)));
            [r, g, b, 255]
        }))
    })))
}

fn direction_color(direction: Vec3) -> [u8; 3] {
    (direction.normalize() * 100.0 + 127.5).to_array().map(|value| value as u8)
}

fn edges_have_no_seams(gpu: &Gpu) -> Result<(), Failed> {
    let nothing = Level::default();
    // Across the upright edges, the upper and lower ones, and into the corners.
    for (yaw, pitch) in [(FRAC_PI_4, 0.0), (-FRAC_PI_4, 0.3), (0.0, FRAC_PI_4), (PI, -FRAC_PI_4), (FRAC_PI_4, 0.6)] {
        let camera = Camera { yaw, pitch, aspect: 1.0, fov_y: 1.0, ..Camera::default() };
        let image = Shot { sky: direction_sky(64), camera, ..Shot::new(&nothing) }.draw(gpu);
        let half = 0.5_f32.tan();
        for (x, y, _) in image.enumerate_pixels() {
            let place = |pixel: u32| (2 * pixel + 1) as f32 / 64.0 - 1.0;
            let direction = camera.forward() + half * (place(x) * camera.right() - place(y) * camera.up());
            expect_pixel(&image, x, y, direction_color(direction), 3)
                .map_err(|error| format!("yaw {yaw}, pitch {pitch}: {}", error.message().unwrap_or_default()))?;
        }
    }
    Ok(())
}

fn the_sky_goes_with_the_eye(gpu: &Gpu) -> Result<(), Failed> {
    let nothing = Level::default();
    let at = |eye: Vec3| {
        let camera = Camera { eye, yaw: 0.4, ..looking_at(Side::Front) };
        Shot { sky: lettered_sky(), camera, ..Shot::new(&nothing) }.draw(gpu)
    };
    match drawing::differing(&at(Vec3::ZERO), &at(Vec3::new(500.0, -300.0, 9000.0))) {
        0 => Ok(()),
        pixels => Err(format!("{pixels} pixels differ").into()),
    }
}

fn the_sky_can_be_turned(gpu: &Gpu) -> Result<(), Failed> {
    use nodetree::cull::DrawList;
    use nodetree::render::{Frame, LevelOnGpu, PICTURE_FORMAT, Renderer, Sky, picture};
    use nodetree::tree::{Mode, Settings, Tree};
    let (nothing, camera) = (Level::default(), looking_at(Side::Left));
    let tree = Tree::build(&nothing, &Settings::new(Mode::Octree));
    let mut renderer = Renderer::new(gpu, PICTURE_FORMAT, Some(1));
    let mut on_gpu = LevelOnGpu::new(gpu, renderer.bindings(), &nothing, &tree)?;
    let mut sky = Sky::new(gpu, renderer.bindings(), &lettered_sky())?;
    // A quarter to the left: the front is now where the left was.
    sky.turn = FRAC_PI_2;
    let list = DrawList::new();
    let (image, _) = picture(gpu, &mut renderer, &mut on_gpu, (SIZE, SIZE), &Frame::new(&camera, &list, &sky))?;
    expect_pixel(&image, 1, 1, [120, 0, 0], 1)
}

fn the_sky_covers_nothing(gpu: &Gpu) -> Result<(), Failed> {
    let mut builder = LevelBuilder::new(Placement::default());
    let red = builder.material(flat("red", [255, 0, 0]));
    let distance = 1e6;
    wall(&mut builder, -distance, 2.0 * distance, red);
    let level = builder.finish("far", None);
    let image = Shot::new(&level).draw(gpu);
    expect_pixel(&image, 32, 32, [255, 0, 0], 0)
}

fn the_gradient_stands_in_for_absent_sides(gpu: &Gpu) -> Result<(), Failed> {
    let nothing = Level::default();
    let mut sides = Side::ALL.map(|side| Some(lettered(side)));
    sides[Side::Down as usize] = None;
    let five = SkySource::Pictures(Box::new(sides));
    let draw = |side: Side, sky: &SkySource| {
        Shot { sky: sky.clone(), camera: looking_at(side), size: (SIZE, SIZE), ..Shot::new(&nothing) }.draw(gpu)
    };
    let (gradient, down) = (draw(Side::Down, &SkySource::Gradient), draw(Side::Down, &five));
    for (x, y) in [(16, 16), (4, 20), (28, 7)] {
        let [r, g, b, _] = gradient.get_pixel(x, y).0;
        expect_pixel(&down, x, y, [r, g, b], 3)?;
    }
    expect_pixel(&draw(Side::Front, &five), 1, 1, [120, 0, 0], 1)
}

fn pictures_of_any_size_fit_together(gpu: &Gpu) -> Result<(), Failed> {
    let nothing = Level::default();
    let plain =
        |width, height, color: [u8; 3]| Some(texture(width, height, |_, _| [color[0], color[1], color[2], 255]));
    let mut sides = [const { None }; 6];
    sides[Side::Front as usize] = plain(7, 3, [200, 10, 20]);
    sides[Side::Right as usize] = plain(40, 40, [20, 200, 10]);
    let sky = SkySource::Pictures(Box::new(sides));
    for (side, color) in [(Side::Front, [200, 10, 20]), (Side::Right, [20, 200, 10])] {
        let image = Shot { sky: sky.clone(), camera: looking_at(side), ..Shot::new(&nothing) }.draw(gpu);
        expect_pixel(&image, 32, 32, color, 1)?;
    }
    Ok(())
}

/// The six names of a scheme in the order of the sides' numbers.
const SCHEMES: [[&str; 6]; 6] = [
    ["rt", "lf", "up", "dn", "ft", "bk"],
    ["e", "w", "u", "d", "n", "s"],
    ["posx", "negx", "posy", "negy", "posz", "negz"],
    ["px", "nx", "py", "ny", "pz", "nz"],
    ["right", "left", "top", "bottom", "front", "back"],
    ["right", "left", "up", "down", "front", "back"],
];

fn save(folder: &Path, name: &str, color: [u8; 3]) {
    image::RgbImage::from_pixel(2, 2, image::Rgb(color)).save(folder.join(name)).expect("a writable folder");
}

/// The first byte of each side's picture, which tells which file it came from.
fn tags(sky: &SkySource) -> [Option<u8>; 6] {
    match sky {
        SkySource::Gradient => [None; 6],
        SkySource::Pictures(pictures) | SkySource::Over(_, pictures) => {
            std::array::from_fn(|side| pictures[side].as_ref().map(|picture| picture.rgba[0]))
        }
    }
}

const ALL_TAGS: [Option<u8>; 6] = [Some(10), Some(11), Some(12), Some(13), Some(14), Some(15)];

fn every_naming_scheme_is_found() -> Result<(), Failed> {
    for ends in SCHEMES {
        for common in ["sky_", "Evening ", "a-b-", ""] {
            let folder = tempfile::tempdir()?;
            for (side, end) in ends.iter().enumerate() {
                save(folder.path(), &format!("{common}{end}.png"), [10 + side as u8, 0, 0]);
            }
            save(folder.path(), "green.png", [99; 3]);
            let got = tags(&SkySource::open(folder.path())?);
            if got != ALL_TAGS {
                return Err(format!("{common}{ends:?}: {got:?}").into());
            }
        }
    }
    Ok(())
}

fn a_path_may_be_a_picture_a_prefix_or_a_folder() -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    for (side, end) in SCHEMES[0].iter().enumerate() {
        save(folder.path(), &format!("noon_{end}.png"), [10 + side as u8, 0, 0]);
        // The night has no floor.
        if *end != "dn" {
            save(folder.path(), &format!("Night_{}.PNG", end.to_uppercase()), [20 + side as u8, 0, 0]);
        }
    }
    let night = [Some(20), Some(21), Some(22), None, Some(24), Some(25)];
    for (path, expected) in [
        ("", ALL_TAGS),
        ("noon_up.png", ALL_TAGS),
        ("noon", ALL_TAGS),
        ("noon_", ALL_TAGS),
        ("Night_FT.PNG", night),
        ("night", night),
    ] {
        let got = tags(&SkySource::open(&folder.path().join(path))?);
        if got != expected {
            return Err(format!("{path:?}: {got:?}").into());
        }
    }
    Ok(())
}

/// A picture of all directions whose colours are the directions, as bytes or as light.
fn panorama(folder: &Path, name: &str) -> Result<std::path::PathBuf, Failed> {
    let (width, height) = (512, 256);
    let picture = image::RgbImage::from_fn(width, height, |x, y| {
        let longitude = ((x as f32 + 0.5) / width as f32 - 0.5) * 2.0 * PI;
        let latitude = (0.5 - (y as f32 + 0.5) / height as f32) * PI;
        let level = latitude.cos();
        image::Rgb(direction_color(Vec3::new(level * longitude.sin(), latitude.sin(), -level * longitude.cos())))
    });
    let path = folder.join(name);
    picture.save(&path)?;
    Ok(path)
}

fn one_picture_goes_all_around(gpu: &Gpu) -> Result<(), Failed> {
    let nothing = Level::default();
    let folder = tempfile::tempdir()?;
    // Named like a right side, which it is not by its shape.
    let sky = SkySource::open(&panorama(folder.path(), "desert.png")?)?;
    for (yaw, pitch) in [(0.0, 0.0), (FRAC_PI_2, 0.0), (-FRAC_PI_2, 0.2), (PI, 0.0), (0.4, 1.3), (2.0, -1.4)] {
        let camera = Camera { yaw, pitch, aspect: 1.0, fov_y: 1.0, ..Camera::default() };
        let image = Shot { sky: sky.clone(), camera, ..Shot::new(&nothing) }.draw(gpu);
        let half = 0.5_f32.tan();
        for (x, y, _) in image.enumerate_pixels() {
            let place = |pixel: u32| (2 * pixel + 1) as f32 / 64.0 - 1.0;
            let direction = camera.forward() + half * (place(x) * camera.right() - place(y) * camera.up());
            expect_pixel(&image, x, y, direction_color(direction), 4)
                .map_err(|error| format!("yaw {yaw}, pitch {pitch}: {}", error.message().unwrap_or_default()))?;
        }
    }
    Ok(())
}

fn a_sky_shows_through_another(gpu: &Gpu) -> Result<(), Failed> {
    let nothing = Level::default();
    let folder = tempfile::tempdir()?;
    // The front is clear on its left and half opaque on its right, the right side is opaque, the others are absent.
    let front = texture(SIZE, SIZE, |x, _| [255, 0, 0, if x < SIZE / 2 { 0 } else { 128 }]);
    save_texture(folder.path(), "clouds_ft.png", &front);
    save_texture(folder.path(), "clouds_rt.png", &texture(SIZE, SIZE, |_, _| [9, 99, 199, 255]));
    let under = SkySource::Pictures(Box::new(Side::ALL.map(|_| Some(texture(SIZE, SIZE, |_, _| [0, 0, 255, 255])))));
    let sky = under.under(&folder.path().join("clouds"))?;
    let draw = |side| Shot { sky: sky.clone(), camera: looking_at(side), ..Shot::new(&nothing) }.draw(gpu);
    // One picture that goes all around lets it through as well.
    let around = texture(64, 32, |_, y| [255, 0, 0, if y < 16 { 0 } else { 255 }]);
    save_texture(folder.path(), "haze.png", &around);
    let blue = SkySource::Pictures(Box::new(Side::ALL.map(|_| Some(texture(SIZE, SIZE, |_, _| [0, 0, 255, 255])))));
    let haze = blue.under(&folder.path().join("haze.png"))?;
    let image = Shot { sky: haze, camera: looking_at(Side::Front), ..Shot::new(&nothing) }.draw(gpu);
    expect_pixel(&image, 32, 12, [0, 0, 255], 1)?;
    expect_pixel(&image, 32, 52, [255, 0, 0], 1)?;
    let front = draw(Side::Front);
    expect_pixel(&front, 16, 32, [0, 0, 255], 1)?;
    // Half of red and half of blue light.
    expect_pixel(&front, 48, 32, [188, 0, 187], 1)?;
    expect_pixel(&draw(Side::Right), 32, 32, [9, 99, 199], 1)?;
    expect_pixel(&draw(Side::Back), 32, 32, [0, 0, 255], 1)
}

fn a_square_picture_is_every_side() -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    save(folder.path(), "stars.png", [33, 0, 0]);
    let got = tags(&SkySource::open(&folder.path().join("stars.png"))?);
    if got != [Some(33); 6] {
        return Err(format!("{got:?}").into());
    }
    Ok(())
}

fn light_is_brought_to_one_exposure() -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    for (name, light) in [("dim", 0.01_f32), ("bright", 300.0)] {
        let picture =
            image::Rgb32FImage::from_fn(64, 32, |x, _| image::Rgb([if x < 32 { light } else { 2.0 * light }; 3]));
        picture.save(folder.path().join(format!("{name}.hdr")))?;
        let sides = sides_of(SkySource::open(&folder.path().join(format!("{name}.hdr")))?);
        let bytes = [Side::Left, Side::Right]
            .map(|side| sides[side as usize].as_ref().map(|picture| picture.rgba[4 * (8 * 8 + 8)]));
        // The mean of the logarithms is 0.3: one half is below it by the square root of two, the other above it.
        let [Some(left), Some(right)] = bytes else { return Err("sides are missing".into()) };
        if left.abs_diff(127) > 3 || right.abs_diff(174) > 3 {
            return Err(format!("{name}: {left} and {right}").into());
        }
    }
    Ok(())
}

fn what_is_no_sky_is_told() -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let missing = SkySource::open(&folder.path().join("none/sky"));
    let empty = SkySource::open(folder.path());
    save(folder.path(), "lonely_ft.png", [1; 3]);
    let lonely = SkySource::open(&folder.path().join("lonely_ft.png"));
    image::RgbImage::new(30, 10).save(folder.path().join("long.png"))?;
    let long = SkySource::open(&folder.path().join("long.png"));
    match &long {
        Err(SkyError::Picture { reason, .. }) if reason.starts_with("it is 30x10 pixels") => {}
        other => return Err(format!("{other:?}").into()),
    }
    std::fs::write(folder.path().join("bad_ft.png"), "no picture")?;
    std::fs::write(folder.path().join("bad_bk.png"), "no picture")?;
    let bad = SkySource::open(&folder.path().join("bad"));
    match (missing, empty, lonely, bad) {
        (
            Err(SkyError::Folder { .. }),
            Err(SkyError::None(_)),
            Err(SkyError::Picture { reason, .. }),
            Err(SkyError::Picture { path, .. }),
        ) if reason.starts_with("it is named as one side") && path.ends_with("bad_ft.png")
            || path.ends_with("bad_bk.png") =>
        {
            Ok(())
        }
        other => Err(format!("{other:?}").into()),
    }
}

fn sides_of(sky: SkySource) -> [Option<Texture>; 6] {
    match sky {
        SkySource::Gradient => [const { None }; 6],
        SkySource::Pictures(pictures) | SkySource::Over(_, pictures) => *pictures,
    }
}

fn save_texture(folder: &Path, name: &str, texture: &Texture) {
    let image = image::RgbaImage::from_raw(texture.width, texture.height, texture.rgba.clone()).expect("four bytes");
    image.save(folder.join(name)).expect("a writable folder");
}

fn pictures_of_other_conventions_are_turned_to_meet() -> Result<(), Failed> {
    let expected = sides_of(direction_sky(32)).map(|picture| picture.expect("all six").rgba);
    for exchanged in [false, true] {
        for turns in 0..4 {
            let folder = tempfile::tempdir()?;
            for (side, name) in Side::ALL.into_iter().zip(SCHEMES[0]) {
                let name = match (exchanged, name) {
                    (true, "lf") => "rt",
                    (true, "rt") => "lf",
                    _ => name,
                };
                let rgba = expected[side as usize].clone();
                let mut image = image::RgbaImage::from_raw(32, 32, rgba).expect("four bytes");
                if matches!(side, Side::Up | Side::Down) {
                    for _ in 0..turns {
                        image = image::imageops::rotate90(&image);
                    }
                }
                image.save(folder.path().join(format!("env_{name}.png")))?;
            }
            let got = sides_of(SkySource::open(folder.path())?);
            for side in Side::ALL {
                if got[side as usize].as_ref().map(|picture| &picture.rgba) != Some(&expected[side as usize]) {
                    return Err(format!("exchanged {exchanged}, {turns} quarter turns: {side:?} is wrong").into());
                }
            }
        }
    }
    Ok(())
}

fn pictures_that_never_meet_stay_as_named() -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    for (side, name) in Side::ALL.into_iter().zip(SCHEMES[0]) {
        save_texture(folder.path(), &format!("letters_{name}.png"), &lettered(side));
    }
    let got = sides_of(SkySource::open(folder.path())?);
    for side in Side::ALL {
        if got[side as usize].as_ref().map(|picture| &picture.rgba) != Some(&lettered(side).rgba) {
            return Err(format!("{side:?} was moved").into());
        }
    }
    Ok(())
}

/// The pictures of a real sky, whose upper and lower ones lie a quarter turn off as named: all twelve edges must match.
fn a_real_sky(data: Option<std::ffi::OsString>) -> Result<(), Failed> {
    let data = data.ok_or("NODETREE_DATA is not set")?;
    let sides = sides_of(SkySource::open(&Path::new(&data).join("skybox/irrlicht2/irrlicht2_ft.jpg"))?);
    let side = |side: Side| sides[side as usize].as_ref().expect("all six");
    // Each edge as two corners of each of the two pictures, in units of the picture's size.
    type Corners = [(u32, u32); 2];
    const LEFT: Corners = [(0, 0), (0, 1)];
    const RIGHT: Corners = [(1, 0), (1, 1)];
    const TOP: Corners = [(0, 0), (1, 0)];
    const BOTTOM: Corners = [(0, 1), (1, 1)];
    let reversed = |[from, to]: Corners| [to, from];
    let edges = [
        (Side::Front, RIGHT, Side::Right, LEFT),
        (Side::Right, RIGHT, Side::Back, LEFT),
        (Side::Back, RIGHT, Side::Left, LEFT),
        (Side::Left, RIGHT, Side::Front, LEFT),
        (Side::Up, BOTTOM, Side::Front, TOP),
        (Side::Up, RIGHT, Side::Right, reversed(TOP)),
        (Side::Up, TOP, Side::Back, reversed(TOP)),
        (Side::Up, LEFT, Side::Left, TOP),
        (Side::Down, TOP, Side::Front, BOTTOM),
        (Side::Down, RIGHT, Side::Right, BOTTOM),
        (Side::Down, BOTTOM, Side::Back, reversed(BOTTOM)),
        (Side::Down, LEFT, Side::Left, reversed(BOTTOM)),
    ];
    let color = |picture: &Texture, [from, to]: Corners, along: f64| {
        let mix = |from: u32, to: u32, size: u32| {
            ((f64::from(from) + along * (f64::from(to) - f64::from(from))) * f64::from(size - 1)).round() as usize
        };
        let (x, y) = (mix(from.0, to.0, picture.width), mix(from.1, to.1, picture.height));
        let at = 4 * (y * picture.width as usize + x);
        [0, 1, 2].map(|channel| f64::from(picture.rgba[at + channel]))
    };
    for (one, one_edge, other, other_edge) in edges {
        let mut sum = 0.0;
        for place in 0..100 {
            let along = f64::from(place) / 99.0;
            let (a, b) = (color(side(one), one_edge, along), color(side(other), other_edge, along));
            sum += a.iter().zip(b).map(|(a, b)| (a - b).abs()).sum::<f64>() / 300.0;
        }
        if sum > 12.0 {
            return Err(format!("{one:?} and {other:?} differ by {sum:.1} on the mean").into());
        }
    }
    Ok(())
}
