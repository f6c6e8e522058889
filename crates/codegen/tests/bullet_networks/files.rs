//! Header-less files: read, written byte for byte, and refused with the reason.

use std::io::Cursor;

use nnue_format::{Header, Padding, Tensors, raw_size, write};
use nnue_spec::{NetDesc, TensorMut};
use nnue_testkit::bullet::network;
use nnue_testkit::random::Random;
use nnue_tools::bounds;

use crate::{file_name, plan, plans};

/// The declaration without its golden values, which random weights do not have.
pub(crate) fn without_goldens<'a>(net: NetDesc<'a>) -> NetDesc<'a> {
    NetDesc {
        goldens: &[],
        ..net
    }
}

/// Weights that depend on nothing but the declaration.
pub(crate) fn random_tensors(net: &NetDesc<'_>) -> Tensors {
    let mut tensors = Tensors::zeroed(net);
    let mut random = Random::new(7);
    for (index, tensor) in tensors.muts().into_iter().enumerate() {
        let stored = net.raw.as_ref().and_then(|raw| raw.stored(index));
        let times = match stored {
            Some(stored) if stored.over == 1 => stored.times as i32,
            _ => 1,
        };
        let room = stored.map_or(1, |stored| stored.over.min(4)) as i32; // a ratio has greater numbers in the file
        match tensor {
            TensorMut::I8(out) => out
                .iter_mut()
                .for_each(|value| *value = random.next() as i8),
            TensorMut::I16(out) => out.iter_mut().for_each(|value| {
                *value = random.next() as i16 / 128 / times as i16 * times as i16
            }),
            TensorMut::F32(out) => out
                .iter_mut()
                .for_each(|value| *value = random.next() as i8 as f32 / 64.0),
            TensorMut::I32(out) => out
                .iter_mut()
                .for_each(|value| *value = random.next() as i32 / 65536 / room / times * times),
        }
    }
    tensors
}

/// The file of a random network.
pub(crate) fn random_file(net: &NetDesc<'_>, padding: Padding) -> Vec<u8> {
    let mut file = Vec::new();
    let header = Header {
        padding,
        ..Header::new(net, [])
    };
    write(net, &header, &random_tensors(net).refs(), &mut file).expect("a vector takes everything");
    file
}

fn with_net<R>(name: &str, test: impl FnOnce(&NetDesc<'_>) -> R) -> R {
    let plan = plan(name);
    let tables = plan.tables();
    test(&without_goldens(tables.descriptor()))
}

pub(crate) fn error(net: &NetDesc<'_>, file: &[u8]) -> String {
    nnue_tools::read(net, Cursor::new(file))
        .expect_err("the file is wrong")
        .to_string()
}

/// Cuts a file to each of these lengths, and makes it longer.
pub(crate) fn assert_other_lengths_are_refused(
    net: &NetDesc<'_>,
    file: &[u8],
    lengths: impl IntoIterator<Item = usize>,
) {
    for length in lengths {
        let found = error(net, &file[..length]);
        assert!(found.starts_with("truncated: "), "{length}: {found}");
    }
    let longer = [file, &[1, 2, 3]].concat();
    let found = error(net, &longer);
    assert!(found.starts_with("trailing bytes: 3 bytes"), "{found}");
}

#[test]
fn files_of_engines_are_written_as_they_were_read_and_cannot_overflow() {
    for (file, plan) in plans() {
        let Some(bytes) = network(&file_name(file)) else {
            continue;
        };
        let tables = plan.tables();
        let net = tables.descriptor();
        let (header, tensors) =
            Tensors::read(&net, &bytes[..]).unwrap_or_else(|error| panic!("{file}: {error}"));
        let mut written = Vec::with_capacity(bytes.len());
        write(&net, &header, &tensors.refs(), &mut written).expect("a vector takes everything");
        assert!(written == bytes, "{file}");
        assert_eq!(
            raw_size(&net, header.padding),
            Some(bytes.len() as u64),
            "{file}"
        );
        let bounds = bounds::prove(&net, &tensors.refs());
        assert!(bounds.nothing_wraps(), "{file}:\n{bounds}");
    }
}

#[test]
fn random_files_of_every_declaration_round_trip() {
    for (_, plan) in plans() {
        let tables = plan.tables();
        let net = without_goldens(tables.descriptor());
        let padding = net.raw.expect("all are raw").padding;
        let file = random_file(&net, padding);
        let (header, tensors) =
            Tensors::read(&net, &file[..]).unwrap_or_else(|error| panic!("{}: {error}", net.name));
        let mut written = Vec::new();
        write(&net, &header, &tensors.refs(), &mut written).expect("a vector takes everything");
        assert!(written == file, "{}", net.name);
        assert_eq!(
            raw_size(&net, padding),
            Some(file.len() as u64),
            "{}",
            net.name
        );
    }
}

#[test]
fn weights_stand_where_the_axes_say() {
    // Obsidian's file has the eight stacks of an input side by side.
    with_net("Obsidian", |net| {
        let mut tensors = Tensors::zeroed(net);
        let mut muts = tensors.muts();
        let TensorMut::I16(weights) = &mut muts[2] else {
            panic!("16-bit weights")
        };
        weights[3 * 1024 + 5] = 0x1234;
        let mut file = Vec::new();
        write(net, &Header::new(net, []), &tensors.refs(), &mut file)
            .expect("a vector takes everything");
        let start = 2 * (3072 * 512 + 512);
        let at = file[start..]
            .iter()
            .position(|&byte| byte != 0)
            .expect("a weight is set");
        assert_eq!(
            (at, &file[start + at..][..2]),
            (2 * (5 * 8 + 3), &[0x34, 0x12][..])
        );
    });
}

#[test]
fn another_number_of_buckets_is_told() {
    let eight = with_net("Akimbo512", |net| random_file(net, Padding::Zeros));
    let one = "pub struct One = (768 -> 512)x2 @ 255 crelu -> 1: i16 { format raw };";
    let nine = "pub struct Nine = (768 -> 512)x2 @ 255 crelu -> 1x9: i16 by material_count { format raw };";
    let kings = "pub struct Kings { inputs = Chess768[buckets: [0 x 16, 1 x 16], mirrored]; acc = accumulate(inputs, 512 @ 255) x 2;
                 stacks 8 by material_count { output affine(crelu(acc), 1: i16); } format raw }";
    let wide = "pub struct Wide = (768 -> 544)x2 @ 255 crelu -> 1x8: i16 by material_count { format raw };";
    let biases = "pub struct Biases = (768 -> 512)x2 @ 255 crelu -> 1x8: i16 by material_count { format raw { fc0_bias: i32 } };";
    for (declaration, told) in [
        (one, "this file has 8 output buckets, 1 is declared"),
        (nine, "this file has 8 output buckets, 9 are declared"),
        (kings, "it fits with king buckets 1, declared are 2"),
        (
            wide,
            "it fits with accumulators of 512 neurons, declared are 544",
        ),
    ] {
        let plans = nnue_codegen::plan_text(declaration).expect("it is right");
        let message = error(&plans[0].tables().descriptor(), &eight);
        assert!(message.contains(told), "{message}");
    }
    let unpadded = with_net("Akimbo512", |net| random_file(net, Padding::None));
    let plans = nnue_codegen::plan_text(biases).expect("it is right");
    let message = error(&plans[0].tables().descriptor(), &unpadded);
    assert!(
        message.contains("it fits with `fc0_bias: i16`"),
        "{message}"
    );
}

#[test]
fn paddings_are_told_apart() {
    let message = with_net("Akimbo512", |net| {
        error(net, &random_file(net, Padding::Text))
    });
    assert!(
        message.contains("48 bytes of padding `bullet` come after the 803856 bytes"),
        "{message}"
    );
    let message = with_net("Akimbo512", |net| {
        error(net, &random_file(net, Padding::None))
    });
    assert!(
        message.contains("declared are 48 bytes `zeros`"),
        "{message}"
    );
    let message = with_net("Akimbo512", |net| {
        let mut file = random_file(net, Padding::Zeros);
        *file.last_mut().expect("a file") = 1;
        error(net, &file)
    });
    assert!(
        message.contains("48 bytes that are neither zeros nor `bullet..`"),
        "{message}"
    );
}

#[test]
fn cut_and_empty_files_are_told() {
    with_net("Calvin64", |net| {
        let file = random_file(net, Padding::None);
        let message = error(net, &file[..file.len() - 1]);
        assert!(
            message.contains("`Calvin64` has 98690 bytes, the file 98689")
                && message.contains("cut off"),
            "{message}"
        );
        assert!(error(net, &[]).contains("zero length: the trainer's quantisation overflowed"));
        let cut = nnue_tools::read(net, Cursor::new(&file[..50_000])).expect_err("the file is cut");
        assert_eq!(
            (cut.tensor(), cut.expected(), cut.found()),
            (Some("ft_weight"), Some(98690), Some(50_000))
        );
        let mut longer = file.clone();
        longer.extend([0; 1000]);
        assert!(
            error(net, &longer).contains("1000 bytes come after the 98690 bytes"),
            "{}",
            error(net, &longer)
        );
    });
}

/// What is refused of a source that never ends: the bytes that were expected, and that there are more.
fn refuses_endless(source: impl std::io::Read) {
    with_net("Calvin64", |net| {
        let error = Tensors::read(net, source).expect_err("it never ends");
        let size = raw_size(net, Padding::None).expect("a raw file");
        assert_eq!(error.kind(), nnue_format::LoadErrorKind::TrailingBytes);
        assert_eq!((error.expected(), error.found()), (Some(size), None));
        let message = error.to_string();
        let words = format!("more than 268435456 bytes come after the {size} bytes of `Calvin64`");
        assert!(message.contains(&words), "{message}");
    });
}

#[test]
fn sources_that_never_end_are_refused() {
    refuses_endless(std::io::repeat(0));
    refuses_endless(std::io::repeat(1));
}

#[cfg(target_os = "linux")]
#[test]
fn devices_that_never_end_are_refused() {
    refuses_endless(std::fs::File::open("/dev/zero").expect("every Linux has it"));
}

#[test]
fn bytes_in_front_are_kept() {
    let declaration = "pub struct Skipped = (768 -> 64)x2 @ 255 screlu -> 1: i16 { format raw { skip: 5, padding: none } };";
    let plans = nnue_codegen::plan_text(declaration).expect("it is right");
    let tables = plans[0].tables();
    let net = tables.descriptor();
    let mut file = b"front".to_vec();
    file.extend(random_file(&net, Padding::None)[5..].iter());
    let (header, tensors) = Tensors::read(&net, &file[..]).expect("the file is right");
    assert_eq!(header.description, b"front");
    let mut written = Vec::new();
    write(&net, &header, &tensors.refs(), &mut written).expect("a vector takes everything");
    assert!(written == file);
}

/// The value of the start position in a random network, written into the declaration `source` in place of `GOLDEN`; then the
/// error for the file when it is declared as `other`, with the same golden value.
pub(crate) fn golden_error(source: &str, other: &str) -> String {
    let planned = |source: &str, value: i32| {
        let source = source.replace("GOLDEN", &format!("golden \"{START}\" = {value};"));
        nnue_codegen::plan_text(&source)
            .unwrap_or_else(|e| panic!("{}", e[0]))
            .remove(0)
    };
    let plan = planned(source, 0);
    let tables = plan.tables();
    let net = without_goldens(tables.descriptor());
    let file = random_file(&net, Padding::None);
    let (_, tensors) = Tensors::read(&net, &file[..]).expect("the file is right");
    let fen = nnue_spec::Fen::parse(START).expect("a FEN");
    let board = nnue_spec::reference::Board::new(fen.pieces, fen.black_to_move);
    let value = nnue_spec::reference::evaluate(&net, &tensors.refs(), &board).value;
    let right = planned(source, value);
    Tensors::read(&right.tables().descriptor(), &file[..]).expect("the golden value is right");
    let wrong = planned(other, value);
    error(&wrong.tables().descriptor(), &file)
}

/// Not symmetric: mirroring changes its value. Black moves: so does the order of perspectives.
const START: &str = "r1bqkb1r/pp3ppp/2n1pn2/3p4/3P4/2N2N2/PP2PPPP/R1BQKB1R b KQkq - 0 7";

/// A float of a file that is none, in a header-less file and in the other container: the error names the tensor, the element, the
/// byte at which it stands, and what it is.
#[test]
fn floats_that_are_no_numbers_are_refused() {
    let heads = "Chess768[..] -> 32x2 @ 255 pairwise -> (8: i8 screlu -> 6: f32 -> 1: f32)x2";
    let untransposed = "format raw { padding: none, skip: 3, fc1_weight: [input][stack][output] }";
    for format in [untransposed, "format stockfish"] {
        let plans = nnue_codegen::plan_text(&format!("struct Heads = {heads} {{ {format} }};"))
            .expect("it is right");
        let tables = plans[0].tables();
        let net = tables.descriptor();
        for (name, element, shown) in [
            ("fc0_bias", 9, "[1][0][1]"),
            ("fc1_weight", 79, ""),
            ("fc2_weight", 0, "[0][0][0]"),
        ] {
            for (value, text) in [
                (f32::NAN, "NaN"),
                (f32::INFINITY, "inf"),
                (f32::NEG_INFINITY, "-inf"),
            ] {
                let mut tensors = random_tensors(&net);
                let at = net
                    .tensors
                    .iter()
                    .position(|tensor| tensor.name == name)
                    .expect("it is declared");
                let TensorMut::F32(values) = &mut tensors.muts()[at] else {
                    panic!("`{name}` is of floats")
                };
                values[element] = value;
                let mut file = Vec::new();
                write(&net, &Header::new(&net, []), &tensors.refs(), &mut file)
                    .expect("a vector takes everything");
                let error = Tensors::read(&net, &file[..]).expect_err("a float is no number");
                assert_eq!(error.kind(), nnue_format::LoadErrorKind::ValueRange);
                assert_eq!(
                    (error.tensor(), error.element()),
                    (Some(name), Some(element as u64))
                );
                let stands = &file[error.offset() as usize..][..4];
                assert_eq!(stands, value.to_le_bytes(), "{format}: {error}");
                let message = error.to_string();
                let expected = [
                    &format!("`{name}{shown}"),
                    &format!(" is {text}, floats of a network are finite"),
                ];
                assert!(
                    expected.into_iter().all(|part| message.contains(part)),
                    "{message}"
                );
            }
        }
    }
}

/// The weights of two perspectives alternate: those of neuron 0 of both, then those of neuron 1.
#[test]
fn perspectives_may_alternate() {
    let net = |kind: &str, format: &str| {
        let source = format!(
            "struct N = Chess768[..] -> 64x2 @ 255 {kind} {{ format raw {{ padding: none, {format} }} }};"
        );
        nnue_codegen::plan_text(&source)
            .unwrap_or_else(|e| panic!("{}", e[0].message))
            .remove(0)
    };
    let kinds = [
        (
            "pairwise -> (6 -> 1)x2",
            32,
            "fc0_weight: [input][stack][output]",
        ),
        ("screlu -> 1x2: i16", 64, "fc0_weight: [stack][input]"),
        (
            "screlu -> (5: f32 -> 1: f32)x2",
            64,
            "fc0_weight: [stack][output][input]",
        ),
    ];
    for (kind, each, axes) in kinds {
        let (plain, alternating) = (
            net(kind, axes),
            net(kind, &format!("{axes}, perspectives: interleaved")),
        );
        let (tables, other) = (plain.tables(), alternating.tables());
        let (plain, alternating) = (tables.descriptor(), other.descriptor());
        let tensors = random_tensors(&plain);
        let mut file = Vec::new();
        write(
            &alternating,
            &Header::new(&alternating, []),
            &tensors.refs(),
            &mut file,
        )
        .expect("a vector takes everything");
        let (_, read) = Tensors::read(&alternating, &file[..]).expect("it was just written");
        assert_eq!(read, tensors, "{kind}");
        // Read as concatenated, column 2 k of the file is neuron k of the first perspective, column 2 k + 1 of the second.
        let (_, concatenated) = Tensors::read(&plain, &file[..]).expect("it has the same length");
        let desc = &plain.tensors[2];
        assert_eq!((desc.name, desc.cols), ("fc0_weight", 2 * each), "{kind}");
        let (refs, found) = (tensors.refs(), concatenated.refs());
        for row in 0..desc.len() / desc.cols {
            for column in 0..desc.cols {
                let neuron = row * desc.cols + column % 2 * each + column / 2;
                assert_eq!(
                    value(found[2], row * desc.cols + column),
                    value(refs[2], neuron),
                    "{kind}: {row}, {column}"
                );
            }
        }
        assert!(
            (0..refs.len()).all(|at| at == 2 || refs[at] == found[at]),
            "{kind}: other tensors stay"
        );
    }
}

/// An element of any type.
fn value(tensor: nnue_spec::TensorRef<'_>, at: usize) -> f64 {
    match tensor {
        nnue_spec::TensorRef::F32(values) => values[at].into(),
        other => other.get(at).into(),
    }
}

/// Biases are outputs, one row for each stack.
#[test]
fn axes_of_biases_are_outputs() {
    let heads = |bias: &str| {
        format!(
            "struct Heads = Chess768[..] -> 32x2 @ 255 pairwise -> (8 -> 1)x2 {{ format raw {{ fc0_bias: {bias} }} }};"
        )
    };
    let plans = nnue_codegen::plan_text(&heads("[output][stack]")).expect("it is right");
    let tables = plans[0].tables();
    let net = tables.descriptor();
    let mut tensors = Tensors::zeroed(&net);
    let TensorMut::I32(biases) = &mut tensors.muts()[3] else {
        panic!("32-bit biases")
    };
    biases.copy_from_slice(&[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 0]);
    let mut file = Vec::new();
    write(&net, &Header::new(&net, []), &tensors.refs(), &mut file)
        .expect("a vector takes everything");
    let start = 2 * (768 * 32 + 32) + 2 * 8 * 32;
    assert_eq!(
        file[start..].iter().position(|&byte| byte == 5),
        Some(4 * (3 * 2 + 1))
    );
    let errors = nnue_codegen::plan_text(&heads("[stack]")).expect_err("an axis is missing");
    assert!(
        errors[0]
            .message
            .contains("`fc0_bias` has 8 times the axis `output`"),
        "{}",
        errors[0].message
    );
    assert!(
        errors[0].message.contains("`fc0_bias: [stack][output]`"),
        "{}",
        errors[0].message
    );
    assert!(nnue_codegen::plan_text(&heads("[stack][input]")).is_err());
}

#[test]
fn golden_values_tell_how_the_file_is_to_be_read() {
    let plain = "struct N = (768 -> 32)x2 @ 255 screlu -> 1x8: i16 by material_count { format raw; GOLDEN };";
    let with = |format: &str| {
        format!(
            "struct N = (768 -> 32)x2 @ 255 screlu -> 1x8: i16 by material_count {{ format raw {{ {format} }} GOLDEN }};"
        )
    };
    let transposed = golden_error(&with("fc0_weight: [input][stack]"), plain);
    assert!(
        transposed.contains("it fits with `fc0_weight: [input][stack]`"),
        "{transposed}"
    );
    let bucket_major = golden_error(plain, &with("fc0_weight: [input][stack]"));
    assert!(
        bucket_major.contains("it fits with `fc0_weight: [stack][input]`"),
        "{bucket_major}"
    );
    let columns = golden_error(&with("ft_weight: [output][input]"), plain);
    assert!(
        columns.contains("it fits with `ft_weight: [output][input]`"),
        "{columns}"
    );
    let mirrored = golden_error(&plain.replace("768 ->", "Chess768[mirrored] ->"), plain);
    assert!(mirrored.contains("it fits with `mirrored`"), "{mirrored}");
    let alternating = golden_error(&with("perspectives: interleaved"), plain);
    assert!(
        alternating.contains("it fits with `perspectives: interleaved`"),
        "{alternating}"
    );
    let enemy = golden_error(&with("rows: enemy_first"), plain);
    assert!(
        enemy.contains("it fits with `rows: enemy_first`"),
        "{enemy}"
    );
    let bias = golden_error(&with("fc0_bias: i16 @ 64"), plain);
    assert!(bias.contains("it fits with `fc0_bias: i16 @ 64`"), "{bias}");
    let clipped = golden_error(&plain.replace("screlu", "crelu"), plain);
    assert!(clipped.contains("it fits with `crelu`"), "{clipped}");
    let white = golden_error(&plain.replace("screlu", "screlu white_first"), plain);
    assert!(white.contains("it fits with `white_first`"), "{white}");
    let mover = golden_error(plain, &plain.replace("screlu", "screlu white_first"));
    assert!(mover.contains("it fits without `white_first`"), "{mover}");
    let products = plain
        .replace("screlu", "pairwise")
        .replace("-> 32", "-> 64");
    let pairs = golden_error(
        &products.replace("raw;", "raw { fc0_weight: [input][stack] };"),
        &products,
    );
    assert!(
        pairs.contains("it fits with `fc0_weight: [input][stack]`"),
        "{pairs}"
    );
    let scale = golden_error(&plain.replace("255", "200"), plain);
    assert!(scale.contains("the file is another network"), "{scale}");
}
