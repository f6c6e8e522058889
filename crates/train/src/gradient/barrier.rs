//! A barrier for short waits.
//!
//! The threads meet every few hundred microseconds and wait for a few: less than the system takes to put a
//! thread to sleep and wake it. So they spin, and yield only after a long wait.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::{hint, thread};

/// A reusable barrier of `threads` threads.
#[derive(Debug)]
pub(super) struct Barrier {
    threads: usize,
    arrived: AtomicUsize,
    /// number of completed waits
    meetings: AtomicUsize,
    /// whether a thread has panicked
    broken: AtomicBool,
}

/// Spins before a thread yields: some ten microseconds.
const SPINS: u32 = 1 << 12;

impl Barrier {
    pub(super) const fn new(threads: usize) -> Self {
        Self {
            threads,
            arrived: AtomicUsize::new(0),
            meetings: AtomicUsize::new(0),
            broken: AtomicBool::new(false),
        }
    }

    /// Waits for all other threads.
    ///
    /// # Panics
    ///
    /// If one of them has panicked.
    pub(super) fn wait(&self) {
        let meetings = self.meetings.load(Ordering::Acquire);
        if self.arrived.fetch_add(1, Ordering::AcqRel) + 1 == self.threads {
            self.arrived.store(0, Ordering::Relaxed);
            self.meetings.store(meetings + 1, Ordering::Release);
            return;
        }
        let mut turns = 0;
        while self.meetings.load(Ordering::Acquire) == meetings {
            assert!(
                !self.broken.load(Ordering::Relaxed),
                "another thread has panicked"
            );
            turns += 1;
            if turns < SPINS {
                hint::spin_loop()
            } else {
                thread::yield_now()
            }
        }
    }

    /// A guard for the current thread: if the thread panics, so do the others when they wait.
    pub(super) const fn member(&self) -> Member<'_> {
        Member(self)
    }
}

pub(super) struct Member<'a>(&'a Barrier);

impl Drop for Member<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.broken.store(true, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::panic;

    use super::*;

    #[test]
    fn nobody_goes_on_before_all_are_there() {
        let (barrier, count) = (Barrier::new(3), AtomicUsize::new(0));
        thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| {
                    for round in 1..=100 {
                        count.fetch_add(1, Ordering::Relaxed);
                        barrier.wait();
                        assert_eq!(count.load(Ordering::Relaxed), 3 * round);
                        barrier.wait();
                    }
                });
            }
        });
    }

    #[test]
    fn a_panic_of_one_ends_all() {
        let barrier = Barrier::new(2);
        let ended = panic::catch_unwind(|| {
            thread::scope(|scope| {
                scope.spawn(|| {
                    let _member = barrier.member();
                    panic!("on purpose");
                });
                barrier.wait();
            });
        });
        assert!(ended.is_err());
    }
}
