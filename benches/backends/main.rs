//! `taskset -c 1 cargo bench --bench backends [-- --repetitions N] [WORD]`: what batches, caches, planes and coded policies cost; of groups with a word in
//! their names, or of all.
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
    let (repetitions, word) = match wanted(&arguments) {
        Ok(wanted) => wanted,
        Err(message) => {
            eprintln!("error: {message}");
            return ExitCode::from(2);
        }
    };
    println!(
        "{repetitions} repetitions; medians\n\n| group | way | ns | a second | x first | aim |\n|---|---|---|---|---|---|"
    );
    let network = networks::network();
    let groups: [fn(&networks::Sfnnv9) -> Group; 5] = [
        networks::unrelated_batches,
        networks::children,
        cached::group,
        |_| planes::group(),
        |_| coded::group(),
    ];
    for group in groups
        .iter()
        .map(|group| group(&network))
        .filter(|group| group.name().contains(word))
    {
        group.report(repetitions);
    }
    ExitCode::SUCCESS
}

/// The number of repetitions from the command line, and a word of the names of groups. Without the argument `--bench`, which `cargo bench` passes and
/// `cargo test --benches` does not, it is one repetition, to test that everything works.
fn wanted(arguments: &[String]) -> Result<(usize, &str), String> {
    let wanted: Vec<&str> = arguments
        .iter()
        .map(String::as_str)
        .filter(|&argument| argument != "--bench")
        .collect();
    let default = if wanted.len() == arguments.len() {
        1
    } else {
        REPETITIONS
    };
    let number = |number: &str| match number.parse() {
        Ok(repetitions) if repetitions > 0 => Ok(repetitions),
        _ => Err(format!("`{number}` is not a number of repetitions")),
    };
    match *wanted {
        [] => Ok((default, "")),
        ["--repetitions", repetitions] => Ok((number(repetitions)?, "")),
        ["--repetitions", repetitions, word] => Ok((number(repetitions)?, word)),
        [word] if !word.starts_with('-') => Ok((default, word)),
        _ => Err(format!(
            "expected `--repetitions N` and a word, found `{}`",
            wanted.join(" ")
        )),
    }
}
