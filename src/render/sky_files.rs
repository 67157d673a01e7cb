//! Finding the pictures of a sky by the usual names.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use image::{DynamicImage, RgbaImage};

use super::sky::{Side, SkySource};
use super::sky_around::sides_of_panorama;
use super::sky_fit::fit;
use super::sky_tone::expose;
use crate::level::{Texture, decode_picture, files};

/// The largest picture file, in bytes.
const LARGEST: u64 = 1 << 30;

/// Why there is no such sky.
#[derive(Debug, thiserror::Error)]
pub enum SkyError {
    /// The folder can't be read.
    #[error("cannot look for sky pictures in {}: {reason}", folder.display())]
    Folder {
        /// Where they should be.
        folder: PathBuf,
        /// What the system said.
        reason: std::io::Error,
    },
    /// No two pictures are named alike but for the side, and none is a sky of its own.
    #[error(
        "found no sky pictures at {}; they are named alike but for their ends: _ft _bk _lf _rt _up _dn, _n _s _w _e _u _d, \
         posx negx posy negy posz negz, px nx py ny pz nz, or front back left right top bottom; or it is one picture, twice as \
         wide as high for all around or square for every side",
        .0.display()
    )]
    None(PathBuf),
    /// A picture can't be read.
    #[error("cannot read the sky picture {}: {reason}", path.display())]
    Picture {
        /// Which one.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
}

/// The names of sides at the end of a file's name, and the side that each is. Pictures are as seen from inside. Where the
/// names are axes they are those of a cube map, which is left-handed: +Z is ahead.
const SCHEMES: [&[(&str, Side)]; 6] = [
    &[
        ("ft", Side::Front),
        ("bk", Side::Back),
        ("lf", Side::Left),
        ("rt", Side::Right),
        ("up", Side::Up),
        ("dn", Side::Down),
    ],
    &[("n", Side::Front), ("s", Side::Back), ("w", Side::Left), ("e", Side::Right), ("u", Side::Up), ("d", Side::Down)],
    &[
        ("posz", Side::Front),
        ("negz", Side::Back),
        ("negx", Side::Left),
        ("posx", Side::Right),
        ("posy", Side::Up),
        ("negy", Side::Down),
    ],
    &[
        ("pz", Side::Front),
        ("nz", Side::Back),
        ("nx", Side::Left),
        ("px", Side::Right),
        ("py", Side::Up),
        ("ny", Side::Down),
    ],
    &[
        ("front", Side::Front),
        ("back", Side::Back),
        ("left", Side::Left),
        ("right", Side::Right),
        ("top", Side::Up),
        ("bottom", Side::Down),
    ],
    &[
        ("front", Side::Front),
        ("back", Side::Back),
        ("left", Side::Left),
        ("right", Side::Right),
        ("up", Side::Up),
        ("down", Side::Down),
    ],
];

const EXTENSIONS: [&str; 6] = ["png", "jpg", "jpeg", "tga", "bmp", "hdr"];

/// Fewer pictures than this are no sky but a file that happens to be named so.
const LEAST_SIDES: usize = 2;

impl SkySource {
    /// Reads the pictures of a sky. `path` is one of them, the part that their names share, or a folder with one set of
    /// them; of several sets in a folder the most complete is taken, of equals the first by name. Absent
    /// sides stay `None`. Pictures that meet only when turned, or with left and right exchanged, as some programs name
    /// them, are put right. It may also be one picture alone: twice as wide as high it goes all around (equirectangular, its
    /// middle ahead of a camera with yaw 0), square it is every side. Pictures that hold light (HDR) are brought to a common
    /// exposure.
    pub fn open(path: &Path) -> Result<SkySource, SkyError> {
        open_pictures(path).map(SkySource::Pictures)
    }

    /// The sides that have no picture of those that a sky of pictures usually has: all but the lower one. None for the gradient.
    pub fn absent(&self) -> impl Iterator<Item = Side> {
        let pictures = match self {
            SkySource::Pictures(pictures) => Some(pictures),
            SkySource::Gradient | SkySource::Over(..) => None,
        };
        let is_absent = move |side: &Side| {
            *side != Side::Down && pictures.is_some_and(|pictures| pictures[*side as usize].is_none())
        };
        Side::ALL.into_iter().filter(is_absent)
    }

    /// This with the pictures of another sky over it, found as by [`SkySource::open`]: it shows through where they are not
    /// opaque.
    pub fn under(self, path: &Path) -> Result<SkySource, SkyError> {
        Ok(SkySource::Over(Box::new(self), open_pictures(path)?))
    }
}

fn open_pictures(path: &Path) -> Result<Box<[Option<Texture>; 6]>, SkyError> {
    let files = match find(path) {
        Err(SkyError::None(_)) if path.exists() && !path.is_dir() => return open_alone(path),
        found => found?,
    };
    let mut sides = [const { None }; 6];
    for (side, file) in sides.iter_mut().zip(&files) {
        *side = file.as_deref().map(read).transpose()?;
    }
    let mut pictures = with_paths(expose(sides), |side| files[side].clone().unwrap_or_default());
    fit(&mut pictures);
    Ok(pictures)
}

/// A picture that is a sky of its own.
fn open_alone(path: &Path) -> Result<Box<[Option<Texture>; 6]>, SkyError> {
    let fault = |reason: String| SkyError::Picture { path: path.to_owned(), reason };
    let Some(stem) = stem_of_picture(path) else {
        return Err(fault(format!("its name ends in none of .{}", EXTENSIONS.join(", ."))));
    };
    let picture = read(path)?;
    let (width, height) = (picture.width(), picture.height());
    let is_side = SCHEMES.iter().flat_map(|ends| *ends).any(|(end, _)| common_part(&stem, end).is_some());
    let sides = if width.abs_diff(2 * height) <= width / 64 {
        sides_of_panorama(&picture).map(Some)
    } else if width == height && !is_side {
        std::array::from_fn(|_| Some(picture.clone()))
    } else if width == height {
        return Err(fault("it is named as one side of a sky, and no other is named alike".to_owned()));
    } else {
        let reason = format!(
            "it is {width}x{height} pixels; a sky of one picture is twice as wide as high (all around) or square (every side), \
             one of six has others named alike"
        );
        return Err(fault(reason));
    };
    Ok(with_paths(expose(sides), |_| path.to_owned()))
}

fn with_paths(sides: [Option<RgbaImage>; 6], path: impl Fn(usize) -> PathBuf) -> Box<[Option<Texture>; 6]> {
    let mut number = 0..;
    Box::new(sides.map(|side| {
        let path = number.next().map(&path).unwrap_or_default();
        side.map(|image| Texture { path, width: image.width(), height: image.height(), rgba: image.into_raw() })
    }))
}

/// The files of the sky at `path`, by side.
fn find(path: &Path) -> Result<[Option<PathBuf>; 6], SkyError> {
    let is_folder = path.is_dir();
    let folder = if is_folder { path } else { path.parent().unwrap_or(Path::new("")) };
    let listed = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let folder_error = |reason| SkyError::Folder { folder: listed.to_owned(), reason };
    // By scheme and common part of the name; sorted, so that the choice is the same on every machine.
    let mut sets: BTreeMap<(usize, String), [Option<PathBuf>; 6]> = BTreeMap::new();
    let mut names: Vec<PathBuf> = Vec::new();
    for entry in std::fs::read_dir(listed).map_err(folder_error)? {
        names.push(folder.join(entry.map_err(folder_error)?.file_name()));
    }
    names.sort();
    for file in names {
        let Some(stem) = stem_of_picture(&file) else { continue };
        for (scheme, ends) in SCHEMES.iter().enumerate() {
            for &(end, side) in *ends {
                if let Some(common) = common_part(&stem, end) {
                    let slot = &mut sets.entry((scheme, common.to_owned())).or_default()[side as usize];
                    slot.get_or_insert_with(|| file.clone());
                }
            }
        }
    }
    let wanted = stem_of_picture(path).filter(|_| !is_folder);
    let prefix = path.file_name().map(|name| name.to_string_lossy().to_lowercase());
    sets.retain(|(_, common), files| {
        let belongs = if is_folder {
            true
        } else if wanted.is_some() {
            files.iter().flatten().any(|file| same_file(file, path))
        } else {
            prefix.as_deref().is_some_and(|prefix| trimmed(common) == trimmed(prefix))
        };
        belongs && files.iter().flatten().count() >= LEAST_SIDES
    });
    let most = sets.values().map(|files| files.iter().flatten().count()).max();
    sets.into_values()
        .find(|files| Some(files.iter().flatten().count()) == most)
        .ok_or_else(|| SkyError::None(path.to_owned()))
}

/// The lower-case name without its ending, if that is a picture's.
fn stem_of_picture(file: &Path) -> Option<String> {
    let extension = file.extension()?.to_str()?.to_lowercase();
    EXTENSIONS.contains(&extension.as_str()).then_some(())?;
    Some(file.file_stem()?.to_str()?.to_lowercase())
}

/// What stands before `end`, if the name ends so. Short ends count only behind a separator or alone: `green` is no east.
fn common_part<'a>(stem: &'a str, end: &str) -> Option<&'a str> {
    let common = stem.strip_suffix(end)?;
    let is_apart = common.is_empty() || common.ends_with(SEPARATORS);
    let is_telling = end.len() > 2 || matches!(end, "ft" | "bk" | "lf" | "rt" | "up" | "dn");
    (is_apart || is_telling).then_some(common)
}

const SEPARATORS: [char; 4] = ['_', '-', '.', ' '];

fn trimmed(name: &str) -> &str {
    name.trim_end_matches(SEPARATORS)
}

/// Whether two paths into one folder name one file, also where the file system ignores case.
fn same_file(a: &Path, b: &Path) -> bool {
    let name = |path: &Path| path.file_name().map(|name| name.to_string_lossy().to_lowercase());
    name(a) == name(b)
}

fn read(path: &Path) -> Result<DynamicImage, SkyError> {
    let fault = |reason: String| SkyError::Picture { path: path.to_owned(), reason };
    let bytes = files::read(path, LARGEST).map_err(|error| fault(error.to_string()))?;
    decode_picture(&bytes, path).map_err(fault)
}
