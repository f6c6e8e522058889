//! What declarations cost a build: a crate with six networks is checked, and the same crate with none.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::repo::{self, Failure, Outcome};

const LIMIT: Duration = Duration::from_secs(2);
const ROUNDS: usize = 5;

const DECLARATIONS: &str = r"
nnue::nnue! { pub struct A = < HalfKAv2_hm[..] -> 1024x2 -> 16 -> 32 -> 1 >; }
nnue::nnue! { pub struct B = HalfKP[..] -> 256x2 -> 32 -> 32 -> 1; }
nnue::nnue! { pub struct C = HalfKAv2[..] -> 512x2, psqt 8 -> (16 -> 32 -> 1)x8; }
nnue::nnue! { pub struct D = HalfKAv2_hm[..] -> 384x2 pairwise -> (24 -> 40 -> 1)x4 by (piece_count - 1) / 8; }
nnue::nnue! { pub struct E = (768 -> 128)x2 -> 32 -> 1; }
nnue::nnue! {
    pub struct F {
        acc = accumulate(HalfKAv2_hm[22528], 1024) x 2, psqt 8;
        x = pairwise(acc);
        stacks 8 by (piece_count - 1) / 4 {
            let h1 = affine(x, 16);
            let h2 = affine(concat(sqr_crelu(h1[..15]), crelu(h1[..15])), 32);
            output affine(crelu(h2), 1) + h1[15] * 9600 / 8128;
        }
    }
}
";

/// Measures both crates and compares the fastest runs.
pub(crate) fn run(_: &[String]) -> Outcome {
    let folder = repo::target_dir().join("expand-time");
    let manifest = format!(
        "[package]\nname = \"expand-time\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[dependencies]\nnnue = {{ path = {:?} }}\n\n[workspace]\n",
        repo::root()
    );
    repo::write(&folder.join("Cargo.toml"), &manifest)?;
    let without = fastest_check(&folder, "pub use nnue::Network;\n")?;
    let with = fastest_check(&folder, DECLARATIONS)?;
    let added = with.saturating_sub(without);
    println!("six networks add {added:.2?} to a check build ({without:.2?} without, {with:.2?} with; limit {LIMIT:?})");
    if added < LIMIT { Ok(()) } else { Err(Failure::new("declarations cost too much")) }
}

/// The fastest of several checks of a crate with this source; its dependencies are built before.
fn fastest_check(folder: &Path, source: &str) -> Outcome<Duration> {
    let mut fastest = Duration::MAX;
    for round in 0..=ROUNDS {
        repo::write(&folder.join("src/lib.rs"), &format!("{source}\n// round {round}\n"))?;
        let start = Instant::now();
        repo::succeed(&mut check(folder))?;
        if round > 0 {
            fastest = fastest.min(start.elapsed());
        }
    }
    Ok(fastest)
}

fn check(folder: &Path) -> Command {
    let mut command = repo::cargo();
    command.args(["check", "--quiet", "--offline", "--target-dir"]).arg(folder.join("target")).current_dir(folder);
    command
}
