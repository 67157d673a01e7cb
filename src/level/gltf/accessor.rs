//! Numbers of a glTF file, whatever type they are stored as.

use gltf::accessor::{DataType, Dimensions};
use gltf::{Accessor, accessor};

use super::buffers::Buffers;

/// Elements of an accessor without a view at most: nothing in the file stands behind them.
const MOST_ZEROS: usize = 1 << 20;

/// An element's numbers; integers that are normalised become 0 to 1 or -1 to 1.
pub(super) fn vectors<const N: usize>(buffers: &Buffers, accessor: &Accessor<'_>) -> Result<Vec<[f64; N]>, String> {
    let columns = columns(accessor.dimensions());
    if columns != N && !(N == 4 && columns == 3) {
        return Err(format!("accessor {} has {columns} numbers an element instead of {N}", accessor.index()));
    }
    let number = |bytes: &[u8]| number(bytes, accessor.data_type(), accessor.normalized());
    let size = accessor.data_type().size();
    elements(buffers, accessor, [0.0; N], |bytes| {
        // A colour without opacity is opaque.
        let mut element = [1.0; N];
        element.iter_mut().zip(bytes.chunks_exact(size)).for_each(|(to, bytes)| *to = number(bytes));
        element
    })
}

/// Whole numbers: indices.
pub(super) fn indices(buffers: &Buffers, accessor: &Accessor<'_>) -> Result<Vec<u32>, String> {
    if columns(accessor.dimensions()) != 1 || accessor.data_type() == DataType::F32 {
        return Err(format!("accessor {} holds no indices", accessor.index()));
    }
    elements(buffers, accessor, 0, whole)
}

/// All elements: from a view, or zeros without one; then those that are given one by one.
fn elements<T: Copy>(
    buffers: &Buffers,
    accessor: &Accessor<'_>,
    zero: T,
    element: impl Fn(&[u8]) -> T,
) -> Result<Vec<T>, String> {
    let fault = |what: &str| format!("accessor {} {what}", accessor.index());
    let count = accessor.count();
    let size = accessor.size();
    let mut all = match accessor.view() {
        Some(view) => {
            let bytes = buffers.view(&view)?;
            let stride = view.stride().unwrap_or(size).max(size);
            let bytes = bytes.get(accessor.offset()..).ok_or_else(|| fault("begins behind its buffer view"))?;
            let end = |last: usize| last.checked_mul(stride)?.checked_add(size);
            if count > 0 && end(count - 1).is_none_or(|end| end > bytes.len()) {
                return Err(fault("ends behind its buffer view"));
            }
            (0..count).map(|index| element(&bytes[index * stride..index * stride + size])).collect()
        }
        None if count > MOST_ZEROS => return Err(fault("has too many elements for one without a buffer view")),
        None => vec![zero; count],
    };
    if let Some(sparse) = accessor.sparse() {
        let (places, values) = (sparse.indices(), sparse.values());
        let (place_bytes, value_bytes) = (buffers.view(&places.view())?, buffers.view(&values.view())?);
        let place_size = match places.index_type() {
            accessor::sparse::IndexType::U8 => 1,
            accessor::sparse::IndexType::U16 => 2,
            accessor::sparse::IndexType::U32 => 4,
        };
        let place_bytes = place_bytes.get(places.offset()..).unwrap_or_default();
        let value_bytes = value_bytes.get(values.offset()..).unwrap_or_default();
        let pairs = place_bytes.chunks_exact(place_size).zip(value_bytes.chunks_exact(size)).take(sparse.count());
        if pairs.len() < sparse.count() {
            return Err(fault("has fewer sparse elements than it says"));
        }
        for (place, value) in pairs {
            let place =
                all.get_mut(whole(place) as usize).ok_or_else(|| fault("has a sparse element behind its end"))?;
            *place = element(value);
        }
    }
    Ok(all)
}

fn columns(dimensions: Dimensions) -> usize {
    dimensions.multiplicity()
}

/// A whole number of one, two or four bytes.
fn whole(bytes: &[u8]) -> u32 {
    bytes.iter().rev().fold(0, |number, &byte| number << 8 | u32::from(byte))
}

fn number(bytes: &[u8], data_type: DataType, is_normalized: bool) -> f64 {
    let bits = whole(bytes);
    let (value, most) = match data_type {
        DataType::I8 => (f64::from(bits as u8 as i8), 127.0),
        DataType::U8 => (f64::from(bits), 255.0),
        DataType::I16 => (f64::from(bits as u16 as i16), 32767.0),
        DataType::U16 => (f64::from(bits), 65535.0),
        DataType::U32 => (f64::from(bits), f64::from(u32::MAX)),
        DataType::F32 => return f64::from(f32::from_bits(bits)),
    };
    if is_normalized { (value / most).max(-1.0) } else { value }
}
