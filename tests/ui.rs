//! The errors of declarations as the compiler shows them: `tests/ui/<theme>/<name of the diagnostic>.rs` and `.stderr`.
//!
//! Messages of rustc are part of them, so they are compared only with the compiler that the project pins. After a change,
//! `TRYBUILD=overwrite cargo test --test ui` rewrites them, and `cargo xtask errors` the index in `docs/errors.md`.

use std::path::Path;
use std::process::Command;

/// The compiler whose output is committed.
const PINNED: &str = "rustc 1.95.";

nnue::nnue! {
    /// A network whose file is refused, because its weights are too great.
    struct Overflowing = Chess768[..] -> 32x2 -> 1;
}

#[test]
fn errors_look_as_they_should() {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let version = Command::new(rustc)
        .arg("--version")
        .output()
        .expect("rustc runs")
        .stdout;
    let version = String::from_utf8_lossy(&version).into_owned();
    if !version.starts_with(PINNED) {
        eprintln!("not compared: {} is not {PINNED}", version.trim());
        return;
    }
    write_files();
    trybuild::TestCases::new().compile_fail("tests/ui/*/*.rs");
}

/// Files for `weights`, in the package that trybuild makes in the target folder.
fn write_files() {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .parent()
        .expect("the target folder");
    let nets = target.join("tests/trybuild/nnue/nets");
    std::fs::create_dir_all(&nets).expect("a folder in the target folder");
    std::fs::write(nets.join("picture.png"), b"\x89PNG\r\n\x1a\n and so on").expect("a small file");

    let mut params: OverflowingParams = nnue::Parameters::zeroed();
    params.ft.weight[100] = [30000; 32];
    params.ft.weight[200] = [30000; 32];
    let mut file = Vec::new();
    OverflowingNetwork::from_params(params)
        .write(&mut file)
        .expect("memory takes everything");
    std::fs::write(nets.join("overflowing.nnue"), file).expect("a small file");
}
