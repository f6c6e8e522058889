//! Intermediate values between the accumulators and the output, for comparisons with another
//! engine.

use nnue_spec::reference::{CustomActivations, StackTrace, evaluate_layers};

use super::{Accumulators, Network};
use crate::architecture::{Model, Parameters};

impl<A: Model> Network<A> {
    /// Everything that the layers compute for the position of `accumulators`: sums, activations,
    /// and the output before it becomes a value. With [`Accumulators::values`] and
    /// [`Accumulators::psqt`], these are all numbers of an evaluation, to find the first one in
    /// which two engines differ (`examples/15_intermediate_values.rs`).
    ///
    /// They come from the [reference interpreter](nnue_spec::reference), which agrees with every
    /// level to the last bit and is a few hundred times slower. The names of layers and buffers are
    /// in `A::SPEC.layers` and `A::SPEC.buffers`. `functions` are the user-defined activations,
    /// with their paths in the declaration; `&[]` if there are none.
    ///
    /// # Panics
    ///
    /// If a user-defined activation is not among `functions`, or is of another kind.
    ///
    /// ```
    /// # use nnue_runtime::{Architecture, Network, Position};
    /// # fn f<MyNet: Architecture>(network: &Network<MyNet>, position: &impl Position) {
    /// let accumulators = network.accumulate(position);
    /// println!("neurons {:?}", accumulators.values());
    /// let layers = network.intermediate(&accumulators, &[]);
    /// for (layer, sums) in MyNet::SPEC.layers.iter().zip(&layers.sums) {
    ///     println!("{} {sums:?}", layer.name); // of a layer of floats: `layers.floats`
    /// }
    /// # }
    /// ```
    pub fn intermediate(
        &self,
        accumulators: &Accumulators<A>,
        functions: CustomActivations<'_>,
    ) -> StackTrace {
        let tensors = self.params().tensors();
        let layers = evaluate_layers(
            &A::SPEC,
            &tensors,
            accumulators.values(),
            accumulators.bucket(),
            functions,
        );
        StackTrace {
            added: accumulators.floats().to_vec(),
            ..layers
        }
    }
}
