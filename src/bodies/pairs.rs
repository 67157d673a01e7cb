//! Which bodies may meet in a step: their boxes are sorted along the axis on which they are spread widest.
//!
//! Source: Baraff, "Dynamic Simulation of Non-Penetrating Rigid Bodies", 1992 (sort and sweep).

use glam::DVec3;

use super::ball::Ball;
use super::props::{Met, Props};

/// A body with a box.
#[derive(Clone, Copy, Debug)]
struct Entry {
    min: DVec3,
    max: DVec3,
    /// Place of a ball, or [`PROP`] and the slot of a prop.
    body: u32,
    is_awake: bool,
}

const PROP: u32 = 1 << 31;

/// Boxes of balls are this much wider on each side, in metres, so that what rests on each other is found.
const MARGIN: f64 = 0.01;

/// Finds pairs; keeps its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Pairs {
    entries: Vec<Entry>,
    /// Entries whose boxes are open along the axis: those awake, and the others.
    open: [Vec<Entry>; 2],
    /// Two balls, at least one of them awake, the first before the second; in order.
    pub balls: Vec<[u32; 2]>,
    /// A ball that is awake and the slot of a prop; in order.
    pub props: Vec<[u32; 2]>,
    /// For each ball where its neighbours begin, and those of all.
    starts: Vec<u32>,
    neighbours: Vec<u32>,
}

impl Pairs {
    /// Fills the lists for balls that move for at most `seconds`.
    pub fn find(&mut self, balls: &[Ball], props: &Props, seconds: f64) {
        self.entries.clear();
        let mut sums = [DVec3::ZERO; 2];
        for (body, ball) in balls.iter().enumerate() {
            // It may be thrown back, and any way.
            let way = if ball.is_awake() { ball.velocity.length() * seconds } else { 0.0 };
            let (center, reach) = (ball.position, DVec3::splat(ball.radius + way + MARGIN));
            let entry =
                Entry { min: center - reach, max: center + reach, body: body as u32, is_awake: ball.is_awake() };
            self.entries.push(entry);
            sums[0] += center;
            sums[1] += center * center;
        }
        for prop in props.iter().filter(|prop| prop.met() != Met::Nothing) {
            let bounds = prop.met_bounds();
            let (min, max) = (bounds.min.as_dvec3(), bounds.max.as_dvec3());
            self.entries.push(Entry { min, max, body: PROP | prop.id().index, is_awake: false });
        }
        let count = balls.len().max(1) as f64;
        let spread = sums[1] / count - (sums[0] / count) * (sums[0] / count);
        let axis = spread.max_position();
        self.entries.sort_unstable_by(|a, b| a.min[axis].total_cmp(&b.min[axis]).then(a.body.cmp(&b.body)));
        self.sweep(axis);
        self.balls.sort_unstable();
        self.props.sort_unstable();
        self.gather(balls.len());
    }

    /// The pairs of each ball, from both sides.
    fn gather(&mut self, count: usize) {
        let Pairs { balls, starts, neighbours, .. } = self;
        starts.clear();
        starts.resize(count + 1, 0);
        balls.iter().flatten().for_each(|&ball| starts[ball as usize] += 1);
        let mut end = 0;
        for start in starts.iter_mut() {
            end += *start;
            *start = end;
        }
        neighbours.clear();
        neighbours.resize(end as usize, 0);
        // From behind, so that each start moves down to where it belongs.
        for &[a, b] in balls.iter().rev() {
            for (ball, other) in [(a, b), (b, a)] {
                starts[ball as usize] -= 1;
                neighbours[starts[ball as usize] as usize] = other;
            }
        }
    }

    /// The balls that a ball is paired with.
    pub fn neighbours_of(&self, ball: u32) -> &[u32] {
        let at = ball as usize;
        &self.neighbours[self.starts[at] as usize..self.starts[at + 1] as usize]
    }

    /// The slots of the props that a ball is paired with.
    pub fn props_of(&self, ball: u32) -> impl Iterator<Item = u32> + '_ {
        let first = self.props.partition_point(|pair| pair[0] < ball);
        self.props[first..].iter().take_while(move |pair| pair[0] == ball).map(|pair| pair[1])
    }

    fn sweep(&mut self, axis: usize) {
        let Pairs { entries, open, balls, props, .. } = self;
        balls.clear();
        props.clear();
        open.iter_mut().for_each(Vec::clear);
        let mut meet = |a: &Entry, b: &Entry| {
            if a.min.cmple(b.max).all() && b.min.cmple(a.max).all() {
                let (first, second) = (a.body.min(b.body), a.body.max(b.body));
                match second & PROP {
                    0 => balls.push([first, second]),
                    _ => props.push([first, second & !PROP]),
                }
            }
        };
        for entry in entries.iter() {
            let [awake, asleep] = open;
            let mut against = |others: &mut Vec<Entry>| {
                // What has ended is swapped away, so that the list stays short.
                let mut at = 0;
                while at < others.len() {
                    if others[at].max[axis] < entry.min[axis] {
                        others.swap_remove(at);
                    } else {
                        meet(&others[at], entry);
                        at += 1;
                    }
                }
            };
            against(awake);
            if entry.is_awake {
                against(asleep);
                awake.push(*entry);
            } else {
                asleep.push(*entry);
            }
        }
    }
}
