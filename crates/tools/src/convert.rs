//! One network in another form of file: the same numbers, in the tensors of another descriptor.

use std::error::Error;
use std::fmt;

use nnue_format::{Header, Tensors};
use nnue_spec::{ElementType, NetDesc, Padding, TensorDesc, TensorMut, TensorRef, TensorRole};

/// A network as it was read.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// its descriptor
    pub net: &'a NetDesc<'a>,
    /// what its file has besides weights
    pub header: &'a Header,
    /// its weights, in the order of `net.tensors`
    pub tensors: &'a [TensorRef<'a>],
}

/// What a form of file cannot express.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ConvertError {
    /// the other descriptor has other tensors, so it is of another network
    Tensor {
        /// the tensor
        name: String,
    },
    /// a number does not fit the type of its tensor
    Number {
        /// the tensor
        name: String,
        /// index of the number in memory
        element: usize,
        /// the number
        value: i32,
        /// the type
        to: ElementType,
    },
    /// a padding column of a layer has a number, and the form has no such column
    Padding {
        /// the tensor
        name: String,
        /// index of the number in memory
        element: usize,
    },
}

impl fmt::Display for ConvertError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tensor { name } => write!(f, "`{name}` has another shape in the new form"),
            Self::Number {
                name,
                element,
                value,
                to,
            } => write!(
                f,
                "number {element} of `{name}` is {value}, which does not fit {}",
                to.name()
            ),
            Self::Padding { name, element } => write!(
                f,
                "number {element} of `{name}` is in a padding column and not zero, and the new form has no such column"
            ),
        }
    }
}

impl Error for ConvertError {}

/// The header and the weights of `source` in the form `to`, a descriptor of the same network with another file format.
///
/// Bytes that belong to no tensor and the description of a container are one thing: they are cut, or filled with zeros, to the
/// number that the form keeps.
///
/// # Errors
///
/// [`ConvertError`]: the form cannot express the network, or is that of another one.
///
/// # Panics
///
/// If the tensors of `source` are not those of its descriptor.
pub fn convert(source: Source<'_>, to: &NetDesc<'_>) -> Result<(Header, Tensors), ConvertError> {
    if source.net.tensors.len() != to.tensors.len() {
        return Err(ConvertError::Tensor {
            name: to.name.into(),
        });
    }
    let mut tensors = Tensors::zeroed(to);
    for (desc, mut tensor) in to.tensors.iter().zip(tensors.muts()) {
        copy(source, desc, &mut tensor)?;
    }
    Ok((header(source, to), tensors))
}

/// The header of `source` in the form `to`.
fn header(source: Source<'_>, to: &NetDesc<'_>) -> Header {
    let declared = |net: &NetDesc<'_>| net.container.transformer_hash;
    let mut header = Header::new(to, source.header.description.clone());
    match (&source.net.raw, &to.raw) {
        (Some(_), Some(raw)) if raw.padding == Padding::Any => {
            header.padding = source.header.padding;
        }
        // Files of one declaration may have other hashes than the declared one.
        (None, None) if declared(source.net) == declared(to) => {
            header.transformer_hash = source.header.transformer_hash;
        }
        _ => {}
    }
    header
}

/// Copies the tensor of `source` that has the name of `desc`.
fn copy(
    source: Source<'_>,
    desc: &TensorDesc<'_>,
    tensor: &mut TensorMut<'_>,
) -> Result<(), ConvertError> {
    let other = || ConvertError::Tensor {
        name: desc.name.into(),
    };
    let index = source
        .net
        .tensors
        .iter()
        .position(|one| one.name == desc.name);
    let index = index.ok_or_else(other)?;
    let (from, numbers) = (&source.net.tensors[index], source.tensors[index]);
    if (from.rows, from.copies, from.role) != (desc.rows, desc.copies, desc.role) {
        return Err(other());
    }
    let is_weight = matches!(desc.role, TensorRole::LayerWeight(_));
    if from.cols != desc.cols && !is_weight {
        return Err(other());
    }
    let row = Row {
        from: from.cols,
        desc,
    };
    match (numbers, tensor) {
        (TensorRef::I8(from), TensorMut::I8(to)) => row.copy_all(from, to, Ok),
        (TensorRef::I16(from), TensorMut::I16(to)) => row.copy_all(from, to, Ok),
        (TensorRef::I32(from), TensorMut::I32(to)) => row.copy_all(from, to, Ok),
        (TensorRef::F32(from), TensorMut::F32(to)) => row.copy_all(from, to, Ok),
        (TensorRef::I16(from), TensorMut::I32(to)) => row.copy_all(from, to, |n| Ok(n.into())),
        (TensorRef::I32(from), TensorMut::I16(to)) => {
            row.copy_all(from, to, |n| n.try_into().map_err(|_| n))
        }
        _ => Err(other()),
    }
}

/// Rows of a tensor and of the one that it becomes, which may have more padding columns, or fewer.
struct Row<'d> {
    /// columns before
    from: usize,
    desc: &'d TensorDesc<'d>,
}

impl Row<'_> {
    /// Copies all rows. `fit` gives the number in its new type, or the number that does not fit.
    fn copy_all<F: Copy + Default + PartialEq, T>(
        &self,
        from: &[F],
        to: &mut [T],
        fit: impl Fn(F) -> Result<T, i32>,
    ) -> Result<(), ConvertError> {
        let name = || self.desc.name.to_owned();
        let common = self.from.min(self.desc.cols);
        let rows = from.chunks_exact(self.from.max(1));
        for (index, (from, to)) in rows
            .zip(to.chunks_exact_mut(self.desc.cols.max(1)))
            .enumerate()
        {
            let element = |column| index * self.from + column;
            for (column, (from, to)) in from[..common].iter().zip(to).enumerate() {
                *to = fit(*from).map_err(|value| ConvertError::Number {
                    name: name(),
                    element: element(column),
                    value,
                    to: self.desc.element,
                })?;
            }
            let lost = from[common..].iter().position(|n| *n != F::default());
            if let Some(column) = lost {
                return Err(ConvertError::Padding {
                    name: name(),
                    element: element(common + column),
                });
            }
        }
        Ok(())
    }
}

/// Whether two tensors have the same bits.
pub fn is_equal(one: TensorRef<'_>, other: TensorRef<'_>) -> bool {
    match (one, other) {
        (TensorRef::F32(one), TensorRef::F32(other)) => one
            .iter()
            .map(|n| n.to_bits())
            .eq(other.iter().map(|n| n.to_bits())),
        (one, other) => one == other,
    }
}
