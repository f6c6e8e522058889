//! Networks with their neurons in another order evaluate identically, and are files like any other.

use nnue_codegen::plan_text;
use nnue_format::{Header, Tensors, write};
use nnue_spec::reference::{Board, evaluate};
use nnue_spec::{LayerDesc, LayerKind, NetDesc, Segment, TensorMut};
use nnue_testkit::board;
use nnue_testkit::games::suite_fens;
use nnue_testkit::random::Random;
use nnue_testkit::synthetic::{Profile, Synthetic};
use nnue_tools::permute::{Groups, PermuteError, permute};

/// The declarations of Stockfish's networks.
const STOCKFISH: &str = include_str!("../../../src/stockfish.rs");

const OWN: &str = "
    /// Every value of both perspectives is read, by eight outputs that lie one beside the other in a file.
    pub struct Direct = Chess768[mirrored] -> 64x2 @ 255 screlu -> 1x8: i16 by material_count {
        format raw { skip: 5, padding: bullet, fc0_weight: [input][stack] }
    };

    /// 16-bit weights of products.
    pub struct DirectPairs = Chess768[..] -> 64x2 @ 255 pairwise -> 1x2: i16 { format raw { skip: 5, padding: bullet, fc0_weight: [input][stack] } };

    /// One perspective only.
    pub struct Single = Chess768[..] -> 32 pairwise -> 8 -> 1;

    /// Perspectives with weights of their own, whose neurons move alike.
    pub struct Separate = Chess768[..] -> 64x2 @ 255 pairwise separate -> 8 -> 1 { format raw { skip: 5, padding: bullet } };

    /// Products and single neurons of the same accumulator.
    pub struct Both {
        acc = accumulate(Chess768[..], 64) x 2;
        output affine(crelu(affine(pairwise(acc), 8)), 1) + affine(crelu(acc), 1);
    }

    /// Averages of halves, and a hidden layer that reads another activation beside them and a layer.
    pub struct Mixed {
        acc = accumulate(Chess768[..], 64) x 2;
        let a1 = crelu(affine(concat(avg_halves(crelu(acc)), crelu(acc)), 8));
        output affine(crelu(affine(concat(a1, max_halves(crelu(acc))), 8)), 1);
    }

    /// Two activations of the same accumulator.
    pub struct Twice {
        acc = accumulate(Chess768[..], 64) x 2;
        output affine(concat(crelu(acc), sqr_crelu(acc)), 1);
    }
";

/// Positions from the whole suite.
fn boards(count: usize) -> impl Iterator<Item = Board> {
    let fens = suite_fens();
    let every = fens.len() / count;
    fens.into_iter().step_by(every).take(count).map(|fen| {
        let seen = board::Board::from_fen(&fen);
        Board::new(seen.iter(), seen.black_to_move())
    })
}

/// Any order of `count` groups.
fn any_order(count: usize, random: &mut Random) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    for at in (1..count).rev() {
        order.swap(at, random.below(at + 1));
    }
    order
}

/// Permutes a network, writes it, reads it, and compares what both say in some positions.
fn check(net: &NetDesc<'_>, header: &Header, before: &Tensors, positions: usize) {
    let groups = Groups::of(net).expect("the neurons may move");
    let order = any_order(groups.count, &mut Random::new(3));
    let mut after = before.clone();
    permute(net, &mut after.muts(), &order).expect("the order names every group once");
    assert_ne!(&after, before, "{}", net.name);
    let mut file = Vec::new();
    write(net, header, &after.refs(), &mut file).expect("a vector takes everything");
    let (read_header, read) =
        Tensors::read(net, &file[..]).expect("it is a network of the same declaration");
    assert_eq!((&read_header, &read), (header, &after), "{}", net.name);
    let (before, after) = (before.refs(), read.refs());
    let mut moved = false;
    for board in boards(positions) {
        let [right, found] = [&before, &after].map(|tensors| evaluate(net, tensors, &board));
        assert_eq!(
            (found.value, &found.psqt, &found.positional),
            (right.value, &right.psqt, &right.positional)
        );
        let sums = |stacks: &[nnue_spec::reference::StackTrace]| {
            stacks.iter().map(|s| s.sums.clone()).collect::<Vec<_>>()
        };
        assert_eq!(sums(&found.stacks), sums(&right.stacks), "{}", net.name);
        let neurons = |place: usize| (0..groups.neurons).map(move |n| n * groups.count + place);
        for (found, right) in found.accumulators.iter().zip(&right.accumulators) {
            for (place, &group) in order.iter().enumerate() {
                assert!(
                    neurons(place)
                        .zip(neurons(group))
                        .all(|(at, from)| found[at] == right[from]),
                    "{}",
                    net.name
                );
            }
            moved |= found != right;
        }
    }
    assert!(moved, "{}", net.name);
}

/// A network of random weights, small enough for products of the accumulators to vary.
fn random(net: &NetDesc<'_>) -> (Header, Tensors) {
    let mut tensors = Tensors::zeroed(net);
    let mut random = Random::new(7);
    for tensor in tensors.muts() {
        let mut next = |limit: usize| random.below(2 * limit + 1) as i32 - limit as i32;
        match tensor {
            TensorMut::I8(values) => values.iter_mut().for_each(|value| *value = next(50) as i8),
            TensorMut::I16(values) => values.iter_mut().for_each(|value| *value = next(60) as i16),
            TensorMut::I32(values) => values.iter_mut().for_each(|value| *value = next(5000)),
            TensorMut::F32(values) => values
                .iter_mut()
                .for_each(|value| *value = next(100) as f32 / 64.0),
        }
    }
    (Header::new(net, b"abcde".to_vec()), tensors)
}

/// Calls `visit` with each network that `source` declares.
fn each(source: &str, mut visit: impl FnMut(&NetDesc<'_>)) {
    for plan in plan_text(source).unwrap_or_else(|errors| panic!("{}", errors[0])) {
        visit(&plan.tables().descriptor());
    }
}

/// Calls `visit` with the network of [`OWN`] that has one perspective.
fn single(visit: impl Fn(&NetDesc<'_>)) {
    each(OWN, |net| {
        if net.name == "Single" {
            visit(net);
        }
    });
}

#[test]
fn every_stockfish_network_evaluates_identically() {
    let mut networks = 0;
    each(STOCKFISH, |net| {
        let synthetic = match net.name {
            "SfnnSmall" => "v9s".to_owned(),
            "SfnnSmall255" => "v14s".to_owned(),
            name => name.replace("Sfnn", "").replace('_', "."),
        };
        let file = Synthetic::new(&synthetic, Profile::Normal).kept_bytes();
        let (header, tensors) =
            Tensors::read(net, &file[..]).unwrap_or_else(|error| panic!("{synthetic}: {error}"));
        drop(file);
        check(net, &header, &tensors, 3);
        networks += 1;
    });
    assert_eq!(networks, 19);
}

#[test]
fn networks_of_ones_own_evaluate_identically() {
    let mut neurons = Vec::new();
    each(OWN, |net| {
        neurons.push(Groups::of(net).expect("the neurons may move").neurons);
        let (header, tensors) = random(net);
        check(net, &header, &tensors, 40);
    });
    assert_eq!(neurons, [1, 2, 2, 2, 2, 2, 1]);
}

#[test]
fn an_order_that_is_none_is_refused() {
    single(|net| {
        let (_, before) = random(net);
        let refused = |order: &[usize]| {
            let mut tensors = before.clone();
            let error = permute(net, &mut tensors.muts(), order).expect_err("it is no order");
            assert_eq!(tensors, before, "nothing moved");
            error
        };
        let good: Vec<usize> = (0..16).collect();
        assert_eq!(
            refused(&good[1..]),
            PermuteError::Order {
                groups: 16,
                wrong: None
            }
        );
        let twice: Vec<usize> = good
            .iter()
            .map(|&group| if group == 9 { 3 } else { group })
            .collect();
        assert_eq!(
            refused(&twice),
            PermuteError::Order {
                groups: 16,
                wrong: Some(3)
            }
        );
        let outside: Vec<usize> = good.iter().map(|&group| group + 1).collect();
        assert_eq!(
            refused(&outside).to_string(),
            "an order names each of the 16 groups of neurons once, group 16 is not one or is named twice"
        );
    });
}

#[test]
fn graphs_that_do_not_allow_another_order_are_refused() {
    single(|net| {
        let refused = |first: LayerDesc<'_>| {
            let mut layers = net.layers.to_vec();
            layers[0] = first;
            let net = NetDesc {
                layers: &layers,
                ..*net
            };
            Groups::of(&net)
                .expect_err("the neurons have to stay")
                .to_string()
        };
        let part = [Segment {
            buffer: net.layers[0].segments[0].buffer,
            start: 4,
            len: 8,
        }];
        assert_eq!(
            refused(LayerDesc {
                segments: &part,
                ..net.layers[0]
            }),
            "the neurons have to stay where they are: layer `fc0` reads values 4..12 of the 16 of an accumulator"
        );
        assert_eq!(
            refused(net.layers[0].with_shards(2, 4)),
            "the neurons have to stay where they are: outputs of layer `fc0` read shards of them"
        );
        let floats = LayerKind::Float {
            partial: 16,
            fused: false,
        };
        assert_eq!(
            refused(LayerDesc {
                kind: floats,
                ..net.layers[0]
            }),
            "the neurons have to stay where they are: layer `fc0` adds floats up in their order, and would round to other sums"
        );
    });
    each(
        "struct Neighbours = Chess768[..] -> 32x2 max_neighbours -> 8 -> 1;",
        |net| {
            assert_eq!(Groups::of(net), Err(PermuteError::Neighbours));
        },
    );
    each(
        "struct Relu { acc = accumulate(Chess768[..], 32) x 2; output affine(max(acc, 0), 1: i16); format raw }",
        |net| {
            assert_eq!(Groups::of(net), Err(PermuteError::Arithmetic));
        },
    );
}
