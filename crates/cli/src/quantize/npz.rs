//! Reads tensors from numpy's archives of arrays, `.npz`.

use nnue_tools::quantize::{FloatTensor, QuantizeError};

#[cfg(feature = "graphs")]
pub(super) fn read(file: &[u8]) -> Result<Vec<FloatTensor>, QuantizeError> {
    let arrays = nnue_import::npz::read(file).map_err(|error| QuantizeError::Text {
        message: error.to_string(),
    })?;
    let tensor = |(name, array): (String, nnue_import::Tensor)| FloatTensor {
        name,
        shape: array.shape().to_vec(),
        values: array.to_floats(),
    };
    Ok(arrays.into_iter().map(tensor).collect())
}

#[cfg(not(feature = "graphs"))]
pub(super) fn read(_: &[u8]) -> Result<Vec<FloatTensor>, QuantizeError> {
    let message = "this is a zip archive, as a numpy `.npz` is, which this `nnue` was built without: build it with `--features graphs`, or save \
                   safetensors (`safetensors.numpy.save_file(dict(numpy.load(\"net.npz\")), \"net.safetensors\")`)";
    Err(QuantizeError::Text {
        message: message.into(),
    })
}
