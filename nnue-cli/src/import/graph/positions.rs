//! Compares a declaration over features with the graph that it was made of, in positions: the graph reads the rows that the feature set has there, the
//! declaration is evaluated in real numbers, before anything is rounded.

use std::path::Path;

use nnue_command::progress::Progress;
use nnue_format::quantize::{Arranged, FloatTensor, Recipe};
use nnue_import::declare::Accumulated;
use nnue_import::evaluate::{Numbers, evaluate};
use nnue_import::fold::Folded;
use nnue_spec::reference::{Board, Clipping, RealTrace, trace_real};
use nnue_spec::{NetDesc, ValueDesc};

use super::difference::{Difference, judged};
use crate::error::Error;
use crate::input::suite;

/// Lines that say how far both are from each other, or that they are too far.
pub(super) fn compare(
    path: &Path,
    folded: &Folded,
    net: &NetDesc<'_>,
    imported: &Accumulated,
) -> Result<Vec<String>, Error> {
    let refuse = |message: String| Error::Network { path: path.to_owned(), message };
    let (folded, recipe) = (&folded.unrounded(), Recipe::new(net));
    let floats = imported.declared.tensors.iter().map(|tensor| FloatTensor {
        name: tensor.name.clone(),
        shape: tensor.shape.clone(),
        values: tensor.values.clone(),
    });
    let arranged = Arranged::new(net, floats.collect(), &recipe).map_err(|error| refuse(error.to_string()))?;
    let boards: Vec<Board> = suite().map(|given| given.position.plain()).collect();
    let mut compared = Compared::new(net, imported, &recipe);
    let (mut left_out, mut count) = (0, 0);
    let progress = Progress::new("comparing positions", boards.len() as u64);
    for boards in boards.chunks(folded.rows) {
        // The last position is repeated to as many as the graph takes.
        let all: Vec<&Board> = (0..folded.rows).map(|row| &boards[row.min(boards.len() - 1)]).collect();
        let Some(inputs) = imported.inputs_in(folded, net, &all) else {
            left_out += boards.len();
            continue;
        };
        let numbers = evaluate(&folded.graph, &inputs).map_err(|error| refuse(error.to_string()))?;
        for (row, board) in boards.iter().enumerate() {
            let trace = trace_real(net, &arranged.scaled, board, Clipping::Declared);
            compared.add(net, &trace, |id| of_row(&numbers, id, row, folded.rows), folded.graph.outputs[0]);
            count += 1;
            progress.step();
        }
    }
    drop(progress);
    if count == 0 {
        return Err(refuse(
            "no position has as many rows as its lists: pad them with -1, or with a row of zeros".into(),
        ));
    }
    let left_out = if left_out == 0 { String::new() } else { format!(" ({left_out} have other numbers of rows)") };
    judged(path, format!("Compared in {count} positions{left_out}, before rounding:"), &compared.all())
}

/// A row of a value of the graph.
fn of_row(numbers: &Numbers, id: usize, row: usize, rows: usize) -> Vec<f32> {
    let all = numbers[id].as_ref().map_or(Vec::new(), |tensor| tensor.to_floats());
    let width = all.len() / rows;
    all[row * width..][..width].to_vec()
}

/// Where a value of the graph is in the declared network.
enum Place {
    Accumulator(usize),
    Layer(usize),
}

/// What is compared.
struct Compared {
    value: Difference,
    /// the value of an output of 1.0
    scale: f64,
    /// the value of the graph, that of the network, what 1.0 is there, and their difference
    layers: Vec<(usize, Place, f64, Difference)>,
}

impl Compared {
    fn new(net: &NetDesc<'_>, imported: &Accumulated, recipe: &Recipe) -> Self {
        let factor = |tensor: &str| {
            let at = net.tensors.iter().position(|one| one.name == tensor)?;
            let is_stretched = imported.stretched.iter().any(|name| tensor.starts_with(name.as_str()));
            Some(if is_stretched { recipe.factors[at] * 128.0 / 127.0 } else { recipe.factors[at] })
        };
        let layer = |(name, id): &(String, usize)| {
            let (place, factor) = match name.as_str() {
                "acc" => (Place::Accumulator(0), factor("ft_bias")?),
                "second" => (Place::Accumulator(1), factor("ft_bias")?),
                _ => (Place::Layer(name.strip_prefix("fc")?.parse().ok()?), factor(&format!("{name}_bias"))?),
            };
            Some((*id, place, factor, Difference::new(format!("{name}, declaration and graph"))))
        };
        let layers = imported.declared.layers.iter().filter_map(layer).collect();
        let output = factor("ft_psqt").or_else(|| factor(&format!("fc{}_bias", net.layers.len() - 1)));
        Self { value: Difference::new("value, declaration and graph"), scale: scale(net, output), layers }
    }

    fn add(&mut self, net: &NetDesc<'_>, trace: &RealTrace, of: impl Fn(usize) -> Vec<f32>, output: usize) {
        self.value.add(&[value(net, &of(output))], &[(trace.value / self.scale) as f32]);
        for (id, place, factor, difference) in &mut self.layers {
            let found = match *place {
                Place::Accumulator(perspective) => &trace.accumulators[perspective],
                Place::Layer(layer) => &trace.sums[layer],
            };
            let found: Vec<f32> = found.iter().map(|value| (value / *factor) as f32).collect();
            difference.add(&of(*id), &found);
        }
    }

    fn all(self) -> Vec<Difference> {
        std::iter::once(self.value).chain(self.layers.into_iter().map(|(.., difference)| difference)).collect()
    }
}

/// The value of an output of 1.0, of which PSQT outputs, or the last layer, have so many units.
fn scale(net: &NetDesc<'_>, output: Option<f64>) -> f64 {
    match net.value {
        ValueDesc::Together { divide } => output.unwrap_or(1.0) / f64::from(divide),
        ValueDesc::Float { scale } | ValueDesc::Sigmoid { scale } | ValueDesc::Wdl { scale } => f64::from(scale),
        _ => 1.0,
    }
}

/// The value of a row of outputs: the number, or the expected score of a loss, a draw and a win.
fn value(net: &NetDesc<'_>, outputs: &[f32]) -> f32 {
    match (net.value, outputs) {
        (ValueDesc::Wdl { .. }, &[_, draw, win]) => win + draw / 2.0,
        _ => outputs[0],
    }
}
