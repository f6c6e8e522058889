//! Big arrays on the heap.
#![expect(unsafe_code, reason = "one marker: arrays of numbers may be zero")]

use core::fmt;
use core::ops::{Deref, DerefMut};

use nnue_spec::{TensorMut, TensorRef};

use super::cast::{Element, Number, flat, flat_mut};
use super::zeroed::Zeroed;

#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Aligned<T, const N: usize>([T; N]);

// SAFETY: by `Element`'s contract `T` consists of numbers, for which all bits zero is a value.
unsafe impl<T: Element, const N: usize> bytemuck::Zeroable for Aligned<T, N> {}

/// `[T; N]` on the heap, 64-byte aligned, initially zero. `T` is i8, i16, i32, f32 or a nested
/// array of one of them.
///
/// It is allocated as zeroed memory and never built on the stack, so the pages of a big tensor are
/// touched only when it is filled.
pub struct Tensor<T: Element, const N: usize>(Zeroed<Aligned<T, N>>);

impl<T: Element, const N: usize> Tensor<T, N> {
    /// A tensor of zeros.
    pub fn zeroed() -> Self {
        Self(Zeroed::new())
    }

    /// All numbers in order, with nested arrays flattened.
    #[inline(always)]
    pub fn flat(&self) -> &[T::Number] {
        flat(&self.0.0)
    }

    /// All numbers in order, with nested arrays flattened, mutably.
    #[inline(always)]
    pub fn flat_mut(&mut self) -> &mut [T::Number] {
        flat_mut(&mut self.0.0)
    }

    /// `len` elements starting at `start`, for writers and proofs of a tensor that contains several
    /// tensors of a file.
    ///
    /// # Panics
    ///
    /// If there are fewer.
    pub fn part(&self, start: usize, len: usize) -> TensorRef<'_> {
        Number::tensor(flat(&self.0.0[start..][..len]))
    }

    /// Consecutive parts of the tensor with the lengths `lens`, for loaders to fill.
    ///
    /// # Panics
    ///
    /// If there are fewer.
    pub fn parts_mut<const PARTS: usize>(
        &mut self,
        lens: [usize; PARTS],
    ) -> [TensorMut<'_>; PARTS] {
        let mut rest = self.0.0.as_mut_slice();
        lens.map(|len| {
            let (part, after) = core::mem::take(&mut rest).split_at_mut(len);
            rest = after;
            Number::tensor_mut(flat_mut(part))
        })
    }

    /// All numbers in order, for writers and proofs.
    pub fn tensor(&self) -> TensorRef<'_> {
        Number::tensor(self.flat())
    }

    /// All numbers in order, for loaders to fill.
    pub fn tensor_mut(&mut self) -> TensorMut<'_> {
        Number::tensor_mut(self.flat_mut())
    }
}

impl<T: Element, const N: usize> Clone for Tensor<T, N> {
    fn clone(&self) -> Self {
        let mut copy = Self::zeroed();
        copy.flat_mut().copy_from_slice(self.flat());
        copy
    }
}

impl<T: Element, const N: usize> Deref for Tensor<T, N> {
    type Target = [T; N];

    #[inline(always)]
    fn deref(&self) -> &[T; N] {
        &self.0.0
    }
}

impl<T: Element, const N: usize> DerefMut for Tensor<T, N> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T; N] {
        &mut self.0.0
    }
}

impl<T: Element, const N: usize> fmt::Debug for Tensor<T, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tensor([{}; {N}])", core::any::type_name::<T>())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_tensor_is_zero_and_aligned() {
        let mut tensor = Tensor::<[i16; 96], 5>::zeroed();
        assert_eq!(tensor.as_ptr().addr() % 64, 0);
        assert_eq!(tensor.flat(), [0; 480]);
        tensor[4][95] = 7;
        assert_eq!(tensor.clone().flat()[479], 7);
        assert!(matches!(tensor.tensor(), TensorRef::I16(values) if values.len() == 480));
    }

    #[test]
    fn parts_are_elements_in_order() {
        let mut tensor = Tensor::<[i8; 2], 5>::zeroed();
        let [TensorMut::I8(first), TensorMut::I8(second)] = tensor.parts_mut([2, 3]) else {
            panic!("i8 stays i8");
        };
        first.fill(1);
        second.fill(2);
        assert_eq!(tensor.flat(), [1, 1, 1, 1, 2, 2, 2, 2, 2, 2]);
        assert!(matches!(tensor.part(1, 2), TensorRef::I8([1, 1, 2, 2])));
    }

    #[test]
    fn a_tensor_without_elements_exists() {
        let tensor = Tensor::<[i32; 0], 22528>::zeroed();
        assert_eq!(tensor.flat(), &[] as &[i32]);
        assert_eq!(tensor[22527], [0_i32; 0]);
    }
}
