//! Every fault of a file, in every declared network: the message names it. Once with the networks of the engines, where they are at
//! hand, and once with random weights for the same declarations.

use std::io::Cursor;

use nnue_format::{Header, Padding, Tensors, raw_size, write};
use nnue_spec::reference::{Board, evaluate};
use nnue_spec::{
    Axis, ElementType, FeatureSetId, Fen, GoldenDesc, KingBuckets, NetDesc, Part, RawDesc,
    StackDesc, TensorDesc, TensorMut, TensorRef, TensorRole,
};
use nnue_testkit::bullet::network;

use crate::files::{random_tensors, without_goldens};
use crate::{file_name, plans};

/// Not symmetric, with 30 pieces, white to move.
const MIDDLE: &str = "r1bqkb1r/pp3ppp/2n1pn2/3p4/3P4/2N2N2/PP2PPPP/R1BQKB1R w KQkq - 0 7";

/// Calls `test` with every declaration, with weights for it.
fn each_network(mut test: impl FnMut(&NetDesc<'_>, &Tensors)) {
    for (file, plan) in plans() {
        let tables = plan.tables();
        let net = without_goldens(tables.descriptor());
        test(&net, &random_tensors(&net));
        if let Some(bytes) = network(&file_name(file)) {
            let (_, tensors) =
                Tensors::read(&net, &bytes[..]).unwrap_or_else(|error| panic!("{file}: {error}"));
            test(&net, &tensors);
        }
    }
}

fn file_of(net: &NetDesc<'_>, tensors: &Tensors, padding: Padding) -> Vec<u8> {
    let mut file = Vec::new();
    let header = Header {
        padding,
        ..Header::new(net, [])
    };
    write(net, &header, &tensors.refs(), &mut file).expect("a vector takes everything");
    file
}

fn declared_padding(net: &NetDesc<'_>) -> Padding {
    net.raw.expect("all are raw").padding
}

fn value(net: &NetDesc<'_>, tensors: &Tensors, fen: &str) -> i32 {
    let fen = Fen::parse(fen).expect("a FEN");
    evaluate(
        net,
        &tensors.refs(),
        &Board::new(fen.pieces, fen.black_to_move),
    )
    .value
}

/// The error for a file of `net`; its message names `words`.
#[track_caller]
fn refused(net: &NetDesc<'_>, file: &[u8], words: &str) {
    let error = nnue_tools::read(net, Cursor::new(file))
        .expect_err(words)
        .to_string();
    assert!(
        error.contains(words),
        "`{words}` is not in the message for {}: {error}",
        net.name
    );
}

/// The tensor whose transposition is a fault: the weights of the first layer, or, if they have one axis, of the features.
fn transposable(net: &NetDesc<'_>) -> usize {
    let at = |role| {
        net.tensors
            .iter()
            .position(|tensor| tensor.role == role)
            .expect("every network has both")
    };
    let layer = at(TensorRole::LayerWeight(0));
    match net.tensors[layer].copies * net.tensors[layer].rows {
        1 => at(TensorRole::TransformerWeight),
        _ => layer,
    }
}

#[test]
fn transposed_weights_are_told_by_golden_values() {
    each_network(|net, tensors| {
        let raw = net.raw.expect("all are raw");
        let at = transposable(net);
        let (tensor, declared) = (&net.tensors[at], raw.axes[at]);
        let goldens = [GoldenDesc {
            fen: MIDDLE,
            value: value(net, tensors, MIDDLE),
        }];
        let checked = NetDesc {
            goldens: &goldens,
            ..*net
        };
        let mut seen = vec![tensor.long_axes(declared)];
        for order in [
            [0, 1, 2],
            [0, 2, 1],
            [1, 0, 2],
            [1, 2, 0],
            [2, 0, 1],
            [2, 1, 0],
        ] {
            let axes = order.map(|index| Part::whole(Axis::ALL[index]));
            if seen.contains(&tensor.long_axes(&axes)) {
                continue;
            }
            seen.push(tensor.long_axes(&axes));
            let mut all = raw.axes.to_vec();
            all[at] = &axes;
            let saved = NetDesc {
                raw: Some(RawDesc { axes: &all, ..raw }),
                ..*net
            };
            let file = file_of(&saved, tensors, raw.padding);
            refused(
                &checked,
                &file,
                &format!(
                    "it fits with `{}: {}`",
                    tensor.name,
                    tensor.axes_text(&axes)
                ),
            );
        }
        assert!(seen.len() > 1, "{}", net.name);
    });
}

/// Weights that are packed for a processor, as engines ship them.
#[test]
fn packed_weights_are_told_by_golden_values() {
    let text = "struct N = Chess768[..] -> 32x2 @ 255 pairwise -> (16 -> 1)x2";
    let [packed, plain] = [
        "format raw { fc0_weight: [stack][input / 4][output][input % 4] }",
        "format raw",
    ]
    .map(|format| plan(&format!("{text} {{ {format} }};")));
    let (packed, plain) = (packed.tables(), plain.tables());
    let (packed, plain) = (packed.descriptor(), plain.descriptor());
    let tensors = random_tensors(&plain);
    let goldens = [GoldenDesc {
        fen: MIDDLE,
        value: value(&plain, &tensors, MIDDLE),
    }];
    let checked = |net| NetDesc {
        goldens: &goldens,
        ..net
    };
    let [file, other] = [&packed, &plain].map(|net| file_of(net, &tensors, Padding::None));
    assert_eq!(file.len(), other.len());
    refused(
        &checked(plain),
        &file,
        "it fits with `fc0_weight: [stack][input / 4][output][input % 4]`",
    );
    refused(
        &checked(packed),
        &other,
        "it fits with `fc0_weight: [stack][output][input]`",
    );
}

/// A trainer that transposes no layer saves all of them so.
#[test]
fn layers_that_are_all_transposed_are_told_at_once() {
    let plan = plan(
        "struct N = Chess768[..] -> 32x2 @ 255 screlu -> (16: f32 screlu -> 8: f32 screlu -> 1: f32)x2 { format raw };",
    );
    let tables = plan.tables();
    let net = tables.descriptor();
    let tensors = random_tensors(&net);
    let (raw, untransposed) = (
        net.raw.expect("it is raw"),
        [Axis::Column, Axis::Copy, Axis::Row].map(Part::whole),
    );
    let is_layer = |tensor: &TensorDesc<'_>| matches!(tensor.role, TensorRole::LayerWeight(_));
    let axes = net.tensors.iter().zip(raw.axes).map(|(tensor, &axes)| {
        if is_layer(tensor) {
            &untransposed[..]
        } else {
            axes
        }
    });
    let axes: Vec<_> = axes.collect();
    let file = file_of(
        &NetDesc {
            raw: Some(RawDesc { axes: &axes, ..raw }),
            ..net
        },
        &tensors,
        Padding::None,
    );
    let goldens = [GoldenDesc {
        fen: MIDDLE,
        value: value(&net, &tensors, MIDDLE),
    }];
    let told = "with the weights of all layers transposed, `fc0_weight: [input][stack][output], fc1_weight: [input][stack][output], \
                fc2_weight: [input][stack]`";
    refused(
        &NetDesc {
            goldens: &goldens,
            ..net
        },
        &file,
        told,
    );
}

/// The same network with other numbers of rows or copies, all of them zero: its length is what counts.
fn resized(net: &NetDesc<'_>, change: impl Fn(&mut TensorDesc<'_>), stacks: StackDesc) -> Vec<u8> {
    let mut tensors = net.tensors.to_vec();
    tensors.iter_mut().for_each(change);
    let other = NetDesc {
        tensors: &tensors,
        stacks,
        ..*net
    };
    file_of(&other, &Tensors::zeroed(&other), declared_padding(net))
}

#[test]
fn another_number_of_output_buckets_is_told() {
    each_network(|net, _| {
        let declared = net.stacks.count;
        let are = if declared == 1 { "is" } else { "are" };
        for count in [declared + 1, declared - 1]
            .into_iter()
            .filter(|&count| count > 0)
        {
            let with = |tensor: &mut TensorDesc<'_>| {
                if tensor.role.is_of_layer() {
                    tensor.copies = count;
                }
            };
            let file = resized(
                net,
                with,
                StackDesc {
                    count,
                    ..net.stacks
                },
            );
            let buckets = if count == 1 { "bucket" } else { "buckets" };
            refused(
                net,
                &file,
                &format!("this file has {count} output {buckets}, {declared} {are} declared"),
            );
        }
    });
}

#[test]
fn another_number_of_king_buckets_is_told() {
    each_network(|net, _| {
        let declared = match net.features[0].set {
            FeatureSetId::King(buckets) => buckets.count(),
            _ => 1,
        };
        for count in [declared + 1, 10, 16] {
            let with = |tensor: &mut TensorDesc<'_>| {
                if tensor.role == TensorRole::TransformerWeight {
                    tensor.rows = tensor.rows / declared * count;
                }
            };
            refused(
                net,
                &resized(net, with, net.stacks),
                &format!("it fits with king buckets {count}, declared are {declared}"),
            );
        }
    });
}

#[test]
fn another_padding_is_told() {
    each_network(|net, tensors| {
        let size = raw_size(net, Padding::None).expect("a raw file");
        let bytes = raw_size(net, Padding::Text).expect("a raw file") - size;
        for padding in [Padding::None, Padding::Zeros, Padding::Text] {
            let file = file_of(net, tensors, padding);
            let strict = |padding| NetDesc {
                raw: net.raw.map(|raw| RawDesc { padding, ..raw }),
                ..*net
            };
            for declared in [Padding::None, Padding::Zeros, Padding::Text]
                .into_iter()
                .filter(|&other| other != padding)
            {
                let words = match padding {
                    Padding::None => format!(
                        "declared are {bytes} bytes `{}`: write `padding: none`",
                        declared.name()
                    ),
                    _ => format!(
                        "{bytes} bytes of padding `{}` come after the {size} bytes",
                        padding.name()
                    ),
                };
                refused(&strict(declared), &file, &words);
            }
            Tensors::read(&strict(Padding::Any), &file[..]).expect("any padding is declared");
        }
        let mut file = file_of(net, tensors, Padding::Text);
        *file.last_mut().expect("a file") ^= 0x80;
        refused(
            net,
            &file,
            &format!("{bytes} bytes that are neither zeros nor `bullet..`"),
        );
    });
}

#[test]
fn a_file_that_is_cut_off_is_told() {
    each_network(|net, tensors| {
        let size = raw_size(net, Padding::None).expect("a raw file") as usize;
        let file = file_of(net, tensors, Padding::Text);
        for length in [1, size / 2 + 1, size - 1] {
            refused(
                net,
                &file[..length],
                &format!("has {size} bytes, the file {length}: "),
            );
            refused(net, &file[..length], "it is cut off");
        }
        for padding in [Padding::Zeros, Padding::Text] {
            let (file, bytes) = (file_of(net, tensors, padding), file.len() - size);
            let words = format!(
                "{} bytes come after the {size} bytes of `{}`, padding would be {bytes}: ",
                bytes - 1,
                net.name
            );
            refused(net, &file[..file.len() - 1], &words);
            refused(
                net,
                &file[..file.len() - 1],
                "the file is cut off in its padding",
            );
        }
        refused(
            net,
            &[],
            "zero length: the trainer's quantisation overflowed",
        );
    });
}

/// A file has 32-bit biases where 16-bit ones are declared: some bytes too many, which look like a padding that is cut off.
#[test]
fn a_wider_bias_is_told_beside_a_padding_that_is_cut_off() {
    let mut found = 0;
    each_network(|net, _| {
        let is_bias = |tensor: &TensorDesc<'_>| {
            tensor.role == TensorRole::LayerBias(0) && tensor.element == ElementType::I16
        };
        let Some(bias) = net.tensors.iter().find(|tensor| is_bias(tensor)) else {
            return;
        };
        let (size, more) = (
            raw_size(net, Padding::None).expect("a raw file") as usize,
            2 * bias.len(),
        );
        let widen = |tensor: &mut TensorDesc<'_>| {
            if is_bias(tensor) {
                tensor.element = ElementType::I32;
            }
        };
        let file = resized(net, widen, net.stacks);
        refused(net, &file[..size + more], "it fits with `fc0_bias: i32`");
        found += 1;
    });
    assert!(found > 0, "no network has biases of 16 bits");
}

/// As above: what fits is told first.
#[test]
fn files_are_not_called_cut_off_where_another_declaration_fits() {
    let plan = plan("struct N = (768 -> 32)x2 @ 255 screlu -> 1: i16 { format raw };");
    let tables = plan.tables();
    let net = tables.descriptor();
    let size = raw_size(&net, Padding::None).expect("a raw file");
    let file = vec![0; size as usize + 2];
    let told = format!(
        "2 bytes come after the {size} bytes of `N`, padding would be 62: it fits with `fc0_bias: i32`, or the file is cut off in its padding"
    );
    refused(&net, &file, &told);
}

/// One copy of the network that `declaration` declares.
fn plan(declaration: &str) -> nnue_spec::plan::Plan {
    nnue_codegen::plan_text(declaration)
        .unwrap_or_else(|errors| panic!("{}", errors[0]))
        .remove(0)
}

/// The network of `declaration`, with biases of 16 bits `biases`, then zeros up to a multiple of 64 bytes.
fn padded_file(declaration: &str, biases: &[i16]) -> Vec<u8> {
    let plan = plan(declaration);
    let tables = plan.tables();
    let net = tables.descriptor();
    let mut tensors = random_tensors(&net);
    match tensors.muts().pop() {
        Some(TensorMut::I16(values)) => values.copy_from_slice(biases),
        other => panic!("the bias is the last tensor and has 16 bits, not {other:?}"),
    }
    file_of(&net, &tensors, Padding::Zeros)
}

const NARROW: &str =
    "struct N = (768 -> 32)x2 @ 255 screlu -> 1xCOUNT: i16 BY { format raw GOLDEN };";

fn narrow(count: usize, format: &str, golden: &str) -> String {
    let by = if count == 1 { "" } else { "by material_count" };
    let counted = NARROW.replace(
        "1xCOUNT",
        &if count == 1 {
            "1".into()
        } else {
            format!("1x{count}")
        },
    );
    counted
        .replace("BY", by)
        .replace("GOLDEN", &format!("{format} {golden}"))
}

/// A bias that needs the zeros after it to be as wide as it is declared.
#[test]
fn zeros_of_the_padding_are_not_the_upper_half_of_a_bias() {
    for (biases, told) in [
        (
            &[-20_i16][..],
            "`fc0_bias` is -20, not 65516: write `fc0_bias: i16`",
        ),
        (
            &[5, -7],
            "where `fc0_bias[0]` is 5, not -458747: write `fc0_bias: i16`",
        ),
    ] {
        let file = padded_file(&narrow(biases.len(), ";", ""), biases);
        let wide = plan(&narrow(biases.len(), "{ fc0_bias: i32 };", ""));
        refused(&wide.tables().descriptor(), &file, told);
    }
}

/// Zeros are no fault where both types have the same values, where no zeros may follow, or where a golden value decides.
#[test]
fn biases_of_32_bits_may_end_in_zeros() {
    for (biases, format, golden) in [
        (&[20_i16][..], "{ fc0_bias: i32 };", ""),
        (&[0, 0], "{ fc0_bias: i32 };", ""),
        (&[-20], "{ fc0_bias: i32, padding: bullet };", ""),
    ] {
        let file = padded_file(&narrow(biases.len(), ";", ""), biases);
        let wide = plan(&narrow(biases.len(), format, golden));
        let error = Tensors::read(&wide.tables().descriptor(), &file[..])
            .err()
            .map(|error| error.to_string());
        assert!(
            !error
                .as_deref()
                .is_some_and(|error| error.contains("fc0_bias")),
            "{biases:?}, {format}: {error:?}"
        );
    }
    let file = padded_file(&narrow(1, ";", ""), &[-20]);
    let wide = plan(&narrow(1, "{ fc0_bias: i32 };", ""));
    let tables = wide.tables();
    let undecided = tables.descriptor();
    let mut tensors = Tensors::zeroed(&undecided);
    let golden = [GoldenDesc {
        fen: MIDDLE,
        value: 0,
    }];
    let decided = NetDesc {
        goldens: &golden,
        ..undecided
    };
    nnue_format::read(
        &decided,
        &file[..],
        &mut tensors.muts(),
        &nnue_format::leb128::Portable,
    )
    .expect("golden values are compared later");
}

/// The text of the padding begins in the upper half of the bias, or after it.
#[test]
fn a_bias_of_another_type_is_told_by_the_text_of_the_padding() {
    let mut file = padded_file(&narrow(1, ";", ""), &[-20]);
    let size = file.len() - 62;
    file[size..]
        .iter_mut()
        .enumerate()
        .for_each(|(index, byte)| *byte = b"bullet"[index % 6]);
    let wide = plan(&narrow(1, "{ fc0_bias: i32 };", ""));
    refused(
        &wide.tables().descriptor(),
        &file,
        "60 bytes that are neither zeros nor `bullet..`",
    );
    refused(
        &wide.tables().descriptor(),
        &file,
        ": it fits with `fc0_bias: i16`",
    );
    let mut wider = file[..size].to_vec();
    wider.extend([0xFF; 2]);
    wider.extend([0; 60]);
    refused(
        &plan(&narrow(1, ";", "")).tables().descriptor(),
        &wider,
        ": it fits with `fc0_bias: i32`",
    );
}

/// Half or twice the weights of the first layer.
#[test]
fn a_missing_perspective_and_missing_products_are_told_by_the_length() {
    let both = "struct N = (768 -> 64)x2 @ 255 screlu -> 1: i16 { format raw };";
    let one = "struct N = 768 -> 64 @ 255 screlu -> 1: i16 { format raw };";
    let products = "struct N = (768 -> 64)x2 @ 255 pairwise -> 1: i16 { format raw };";
    for (declared, saved, told) in [
        (
            both,
            one,
            "it fits with one perspective, without `x2`, or it fits with `pairwise`",
        ),
        (
            one,
            both,
            "it fits with two perspectives, `x2`, declared is one",
        ),
        (products, both, "it fits without `pairwise`"),
    ] {
        let saved = plan(saved);
        let tables = saved.tables();
        let net = tables.descriptor();
        let file = file_of(&net, &random_tensors(&net), Padding::Zeros);
        refused(&plan(declared).tables().descriptor(), &file, told);
    }
}

#[test]
fn zeros_after_the_tensors_are_not_called_a_padding() {
    each_network(|net, tensors| {
        let mut file = file_of(net, tensors, Padding::None);
        file.extend([0; 100]);
        let error = nnue_tools::read(net, Cursor::new(&file))
            .expect_err("100 bytes too many")
            .to_string();
        assert!(!error.contains("begin like the padding"), "{error}");
        file.truncate(file.len() - 100);
        file.extend(b"bullet".iter().cycle().take(100));
        refused(net, &file, "(they begin like the padding of the trainer)");
    });
}

#[test]
fn buckets_in_another_order_are_told_by_golden_values() {
    each_network(|net, tensors| {
        let count = net.stacks.count;
        if count == 1 {
            return;
        }
        let goldens = [GoldenDesc {
            fen: MIDDLE,
            value: value(net, tensors, MIDDLE),
        }];
        let checked = NetDesc {
            goldens: &goldens,
            ..*net
        };
        let mut reversed = tensors.clone();
        for ((tensor, to), from) in net.tensors.iter().zip(reversed.muts()).zip(tensors.refs()) {
            reverse(tensor, to, from);
        }
        refused(
            &checked,
            &file_of(net, &reversed, declared_padding(net)),
            "with output buckets in reverse, `by [",
        );
    });
}

/// Puts the copies of a tensor into the opposite order.
fn reverse(tensor: &TensorDesc<'_>, to: TensorMut<'_>, from: TensorRef<'_>) {
    fn each<T: Copy>(copy: usize, to: &mut [T], from: &[T]) {
        to.chunks_mut(copy)
            .zip(from.rchunks(copy))
            .for_each(|(to, from)| to.copy_from_slice(from));
    }
    let copy = tensor.rows * tensor.cols;
    match (to, from) {
        (TensorMut::I8(to), TensorRef::I8(from)) => each(copy, to, from),
        (TensorMut::I16(to), TensorRef::I16(from)) => each(copy, to, from),
        (TensorMut::I32(to), TensorRef::I32(from)) => each(copy, to, from),
        (TensorMut::F32(to), TensorRef::F32(from)) => each(copy, to, from),
        _ => panic!("`{}` has two types", tensor.name),
    }
}

#[test]
fn a_mirrored_board_is_told_by_golden_values() {
    each_network(|net, tensors| {
        let set = match net.features[0].set {
            FeatureSetId::Chess768 => KingBuckets::MIRRORED,
            FeatureSetId::King(king) => {
                KingBuckets::new(king.table(), !king.is_mirrored(), king.is_merged())
            }
            other => panic!("{} is not of bullet", other.name()),
        };
        let mut features = net.features.to_vec();
        features[0].set = FeatureSetId::King(set);
        let other = NetDesc {
            features: &features,
            ..*net
        };
        let goldens = [GoldenDesc {
            fen: MIDDLE,
            value: value(&other, tensors, MIDDLE),
        }];
        let with = if set.is_mirrored() { "with" } else { "without" };
        let file = file_of(net, tensors, declared_padding(net));
        refused(
            &NetDesc {
                goldens: &goldens,
                ..*net
            },
            &file,
            &format!("{with} `mirrored`"),
        );
    });
}
