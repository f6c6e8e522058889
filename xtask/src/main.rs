//! Chores of the workspace: `cargo xtask <chore>`.
//!
//! `cargo xtask check` runs the checks of CI. Most other chores are parts of it; `bless` rewrites expected
//! outputs.
#![forbid(unsafe_code)]

mod asm_check;
mod bless;
mod build_times;
mod ci;
mod circles;
#[cfg(test)]
mod compiled_once;
#[cfg(test)]
mod docs;
mod engine_build;
mod errors;
#[cfg(test)]
mod limits;
mod machine;
mod packages;
mod processor_time;
mod readme;
mod release;
mod repo;
mod stations;
mod ui_coverage;

use std::process::ExitCode;

use repo::Outcome;

/// A chore: its name, a one-line description, and the function.
struct Chore {
    name: &'static str,
    about: &'static str,
    run: fn(&[String]) -> Outcome,
}

const CHORES: &[Chore] = &[
    Chore {
        name: "check",
        about: "everything that CI checks (.ci/run), or the checks named",
        run: check,
    },
    Chore {
        name: "ci",
        about: "the same, without what .ci/run says of the machine",
        run: ci::run,
    },
    Chore {
        name: "nightly",
        about: "the checks that CI leaves out: other processors, fuzzing, long games (docs/testing.md)",
        run: nightly,
    },
    Chore {
        name: "readme",
        about: "write README.md from src/lib.rs; --check: only compare",
        run: readme::run,
    },
    Chore {
        name: "errors",
        about: "write docs/errors.md from tests/ui; --check: only compare",
        run: errors::run,
    },
    Chore {
        name: "ui-coverage",
        about: "every diagnostic has its test in tests/ui",
        run: ui_coverage::run,
    },
    Chore {
        name: "circles",
        about: "no file of a crate leads back to itself through what it uses",
        run: circles::run,
    },
    Chore {
        name: "stations",
        about: "how many files name an operation, a set or a form; --files: which",
        run: stations::run,
    },
    Chore {
        name: "asm-check",
        about: "kernels contain their instructions and no calls",
        run: asm_check::run,
    },
    Chore {
        name: "build-times",
        about: "what declared networks add to a build; --all: builds of this repository too",
        run: build_times::run,
    },
    Chore {
        name: "engine-build",
        about: "what nnue adds to the build of an engine, from an empty folder",
        run: engine_build::run,
    },
    Chore {
        name: "packages",
        about: "the packages of the published crates are whole",
        run: packages::run,
    },
    Chore {
        name: "release",
        about: "make everything that a release consists of; --draft: from any tree",
        run: release::run,
    },
    Chore {
        name: "bless",
        about: "rewrite README.md, docs/errors.md and the expected outputs of tests",
        run: bless::run,
    },
];

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let Some(chore) = args
        .first()
        .and_then(|name| CHORES.iter().find(|chore| chore.name == name))
    else {
        usage();
        return ExitCode::from(2);
    };
    match (chore.run)(&args[1..]) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("xtask {}: {failure}", chore.name);
            ExitCode::FAILURE
        }
    }
}

fn usage() {
    eprintln!("usage: cargo xtask <chore>\n");
    for chore in CHORES {
        eprintln!("  {:<12} {}", chore.name, chore.about);
    }
}

fn check(names: &[String]) -> Outcome {
    repo::succeed(
        std::process::Command::new("bash")
            .arg(".ci/run")
            .args(names)
            .current_dir(repo::root()),
    )
}

fn nightly(names: &[String]) -> Outcome {
    let mut arguments = vec!["--nightly".to_owned()];
    arguments.extend_from_slice(names);
    check(&arguments)
}
