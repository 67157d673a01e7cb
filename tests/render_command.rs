//! `nodetree render` through the real program: pictures where there is a GPU, one clear line for everything that is wrong.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use libtest_mimic::{Arguments, Failed, Trial};
use nodetree::render::{Gpu, GpuOptions};

fn main() {
    type Test = fn() -> Result<(), Failed>;
    let anywhere: [(&str, Test); 2] = [
        ("places_that_cannot_be_written_are_told_first", places_that_cannot_be_written_are_told_first),
        ("dx11_is_explained", dx11_is_explained),
    ];
    let drawn: [(&str, Test); 7] = [
        ("a_picture_lands_where_it_should", a_picture_lands_where_it_should),
        ("standard_output_gets_a_png", standard_output_gets_a_png),
        ("cameras_may_be_negative_in_both_spellings", cameras_may_be_negative_in_both_spellings),
        ("what_is_frozen_is_shown_from_outside", what_is_frozen_is_shown_from_outside),
        ("absurd_sizes_are_refused", absurd_sizes_are_refused),
        ("props_stand_on_the_ground_and_are_counted", props_stand_on_the_ground_and_are_counted),
        ("a_failed_render_leaves_no_file", a_failed_render_leaves_no_file),
    ];
    let required = std::env::var_os("NODETREE_REQUIRE_GPU").is_some_and(|value| value == "1");
    let has_gpu = Gpu::headless(&GpuOptions::default()).is_ok();
    let mut trials: Vec<Trial> = anywhere.iter().map(|&(name, test)| Trial::test(name, test)).collect();
    trials.extend(drawn.iter().map(|&(name, test)| Trial::test(name, test).with_ignored_flag(!has_gpu && !required)));
    // Elsewhere drivers cannot be hidden by variables.
    let without_drivers = Trial::test(
        "a_machine_without_drivers_is_told_what_to_install",
        a_machine_without_drivers_is_told_what_to_install,
    );
    trials.push(without_drivers.with_ignored_flag(!cfg!(target_os = "linux")));
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

fn program(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_nodetree"));
    command.current_dir(folder).arg("render");
    command
}

/// A folder with a small level: a red square on the ground around (100, 0, -50).
fn folder() -> Result<tempfile::TempDir, Failed> {
    let folder = tempfile::tempdir()?;
    fs::write(folder.path().join("red.mtl"), "newmtl red\nKd 1 0 0\n")?;
    fs::write(
        folder.path().join("level.obj"),
        "mtllib red.mtl\nusemtl red\nv 90 0 -40\nv 110 0 -40\nv 110 0 -60\nv 90 0 -60\nf 1 2 3 4\n",
    )?;
    Ok(folder)
}

/// Complains unless the program failed with one line that has all of `words`. What drivers print does not count.
fn expect_refusal(output: &Output, words: &[&str]) -> Result<(), Failed> {
    let text = String::from_utf8_lossy(&output.stderr);
    let ours: Vec<&str> = text.lines().filter(|line| line.starts_with("nodetree:")).collect();
    let [line] = ours[..] else { return Err(format!("not one line but {text:?}").into()) };
    if output.status.code().is_none_or(|code| code == 0 || code == 101) || !words.iter().all(|word| line.contains(word))
    {
        return Err(format!("{:?}, {line:?} should have {words:?}", output.status).into());
    }
    Ok(())
}

fn expect_success(output: &Output) -> Result<(), Failed> {
    if output.status.success() { Ok(()) } else { Err(format!("{output:?}").into()) }
}

fn red_pixels(picture: &image::RgbaImage) -> usize {
    picture.pixels().filter(|pixel| pixel[0] > 100 && pixel[1] < 60 && pixel[2] < 60).count()
}

fn places_that_cannot_be_written_are_told_first() -> Result<(), Failed> {
    let folder = folder()?;
    fs::create_dir(folder.path().join("a_folder"))?;
    for (place, words) in [
        ("missing/picture.png", ["missing/picture.png", "cannot write"]),
        ("a_folder", ["a_folder", "folder"]),
        ("picture.jpg", ["picture.jpg", "PNG"]),
    ] {
        // There is no such level either, but the place is what is told.
        let output = program(folder.path()).args(["none.obj", "-o", place]).output()?;
        expect_refusal(&output, &words)?;
    }
    Ok(())
}

fn dx11_is_explained() -> Result<(), Failed> {
    let folder = folder()?;
    let output = program(folder.path()).args(["level.obj", "-o", "p.png", "--backend", "dx11"]).output()?;
    expect_refusal(&output, &["0.19", "dx12", "gl"])
}

fn a_machine_without_drivers_is_told_what_to_install() -> Result<(), Failed> {
    let folder = folder()?;
    let nothing = folder.path().join("no_drivers");
    let output = program(folder.path())
        .args(["level.obj", "-o", "p.png"])
        .env("VK_ICD_FILENAMES", &nothing)
        .env("VK_DRIVER_FILES", &nothing)
        .env("__EGL_VENDOR_LIBRARY_FILENAMES", &nothing)
        .output()?;
    expect_refusal(&output, &["no graphics adapter", "mesa-vulkan-drivers"])
}

fn props_stand_on_the_ground_and_are_counted() -> Result<(), Failed> {
    let folder = folder()?;
    // From above the red square, and from the same place away from it.
    for (camera, seen) in [("100,30,-50,0,-90", true), ("100,30,-50,0,90", false)] {
        let place = folder.path().join("picture.png");
        let output = program(folder.path())
            .args(["level.obj", "--props", "30", "-o", "picture.png", "--size", "160x120", "--camera", camera])
            .output()?;
        expect_success(&output)?;
        let told = String::from_utf8_lossy(&output.stdout).into_owned();
        if !told.contains(if seen { ", 30 of 30 props" } else { ", 0 of 30 props" }) {
            return Err(format!("{told:?}").into());
        }
        let picture = image::open(&place)?.into_rgba8();
        // Wood is neither the ground's red nor the sky.
        let wood = picture.pixels().filter(|p| p[0] > p[2].saturating_add(20) && p[1] > 40 && p[2] < 120).count();
        if (wood > 100) != seen {
            return Err(format!("{wood} pixels of wood with {camera}").into());
        }
    }
    Ok(())
}

fn a_picture_lands_where_it_should() -> Result<(), Failed> {
    let folder = folder()?;
    let place = folder.path().join("picture.png");
    // Something longer that was there before must be gone.
    fs::write(&place, vec![7; 1 << 20])?;
    let output = program(folder.path()).args(["level.obj", "-o", "picture.png", "--size", "80x60"]).output()?;
    expect_success(&output)?;
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    if !told.contains("picture.png") || !told.contains("2 of 2 triangles") {
        return Err(format!("{told:?}").into());
    }
    let picture = image::open(&place)?.into_rgba8();
    if picture.dimensions() != (80, 60) || red_pixels(&picture) < 200 || fs::metadata(&place)?.len() >= 1 << 20 {
        return Err(format!("{:?}, {} red pixels", picture.dimensions(), red_pixels(&picture)).into());
    }
    Ok(())
}

fn standard_output_gets_a_png() -> Result<(), Failed> {
    let folder = folder()?;
    let output = program(folder.path()).args(["level.obj", "-o", "-", "--size=33x21"]).output()?;
    expect_success(&output)?;
    let picture = image::load_from_memory_with_format(&output.stdout, image::ImageFormat::Png)?;
    if (picture.width(), picture.height()) != (33, 21) || !String::from_utf8_lossy(&output.stderr).contains("triangles")
    {
        return Err("not the picture, or no report beside it".into());
    }
    Ok(())
}

fn cameras_may_be_negative_in_both_spellings() -> Result<(), Failed> {
    let folder = folder()?;
    let draw = |camera: &[&str]| -> Result<image::RgbaImage, Failed> {
        let common = ["level.obj", "-o", "p.png", "--size", "64x64"];
        expect_success(&program(folder.path()).args(common).args(camera).output()?)?;
        Ok(image::open(folder.path().join("p.png"))?.into_rgba8())
    };
    // In level coordinates: 5 m below the square, looking straight up.
    let apart = draw(&["--camera", "100,-5,-50,0,90"])?;
    let joined = draw(&["--camera=100,-5,-50,0,90"])?;
    let leading = draw(&["--camera", "-100,5,-50,0,0"])?;
    if apart != joined || red_pixels(&apart) != 64 * 64 || red_pixels(&leading) != 0 {
        let counts = [&apart, &joined, &leading].map(red_pixels);
        return Err(format!("{counts:?} red pixels").into());
    }
    Ok(())
}

fn what_is_frozen_is_shown_from_outside() -> Result<(), Failed> {
    let folder = folder()?;
    // Looking away: everything is culled, and only lines are left.
    let away = "--freeze-at=100,2,-30,180,0";
    let output = program(folder.path()).args(["level.obj", "-o", "p.png", "--size", "200x150", away]).output()?;
    expect_success(&output)?;
    let picture = image::open(folder.path().join("p.png"))?.into_rgba8();
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    let outside = picture.pixels().filter(|pixel| pixel[0] > 150 && pixel[1] < 110 && pixel[2] < 110).count();
    if !told.contains("0 of 2 triangles") || outside == 0 {
        return Err(format!("{told:?}, {outside} pixels of the box that was culled").into());
    }
    Ok(())
}

fn absurd_sizes_are_refused() -> Result<(), Failed> {
    let folder = folder()?;
    for size in ["4000000000x4000000000", "1000000x1", "0x10", "12", "-5x5"] {
        let output = program(folder.path()).args(["level.obj", "-o", "p.png", &format!("--size={size}")]).output()?;
        expect_refusal(&output, &["size"])
            .map_err(|error| format!("{size}: {}", error.message().unwrap_or_default()))?;
    }
    Ok(())
}

fn a_failed_render_leaves_no_file() -> Result<(), Failed> {
    let folder = folder()?;
    let output = program(folder.path()).args(["none.obj", "-o", "p.png"]).output()?;
    expect_refusal(&output, &["none.obj"])?;
    if folder.path().join("p.png").exists() { Err("an empty file was left".into()) } else { Ok(()) }
}
