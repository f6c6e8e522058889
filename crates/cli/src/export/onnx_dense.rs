//! `nnue export onnx` for networks over a dense input.

use std::io::Write;
use std::sync::Arc;

use crate::note::note;
use nnue_format::dense::{read, size};
use nnue_import::evaluate::evaluate;
use nnue_import::export::dense;
use nnue_import::{Tensor, npz};
use nnue_spec::dense::{DenseDesc, Shape, reference};

use crate::args::ExportOnnxArgs;
use crate::error::Error;
use crate::input::network_file;
use crate::output;

const ROWS: usize = 64;

/// Allowed rounding difference of sums in another order, relative to the largest output.
const TOLERANCE: f32 = 1e-5;

pub(super) fn run(
    args: &ExportOnnxArgs,
    net: &DenseDesc<'_>,
    out: &mut dyn Write,
) -> Result<(), Error> {
    if args.qdq {
        return Err(Error::Argument(format!(
            "--qdq is for layers of 8-bit weights, and `{}` has floats",
            net.name
        )));
    }
    let path = args.weights_of(net.name)?;
    let refuse = |message: String| Error::Network {
        path: path.to_owned(),
        message,
    };
    let weights = network_file::read(path, size(net) as u64)?;
    let tensors = read(net, &weights).map_err(|error| refuse(error.to_string()))?;
    let file = dense(net, &tensors).map_err(|error| Error::Argument(error.to_string()))?;
    let (x, expected) = random(net, &tensors).map_err(|error| refuse(error.to_string()))?;
    let compared = if args.check {
        Some(compared(&file, &x, &expected)?)
    } else {
        None
    };
    output::write(&args.output, &file)?;
    if let Some(path) = &args.vectors {
        output::write(path, &npz::write(&[("x", &x), ("expected", &expected)]))?;
    }
    writeln!(out, "network    {}: {}", net.name, net.notation())?;
    writeln!(out, "weights    {}", path.display())?;
    writeln!(
        out,
        "written    {}, {} bytes, ONNX with opset 17",
        args.output.display(),
        file.len()
    )?;
    writeln!(out, "input      x [n, {}] of f32", lengths(net.input()))?;
    writeln!(
        out,
        "output     output [n, {}] of f32",
        lengths(net.output())
    )?;
    match compared {
        Some(line) => writeln!(out, "compared   {line}")?,
        None => note!("the graph was not compared with the network: --check does"),
    }
    Ok(())
}

/// `3, 8, 8`
fn lengths(shape: Shape) -> String {
    match shape {
        Shape::Flat(length) => length.to_string(),
        Shape::Planes([channels, height, width]) => format!("{channels}, {height}, {width}"),
    }
}

/// Random inputs, and the reference outputs.
fn random(
    net: &DenseDesc<'_>,
    tensors: &[Vec<f32>],
) -> Result<(Tensor, Tensor), nnue_import::ImportError> {
    let mut random = fastrand::Rng::with_seed(1);
    let inputs: Vec<f32> = (0..ROWS * net.input().len())
        .map(|_| 4.0 * random.f32() - 2.0)
        .collect();
    let rows = inputs.chunks_exact(net.input().len());
    let outputs = rows
        .flat_map(|row| {
            reference::evaluate(net, tensors, row)
                .pop()
                .unwrap_or_default()
        })
        .collect();
    let shaped = |shape: Shape| match shape {
        Shape::Flat(length) => vec![ROWS, length],
        Shape::Planes([channels, height, width]) => vec![ROWS, channels, height, width],
    };
    Ok((
        Tensor::floats(&shaped(net.input()), inputs)?,
        Tensor::floats(&shaped(net.output()), outputs)?,
    ))
}

/// Compares the graph with the reference outputs and returns the report.
fn compared(file: &[u8], x: &Tensor, expected: &Tensor) -> Result<String, Error> {
    let refuse = |message: String| Error::Mismatch(format!("nothing was written: {message}"));
    let graph =
        nnue_import::onnx::read(file.to_vec(), None).map_err(|error| refuse(error.to_string()))?;
    let numbers =
        evaluate(&graph, &[Arc::new(x.clone())]).map_err(|error| refuse(error.to_string()))?;
    let found = numbers[graph.outputs[0]]
        .as_ref()
        .map_or(Vec::new(), |tensor| tensor.to_floats());
    let expected = expected.to_floats();
    let largest = expected
        .iter()
        .fold(0.0, |largest: f32, value| largest.max(value.abs()));
    let worst = found
        .iter()
        .zip(&expected)
        .fold(0.0, |worst: f32, (a, b)| worst.max((a - b).abs()));
    let line = format!(
        "differs by {worst:.1e} at most in {ROWS} random rows, numbers are up to {largest:.3}"
    );
    if found.len() == expected.len() && worst <= TOLERANCE * largest {
        Ok(line)
    } else {
        Err(refuse(line))
    }
}
