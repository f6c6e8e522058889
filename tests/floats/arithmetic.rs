//! Arithmetic of floats and of accumulators, compiled.

use nnue::nnue;

use crate::reference::agrees_with_the_reference;
use crate::support::{Weights, network};

nnue! {
    /// every operation, over sums with an integer bias, a single sum and float sums
    pub struct Operations {
        acc = accumulate(Chess768[mirrored], 64 @ 255) x 2;
        let s = affine(pairwise(acc), 24: i8 bias i32);
        let y = s as f32 * (1.0 / 8128.0) - (clamp(s, -9000, 30000) >> 5) as f32 / 300.0;
        let one = affine(y, 1: f32 sums 16);
        let z = affine(concat(y, one * 0.25), 19: f32 sums 2);
        let a = mul_add(z, 0.5, 1.0 / (1.0 + exp(-z)));
        let b = max(min(abs(z[3..]) - 0.1, a[..16]), -z[..16]);
        let c = if z > 0 { floor(z * 8) } else if z <= -0.5 { round(z * 8) } else { z } * 0.125;
        let d = (z >= 0.25) * (z < a) + (z == a) - (z != a);
        output affine(concat(clamp(a, -1, 1), b, c, d), 1: f32);
        output doubts = b[..5] * 100;
        value output * 400;
        format raw
    }
}

nnue! {
    /// units and stacks, fused
    pub struct Units {
        acc = accumulate(Chess768[..], 64 @ 255) x 2;
        stacks 4 {
            let y = affine(pairwise(acc), 17: i8 @ 128 unit 3/4194304);
            let gate = y[..8];
            output affine(y[8..16] * exp(gate) / (exp(gate) + exp(-gate)) + y[9..], 1: f32 sums 2);
        }
        value output * 400;
        floats fused;
        format raw
    }
}

nnue! {
    /// accumulators as they are
    pub struct Sigmoids {
        acc = accumulate(Chess768[mirrored], 64 @ 255) x 2;
        let x = 1.0 / (1.0 + exp(acc as f32 * (-1.0 / 255.0)));
        output affine(affine(x, 16: f32) * 0.5, 1: f32);
        format raw
    }
}

nnue! {
    /// ReLU without a ceiling, and products of one's own
    pub struct OfIntegers {
        acc = accumulate(Chess768[..], 96 @ 255) x 2;
        let relu = max(acc, 0);
        let square = clamp(acc, 0, 255) * clamp(acc, 0, 255) >> 8;
        let h = affine(relu, 16: i16);
        let leaky = if h > 0 { h >> 6 } else { h >> 9 };
        let low = saturating_mul(h, 3) as i16 / 3 + (saturating_sub(h, 1 << 20) as i8);
        let odd = clamp(saturating_add(leaky, low), -500, 500) * (low != 5);
        output affine(concat(square, clamp(leaky, 0, 127), odd), 1: i8);
        value output * 400 / 16320;
        format raw
    }
}

nnue! {
    /// ReLU without a ceiling, whose inputs alternate in the file
    pub struct Alternating {
        acc = accumulate(Chess768[..], 32) x 2;
        output affine(max(acc, 0), 1: i16);
        value output * 400 / 8128;
        format raw { perspectives: interleaved, padding: none }
    }
}

nnue! {
    /// accumulators as floats
    pub struct OfAccumulators {
        acc = accumulate(Chess768[..], 64 @ 255) x 2;
        let x = crelu(acc);
        output affine(x * x * (3.0 - 2.0 * x), 1: f32 sums 16);
        format raw
    }
}

#[test]
fn every_operation_agrees_with_the_reference() {
    agrees_with_the_reference::<Operations>();
}

#[test]
fn units_agree_with_the_reference() {
    agrees_with_the_reference::<Units>();
}

#[test]
fn accumulators_as_they_are_agree_with_the_reference() {
    agrees_with_the_reference::<Sigmoids>();
    agrees_with_the_reference::<OfIntegers>();
}

#[test]
fn accumulators_agree_with_the_reference() {
    agrees_with_the_reference::<OfAccumulators>();
}

#[test]
fn inputs_of_expressions_may_alternate_in_the_file() {
    agrees_with_the_reference::<Alternating>();
    let network = network::<Alternating>(24, Weights::Wild);
    let file = network.to_bytes().expect("a vector takes everything");
    let weights = &file[2 * (768 * 32 + 32)..];
    let held = &network.params().fc0.weight[0][0];
    for (place, number) in weights[..2 * 64].chunks_exact(2).enumerate() {
        let number = i16::from_le_bytes([number[0], number[1]]);
        assert_eq!(number, held[place / 2 + place % 2 * 32]);
    }
}
