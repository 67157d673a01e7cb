//! What building costs: time and memory.

use std::alloc::System;
use std::time::{Duration, Instant};

use cap::Cap;
use cpu_time::ProcessTime;

/// Counts the bytes in use.
#[global_allocator]
static ALLOCATOR: Cap<System> = Cap::new(System, usize::MAX);

/// How long a structure took to build, without what a caller has to bring along (a library's own triangles, buffers it takes).
#[derive(Clone, Copy, Debug, Default)]
pub struct BuildTime {
    /// Of all threads of the process.
    pub cpu: Duration,
    pub wall: Duration,
}

impl BuildTime {
    /// Runs the part that counts.
    pub fn of<T>(&mut self, build: impl FnOnce() -> T) -> T {
        let (cpu, wall) = (ProcessTime::now(), Instant::now());
        let built = build();
        self.cpu += cpu.elapsed();
        self.wall += wall.elapsed();
        built
    }
}

/// Makes a structure and counts the bytes that it keeps, triangles and all that it needs to answer included.
pub fn measure_bytes<T>(make: impl FnOnce() -> T) -> (T, usize) {
    let before = ALLOCATOR.allocated();
    let made = make();
    (made, ALLOCATOR.allocated() - before)
}
