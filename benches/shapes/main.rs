//! `taskset -c 1 cargo bench --bench shapes`: two shapes of engines in the wild, against what their memory allows.
//!
//! A ply (`nk`) reads the rows that its move changes and the weights of the layers. *Replay* does the first and nothing else:
//! plain loops over the real rows, for both perspectives. *Bound* is the time of reading as many bytes of layer weights as a forward
//! pass reads, from the cache in which they lie. The aim is `nk` at most 1.25 times the sum of both. See `benches/README.md`.

mod networks;
mod replay;
#[path = "../support/samples.rs"]
mod samples;
#[path = "../support/mod.rs"]
#[allow(dead_code, unused_imports, reason = "other benches use more of it")]
mod support;

use std::rc::Rc;

use nnue::{Architecture, AvailableLevel, Level, Network};

use networks::{FloatHead, Screlu, random};
use replay::{ReadLayers, Replay};
use samples::Samples;
use support::{Forward, Play, Plies, Record, Workload};

/// How often every workload runs; `cargo bench` says `--bench`, and without it one shows that everything works.
const REPETITIONS: usize = 31;

/// The greatest ratio of a ply to replay and bound.
const AIM: f64 = 1.25;

fn main() {
    let (options, wanted): (Vec<String>, Vec<String>) = std::env::args().skip(1).partition(|it| it.starts_with("--"));
    let repetitions = if options.iter().any(|option| option == "--bench") { REPETITIONS } else { 1 };
    let play = Play::new();
    println!("{repetitions} repetitions; ns per ply: medians\n");
    println!("| network | level | nk | replay | forward | bound | nk / (replay + bound) | aim {AIM} |");
    println!("|---|---|---|---|---|---|---|---|");
    shape::<Screlu>(&play, repetitions, &wanted);
    shape::<FloatHead>(&play, repetitions, &wanted);
}

/// Measures a shape on the levels whose `network/level` holds one of the texts that are `wanted`; on all of them for none.
fn shape<A: Architecture>(play: &Play, repetitions: usize, wanted: &[String]) {
    let is_wanted = |level: &AvailableLevel| {
        let name = format!("{}/{level}", A::SPEC.name);
        level.level() != Level::Scalar && (wanted.is_empty() || wanted.iter().any(|text| name.contains(text)))
    };
    let mut network = random::<A>();
    let expected = values(&mut Plies::new(&Rc::new(network), &play.normal));
    for level in Level::available().filter(is_wanted) {
        network = random::<A>();
        let network = Rc::new(network.with_level(level));
        let mut nk = Plies::new(&network, &play.normal);
        assert_eq!(values(&mut nk), expected, "{} on {level}", A::SPEC.name);
        let mut forward = Forward::new(&network, &play.normal);
        let mut replay = Replay::new(&network, &play.normal);
        let mut read = ReadLayers::new(&network, play);
        let medians = measure([&mut nk, &mut replay, &mut forward, &mut read], repetitions);
        report::<A>(&network, medians);
    }
}

/// The values of a pass.
fn values(workload: &mut impl Workload) -> Vec<i32> {
    let mut record = Record::default();
    workload.pass(&mut record);
    record.values
}

/// Nanoseconds per operation: all workloads in turn, again and again.
fn measure<const N: usize>(mut workloads: [&mut dyn Workload; N], repetitions: usize) -> [f64; N] {
    let mut samples: [Samples; N] = std::array::from_fn(|_| Samples::default());
    for _ in 0..repetitions {
        samples.iter_mut().zip(&mut workloads).for_each(|(samples, workload)| samples.add(&mut **workload));
    }
    samples.map(|mut samples| {
        samples.sort();
        samples.quantile(2)
    })
}

fn report<A: Architecture>(network: &Network<A>, [nk, replay, forward, bound]: [f64; 4]) {
    let ratio = nk / (replay + bound);
    let verdict = if ratio <= AIM { "reached" } else { "missed" };
    println!(
        "| {} | {} | {nk:.0} | {replay:.0} | {forward:.0} | {bound:.0} | {ratio:.2} | {verdict} |",
        A::SPEC.notation,
        network.level()
    );
}
