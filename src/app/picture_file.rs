//! Pictures that a key saves, each in a file of its own.

use std::io::{self, Cursor, Write};
use std::path::{Path, PathBuf};

use image::{ImageFormat, RgbaImage};

use super::free_file;

/// Saves a picture to the first free one of `nodetree-001.png`, `nodetree-002.png`, ... in `folder`, and gives its path.
///
/// # Errors
/// When it cannot be written, or all numbers up to 9999 are taken.
pub fn save(picture: &RgbaImage, folder: &Path) -> io::Result<PathBuf> {
    let mut encoded = Cursor::new(Vec::new());
    picture.write_to(&mut encoded, ImageFormat::Png).map_err(io::Error::other)?;
    let (path, mut file) = free_file::create(folder, "nodetree-", "png")?;
    file.write_all(encoded.get_ref())?;
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let picture = RgbaImage::from_pixel(2, 1, image::Rgba([1, 2, 3, 255]));
        let first = save(&picture, folder.path()).unwrap();
        let second = save(&picture, folder.path()).unwrap();
        assert_ne!(first, second);
        assert_eq!(image::open(first).unwrap().to_rgba8(), picture);
        assert_eq!(image::open(second).unwrap().to_rgba8(), picture);
    }

    #[test]
    fn a_missing_folder_is_an_error() {
        assert!(save(&RgbaImage::new(1, 1), Path::new("there/is/no/such/folder")).is_err());
    }
}
