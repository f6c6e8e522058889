//! The layout of all parameters in one array on a device.

use crate::network::Parameters;

#[derive(Clone, Debug)]
pub(crate) struct Layout {
    pub(crate) offsets: Vec<usize>,
    /// length of the array
    pub(crate) len: usize,
}

/// Alignment of tensors in elements: 128 bytes, one coalesced access of a warp.
const LINE: usize = 32;

impl Layout {
    pub(super) fn new(lengths: &[usize]) -> Self {
        let mut len = 0;
        let offsets = lengths.iter().map(|length| {
            len += length.next_multiple_of(LINE);
            len - length.next_multiple_of(LINE)
        });
        Self {
            offsets: offsets.collect(),
            len,
        }
    }

    /// Copies all tensors into one array, padded with zeros.
    pub(crate) fn flatten(&self, parameters: &Parameters<f32>) -> Vec<f32> {
        assert_eq!(parameters.tensors.len(), self.offsets.len(), "tensors");
        let mut numbers = vec![0.0; self.len];
        for (tensor, &offset) in parameters.tensors.iter().zip(&self.offsets) {
            numbers[offset..offset + tensor.len()].copy_from_slice(tensor);
        }
        numbers
    }

    /// Copies the tensors back from the array.
    pub(crate) fn split(&self, numbers: &[f32], parameters: &mut Parameters<f32>) {
        assert_eq!(parameters.tensors.len(), self.offsets.len(), "tensors");
        for (tensor, &offset) in parameters.tensors.iter_mut().zip(&self.offsets) {
            let len = tensor.len();
            tensor.copy_from_slice(&numbers[offset..offset + len]);
        }
    }
}
