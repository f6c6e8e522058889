//! The hashes of the Stockfish container (`docs/files.md`), computed from a declaration.
//!
//! All arithmetic is on u32 and wraps. The hashes cover the feature set, the width of the accumulator and the
//! outputs of every layer. They do not cover input widths and squared activations, so different networks can
//! share them. Networks with another depth than Stockfish's use the same chain over all layers in file order.

/// Start of the chain over the layers.
const STACK_SEED: u32 = 0xEC42_E90D;
/// Added to the outputs of a dense layer.
const AFFINE: u32 = 0xCC03_DAE4;
/// Added once after each hidden layer, regardless of its activations.
const ACTIVATION: u32 = 0x538D_24C7;

/// The hash of the feature transformer. `features` is the start constant of the feature set, `values` the
/// number of accumulator values of all perspectives.
pub const fn transformer(features: u32, values: usize) -> u32 {
    features ^ values as u32
}

/// The start constant of several feature sets: the sets after the first in order, then the first; each step
/// rotates the previous hash by one bit.
pub fn features(sets: &[u32]) -> u32 {
    let (first, others) = sets
        .split_first()
        .map_or((0, &[][..]), |(first, others)| (*first, others));
    others
        .iter()
        .copied()
        .chain([first])
        .reduce(|hash, set| hash.rotate_left(1) ^ set)
        .unwrap_or(0)
}

/// The hash of a layer stack. `values` is the number of accumulator values of all perspectives, `outputs` the
/// outputs of each layer in file order.
pub fn stack(values: usize, outputs: impl ExactSizeIterator<Item = usize>) -> u32 {
    let layers = outputs.len();
    let mut hash = STACK_SEED ^ values as u32;
    for (index, outputs) in outputs.enumerate() {
        hash = AFFINE.wrapping_add(outputs as u32) ^ (hash >> 1) ^ (hash << 31);
        if index + 1 < layers {
            hash = hash.wrapping_add(ACTIVATION);
        }
    }
    hash
}
