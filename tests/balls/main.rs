//! Balls: momentum and energy against closed forms, walls at any speed, piles, rolling, sleep, contacts.

mod around;
mod collisions;
mod court;
mod piles;
mod rolling;
#[path = "../support/mod.rs"]
mod support;
