//! The clean-up of an OBJ file: whatever exporters write comes in, line by line, and what it means goes to the level's builder. The
//! numbers of vertices take the way through tobj, as plain as it reads them right; what tobj has no place for (line numbers,
//! materials by name, smoothing groups) is kept beside them. Faces are read here: an index has to be checked and counted from
//! what stands before its line.

use std::collections::{BTreeMap, HashMap};

use glam::{DVec2, DVec3};

use super::lines::{Lines, keyword, words};
use super::obj_face::{self, Counts, shortened};
use super::obj_numbers::{Numbers, Row, plain_count};
use super::{Corner, LevelBuilder, WarningKind, Warnings};

/// What is fatal in an OBJ file, and on which line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fault {
    pub line: usize,
    pub what: String,
}

/// What a first look at the file finds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Survey {
    /// How many `v` lines there are.
    pub positions: u64,
    /// How many `vt` lines there are.
    pub tex_coords: u64,
    /// How many `vn` lines there are.
    pub normals: u64,
    /// Whether there are `s` lines.
    pub smoothing: bool,
}

impl Survey {
    /// Adds the lines of the next part of the file; gives how many there were up to its end.
    pub fn add(&mut self, lines: Lines<'_>) -> usize {
        lines.each_keyword(|keyword| match keyword {
            b"v" => self.positions += 1,
            b"vt" => self.tex_coords += 1,
            b"vn" => self.normals += 1,
            b"s" => self.smoothing = true,
            _ => {}
        })
    }
}

/// The number of the material before the first `usemtl`.
pub(super) const NO_MATERIAL: u32 = u32::MAX;

/// Keywords of the format that say nothing about triangles or their look.
const MEANINGLESS: [&str; 3] = ["g", "o", "mg"];

/// Elements of the format that are no polygons: they are not drawn, which is said once a kind.
const NOT_DRAWN: [(&str, &str); 8] = [
    ("p", "points"),
    ("l", "lines"),
    ("curv", "curves"),
    ("curv2", "curves"),
    ("surf", "curved surfaces"),
    ("bzp", "patches"),
    ("bsp", "patches"),
    ("call", "other files"),
];

/// Different unknown keywords that are named; further ones are counted together.
const NAMED_KEYWORDS: usize = 16;

/// Different `mtllib` lines that are followed.
const MAX_LIBRARIES: usize = 256;

/// The clean-up, which is given the lines.
pub(super) struct Cleaner {
    counts: Counts,
    /// Of the line that is being cleaned.
    number: usize,
    positions: Numbers,
    tex_coords: Numbers,
    normals: Numbers,
    corners: Vec<Corner>,
    material: u32,
    smoothing_group: u32,
    material_index: HashMap<String, u32>,
    /// Mended faults by their message: how often, and the first line.
    mended: BTreeMap<(WarningKind, String), (u64, usize)>,
    unknown_keywords: usize,
    /// Positions, normals, and polygons, whose materials are indices into [`Found::material_names`] or [`NO_MATERIAL`].
    builder: LevelBuilder,
    found: Found,
}

/// What an OBJ file has beside what its builder holds.
#[derive(Default)]
pub(super) struct Found {
    /// As the file has them: V grows upwards.
    pub tex_coords: Vec<DVec2>,
    /// Names in order of first use.
    pub material_names: Vec<String>,
    /// What follows `mtllib`, in order, each once.
    pub libraries: Vec<String>,
    /// Whether any polygon stands before the first `usemtl`.
    pub uses_default_material: bool,
}

impl Cleaner {
    pub fn new(survey: Survey, builder: LevelBuilder) -> Cleaner {
        Cleaner {
            counts: Counts { so_far: Survey::default(), in_all: survey },
            number: 0,
            positions: Numbers::new(),
            tex_coords: Numbers::new(),
            normals: Numbers::new(),
            corners: Vec::new(),
            material: NO_MATERIAL,
            // Without any `s` line a crease angle alone decides; with them, what stands before the first is flat.
            smoothing_group: u32::from(!survey.smoothing),
            material_index: HashMap::new(),
            mended: BTreeMap::new(),
            unknown_keywords: 0,
            builder,
            found: Found::default(),
        }
    }

    /// Cleans lines; gives how many lines of the file there were up to their end.
    pub fn add(&mut self, mut lines: Lines<'_>) -> Result<usize, Fault> {
        for line in lines.by_ref() {
            self.number = line.number;
            self.line(&line.text).map_err(|what| Fault { line: line.number, what })?;
        }
        Ok(lines.number())
    }

    /// Whether there was just what the survey counted.
    pub fn has_seen_all(&self) -> bool {
        let Counts { so_far, in_all } = self.counts;
        so_far == Survey { smoothing: so_far.smoothing, ..in_all }
    }

    /// What the file had: all in the builder that has a place there, with what was mended, each cause once with its first line, in
    /// order of that.
    pub fn finish(mut self) -> Result<(LevelBuilder, Found), Fault> {
        let fault = |error: tobj::LoadError| Fault { line: self.number, what: error.to_string() };
        self.positions.flush(|row| add_position(&mut self.builder, row)).map_err(fault)?;
        self.tex_coords.flush(|row| add_tex_coord(&mut self.found.tex_coords, row)).map_err(fault)?;
        self.normals.flush(|row| add_normal(&mut self.builder, row)).map_err(fault)?;
        let mut mended: Vec<_> = self.mended.into_iter().collect();
        mended.sort_by_key(|(_, (_, first))| *first);
        let mut warnings = Warnings::default();
        for ((kind, what), (count, first)) in mended {
            warnings.add_many(kind, format!("line {first}: {what}"), count);
        }
        self.builder.warnings().append(&warnings);
        self.found.uses_default_material = self.builder.polygon_materials().any(|material| material == NO_MATERIAL);
        Ok((self.builder, self.found))
    }

    fn mend(&mut self, kind: WarningKind, what: impl Into<String>) {
        let number = self.number;
        self.mended.entry((kind, what.into())).or_insert((0, number)).0 += 1;
    }

    /// Cleans the next line.
    fn line(&mut self, text: &str) -> Result<(), String> {
        let (keyword, rest) = keyword(text);
        match keyword {
            "v" => return self.position(rest),
            "vt" => return self.tex_coord(rest),
            "vn" => return self.normal(rest),
            "f" => return self.polygon(rest),
            "s" => self.smoothing_group = smoothing_group(rest),
            "usemtl" => self.use_material(rest),
            "mtllib" if rest.is_empty() => self.mend(WarningKind::MalformedLine, "`mtllib` names no file; ignored"),
            "mtllib" if self.found.libraries.iter().any(|library| library == rest) => {}
            "mtllib" if self.found.libraries.len() == MAX_LIBRARIES => {
                self.mend(WarningKind::MissingMaterialLibrary, "too many material libraries; this one is ignored");
            }
            "mtllib" => self.found.libraries.push(rest.to_owned()),
            "" => {}
            _ if keyword.starts_with('#') || MEANINGLESS.contains(&keyword) => {}
            _ => match NOT_DRAWN.iter().find(|(element, _)| *element == keyword) {
                Some((_, plural)) => {
                    self.mend(WarningKind::ElementNotDrawn, format!("{plural} (`{keyword}`) are not drawn"));
                }
                None => self.unknown(keyword),
            },
        }
        Ok(())
    }

    fn unknown(&mut self, keyword: &str) {
        let what = format!("the keyword {:?} is unknown; ignored", shortened(keyword));
        let is_new = !self.mended.contains_key(&(WarningKind::UnknownKeyword, what.clone()));
        if is_new && self.unknown_keywords == NAMED_KEYWORDS {
            self.mend(WarningKind::UnknownKeyword, "further keywords are unknown; ignored");
        } else {
            self.unknown_keywords += usize::from(is_new);
            self.mend(WarningKind::UnknownKeyword, what);
        }
    }

    fn position(&mut self, rest: &str) -> Result<(), String> {
        self.counts.so_far.positions += 1;
        match plain_count(rest) {
            Some(3) => return self.push_position(rest, false),
            Some(6) => return self.push_position(rest, true),
            _ => {}
        }
        let mut words = words(rest);
        let mut line = String::new();
        let mut is_right = true;
        for _ in 0..3 {
            let word = words.next().filter(|word| word.parse::<f64>().is_ok());
            is_right &= word.is_some();
            line += word.unwrap_or("NaN");
            line.push(' ');
        }
        if !is_right {
            self.mend(WarningKind::MalformedLine, "a vertex without three numbers; triangles with it are left out");
        }
        // After the position stand nothing, a weight for curves, or a colour.
        let [first, second, third] = [words.next(), words.next(), words.next()];
        let color = [first, second, third].map(finite);
        let is_colored = !color.contains(&None);
        if is_colored {
            line += &color.map(Option::unwrap_or_default).join(" ");
        } else if third.is_some() {
            self.mend(WarningKind::MalformedLine, "a vertex colour that is not three numbers; taken as white");
        } else if second.is_some() {
            self.mend(WarningKind::MalformedLine, "two numbers after a vertex; ignored");
        } else if first.is_some_and(|weight| weight.parse() != Ok(1.0)) {
            self.mend(WarningKind::MalformedLine, "a vertex weight, which only curves have; ignored");
        }
        if words.next().is_some() {
            self.mend(WarningKind::MalformedLine, "numbers after a vertex colour; ignored");
        }
        self.push_position(&line, is_colored)
    }

    fn push_position(&mut self, numbers: &str, colored: bool) -> Result<(), String> {
        let builder = &mut self.builder;
        self.positions.push(numbers, colored, |row| add_position(builder, row)).map_err(|error| error.to_string())
    }

    fn tex_coord(&mut self, rest: &str) -> Result<(), String> {
        self.counts.so_far.tex_coords += 1;
        if plain_count(rest) == Some(3) {
            return self.push_tex_coord(rest);
        }
        let mut words = words(rest);
        let (u, v) = (finite(words.next()), words.next());
        // A single number is allowed: the picture is then one row.
        let (Some(u), Some(v)) = (u, if v.is_none() { Some("0") } else { finite(v) }) else {
            self.mend(WarningKind::MalformedLine, "texture coordinates that are not numbers; taken as 0");
            return self.push_tex_coord("0 0 0");
        };
        self.push_tex_coord(&[u, v, "0"].join(" "))
    }

    fn push_tex_coord(&mut self, numbers: &str) -> Result<(), String> {
        let tex_coords = &mut self.found.tex_coords;
        self.tex_coords.push(numbers, false, |row| add_tex_coord(tex_coords, row)).map_err(|error| error.to_string())
    }

    fn normal(&mut self, rest: &str) -> Result<(), String> {
        self.counts.so_far.normals += 1;
        if plain_count(rest) == Some(3) {
            return self.push_normal(rest);
        }
        let mut words = words(rest);
        let [Some(x), Some(y), Some(z)] = [(); 3].map(|()| finite(words.next())) else {
            self.mend(WarningKind::MalformedLine, "a normal without three numbers; computed instead");
            return self.push_normal("0 0 0");
        };
        self.push_normal(&[x, y, z].join(" "))
    }

    fn push_normal(&mut self, numbers: &str) -> Result<(), String> {
        let builder = &mut self.builder;
        self.normals.push(numbers, false, |row| add_normal(builder, row)).map_err(|error| error.to_string())
    }

    fn polygon(&mut self, rest: &str) -> Result<(), String> {
        self.corners.clear();
        if obj_face::usual_corners(rest, &self.counts, &mut self.corners).is_none() {
            self.corners.clear();
            for word in words(rest) {
                let (corner, lacks_normals) = obj_face::corner(word, &self.counts)?;
                if lacks_normals {
                    let what = "a face uses normals, but there are no `vn` lines; computed instead";
                    self.mend(WarningKind::MalformedLine, what);
                }
                self.corners.push(corner);
            }
        }
        if self.corners.len() < 3 {
            self.mend(WarningKind::MalformedLine, "a face of fewer than three corners; ignored");
        }
        self.builder.polygon(&self.corners, self.material, self.smoothing_group);
        Ok(())
    }

    fn use_material(&mut self, name: &str) {
        if name.is_empty() {
            self.mend(WarningKind::MalformedLine, "`usemtl` names no material; the default is used");
            self.material = NO_MATERIAL;
            return;
        }
        if let Some(&known) = self.material_index.get(name) {
            self.material = known;
            return;
        }
        self.material = self.found.material_names.len() as u32;
        self.found.material_names.push(name.to_owned());
        self.material_index.insert(name.to_owned(), self.material);
    }
}

fn add_position(builder: &mut LevelBuilder, (position, color): Row) {
    let color = color.map_or([255; 4], |[red, green, blue]| [red, green, blue, 1.0].map(byte));
    builder.colored_position(DVec3::from_array(position), color);
}

fn add_tex_coord(tex_coords: &mut Vec<DVec2>, ([u, v, _], _): Row) {
    tex_coords.push(DVec2::new(u, v));
}

fn add_normal(builder: &mut LevelBuilder, (normal, _): Row) {
    builder.normal(DVec3::from_array(normal).as_vec3());
}

/// A part of a colour, 0 to 1, as a byte.
fn byte(value: f64) -> u8 {
    (value.clamp(0.0, 1.0) * 255.0).round() as u8
}

/// `off` and 0 are flat; any other number is a group, and any other word means on.
fn smoothing_group(rest: &str) -> u32 {
    match words(rest).next() {
        None => 0,
        Some(word) if word.eq_ignore_ascii_case("off") => 0,
        Some(word) => word.parse().unwrap_or(1),
    }
}

/// The word if it is a finite number.
fn finite(word: Option<&str>) -> Option<&str> {
    word.filter(|word| word.parse::<f64>().is_ok_and(f64::is_finite))
}
