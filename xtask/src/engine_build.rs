//! Measures what `nnue` adds to the build time of an engine, from an empty folder: all crates, the macro and
//! the engine.
//!
//! Two small engines are built; one of them declares and evaluates a network. Processor time is compared, so
//! the number of cores does not matter.

use std::path::{Path, PathBuf};

use crate::repo::{self, Failure, Outcome};
use crate::{machine, processor_time};

/// A build profile, and a limit for the processor time in seconds that `nnue` adds.
struct Way {
    what: &'static str,
    lto: bool,
    seconds: u32,
}

const WAYS: [Way; 2] = [
    Way {
        what: "`cargo build --release`",
        lto: false,
        seconds: 20,
    },
    Way {
        what: "the same with `lto = \"fat\"` and `codegen-units = 1`",
        lto: true,
        seconds: 40,
    },
];

const WITH: &str = "with";

/// Where a release build of an engine has left `nnue` and what it depends on, for other crates of users.
pub(crate) fn built() -> PathBuf {
    WAYS[0].target(&folder(WITH))
}

fn folder(name: &str) -> PathBuf {
    repo::target_dir().join("engine-build").join(name)
}

/// An engine that answers a few UCI commands.
const ENGINE: &str = r#"
struct Board {
    pieces: [[u64; 6]; 2],
}

impl Board {
    fn start() -> Self {
        let white = [0xFF00, 0x42, 0x24, 0x81, 0x8, 0x10];
        Self { pieces: [white, white.map(u64::swap_bytes)] }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let board = Board::start();
    for line in std::io::stdin().lines() {
        match line?.as_str() {
            "uci" => println!("uciok"),
            "isready" => println!("readyok"),
            "eval" => println!("{}", evaluate(&board)?),
            "quit" => break,
            _ => {}
        }
    }
    Ok(())
}
"#;

const MATERIAL: &str = r#"
fn evaluate(board: &Board) -> Result<i32, Box<dyn std::error::Error>> {
    let side = |side: usize| board.pieces[side].iter().zip([100, 300, 300, 500, 900, 0]).map(|(set, value)| set.count_ones() as i32 * value).sum::<i32>();
    Ok(side(0) - side(1))
}
"#;

const NETWORK: &str = r#"
nnue::nnue! {
    pub struct Net = (768 -> 768)x2 -> 1;
}

impl nnue::Position for Board {
    fn pieces(&self, color: nnue::Color, kind: nnue::PieceKind) -> u64 {
        self.pieces[color.index()][kind.index()]
    }

    fn side_to_move(&self) -> nnue::Color {
        nnue::Color::White
    }
}

fn evaluate(board: &Board) -> Result<i32, Box<dyn std::error::Error>> {
    let network = nnue::Network::<Net>::open("engine.nnue")?;
    let mut stack = nnue::AccumulatorStack::new();
    let king = nnue::Piece::new(nnue::Color::White, nnue::PieceKind::King);
    let before = network.evaluate(board, &mut stack).value;
    stack.push(nnue::Change::quiet(king, nnue::Square::new(4), nnue::Square::new(12)));
    stack.pop();
    Ok(before)
}
"#;

/// Without arguments, compares what `nnue` adds with the limits. Arguments are features of `nnue`: says what
/// each adds to an ordinary build.
pub(crate) fn run(features: &[String]) -> Outcome {
    let factor = machine::factor()?;
    if !features.is_empty() {
        return features_add(features, factor);
    }
    let mut exceeded = Vec::new();
    for way in &WAYS {
        let without = way.build("without", "", MATERIAL)?;
        let with = way.build(WITH, &nnue(""), NETWORK)?;
        let verdict = way.judge((with - without) / factor);
        println!("{}", verdict.as_ref().unwrap_or_else(|said| said));
        println!("{with:>7.1} s with nnue, {without:.1} s without, factor {factor:.2}");
        exceeded.extend(verdict.err());
    }
    if exceeded.is_empty() {
        Ok(())
    } else {
        Err(Failure::new(format!("too slow:\n{}", exceeded.join("\n"))))
    }
}

/// The dependency, with a feature or without (`""`).
fn nnue(feature: &str) -> String {
    let features: Vec<_> = feature.split_terminator(',').collect();
    format!(
        "nnue = {{ path = {:?}, features = {features:?} }}\n",
        repo::root()
    )
}

fn features_add(features: &[String], factor: f64) -> Outcome {
    let (way, name) = (&WAYS[0], "with-a-feature");
    let default = way.build(name, &nnue(""), NETWORK)?;
    println!(
        "{:>7.1} s of processor time with default features, factor {factor:.2}",
        default / factor
    );
    for feature in features {
        let added = way.build(name, &nnue(feature), NETWORK)? - default;
        println!("{:>7.1} s more with {feature}", added / factor);
    }
    Ok(())
}

impl Way {
    /// Reports the added time in seconds of the reference machine; an error above 1.5 times the limit.
    fn judge(&self, added: f64) -> Result<String, String> {
        let Self { what, seconds, .. } = self;
        let verdict = format!("{added:>7.1} s of {seconds:>3} s of processor time: {what}");
        if added <= 1.5 * f64::from(*seconds) {
            Ok(verdict)
        } else {
            Err(verdict)
        }
    }

    /// The folder that cargo builds the engine of this folder into.
    fn target(&self, folder: &Path) -> PathBuf {
        folder.join(if self.lto { "lto" } else { "release" })
    }

    /// The seconds of processor time that building an engine takes, from an empty folder.
    fn build(&self, name: &str, dependencies: &str, evaluate: &str) -> Outcome<f64> {
        let folder = folder(name);
        let target = emptied(self.target(&folder))?;
        repo::write(&folder.join("Cargo.toml"), &manifest(dependencies))?;
        repo::write(&folder.join("src/main.rs"), &format!("{ENGINE}{evaluate}"))?;
        let mut cargo = repo::cargo();
        cargo
            .args(["build", "--release", "--quiet", "--offline"])
            .current_dir(&folder)
            .env("CARGO_TARGET_DIR", &target);
        for variable in ["RUSTFLAGS", "RUSTC_WRAPPER", "NNUE_LEVELS"] {
            cargo.env_remove(variable);
        }
        if self.lto {
            cargo
                .env("CARGO_PROFILE_RELEASE_LTO", "fat")
                .env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "1");
        }
        let before = processor_time::of_children()?;
        repo::succeed(&mut cargo)?;
        let after = processor_time::of_children()?;
        Ok(after - before)
    }
}

fn manifest(dependencies: &str) -> String {
    let package = "[package]\nname = \"engine\"\nversion = \"0.0.0\"\nedition = \"2024\"";
    format!("{package}\n\n[dependencies]\n{dependencies}\n[workspace]\n")
}

/// Removes the folder and returns its path.
fn emptied(folder: PathBuf) -> Outcome<PathBuf> {
    if folder.exists() {
        std::fs::remove_dir_all(&folder)
            .map_err(|error| Failure::new(format!("{}: {error}", folder.display())))?;
    }
    Ok(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_as_much_again_is_allowed() {
        let way = &WAYS[0];
        assert!(way.judge(30.0).is_ok());
        assert!(way.judge(30.1).is_err());
    }
}
