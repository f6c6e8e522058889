//! Factors: weights that others have in common, and that are trained beside them.
//!
//! ```text
//!   trained    weights of the network | virtual weights         what optimisers change, limits hold, checkpoints keep
//!                       │                    │
//!                       └────── merge ───────┘                  w[row] + v[virtual row of it], in this order
//!                                 ▼
//!   merged     weights of the network                           what is evaluated, rounded, exported
//!                                 │ gradient
//!                       ┌──── spread ────────┐                  of a virtual row: the sum over all rows that have it
//!                       ▼                    ▼
//!              of w, the same          of v
//! ```
//!
//! A pawn on e4 has a row of its own for each place of the king. Each of them is seen rarely, and all of them say much the same: so they
//! learn faster if there is also a row for the pawn on e4 itself, which is *virtual*: it is added to the others, and no file has it. Stacks
//! of layers have a layer in common in the same way.
//!
//! What is evaluated in training are the merged weights, and they are what is exported. So nothing changes by merging.

mod features;
mod shared;

use std::num::NonZeroUsize;

use nnue_spec::TensorRole;
use nnue_spec::graph::{Graph, Tensor as Declared};
use nnue_spec::op::Real;
use thiserror::Error;

use crate::network::{Parameters, Tensor, length_of};
use crate::optimizer::Limits;
pub use features::VirtualFeature;
pub(crate) use shared::{NONE, Shared};

/// What a training factorises.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// virtual features of all feature sets that can have them; each at most once
    pub features: Vec<VirtualFeature>,
    /// the layers that have weights and biases for all stacks in common, by name: `fc0`
    pub layers: Vec<String>,
}

/// Why a network cannot have a factor.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum FactorError {
    /// no feature set has several rows that could share it
    #[error("no feature set of `{network}` has {feature}: {reason}")]
    NoFeature {
        /// what is wanted
        feature: VirtualFeature,
        /// the name of the network
        network: String,
        /// what the sets lack
        reason: &'static str,
    },
    /// there is no such layer
    #[error("`{network}` has no layer `{layer}`; it has {}", known.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", "))]
    NoLayer {
        /// what is wanted
        layer: String,
        /// the name of the network
        network: String,
        /// its layers
        known: Vec<String>,
    },
    /// the inputs of a layer reach some blocks of outputs in each stack, others in another
    #[error(
        "`{layer}` of `{network}` is block-sparse: its stacks reach other blocks, and have nothing in common"
    )]
    Blocks {
        /// the layer
        layer: String,
        /// the name of the network
        network: String,
    },
    /// there is nothing that a layer could have in common
    #[error("`{0}` has one stack of layers, which has nothing in common with others")]
    OneStack(String),
}

/// The virtual weights of a network.
///
/// ```
/// use nnue_train::factors::{Factors, VirtualFeature, Wanted};
/// use nnue_train::network::Network;
///
/// let text = "pub struct Two = (Chess768[buckets: [0 x 32, 1 x 32]] -> 32)x2 @ 255 screlu -> 1: i16 @ 64 { format raw };";
/// let graphs = nnue_codegen::graph_text(text).unwrap();
/// let network = Network::<f32>::new(&graphs[0])?;
/// let wanted = Wanted { features: vec![VirtualFeature::PieceSquare], layers: vec![] };
/// let factors = Factors::new(&graphs[0], &wanted)?;
///
/// let mut trained = network.zeros();
/// factors.extend(&mut trained);
/// trained.tensors[0][32 * 700] = 0.5; // a row of the first bucket
/// trained.tensors.last_mut().unwrap()[32 * 700] = 0.25; // what it has in common with that of the second
///
/// let mut merged = network.zeros();
/// factors.merge(&trained, &mut merged, std::num::NonZeroUsize::MIN);
/// assert_eq!([merged.tensors[0][32 * 700], merged.tensors[0][32 * (768 + 700)]], [0.75, 0.25]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Factors {
    shared: Vec<Shared>,
    /// tensors of the network
    tensors: usize,
}

impl Factors {
    /// No virtual weights.
    pub fn none(graph: &Graph) -> Self {
        Self {
            shared: Vec::new(),
            tensors: graph.tensors.len(),
        }
    }

    /// The tensors of virtual weights, which come after those of the network.
    pub(crate) fn shared(&self) -> &[Shared] {
        &self.shared
    }

    /// Those that are wanted of a network.
    ///
    /// # Errors
    ///
    /// If the network cannot have one of them.
    pub fn new(graph: &Graph, wanted: &Wanted) -> Result<Self, FactorError> {
        let mut factors = Self::none(graph);
        for &feature in &wanted.features {
            factors.shared.extend(of_feature(graph, feature)?);
        }
        for layer in &wanted.layers {
            factors.shared.extend(of_layer(graph, layer)?);
        }
        Ok(factors)
    }

    /// Whether there are none.
    pub const fn is_empty(&self) -> bool {
        self.shared.is_empty()
    }

    /// The name of each tensor of virtual weights, in the order in which they come after those of the network.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.shared.iter().map(|shared| shared.name.as_str())
    }

    /// Appends virtual weights of 0 to numbers of the network: parameters, their gradient, or what an optimiser remembers of them.
    ///
    /// # Panics
    ///
    /// If the numbers are of another network.
    pub fn extend<T: Real>(&self, parameters: &mut Parameters<T>) {
        assert_eq!(parameters.tensors.len(), self.tensors, "tensors");
        parameters
            .tensors
            .extend(self.shared.iter().map(|shared| Tensor::zeros(shared.len())));
    }

    /// The weights that act: those of the network with the virtual ones added.
    ///
    /// The same whatever the number of threads is.
    ///
    /// # Panics
    ///
    /// If the parameters are of another network.
    pub fn merge<T: Real>(
        &self,
        trained: &Parameters<T>,
        merged: &mut Parameters<T>,
        threads: NonZeroUsize,
    ) {
        let (own, of_shared) = self.split(&trained.tensors);
        assert_eq!(merged.tensors.len(), self.tensors, "tensors");
        for (index, (own, merged)) in own.iter().zip(&mut merged.tensors).enumerate() {
            let parts: Vec<_> = self.of_tensor(index, of_shared).collect();
            if parts.is_empty() {
                merged.copy_from_slice(own);
            } else {
                shared::merge(&parts, own, merged, threads);
            }
        }
    }

    /// Fills in the gradient of the virtual weights, in a gradient whose other tensors are those of the merged weights.
    ///
    /// The same whatever the number of threads is.
    ///
    /// # Panics
    ///
    /// If the gradient is of another network.
    pub fn spread<T: Real>(&self, gradient: &mut Parameters<T>, threads: NonZeroUsize) {
        assert_eq!(
            gradient.tensors.len(),
            self.tensors + self.shared.len(),
            "tensors"
        );
        let (of_merged, of_shared) = gradient.tensors.split_at_mut(self.tensors);
        for (shared, sums) in self.shared.iter().zip(of_shared) {
            shared.sum(&of_merged[shared.tensor], sums, threads);
        }
    }

    /// Holds the merged weights to limits, and block-sparse layers to their blocks: where one exceeds its limit, the weight of the network gives way. Virtual weights are held to the
    /// limit of the weights that they are added to, as these are.
    ///
    /// # Panics
    ///
    /// If the parameters are of another network, or if there are not as many limits as tensors of the network.
    pub fn clip(&self, limits: &Limits, trained: &mut Parameters<f32>, threads: NonZeroUsize) {
        assert_eq!(limits.greatest.len(), self.tensors, "limits");
        let (own, of_shared) = trained.tensors.split_at_mut(self.tensors);
        for (shared, numbers) in self.shared.iter().zip(&mut *of_shared) {
            Limits::hold(limits.greatest[shared.tensor], numbers);
        }
        for (index, (own, limit)) in own.iter_mut().zip(&limits.greatest).enumerate() {
            let parts: Vec<_> = self.of_tensor(index, of_shared).collect();
            match *limit {
                Some(limit) if !parts.is_empty() => shared::hold(&parts, own, limit, threads),
                limit => Limits::hold(limit, own),
            }
        }
        limits.thin(own);
    }

    /// The tensors of the network, and those of virtual weights.
    fn split<'p, T>(&self, tensors: &'p [Tensor<T>]) -> (&'p [Tensor<T>], &'p [Tensor<T>]) {
        assert_eq!(tensors.len(), self.tensors + self.shared.len(), "tensors");
        tensors.split_at(self.tensors)
    }

    /// What is added to a tensor, in order.
    fn of_tensor<'p, T>(
        &'p self,
        tensor: usize,
        of_shared: &'p [Tensor<T>],
    ) -> impl Iterator<Item = (&'p Shared, &'p [T])> {
        let all = self
            .shared
            .iter()
            .zip(of_shared)
            .map(|(shared, numbers)| (shared, &**numbers));
        all.filter(move |(shared, _)| shared.tensor == tensor)
    }
}

/// A virtual feature of all sets that can have it, for all tensors with a row for each feature.
fn of_feature(graph: &Graph, feature: VirtualFeature) -> Result<Vec<Shared>, FactorError> {
    let mut found = Vec::new();
    let mut reason = features::NO_KING;
    for (set, desc) in graph.features.iter().enumerate() {
        let virtual_rows = match feature.rows_of(desc.set) {
            Ok(rows) => rows,
            Err(lack) => {
                reason = if lack == features::NO_KING {
                    reason
                } else {
                    lack
                };
                continue;
            }
        };
        let perspectives = [0, 1].map(|perspective| graph.accumulator.weight_of(perspective, set));
        let tensors = graph.tensors.iter().enumerate();
        let of_set = tensors.filter(|(_, tensor)| {
            perspectives.contains(&tensor.role) || tensor.role == TensorRole::psqt_of(set)
        });
        found.extend(of_set.map(|(index, tensor)| {
            let name = format!("{feature} of `{}`", tensor.name);
            Shared::new(name, index, tensor.cols, virtual_rows.clone())
        }));
    }
    if found.is_empty() {
        return Err(FactorError::NoFeature {
            feature,
            network: graph.name.clone(),
            reason,
        });
    }
    Ok(found)
}

/// What the stacks of a layer have in common: its weights and biases are one virtual row, which each stack has.
fn of_layer(graph: &Graph, layer: &str) -> Result<Vec<Shared>, FactorError> {
    let of_layers = graph
        .tensors
        .iter()
        .filter(|tensor| tensor.role.is_of_layer());
    let mut known: Vec<String> = of_layers
        .map(|tensor| layer_of(tensor).to_owned())
        .collect();
    known.sort_unstable();
    known.dedup();
    if !known.iter().any(|name| name == layer) {
        return Err(FactorError::NoLayer {
            layer: layer.to_owned(),
            network: graph.name.clone(),
            known,
        });
    }
    if Limits::of(graph)
        .blocks
        .iter()
        .any(|blocks| layer_of(&graph.tensors[blocks.tensor]) == layer)
    {
        return Err(FactorError::Blocks {
            layer: layer.to_owned(),
            network: graph.name.clone(),
        });
    }
    let tensors = graph.tensors.iter().enumerate();
    let shared: Vec<Shared> = tensors
        .filter(|(_, tensor)| {
            tensor.role.is_of_layer() && layer_of(tensor) == layer && tensor.copies > 1
        })
        .map(|(index, tensor)| {
            let name = format!("what the stacks of `{}` have in common", tensor.name);
            Shared::new(
                name,
                index,
                length_of(graph, tensor) / tensor.copies,
                vec![0; tensor.copies],
            )
        })
        // the scales of binary layers are not trained
        .filter(|shared| shared.len() > 0)
        .collect();
    if shared.is_empty() {
        Err(FactorError::OneStack(graph.name.clone()))
    } else {
        Ok(shared)
    }
}

/// `fc0` of `fc0_weight`.
fn layer_of(tensor: &Declared) -> &str {
    tensor
        .name
        .rsplit_once('_')
        .map_or(tensor.name.as_str(), |(layer, _)| layer)
}
