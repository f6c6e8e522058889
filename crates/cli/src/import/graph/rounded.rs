//! Compares the kernels of an imported network with its graph, in positions. The floats are rounded as by
//! `nnue quantize --round nearest`. The kernels of every level must equal the reference interpreter; the
//! difference to the graph is the rounding error.

use std::path::Path;

use nnue::dynamic::{Computed, Sums};
use nnue_import::declare::Accumulated;
use nnue_import::fold::Folded;
use nnue_spec::NetDesc;
use nnue_spec::reference::{Position, RealTrace};
use nnue_tools::quantize::{Recipe, Rounding};

use super::difference::told;
use super::kernels::kernels;
use super::positions::{Compared, arranged, in_rows, samples};
use crate::error::Error;

/// Reports the differences for an imported network with raised biases.
pub(super) fn compare(
    path: &Path,
    folded: &Folded,
    net: &'static NetDesc<'static>,
    imported: &Accumulated,
) -> Result<Vec<String>, Error> {
    let refuse = |message: String| Error::Network {
        path: path.to_owned(),
        message,
    };
    let recipe = Recipe {
        rounding: Rounding::HalfAwayFromZero,
        ..Recipe::new(net)
    };
    let arranged =
        arranged(net, &imported.declared, &recipe).map_err(|error| refuse(error.to_string()))?;
    let tensors = match arranged.round(net, &recipe) {
        Ok((tensors, _)) => tensors,
        Err(error) => {
            return Ok(vec![format!(
                "Kernels: not compared, the floats do not fit the declaration: {error}"
            )]);
        }
    };
    let given = samples(net, imported);
    let kernels = match kernels(net, &tensors.refs(), &given)? {
        Ok(kernels) => kernels,
        Err(reason) => return Ok(vec![format!("Kernels: not compared, {reason}.")]),
    };
    let mut compared = Compared::rounded(net, imported, &recipe);
    let left_out = in_rows(folded, net, imported, &given, |at, row| {
        compared.add(
            net,
            &real(&kernels.computed[at], &kernels.buffers[at]),
            given[at].features(net).black_to_move,
            row,
        );
    });
    left_out.map_err(|error| refuse(error.to_string()))?;
    let head = format!(
        "Rounded as declared, the kernels ({}) have the accumulators, sums and values of the reference:",
        kernels.levels
    );
    Ok(told(head, &compared.all()))
}

/// Converts results of kernels to real numbers in network units; `buffers` comes from the reference
/// interpreter.
fn real(computed: &Computed, buffers: &[Vec<f64>]) -> RealTrace {
    let accumulator = |at: usize| {
        computed.accumulators.get(at).map_or(Vec::new(), |sums| {
            sums.iter().map(|&sum| sum.into()).collect()
        })
    };
    let sums = computed.layers.iter().map(|sums| match sums {
        Sums::Whole(sums) => sums.iter().map(|&sum| sum.into()).collect(),
        Sums::Floats(sums) => sums.iter().map(|&sum| sum.into()).collect(),
        Sums::OnDemand => Vec::new(),
    });
    let value = computed.evaluation.evaluation.value.into();
    RealTrace {
        accumulators: [0, 1].map(accumulator),
        sums: sums.collect(),
        buffers: buffers.to_vec(),
        value,
    }
}
