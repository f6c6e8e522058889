//! Runs each fuzz target for a short time, under AddressSanitizer.
//!
//! Targets are built with the flags of `cargo fuzz`, but without it, since compiling that program takes
//! longer than running the targets. Unlike there, each crate is compiled in several codegen units.

use std::process::Command;

use super::foreign::host;
use super::levels::FEW;
use super::shell::Shell;
use crate::repo::{self, Failure, Outcome};

const TIME: u32 = 20;

/// Coverage instrumentation for libFuzzer, and checks that release builds omit.
const FLAGS: &str = "--cfg fuzzing -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares -Zsanitizer=address -Cdebug-assertions -Coverflow-checks";

pub(super) fn targets() -> Outcome<Vec<String>> {
    let folder = repo::root().join("tests/fuzz/fuzz_targets");
    let entries = std::fs::read_dir(&folder)
        .map_err(|error| Failure::new(format!("{}: {error}", folder.display())))?;
    let name = |entry: std::fs::DirEntry| {
        Some(entry.file_name().to_str()?.strip_suffix(".rs")?.to_owned())
    };
    let mut names: Vec<String> = entries.flatten().filter_map(name).collect();
    names.sort();
    Ok(names)
}

/// Builds and runs a target with a fixed seed. Only a few levels are built: with all of them and sanitizers,
/// the kernels alone take four minutes to compile.
pub(super) fn run(shell: &Shell<'_>, target: &str) -> Outcome {
    let (host, folder) = (host()?, repo::target_dir().join("fuzz"));
    let mut build = Command::new("cargo");
    build.args([
        "+nightly",
        "build",
        "--release",
        "--locked",
        "--bins",
        "--manifest-path",
        "tests/fuzz/Cargo.toml",
        "--target",
        &host,
    ]);
    build
        .arg("--target-dir")
        .arg(&folder)
        .env("RUSTFLAGS", FLAGS)
        .env("NNUE_LEVELS", FEW)
        .current_dir(repo::root());
    shell.run(build)?;
    let mut fuzz = Command::new(folder.join(host).join("release").join(target));
    fuzz.args([
        "-seed=1".into(),
        format!("-max_total_time={TIME}"),
        "-rss_limit_mb=4096".into(),
    ]);
    fuzz.arg(format!("-artifact_prefix={}/", folder.display()))
        .current_dir(&folder);
    shell.run(fuzz)
}
