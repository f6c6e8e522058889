//! Compares the kernels of a network that comes back from a written graph with the graph: accumulators and sums of every layer, by the names that they have
//! there. Whole numbers are equal; floats are added in other orders.

use nnue::dynamic::{Computed, Sums};
use nnue_command::progress::Progress;
use nnue_import::evaluate::evaluate;
use nnue_import::export::{Exported, Inputs, Places, places};
use nnue_import::{Graph, ImportError, Tensor};
use nnue_spec::reference::Board;
use nnue_spec::{NetDesc, TensorRef};

use super::difference::{Difference, judged};
use super::kernels::kernels;
use crate::args::ImportGraphArgs;
use crate::error::Error;
use crate::input::{Given, suite};

/// Positions at a time.
const ROWS: usize = 16;

/// Lines that say how far both are from each other, or that they are too far.
pub(super) fn compare(
    args: &ImportGraphArgs,
    model: &Exported,
    (net, tensors): (&'static NetDesc<'static>, &[TensorRef<'_>]),
    file: Vec<u8>,
) -> Result<Vec<String>, Error> {
    let refuse = |message: String| Error::Network { path: args.file.clone(), message };
    let given: Vec<Given> = suite().collect();
    let kernels = match kernels(net, tensors, &given)? {
        Ok(kernels) => kernels,
        Err(reason) => return Ok(vec![format!("Kernels: not compared, {reason}.")]),
    };
    let places = places(net, tensors, model.form()).map_err(|error| refuse(error.to_string()))?;
    let wrong = |error: ImportError| refuse(error.to_string());
    let graph = nnue_import::onnx::read(file, None).map_err(wrong)?;
    let boards: Vec<Board> = given.iter().map(|given| given.position.plain()).collect();
    let mut compared = Compared::new(net, &graph, &places);
    let progress = Progress::new("comparing layers", boards.len() as u64);
    for (boards, computed) in boards.chunks(ROWS).zip(kernels.computed.chunks(ROWS)) {
        let inputs = Inputs::of(net).in_positions(net, boards);
        let inputs = inputs.ok_or_else(|| refuse("only a program says what its inputs are".into()))?;
        let numbers = evaluate(&graph, &inputs).map_err(wrong)?;
        for (row, computed) in computed.iter().enumerate() {
            compared.add(|id| numbers[id].as_deref(), (row, boards.len()), computed);
            progress.step();
        }
    }
    drop(progress);
    let head = format!(
        "The kernels ({}) have the accumulators, sums and values of the reference in {} positions:",
        kernels.levels,
        boards.len()
    );
    judged(&args.file, head, &compared.all())
}

/// What is compared: values of the graph, each with its difference.
struct Compared {
    accumulators: Vec<(usize, Difference)>,
    layers: Vec<(usize, Difference)>,
}

impl Compared {
    fn new(net: &NetDesc<'_>, graph: &Graph, places: &Places) -> Self {
        let one = |(name, what): (&String, &str)| {
            let id = graph.values.iter().position(|value| value.name == *name)?;
            Some((id, Difference::new(format!("{what}, kernels and graph"))))
        };
        // The values have these names: the graph was proved to be the one that is written. What is computed on demand is no sum.
        let layers = net.layers.iter().map(|layer| layer.name);
        Self {
            accumulators: places.accumulators.iter().zip(["acc", "second"]).filter_map(one).collect(),
            layers: places.layers.iter().zip(layers).filter_map(one).collect(),
        }
    }

    /// Takes row `row` of `rows` of the graph into account.
    fn add<'t>(
        &mut self,
        value: impl Fn(usize) -> Option<&'t Tensor>,
        (row, rows): (usize, usize),
        computed: &Computed,
    ) {
        let accumulators = self.accumulators.iter_mut().zip(&computed.accumulators);
        for ((id, difference), sums) in accumulators {
            let expected = value(*id).and_then(Tensor::as_integers).unwrap_or_default();
            difference.add_whole(part(expected, row, rows), sums);
        }
        for ((id, difference), sums) in self.layers.iter_mut().zip(&computed.layers) {
            let tensor = value(*id);
            match sums {
                Sums::Whole(sums) => {
                    let expected = tensor.and_then(Tensor::as_integers).unwrap_or_default();
                    difference.add_whole(part(expected, row, rows), sums);
                }
                Sums::Floats(sums) => {
                    let expected = tensor.and_then(Tensor::as_floats).unwrap_or_default();
                    difference.add(part(expected, row, rows), sums);
                }
                Sums::OnDemand => {}
            }
        }
    }

    fn all(self) -> Vec<Difference> {
        self.accumulators.into_iter().chain(self.layers).map(|(_, difference)| difference).collect()
    }
}

/// A row of so many.
fn part<T>(all: &[T], row: usize, rows: usize) -> &[T] {
    let width = all.len() / rows;
    &all[row * width..][..width]
}
