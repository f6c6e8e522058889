//! Which network a file holds: by hashes, by size, by padding, or undecided.

#[path = "../../files/tests/common/mod.rs"]
mod common;

use std::io::{self, Cursor, Read};

use common::{Shape, random_tensors};
use nnue_format::{Encoding, Header, LoadErrorKind, Tensors, write};
use nnue_spec::{NetDesc, TensorMut, TensorRole};
use nnue_tools::{Recognition, Rule, read_stream, recognise};

fn file_of(net: &NetDesc<'_>, tensors: &Tensors, encoding: Encoding) -> Vec<u8> {
    let mut file = Vec::new();
    let header = Header {
        encoding,
        ..Header::new(net, b"which one?".to_vec())
    };
    write(net, &header, &tensors.refs(), &mut file).expect("a vector takes everything");
    file
}

fn recognised(file: &[u8], nets: &[&NetDesc<'_>]) -> Recognition {
    recognise(Cursor::new(file), nets).expect("it is one of them")
}

/// Random weights whose padding columns are zero.
fn padded(net: &NetDesc<'_>, seed: u64) -> Tensors {
    let mut tensors = random_tensors(net, seed);
    for (desc, tensor) in net.tensors.iter().zip(tensors.muts()) {
        if let (TensorRole::LayerWeight(layer), TensorMut::I8(weights)) = (desc.role, tensor) {
            let rows = weights.chunks_exact_mut(desc.cols);
            rows.for_each(|row| row[net.layers[layer].inputs..].fill(0));
        }
    }
    tensors
}

#[test]
fn hashes_decide_between_generations() {
    let nets = [1024, 1536, 2048, 3072].map(|width| Shape::stockfish("Wide", width).sfnn_v5());
    let nets: Vec<&NetDesc<'_>> = nets.iter().collect();
    let mut file = Vec::new();
    for word in [
        nets[2].container.version,
        nets[2].container.network_hash(),
        0,
        nets[2].container.transformer_hash,
    ] {
        file.extend_from_slice(&word.to_le_bytes());
    }
    let recognition = recognised(&file, &nets);
    assert_eq!(
        (recognition.candidates, recognition.rule),
        (vec![2], Rule::Hashes)
    );
}

#[test]
fn size_decides_between_networks_with_equal_hashes() {
    let (full, halved) = (Shape::small().crelu(16), Shape::small().sfnn_v5());
    assert_eq!(
        full.container.network_hash(),
        halved.container.network_hash()
    );
    for encoding in [Encoding::Raw, Encoding::Leb128] {
        for (index, net) in [&full, &halved].into_iter().enumerate() {
            let file = file_of(net, &random_tensors(net, 1), encoding);
            let recognition = recognised(&file, &[&full, &halved]);
            assert_eq!(
                (&recognition.candidates[..], recognition.rule),
                (&[index][..], Rule::Size)
            );
            assert_eq!(
                (&recognition.description[..], recognition.encoding),
                (&b"which one?"[..], encoding)
            );
        }
    }
}

#[test]
fn zero_padding_decides_between_v4_and_v5() {
    let (v4, v5) = (Shape::small().sfnn_v4(), Shape::small().sfnn_v5());
    for encoding in [Encoding::Raw, Encoding::Leb128] {
        let file = file_of(&v4, &padded(&v4, 1), encoding);
        let recognition = recognised(&file, &[&v5, &v4]);
        assert_eq!(
            (recognition.candidates, recognition.rule),
            (vec![1, 0], Rule::Padding)
        );
        let file = file_of(&v5, &padded(&v5, 2), encoding);
        let recognition = recognised(&file, &[&v4, &v5]);
        assert_eq!(
            (recognition.candidates, recognition.rule),
            (vec![1, 0], Rule::Padding)
        );
    }
}

#[test]
fn networks_that_differ_in_arithmetic_only_stay_undecided() {
    let (old, new) = (
        Shape::small().sfnn_v5(),
        Shape {
            one: 255,
            ..Shape::small()
        }
        .sfnn_v5(),
    );
    let file = file_of(&old, &padded(&old, 3), Encoding::Raw);
    let recognition = recognised(&file, &[&old, &new]);
    assert_eq!(
        (recognition.candidates, recognition.rule),
        (vec![0, 1], Rule::Undecided)
    );
    assert_eq!(recognised(&file, &[&new, &old]).candidates, [0, 1]);
}

#[test]
fn a_file_of_no_fitting_size_stays_undecided_and_is_left_to_the_reader() {
    let (full, halved) = (Shape::small().crelu(16), Shape::small().sfnn_v5());
    let file = file_of(&full, &random_tensors(&full, 4), Encoding::Leb128);
    for end in [file.len() - 1, 120, 60] {
        let recognition = recognised(&file[..end], &[&full, &halved]);
        assert_eq!(
            (recognition.candidates, recognition.rule),
            (vec![0, 1], Rule::Undecided)
        );
    }
}

#[test]
fn files_that_fit_nothing_are_explained() {
    let net = Shape::small().crelu(16);
    let words = |words: [u32; 4]| words.map(u32::to_le_bytes).concat();
    let error = |file: &[u8]| recognise(Cursor::new(file), &[&net]).expect_err("it does not fit");
    let v13 = error(&words([0x7AF3_2F20, 0x0256_ACDF, 0, 0x6165_DDC9]));
    assert_eq!(v13.kind(), LoadErrorKind::Architecture);
    assert!(
        v13.to_string()
            .contains("the file is SFNNv13 or v14, which is declared as `nnue::stockfish::Sfnnv14` (or `Sfnnv13`)"),
        "{v13}"
    );
    let other = Shape::stockfish("Odd", 384).crelu(24);
    let hashes = [
        other.container.network_hash(),
        0,
        other.container.transformer_hash,
    ];
    let text = error(&words([0x7AF3_2F20, hashes[0], hashes[1], hashes[2]])).to_string();
    assert!(
        text.contains("HalfKAv2_hm, 768 accumulator values (384x2 or 768x1), then 24 -> 32 -> 1"),
        "{text}"
    );
    assert_eq!(error(b"\x89PNG").kind(), LoadErrorKind::NotANetwork);
    assert_eq!(error(b"").kind(), LoadErrorKind::NotANetwork);
}

/// A source that gives a few bytes at a time, as a network on its way does.
struct Slow<'f>(&'f [u8]);

impl Read for Slow<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let most = out.len().min(1 + self.0.len() % 4096);
        self.0.read(&mut out[..most])
    }
}

#[test]
fn streams_are_read_in_one_pass() {
    let (v4, v5) = (Shape::small().sfnn_v4(), Shape::small().sfnn_v5());
    let wide = Shape::stockfish("Wide", 384).sfnn_v5();
    for encoding in [Encoding::Raw, Encoding::Leb128] {
        for (index, net) in [(1, &v4), (2, &v5)] {
            let tensors = padded(net, 5);
            let file = file_of(net, &tensors, encoding);
            let nets = [&wide, &v4, &v5];
            let streamed = read_stream(Slow(&file), &nets, 0).expect("one of them");
            assert_eq!(streamed.net, recognised(&file, &nets).candidates[0]);
            assert_eq!(streamed.net, index);
            assert_eq!(streamed.tensors, tensors);
            assert_eq!(streamed.header.description, b"which one?");
            for end in [0, 11, 60, file.len() / 2, file.len() - 1] {
                let error = read_stream(Slow(&file[..end]), &nets, 0).expect_err("it is cut");
                assert!(!error.has_next, "{end}: {}", error.error);
            }
        }
    }
}

/// Other tensors with the same hashes: the source is read again.
#[test]
fn streams_of_other_tensors_are_read_by_another_attempt() {
    let (full, halved) = (Shape::small().crelu(16), Shape::small().sfnn_v5());
    let nets = [&full, &halved];
    let file = file_of(&halved, &random_tensors(&halved, 1), Encoding::Leb128);
    let error = read_stream(Slow(&file), &nets, 0).expect_err("that of the first");
    assert!(error.has_next, "{}", error.error);
    let streamed = read_stream(Slow(&file), &nets, 1).expect("that of the second");
    assert_eq!(streamed.net, 1);
    let error = read_stream(Slow(&file), &nets, 2).expect_err("there is no third");
    assert!(!error.has_next, "{}", error.error);
    let error = read_stream(Slow(b"\x89PNG"), &nets, 0).expect_err("a picture");
    assert_eq!(error.error.kind(), LoadErrorKind::NotANetwork);
}
