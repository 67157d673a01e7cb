//! The text of a scene file: what it says, before anything that it names is opened.

use std::fmt;

use super::fault::line_of;
use arrayvec::ArrayVec;
use serde::Deserialize;
use serde::de::{Deserializer, Error, SeqAccess, Visitor};

/// All that a scene file may hold.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct SceneFile {
    pub spawn: Option<SpawnEntry>,
    pub sky: Option<SkyEntry>,
    pub group: Vec<GroupEntry>,
    pub piece: Vec<PieceEntry>,
    pub prop: Vec<PropEntry>,
    pub trigger: Vec<TriggerEntry>,
    pub light: Vec<LightEntry>,
    pub camera: Vec<CameraEntry>,
}

/// An entry that stands somewhere: what all kinds have in common, and what is its own.
macro_rules! entry {
    ($(#[$doc:meta])* $name:ident { $($(#[$field_doc:meta])* $field:ident: $type:ty,)* }) => {
        $(#[$doc])*
        #[derive(Debug, Deserialize)]
        #[serde(deny_unknown_fields, rename_all = "kebab-case", expecting = "a table of keys")]
        pub(super) struct $name {
            pub name: Option<String>,
            pub parent: Option<String>,
            translation: Option<Numbers>,
            rotation: Option<Numbers>,
            scale: Option<Numbers>,
            motion: Option<MotionEntry>,
            $($(#[$field_doc])* pub $field: $type,)*
        }

        impl Standing for $name {
            fn stand(&self) -> Stand<'_> {
                Stand {
                    name: self.name.as_deref().unwrap_or_default(),
                    parent: self.parent.as_deref(),
                    translation: self.translation.as_ref(),
                    rotation: self.rotation.as_ref(),
                    scale: self.scale.as_ref(),
                    motion: self.motion.as_ref(),
                }
            }
        }
    };
}

/// What says where an entry stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stand<'a> {
    /// Empty for none.
    pub name: &'a str,
    pub parent: Option<&'a str>,
    pub translation: Option<&'a Numbers>,
    pub rotation: Option<&'a Numbers>,
    pub scale: Option<&'a Numbers>,
    pub motion: Option<&'a MotionEntry>,
}

pub(super) trait Standing {
    fn stand(&self) -> Stand<'_>;
}

entry! {
    /// Something for others to hang on.
    GroupEntry {}
}

entry! {
    /// A part of the level.
    PieceEntry {
        file: String,
        /// Axis of the file that points up, `y` or `z`.
        up: Option<String>,
        /// Metres per unit of the file.
        unit: Option<f64>,
        handedness: Option<String>,
        visible: Option<bool>,
        opacity: Option<f64>,
        /// Of a heightmap, in metres.
        cell_size: Option<f64>,
        /// Of a heightmap: heights of black and white.
        height_range: Option<[f64; 2]>,
        /// Of a heightmap: a picture to lay over it.
        texture: Option<String>,
        /// Of a heightmap: the side of a square that the texture covers again and again.
        texture_size: Option<f64>,
    }
}

entry! {
    /// A copy of a model.
    PropEntry {
        file: String,
        up: Option<String>,
        unit: Option<f64>,
        handedness: Option<String>,
        visible: Option<bool>,
        opacity: Option<f64>,
        /// `mesh` or `nothing`.
        met: Option<String>,
        /// In metres: met as a ball.
        radius: Option<f64>,
        grid: Option<GridEntry>,
    }
}

entry! {
    /// A volume that tells who is in it.
    TriggerEntry {
        /// Of a box around its origin, in metres.
        size: Option<Numbers>,
        /// Of a ball around its origin, in metres.
        radius: Option<f64>,
    }
}

entry! {
    /// A light.
    LightEntry {
        /// `ambient`, `sun`, `point` or `spot`.
        kind: String,
        color: Option<Numbers>,
        intensity: Option<f64>,
        /// In metres.
        range: Option<f64>,
        /// Of the whole cone, in degrees.
        angle: Option<f64>,
    }
}

entry! {
    /// A camera.
    CameraEntry {
        /// Vertical, in degrees.
        fov: Option<f64>,
    }
}

/// Where the walker starts.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table of keys")]
pub(super) struct SpawnEntry {
    pub translation: Numbers,
    /// In degrees.
    pub yaw: Option<f64>,
}

/// What is behind the level.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table of keys")]
pub(super) struct SkyEntry {
    /// One of the pictures, what their names share, or their folder.
    pub pictures: String,
    /// In degrees, counter-clockwise seen from above.
    pub turn: Option<f64>,
    /// Pictures through which the others show, named in the same way.
    pub over: Option<String>,
}

/// The same prop again and again, side by side.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table of keys")]
pub(super) struct GridEntry {
    /// How many along X, Y and Z.
    pub counts: [u32; 3],
    /// From one to the next along X, Y and Z, in metres.
    pub spacing: [f64; 3],
}

/// How an entry moves.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table of keys")]
pub(super) struct MotionEntry {
    /// Degrees a second about `axis`.
    pub spin: Option<f64>,
    /// Of the spin; up without it.
    pub axis: Option<[f64; 3]>,
    /// Ways from the translation, in the parent's space.
    pub path: Option<Vec<[f64; 3]>>,
    /// Along the path, in m/s of the parent's space.
    pub speed: Option<f64>,
    /// Whether the path leads from its end to its start, rather than back the same way.
    pub closed: Option<bool>,
}

/// One number, or a list of up to four.
#[derive(Debug)]
pub(super) struct Numbers(pub ArrayVec<f64, 4>);

impl<'de> Deserialize<'de> for Numbers {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Numbers, D::Error> {
        struct OneOrMore;

        impl<'de> Visitor<'de> for OneOrMore {
            type Value = Numbers;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a number or a list of numbers")
            }

            fn visit_f64<E: Error>(self, number: f64) -> Result<Numbers, E> {
                Ok(Numbers(ArrayVec::from_iter([number])))
            }

            fn visit_i64<E: Error>(self, number: i64) -> Result<Numbers, E> {
                self.visit_f64(number as f64)
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Numbers, A::Error> {
                let mut numbers = ArrayVec::new();
                while let Some(number) = list.next_element()? {
                    numbers.try_push(number).map_err(|_| A::Error::custom("at most four numbers are expected"))?;
                }
                Ok(Numbers(numbers))
            }
        }

        deserializer.deserialize_any(OneOrMore)
    }
}

/// Reads the text. The error is the line, from 1, and what is wrong there.
pub(super) fn parse(text: &str) -> Result<SceneFile, (usize, String)> {
    toml::from_str(text).map_err(|error| {
        let line = error.span().map_or(1, |span| line_of(text, &span));
        let message = error.message().replace('\n', " ");
        let what = TYPES.iter().fold(message, |what, (theirs, ours)| what.replace(theirs, ours));
        let kind = text.lines().nth(line - 1).unwrap_or_default().trim_start_matches(['[', ' ', '\t']);
        let kind = KINDS.iter().find(|known| kind.starts_with(*known)).filter(|_| what.ends_with("expected a list"));
        (line, kind.map_or(what.clone(), |kind| format!("{what}; write the name in double brackets, as in [[{kind}]]")))
    })
}

/// Of which there may be many.
const KINDS: [&str; 6] = ["group", "piece", "prop", "trigger", "light", "camera"];

/// What readers call types, in words that those who write scenes know.
const TYPES: [(&str, &str); 8] = [
    ("expected a boolean", "expected true or false"),
    ("expected f64", "expected a number"),
    ("expected u32", "expected a whole number from 0 on"),
    ("expected a sequence", "expected a list"),
    ("expected an array of length", "expected a list of length"),
    ("invalid type: sequence", "invalid type: a list"),
    ("invalid type: map", "invalid type: a table"),
    ("invalid type: floating point", "invalid type: number"),
];
