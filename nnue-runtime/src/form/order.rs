//! The order of a layer's weights in each form.
//!
//! ```text
//!   by blocks:   [block][output][4]                     outputs padded to a multiple of 16
//!   whole:       [pass][vector of inputs][output of the pass][byte]
//!   by inputs:   [input][run][output of the run]        a run is as many outputs as a vector has bytes: in each 16 bytes, outputs of four vectors of
//!                                                       sums, four of each
//!   by pairs:    [input][run][output of the run]        a run is half as many: in each 8 bytes, outputs of two vectors of sums, four of each
//! ```

use nnue_spec::layout::padded_sums;

use super::Form;
use super::passes::{full_passes, last_pass};

/// The order of the weights of a layer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Order {
    pub(crate) form: Form,
    /// bytes per vector of the level
    pub(crate) bytes: usize,
    /// bytes of activations, a multiple of 64
    pub(crate) inputs: usize,
    /// outputs, without padding
    pub(crate) outputs: usize,
}

impl Order {
    /// The index of a weight among the prepared ones.
    fn place(self, output: usize, input: usize) -> usize {
        match self.form {
            Form::ListedBlocks | Form::AllBlocks => {
                (input / 4 * padded_sums(self.outputs) + output) * 4 + input % 4
            }
            Form::ListedInputs => self.place_in_column(output, input, 4),
            Form::ListedPairs => self.place_in_column(output, input, 2),
            Form::Whole => {
                let lanes = self.bytes / 4;
                let (pass, row) = (output / lanes, output % lanes);
                let is_last = pass == full_passes(self.outputs, lanes);
                let rows = if is_last {
                    last_pass(self.outputs, lanes)
                } else {
                    lanes
                };
                pass * lanes * self.inputs
                    + (input / self.bytes * rows + row) * self.bytes
                    + input % self.bytes
            }
        }
    }

    /// The index of a weight if each input has a column of weights, in runs of as many outputs as
    /// `vectors` vectors have sums.
    fn place_in_column(self, output: usize, input: usize, vectors: usize) -> usize {
        let lanes = self.bytes / 4;
        let (run, vector, lane) = (
            output / (vectors * lanes),
            output / lanes % vectors,
            output % lanes,
        );
        let start = input * padded_sums(self.outputs) + run * vectors * lanes;
        start + (lane / 4 * vectors + vector) * 4 + lane % 4
    }

    /// Sets the weights of an output, one for each activation byte.
    pub(crate) fn set_row(
        self,
        prepared: &mut [i8],
        output: usize,
        weights: impl Iterator<Item = i8>,
    ) {
        weights
            .enumerate()
            .for_each(|(input, weight)| prepared[self.place(output, input)] = weight);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bytes per vector, inputs, outputs.
    const SIZES: [(usize, usize, usize); 8] = [
        (16, 64, 1),
        (16, 128, 7),
        (32, 64, 24),
        (32, 192, 33),
        (64, 128, 21),
        (64, 64, 16),
        (64, 64, 120),
        (32, 64, 64),
    ];

    /// No two weights share an index, and all fit.
    #[test]
    fn each_weight_has_a_place_of_its_own() {
        for form in Form::ALL {
            for (bytes, inputs, outputs) in SIZES {
                if !form.takes_outputs(bytes, outputs) {
                    continue;
                }
                let order = Order {
                    form,
                    bytes,
                    inputs,
                    outputs,
                };
                let mut taken = alloc::vec![0; inputs * padded_sums(outputs)];
                (0..outputs).for_each(|output| {
                    order.set_row(&mut taken, output, core::iter::repeat_n(1, inputs))
                });
                let count = taken.iter().filter(|&&taken| taken == 1).count();
                assert_eq!(count, inputs * outputs, "{form} {order:?}");
            }
        }
    }
}
