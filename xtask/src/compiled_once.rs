//! Tests that `cargo test --workspace` compiles no crate twice, once for macros and once for tests. It does where their features
//! differ: `crates/testkit/macros/Cargo.toml` makes them equal.

use std::collections::BTreeSet;

use crate::repo;

#[test]
fn macros_and_tests_share_crates() {
    let mut tree = repo::cargo();
    tree.args(["tree", "--workspace", "--locked", "--duplicates"]);
    tree.args(["--edges", "normal,build,dev", "--depth", "0"]);
    tree.args(["--prefix", "none", "--format", "{p}"]);
    let printed = repo::output(&mut tree).expect("cargo tree");
    let packages = printed.lines().filter(|line| line.contains(" v"));
    let mut once = BTreeSet::new();
    let twice: Vec<&str> = packages.filter(|package| !once.insert(*package)).collect();
    assert!(
        twice.is_empty(),
        "compiled with different features: {twice:#?}"
    );
}
