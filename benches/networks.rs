//! `cargo bench --bench networks [-- FILTER]`: every declared network on every level of this processor.
//!
//! Names are `network/level/operation`, as in `sfnnv5/avx2/nk`. Times are per operation. See `benches/README.md`.

#[path = "support/sampling.rs"]
mod sampling;
mod support;

use std::cell::LazyCell;
use std::rc::Rc;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion};
use nnue::stockfish::{self, Visitor};
use nnue::{Architecture, AvailableLevel, Level, Network};

use support::{Forward, NetworkFile, Play, Plies, Record, Refresh, Workload};

/// Measures a network on all levels.
struct Measure<'a> {
    criterion: &'a mut Criterion,
    name: &'a str,
    play: &'a Play,
}

impl Visitor for Measure<'_> {
    type Output = ();

    fn visit<A: Architecture>(self) {
        let Self {
            criterion,
            name,
            play,
        } = self;
        let file = LazyCell::new(|| {
            let file = NetworkFile::of(generation(name));
            eprintln!("{name}: weights from {}", file.name);
            file
        });
        let prepared = |level: AvailableLevel| {
            let network =
                Network::<A>::from_bytes(&file.bytes).expect("a network of this generation");
            Rc::new(network.with_level(level))
        };
        let scalar =
            LazyCell::new(|| prepared(Level::Scalar.check().expect("every processor has it")));
        for level in Level::available() {
            let ours = LazyCell::new(|| prepared(level));
            let mut group = criterion.benchmark_group(format!("{name}/{level}"));
            let both = || [&*ours, &*scalar];
            operation(&mut group, "nk", || {
                both().map(|network| Plies::new(network, &play.normal))
            });
            operation(&mut group, "refresh", || {
                both().map(|network| Refresh::new(network, &play.suite))
            });
            operation(&mut group, "forward", || {
                both().map(|network| Forward::new(network, &play.any))
            });
            group.finish();
        }
    }
}

/// The generation whose file a declaration reads.
fn generation(declaration: &str) -> &str {
    match declaration.strip_prefix("sfnn") {
        Some("_small") | None => "v9s",
        Some("_small_255") => "v14s",
        Some("v14_1") => "v14.1",
        Some(generation) => generation,
    }
}

/// Measures the first of the two workloads from `make`, after comparing its values with those of the second.
///
/// They are made once, and only if the filter of the command line selects the operation, because criterion calls the body for every
/// sample.
fn operation<W: Workload>(
    group: &mut BenchmarkGroup<'_, WallTime>,
    name: &str,
    make: impl Fn() -> [W; 2],
) {
    let mut made: Option<W> = None;
    group.bench_function(name, |bencher| {
        let workload = made.get_or_insert_with(|| {
            let [mut ours, mut scalar] = make();
            let [mut found, mut expected] = [Record::default(), Record::default()];
            ours.pass(&mut found);
            scalar.pass(&mut expected);
            assert_eq!(found.values, expected.values, "a level differs from scalar");
            ours
        });
        sampling::sample(bencher, workload);
    });
}

fn main() {
    let play = Play::new();
    let criterion = &mut sampling::settings();
    for (name, _) in stockfish::ALL {
        stockfish::visit(
            name,
            Measure {
                criterion,
                name,
                play: &play,
            },
        );
    }
    criterion.final_summary();
}
