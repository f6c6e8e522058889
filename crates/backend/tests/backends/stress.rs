//! Many threads at once: no answer is lost or exchanged, nobody waits for ever, whatever happens to the backends meanwhile.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use nnue_backend::{Answers, Backend, Chess, Error, Wanted};

use super::{Game, answers, create, value, with_odd};

const THREADS: usize = 16;
/// Far more than a run takes: what is not over by then hangs.
const TIME: Duration = Duration::from_secs(60);

/// Runs a test that must end.
fn in_time(test: impl FnOnce() + Send + 'static) {
    let (done, end) = channel();
    let thread = std::thread::spawn(move || {
        test();
        done.send(()).expect("somebody waits");
    });
    match end.recv_timeout(TIME) {
        Ok(()) => {}
        // it has panicked: say why
        Err(std::sync::mpsc::RecvTimeoutError::Disconnected) => {
            std::panic::resume_unwind(thread.join().unwrap_err())
        }
        Err(std::sync::mpsc::RecvTimeoutError::Timeout) => panic!("nobody should wait for ever"),
    }
}

/// Sixteen threads add to one batch, slots being their only order.
#[test]
fn threads_add_to_one_batch() {
    in_time(|| {
        for text in [
            "random",
            "multiplexing(random, random)",
            "demux(random, random)",
            "check(random, random, freq=1)",
        ] {
            let (backend, game) = (create(text), Game::new(1, 100));
            let expected = answers(&*create("random"), &game);
            let (computation, slots) = (backend.computation(), Mutex::new(Vec::new()));
            std::thread::scope(|scope| {
                for thread in 0..THREADS {
                    let (computation, slots, game) = (&computation, &slots, &game);
                    scope.spawn(move || {
                        for (index, sample) in game
                            .samples()
                            .iter()
                            .enumerate()
                            .skip(thread)
                            .step_by(THREADS)
                        {
                            let slot = computation.add(sample, Wanted::ALL).expect("room").slot;
                            slots.lock().expect("no panic").push((slot, index));
                        }
                    });
                }
            });
            assert_eq!(computation.used_batch_size(), 100);
            let found = computation.compute().expect("answers");
            let slots = slots.into_inner().expect("no panic");
            assert_eq!(slots.len(), 100);
            for (slot, index) in slots {
                assert_eq!(
                    found.get(slot),
                    expected.get(index),
                    "{text}: slot {slot} is of another position"
                );
            }
            if text.starts_with("check") {
                let mut report = String::new();
                backend
                    .report(&mut report)
                    .expect("a string takes everything");
                assert!(report.contains("100 compared, 0 wrong"), "{report}");
            }
        }
    });
}

/// What a thread got for its batch: right answers of one of the seeds that the backend ever had, or that it was closed.
fn judge(found: Result<Answers, Error>, expected: &[Answers], counts: &[AtomicUsize; 2]) {
    match found {
        Ok(found) => {
            let is_right = |expected: &Answers| found.iter().eq(expected.iter().take(found.len()));
            assert!(
                expected.iter().any(is_right),
                "answers of different seeds in one batch, or none of ours"
            );
            counts[0].fetch_add(1, Ordering::Relaxed);
        }
        Err(Error::Closed(_)) => drop(counts[1].fetch_add(1, Ordering::Relaxed)),
        Err(error) => panic!("{error}"),
    }
}

/// Sixteen clients of one backend, which is dropped while they work; options change all the time.
#[test]
fn a_backend_is_dropped_and_changed_while_it_is_used() {
    const TEXT: &str = "multiplexing(random(seed=0), random(seed=0), demux(random(seed=0), random(seed=0)), threads=2)";
    in_time(|| {
        let game = Arc::new(Game::new(1, 24));
        let seeds = ["0", "1", "2", "3"];
        let expected: Arc<Vec<Answers>> = Arc::new(
            seeds
                .iter()
                .map(|seed| answers(&*create(&format!("random(seed={seed})")), &game))
                .collect(),
        );
        for round in 0..20_u64 {
            let backend = Mutex::new(Some(create(TEXT)));
            let (counts, batches) = ([const { AtomicUsize::new(0) }; 2], AtomicUsize::new(0));
            std::thread::scope(|scope| {
                for thread in 0..THREADS {
                    let (backend, counts, game, batches) = (&backend, &counts, &game, &batches);
                    let expected = &expected;
                    scope.spawn(move || {
                        loop {
                            // the batch outlives what it was made by
                            let computation = match &*backend.lock().expect("no panic") {
                                Some(backend) => backend.computation(),
                                None => break,
                            };
                            let samples = game.samples();
                            for sample in &samples[..=thread] {
                                computation.add(sample, Wanted::ALL).expect("room");
                            }
                            // demux has one seed in each of its parts: such batches are judged by their own test
                            judge_parts(computation.compute(), expected, counts);
                            batches.fetch_add(1, Ordering::Relaxed);
                        }
                    });
                }
                let (backend, batches) = (&backend, &batches);
                scope.spawn(move || {
                    let mut random = fastrand::Rng::with_seed(round);
                    while batches.load(Ordering::Relaxed) < 200 {
                        let locked = backend.lock().expect("no panic");
                        locked
                            .as_ref()
                            .expect("nobody else takes it")
                            .set("seed", seeds[random.usize(..4)])
                            .expect("a seed");
                        drop(locked);
                        std::thread::yield_now();
                    }
                    // dropped while batches wait and are computed, and outside of the lock
                    let taken = backend.lock().expect("no panic").take();
                    drop(taken);
                });
            });
            let [right, closed] = counts.map(AtomicUsize::into_inner);
            assert_eq!(
                right + closed,
                batches.into_inner(),
                "every batch has its answers or its error"
            );
            assert!(right >= 100, "{right} right, {closed} closed");
        }
    });
}

/// As [`judge`], for batches whose parts may be of different seeds: each answer by itself must be of one of them.
fn judge_parts(found: Result<Answers, Error>, expected: &[Answers], counts: &[AtomicUsize; 2]) {
    match found {
        Ok(found) => {
            for (slot, answer) in found.iter().enumerate() {
                assert!(
                    expected.iter().any(|expected| expected.get(slot) == answer),
                    "slot {slot} is none of ours"
                );
            }
            counts[0].fetch_add(1, Ordering::Relaxed);
        }
        other => judge(other, expected, counts),
    }
}

/// Without parts, a batch is of one seed, however often it changes.
#[test]
fn a_batch_sees_one_value_of_an_option() {
    in_time(|| {
        let game = Game::new(2, 24);
        let expected: Vec<Answers> = (0..4)
            .map(|seed| answers(&*create(&format!("random(seed={seed})")), &game))
            .collect();
        let (backend, stop) = (
            create("multiplexing(random(seed=0), threads=4)"),
            AtomicBool::new(false),
        );
        let counts = [const { AtomicUsize::new(0) }; 2];
        std::thread::scope(|scope| {
            scope.spawn(|| {
                for seed in ["0", "1", "2", "3"].into_iter().cycle() {
                    if stop.load(Ordering::Relaxed) {
                        break;
                    }
                    assert!(backend.set("seed", seed).expect("a seed"));
                }
            });
            let clients: Vec<_> = (0..THREADS)
                .map(|_| {
                    scope.spawn(|| {
                        for _ in 0..100 {
                            judge(
                                backend.evaluate(&game.samples(), Wanted::ALL),
                                &expected,
                                &counts,
                            );
                        }
                    })
                })
                .collect();
            for client in clients {
                client.join().expect("no panic");
            }
            stop.store(true, Ordering::Relaxed);
        });
        assert_eq!(counts.map(AtomicUsize::into_inner), [100 * THREADS, 0]);
    });
}

/// One of two backends fails: its batches are errors, those of the other are right, and nobody waits for ever.
#[test]
fn a_parent_fails_while_others_work() {
    in_time(|| {
        let backends = with_odd(|slot| {
            if slot % 5 == 4 {
                panic!("this panic is part of the test")
            } else {
                Ok(value(9.0))
            }
        });
        let backend: Arc<dyn Backend<Chess>> = backends
            .create("multiplexing(odd, random(seed=1), threads=2, max_batch=16)")
            .expect("a backend");
        let game = Game::new(5, 30);
        let expected = answers(&*create("random(seed=1)"), &game);
        let (right, odd, failed) = (
            AtomicUsize::new(0),
            AtomicUsize::new(0),
            AtomicUsize::new(0),
        );
        std::thread::scope(|scope| {
            for thread in 0..THREADS {
                let (backend, game, expected) = (&backend, &game, &expected);
                let (right, odd, failed) = (&right, &odd, &failed);
                scope.spawn(move || {
                    let samples = game.samples();
                    for round in 0..50 {
                        let count = 1 + (thread + round) % samples.len();
                        match backend.evaluate(&samples[..count], Wanted::ALL) {
                            Ok(found) if found.q(0) == 9.0 => {
                                odd.fetch_add(1, Ordering::Relaxed);
                            }
                            Ok(found) => {
                                assert!(found.iter().eq(expected.iter().take(count)));
                                right.fetch_add(1, Ordering::Relaxed);
                            }
                            Err(Error::Failed { backend, .. }) => {
                                assert_eq!(backend, "multiplexing.odd");
                                failed.fetch_add(1, Ordering::Relaxed);
                            }
                            Err(error) => panic!("{error}"),
                        }
                    }
                });
            }
        });
        let [right, odd, failed] = [right, odd, failed].map(AtomicUsize::into_inner);
        assert_eq!(right + odd + failed, 50 * THREADS);
        assert!(
            right > 0 && failed > 0,
            "{right} right, {odd} odd, {failed} failed"
        );
    });
}
