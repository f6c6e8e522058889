//! Ranks items for users: trains a network over crossed features, quantises it and serves it, beside a linear model of the same features.
//!
//! ```console
//! $ cargo run --release -p nnue-train --example ranking [RECORDS [FOLDER]]
//! ```
//!
//! With FOLDER it writes the records there, `train.rows` and `held_out.rows`, for other programs: `benches/ranking/linear.py` trains linear models of
//! scikit-learn on them.
//!
//! The log is made up, and free of rights. Users have six attributes, items three, each with a taste of its own in eight dimensions. A click is likely if
//! the tastes of user and item agree, or if the item is popular. The model sees attributes and pairs of them, hashed into rows; tastes it does not see.
//!
//! A request is one user and 100 items: the base of a stack and 100 candidates, each of which adds the six rows of an item. `fresh` evaluates the same
//! positions one by one. The loss is the cross-entropy of held-out clicks, in nats. The linear model adds up one weight for each row (logistic regression, AdaGrad), from sums of the user and of the item.

use std::convert::Infallible;
use std::error::Error;
use std::fs;
use std::hint::black_box;
use std::num::NonZeroUsize;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use fastrand::Rng;
use nnue::Network;
use nnue::rows::{Candidate, RowsStack};
use nnue_data::rows::{CheckedRecord, RowsRecord};
use nnue_format::{Header, to_bytes};
use nnue_spec::graph::Graph;
use nnue_spec::plan::plan;
use nnue_train::batches::{Batches, Settings};
use nnue_train::features::{ListedRows, Meant};
use nnue_train::gradient::Gradient;
use nnue_train::initial::{Rule, draw};
use nnue_train::loss::{self, Loss, Objective};
use nnue_train::network;
use nnue_train::optimizer::{Adam, Limits, Optimizer};
use nnue_train::quantized::Quantized;
use nnue_train::schedule::Schedule;

/// Declares a network for the program, and as the text that is trained.
macro_rules! declare {
    ($($declaration:tt)*) => {
        nnue::nnue! { $($declaration)* }
        const DECLARED: &str = stringify!($($declaration)*);
    };
}

declare! {
    pub struct Ranker = rows[users: 4096, items: 2048, active 32] -> 64 -> 16 -> 1;
}

const USERS: u32 = 4096;
const ITEMS: u32 = 2048;

/// Different values of each attribute.
const OF_USER: [u32; 6] = [12, 30, 8, 5, 20, 7];
const OF_ITEM: [u32; 3] = [150, 25, 10];

const TASTES: usize = 8;
/// The value whose odds of a click are those of e to 1.
const SCALE: f64 = 400.0;
const PASSES: usize = 3;
const BATCH: usize = 1024;
const CANDIDATES: usize = 100;
const HELD_OUT: usize = 20_000;

/// What is not seen: the taste of every value of every attribute.
struct World {
    users: Vec<[f64; TASTES]>,
    items: Vec<[f64; TASTES]>,
    popularity: Vec<f64>,
}

struct Click {
    user: [u32; 6],
    item: [u32; 3],
    /// the logarithm of the odds of a click, which no model sees
    odds: f64,
    clicked: bool,
}

impl World {
    fn new(random: &mut Rng) -> Self {
        let mut tastes = |count: u32| -> Vec<[f64; TASTES]> {
            let mut taste = || [(); TASTES].map(|()| 2.0 * random.f64() - 1.0);
            (0..count).map(|_| taste()).collect()
        };
        Self {
            users: tastes(OF_USER.iter().sum()),
            items: tastes(OF_ITEM.iter().sum()),
            popularity: (0..OF_ITEM[0]).map(|_| random.f64() - 0.5).collect(),
        }
    }

    fn click(&self, random: &mut Rng) -> Click {
        let user = OF_USER.map(|values| random.u32(0..values));
        let item = OF_ITEM.map(|values| random.u32(0..values));
        let agreement: f64 = taste(&self.users, &user, &OF_USER)
            .iter()
            .zip(taste(&self.items, &item, &OF_ITEM))
            .map(|(user, item)| user * item)
            .sum();
        let odds = 1.2 * agreement + 2.0 * self.popularity[item[0] as usize] - 0.3;
        let clicked = random.f64() < 1.0 / (1.0 + (-odds).exp());
        Click {
            user,
            item,
            odds,
            clicked,
        }
    }
}

/// The sum of the tastes of all attributes.
fn taste(tastes: &[[f64; TASTES]], values: &[u32], counts: &[u32]) -> [f64; TASTES] {
    let (mut sum, mut first) = ([0.0; TASTES], 0);
    for (value, count) in values.iter().zip(counts) {
        let of_value = &tastes[(first + value) as usize];
        sum.iter_mut()
            .zip(of_value)
            .for_each(|(sum, taste)| *sum += taste);
        first += count;
    }
    sum
}

/// Rows of the attributes and of pairs of them, hashed into `count` rows from `first` on, each once.
fn rows(values: &[u32], first: u32, count: u32) -> Vec<u32> {
    let mut rows = Vec::new();
    for a in 0..values.len() {
        for b in a..values.len() {
            let pair = (a * values.len() + b) as u64;
            let key = (pair << 40) | (u64::from(values[a]) << 20) | u64::from(values[b]);
            let mixed = (key + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            rows.push(first + (mixed >> 40) as u32 % count);
        }
    }
    rows.sort_unstable();
    rows.dedup();
    rows
}

impl Click {
    fn user_rows(&self) -> Vec<u32> {
        rows(&self.user, 0, USERS)
    }

    fn item_rows(&self) -> Vec<u32> {
        rows(&self.item, USERS, ITEMS)
    }

    fn rows(&self) -> Vec<u32> {
        [self.user_rows(), self.item_rows()].concat()
    }

    /// The record as `nnue train` reads it.
    fn line(&self) -> String {
        let rows: Vec<String> = self.rows().iter().map(u32::to_string).collect();
        format!("{} | {}\n", rows.join(" "), u8::from(self.clicked))
    }

    fn record(&self) -> RowsRecord {
        RowsRecord::new(self.rows(), if self.clicked { 1.0 } else { 0.0 })
    }
}

/// Areas under the curve, of held-out records.
struct Areas {
    network: f64,
    linear: f64,
    /// of the probabilities that the clicks were drawn with
    best: f64,
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let count = arguments.next().map_or(Ok(400_000), |text| text.parse())?;
    let log = clicks(count);
    if let Some(folder) = arguments.next() {
        let (held_out, log) = log.split_at(HELD_OUT);
        for (name, clicks) in [("train.rows", log), ("held_out.rows", held_out)] {
            let lines: String = clicks.iter().map(Click::line).collect();
            fs::write(Path::new(&folder).join(name), lines)?;
        }
    }
    compare(&log).map(|_| ())
}

/// Held-out clicks, and as many as `count` to train on.
fn clicks(count: usize) -> Vec<Click> {
    let mut random = Rng::with_seed(1);
    let world = World::new(&mut random);
    (0..count + HELD_OUT)
        .map(|_| world.click(&mut random))
        .collect()
}

/// Trains both models on all clicks but those that are held out, measures how well they rank, and evaluates candidates with them.
fn compare(log: &[Click]) -> Result<Areas, Box<dyn Error>> {
    let (held_out, log) = log.split_at(HELD_OUT);
    let count = log.len();

    let begin = Instant::now();
    let network = Network::<Ranker>::from_bytes(&train(log)?)?;
    println!(
        "network   {count} records in {PASSES} passes: {:.0?}",
        begin.elapsed()
    );
    let begin = Instant::now();
    let linear = Linear::train(log);
    println!("linear    the same: {:.0?}", begin.elapsed());

    let mut listed = network.rows();
    let mut value = |click: &Click| -> f64 {
        listed.set(&click.rows()).expect("they were trained on");
        network.evaluate_listed(&listed).value.into()
    };
    let areas = Areas {
        network: area(held_out, &mut value),
        linear: area(held_out, |click| linear.sum(&click.rows()).into()),
        best: area(held_out, |click| click.odds),
    };
    let losses = [
        cross_entropy(held_out, |click| value(click) / SCALE),
        cross_entropy(held_out, |click| linear.sum(&click.rows()).into()),
        cross_entropy(held_out, |click| click.odds),
    ];
    println!("          area under the curve and loss, of {HELD_OUT} held-out records");
    println!("network   {:.3} {:.4}", areas.network, losses[0]);
    println!("linear    {:.3} {:.4}", areas.linear, losses[1]);
    println!(
        "at best   {:.3} {:.4}, by the probabilities that the clicks were drawn with",
        areas.best, losses[2]
    );
    serve(&network, &linear, held_out)?;
    Ok(areas)
}

/// `cargo test -p nnue-train --example ranking`
#[test]
fn both_models_rank_better_than_chance() {
    let areas = compare(&clicks(40_000)).expect("a network");
    for area in [areas.network, areas.linear] {
        assert!(area > 0.58, "{area} is not far above 0.5");
        assert!(area < areas.best, "{area} of {}", areas.best);
    }
}

/// Trains and quantises: the bytes of the network's file.
fn train(log: &[Click]) -> Result<Vec<u8>, Box<dyn Error>> {
    let graph: Graph = nnue_codegen::graph_text(DECLARED)
        .map_err(|errors| errors[0].message.clone())?
        .remove(0);
    let (plan, network) = (plan(&graph), network::Network::<f32>::new(&graph)?);
    let tables = plan.tables();
    let net = tables.descriptor();
    let encoder = ListedRows::new(&net, Meant::Expected)?;
    let loss = Loss {
        error: loss::Error::CrossEntropy,
        ..encoder.meant().loss(Loss::bullet(SCALE))
    };
    let objective = Objective::from(loss);
    let mut checker = encoder.checker(&objective, network.meaning());
    let mut records: Vec<CheckedRecord> = log
        .iter()
        .map(|click| checker.check(click.record()))
        .collect::<Result<_, _>>()?;
    let threads = thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let settings = Settings {
        size: BATCH.try_into()?,
        threads: NonZeroUsize::MIN,
        skip: 0,
    };
    let rate = Schedule::Cosine {
        start: 4e-3,
        end: 1e-5,
        steps: (PASSES * log.len().div_ceil(BATCH)) as u64,
    };
    let mut parameters = draw(&graph, Rule::Normal, 1);
    let (mut gradient, mut adam) = (
        Gradient::new(&network, threads),
        Adam::bullet(network.zeros()),
    );
    let (limits, mut random, mut step) = (Limits::of(&graph), Rng::with_seed(2), 0);
    for _ in 0..PASSES {
        random.shuffle(&mut records);
        let pass = records.clone().into_iter().map(Ok::<_, Infallible>);
        let mut batches = Batches::new(encoder.clone(), pass, settings);
        while let Some(batch) = batches.next_batch()? {
            gradient.compute(&network, &parameters, batch, &objective);
            adam.step(
                rate.at(step),
                &mut parameters,
                gradient.parameters(),
                threads,
            );
            limits.apply(&mut parameters);
            step += 1;
        }
    }
    let quantized = Quantized::new(&net, &parameters)?;
    Ok(to_bytes(
        &net,
        &Header::new(&net, "ranking"),
        &quantized.tensors().refs(),
    )?)
}

/// Logistic regression: a weight for each row.
struct Linear(Vec<f32>);

impl Linear {
    fn train(log: &[Click]) -> Self {
        let mut weights = vec![0.0_f32; (USERS + ITEMS) as usize];
        let mut squares = vec![1e-6_f32; weights.len()];
        for _ in 0..PASSES {
            for click in log {
                let rows = click.rows();
                let sum: f32 = rows.iter().map(|&row| weights[row as usize]).sum();
                let off = 1.0 / (1.0 + (-sum).exp()) - f32::from(u8::from(click.clicked));
                for row in rows {
                    let row = row as usize;
                    squares[row] += off * off;
                    weights[row] -= 0.05 * off / squares[row].sqrt();
                }
            }
        }
        Self(weights)
    }

    fn sum(&self, rows: &[u32]) -> f32 {
        rows.iter().map(|&row| self.0[row as usize]).sum()
    }
}

/// The mean cross-entropy of clicks, by the logarithm of their odds.
fn cross_entropy(records: &[Click], mut odds: impl FnMut(&Click) -> f64) -> f64 {
    let loss = |click: &Click| {
        let odds = odds(click);
        (if click.clicked { -odds } else { odds }).exp().ln_1p()
    };
    records.iter().map(loss).sum::<f64>() / records.len() as f64
}

/// The probability that a record with a click has a greater value than one without.
fn area(records: &[Click], mut value: impl FnMut(&Click) -> f64) -> f64 {
    let mut values: Vec<(f64, bool)> = records
        .iter()
        .map(|click| (value(click), click.clicked))
        .collect();
    values.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    let (mut below, mut pairs) = (0.0, 0.0);
    for same in values.chunk_by(|a, b| a.0 == b.0) {
        let clicks = same.iter().filter(|(_, clicked)| *clicked).count() as f64;
        let others = same.len() as f64 - clicks;
        pairs += clicks * (below + others / 2.0);
        below += others;
    }
    pairs / (below * (values.len() as f64 - below))
}

/// Requests a second, on one thread.
fn serve(
    network: &Network<Ranker>,
    linear: &Linear,
    clicks: &[Click],
) -> Result<(), Box<dyn Error>> {
    let users: Vec<Vec<u32>> = clicks.iter().take(500).map(Click::user_rows).collect();
    let items: Vec<Vec<u32>> = clicks
        .iter()
        .take(CANDIDATES)
        .map(Click::item_rows)
        .collect();
    let candidates: Vec<Candidate<'_>> =
        items.iter().map(|rows| Candidate::new(rows, &[])).collect();
    let (mut stack, mut values) = (RowsStack::<Ranker>::new(), Vec::new());
    let incremental = per_second(&users, |user| {
        stack.set(user).expect("rows of a user");
        let evaluated = stack.evaluate_candidates(network, &candidates, &mut values);
        evaluated.expect("rows of items");
        values.iter().map(|evaluation| evaluation.value).max()
    });
    let mut listed = network.rows();
    let fresh = per_second(&users, |user| {
        let value = |item: &Vec<u32>| {
            listed.set(&[user, item].concat()).expect("rows");
            network.evaluate_listed(&listed).value
        };
        items.iter().map(value).max()
    });
    let of_items: Vec<f32> = items.iter().map(|rows| linear.sum(rows)).collect();
    let added = per_second(&users, |user| {
        let base = linear.sum(user);
        of_items
            .iter()
            .map(|item| base + item)
            .max_by(f32::total_cmp)
    });
    println!("          requests of {CANDIDATES} items a second");
    println!("network   {incremental:.0} as candidates, {fresh:.0} fresh");
    println!("linear    {added:.0}");
    Ok(())
}

fn per_second<T>(users: &[Vec<u32>], mut request: impl FnMut(&[u32]) -> T) -> f64 {
    let (begin, mut requests) = (Instant::now(), 0);
    while begin.elapsed() < Duration::from_secs(1) {
        for user in users.iter().take(50) {
            black_box(request(black_box(user)));
            requests += 1;
        }
    }
    f64::from(requests) / begin.elapsed().as_secs_f64()
}
