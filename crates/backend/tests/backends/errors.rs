//! Every error of a text names its place and what to write.

use nnue_backend::{Backends, Chess, Sample, Wanted};

use super::{Game, create, value, with_odd};

#[test]
fn texts_that_describe_no_backend() {
    for (text, message) in [
        (
            "chekc(random, trivial)",
            "byte 0: no backend `chekc`; did you mean `check`?",
        ),
        (
            "check(random, backend=trvial, (seed=1))",
            "byte 22: no backend `trvial`; did you mean `trivial`?",
        ),
        ("xyz", "byte 0: no backend `xyz`"),
        (
            "check(random)",
            "byte 0: `check` takes two backends, the one that answers and the one that it is compared with, found 1",
        ),
        (
            "random, trivial",
            "byte 8: expected one backend; `multiplexing(..)`, for example, makes one of several, found `trivial` as well",
        ),
        (
            "record(random, trivial, file=x)",
            "byte 0: `record` takes one backend, found 2",
        ),
        (
            "trivial(random)",
            "byte 8: `trivial` takes no backends inside, found 1",
        ),
        (
            "random(seeds=3)",
            "byte 7: no option `random.seeds` here; did you mean `seed`?",
        ),
        (
            "random(colour=red)",
            "byte 7: no option `random.colour` here",
        ),
        (
            "check(random(sed=1), random, freq=1)",
            "byte 13: no option `check.random.sed` here; did you mean `seed`?",
        ),
        ("trivial, seed=3", "byte 9: no option `seed` here"),
        (
            "random(seed=-3)",
            "byte 12: `random.seed` is a whole number of at least 0, not `-3`",
        ),
        (
            "random(seed=0x10)",
            "byte 12: `random.seed` is a whole number of at least 0, not `0x10`",
        ),
        (
            "random(uniform=yes)",
            "byte 15: `random.uniform` is `true` or `false`, not `yes`",
        ),
        (
            "check(random, random, freq=2)",
            "byte 27: `check.freq` is a number from 0 to 1, not `2`",
        ),
        (
            "check(random, random, freq=nan)",
            "byte 27: `check.freq` is a number from 0 to 1, not `nan`",
        ),
        (
            "check(random, random, mode=histo)",
            "byte 27: `check.mode` is `check`, `display` or `histogram`, not `histo`",
        ),
        (
            "replay",
            "byte 0: `replay` needs `file`: a file that `record` has written",
        ),
    ] {
        let error = Backends::<Chess>::standard()
            .create(text)
            .err()
            .unwrap_or_else(|| panic!("{text} is accepted"));
        assert_eq!(error.to_string(), message, "{text}");
    }
}

#[test]
fn samples_that_cannot_be_evaluated() {
    for text in ["trivial", "multiplexing(random)"] {
        let empty = Sample {
            history: &[],
            moves: &[],
        };
        let error = create(text)
            .computation()
            .add(&empty, Wanted::ALL)
            .expect_err("no position")
            .to_string();
        assert!(
            error.ends_with("cannot evaluate this: the history has no position"),
            "{error}"
        );
    }
}

#[test]
fn failures_reach_those_who_wait() {
    let backends = with_odd(|slot| match slot {
        5 => Err(nnue_backend::Error::failed("odd", "no more paper")),
        9 => panic!("this panic is part of the test"),
        _ => Ok(value(0.0)),
    });
    let (short, medium) = (Game::new(1, 3), Game::new(1, 8));
    for text in ["odd", "multiplexing(odd)", "demux(odd)"] {
        let backend = backends.create(text).expect("a backend");
        assert!(
            backend.evaluate(&short.samples(), Wanted::ALL).is_ok(),
            "{text}"
        );
        let error = backend
            .evaluate(&medium.samples(), Wanted::ALL)
            .expect_err("a failure")
            .to_string();
        assert_eq!(error, "`odd` failed: no more paper", "{text}");
        assert!(
            backend.evaluate(&short.samples(), Wanted::ALL).is_ok(),
            "{text}: it goes on afterwards"
        );
    }
}

#[test]
fn a_panic_is_an_error_of_its_batch_alone() {
    let backends = with_odd(|slot| {
        if slot == 5 {
            panic!("this panic is part of the test")
        } else {
            Ok(value(0.0))
        }
    });
    let (short, long) = (Game::new(1, 3), Game::new(1, 8));
    let backend = backends
        .create("multiplexing(odd, threads=1)")
        .expect("a backend");
    for _ in 0..3 {
        let error = backend
            .evaluate(&long.samples(), Wanted::ALL)
            .expect_err("a failure")
            .to_string();
        assert_eq!(error, "`multiplexing.odd` failed: it panicked");
        assert!(backend.evaluate(&short.samples(), Wanted::ALL).is_ok());
    }
}
