//! What the built-in levels are made of.

use super::textures::{Picture, picture};
use crate::level::{AlphaMode, LevelBuilder, Material};

macro_rules! surfaces {
    ($($variant:ident $name:literal $picture:ident $metres:literal $alpha:expr;)*) => {
        /// A material, its picture, and how many metres the picture covers.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Surface {
            $($variant,)*
        }

        impl Surface {
            pub const ALL: &[Surface] = &[$(Surface::$variant,)*];

            fn name(self) -> &'static str {
                match self { $(Surface::$variant => $name,)* }
            }

            fn picture(self) -> Picture {
                match self { $(Surface::$variant => Picture::$picture,)* }
            }

            /// Edge of the square that the picture covers.
            pub fn metres(self) -> f64 {
                match self { $(Surface::$variant => $metres,)* }
            }

            fn alpha_mode(self) -> AlphaMode {
                match self { $(Surface::$variant => $alpha,)* }
            }
        }
    };
}

surfaces! {
    Rubble "stone_wall" Rubble 3.0 AlphaMode::Opaque;
    Ashlar "dressed_stone" Ashlar 2.7 AlphaMode::Opaque;
    Stone "stone" Stone 1.6 AlphaMode::Opaque;
    Brick "brick" Brick 1.6 AlphaMode::Opaque;
    Flagstones "flagstones" Flagstones 3.2 AlphaMode::Opaque;
    Cobbles "cobbles" Cobbles 2.8 AlphaMode::Opaque;
    RoofTiles "roof_tiles" RoofTiles 2.6 AlphaMode::Opaque;
    Slate "slate" Slate 2.4 AlphaMode::Opaque;
    Plaster "plaster" Plaster 3.0 AlphaMode::Opaque;
    Concrete "concrete" Concrete 4.0 AlphaMode::Opaque;
    Paving "paving" Paving 2.4 AlphaMode::Opaque;
    Asphalt "asphalt" Asphalt 7.0 AlphaMode::Opaque;
    Grass "grass" Grass 3.0 AlphaMode::Opaque;
    Dirt "dirt" Dirt 2.5 AlphaMode::Opaque;
    Rock "rock" Rock 7.0 AlphaMode::Opaque;
    Snow "snow" Snow 6.0 AlphaMode::Opaque;
    Bark "bark" Bark 1.2 AlphaMode::Opaque;
    Planks "planks" Planks 1.8 AlphaMode::Opaque;
    Beam "beam" Beam 0.8 AlphaMode::Opaque;
    Iron "iron" Iron 1.0 AlphaMode::Opaque;
    Leaves "leaves" Leaves 1.0 AlphaMode::Mask(0.5);
    Banner "banner" Banner 1.0 AlphaMode::Mask(0.5);
    Water "water" Water 4.0 AlphaMode::Blend;
    Window "window" Window 1.0 AlphaMode::Blend;
    Glass "glass" Glass 1.2 AlphaMode::Blend;
}

impl Surface {
    /// Adds the material and its picture to a level and gives the material's index.
    pub fn add_to(self, builder: &mut LevelBuilder) -> u32 {
        let texture = picture(self.picture());
        let texture_path = Some(texture.path.clone());
        let texture = Some(builder.texture(texture));
        builder.material(Material {
            name: self.name().to_owned(),
            texture,
            texture_path,
            alpha_mode: self.alpha_mode(),
            ..Material::default()
        })
    }
}
