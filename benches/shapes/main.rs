//! `taskset -c 1 cargo bench --bench shapes`: two network shapes of other engines, against what memory allows.
//!
//! A ply (`nk`) reads the rows that its move changes and the weights of the layers. *Replay* only reads, adds and stores those
//! rows, in plain loops, for both perspectives. *Bound* is replay followed by a read of the weights of the layers: either the cache
//! lines that meet inputs other than zero or all lines in order, whichever is faster. The aim is `nk` at most 1.25 times the bound.
//! See `benches/README.md`.

mod layers;
mod networks;
mod replay;
#[path = "../support/samples.rs"]
mod samples;
#[path = "../support/mod.rs"]
mod support;
#[path = "../support/turns.rs"]
mod turns;

use std::rc::Rc;

use nnue::{Architecture, AvailableLevel, Level};

use layers::LayerLines;
use networks::{FloatHead, Screlu, random};
use replay::Replay;
use support::{Forward, Play, Plies};
use turns::{measure, values};

/// How often every workload runs. Without the argument `--bench`, which `cargo bench` passes, it is one, to test that everything works.
const REPETITIONS: usize = 31;

/// The greatest ratio of a ply to its bound.
const AIM: f64 = 1.25;

/// With biases around this, 28 % of the blocks of products are not zero, as in the published SFNNv9.
const AS_TRAINED: i16 = -60;

fn main() {
    let (options, wanted): (Vec<String>, Vec<String>) = std::env::args()
        .skip(1)
        .partition(|it| it.starts_with("--"));
    let repetitions = if options.iter().any(|option| option == "--bench") {
        REPETITIONS
    } else {
        1
    };
    let play = Play::new();
    println!("{repetitions} repetitions; ns per ply: medians\n");
    shape::<Screlu>(&play, 0, repetitions, &wanted);
    shape::<FloatHead>(&play, AS_TRAINED, repetitions, &wanted);
    shape::<FloatHead>(&play, 0, repetitions, &wanted);
}

/// Measures a shape on the levels whose `network/level` contains one of the texts in `wanted`, or on all levels if there is none.
fn shape<A: Architecture>(play: &Play, bias: i16, repetitions: usize, wanted: &[String]) {
    let is_wanted = |level: &AvailableLevel| {
        let name = format!("{}/{level}", A::SPEC.name);
        level.level() != Level::Scalar
            && (wanted.is_empty() || wanted.iter().any(|text| name.contains(text)))
    };
    let levels: Vec<AvailableLevel> = Level::available().filter(is_wanted).collect();
    if levels.is_empty() {
        return;
    }
    let mut network = random::<A>(bias);
    let layers = &LayerLines::new(&network, &play.normal);
    let expected = values(&mut Plies::new(&Rc::new(network), &play.normal));
    headline::<A>(layers);
    for level in levels {
        network = random::<A>(bias);
        let network = Rc::new(network.with_level(level));
        let mut nk = Plies::new(&network, &play.normal);
        assert_eq!(values(&mut nk), expected, "{} on {level}", A::SPEC.name);
        let mut forward = Forward::new(&network, &play.normal);
        let mut replay = Replay::new(&network, &play.normal, |_, _| None);
        let with = |whole| {
            Replay::new(&network, &play.normal, move |run, ply| {
                Some(layers.read_by(run, ply, whole))
            })
        };
        let mut listed = with(false);
        let mut all = with(true);
        let [nk, replay, forward, listed, all] = measure(
            [&mut nk, &mut replay, &mut forward, &mut listed, &mut all],
            repetitions,
        );
        report(level, [nk, replay, forward, listed.min(all)]);
    }
}

fn headline<A: Architecture>(layers: &LayerLines) {
    let blocks = layers
        .nonzero()
        .map(|share| format!("; {:.0} % of the blocks are not zero", 100.0 * share));
    println!("{}", A::SPEC.notation);
    println!(
        "weights of layers that a ply reads: {} bytes{}\n",
        layers.bytes(),
        blocks.unwrap_or_default()
    );
    println!("| level | nk | replay | forward | bound | nk / bound | aim {AIM} |");
    println!("|---|---|---|---|---|---|---|");
}

fn report(level: AvailableLevel, [nk, replay, forward, bound]: [f64; 4]) {
    let ratio = nk / bound;
    let verdict = if ratio <= AIM { "reached" } else { "missed" };
    println!(
        "| {level} | {nk:.0} | {replay:.0} | {forward:.0} | {bound:.0} | {ratio:.2} | {verdict} |"
    );
}
