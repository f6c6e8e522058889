//! The operation of the language for each piece, with its operands.

use crate::op::Windows;
use crate::recognise::piece::{Affine, Function, Parts, Piece, PieceId, Pieces, Segment};

use super::Weights;

/// A piece as an operation of the language.
#[derive(Clone, Debug)]
pub(super) struct Word {
    /// `conv2d`, `relu`
    pub(super) name: &'static str,
    /// options after the operands: `16, kernel 3`
    pub(super) options: String,
    pub(super) reads: Parts,
    /// `true`: the parts form one concatenated operand; `false`: each part is an operand
    pub(super) joined: bool,
    /// name prefix and tensors: `weight`, `bias`, ..
    pub(super) tensors: Option<(&'static str, Vec<Weights>)>,
}

impl Word {
    fn of(name: &'static str, x: Segment) -> Self {
        Self {
            name,
            options: String::new(),
            reads: vec![x],
            joined: true,
            tensors: None,
        }
    }
}

/// The operation of a network over a dense input for a piece, or why there is none.
pub(super) fn word(pieces: &Pieces, id: PieceId) -> Result<Word, String> {
    let known = &pieces.0[id];
    match &known.piece {
        Piece::Input(0) => Ok(Word { reads: Parts::new(), ..Word::of("x", Segment { piece: id, start: 0, len: 0 }) }),
        Piece::Input(_) => Err("networks over a dense input have one; for inputs of two perspectives, name the set of features with `--features`".into()),
        Piece::Affine(affine) => layer(pieces, affine),
        Piece::Norm { x, tensors, eps } => {
            let options = if *eps == 1e-5 { String::new() } else { format!("eps {eps:?}") };
            Ok(Word { options, tensors: Some(("bn", norm(tensors.clone()))), ..Word::of("batch_norm", *x) })
        }
        Piece::Scale { x, factor, shift } => {
            // A variance of 1 and a negligible epsilon leave the values unchanged.
            let tensors = [factor.clone(), shift.clone(), vec![0.0; factor.len()], vec![1.0; factor.len()]];
            Ok(Word { options: "eps 1e-30".into(), tensors: Some(("bn", norm(tensors))), ..Word::of("batch_norm", *x) })
        }
        Piece::Activate { x, function } => activation(pieces, *x, *function),
        Piece::Pool { x, greatest, windows } => {
            let Windows { kernel: [kernel, _], stride: [stride, _], .. } = windows;
            let stride = if stride == kernel { String::new() } else { format!(", stride {stride}") };
            let name = if *greatest { "max_pool2d" } else { "avg_pool2d" };
            Ok(Word { options: format!("kernel {kernel}{stride}"), ..Word::of(name, *x) })
        }
        Piece::Flatten { x } => Ok(Word::of("flatten", *x)),
        Piece::Sum { a, b } => Ok(Word { reads: vec![*a, *b], joined: false, ..Word::of("add", *a) }),
        Piece::Product { .. } => {
            Err("networks over a dense input multiply no two values, but by `silu` and `hard_swish`".into())
        }
        Piece::Larger { .. } | Piece::Mean { .. } | Piece::Runs { .. } => {
            Err("networks over a dense input have no larger of two values and no mean of a list, but pools of planes (`max_pool2d`, `avg_pool2d`)".into())
        }
        Piece::Turned { .. } | Piece::Sided { .. } | Piece::Chosen { .. } => {
            Err("it follows who moves, or chooses a stack: for networks with an accumulator, name the set of features with `--features`".into())
        }
        Piece::Sign { .. } => Err("signs are read by layers and convolutions of signs alone".into()),
    }
}

/// A layer or a convolution, with weights of floats or of signs.
fn layer(pieces: &Pieces, affine: &Affine) -> Result<Word, String> {
    let outputs = affine.bias.len();
    let signs = |segment: &Segment| {
        if let Piece::Sign { x } = pieces.of(*segment) {
            Some((*x, *segment))
        } else {
            None
        }
    };
    let signs: Vec<_> = affine.x.iter().filter_map(signs).collect();
    let (mut options, mut reads) = (outputs.to_string(), affine.x.clone());
    let windows = affine.windows.map_or(String::new(), |windows| {
        let Windows {
            kernel: [kernel, _],
            stride: [stride, _],
            padding: [padding, _],
        } = windows;
        let stride = if stride == 1 {
            String::new()
        } else {
            format!(", stride {stride}")
        };
        let padding = if padding == 0 {
            String::new()
        } else {
            format!(", padding {padding}")
        };
        format!(", kernel {kernel}{stride}{padding}")
    });
    if signs.is_empty() {
        options += &windows;
    } else {
        let whole = signs.len() == reads.len()
            && signs.iter().all(|(_, segment)| pieces.is_whole(*segment));
        if !whole {
            return Err("a layer reads signs alone, or floats alone".into());
        }
        if affine
            .windows
            .is_some_and(|windows| windows.padding != [0, 0])
        {
            return Err(
                "its padding of zeros has no sign: in the language it has the sign -1".into(),
            );
        }
        let one_scale = magnitudes(&affine.weight, outputs)?;
        options += " binary";
        options += &windows;
        options += if one_scale { ", one_scale" } else { "" };
        options += if affine.input_scale {
            ", input_scale"
        } else {
            ""
        };
        reads = signs.into_iter().map(|(x, _)| x).collect();
    }
    let inputs = crate::recognise::piece::channels(&affine.x);
    let (name, short, shape) = match affine.windows {
        Some(Windows {
            kernel: [rows, columns],
            ..
        }) => ("conv2d", "conv", vec![outputs, inputs, rows, columns]),
        None => ("affine", "fc", vec![outputs, inputs]),
    };
    let weight = Weights {
        name: "weight".into(),
        shape,
        values: affine.weight.clone(),
    };
    let bias = Weights {
        name: "bias".into(),
        shape: vec![outputs],
        values: affine.bias.clone(),
    };
    Ok(Word {
        name,
        options,
        reads,
        joined: true,
        tensors: Some((short, vec![weight, bias])),
    })
}

/// Whether the weights of all outputs have the same magnitude. Weights of one output must, otherwise they are
/// not signs.
pub(super) fn magnitudes(weight: &[f32], outputs: usize) -> Result<bool, String> {
    let size = weight.len() / outputs;
    let magnitudes = weight.chunks_exact(size).map(|row| {
        let magnitude = row[0].abs();
        row.iter()
            .all(|weight| weight.abs() == magnitude)
            .then_some(magnitude)
    });
    let magnitudes = magnitudes.collect::<Option<Vec<f32>>>();
    let magnitudes = magnitudes
        .ok_or("it reads signs, and its weights are none: those of an output have one magnitude")?;
    Ok(magnitudes
        .iter()
        .all(|magnitude| *magnitude == magnitudes[0]))
}

fn norm(tensors: [Vec<f32>; 4]) -> Vec<Weights> {
    let names = ["weight", "bias", "mean", "variance"];
    let tensor = |(name, values): (&str, Vec<f32>)| Weights {
        name: name.into(),
        shape: vec![values.len()],
        values,
    };
    names.into_iter().zip(tensors).map(tensor).collect()
}

const UNIT: Function = Function::Clamp {
    low: 0.0,
    high: 1.0,
};
const SIX: Function = Function::Clamp {
    low: 0.0,
    high: 6.0,
};

pub(super) fn activation(pieces: &Pieces, x: Segment, function: Function) -> Result<Word, String> {
    let inner = if let Piece::Activate { x, function } = pieces.of(x) {
        Some((*x, *function))
    } else {
        None
    };
    let whole = pieces.is_whole(x);
    match (function, inner) {
        (Function::Clamp { low, high: 1.0 }, Some((inner, Function::Square)))
            if low <= 0.0 && whole =>
        {
            Ok(Word::of("sqr_crelu", inner))
        }
        (Function::Square, Some((inner, UNIT))) if whole => Ok(Word::of("screlu", inner)),
        (UNIT, _) => Ok(Word::of("crelu", x)),
        (SIX, _) => Ok(Word::of("relu6", x)),
        (
            Function::Clamp {
                low: 0.0,
                high: f32::INFINITY,
            },
            _,
        ) => Ok(Word::of("relu", x)),
        (Function::Clamp { low, high }, _) => Err(format!(
            "the language clips to 0 to 1 (`crelu`), 0 to 6 (`relu6`), or at 0 (`relu`), not to {low} to {high}"
        )),
        (Function::Square, _) => {
            Err("squares of the language are clipped: `screlu`, `sqr_crelu`".into())
        }
        (Function::Magnitude, _) => Err(
            "the language has no magnitudes but those of `input_scale` and of `quantmoid4`".into(),
        ),
        (Function::Named(name), _) => Ok(Word::of(name, x)),
    }
}
