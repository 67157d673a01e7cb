//! Small pictures of the built-in levels and scenes, drawn by the real program, against references in this folder.
//!
//! `NODETREE_BLESS=1 cargo test --test references` draws the references anew; look at them before they go in. Where a picture
//! differs, it and the difference are written to the folder that the failure names.

#[path = "../drawing/mod.rs"]
mod drawing;

mod difference;

use std::path::{Path, PathBuf};

use assert_cmd::Command;
use image::RgbaImage;
use libtest_mimic::{Arguments, Failed, Trial};

use difference::{Difference, MEAN, SHARE, difference};
use drawing::linear;

/// Name, and what `nodetree render` is told.
const PICTURES: &[(&str, &[&str])] = &[
    ("castle", &["builtin:castle"]),
    ("castle-from-above", &["builtin:castle", "--camera", "60,45,60,45,-30", "--tree", "octree"]),
    ("castle-no-shadows", &["builtin:castle", "--no-shadows", "--no-cull"]),
    ("city", &["builtin:city"]),
    ("terrain", &["builtin:terrain"]),
    ("normals", &["builtin:castle", "--inspect", "normals"]),
    ("eight-rooms", &["assets/scenes/eight-rooms.toml"]),
    ("hill-house", &["assets/scenes/hill-house.toml"]),
];
const SIZE: &str = "192x108";

fn main() {
    let trials = drawing::devices().iter().flat_map(|(backend, _)| {
        PICTURES.iter().map(move |&(name, arguments)| {
            Trial::test(format!("{backend}::{name}"), move || compare(backend, name, arguments))
        })
    });
    let mut trials: Vec<Trial> = trials.collect();
    if trials.is_empty() {
        let missing = || Err("no graphics adapter, and NODETREE_REQUIRE_GPU is 1".into());
        trials.push(Trial::test("references", missing).with_ignored_flag(!drawing::is_gpu_required()));
    }
    trials.push(Trial::test("a_difference_that_one_sees_is_found", a_difference_that_one_sees_is_found));
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn draw(backend: &str, arguments: &[&str], file: &Path) -> Result<RgbaImage, Failed> {
    let output = Command::cargo_bin("nodetree")?
        .current_dir(root())
        .arg("render")
        .args(arguments)
        .args(["--size", SIZE, "--backend", backend, "--no-cache", "-o"])
        .arg(file)
        .output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned().into());
    }
    Ok(image::open(file)?.into_rgba8())
}

fn compare(backend: &str, name: &str, arguments: &[&str]) -> Result<(), Failed> {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let actual_file = folder.join(format!("{name}-{backend}.png"));
    let actual = draw(backend, arguments, &actual_file)?;
    let reference_file = root().join("tests/references").join(format!("{name}.png"));
    let is_blessed = std::env::var_os("NODETREE_BLESS").is_some_and(|value| value == "1");
    if is_blessed && drawing::devices().first().is_some_and(|(first, _)| *first == backend) {
        image::DynamicImage::ImageRgba8(actual.clone()).into_rgb8().save(&reference_file)?;
        return Ok(());
    }
    let reference = image::open(&reference_file)?.into_rgba8();
    let Difference { mean, share, picture } = difference(&reference, &actual)?;
    if mean <= MEAN && share <= SHARE {
        return Ok(());
    }
    let difference_file = folder.join(format!("{name}-{backend}-difference.png"));
    picture.save(&difference_file)?;
    Err(format!(
        "differs from {} by {mean:.2} on average (at most {MEAN}), visibly in {:.1} % (at most {} %); see {} and {}",
        reference_file.display(),
        100.0 * share,
        100.0 * SHARE,
        actual_file.display(),
        difference_file.display()
    )
    .into())
}

/// The measure itself: noise that nobody sees passes, a moved wall or a wrong light does not.
fn a_difference_that_one_sees_is_found() -> Result<(), Failed> {
    let reference = image::open(root().join("tests/references/castle.png"))?.into_rgba8();
    let differs = |actual: &RgbaImage| -> Result<bool, Failed> {
        let Difference { mean, share, .. } = difference(&reference, actual)?;
        Ok(mean > MEAN || share > SHARE)
    };
    let changed = |change: &dyn Fn(u32, u32, u8) -> u8| {
        RgbaImage::from_fn(reference.width(), reference.height(), |x, y| {
            let [r, g, b, a] = reference.get_pixel(x, y).0;
            image::Rgba([change(x, y, r), change(x, y, g), change(x, y, b), a])
        })
    };
    let shifted = RgbaImage::from_fn(reference.width(), reference.height(), |x, y| {
        *reference.get_pixel((x + 3).min(reference.width() - 1), y)
    });
    let cases = [
        ("the same", reference.clone(), false),
        ("grain", changed(&|x, y, value| value.saturating_add(((x * 7 + y * 13) % 3) as u8)), false),
        ("brighter", changed(&|_, _, value| value.saturating_add(12)), true),
        ("a black corner", changed(&|x, y, value| if x < 40 && y < 40 { 0 } else { value }), true),
        ("moved", shifted, true),
    ];
    for (name, picture, expected) in cases {
        if differs(&picture)? != expected {
            return Err(format!("{name}: expected {expected}").into());
        }
    }
    Ok(())
}
