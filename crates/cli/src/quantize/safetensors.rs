//! Reads tensors with names and shapes: `safetensors`.
//!
//! ```text
//!   u64 n   n bytes of JSON: {"l0w": {"dtype": "F32", "shape": [768, 128], "data_offsets": [0, 393216]}, ..}   data
//! ```
//!
//! The library checks the header first: the tensors are contiguous, without gaps or overlaps, and each has
//! the size of its shape. So all tensors together are no larger than the file.
//!
//! PyTorch stores an integer batch count with each batch norm. It is skipped, since no network reads it.

use nnue_tools::half;
use nnue_tools::quantize::{FloatTensor, QuantizeError};
use safetensors::Dtype;
use safetensors::tensor::{Metadata, TensorInfo};

/// Most characters of the library's message that are shown, since it may contain a name from the file.
const SHOWN: usize = 200;

/// PyTorch's name of batch counts.
pub(super) const COUNT: &str = "num_batches_tracked";

pub(super) fn read(file: &[u8]) -> Result<Vec<FloatTensor>, QuantizeError> {
    let refuse = |message: String| QuantizeError::File { offset: 0, message };
    let (length, rest) = file
        .split_first_chunk()
        .ok_or_else(|| refuse("the file is too short".into()))?;
    let length = usize::try_from(u64::from_le_bytes(*length))
        .ok()
        .filter(|&length| length <= rest.len());
    let Some((header, data)) = length.map(|length| rest.split_at(length)) else {
        return Err(refuse("the header is longer than the file".into()));
    };
    let metadata: Metadata = serde_json::from_slice(header).map_err(|error| {
        let message: String = error.to_string().chars().take(SHOWN).collect();
        refuse(format!("the header is wrong: {}", message.escape_debug()))
    })?;
    if metadata.data_len() != data.len() {
        let (declared, found) = (metadata.data_len(), data.len());
        return Err(refuse(format!(
            "the header has tensors of {declared} bytes, the file {found} after it"
        )));
    }
    let names = metadata
        .offset_keys()
        .into_iter()
        .filter(|name| !name.ends_with(COUNT));
    let tensors = names.filter_map(|name| metadata.info(&name).map(|info| (name, info)));
    tensors
        .map(|(name, info)| tensor(&name, info, data).map_err(refuse))
        .collect()
}

/// Reads a tensor, or says what is wrong with it.
fn tensor(name: &str, info: &TensorInfo, data: &[u8]) -> Result<FloatTensor, String> {
    let (start, end) = info.data_offsets;
    let bytes = &data[start..end];
    let values = match info.dtype {
        Dtype::F32 => floats(bytes, f32::from_le_bytes),
        Dtype::F16 => floats(bytes, half::f16),
        Dtype::BF16 => floats(bytes, half::bf16),
        Dtype::F64 => floats(bytes, |float| f64::from_le_bytes(float) as f32),
        other => {
            let shown: String = name.chars().take(40).collect();
            return Err(format!(
                "tensor `{}`: expected floats of type F32, F16, BF16 or F64, found {other:?}",
                shown.escape_debug()
            ));
        }
    };
    Ok(FloatTensor {
        name: name.to_owned(),
        shape: info.shape.clone(),
        values,
    })
}

/// The floats of a tensor, each of `N` bytes.
fn floats<const N: usize>(bytes: &[u8], float: impl Fn([u8; N]) -> f32) -> Vec<f32> {
    let (floats, _) = bytes.as_chunks();
    floats.iter().map(|&bytes| float(bytes)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(header: &str, data: &[u8]) -> Vec<u8> {
        [
            &(header.len() as u64).to_le_bytes(),
            header.as_bytes(),
            data,
        ]
        .concat()
    }

    #[test]
    fn tensors_have_names_shapes_and_values() {
        let header = r#"{"__metadata__":{"format":"pt"},"l0b":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}"#;
        let tensors = read(&file(header, &[0, 0, 128, 63, 0, 0, 0, 192])).expect("it is right");
        assert_eq!(
            tensors,
            [FloatTensor {
                name: "l0b".into(),
                shape: vec![2],
                values: vec![1.0, -2.0]
            }]
        );
    }

    #[test]
    fn floats_of_other_widths_are_read() {
        for (dtype, shape, data) in [
            ("F16", 2, &[0, 60, 0, 192][..]),
            ("BF16", 2, &[128, 63, 0, 192]),
            (
                "F64",
                2,
                &[0, 0, 0, 0, 0, 0, 240, 63, 0, 0, 0, 0, 0, 0, 0, 192],
            ),
        ] {
            let header = format!(
                r#"{{"a":{{"dtype":"{dtype}","shape":[{shape}],"data_offsets":[0,{}]}}}}"#,
                data.len()
            );
            let tensors = read(&file(&header, data)).expect("it is right");
            assert_eq!(tensors[0].values, [1.0, -2.0], "{dtype}");
        }
    }

    #[test]
    fn what_is_wrong_is_said() {
        let error = |bytes: &[u8]| read(bytes).expect_err("it is wrong").to_string();
        assert!(error(&[0; 7]).starts_with("the file is too short"));
        assert!(error(&[255; 9]).starts_with("the header is longer than the file"));
        assert!(error(&file("{", &[])).starts_with("the header is wrong: EOF"));
        assert!(error(&file("[]", &[])).starts_with("the header is wrong: invalid type: sequence"));
        let entry = |dtype: &str, shape: &str, offsets: &str| {
            file(
                &format!(
                    r#"{{"a":{{"dtype":"{dtype}","shape":{shape},"data_offsets":{offsets}}}}}"#
                ),
                &[0; 8],
            )
        };
        assert!(
            error(&entry("I16", "[4]", "[0,8]")).starts_with(
                "tensor `a`: expected floats of type F32, F16, BF16 or F64, found I16"
            )
        );
        assert!(
            error(&entry("F32", "[3]", "[0,12]"))
                .contains("tensors of 12 bytes, the file 8 after it")
        );
        for (shape, offsets) in [
            ("[2]", "[8,4]"),
            ("[3]", "[0,8]"),
            ("[4611686018427387904,4]", "[0,8]"),
            ("2", "[0,8]"),
            ("[2]", "[0]"),
        ] {
            let error = error(&entry("F32", shape, offsets));
            assert!(
                error.starts_with("the header is wrong: "),
                "{shape} {offsets}: {error}"
            );
        }
    }

    #[test]
    fn tensors_that_share_bytes_are_refused() {
        let entries: Vec<String> = (0..1000)
            .map(|index| {
                format!(r#""t{index}":{{"dtype":"F32","shape":[1000],"data_offsets":[0,4000]}}"#)
            })
            .collect();
        let error = read(&file(&format!("{{{}}}", entries.join(",")), &[0; 4000]))
            .expect_err("they overlap");
        assert!(
            error
                .to_string()
                .contains("the header is wrong: invalid offset for tensor"),
            "{error}"
        );
    }
}
