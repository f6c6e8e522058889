//! The source text of all kernels of a network.

use std::fmt::Write;

use super::additions;
use super::curves::{self, Curve};
use super::elementwise::Operation;
use super::factors;
use super::kernel::{CHUNK, Kernel, MEMORY, Places};
use super::layers::Layer;
use super::layout::Layout;
use super::transformer::Rows;
use super::unsupported::Unsupported;
use super::{lists, objective, updates, whole};
use crate::network::affine::Affine;
use crate::network::elementwise::Elementwise;
use crate::network::{Network, Step};

/// The kernels for a network, in the order of a batch.
#[derive(Clone, Debug)]
pub struct Program {
    source: String,
    pub(super) kernels: Vec<Kernel>,
    pub(super) updates: Vec<Kernel>,
    /// kernels of virtual weights: merge weights, spread gradients
    factors: Vec<Kernel>,
    /// number of scales of binary layers: one for each output of each stack
    pub(super) scales: usize,
}

impl Program {
    /// Writes the kernels for a network.
    ///
    /// # Errors
    ///
    /// [`Unsupported`]: the network has an operation without a kernel.
    pub fn new(network: &Network<f32>) -> Result<Self, Unsupported> {
        let layout = Layout::new(network.lengths());
        let writing = Writing {
            network,
            layout: &layout,
            places: places(network),
        };
        let (kernels, curves) = writing.kernels()?;
        let mut source = head(network);
        source += additions::HELPERS;
        source += &writing.rows().helpers();
        source += curves::HELPERS;
        curves.into_iter().for_each(|curve| source += &curve.text());
        if network
            .steps()
            .iter()
            .any(|step| matches!(step, Step::Whole(_)))
        {
            source += whole::HELPERS;
        }
        source += objective::HELPERS;
        for kernel in &kernels {
            kernel.write("MEMORY", &mut source);
        }
        let updates = updates::write(&mut source);
        let factors = factors::write(&mut source);
        let binary = network.steps().iter().filter_map(|step| match step {
            Step::Binary(binary) => Some(binary.results.len() * network.stacks()),
            _ => None,
        });
        Ok(Self {
            source,
            kernels,
            updates,
            factors,
            scales: binary.sum(),
        })
    }

    /// The CUDA C source.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The names of the kernels in the source.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.kernels
            .iter()
            .chain(&self.updates)
            .chain(&self.factors)
            .map(|kernel| &*kernel.name)
    }

    /// The parameters of a kernel, in order: C type and name.
    ///
    /// # Panics
    ///
    /// If `kernel` is not an index into [names](Self::names).
    pub fn parameters(&self, kernel: usize) -> &'static [(&'static str, &'static str)] {
        let first_update = self.kernels.len();
        let first_factor = first_update + self.updates.len();
        assert!(
            kernel < first_factor + self.factors.len(),
            "no kernel {kernel}"
        );
        match kernel {
            _ if kernel < first_update => &MEMORY,
            _ if kernel < first_factor => &updates::NUMBERS,
            _ => &factors::ROWS,
        }
    }
}

/// Context of the writing of kernels.
struct Writing<'n> {
    network: &'n Network<f32>,
    layout: &'n Layout,
    places: Places,
}

impl<'n> Writing<'n> {
    /// All kernels, and the curves that they call.
    fn kernels(&self) -> Result<(Vec<Kernel>, Vec<Curve>), Unsupported> {
        let rows = self.rows();
        let (mut forward, mut backward, mut curves) =
            (rows.forward(), Vec::new(), Vec::<Curve>::new());
        let mut scales = 0;
        // The transformer applies the first step, which scales the accumulators.
        for (number, step) in self.network.steps().iter().enumerate().skip(1) {
            match step {
                Step::Affine(affine) => {
                    let layer = self.layer(number, affine, None);
                    forward.extend(layer.forward());
                    backward.push(layer.backward());
                }
                Step::Binary(binary) => {
                    let affine = binary.of_weights();
                    let layer = self.layer(number, &affine, Some(scales));
                    scales += affine.results.len() * self.network.stacks();
                    forward.extend(layer.forward());
                    backward.push(layer.backward());
                }
                Step::Elementwise(operation) => {
                    let (places, layout, stacks) =
                        (self.places, self.layout, self.network.stacks());
                    let operation = Operation {
                        number,
                        operation,
                        places,
                        layout,
                        stacks,
                    };
                    let curve = operation
                        .curve()?
                        .filter(|new| curves.iter().all(|known| known.name != new.name));
                    curves.extend(curve);
                    forward.push(operation.forward()?);
                    backward.push(operation.backward()?);
                }
                Step::Whole(step) => forward.push(whole::kernel(number, step, self.places)),
            }
        }
        let kernels =
            forward
                .into_iter()
                .chain(objective::kernels(self.network, self.places, self.layout));
        let kernels = kernels
            .chain(backward.into_iter().rev().flatten())
            .chain(rows.backward())
            .chain(lists::kernels(&rows));
        Ok((kernels.collect(), curves))
    }

    fn layer<'a>(
        &'a self,
        number: usize,
        affine: &'a Affine<f32>,
        scales: Option<usize>,
    ) -> Layer<'a> {
        Layer {
            number,
            affine,
            places: self.places,
            layout: self.layout,
            stacks: self.network.stacks(),
            scales,
        }
    }

    fn rows(&self) -> Rows<'n> {
        let one = match self.network.steps().first() {
            Some(Step::Elementwise(Elementwise::Scale { factor, .. })) => *factor,
            _ => 1.0,
        };
        Rows {
            transformer: self.network.transformer(),
            layout: self.layout,
            one,
        }
    }
}

fn places(network: &Network<f32>) -> Places {
    let transformer = network.transformer();
    Places {
        accumulators: transformer.perspectives() * transformer.width(),
    }
}

/// The common beginning of every program.
fn head(network: &Network<f32>) -> String {
    let mut parameters = String::new();
    for (index, (kind, name)) in MEMORY.iter().enumerate() {
        let _ = write!(
            parameters,
            "{}{kind} {name}",
            if index == 0 { "" } else { ", " }
        );
    }
    format!(
        "// Training of a declared network: every number below is one of the declaration.

#ifndef KERNEL
#define KERNEL extern \"C\" __global__
#endif

// What all kernels are given.
#define MEMORY {parameters}

// An accumulator, and any other value, of a position.
#define ROW(index) ((size_t)position * {} + (index))
#define COLUMN(index) ((size_t)(index) * count + position)

// The active rows of a position for a perspective, ended by -1 where they are fewer than `stride`.
#define ACTIVE(side) (rows + ((size_t)order[position] * PERSPECTIVES + (side)) * stride)

// Positions of a block, one for each thread.
#define CHUNK {CHUNK}

",
        places(network).accumulators
    )
}
