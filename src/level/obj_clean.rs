//! The clean-up of an OBJ file on its way to tobj: whatever exporters write comes in, the plain subset that tobj reads
//! right goes out, line by line. What tobj has no place for (line numbers, materials by name, smoothing groups) is kept
//! beside it.
//!
//! What goes out: first a `vt` and a `vn` of NaN, which stand for "none" (where an index is missing, tobj repeats the one
//! before); then `v`, `vt`, `vn` and `f` lines only, each corner with all the indices that the file has anywhere,
//! absolute and in range.

use std::collections::{BTreeMap, HashMap};
use std::io::{self, BufRead, Read};

use super::lines::{Lines, keyword, words};
use super::{WarningKind, Warnings};

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
    /// Whether any vertex has a colour.
    pub colors: bool,
    /// Whether there are `s` lines.
    pub smoothing: bool,
}

impl Survey {
    pub fn new(bytes: &[u8]) -> Survey {
        let mut survey = Survey::default();
        for line in Lines::new(bytes) {
            let (keyword, rest) = keyword(&line.text);
            match keyword {
                "v" => {
                    survey.positions += 1;
                    survey.colors |= words(rest).nth(5).is_some();
                }
                "vt" => survey.tex_coords += 1,
                "vn" => survey.normals += 1,
                "s" => survey.smoothing = true,
                _ => {}
            }
        }
        survey
    }
}

/// Consecutive polygons of one material and one smoothing group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FaceRun {
    /// How many polygons.
    pub count: usize,
    /// Index into [`Cleaner::material_names`]; `None` before the first `usemtl`.
    pub material: Option<u32>,
    /// 0 is flat.
    pub smoothing_group: u32,
}

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

/// When this much has gone out, reading pauses until tobj has taken it.
const CHUNK: usize = 1 << 16;

/// The clean-up as a reader, which tobj pulls from.
pub(super) struct Cleaner<'a> {
    lines: Lines<'a>,
    survey: Survey,
    out: Vec<u8>,
    taken: usize,
    number: usize,
    /// How many of each the file has had so far.
    positions: u64,
    tex_coords: u64,
    normals: u64,
    material: Option<u32>,
    smoothing_group: u32,
    material_index: HashMap<String, u32>,
    /// Mended faults by their message: how often, and the first line.
    mended: BTreeMap<(WarningKind, String), (u64, usize)>,
    unknown_keywords: usize,
    /// Why reading stopped.
    pub fault: Option<Fault>,
    /// Polygons in file order.
    pub runs: Vec<FaceRun>,
    /// Names in order of first use.
    pub material_names: Vec<String>,
    /// What follows `mtllib`, in order, each once.
    pub libraries: Vec<String>,
}

impl<'a> Cleaner<'a> {
    pub fn new(bytes: &'a [u8], survey: Survey) -> Cleaner<'a> {
        let mut out = Vec::with_capacity(CHUNK + 4096);
        if survey.tex_coords > 0 {
            out.extend_from_slice(b"vt NaN NaN\n");
        }
        if survey.normals > 0 {
            out.extend_from_slice(b"vn NaN NaN NaN\n");
        }
        Cleaner {
            lines: Lines::new(bytes),
            survey,
            out,
            taken: 0,
            number: 0,
            positions: 0,
            tex_coords: 0,
            normals: 0,
            material: None,
            // Without any `s` line a crease angle alone decides; with them, what stands before the first is flat.
            smoothing_group: u32::from(!survey.smoothing),
            material_index: HashMap::new(),
            mended: BTreeMap::new(),
            unknown_keywords: 0,
            fault: None,
            runs: Vec::new(),
            material_names: Vec::new(),
            libraries: Vec::new(),
        }
    }

    /// What was mended, each cause once with its first line, in order of that.
    pub fn warn(&self, warnings: &mut Warnings) {
        let mut mended: Vec<_> = self.mended.iter().collect();
        mended.sort_by_key(|(_, (_, first))| *first);
        for ((kind, what), (count, first)) in mended {
            warnings.add_many(*kind, format!("line {first}: {what}"), *count);
        }
    }

    fn mend(&mut self, kind: WarningKind, what: impl Into<String>) {
        let number = self.number;
        self.mended.entry((kind, what.into())).or_insert((0, number)).0 += 1;
    }

    /// Cleans the next line.
    fn line(&mut self, text: &str) -> Result<(), String> {
        let (keyword, rest) = keyword(text);
        match keyword {
            "v" => self.position(rest),
            "vt" => self.tex_coord(rest),
            "vn" => self.normal(rest),
            "f" => return self.polygon(rest),
            "s" => self.smoothing_group = smoothing_group(rest),
            "usemtl" => self.use_material(rest),
            "mtllib" if rest.is_empty() => self.mend(WarningKind::MalformedLine, "`mtllib` names no file; ignored"),
            "mtllib" if self.libraries.iter().any(|library| library == rest) => {}
            "mtllib" if self.libraries.len() == MAX_LIBRARIES => {
                self.mend(WarningKind::MissingMaterialLibrary, "too many material libraries; this one is ignored");
            }
            "mtllib" => self.libraries.push(rest.to_owned()),
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

    fn position(&mut self, rest: &str) {
        self.positions += 1;
        let mut words = words(rest);
        self.out.push(b'v');
        let mut is_right = true;
        for _ in 0..3 {
            let word = words.next().filter(|word| word.parse::<f64>().is_ok());
            is_right &= word.is_some();
            self.push_word(word.unwrap_or("NaN"));
        }
        if !is_right {
            self.mend(WarningKind::MalformedLine, "a vertex without three numbers; triangles with it are left out");
        }
        // After the position stand nothing, a weight for curves, or a colour.
        let [first, second, third] = [words.next(), words.next(), words.next()];
        match [first, second, third].map(finite) {
            [Some(red), Some(green), Some(blue)] => [red, green, blue].iter().for_each(|word| self.push_word(word)),
            color => {
                if self.survey.colors {
                    self.out.extend_from_slice(b" 1 1 1");
                }
                if third.is_some() && color.contains(&None) {
                    self.mend(WarningKind::MalformedLine, "a vertex colour that is not three numbers; taken as white");
                } else if second.is_some() {
                    self.mend(WarningKind::MalformedLine, "two numbers after a vertex; ignored");
                } else if first.is_some_and(|weight| weight.parse() != Ok(1.0)) {
                    self.mend(WarningKind::MalformedLine, "a vertex weight, which only curves have; ignored");
                }
            }
        }
        if words.next().is_some() {
            self.mend(WarningKind::MalformedLine, "numbers after a vertex colour; ignored");
        }
        self.out.push(b'\n');
    }

    fn tex_coord(&mut self, rest: &str) {
        self.tex_coords += 1;
        let mut words = words(rest);
        let (u, v) = (finite(words.next()), words.next());
        // A single number is allowed: the picture is then one row.
        let (Some(u), Some(v)) = (u, if v.is_none() { Some("0") } else { finite(v) }) else {
            self.out.extend_from_slice(b"vt 0 0\n");
            return self.mend(WarningKind::MalformedLine, "texture coordinates that are not numbers; taken as 0");
        };
        self.push_line("vt", &[u, v]);
    }

    fn normal(&mut self, rest: &str) {
        self.normals += 1;
        let mut words = words(rest);
        let [Some(x), Some(y), Some(z)] = [(); 3].map(|()| finite(words.next())) else {
            self.out.extend_from_slice(b"vn 0 0 0\n");
            return self.mend(WarningKind::MalformedLine, "a normal without three numbers; computed instead");
        };
        self.push_line("vn", &[x, y, z]);
    }

    fn polygon(&mut self, rest: &str) -> Result<(), String> {
        let start = self.out.len();
        self.out.push(b'f');
        let mut corners = 0;
        for word in words(rest) {
            self.corner(word)?;
            corners += 1;
        }
        if corners < 3 {
            self.out.truncate(start);
            self.mend(WarningKind::MalformedLine, "a face of fewer than three corners; ignored");
            return Ok(());
        }
        self.out.push(b'\n');
        let (material, smoothing_group) = (self.material, self.smoothing_group);
        match self.runs.last_mut() {
            Some(run) if run.material == material && run.smoothing_group == smoothing_group => run.count += 1,
            _ => self.runs.push(FaceRun { count: 1, material, smoothing_group }),
        }
        Ok(())
    }

    /// Writes a corner `v`, `v/vt`, `v//vn` or `v/vt/vn` with absolute indices, shifted by the line that stands for "none".
    fn corner(&mut self, word: &str) -> Result<(), String> {
        let mut parts = word.split('/');
        let position = parts.next().unwrap_or_default();
        let survey = self.survey;
        let position = resolve(position, "v", self.positions, survey.positions)?;
        let tex_coord = match parts.next() {
            None | Some("") => 0,
            Some(part) => resolve(part, "vt", self.tex_coords, survey.tex_coords)?,
        };
        let normal = match parts.next() {
            None | Some("") => 0,
            // Some exporters write `v/vt/1` and leave the normals out: they can be computed.
            Some(_) if survey.normals == 0 => {
                self.mend(
                    WarningKind::MalformedLine,
                    "a face uses normals, but there are no `vn` lines; computed instead",
                );
                0
            }
            Some(part) => resolve(part, "vn", self.normals, survey.normals)?,
        };
        if parts.next().is_some() {
            return Err(format!("the face corner {:?} has more than three indices", shortened(word)));
        }
        self.out.push(b' ');
        push_integer(&mut self.out, position);
        if survey.tex_coords + survey.normals > 0 {
            self.out.push(b'/');
        }
        if survey.tex_coords > 0 {
            push_integer(&mut self.out, tex_coord + 1);
        }
        if survey.normals > 0 {
            self.out.push(b'/');
            push_integer(&mut self.out, normal + 1);
        }
        Ok(())
    }

    fn use_material(&mut self, name: &str) {
        if name.is_empty() {
            self.mend(WarningKind::MalformedLine, "`usemtl` names no material; the default is used");
            self.material = None;
            return;
        }
        if let Some(&known) = self.material_index.get(name) {
            self.material = Some(known);
            return;
        }
        let index = self.material_names.len() as u32;
        self.material_names.push(name.to_owned());
        self.material_index.insert(name.to_owned(), index);
        self.material = Some(index);
    }

    fn push_word(&mut self, word: &str) {
        self.out.push(b' ');
        self.out.extend_from_slice(word.as_bytes());
    }

    fn push_line(&mut self, keyword: &str, words: &[&str]) {
        self.out.extend_from_slice(keyword.as_bytes());
        for word in words {
            self.push_word(word);
        }
        self.out.push(b'\n');
    }
}

impl BufRead for Cleaner<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.taken == self.out.len() {
            self.out.clear();
            self.taken = 0;
        }
        while self.out.len() < CHUNK {
            let Some(line) = self.lines.next() else { break };
            self.number = line.number;
            if let Err(what) = self.line(&line.text) {
                self.fault = Some(Fault { line: line.number, what });
                return Err(io::Error::from(io::ErrorKind::InvalidData));
            }
        }
        Ok(&self.out[self.taken..])
    }

    fn consume(&mut self, amount: usize) {
        self.taken += amount;
    }
}

impl Read for Cleaner<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let amount = Read::read(&mut self.fill_buf()?, buffer)?;
        self.consume(amount);
        Ok(amount)
    }
}

/// An index of a face as one from 1. A negative one counts back from the lines so far; a positive one may point ahead.
fn resolve(text: &str, keyword: &str, so_far: u64, in_all: u64) -> Result<u64, String> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(format!("{:?} in a face is no index of a `{keyword}` line", shortened(text)));
    }
    let index = match text.parse::<i64>() {
        Ok(index @ 1..) => Some(index as u64).filter(|&index| index <= in_all),
        Ok(index @ ..=-1) => so_far.checked_add_signed(index + 1).filter(|&index| index > 0),
        _ => None,
    };
    let lines = if text.starts_with('-') { format!("{so_far} so far") } else { in_all.to_string() };
    index.ok_or_else(|| format!("a face uses `{keyword}` index {}, but there are {lines}", shortened(text)))
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

/// A word for a message, cut to a reasonable length.
fn shortened(word: &str) -> &str {
    word.char_indices().nth(40).map_or(word, |(end, _)| &word[..end])
}

fn push_integer(out: &mut Vec<u8>, mut value: u64) {
    let mut digits = [0; 20];
    let mut first = digits.len();
    loop {
        first -= 1;
        digits[first] = b'0' + (value % 10) as u8;
        value /= 10;
        if value == 0 {
            break;
        }
    }
    out.extend_from_slice(&digits[first..]);
}
