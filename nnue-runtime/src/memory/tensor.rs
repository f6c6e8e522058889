//! Big arrays.

use core::fmt;
use core::ops::{Deref, DerefMut};

use nnue_spec::{TensorMut, TensorRef};

use super::aligned::Aligned;
use super::cast::{Element, Number, flat, flat_mut};
use super::zeroed::Zeroed;

/// `[T; N]` on the heap, 64-byte aligned, initially zero; or numbers of the program, until they are
/// changed ([`embed`](Self::embed)). `T` is i8, i16, i32, f32 or a nested
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

    /// Replaces the tensor by numbers of the program: little-endian, in the order of memory. They stay
    /// where they are until the tensor is changed; the heap gets a copy if they are not 64-byte
    /// aligned, do not fill whole lines of 64 bytes, or the processor is big-endian.
    ///
    /// # Panics
    ///
    /// If their number is another one.
    pub fn embed(&mut self, bytes: &'static [u8]) {
        match Aligned::embedded(bytes) {
            Some(values) => self.0 = Zeroed::of_static(values),
            None => copy_le(bytes, self.flat_mut()),
        }
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

/// Copies little-endian numbers.
fn copy_le<T: Number>(bytes: &[u8], numbers: &mut [T]) {
    let target: &mut [u8] = bytemuck::cast_slice_mut(numbers);
    target.copy_from_slice(bytes);
    if cfg!(target_endian = "big") {
        target
            .chunks_exact_mut(size_of::<T>())
            .for_each(<[u8]>::reverse);
    }
}

impl<T: Element, const N: usize> Clone for Tensor<T, N> {
    fn clone(&self) -> Self {
        Self(self.0.copied())
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
    fn numbers_of_the_program_stay_where_they_are() {
        #[repr(align(64))]
        struct File([u8; 192]);
        static FILE: File = File([1; 192]);
        let mut tensor = Tensor::<[i16; 32], 2>::zeroed();
        tensor.embed(&FILE.0[64..]);
        assert_eq!(tensor.as_ptr().addr(), FILE.0.as_ptr().addr() + 64);
        let clone = tensor.clone();
        tensor[1][31] = 2;
        assert_eq!(tensor.flat()[62..], [257, 2]);
        assert_eq!(clone.flat(), [257; 64]);
    }

    #[test]
    fn numbers_of_the_program_that_are_not_aligned_are_copied() {
        static FILE: [u8; 300] = [1; 300];
        let start = 64 - FILE.as_ptr().addr() % 64 + 2;
        let mut misaligned = Tensor::<[i16; 32], 2>::zeroed();
        misaligned.embed(&FILE[start..start + 128]);
        assert_eq!(misaligned.flat(), [257; 64]);
        let mut short = Tensor::<[i8; 32], 1>::zeroed();
        short.embed(&FILE[..32]);
        assert_eq!(short.flat(), [1; 32]);
        assert_eq!(short.as_ptr().addr() % 64, 0);
    }

    #[test]
    #[should_panic(expected = "length")]
    fn another_number_of_numbers_is_refused() {
        Tensor::<[i16; 32], 2>::zeroed().embed(&[0; 126]);
    }

    #[test]
    fn a_tensor_without_elements_exists() {
        let tensor = Tensor::<[i32; 0], 22528>::zeroed();
        assert_eq!(tensor.flat(), &[] as &[i32]);
        assert_eq!(tensor[22527], [0_i32; 0]);
    }
}
