//! Files with parts of tensors, blocks of LEB128 numbers, padded rows and units of their own.

use nnue_format::{Header, Padding, Tensors, write};
use nnue_spec::{NetDesc, TensorRef};
use nnue_tools::declaration::{Defaults, declaration};

use crate::files::{assert_other_lengths_are_refused, error, random_tensors};
use crate::search::plan;

const DECLARED: &str = r"
    struct N = self::Set[100, active 20] -> 32x2 @ 254 pairwise, psqt 2 -> (8 -> 8 -> 1)x2 by self::rule {
        format raw {
            padding: none,
            order: [
                0x7AF32F16u32, skip 2, text,
                leb128 [ft_bias],
                ft_weight[40..] as i8,
                leb128 [ft_psqt[40..], ft_weight[..40]],
                ft_psqt[..40],
                stacks [7u16, fc0_bias, fc0_weight, fc1_bias, fc1_weight, fc2_bias, fc2_weight]
            ],
            ft_weight: i16 << 1, ft_bias: i16 << 1, fc1_weight: [output][input to 32], fc0_bias: i16 * 127 / 255
        }
    };";

/// What the file keeps: two bytes, a text, what rounding drops of eight biases of two stacks.
const KEPT: &[u8] = b"ab\x04\0\0\0text\x01\0\0\xFF\0\0\0\0\0\0\0\0\0\0\0\0";

/// The head of a block of LEB128 numbers.
const BLOCK: usize = 17 + 4;

fn with<R>(test: impl FnOnce(&NetDesc<'_>) -> R) -> R {
    test(&plan(DECLARED).tables().descriptor())
}

/// A file with random weights.
fn written(net: &NetDesc<'_>, tensors: &Tensors) -> Vec<u8> {
    let mut file = Vec::new();
    let header = Header::new(net, KEPT);
    write(net, &header, &tensors.refs(), &mut file).expect("a vector takes everything");
    file
}

/// The numbers of a block that begins at `at`, and the offset of its end.
fn block(file: &[u8], at: usize) -> (Vec<i64>, usize) {
    assert_eq!(&file[at..at + 17], b"COMPRESSED_LEB128");
    let length = u32::from_le_bytes(file[at + 17..at + BLOCK].try_into().expect("four bytes"));
    let (start, end) = (at + BLOCK, at + BLOCK + length as usize);
    let (mut numbers, mut number, mut shift) = (Vec::new(), 0_i64, 0);
    for &byte in &file[start..end] {
        number |= i64::from(byte & 0x7F) << shift;
        shift += 7;
        if byte & 0x80 == 0 {
            numbers.push(number << (64 - shift) >> (64 - shift));
            (number, shift) = (0, 0);
        }
    }
    (numbers, end)
}

#[test]
fn parts_stand_where_they_are_declared() {
    with(|net| {
        let tensors = random_tensors(net);
        let file = written(net, &tensors);
        let refs = tensors.refs();
        let [
            TensorRef::I16(bias),
            TensorRef::I16(weight),
            TensorRef::I32(psqt),
        ] = refs[..3]
        else {
            panic!("biases, weights and PSQT weights, in the order of the file")
        };
        assert_eq!(&file[..14], b"\x16\x2F\xF3\x7Aab\x04\0\0\0text");
        let (numbers, at) = block(&file, 14);
        let halves = |numbers: &[i16]| {
            numbers
                .iter()
                .map(|it| i64::from(*it / 2))
                .collect::<Vec<_>>()
        };
        assert_eq!(numbers, halves(bias));
        let rows = &file[at..at + 60 * 32];
        let rows: Vec<i64> = rows.iter().map(|byte| byte.cast_signed().into()).collect();
        assert_eq!(rows, halves(&weight[40 * 32..]));
        let (numbers, at) = block(&file, at + 60 * 32);
        let in_block = psqt[40 * 2..]
            .iter()
            .map(|it| i64::from(*it))
            .chain(halves(&weight[..40 * 32]));
        assert_eq!(numbers, in_block.collect::<Vec<_>>());
        assert_eq!(file[at..at + 4], psqt[0].to_le_bytes());
        let stack = 2 + 8 * 2 + 8 * 32 + 8 * 4 + 8 * 32 + 4 + 8;
        let stacks = at + 40 * 2 * 4;
        assert_eq!(file.len(), stacks + 2 * stack);
        assert_eq!(file[stacks + stack..][..2], [7, 0]);
    });
}

#[test]
fn what_was_read_is_written() {
    with(|net| {
        let tensors = random_tensors(net);
        let file = written(net, &tensors);
        let (header, read) = Tensors::read(net, &file[..]).expect("it was just written");
        assert_eq!(read, tensors);
        assert_eq!(
            (&header.description[..10], header.padding),
            (&KEPT[..10], Padding::None)
        );
        let mut again = Vec::new();
        write(net, &header, &read.refs(), &mut again).expect("a vector takes everything");
        assert_eq!(again, file);
    });
}

/// 3 * 127 / 255 and 4 * 127 / 255 are 1: both files give the same network and are written back as they were.
#[test]
fn what_rounding_drops_is_kept() {
    with(|net| {
        let mut tensors = random_tensors(net);
        let place = net
            .tensors
            .iter()
            .position(|tensor| tensor.name == "fc0_bias");
        let place = place.expect("a bias");
        let nnue_spec::TensorMut::I32(bias) = &mut tensors.muts()[place] else {
            panic!("sums have biases of 32 bits")
        };
        bias.fill(1);
        let of_three = written(net, &tensors);
        let at = of_three.len() - 2 * (2 + 8 * 2 + 8 * 32 + 8 * 4 + 8 * 32 + 4 + 8) + 2;
        // KEPT has a 1 for the first bias; -1 for the fourth, which would be 2 * 127 / 255 = 0 and so is left out
        let numbers: Vec<u8> = of_three[at..at + 8].iter().copied().step_by(2).collect();
        assert_eq!(numbers, [4, 3, 3, 3]);
        let (header, read) = Tensors::read(net, &of_three[..]).expect("it was just written");
        assert_eq!(read, tensors);
        assert_eq!(header.description[10..14], [1, 0, 0, 0]);
    });
}

#[test]
fn cut_parts_are_refused() {
    with(|net| {
        let file = written(net, &random_tensors(net));
        assert_other_lengths_are_refused(net, &file, 1..file.len());
    });
}

#[test]
fn other_blocks_and_texts_are_refused() {
    with(|net| {
        let file = written(net, &random_tensors(net));
        let refused = |change: &dyn Fn(&mut Vec<u8>), expected: &str| {
            let mut file = file.clone();
            change(&mut file);
            let found = error(net, &file);
            assert!(found.contains(expected), "{found}");
        };
        refused(
            &|file| file[14] = b'c',
            "no COMPRESSED_LEB128 stands at offset 14",
        );
        refused(
            &|file| file[14 + 17] += 1,
            "the block of tensor `ft_bias` at offset 35 has",
        );
        refused(
            &|file| file[14 + 17] -= 1,
            "the block of tensor `ft_bias` at offset 35 has",
        );
        refused(
            &|file| file[9] = 1,
            "the text at offset 6 would have 16777220 bytes",
        );
        let weights = block(&file, 14).1;
        refused(
            &|file| drop(file.splice(weights - 1..weights, [0xFF, 0x7F])),
            "shortest form",
        );
    });
}

#[test]
fn weights_without_halves_are_not_written() {
    with(|net| {
        let mut tensors = random_tensors(net);
        let nnue_spec::TensorMut::I16(weights) = &mut tensors.muts()[1] else {
            panic!("weights have 16 bits")
        };
        weights[50 * 32 + 3] = 3;
        let header = Header::new(net, KEPT);
        let error = write(net, &header, &tensors.refs(), &mut Vec::new()).expect_err("3 is odd");
        let text = error.to_string();
        assert!(
            text.contains("`ft_weight`") && text.contains("1603"),
            "{text}"
        );
    });
}

#[test]
fn declarations_say_their_parts() {
    let read = plan(DECLARED);
    let text = declaration(&read.tables().descriptor(), Defaults::Omitted);
    assert_eq!(plan(&text).raw, read.raw, "{text}");
}
