//! The pictures of the built-in levels, painted by seeded noise.
//!
//! The painters are slow (a second or so for all of them in a release build) and their pictures never change, so the files
//! in `assets/` hold what they paint, and the library holds the files: a level decodes only those that it shows, which
//! takes a millisecond or two each. `cargo run --release --example make_assets` writes the files anew, and a test compares
//! them with the painters.

mod canvas;
mod made;
mod masonry;
mod nature;
mod sky;

use crate::level::Texture;

pub use sky::{SIZE as SKY_SIZE, Side, sun};

macro_rules! pictures {
    ($($variant:ident $name:literal $painter:path, $about:literal;)*) => {
        /// A picture of the built-in levels. All are square, and all but the banner, the window and the leaves tile.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Picture {
            $(#[doc = $about] $variant,)*
        }

        impl Picture {
            /// All of them.
            pub const ALL: &[Picture] = &[$(Picture::$variant,)*];

            /// Its name; the file is `assets/textures/NAME.png`.
            pub fn name(self) -> &'static str {
                match self {
                    $(Picture::$variant => $name,)*
                }
            }

            fn paint_rgba(self) -> Vec<u8> {
                match self {
                    $(Picture::$variant => $painter(),)*
                }
            }

            /// The bytes of its PNG file.
            pub fn file(self) -> &'static [u8] {
                match self {
                    $(Picture::$variant => {
                        include_bytes!(concat!("../../../assets/textures/", $name, ".png"))
                    })*
                }
            }
        }
    };
}

pictures! {
    Rubble "rubble" masonry::rubble, "Rough stones in thick mortar.";
    Ashlar "ashlar" masonry::ashlar, "Dressed stones in even rows.";
    Stone "stone" masonry::stone, "The face of one stone.";
    Brick "brick" masonry::brick, "Bricks.";
    Flagstones "flagstones" masonry::flagstones, "Slabs of a floor.";
    Cobbles "cobbles" masonry::cobbles, "Cobbles.";
    RoofTiles "roof_tiles" masonry::roof_tiles, "Clay tiles.";
    Slate "slate" masonry::slate, "Slates.";
    Plaster "plaster" masonry::plaster, "Lime plaster.";
    Concrete "concrete" masonry::concrete, "Cast concrete.";
    Paving "paving" masonry::paving, "Slabs of a pavement.";
    Asphalt "asphalt" masonry::asphalt, "Asphalt.";
    Grass "grass" nature::grass, "Short grass.";
    Dirt "dirt" nature::dirt, "Earth with pebbles.";
    Rock "rock" nature::rock, "Cracked rock.";
    Snow "snow" nature::snow, "Snow.";
    Water "water" nature::water, "Water; see-through.";
    Bark "bark" nature::bark, "Bark.";
    Leaves "leaves" nature::leaves, "A spray of leaves; cut out.";
    Planks "planks" made::planks, "Boards, their grain along V.";
    Beam "beam" made::beam, "A hewn beam, its grain along V.";
    Iron "iron" made::iron, "Forged iron.";
    Glass "glass" made::glass, "Leaded panes; see-through.";
    Window "window" made::window, "A window with a frame; its panes are see-through.";
    Banner "banner" made::banner, "A banner; cut out.";
}

/// Paints a picture, which is what its file in `assets/textures` holds. Slow: see [`picture`].
pub fn paint(picture: Picture) -> Texture {
    texture(format!("{}.png", picture.name()), picture.paint_rgba())
}

/// Paints a side of the sky, which is what its file in `assets/sky` holds. Slow: see [`sky`].
pub fn paint_sky(side: Side) -> Texture {
    texture(format!("sky_{}.png", side.suffix()), sky::side(side))
}

/// A picture, decoded from the file that the library holds.
pub fn picture(picture: Picture) -> Texture {
    decode(format!("{}.png", picture.name()), picture.file())
}

/// A side of the sky, decoded from the file that the library holds.
pub fn sky(side: Side) -> Texture {
    decode(format!("sky_{}.png", side.suffix()), sky_file(side))
}

/// The bytes of a side's PNG file.
pub fn sky_file(side: Side) -> &'static [u8] {
    match side {
        Side::Front => include_bytes!("../../../assets/sky/sky_ft.png"),
        Side::Back => include_bytes!("../../../assets/sky/sky_bk.png"),
        Side::Left => include_bytes!("../../../assets/sky/sky_lf.png"),
        Side::Right => include_bytes!("../../../assets/sky/sky_rt.png"),
        Side::Up => include_bytes!("../../../assets/sky/sky_up.png"),
        Side::Down => include_bytes!("../../../assets/sky/sky_dn.png"),
    }
}

fn texture(path: String, rgba: Vec<u8>) -> Texture {
    let side = (rgba.len() / 4).isqrt() as u32;
    Texture { path: path.into(), width: side, height: side, rgba }
}

fn decode(path: String, file: &[u8]) -> Texture {
    let image = image::load_from_memory_with_format(file, image::ImageFormat::Png)
        .expect("a test decodes every file that the library holds")
        .into_rgba8();
    Texture { path: path.into(), width: image.width(), height: image.height(), rgba: image.into_raw() }
}
