//! The tests: natively, and their binaries on emulated processors.

use std::path::PathBuf;
use std::process::Command;

use super::foreign::Target;
use super::levels;
use super::shell::Shell;
use crate::repo::{self, Failure, Outcome};

/// Test suites of an emulated run.
#[derive(Clone, Copy)]
pub(super) enum Suite {
    Operations,
    /// networks with published vectors
    Conformance,
    /// networks of engines with random weights
    Engines,
    Own,
}

impl Suite {
    const fn arguments(self) -> &'static [&'static str] {
        match self {
            Self::Operations => &["--lib"],
            Self::Conformance => &["--test", "conformance"],
            Self::Engines => &["--test", "engines"],
            Self::Own => &[
                "--test",
                "behaviour",
                "--test",
                "floats",
                "--test",
                "own",
                "--test",
                "perspectives",
            ],
        }
    }
}

/// An emulated test run.
#[derive(Clone, Copy)]
pub(super) struct Emulated {
    pub(super) suites: &'static [Suite],
    pub(super) levels: &'static str,
    /// uses every n-th position and game for networks of engines, since emulation is slow
    pub(super) sample: u32,
    /// only tests whose names contain one of these
    pub(super) only: &'static [&'static str],
}

/// A folder of synthetic networks (2.7 GB), made natively and read by emulated processors.
pub(super) struct KeptNetworks(());

impl KeptNetworks {
    /// An empty folder, removed on drop.
    pub(super) fn new() -> Outcome<Self> {
        remove_kept();
        std::fs::create_dir_all(kept())
            .map_err(|error| Failure::new(format!("{}: {error}", kept().display())))?;
        Ok(Self(()))
    }
}

impl Drop for KeptNetworks {
    fn drop(&mut self) {
        remove_kept();
    }
}

pub(super) fn kept() -> PathBuf {
    repo::target_dir().join("synthetic")
}

/// Ignores errors: a leftover folder is no failure.
fn remove_kept() {
    let _ = std::fs::remove_dir_all(kept());
}

/// `cargo test` of the whole workspace on this processor.
pub(super) fn cargo_test(arguments: &str) -> Command {
    let mut command = repo::cargo();
    command
        .args(["test", "--workspace"])
        .args(arguments.split(' '))
        .env("NNUE_SYNTHETIC", kept());
    command
}

/// Tests optional features of `nnue`, which the README's commands are built without, and tables of rescored
/// positions.
pub(super) fn of_features(shell: &Shell<'_>) -> Outcome {
    let mut tests = with_features();
    tests.args(["--no-fail-fast", "--"]);
    tests.args([
        "backends", "import", "graphs", "plot", "rescore", "tables", "train",
    ]);
    tests.args(of_trainer()?);
    shell.run(tests)
}

/// The names of all tests of the trainer's command begin with these.
fn of_trainer() -> Outcome<Vec<String>> {
    let folder = repo::root().join("crates/cli/tests/train");
    let failure = |error| Failure::new(format!("{}: {error}", folder.display()));
    let entries = std::fs::read_dir(&folder).map_err(failure)?.flatten();
    let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    let modules = names.filter_map(|name| Some(format!("{}::", name.strip_suffix(".rs")?)));
    Ok(modules.filter(|module| module != "main::").collect())
}

/// The whole workspace, and always the same tests: for one package, or for other tests, cargo would recompile dependencies with
/// other features.
pub(crate) fn with_features() -> Command {
    let mut tests = repo::cargo();
    tests.env("NNUE_LEVELS", levels::common().join(",")); // as `tests` has built them
    tests.args(["test", "--workspace", "--features", "nnue-data/arrow"]);
    for feature in ["graphs", "backends", "png", "rescore", "arrow", "train"] {
        tests.arg("--features").arg(format!("nnue-cli/{feature}"));
    }
    tests.args(["--features", "nnue-testkit-macros/commands"]); // what macros use too is compiled once
    tests.arg("--bins");
    for test in ["cli", "rescore", "suite", "train"] {
        tests.args(["--test", test]);
    }
    tests
}

/// Another engine evaluates the graphs that tests read and that the command writes.
pub(super) fn engine(shell: &Shell<'_>) -> Outcome {
    // Tests of the command are in the build, so the command is too, with the same features.
    let mut build = with_features();
    build.args(["--quiet", "--no-run"]);
    shell.run(build)?;
    let mut engine = Command::new(repo::target_dir().join("venv-engine/bin/python"));
    engine
        .arg("tests/import/engine.py")
        .arg(repo::target_dir().join("debug/nnue"))
        .current_dir(repo::root());
    shell.run(engine)
}

/// Runs everything on the common levels; none of them may be skipped.
pub(super) fn all(shell: &Shell<'_>) -> Outcome {
    let (mut tests, levels) = (cargo_test("--no-fail-fast"), levels::common().join(","));
    tests
        .env("NNUE_LEVELS", &levels)
        .env("NNUE_REQUIRE_LEVELS", levels);
    shell.run(tests)
}

/// Runs kernels and networks on all levels of this processor, none of which may be skipped.
pub(super) fn on_all_levels(shell: &Shell<'_>) -> Outcome {
    const SUITES: &str = "--no-fail-fast --lib --test behaviour --test conformance --test engines --test floats --test own --test perspectives";
    let mut tests = cargo_test(SUITES);
    tests.env("NNUE_REQUIRE_LEVELS", levels::native().join(","));
    shell.run(tests)
}

/// Runs the test binaries on an older x86 processor. Exactly its levels must be found, no instruction of a
/// higher level may be executed (it would end the program), and networks must give the native values.
pub(super) fn on_x86(shell: &Shell<'_>, cpu: &str, run: Emulated) -> Outcome {
    let mut tests = cargo_test("--no-fail-fast");
    tests.env(
        "CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER",
        format!("qemu-x86_64-static -cpu {cpu}"),
    );
    tests
        .env_remove("NNUE_NETS")
        .env_remove("NNUE_BULLET_NETS")
        .env_remove("NNUE_ENGINE_NETS")
        .env_remove("NNUE_MONTY_NETS");
    shell.run(run.choose(tests))
}

/// The same for another kind of processor. Suites of networks always run with both packages: with one alone, cargo would recompile
/// shared code with other features. Operations need no macro.
pub(super) fn on_target(shell: &Shell<'_>, target: Target, run: Emulated) -> Outcome {
    let tests = || {
        let mut command = target.cargo("test")?;
        command.args(["-p", "nnue-runtime"]);
        if !matches!(run.suites, [Suite::Operations]) {
            command.args(["-p", "nnue"]);
        }
        command
            .env("NNUE_SYNTHETIC", kept())
            .env_remove("NNUE_ENGINE_NETS"); // another program decompresses them
        Ok(command)
    };
    let detection = Emulated {
        suites: &[Suite::Operations],
        only: &["supports_required_levels"],
        ..run
    };
    shell.run(detection.choose(tests()?))?;
    let mut all = tests()?;
    all.arg("--no-fail-fast");
    shell.run(run.choose(all))
}

impl Emulated {
    fn choose(self, mut command: Command) -> Command {
        command
            .args(self.suites.iter().flat_map(|suite| suite.arguments()))
            .arg("--")
            .args(self.only);
        command
            .env("NNUE_REQUIRE_LEVELS", self.levels)
            .env("NNUE_SAMPLE", self.sample.to_string());
        command
    }
}
