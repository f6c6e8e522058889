//! The worked example of `docs/files.md` is what the writer writes.

mod common;

use common::toy::{TOY, toy_tensors};
use nnue_format::{Encoding, Header, LoadErrorKind, Tensors, write};
use nnue_spec::hash;

fn file(encoding: Encoding) -> Vec<u8> {
    let mut file = Vec::new();
    let header = Header {
        encoding,
        ..Header::new(&TOY, b"toy".to_vec())
    };
    write(&TOY, &header, &toy_tensors().refs(), &mut file).expect("a vector takes everything");
    file
}

/// The bytes in the tables of a section of the document: rows `| offset | bytes | meaning |`.
fn documented(section: &str) -> Vec<u8> {
    let text = include_str!("../../../docs/files.md");
    let section = text
        .split("\n## ")
        .find(|part| part.starts_with(section))
        .expect("the section exists");
    let rows = section
        .lines()
        .filter_map(|line| line.strip_prefix("| ")?.split(" | ").nth(1));
    let mut bytes = Vec::new();
    for row in rows.filter(|row| row.starts_with('`')) {
        let row = row.trim_matches('`');
        if let Some((byte, count)) = row.split_once(" x ") {
            let byte = u8::from_str_radix(byte, 16).expect("a byte");
            bytes.extend(std::iter::repeat_n(byte, count.parse().expect("a count")));
        } else {
            bytes.extend(
                row.split(' ')
                    .map(|byte| u8::from_str_radix(byte, 16).expect("a byte")),
            );
        }
    }
    bytes
}

#[test]
fn the_documented_bytes_are_those_of_the_writer() {
    assert_eq!(documented("The toy file, raw"), file(Encoding::Raw));
    assert_eq!(documented("The toy file, LEB128"), file(Encoding::Leb128));
}

#[test]
fn the_documented_hashes_are_computed() {
    let values = TOY.accumulator.width * TOY.accumulator.perspectives;
    assert_eq!(
        hash::transformer(TOY.features[0].set.hash(), values),
        TOY.container.transformer_hash
    );
    assert_eq!(
        hash::stack(values, [1].into_iter()),
        TOY.container.stack_hash
    );
}

#[test]
fn the_toy_file_round_trips_and_every_change_of_its_frame_is_noticed() {
    for encoding in [Encoding::Raw, Encoding::Leb128] {
        let file = file(encoding);
        let (header, tensors) = Tensors::read(&TOY, &file[..]).expect("the file is right");
        assert_eq!((header.encoding, tensors), (encoding, toy_tensors()));
        for end in 1..file.len() {
            assert_eq!(
                Tensors::read(&TOY, &file[..end]).expect_err("cut").kind(),
                LoadErrorKind::Truncated
            );
        }
        for at in 0..file.len() {
            for bit in 0..8 {
                let mut changed = file.clone();
                changed[at] ^= 1 << bit;
                // whatever is still accepted is a file of its own that is written as it was read
                if let Ok((header, tensors)) = Tensors::read(&TOY, &changed[..]) {
                    let mut written = Vec::new();
                    write(&TOY, &header, &tensors.refs(), &mut written)
                        .expect("a vector takes everything");
                    assert_eq!(written, changed, "bit {bit} of byte {at}");
                }
            }
        }
    }
}
