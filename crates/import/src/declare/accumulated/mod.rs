//! Declares networks with an accumulator: layers over rows of a feature set, which the caller names, because
//! a graph does not say what a row means.
//!
//! ```text
//!   Linear(stm), Linear(nstm) with the same weights ─► Concat ─► Clip ─► ..      acc = accumulate(768, 32 @ 255) x 2;   crelu(acc) ..
//!
//!   writer   layers, from the output backwards         reads       what they read
//!   views    how they read accumulators                pools       values of two values, gates
//!   whole    graphs that round                         output      terms that are added, PSQT outputs
//!   refused  what has no counterpart                   origin      rows, inputs, guesses
//!   order    in which order a trainer numbers rows     positions   the inputs in positions
//!                                                      source      rows of graphs that list them
//! ```

mod order;
mod origin;
mod output;
mod pools;
mod positions;
mod reads;
mod refused;
mod source;
mod views;
mod whole;
mod writer;

use super::report::report;
use super::{Declared, Weights};
use crate::error::ImportError;
use crate::fold::Folded;
use crate::graph::Graph;
use crate::recognise::{Head, Recognised, Selector, recognise};
pub use order::{Golden, Order};
pub use positions::Given;
use reads::BOTH;
pub use source::row_source;
use whole::Whole;
use writer::Writer;

/// A declared network with an accumulator, and how it relates to the graph.
#[derive(Clone, Debug)]
pub struct Accumulated {
    /// declaration, tensors and the clause of each node
    pub declared: Declared,
    /// number of rows of the feature set in the graph
    pub rows: usize,
    /// meaning of each input of the graph
    pub inputs: Vec<Given>,
    /// padding of lists; nothing where all entries are rows
    pub padding: Option<i64>,
    /// order of the rows in the graph
    pub order: Order,
    /// tensors (by prefix: `fc0`, `ft_psqt`) that are the graph's times a factor: in integers, 1.0 * 1.0 is
    /// 127 / 128, and 1.0 of `quantmoid4` is 126 / 127
    pub stretched: Vec<(String, f32)>,
    /// layers (by prefix) whose sums the graph rounds to nearest and the network rounds down
    pub rounded: Vec<String>,
    /// facts that the graph does not say, filled in
    pub guesses: Vec<String>,
}

impl Accumulated {
    /// Half a step of bytes, which [`raised`](Self::raised) adds to biases.
    pub const HALF_STEP: f32 = whole::HALF_STEP;

    /// The factor between a tensor and its values in the graph.
    pub fn stretch_of(&self, tensor: &str) -> f64 {
        let is_of = |name: &str| {
            tensor
                .strip_prefix(name)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('_'))
        };
        self.stretched
            .iter()
            .find(|(name, _)| is_of(name))
            .map_or(1.0, |(_, stretch)| f64::from(*stretch))
    }

    /// Adds half a step to the biases of layers that the graph rounds to nearest, because the network rounds
    /// down.
    pub fn raised(mut self) -> Self {
        whole::raise(&mut self.declared.tensors, &self.rounded);
        self
    }
}

/// Refuses unsupported pieces in a part of a graph.
pub(super) fn check(folded: &Folded, recognised: &Recognised) -> Result<(), ImportError> {
    Writer::new(folded, recognised).refuse_what_is_not_recognised()
}

/// Declares a graph as a network with an accumulator of `features`.
///
/// # Errors
///
/// [`ImportError`]: nodes, inputs or outputs have no counterpart; perspectives have different weights.
pub fn declare(
    graph: &Graph,
    folded: &Folded,
    name: &str,
    features: &str,
) -> Result<Accumulated, ImportError> {
    let recognised = recognise(folded, true)?;
    let mut writer = Writer::new(folded, &recognised);
    writer.refuse_what_is_not_recognised()?;
    let output = writer.output();
    let output = writer.or_refused(output)?;
    if let (Some(piece), Some(_)) = (writer.plain, &writer.stacks) {
        let refused = writer.refuse(piece, "all layers have stacks, or none");
        writer.noted(Err(refused), ())?;
    }
    if let (Some(piece), [_, _]) = (writer.single, writer.perspectives.as_slice()) {
        let refused = writer.refuse(piece, BOTH);
        writer.noted(Err(refused), ())?;
    }
    let transformers = writer.transformers();
    if let Err(error @ ImportError::Unsupported(_)) = &transformers {
        writer.noted(Err(error.clone()), ())?;
    }
    writer.all_have_counterparts()?;
    let transformers = transformers?;
    writer.check_psqt()?;
    let two = if writer.perspectives.len() == 2 {
        " x 2"
    } else {
        ""
    };
    if writer.psqt.is_some() {
        writer.whole = None;
    }
    let (scale, psqt) = match (&writer.psqt, writer.whole) {
        (Some(psqt), _) => (String::new(), format!(", psqt {}", psqt.outputs)),
        (None, Some(Whole { one: 127 })) => (String::new(), String::new()),
        (None, Some(Whole { one })) => (format!(" @ {one}"), String::new()),
        (None, None) => (" @ 255".into(), String::new()),
    };
    let width = transformers[0].bias.len();
    let separate = if transformers.len() == 2 {
        ", separate"
    } else {
        ""
    };
    let mut text = format!(
        "pub struct {name} {{\n    acc = accumulate({features}, {width}{scale}){two}{psqt}{separate};\n"
    );
    let body = std::mem::take(&mut writer.lines)
        .into_iter()
        .chain([format!("output {output};")]);
    match &writer.stacks {
        None => body.for_each(|line| text += &format!("    {line}\n")),
        Some((stacks, by)) => {
            let by = if let Selector::By(by) = by {
                format!(" by {by}")
            } else {
                String::new()
            };
            text += &format!("    stacks {stacks}{by} {{\n");
            body.for_each(|line| text += &format!("        {line}\n"));
            text += "    }\n";
        }
    }
    let mut guesses = writer.guesses();
    if features.starts_with("rows[") {
        guesses.retain(|guess| guess != order::ROWS_GUESS); // rows mean what the caller says
    }
    text += match recognised.head {
        Head::Softmax => "    value wdl * 1000;\n",
        Head::Plain if writer.sigmoid => "    value sigmoid(output) * 1000;\n",
        Head::Plain => "",
    };
    text += if writer.psqt.is_some() {
        "}\n"
    } else {
        "    format raw\n}\n"
    };
    let rows = transformers[0].weight.len() / width;
    let ft = transformers
        .into_iter()
        .zip(["ft", "ft_second"])
        .flat_map(|(transformer, name)| {
            [
                Weights {
                    name: format!("{name}_weight"),
                    shape: vec![width, rows],
                    values: transformer.weight.clone(),
                },
                Weights {
                    name: format!("{name}_bias"),
                    shape: vec![width],
                    values: transformer.bias.clone(),
                },
            ]
        });
    let inputs = writer.inputs();
    let (stretched, rounded) = (writer.stretched(), writer.rounded());
    let stretch = writer.stretch_of_skips();
    let psqt = writer.psqt.take().map(|psqt| Weights {
        name: "ft_psqt".into(),
        shape: vec![psqt.outputs, rows],
        values: psqt
            .weight
            .into_iter()
            .map(|weight| weight * stretch)
            .collect(),
    });
    let layers = writer.layers();
    let tensors = ft
        .chain(psqt)
        .chain(std::mem::take(&mut writer.tensors))
        .collect();
    let clauses = report(graph, folded, &recognised, |id| writer.clause(id));
    Ok(Accumulated {
        declared: Declared {
            text,
            tensors,
            clauses,
            layers,
            operations: Vec::new(),
        },
        rows,
        inputs,
        padding: recognised.padding,
        order: Order::DECLARED,
        stretched,
        rounded,
        guesses,
    })
}
