//! From linear light to sRGB-encoded numbers and back. Source: IEC 61966-2-1.

/// A linear part of a colour, sRGB-encoded; below 0 becomes 0, above 1 becomes 1.
pub(super) fn encoded(linear: f32) -> f32 {
    if linear >= 1.0 {
        1.0
    } else if linear > 0.003_130_8 {
        1.055 * libm::powf(linear, 1.0 / 2.4) - 0.055
    } else {
        12.92 * linear.max(0.0)
    }
}

/// The linear value of an sRGB-encoded part of a colour, 0 to 1.
pub(crate) fn decoded(encoded: f64) -> f64 {
    if encoded <= 0.04045 { encoded / 12.92 } else { libm::pow((encoded + 0.055) / 1.055, 2.4) }
}
