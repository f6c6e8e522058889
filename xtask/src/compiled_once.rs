//! Tests that the runs of tests compile no crate twice, once for macros and once for tests. They do where features differ, of the
//! crate or of one that it uses: `crates/testkit/macros/Cargo.toml` makes them equal.

use std::collections::BTreeMap;
use std::process::Command;

use serde_json::Value;

use crate::ci::with_features;
use crate::repo;

#[test]
fn tests_share_crates_with_macros() {
    let mut tests = repo::cargo();
    tests.args(["test", "--workspace"]);
    assert_compiled_once(tests);
}

#[test]
fn tests_of_features_share_crates_with_macros() {
    assert_compiled_once(with_features());
}

#[track_caller]
fn assert_compiled_once(mut tests: Command) {
    tests.args([
        "--no-run",
        "--locked",
        "--unit-graph",
        "-Z",
        "unstable-options",
    ]);
    tests.env("RUSTC_BOOTSTRAP", "1"); // cargo's list of what it would compile is unstable
    let printed = repo::output(&mut tests).expect("cargo");
    let graph: Value = serde_json::from_str(&printed).expect("JSON");
    let mut features = BTreeMap::<String, Vec<String>>::new();
    for unit in graph["units"].as_array().expect("units") {
        let kind = &unit["target"]["kind"][0];
        if unit["mode"] == "build" && (kind == "lib" || kind == "proc-macro") {
            let package = unit["pkg_id"].to_string();
            features
                .entry(package)
                .or_default()
                .push(unit["features"].to_string());
        }
    }
    assert!(features.len() > 50, "{features:#?}");
    features.retain(|_, features| features.len() > 1);
    assert!(
        features.is_empty(),
        "compiled with these features: {features:#?}"
    );
}
