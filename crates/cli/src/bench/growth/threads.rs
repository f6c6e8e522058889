//! Scaling of passes with the number of threads.

use std::sync::Barrier;
use std::thread;
use std::time::Instant;

use fastrand::Rng;

use super::super::timer::median;
use super::passes::{Memory, PASSES};
use super::setting::Setting;
use super::tensors::{Pieces, Place};

/// Width of the accumulator, and rows per pass.
pub(super) const WIDTH: usize = 1024;
pub(super) const ROWS: usize = 32;

/// Rounds per thread, each with other rows.
const ROUNDS: usize = 40;

pub(super) struct Scaling {
    pub(super) place: Place,
    /// threads, and passes per nanosecond
    pub(super) measured: Vec<(usize, f64)>,
}

/// Measures each number of threads. They share the rows and have their own accumulators.
pub(super) fn measure(
    setting: &Setting,
    place: Place,
    pieces: &Pieces,
    threads: &[usize],
) -> Scaling {
    let speed = |&threads: &usize| {
        let mut speeds: Vec<f64> = (0..setting.repetitions)
            .map(|_| speed(setting, pieces, threads))
            .collect();
        (threads, median(&mut speeds))
    };
    Scaling {
        place,
        measured: threads.iter().map(speed).collect(),
    }
}

/// Passes per nanosecond while all threads work.
fn speed(setting: &Setting, pieces: &Pieces, threads: usize) -> f64 {
    let barrier = Barrier::new(threads);
    let work = |seed: usize| {
        let (mut memory, mut random) = (Memory::new(pieces, None), Rng::with_seed(seed as u64));
        let rounds: Vec<_> = (0..=ROUNDS)
            .map(|_| memory.draw(WIDTH, [ROWS, 0], &mut random))
            .collect();
        memory.run(setting.level, WIDTH, &rounds[0]);
        barrier.wait();
        let start = Instant::now();
        rounds[1..]
            .iter()
            .for_each(|lists| memory.run(setting.level, WIDTH, lists));
        (PASSES * ROUNDS) as f64 / start.elapsed().as_nanos() as f64
    };
    thread::scope(|scope| {
        let running: Vec<_> = (0..threads)
            .map(|seed| {
                let work = &work;
                scope.spawn(move || work(seed))
            })
            .collect();
        running
            .into_iter()
            .map(|thread| thread.join().unwrap_or(0.0))
            .sum()
    })
}
