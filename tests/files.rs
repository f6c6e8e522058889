//! The files of every generation, from a writer that shares no code with the project's: recognised, read, proved, and
//! written again byte for byte.

use std::io::Cursor;

use nnue::spec::NetDesc;
use nnue::stockfish::{self, SfnnSmall, Sfnnv10, Sfnnv12, Sfnnv15, Sfnnv16};
use nnue::{Model, Network, Parameters, WriteError};
use nnue_format::{Encoding, Tensors, write};
use nnue_testkit::synthetic::{GENERATIONS, Profile, Synthetic};
use nnue_tools::{Rule, bounds, recognise};

fn check(file: &[u8], names: &[&str], rule: Rule, encoding: Encoding, what: &str) {
    let nets: Vec<&NetDesc<'_>> = stockfish::ALL.iter().map(|(_, net)| *net).collect();
    let recognition = recognise(Cursor::new(file), &nets).expect(what);
    let found: Vec<&str> = recognition
        .candidates
        .iter()
        .map(|&index| stockfish::ALL[index].0)
        .collect();
    assert_eq!(
        (&found[..], recognition.rule, recognition.encoding),
        (names, rule, encoding),
        "{what}"
    );

    let net = nets[recognition.candidates[0]];
    let (header, tensors) = Tensors::read(net, file).expect(what);
    assert_eq!(
        (&header.description, header.encoding),
        (&recognition.description, encoding),
        "{what}"
    );
    let mut written = Vec::with_capacity(file.len());
    write(net, &header, &tensors.refs(), &mut written).expect("a vector takes everything");
    assert!(written == file, "{what} is written as it was read");

    let bounds = bounds::prove(net, &tensors.refs());
    assert!(bounds.nothing_wraps(), "{what}:\n{bounds}");
    assert!(
        bounds.layers.iter().all(|layer| !layer.pair_saturates()),
        "{what}:\n{bounds}"
    );
}

/// A test per generation: the networks that fit its files, the expected one first, the rule that decides between them, and the encoding.
macro_rules! generations {
    ($($test:ident $generation:literal: $names:expr, $rule:ident, $encoding:ident;)*) => {
        $(
            #[test]
            fn $test() {
                for profile in [Profile::Normal, Profile::Stress] {
                    let file = Synthetic::new($generation, profile).kept_bytes();
                    let what = format!("{} {}", $generation, profile.name());
                    check(&file, $names, Rule::$rule, Encoding::$encoding, &what);
                }
            }
        )*

        #[test]
        fn every_generation_has_a_test() {
            let mut all: Vec<&str> = GENERATIONS.iter().map(|generation| generation.name).collect();
            let mut tested = [$($generation),*];
            all.sort_unstable();
            tested.sort_unstable();
            assert_eq!(all, tested);
        }
    };
}

generations! {
    v1 "v1": &["sfnnv1"], Hashes, Raw;
    v2 "v2": &["sfnnv2"], Hashes, Raw;
    v3 "v3": &["sfnnv3"], Hashes, Raw;
    v4 "v4": &["sfnnv4", "sfnnv5"], Padding, Raw;
    v5 "v5": &["sfnnv5", "sfnnv4"], Padding, Raw;
    v6 "v6": &["sfnnv6"], Hashes, Raw;
    v6leb "v6leb": &["sfnnv6"], Hashes, Leb128;
    v7 "v7": &["sfnnv7"], Hashes, Leb128;
    v8 "v8": &["sfnnv8"], Hashes, Leb128;
    v9 "v9": &["sfnnv9"], Hashes, Leb128;
    v10 "v10": &["sfnnv10"], Size, Leb128Joint;
    v10i8 "v10i8": &["sfnnv10"], Size, Leb128JointPsqt;
    v11 "v11": &["sfnnv11"], Size, Leb128JointPsqt;
    v12 "v12": &["sfnnv12"], Size, Leb128JointPsqt;
    v13 "v13": &["sfnnv13"], Size, Leb128JointPsqt;
    v13h "v13h": &["sfnnv13"], Size, Leb128JointPsqt;
    v14 "v14": &["sfnnv14"], Size, Leb128JointPsqt;
    v14_1 "v14.1": &["sfnnv14_1"], Size, Leb128;
    v15 "v15": &["sfnnv15"], Size, Leb128;
    v16 "v16": &["sfnnv16"], Hashes, Leb128;
    v9s "v9s": &["sfnn_small", "sfnn_small_255"], Undecided, Leb128;
    v14s "v14s": &["sfnn_small", "sfnn_small_255"], Undecided, Leb128;
}

#[test]
fn a_loaded_network_has_the_bounds_of_its_tensors() {
    let file = Synthetic::new("v9s", Profile::Normal).bytes();
    let network = Network::<SfnnSmall>::from_bytes(&file).expect("the file is right");
    let (_, tensors) = Tensors::read(&SfnnSmall::SPEC, &file[..]).expect("the file is right");
    assert_eq!(
        bounds::prove(&SfnnSmall::SPEC, &network.params().tensors()),
        bounds::prove(&SfnnSmall::SPEC, &tensors.refs())
    );
}

#[test]
fn files_of_a_neighbouring_generation_are_errors() {
    for (generation, declaration) in [
        ("v11", "sfnnv12"),
        ("v12", "sfnnv11"),
        ("v13h", "sfnnv14"),
        ("v14", "sfnnv13"),
        ("v15", "sfnnv14_1"),
    ] {
        let net = stockfish::ALL
            .iter()
            .find(|(name, _)| *name == declaration)
            .expect("a declared network")
            .1;
        let file = Synthetic::new(generation, Profile::Normal).kept_bytes();
        assert!(
            Tensors::read(net, &file[..]).is_err(),
            "{generation} is no {declaration}"
        );
    }
}

/// In the first encoding of SFNNv10, threat weights are LEB128 numbers that must fit in a byte.
#[test]
fn threat_weights_beyond_a_byte_are_errors() {
    let mut file = Synthetic::new("v10", Profile::Normal).bytes();
    let magic = b"COMPRESSED_LEB128";
    let blocks = file
        .windows(magic.len())
        .enumerate()
        .filter(|(_, window)| window == magic)
        .map(|(at, _)| at);
    let weights = blocks.take(2).last().expect("there are two blocks") + magic.len() + 4;
    let two_bytes = (weights..)
        .find(|&at| file[at] & 0x80 != 0)
        .expect("some numbers have two bytes");
    file[two_bytes + 1] = 0x3F; // now about 8000
    let error = Tensors::read(&Sfnnv10::SPEC, &file[..]).expect_err("a threat weight has 8 bits");
    assert!(error.to_string().contains("does not fit in i8"), "{error}");
}

#[test]
fn an_encoding_of_another_order_is_not_written() {
    let file = Synthetic::new("v16", Profile::Normal).bytes();
    let (mut header, tensors) =
        Tensors::read(&Sfnnv16::SPEC, &file[..]).expect("the file is right");
    header.encoding = Encoding::Leb128Joint;
    let error = write(&Sfnnv16::SPEC, &header, &tensors.refs(), Vec::new())
        .expect_err("nobody could read it");
    assert!(
        matches!(
            error,
            WriteError::Encoding {
                declared: Encoding::Leb128,
                ..
            }
        ),
        "{error}"
    );
}

#[test]
fn tensors_of_several_sets_stand_in_file_order() {
    let names = |net: &NetDesc<'static>| -> Vec<&str> {
        net.tensors
            .iter()
            .filter(|tensor| !tensor.role.is_of_layer())
            .map(|tensor| tensor.name)
            .collect()
    };
    assert_eq!(
        names(&Sfnnv12::SPEC),
        ["ft_bias", "ft1_weight", "ft_weight", "ft1_psqt", "ft_psqt"]
    );
    assert_eq!(
        names(&Sfnnv15::SPEC),
        ["ft_bias", "ft1_weight", "ft1_psqt", "ft_weight", "ft_psqt"]
    );
    assert_eq!(
        names(&Sfnnv16::SPEC),
        [
            "ft_bias",
            "ft1_weight",
            "ft1_psqt",
            "ft2_weight",
            "ft2_psqt",
            "ft_weight",
            "ft_psqt"
        ]
    );
}
