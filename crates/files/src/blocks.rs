//! Block-sparse layers: an input has weights in at most the declared number of blocks of outputs. The file
//! stores the zeros of the other blocks.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use nnue_spec::layout::OUTPUT_BLOCK;
use nnue_spec::{LayerKind, NetDesc, TensorDesc, TensorRole};

use crate::error::{LoadError, LoadErrorKind};

/// An input that reaches more blocks than declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Beyond {
    /// the copy of the weights, counted from 0 among the checked ones
    pub stack: usize,
    /// the input
    pub input: usize,
    /// the declared number of blocks
    pub reached: usize,
    /// the number of blocks in which it has weights
    pub found: usize,
    /// index of a weight in the first excess block, among the checked weights
    pub element: usize,
}

/// The first input that reaches too many blocks, if `desc` is the weight tensor of a block-sparse layer.
pub fn beyond(net: &NetDesc<'_>, desc: &TensorDesc<'_>, weights: &[i8]) -> Option<Beyond> {
    let TensorRole::LayerWeight(layer) = desc.role else {
        return None;
    };
    let LayerKind::BlockSparse { reached } = net.layers[layer].kind else {
        return None;
    };
    let (rows, columns, inputs) = (desc.rows, desc.cols, net.layers[layer].inputs);
    for (stack, weights) in weights.chunks(rows * columns).enumerate() {
        for input in 0..inputs {
            let first_weight = |block: usize| {
                let mut outputs = block * OUTPUT_BLOCK..(block + 1) * OUTPUT_BLOCK;
                outputs.find(|output| weights[output * columns + input] != 0)
            };
            let mut blocks = (0..rows / OUTPUT_BLOCK).filter_map(first_weight);
            if let Some(output) = blocks.nth(reached) {
                let (found, element) = (
                    reached + 1 + blocks.count(),
                    (stack * rows + output) * columns + input,
                );
                return Some(Beyond {
                    stack,
                    input,
                    reached,
                    found,
                    element,
                });
            }
        }
    }
    None
}

/// Refuses the weights `desc` of a block-sparse layer, from copy `first` on, if an input reaches too many
/// blocks. `offset` gives the position of an element in the file.
///
/// # Errors
///
/// [`LoadErrorKind::ValueRange`], with the tensor, the element, and both numbers of blocks.
pub(crate) fn check(
    net: &NetDesc<'_>,
    desc: &TensorDesc<'_>,
    (weights, first): (&[i8], usize),
    offset: impl Fn(usize) -> u64,
) -> Result<(), LoadError> {
    let Some(Beyond {
        stack,
        input,
        reached,
        found,
        element,
    }) = beyond(net, desc, weights)
    else {
        return Ok(());
    };
    let (stack, element) = (first + stack, first * desc.rows * desc.cols + element);
    let of_stack = if desc.copies > 1 {
        format!(" of stack {stack}")
    } else {
        String::new()
    };
    let message = format!(
        "input {input} of `{}`{of_stack} has weights in {found} blocks of {OUTPUT_BLOCK} outputs, `blocks {reached} of {OUTPUT_BLOCK}` allows \
         {reached}: the network was trained with more blocks, or its weights are read in another order than they were written",
        desc.name
    );
    let error =
        LoadError::new(LoadErrorKind::ValueRange, offset(element), message).with_tensor(desc.name);
    Err(error
        .with_element(element as u64)
        .with_values(reached as u64, found as u64))
}

/// Zeroes weights of a block-sparse layer so that each input reaches at most the declared number of blocks,
/// chosen at random. `random` returns a number below its argument.
pub(crate) fn thin(
    net: &NetDesc<'_>,
    desc: &TensorDesc<'_>,
    weights: &mut [i8],
    mut random: impl FnMut(usize) -> usize,
) {
    let TensorRole::LayerWeight(layer) = desc.role else {
        return;
    };
    let LayerKind::BlockSparse { reached } = net.layers[layer].kind else {
        return;
    };
    for weights in weights.chunks_mut(desc.rows * desc.cols) {
        for input in 0..net.layers[layer].inputs {
            let mut blocks: Vec<usize> = (0..desc.rows / OUTPUT_BLOCK).collect();
            for place in 0..reached {
                let other = place + random(blocks.len() - place);
                blocks.swap(place, other);
            }
            for output in blocks[reached..]
                .iter()
                .flat_map(|block| block * OUTPUT_BLOCK..(block + 1) * OUTPUT_BLOCK)
            {
                weights[output * desc.cols + input] = 0;
            }
        }
    }
}
