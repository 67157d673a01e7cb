//! What nodetree is to reach beside each contender: ratios of CPU time, theirs to ours.

use crate::options::{Group, NATIVE};

/// The names of the contenders.
pub mod names {
    pub const OURS: &str = "nodetree";
    pub const PORTABLE: &str = "nodetree portable";
    pub const SINGLE: &str = "one at a time";
    pub const PARRY: &str = "parry3d";
    pub const BVH2: &str = "obvhs Bvh2";
    /// The same with its preset `fast_build`, where the other is built with `fastest_build`.
    pub const BVH2_FAST: &str = "Bvh2 fast_build";
    pub const CWBVH: &str = "obvhs CwBvh";
    pub const BVH: &str = "bvh";
    pub const RAPIER: &str = "rapier3d";
    #[cfg_attr(not(feature = "embree"), allow(dead_code))]
    pub const EMBREE: &str = "Embree";
}

use names::{BVH, BVH2, CWBVH, EMBREE, PARRY, RAPIER, SINGLE};

/// The least ratio in a cell of the table.
pub fn cell(group: Group, contender: &str, is_large: bool) -> Option<f64> {
    match (group, contender) {
        (Group::Rays, EMBREE) => Some(0.75),
        (Group::Rays, BVH2 | CWBVH) if NATIVE => Some(1.4),
        // The others are set against the peers as people get them.
        _ if NATIVE => None,
        (Group::Rays, CWBVH) => Some(2.0),
        (Group::Rays, PARRY) => Some(2.2),
        (Group::Heights, PARRY) => Some(3.0),
        (Group::Heights, CWBVH) => Some(2.0),
        (Group::Sweeps, PARRY) => Some(if is_large { 6.0 } else { 10.0 }),
        (Group::Batches, SINGLE) => Some(3.0),
        (Group::Walking, RAPIER) => Some(5.0),
        (Group::Build, PARRY) => Some(1.0 / 0.55),
        (Group::Build, BVH2 | CWBVH) => Some(if is_large { 1.0 } else { 1.0 / 1.25 }),
        _ => None,
    }
}

/// The least geometric mean of a column.
pub fn mean(group: Group, contender: &str) -> Option<f64> {
    (group == Group::Rays && contender == EMBREE).then_some(1.0)
}

/// The least geometric mean of the portable path beside a contender.
pub fn portable_mean(contender: &str) -> Option<f64> {
    (!NATIVE && [PARRY, BVH2, CWBVH, BVH, RAPIER].contains(&contender)).then_some(1.0)
}

/// The most bytes a triangle, beside the vertices.
pub const BYTES: f64 = 95.0;
/// Two threads build faster than one.
pub const SPEEDUP: f64 = 1.0;
