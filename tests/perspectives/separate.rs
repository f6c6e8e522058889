//! Perspectives with weights of their own: every clause that reads accumulators, chess and another game, both orders.

use nnue::nnue;
use nnue::spec::{TensorRef, TensorRole, reference};
use nnue::{Architecture, Level, Model, Network, Parameters};
use nnue_testkit::games::position;
use shakmaty::{Chess, Position};

use crate::games::follows_games;
use crate::reference::agrees_with_the_reference;
use crate::support::{Weights, network, positions, reference_board};

nnue! {
    /// like bullet's examples with two first layers: 16-bit weights, refreshes when a king crosses the middle
    pub struct Direct = (Chess768[mirrored] -> 96)x2 @ 255 screlu separate -> 1x8: i16 by material_count { format raw };

    /// halves are those of each perspective's own neurons
    pub struct Halves = (768 -> 64)x2 @ 255 pairwise, separate -> 1: i16 { format raw };

    /// 8-bit weights and blocks, several layers, a set with king buckets
    pub struct Blocks = (HalfKAv2_hm[..] -> 64)x2 @ 255 pairwise separate -> (16 -> 24 -> 1)x4 { format raw };

    /// floats
    pub struct Floats = (768 -> 32)x2 @ 255 screlu separate -> 1: f32 sums 16 { format raw; value output * 400; };

    /// pairs of pieces, with rows of their own for each perspective
    pub struct Pairs = Chess768[mirrored] + Threats[..](P: NBR, N: PQ, Q: BK) + PawnPairs[..] -> 64x2 @ 255 pairwise, separate
        -> 16 -> 1 { format raw };

    /// the same beside pieces whose rows depend on attacks, in 8 bits
    pub struct Attacked {
        inputs = Chess768[attacks] as i8 + FullThreats[59808];
        acc = accumulate(inputs, 32 @ 255) x 2, white_first, separate;
        output affine(screlu(acc), 1: i16);
        format raw { order: [ft1_second_weight, ft_second_weight, ft_second_bias, ft_weight, ft1_weight, ft_bias, fc0_weight, fc0_bias] }
    }

    /// White's and Black's own weights, as a graph, with the tensors of the second first
    pub struct ByColour {
        acc = accumulate(Chess768[..], 32 @ 255) x 2, white_first, separate;
        let h1 = affine(sqr_crelu(acc), 16);
        output affine(crelu(h1), 1) - h1[3];
        format raw {
            order: [ft_second_bias, ft_second_weight, ft_bias, ft_weight, fc0_weight, fc0_bias, fc1_weight, fc1_bias],
            ft_second_weight: [output][input]
        }
    }
}

/// Games, on every level.
fn follows_games_everywhere<A: Architecture>(mut network: Network<A>) {
    for level in Level::available() {
        network = network.with_level(level);
        follows_games(&network);
    }
}

/// The values that layers read of the accumulators are those of the reference interpreter, and differ between perspectives.
fn neurons_are_those_of_their_perspective<A: Architecture>(
    network: &Network<A>,
    positions: &[Chess],
) {
    let tensors = network.params().tensors();
    for position in positions {
        let expected =
            reference::evaluate(&A::SPEC, &tensors, &reference_board(position)).accumulators;
        let accumulators = network.accumulate(position);
        assert_eq!(
            accumulators.values(),
            expected.each_ref().map(Vec::as_slice),
            "{}",
            A::SPEC.name
        );
    }
}

/// A file is read as it was written, and its tensors have the declared order.
fn comes_back_from_its_file<A: Architecture>(network: &Network<A>) {
    let bytes = network.to_bytes().expect("a vector takes everything");
    let read = Network::<A>::from_bytes(&bytes).expect("it was just written");
    assert_eq!(
        read.params().tensors(),
        network.params().tensors(),
        "{}",
        A::SPEC.name
    );
    let cut = Network::<A>::from_bytes(&bytes[..bytes.len() / 2])
        .expect_err("it is cut off")
        .to_string();
    assert!(
        cut.contains(A::SPEC.name) && cut.contains("cut off"),
        "{cut}"
    );
}

/// With the same weights in both perspectives, accumulators change places when the side to move changes, as shared ones do.
fn shared_weights_are_a_special_case<A: Architecture>(positions: &[Chess]) {
    let mut params = network::<A>(3, Weights::Tame).into_params();
    let copies: Vec<Vec<i16>> = [TensorRole::TransformerBias, TensorRole::TransformerWeight]
        .map(|role| match params.tensors()[place::<A>(role)] {
            TensorRef::I16(values) => values.to_vec(),
            other => panic!("feature weights are of 16 bits, not {other:?}"),
        })
        .into();
    for (role, values) in [TensorRole::SecondBias, TensorRole::SecondWeight]
        .into_iter()
        .zip(&copies)
    {
        match &mut params.tensors_mut()[place::<A>(role)] {
            nnue::spec::TensorMut::I16(out) => out.copy_from_slice(values),
            other => panic!("feature weights are of 16 bits, not {other:?}"),
        }
    }
    let network = Network::<A>::from_params(params);
    for position in positions {
        let accumulators = network.accumulate(position);
        let Ok(passed) = position.clone().swap_turn() else {
            continue;
        };
        let [first, second] = accumulators.values();
        assert_eq!(
            network.accumulate(&passed).values(),
            [second, first],
            "{}",
            A::SPEC.name
        );
    }
}

fn place<A: Architecture>(role: TensorRole) -> usize {
    A::SPEC
        .tensors
        .iter()
        .position(|tensor| tensor.role == role)
        .expect("it is declared")
}

fn check<A: Architecture>() {
    agrees_with_the_reference::<A>();
    let network = network::<A>(4, Weights::Tame);
    neurons_are_those_of_their_perspective(&network, &positions(16));
    comes_back_from_its_file(&network);
    follows_games_everywhere(network);
}

#[test]
fn sixteen_bit_weights() {
    check::<Direct>();
    check::<Halves>();
    shared_weights_are_a_special_case::<Direct>(&positions(16));
}

#[test]
fn eight_bit_weights() {
    check::<Blocks>();
}

#[test]
fn pairs_of_pieces() {
    check::<Pairs>();
    check::<Attacked>();
}

#[test]
fn floats() {
    check::<Floats>();
}

#[test]
fn white_first() {
    check::<ByColour>();
    let names: Vec<_> = ByColour::SPEC
        .tensors
        .iter()
        .map(|tensor| tensor.name)
        .collect();
    assert_eq!(
        names[..4],
        ["ft_second_bias", "ft_second_weight", "ft_bias", "ft_weight"]
    );
}

/// Weights that differ give other values than shared ones, so each tensor is read.
#[test]
fn every_weight_counts() {
    let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    let position = position(fen);
    let before = network::<Halves>(4, Weights::Tame).evaluate_fresh(&position);
    for tensor in 0..Halves::SPEC.tensors.len() {
        let mut params = network::<Halves>(4, Weights::Tame).into_params();
        match &mut params.tensors_mut()[tensor] {
            nnue::spec::TensorMut::I16(values) => values.iter_mut().for_each(|value| *value += 90),
            other => panic!("all tensors are of 16 bits, not {other:?}"),
        }
        let after = Network::<Halves>::from_params(params).evaluate_fresh(&position);
        assert_ne!(
            after.positional,
            before.positional,
            "{}",
            Halves::SPEC.tensors[tensor].name
        );
    }
}
