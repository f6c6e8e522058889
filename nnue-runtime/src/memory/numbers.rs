//! Big arrays on the heap whose lengths are known only at run time.

use core::fmt;

use bytemuck::Pod;
use nnue_spec::{ElementType, TensorMut, TensorRef};

use super::prefetch::LINE;
use super::zeroed::ZeroedBytes;

/// Numbers of one type on the heap, 64-byte aligned, initially zero: [`Tensor`](super::Tensor)
/// without a length in the type.
pub(crate) struct Numbers {
    element: ElementType,
    bytes: ZeroedBytes,
}

impl Numbers {
    /// `len` zeros.
    pub(crate) fn zeroed(element: ElementType, len: usize) -> Self {
        Self {
            element,
            bytes: ZeroedBytes::new(len * element.bytes(), LINE),
        }
    }

    pub(crate) fn element(&self) -> ElementType {
        self.element
    }

    pub(crate) fn len(&self) -> usize {
        self.bytes.as_slice().len() / self.element.bytes()
    }

    /// # Panics
    ///
    /// If the memory is not a whole number of values of this type.
    #[inline(always)]
    pub(crate) fn values<T: Pod>(&self) -> &[T] {
        bytemuck::cast_slice(self.bytes.as_slice())
    }

    /// # Panics
    ///
    /// If the memory is not a whole number of values of this type.
    #[inline(always)]
    pub(crate) fn values_mut<T: Pod>(&mut self) -> &mut [T] {
        bytemuck::cast_slice_mut(self.bytes.as_mut_slice())
    }

    /// Numbers `start..start + len`, for writers and proofs.
    ///
    /// # Panics
    ///
    /// If there are fewer.
    pub(crate) fn part(&self, start: usize, len: usize) -> TensorRef<'_> {
        match self.element {
            ElementType::I8 => TensorRef::I8(&self.values()[start..][..len]),
            ElementType::I16 => TensorRef::I16(&self.values()[start..][..len]),
            ElementType::I32 => TensorRef::I32(&self.values()[start..][..len]),
            ElementType::F32 => TensorRef::F32(&self.values()[start..][..len]),
        }
    }

    /// Consecutive parts with these lengths, for loaders to fill.
    ///
    /// # Panics
    ///
    /// If there are fewer numbers.
    pub(crate) fn parts_mut(
        &mut self,
        lens: impl Iterator<Item = usize>,
    ) -> impl Iterator<Item = TensorMut<'_>> {
        let element = self.element;
        let mut rest = self.bytes.as_mut_slice();
        lens.map(move |len| {
            let (part, after) = core::mem::take(&mut rest).split_at_mut(len * element.bytes());
            rest = after;
            match element {
                ElementType::I8 => TensorMut::I8(bytemuck::cast_slice_mut(part)),
                ElementType::I16 => TensorMut::I16(bytemuck::cast_slice_mut(part)),
                ElementType::I32 => TensorMut::I32(bytemuck::cast_slice_mut(part)),
                ElementType::F32 => TensorMut::F32(bytemuck::cast_slice_mut(part)),
            }
        })
    }
}

impl Clone for Numbers {
    fn clone(&self) -> Self {
        let mut copy = Self {
            element: self.element,
            bytes: ZeroedBytes::new(self.bytes.as_slice().len(), LINE),
        };
        copy.bytes
            .as_mut_slice()
            .copy_from_slice(self.bytes.as_slice());
        copy
    }
}

impl fmt::Debug for Numbers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Numbers")
            .field("element", &self.element)
            .finish_non_exhaustive()
    }
}
