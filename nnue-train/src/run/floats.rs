//! Parameters in floats, as safetensors: what `nnue quantize` and other programs read.

use nnue_format::quantize::FloatTensor;
use safetensors::tensor::TensorView;
use safetensors::{Dtype, serialize};

/// The bytes of a file with these tensors.
pub(super) fn file(tensors: &[FloatTensor]) -> Vec<u8> {
    let bytes = |tensor: &FloatTensor| tensor.values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>();
    let data: Vec<Vec<u8>> = tensors.iter().map(bytes).collect();
    let views = tensors.iter().zip(&data).map(|(tensor, data)| {
        let view = TensorView::new(Dtype::F32, tensor.shape.clone(), data);
        (tensor.name.as_str(), view.expect("a tensor has as many numbers as its shape says"))
    });
    serialize(views, None).expect("tensors with names of their own and without gaps are a file")
}

#[cfg(test)]
mod tests {
    use super::*;
    use safetensors::SafeTensors;

    #[test]
    fn tensors_are_found_by_their_names() {
        let tensor = |name: &str, shape: &[usize], values: &[f32]| FloatTensor {
            name: name.to_owned(),
            shape: shape.to_vec(),
            values: values.to_vec(),
        };
        let file = file(&[tensor("fc0_weight", &[2, 1], &[1.0, -2.0]), tensor("fc0_bias", &[1, 1], &[0.5])]);
        let read = SafeTensors::deserialize(&file).unwrap();
        let weights = read.tensor("fc0_weight").unwrap();
        assert_eq!((weights.dtype(), weights.shape()), (Dtype::F32, &[2, 1][..]));
        assert_eq!(weights.data(), [1.0_f32, -2.0].map(f32::to_le_bytes).as_flattened());
        assert_eq!(read.tensor("fc0_bias").unwrap().data(), 0.5_f32.to_le_bytes());
    }
}
