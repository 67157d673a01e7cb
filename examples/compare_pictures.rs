//! Compares two pictures as the tests do: `compare_pictures REFERENCE ACTUAL DIFFERENCE` fails, and writes the difference, where one
//! sees it.
//!
//! `cargo run --no-default-features --example compare_pictures`

#[path = "../tests/references/difference.rs"]
mod difference;
#[path = "../tests/drawing/linear.rs"]
mod linear;

use std::env;
use std::error::Error;

use difference::{Difference, MEAN, SHARE, difference};
use linear::linear;

fn main() -> Result<(), Box<dyn Error>> {
    let files: Vec<String> = env::args().skip(1).collect();
    let [reference, actual, difference_file] = &files[..] else {
        return Err("give three files: REFERENCE ACTUAL DIFFERENCE".into());
    };
    let open = |file: &str| image::open(file).map(image::DynamicImage::into_rgba8);
    let Difference { mean, share, picture } = difference(&open(reference)?, &open(actual)?)?;
    let told = format!(
        "differs by {mean:.2} on average (at most {MEAN}), visibly in {:.1} % (at most {} %)",
        100.0 * share,
        100.0 * SHARE
    );
    if mean > MEAN || share > SHARE {
        picture.save(difference_file)?;
        return Err(format!("{actual} {told}; see {difference_file}").into());
    }
    println!("{told}");
    Ok(())
}
