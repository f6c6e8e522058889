//! An engine that needs functions of the program, and so a compiled declaration: its hard swish is rounded in another order, and it multiplies
//! sums as they are.

use nnue::nnue;
use nnue::spec::reference::{CustomActivation, CustomActivations};

use crate::functions::compare_with_functions;
use crate::support::{Weights, network, positions};
use crate::vectors::agree_with_functions;

/// `y * clamp(y + 3, 0, 6) / 6`: the product first, the sixth second.
fn swish(y: f32) -> f32 {
    y * (y + 3.0).clamp(0.0, 6.0) * (1.0 / 6.0)
}

fn unchanged(y: f32) -> f32 {
    y
}

nnue! {
    /// Viridithas, 2026; the engine has 1024 in place of 64
    pub struct Viridithas {
        inputs = Chess704[mirrored, buckets: [
            0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 8, 9, 10, 11, 12, 12, 13, 13, 12, 12, 13, 13, 14, 14, 15, 15, 14, 14, 15, 15,
        ]] + FullThreats[59808] as i8 + PawnPairs[4560] as i8;
        acc = accumulate(inputs, 64 @ 255) x 2;
        x = pairwise(acc);
        stacks 8 by (piece_count - 2) / 4 {
            let y = affine(x, 32: i8 @ 64);
            let a = self::swish(y);
            let z = affine(a, 64: f32);
            let b = add(mul(self::swish(z)[..32], self::unchanged(z)[32..]), a);
            output affine(b, 1: f32 sums 16);
        }
        value output * 240;
        floats fused;
        format raw {
            order: [
                ft2_weight, ft1_weight, ft_weight, ft_bias, fc0_weight, fc0_bias, fc1_weight, fc1_bias, fc2_weight, fc2_bias
            ],
            fc0_weight: [input][stack][output], fc1_weight: [input][stack][output], fc2_weight: [input][stack]
        }
    }
}

const FUNCTIONS: CustomActivations<'_> = &[
    ("self::swish", CustomActivation::Floats(&swish)),
    ("self::unchanged", CustomActivation::Floats(&unchanged)),
];

#[test]
fn viridithas_agrees_with_the_reference() {
    for weights in [Weights::Tame, Weights::Wild] {
        let network = network::<Viridithas>(11, weights);
        compare_with_functions(network, &positions(16), FUNCTIONS);
    }
}

#[test]
fn viridithas_has_the_values_of_the_engine() {
    agree_with_functions::<Viridithas>("viridithas", FUNCTIONS);
}
