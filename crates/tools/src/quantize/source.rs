//! Float files of trainers; see `docs/preparing.md`.
//!
//! ```text
//!   optimiser_state/weights.bin    name \n  u64 count  count * f32     tensor by tensor, little endian
//!   raw.bin                        f32 f32 f32 ..                      in the order of the declaration, no names, no padding
//! ```

use nnue_spec::{Axes, Axis, FileOrder, HELD, NetDesc, Part, TensorDesc, TensorRole};

use super::{QuantizeError, bullet_name, columns, inputs};

const MAX_NAME: usize = 256;

/// A tensor of a trainer.
#[derive(Clone, Debug, PartialEq)]
pub struct FloatTensor {
    /// its name
    pub name: String,
    /// its dimensions, the outermost first; empty if the file does not say; then the values of each input are
    /// contiguous
    pub shape: Vec<usize>,
    /// its elements
    pub values: Vec<f32>,
}

/// Location of the factoriser: rows that are added to those of every king bucket.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Factoriser {
    /// there is no factoriser
    None,
    /// a tensor of this name: `l0w + repeat(l0f)`
    Tensor(String),
    /// the first rows of the weights
    First,
}

/// Reads a file of named tensors, such as bullet's `weights.bin`.
///
/// # Errors
///
/// [`QuantizeError::File`]: the format is wrong.
pub fn named(mut file: &[u8]) -> Result<Vec<FloatTensor>, QuantizeError> {
    let size = file.len();
    let mut tensors = Vec::new();
    while !file.is_empty() {
        let refuse = |message: String, rest: &[u8]| {
            Err(QuantizeError::File {
                offset: size - rest.len(),
                message,
            })
        };
        let name = file
            .iter()
            .take(MAX_NAME + 1)
            .position(|&byte| byte == b'\n')
            .map(|end| &file[..end]);
        let Some(name) = name
            .and_then(|name| std::str::from_utf8(name).ok())
            .filter(|name| is_name(name))
        else {
            return refuse("expected the name of a tensor and a line feed".into(), file);
        };
        let rest = &file[name.len() + 1..];
        let Some((count, rest)) = rest.split_first_chunk() else {
            return refuse(format!("the file ends in the count of `{name}`"), rest);
        };
        let count = u64::from_le_bytes(*count);
        let bytes = usize::try_from(count)
            .ok()
            .and_then(|count| count.checked_mul(4))
            .filter(|&bytes| bytes <= rest.len());
        let Some(bytes) = bytes else {
            return refuse(
                format!(
                    "`{name}` is to have {count} floats, {} bytes are left",
                    rest.len()
                ),
                rest,
            );
        };
        let (values, rest) = rest.split_at(bytes);
        tensors.push(FloatTensor {
            name: name.to_owned(),
            shape: Vec::new(),
            values: floats(values),
        });
        file = rest;
    }
    Ok(tensors)
}

fn is_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_ascii_graphic() || c == ' ')
}

fn floats(bytes: &[u8]) -> Vec<f32> {
    bytes
        .chunks_exact(4)
        .map(|float| f32::from_le_bytes([float[0], float[1], float[2], float[3]]))
        .collect()
}

/// Reads the floats of a file that contains nothing else.
///
/// # Errors
///
/// [`QuantizeError::File`]: the length is not a multiple of four bytes.
pub fn unnamed(file: &[u8]) -> Result<Vec<f32>, QuantizeError> {
    match file.len() % 4 {
        0 => Ok(floats(file)),
        _ => Err(QuantizeError::File {
            offset: file.len(),
            message: "a file of floats has 4 bytes for each".to_owned(),
        }),
    }
}

/// Reads a file that contains only floats, such as bullet's `raw.bin`: the tensors of the declaration in
/// order, which get the names of bullet's examples. With [`Factoriser::First`], the weights of the first
/// feature set begin with the rows of the factoriser.
///
/// # Errors
///
/// [`QuantizeError::Count`]: the number of floats is wrong. [`QuantizeError::File`]: the length is not a
/// multiple of four bytes.
pub fn split(
    net: &NetDesc<'_>,
    file: &[u8],
    factoriser: &Factoriser,
) -> Result<Vec<FloatTensor>, QuantizeError> {
    let values = unnamed(file)?;
    check_factoriser(net, factoriser)?;
    // Scales of binary layers are computed from their weights.
    let saved = net
        .tensors
        .iter()
        .filter(|desc| !matches!(desc.role, TensorRole::LayerScale(_)));
    let mut lengths: Vec<usize> = saved
        .clone()
        .map(|desc| desc.copies * desc.rows * inputs(net, desc))
        .collect();
    let (expected, found) = (lengths.iter().sum::<usize>(), values.len());
    let width = net.accumulator.width;
    let more = found
        .checked_sub(expected)
        .filter(|more| *more > 0 && more.is_multiple_of(width));
    match (factoriser, more) {
        (Factoriser::First, Some(more)) => {
            let weights = saved
                .clone()
                .position(|desc| desc.role == TensorRole::TransformerWeight);
            lengths[weights.expect("every network has feature weights")] += more;
        }
        _ if expected == found => {}
        _ => {
            let factoriser = more
                .map(|more| more / width)
                .filter(|&rows| net.features[0].rows.is_multiple_of(rows));
            return Err(QuantizeError::Count {
                expected,
                found,
                factoriser,
            });
        }
    }
    let mut floats = values.into_iter();
    let tensor = |(desc, length): (&TensorDesc<'_>, usize)| FloatTensor {
        name: bullet_name(desc.role),
        shape: Vec::new(),
        values: floats.by_ref().take(length).collect(),
    };
    Ok(saved.zip(lengths).map(tensor).collect())
}

/// Refuses one factoriser for perspectives with separate weights: it could belong to either.
pub(super) fn check_factoriser(
    net: &NetDesc<'_>,
    factoriser: &Factoriser,
) -> Result<(), QuantizeError> {
    let is_merged = *factoriser != Factoriser::None;
    if net.accumulator.separate && is_merged {
        Err(QuantizeError::SeparateFactorisers)
    } else {
        Ok(())
    }
}

/// Removes the tensor with one of these names from `sources`.
pub(super) fn take(
    sources: &mut Vec<FloatTensor>,
    tensor: &str,
    wanted: &[String],
) -> Result<FloatTensor, QuantizeError> {
    let at = wanted
        .iter()
        .find_map(|name| sources.iter().position(|source| source.name == *name));
    at.map(|at| sources.remove(at))
        .ok_or_else(|| QuantizeError::Missing {
            tensor: tensor.to_owned(),
            wanted: wanted.to_vec(),
            found: sources.iter().map(|source| source.name.clone()).collect(),
        })
}

/// A tensor in memory order, with padding and the factoriser merged.
pub(super) fn arrange(
    net: &NetDesc<'_>,
    desc: &TensorDesc<'_>,
    source: &FloatTensor,
    factoriser: &Factoriser,
    shared: Option<&FloatTensor>,
) -> Result<Vec<f32>, QuantizeError> {
    let refuse = |expected: String| QuantizeError::Length {
        tensor: desc.name.to_owned(),
        source: source.name.clone(),
        expected,
        found: found(source),
    };
    if desc.role == TensorRole::TransformerWeight {
        let rows = source.values.len() / desc.cols;
        let whole = source.values.len() == rows * desc.cols;
        let more = if rows > desc.rows {
            "; more rows before them are a factoriser, which comes first"
        } else {
            ""
        };
        let expected = || refuse(format!("{} rows of {} floats{more}", desc.rows, desc.cols));
        let extra = rows
            .checked_sub(desc.rows)
            .filter(|_| whole)
            .ok_or_else(expected)?;
        let axes = axes(desc.role, &source.shape, [1, rows, desc.cols]).ok_or_else(expected)?;
        let order = |axes| FileOrder {
            axes,
            ..FileOrder::HELD
        };
        let mut held = reorder(&source.values, order(axes), [1, rows, desc.cols], desc.cols);
        return match factoriser {
            Factoriser::First if extra == 0 => Err(QuantizeError::NoFactoriser {
                source: source.name.clone(),
                rows: desc.rows,
            }),
            Factoriser::First => merge(held.split_off(extra * desc.cols), &held, desc.cols),
            Factoriser::Tensor(_) if extra == 0 => {
                let shared = shared.expect("it was taken");
                let rows = shared.values.len() / desc.cols;
                let axes = self::axes(desc.role, &shared.shape, [1, rows, desc.cols]);
                let axes = axes.filter(|_| shared.values.len() == rows * desc.cols);
                let axes = axes.ok_or_else(|| refuse_shared(desc, shared))?;
                merge(
                    held,
                    &reorder(&shared.values, order(axes), [1, rows, desc.cols], desc.cols),
                    desc.cols,
                )
            }
            Factoriser::None if extra == 0 => Ok(held),
            Factoriser::None | Factoriser::Tensor(_) => Err(expected()),
        };
    }
    let shape = [desc.copies, desc.rows, inputs(net, desc)];
    let expected = || {
        refuse(format!(
            "{} floats, {}",
            shape.iter().product::<usize>(),
            in_words(shape)
        ))
    };
    let axes = axes(desc.role, &source.shape, shape)
        .filter(|_| source.values.len() == shape.iter().product::<usize>());
    // Inputs that alternate between the perspectives do so in the file as well, whatever the axes.
    let index = net
        .tensors
        .iter()
        .position(|tensor| tensor.role == desc.role);
    let interleaved = net
        .raw
        .zip(index)
        .is_some_and(|(raw, index)| raw.order(net, index).interleaved);
    let order = FileOrder {
        axes: axes.ok_or_else(expected)?,
        interleaved,
        ..FileOrder::HELD
    };
    Ok(reorder(&source.values, order, shape, columns(net, desc)))
}

fn refuse_shared(desc: &TensorDesc<'_>, shared: &FloatTensor) -> QuantizeError {
    QuantizeError::Length {
        tensor: "the factoriser".into(),
        source: shared.name.clone(),
        expected: format!("rows of {} floats", desc.cols),
        found: found(shared),
    }
}

/// Describes the size of a tensor.
fn found(source: &FloatTensor) -> String {
    match source.shape.as_slice() {
        [] => format!("{} floats", source.values.len()),
        shape => format!("the shape {shape:?}"),
    }
}

fn in_words([copies, rows, inputs]: [usize; 3]) -> String {
    format!("{copies} x {rows} outputs of {inputs} inputs")
}

/// The axis order of a source with these dimensions, if it matches `shape`, `[copies, rows, columns]`.
/// Squares, which match both ways, have the usual order: outputs first in layers. Without dimensions, or with
/// one, the order is bullet's.
fn axes(role: TensorRole, dimensions: &[usize], shape: [usize; 3]) -> Option<Axes<'static>> {
    let [copies, rows, columns] = shape;
    const COPY: Part = Part::whole(Axis::Copy);
    const ROW: Part = Part::whole(Axis::Row);
    const COLUMN: Part = Part::whole(Axis::Column);
    let by_column: Axes<'_> = match role.is_of_layer() {
        true => &[COLUMN, COPY, ROW],
        false => &[COLUMN, ROW, COPY],
    };
    let is_bias = matches!(role, TensorRole::LayerBias(_));
    let dimensions: Vec<usize> = dimensions
        .iter()
        .copied()
        .filter(|&length| length != 1)
        .collect();
    let long = |lengths: &[usize]| {
        lengths
            .iter()
            .copied()
            .filter(|&length| length != 1)
            .collect::<Vec<_>>()
    };
    if dimensions.is_empty() || dimensions == [shape.iter().product()] {
        return Some(if role.is_of_layer() && !is_bias {
            by_column
        } else {
            HELD
        });
    }
    let outputs_first = [
        long(&[copies * rows, columns]),
        long(&[copies, rows, columns]),
    ];
    if outputs_first.contains(&dimensions) {
        return Some(HELD);
    }
    let inputs_first = [
        long(&[columns, copies * rows]),
        long(&[columns, copies, rows]),
    ];
    inputs_first.contains(&dimensions).then_some(by_column)
}

/// Reorders elements to memory order and pads rows with zeros to `columns`.
fn reorder(values: &[f32], order: FileOrder<'_>, shape: [usize; 3], columns: usize) -> Vec<f32> {
    let [copies, rows, inputs] = order.places(shape);
    let mut held = vec![0.0; copies.len() * rows.len() * columns];
    let rows = copies
        .iter()
        .flat_map(|copy| rows.iter().map(move |row| copy + row));
    for (held, row) in held.chunks_exact_mut(columns).zip(rows) {
        for (held, input) in held.iter_mut().zip(&inputs) {
            *held = values[row + input];
        }
    }
    held
}

/// `weights + repeat(shared)`, in 32-bit floats.
fn merge(mut weights: Vec<f32>, shared: &[f32], width: usize) -> Result<Vec<f32>, QuantizeError> {
    if shared.is_empty()
        || !shared.len().is_multiple_of(width)
        || !weights.len().is_multiple_of(shared.len())
    {
        return Err(QuantizeError::Factoriser {
            rows: shared.len() / width,
            of: weights.len() / width,
        });
    }
    for bucket in weights.chunks_exact_mut(shared.len()) {
        bucket
            .iter_mut()
            .zip(shared)
            .for_each(|(weight, shared)| *weight += shared);
    }
    Ok(weights)
}
