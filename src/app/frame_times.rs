//! The last frame times, for the graph and its percentiles.

/// Frames that are remembered: two seconds at 60 a second.
const REMEMBERED: usize = 120;

/// A ring of frame times in milliseconds.
#[derive(Clone, Debug, Default)]
pub struct FrameTimes {
    times: Vec<f32>,
    next: usize,
    sorted: Vec<f32>,
}

impl FrameTimes {
    /// Notes the time of a frame in milliseconds.
    pub fn add(&mut self, milliseconds: f32) {
        if self.times.len() < REMEMBERED {
            self.times.push(milliseconds);
        } else {
            self.times[self.next] = milliseconds;
        }
        self.next = (self.next + 1) % REMEMBERED;
        self.sorted.clone_from(&self.times);
        self.sorted.sort_unstable_by(f32::total_cmp);
    }

    /// The times from the oldest to the newest.
    pub fn in_order(&self) -> impl Iterator<Item = f32> + '_ {
        let split = if self.times.len() < REMEMBERED { 0 } else { self.next };
        self.times[split..].iter().chain(&self.times[..split]).copied()
    }

    /// The last frame in milliseconds; 0 before the first.
    pub fn last(&self) -> f32 {
        self.in_order().last().unwrap_or(0.0)
    }

    /// The time in milliseconds that the given share (0 to 1) of the frames stays within; 0 before the first.
    pub fn percentile(&self, share: f32) -> f32 {
        let index = (share * self.sorted.len() as f32).ceil() as usize;
        self.sorted.get(index.saturating_sub(1)).copied().unwrap_or(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_frames_are_zero() {
        assert_eq!((FrameTimes::default().last(), FrameTimes::default().percentile(0.99)), (0.0, 0.0));
    }

    #[test]
    fn old_frames_are_forgotten() {
        let mut times = FrameTimes::default();
        for frame in 0..200 {
            times.add(frame as f32);
        }
        assert!(times.in_order().eq((80..200).map(|frame| frame as f32)));
        assert_eq!(times.last(), 199.0);
        assert_eq!(times.percentile(0.5), 139.0);
        assert_eq!(times.percentile(1.0), 199.0);
    }
}
