//! Recorded paths: where a walker began, and what it wanted in each step, as JSON Lines. A recorder writes them and a replay
//! takes the same steps again; the path is the same bit for bit on a tree of the same mode.
//!
//! The first line says where the walker begins and may be `{}`. All positions are level coordinates, angles degrees.
//!
//! | key of the first line | what |
//! |---|---|
//! | `spawn` | the feet; without it the level's own spawn point, or a place of [`find_spawn`](super::find_spawn) |
//! | `yaw`, `pitch` | where it looks |
//! | `mode` | `"walk"` (the default) or `"fly"` |
//! | `collide` | whether flight slides along the level; false when absent |
//! | `velocity` | three numbers in m/s: the walker is on its way, and goes on from just where `spawn` says. Without it a walk begins at rest and is put on the floor. |
//! | `crouched`, `grounded` | whether it crouches and stands on something, beside `velocity`; false when absent |
//! | `safe` | where it is brought back to after a fall out of the world, beside `velocity` |
//!
//! Every other line is one step of [`STEP`](super::STEP) seconds, or several alike.
//!
//! | key of the others | what |
//! |---|---|
//! | `forward`, `right`, `up` | -1 to 1; 0 when absent |
//! | `yaw`, `pitch` | stay as they are when absent |
//! | `jump`, `crouch`, `fast` | false when absent |
//! | `speed` | in m/s; without it the settings' own |
//! | `mode`, `collide` | from this line on; stay as they are when absent |
//! | `repeat` | the number of steps in all; 1 when absent |
//!
//! How the walker is built is not in the file: it is that of the [`Settings`](super::Settings) that the replay is given.

mod lines;
mod recorder;
mod replay;
mod start;
mod step;

pub use lines::{JsonLines, PathError};
pub use recorder::Recorder;
pub use replay::{PathReader, Replay, Run};
pub use start::PathStart;
pub use step::{MOST_REPEATS, PathMode, PathStep};

/// Degrees as radians. Whole turns go first: a large angle keeps its fraction in f64, and stays finite.
fn radians(degrees: f64) -> f32 {
    (degrees % 360.0).to_radians() as f32
}

/// Radians as degrees that [`radians`] takes back to the same bits, for angles within a turn.
fn degrees(radians: f32) -> f64 {
    f64::from(radians).to_degrees()
}

#[cfg(test)]
mod tests {
    use std::f32::consts::TAU;

    use super::*;
    use crate::generate::random::Random;

    #[test]
    fn angles_come_back_to_the_same_bits() {
        let random = &mut Random::new(4, 0);
        let own = [0.0, -0.0, f32::MIN_POSITIVE, 1e-45, TAU.next_down(), -TAU.next_down()];
        let spread = (0..100_000).map(|_| random.range(-std::f64::consts::TAU, std::f64::consts::TAU) as f32);
        let small = (0..1000).map(|i| 0.5_f32.powi(i % 140) * -(1.0 + i as f32 / 1000.0));
        for angle in own.into_iter().chain(spread.filter(|angle| angle.abs() < TAU)).chain(small) {
            let text = serde_json::to_string(&degrees(angle)).unwrap();
            let read: f64 = serde_json::from_str(&text).unwrap();
            assert_eq!(radians(read).to_bits(), angle.to_bits(), "{angle:e} as {text}");
        }
    }
}
