//! Dense layers: sums of products of u8 activations and i8 weights.
//!
//! ```text
//!   y[o] = bias[o] + sum over k of weight[o][k] * x[k]
//!
//!   acc[..] = bias                              the sums of up to 8 vectors of outputs, in registers
//!   for each block b of four inputs:            sparse: those on the list; dense: all
//!       u = x[4b .. 4b + 4] in every group of four lanes
//!       for each vector v of outputs:
//!           acc[v] = dot(acc[v], u, weights[b][v])
//! ```
//!
//! Layout (`layer.rs`): a block has four weights of each output, so that one dot product of
//! four-byte groups adds to as many outputs as the vector has groups.
//!
//! ```text
//!   weights[b] = | w[0][4b..4b+4] | w[1][4b..4b+4] | .. | w[OUTP-1][4b..4b+4] |       4 * OUTP bytes
//! ```
//!
//! There are four ways to compute these sums, each with its own order of weights; [`crate::form`]
//! chooses by their cost:
//!
//! * `blocks`: blocks of four inputs, all or the listed nonzero ones (as above);
//! * `whole`: whole vectors of inputs, a dot product for each output;
//! * `inputs`: single nonzero inputs, any four at a time;
//! * `pairs`: single nonzero inputs, two at a time, in 16 bits.
//!
//! `any_size` has them for layers whose sizes are known only at run time.
//!
//! Tried on a Zen 5 with AVX-512 VNNI, 132 of 256 blocks: listed blocks 44 ns, all blocks in the
//! layout above 57 ns, rows of whole vectors 30 ns. SFNNv9, 216 of 768 blocks: 57 to 64 ns, 1.2
//! cycles per block, two loads each. Within 3 %: indices loaded two or four at a time, or
//! unchecked; 4, 8 or 16 chains; the list padded with zero blocks instead of a loop for the last
//! blocks (the end of the loop is mispredicted, but by then the processor still has a hundred
//! blocks to process); the four bytes of each block also compressed into a list and broadcast from
//! registers, which saves a load.
//!
//! Techniques, by how much they save:
//! * A dot product takes several cycles, and the next one into the same sums waits for it. With few
//!   outputs, the blocks are therefore distributed over several sets of sums (*chains*), with
//!   [`Simd::CHAINS`] vectors in flight, which are added at the end.
//! * Zero blocks, half or more of them in a trained network, are skipped (`activation.rs` lists the
//!   others).
//! * If listing costs a layer more than it saves, the layer reads all inputs, zero or not.
//! * If the instructions produce 16-bit pair sums, two blocks share the widening to 32 bits, if the
//!   weights allow it ([`crate::layer::Dot::Pair`]).
//! * If the outputs are more than 8 vectors, there are several passes of 8 vectors.

#[cfg(feature = "described")]
pub(crate) mod any_size;
pub(crate) mod blocks;
pub(crate) mod inputs;
pub(crate) mod pairs;
mod product;
pub(crate) mod scattered;
pub(crate) mod whole;

use super::numbers::{AtBlock, Blocks, Readers, Room};
use crate::form::passes::last_pass;
use crate::form::{Form, form_of, hidden_form_of, is_listed};
use crate::layer::{Bias, Dot, Layer};
use crate::memory::{BlockList, Bytes, Line, Sparse, Stored, Sums, view};
use crate::simd::Simd;
use blocks::{Affine, All};
use inputs::Inputs;
use pairs::InputPairs;
use whole::{Rows, Whole};

/// The sums of a layer that reads the accumulators' activations `x`, in stack `stack`.
///
/// # Panics
///
/// If there is no such stack.
#[inline(always)]
pub fn affine_sparse<
    S: Simd,
    const N: usize,
    const CAP: usize,
    const NONZERO: usize,
    const FILE_IN: usize,
    const OUT: usize,
    const STACKS: usize,
    const BLOCKS: usize,
    const OUTP: usize,
    B: Bias,
>(
    simd: S,
    x: &Sparse<N, CAP, NONZERO>,
    layer: &Layer<FILE_IN, OUT, STACKS, BLOCKS, OUTP, B>,
    stack: usize,
) -> Sums<OUTP> {
    const { assert!(BLOCKS == N / 4) }
    let mut sums = Sums(*layer.start(stack));
    let (weights, dot) = (lines(layer.blocks(stack)), layer.dot(stack));
    let form = const { form_of::<S>(N, OUT, NONZERO) };
    if form.is_listed() {
        add_listed(simd, form, &mut sums, x.list(), (weights, dot));
    } else {
        add_all::<S, OUT, OUTP>(simd, form, &mut sums, &x.bytes().0, (weights, dot));
    }
    sums
}

/// The sums of a layer that reads `x`, all values of another layer, in stack `stack`. If its form
/// needs a list, it makes one.
///
/// # Panics
///
/// If there is no such stack.
#[inline(always)]
pub fn affine_hidden<
    S: Simd,
    const N: usize,
    const CAP: usize,
    const FILE_IN: usize,
    const OUT: usize,
    const STACKS: usize,
    const BLOCKS: usize,
    const OUTP: usize,
    B: Bias,
>(
    simd: S,
    x: &Bytes<N>,
    layer: &Layer<FILE_IN, OUT, STACKS, BLOCKS, OUTP, B>,
    stack: usize,
    _: Room<CAP>,
) -> Sums<OUTP> {
    const { assert!(BLOCKS == N / 4) }
    let mut sums = Sums(*layer.start(stack));
    let (weights, dot) = (lines(layer.blocks(stack)), layer.dot(stack));
    let form = const { hidden_form_of::<S>(N, OUT) };
    if form.is_listed() {
        let mut listed = Sparse::<N, CAP>::new();
        let mut filler = listed.filler(N);
        filler.append::<S, true>(simd, Stored::<S>(view(&x.0)));
        filler.finish(true);
        add_listed(simd, form, &mut sums, listed.list(), (weights, dot));
    } else {
        add_all::<S, OUT, OUTP>(simd, form, &mut sums, &x.0, (weights, dot));
    }
    sums
}

/// Adds the products of listed blocks, in a form that reads listed blocks.
#[inline(always)]
fn add_listed<S: Simd, const OUTP: usize>(
    simd: S,
    form: Form,
    Sums(sums): &mut Sums<OUTP>,
    blocks: BlockList<'_>,
    (weights, dot): (&[Line], Dot),
) {
    match form {
        Form::ListedInputs => Inputs {
            sums,
            blocks,
            weights,
        }
        .add_exactly(simd, dot),
        Form::ListedPairs => InputPairs {
            sums,
            blocks,
            weights,
        }
        .add(simd),
        _ => Affine::<_, OUTP> {
            sums,
            blocks,
            weights,
        }
        .add_exactly(simd, dot),
    }
}

/// Adds the products of all inputs, in a form without a list, to the sums of `OUT` outputs.
#[inline(always)]
fn add_all<S: Simd, const OUT: usize, const OUTP: usize>(
    simd: S,
    form: Form,
    Sums(sums): &mut Sums<OUTP>,
    x: &[u8],
    (weights, dot): (&[Line], Dot),
) {
    if form == Form::AllBlocks {
        let blocks = All::<true>(x.as_chunks().0);
        return Affine::<_, OUTP> {
            sums,
            blocks,
            weights,
        }
        .add_exactly(simd, dot);
    }
    let inputs = view(x);
    macro_rules! last {
        ($($outputs:literal)*) => {
            match const { last_pass(OUT, S::BYTES / 4) } {
                $($outputs => Whole { sums, outputs: OUT, inputs, weights, last: Rows::<$outputs> }.add_exactly(simd, dot),)*
                _ => unreachable!("a last pass has at most 16 outputs"),
            }
        };
    }
    last!(1 2 4 8 16);
}

/// Prepared weights, in lines.
#[inline(always)]
fn lines<const OUTP: usize>(weights: &[[[i8; 4]; OUTP]]) -> &[Line] {
    view(weights.as_flattened().as_flattened())
}

/// The biases of a layer, in stack `stack`: its sums before any input.
///
/// # Panics
///
/// If there is no such stack.
#[inline(always)]
pub fn affine_bias<
    const FILE_IN: usize,
    const OUT: usize,
    const STACKS: usize,
    const BLOCKS: usize,
    const OUTP: usize,
    B: Bias,
>(
    layer: &Layer<FILE_IN, OUT, STACKS, BLOCKS, OUTP, B>,
    stack: usize,
) -> Sums<OUTP> {
    Sums(*layer.start(stack))
}

/// Adds the products of the accumulators' activations `x`, one of several buffers that the layer
/// reads, with the prepared blocks of the layer from block `AT` on, to `sums`, in stack `stack`.
/// `LISTED`, the most sums of a sparse layer that reads `x`, decides whether its blocks are listed.
///
/// # Panics
///
/// If there is no such stack.
#[inline(always)]
pub fn affine_listed<
    S: Simd,
    const AT: usize,
    const LISTED: usize,
    const N: usize,
    const CAP: usize,
    const NONZERO: usize,
    const FILE_IN: usize,
    const OUT: usize,
    const STACKS: usize,
    const BLOCKS: usize,
    const OUTP: usize,
    B: Bias,
>(
    simd: S,
    mut sums: Sums<OUTP>,
    x: &Sparse<N, CAP, NONZERO>,
    layer: &Layer<FILE_IN, OUT, STACKS, BLOCKS, OUTP, B>,
    stack: usize,
    _: AtBlock<AT>,
    _: Readers<LISTED>,
) -> Sums<OUTP> {
    const { assert!(AT + N / 4 <= BLOCKS) }
    let weights = lines(&layer.blocks(stack)[AT..][..N / 4]);
    let dot = layer.dot(stack);
    if const { is_listed::<S>(N, LISTED, NONZERO) } {
        Affine::<_, OUTP> {
            sums: &mut sums.0,
            blocks: x.list(),
            weights,
        }
        .add_exactly(simd, dot);
    } else {
        let blocks = All::<true>(x.bytes().blocks());
        Affine::<_, OUTP> {
            sums: &mut sums.0,
            blocks,
            weights,
        }
        .add_exactly(simd, dot);
    }
    sums
}

/// Adds the products of blocks `FIRST..FIRST + COUNT` of `x` with the prepared blocks
/// `AT..AT + COUNT` of a layer to `sums`, in stack `stack`.
///
/// # Panics
///
/// If there is no such stack.
#[inline(always)]
pub fn affine_add<
    S: Simd,
    const NB: usize,
    const FIRST: usize,
    const COUNT: usize,
    const AT: usize,
    const FILE_IN: usize,
    const OUT: usize,
    const STACKS: usize,
    const BLOCKS: usize,
    const OUTP: usize,
>(
    simd: S,
    mut sums: Sums<OUTP>,
    x: &Bytes<NB>,
    layer: &Layer<FILE_IN, OUT, STACKS, BLOCKS, OUTP>,
    stack: usize,
    _: Blocks<FIRST, COUNT>,
    _: AtBlock<AT>,
) -> Sums<OUTP> {
    const { assert!(4 * (FIRST + COUNT) <= NB && AT + COUNT <= BLOCKS) }
    let (blocks, weights) = (
        All::<false>(&x.blocks()[FIRST..][..COUNT]),
        lines(&layer.blocks(stack)[AT..][..COUNT]),
    );
    Affine::<_, OUTP> {
        sums: &mut sums.0,
        blocks,
        weights,
    }
    .add_exactly(simd, layer.dot(stack));
    sums
}
