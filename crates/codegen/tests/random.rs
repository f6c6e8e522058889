//! Random weights: the same for a seed, within what fits, and alive.

use std::collections::BTreeSet;

use nnue_format::{Tensors, randomize};
use nnue_spec::reference::{Board, StackTrace, evaluate};
use nnue_spec::{Fen, NetDesc, TensorRef, TensorRole};
use nnue_tools::bounds::prove;

const SOURCES: [&str; 9] = [
    "struct N = HalfKAv2_hm -> 128x2 pairwise, psqt 8 -> (16 -> 32 -> 1)x8;",
    "struct N = 768 -> 1024x2 @ 255 sqr_crelu -> 16 sqr_crelu -> 1;",
    "struct N = 768 + FullThreats[59808] + PawnPairs -> 64x2 @ 255 pairwise -> 16 -> 1;",
    "struct N = (768 -> 256)x2 @ 2895 screlu -> 1x8: i16 by material_count { format raw };",
    "struct N = (768 -> 64)x2 @ 255 crelu separate -> 1: i16 { format raw };",
    "struct N = 768 -> 64x2 @ 255 pairwise -> 16 @ 32 screlu -> 32: f32 screlu -> 1: f32;",
    "struct N = 768 -> 64x2 @ 255 screlu -> 3: f32 { value wdl * 1000; };",
    "struct N = Chess768[attacks, mirrored] -> 128x2 pairwise -> 16 -> 1;",
    "struct N = 768 + PawnPairs -> 64x2 @ 255 pairwise, separate, psqt 1: f32 -> 16 screlu -> 1: f32 { format raw };",
];

fn with(source: &str, test: impl FnOnce(&NetDesc<'_>)) {
    let plans = nnue_codegen::plan_text(source).unwrap_or_else(|errors| panic!("{}", errors[0]));
    test(&plans[0].tables().descriptor());
}

fn random(net: &NetDesc<'_>, seed: u64) -> Tensors {
    let mut tensors = Tensors::zeroed(net);
    randomize(net, &mut tensors.muts(), seed);
    tensors
}

fn board(fen: &str) -> Board {
    let fen = Fen::parse(fen).expect("a FEN");
    Board::new(fen.pieces, fen.black_to_move)
}

#[test]
fn a_seed_gives_the_same_weights_and_another_one_others() {
    with(SOURCES[0], |net| {
        assert_eq!(random(net, 5), random(net, 5));
        assert_ne!(random(net, 5), random(net, 6));
        let tensors = random(net, 1);
        let TensorRef::I16(bias) = tensors.refs()[0] else {
            panic!("the bias is of 16 bits")
        };
        assert_eq!(bias[..4], [8, 31, 60, -7]);
    });
}

#[test]
fn nothing_wraps() {
    for source in SOURCES {
        with(source, |net| {
            let bounds = prove(net, &random(net, 1).refs());
            assert!(bounds.nothing_wraps(), "{source}\n{bounds}");
        });
    }
}

#[test]
fn padding_is_zero() {
    with("struct N = 768 -> 32x2 -> 8 -> 4 -> 1;", |net| {
        let tensors = random(net, 1);
        let place = net
            .tensors
            .iter()
            .position(|tensor| tensor.role == TensorRole::LayerWeight(1));
        let TensorRef::I8(weights) = tensors.refs()[place.expect("there is a second layer")] else {
            panic!("bytes")
        };
        let (used, padding): (Vec<_>, Vec<_>) =
            weights.chunks(32).map(|row| row.split_at(8)).unzip();
        assert!(padding.concat().iter().all(|weight| *weight == 0));
        assert!(used.concat().iter().any(|weight| *weight != 0));
    });
}

/// How many activations are zero, and at their limit, of a hundred.
fn share(net: &NetDesc<'_>, stack: &StackTrace) -> [usize; 2] {
    let limit = |index: usize| net.buffers[index].max as u8;
    let bytes: Vec<(u8, u8)> = stack
        .buffers
        .iter()
        .enumerate()
        .flat_map(|(index, x)| x.iter().map(move |&x| (x, limit(index))))
        .collect();
    let count = |is: fn(&(u8, u8)) -> bool| {
        100 * bytes.iter().filter(|x| is(x)).count() / bytes.len().max(1)
    };
    [count(|(x, _)| *x == 0), count(|(x, limit)| x == limit)]
}

#[test]
fn activations_are_alive_and_values_differ() {
    let fens = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 b - - 0 1",
        "4k3/8/8/3q4/8/2N5/8/4K3 w - - 0 1",
    ];
    for source in SOURCES {
        with(source, |net| {
            let tensors = random(net, 3);
            let traces = fens.map(|fen| evaluate(net, &tensors.refs(), &board(fen)));
            for trace in &traces {
                let [zero, limit] = share(net, &trace.stacks[trace.bucket]);
                assert!(
                    zero < 90 && limit < 50,
                    "{source}: {zero} % are zero, {limit} % at their limit"
                );
            }
            let values: BTreeSet<i32> = traces.iter().map(|trace| trace.value).collect();
            assert!(values.len() >= 3, "{source}: {values:?}");
        });
    }
}
