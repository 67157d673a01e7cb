//! Those that answer: nodetree and its peers, one file each.
//!
//! Where a peer has several calls, the cheapest that gives the distance is taken; nodetree always gives all it has: point,
//! normal, triangle, and weights.

pub mod ours;
pub mod parry;
pub mod obvhs;
pub mod bvh;
pub mod rapier;
pub mod rapier_walk;
#[cfg(feature = "embree")]
#[allow(unsafe_code)]
pub mod embree;
