//! Where tensors are among all parameters, which are one array on a device.

use crate::network::Parameters;

/// Where each tensor is.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    /// of each tensor
    pub(crate) offsets: Vec<usize>,
    /// numbers of all of them
    pub(crate) len: usize,
}

/// Tensors begin at multiples of so many numbers: 128 bytes, what neighbouring threads read at once.
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

    /// The numbers of all tensors in their places, and zeros between them.
    pub(crate) fn flatten(&self, parameters: &Parameters<f32>) -> Vec<f32> {
        assert_eq!(parameters.tensors.len(), self.offsets.len(), "tensors");
        let mut numbers = vec![0.0; self.len];
        for (tensor, &offset) in parameters.tensors.iter().zip(&self.offsets) {
            numbers[offset..offset + tensor.len()].copy_from_slice(tensor);
        }
        numbers
    }

    /// The tensors from their places.
    pub(crate) fn split(&self, numbers: &[f32], parameters: &mut Parameters<f32>) {
        assert_eq!(parameters.tensors.len(), self.offsets.len(), "tensors");
        for (tensor, &offset) in parameters.tensors.iter_mut().zip(&self.offsets) {
            let len = tensor.len();
            tensor.copy_from_slice(&numbers[offset..offset + len]);
        }
    }
}
