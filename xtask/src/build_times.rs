//! Measures build times against the limits in `docs/testing.md`.
//!
//! A user's crate declares a network, opens a file and evaluates a position; another crate declares six. Only
//! the time that this crate adds is measured: its dependencies are built before. `cargo xtask build-times`
//! also measures this repository from an empty folder, as the README promises; CI takes these times from
//! checks that do the same builds.

use std::path::Path;
use std::time::{Duration, Instant};

use crate::repo::{self, Failure, Outcome};
use crate::{engine_build, machine};

/// A build and its time limit on two cores.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limit {
    pub(crate) what: &'static str,
    pub(crate) seconds: u64,
}

/// The aim is 90 s. Measured on two cores: 326 s before the kernels were compiled once; 92 s on 2026-11-23;
/// 131 to 152 s on 2026-11-24 and 25, with networks described at run time; 76 s on 2026-11-26, when layers of
/// any size shared their passes.
pub(crate) const FIRST_COMMAND: Limit = Limit {
    what: "the README's first command, from a clean clone",
    seconds: 120,
};
/// The aim is 480 s. Measured on two cores: 330 to 443 s on 2026-11-22 (a Zen 5), 689 to 760 s on 2026-11-24
/// and 25 (a Zen 4 of 2.6 GHz), 527 s on 2026-11-26.
pub(crate) const ALL_TESTS: Limit = Limit {
    what: "`cargo test --workspace`, from a clean clone",
    seconds: 540,
};
const ONE_NETWORK: Limit = Limit {
    what: "a crate with one network, `--release`",
    seconds: 20,
};
const SIX_NETWORKS: Limit = Limit {
    what: "a crate with six networks, `--release`",
    seconds: 60,
};
const SIX_CHECKED: Limit = Limit {
    what: "a crate with six networks, `cargo check`",
    seconds: 2,
};

impl Limit {
    /// Reports the time, in seconds of the reference machine. Fails only above 1.5 times the limit, since
    /// machines differ in more than their factor.
    pub(crate) fn judge(self, time: Duration, factor: f64) -> Outcome<String> {
        let (here, scaled) = (time.as_secs_f64(), time.as_secs_f64() / factor);
        let verdict = format!(
            "{scaled:>7.1} s of {:>3} s: {} ({here:.1} s here, factor {factor:.2})",
            self.seconds, self.what
        );
        if scaled <= 1.5 * self.seconds as f64 {
            Ok(verdict)
        } else {
            Err(Failure::new(verdict))
        }
    }
}

/// Declarations of six networks; the single-network crate uses the first.
const DECLARATIONS: [&str; 6] = [
    "pub struct A = < HalfKAv2_hm[..] -> 1024x2 -> 16 -> 32 -> 1 >;",
    "pub struct B = HalfKP[..] -> 256x2 -> 32 -> 32 -> 1;",
    "pub struct C = HalfKAv2[..] -> 512x2, psqt 8 -> (16 -> 32 -> 1)x8;",
    "pub struct D = HalfKAv2_hm[..] -> 384x2 pairwise -> (24 -> 40 -> 1)x4 by (piece_count - 1) / 8;",
    "pub struct E = (768 -> 128)x2 -> 32 -> 1;",
    "pub struct F {
        acc = accumulate(HalfKAv2_hm[22528], 1024) x 2, psqt 8;
        x = pairwise(acc);
        stacks 8 by (piece_count - 1) / 4 {
            let h1 = affine(x, 16);
            let h2 = affine(concat(sqr_crelu(h1[..15]), crelu(h1[..15])), 32);
            output affine(crelu(h2), 1) + h1[15] * 9600 / 8128;
        }
    }",
];

/// A board, common to all programs.
const BOARD: &str = "
struct Board([[u64; 6]; 2]);

impl Position for Board {
    fn pieces(&self, color: Color, kind: PieceKind) -> u64 {
        self.0[color.index()][kind.index()]
    }

    fn side_to_move(&self) -> Color {
        Color::White
    }
}
";

/// Measures a user's crate, and with `--all` this repository too.
pub(crate) fn run(args: &[String]) -> Outcome {
    let factor = machine::factor()?;
    let mut verdicts = vec![
        ONE_NETWORK.judge(added("build --release", 1)?, factor),
        SIX_NETWORKS.judge(added("build --release", 6)?, factor),
        SIX_CHECKED.judge(added("check", 6)?, factor),
    ];
    if args.iter().any(|arg| arg == "--all") {
        verdicts
            .push(FIRST_COMMAND.judge(from_clean("run --release -p nnue-cli -- eval")?, factor));
        verdicts.push(ALL_TESTS.judge(from_clean("test --workspace")?, factor));
    }
    verdicts
        .iter()
        .flatten()
        .for_each(|verdict| println!("{verdict}"));
    let exceeded: Vec<String> = verdicts
        .iter()
        .filter_map(|verdict| Some(verdict.as_ref().err()?.to_string()))
        .collect();
    if exceeded.is_empty() {
        Ok(())
    } else {
        Err(Failure::new(format!("too slow:\n{}", exceeded.join("\n"))))
    }
}

/// The build time that `networks` networks add to a crate without any.
fn added(subcommand: &str, networks: usize) -> Outcome<Duration> {
    let folder = repo::target_dir().join("build-times");
    repo::write(&folder.join("Cargo.toml"), &manifest())?;
    build(&folder, subcommand, &program(0))?; // builds the dependencies
    let without = build(&folder, subcommand, &format!("{}// again\n", program(0)))?;
    let with = build(&folder, subcommand, &program(networks))?;
    println!("cargo {subcommand}: {with:.2?} with {networks} networks, {without:.2?} without");
    Ok(with.saturating_sub(without))
}

fn manifest() -> String {
    let package = "[package]\nname = \"build-times\"\nversion = \"0.0.0\"\nedition = \"2024\"";
    format!(
        "{package}\n\n[dependencies]\nnnue = {{ path = {:?} }}\n\n[workspace]\n",
        repo::root()
    )
}

/// A program that opens files of the first `networks` networks and evaluates a position with each.
fn program(networks: usize) -> String {
    let mut program =
        String::from("#![allow(unused_imports, reason = \"one program declares no network\")]\n");
    program += "use nnue::{AccumulatorStack, Color, Network, PieceKind, Position};\n";
    program += BOARD;
    for declaration in &DECLARATIONS[..networks] {
        program += &format!("\nnnue::nnue! {{ {declaration} }}\n");
    }
    program += "\nfn main() {\n    let board = Board([[0; 6]; 2]);\n    println!(\"{:?}\", board.side_to_move());\n";
    for name in &["A", "B", "C", "D", "E", "F"][..networks] {
        program += &format!(
            "    let network = Network::<{name}>::open(\"{name}.nnue\").expect(\"a file\");\n"
        );
        program +=
            "    println!(\"{}\", network.evaluate(&board, &mut AccumulatorStack::new()).value);\n";
    }
    program + "}\n"
}

/// Builds this source where `cargo xtask engine-build` has built the dependencies, if it ran before.
fn build(folder: &Path, subcommand: &str, source: &str) -> Outcome<Duration> {
    repo::write(&folder.join("src/main.rs"), source)?;
    let mut cargo = repo::cargo();
    cargo
        .args(subcommand.split(' '))
        .args(["--quiet", "--offline"])
        .current_dir(folder);
    cargo
        .env("CARGO_TARGET_DIR", engine_build::built())
        .env_remove("RUSTFLAGS");
    let start = Instant::now();
    repo::succeed(&mut cargo)?;
    Ok(start.elapsed())
}

/// The time of a cargo command in this repository with nothing built.
fn from_clean(arguments: &str) -> Outcome<Duration> {
    let folder = repo::target_dir().join("build-times/clean");
    if folder.exists() {
        std::fs::remove_dir_all(&folder)
            .map_err(|error| Failure::new(format!("{}: {error}", folder.display())))?;
    }
    let start = Instant::now();
    repo::succeed(
        repo::cargo()
            .args(arguments.split(' '))
            .env("CARGO_TARGET_DIR", &folder),
    )?;
    Ok(start.elapsed())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_as_much_again_is_allowed() {
        let limit = Limit {
            what: "a build",
            seconds: 10,
        };
        assert_eq!(
            limit.judge(Duration::from_secs(30), 2.0).expect("in time"),
            "   15.0 s of  10 s: a build (30.0 s here, factor 2.00)"
        );
        assert!(limit.judge(Duration::from_millis(15_100), 1.0).is_err());
    }

    #[test]
    fn programs_declare_and_evaluate_their_networks() {
        let program = program(6);
        assert_eq!(program.matches("nnue::nnue!").count(), 6);
        assert_eq!(program.matches("evaluate(").count(), 6);
    }
}
