//! `taskset -c 1 cargo bench --bench compare [-- --repetitions N]`: how many times faster than the published crates?
//!
//! Every repetition runs all sides of a workload one after the other, each with an uncounted pass before the counted
//! one; the ratios are those of the medians. Before that, all sides have given the same value for every position.
//! See `benches/README.md`.

mod peer;
mod support;

use std::process::ExitCode;

use peer::{Duel, Side};

/// How many times faster than the peer this project wants to be.
const AIMS: [(&str, &str, f64); 6] = [
    ("sfnnv5", "nk", 5.0),
    ("sfnnv5", "refresh", 3.0),
    ("sfnnv9", "nk", 4.0),
    ("sfnnv9", "refresh", 3.0),
    ("768", "ply", 5.0),
    ("768", "forward", 5.0),
];

/// How often every side runs, unless the command line says otherwise.
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

/// The number of repetitions that the command line asks for. `cargo bench` says `--bench`; without it, as in
/// `cargo test --benches`, one shows that everything works.
fn repetitions(arguments: &[String]) -> Result<usize, String> {
    let wanted: Vec<&str> = arguments.iter().map(String::as_str).filter(|&argument| argument != "--bench").collect();
    match *wanted {
        [] => Ok(if wanted.len() == arguments.len() { 1 } else { REPETITIONS }),
        ["--repetitions", number] => match number.parse() {
            Ok(repetitions) if repetitions > 0 => Ok(repetitions),
            _ => Err(format!("`{number}` is not a number of repetitions")),
        },
        _ => Err(format!("expected `--repetitions N`, found `{}`", wanted.join(" "))),
    }
}

fn compare(repetitions: usize) {
    println!("{}, {repetitions} repetitions; ns per operation: median (quartiles)", processor());
    if let Some(cores) = allowed_cores().filter(|cores| cores.contains([',', '-'])) {
        println!("warning: allowed on cores {cores}; pin the program to one (taskset -c 1) for numbers that repeat");
    }
    println!("\n| network | operations | side | ns | peer / this | aim |\n|---|---|---|---|---|---|");
    let play = support::Play::new();
    for duels in peer::GROUPS {
        for mut duel in duels(&play) {
            report(&mut duel, repetitions);
        }
    }
}

/// Measures a duel and prints a row for each side.
fn report(duel: &mut Duel, repetitions: usize) {
    let mut samples = vec![Vec::new(); duel.sides.len()];
    let mut operations = 0;
    for repetition in 0..repetitions {
        for turn in 0..duel.sides.len() {
            let at = (repetition + turn) % duel.sides.len();
            let (time, count) = measure(&mut duel.sides[at]);
            samples[at].push(time);
            operations = count;
        }
    }
    samples.iter_mut().for_each(|samples| samples.sort_unstable_by(f64::total_cmp));
    let Some(peer) = samples.last().map(|samples| quantile(samples, 2)) else { return };
    let aim = AIMS.iter().find(|(network, operation, _)| (*network, *operation) == (duel.network, duel.operation));
    for (at, (side, samples)) in duel.sides.iter().zip(&samples).enumerate() {
        let [low, median, high] = [1, 2, 3].map(|quarter| quantile(samples, quarter));
        let ratio = peer / median;
        let verdict = match aim {
            Some((_, _, aim)) if at + 1 < duel.sides.len() => {
                format!("{aim}: {}", if ratio >= *aim { "reached" } else { "missed" })
            }
            _ => String::new(),
        };
        println!(
            "| {} ({}) | {} x {operations} | {} | {median:.1} ({low:.1}-{high:.1}) | {ratio:.2} | {verdict} |",
            duel.network, duel.weights, duel.operation, side.name
        );
    }
}

/// Nanoseconds per operation of one pass, and how many operations that were. A pass before it brings the weights back
/// into the caches, from which the other sides pushed them.
fn measure(side: &mut Side) -> (f64, usize) {
    let mut values = Vec::new();
    side.workload.pass(&mut values);
    let time = side.workload.pass(&mut values);
    (time.as_nanos() as f64 / values.len() as f64, values.len())
}

/// The value below which `quarter` quarters of `sorted` lie.
fn quantile(sorted: &[f64], quarter: usize) -> f64 {
    sorted[quarter * (sorted.len() - 1) / 4]
}

/// What the system says that the processor is.
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
