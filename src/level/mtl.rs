//! Reading MTL material libraries: the keys that say how a surface looks, in any letter case.

use glam::DVec2;

use super::files::with_spaces;
use super::lines::{Lines, keyword, words};
use super::{WarningKind, Warnings};

/// A material as its library defines it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct MtlMaterial {
    pub name: String,
    /// `Kd`: colour of diffuse reflection.
    pub color: Option<[f32; 3]>,
    /// `d`, or 1 minus `Tr` where there is no `d`.
    pub opacity: Option<f32>,
    /// `map_Kd`.
    pub color_map: Option<MapReference>,
    /// `map_d`.
    pub opacity_map: Option<MapReference>,
    /// `Ke`: colour that is sent out, sRGB-encoded as `Kd`; above 1 where it is brighter than white.
    pub emission: Option<[f32; 3]>,
    /// `map_Ke`.
    pub emission_map: Option<MapReference>,
    /// `norm` and its other names: a map of normals.
    pub normal_map: Option<MapReference>,
    /// `map_bump`: heights, by its definition; but many write their maps of normals as this.
    pub bump_map: Option<MapReference>,
}

/// A texture that a material names.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct MapReference {
    /// The file as it is named, with forward slashes.
    pub file: String,
    /// `-s` and `-o`; `None` where they change nothing.
    pub transform: Option<TexTransform>,
    /// `-clamp on`.
    pub clamps: bool,
    /// `-bm`: how strong bumps are.
    pub strength: Option<f32>,
}

/// How a material moves its texture, in OBJ's texture coordinates (V grows upwards).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct TexTransform {
    /// `-s`: repetitions.
    pub scale: DVec2,
    /// `-o`: what is added.
    pub offset: DVec2,
}

impl TexTransform {
    const IDENTITY: TexTransform = TexTransform { scale: DVec2::ONE, offset: DVec2::ZERO };

    pub fn apply(&self, tex_coord: DVec2) -> DVec2 {
        tex_coord * self.scale + self.offset
    }
}

/// Keys that describe what is not drawn yet or has no part in the picture: known, and passed over.
const PASSED_OVER: [&str; 30] = [
    "ka",
    "ks",
    "kt",
    "ns",
    "ni",
    "tf",
    "illum",
    "sharpness",
    "map_ka",
    "map_ks",
    "map_ns",
    "map_tr",
    "disp",
    "decal",
    "refl",
    "map_refl",
    "map_aat",
    "pr",
    "pm",
    "ps",
    "pc",
    "pcr",
    "aniso",
    "anisor",
    "map_pr",
    "map_pm",
    "map_ps",
    "map_disp",
    "map_rmap",
    "map_opacity",
];

/// Reads a library. `name` is its file name, for the warnings.
pub(super) fn parse(bytes: &[u8], name: &str, warnings: &mut Warnings) -> Vec<MtlMaterial> {
    let mut materials: Vec<MtlMaterial> = Vec::new();
    // `d` wins over `Tr`, whichever comes first.
    let mut has_d = false;
    for line in Lines::new(bytes) {
        let (key, rest) = keyword(&line.text);
        let key = key.to_ascii_lowercase();
        if key.is_empty() || key.starts_with('#') {
            continue;
        }
        if key == "newmtl" {
            materials.push(MtlMaterial { name: rest.to_owned(), ..MtlMaterial::default() });
            has_d = false;
            continue;
        }
        let Some(material) = materials.last_mut() else {
            let what = format!("{name}: a line before any `newmtl`; ignored");
            warnings.add(WarningKind::MalformedLine, what);
            continue;
        };
        let is_understood = match &*key {
            "kd" => set(&mut material.color, color(rest)),
            "d" => {
                let is_number = set(&mut material.opacity, share(rest));
                has_d |= is_number;
                is_number
            }
            "tr" if has_d => true,
            "tr" => set(&mut material.opacity, share(rest).map(|share| 1.0 - share)),
            // A map without a file is passed over.
            "map_kd" => set(&mut material.color_map, map_reference(rest)) || rest.is_empty(),
            "map_d" => set(&mut material.opacity_map, map_reference(rest)) || rest.is_empty(),
            "ke" => set(&mut material.emission, emission(rest)),
            "map_ke" => set(&mut material.emission_map, map_reference(rest)) || rest.is_empty(),
            "norm" | "map_norm" | "map_kn" => set(&mut material.normal_map, map_reference(rest)) || rest.is_empty(),
            "bump" | "map_bump" => set(&mut material.bump_map, map_reference(rest)) || rest.is_empty(),
            key if PASSED_OVER.contains(&key) => true,
            key => {
                let key: String = key.chars().take(40).collect();
                warnings.add(WarningKind::UnknownKeyword, format!("{name}: the key {key:?} is unknown; ignored"));
                true
            }
        };
        if !is_understood {
            let what = format!("{name}: line {}: {:?} is not understood; ignored", line.number, shortened(&line.text));
            warnings.add(WarningKind::MalformedLine, what);
        }
    }
    materials
}

/// Sets `target` where there is a value; tells whether there was.
fn set<T>(target: &mut Option<T>, value: Option<T>) -> bool {
    let is_some = value.is_some();
    if is_some {
        *target = value;
    }
    is_some
}

/// A number between 0 and 1.
fn share(rest: &str) -> Option<f32> {
    number(words(rest).next()).map(|value| value.clamp(0.0, 1.0))
}

fn shortened(text: &str) -> String {
    text.chars().take(60).collect()
}

fn number(word: Option<&str>) -> Option<f32> {
    word.and_then(|word| word.parse::<f32>().ok()).filter(|value| value.is_finite())
}

/// `Kd r g b`, or `Kd r` for a grey.
fn color(rest: &str) -> Option<[f32; 3]> {
    three(rest).map(|color| color.map(|part| part.clamp(0.0, 1.0)))
}

/// `Ke r g b`, or `Ke r` for a grey.
fn emission(rest: &str) -> Option<[f32; 3]> {
    three(rest).map(|color| color.map(|part| part.clamp(0.0, BRIGHTEST)))
}

/// The most that a material sends out.
const BRIGHTEST: f32 = 1e6;

/// Three numbers, or one for all.
fn three(rest: &str) -> Option<[f32; 3]> {
    let mut words = words(rest);
    let red = number(words.next())?;
    Some(match words.next() {
        None => [red; 3],
        green => [red, number(green)?, number(words.next())?],
    })
}

/// The options that can stand before the file name, with how many values they take.
const OPTIONS: [(&str, usize); 10] = [
    ("-blendu", 1),
    ("-blendv", 1),
    ("-boost", 1),
    ("-cc", 1),
    ("-colorspace", 1),
    ("-imfchan", 1),
    ("-mm", 2),
    ("-texres", 1),
    ("-type", 1),
    ("-bumpmap", 1),
];

/// Splits the options off the file name; `None` where there is no file name.
fn map_reference(rest: &str) -> Option<MapReference> {
    let mut rest = rest;
    let mut transform = TexTransform::IDENTITY;
    let (mut clamps, mut strength) = (false, None);
    while rest.starts_with('-') {
        let (option, after) = keyword(rest);
        let option = option.to_ascii_lowercase();
        match option.as_str() {
            "-o" | "-s" | "-t" => {
                let (numbers, after) = up_to_three_numbers(after);
                let target = match option.as_str() {
                    "-o" => Some(&mut transform.offset),
                    "-s" => Some(&mut transform.scale),
                    // Turbulence is a pattern of its own; pictures have none.
                    _ => None,
                };
                if let Some(target) = target {
                    target.x = numbers[0].unwrap_or(target.x);
                    target.y = numbers[1].unwrap_or(target.y);
                }
                rest = after;
            }
            "-clamp" => {
                let (value, after) = keyword(after);
                clamps = value.eq_ignore_ascii_case("on");
                rest = after;
            }
            "-bm" => {
                let (value, after) = keyword(after);
                strength = number(Some(value));
                rest = after;
            }
            option => {
                let Some((_, values)) = OPTIONS.iter().find(|(known, _)| *known == option) else { break };
                rest = (0..*values).fold(after, |rest, _| keyword(rest).1);
            }
        }
    }
    let file = with_spaces(rest.trim().trim_matches('"'));
    let transform = (transform != TexTransform::IDENTITY).then_some(transform);
    (!file.is_empty()).then_some(MapReference { file, transform, clamps, strength })
}

/// One to three numbers, but never the last word, which is the file.
fn up_to_three_numbers(mut rest: &str) -> ([Option<f64>; 3], &str) {
    let mut numbers = [None; 3];
    for number in &mut numbers {
        let (word, after) = keyword(rest);
        match word.parse::<f64>() {
            Ok(value) if value.is_finite() && !after.is_empty() => {
                *number = Some(value);
                rest = after;
            }
            _ => break,
        }
    }
    (numbers, rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(text: &str) -> (MtlMaterial, Warnings) {
        let mut warnings = Warnings::default();
        let mut materials = parse(format!("newmtl m\n{text}").as_bytes(), "m.mtl", &mut warnings);
        assert_eq!(materials.len(), 1);
        (materials.remove(0), warnings)
    }

    fn map(text: &str) -> MapReference {
        one(text).0.color_map.expect("a map")
    }

    #[test]
    fn one_number_is_grey() {
        assert_eq!(one("Kd 0.8").0.color, Some([0.8; 3]));
        assert_eq!(one("kd 0.1 0.2 0.3").0.color, Some([0.1, 0.2, 0.3]));
    }

    #[test]
    fn what_is_not_understood_is_told_and_skipped() {
        for text in ["Kd spectral f.rfl", "Kd xyz 1 1 1", "Kd 0.5 0.5", "d -halo 0.5", "d"] {
            let (material, warnings) = one(text);
            assert_eq!((material.color, material.opacity), (None, None), "{text}");
            assert_eq!(warnings.iter().count(), 1, "{text}");
        }
    }

    #[test]
    fn d_wins_over_tr() {
        assert_eq!(one("d 1\nTr 0").0.opacity, Some(1.0));
        assert_eq!(one("Tr 0.75\nd 0.5").0.opacity, Some(0.5));
        assert_eq!(one("d 0.5\nTr 0.75").0.opacity, Some(0.5));
        assert_eq!(one("Tr 0.75").0.opacity, Some(0.25));
    }

    #[test]
    fn options_are_no_part_of_the_file_name() {
        let reference = map("map_Kd -o 0 -7 0 -s 1 10 1 -clamp on Body Part.png");
        assert_eq!(reference.file, "Body Part.png");
        let transform = TexTransform { scale: DVec2::new(1.0, 10.0), offset: DVec2::new(0.0, -7.0) };
        assert_eq!(reference.transform, Some(transform));
        for text in
            ["-texres 512 a.jpg", "-blendu off -mm 0 1 a.jpg", "-imfchan r -BM 2 a.jpg", "-o 0 0 a.jpg", "a.jpg"]
        {
            let reference = map(&format!("map_Kd {text}"));
            assert_eq!((&*reference.file, reference.transform, reference.clamps), ("a.jpg", None, false), "{text}");
            assert_eq!(reference.strength, text.contains("BM").then_some(2.0), "{text}");
        }
        for (text, clamps) in [("-clamp on a.jpg", true), ("-clamp off a.jpg", false), ("-CLAMP ON a.jpg", true)] {
            let reference = map(&format!("map_Kd {text}"));
            assert_eq!((&*reference.file, reference.clamps), ("a.jpg", clamps), "{text}");
        }
        assert_eq!(map("map_Kd -s 2 512").file, "512");
        assert_eq!(map("map_Kd -odd name.png").file, "-odd name.png");
    }

    #[test]
    fn a_map_without_a_file_is_ignored() {
        assert_eq!(one("map_Kd").0.color_map, None);
        assert_eq!(one("map_Kd -o 1 1").0.color_map.map(|map| map.file), Some("1".to_owned()));
        assert_eq!(map("map_Kd a.png\nmap_Kd").file, "a.png");
    }

    #[test]
    fn backslashes_become_slashes() {
        assert_eq!(map("map_kd textures\\brick.png").file, "textures/brick.png");
        assert_eq!(map("map_kd textures\\old\\ brick.png").file, "textures/old brick.png");
    }
}
