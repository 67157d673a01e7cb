//! The corners of an `f` line.

use super::Corner;
use super::obj_clean::Survey;

/// How many lines of each kind there were so far, and in all.
#[derive(Clone, Copy, Debug)]
pub(super) struct Counts {
    pub so_far: Survey,
    pub in_all: Survey,
}

/// Reads all corners where each is what exporters usually write: one to three plain indices from 1 that are there. `None` says
/// nothing but that [`corner`] has to look at each.
pub(super) fn usual_corners(text: &str, counts: &Counts, corners: &mut Vec<Corner>) -> Option<()> {
    let lines = [counts.in_all.positions, counts.in_all.tex_coords, counts.in_all.normals];
    // 0 stands for one that is not there.
    let (mut indices, mut part, mut is_in_word) = ([0_u64; 3], 0, false);
    for byte in text.bytes().chain([b' ']) {
        match byte {
            b'0'..=b'9' => {
                is_in_word = true;
                indices[part] = indices[part] * 10 + u64::from(byte - b'0');
                if indices[part] == 0 || indices[part] > lines[part] {
                    return None;
                }
            }
            b'/' if is_in_word && part < 2 => part += 1,
            b' ' | b'\t' if is_in_word => {
                let [position, tex_coord, normal] = indices;
                let index = |index: u64| (index > 0).then(|| index as u32 - 1);
                let corner = Corner { position: index(position)?, tex_coord: index(tex_coord), normal: index(normal) };
                corners.push(corner);
                (indices, part, is_in_word) = ([0; 3], 0, false);
            }
            b' ' | b'\t' => {}
            _ => return None,
        }
    }
    Some(())
}

/// Reads a corner `v`, `v/vt`, `v//vn` or `v/vt/vn`, and whether it names a normal although the file has none: some exporters write
/// `v/vt/1` and leave the normals out, which can be computed.
pub(super) fn corner(word: &str, counts: &Counts) -> Result<(Corner, bool), String> {
    let Counts { so_far, in_all } = counts;
    let mut parts = word.split('/');
    let position = resolve(parts.next().unwrap_or_default(), "v", so_far.positions, in_all.positions)?;
    let tex_coord = match parts.next() {
        None | Some("") => None,
        Some(part) => Some(resolve(part, "vt", so_far.tex_coords, in_all.tex_coords)?),
    };
    let (normal, lacks_normals) = match parts.next() {
        None | Some("") => (None, false),
        Some(_) if in_all.normals == 0 => (None, true),
        Some(part) => (Some(resolve(part, "vn", so_far.normals, in_all.normals)?), false),
    };
    if parts.next().is_some() {
        return Err(format!("the face corner {:?} has more than three indices", shortened(word)));
    }
    Ok((Corner { position, tex_coord, normal }, lacks_normals))
}

/// An index of a face as one from 0. A negative one counts back from the lines so far; a positive one may point ahead.
fn resolve(text: &str, keyword: &str, so_far: u64, in_all: u64) -> Result<u32, String> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(format!("{:?} in a face is no index of a `{keyword}` line", shortened(text)));
    }
    let index = match text.parse::<i64>() {
        Ok(index @ 1..) => Some(index as u64).filter(|&index| index <= in_all),
        Ok(index @ ..=-1) => so_far.checked_add_signed(index + 1).filter(|&index| index > 0),
        _ => None,
    };
    if text.bytes().all(|byte| byte == b'0') {
        return Err(format!("a face uses `{keyword}` index 0, but the first is 1"));
    }
    let lines = if text.starts_with('-') { format!("{so_far} so far") } else { in_all.to_string() };
    index
        .map(|index| index as u32 - 1)
        .ok_or_else(|| format!("a face uses `{keyword}` index {}, but there are {lines}", shortened(text)))
}

/// A word for a message, cut to a reasonable length.
pub(super) fn shortened(word: &str) -> &str {
    word.char_indices().nth(40).map_or(word, |(end, _)| &word[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_quick_way_agrees_with_the_thorough_one() {
        let counts = Counts {
            so_far: Survey { positions: 12, tex_coords: 3, normals: 2, smoothing: false },
            in_all: Survey { positions: 100, tex_coords: 10, normals: 5, smoothing: false },
        };
        let words = [
            "1", "100", "101", "0", "01", "1/10", "1/", "1//5", "1/2/3", "1/11", "1//6", "1//", "1/2/3/4", "/1", "-1",
            "x",
        ];
        let mut usual = 0;
        for word in words {
            for text in [format!("7 {word} 3"), format!("  {word}\t{word}  ")] {
                let mut quick = Vec::new();
                if usual_corners(&text, &counts, &mut quick).is_some() {
                    usual += 1;
                    let thorough: Result<Vec<Corner>, String> =
                        text.split_ascii_whitespace().map(|word| Ok(corner(word, &counts)?.0)).collect();
                    assert_eq!(Ok(quick), thorough, "{text:?}");
                }
            }
        }
        assert!(usual >= 12, "{usual}");
    }
}
