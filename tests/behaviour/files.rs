//! Files that are written can be read again.

use std::error::Error;

use nnue::{Architecture, Encoding, LoadErrorKind, Network};

use crate::binary::{BinaryHead, BinaryParts};
use crate::nets::{Odd, OwnPairs, Paired, PawnsOnly, Skip, Threatened};
use crate::reference::compare;
use crate::support::{Weights, network, positions};

pub(crate) fn bytes<A: Architecture>(network: &Network<A>) -> Vec<u8> {
    let mut bytes = Vec::new();
    network
        .write(&mut bytes)
        .expect("memory takes any number of bytes");
    bytes
}

pub(crate) fn round_trip<A: Architecture>(encoding: Encoding) {
    let mut written = network::<A>(23, Weights::Tame);
    written.header_mut().encoding = encoding;
    written.header_mut().description = b"made at random".to_vec();
    let file = bytes(&written);
    let read = Network::<A>::from_bytes(&file).expect("the writer's own file");
    assert_eq!(read.description(), b"made at random");
    assert_eq!(bytes(&read), file, "{} {encoding:?}", A::SPEC.name);
    for position in positions(40) {
        assert_eq!(read.trace(&position), written.trace(&position));
    }
}

#[test]
fn files_round_trip_in_all_encodings() {
    for encoding in [Encoding::Raw, Encoding::Leb128] {
        round_trip::<Odd>(encoding);
        round_trip::<Skip>(encoding);
        round_trip::<Paired>(encoding);
        round_trip::<PawnsOnly>(encoding);
        round_trip::<BinaryParts>(encoding);
    }
    for encoding in [Encoding::Raw, Encoding::Leb128] {
        round_trip::<OwnPairs>(encoding);
    }
    // If the weights of all sets share blocks, the tensors have another order, so the declaration must name the encoding.
    for encoding in [
        Encoding::Raw,
        Encoding::Leb128JointPsqt,
        Encoding::Leb128Joint,
    ] {
        round_trip::<Threatened>(encoding);
    }
}

#[test]
fn an_odd_network_read_from_its_file_agrees_with_the_reference() {
    let file = bytes(&network::<Odd>(31, Weights::Tame));
    compare(
        Network::<Odd>::from_bytes(&file).expect("the writer's own file"),
        &positions(16),
        "read from a file",
    );
}

#[test]
fn signs_read_from_a_file_without_a_header_agree_with_the_reference() {
    let written = network::<BinaryHead>(31, Weights::Tame);
    let read = Network::<BinaryHead>::from_bytes(&bytes(&written)).expect("the writer's own file");
    assert_eq!(bytes(&read), bytes(&written));
    compare(read, &positions(16), "read from a file");
}

#[test]
fn a_file_of_another_network_is_refused() {
    let file = bytes(&network::<Skip>(1, Weights::Tame));
    let error = Network::<Odd>::from_bytes(&file).expect_err("another shape");
    assert_eq!(error.kind(), LoadErrorKind::Architecture, "{error}");
}

#[test]
fn a_missing_file_is_named() {
    let error = Network::<Odd>::open("no/such/file.nnue").expect_err("there is none");
    assert_eq!(error.kind(), LoadErrorKind::Io);
    assert!(error.to_string().contains("no/such/file.nnue"), "{error}");
    let source = error
        .source()
        .and_then(|source| source.downcast_ref::<std::io::Error>())
        .expect("the system's error");
    assert_eq!(source.kind(), std::io::ErrorKind::NotFound);
}
