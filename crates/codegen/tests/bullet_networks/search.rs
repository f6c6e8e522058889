//! Golden values that differ: the search for what the declaration has wrong, and how sure its message is.

use std::cell::Cell;
use std::io::Cursor;

use nnue_format::{Header, Padding, Tensors, write};
use nnue_spec::plan::Plan;
use nnue_spec::reference::{Board, evaluate};
use nnue_spec::{Fen, GoldenDesc, NetDesc, TensorRef};
use nnue_tools::golden::readings_by;

use crate::files::{random_tensors, without_goldens};

/// Not symmetric, kings on both wings, both sides to move.
const FENS: [&str; 3] = [
    "r1bqkb1r/pp3ppp/2n1pn2/3p4/3P4/2N2N2/PP2PPPP/R1BQKB1R b KQkq - 0 7",
    "2kr3r/ppp2ppp/2n1bn2/2b1p3/4P3/2NP1N2/PPP1BPPP/R1B2RK1 w - - 0 9",
    "6k1/1p3pp1/p1q4p/3r4/3P4/1Q3N1P/PP3PP1/4R1K1 b - - 0 27",
];

pub(crate) fn plan(source: &str) -> Plan {
    nnue_codegen::plan_text(source)
        .unwrap_or_else(|errors| panic!("{}: {source}", errors[0]))
        .remove(0)
}

/// What the random network that `saved` declares says about the positions, with its file.
fn file_of(saved: &str, padding: Padding) -> (Vec<u8>, Vec<i32>) {
    let plan = plan(saved);
    let tables = plan.tables();
    let net = tables.descriptor();
    let tensors = random_tensors(&net);
    let mut file = Vec::new();
    let header = Header {
        padding,
        ..Header::new(&net, [])
    };
    write(&net, &header, &tensors.refs(), &mut file).expect("a vector takes everything");
    // The file has the order of the declaration, and what the bytes are is asked of it.
    let (_, tensors) =
        Tensors::read(&without_goldens(net), &file[..]).expect("it was just written");
    (
        file,
        FENS.map(|fen| value(&net, &tensors.refs(), &parsed(fen)))
            .to_vec(),
    )
}

fn parsed(fen: &str) -> Fen {
    Fen::parse(fen).expect("a FEN")
}

fn value(net: &NetDesc<'_>, tensors: &[TensorRef<'_>], fen: &Fen) -> i32 {
    evaluate(
        net,
        tensors,
        &Board::new(fen.pieces.iter().copied(), fen.black_to_move),
    )
    .value
}

/// The error for `file`, declared as `declared` with these golden values.
fn refused(file: &[u8], declared: &str, values: &[i32]) -> String {
    let plan = plan(declared);
    let tables = plan.tables();
    let goldens: Vec<_> = FENS
        .iter()
        .zip(values)
        .map(|(fen, &value)| GoldenDesc { fen, value })
        .collect();
    let net = NetDesc {
        goldens: &goldens,
        ..tables.descriptor()
    };
    nnue_tools::read(&net, Cursor::new(file))
        .expect_err(declared)
        .to_string()
}

/// The error for a file that `saved` declares rightly and `declared` wrongly, with the first `goldens` golden values.
fn told(saved: &str, declared: &str, goldens: usize) -> String {
    let (file, values) = file_of(saved, Padding::None);
    refused(&file, declared, &values[..goldens])
}

#[track_caller]
fn says(message: &str, words: &str) {
    assert!(message.contains(words), "`{words}` is not in: {message}");
}

const FLOATS: &str =
    "struct N = Chess768[..] -> 32x2 @ 255 screlu -> (16: f32 screlu -> 1: f32)x2 { format raw };";
const DIRECT: &str =
    "struct N = (768 -> 32)x2 @ 255 screlu -> 1x8: i16 by material_count { format raw };";

#[test]
fn the_activation_before_a_float_head_is_found() {
    let clipped = FLOATS.replace("255 screlu", "255 crelu");
    says(
        &told(FLOATS, &clipped, 3),
        ": it fits with `screlu` (3 of 3 golden values agree)",
    );
    says(
        &told(&clipped, FLOATS, 3),
        ": it fits with `crelu` (3 of 3 golden values agree)",
    );
    let layer = FLOATS.replace("f32 screlu", "f32 crelu");
    says(
        &told(FLOATS, &layer, 3),
        ": it fits with `screlu` after `fc0` (3 of 3 golden values agree)",
    );
}

/// One value agrees with many readings: all are told, and none as a fact.
#[test]
fn one_golden_value_may_agree_by_chance() {
    let message = told(FLOATS, &FLOATS.replace("255 screlu", "255 crelu"), 1);
    says(&message, "with `screlu`");
    says(
        &message,
        " (1 of 1 golden value agrees, which may be chance: give more)",
    );
}

#[test]
fn scales_are_found() {
    for one in [127, 128, 181, 255, 256] {
        let saved = DIRECT.replace("255", &one.to_string());
        let message = told(&saved, &DIRECT.replace("255", "200"), 3);
        says(
            &message,
            &format!("it fits with the accumulators at `@ {one}` (3 of 3 golden values agree)"),
        );
    }
    let message = told(&FLOATS.replace("255", "181"), FLOATS, 3);
    says(&message, "it fits with the accumulators at `@ 181` (3 of 3");
    for scale in [32, 128] {
        let saved = DIRECT.replace("i16", &format!("i16 @ {scale}"));
        let message = told(&saved, DIRECT, 3);
        says(
            &message,
            &format!("with the weights of `fc0` at `@ {scale}`"),
        );
    }
    let bytes = "struct N = Chess768[..] -> 64x2 @ 127 crelu -> (16: i8 @ 64 crelu -> 1: f32)x2 { format raw };";
    let message = told(&bytes.replace("i8 @ 64", "i8 @ 32"), bytes, 3);
    says(&message, "with the weights of `fc0` at `@ 32`");
}

/// Usual scales of the value are tried with one golden value, any where several must agree.
#[test]
fn scales_of_the_value_are_found() {
    for (network, scales) in [(DIRECT, [340, 217]), (FLOATS, [340, 217])] {
        for scale in scales {
            let saved = network.replace("{ format", &format!("{{ value output * {scale}; format"));
            says(
                &told(&saved, network, 3),
                &format!("with `value output * {scale}`"),
            );
        }
    }
    let sigmoid = FLOATS.replace("{ format", "{ value sigmoid(output) * 410; format");
    says(
        &told(&sigmoid, &sigmoid.replace("410", "1000"), 3),
        "with `value sigmoid(output) * 410`",
    );
}

#[test]
fn the_view_of_the_board_is_found() {
    let with = |set: &str| DIRECT.replace("768 ->", &format!("{set} ->"));
    let buckets = with("Chess768[buckets: [0 x 8, 1 x 56]]");
    for (saved, declared, words) in [
        (
            with("Chess768[rotated]"),
            DIRECT,
            "it fits with `rotated` (3 of 3",
        ),
        (
            with("Chess768"),
            &with("Chess768[rotated]"),
            "it fits without `rotated` (3 of 3",
        ),
        (
            with("Chess768[buckets: [1 x 56, 0 x 8]]"),
            &buckets,
            "it fits with the king buckets of rank 8 first (3 of 3",
        ),
        (
            with("Chess768[mirrored]"),
            DIRECT,
            "it fits with `mirrored` (3 of 3",
        ),
    ] {
        says(&told(&saved, declared, 3), words);
    }
}

#[test]
fn two_faults_are_found() {
    let transposed = FLOATS.replace(
        "raw }",
        "raw { fc0_weight: [input][stack][output], fc1_weight: [input][stack] } }",
    );
    let clipped = FLOATS.replace("255 screlu", "255 crelu");
    let message = told(&transposed, &clipped, 3);
    says(
        &message,
        "it fits with the weights of all layers transposed, `fc0_weight: [input][stack][output], fc1_weight: [input][stack]`",
    );
    says(&message, " and with `screlu` (3 of 3 golden values agree)");

    let mirrored = DIRECT.replace("768 ->", "Chess768[mirrored] ->");
    let message = told(&mirrored, &DIRECT.replace("255 screlu", "255 crelu"), 3);
    says(
        &message,
        "it fits with `screlu` and with `mirrored` (3 of 3 golden values agree)",
    );

    let far = DIRECT
        .replace("255", "181")
        .replace("{ format", "{ value output * 217; format");
    let message = told(&far, DIRECT, 3);
    says(
        &message,
        "with the accumulators at `@ 181` and with `value output * 217`",
    );
}

#[test]
fn a_bias_of_another_width_is_found() {
    let narrow = "struct N = (768 -> 32)x2 @ 255 screlu -> 1: i16 { format raw };";
    let (mut file, _) = file_of(narrow, Padding::Zeros);
    let size = file.len() - 62;
    file[size - 2..size].copy_from_slice(&(-9000_i16).to_le_bytes());
    let plan = plan(narrow);
    let tables = plan.tables();
    let net = tables.descriptor();
    let (_, tensors) =
        Tensors::read(&net, &file[..]).expect("it has the length of its declaration");
    let values = FENS.map(|fen| value(&net, &tensors.refs(), &parsed(fen)));
    let message = refused(
        &file,
        &narrow.replace("raw }", "raw { fc0_bias: i32 } }"),
        &values,
    );
    says(
        &message,
        "it fits with `fc0_bias: i16` (3 of 3 golden values agree)",
    );
}

/// Half of eight biases of 32 bits would be the zeros of the padding: that is no reading, even with one golden value.
#[test]
fn zeros_of_the_padding_are_no_biases() {
    let (file, _) = file_of(DIRECT, Padding::Zeros);
    let plan = plan(&DIRECT.replace("raw }", "raw { fc0_bias: i32 } }"));
    let tables = plan.tables();
    let goldens = [GoldenDesc {
        fen: FENS[0],
        value: 0,
    }];
    let net = NetDesc {
        goldens: &goldens,
        ..tables.descriptor()
    };
    let mut tensors = Tensors::zeroed(&net);
    nnue_format::read(
        &net,
        &file[..],
        &mut tensors.muts(),
        &nnue_format::leb128::Portable,
    )
    .expect("it has this length");
    let message = refused(
        &file,
        DIRECT,
        &[value(&net, &tensors.refs(), &parsed(FENS[0]))],
    );
    assert!(!message.contains("fc0_bias"), "{message}");
}

/// A golden value that was copied wrongly does not hide the others.
#[test]
fn readings_are_ranked_by_the_values_that_agree() {
    let (file, mut values) = file_of(DIRECT, Padding::None);
    values[1] += 1000;
    let message = refused(&file, &DIRECT.replace("screlu", "crelu"), &values);
    says(
        &message,
        "it fits with `screlu` (2 of 3 golden values agree)",
    );
    let message = refused(&file, DIRECT, &values);
    says(&message, "the file is another network");
    says(&message, "; 2 of 3 golden values agree: is this one right?");
}

#[test]
fn another_network_is_told_as_such() {
    let (file, values) = file_of(DIRECT, Padding::None);
    let message = refused(
        &file,
        DIRECT,
        &[values[0] + 9999, values[1] - 7777, values[2] + 5555],
    );
    assert!(
        message.ends_with("(scales, activation, king buckets, the order of tensors)"),
        "{message}"
    );
}

/// Every form of network is read in every way that is tried.
#[test]
fn other_networks_are_searched_to_the_end() {
    let heads = [
        "Chess768[..] -> 32x2, psqt 8 -> (16 sqr_crelu -> 8 -> 1)x8",
        "Chess768[..] -> 32x2 quantmoid4 -> 8 quantmoid4 -> 1",
        "Chess768[..] -> 64x2 avg_halves -> 8 max_halves -> 1",
        "Chess768[..] -> 32x2 @ 181 sqr_crelu -> 8: i8 @ 128 crelu -> 1",
        "Chess704[mirrored] -> 64x2 @ 362 pairwise >> 10 -> (16: i8 @ 32 screlu -> 32: f32 screlu -> 1: f32 sums 16)x8",
        "Chess768[..] -> 32x2 @ 255 pairwise -> 32 hard_swish -> 64: f32 gated -> 1: f32 { floats fused; }",
        "Chess768[..] -> 32x2 @ 255 pairwise -> (16 screlu -> 3: f32)x8 { value wdl * 1000; }",
        "(768 -> 32)x2 @ 255 screlu separate -> 1: i16 { format raw { fc0_bias: i32, padding: zeros } }",
        "(768 -> 64)x2 @ 255 pairwise white_first -> 1x8: i16 { format raw { perspectives: interleaved } }",
        "Chess768[buckets: [0 x 16, 1 x 16], mirrored] -> 32 @ 255 screlu -> 1: i16 { format raw }",
    ];
    for head in heads {
        let saved = format!("struct N = {head};");
        let (file, values) = file_of(&saved, Padding::Zeros);
        for goldens in [1, 3] {
            let wrong: Vec<i32> = values[..goldens]
                .iter()
                .map(|value| value.wrapping_mul(-3) + 1_234_567)
                .collect();
            let message = refused(&file, &saved, &wrong);
            assert!(
                message.contains(&format!("declared is {}", wrong[0])),
                "{message}"
            );
        }
    }
}

/// A thousand golden values, of which all but the last agree with every reading: work ends the search.
#[test]
fn the_search_is_bounded() {
    let plan =
        plan("struct N = (768 -> 32)x2 @ 255 screlu -> 1x8: i16 by self::choose { format raw };");
    let tables = plan.tables();
    let golden = |value| GoldenDesc {
        fen: FENS[0],
        value,
    };
    let goldens: Vec<_> = (0..1000).map(|at| golden(i32::from(at == 999))).collect();
    let net = NetDesc {
        goldens: &goldens,
        ..tables.descriptor()
    };
    let (tensors, calls) = (random_tensors(&net), Cell::new(0_u64));
    let count = |_: &[TensorRef<'_>], _: usize| {
        calls.set(calls.get() + 1);
        Some(0)
    };
    let readings =
        readings_by(&net, &tensors.refs(), Padding::None, &count).expect("all but the last agree");
    says(&readings, "; 999 of 1000 golden values agree");
    let work = 2 * 32 * 32 + 64 + net.tensors.iter().map(|tensor| tensor.len()).sum::<usize>();
    assert!(
        calls.get() > 3_000 && calls.get() <= (1 << 27) / work as u64,
        "{} evaluations",
        calls.get()
    );
}

/// Engines round in other places, and tools print White's view: the file is read rightly, and no scale is to blame.
#[test]
fn rounding_and_views_are_no_faults_of_the_declaration() {
    let (file, values) = file_of(DIRECT, Padding::None);
    let message = |changed: Vec<i32>| refused(&file, DIRECT, &changed);
    let off = |by: fn(usize) -> i32| {
        let changed = values.iter().enumerate();
        message(changed.map(|(at, value)| value + by(at)).collect())
    };
    let higher = off(|_| 1);
    says(
        &higher,
        "all values agree within 1 (3 of 3): the file seems",
    );
    says(&higher, "(all are higher by 1");
    let mixed = off(|at| [1, 0, -1][at]);
    says(&mixed, "all values agree within 1 (3 of 3)");
    let down = values.iter().map(|value| value - i32::from(*value < 0));
    if values.iter().any(|value| *value < 0) {
        says(&message(down.collect()), "does it round down");
    }
    // Black moves in the first and in the last position.
    let white = message(vec![-values[0], values[1], -values[2]]);
    says(&white, "agree (3 of 3) with those of White's view");
    for message in [higher, mixed, white] {
        assert!(
            !message.contains("fc0") && !message.contains("@ 256"),
            "{message}"
        );
    }
}

/// A file that has the size of another shape, of which several things differ: the advice names that shape.
#[test]
fn shapes_of_the_same_size_are_named() {
    let two = "struct N = (768 -> 32)x2 @ 255 screlu -> 1: i16 { format raw { fc0_bias: i32 } };";
    let one =
        "struct N = Chess768[..] -> 32 @ 255 screlu -> 1x2: i16 by material_count { format raw };";
    let message = told(two, one, 3);
    says(
        &message,
        "with two perspectives (`x2`), 1 output bucket, `fc0_bias: i32`",
    );
    // the size does not decide between them
    says(&message, "with two perspectives (`x2`), `pairwise`");
    says(&message, "has the same size");
    says(
        &told(one, two, 3),
        "with one perspective, 2 output buckets, `fc0_bias: i16`",
    );
    // another network of the same shape: nothing else has its size
    let (file, values) = file_of(DIRECT, Padding::None);
    let other: Vec<i32> = values.iter().map(|value| 7 * value + 1234).collect();
    let message = refused(&file, DIRECT, &other);
    assert!(!message.contains("same size"), "{message}");
}
