//! `taskset -c 1 cargo bench --bench rows [-- WIDTH/LEVEL ..]`: networks over lists of rows, beside the same networks over a feature set of
//! the program, and the same ones described at run time.
//!
//! A base has 40 active rows of 4096. Each of 256 candidates changes 10 % of them: two rows leave, two come. *fresh* computes a candidate from
//! scratch, *walk* pushes the change, evaluates and pops, *candidates* evaluates all of them in one call. All sides give the same values before
//! anything is timed. See `benches/README.md`.

mod networks;
#[path = "../support/samples.rs"]
mod samples;
mod sides;
#[path = "../support/mod.rs"]
mod support;
#[path = "../support/turns.rs"]
mod turns;

use nnue::game::Architecture;
use nnue::rows::Given;
use nnue::{Network, Parameters, dynamic};

use networks::{Held, Held256, Held1024, Listed256, Listed1024};
use sides::{Described, Lists, Sample, Typed};
use support::best_and_avx2;
use turns::{measure, values};

/// How often every workload runs. Without the argument `--bench`, which `cargo bench` passes, it is one, to test that everything works.
const REPETITIONS: usize = 31;

/// How many times as long a fresh evaluation is to take as a candidate.
const CHILDREN: f64 = 5.0;

/// How many times as long lists may take as a set of the program.
const LISTED: f64 = 1.03;

fn main() {
    let (options, wanted): (Vec<String>, Vec<String>) = std::env::args()
        .skip(1)
        .partition(|it| it.starts_with("--"));
    let is_measured = options.iter().any(|option| option == "--bench");
    let bench = Bench {
        sample: Sample::new(),
        repetitions: if is_measured { REPETITIONS } else { 1 },
        wanted,
    };
    println!(
        "{} repetitions; ns per evaluation: medians\naims: fresh / candidates at least {CHILDREN}, lists / set of the program at most {LISTED}\n",
        bench.repetitions
    );
    println!(
        "| width/level/operation | set of the program | lists | described | lists / set | fresh / this |"
    );
    println!("|---|---|---|---|---|---|");
    bench.width::<Listed256, Held256>("256");
    bench.width::<Listed1024, Held1024>("1024");
}

struct Bench {
    sample: Sample,
    repetitions: usize,
    /// parts of `width/level`; everything if there are none
    wanted: Vec<String>,
}

impl Bench {
    fn width<L, T>(&self, width: &str)
    where
        L: Architecture<Inputs = Given>,
        T: Architecture<Inputs = Held>,
    {
        for level in best_and_avx2() {
            let name = format!("{width}/{level}");
            let is_wanted = |text: &String| name.contains(text.as_str());
            if !self.wanted.is_empty() && !self.wanted.iter().any(is_wanted) {
                continue;
            }
            let listed = Network::<L>::random(1).with_level(level);
            let tensors = listed.params().tensors();
            let typed = networks::with_weights::<T>(&tensors).with_level(level);
            let described = dynamic::Network::from_tensors(const { &L::SPEC }, &tensors)
                .expect("no code of a program")
                .with_level(level);
            let typed = Typed::new(&typed, &self.sample);
            let lists = Lists::new(&listed, &self.sample);
            let described = Described::new(&described, &self.sample);
            let mut fresh = None;
            for (at, operation) in ["fresh", "walk", "candidates"].into_iter().enumerate() {
                let mut sides = [
                    typed.workload(at),
                    lists.workload(at),
                    described.workload(at),
                ];
                let [a, b, c] = sides.each_mut().map(|side| &mut **side);
                let expected = values(a);
                assert!(values(b) == expected, "{name}/{operation}: lists differ");
                assert!(
                    values(c) == expected,
                    "{name}/{operation}: the described network differs"
                );
                let [typed, lists, described] = measure([a, b, c], self.repetitions);
                let fresh = *fresh.get_or_insert(lists);
                println!(
                    "| {name}/{operation} | {typed:.1} | {lists:.1} | {described:.1} | {:.2} | {:.2} |",
                    lists / typed,
                    fresh / lists,
                );
            }
        }
    }
}
