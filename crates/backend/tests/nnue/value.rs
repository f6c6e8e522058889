//! Networks with a value.

use std::collections::HashSet;
use std::sync::{Arc, Mutex};

use nnue::spec::{ElementType, MapDesc, MapOperand, NetDesc, Scalar, Unit};
use nnue::{Architecture, Model as _, Network};
use nnue_backend::nnue::{Board, entry, identity, reference_entry};
use nnue_backend::{Attributes, Backends, Chess, Sample, Wanted, expected_score};
use nnue_data::Position;

use crate::flips::{Flip, check_flips};
use crate::{Small, Stacked};

/// Positions of random games, in no order.
pub(crate) fn positions(seed: u64, count: usize) -> Vec<Position> {
    let mut random = fastrand::Rng::with_seed(seed);
    let start: Position = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
        .parse()
        .expect("the start");
    let (mut all, mut position) = (Vec::new(), start);
    while all.len() < count {
        let moves = position.legal_moves().expect("a position of a game");
        let next = random
            .choice(&moves)
            .filter(|_| position.halfmove_clock() < 40);
        position = next.map_or(start, |mv| position.play(*mv).expect("a legal move"));
        all.push(position);
    }
    random.shuffle(&mut all);
    all
}

/// A sample of each position alone.
pub(crate) fn samples(positions: &[Position]) -> Vec<Sample<'_, Chess>> {
    positions
        .iter()
        .map(|position| Sample {
            history: std::slice::from_ref(position),
            moves: &[],
        })
        .collect()
}

fn backends<A: Architecture>(network: &Arc<Network<A>>) -> Backends<Chess> {
    let mut backends = Backends::standard();
    backends.add(entry(Arc::clone(network)));
    backends.add(reference_entry(Arc::clone(network)));
    backends
}

fn batches_of_any_size<A: Architecture>() {
    let network = Arc::new(Network::<A>::random(5));
    let backends = backends(&network);
    let positions = positions(1, 2000);
    let expected: Vec<i32> = positions
        .iter()
        .map(|&position| network.evaluate_fresh(&Board(position)).value)
        .collect();
    assert!(
        expected.iter().collect::<HashSet<_>>().len() > 200,
        "the values differ"
    );
    for (text, sizes) in [
        ("nnue", &[2000, 0, 1, 257, 256, 63][..]),
        ("nnue(threads=1)", &[2000, 300][..]),
        ("nnue(threads=5)", &[400][..]),
    ] {
        let backend = backends.create(text).expect("a backend");
        assert_eq!(
            backend.attributes(),
            Attributes {
                has_score: true,
                ..Attributes::VALUE
            }
        );
        for &size in sizes {
            let answers = backend
                .evaluate(&samples(&positions[..size]), Wanted::ALL)
                .expect("answers");
            assert_eq!(answers.len(), size);
            for (answer, &value) in answers.iter().zip(&expected) {
                assert_eq!(
                    (answer.score, answer.q),
                    (Some(value), expected_score(value, 400.0)),
                    "{text}, {size}"
                );
            }
        }
    }
}

#[test]
fn batches_have_the_values_of_their_positions() {
    batches_of_any_size::<Stacked>();
    batches_of_any_size::<Small>();
}

/// Compares `count` positions of random games, and returns what the comparison has told.
fn compared<A: Architecture>(text: &str, count: usize) -> String {
    let network = Arc::new(Network::<A>::random(7));
    let backend = backends(&network).create(text).expect("a backend");
    for (seed, size) in (0..).zip([4096].repeat(count.div_ceil(4096))) {
        backend
            .evaluate(&samples(&positions(seed, size.min(count))), Wanted::ALL)
            .expect("no difference");
    }
    let mut report = String::new();
    backend
        .report(&mut report)
        .expect("a string takes everything");
    report
}

#[test]
fn the_reference_says_the_same() {
    const TEXT: &str = "check(nnue, reference, freq=1, exact=true, fail=true)";
    for report in [
        compared::<Stacked>(TEXT, 2000),
        compared::<Small>(TEXT, 2000),
    ] {
        assert!(
            report.contains("score      2000 compared, 0 wrong"),
            "{report}"
        );
        assert!(
            report.contains("value      2000 compared, 0 wrong"),
            "{report}"
        );
    }
}

/// A million positions of random games: ten seconds of a release build, `cargo test --release -p nnue-backend --test nnue -- --ignored`.
#[test]
#[ignore = "slow without optimisation"]
fn the_reference_says_the_same_about_a_million_plies() {
    let report = compared::<Stacked>(
        "check(nnue, demux(reference, reference), freq=1, exact=true, fail=true)",
        1 << 20,
    );
    assert!(
        report.contains("score      1048576 compared, 0 wrong"),
        "{report}"
    );
}

/// What is not read does not count, and what is not the same network has another digest.
#[test]
fn keys_and_digests() {
    let [first, second] = [1, 2].map(|seed| Arc::new(Network::<Small>::random(seed)));
    let backend = backends(&first).create("nnue").expect("a backend");
    let key = |fen: &str| {
        let position: Position = fen.parse().expect("a FEN");
        backend.key(&Sample {
            history: &[position],
            moves: &[],
        })
    };
    let here = key("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    assert_eq!(key("r3k2r/8/8/8/8/8/8/R3K2R w - - 30 60"), here);
    assert_ne!(key("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1"), here);
    assert_ne!(key("r3k3/8/8/8/8/8/8/R3K2R w - - 0 1"), here);

    let digest = |network, text: &str| backends(network).create(text).expect("a backend").digest();
    assert_eq!(digest(&first, "nnue"), digest(&first, "reference"));
    assert_ne!(digest(&first, "nnue"), digest(&second, "nnue"));
    assert_ne!(digest(&first, "nnue"), digest(&first, "nnue(scale=300)"));
    assert_eq!(
        digest(&first, "nnue(threads=1)"),
        digest(&first, "nnue(threads=2)")
    );
    assert!(backend.set("scale", "300").expect("a scale"));
    assert_eq!(backend.digest(), digest(&first, "nnue(scale=300)"));
}

/// A network that is not the one of the first backend is found out.
#[test]
fn another_network_is_found_out() {
    let [first, second] = [1, 2].map(|seed| Arc::new(Network::<Small>::random(seed)));
    let (mut backends, lines) = (
        Backends::<Chess>::standard(),
        Arc::new(Mutex::new(Vec::new())),
    );
    let sink = Arc::clone(&lines);
    backends.tell(move |line| sink.lock().expect("no panic").push(line.to_owned()));
    backends.add(entry(first));
    backends.add(reference_entry(second));
    let backend = backends
        .create("check(nnue, reference, freq=1, exact=true)")
        .expect("a backend");
    backend
        .evaluate(&samples(&positions(3, 50)), Wanted::ALL)
        .expect("answers of the first");
    let lines = lines.lock().expect("no panic");
    assert!(
        lines.len() == 1 && lines[0].starts_with("check: wrong: value ("),
        "{lines:?}"
    );
}

/// The identity of answers is that of the network and of `scale`. The threads of a batch, or who computes it, do not matter.
#[test]
fn options_count_as_the_table_says() {
    let network = Arc::new(Network::<Small>::random(5));
    let backends = backends(&network);
    let flips = [
        Flip::new("nnue", "scale", ["nnue", "nnue(scale=300)"]),
        Flip::new("nnue", "threads", ["nnue", "nnue(threads=3)"]),
        Flip::new("reference", "scale", ["reference", "reference(scale=300)"]),
    ];
    check_flips(&backends, &["nnue", "reference"], &flips);
}

/// Networks that differ in an expression differ, though their tensors are alike.
#[test]
fn expressions_belong_to_the_identity() {
    let with = |ceiling: i32| {
        let code: &[Scalar] = &[
            Scalar::Operand(0),
            Scalar::Constant(ceiling),
            Scalar::Minimum,
        ];
        let operands = &[MapOperand::ACCUMULATORS];
        let unit = Unit::whole(1);
        let maps = &[MapDesc::new(
            operands,
            code,
            ElementType::I32,
            (0, ceiling),
            unit,
        )];
        identity(
            &NetDesc {
                maps,
                ..Small::SPEC
            },
            &[],
        )
    };
    assert_ne!(with(127), with(255));
    assert_eq!(with(127), with(127));
}

/// How the value is made of the outputs is not in the notation of a network, and belongs to its identity.
#[test]
fn the_value_belongs_to_the_identity() {
    let [first, second] = [&halves::Valued::SPEC, &quarters::Valued::SPEC];
    assert_eq!((first.name, first.notation), (second.name, second.notation));
    assert_ne!(identity(first, &[]), identity(second, &[]));
}

mod halves {
    nnue::nnue! {
        pub(super) struct Valued = Chess768[..] -> 32x2, psqt 1 -> 1 { value (psqt + positional) / 2; };
    }
}

mod quarters {
    nnue::nnue! {
        pub(super) struct Valued = Chess768[..] -> 32x2, psqt 1 -> 1 { value (psqt + positional) / 4; };
    }
}
