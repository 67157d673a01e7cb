//! The parts of a GLB file. (The reader of the `gltf` crate panics where the header lies.)

/// The kinds of chunks, as their first four bytes.
const JSON: [u8; 4] = *b"JSON";
const BINARY: [u8; 4] = *b"BIN\0";
/// Bytes of the file's header: `glTF`, the version, and the length of the whole file.
const HEADER: usize = 12;

/// The document and the binary part of a GLB file, or the whole of a file that is no GLB.
pub(super) fn split(bytes: &[u8]) -> Result<(&[u8], Option<&[u8]>), String> {
    if !bytes.starts_with(b"glTF") {
        return Ok((bytes, None));
    }
    let cut = || "it is not glTF 2.0: it is cut off; export or copy it again".to_owned();
    let word = |place: usize| bytes.get(place..place + 4).and_then(|word| word.try_into().ok()).ok_or_else(cut);
    let number = |place: usize| word(place).map(u32::from_le_bytes);
    let version = number(4)?;
    if version != 2 {
        return Err(format!("it is GLB {version}, not 2"));
    }
    let end = number(8)? as usize;
    if end < HEADER {
        return Err(format!("it is not glTF 2.0: its header says that it has {end} bytes"));
    }
    if end > bytes.len() {
        return Err(cut());
    }
    let (mut document, mut binary) = (None, None);
    let mut place = HEADER;
    while place < end {
        let length = number(place)? as usize;
        let kind: [u8; 4] = word(place + 4)?;
        let chunk = bytes[..end].get(place + 8..).and_then(|rest| rest.get(..length)).ok_or_else(cut)?;
        match kind {
            JSON => document = document.or(Some(chunk)),
            BINARY => binary = binary.or(Some(chunk)),
            // Others are to be passed over, says the format.
            _ => {}
        }
        place += 8 + length;
        // Chunks are aligned to four bytes, and some writers forget to count the padding of the last.
        place = place.next_multiple_of(4);
    }
    let document = document.ok_or("it is not glTF 2.0: it has no JSON chunk")?;
    Ok((document, binary))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn glb(length: Option<u32>, chunks: &[(&[u8; 4], &[u8])]) -> Vec<u8> {
        let mut bytes = b"glTF\x02\0\0\0\0\0\0\0".to_vec();
        for (kind, chunk) in chunks {
            bytes.extend((chunk.len() as u32).to_le_bytes());
            bytes.extend(*kind);
            bytes.extend(*chunk);
        }
        let length = length.unwrap_or(bytes.len() as u32);
        bytes[8..12].copy_from_slice(&length.to_le_bytes());
        bytes
    }

    #[test]
    fn chunks_are_found_and_unknown_ones_passed_over() {
        let bytes = glb(None, &[(&JSON, b"{}  "), (b"MINE", b"1234"), (&BINARY, b"5678")]);
        assert_eq!(split(&bytes), Ok((&b"{}  "[..], Some(&b"5678"[..]))));
        assert_eq!(split(b"{}"), Ok((&b"{}"[..], None)));
    }

    #[test]
    fn headers_that_lie_are_told() {
        let whole = glb(None, &[(&JSON, b"{}  "), (&BINARY, b"5678")]);
        for length in [0, 4, 11, 13, whole.len() as u32 - 1, whole.len() as u32 + 1, u32::MAX] {
            let bytes = glb(Some(length), &[(&JSON, b"{}  "), (&BINARY, b"5678")]);
            assert!(split(&bytes).is_err(), "{length}");
        }
        for length in 4..whole.len() {
            assert!(split(&whole[..length]).is_err(), "cut to {length}");
        }
        let mut bytes = whole.clone();
        bytes[12..16].copy_from_slice(&u32::MAX.to_le_bytes());
        assert!(split(&bytes).is_err());
        assert!(split(&glb(None, &[(&BINARY, b"5678")])).is_err());
        bytes[4] = 1;
        assert_eq!(split(&bytes), Err("it is GLB 1, not 2".to_owned()));
    }
}
