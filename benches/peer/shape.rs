//! The network of the comparison with `noru`.

use nnue::{Parameters as _, nnue};
use nnue_testkit::random::Random;

nnue! {
    /// The shape that both sides can express.
    pub(crate) struct Comparable = (Chess768[..] -> 256)x2 -> 32 -> 1;
}

/// Features.
pub(crate) const FEATURES: usize = 768;
/// Neurons per perspective.
pub(crate) const WIDTH: usize = 256;
/// Neurons of the hidden layer.
pub(crate) const HIDDEN: usize = 32;

/// Weights that both sides can hold.
pub(crate) struct Tensors {
    pub(crate) transformer_bias: [i16; WIDTH],
    pub(crate) transformer_weight: Vec<i16>,
    /// multiples of 64
    pub(crate) hidden_bias: [i32; HIDDEN],
    /// rows of `2 * WIDTH`
    pub(crate) hidden_weight: Vec<i8>,
    /// a multiple of 16
    pub(crate) output_bias: i32,
    pub(crate) output_weight: [i8; HIDDEN],
}

impl Tensors {
    /// Random weights. About three in ten of the activated values are not zero, so that only a quarter of the blocks of four can be
    /// skipped.
    pub(crate) fn random() -> Self {
        let mut random = Random::new(768);
        let mut between =
            |low: i32, high: i32| low + random.below((high - low + 1) as usize) as i32;
        Self {
            transformer_bias: std::array::from_fn(|_| between(-110, 30) as i16),
            transformer_weight: (0..FEATURES * WIDTH)
                .map(|_| between(-24, 24) as i16)
                .collect(),
            hidden_bias: std::array::from_fn(|_| 64 * between(-30, 30)),
            hidden_weight: (0..HIDDEN * 2 * WIDTH)
                .map(|_| between(-22, 22) as i8)
                .collect(),
            output_bias: 16 * between(-200, 200),
            output_weight: std::array::from_fn(|_| between(-90, 90) as i8),
        }
    }

    /// The same as parameters of the declared network.
    pub(crate) fn parameters(&self) -> ComparableParams {
        let mut params = ComparableParams::zeroed();
        params.ft.bias[0] = self.transformer_bias;
        for (row, values) in params
            .ft
            .weight
            .iter_mut()
            .zip(self.transformer_weight.chunks_exact(WIDTH))
        {
            row.copy_from_slice(values);
        }
        params.fc0.bias[0] = self.hidden_bias;
        for (row, values) in params.fc0.weight[0]
            .iter_mut()
            .zip(self.hidden_weight.chunks_exact(2 * WIDTH))
        {
            row.copy_from_slice(values);
        }
        params.fc1.bias[0] = [self.output_bias];
        params.fc1.weight[0] = [self.output_weight];
        params
    }
}
