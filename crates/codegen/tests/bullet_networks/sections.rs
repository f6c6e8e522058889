//! Files with bytes of their own, stacks one after the other, and LEB128 numbers.

use std::io::Cursor;

use nnue_format::{Header, Padding, Tensors, write};
use nnue_spec::{NetDesc, TensorRef};
use nnue_tools::declaration::{Defaults, declaration};

use crate::files::{assert_other_lengths_are_refused, error, random_file, random_tensors};
use crate::search::plan;

const PLAIN: &str = "struct N = (768 -> 32)x2 @ 255 screlu -> 1x2: i16 by material_count";

const SECTIONS: &str = r#"format raw {
    padding: none,
    order: ["NNSC", 0x1234u16, skip 6, ft_weight, ft_bias, align 64, stacks [fc0_weight, fc0_bias, skip 3]],
    fc0_bias: i32
}"#;

fn with<R>(format: &str, test: impl FnOnce(&NetDesc<'_>) -> R) -> R {
    let plan = plan(&format!("{PLAIN} {{ {format} }};"));
    test(&plan.tables().descriptor())
}

fn described(description: &[u8], net: &NetDesc<'_>, tensors: &Tensors) -> Vec<u8> {
    let header = Header::new(net, description);
    let mut file = Vec::new();
    write(net, &header, &tensors.refs(), &mut file).expect("a vector takes everything");
    file
}

#[test]
fn sections_stand_in_their_order() {
    with(SECTIONS, |net| {
        let tensors = random_tensors(net);
        let kept: Vec<u8> = (1..=64).collect();
        let file = described(&kept, net, &tensors);
        assert_eq!(&file[..12], b"NNSC\x34\x12\x01\x02\x03\x04\x05\x06");
        let (weights, aligned) = (12 + 2 * 32 * 769, 49_280);
        assert_eq!(&file[weights..aligned], &kept[6..58]);
        let refs = tensors.refs();
        let [TensorRef::I16(weight), TensorRef::I32(bias)] = refs[2..] else {
            panic!("the tensors of the layer come last")
        };
        for stack in 0..2 {
            let bytes = &file[aligned + stack * 135..][..135];
            let weights = weight[stack * 64..][..64].iter();
            let weights: Vec<u8> = weights.flat_map(|weight| weight.to_le_bytes()).collect();
            assert_eq!(bytes[..128], weights);
            assert_eq!(bytes[128..132], bias[stack].to_le_bytes());
            assert_eq!(bytes[132..], kept[58 + 3 * stack..][..3]);
        }
        let (header, read) = Tensors::read(net, &file[..]).expect("it was just written");
        assert_eq!(header.description, kept);
        assert_eq!(read, tensors);
    });
}

#[test]
fn other_constants_are_refused() {
    with(SECTIONS, |net| {
        let mut file = random_file(net, Padding::None);
        file[5] = 0x13;
        let found = error(net, &file);
        assert!(
            found.contains("0x1334 stands at offset 4, declared is 0x1234"),
            "{found}"
        );
        file[0] = b'M';
        let found = error(net, &file);
        assert!(
            found.contains("\"MNSC\" stands at offset 0, declared is \"NNSC\""),
            "{found}"
        );
        file.splice(
            ..0,
            *b"version https://git-lfs.github.com/spec/v1\noid sha256:",
        );
        let found = error(net, &file);
        assert!(found.starts_with("not a network: this is"), "{found}");
    });
}

#[test]
fn cut_sections_are_refused() {
    with(SECTIONS, |net| {
        let file = random_file(net, Padding::None);
        assert_other_lengths_are_refused(net, &file, (1..64).chain(file.len() - 200..file.len()));
    });
}

#[test]
fn numbers_are_leb128_throughout() {
    with("format raw { encoding: leb128, padding: none }", |net| {
        let tensors = random_tensors(net);
        let file = described(&[], net, &tensors);
        let (_, read) = Tensors::read(net, &file[..]).expect("it was just written");
        assert_eq!(read, tensors);
        for length in (0..100).chain(file.len() - 100..file.len()) {
            let found = error(net, &file[..length]);
            let expected = format!("truncated: the file ends after {length} bytes, inside `f");
            assert!(found.starts_with(&expected), "{length}: {found}");
        }
        let mut longer = file.clone();
        longer.insert(0, 0x80);
        longer[1] = 0;
        let found = error(net, &longer);
        let expected = "number 0 of `ft_weight` at offset 0 is not in its shortest form";
        assert!(found.contains(expected), "{found}");
    });
}

#[test]
fn floats_are_the_leb128_of_their_bits() {
    let text =
        "struct N = (768 -> 32)x2 @ 255 screlu -> 1: f32 { format raw { encoding: leb128 } };";
    let plan = plan(text);
    let tables = plan.tables();
    let net = tables.descriptor();
    let tensors = random_tensors(&net);
    let header = Header {
        padding: Padding::None,
        ..Header::new(&net, [])
    };
    let mut file = Vec::new();
    write(&net, &header, &tensors.refs(), &mut file).expect("a vector takes everything");
    let (found, read) = nnue_tools::read(&net, Cursor::new(&file[..])).expect("just written");
    assert_eq!((found.padding, read), (Padding::None, tensors));
}

#[test]
fn declarations_say_their_sections() {
    let formats = [
        SECTIONS,
        "format raw { skip: 7, encoding: leb128, ft_weight: [input / 64][63 - input % 64][output] }",
    ];
    for format in formats {
        let read = plan(&format!("{PLAIN} {{ {format} }};"));
        let tables = read.tables();
        let text = declaration(&tables.descriptor(), Defaults::Omitted);
        assert_eq!(plan(&text).raw, read.raw, "{text}");
    }
}
