//! Files of networks over a dense input: the floats of all tensors, little endian, and nothing else. The
//! order is that of [`DenseDesc::tensors`], in which PyTorch lists the parameters of the same layers.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use nnue_spec::dense::{DenseDesc, DenseRole, DenseTensor};

use crate::error::{LoadError, LoadErrorKind};
use crate::random::Random;

/// The size of a file in bytes.
pub fn size(net: &DenseDesc<'_>) -> usize {
    4 * net.tensors().iter().map(DenseTensor::len).sum::<usize>()
}

/// Reads the tensors of a file, in the order of [`DenseDesc::tensors`].
///
/// # Errors
///
/// [`LoadError`]: the file has another length, or [`check`] refuses a number in it.
pub fn read(net: &DenseDesc<'_>, bytes: &[u8]) -> Result<Vec<Vec<f32>>, LoadError> {
    let (expected, found) = (size(net), bytes.len());
    if found != expected {
        let (kind, what) = if found < expected {
            (
                LoadErrorKind::Truncated,
                format!("ends after {found} bytes"),
            )
        } else {
            (
                LoadErrorKind::TrailingBytes,
                "goes on after the last tensor".into(),
            )
        };
        let message = format!(
            "the file {what}, `{}` has {expected} bytes: 4 for each float, without a header",
            net.name
        );
        return Err(LoadError::new(kind, found.min(expected) as u64, message)
            .with_values(expected as u64, found as u64));
    }
    let mut floats = bytes
        .as_chunks()
        .0
        .iter()
        .map(|bytes| f32::from_le_bytes(*bytes));
    let take = |tensor: &DenseTensor| floats.by_ref().take(tensor.len()).collect();
    let tensors: Vec<Vec<f32>> = net.tensors().iter().map(take).collect();
    check(net, &tensors)?;
    Ok(tensors)
}

/// Refuses tensors of other lengths, floats that are not finite and negative variances.
///
/// # Errors
///
/// [`LoadError`], with the tensor, the element, and the offset of the element in a file.
pub fn check(net: &DenseDesc<'_>, tensors: &[Vec<f32>]) -> Result<(), LoadError> {
    let described = net.tensors();
    if described.len() != tensors.len() {
        let message = format!(
            "`{}` has {} tensors, found {}",
            net.name,
            described.len(),
            tensors.len()
        );
        return Err(LoadError::new(LoadErrorKind::Architecture, 0, message));
    }
    let mut offset = 0;
    for (tensor, values) in described.iter().zip(tensors) {
        if tensor.len() != values.len() {
            let message = format!(
                "tensor `{}` has {} numbers, found {}",
                tensor.name,
                tensor.len(),
                values.len()
            );
            return Err(LoadError::new(LoadErrorKind::Architecture, offset, message)
                .with_tensor(tensor.name.as_str()));
        }
        check_values(tensor, values, offset)?;
        offset += 4 * values.len() as u64;
    }
    Ok(())
}

fn check_values(tensor: &DenseTensor, values: &[f32], start: u64) -> Result<(), LoadError> {
    let is_variance = tensor.role == DenseRole::Variance;
    let is_wrong = |value: &f32| !value.is_finite() || is_variance && *value < 0.0;
    let Some(element) = values.iter().position(is_wrong) else {
        return Ok(());
    };
    let offset = start + 4 * element as u64;
    let why = if is_variance {
        "variances are finite and not negative"
    } else {
        "floats of a network are finite"
    };
    let message = format!(
        "number `{}[{element}]` at offset {offset} is {}, {why}: the training diverged, or the tensors are in another order",
        tensor.name, values[element]
    );
    let error = LoadError::new(LoadErrorKind::ValueRange, offset, message);
    Err(error
        .with_tensor(String::clone(&tensor.name))
        .with_element(element as u64))
}

/// Encodes the tensors as a file.
pub fn to_bytes(tensors: &[Vec<f32>]) -> Vec<u8> {
    tensors
        .iter()
        .flatten()
        .flat_map(|value| value.to_le_bytes())
        .collect()
}

/// Random weights, for tests and measurements. They depend only on `seed`; other versions of this crate may
/// give others. Values neither vanish nor grow from layer to layer.
pub fn random(net: &DenseDesc<'_>, seed: u64) -> Vec<Vec<f32>> {
    let mut random = Random(seed);
    let described = net.tensors();
    let is_norm = |tensor: &DenseTensor| {
        described
            .iter()
            .any(|other| other.node == tensor.node && other.role == DenseRole::Mean)
    };
    let range = |tensor: &DenseTensor| match tensor.role {
        DenseRole::Variance => (1.0, 0.5),
        DenseRole::Weight if is_norm(tensor) => (1.0, 0.5),
        DenseRole::Weight => (
            0.0,
            2.5 / tensor.shape[1..].iter().product::<usize>().isqrt() as f32,
        ),
        DenseRole::Bias | DenseRole::Mean => (0.0, 0.125),
    };
    let mut fill = |tensor: &DenseTensor| {
        let (middle, width) = range(tensor);
        (0..tensor.len())
            .map(|_| middle + width * random.share())
            .collect()
    };
    described.iter().map(&mut fill).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use nnue_spec::dense::{DenseNode, DenseOp, Shape};

    const NODES: [DenseNode; 4] = [
        DenseNode {
            op: DenseOp::Input,
            operand: 0,
            shape: Shape::Planes([2, 3, 3]),
        },
        DenseNode {
            op: DenseOp::BatchNorm { eps: 1e-5 },
            operand: 0,
            shape: Shape::Planes([2, 3, 3]),
        },
        DenseNode {
            op: DenseOp::Flatten,
            operand: 1,
            shape: Shape::Flat(18),
        },
        DenseNode {
            op: DenseOp::Affine { binary: None },
            operand: 2,
            shape: Shape::Flat(5),
        },
    ];
    const NET: DenseDesc<'_> = DenseDesc {
        name: "N",
        nodes: &NODES,
        fused: false,
    };

    #[test]
    fn what_is_written_is_read() {
        let tensors = random(&NET, 1);
        let bytes = to_bytes(&tensors);
        assert_eq!(bytes.len(), 4 * (4 * 2 + 5 * 18 + 5));
        assert_eq!(read(&NET, &bytes).expect("it was written so"), tensors);
        for cut in 0..bytes.len() {
            assert_eq!(
                read(&NET, &bytes[..cut]).expect_err("it is cut").kind(),
                LoadErrorKind::Truncated
            );
        }
        let longer = [bytes, [0; 4].to_vec()].concat();
        assert_eq!(
            read(&NET, &longer).expect_err("it is longer").kind(),
            LoadErrorKind::TrailingBytes
        );
    }

    #[test]
    fn numbers_that_are_none_are_refused_with_their_place() {
        let mut tensors = random(&NET, 2);
        tensors[3][1] = -1.0;
        let error = check(&NET, &tensors).expect_err("a variance is negative");
        assert_eq!(
            (error.tensor(), error.element(), error.offset()),
            (Some("bn0_variance"), Some(1), 28)
        );
        tensors[4][7] = f32::NAN;
        tensors[3][1] = 0.0;
        let error = check(&NET, &tensors).expect_err("a weight is NaN");
        assert_eq!(
            (error.tensor(), error.element(), error.offset()),
            (Some("fc0_weight"), Some(7), 60)
        );
        tensors.pop();
        assert_eq!(
            check(&NET, &tensors).expect_err("one is missing").kind(),
            LoadErrorKind::Architecture
        );
    }
}
