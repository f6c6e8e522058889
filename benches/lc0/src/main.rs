//! `cargo run --release -- NETWORK.pb.gz [REPETITIONS]`: positions a second of the backend `lc0` beside libraries of inference, on one core.
//!
//! All have the same weights, with batch norms folded in. Before anything is timed, values must agree with those of the backend, and policies of
//! the libraries with each other. The backend encodes positions and makes probabilities of its policies in that time; libraries get planes and
//! return logits. `ORT_DYLIB_PATH` names the library of onnxruntime; `RAYON_NUM_THREADS=1` and `taskset -c 1` keep the others on one core.

mod candle;
mod graph;
mod onnxruntime;
mod peer;
mod tract;

use std::error::Error;
use std::hint::black_box;
use std::time::Instant;

use nnue_backend::lc0::weights::Weights;
use nnue_backend::lc0::{self, HistoryFill, Planes};
use nnue_backend::{Backend, Chess, Sample, Wanted};
use nnue_data::{Move, Position};
use peer::{INPUTS, Outputs, Peer};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// Sizes of batches.
const BATCHES: [usize; 4] = [1, 16, 64, 256];

/// How far a value or a logit may be from another one. Sums of floats are made in different orders.
const TOLERANCE: f32 = 1e-3;

type Failure = Box<dyn Error>;

/// A position with those before it.
struct Question {
    history: Vec<Position>,
    moves: Vec<Move>,
}

impl Question {
    /// The position after some moves of a random game.
    fn random(seed: u64) -> Result<Self, Failure> {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut history: Vec<Position> = vec![START.parse()?];
        for _ in 0..random.usize(8..80) {
            let position = history[history.len() - 1];
            let moves = position.legal_moves().ok_or("a position of a game")?;
            let Some(&chosen) = random.choice(&moves) else {
                return Self::random(seed + 1_000_000);
            };
            history.push(position.play(chosen).map_err(|_| "a legal move")?);
        }
        let moves = history[history.len() - 1]
            .legal_moves()
            .ok_or("a position of a game")?;
        if moves.is_empty() {
            Self::random(seed + 1_000_000)
        } else {
            Ok(Self { history, moves })
        }
    }

    fn sample(&self) -> Sample<'_, Chess> {
        Sample {
            history: &self.history,
            moves: &self.moves,
        }
    }
}

fn main() -> Result<(), Failure> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments
        .next()
        .ok_or("the file of a network is missing: cargo run --release -- NETWORK.pb.gz")?;
    let repetitions = arguments
        .next()
        .map_or(Ok(15), |number| number.parse::<usize>())?
        .max(1);
    let weights = Weights::open(&path)?;
    let graph = graph::of(&weights)
        .map_err(|what| format!("{path}: {what}, which is not compared here"))?;
    let mut peers: Vec<Box<dyn Peer>> = vec![
        Box::new(tract::Tract::new(graph.clone())),
        Box::new(candle::Candle::new(&weights)?),
    ];
    match std::env::var_os(onnxruntime::LIBRARY) {
        Some(library) => peers.insert(
            0,
            Box::new(onnxruntime::OnnxRuntime::new(&library, &graph)?),
        ),
        None => eprintln!("{} is not set: without onnxruntime", onnxruntime::LIBRARY),
    }
    let format = weights.input_format;
    let settings = lc0::Settings {
        threads: 1,
        ..lc0::Settings::default()
    };
    let backend = lc0::backend("lc0", weights, settings);
    println!(
        "| batch | `lc0` | {} |",
        peers
            .iter()
            .map(|peer| peer.name())
            .collect::<Vec<_>>()
            .join(" | ")
    );
    println!("|---|---|{}", "---|".repeat(peers.len()));
    for count in BATCHES {
        let questions = (0..count as u64)
            .map(Question::random)
            .collect::<Result<Vec<_>, _>>()?;
        let samples: Vec<Sample<'_, Chess>> = questions.iter().map(Question::sample).collect();
        let mut planes = vec![0.0; INPUTS * count];
        for (question, numbers) in questions.iter().zip(planes.as_chunks_mut::<INPUTS>().0) {
            let encoded = Planes::encode(&question.history, format, HistoryFill::FenOnly);
            encoded
                .ok_or("a history that cannot be encoded")?
                .write_to(numbers);
        }
        agree(&*backend, &samples, &mut peers, &planes)?;
        println!(
            "| {count} |{}",
            row(&*backend, &samples, &mut peers, &planes, repetitions)?
        );
    }
    Ok(())
}

/// Whether all say the same.
fn agree(
    backend: &dyn Backend<Chess>,
    samples: &[Sample<'_, Chess>],
    peers: &mut [Box<dyn Peer>],
    planes: &[f32],
) -> Result<(), Failure> {
    let answers = backend.evaluate(samples, Wanted::ALL)?;
    let mut first: Option<Outputs> = None;
    for peer in peers {
        let outputs = peer.run(planes, samples.len())?;
        for (answer, chances) in answers.iter().zip(outputs.value.as_chunks::<3>().0) {
            near(peer.name(), answer.q, chances[0] - chances[2])?;
            near(peer.name(), answer.d, chances[1])?;
        }
        let first = &first
            .get_or_insert(Outputs {
                value: Vec::new(),
                policy: outputs.policy.clone(),
            })
            .policy;
        if first.len() != outputs.policy.len() {
            return Err(format!(
                "{}: {} logits, not {}",
                peer.name(),
                outputs.policy.len(),
                first.len()
            )
            .into());
        }
        first
            .iter()
            .zip(&outputs.policy)
            .try_for_each(|(&a, &b)| near(peer.name(), a, b))?;
    }
    Ok(())
}

fn near(name: &str, a: f32, b: f32) -> Result<(), Failure> {
    // a NaN is near nothing
    if (a - b).abs() <= TOLERANCE {
        Ok(())
    } else {
        Err(format!("{name}: {b}, not {a}").into())
    }
}

/// Positions a second of all, in turn: the median, and in brackets the best.
fn row(
    backend: &dyn Backend<Chess>,
    samples: &[Sample<'_, Chess>],
    peers: &mut [Box<dyn Peer>],
    planes: &[f32],
    repetitions: usize,
) -> Result<String, Failure> {
    let passes = 256_usize.div_ceil(samples.len()).min(32);
    let mut times = vec![Vec::new(); 1 + peers.len()];
    for _ in 0..repetitions {
        times[0].push(seconds(passes, || {
            backend
                .evaluate(samples, Wanted::ALL)
                .map(|said| drop(black_box(said)))
        })?);
        for (peer, times) in peers.iter_mut().zip(&mut times[1..]) {
            times.push(seconds(passes, || {
                peer.run(planes, samples.len())
                    .map(|said| drop(black_box(said)))
            })?);
        }
    }
    let cell = |times: &mut Vec<f64>| {
        times.sort_by(f64::total_cmp);
        let [median, best] =
            [times[times.len() / 2], times[0]].map(|seconds| samples.len() as f64 / seconds);
        format!(" {median:.0} ({best:.0}) |")
    };
    Ok(times.iter_mut().map(cell).collect())
}

/// What one pass takes.
fn seconds<E: Into<Failure>>(
    passes: usize,
    mut work: impl FnMut() -> Result<(), E>,
) -> Result<f64, Failure> {
    let start = Instant::now();
    (0..passes).try_for_each(|_| work()).map_err(Into::into)?;
    Ok(start.elapsed().as_secs_f64() / passes as f64)
}
