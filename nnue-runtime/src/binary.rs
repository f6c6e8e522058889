//! Binary layers: tensors in file order and a copy that the kernel reads.
//!
//! ```text
//!   file:      weight[stack][output][byte]       eight signs in a byte, the first in its lowest bit; a bit that is set is 1, others are -1
//!   prepared:  words[stack][word][output]        32 inputs of each output, as many outputs as a vector has words
//!              bytes[stack][byte][output]        eight inputs of each output, as many outputs as a vector has bytes, where counts are looked up:
//!                                                in each 16 bytes, outputs of four vectors of counts, four of each
//! ```
//!
//! If `c` of the `n` inputs differ in sign from their weights, the dot product is `n - 2c`, and
//!
//! ```text
//!   y = bias + scale * (n - 2c) = (bias + scale * n) + (-2 * scale) * c = start + factor * c        modulo 2^32
//! ```
//!
//! Bits after the last input are zero in the prepared weights, as they are in
//! [`Signs`](crate::memory::Signs), so they never differ.

use nnue_spec::layout::{sign_bytes, sign_words};
use nnue_spec::{LayerKind, NetDesc};

use crate::layer::Bias;
use crate::memory::Tensor;
use crate::simd::{Facts, Level, Simd};

/// A binary layer of `OUT` outputs whose rows have `FILE_IN` bytes of signs, in `STACKS` copies.
/// The prepared weights have `WORDS` words of inputs and `OUTP` outputs (a multiple of 16).
#[derive(Clone, Debug)]
pub struct BinaryLayer<
    const FILE_IN: usize,
    const OUT: usize,
    const STACKS: usize,
    const WORDS: usize,
    const OUTP: usize,
    B: Bias = i32,
> {
    /// bias of each output; for float layers a float that is not part of the integer sums
    pub bias: Tensor<[B; OUT], STACKS>,
    /// factor of the dot product of each output
    pub scale: Tensor<[i16; OUT], STACKS>,
    /// signs as in the file
    pub weight: Tensor<[[i8; FILE_IN]; OUT], STACKS>,
    start: Tensor<[i32; OUTP], STACKS>,
    factor: Tensor<[i32; OUTP], STACKS>,
    words: Tensor<[[i32; OUTP]; WORDS], STACKS>,
}

impl<
    const FILE_IN: usize,
    const OUT: usize,
    const STACKS: usize,
    const WORDS: usize,
    const OUTP: usize,
    B: Bias,
> BinaryLayer<FILE_IN, OUT, STACKS, WORDS, OUTP, B>
{
    /// All signs -1, all scales and biases zero.
    pub fn zeroed() -> Self {
        const {
            assert!(
                OUTP.is_multiple_of(16) && OUT <= OUTP,
                "outputs padded to whole vectors"
            )
        }
        Self {
            bias: Tensor::zeroed(),
            scale: Tensor::zeroed(),
            weight: Tensor::zeroed(),
            start: Tensor::zeroed(),
            factor: Tensor::zeroed(),
            words: Tensor::zeroed(),
        }
    }

    /// Prepares the copies that the kernel reads at `level` from the tensors.
    ///
    /// # Panics
    ///
    /// If `net` has no layer `layer` or it is not of this shape.
    pub fn prepare(&mut self, net: &NetDesc<'_>, layer: usize, level: Level) {
        let desc = &net.layers[layer];
        let shape = (
            sign_bytes(desc.inputs),
            sign_words(desc.inputs),
            desc.outputs,
        );
        assert!(
            desc.kind == LayerKind::Binary && shape == (FILE_IN, WORDS, OUT),
            "layer {layer} has another shape"
        );
        for stack in 0..STACKS {
            let (start, factor) = (&mut self.start[stack], &mut self.factor[stack]);
            let mut prepared = Prepared {
                start,
                factor,
                words: self.words[stack].as_flattened_mut(),
            };
            for output in 0..OUT {
                let (bias, scale) = (self.bias[stack][output].start(), self.scale[stack][output]);
                prepared.set(
                    output,
                    (bias, scale),
                    &self.weight[stack][output],
                    desc.inputs,
                    level,
                );
            }
        }
    }

    /// Start values of the sums of a stack.
    #[inline(always)]
    pub(crate) fn start(&self, stack: usize) -> &[i32; OUTP] {
        &self.start[stack]
    }

    /// The change of each sum for an input whose sign differs from its weight.
    #[inline(always)]
    pub(crate) fn factor(&self, stack: usize) -> &[i32; OUTP] {
        &self.factor[stack]
    }

    #[inline(always)]
    pub(crate) fn words(&self, stack: usize) -> &[[i32; OUTP]; WORDS] {
        &self.words[stack]
    }
}

/// The prepared tensors of a stack, for writing: `start` and `factor` have one element per output,
/// a multiple of 16.
pub(crate) struct Prepared<'a> {
    pub(crate) start: &'a mut [i32],
    pub(crate) factor: &'a mut [i32],
    /// `factor.len()` for each word of inputs
    pub(crate) words: &'a mut [i32],
}

impl Prepared<'_> {
    /// Sets the bias and the scale of an output, and its signs: the first `inputs` bits of `bytes`.
    pub(crate) fn set(
        &mut self,
        output: usize,
        (bias, scale): (i32, i16),
        bytes: &[i8],
        inputs: usize,
        level: Level,
    ) {
        let (scale, outputs) = (i32::from(scale), self.factor.len());
        self.start[output] = bias.wrapping_add(scale.wrapping_mul(inputs as i32));
        self.factor[output] = -2 * scale;
        let place = place_by_bytes(level.facts(), outputs, output);
        for (word, prepared) in self.words.chunks_exact_mut(outputs).enumerate() {
            let word = word_of(bytes, inputs, word);
            match place {
                None => prepared[output] = word.cast_signed(),
                Some(place) => {
                    let rows =
                        bytemuck::cast_slice_mut::<i32, u8>(prepared).chunks_exact_mut(outputs);
                    rows.zip(word.to_le_bytes())
                        .for_each(|(row, byte)| row[place] = byte);
                }
            }
        }
    }
}

/// Whether the weights of a layer of `outputs` (padded) outputs are prepared byte by byte.
pub(crate) const fn is_by_bytes<S: Simd>(outputs: usize) -> bool {
    S::LOOKS_UP && outputs.is_multiple_of(S::BYTES)
}

/// The index of an output among the bytes of a row; `None` where weights are prepared word by word.
/// The same rule as [`is_by_bytes`].
fn place_by_bytes(level: Facts, outputs: usize, output: usize) -> Option<usize> {
    let (bytes, lanes) = (level.bytes, level.bytes / 4);
    let (vector, lane) = (output % bytes / lanes, output % lanes);
    let place = output / bytes * bytes + lane / 4 * 16 + 4 * vector + lane % 4;
    (level.looks_up && outputs.is_multiple_of(bytes)).then_some(place)
}

/// Word `word` of the first `inputs` signs in `bytes`; bits after them are zero.
fn word_of(bytes: &[i8], inputs: usize, word: usize) -> u32 {
    let bits = (32 * word..inputs.min(32 * word + 32))
        .filter(|&input| bytes[input / 8] >> (input % 8) & 1 == 1);
    bits.fold(0, |set, input| set | 1 << (input % 32))
}
