//! Reads tensors from arrays of numpy: one, `.npy`, or an archive of several, `.npz`.

use nnue_tools::npy::{Array, NpyError, Numbers};
use nnue_tools::quantize::{FloatTensor, QuantizeError};

#[cfg(feature = "graphs")]
use super::safetensors::COUNT;

/// The tensor in a `.npy`, which has no name of its own.
pub(super) fn read(name: &str, file: &[u8]) -> Result<FloatTensor, QuantizeError> {
    let refuse = |error: NpyError| QuantizeError::Text {
        message: error.to_string(),
    };
    let array = Array::parse(file).map_err(refuse)?;
    match array.numbers().map_err(refuse)? {
        Numbers::Floats(values) => Ok(FloatTensor {
            name: name.to_owned(),
            shape: array.shape().to_vec(),
            values,
        }),
        Numbers::Integers(_) | Numbers::Bools(_) => Err(QuantizeError::Text {
            message: format!("{}: {QUANTISED}", no_floats(name)),
        }),
    }
}

/// What to do with integers.
const QUANTISED: &str = "a folder of quantised tensors becomes a network by `nnue convert FOLDER -o NET --declaration FILE`";

/// Integers are quantised already, or no weights.
fn no_floats(name: &str) -> QuantizeError {
    let shown: String = name.chars().take(40).collect();
    QuantizeError::Text {
        message: format!(
            "array `{}`: expected floats, found integers",
            shown.escape_debug()
        ),
    }
}

/// The tensors of a `.npz`.
#[cfg(feature = "graphs")]
pub(super) fn read_archive(file: &[u8]) -> Result<Vec<FloatTensor>, QuantizeError> {
    let arrays = nnue_import::npz::read(file).map_err(|error| QuantizeError::Text {
        message: error.to_string(),
    })?;
    let tensor = |(name, array): (String, nnue_import::Tensor)| match array.as_floats() {
        Some(values) => Ok(FloatTensor {
            shape: array.shape().to_vec(),
            values: values.to_vec(),
            name,
        }),
        None => Err(no_floats(&name)),
    };
    let arrays = arrays
        .into_iter()
        .filter(|(name, _)| !name.ends_with(COUNT));
    arrays.map(tensor).collect()
}

#[cfg(not(feature = "graphs"))]
pub(super) fn read_archive(_: &[u8]) -> Result<Vec<FloatTensor>, QuantizeError> {
    let message = "this is a zip archive, as a numpy `.npz` is, which this `nnue` was built without: build it with `--features graphs`, or save \
                   safetensors (`safetensors.numpy.save_file(dict(numpy.load(\"net.npz\")), \"net.safetensors\")`)";
    Err(QuantizeError::Text {
        message: message.into(),
    })
}
