//! The files of every generation, from a writer that shares no code with the project's: recognised, read, proved, and
//! written again byte for byte.

use std::io::Cursor;

use nnue::spec::NetDesc;
use nnue::stockfish::{self, SfnnSmall};
use nnue::{Architecture, Network};
use nnue_format::{Encoding, Rule, Tensors, bounds, recognise, write};
use nnue_testkit::synthetic::{Profile, Synthetic};

/// The networks that the files of a generation fit, the expected first one first, and what decides between them.
const EXPECTED: &[(&str, &[&str], Rule, Encoding)] = &[
    ("v1", &["sfnnv1"], Rule::Hashes, Encoding::Raw),
    ("v2", &["sfnnv2"], Rule::Hashes, Encoding::Raw),
    ("v3", &["sfnnv3"], Rule::Hashes, Encoding::Raw),
    ("v4", &["sfnnv4", "sfnnv5"], Rule::Padding, Encoding::Raw),
    ("v5", &["sfnnv5", "sfnnv4"], Rule::Padding, Encoding::Raw),
    ("v6", &["sfnnv6"], Rule::Hashes, Encoding::Raw),
    ("v6leb", &["sfnnv6"], Rule::Hashes, Encoding::Leb128),
    ("v7", &["sfnnv7"], Rule::Hashes, Encoding::Leb128),
    ("v8", &["sfnnv8"], Rule::Hashes, Encoding::Leb128),
    ("v9", &["sfnnv9"], Rule::Hashes, Encoding::Leb128),
    ("v9s", &["sfnn_small", "sfnn_small_255"], Rule::Undecided, Encoding::Leb128),
    ("v14s", &["sfnn_small", "sfnn_small_255"], Rule::Undecided, Encoding::Leb128),
];

fn check(file: &[u8], names: &[&str], rule: Rule, encoding: Encoding, what: &str) {
    let nets: Vec<&NetDesc<'_>> = stockfish::ALL.iter().map(|(_, net)| *net).collect();
    let recognition = recognise(Cursor::new(file), &nets).expect(what);
    let found: Vec<&str> = recognition.candidates.iter().map(|&index| stockfish::ALL[index].0).collect();
    assert_eq!((&found[..], recognition.rule, recognition.encoding), (names, rule, encoding), "{what}");

    let net = nets[recognition.candidates[0]];
    let (header, tensors) = Tensors::read(net, file).expect(what);
    assert_eq!((&header.description, header.encoding), (&recognition.description, encoding), "{what}");
    let mut written = Vec::with_capacity(file.len());
    write(net, &header, &tensors.refs(), &mut written).expect("a vector takes everything");
    assert!(written == file, "{what} is written as it was read");

    let bounds = bounds::prove(net, &tensors.refs());
    assert!(bounds.nothing_wraps(), "{what}:\n{bounds}");
    assert!(bounds.layers.iter().all(|layer| !layer.pair_saturates()), "{what}:\n{bounds}");
}

#[test]
fn files_of_every_generation_are_recognised_proved_and_round_trip() {
    for &(generation, names, rule, encoding) in EXPECTED {
        for profile in [Profile::Normal, Profile::Stress] {
            let file = Synthetic::new(generation, profile).bytes();
            check(&file, names, rule, encoding, &format!("{generation} {}", profile.name()));
        }
    }
}

#[test]
fn a_loaded_network_has_the_bounds_of_its_tensors() {
    let file = Synthetic::new("v9s", Profile::Normal).bytes();
    let network = Network::<SfnnSmall>::from_bytes(&file).expect("the file is right");
    let (_, tensors) = Tensors::read(&SfnnSmall::SPEC, &file[..]).expect("the file is right");
    assert_eq!(network.bounds(), bounds::prove(&SfnnSmall::SPEC, &tensors.refs()));
}
