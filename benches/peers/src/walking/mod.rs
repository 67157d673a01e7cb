//! Walkers on the same courses: how fast each steps, and what goes wrong on the way.
//!
//! A [`course`] is a place and an input a step; a [`walker`] walks it; the [`judge`] follows each step with a [`body`] in f64
//! against every triangle near it.

pub mod body;
pub mod course;
pub mod walker;
mod free_way;
pub mod judge;
