//! Which network it is.

use nnue_runtime::{Model, Network, Parameters};
use nnue_spec::TensorRef;

use crate::digest::{Digest, halves};

/// Bytes that are hashed at a time.
const PIECE: usize = 1 << 16;

/// A digest of the declaration and of all weights.
pub(super) fn identity<A: Model>(network: &Network<A>) -> u128 {
    let mut digest = Digest::new();
    digest.text(A::SPEC.name);
    digest.text(A::SPEC.notation);
    for tensor in network.params().tensors() {
        digest.word(tensor.len() as u64);
        match tensor {
            TensorRef::I8(values) => add(&mut digest, values, |value| value.to_le_bytes()),
            TensorRef::I16(values) => add(&mut digest, values, |value| value.to_le_bytes()),
            TensorRef::I32(values) => add(&mut digest, values, |value| value.to_le_bytes()),
            TensorRef::F32(values) => add(&mut digest, values, |value| value.to_le_bytes()),
        }
    }
    digest.finish()
}

/// Adds the digests of all pieces of a tensor.
fn add<T: Copy, const N: usize>(digest: &mut Digest, values: &[T], bytes: impl Fn(T) -> [u8; N]) {
    for values in values.chunks(PIECE / N) {
        let mut piece = Digest::new();
        values.iter().for_each(|&value| piece.bytes(&bytes(value)));
        halves(piece.finish()).into_iter().for_each(|half| digest.word(half));
    }
}
