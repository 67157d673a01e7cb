//! Walking and flying.
