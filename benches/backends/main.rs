//! `taskset -c 1 cargo bench --bench backends [-- --repetitions N]`: what batches, caches, planes and coded policies cost.
//!
//! Every repetition runs all ways of a group one after the other; the time of a way is its median. Before anything is measured, all ways of a
//! group that give values must give the same ones. Networks are synthetic unless `NNUE_NETS` names a folder with the released ones.

mod cached;
mod coded;
#[path = "../support/files.rs"]
mod files;
mod games;
mod group;
mod networks;
mod planes;

use std::process::ExitCode;

use group::Group;

/// How often every way runs by default.
const REPETITIONS: usize = 21;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let repetitions = match repetitions(&arguments) {
        Ok(repetitions) => repetitions,
        Err(message) => {
            eprintln!("error: {message}");
            return ExitCode::from(2);
        }
    };
    println!(
        "{repetitions} repetitions; medians\n\n| group | way | ns | a second | x first | aim |\n|---|---|---|---|---|---|"
    );
    let network = networks::network();
    let groups: [fn(&networks::Sfnnv9) -> Group; 5] =
        [networks::unrelated_batches, networks::children, cached::group, |_| planes::group(), |_| coded::group()];
    for group in groups {
        group(&network).report(repetitions);
    }
    ExitCode::SUCCESS
}

/// The number of repetitions from the command line. Without the argument `--bench`, which `cargo bench` passes and
/// `cargo test --benches` does not, it is one, to test that everything works.
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
