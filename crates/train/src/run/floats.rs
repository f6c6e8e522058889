//! Float parameters as safetensors, for `nnue quantize` and other programs.

use nnue_tools::quantize::FloatTensor;
use safetensors::tensor::TensorView;
use safetensors::{Dtype, SafeTensors, serialize};

/// Serialises tensors.
pub(super) fn file(tensors: &[FloatTensor]) -> Vec<u8> {
    let bytes = |tensor: &FloatTensor| {
        tensor
            .values
            .iter()
            .flat_map(|value| value.to_le_bytes())
            .collect::<Vec<u8>>()
    };
    let data: Vec<Vec<u8>> = tensors.iter().map(bytes).collect();
    let views = tensors.iter().zip(&data).map(|(tensor, data)| {
        let view = TensorView::new(Dtype::F32, tensor.shape.clone(), data);
        (
            tensor.name.as_str(),
            view.expect("a tensor has as many numbers as its shape says"),
        )
    });
    serialize(views, None).expect("tensors with names of their own and without gaps are a file")
}

/// Whether a file starts like safetensors: the length of a JSON header, then the header.
pub(super) fn is_safetensors(bytes: &[u8]) -> bool {
    bytes.get(8) == Some(&b'{')
}

/// Parses a file.
pub(super) fn read(bytes: &[u8]) -> Result<Vec<FloatTensor>, String> {
    let file = SafeTensors::deserialize(bytes)
        .map_err(|error| format!("this is not a safetensors file: {error}"))?;
    let tensor = |(name, view): (String, TensorView<'_>)| {
        if view.dtype() != Dtype::F32 {
            return Err(format!(
                "`{}` has numbers of type {:?}, not F32",
                name.escape_debug(),
                view.dtype()
            ));
        }
        let (numbers, _) = view.data().as_chunks();
        let values = numbers
            .iter()
            .map(|&number| f32::from_le_bytes(number))
            .collect();
        Ok(FloatTensor {
            name,
            shape: view.shape().to_vec(),
            values,
        })
    };
    file.tensors().into_iter().map(tensor).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tensors_are_found_by_their_names() {
        let tensor = |name: &str, shape: &[usize], values: &[f32]| FloatTensor {
            name: name.to_owned(),
            shape: shape.to_vec(),
            values: values.to_vec(),
        };
        let file = file(&[
            tensor("fc0_weight", &[2, 1], &[1.0, -2.0]),
            tensor("fc0_bias", &[1, 1], &[0.5]),
        ]);
        let read = SafeTensors::deserialize(&file).unwrap();
        let weights = read.tensor("fc0_weight").unwrap();
        assert_eq!(
            (weights.dtype(), weights.shape()),
            (Dtype::F32, &[2, 1][..])
        );
        assert_eq!(
            weights.data(),
            [1.0_f32, -2.0].map(f32::to_le_bytes).as_flattened()
        );
        assert_eq!(
            read.tensor("fc0_bias").unwrap().data(),
            0.5_f32.to_le_bytes()
        );
        assert!(is_safetensors(&file));
        let mut found = super::read(&file).unwrap();
        found.sort_by(|a, b| b.name.cmp(&a.name));
        assert_eq!(
            (found[0].shape.as_slice(), found[0].values.as_slice()),
            (&[2, 1][..], &[1.0, -2.0][..])
        );
        assert!(
            super::read(&file[..file.len() - 1])
                .unwrap_err()
                .starts_with("this is not a safetensors file: ")
        );
    }
}
