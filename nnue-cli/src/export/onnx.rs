//! `nnue export onnx`: a network and its weights as a graph that other engines evaluate.

use std::io::Write;

use nnue_command::note::note;
use nnue_command::progress::Progress;
use nnue_import::evaluate::evaluate;
use nnue_import::export::{Inputs, expected, onnx};
use nnue_import::{Data, Graph, Tensor, npz};
use nnue_spec::reference::Board;
use nnue_spec::{NetDesc, TensorRef};

use super::onnx_dense;
use crate::args::ExportOnnxArgs;
use crate::declaration::{self, Declaration};
use crate::error::Error;
use crate::input::suite;
use crate::network::{Evaluator, Opened, open_either, open_plan};
use crate::output;

/// Positions at a time.
const ROWS: usize = 16;

/// How far floats may be that are added in another order, in parts of the largest value.
const TOLERANCE: f64 = 1e-5;

/// Why there are no inputs of positions.
const UNKNOWN_ROWS: &str =
    "code of a program takes part, which alone says what the inputs are: leave out --check and --vectors";

/// Runs the command.
pub(super) fn run(args: &ExportOnnxArgs, out: &mut dyn Write) -> Result<(), Error> {
    output::refuse_same(Some(&args.output), &[("the network", args.net.net.as_deref())])?;
    output::refuse_same(
        args.vectors.as_deref(),
        &[("the network", args.net.net.as_deref()), ("the model", Some(&args.output))],
    )?;
    let opened: Opened<dyn Evaluator> = match &args.declared.declaration {
        None => open_either(&args.net, &args.declared, None)?,
        Some(declaration) => match declaration::read_either(declaration)? {
            Declaration::Dense(graph) => return onnx_dense::run(args, &graph.desc(), out),
            Declaration::Accumulated(read) => {
                let (plan, _) = *read;
                let Opened { network, known, source, reason } = open_plan(args.weights_of(&plan.name)?, plan)?;
                Opened { network, known, source, reason }
            }
        },
    };
    let (net, tensors) = (opened.network.spec(), opened.network.tensors());
    let file = onnx(net, &tensors).map_err(|error| Error::Argument(error.to_string()))?;
    let inputs = Inputs::of(net);
    let compared = if args.check { Some(compared(net, &tensors, &inputs, &file)?) } else { None };
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
    writeln!(out, "written    {}, {} bytes, ONNX with opset 17", args.output.display(), file.len())?;
    for name in &inputs.rows {
        let Inputs { listed, padding, .. } = inputs;
        writeln!(
            out,
            "input      {name} [n, {listed}] of i64: the active rows, filled up with {padding}, the number of a row of zeros"
        )?;
    }
    match inputs.stack {
        Some("pieces") => writeln!(out, "input      pieces [n, 1] of i64: the number of pieces, kings included")?,
        Some(name) => writeln!(out, "input      {name} [n, 1] of i64: the number of the layer stack")?,
        None => {}
    }
    let kind = if net.value.is_float() { "f32, before it is cut off" } else { "i32, exactly" };
    writeln!(out, "output     value [n, 1] of {kind}, from the point of view of `{}`", inputs.rows[0])?;
    match compared {
        Some(line) => writeln!(out, "compared   {line}")?,
        None => note!("the graph was not compared with the network: --check does"),
    }
    Ok(())
}

/// What a comparison of the graph with the reference interpreter says, in the built-in positions.
fn compared(net: &NetDesc<'_>, tensors: &[TensorRef<'_>], inputs: &Inputs, file: &[u8]) -> Result<String, Error> {
    let refuse = |message: String| Error::Mismatch(format!("nothing was written: {message}"));
    let graph = nnue_import::onnx::read(file.to_vec(), None).map_err(|error| refuse(error.to_string()))?;
    let boards: Vec<Board> = suite().map(|given| given.position.plain()).collect();
    let (mut worst, mut largest) = (0.0_f64, 0.0_f64);
    let progress = Progress::new("comparing positions", boards.len() as u64);
    for boards in boards.chunks(ROWS) {
        let values = values(&graph, net, inputs, boards).map_err(refuse)?;
        for (board, found) in boards.iter().zip(values) {
            let expected = expected(net, tensors, board);
            worst = worst.max((found - expected).abs());
            largest = largest.max(expected.abs());
            progress.step();
        }
    }
    drop(progress);
    let tolerance = if net.value.is_float() { TOLERANCE * largest } else { 0.0 };
    let line = format!("differs by {worst} at most in {} positions, values are up to {largest:.0}", boards.len());
    if worst <= tolerance { Ok(line) } else { Err(refuse(line)) }
}

/// The values that the graph gives.
fn values(graph: &Graph, net: &NetDesc<'_>, inputs: &Inputs, boards: &[Board]) -> Result<Vec<f64>, String> {
    let inputs = inputs.in_positions(net, boards);
    let inputs = inputs.ok_or(UNKNOWN_ROWS)?;
    let numbers = evaluate(graph, &inputs).map_err(|error| error.to_string())?;
    let value = numbers[graph.outputs[0]].as_ref().map_or(Vec::new(), |tensor| tensor.to_floats());
    Ok(value.into_iter().map(f64::from).collect())
}

/// The inputs of the built-in positions by their names, and what the reference interpreter says there, as `expected`.
fn vectors(net: &NetDesc<'_>, tensors: &[TensorRef<'_>], inputs: &Inputs) -> Result<Vec<u8>, Error> {
    let boards: Vec<Board> = suite().map(|given| given.position.plain()).collect();
    let arrays = inputs.in_positions(net, &boards).ok_or_else(|| Error::Argument(UNKNOWN_ROWS.into()))?;
    let values: Vec<f64> = boards.iter().map(|board| expected(net, tensors, board)).collect();
    let values = match net.value.is_float() {
        true => Data::F32(values.into_iter().map(|value| value as f32).collect()),
        false => Data::I64(values.into_iter().map(|value| value as i64).collect()),
    };
    let expected = Tensor::new(vec![boards.len(), 1], values).map_err(|error| Error::Argument(error.to_string()))?;
    let names = inputs.rows.iter().copied().chain(inputs.stack);
    let arrays = names.zip(arrays.iter().map(AsRef::as_ref)).chain([("expected", &expected)]);
    Ok(npz::write(&arrays.collect::<Vec<_>>()))
}
