//! Compares a declaration over features with its graph, in positions. The graph reads the rows of the feature
//! set; the declaration is evaluated in real numbers, before rounding.

use std::path::Path;

use crate::progress::Progress;
use fastrand::Rng;
use nnue_import::ImportError;
use nnue_import::declare::{Accumulated, Declared};
use nnue_import::evaluate::{Numbers, evaluate};
use nnue_import::fold::Folded;
use nnue_spec::reference::{Clipping, Position, RealTrace, trace_real};
use nnue_spec::rows::RowSets;
use nnue_spec::{NetDesc, Unit, ValueDesc};
use nnue_tools::quantize::{Arranged, FloatTensor, QuantizeError, Recipe};

use super::difference::{Difference, judged};
use crate::error::Error;
use crate::input::{Sample, suite};

/// Random lists of rows that are compared.
const LISTS: usize = 200;

/// Reports the differences; an error if one is too large.
pub(super) fn compare(
    path: &Path,
    folded: &Folded,
    net: &NetDesc<'_>,
    imported: &Accumulated,
) -> Result<Vec<String>, Error> {
    let refuse = |message: String| Error::Network {
        path: path.to_owned(),
        message,
    };
    let (folded, recipe) = (&folded.unrounded(), Recipe::new(net));
    let arranged =
        arranged(net, &imported.declared, &recipe).map_err(|error| refuse(error.to_string()))?;
    let positions = samples(net, imported);
    let mut compared = Compared::new(net, imported, &recipe);
    let left_out = in_rows(folded, net, imported, &positions, |at, row| {
        let features = positions[at].features(net);
        let trace = trace_real(net, &arranged.scaled, &features, Clipping::Declared);
        compared.add(net, &trace, features.black_to_move, row);
    });
    let left_out = left_out.map_err(|error| refuse(error.to_string()))?;
    let count = positions.len() - left_out;
    if count == 0 {
        return Err(refuse(
            "no position has as many rows as its lists: pad them with -1, or with a row of zeros"
                .into(),
        ));
    }
    let left_out = if left_out == 0 {
        String::new()
    } else {
        format!(" ({left_out} have other numbers of rows)")
    };
    judged(
        path,
        format!("Compared in {count} positions{left_out}, before rounding:"),
        &compared.all(),
    )
}

/// Random lists of rows, or the built-in positions. Half of the lists are as long as the graph's, the others shorter where
/// it has an entry for no row.
pub(super) fn samples(net: &NetDesc<'_>, imported: &Accumulated) -> Vec<Sample> {
    let Some(shape) = net.rows_shape() else {
        return suite().map(Sample::from).collect();
    };
    let mut random = Rng::with_seed(1);
    let most = shape.most_active as usize;
    let mut list = |position: usize| {
        let is_full = imported.padding.is_none() || position.is_multiple_of(2);
        let count = if is_full { most } else { random.usize(0..most) };
        random.choose_multiple(0..shape.rows, count)
    };
    let sample = |position: usize| {
        let lists = [list(position), list(position + 1)];
        let rows = match shape.lists {
            1 => RowSets::of(&shape, &lists[0]),
            _ => RowSets::of(&shape, &lists),
        };
        Sample::of_rows(&rows.expect("each row once"))
    };
    (0..LISTS).map(sample).collect()
}

/// The floats of a network, arranged for the quantiser.
pub(super) fn arranged(
    net: &NetDesc<'_>,
    declared: &Declared,
    recipe: &Recipe,
) -> Result<Arranged, QuantizeError> {
    Arranged::new(net, floats(declared), recipe)
}

/// The floats of a network as the quantiser takes them.
pub(super) fn floats(declared: &Declared) -> Vec<FloatTensor> {
    let tensors = declared.tensors.iter().map(|tensor| FloatTensor {
        name: tensor.name.clone(),
        shape: tensor.shape.clone(),
        values: tensor.values.clone(),
    });
    tensors.collect()
}

/// Evaluates the graph and calls `read` with the index and the row of each position. Returns how many
/// positions were left out because their number of rows differs from the graph's lists.
pub(super) fn in_rows(
    folded: &Folded,
    net: &NetDesc<'_>,
    imported: &Accumulated,
    positions: &[Sample],
    mut read: impl FnMut(usize, Row<'_>),
) -> Result<usize, ImportError> {
    let (mut left_out, mut start) = (0, 0);
    let progress = Progress::new("comparing positions", positions.len() as u64);
    for positions in positions.chunks(folded.rows) {
        // The graph takes a fixed number of positions: the last one is repeated.
        let all: Vec<&dyn Position> = (0..folded.rows)
            .map(|row| &positions[row.min(positions.len() - 1)] as _)
            .collect();
        match imported.inputs_in(folded, net, &all) {
            None => left_out += positions.len(),
            Some(inputs) => {
                let numbers = evaluate(&folded.graph, &inputs)?;
                for row in 0..positions.len() {
                    read(
                        start + row,
                        Row {
                            numbers: &numbers,
                            row,
                            folded,
                        },
                    );
                    progress.step();
                }
            }
        }
        start += positions.len();
    }
    Ok(left_out)
}

#[derive(Clone, Copy)]
pub(super) struct Row<'a> {
    numbers: &'a Numbers,
    row: usize,
    folded: &'a Folded,
}

impl Row<'_> {
    fn of(self, id: usize) -> Vec<f32> {
        let all = self.numbers[id]
            .as_ref()
            .map_or(Vec::new(), |tensor| tensor.to_floats());
        let width = all.len() / self.folded.rows;
        all[self.row * width..][..width].to_vec()
    }

    fn output(self) -> Vec<f32> {
        self.of(self.folded.graph.outputs[0])
    }
}

/// The counterpart of a graph value in the declared network.
enum Place {
    Accumulator(usize),
    /// the accumulator of Black's or White's pieces
    Side {
        black: bool,
    },
    Layer(usize),
    Value(usize),
}

pub(super) struct Compared {
    value: Difference,
    /// network value of a graph output of 1.0
    scale: f64,
    /// factor of both values in the report
    shown: f64,
    layers: Vec<Layer>,
}

/// A graph value that the network has as well.
struct Layer {
    id: usize,
    place: Place,
    /// scale in the network; `raise` is the amount by which the import raised the biases
    factor: f64,
    raise: f32,
    difference: Difference,
}

impl Compared {
    /// For the declaration before rounding.
    fn new(net: &NetDesc<'_>, imported: &Accumulated, recipe: &Recipe) -> Self {
        Self::with(net, imported, recipe, "declaration")
    }

    /// For the kernels of an imported network with raised biases.
    pub(super) fn rounded(net: &NetDesc<'_>, imported: &Accumulated, recipe: &Recipe) -> Self {
        let mut compared = Self::with(net, imported, recipe, "kernels");
        compared.shown = compared.scale;
        for layer in &mut compared.layers {
            if let Place::Layer(number) = layer.place
                && imported.rounded.contains(&format!("fc{number}"))
            {
                layer.raise = Accumulated::HALF_STEP;
            }
        }
        compared
    }

    fn with(net: &NetDesc<'_>, imported: &Accumulated, recipe: &Recipe, what: &str) -> Self {
        let factor = |tensor: &str| {
            let at = net.tensors.iter().position(|one| one.name == tensor)?;
            Some(recipe.factors[at] * imported.stretch_of(tensor))
        };
        let named = |name: &str| {
            let buffer = net.buffers.iter().position(|buffer| buffer.name == name)?;
            let unit = if net.buffers[buffer].source.is_float() {
                1.0
            } else {
                one_of(net.unit_of(buffer))
            };
            Some((Place::Value(buffer), unit))
        };
        let layer = |(name, id): &(String, usize)| {
            let (place, factor) = match name.as_str() {
                _ if named(name).is_some() => named(name)?,
                "acc" => (Place::Accumulator(0), factor("ft_bias")?),
                "second" => (Place::Accumulator(1), factor("ft_bias")?),
                "white" | "black" => (
                    Place::Side {
                        black: name == "black",
                    },
                    factor("ft_bias")?,
                ),
                _ => (
                    Place::Layer(name.strip_prefix("fc")?.parse().ok()?),
                    factor(&format!("{name}_bias"))?,
                ),
            };
            let difference = Difference::new(format!("{name}, {what} and graph"));
            Some(Layer {
                id: *id,
                place,
                factor,
                raise: 0.0,
                difference,
            })
        };
        let layers = imported.declared.layers.iter().filter_map(layer).collect();
        let output =
            factor("ft_psqt").or_else(|| factor(&format!("fc{}_bias", net.layers.len() - 1)));
        let value = Difference::new(format!("value, {what} and graph"));
        Self {
            value,
            scale: scale(net, output),
            shown: 1.0,
            layers,
        }
    }

    pub(super) fn add(
        &mut self,
        net: &NetDesc<'_>,
        trace: &RealTrace,
        black_to_move: bool,
        row: Row<'_>,
    ) {
        let found = trace.value / self.scale * self.shown;
        self.value.add(
            &[value(net, &row.output()) * self.shown as f32],
            &[found as f32],
        );
        for Layer {
            id,
            place,
            factor,
            raise,
            difference,
        } in &mut self.layers
        {
            let found = match *place {
                Place::Accumulator(perspective) => &trace.accumulators[perspective],
                Place::Side { black } => &trace.accumulators[usize::from(black != black_to_move)],
                Place::Layer(layer) => &trace.sums[layer],
                Place::Value(buffer) => &trace.buffers[buffer],
            };
            let found: Vec<f32> = found
                .iter()
                .map(|value| (value / *factor) as f32 - *raise)
                .collect();
            difference.add(&row.of(*id), &found);
        }
    }

    pub(super) fn all(self) -> Vec<Difference> {
        std::iter::once(self.value)
            .chain(self.layers.into_iter().map(|layer| layer.difference))
            .collect()
    }
}

/// Units per 1.0.
fn one_of(unit: Unit) -> f64 {
    unit.den as f64 / unit.num as f64
}

/// The network value of a graph output of 1.0. `output` is the scale of the PSQT or last layer outputs.
fn scale(net: &NetDesc<'_>, output: Option<f64>) -> f64 {
    match net.value {
        ValueDesc::Together { divide } => output.unwrap_or(1.0) / f64::from(divide),
        ValueDesc::Float { scale } => scale.real(),
        ValueDesc::Sigmoid { scale } | ValueDesc::Wdl { scale } => f64::from(scale),
        _ => 1.0,
    }
}

/// The value of a row of outputs: a number, or the expected score of loss, draw and win.
fn value(net: &NetDesc<'_>, outputs: &[f32]) -> f32 {
    match (net.value, outputs) {
        (ValueDesc::Wdl { .. }, &[_, draw, win]) => win + draw / 2.0,
        _ => outputs[0],
    }
}
