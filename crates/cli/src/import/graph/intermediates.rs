//! Compares kernels with a graph from `nnue export onnx`: accumulators, layer sums and named values, found by
//! name. Integers must be equal; floats may differ, since they are added in another order.

use crate::progress::Progress;
use nnue::dynamic::{Computed, Sums};
use nnue_import::evaluate::evaluate;
use nnue_import::export::{Exported, Inputs, Places};
use nnue_import::{Graph, ImportError, Tensor};
use nnue_spec::reference::Board;
use nnue_spec::{NetDesc, TensorRef};

use super::difference::{Difference, judged};
use super::kernels::kernels;
use crate::args::ImportGraphArgs;
use crate::error::Error;
use crate::input::{Given, Sample, suite};

const ROWS: usize = 16;

/// Reports the differences; an error if one is too large.
pub(super) fn compare(
    args: &ImportGraphArgs,
    model: &Exported,
    (net, tensors): (&'static NetDesc<'static>, &[TensorRef<'_>]),
    places: &Places,
    file: Vec<u8>,
) -> Result<Vec<String>, Error> {
    let refuse = |message: String| Error::Network {
        path: args.file.clone(),
        message,
    };
    let given: Vec<Given> = suite().collect();
    let samples: Vec<Sample> = given.iter().cloned().map(Sample::from).collect();
    let kernels = match kernels(net, tensors, &samples)? {
        Ok(kernels) => kernels,
        Err(reason) => return Ok(vec![format!("Kernels: not compared, {reason}.")]),
    };
    let wrong = |error: ImportError| refuse(error.to_string());
    let graph = nnue_import::onnx::read(file, None).map_err(wrong)?;
    let boards: Vec<Board> = given.iter().map(|given| given.position.plain()).collect();
    let mut compared = Compared::new(net, &graph, places, model.declaration());
    let progress = Progress::new("comparing layers", boards.len() as u64);
    let parts = kernels
        .computed
        .chunks(ROWS)
        .zip(kernels.buffers.chunks(ROWS));
    for (boards, (computed, buffers)) in boards.chunks(ROWS).zip(parts) {
        let inputs = Inputs::of(net).in_positions(net, boards);
        let inputs =
            inputs.ok_or_else(|| refuse("functions of a program define its inputs".into()))?;
        let numbers = evaluate(&graph, &inputs).map_err(wrong)?;
        for (row, (computed, buffers)) in computed.iter().zip(buffers).enumerate() {
            compared.add(|id| numbers[id].as_deref(), (row, boards.len()), computed);
            compared.add_values(|id| numbers[id].as_deref(), (row, boards.len()), buffers);
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

/// Graph values to compare, each with its difference.
struct Compared {
    accumulators: Vec<(usize, Difference)>,
    layers: Vec<(usize, Difference)>,
    /// with the index of the network's buffer
    values: Vec<(usize, usize, Difference)>,
}

impl Compared {
    fn new(net: &NetDesc<'_>, graph: &Graph, places: &Places, declaration: &str) -> Self {
        let one = |(name, what): (&String, &&str)| {
            let id = graph.values.iter().position(|value| value.name == *name)?;
            Some((id, Difference::new(format!("{what}, kernels and graph"))))
        };
        let is_named = |name: &str| declaration.contains(&format!("let {name} = "));
        let values = net.buffers.iter().zip(&places.buffers).enumerate();
        let values = values
            .filter(|(_, (buffer, _))| is_named(buffer.name))
            .filter_map(|(index, (buffer, place))| {
                let (id, difference) = one((place, &buffer.name))?;
                Some((id, index, difference))
            });
        // Names are reliable: the graph was proved equal to the exported one. Values computed on demand are
        // no sums.
        let layers = net.layers.iter().map(|layer| layer.name);
        let accumulators = places.accumulators.iter().zip(["acc", "second"]);
        Self {
            accumulators: accumulators
                .filter_map(|(name, what)| one((name, &what)))
                .collect(),
            layers: places
                .layers
                .iter()
                .zip(layers)
                .filter_map(|(name, what)| one((name, &what)))
                .collect(),
            values: values.collect(),
        }
    }

    /// Adds row `row` of `rows`.
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

    /// Adds named values. `buffers` comes from the reference interpreter: if the kernels' values differed, so
    /// would sums.
    fn add_values<'t>(
        &mut self,
        value: impl Fn(usize) -> Option<&'t Tensor>,
        (row, rows): (usize, usize),
        buffers: &[Vec<f64>],
    ) {
        for (id, buffer, difference) in &mut self.values {
            let found: Vec<f32> = buffers[*buffer].iter().map(|&value| value as f32).collect();
            let expected = value(*id).map(Tensor::to_floats).unwrap_or_default();
            difference.add(part(&expected, row, rows), &found);
        }
    }

    fn all(self) -> Vec<Difference> {
        let values = self.values.into_iter().map(|(_, _, difference)| difference);
        self.accumulators
            .into_iter()
            .chain(self.layers)
            .map(|(_, difference)| difference)
            .chain(values)
            .collect()
    }
}

fn part<T>(all: &[T], row: usize, rows: usize) -> &[T] {
    let width = all.len() / rows;
    &all[row * width..][..width]
}
