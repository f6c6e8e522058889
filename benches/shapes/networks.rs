//! The shapes, with random weights.

use nnue::spec::{TensorMut, TensorRole};
use nnue::{Architecture, Network, Parameters, nnue};
use nnue_testkit::random::Random;

nnue! {
    /// `(768x4hm -> 1024)x2 -> 1x8`, SCReLU
    pub struct Screlu {
        inputs = Chess768[buckets: [0, 0, 1, 1, 2 x 4, 3 x 24], mirrored];
        acc = accumulate(inputs, 1024 @ 255) x 2;
        stacks 8 by material_count { output affine(screlu(acc), 1: i16 @ 64); }
        format raw
    }

    /// `(768x16hm -> 1536)x2 pairwise -> (16 -> 32 -> 1)x8`, floats after the first layer
    pub struct FloatHead {
        inputs = Chess768[buckets: [
            0, 1, 2, 3, 4, 5, 6, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13, 12, 12, 13, 13, 14, 14, 15, 15, 14, 14, 15, 15,
        ], mirrored];
        acc = accumulate(inputs, 1536 @ 255) x 2;
        stacks 8 by material_count {
            let h1 = affine(pairwise(acc), 16: i8 @ 64);
            let h2 = affine(screlu(h1), 32: f32);
            output affine(screlu(h2), 1: f32 sums 16);
        }
        floats fused;
        format raw
    }
}

/// A network with random weights and biases around `bias`. Around 0, about half of its accumulator values are positive, as in trained
/// networks without products.
pub(crate) fn random<A: Architecture>(bias: i16) -> Network<A> {
    let mut params = A::Params::zeroed();
    let mut random = Random::new(3);
    let mut next = |limit: i32| random.below(2 * limit as usize + 1) as i32 - limit;
    for (tensor, desc) in params.tensors_mut().into_iter().zip(A::SPEC.tensors) {
        let limit = match desc.role {
            TensorRole::LayerWeight(_) => 60,
            _ => 40,
        };
        match tensor {
            TensorMut::I8(out) => out.iter_mut().for_each(|x| *x = next(limit) as i8),
            TensorMut::I16(out) if desc.role == TensorRole::TransformerBias => {
                out.iter_mut().for_each(|x| *x = bias + next(limit) as i16);
            }
            TensorMut::I16(out) => out.iter_mut().for_each(|x| *x = next(limit) as i16),
            TensorMut::I32(out) => out.iter_mut().for_each(|x| *x = next(limit)),
            TensorMut::F32(out) => out.iter_mut().for_each(|x| *x = next(100) as f32 / 200.0),
        }
    }
    Network::from_params(params)
}
