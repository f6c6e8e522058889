//! Where threads wait for each other.
//!
//! They meet every few hundred microseconds, for a few microseconds: shorter than the system takes to stop a thread and to wake it again. So
//! they spin, and let others run only if it takes long.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::{hint, thread};

/// A place where so many threads wait until all of them are there, as often as they like.
#[derive(Debug)]
pub(super) struct Barrier {
    threads: usize,
    arrived: AtomicUsize,
    /// how often all have been there
    meetings: AtomicUsize,
    /// whether a thread will never come
    broken: AtomicBool,
}

/// Turns of the loop before others may run: some ten microseconds.
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

    /// Waits for all others.
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

    /// What a thread holds that the others wait for: should it panic, they do, too.
    pub(super) const fn member(&self) -> Member<'_> {
        Member(self)
    }
}

/// See [`Barrier::member`].
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
