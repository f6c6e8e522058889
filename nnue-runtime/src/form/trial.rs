//! A layer of any size in any form, to measure it.

use alloc::vec;
use alloc::vec::Vec;
use core::iter::repeat_n;

use nnue_spec::layout::{padded_bytes, padded_sums};

use super::Form;
use super::order::Order;
use super::passes::last_pass;
use crate::kernel::affine::blocks::{Affine, All, Blocks};
use crate::kernel::affine::inputs::Inputs;
use crate::kernel::affine::whole::Whole;
use crate::layer::{Dot, exact_dot, fastest_dot};
use crate::memory::{Activations, BlockList, Line, SparseLines, view};
use crate::simd::{AvailableLevel, Simd, Task, dispatch};

/// A layer with weights in the order of a form, and inputs for it.
///
/// It runs the kernels of networks. Where a form needs a list, making it is part of the work, as is storing the activations: these are
/// copied from where they lie.
#[derive(Clone, Debug)]
pub struct Trial {
    level: AvailableLevel,
    form: Form,
    outputs: usize,
    dot: Dot,
    weights: Vec<Line>,
    start: Vec<Line>,
    /// as many lines for each
    inputs: Vec<Line>,
    stored: SparseLines,
    sums: Vec<Line>,
}

impl Trial {
    /// A layer of `bias.len()` outputs, `weights` with the row of an output after the other, for inputs of at most `greatest`.
    ///
    /// # Panics
    ///
    /// If the form does not take so many outputs, if there are none, if rows are empty or not equally long, or have more
    /// than 2^18 weights.
    pub fn new(level: AvailableLevel, form: Form, weights: &[i8], bias: &[i32], greatest: u8) -> Self {
        let outputs = bias.len();
        assert!(outputs > 0 && !weights.is_empty() && weights.len().is_multiple_of(outputs), "rows of equal length");
        assert!(form.takes(level.level(), outputs), "outputs of {form} are whole vectors of bytes");
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
        let order = Order { form, bytes: level.level().facts().bytes, inputs, outputs };
        trial.dot = fastest_dot(level.level(), form, greatest.into());
        for (output, weights) in weights.chunks(row).enumerate() {
            let weights = weights.iter().copied().chain(repeat_n(0, inputs - row));
            order.set_row(bytemuck::cast_slice_mut(&mut trial.weights), output, weights);
        }
        for weights in weights.chunks(row) {
            let blocks = weights.chunks(4).map(|block| [0, 1, 2, 3].map(|k| block.get(k).copied().unwrap_or(0)));
            trial.dot = trial.dot.max(exact_dot(blocks, greatest.into()));
        }
        trial
    }

    /// Adds inputs, as long as a row; those missing are zero.
    ///
    /// # Panics
    ///
    /// If they are longer than a padded row.
    pub fn add_inputs(&mut self, inputs: &[u8]) {
        let mut line = lines(64 * self.stored.lines().len());
        bytemuck::cast_slice_mut::<_, u8>(&mut line)[..inputs.len()].copy_from_slice(inputs);
        self.inputs.append(&mut line);
    }

    /// Computes the sums for the inputs that were added as number `index`.
    ///
    /// # Panics
    ///
    /// If there are none.
    pub fn run(&mut self, index: usize) {
        dispatch(self.level, Run(self, index));
    }

    /// The sums that were computed last.
    pub fn sums(&self) -> &[i32] {
        &bytemuck::cast_slice(&self.sums)[..self.outputs]
    }
}

/// So many zero bytes, in lines.
fn lines(bytes: usize) -> Vec<Line> {
    vec![bytemuck::Zeroable::zeroed(); bytes.div_ceil(64)]
}

/// Activations that lie somewhere.
struct Stored<'a, S: Simd>(&'a [S::U8]);

impl<S: Simd> Activations<S> for Stored<'_, S> {
    #[inline(always)]
    fn len(&self) -> usize {
        self.0.len()
    }

    #[inline(always)]
    fn vector(&self, index: usize) -> S::U8 {
        self.0[index]
    }
}

struct Run<'a>(&'a mut Trial, usize);

impl Task for Run<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Trial { form, outputs, dot, weights, start, inputs, stored, sums, .. } = self.0;
        let inputs = &inputs[self.1 * stored.lines().len()..][..stored.lines().len()];
        sums.copy_from_slice(start);
        let mut filler = stored.filler();
        match form {
            Form::ListedBlocks | Form::ListedInputs => filler.append::<S, true>(simd, Stored::<S>(view(inputs))),
            Form::AllBlocks | Form::Whole => filler.append::<S, false>(simd, Stored::<S>(view(inputs))),
        }
        filler.finish(form.is_listed());
        let sums: &mut [i32] = bytemuck::cast_slice_mut(sums);
        match form {
            Form::ListedBlocks => simd.outline(ByBlocks { sums, blocks: stored.list(), weights, dot: *dot }),
            Form::AllBlocks => {
                simd.outline(ByBlocks { sums, blocks: All::<true>(stored.blocks()), weights, dot: *dot })
            }
            Form::ListedInputs => simd.outline(ByInputs { sums, blocks: stored.list(), weights, dot: *dot }),
            Form::Whole => {
                simd.outline(ByVectors { sums, outputs: *outputs, inputs: stored.lines(), weights, dot: *dot })
            }
        }
    }
}

struct ByBlocks<'a, B> {
    sums: &'a mut [i32],
    blocks: B,
    weights: &'a [Line],
    dot: Dot,
}

impl<B: Blocks> Task for ByBlocks<'_, B> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { sums, blocks, weights, dot } = self;
        macro_rules! outputs {
            ($($rest:literal => $outputs:literal),*) => {
                match sums.len() / 16 % 8 {
                    $($rest => Affine::<_, $outputs> { sums, blocks, weights }.add_exactly(simd, dot),)*
                    _ => unreachable!("less than the divisor"),
                }
            };
        }
        outputs!(0 => 128, 1 => 16, 2 => 32, 3 => 48, 4 => 64, 5 => 80, 6 => 96, 7 => 112);
    }
}

struct ByVectors<'a> {
    sums: &'a mut [i32],
    outputs: usize,
    inputs: &'a [Line],
    weights: &'a [Line],
    dot: Dot,
}

impl Task for ByVectors<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { sums, outputs, inputs, weights, dot } = self;
        macro_rules! last {
            ($($last:literal)*) => {
                match last_pass(outputs, S::BYTES / 4) {
                    $($last => Whole::<$last> { sums, outputs, inputs, weights }.add_exactly(simd, dot),)*
                    _ => unreachable!("a last pass has at most 16 outputs"),
                }
            };
        }
        last!(1 2 4 8 16);
    }
}

struct ByInputs<'a> {
    sums: &'a mut [i32],
    blocks: BlockList<'a>,
    weights: &'a [Line],
    dot: Dot,
}

impl Task for ByInputs<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { sums, blocks, weights, dot } = self;
        Inputs { sums, blocks, weights }.add_exactly(simd, dot);
    }
}
