//! Steps over bytes: activations of accumulators, layers of 8-bit weights, activations of their
//! sums, pools.

use alloc::vec::Vec;
use core::ops::Range;

use nnue_spec::{Activation, Segment, TensorRole};

use super::builder::{Builder, Home, PerStack};
use super::run::{Run, RunAt, Start, Whole};
use super::scratch::{Before, Place, Scratch};
use crate::block_sparse::Reached;
use crate::form::Form;
use crate::kernel::affine::any_size::{ByBlocks, ByInputs, ByPairs, ByVectors};
use crate::kernel::affine::blocks::All;
use crate::kernel::affine::scattered::AddScattered;
use crate::kernel::any_activation::{ActivateAny, AnyActivation};
use crate::kernel::row::AddRow;
use crate::kernel::sums;
use crate::layer::{Dot, Preparation, columns, greatest_input, takes};
use crate::memory::{BlockList, Line};
use crate::simd::{Simd, Task, dispatch, dispatch_family};

pub(super) struct Activate {
    activation: AnyActivation,
    listed: bool,
    /// the buffer, and how many of its bytes are results
    buffer: usize,
    len: usize,
}

impl Activate {
    /// `None` if no kernel supports the activation with this scale.
    pub(super) fn new(
        builder: &mut Builder<'_>,
        activation: Activation,
        shift: u32,
        buffer: usize,
    ) -> Option<Self> {
        let activation = AnyActivation::new(activation, builder.net.accumulator.one, shift)?;
        let len = builder.net.buffers[buffer].len;
        let (buffer, listed) = builder.make_sparse(buffer);
        Some(Self {
            activation,
            listed,
            buffer,
            len,
        })
    }
}

impl Run for Activate {
    #[inline(always)]
    fn run(&self, start: Start<'_>, scratch: &mut Scratch) {
        let &Self {
            activation,
            listed,
            buffer,
            len,
        } = self;
        let out = scratch.sparse[buffer].filler(len);
        dispatch_family(
            start.level,
            ActivateAny {
                activation,
                accumulators: start.accumulators,
                listed,
                out,
            },
        );
    }
}

/// A part of the input of a byte layer, with the offset of its weights.
struct Input {
    read: Read,
    /// the first prepared block, or the first byte of a row
    at: usize,
}

enum Read {
    /// the listed blocks of an accumulator buffer
    Listed(usize),
    /// all blocks of an accumulator buffer
    All(usize),
    /// blocks of another buffer
    Blocks(Place, Range<usize>),
}

impl Read {
    fn of(builder: &Builder<'_>, segment: Segment, blocks: Range<usize>) -> Self {
        match builder.home(segment.buffer) {
            Home::Sparse(buffer, true) => Self::Listed(buffer),
            Home::Sparse(buffer, false) => Self::All(buffer),
            Home::Lines(place) => Self::Blocks(place, blocks),
        }
    }

    /// The blocks to read: the listed ones, or all.
    #[inline(always)]
    fn blocks<'b>(&self, before: Before<'b>) -> Found<'b> {
        match self {
            Self::Listed(buffer) => Found::Listed(before.sparse[*buffer].list()),
            Self::All(buffer) => Found::All(before.sparse[*buffer].blocks()),
            Self::Blocks(place, blocks) => Found::All(&before.at(*place)[blocks.clone()]),
        }
    }

    #[inline(always)]
    fn bytes<'b>(&self, before: Before<'b>) -> &'b [u8] {
        match self {
            Self::Listed(buffer) | Self::All(buffer) => {
                before.sparse[*buffer].blocks().as_flattened()
            }
            Self::Blocks(place, _) => before.at(*place),
        }
    }
}

enum Found<'b> {
    Listed(BlockList<'b>),
    All(&'b [[u8; 4]]),
}

/// The sums of a layer by blocks of inputs, or in another form if its only input is an accumulator
/// buffer.
pub(super) struct Blocks {
    /// if its only input is an accumulator buffer and its form is not by blocks: the buffer and the
    /// form
    alone: Option<(usize, Form)>,
    inputs: Vec<Input>,
    outputs: usize,
    start: PerStack,
    weights: PerStack,
    /// per stack
    dots: Vec<Dot>,
    sums: Place,
}

impl Blocks {
    pub(super) fn new(builder: &mut Builder<'_>, layer: usize) -> Self {
        let net = builder.net;
        let desc = &net.layers[layer];
        let prepare = match desc.is_sparse_alone() {
            true => Preparation::of(net, layer, builder.level),
            // Compiled networks compute some of these layers in another form. They are small.
            false => Preparation::in_form(net, layer, builder.level, Form::AllBlocks),
        };
        let (stacks, padded) = (net.stacks.count, desc.padded_outputs());
        let mut start = PerStack::zeroed(stacks, 4 * padded);
        let mut weights = PerStack::zeroed(stacks, prepare.inputs() * padded);
        let values = builder.bytes(TensorRole::LayerWeight(layer));
        let dots = builder.stacks().map(|stack| {
            start.of_mut::<i32>(stack)[..desc.outputs]
                .copy_from_slice(&builder.start(layer, stack));
            prepare.blocks(
                &builder.rows(values, stack, desc.file_inputs),
                weights.of_mut(stack),
            )
        });
        let dots = dots.collect();
        let mut inputs = inputs_by_blocks(builder, layer);
        let mut alone = None;
        if let [Input { read, .. }] = inputs.as_mut_slice()
            && let Read::Listed(buffer) | Read::All(buffer) = *read
            && desc.is_sparse_alone()
        {
            match prepare.form() {
                Form::ListedBlocks => {}
                Form::AllBlocks => *read = Read::All(buffer),
                form => alone = Some((buffer, form)),
            }
        }
        let sums = builder.make_sums(layer);
        Self {
            alone,
            inputs,
            outputs: desc.outputs,
            start,
            weights,
            dots,
            sums,
        }
    }
}

impl Run for Blocks {
    #[inline(always)]
    fn run(&self, Start { level, stack, .. }: Start<'_>, scratch: &mut Scratch) {
        let Some((buffer, form)) = self.alone else {
            return dispatch(
                level,
                Whole {
                    step: self,
                    stack,
                    scratch,
                },
            );
        };
        let (before, sums, weights, dot) = self.begin(stack, scratch);
        let x = &before.sparse[buffer];
        match form {
            Form::ListedInputs => dispatch(
                level,
                ByInputs {
                    sums,
                    blocks: x.list(),
                    weights,
                    dot,
                },
            ),
            Form::ListedPairs => dispatch(
                level,
                ByPairs {
                    sums,
                    blocks: x.list(),
                    weights,
                },
            ),
            _ => dispatch(
                level,
                ByVectors {
                    sums,
                    outputs: self.outputs,
                    inputs: x.lines(),
                    weights,
                    dot,
                },
            ),
        }
    }
}

impl Blocks {
    /// The values before it, its sums initialised with the biases, and its weights.
    #[inline(always)]
    fn begin<'s>(
        &'s self,
        stack: usize,
        scratch: &'s mut Scratch,
    ) -> (Before<'s>, &'s mut [i32], &'s [Line], Dot) {
        let (before, sums) = scratch.split_lines(self.sums);
        copy_lines(sums, self.start.lines(stack));
        (
            before,
            bytemuck::cast_slice_mut(sums),
            self.weights.lines(stack),
            self.dots[stack],
        )
    }
}

impl RunAt for Blocks {
    #[inline(always)]
    fn run_at<S: Simd>(&self, simd: S, stack: usize, scratch: &mut Scratch) {
        let (before, sums, weights, dot) = self.begin(stack, scratch);
        for Input { read, at } in &self.inputs {
            let sums = &mut *sums;
            // A line of weights is for sixteen sums and four inputs.
            let weights = &weights[at * (sums.len() / 16)..];
            match read.blocks(before) {
                Found::Listed(blocks) => ByBlocks {
                    sums,
                    blocks,
                    weights,
                    dot,
                }
                .add(simd),
                Found::All(blocks) => ByBlocks {
                    sums,
                    blocks: All::<true>(blocks),
                    weights,
                    dot,
                }
                .add(simd),
            }
        }
    }
}

/// Copies lines. One or two, as most layers have, are copied inline instead of by a call.
#[inline(always)]
fn copy_lines(to: &mut [Line], from: &[Line]) {
    if !copy_exactly::<1>(to, from) && !copy_exactly::<2>(to, from) {
        to.copy_from_slice(from);
    }
}

/// Copies `N` lines. Returns false and does nothing if the lengths differ.
#[inline(always)]
fn copy_exactly<const N: usize>(to: &mut [Line], from: &[Line]) -> bool {
    let (Ok(to), Ok(from)) = (<&mut [Line; N]>::try_from(to), <&[Line; N]>::try_from(from)) else {
        return false;
    };
    *to = *from;
    true
}

/// The inputs of a layer by blocks.
fn inputs_by_blocks(builder: &Builder<'_>, layer: usize) -> Vec<Input> {
    let net = builder.net;
    let inputs = net.layers[layer]
        .segments
        .iter()
        .enumerate()
        .map(|(index, &segment)| Input {
            read: Read::of(builder, segment, net.segment_blocks(layer, index)),
            at: net.segment_prepared_block(layer, index),
        });
    inputs.collect()
}

pub(super) struct BlockSparse {
    inputs: Vec<Input>,
    start: PerStack,
    /// per stack
    reached: Vec<Reached>,
    dot: Dot,
    sums: Place,
}

impl BlockSparse {
    pub(super) fn new(builder: &mut Builder<'_>, layer: usize) -> Self {
        let (net, columns) = (builder.net, columns(builder.net, layer, builder.level));
        let desc = &net.layers[layer];
        let mut start = PerStack::zeroed(net.stacks.count, 4 * desc.padded_outputs());
        let values = builder.bytes(TensorRole::LayerWeight(layer));
        let reached = builder.stacks().map(|stack| {
            start.of_mut::<i32>(stack)[..desc.outputs]
                .copy_from_slice(&builder.start(layer, stack));
            Reached::of(&builder.rows(values, stack, desc.file_inputs), &columns)
        });
        let reached = reached.collect();
        let inputs = inputs_by_blocks(builder, layer);
        let dot = if takes(builder.level, greatest_input(net, layer)) {
            Dot::Single
        } else {
            Dot::Exact
        };
        let sums = builder.make_sums(layer);
        Self {
            inputs,
            start,
            reached,
            dot,
            sums,
        }
    }
}

impl Run for BlockSparse {
    fn run(&self, Start { level, stack, .. }: Start<'_>, scratch: &mut Scratch) {
        let (before, sums) = scratch.split::<i32>(self.sums);
        sums.copy_from_slice(self.start.of(stack));
        let (reached, dot) = (&self.reached[stack], self.dot);
        for Input { read, at } in &self.inputs {
            let (sums, first) = (&mut *sums, 4 * at);
            match read.blocks(before) {
                Found::Listed(blocks) => dispatch(
                    level,
                    AddScattered {
                        sums,
                        blocks,
                        first,
                        reached,
                        dot,
                    },
                ),
                Found::All(blocks) => {
                    dispatch(
                        level,
                        AddScattered {
                            sums,
                            blocks: All::<true>(blocks),
                            first,
                            reached,
                            dot,
                        },
                    );
                }
            }
        }
    }
}

/// The sum of a layer with one output, written as the first of sixteen.
pub(super) struct Row {
    inputs: Vec<Input>,
    /// per stack
    bias: Vec<i32>,
    weights: PerStack,
    dot: Dot,
    sums: Place,
}

impl Row {
    pub(super) fn new(builder: &mut Builder<'_>, layer: usize) -> Self {
        let (net, prepare) = (
            builder.net,
            Preparation::of(builder.net, layer, builder.level),
        );
        let desc = &net.layers[layer];
        let mut weights = PerStack::zeroed(net.stacks.count, prepare.inputs());
        let values = builder.bytes(TensorRole::LayerWeight(layer));
        let dots = builder.stacks().map(|stack| {
            prepare.row(
                builder.rows(values, stack, desc.file_inputs)[0],
                weights.of_mut(stack),
            )
        });
        let dot = dots.max().unwrap_or(Dot::Single);
        let inputs = desc
            .segments
            .iter()
            .enumerate()
            .map(|(index, &segment)| Input {
                read: Read::of(builder, segment, 0..net.buffer_bytes(segment.buffer) / 4),
                at: net.segment_prepared_byte(layer, index),
            });
        let inputs = inputs.collect();
        let bias = builder
            .stacks()
            .map(|stack| builder.start(layer, stack)[0])
            .collect();
        let sums = builder.make_sums(layer);
        Self {
            inputs,
            bias,
            weights,
            dot,
            sums,
        }
    }
}

impl Run for Row {
    #[inline(always)]
    fn run(&self, Start { level, stack, .. }: Start<'_>, scratch: &mut Scratch) {
        dispatch(
            level,
            Whole {
                step: self,
                stack,
                scratch,
            },
        );
    }
}

impl RunAt for Row {
    #[inline(always)]
    fn run_at<S: Simd>(&self, simd: S, stack: usize, scratch: &mut Scratch) {
        let (before, sums) = scratch.split::<i32>(self.sums);
        let mut y = self.bias[stack];
        for Input { read, at } in &self.inputs {
            let x = read.bytes(before);
            let weights = &self.weights.of(stack)[*at..][..x.len()];
            y = AddRow {
                y,
                x,
                weights,
                dot: self.dot,
            }
            .run(simd);
        }
        sums[0] = y;
    }
}

pub(super) struct ActivateSums {
    activation: Activation,
    shift: u32,
    sums: Place,
    out: Place,
}

impl ActivateSums {
    pub(super) fn new(
        builder: &mut Builder<'_>,
        (activation, shift): (Activation, u32),
        layer: usize,
        buffer: usize,
    ) -> Self {
        let out = builder.make_buffer(buffer, builder.net.buffer_bytes(buffer));
        Self {
            activation,
            shift,
            sums: builder.sums(layer),
            out,
        }
    }
}

impl Run for ActivateSums {
    #[inline(always)]
    fn run(&self, Start { level, stack, .. }: Start<'_>, scratch: &mut Scratch) {
        dispatch_family(
            level,
            Whole {
                step: self,
                stack,
                scratch,
            },
        );
    }
}

impl RunAt for ActivateSums {
    #[inline(always)]
    fn run_at<S: Simd>(&self, simd: S, _: usize, scratch: &mut Scratch) {
        let &Self {
            activation,
            shift,
            sums,
            out,
        } = self;
        let (before, out) = scratch.split(out);
        sums::ActivateSums {
            activation,
            shift,
            sums: before.at(sums),
            out,
        }
        .run(simd);
    }
}
