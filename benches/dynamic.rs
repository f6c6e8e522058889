//! `taskset -c 1 cargo bench --bench dynamic [-- NETWORK/LEVEL/OPERATION ..]`: networks that are evaluated without compiling them, beside the same networks
//! compiled.
//!
//! Both have the same weights and the same positions, and give the same value for every one of them before anything is timed. They run in turn, each
//! with an uncounted pass before the counted one; times of sections are medians over the repetitions. See `benches/README.md`.

#[path = "support/samples.rs"]
mod samples;
mod support;
#[path = "support/turns.rs"]
mod turns;

use std::rc::Rc;

use nnue::stockfish::{SfnnSmall, Sfnnv5, Sfnnv9};
use nnue::{Architecture, Network, Parameters, dynamic};

use support::{
    Children, Forward, NetworkFile, Ours, Play, Plies, Refresh, Warm, Workload, best_and_avx2,
};
use turns::{measure, values};

nnue::nnue! {
    /// A usual first network.
    pub(crate) struct First = (768 -> 256)x2 @ 255 screlu -> (1: i16)x8 { format raw };
}

/// How often every workload runs. Without the argument `--bench`, which `cargo bench` passes, it is one, to test that everything works.
const REPETITIONS: usize = 31;

/// How many times longer a network that is not compiled may take.
const AIM: f64 = 1.5;

fn main() {
    let (options, wanted): (Vec<String>, Vec<String>) = std::env::args()
        .skip(1)
        .partition(|it| it.starts_with("--"));
    let repetitions = if options.iter().any(|option| option == "--bench") {
        REPETITIONS
    } else {
        1
    };
    let bench = Bench {
        play: Play::new(),
        repetitions,
        wanted,
    };
    println!("{repetitions} repetitions; ns per operation: medians\n");
    println!("| network/level/operation | compiled | dynamic | dynamic / compiled | aim {AIM} |");
    println!("|---|---|---|---|---|");
    bench.network("first", || Network::<First>::random(1));
    bench.network("sfnn_small", released::<SfnnSmall>("v9s"));
    bench.network("sfnnv5", released::<Sfnnv5>("v5"));
    bench.network("sfnnv9", released::<Sfnnv9>("v9"));
}

/// Reads the network of a generation.
fn released<A: Architecture>(generation: &str) -> impl Fn() -> Network<A> {
    move || {
        Network::from_bytes(&NetworkFile::of(generation).bytes)
            .expect("a network of this generation")
    }
}

/// What is measured: `nk`, all children of a position, a position after the cache has one of its kings' places, a position from nothing, the layers
/// alone.
const OPERATIONS: [&str; 5] = ["nk", "children", "warm", "refresh", "forward"];

/// What is measured, and how often.
struct Bench {
    play: Play,
    repetitions: usize,
    /// parts of `network/level/operation`; everything if there are none
    wanted: Vec<String>,
}

impl Bench {
    /// Measures the operations of a network that are wanted, on its levels.
    fn network<A: Architecture>(&self, name: &str, read: impl Fn() -> Network<A>) {
        for level in best_and_avx2() {
            let names = OPERATIONS.map(|operation| format!("{name}/{level}/{operation}"));
            let wanted = names.each_ref().map(|name| self.is_wanted(name));
            if !wanted.contains(&true) {
                continue;
            }
            let compiled = read().with_level(level);
            let described =
                dynamic::Network::from_tensors(const { &A::SPEC }, &compiled.params().tensors());
            let described = Rc::new(described.expect("no code of a program").with_level(level));
            let (compiled, described) = (
                self.workloads(&Rc::new(compiled)),
                self.workloads(&described),
            );
            for ((name, wanted), (compiled, described)) in names
                .iter()
                .zip(wanted)
                .zip(compiled.into_iter().zip(described))
            {
                if wanted {
                    self.compare(name, compiled, described);
                }
            }
        }
    }

    fn is_wanted(&self, name: &str) -> bool {
        self.wanted.is_empty() || self.wanted.iter().any(|text| name.contains(text))
    }

    /// The workloads of [`OPERATIONS`].
    fn workloads<N: Ours + 'static>(&self, network: &Rc<N>) -> [Box<dyn Workload>; 5] {
        let Play {
            normal,
            any,
            suite,
            families,
        } = &self.play;
        [
            Box::new(Plies::new(network, normal)),
            Box::new(Children::new(network, families)),
            Box::new(Warm::new(network, suite)),
            Box::new(Refresh::new(network, suite)),
            Box::new(Forward::new(network, any)),
        ]
    }

    /// Measures an operation and prints its row.
    ///
    /// # Panics
    ///
    /// If the values differ.
    fn compare(
        &self,
        name: &str,
        mut compiled: Box<dyn Workload>,
        mut described: Box<dyn Workload>,
    ) {
        assert!(
            values(&mut *described) == values(&mut *compiled),
            "{name}: the values differ"
        );
        let [compiled, described] = measure([&mut *compiled, &mut *described], self.repetitions);
        let ratio = described / compiled;
        let verdict = if ratio <= AIM { "reached" } else { "missed" };
        println!("| {name} | {compiled:.1} | {described:.1} | {ratio:.2} | {verdict} |");
    }
}
