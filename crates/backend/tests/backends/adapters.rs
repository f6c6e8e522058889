//! What adapters do with the answers of others.

use std::sync::{Arc, Mutex};

use nnue_backend::adapters::{Check, Output, Tolerance};
use nnue_backend::{Backend, Batched, Computation, Sample, Wanted, backends::Random};

use super::{Game, answers, create, value, with_odd};

/// Adapters that change nothing give the answers of the backend inside, whatever becomes of the batches on the way.
#[test]
fn adapters_do_not_change_answers() {
    let game = Game::new(1, 80);
    for inside in ["random(seed=5)", "trivial"] {
        let expected = answers(&*create(inside), &game);
        for text in [
            format!("roundrobin({inside}, {inside}, {inside})"),
            format!("multiplexing({inside})"),
            format!("multiplexing({inside}, {inside}, threads=2, max_batch=7)"),
            format!("demux({inside}, {inside}, {inside}, step=16)"),
            format!("demux(multiplexing({inside}), roundrobin({inside}), threads=1)"),
            format!("check({inside}, random(seed=8), freq=0)"),
            format!("check({inside}, {inside}, freq=1, exact=true, fail=true)"),
        ] {
            let backend = create(&text);
            let found = answers(&*backend, &game);
            assert_eq!(found, expected, "{text}");
            assert_eq!(backend.digest(), create(inside).digest(), "{text}");
            let sample = &game.samples()[3];
            assert_eq!(backend.key(sample), create(inside).key(sample), "{text}");
        }
    }
}

#[test]
fn options_outside_hold_inside() {
    let game = Game::new(2, 30);
    let expected = answers(&*create("random(seed=5)"), &game);
    for text in [
        "random, seed=5",
        "roundrobin(random, seed=5)",
        "roundrobin(roundrobin(random)), seed=5",
    ] {
        assert_eq!(answers(&*create(text), &game), expected, "{text}");
    }
    // the inner one counts; sections without a name, or with one of their own, say what they are by an option
    for text in [
        "roundrobin(random(seed=5)), seed=6",
        "roundrobin(backend=random, (seed=5)), seed=6",
        "roundrobin(first(backend=random), seed=5)",
        "random(seed='5')",
    ] {
        assert_eq!(answers(&*create(text), &game), expected, "{text}");
    }
    assert_ne!(answers(&*create("random(seed=6)"), &game), expected);
    assert_eq!(
        create("").name(),
        "trivial",
        "the default is the one with the highest priority"
    );
}

#[test]
fn a_backend_is_changed_while_it_runs() {
    let game = Game::new(3, 20);
    let backend = create("multiplexing(random(seed=1), random(seed=1))");
    let before = backend.digest();
    assert!(backend.set("seed", "9").expect("a seed"));
    assert_eq!(
        answers(&*backend, &game),
        answers(&*create("random(seed=9)"), &game)
    );
    assert_ne!(backend.digest(), before);
    assert!(!backend.set("no_such", "9").expect("nobody takes it"));
    let error = backend.set("seed", "x").expect_err("no seed").to_string();
    assert_eq!(error, "`seed` is a whole number of at least 0, not `x`");
}

/// Runs `check` of a text and returns its lines.
fn told(
    text: &str,
    odd: fn(usize) -> Result<nnue_backend::Answer, nnue_backend::Error>,
) -> Vec<String> {
    let lines = Arc::new(Mutex::new(Vec::new()));
    let mut backends = with_odd(odd);
    let sink = Arc::clone(&lines);
    backends.tell(move |line| sink.lock().expect("no panic").push(line.to_owned()));
    let backend = backends.create(text).expect("a backend");
    let game = Game::new(4, 40);
    let found = answers(&*backend, &game);
    assert_eq!(
        found,
        answers(&*create("random(uniform=true)"), &game),
        "answers are those of the first"
    );
    drop(backend);
    lines.lock().expect("no panic").clone()
}

#[test]
fn check_tells_of_differences_alone() {
    let check = "check(random(uniform=true), odd, freq=1, atol=0.01, rtol=0)";
    let nothing = told(check, |_| Ok(value(0.009)));
    assert_eq!(nothing, [""; 0]);
    let wrong = told(check, |slot| Ok(value(if slot == 7 { 0.5 } else { 0.0 })));
    assert_eq!(wrong, ["check: wrong: value (1 of 40, by up to 5.000e-1)"]);
    let nan = told(check, |slot| {
        Ok(value(if slot < 3 { f32::NAN } else { 0.0 }))
    });
    assert_eq!(
        nan,
        ["check: wrong: value (3 of 40, by up to 0.000e0, 3 NaN)"]
    );
    let exact = told(
        "check(random(uniform=true), odd, freq=1, exact=true)",
        |_| Ok(value(1e-30)),
    );
    assert_eq!(
        exact,
        ["check: wrong: value (40 of 40, by up to 1.000e-30)"]
    );
    let failed = told(check, |_| Err(nnue_backend::Error::Closed("odd".into())));
    assert_eq!(
        failed,
        ["check: not compared: `odd` was closed before the batch was computed"]
    );
}

#[test]
fn check_shows_errors_and_histograms() {
    let display = told(
        "check(random(uniform=true), odd, freq=1, mode=display)",
        |_| Ok(value(0.25)),
    );
    assert_eq!(
        display,
        ["check: greatest errors: value 2.500e-1 (1.000e0 of it)"]
    );
    let histogram = told(
        "check(random(uniform=true), odd, freq=1, mode=histogram)",
        |slot| Ok(value(if slot < 10 { 0.0 } else { 0.25 })),
    );
    assert_eq!(
        histogram,
        [
            "check: 1 batches compared, 0 failed",
            "check: value      40 compared, 30 wrong, 0 NaN, greatest error 2.500e-1, 1.000e0 of it",
            "check: value        equal        10",
            "check: value        >= 10^-0.8   30",
        ]
    );
}

#[test]
fn check_compares_a_share_of_the_batches() {
    let (backend, game) = (
        create("check(random, random, freq=0.25, seed=3)"),
        Game::new(4, 1),
    );
    for _ in 0..400 {
        answers(&*backend, &game);
    }
    assert!(backend.set("freq", "0").expect("a share"));
    for _ in 0..100 {
        answers(&*backend, &game);
    }
    let mut report = String::new();
    backend
        .report(&mut report)
        .expect("a string takes everything");
    let compared = report
        .strip_prefix("check: ")
        .and_then(|rest| rest.split(' ').next()?.parse::<u32>().ok());
    assert!(
        compared.is_some_and(|count| (60..140).contains(&count)),
        "{report}"
    );
}

#[test]
fn all_outputs_are_compared() {
    let game = Game::new(6, 60);
    let [first, second] = [1, 2].map(|seed| Arc::new(Batched::new("random", Random::new(seed))));
    let check = Check::<nnue_backend::Chess>::new("check", first, second, Tolerance::EXACT);
    answers(&check, &game);
    let moves: usize = game.moves.iter().map(Vec::len).sum();
    for (output, compared) in [
        (Output::Value, 60),
        (Output::Draws, 60),
        (Output::Policy, moves as u64),
        (Output::Score, 0),
        (Output::MovesLeft, 0),
    ] {
        let tally = check.tally(output);
        assert_eq!(tally.compared, compared, "{output:?}");
        assert!(
            tally.wrong * 10 >= tally.compared * 9,
            "{output:?}: {tally:?}"
        );
    }
    let mut report = String::new();
    check
        .report(&mut report)
        .expect("a string takes everything");
    assert!(
        report.starts_with("check: 1 batches compared, 0 failed\ncheck: value      60 compared"),
        "{report}"
    );
}

/// What was not wanted is not compared.
#[test]
fn what_is_not_wanted_is_not_computed() {
    let game = Game::new(7, 5);
    let backend = create("check(random, random(seed=1), freq=1)");
    let found = backend
        .evaluate(&game.samples(), Wanted::VALUE)
        .expect("answers");
    assert!((0..5).all(|slot| found.policy(slot).is_empty()));
    let mut report = String::new();
    backend
        .report(&mut report)
        .expect("a string takes everything");
    assert!(
        !report.contains("policy") && report.contains("value"),
        "{report}"
    );
}

#[test]
fn full_batches_are_refused_and_large_ones_split() {
    let backends = with_odd(|_| Ok(value(0.5)));
    let game = Game::new(8, 60);
    let odd = backends.create("odd").expect("a backend");
    let computation = odd.computation();
    let samples: Vec<Sample<'_, _>> = game.samples();
    for (index, sample) in samples.iter().enumerate() {
        let added = computation.add(sample, Wanted::ALL);
        match index {
            0..50 => assert_eq!(added.expect("room").slot, index),
            _ => assert_eq!(
                added.expect_err("no room").to_string(),
                "a batch of `odd` has at most 50 positions"
            ),
        }
    }
    assert_eq!(computation.used_batch_size(), 50);
    assert_eq!(
        Computation::compute(computation).expect("answers").len(),
        50
    );
    for text in ["odd", "multiplexing(odd, max_batch=1000)", "demux(odd)"] {
        let backend = backends.create(text).expect("a backend");
        assert_eq!(
            backend
                .evaluate(&samples, Wanted::ALL)
                .expect("answers")
                .len(),
            60,
            "{text}"
        );
    }
}
