//! How fast this machine compiles: limits of build times are those of a reference machine, times its factor.
//!
//! The factor is the processor time that the compiler takes for a fixed program, divided by that of the
//! reference machine. It is at least 1: a faster machine does not get less time.

use std::fmt::Write;
use std::process::Command;
use std::sync::OnceLock;

use crate::processor_time;
use crate::repo::{self, Failure, Outcome};

/// Seconds of processor time for the program on the reference machine: an AMD EPYC (Zen 5) of November 2026, on
/// which the README's first command took 76 s and `cargo test --workspace` 527 s. It was estimated on a machine
/// that takes 4.1 s, by the release build of nnue-runtime: 68 s there, 37 s on the reference machine.
const REFERENCE: f64 = 2.2;

/// Functions of the program.
const FUNCTIONS: usize = 8;

/// The factor of this machine, measured once.
pub(crate) fn factor() -> Outcome<f64> {
    static FACTOR: OnceLock<f64> = OnceLock::new();
    if let Some(factor) = FACTOR.get() {
        return Ok(*factor);
    }
    let measured = compile()?.min(compile()?);
    Ok(*FACTOR.get_or_init(|| (measured / REFERENCE).max(1.0)))
}

/// Compiles the program; seconds of processor time.
fn compile() -> Outcome<f64> {
    let folder = repo::target_dir().join("machine");
    repo::write(&folder.join("program.rs"), &program())?;
    let mut compiler = Command::new("rustc");
    compiler
        .args([
            "--edition",
            "2024",
            "-C",
            "opt-level=3",
            "--crate-type",
            "lib",
            "program.rs",
        ])
        .current_dir(&folder);
    let before = processor_time::of_children()?;
    repo::succeed(&mut compiler)?;
    let seconds = processor_time::of_children()? - before;
    if seconds > 0.0 {
        Ok(seconds)
    } else {
        Err(Failure::new("the compiler took no processor time"))
    }
}

/// A library of functions with maps, iterators and text.
fn program() -> String {
    let mut text = String::from("use std::collections::BTreeMap;\n");
    for number in 0..FUNCTIONS {
        // writing into a string does not fail
        let _ = write!(
            text,
            "pub fn f{number}(words: &[String]) -> Vec<(String, [u64; {size}])> {{
    let mut all: BTreeMap<String, [u64; {size}]> = BTreeMap::new();
    for (at, word) in words.iter().enumerate().filter(|(at, _)| at % {step} != 0) {{
        let sums = all.entry(word.trim().to_lowercase()).or_insert([0; {size}]);
        sums[at % {size}] += word.bytes().map(u64::from).sum::<u64>() * {step};
    }}
    let mut sorted: Vec<_> = all.into_iter().map(|(word, sums)| (format!(\"{{word}}{number}\"), sums)).collect();
    sorted.sort_by_key(|(word, sums)| (sums[0], word.len()));
    sorted
}}
",
            size = 3 + number % 29,
            step = 2 + number % 7,
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_program_is_the_same_each_time() {
        assert_eq!(program(), program());
        assert_eq!(program().matches("pub fn ").count(), FUNCTIONS);
    }
}
