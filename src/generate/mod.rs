//! The built-in levels.
