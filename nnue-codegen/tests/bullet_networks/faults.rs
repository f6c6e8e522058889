//! Every fault of a file, in every declared network: the message names it. Once with the networks of the engines, where they are at
//! hand, and once with random weights for the same declarations.

use nnue_format::{Header, Padding, Tensors, raw_size, write};
use nnue_spec::reference::{Board, evaluate};
use nnue_spec::{
    Axis, FeatureSetId, Fen, GoldenDesc, KingBuckets, NetDesc, RawDesc, StackDesc, TensorDesc, TensorMut, TensorRef,
    TensorRole,
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
            let (_, tensors) = Tensors::read(&net, &bytes[..]).unwrap_or_else(|error| panic!("{file}: {error}"));
            test(&net, &tensors);
        }
    }
}

fn file_of(net: &NetDesc<'_>, tensors: &Tensors, padding: Padding) -> Vec<u8> {
    let mut file = Vec::new();
    let header = Header { padding, ..Header::new(net, []) };
    write(net, &header, &tensors.refs(), &mut file).expect("a vector takes everything");
    file
}

fn declared_padding(net: &NetDesc<'_>) -> Padding {
    net.raw.expect("all are raw").padding
}

fn value(net: &NetDesc<'_>, tensors: &Tensors, fen: &str) -> i32 {
    let fen = Fen::parse(fen).expect("a FEN");
    evaluate(net, &tensors.refs(), &Board::new(fen.pieces, fen.black_to_move)).value
}

/// The error for a file of `net`; its message names `words`.
#[track_caller]
fn refused(net: &NetDesc<'_>, file: &[u8], words: &str) {
    let error = Tensors::read(net, file).expect_err(words).to_string();
    assert!(error.contains(words), "`{words}` is not in the message for {}: {error}", net.name);
}

/// The tensor whose transposition is a fault: the weights of the first layer, or, if they have one axis, of the features.
fn transposable(net: &NetDesc<'_>) -> usize {
    let at = |role| net.tensors.iter().position(|tensor| tensor.role == role).expect("every network has both");
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
        let goldens = [GoldenDesc { fen: MIDDLE, value: value(net, tensors, MIDDLE) }];
        let checked = NetDesc { goldens: &goldens, ..*net };
        let mut seen = vec![tensor.long_axes(declared)];
        for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
            let axes = order.map(|index| [Axis::Copy, Axis::Row, Axis::Column][index]);
            if seen.contains(&tensor.long_axes(axes)) {
                continue;
            }
            seen.push(tensor.long_axes(axes));
            let mut all = raw.axes.to_vec();
            all[at] = axes;
            let saved = NetDesc { raw: Some(RawDesc { axes: &all, ..raw }), ..*net };
            let file = file_of(&saved, tensors, raw.padding);
            refused(&checked, &file, &format!("it fits with `{}: {}`", tensor.name, tensor.axes_text(axes)));
        }
        assert!(seen.len() > 1, "{}", net.name);
    });
}

/// The same network with other numbers of rows or copies, all of them zero: its length is what counts.
fn resized(net: &NetDesc<'_>, change: impl Fn(&mut TensorDesc<'_>), stacks: StackDesc) -> Vec<u8> {
    let mut tensors = net.tensors.to_vec();
    tensors.iter_mut().for_each(change);
    let other = NetDesc { tensors: &tensors, stacks, ..*net };
    file_of(&other, &Tensors::zeroed(&other), declared_padding(net))
}

#[test]
fn another_number_of_output_buckets_is_told() {
    each_network(|net, _| {
        let declared = net.stacks.count;
        let are = if declared == 1 { "is" } else { "are" };
        for count in [declared + 1, declared - 1].into_iter().filter(|&count| count > 0) {
            let with = |tensor: &mut TensorDesc<'_>| {
                if tensor.role.is_of_layer() {
                    tensor.copies = count;
                }
            };
            let file = resized(net, with, StackDesc { count, ..net.stacks });
            let buckets = if count == 1 { "bucket" } else { "buckets" };
            refused(net, &file, &format!("this file has {count} output {buckets}, {declared} {are} declared"));
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
            let strict = |padding| NetDesc { raw: net.raw.map(|raw| RawDesc { padding, ..raw }), ..*net };
            for declared in [Padding::None, Padding::Zeros, Padding::Text].into_iter().filter(|&other| other != padding)
            {
                let words = match padding {
                    Padding::None => format!("declared are {bytes} bytes `{}`: write `padding: none`", declared.name()),
                    _ => format!("{bytes} bytes of padding `{}` stand behind the {size} bytes", padding.name()),
                };
                refused(&strict(declared), &file, &words);
            }
            Tensors::read(&strict(Padding::Any), &file[..]).expect("any padding is declared");
        }
        let mut file = file_of(net, tensors, Padding::Text);
        *file.last_mut().expect("a file") ^= 0x80;
        refused(net, &file, &format!("{bytes} bytes that are neither zeros nor `bullet..`"));
    });
}

#[test]
fn a_file_that_is_cut_off_is_told() {
    each_network(|net, tensors| {
        let size = raw_size(net, Padding::None).expect("a raw file") as usize;
        let file = file_of(net, tensors, Padding::Text);
        for length in [1, size / 2 + 1, size - 1] {
            refused(net, &file[..length], &format!("has {size} bytes, the file {length}: "));
            refused(net, &file[..length], "it is cut off");
        }
        for padding in [Padding::Zeros, Padding::Text] {
            let (file, bytes) = (file_of(net, tensors, padding), file.len() - size);
            let words = format!("cut off in its padding: {} of {bytes} bytes", bytes - 1);
            refused(net, &file[..file.len() - 1], &words);
        }
        refused(net, &[], "zero length: the trainer's quantisation overflowed");
    });
}

#[test]
fn buckets_in_another_order_are_told_by_golden_values() {
    each_network(|net, tensors| {
        let count = net.stacks.count;
        if count == 1 {
            return;
        }
        let goldens = [GoldenDesc { fen: MIDDLE, value: value(net, tensors, MIDDLE) }];
        let checked = NetDesc { goldens: &goldens, ..*net };
        let mut reversed = tensors.clone();
        for ((tensor, to), from) in net.tensors.iter().zip(reversed.muts()).zip(tensors.refs()) {
            reverse(tensor, to, from);
        }
        refused(&checked, &file_of(net, &reversed, declared_padding(net)), "with output buckets in reverse, `by [");
    });
}

/// Puts the copies of a tensor into the opposite order.
fn reverse(tensor: &TensorDesc<'_>, to: TensorMut<'_>, from: TensorRef<'_>) {
    fn each<T: Copy>(copy: usize, to: &mut [T], from: &[T]) {
        to.chunks_mut(copy).zip(from.rchunks(copy)).for_each(|(to, from)| to.copy_from_slice(from));
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
            FeatureSetId::King(king) => KingBuckets::new(king.table(), !king.is_mirrored(), king.is_merged()),
            other => panic!("{} is not of bullet", other.name()),
        };
        let mut features = net.features.to_vec();
        features[0].set = FeatureSetId::King(set);
        let other = NetDesc { features: &features, ..*net };
        let goldens = [GoldenDesc { fen: MIDDLE, value: value(&other, tensors, MIDDLE) }];
        let with = if set.is_mirrored() { "with" } else { "without" };
        let file = file_of(net, tensors, declared_padding(net));
        refused(&NetDesc { goldens: &goldens, ..*net }, &file, &format!("{with} `mirrored`"));
    });
}
