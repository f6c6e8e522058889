//! The example prints what its header says.

use std::process::Command;

#[test]
fn the_example_says_the_truth() {
    let own = std::env::current_exe().expect("this program has a path");
    let profile = own.ancestors().nth(2).expect("it is in `deps` of a profile");
    let program = profile.join("examples/own_backend").with_extension(std::env::consts::EXE_EXTENSION);
    if !program.exists() {
        // cargo builds it beside all tests, and not beside one of them
        let mut build = Command::new(env!("CARGO"));
        build.args(["build", "--quiet", "--profile", "test", "-p", "nnue-backend", "--example", "own_backend"]);
        assert!(build.status().expect("cargo runs").success());
    }
    let output = Command::new(program).output().expect("it runs");
    let promised: String = include_str!("../../examples/own_backend.rs")
        .lines()
        .skip_while(|line| *line != "//! ```text")
        .skip(1)
        .map_while(|line| line.strip_prefix("//! ").filter(|line| *line != "```"))
        .map(|line| format!("{line}\n"))
        .collect();
    assert_eq!(String::from_utf8_lossy(&output.stdout), promised);
}
