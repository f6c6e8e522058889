//! Networks: a real one against its vectors, and small ones of every kind against their formulas.

use std::sync::Arc;

use nnue_backend::lc0::{self, HistoryFill, Settings, Weights};
use nnue_backend::{Answers, Backend, Backends, Chess, Sample, Wanted};
use nnue_data::{Move, Position};

use crate::common::{Game, answers, create};
use crate::flips::{Flip, check_flips};
use crate::synthetic::{self, Kind};
use crate::{history, start, table};

type Shared = Arc<dyn Backend<Chess>>;

fn backends(file: &[u8], settings: Settings) -> [Shared; 2] {
    let weights = Weights::from_bytes(file).expect("a network");
    [
        lc0::backend("lc0", weights.clone(), settings),
        lc0::reference("lc0-reference", weights, settings),
    ]
}

/// What a backend says about samples.
fn evaluate(backend: &Shared, samples: &[Sample<'_, Chess>]) -> Answers {
    backend.evaluate(samples, Wanted::ALL).expect("answers")
}

/// The greatest difference of two lists of answers; of plies, in hundreds.
fn difference(a: &Answers, b: &Answers) -> f32 {
    assert_eq!(a.len(), b.len());
    let of_slot = |slot: usize| {
        let policy = a
            .policy(slot)
            .iter()
            .zip(b.policy(slot))
            .map(|(a, b)| (a - b).abs());
        assert_eq!(a.policy(slot).len(), b.policy(slot).len());
        policy.chain([
            (a.q(slot) - b.q(slot)).abs(),
            (a.d(slot) - b.d(slot)).abs(),
            (a.m(slot) - b.m(slot)).abs() / 100.0,
        ])
    };
    (0..a.len()).flat_map(of_slot).fold(0.0, f32::max)
}

#[test]
fn small_networks_of_every_kind() {
    let game = Game::new(4, 21);
    for bits in 0..32 {
        let bit = |at: u32| bits >> at & 1 == 1;
        let kind = Kind {
            squeeze: bit(0),
            planes: bit(1),
            wdl: bit(2),
            moves_left: bit(3),
            ..Kind::NEW
        };
        let kind = Kind {
            input: if bit(4) { 3 } else { 1 },
            ..kind
        };
        let [fast, plain] = backends(&synthetic::message(kind, bits), Settings::default());
        let attributes = fast.attributes();
        assert_eq!(
            (attributes.has_wdl, attributes.has_moves_left),
            (kind.wdl, kind.moves_left)
        );
        let (found, expected) = (answers(&*fast, &game), answers(&*plain, &game));
        let most = difference(&found, &expected);
        assert!(most < 2e-5, "{kind:?}: {most}");
        assert!(
            found.iter().any(|answer| answer.q.abs() > 0.01),
            "{kind:?}: values of any size"
        );
        assert_eq!(found.iter().all(|answer| answer.m > 0.0), kind.moves_left);
    }
}

/// How many are evaluated together, and on how many threads, does not change a bit.
#[test]
fn batches_and_threads_give_the_same_bits() {
    let game = Game::new(4, 50);
    let games = game.samples();
    let file = synthetic::message(Kind::NEW, 3);
    let [one, three] = [(1, 16), (3, 5)].map(|(threads, together)| {
        let [backend, _] = backends(
            &file,
            Settings {
                threads,
                together,
                ..Settings::default()
            },
        );
        backend
    });
    let answers = evaluate(&one, &games);
    assert_eq!(evaluate(&three, &games), answers);
    for (slot, game) in games.iter().enumerate() {
        assert_eq!(
            evaluate(&one, std::slice::from_ref(game)).get(0),
            answers.get(slot)
        );
    }
}

#[test]
fn temperature_and_fill_change_while_it_runs() {
    let (file, game) = (synthetic::message(Kind::NEW, 5), Game::new(4, 9));
    let game = &game.samples()[8..];
    let [backend, _] = backends(&file, Settings::default());
    let before = (evaluate(&backend, game), backend.digest());
    assert!(backend.set("temperature", "3").expect("a temperature"));
    let after = evaluate(&backend, game);
    let greatest = |answers: &Answers| {
        answers
            .policy(0)
            .iter()
            .fold(0.0_f32, |greatest, &p| greatest.max(p))
    };
    assert!(
        greatest(&after) < greatest(&before.0)
            && after.q(0) == before.0.q(0)
            && backend.digest() != before.1
    );
    assert!(
        backend
            .set("fill", "nothing")
            .is_err_and(|error| error.to_string().contains("`fill` is "))
    );
    assert!(!backend.set("weights", "other").expect("not while it runs"));
}

#[test]
fn options_are_named_in_errors() {
    let backends = Backends::<Chess>::standard();
    let error = |text: &str| backends.create(text).err().expect("an error").to_string();
    assert_eq!(
        error("lc0"),
        "byte 0: `lc0` needs `weights`: the file of weights, .pb.gz"
    );
    let missing = std::path::absolute("missing.pb.gz").expect("a folder");
    let expected = format!(
        "`lc0` failed: weights={}: the file cannot be",
        missing.display()
    );
    assert!(error("lc0(weights=missing.pb.gz)").starts_with(&expected));
    assert_eq!(
        error("lc0(weights=x, fill=none)"),
        "byte 20: `lc0.fill` is `fen_only`, `no` or `always`, not `none`"
    );
    assert!(error("lc0(weight=x)").starts_with("byte 0: `lc0` needs `weights`"));
}

/// Weights so large that the outputs are infinite are an error, not a value.
#[test]
fn networks_that_overflow_fail() {
    let mut weights = Weights::from_bytes(&synthetic::message(Kind::NEW, 1)).expect("a network");
    weights.value.hidden.bias.fill(3e38);
    weights.value.outputs.weights.fill(3.0);
    let position = [start()];
    let moves = position[0].legal_moves().expect("a position of a game");
    for backend in
        [lc0::backend, lc0::reference].map(|make| make("lc0", weights.clone(), Settings::default()))
    {
        let failed = backend.evaluate(
            &[Sample {
                history: &position,
                moves: &moves,
            }],
            Wanted::ALL,
        );
        assert!(
            failed
                .expect_err("no number")
                .to_string()
                .contains("too large")
        );
    }
}

/// Games that differ before what the network reads have the same key.
#[test]
fn keys_are_what_the_network_reads() {
    let [backend, _] = backends(
        &synthetic::message(Kind::NEW, 5),
        Settings {
            fill: HistoryFill::No,
            ..Settings::default()
        },
    );
    let Game {
        positions: history,
        moves,
    } = Game::new(4, 40);
    let moves = &moves[39];
    let key = |history: &[Position]| backend.key(&Sample { history, moves });
    let last = history.len() - 8;
    assert_ne!(key(&history), key(&history[last + 1..]));
    assert_eq!(key(&history), key(&history[1..]));
}

/// 120 positions of the real network: every probability within 1e-4.
#[test]
fn a_real_network_agrees_with_its_vectors() {
    let Some(path) = nnue_testkit::lc0_network() else {
        return;
    };
    let backend = create(&format!("lc0(weights='{}')", path.display()));
    let rows = table("maia-1100.tsv.gz");
    assert_eq!(rows.len(), 120);
    let mut most = 0.0_f32;
    for row in &rows {
        let history = history(&row[0], &row[1]);
        let position = history[history.len() - 1];
        let expected = row[5]
            .split(' ')
            .map(|text| text.split_once(':').expect("a move and its probability"));
        let (moves, expected): (Vec<Move>, Vec<f32>) = expected
            .map(|(mv, p)| {
                (
                    Move::from_uci(mv, &position).expect("a move"),
                    p.parse::<f32>().expect("a number"),
                )
            })
            .unzip();
        let answers = backend
            .evaluate(
                &[Sample {
                    history: &history,
                    moves: &moves,
                }],
                Wanted::ALL,
            )
            .expect("an answer");
        let [win, draw, loss] = [2, 3, 4].map(|at| row[at].parse::<f32>().expect("a number"));
        let policy = answers
            .policy(0)
            .iter()
            .zip(&expected)
            .map(|(p, expected)| (p - expected).abs());
        let own = [
            (answers.q(0) - (win - loss)).abs() / 2.0,
            (answers.d(0) - draw).abs(),
        ];
        let difference = policy.chain(own).fold(0.0, f32::max);
        assert!(difference < 1e-4, "{} {}: {difference}", row[0], row[1]);
        most = most.max(difference);
    }
    println!("at most {most:.1e} from the vectors");
}

/// The real network and its formulas over 10,000 positions of random games, in batches, within a fifth of the tolerance of its vectors. Takes minutes:
/// `NNUE_LC0_NETS=FOLDER cargo test --release -p nnue-backend --test lc0 -- --ignored --nocapture`.
#[test]
#[ignore = "takes minutes"]
fn a_real_network_agrees_with_its_formulas() {
    let Some(path) = nnue_testkit::lc0_network() else {
        return;
    };
    let text = format!(
        "check(lc0, lc0-reference, freq=1, atol=2e-5, fail=true), weights='{}'",
        path.display()
    );
    let backend = create(&text);
    let game = Game::new(4, 10_000);
    for (batch, games) in game.samples().chunks(256).enumerate() {
        assert_eq!(evaluate(&backend, games).len(), games.len());
        println!("{} positions", 256 * batch + games.len());
    }
    let mut report = String::new();
    backend.report(&mut report).expect("a text");
    println!("{report}");
}

/// The identity of answers is that of the weights, of `fill` and of `temperature`, and of nothing else.
#[test]
fn options_count_as_the_table_says() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    let file = |name: &str, seed| {
        let path = folder.join(format!("lc0-flips-{name}-{}.pb", std::process::id()));
        std::fs::write(&path, synthetic::message(Kind::NEW, seed)).expect("a file");
        path
    };
    let files = [file("plain", 7), file("other", 8), file("copy", 7)];
    let mut flips = Vec::new();
    for backend in ["lc0", "lc0-reference"] {
        let text = |index: usize, more: &str| {
            format!("{backend}(weights='{}'{more})", files[index].display())
        };
        for (option, flipped) in [
            ("weights", text(1, "")),
            ("fill", text(0, ", fill=no")),
            ("temperature", text(0, ", temperature=2")),
            ("threads", text(0, ", threads=3")),
            ("together", text(0, ", together=3")),
        ] {
            flips.push(Flip::new(backend, option, [&text(0, ""), &flipped]));
        }
        assert_eq!(
            create(&text(0, "")).digest(),
            create(&text(2, "")).digest(),
            "names do not count"
        );
    }
    check_flips(&Backends::standard(), &["lc0", "lc0-reference"], &flips);
    files
        .iter()
        .for_each(|file| drop(std::fs::remove_file(file)));
}
