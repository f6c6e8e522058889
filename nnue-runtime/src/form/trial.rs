//! Measures a layer of any size in any form.

use alloc::vec;
use alloc::vec::Vec;
use core::iter::repeat_n;

use nnue_spec::layout::{padded_bytes, padded_sums};

use super::Form;
use super::order::Order;
use crate::kernel::affine::any_size::{ByBlocks, ByInputs, ByPairs, ByVectors};
use crate::kernel::affine::blocks::All;
use crate::layer::{Dot, exact_dot, fastest_dot};
use crate::memory::{Line, SparseLines, Stored, view};
use crate::simd::{AvailableLevel, Simd, Task, dispatch};

/// A layer with weights in the order of a form, and inputs for it.
///
/// It runs the kernels of networks. If a form needs a list, making it is part of the work, and so
/// is storing the activations: they are copied from the stored inputs.
#[derive(Clone, Debug)]
pub struct Trial {
    level: AvailableLevel,
    form: Form,
    outputs: usize,
    dot: Dot,
    weights: Vec<Line>,
    start: Vec<Line>,
    /// the same number of lines for each
    inputs: Vec<Line>,
    stored: SparseLines,
    sums: Vec<Line>,
}

impl Trial {
    /// A layer of `bias.len()` outputs, for inputs of at most `greatest`. `weights` has one row per
    /// output.
    ///
    /// # Panics
    ///
    /// If the form does not support this number of outputs, if there are none, if rows are empty or
    /// not equally long, or have more than 2^18 weights.
    pub fn new(
        level: AvailableLevel,
        form: Form,
        weights: &[i8],
        bias: &[i32],
        greatest: u8,
    ) -> Self {
        let outputs = bias.len();
        assert!(
            outputs > 0 && !weights.is_empty() && weights.len().is_multiple_of(outputs),
            "rows of equal length"
        );
        assert!(
            form.takes(level.level(), outputs),
            "outputs of {form} are whole vectors"
        );
        let row = weights.len() / outputs;
        assert!(row <= 1 << 18, "blocks are numbered in 16 bits");
        let (inputs, padded) = (padded_bytes(row), padded_sums(outputs));
        let mut trial = Self {
            level,
            form,
            outputs,
            dot: Dot::Pair,
            weights: lines(inputs * padded),
            start: lines(4 * padded),
            inputs: Vec::new(),
            stored: SparseLines::zeroed(inputs),
            sums: lines(4 * padded),
        };
        bytemuck::cast_slice_mut::<_, i32>(&mut trial.start)[..outputs].copy_from_slice(bias);
        let order = Order {
            form,
            bytes: level.level().facts().bytes,
            inputs,
            outputs,
        };
        trial.dot = fastest_dot(level.level(), form, greatest.into());
        for (output, weights) in weights.chunks(row).enumerate() {
            let weights = weights.iter().copied().chain(repeat_n(0, inputs - row));
            order.set_row(
                bytemuck::cast_slice_mut(&mut trial.weights),
                output,
                weights,
            );
        }
        for weights in weights.chunks(row) {
            let blocks = weights
                .chunks(4)
                .map(|block| [0, 1, 2, 3].map(|k| block.get(k).copied().unwrap_or(0)));
            trial.dot = trial.dot.max(exact_dot(blocks, greatest.into()));
        }
        trial
    }

    /// Adds inputs, at most as long as a row; missing ones are zero.
    ///
    /// # Panics
    ///
    /// If they are longer than a padded row.
    pub fn add_inputs(&mut self, inputs: &[u8]) {
        let mut line = lines(64 * self.stored.lines().len());
        bytemuck::cast_slice_mut::<_, u8>(&mut line)[..inputs.len()].copy_from_slice(inputs);
        self.inputs.append(&mut line);
    }

    /// Computes the sums for the `index`-th added inputs.
    ///
    /// # Panics
    ///
    /// If there are none.
    pub fn run(&mut self, index: usize) {
        dispatch(self.level, Run(self, index));
    }

    /// The sums of the last run.
    pub fn sums(&self) -> &[i32] {
        &bytemuck::cast_slice(&self.sums)[..self.outputs]
    }
}

/// `bytes` zero bytes, in lines.
fn lines(bytes: usize) -> Vec<Line> {
    vec![bytemuck::Zeroable::zeroed(); bytes.div_ceil(64)]
}

struct Run<'a>(&'a mut Trial, usize);

impl Task for Run<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Trial {
            form,
            outputs,
            dot,
            weights,
            start,
            inputs,
            stored,
            sums,
            ..
        } = self.0;
        let inputs = &inputs[self.1 * stored.lines().len()..][..stored.lines().len()];
        sums.copy_from_slice(start);
        let mut filler = stored.filler(64 * inputs.len());
        if form.is_listed() {
            filler.append::<S, true>(simd, Stored::<S>(view(inputs)));
        } else {
            filler.append::<S, false>(simd, Stored::<S>(view(inputs)));
        }
        filler.finish(form.is_listed());
        let sums: &mut [i32] = bytemuck::cast_slice_mut(sums);
        match form {
            Form::ListedBlocks => simd.outline(ByBlocks {
                sums,
                blocks: stored.list(),
                weights,
                dot: *dot,
            }),
            Form::AllBlocks => simd.outline(ByBlocks {
                sums,
                blocks: All::<true>(stored.blocks()),
                weights,
                dot: *dot,
            }),
            Form::ListedInputs => simd.outline(ByInputs {
                sums,
                blocks: stored.list(),
                weights,
                dot: *dot,
            }),
            Form::ListedPairs => simd.outline(ByPairs {
                sums,
                blocks: stored.list(),
                weights,
            }),
            Form::Whole => simd.outline(ByVectors {
                sums,
                outputs: *outputs,
                inputs: stored.lines(),
                weights,
                dot: *dot,
            }),
        }
    }
}
