//! All checks, in starting order. `docs/testing.md` describes each, and says which are nightly.

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use super::check::{Check, Room};
use super::foreign::Target;
use super::needs::Need;
use super::shell::Shell;
use super::suites::{self, Emulated, Suite};
use super::{build_modes, c, datafusion, fuzz, header, levels, programs, python, source, stranger};
use crate::build_times::{ALL_TESTS, FIRST_COMMAND, Limit};
use crate::machine;
use crate::repo::{self, Outcome};

const NATIVE: &[Room] = &[Room::Native];
const MACHINE: &[Room] = &[Room::Machine];
const BUILD_MODES: &[Room] = &[Room::Native, Room::Aarch64];
/// A program for another processor, and the command for this one
const BOTH: &[Room] = &[Room::Elsewhere, Room::Native];

/// Published files that the tests use if available.
const PUBLISHED: &[Need] = &[
    Need::Networks,
    Need::EngineNetworks,
    Need::MontyNetworks,
    Need::Lc0Networks,
    Need::Graphs,
    Need::Data,
    Need::Policies,
];

const CONFORMANCE: &[Suite] = &[Suite::Conformance];
const OPERATIONS: &[Suite] = &[Suite::Operations];
const OPERATIONS_AND_CONFORMANCE: &[Suite] = &[Suite::Operations, Suite::Conformance];
const ENGINES_AND_OWN: &[Suite] = &[Suite::Engines, Suite::Own];
const NETWORKS: &[Suite] = &[Suite::Conformance, Suite::Engines, Suite::Own];

pub(super) fn checks() -> Vec<Check> {
    let groups = [
        sources(),
        fuzzing(),
        machine_code(),
        vec![default_features()],
        measured(),
        on_wasm(), // early, beside those of this processor: node runs tests one after the other
        natively(),
        older_processors(),
        on_aarch64(),
        programs(),
        of_built(),
    ];
    groups.into_iter().flatten().collect()
}

/// Checks that read the source or compile it without generating code.
fn sources() -> Vec<Check> {
    vec![
        Check::new("format", &[], |shell| {
            shell.run(cargo("fmt --all --check"))?;
            shell.run(programs::format_check("benches/lc0"))
        }),
        Check::new("paths", &[], source::no_foreign_paths),
        Check::new("readme", &[], |shell| shell.run(chore("readme --check"))),
        Check::new("errors", &[], |shell| shell.run(chore("errors --check"))),
        Check::new("licences", &[], source::licences),
        Check::new("packages", &[], |shell| shell.run(chore("packages"))),
        Check::new("ui-coverage", &[], |shell| shell.run(chore("ui-coverage"))),
        Check::new("circles", &[], |shell| {
            shell.run(chore("circles"))?;
            shell.run(chore("stations"))
        }),
        Check::new("clippy", NATIVE, |shell| {
            shell.run(cargo(
                "clippy --quiet --workspace --all-targets --all-features -- -D warnings",
            ))
        }),
        Check::new("features", NATIVE, source::features),
        Check::new("header", &[], header::run).needs(&[Need::Cbindgen]),
        Check::new("docs", NATIVE, |shell| {
            let mut docs = cargo("doc --quiet --workspace --all-features --no-deps");
            docs.env("RUSTDOCFLAGS", "-D warnings");
            shell.run(docs)
        }),
    ]
}

fn natively() -> Vec<Check> {
    vec![
        Check::new("build-modes", BUILD_MODES, |shell| {
            build_modes::natively(shell)?;
            build_modes::on_target(shell, Target::Aarch64("max"), "neoni8mm")
        })
        .needs(&[Need::Aarch64])
        .nightly(),
        Check::new("tests-of-features", NATIVE, suites::of_features).after(&["tests"]),
        Check::new("all-levels", NATIVE, suites::on_all_levels)
            .levels("natively", &levels::native().join(","))
            .wants(PUBLISHED)
            .after(&["tests-of-features"])
            .nightly(),
        Check::new("onnxruntime", NATIVE, suites::engine)
            .needs(&[Need::Engine])
            .after(&["tests-of-features"])
            .nightly(),
        Check::new("million-plies", NATIVE, |shell| {
            const SUITES: &str = "--lib --test pairs --test policy --test nnue --test cache";
            shell.run(suites::cargo_test(&format!(
                "{SUITES} -- --ignored --nocapture million_plies thousand_times"
            )))
        })
        .nightly(),
        Check::new("million-changes", NATIVE, |shell| {
            shell.run(suites::cargo_test(
                "--test own --test c -- --ignored --nocapture million_changes",
            ))
        })
        .after(&["tests"])
        .nightly(),
        Check::new("kernels", NATIVE, |shell| {
            let mut tests = suites::cargo_test("--test gradients -- nvrtc");
            tests.env(
                "NNUE_NVRTC",
                repo::target_dir().join("nvrtc/libnvrtc.so.12"),
            );
            shell.run(tests)?;
            if !Path::new("/dev/nvidia0").exists() {
                shell.say("there is no GPU to run them");
                return Ok(());
            }
            let mut on_gpu = cargo("test -p nnue-train --features cuda --test gradients gpu");
            on_gpu.env("LD_LIBRARY_PATH", repo::target_dir().join("nvrtc"));
            shell.run(on_gpu)
        })
        .needs(&[Need::Nvrtc])
        .after(&["tests"])
        .nightly(),
        Check::new("benches", NATIVE, |shell| {
            let mut benches = suites::cargo_test("--bench *");
            benches.env("NNUE_SAMPLE", "10");
            shell.run(benches)
        })
        .nightly(),
    ]
}

/// Older x86 processors. Networks are tested on every tenth position and game; native runs test all.
fn older_processors() -> Vec<Check> {
    const KERNELS: &[&str] = &["simd::", "kernel::", "sfnn"];
    const SMALL: &[&str] = &["simd::", "kernel::", "sfnn_small"];
    let processors = [
        ("emulated-haswell", "Haswell", "scalar,sse41,avx2", KERNELS),
        ("emulated-nehalem", "Nehalem", "scalar,sse41", KERNELS),
        ("emulated-penryn", "Penryn", "scalar,sse41", SMALL),
        ("emulated-qemu64", "qemu64", "scalar", KERNELS),
    ];
    let check = |(name, cpu, levels, only): (&str, &'static str, &'static str, &'static [&str])| {
        let run = Emulated {
            suites: OPERATIONS_AND_CONFORMANCE,
            levels,
            sample: 10,
            only,
        };
        // Their programs are built by then: cargo only checks that they are up to date.
        let check = Check::new(name, &[], move |shell| suites::on_x86(shell, cpu, run));
        check
            .levels(&format!("emulated {cpu}"), levels)
            .needs(&[Need::Qemu])
            .after(&["tests"])
            .nightly()
    };
    processors.map(check).into()
}

/// Runs tests on other targets, with networks made natively.
fn suites_on(
    name: &'static str,
    target: Target,
    place: &str,
    needs: &'static [Need],
    run: Emulated,
) -> Check {
    let check = Check::new(name, target.rooms(), move |shell| {
        suites::on_target(shell, target, run)
    });
    check
        .levels(place, run.levels)
        .needs(needs)
        .after(&["tests"])
}

fn on_aarch64() -> Vec<Check> {
    const MAX: &str = "scalar,neon,neondotprod,neoni8mm";
    const N1: &str = "scalar,neon,neondotprod";
    const A53: &str = "scalar,neon";
    const SMALL: &[&str] = &["simd::", "kernel::", "sfnn_small"];
    const PAIRS: &[&str] = &["sfnnv16"];
    let runs = [
        ("aarch64-max", "max", MAX, OPERATIONS, 1, &[] as &[&str]),
        ("aarch64-max-networks", "max", MAX, CONFORMANCE, 20, &[]),
        ("aarch64-max-own", "max", MAX, ENGINES_AND_OWN, 1, &[]),
        (
            "aarch64-n1",
            "neoverse-n1",
            N1,
            OPERATIONS_AND_CONFORMANCE,
            1,
            SMALL,
        ),
        (
            "aarch64-n1-pairs",
            "neoverse-n1",
            N1,
            CONFORMANCE,
            20,
            PAIRS,
        ),
        (
            "aarch64-a53",
            "cortex-a53",
            A53,
            OPERATIONS_AND_CONFORMANCE,
            1,
            SMALL,
        ),
        (
            "aarch64-a53-pairs",
            "cortex-a53",
            A53,
            CONFORMANCE,
            20,
            PAIRS,
        ),
    ];
    let check = |(name, cpu, levels, suites, sample, only)| {
        let run = Emulated {
            suites,
            levels,
            sample,
            only,
        };
        suites_on(
            name,
            Target::Aarch64(cpu),
            &format!("emulated {cpu}"),
            &[Need::Aarch64],
            run,
        )
    };
    // One run of NEON before each change lands, on the processor that has all of its levels: operations, kernels, small networks
    // written by hand. Whole networks are made of the same code for every level.
    let pace = |check: Check| match &*check.name {
        "aarch64-max" => check,
        _ => check.nightly(),
    };
    runs.into_iter().map(check).map(pace).collect()
}

fn on_wasm() -> Vec<Check> {
    const SIMD: Target = Target::Wasm("+simd128");
    const LEVELS: &str = "scalar,simd128";
    let run = |suites, sample| Emulated {
        suites,
        levels: LEVELS,
        sample,
        only: &[],
    };
    vec![
        // Whole networks in wasm: `page` evaluates one.
        suites_on(
            "wasm-simd128",
            SIMD,
            "in node",
            &[Need::Wasm],
            run(OPERATIONS, 1),
        ),
        suites_on(
            "wasm-networks",
            SIMD,
            "in node",
            &[Need::Wasm],
            run(NETWORKS, 20),
        )
        .nightly(),
        // Without simd128 the level is scalar, which ran above.
        Check::new("wasm", SIMD.rooms(), |shell| {
            let mut check = Target::Wasm("").cargo("check")?;
            check.args(["--quiet", "-p", "nnue"]);
            shell.run(check)
        })
        .needs(&[Need::Wasm])
        .nightly(),
    ]
}

/// Checks that kernels are compiled to the intended instructions.
fn machine_code() -> Vec<Check> {
    let elsewhere =
        |name: &'static str, arguments: &'static str, target: Target, needs: &'static [Need]| {
            let task = move |shell: &Shell<'_>| {
                let mut check = chore(arguments);
                target.set(&mut check)?;
                shell.run(check)
            };
            Check::new(name, &[], task).needs(needs).nightly()
        };
    vec![
        Check::new("asm", &[], |shell| shell.run(chore("asm-check")))
            .needs(&[Need::Binutils])
            .nightly(),
        elsewhere(
            "aarch64-asm",
            "asm-check aarch64",
            Target::Aarch64("max"),
            &[Need::Aarch64],
        ),
        elsewhere(
            "wasm-asm",
            "asm-check wasm",
            Target::Wasm("+simd128"),
            &[Need::Wasm],
        ),
    ]
}

/// In a folder of its own: it runs beside checks that take one core, before those that are alone.
fn default_features() -> Check {
    Check::new("default-features", &[], |shell| {
        let mut tests = cargo("test --quiet --manifest-path tests/default_features/Cargo.toml");
        let target = repo::target_dir().join("default-features");
        tests.env("CARGO_TARGET_DIR", target);
        shell.run(tests)
    })
}

fn fuzzing() -> Vec<Check> {
    let target = |name: String| {
        let check = Check::new(format!("fuzz-{name}"), &[Room::Fuzz], move |shell| {
            fuzz::run(shell, &name)
        });
        check.needs(&[Need::Nightly]).nightly()
    };
    fuzz::targets().into_iter().flatten().map(target).collect()
}

/// Checks with a time limit, alone on the machine.
fn measured() -> Vec<Check> {
    let common = levels::common().join(",");
    vec![
        Check::new("tests", MACHINE, |shell| {
            in_time(ALL_TESTS, shell, suites::all)
        })
        .levels("natively", &common)
        .wants(PUBLISHED),
        Check::new("release", MACHINE, |shell| {
            in_time(FIRST_COMMAND, shell, programs::release)
        }),
    ]
}

/// Runs a task and checks its time.
fn in_time(limit: Limit, shell: &Shell<'_>, task: impl Fn(&Shell<'_>) -> Outcome) -> Outcome {
    let start = Instant::now();
    task(shell)?;
    let time = start.elapsed();
    shell.say(limit.judge(time, machine::factor()?)?);
    Ok(())
}

/// Measurements of built programs and of users' build times, alone on the machine. They come last, since
/// other checks wait for those that need the whole machine.
fn of_built() -> Vec<Check> {
    vec![
        Check::new("speed-of-modes", MACHINE, build_modes::speed_of_two).nightly(),
        // Alone: another check would share the caches and add half of the time.
        Check::new("engine-build", MACHINE, |shell| {
            shell.run(chore("engine-build"))
        }),
        // What it does not measure is built by then.
        Check::new("build-times", MACHINE, |shell| {
            shell.run(chore("build-times"))
        })
        .after(&["engine-build"]),
    ]
}

/// Programs of users elsewhere: big-endian, in a browser, without an operating system.
fn programs() -> Vec<Check> {
    vec![
        Check::new("big-endian", Target::S390x.rooms(), |shell| {
            let mut tests = Target::S390x.cargo("test")?;
            tests.args(["-p", "nnue-format", "--tests"]); // the readers and writers of files
            shell.run(tests)?;
            build_modes::on_target(shell, Target::S390x, "scalar")
        })
        .levels("emulated, big-endian", "scalar")
        .needs(&[Need::S390x])
        .nightly(),
        Check::new("page", BOTH, programs::page).needs(&[Need::Page]),
        Check::new("bare-metal", BOTH, programs::bare_metal)
            .needs(&[Need::BareMetal])
            .nightly(),
        Check::new("c", NATIVE, c::run).wants(&[Need::Cmake]),
        Check::new("datafusion", &[], datafusion::run)
            .after(&["tests"])
            .nightly(),
        Check::new("cluster", &[], datafusion::queries)
            .after(&["datafusion"])
            .nightly(),
        Check::new("python", &[], python::run)
            .needs(&[Need::Python])
            .after(&["tests"]),
        Check::new("stranger", BOTH, stranger::run)
            .needs(&[Need::Python, Need::Page])
            .after(&["tests-of-features", "c", "python", "page"]),
        Check::new("python-million-changes", &[], python::million_changes)
            .needs(&[Need::Python])
            .after(&["python"])
            .nightly(),
        Check::new("python-aarch64", &[], python::on_aarch64)
            .needs(&[Need::Python, Need::Aarch64, Need::PythonAarch64])
            .after(&["python"])
            .nightly(),
    ]
}

fn cargo(arguments: &str) -> Command {
    let mut command = repo::cargo();
    command.args(arguments.split(' '));
    command
}

fn chore(arguments: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap_or_else(|_| "xtask".into()));
    command.args(arguments.split(' ')).current_dir(repo::root());
    command
}
