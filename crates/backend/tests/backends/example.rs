//! The examples print what their headers say.

use std::path::Path;
use std::process::Command;

fn says_the_truth(name: &str) {
    let own = std::env::current_exe().expect("this program has a path");
    let profile = own
        .ancestors()
        .nth(2)
        .expect("it is in `deps` of a profile");
    let program = profile
        .join("examples")
        .join(name)
        .with_extension(std::env::consts::EXE_EXTENSION);
    if !program.exists() {
        // cargo builds it beside all tests, and not beside one of them
        let mut build = Command::new(env!("CARGO"));
        build.args([
            "build",
            "--quiet",
            "--profile",
            "test",
            "-p",
            "nnue-backend",
            "--example",
            name,
        ]);
        assert!(build.status().expect("cargo runs").success());
    }
    let output = Command::new(program).output().expect("it runs");
    let source = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("examples")
        .join(name)
        .with_extension("rs");
    let promised: String = std::fs::read_to_string(source)
        .expect("the example is there")
        .lines()
        .skip_while(|line| *line != "//! ```text")
        .skip(1)
        .map_while(|line| line.strip_prefix("//! ").filter(|line| *line != "```"))
        .map(|line| format!("{line}\n"))
        .collect();
    assert_eq!(String::from_utf8_lossy(&output.stdout), promised);
}

#[test]
fn your_own_backend() {
    says_the_truth("own_backend");
}

#[test]
fn a_tree_search() {
    says_the_truth("puct");
}
