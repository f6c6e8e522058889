//! Advice about a file whose golden values only the program can compute.

use nnue::spec::{NetDesc, TensorRef};
use nnue::{Model, Network, Parameters};
use nnue_format::Tensors;
use nnue_tools::golden::readings_by;

/// What would fit a file whose golden values are others. `value` evaluates the golden position with this number.
#[track_caller]
pub(crate) fn readings<A: Model>(file: &[u8], value: impl Fn(&Network<A>, usize) -> i32) -> String {
    let without = NetDesc {
        goldens: &[],
        ..A::SPEC
    };
    let (header, read) = Tensors::read(&without, file).expect("its length is right");
    let value_with =
        |tensors: &[TensorRef<'_>], index: usize| Some(value(&of_tensors(tensors), index));
    readings_by(&A::SPEC, &read.refs(), header.padding, &value_with).expect("a reading fits")
}

/// A network with these weights.
fn of_tensors<A: Model>(tensors: &[TensorRef<'_>]) -> Network<A> {
    let mut params = A::Params::zeroed();
    for (own, given) in params.tensors_mut().iter_mut().zip(tensors) {
        own.copy_from(*given);
    }
    Network::from_params(params)
}
