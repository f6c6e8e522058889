//! Identity of networks.

use nnue_runtime::{Model, Network, Parameters, dynamic};
use nnue_spec::{NetDesc, TensorRef};

use super::scale::SCALE;
use crate::digest::{Digest, halves};
use crate::identity::Identity;

/// Number of bytes hashed at a time.
const PIECE: usize = 1 << 16;

/// A network with access to its descriptor and weights: a compiled one, or one described at run time.
pub trait Described: Send + Sync + 'static {
    /// The descriptor: everything but the weights.
    fn description(&self) -> &'static NetDesc<'static>;

    /// The weights, in the order of the descriptor.
    fn weights(&self) -> Vec<TensorRef<'_>>;
}

impl<A: Model> Described for Network<A> {
    fn description(&self) -> &'static NetDesc<'static> {
        const { &A::SPEC }
    }

    fn weights(&self) -> Vec<TensorRef<'_>> {
        self.params().tensors()
    }
}

impl Described for dynamic::Network {
    fn description(&self) -> &'static NetDesc<'static> {
        self.spec()
    }

    fn weights(&self) -> Vec<TensorRef<'_>> {
        self.tensors()
    }
}

/// A digest of the descriptor and all weights, in its order: equal only for equal networks. Another version
/// of this crate may describe a network differently, which changes the digest.
pub fn identity(description: &NetDesc<'_>, weights: &[TensorRef<'_>]) -> u128 {
    let mut digest = Digest::new();
    digest.text(description.name);
    digest.text(description.notation);
    // the notation is incomplete: for example, it does not say how the value is computed from outputs
    let NetDesc {
        features,
        accumulator,
        stacks,
        buffers,
        layers,
        maps,
        steps,
        output,
        heads,
        value,
        custom,
        ..
    } = description;
    digest.text(&format!(
        "{features:?} {accumulator:?} {stacks:?} {buffers:?} {layers:?}"
    ));
    digest.text(&format!(
        "{steps:?} {output:?} {heads:?} {value:?} {custom:?}"
    ));
    if !maps.is_empty() {
        digest.text(&format!("{maps:?}"));
    }
    for tensor in weights {
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

/// Digest of a backend that gives the values of a network, the same for all implementations, which agree.
pub(super) fn digest_of_values(identity: u128, scale: f32) -> u128 {
    Identity::of("nnue")
        .contents(identity)
        .option(SCALE.name, scale.to_bits().into())
        .finish()
}

/// Adds the digests of all chunks of a tensor.
fn add<T: Copy, const N: usize>(digest: &mut Digest, values: &[T], bytes: impl Fn(T) -> [u8; N]) {
    for values in values.chunks(PIECE / N) {
        let mut piece = Digest::new();
        values.iter().for_each(|&value| piece.bytes(&bytes(value)));
        halves(piece.finish())
            .into_iter()
            .for_each(|half| digest.word(half));
    }
}
