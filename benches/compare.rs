//! `taskset -c 1 cargo bench --bench compare [-- --repetitions N]`: how many times faster than the published crates?
//!
//! Every repetition runs all sides of a workload one after the other, each with an uncounted pass before the counted one. A pass
//! consists of sections of a microsecond or more. The time of a section is its median over the repetitions, and the time of a
//! workload is the sum over its sections, so that an interruption by another program does not count. Before anything is measured,
//! all sides must give the same value for every position. See `benches/README.md`.

mod peer;
#[path = "support/samples.rs"]
mod samples;
mod support;

use std::process::ExitCode;

use peer::Duel;
use samples::Samples;

/// The aim: how many times faster than the peer this project is to be.
const AIMS: [(&str, &str, f64); 7] = [
    ("sfnnv5", "nk", 5.0),
    ("sfnnv5", "refresh", 3.0),
    ("sfnnv9", "nk", 4.0),
    ("sfnnv9", "refresh", 3.0),
    ("sfnnv10", "nk", 3.0),
    ("768", "ply", 5.0),
    ("768", "forward", 5.0),
];

/// How often every side runs by default.
const REPETITIONS: usize = 31;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match repetitions(&arguments) {
        Ok(repetitions) => {
            compare(repetitions);
            ExitCode::SUCCESS
        }
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::from(2)
        }
    }
}

/// The number of repetitions from the command line. Without the argument `--bench`, which `cargo bench` passes and
/// `cargo test --benches` does not, it is one, to test that everything works.
fn repetitions(arguments: &[String]) -> Result<usize, String> {
    let wanted: Vec<&str> = arguments
        .iter()
        .map(String::as_str)
        .filter(|&argument| argument != "--bench")
        .collect();
    match *wanted {
        [] => Ok(if wanted.len() == arguments.len() {
            1
        } else {
            REPETITIONS
        }),
        ["--repetitions", number] => match number.parse() {
            Ok(repetitions) if repetitions > 0 => Ok(repetitions),
            _ => Err(format!("`{number}` is not a number of repetitions")),
        },
        _ => Err(format!(
            "expected `--repetitions N`, found `{}`",
            wanted.join(" ")
        )),
    }
}

fn compare(repetitions: usize) {
    println!(
        "{}, {repetitions} repetitions; ns per operation: medians (quartiles)",
        processor()
    );
    if let Some(cores) = allowed_cores().filter(|cores| cores.contains([',', '-'])) {
        println!(
            "warning: allowed on cores {cores}; pin the program to one (taskset -c 1) for numbers that repeat"
        );
    }
    println!(
        "\n| network | operations | side | ns | peer / this | aim |\n|---|---|---|---|---|---|"
    );
    let play = support::Play::new();
    for duels in peer::GROUPS {
        for mut duel in duels(&play) {
            report(&mut duel, repetitions);
        }
    }
}

/// Measures a duel and prints a row for each side.
fn report(duel: &mut Duel, repetitions: usize) {
    let mut samples: Vec<Samples> = duel.sides.iter().map(|_| Samples::default()).collect();
    for repetition in 0..repetitions {
        for turn in 0..duel.sides.len() {
            let at = (repetition + turn) % duel.sides.len();
            samples[at].add(&mut *duel.sides[at].workload);
        }
    }
    samples.iter_mut().for_each(Samples::sort);
    let Some(peer) = samples.last().map(|samples| samples.quantile(2)) else {
        return;
    };
    let aim = AIMS
        .iter()
        .find(|(network, operation, _)| (*network, *operation) == (duel.network, duel.operation));
    for (at, (side, samples)) in duel.sides.iter().zip(&samples).enumerate() {
        let [low, median, high] = [1, 2, 3].map(|quarter| samples.quantile(quarter));
        let ratio = peer / median;
        let verdict = match aim {
            Some((_, _, aim)) if at + 1 < duel.sides.len() => {
                format!(
                    "{aim}: {}",
                    if ratio >= *aim { "reached" } else { "missed" }
                )
            }
            _ => String::new(),
        };
        println!(
            "| {} ({}) | {} x {} | {} | {median:.1} ({low:.1}-{high:.1}) | {ratio:.2} | {verdict} |",
            duel.network, duel.weights, duel.operation, samples.operations, side.name
        );
    }
}

/// The name of the processor, from the system.
fn processor() -> String {
    field("/proc/cpuinfo", "model name").unwrap_or_else(|| std::env::consts::ARCH.to_owned())
}

/// The cores on which this process may run, as in `0-3`.
fn allowed_cores() -> Option<String> {
    field("/proc/self/status", "Cpus_allowed_list")
}

/// The value of the first line `name : value` of a file.
fn field(path: &str, name: &str) -> Option<String> {
    let text = std::fs::read_to_string(path).ok()?;
    let line = text.lines().find(|line| line.starts_with(name))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}
