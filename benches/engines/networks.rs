//! The networks, and their weights as arrays for the code written by hand.

use nnue::spec::{TensorMut, TensorRef, TensorRole};
use nnue::{Architecture, Network, Parameters, nnue};

nnue! {
    /// The first network of many engines.
    pub struct Small = (768 -> 256)x2 @ 255 screlu -> 1: i16 @ 64 { format raw; };
}

nnue! {
    /// Four king buckets, mirrored, eight output buckets.
    pub struct Large = (Chess768[mirrored, buckets: [0, 0, 1, 1, 2 x 4, 3 x 24]] -> 1024)x2 @ 255 screlu -> (1: i16 @ 64)x8 by material_count { format raw; };
}

/// The king bucket of each square, with the king on files a to d.
pub(crate) type Buckets = [u8; 32];

/// A network for which there is code written by hand.
pub(crate) trait Shape: Architecture {
    const WIDTH: usize;
    /// Rows of the accumulator.
    const ROWS: usize;
    /// `None`: the rows do not depend on the king.
    const BUCKETS: Option<Buckets>;
    /// Output buckets, chosen by the number of pieces.
    const OUTPUTS: usize;
}

impl Shape for Small {
    const WIDTH: usize = 256;
    const ROWS: usize = 768;
    const BUCKETS: Option<Buckets> = None;
    const OUTPUTS: usize = 1;
}

impl Shape for Large {
    const WIDTH: usize = 1024;
    const ROWS: usize = 4 * 768;
    const BUCKETS: Option<Buckets> = Some([
        0, 0, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3,
        3, 3,
    ]);
    const OUTPUTS: usize = 8;
}

/// A network with random weights: as small as a trainer leaves them, so that `clamp(x) * weight` fits in 16 bits.
pub(crate) fn random<A: Architecture>() -> Network<A> {
    let mut params = A::Params::zeroed();
    let mut random = fastrand::Rng::with_seed(3);
    for (tensor, desc) in params.tensors_mut().into_iter().zip(A::SPEC.tensors) {
        let limit = match desc.role {
            TensorRole::LayerBias(_) => 2000,
            TensorRole::LayerWeight(_) => 120,
            _ => 40,
        };
        match tensor {
            TensorMut::I16(out) => out.iter_mut().for_each(|x| *x = random.i16(-limit..=limit)),
            _ => unreachable!("weights of 16 bits"),
        }
    }
    Network::from_params(params)
}

/// The same weights for code written by hand, which knows its widths.
pub(crate) struct Weights<const W: usize> {
    pub(crate) rows: Vec<[i16; W]>,
    pub(crate) bias: [i16; W],
    /// by output bucket and perspective
    pub(crate) output: Vec<[[i16; W]; 2]>,
    pub(crate) output_bias: Vec<i32>,
}

impl<const W: usize> Weights<W> {
    /// The weights of `network`.
    ///
    /// # Panics
    ///
    /// If it has another width.
    pub(crate) fn of<A: Shape>(network: &Network<A>) -> Self {
        assert_eq!(A::WIDTH, W, "the width of the network");
        let mut weights = Self {
            rows: Vec::new(),
            bias: [0; W],
            output: Vec::new(),
            output_bias: Vec::new(),
        };
        for (tensor, desc) in network.params().tensors().into_iter().zip(A::SPEC.tensors) {
            match (desc.role, tensor) {
                (TensorRole::TransformerBias, TensorRef::I16(bias)) => {
                    weights.bias.copy_from_slice(bias);
                }
                (TensorRole::TransformerWeight, TensorRef::I16(rows)) => {
                    weights.rows = rows.as_chunks().0.to_vec();
                }
                (TensorRole::LayerBias(_), TensorRef::I16(bias)) => {
                    weights.output_bias = bias.iter().copied().map(i32::from).collect();
                }
                (TensorRole::LayerWeight(_), TensorRef::I16(rows)) => {
                    let (halves, _) = rows.as_chunks::<W>();
                    weights.output = halves.as_chunks().0.to_vec();
                }
                (role, _) => unreachable!("{role:?} of a network of one layer"),
            }
        }
        assert_eq!(weights.rows.len(), A::ROWS, "the rows of the network");
        weights
    }
}
