//! The synthetic networks are the ones that the vectors were made with.

use nnue_testkit::synthetic::{GENERATIONS, Profile, Synthetic};
use nnue_testkit::{sha256, vectors_dir};

fn check(line: &str) {
    let [name, seed, profile, bytes, hash] = *line.split('\t').collect::<Vec<_>>() else {
        panic!("{line}")
    };
    let profile = if profile == "stress" {
        Profile::Stress
    } else {
        Profile::Normal
    };
    let net = Synthetic::with_seed(name, profile, seed.parse().expect("a seed")).kept_bytes();
    assert_eq!(net.len().to_string(), bytes, "{line}");
    assert_eq!(sha256(&net), hash, "{line}");
}

/// Also of those that other tests kept. On two cores: there is nothing else to test here.
#[test]
fn every_network_has_the_committed_hash() {
    let table = std::fs::read_to_string(vectors_dir().join("synthetic-nets.sha256.tsv"))
        .expect("the table of hashes");
    let lines: Vec<&str> = table.lines().skip(1).collect();
    std::thread::scope(|scope| {
        for first in 0..2 {
            let lines = &lines;
            scope.spawn(move || {
                lines
                    .iter()
                    .skip(first)
                    .step_by(2)
                    .for_each(|line| check(line))
            });
        }
    });
    // v6leb, v10i8 and v13h have no stress file in the table
    assert_eq!(lines.len(), 2 * GENERATIONS.len() - 3);
}
