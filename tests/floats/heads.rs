//! Heads of all forms, with random weights.

use nnue::nnue;
use nnue::spec::{RawOutput, TensorRef, reference};
use nnue::{Architecture, Level, Model, Parameters};
use shakmaty::Chess;

use crate::reference::agrees_with_the_reference;
use crate::support::{Weights, network, positions, reference_board};

nnue! {
    /// additions from the bias, products rounded first; a width that is not a multiple of a vector
    pub struct Separate = Chess768[..] -> 64x2 @ 255 pairwise -> (13: i8 @ 50 crelu -> 21: f32 screlu -> 1: f32)x2;

    /// partial sums of every kind, fused, one perspective
    pub struct Fused = Chess768[mirrored] -> 96 @ 120 crelu
        -> (16: i8 screlu -> 24: f32 sums 4 screlu -> 40: f32 sums 16 crelu -> 1: f32 sums 32)x4 {
        floats fused;
        value output * 1000;
    };

    /// both activations of fifteen neurons; the sixteenth skips to the output
    pub struct Dual {
        acc = accumulate(Chess768[mirrored], 128 @ 255) x 2;
        stacks 8 by material_count {
            let h1 = affine(pairwise(acc), 16: i8 @ 64);
            let h2 = affine(concat(crelu(h1[..15]), sqr_crelu(h1[..15])), 32: f32);
            output affine(screlu(h2), 1: f32) + h1[15] - h2[3];
        }
        format raw
    }

    /// parts of float layers that were activated in two ways, in other orders; an output that is read in parts
    pub struct Parts {
        acc = accumulate(Chess768[..], 64 @ 127) x 2;
        let h1 = affine(crelu(acc), 24);
        let a1 = concat(hard_swish(h1), crelu(h1))[5..41];
        let h2 = affine(a1, 20: f32 sums 2);
        let h3 = affine(concat(sqr_crelu(h2)[3..], hard_swish(h1[..2])), 18: f32);
        output affine(screlu(h3)[1..], 1: f32 sums 16) - h2[19];
        floats fused;
    }

    /// a hard swish, and a gate of one
    pub struct Gated = Chess768[..] -> 64x2 @ 255 pairwise -> (32: i8 hard_swish -> 44: f32 gated -> 1: f32 sums 16)x2 {
        floats fused;
    };

    /// every other activation of floats
    pub struct Curves {
        acc = accumulate(Chess768[..], 64 @ 127) x 2;
        let h1 = affine(crelu(acc), 24);
        let h2 = affine(concat(relu(h1), sigmoid(h1)[..7], leaky_relu(h1)), 22: f32);
        let h3 = affine(concat(glu(h2), tanh(h2), relu6(h2)), 20: f32);
        let h4 = affine(concat(reglu(h3), swiglu(h3), silu(h2)[3..]), 18: f32 sums 4);
        output affine(silu(h4), 1: f32) + h2[0];
        floats fused;
    }

    /// pools of accumulators, of sums and of values, and residuals
    pub struct Pooled {
        acc = accumulate(Chess768[..], 64 @ 127) x 2;
        let h1 = affine(avg_halves(crelu(acc)), 24: f32);
        let h2 = affine(concat(max_neighbours(crelu(h1)), pairwise(silu(h1)), mul(tanh(h1)[..7], relu(h1)[3..10]), mean(crelu(h1)), mean(silu(h1)[..5]), max_neighbours(silu(h1), 4), avg_neighbours(crelu(h1)[3..], 3)), 24: f32);
        output affine(add(relu(h2), relu(h1)), 1: f32 sums 16);
    }
    /// pools of neighbours in an accumulator of one perspective
    pub struct PooledChain = 768 -> 64 @ 181 mul_neighbours -> 10: f32 max_halves -> 1: f32;

    /// activations of accumulators joined with each other and with those of a layer
    pub struct Joined {
        acc = accumulate(Chess768[..], 64 @ 181) x 2;
        let x = concat(screlu(acc)[3..70], pairwise(acc));
        let h1 = affine(x, 20: f32);
        output affine(concat(relu(h1), x[1..9], crelu(acc)), 1: f32 sums 16);
    }
    /// the same before the first layer of floats
    pub struct JoinedBytes {
        acc = accumulate(Chess768[..], 64 @ 255) x 2;
        let h1 = affine(concat(pairwise(acc), sqr_crelu(acc)[..50]), 20: i8 @ 32);
        output affine(screlu(h1), 1: f32);
    }

    /// floats directly after the accumulator
    pub struct Straight = (768 -> 96)x2 @ 255 screlu -> 1x4: f32 sums 64 { format raw };
    /// the same of products, in several layers
    pub struct Products = (768 -> 64)x2 @ 362 pairwise -> (10: f32 -> 1: f32)x2 { floats fused; };
    /// the same of one perspective
    pub struct OneSided = 768 -> 32 @ 181 crelu -> 5: f32 sqr_crelu -> 1: f32;

    /// loss, draw and win
    pub struct Points = Chess768[..] -> 64x2 @ 255 pairwise -> (16 screlu -> 3: f32)x8 { value wdl * 1000; };
    /// certainty
    pub struct Certain = Chess768[..] -> 64x2 @ 255 pairwise -> 16 screlu -> 1: f32 { value sigmoid(output) * 10000; };

    /// squares of accumulators; a first layer that is written; a raw file
    pub struct Raw = (768 -> 64)x2 @ 255 sqr_crelu >> 9 -> 32: i8 @ 64 screlu -> 1: f32 sums 8 {
        floats separate;
        format raw { fc0_weight: [input][output], fc1_bias: f32 }
    };
}

/// The output of a network with floats, on every level: the bits, not only the value.
fn bits_agree<A: Architecture<Output = f32>>() {
    agrees_with_the_reference::<A>();
    let mut network = network::<A>(5, Weights::Tame);
    let positions = positions(8);
    let tensors = network.params().tensors();
    let expected: Vec<u32> = positions
        .iter()
        .map(|position| added::<A>(&tensors, position).to_bits())
        .collect();
    drop(tensors);
    for level in Level::available() {
        network = network.with_level(level);
        for (position, expected) in positions.iter().zip(&expected) {
            let output = network.output_of(&network.accumulate(position));
            assert_eq!(
                output.to_bits(),
                *expected,
                "{}, {level}: {output}",
                A::SPEC.name
            );
        }
    }
}

/// The output of the reference.
fn added<A: Architecture>(tensors: &[TensorRef<'_>], position: &Chess) -> f32 {
    let trace = reference::evaluate(&A::SPEC, tensors, &reference_board(position));
    match trace.stacks[trace.bucket].output(&A::SPEC) {
        RawOutput::Float(output) => output,
        other => panic!("{} gives {other:?}", A::SPEC.name),
    }
}

#[test]
fn joined_accumulators() {
    bits_agree::<Joined>();
    bits_agree::<JoinedBytes>();
}

#[test]
fn pools() {
    bits_agree::<Pooled>();
    bits_agree::<PooledChain>();
}

#[test]
fn additions_from_the_bias() {
    bits_agree::<Separate>();
}

#[test]
fn partial_sums_of_fused_products() {
    bits_agree::<Fused>();
}

#[test]
fn one_float_layer_in_a_raw_file() {
    bits_agree::<Raw>();
}

#[test]
fn dual_activations_parts_and_skips() {
    bits_agree::<Dual>();
    bits_agree::<Parts>();
}

#[test]
fn gates_and_curves() {
    bits_agree::<Gated>();
    bits_agree::<Curves>();
}

#[test]
fn floats_directly_after_the_accumulator() {
    bits_agree::<Straight>();
    bits_agree::<Products>();
    bits_agree::<OneSided>();
}

#[test]
fn certainty_of_one_output() {
    bits_agree::<Certain>();
}

/// Three outputs, whose probabilities add up; their bits are those of the reference.
#[test]
fn loss_draw_and_win() {
    agrees_with_the_reference::<Points>();
    let mut network = network::<Points>(5, Weights::Tame);
    for position in positions(8) {
        let trace = reference::evaluate(
            &Points::SPEC,
            &network.params().tensors(),
            &reference_board(&position),
        );
        let expected = trace.stacks[trace.bucket].floats[1].clone();
        for level in Level::available() {
            network = network.with_level(level);
            let wdl = network.output_of(&network.accumulate(&position));
            assert_eq!(
                wdl.logits().map(f32::to_bits),
                *expected.iter().map(|y| y.to_bits()).collect::<Vec<_>>()
            );
            let [loss, draw, win] = wdl.probabilities();
            assert!((loss + draw + win - 1.0).abs() < 1e-6, "{wdl:?}");
            assert_eq!(
                network.evaluate_fresh(&position).value,
                (wdl.expected_score() * 1000.0) as i32
            );
        }
    }
}
