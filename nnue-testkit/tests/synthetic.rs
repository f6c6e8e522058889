//! The synthetic networks are those that the vectors were made with.

use nnue_testkit::synthetic::{GENERATIONS, Profile, Synthetic};
use nnue_testkit::{sha256, vectors_dir};

#[test]
fn every_network_has_the_committed_hash() {
    let table = std::fs::read_to_string(vectors_dir().join("synthetic-nets.sha256.tsv")).expect("the table of hashes");
    let mut checked = 0;
    for line in table.lines().skip(1) {
        let [name, seed, profile, bytes, hash] = *line.split('\t').collect::<Vec<_>>() else { panic!("{line}") };
        let profile = if profile == "stress" { Profile::Stress } else { Profile::Normal };
        let net = Synthetic::with_seed(name, profile, seed.parse().expect("a seed")).bytes();
        assert_eq!(net.len().to_string(), bytes, "{line}");
        assert_eq!(sha256(&net), hash, "{line}");
        checked += 1;
    }
    // v6leb, v10i8 and v13h have no stress file in the table
    assert_eq!(checked, 2 * GENERATIONS.len() - 3);
}
