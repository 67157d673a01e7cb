//! Contenders take turns: a block of questions each, in an order that changes, over and over.

use std::time::Duration;

use cpu_time::ThreadTime;

use crate::answer::Answer;

/// The CPU time that each contender took for all questions together, over all rounds.
pub fn take_turns<Q>(questions: &[Q], block: usize, rounds: usize, contenders: &[&dyn Answer<Q>]) -> Vec<Duration> {
    let mut times = vec![Duration::ZERO; contenders.len()];
    let mut answers = vec![None; block.min(questions.len())];
    for round in 0..rounds {
        for (number, questions) in questions.chunks(block).enumerate() {
            for turn in 0..contenders.len() {
                let contender = (turn + number + round) % contenders.len();
                let begin = ThreadTime::now();
                contenders[contender].all(questions, &mut answers[..questions.len()]);
                times[contender] += begin.elapsed();
                std::hint::black_box(&answers);
            }
        }
    }
    times
}
