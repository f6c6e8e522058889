//! `nnue export onnx`: a network with its weights as a graph for other engines.

use std::io::Write;

use crate::note::note;
use crate::progress::Progress;
use nnue_import::evaluate::evaluate;
use nnue_import::export::{Form, Inputs, expected, expected_head, onnx};
use nnue_import::{Data, Tensor, npz};
use nnue_spec::reference::Board;
use nnue_spec::{HeadKind, NetDesc, TensorRef};

use super::onnx_dense;
use crate::args::ExportOnnxArgs;
use crate::declaration::{self, Declaration};
use crate::error::Error;
use crate::input::suite;
use crate::network::{Evaluator, Opened, open_either, open_plan};
use crate::output;

const ROWS: usize = 16;

/// Allowed rounding difference of floats, added in another order, relative to the largest value.
const TOLERANCE: f64 = 1e-5;

/// The error if a program defines the features.
const UNKNOWN_ROWS: &str =
    "functions of a program define the inputs: leave out --check and --vectors";

pub(super) fn run(args: &ExportOnnxArgs, out: &mut dyn Write) -> Result<(), Error> {
    output::refuse_same(
        Some(&args.output),
        &[("the network", args.net.net.as_deref())],
    )?;
    output::refuse_same(
        args.vectors.as_deref(),
        &[
            ("the network", args.net.net.as_deref()),
            ("the model", Some(&args.output)),
        ],
    )?;
    let opened: Opened<dyn Evaluator> = match &args.declared.declaration {
        None => open_either(&args.net, &args.declared, None)?,
        Some(declaration) => match declaration::read_either(declaration)? {
            Declaration::Dense(graph) => return onnx_dense::run(args, &graph.desc(), out),
            Declaration::Accumulated(read) => {
                let (plan, _) = *read;
                open_plan(args.weights_of(&plan.name)?, plan)?.into()
            }
        },
    };
    let (net, tensors) = (opened.network.spec(), opened.network.tensors());
    let form = if args.qdq {
        Form::Qdq
    } else {
        Form::WholeNumbers
    };
    let file = onnx(net, &tensors, form).map_err(|error| Error::Argument(error.to_string()))?;
    let inputs = Inputs::of(net);
    let compared = if args.check {
        Some(compared(net, &tensors, &inputs, &file)?)
    } else {
        None
    };
    let vectors = match &args.vectors {
        Some(path) => Some((path, vectors(net, &tensors, &inputs)?)),
        None => None,
    };
    output::write(&args.output, &file)?;
    if let Some((path, arrays)) = vectors {
        output::write(path, &arrays)?;
    }
    writeln!(out, "network    {}: {}", net.name, net.notation)?;
    writeln!(out, "weights    {}", opened.source)?;
    writeln!(
        out,
        "written    {}, {} bytes, ONNX with opset 17{}",
        args.output.display(),
        file.len(),
        if args.qdq { ", QDQ" } else { "" }
    )?;
    for name in &inputs.rows {
        let Inputs {
            listed, padding, ..
        } = inputs;
        writeln!(
            out,
            "input      {name} [n, {listed}] of i64: the active rows, padded with {padding}, the number of a row of zeros"
        )?;
    }
    match inputs.stack {
        Some("pieces") => writeln!(
            out,
            "input      pieces [n, 1] of i64: the number of pieces, kings included"
        )?,
        Some(name) => writeln!(
            out,
            "input      {name} [n, 1] of i64: the number of the layer stack"
        )?,
        None => {}
    }
    for output in outputs(net) {
        writeln!(out, "output     {}", output.described(net, inputs.rows[0]))?;
    }
    match compared {
        Some(line) => writeln!(out, "compared   {line}")?,
        None => note!("the graph was not compared with the network: --check does"),
    }
    Ok(())
}

/// Compares the graph of a file with the reference interpreter, in the built-in positions, and returns the
/// report.
pub(crate) fn compared(
    net: &NetDesc<'_>,
    tensors: &[TensorRef<'_>],
    inputs: &Inputs,
    file: &[u8],
) -> Result<String, Error> {
    let refuse = |message: String| Error::Mismatch(format!("nothing was written: {message}"));
    let graph =
        nnue_import::onnx::read(file.to_vec(), None).map_err(|error| refuse(error.to_string()))?;
    let boards: Vec<Board> = suite().map(|given| given.position.plain()).collect();
    let outputs = outputs(net);
    // for each output: greatest difference, largest number
    let mut differences = vec![(0.0_f64, 0.0_f64); outputs.len()];
    let progress = Progress::new("comparing positions", boards.len() as u64);
    for boards in boards.chunks(ROWS) {
        let arrays = inputs
            .in_positions(net, boards)
            .ok_or_else(|| refuse(UNKNOWN_ROWS.into()))?;
        let numbers = evaluate(&graph, &arrays).map_err(|error| refuse(error.to_string()))?;
        for ((output, id), (worst, largest)) in
            outputs.iter().zip(&graph.outputs).zip(&mut differences)
        {
            let found = numbers[*id]
                .as_ref()
                .map_or(Vec::new(), |tensor| tensor.to_doubles());
            let expected: Vec<f64> = boards
                .iter()
                .flat_map(|board| output.expected(net, tensors, board))
                .collect();
            if found.len() != expected.len() {
                let name = output.name(net);
                return Err(refuse(format!(
                    "`{name}` has {} numbers, expected {}",
                    found.len(),
                    expected.len()
                )));
            }
            for (found, expected) in found.into_iter().zip(expected) {
                *worst = worst.max((found - expected).abs());
                *largest = largest.max(expected.abs());
            }
        }
        boards.iter().for_each(|_| progress.step());
    }
    drop(progress);
    let mut lines = Vec::new();
    for (output, (worst, largest)) in outputs.iter().zip(differences) {
        let line = match output {
            Output::Value => {
                format!(
                    "differs by {worst} at most in {} positions, values are up to {largest:.0}",
                    boards.len()
                )
            }
            Output::Head(_) => {
                format!(
                    "`{}` by {worst:.1e} at most, numbers are up to {largest:.3}",
                    output.name(net)
                )
            }
        };
        if worst > output.tolerance(net) * largest {
            return Err(refuse(line));
        }
        lines.push(line);
    }
    Ok(lines.join("; "))
}

enum Output {
    Value,
    /// index of the named output
    Head(usize),
}

fn outputs(net: &NetDesc<'_>) -> Vec<Output> {
    let value = (!net.output.terms.is_empty()).then_some(Output::Value);
    value
        .into_iter()
        .chain((0..net.heads.len()).map(Output::Head))
        .collect()
}

impl Output {
    fn name<'a>(&self, net: &NetDesc<'a>) -> &'a str {
        match self {
            Self::Value => "value",
            Self::Head(index) => net.heads[*index].name,
        }
    }

    fn expected(&self, net: &NetDesc<'_>, tensors: &[TensorRef<'_>], board: &Board) -> Vec<f64> {
        match self {
            Self::Value => vec![expected(net, tensors, board)],
            Self::Head(index) => expected_head(net, tensors, board, *index)
                .into_iter()
                .map(f64::from)
                .collect(),
        }
    }

    /// The allowed difference, relative to the largest number.
    fn tolerance(&self, net: &NetDesc<'_>) -> f64 {
        match self {
            Self::Value if !net.value.is_float() => 0.0,
            _ => TOLERANCE,
        }
    }

    fn described(&self, net: &NetDesc<'_>, us: &str) -> String {
        match self {
            Self::Value => {
                let kind = if net.value.is_float() {
                    "f32, before it is cut off"
                } else {
                    "i32, exactly"
                };
                format!("value [n, 1] of {kind}, from the point of view of `{us}`")
            }
            Self::Head(index) => {
                let head = &net.heads[*index];
                let what = match head.kind {
                    HeadKind::Wdl => "probabilities of a loss, a draw and a win",
                    HeadKind::Rows => "all rows",
                    HeadKind::Numbers => "in units of 1.0",
                };
                format!("{} [n, {}] of f32: {what}", head.name, head.len)
            }
        }
    }
}

/// The inputs of the built-in positions by name, and the reference outputs: the value as `expected`, others
/// as `expected_NAME`.
fn vectors(
    net: &NetDesc<'_>,
    tensors: &[TensorRef<'_>],
    inputs: &Inputs,
) -> Result<Vec<u8>, Error> {
    let boards: Vec<Board> = suite().map(|given| given.position.plain()).collect();
    let arrays = inputs
        .in_positions(net, &boards)
        .ok_or_else(|| Error::Argument(UNKNOWN_ROWS.into()))?;
    let mut recorded = Vec::new();
    for output in outputs(net) {
        let numbers: Vec<f64> = boards
            .iter()
            .flat_map(|board| output.expected(net, tensors, board))
            .collect();
        let shape = vec![boards.len(), numbers.len() / boards.len()];
        let (name, data) = match output {
            Output::Value if !net.value.is_float() => (
                "expected".to_owned(),
                Data::I64(numbers.into_iter().map(|number| number as i64).collect()),
            ),
            _ => {
                let name = if matches!(output, Output::Value) {
                    String::new()
                } else {
                    format!("_{}", output.name(net))
                };
                (
                    format!("expected{name}"),
                    Data::F32(numbers.into_iter().map(|number| number as f32).collect()),
                )
            }
        };
        recorded.push((
            name,
            Tensor::new(shape, data).map_err(|error| Error::Argument(error.to_string()))?,
        ));
    }
    let names = inputs.rows.iter().copied().chain(inputs.stack);
    let arrays = names.zip(arrays.iter().map(AsRef::as_ref));
    let recorded = recorded
        .iter()
        .map(|(name, tensor)| (name.as_str(), tensor));
    Ok(npz::write(&arrays.chain(recorded).collect::<Vec<_>>()))
}
