//! Tensors with names and shapes: `safetensors`.
//!
//! ```text
//!   u64 n   n bytes of JSON: {"l0w": {"dtype": "F32", "shape": [768, 128], "data_offsets": [0, 393216]}, ..}   data
//! ```

use nnue_format::quantize::{FloatTensor, QuantizeError};
use serde_json::Value;

/// The tensors of a file.
pub(super) fn read(file: &[u8]) -> Result<Vec<FloatTensor>, QuantizeError> {
    let refuse = |message: String| QuantizeError::File { offset: 0, message };
    let (length, rest) = file.split_first_chunk().ok_or_else(|| refuse("the file is too short".into()))?;
    let length = usize::try_from(u64::from_le_bytes(*length)).ok().filter(|&length| length <= rest.len());
    let Some((header, data)) = length.map(|length| rest.split_at(length)) else {
        return Err(refuse("the header is to be longer than the file".into()));
    };
    let header: Value =
        serde_json::from_slice(header).map_err(|error| refuse(format!("the header is no JSON: {error}")))?;
    let entries = header.as_object().ok_or_else(|| refuse("the header is no object".into()))?;
    let tensors = entries.iter().filter(|(name, _)| *name != "__metadata__");
    tensors
        .map(|(name, entry)| {
            let shown: String = name.chars().take(40).collect();
            tensor(name, entry, data).map_err(|message| refuse(format!("tensor `{}`: {message}", shown.escape_debug())))
        })
        .collect()
}

/// One tensor, or what is wrong with it.
fn tensor(name: &str, entry: &Value, data: &[u8]) -> Result<FloatTensor, String> {
    match entry["dtype"].as_str() {
        Some("F32") => {}
        Some(other) => return Err(format!("expected floats of type F32, found {}", other.escape_debug())),
        None => return Err("it has no `dtype`".into()),
    }
    let shape = numbers(&entry["shape"]).ok_or("it has no `shape`")?;
    let Some(&[start, end]) = numbers(&entry["data_offsets"]).as_deref() else {
        return Err("it has no `data_offsets`".into());
    };
    let bytes = data
        .get(start..end)
        .ok_or_else(|| format!("bytes {start}..{end} are not in the {} of the file", data.len()))?;
    let needed = shape.iter().try_fold(4_usize, |product, &length| product.checked_mul(length));
    if needed != Some(bytes.len()) {
        return Err(format!("the shape {shape:?} does not have {} bytes", bytes.len()));
    }
    let values = bytes.chunks_exact(4).map(|float| f32::from_le_bytes([float[0], float[1], float[2], float[3]]));
    Ok(FloatTensor { name: name.to_owned(), shape, values: values.collect() })
}

fn numbers(value: &Value) -> Option<Vec<usize>> {
    let number = |value: &Value| value.as_u64().and_then(|number| usize::try_from(number).ok());
    value.as_array()?.iter().map(number).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(header: &str, data: &[u8]) -> Vec<u8> {
        [&(header.len() as u64).to_le_bytes(), header.as_bytes(), data].concat()
    }

    #[test]
    fn tensors_have_names_shapes_and_values() {
        let header = r#"{"__metadata__":{"format":"pt"},"l0b":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}"#;
        let tensors = read(&file(header, &[0, 0, 128, 63, 0, 0, 0, 192])).expect("it is right");
        assert_eq!(tensors, [FloatTensor { name: "l0b".into(), shape: vec![2], values: vec![1.0, -2.0] }]);
    }

    #[test]
    fn what_is_wrong_is_said() {
        let error = |bytes: &[u8]| read(bytes).expect_err("it is wrong").to_string();
        assert!(error(&[0; 7]).starts_with("the file is too short"));
        assert!(error(&[255; 9]).starts_with("the header is to be longer than the file"));
        assert!(error(&file("{", &[])).starts_with("the header is no JSON"));
        assert!(error(&file("[]", &[])).starts_with("the header is no object"));
        let entry = |dtype: &str, shape: &str, offsets: &str| {
            file(&format!(r#"{{"a":{{"dtype":"{dtype}","shape":{shape},"data_offsets":{offsets}}}}}"#), &[0; 8])
        };
        assert!(error(&entry("F16", "[2]", "[0,4]")).starts_with("tensor `a`: expected floats of type F32, found F16"));
        assert!(error(&entry("F32", "[2]", "[0,12]")).contains("bytes 0..12 are not in the 8 of the file"));
        assert!(error(&entry("F32", "[2]", "[8,4]")).contains("bytes 8..4 are not"));
        assert!(error(&entry("F32", "[3]", "[0,8]")).contains("the shape [3] does not have 8 bytes"));
        assert!(error(&entry("F32", "[4611686018427387904,4]", "[0,8]")).contains("does not have 8 bytes"));
        assert!(error(&entry("F32", "2", "[0,8]")).contains("it has no `shape`"));
        assert!(error(&entry("F32", "[2]", "[0]")).contains("it has no `data_offsets`"));
    }
}
