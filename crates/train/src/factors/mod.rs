//! Factors: virtual weights that several weights share, trained beside them.
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
//! A pawn on e4 has a row of its own for each king bucket. Each of them is rare in the data, and all mean
//! much the same, so training is faster with one more row for the pawn on e4 itself. That row is *virtual*:
//! it is added to the others, and no file contains it. The stacks of a layer can share a layer in the same
//! way.
//!
//! Training evaluates the merged weights, and exports exactly those, so merging changes no result.

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

/// Which virtual weights to train.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// virtual features, for all feature sets that can have them; each at most once
    pub features: Vec<VirtualFeature>,
    /// names of the layers whose weights and biases all stacks share, such as `fc0`
    pub layers: Vec<String>,
}

/// A network cannot have a factor.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum FactorError {
    /// no feature set has several rows that could share the feature
    #[error("no feature set of `{network}` has {feature}: {reason}")]
    NoFeature {
        /// the requested feature
        feature: VirtualFeature,
        /// the name of the network
        network: String,
        /// what the sets lack
        reason: &'static str,
    },
    /// the layer does not exist
    #[error("`{network}` has no layer `{layer}`; it has {}", known.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", "))]
    NoLayer {
        /// the requested layer
        layer: String,
        /// the name of the network
        network: String,
        /// its layers
        known: Vec<String>,
    },
    /// a block-sparse layer, whose inputs reach different blocks of outputs in each stack
    #[error(
        "`{layer}` of `{network}` is block-sparse: its stacks reach other blocks, and have nothing in common"
    )]
    Blocks {
        /// the layer
        layer: String,
        /// the name of the network
        network: String,
    },
    /// one stack of layers, so that nothing is shared
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
    /// number of tensors of the network
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

    pub(crate) fn shared(&self) -> &[Shared] {
        &self.shared
    }

    /// The requested virtual weights of a network.
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

    /// Whether there are no virtual weights.
    pub const fn is_empty(&self) -> bool {
        self.shared.is_empty()
    }

    /// The names of the tensors of virtual weights, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.shared.iter().map(|shared| shared.name.as_str())
    }

    /// Appends zero virtual weights to tensors of the network: parameters, gradients or optimiser state.
    ///
    /// # Panics
    ///
    /// If the tensors belong to another network.
    pub fn extend<T: Real>(&self, parameters: &mut Parameters<T>) {
        assert_eq!(parameters.tensors.len(), self.tensors, "tensors");
        parameters
            .tensors
            .extend(self.shared.iter().map(|shared| Tensor::zeros(shared.len())));
    }

    /// Computes the effective weights: the network's own plus the virtual ones. The number of threads does
    /// not change the result.
    ///
    /// # Panics
    ///
    /// If the parameters belong to another network.
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

    /// Computes the gradient of the virtual weights from that of the merged weights, which `gradient` holds.
    /// The number of threads does not change the result.
    ///
    /// # Panics
    ///
    /// If the gradient belongs to another network.
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

    /// Clips merged weights to limits by changing the network's own weights, and zeroes weights outside the
    /// blocks of block-sparse layers. Virtual weights themselves are clipped to the limit of their tensor.
    ///
    /// # Panics
    ///
    /// If the parameters belong to another network, or if there are not as many limits as tensors.
    pub fn clip(&self, limits: &Limits, trained: &mut Parameters<f32>, threads: NonZeroUsize) {
        assert_eq!(limits.greatest.len(), self.tensors, "limits");
        let (own, of_shared) = trained.tensors.split_at_mut(self.tensors);
        for (shared, numbers) in self.shared.iter().zip(&mut *of_shared) {
            Limits::hold(limits.greatest[shared.tensor], numbers);
            limits
                .unused_of(shared.tensor)
                .for_each(|unused| unused.clear(numbers));
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

    /// Splits into tensors of the network and of virtual weights.
    fn split<'p, T>(&self, tensors: &'p [Tensor<T>]) -> (&'p [Tensor<T>], &'p [Tensor<T>]) {
        assert_eq!(tensors.len(), self.tensors + self.shared.len(), "tensors");
        tensors.split_at(self.tensors)
    }

    /// The virtual weights of a tensor, in order.
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

/// A virtual feature of all sets that can have it, for all tensors with one row for each feature.
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

/// The weights and biases that all stacks of a layer share: one virtual row.
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
        // The scales of binary layers are not trained.
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
