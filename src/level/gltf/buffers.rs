//! The binary data of a glTF file: in the file, beside it, or in the text.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use gltf::Document;
use gltf::buffer::{Source, View};
use percent_encoding::percent_decode_str;

use crate::level::files::{Files, with_slashes};

/// Largest buffer file, in bytes.
const MAX_BUFFER_BYTES: u64 = 4 << 30;

/// All buffers of a document, in order.
pub(super) struct Buffers(Vec<Vec<u8>>);

impl Buffers {
    pub fn read(document: &Document, blob: Option<Vec<u8>>, folder: &Path, files: &Files) -> Result<Buffers, String> {
        let mut blob = blob;
        let read = |buffer: gltf::Buffer<'_>| {
            let fault = |what: String| format!("buffer {}: {what}", buffer.index());
            let bytes = match buffer.source() {
                Source::Bin => blob.take().ok_or_else(|| fault("the file has no binary part".to_owned()))?,
                Source::Uri(uri) => match embedded(uri) {
                    Some(bytes) => bytes.map_err(fault)?,
                    None => {
                        let path = beside(files, folder, uri)
                            .ok_or_else(|| fault(format!("there is no file {uri}; copy it beside the level")))?;
                        files
                            .read(&path, MAX_BUFFER_BYTES)
                            .map_err(|error| fault(format!("{}: {error}", path.display())))?
                    }
                },
            };
            if bytes.len() < buffer.length() {
                return Err(fault(format!("it has {} bytes instead of {}", bytes.len(), buffer.length())));
            }
            Ok(bytes)
        };
        document.buffers().map(read).collect::<Result<_, _>>().map(Buffers)
    }

    /// The bytes of a view.
    pub fn view(&self, view: &View<'_>) -> Result<&[u8], String> {
        let buffer = &self.0[view.buffer().index()];
        let end = view.offset().checked_add(view.length());
        end.and_then(|end| buffer.get(view.offset()..end))
            .ok_or_else(|| format!("buffer view {} ends behind its buffer", view.index()))
    }
}

/// The content of a data URI; `None` for any other.
pub(super) fn embedded(uri: &str) -> Option<Result<Vec<u8>, String>> {
    let (head, data) = uri.strip_prefix("data:")?.split_once(',')?;
    if !head.ends_with(";base64") {
        return Some(Ok(percent_decode_str(data).collect()));
    }
    // Some exporters break the lines of long ones.
    let data: Cow<'_, str> = match data.contains(char::is_whitespace) {
        true => data.split_whitespace().collect::<String>().into(),
        false => data.into(),
    };
    Some(BASE64_STANDARD.decode(&*data).map_err(|error| format!("its base64 data is damaged: {error}")))
}

/// The file that a relative URI means, percent-encoded or as it is.
pub(super) fn beside(files: &Files, folder: &Path, uri: &str) -> Option<PathBuf> {
    let decoded = percent_decode_str(uri).decode_utf8_lossy();
    [&*decoded, uri].into_iter().find_map(|name| files.find(&[folder], &with_slashes(name)))
}
