//! What the bytes of a picture stand for.

/// The linear value of an sRGB byte: IEC 61966-2-1, in f64.
pub fn linear(byte: u8) -> f64 {
    let encoded = f64::from(byte) / 255.0;
    if encoded <= 0.04045 { encoded / 12.92 } else { ((encoded + 0.055) / 1.055).powf(2.4) }
}
