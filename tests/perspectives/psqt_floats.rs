//! Floats of features, which those of the first perspective add to the output: the same bits at every level, after any moves, in batches and from
//! scratch, and those of the reference.

use nnue::nnue;
use nnue::spec::{RawOutput, TensorMut, reference};
use nnue::{AccumulatorStack, Architecture, Level, Model, Network, Output, Parameters};
use nnue_testkit::random::Random;

use crate::games::follows_games;
use crate::reference::{agrees_with_the_reference, compare};
use crate::support::{Weights, network, positions, reference_board};

nnue! {
    /// the shape of value networks of tree searches: pieces and threats of one side, products in 16 bits, three logits
    pub struct Points = Chess768[mirrored] as i8 + FullThreats[79856] -> 64 @ 128 pairwise as i16, psqt 3: f32
        -> 16: i16 @ 1024 screlu -> 24: f32 screlu -> 3: f32 {
        value wdl * 1000;
        format raw { order: [ft_psqt, ft1_psqt, ft_weight, ft1_weight, ft_bias, fc0_weight, fc0_bias, fc1_weight, fc1_bias, fc2_weight, fc2_bias] }
    };

    /// one float, two perspectives that share their weights, stacks, rows that depend on the king
    pub struct Halves = (HalfKAv2_hm[..] -> 32)x2 @ 255 pairwise, psqt 1: f32 -> (16 screlu -> 1: f32)x4 { format raw };

    /// White's floats, beside pairs of pieces, in a graph with other outputs
    pub struct WhitePoints {
        inputs = Chess768[attacks] + Threats[..](N: PQ, Q: NB) + PawnPairs[..];
        acc = accumulate(inputs, 32 @ 255) x 2, separate, white_first, psqt 1: f32;
        let h1 = affine(pairwise(acc), 16);
        output value = affine(screlu(h1), 1: f32) + h1[3];
        output wdl = wdl(affine(screlu(h1), 3: f32));
        value sigmoid(output) * 10000;
        format raw { ft_psqt: [output][input] }
    }
}

/// Random floats of many magnitudes, whose sums depend on the order of the additions.
fn with_floats<A: Architecture>() -> Network<A> {
    let mut params = network::<A>(4, Weights::Tame).into_params();
    let mut random = Random::new(12);
    let index = A::SPEC
        .tensors
        .iter()
        .enumerate()
        .filter(|(_, tensor)| tensor.name.ends_with("psqt"));
    let index: Vec<usize> = index.map(|(index, _)| index).collect();
    assert_eq!(index.len(), A::SPEC.features.len());
    let mut tensors = params.tensors_mut();
    for at in index {
        let TensorMut::F32(floats) = &mut tensors[at] else {
            panic!("{} is of floats", A::SPEC.tensors[at].name)
        };
        for float in floats.iter_mut() {
            let magnitude = [1.0, 1e-3, 0.37, 1e-6][random.below(4)];
            *float = (random.below(2_000_001) as f32 - 1e6) * 1e-6 * magnitude;
        }
    }
    drop(tensors);
    Network::from_params(params)
}

fn bits(output: RawOutput) -> Vec<u32> {
    match output {
        RawOutput::Float(output) => vec![output.to_bits()],
        RawOutput::Wdl(wdl) => wdl.logits().map(f32::to_bits).into(),
        other => panic!("floats are added to {other:?}"),
    }
}

fn check<A: Architecture>() {
    agrees_with_the_reference::<A>();
    let positions = positions(12);
    compare(with_floats::<A>(), &positions, A::SPEC.name);
    let mut network = with_floats::<A>();
    let (mut matters, mut stack) = (0, AccumulatorStack::new());
    for level in Level::available() {
        network = network.with_level(level);
        for position in &positions {
            let tensors = network.params().tensors();
            let trace = reference::evaluate(&A::SPEC, &tensors, &reference_board(position));
            let layers = &trace.stacks[trace.bucket];
            stack.reset();
            let output = bits(network.output(position, &mut stack).raw());
            assert_eq!(
                output,
                bits(layers.output(&A::SPEC)),
                "{}, {level}",
                A::SPEC.name
            );
            let alone = reference::StackTrace {
                added: Vec::new(),
                ..layers.clone()
            };
            matters += usize::from(output != bits(alone.output(&A::SPEC)));
        }
        follows_games(&network);
    }
    assert!(
        matters > positions.len() / 2,
        "{}: floats changed {matters} outputs",
        A::SPEC.name
    );
    let bytes = network.to_bytes().expect("a vector takes everything");
    let read = Network::<A>::from_bytes(&bytes).expect("it was just written");
    assert_eq!(
        read.params().tensors(),
        network.params().tensors(),
        "{}",
        A::SPEC.name
    );
}

#[test]
fn three_logits_of_one_perspective() {
    check::<Points>();
}

#[test]
fn one_float_of_two_perspectives() {
    check::<Halves>();
}

#[test]
fn floats_of_white_beside_other_outputs() {
    check::<WhitePoints>();
    let network = with_floats::<WhitePoints>();
    let mut stack = AccumulatorStack::new();
    for position in positions(40) {
        stack.reset();
        let (evaluation, WhitePointsWdl(wdl)) = network.evaluate_with(&position, &mut stack);
        assert_eq!(evaluation, network.evaluate_fresh(&position));
        // Other outputs get nothing added.
        let trace = reference::evaluate(
            &WhitePoints::SPEC,
            &network.params().tensors(),
            &reference_board(&position),
        );
        let logits = trace.stacks[trace.bucket].head(&WhitePoints::SPEC, 0);
        assert_eq!(wdl.logits().as_slice(), logits, "{position:?}");
    }
}
