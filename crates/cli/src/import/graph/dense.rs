//! Compares a network over a dense input with its graph, on recorded or random inputs. An evaluator of graphs
//! runs the graph; the reference interpreter and the kernels of every available level run the declaration.

use std::path::Path;
use std::sync::Arc;

use crate::progress::Progress;
use nnue::Level;
use nnue::dense::{Scratch, Untyped};
use nnue_import::declare::Declared;
use nnue_import::evaluate::{Numbers, evaluate};
use nnue_import::fold::Folded;
use nnue_import::{Dim, Graph, ImportError, Tensor, npz};
use nnue_spec::dense::{DenseDesc, reference};

use super::difference::{Difference, judged};
use crate::args::Recorded;
use crate::error::Error;
use crate::input::bounded::{self, MOST_OF_NETWORK};

const ROWS: usize = 64;

/// Name of the outputs in a recorded file.
const EXPECTED: &str = "expected";

/// Reports the differences; an error if one is too large.
pub(super) fn compare(
    path: &Path,
    (graph, folded): (&Graph, &Folded),
    net: &DenseDesc<'_>,
    declared: &Declared,
    recorded: &Recorded,
) -> Result<Vec<String>, Error> {
    let refuse = |message: String| Error::Network {
        path: path.to_owned(),
        message,
    };
    let (input, expected) = match recorded {
        Recorded::Random => (random(folded), None),
        Recorded::File(file) => from_file(file, graph)?,
    };
    let (count, outputs) = (input.shape()[0], net.output().len());
    if let Some(expected) = expected
        .as_ref()
        .filter(|expected| expected.len() != count * outputs)
    {
        let found = expected.len();
        return Err(refuse(format!(
            "the network has {outputs} outputs, and {found} are recorded for {count} rows"
        )));
    }
    let tensors: Vec<Vec<f32>> = declared
        .tensors
        .iter()
        .map(|tensor| tensor.values.clone())
        .collect();
    let kernels = Untyped::new(net, &tensors).map_err(|error| refuse(error.to_string()))?;
    let mut compared = Compared::new(net, declared, expected.is_some());
    let progress = Progress::new("comparing rows", count as u64);
    for start in (0..count).step_by(folded.rows) {
        let part = part(&input, start, folded.rows).map_err(|error| refuse(error.to_string()))?;
        let numbers = evaluate(&folded.graph, &[Arc::clone(&part)])
            .map_err(|error| refuse(error.to_string()))?;
        let floats = part.to_floats();
        for (index, input) in floats
            .chunks_exact(net.input().len())
            .enumerate()
            .take(count - start)
        {
            let values = reference::evaluate(net, &tensors, input);
            let row = Row {
                numbers: &numbers,
                rows: folded.rows,
                index,
            };
            compared.row(row, folded.graph.outputs[0], &values);
            if let Some(expected) = &expected {
                compared.recorded(
                    &expected[(start + index) * outputs..][..outputs],
                    row,
                    folded.graph.outputs[0],
                );
            }
            same_on_all_levels(
                path,
                &kernels,
                input,
                values.last().map_or(&[], Vec::as_slice),
            )?;
            progress.step();
        }
    }
    drop(progress);
    let what = if matches!(recorded, Recorded::Random) {
        "random rows"
    } else {
        "recorded rows"
    };
    let levels = Level::available()
        .map(|level| level.level().name())
        .collect::<Vec<_>>()
        .join(", ");
    let head = format!(
        "Compared in {count} {what}; the kernels ({levels}) give the bits of the reference:"
    );
    judged(path, head, &compared.all())
}

#[derive(Clone, Copy)]
struct Row<'a> {
    numbers: &'a Numbers,
    rows: usize,
    index: usize,
}

impl Row<'_> {
    fn of(self, id: usize) -> Vec<f32> {
        let all = self.numbers[id]
            .as_ref()
            .map_or(Vec::new(), |tensor| tensor.to_floats());
        let width = all.len() / self.rows;
        all[self.index * width..][..width].to_vec()
    }
}

struct Compared {
    output: Difference,
    recorded: Option<Difference>,
    /// graph value, network node, difference
    layers: Vec<(usize, usize, Difference)>,
}

impl Compared {
    fn new(net: &DenseDesc<'_>, declared: &Declared, is_recorded: bool) -> Self {
        let tensors = net.tensors();
        let counted = |name: &str| {
            declared
                .operations
                .iter()
                .find(|(known, _)| known == name)
                .map(|(_, index)| *index)
        };
        // Operations were counted while the declaration was written.
        let operation =
            |name: &str| counted(name).filter(|_| counted("output") == Some(net.nodes.len() - 1));
        let layer = |(name, id): &(String, usize)| {
            let tensor = tensors
                .iter()
                .find(|tensor| tensor.name == format!("{name}_weight"));
            let node = tensor
                .map(|tensor| tensor.node)
                .or_else(|| operation(name))?;
            Some((
                *id,
                node,
                Difference::new(format!("{name}, declaration and graph")),
            ))
        };
        Self {
            output: Difference::new("output, declaration and graph"),
            recorded: is_recorded.then(|| Difference::new("output, graph and recorded")),
            layers: declared.layers.iter().filter_map(layer).collect(),
        }
    }

    fn row(&mut self, row: Row<'_>, output: usize, values: &[Vec<f32>]) {
        self.output
            .add(&row.of(output), values.last().map_or(&[], Vec::as_slice));
        for (id, node, difference) in &mut self.layers {
            difference.add(&row.of(*id), &values[*node]);
        }
    }

    fn recorded(&mut self, expected: &[f32], row: Row<'_>, output: usize) {
        if let Some(difference) = &mut self.recorded {
            difference.add(expected, &row.of(output));
        }
    }

    fn all(self) -> Vec<Difference> {
        let layers = self.layers.into_iter().map(|(.., difference)| difference);
        std::iter::once(self.output)
            .chain(self.recorded)
            .chain(layers)
            .collect()
    }
}

/// Checks that the kernels of every level equal the reference interpreter bit for bit.
fn same_on_all_levels(
    path: &Path,
    kernels: &Untyped,
    input: &[f32],
    expected: &[f32],
) -> Result<(), Error> {
    let mut scratch = Scratch::new();
    for level in Level::available() {
        let found = kernels.evaluate(level, &mut scratch, input);
        if found
            .iter()
            .map(|value| value.to_bits())
            .ne(expected.iter().map(|value| value.to_bits()))
        {
            let message = format!(
                "{}: nothing was written: level {level} gives {found:?}, the reference {expected:?}",
                path.display()
            );
            return Err(Error::Mismatch(message));
        }
    }
    Ok(())
}

/// A batch of `rows` rows from `start`. The last row is repeated if the input ends earlier.
fn part(input: &Tensor, start: usize, rows: usize) -> Result<Arc<Tensor>, ImportError> {
    let (count, shape) = (input.shape()[0], [&[rows], &input.shape()[1..]].concat());
    let size = input.len() / count.max(1);
    let rows = (start..start + rows).map(|row| row.min(count - 1));
    input
        .picked(shape, rows.flat_map(|row| row * size..(row + 1) * size))
        .map(Arc::new)
}

/// Normally distributed numbers in the shape of the input.
fn random(folded: &Folded) -> Tensor {
    let shape = &folded.shapes[folded.graph.inputs[0]];
    let shape = [&[ROWS], &shape[1..]].concat();
    let mut random = fastrand::Rng::with_seed(1);
    // The sum of twelve uniform numbers is nearly normal.
    let mut number = || (0..12).map(|_| random.f32()).sum::<f32>() - 6.0;
    let count = shape.iter().product();
    Tensor::floats(&shape, (0..count).map(|_| number()).collect())
        .expect("the shape has so many numbers")
}

/// Reads the input and, if present, the outputs of a recorded file.
fn from_file(path: &Path, graph: &Graph) -> Result<(Tensor, Option<Vec<f32>>), Error> {
    let refuse = |message: String| Error::Network {
        path: path.to_owned(),
        message,
    };
    let file = bounded::read(path, MOST_OF_NETWORK)?;
    let arrays = npz::read(&file).map_err(|error| refuse(error.to_string()))?;
    let input = &graph.values[graph.inputs[0]];
    let names: Vec<&str> = arrays.iter().map(|(name, _)| name.as_str()).collect();
    // Exporters that rename inputs keep their order.
    let named = arrays
        .iter()
        .find(|(name, _)| *name == input.name)
        .or_else(|| arrays.iter().find(|(name, _)| name != EXPECTED));
    let (_, tensor) =
        named.ok_or_else(|| refuse(format!("there is no input; there are {names:?}")))?;
    let expected = arrays
        .iter()
        .find(|(name, _)| name == EXPECTED)
        .map(|(_, tensor)| tensor.to_floats());
    let dims = input.shape.as_deref().unwrap_or_default();
    let fits = tensor.shape().len() == dims.len()
        && tensor
            .shape()
            .iter()
            .zip(dims)
            .skip(1)
            .all(|(length, dim)| *dim == Dim::Fixed(*length))
        && !tensor.is_empty();
    match fits {
        true => Ok((tensor.clone(), expected)),
        false => Err(refuse(format!(
            "the input has the shape {:?}, which is not that of the graph",
            tensor.shape()
        ))),
    }
}
